/* Hertz: f = 4/3 Y* sqrt(R* d) d - c v_n,  c = c_0 + (gamma + gamma_a a) m* + 2 sqrt(5/6) zeta sqrt(S_n m*),  S_n = 2 Y* a,
 * a = sqrt(R* d)
 * (Tsuji et al. 1992, Antypov & Elliott 2011); potential 8/15 Y* sqrt(R*) d^(5/2).
 * sqrt only, no pow: glibc's pow differs between CPUs. DMT and cohesion: see cohere.h. */
#include <math.h>

#include "cohere.h"
#include "variant.h"

demi_evaluate DEMI_VARIANT_NAME(normal_hertz);

static void forces(const demi_normal_parameters *p, const dem_batch *b) {
  const int32_t lanes = DEMI_LANES(b);
  const double *restrict overlap = b->overlap, *restrict mass = b->effective_mass, *restrict speed = b->normal_velocity;
  const double *restrict radius = b->effective_radius;
  double *restrict elastic = b->normal_elastic, *restrict damping = b->normal_damping;
  const double young = p->stiffness, c0 = p->coefficient, rate = p->rate, ratio = p->ratio;
  const double viscous = p->viscous;
  DEMI_INDEPENDENT
  for (int32_t q = 0; q < lanes; q++) {
    const double a = sqrt(radius[q] * overlap[q]), young_a = young * a;
    elastic[q] = 4.0 / 3.0 * young_a * overlap[q];
    damping[q] = -(c0 + (rate + viscous * a) * mass[q] + ratio * sqrt(2.0 * young_a * mass[q])) * speed[q];
  }
  if (p->clamp > 0) {
    DEMI_INDEPENDENT
    for (int32_t q = 0; q < lanes; q++) damping[q] = damping[q] < -elastic[q] ? -elastic[q] : damping[q];
  }
}

static void tangent(const demi_normal_parameters *p, const dem_batch *b) {
  for (int32_t q = 0; q < b->count; q++) {
    const double d = b->overlap[q], m = b->effective_mass[q], v = b->normal_velocity[q];
    const double a = sqrt(b->effective_radius[q] * d), young_a = p->stiffness * a;
    const double root = p->ratio * sqrt(2.0 * young_a * m), follows = p->viscous * m * a;
    const double c = p->coefficient + p->rate * m + follows + root;
    const int cut = p->clamp > 0 && 4.0 / 3.0 * young_a * d - c * v <= 0;
    /* d(root)/dd = root/(4 d), as root goes with d^(1/4), and a with d^(1/2) */
    b->normal_stiffness[q] = cut ? 0 : 2.0 * young_a - (0.25 * root + 0.5 * follows) / d * v;
    b->normal_viscosity[q] = cut ? 0 : c;
  }
}

void DEMI_VARIANT_NAME(normal_hertz)(const void *parameters, const dem_batch *b) {
  const demi_normal_parameters *p = parameters;
  forces(p, b);
  if (b->normal_energy)
    for (int32_t q = 0; q < b->count; q++) {
      const double d = b->overlap[q];
      b->normal_energy[q] = 8.0 / 15.0 * p->stiffness * sqrt(b->effective_radius[q] * d) * d * d;
    }
  if (b->normal_stiffness) tangent(p, b);
  if (demi_coheres(p)) demi_cohere(p, b);
}
