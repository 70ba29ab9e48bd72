/* JKR (jkr.h has the equations): f = 4 Y* a^3/(3 R*) - 4 sqrt(pi gamma Y* a^3) - c v_n, c as for Hertz with S_n = 2 Y* a, a being
 * the JKR contact radius. Adhesion 6 pi gamma R*, twice the pull-off force (Thornton 1991; Marshall 2009): friction sees
 * f + 6 pi gamma R* > 0. Never attractive: the dashpot is cut at that.
 *
 * d f/d d = 2 Y* a (y^3 - 3)/(y^3 - 1), d a/d d = t^2 y/(2 l (y^3 - 1)): both grow without bound towards the tear-off. */
#include <math.h>

#include "jkr.h"
#include "variant.h"

demi_evaluate DEMI_VARIANT_NAME(normal_jkr);

static void forces(const demi_jkr_parameters *p, const dem_batch *b) {
  const int32_t lanes = DEMI_LANES(b);
  const double *restrict overlap = b->overlap, *restrict mass = b->effective_mass, *restrict speed = b->normal_velocity;
  const double *restrict radius = b->effective_radius;
  double *restrict elastic = b->normal_elastic, *restrict damping = b->normal_damping, *restrict adhesion = b->adhesion;
  double *restrict contact = b->contact_radius;
  const double young = p->plain.stiffness, c0 = p->plain.coefficient, rate = p->plain.rate, ratio = p->plain.ratio;
  const double clamp = p->plain.clamp, viscous = p->plain.viscous;
  DEMI_INDEPENDENT
  for (int32_t q = 0; q < lanes; q++) {
    const double t = demi_jkr_scale(p, radius[q]), y = demi_jkr_solve(overlap[q] / (t * p->quarter)), z = y * y * y;
    const double scale = p->force * radius[q], a = t * t * (y * y);
    const double free = -(c0 + (rate + viscous * a) * mass[q] + ratio * sqrt(2.0 * young * a * mass[q])) * speed[q];
    const double least = -scale * (z * (z - 6.0) + 18.0);
    elastic[q] = scale * (z * (z - 6.0));
    adhesion[q] = 18.0 * scale;
    damping[q] = demi_choose((clamp > 0) & (free < least), least, free);
    contact[q] = a;
  }
}

static void energy(const demi_jkr_parameters *p, const dem_batch *b) {
  for (int32_t q = 0; q < b->count; q++) {
    const double t = demi_jkr_scale(p, b->effective_radius[q]), l = t * p->quarter;
    const double y = demi_jkr_solve(b->overlap[q] / l), z = y * y * y;
    b->normal_energy[q] = 4.0 * p->force * b->effective_radius[q] * l * (y * z * (z * (0.1 * z - 1.0) + 1.5) + DEMI_JKR_TOUCH);
  }
}

static void tangent(const demi_jkr_parameters *p, const dem_batch *b) {
  for (int32_t q = 0; q < b->count; q++) {
    const double m = b->effective_mass[q], v = b->normal_velocity[q], t = demi_jkr_scale(p, b->effective_radius[q]);
    const double l = t * p->quarter, y = demi_jkr_solve(b->overlap[q] / l), z = y * y * y, a = t * t * (y * y);
    const double slope = t * t * y / (2.0 * l * (z - 1.0));
    const double root = p->plain.ratio * sqrt(2.0 * p->plain.stiffness * a * m);
    const double c = p->plain.coefficient + (p->plain.rate + p->plain.viscous * a) * m + root;
    const int cut = p->plain.clamp > 0 && p->force * b->effective_radius[q] * (z * (z - 6.0) + 18.0) - c * v <= 0;
    const double c_slope = (0.5 * root / a + p->plain.viscous * m) * slope; /* d(root)/da = root/(2 a) */
    b->normal_stiffness[q] = cut ? 0 : 2.0 * p->plain.stiffness * a * (z - 3.0) / (z - 1.0) - c_slope * v;
    b->normal_viscosity[q] = cut ? 0 : c;
    b->contact_radius_slope[q] = slope;
  }
}

void DEMI_VARIANT_NAME(normal_jkr)(const void *parameters, const dem_batch *b) {
  const demi_jkr_parameters *p = parameters;
  forces(p, b);
  if (b->normal_energy) energy(p, b);
  if (b->normal_stiffness) tangent(p, b);
}
