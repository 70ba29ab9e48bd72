/* Lengths of the neighbour search: the largest gap across which forces act, the skin, and the radius that the skin is measured in. */
#include "lengths.h"

#include <math.h>

/* Walls count as infinite radius, so that R* is the radius itself against them and at most half of it between particles. */
double demi_system_range(const dem_system *s) {
  const double radius = s->faces.count > 0 ? s->largest_radius : 0.5 * s->largest_radius;
  double range = 0;
  for (int32_t k = 0; k < s->laws.count && radius > 0; k++)
    range = fmax(range, demi_bound_range(s->laws.entry[k].bound, radius));
  return range;
}

/* The mean over all particles: a few large ones among many small ones do not make it large, nor does a small one among many large
 * ones make it small. */
double demi_system_typical_radius(const dem_system *s) {
  if (!(s->smallest_radius < s->largest_radius)) return s->largest_radius;
  return fmin(fmax(s->radius_sum / (double)s->store.count, s->smallest_radius), s->largest_radius);
}

double demi_system_skin(const dem_system *s) {
  return s->options.skin > 0 ? s->options.skin : 0.08 * 2.0 * demi_system_typical_radius(s);
}
