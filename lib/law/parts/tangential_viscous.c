/* No history: f_t = -c_t v_t, |f_t| <= mu F, F = friction_force. Capped, dashpot and slider are in series: the slip is
 * the part of v_t dt that the dashpot does not take. */
#include <math.h>

#include "coulomb.h"
#include "variant.h"

demi_evaluate DEMI_VARIANT_NAME(tangential_viscous);

static double stiffness_at(const demi_tangential_parameters *p, const dem_batch *b, int32_t q) {
  return p->shear > 0 ? p->shear * demi_contact_radius(b, q) : p->stiffness;
}

static void tangent(const demi_tangential_parameters *p, const dem_batch *b) {
  for (int32_t q = 0; q < b->count; q++) {
    const double k = stiffness_at(p, b, q), c = demi_dashpot(p, b, q, k), slope = demi_dashpot_slope(p, b, q, k);
    double trial[3], by_overlap[3];
    for (int a = 0; a < 3; a++) {
      trial[a] = -c * b->tangential_velocity[a][q];
      by_overlap[a] = -slope * b->tangential_velocity[a][q];
    }
    demi_coulomb_tangent(b, demi_cap_of(b, p->friction, q), q, trial, c, by_overlap);
  }
}

void DEMI_VARIANT_NAME(tangential_viscous)(const void *parameters, const dem_batch *b) {
  const demi_tangential_parameters *p = parameters;
  for (int32_t q = 0; q < b->count; q++) {
    const double c = demi_dashpot(p, b, q, stiffness_at(p, b, q));
    const double x = b->tangential_velocity[0][q], y = b->tangential_velocity[1][q], z = b->tangential_velocity[2][q];
    const double size = c * sqrt(x * x + y * y + z * z), limit = p->friction * b->friction_force[q];
    const double scale = size > limit ? limit / size : 1.0;
    for (int a = 0; a < 3; a++) {
      const double v = b->tangential_velocity[a][q];
      b->tangential_elastic[a][q] = 0;
      b->tangential_damping[a][q] = -scale * c * v;
      if (b->slip[0]) b->slip[a][q] = (1.0 - scale) * v * b->dt;
    }
  }
  if (b->tangential_energy)
    for (int32_t q = 0; q < b->count; q++) b->tangential_energy[q] = 0;
  if (b->tangential_isotropic) tangent(p, b);
}
