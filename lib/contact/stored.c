/* What the springs of one contact hold, asked of its law's parts: a batch of one at rest, in which no time passes. */
#include "contacts.h"
#include "variant.h"

static void spread(double *lane, double value) {
  for (int k = 0; k < DEMI_ROUND_UP(1); k++) lane[k] = value;
}

/* Parts that offer no stored energy count as storing none. */
demi_stored demi_contacts_stored(demi_workspace *w, const demi_bound *bound, double overlap, double effective_radius,
                                 double effective_mass, const double *history) {
  demi_law_lanes *l = &w->lanes;
  demi_lanes_clear(l, 1);
  for (int a = 0; a < 3; a++) spread(w->now.normal[a], a == 0);
  spread(l->overlap, overlap);
  spread(l->effective_radius, effective_radius);
  spread(l->effective_mass, effective_mass);
  /* of equal spheres; nothing turns */
  spread(l->inverse_inertia, 0.625 / (effective_mass * effective_radius * effective_radius));
  for (int32_t h = 0; h < bound->history_total; h++) spread(l->history_in[h], history ? history[h] : 0);
  demi_law_run(bound, l, DEMI_ASK_ENERGY, 1, 0);
  return (demi_stored){l->normal_energy[0], l->tangential_energy[0], l->rolling_energy[0], l->twisting_energy[0]};
}
