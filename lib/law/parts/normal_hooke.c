/* Hooke: f = k d - c v_n,  c = c_0 + gamma m* + gamma_a m* sqrt(R* d) + 2 zeta sqrt(k m*)
 * (Cundall & Strack 1979; Schaefer, Dippel & Wolf 1996)
 * potential k d^2 / 2. Never attractive: the dashpot is cut so that f >= 0. Cohesion: see cohere.h. */
#include <math.h>

#include "cohere.h"
#include "variant.h"

demi_evaluate DEMI_VARIANT_NAME(normal_hooke);

static void forces(const demi_normal_parameters *p, const dem_batch *b) {
  const int32_t lanes = DEMI_LANES(b);
  const double *restrict overlap = b->overlap, *restrict mass = b->effective_mass, *restrict speed = b->normal_velocity;
  double *restrict elastic = b->normal_elastic, *restrict damping = b->normal_damping;
  const double k = p->stiffness, c0 = p->coefficient, rate = p->rate;
  if (p->ratio > 0) {
    const double factor = p->ratio * sqrt(k);
    DEMI_INDEPENDENT
    for (int32_t q = 0; q < lanes; q++) {
      elastic[q] = k * overlap[q];
      damping[q] = -(c0 + rate * mass[q] + factor * sqrt(mass[q])) * speed[q];
    }
  } else {
    DEMI_INDEPENDENT
    for (int32_t q = 0; q < lanes; q++) {
      elastic[q] = k * overlap[q];
      damping[q] = -(c0 + rate * mass[q]) * speed[q];
    }
  }
  if (p->viscous > 0) {
    const double *restrict radius = b->effective_radius;
    const double viscous = p->viscous;
    DEMI_INDEPENDENT
    for (int32_t q = 0; q < lanes; q++) damping[q] -= viscous * mass[q] * sqrt(radius[q] * overlap[q]) * speed[q];
  }
  if (p->clamp > 0) {
    DEMI_INDEPENDENT
    for (int32_t q = 0; q < lanes; q++) damping[q] = damping[q] < -elastic[q] ? -elastic[q] : damping[q];
  }
}

static void tangent(const demi_normal_parameters *p, const dem_batch *b) {
  const double k = p->stiffness;
  for (int32_t q = 0; q < b->count; q++) {
    const double m = b->effective_mass[q], d = b->overlap[q];
    const double follows = p->viscous > 0 ? p->viscous * m * sqrt(b->effective_radius[q] * d) : 0.0;
    const double c = p->coefficient + p->rate * m + p->ratio * sqrt(k * m) + follows;
    const int cut = p->clamp > 0 && k * d - c * b->normal_velocity[q] <= 0;
    b->normal_stiffness[q] = cut ? 0 : k - (follows > 0 ? 0.5 * follows / d * b->normal_velocity[q] : 0.0);
    b->normal_viscosity[q] = cut ? 0 : c;
  }
}

void DEMI_VARIANT_NAME(normal_hooke)(const void *parameters, const dem_batch *b) {
  const demi_normal_parameters *p = parameters;
  forces(p, b);
  if (b->normal_energy)
    for (int32_t q = 0; q < b->count; q++) b->normal_energy[q] = 0.5 * p->stiffness * b->overlap[q] * b->overlap[q];
  if (b->normal_stiffness) tangent(p, b);
  if (demi_coheres(p)) demi_cohere(p, b);
}
