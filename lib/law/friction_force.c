/* The force that limits friction, after an evaluation; see friction_force.h. */
#include "friction_force.h"

#include <math.h>
#include <string.h>

#include "lanes.h"
#include "variant.h"

/* So large that nothing slips; its square times that of mu is still finite. */
static const double OUT_OF_REACH = 1e100;

static void spread(double *lane, double value) {
  for (int k = 0; k < DEMI_ROUND_UP(1); k++) lane[k] = value;
}

/* The contact at rest: elastic force and adhesion of the normal part, push of the tangential part. */
static void run_at_rest(const demi_bound *bound, const demi_evaluated *c, demi_law_lanes *l) {
  demi_lanes_clear(l, 1);
  for (int a = 0; a < 3; a++) spread(l->normal[a], a == 0);
  spread(l->overlap, c->overlap);
  spread(l->effective_radius, c->effective_radius);
  spread(l->effective_mass, c->effective_mass);
  spread(l->friction_force, OUT_OF_REACH);
  for (int32_t h = 0; h < bound->history_total && c->history; h++) spread(l->history_in[h], c->history[h]);
  demi_batch_offer(l, bound->offers, DEMI_LANES_LAGGED, 1, 0);
  demi_law_run_part(bound, DEMI_NORMAL, l);
  if (bound->coupled) demi_law_run_part(bound, DEMI_TANGENTIAL, l);
}

double demi_bound_friction_force(const demi_bound *bound, const demi_evaluated *c) {
  if (!bound->adhesive && !bound->coupled) return fabs(c->along);
  if (bound->adhesive && !bound->law->built_in) return NAN;
  demi_law_lanes l;
  _Alignas(64) demi_lanes normal[3];
  demi_lanes_init(&l, normal);
  run_at_rest(bound, c, &l);
  const double push = bound->coupled ? l.tangential_normal[0] : 0.0;
  const double all = c->along - push + l.adhesion[0], elastic = l.normal_elastic[0] + l.adhesion[0];
  return bound->coupled ? fmax(all, fmin(-all, elastic)) : fabs(all);
}
