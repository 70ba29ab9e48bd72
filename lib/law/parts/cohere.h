/* Attraction added to a normal law while the spheres touch: f = f_law - A, -dA/dd included in what is asked for.
 *
 * Simplified JKR: A = k_c 2 pi R* d, the leading term of the area of the circle in which two spheres intersect; potential
 * -k_c pi R* d^2. DMT: A = 4 pi gamma R* (Derjaguin, Muller & Toporov 1975, with w = 2 gamma); potential -4 pi gamma R* d.
 *
 * The dashpot has been cut before, so that with `clamp` it is damping >= -(f_law), A left out. All of A counts as adhesion:
 * friction sees the law without it. */
#ifndef DEMI_COHERE_H
#define DEMI_COHERE_H

#include "laws.h"
#include "variant.h"

static inline int demi_coheres(const demi_normal_parameters *p) { return p->pull > 0 || p->cohesion > 0; }

static inline void demi_cohere(const demi_normal_parameters *p, const dem_batch *b) {
  const int32_t lanes = DEMI_LANES(b);
  const double *restrict overlap = b->overlap, *restrict radius = b->effective_radius;
  double *restrict elastic = b->normal_elastic, *restrict adhesion = b->adhesion;
  const double pull = p->pull, cohesion = p->cohesion;
  DEMI_INDEPENDENT
  for (int32_t q = 0; q < lanes; q++) {
    const double a = (pull + cohesion * overlap[q]) * radius[q];
    elastic[q] -= a;
    adhesion[q] = a;
  }
  for (int32_t q = 0; b->normal_energy && q < b->count; q++)
    b->normal_energy[q] -= (pull + 0.5 * cohesion * overlap[q]) * radius[q] * overlap[q];
  for (int32_t q = 0; b->normal_stiffness && q < b->count; q++) {
    b->normal_stiffness[q] -= cohesion * radius[q];
    b->adhesion_slope[q] = cohesion * radius[q];
  }
}

#endif
