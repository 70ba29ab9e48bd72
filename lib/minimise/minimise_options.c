#include "minimise_options.h"

#include <math.h>
#include <string.h>

#include "context.h"
#include "intake.h"
#include "limits.h"

#define OPTIONS_V1 DEMI_SIZE_TO(dem_minimise_options, progress_interval)
#define REPORT_V1 DEMI_SIZE_TO(dem_minimise_report, outer)

enum { MOST_THREADS = 256, MOST_MEMORY = 32 };

static dem_minimise_options defaults(void) {
  dem_minimise_options o;
  memset(&o, 0, sizeof o);
  o.struct_size = (uint32_t)sizeof o;
  o.threads = 1;
  o.gradient_relative = 1e-10;
  o.memory = 5;
  o.progress_interval = 100;
  return o;
}

dem_status demi_minimise_options_defaults(dem_minimise_options *options, uint32_t struct_size) {
  const dem_minimise_options o = defaults();
  return demi_init(options, struct_size, &o, sizeof o, OPTIONS_V1);
}

dem_status demi_minimise_report_defaults(dem_minimise_report *report, uint32_t struct_size) {
  dem_minimise_report r;
  memset(&r, 0, sizeof r);
  return demi_init(report, struct_size, &r, sizeof r, REPORT_V1);
}

dem_status demi_minimise_report_give(dem_minimise_report *theirs, const dem_minimise_report *ours) {
  return demi_outgive(theirs, ours, sizeof *ours, REPORT_V1);
}

static dem_status check_real(dem_context *context, const char *name, double value, double most) {
  if (isfinite(value) && value >= 0 && value <= most) return DEM_OK;
  return demi_refuse_context(context, DEM_BAD_ARGUMENT, "minimise: %s is %g, must be 0 to %g", name, value, most);
}

static dem_status check_count(dem_context *context, const char *name, int64_t value, int64_t least, int64_t most) {
  if (value >= least && value <= most) return DEM_OK;
  return demi_refuse_context(context, DEM_BAD_ARGUMENT, "minimise: %s is %lld, must be %lld to %lld", name, (long long)value,
                             (long long)least, (long long)most);
}

static dem_status check(dem_context *context, const dem_minimise_options *o) {
  dem_status status = check_count(context, "threads", o->threads, 1, MOST_THREADS);
  if (!status) status = check_real(context, "gradient_relative", o->gradient_relative, 1);
  if (!status) status = check_real(context, "gradient_absolute", o->gradient_absolute, DEMI_LARGEST);
  if (!status) status = check_real(context, "force_relative", o->force_relative, 1);
  if (!status) status = check_real(context, "value_least", o->value_least, DEMI_LARGEST);
  if (!status) status = check_count(context, "iterations_most", o->iterations_most, 0, INT64_MAX);
  if (!status) status = check_count(context, "gradients_most", o->gradients_most, 0, INT64_MAX);
  if (!status) status = check_real(context, "seconds_most", o->seconds_most, DEMI_LARGEST);
  if (!status) status = check_real(context, "longest_step", o->longest_step, DEMI_LARGEST);
  if (!status) status = check_real(context, "radius_first", o->radius_first, DEMI_LARGEST);
  if (!status) status = check_count(context, "memory", o->memory, 1, MOST_MEMORY);
  if (!status) status = check_count(context, "reserved_zero", o->reserved_zero, 0, 0);
  if (!status) status = check_count(context, "progress_interval", o->progress_interval, 1, INT64_MAX);
  return status;
}

dem_status demi_minimise_take_options(dem_context *context, const dem_minimise_options *theirs, dem_minimise_options *ours) {
  *ours = defaults();
  const dem_status status = theirs ? demi_intake(ours, sizeof *ours, theirs, OPTIONS_V1) : DEM_OK;
  if (status)
    return demi_refuse_context(context, status, "minimise options: %s",
                               demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, theirs, sizeof *ours, OPTIONS_V1));
  return check(context, ours);
}
