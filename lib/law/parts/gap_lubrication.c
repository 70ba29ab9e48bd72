/* Lubrication in the gap h between surfaces that do not touch: f = -6 pi eta a^2/h v_n for inner 2a < h < outer 2a, a = scale R*
 * (leading term of Jeffrey & Onishi 1984). */
#include "laws.h"
#include "quotient.h"
#include "variant.h"

demi_evaluate DEMI_VARIANT_NAME(gap_lubrication);

void DEMI_VARIANT_NAME(gap_lubrication)(const void *parameters, const dem_batch *b) {
  const demi_lubrication_parameters *p = parameters;
  const int32_t lanes = DEMI_LANES(b);
  const double scale = p->scale, inner = 2.0 * p->inner, outer = 2.0 * p->outer, drag = p->drag;
  const double *restrict overlap = b->overlap, *restrict radius = b->effective_radius, *restrict speed = b->normal_velocity;
  double *restrict elastic = b->normal_elastic, *restrict damping = b->normal_damping;
  DEMI_INDEPENDENT
  for (int32_t q = 0; q < lanes; q++) {
    const double h = -overlap[q], a = scale * radius[q];
    const int acts = (h > inner * a) & (h < outer * a);
    elastic[q] = 0.0;
    damping[q] = demi_choose(acts, demi_quotient_where(acts, -drag * a * a, h, 0.0) * speed[q], 0.0);
  }
  for (int32_t q = 0; b->normal_energy && q < b->count; q++) b->normal_energy[q] = 0.0;
  for (int32_t q = 0; b->normal_stiffness && q < b->count; q++) {
    const double h = -overlap[q];
    /* f goes with 1/h, and h falls as the overlap rises */
    b->normal_stiffness[q] = demi_quotient_where(damping[q] != 0, damping[q], h, 0.0);
    b->normal_viscosity[q] = demi_quotient_where(damping[q] != 0, drag * scale * scale * radius[q] * radius[q], h, 0.0);
  }
}
