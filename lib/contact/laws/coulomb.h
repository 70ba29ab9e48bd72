/* What the tangential parts share: the Coulomb cap, |f_t| <= mu |f_n|, and its derivatives. */
#ifndef DEMI_COULOMB_H
#define DEMI_COULOMB_H

#include <math.h>

#include "laws.h"

/* Squared lengths below this count as zero; keeps 0/0 out of the lanes without a branch. */
#define DEMI_TINY 1e-300

static inline double demi_friction_limit(const dem_batch *b, double friction, int32_t q) {
  return friction * fabs(b->normal_elastic[q] + b->normal_damping[q]);
}

/* Dashpot coefficient c_t at tangential stiffness k. */
static inline double demi_shear_viscosity(const demi_tangential_parameters *p, double k, double mass) {
  return p->coefficient + p->rate * mass + p->ratio * sqrt(k * mass);
}

/* Heat of slip as the books take it, -force.slip of one evaluation, is made exact to second order in dt by weighing the slip:
 * the force it was made against is the mean of those before and after. ff: |force|^2; bf: before.force. */
static inline double demi_slip_weight(double ff, double bf) {
  const double ratio = ff > 0 ? bf / ff : 1.0;
  return 0.5 + 0.5 * (ratio > 0 ? ratio : 0.0);
}

/* A contact that opens before the next evaluation slips with all its spring still holds, as the cap falls to 0: that heat, less
 * the work which the present forces go on doing, as a weight of -force/|force|^2. `separation` is the speed after the next
 * kicks, exact where nothing else pushes. */
static inline double demi_slip_at_end(double stored, double work_left, double overlap, double separation, double dt,
                                      double ff) {
  const double heat = overlap <= separation * dt && stored > work_left ? stored - work_left : 0.0;
  return ff > 0 ? heat / ff : 0.0;
}

/* Derivatives of one lane. trial: uncapped force; by_velocity: a of -d trial/d v_t = a 1; by_overlap: d trial/d overlap. */
static inline void demi_coulomb_tangent(const dem_batch *b, double friction, int32_t q, const double trial[3],
                                        double by_velocity, const double by_overlap[3]) {
  const double size = sqrt(trial[0] * trial[0] + trial[1] * trial[1] + trial[2] * trial[2]);
  const double fn = b->normal_elastic[q] + b->normal_damping[q], limit = friction * fabs(fn);
  const int slips = size > limit;
  const double scale = slips ? limit / size : 1.0, sign = fn < 0 ? -1.0 : 1.0;
  double along = 0;
  for (int a = 0; a < 3; a++) along += slips ? trial[a] / size * by_overlap[a] : 0.0;
  b->tangential_isotropic[q] = scale * by_velocity;
  b->tangential_along[q] = slips ? -scale * by_velocity : 0.0;
  for (int a = 0; a < 3; a++) {
    const double s = slips ? trial[a] / size : 0.0;
    b->tangential_overlap[a][q] = scale * (by_overlap[a] - along * s) + friction * sign * b->normal_stiffness[q] * s;
    b->tangential_normal_velocity[a][q] = -friction * sign * b->normal_viscosity[q] * s;
  }
}

#endif
