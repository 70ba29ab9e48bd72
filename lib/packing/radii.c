/* Radii and the size of the box.
 *
 *   uniform      R = radius (1 + (ratio - 1) u), u uniform in [0, 1)
 *   bidisperse   the first count - n are `radius`, the last n are ratio * radius, n = round(count q); q = large, or, where `large` = s is
 *                a fraction of the volume, n ratio^d / (n ratio^d + count - n) = s solved for q = n/count:
 *                q = s/(s + (1 - s) ratio^d)
 *   lognormal    R = radius exp(width z), z normal within |z| <= cut, by rejection: z uniform in [-cut, cut) is taken with probability
 *                exp(-z^2/2). This needs no logarithm, and exp has the same bits everywhere (exponential.h)
 *   sample       radii[floor(u radii_count)]
 *
 * The packing fraction is phi = v_d sum R^d / V with v_2 = pi, v_3 = 4 pi/3 and V the product of the edges. With the edge along x given
 * all R are multiplied by (phi V / (v_d sum R^d))^(1/d); otherwise V = v_d sum R^d / phi. The sum is compensated, so that phi is met up to
 * the rounding of single radii and edges. */
#include <math.h>
#include <string.h>

#include "compensated.h"
#include "cube_root.h"
#include "exponential.h"
#include "packing.h"
#include "random.h"

static const double PI = 3.14159265358979323846;

/* ---- distributions ---- */

static void draw_uniform(const dem_packing_options *o, double *radius) {
  demi_random random = demi_random_stream(o->seed, DEMI_STREAM_RADII);
  for (int64_t k = 0; k < o->count; k++) radius[k] = o->radius * (1 + (o->ratio - 1) * demi_random_unit(&random));
}

static int64_t count_large(const dem_packing_options *o) {
  const double volume = o->dimension == 2 ? o->ratio * o->ratio : o->ratio * o->ratio * o->ratio;
  const double part = o->by_volume ? o->large / (o->large + (1 - o->large) * volume) : o->large;
  return (int64_t)floor((double)o->count * part + 0.5);
}

static void draw_bidisperse(const dem_packing_options *o, double *radius) {
  const int64_t small = o->count - count_large(o);
  for (int64_t k = 0; k < o->count; k++) radius[k] = k < small ? o->radius : o->ratio * o->radius;
}

static double draw_normal(demi_random *random, double cut) {
  for (;;) {
    const double z = cut * (2 * demi_random_unit(random) - 1);
    if (demi_random_unit(random) < demi_decay(0.5 * z * z)) return z;
  }
}

static void draw_lognormal(const dem_packing_options *o, double *radius) {
  demi_random random = demi_random_stream(o->seed, DEMI_STREAM_RADII);
  for (int64_t k = 0; k < o->count; k++) {
    const double x = o->width * draw_normal(&random, o->cut), decay = demi_decay(fabs(x));
    radius[k] = x < 0 ? o->radius * decay : o->radius / decay;
  }
}

static void draw_sample(const dem_packing_options *o, double *radius) {
  demi_random random = demi_random_stream(o->seed, DEMI_STREAM_RADII);
  for (int64_t k = 0; k < o->count; k++)
    radius[k] = o->radii[(int64_t)floor(demi_random_unit(&random) * (double)o->radii_count)];
}

void demi_radii_draw(const dem_packing_options *o, double *radius) {
  if (o->distribution == DEM_RADII_UNIFORM) draw_uniform(o, radius);
  if (o->distribution == DEM_RADII_BIDISPERSE) draw_bidisperse(o, radius);
  if (o->distribution == DEM_RADII_LOGNORMAL) draw_lognormal(o, radius);
  if (o->distribution == DEM_RADII_LIST) memcpy(radius, o->radii, (size_t)o->count * sizeof *radius);
  if (o->distribution == DEM_RADII_SAMPLE) draw_sample(o, radius);
}

/* ---- the packing fraction ---- */

double demi_radii_volume(int32_t dimension, int64_t count, const double *radius) {
  demi_sum sum = {0, 0};
  for (int64_t k = 0; k < count; k++)
    demi_sum_add(&sum, dimension == 2 ? radius[k] * radius[k] : radius[k] * radius[k] * radius[k]);
  return (dimension == 2 ? PI : 4.0 / 3.0 * PI) * demi_sum_get(&sum);
}

double demi_packing_root(int32_t dimension, double x) { return dimension == 2 ? sqrt(x) : demi_cube_root(x); }

void demi_packing_fit(const dem_packing_options *o, double *radius, double edges[3]) {
  const double *p = o->proportions, particles = demi_radii_volume(o->dimension, o->count, radius);
  /* volume of a box whose edge along x is 1 */
  const double shape = o->dimension == 2 ? p[1] / p[0] : p[1] / p[0] * (p[2] / p[0]);
  double x = o->length;
  if (x == 0) x = demi_packing_root(o->dimension, particles / o->packing_fraction / shape);
  for (int a = 0; a < 3; a++) edges[a] = a < o->dimension ? x * (p[a] / p[0]) : 0;
  if (o->length == 0) return;
  const double volume = edges[0] * edges[1] * (o->dimension == 2 ? 1 : edges[2]);
  const double scale = demi_packing_root(o->dimension, o->packing_fraction * (volume / particles));
  for (int64_t k = 0; k < o->count; k++) radius[k] *= scale;
}
