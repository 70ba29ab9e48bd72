#include <string.h>

#include "intake.h"
#include "limits.h"
#include "packing.h"

#define OPTIONS_V1 DEMI_SIZE_TO(dem_packing_options, attempts)

static const double MOST_RATIO = 1000, MOST_WIDTH = 2, LEAST_CUT = 0.1, MOST_CUT = 6, MOST_FRACTION = 100,
                    MOST_PROPORTION = 1e3;
enum { MOST_ATTEMPTS = 1000000000, DEFAULT_ATTEMPTS = 10000 };

static dem_packing_options defaults(void) {
  dem_packing_options o;
  memset(&o, 0, sizeof o);
  o.struct_size = (uint32_t)sizeof o;
  o.dimension = 3;
  o.radius = 1;
  o.ratio = 1.4;
  o.large = 0.5;
  o.width = 0.2;
  o.cut = 3;
  for (int a = 0; a < 3; a++) o.proportions[a] = 1;
  o.attempts = DEFAULT_ATTEMPTS;
  return o;
}

dem_status demi_packing_options_defaults(dem_packing_options *options, uint32_t struct_size) {
  const dem_packing_options o = defaults();
  return demi_init(options, struct_size, &o, sizeof o, OPTIONS_V1);
}

/* ---- checks ---- */

static dem_status check_whole(dem_context *c, const char *name, int64_t value, int64_t least, int64_t most) {
  if (value >= least && value <= most) return DEM_OK;
  return demi_refuse_context(c, DEM_BAD_ARGUMENT, "packing: %s is %lld, must be %lld to %lld", name, (long long)value,
                             (long long)least, (long long)most);
}

/* A NaN is in no range. */
static dem_status check_real(dem_context *c, const char *name, double value, double least, double most) {
  if (value >= least && value <= most) return DEM_OK;
  return demi_refuse_context(c, DEM_BAD_ARGUMENT, "packing: %s is %g, must be %g to %g", name, value, least, most);
}

static dem_status check_radii(dem_context *c, const dem_packing_options *o) {
  const int64_t least = o->distribution == DEM_RADII_LIST ? o->count : 1;
  const int64_t most = o->distribution == DEM_RADII_LIST ? o->count : INT32_MAX;
  const dem_status status = check_whole(c, "radii_count", o->radii_count, least, most);
  if (status) return status;
  if (!o->radii) return demi_refuse_context(c, DEM_BAD_ARGUMENT, "packing: radii is NULL, this distribution reads it");
  for (int64_t k = 0; k < o->radii_count; k++)
    if (!demi_bounded_above_zero(o->radii[k]))
      return demi_refuse_context(c, DEM_BAD_ARGUMENT, "packing: radii[%lld] is %g, must be %g to %g", (long long)k, o->radii[k],
                                 1 / DEMI_LARGEST, DEMI_LARGEST);
  return DEM_OK;
}

static dem_status check_distribution(dem_context *c, const dem_packing_options *o) {
  dem_status status = check_whole(c, "distribution", o->distribution, DEM_RADII_UNIFORM, DEM_RADII_SAMPLE);
  if (status) return status;
  if (o->distribution == DEM_RADII_LIST || o->distribution == DEM_RADII_SAMPLE) return check_radii(c, o);
  status = check_real(c, "radius", o->radius, 1 / DEMI_LARGEST, DEMI_LARGEST);
  if (!status && o->distribution != DEM_RADII_LOGNORMAL) status = check_real(c, "ratio", o->ratio, 1, MOST_RATIO);
  if (!status && o->distribution == DEM_RADII_BIDISPERSE) {
    status = check_real(c, "large", o->large, 0, 1);
    if (!status) status = check_whole(c, "by_volume", o->by_volume, 0, 1);
  }
  if (!status && o->distribution == DEM_RADII_LOGNORMAL) {
    status = check_real(c, "width", o->width, 0, MOST_WIDTH);
    if (!status) status = check_real(c, "cut", o->cut, LEAST_CUT, MOST_CUT);
  }
  return status;
}

static dem_status check_box(dem_context *c, const dem_packing_options *o) {
  static const char *const names[3] = {"proportions[0]", "proportions[1]", "proportions[2]"};
  dem_status status = DEM_OK;
  if (!(o->packing_fraction > 0 && o->packing_fraction <= MOST_FRACTION))
    return demi_refuse_context(c, DEM_BAD_ARGUMENT, "packing: packing_fraction is %g, must be above 0, at most %g",
                               o->packing_fraction, MOST_FRACTION);
  if (o->length != 0) status = check_real(c, "length", o->length, 1 / DEMI_LARGEST, DEMI_LARGEST);
  for (int a = 0; a < o->dimension && !status; a++)
    status = check_real(c, names[a], o->proportions[a], 1 / MOST_PROPORTION, MOST_PROPORTION);
  return status;
}

static dem_status check(dem_context *c, const dem_packing_options *o) {
  dem_status status = check_whole(c, "dimension", o->dimension, 2, 3);
  if (!status) status = check_whole(c, "count", o->count, 1, INT32_MAX);
  if (!status) status = check_distribution(c, o);
  if (!status) status = check_box(c, o);
  if (!status) status = check_whole(c, "apart", o->apart, 0, 1);
  if (!status) status = check_whole(c, "attempts", o->attempts, 1, MOST_ATTEMPTS);
  return status;
}

dem_status demi_packing_take_options(dem_context *context, const dem_packing_options *theirs, dem_packing_options *ours) {
  *ours = defaults();
  const dem_status status = demi_intake(ours, sizeof *ours, theirs, OPTIONS_V1);
  if (status)
    return demi_refuse_context(context, status, "packing options: %s",
                               demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, theirs, sizeof *ours, OPTIONS_V1));
  return check(context, ours);
}
