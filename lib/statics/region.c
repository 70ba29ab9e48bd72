/* Weights of the particles in a region. A particle belongs to the region of a box or a sphere when its centre, or an image of it, is
 * inside. The box is half open, low <= x < high, so that each particle is in exactly one box of a partition.
 *
 * The region may reach across periodic boundaries: then images of the centre, one edge of the box up or down, are tried too. At most
 * one image can be inside, because the region is not longer than the box along any axis. */
#include "region.h"

#include <math.h>
#include <string.h>

#include "compensated.h"
#include "limits.h"
#include "memory.h"

#define refuse(s, ...) demi_statics_refuse(s, DEM_BAD_ARGUMENT, "statics: " __VA_ARGS__)

/* ---- checks ---- */

static dem_status check_box(const demi_statics_source *s, const dem_statics_options *o) {
  for (int a = 0; a < s->dimension; a++) {
    const double length = demi_box_length(s->box, a);
    if (!demi_bounded(o->low[a])) return refuse(s, "low[%d] is %g, must be within %g", a, o->low[a], DEMI_LARGEST);
    if (!demi_bounded(o->high[a])) return refuse(s, "high[%d] is %g, must be within %g", a, o->high[a], DEMI_LARGEST);
    if (o->high[a] <= o->low[a]) return refuse(s, "high[%d] is %g, must be above low, %g", a, o->high[a], o->low[a]);
    if (s->box->periodic[a] && o->high[a] - o->low[a] > length)
      return refuse(s, "high[%d] - low[%d] is %.17g, must be at most the period %.17g", a, a, o->high[a] - o->low[a], length);
  }
  return DEM_OK;
}

static dem_status check_sphere(const demi_statics_source *s, const dem_statics_options *o) {
  if (!demi_bounded_above_zero(o->radius)) return refuse(s, "radius of the region is %g, must be 1e-60 to 1e60", o->radius);
  for (int a = 0; a < s->dimension; a++) {
    if (!demi_bounded(o->centre[a])) return refuse(s, "centre[%d] is %g, must be within %g", a, o->centre[a], DEMI_LARGEST);
    if (s->box->periodic[a] && o->radius > 0.5 * demi_box_height(&s->shown, a))
      return refuse(s, "radius of the region is %.17g, must be at most half the height of the box across axis %d, %.17g",
                    o->radius, a, 0.5 * demi_box_height(&s->shown, a));
  }
  return DEM_OK;
}

static dem_status check_list(const demi_statics_source *s, const dem_statics_options *o) {
  if (o->count < 1) return refuse(s, "count is %lld, must be >= 1", (long long)o->count);
  if (!o->ids) return refuse(s, "ids is NULL, must be %lld ids", (long long)o->count);
  for (int64_t k = 0; k < o->count; k++) {
    if (demi_idpool_row(&s->store->ids, o->ids[k]) < 0)
      return demi_statics_refuse(s, DEM_NOT_FOUND, "statics: id %lld of the list, %llu, is unknown or stale", (long long)k,
                                 (unsigned long long)o->ids[k]);
    if (o->weights && !(demi_bounded(o->weights[k]) && o->weights[k] >= 0))
      return refuse(s, "weight %lld is %g, must be 0 to %g", (long long)k, o->weights[k], DEMI_LARGEST);
  }
  return DEM_OK;
}

/* ---- volume ---- */

/* In 2 dimensions the area; 0 where an axis is open. Tilting does not change it. */
static double volume_of_box(const demi_statics_source *s) {
  double volume = 1;
  for (int a = 0; a < s->dimension; a++) volume *= s->box->periodic[a] ? demi_box_length(s->box, a) : 0;
  return volume;
}

/* 0: not known. */
static double volume_of(const demi_statics_source *s, const dem_statics_options *o) {
  double volume = 1;
  if (o->region == DEM_REGION_PARTICLES) return 0;
  if (o->region == DEM_REGION_SPHERE)
    return s->dimension == 2 ? DEMI_PI * o->radius * o->radius : 4.0 / 3.0 * DEMI_PI * o->radius * o->radius * o->radius;
  if (o->region == DEM_REGION_ALL) return volume_of_box(s);
  for (int a = 0; a < s->dimension; a++) volume *= o->high[a] - o->low[a];
  return volume;
}

static dem_status find_volume(const demi_statics_source *s, const dem_statics_options *o, double *volume) {
  *volume = o->volume != 0 ? o->volume : volume_of(s, o); /* a NaN is kept */
  if (demi_bounded_above_zero(*volume)) return DEM_OK;
  if (o->volume == 0 && *volume == 0)
    return refuse(s, "volume is 0, but must be given: %s",
                  o->region == DEM_REGION_ALL ? "an axis of the box is open" : "the region is a list of particles");
  return refuse(s, "volume is %g, must be 1e-60 to 1e60", *volume);
}

/* ---- weights ---- */

/* Images of the cell that the box of the region reaches into. */
typedef struct images {
  int32_t count;
  double shift[27][3];
} images;

static void find_images(const demi_statics_source *s, const dem_statics_options *o, images *found) {
  found->count = 0;
  for (int k = 0; k < 27; k++) {
    const double turns[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    double *shift = found->shift[found->count];
    int reaches = 1;
    demi_box_image(&s->shown, turns, shift);
    for (int a = 0; a < 3; a++) {
      if (turns[a] == 0) continue;
      reaches = reaches && a < s->dimension && s->box->periodic[a];
      /* of a tilted box all images are tried */
      if (!s->box->tilted)
        reaches = reaches && o->low[a] < s->box->high[a] + shift[a] && o->high[a] > s->box->low[a] + shift[a];
    }
    found->count += reaches;
  }
}

static void wrap(const demi_statics_source *s, int64_t row, double x[3]) {
  int32_t unused[3] = {0, 0, 0};
  memcpy(x, s->store->columns.position + 4 * row, 3 * sizeof *x);
  demi_box_wrap(&s->shown, x, unused);
}

static int in_box(const demi_statics_source *s, const dem_statics_options *o, const images *found, const double x[3]) {
  for (int32_t k = 0; k < found->count; k++) {
    int inside = 1;
    for (int a = 0; a < s->dimension; a++) {
      const double y = x[a] + found->shift[k][a];
      inside = inside && y >= o->low[a] && y < o->high[a];
    }
    if (inside) return 1;
  }
  return 0;
}

static int in_sphere(const demi_statics_source *s, const dem_statics_options *o, const double x[3]) {
  double d[3] = {0, 0, 0}, square = 0;
  for (int a = 0; a < s->dimension; a++) d[a] = x[a] - o->centre[a];
  demi_box_nearest(s->box, d);
  for (int a = 0; a < s->dimension; a++) square += d[a] * d[a];
  return square < o->radius * o->radius;
}

static void weigh_places(const demi_statics_source *s, const dem_statics_options *o, double *weight) {
  images found;
  if (o->region == DEM_REGION_BOX) find_images(s, o, &found);
  for (int64_t row = 0; row < s->store->count; row++) {
    double x[3];
    wrap(s, row, x);
    weight[row] = o->region == DEM_REGION_ALL ? 1 : o->region == DEM_REGION_BOX ? in_box(s, o, &found, x) : in_sphere(s, o, x);
  }
}

/* -1 marks who is not in the list. */
static dem_status weigh_list(const demi_statics_source *s, const dem_statics_options *o, double *weight) {
  for (int64_t row = 0; row < s->store->count; row++) weight[row] = -1;
  for (int64_t k = 0; k < o->count; k++) {
    double *w = weight + demi_idpool_row(&s->store->ids, o->ids[k]);
    if (*w >= 0) return refuse(s, "id %lld of the list, %llu, is given twice", (long long)k, (unsigned long long)o->ids[k]);
    *w = o->weights ? o->weights[k] : 1;
  }
  for (int64_t row = 0; row < s->store->count; row++)
    if (weight[row] < 0) weight[row] = 0;
  return DEM_OK;
}

static dem_status count(const demi_statics_source *s, demi_region *region) {
  demi_sum sum = {0, 0};
  for (int64_t row = 0; row < s->store->count; row++) {
    demi_sum_add(&sum, region->weight[row]);
    region->particles += region->weight[row] > 0;
  }
  region->sum = demi_sum_get(&sum);
  if (region->particles > 0) return DEM_OK;
  return demi_statics_refuse(s, DEM_NOT_FOUND, "statics: none of the %lld particles is in the region",
                             (long long)s->store->count);
}

/* ---- all ---- */

static dem_status check(const demi_statics_source *s, const dem_statics_options *o) {
  if (o->region == DEM_REGION_BOX) return check_box(s, o);
  if (o->region == DEM_REGION_SPHERE) return check_sphere(s, o);
  return o->region == DEM_REGION_PARTICLES ? check_list(s, o) : DEM_OK;
}

dem_status demi_region_open(const demi_statics_source *s, const dem_statics_options *o, demi_region *region) {
  memset(region, 0, sizeof *region);
  dem_status status = check(s, o);
  if (!status) status = find_volume(s, o, &region->volume);
  if (status) return status;
  if (s->store->count == 0) return count(s, region);
  region->weight = demi_allocate(s->context, (size_t)s->store->count * sizeof *region->weight);
  if (!region->weight)
    return demi_statics_refuse(s, DEM_NO_MEMORY, "statics: out of memory for %lld particles", (long long)s->store->count);
  if (o->region == DEM_REGION_PARTICLES)
    status = weigh_list(s, o, region->weight);
  else
    weigh_places(s, o, region->weight);
  return status ? status : count(s, region);
}

void demi_region_close(const demi_statics_source *s, demi_region *region) {
  demi_free(s->context, region->weight, (size_t)s->store->count * sizeof *region->weight);
}
