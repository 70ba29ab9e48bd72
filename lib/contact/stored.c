/* What the springs of one contact hold, asked of its law's parts: a batch of one at rest, in which no time passes. */
#include <string.h>

#include "contacts.h"

static void spread(double *lanes, double value) {
  for (int k = 0; k < 8; k++) lanes[k] = value;
}

static void lay_rest(demi_workspace *w) {
  spread(w->normal_velocity, 0);
  spread(w->history_time, 0);
  spread(w->twisting_rate, 0);
  for (int a = 0; a < 3; a++) {
    spread(w->now.normal[a], a == 0);
    spread(w->tangential_velocity[a], 0);
    spread(w->tangential_damping[a], 0);
    spread(w->rolling_velocity[a], 0);
    spread(w->rolling_elastic[a], 0);
    spread(w->rolling_damping[a], 0);
  }
  spread(w->twisting_elastic, 0);
  spread(w->twisting_damping, 0);
  spread(w->normal_energy, 0);
  spread(w->tangential_energy, 0);
  spread(w->rolling_energy, 0);
  spread(w->twisting_energy, 0);
}

static void lay_one(demi_workspace *w, dem_batch *b, const demi_bound *bound) {
  memset(b, 0, sizeof *b);
  b->struct_size = (uint32_t)sizeof *b;
  b->count = 1;
  b->overlap = w->overlap;
  b->effective_radius = w->effective_radius;
  b->effective_mass = w->effective_mass;
  b->normal_velocity = w->normal_velocity;
  b->normal_elastic = w->normal_elastic;
  b->normal_damping = w->normal_damping;
  b->adhesion = w->adhesion;
  b->history_time = w->history_time;
  b->contact_radius = bound->gives_radius ? w->contact_radius : NULL;
  for (int a = 0; a < 3; a++) {
    b->normal[a] = w->now.normal[a];
    b->tangential_velocity[a] = w->tangential_velocity[a];
    b->tangential_elastic[a] = w->tangential_elastic[a];
    b->tangential_damping[a] = w->tangential_damping[a];
  }
}

static void lay_turning(demi_workspace *w, dem_batch *b) {
  for (int a = 0; a < 3; a++) {
    b->rolling_velocity[a] = w->rolling_velocity[a];
    b->rolling_elastic[a] = w->rolling_elastic[a];
    b->rolling_damping[a] = w->rolling_damping[a];
  }
  b->twisting_rate = w->twisting_rate;
  b->inverse_inertia = w->inverse_inertia;
  b->twisting_elastic = w->twisting_elastic;
  b->twisting_damping = w->twisting_damping;
}

/* Parts that offer no stored energy count as storing none; only the normal one is needed by others. */
static void run_part(demi_workspace *w, dem_batch *b, const demi_bound *bound, int32_t part) {
  if (!bound->evaluate[part] || (part != DEMI_NORMAL && !bound->stores_energy[part])) return;
  b->history_in = w->in + demi_bound_history(bound, part);
  b->history_out = w->out + demi_bound_history(bound, part);
  bound->evaluate[part](bound->parameters[part], b);
}

demi_stored demi_contacts_stored(demi_workspace *w, const demi_bound *bound, double overlap, double effective_radius,
                                 double effective_mass, const double *history) {
  dem_batch b;
  lay_rest(w);
  lay_one(w, &b, bound);
  spread(w->overlap, overlap);
  spread(w->effective_radius, effective_radius);
  spread(w->effective_mass, effective_mass);
  /* of equal spheres; nothing turns */
  spread(w->inverse_inertia, 0.625 / (effective_mass * effective_radius * effective_radius));
  for (int32_t h = 0; h < bound->history_total; h++) spread(w->history_in[h], history ? history[h] : 0);
  b.normal_energy = bound->stores_energy[DEMI_NORMAL] ? w->normal_energy : NULL;
  run_part(w, &b, bound, DEMI_NORMAL);
  spread(w->tangential_normal, 0);
  b.tangential_normal = bound->coupled ? w->tangential_normal : NULL;
  b.tangential_energy = w->tangential_energy;
  run_part(w, &b, bound, DEMI_TANGENTIAL);
  lay_turning(w, &b);
  b.rolling_energy = w->rolling_energy;
  run_part(w, &b, bound, DEMI_ROLLING);
  b.rolling_energy = NULL;
  b.twisting_energy = w->twisting_energy;
  run_part(w, &b, bound, DEMI_TWISTING);
  if (bound->adhesive) memset(w->adhesion, 0, sizeof w->adhesion);
  return (demi_stored){w->normal_energy[0], w->tangential_energy[0], w->rolling_energy[0], w->twisting_energy[0]};
}
