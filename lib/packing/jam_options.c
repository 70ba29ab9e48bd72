#include <string.h>

#include "intake.h"
#include "jam.h"
#include "limits.h"

#define OPTIONS_V1 DEMI_SIZE_TO(dem_jam_options, progress_user)
#define REPORT_V1 DEMI_SIZE_TO(dem_jam_report, seconds)

enum { STEPS_LIMIT = 1000000 };

static const dem_jam_options default_options = {.struct_size = (uint32_t)sizeof(dem_jam_options),
                                                .goal = DEM_JAM_PRESSURE,
                                                .pressure_tolerance = 1e-3,
                                                .fraction_tolerance = 1e-6,
                                                .first_step = 0.005,
                                                .fall = 0.1,
                                                .steps_most = 200};

dem_status demi_jam_options_defaults(dem_jam_options *options, uint32_t struct_size) {
  return demi_init(options, struct_size, &default_options, sizeof default_options, OPTIONS_V1);
}

dem_status demi_jam_report_defaults(dem_jam_report *report, uint32_t struct_size) {
  dem_jam_report r;
  memset(&r, 0, sizeof r);
  return demi_init(report, struct_size, &r, sizeof r, REPORT_V1);
}

dem_status demi_jam_report_give(const dem_system *s, dem_jam_report *theirs, const dem_jam_report *ours) {
  const dem_status status = theirs ? demi_outgive(theirs, ours, sizeof *ours, REPORT_V1) : DEM_OK;
  return status ? demi_system_refuse(s, status, "jam report: struct_size %u is not usable", theirs->struct_size) : DEM_OK;
}

static dem_status check_whole(const dem_system *s, const char *name, int32_t value, int32_t least, int32_t most) {
  if (value >= least && value <= most) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "jam: %s is %d, must be %d to %d", name, value, least, most);
}

static dem_status check_real(const dem_system *s, const char *name, double value, double least, double most) {
  if (value >= least && value <= most) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "jam: %s is %g, must be %g to %g", name, value, least, most);
}

static dem_status check(const dem_system *s, const dem_jam_options *o) {
  dem_status status = check_whole(s, "goal", o->goal, DEM_JAM_PRESSURE, DEM_JAM_POINT);
  if (!status && o->goal == DEM_JAM_PRESSURE) status = check_real(s, "pressure", o->pressure, 1 / DEMI_LARGEST, DEMI_LARGEST);
  if (!status) status = check_real(s, "pressure_tolerance", o->pressure_tolerance, 1e-12, 0.5);
  if (!status) status = check_real(s, "fraction_tolerance", o->fraction_tolerance, 1e-12, 0.1);
  if (!status) status = check_real(s, "first_step", o->first_step, 1e-9, 0.1);
  if (!status) status = check_real(s, "fall", o->fall, 0.001, 0.9);
  if (!status) status = check_whole(s, "steps_most", o->steps_most, 1, STEPS_LIMIT);
  if (!status) status = check_whole(s, "reserved_zero", o->reserved_zero, 0, 0);
  return status;
}

dem_status demi_jam_take_options(const dem_system *s, const dem_jam_options *theirs, dem_jam_options *ours) {
  *ours = default_options;
  const dem_status status = demi_intake(ours, sizeof *ours, theirs, OPTIONS_V1);
  if (status)
    return demi_system_refuse(s, status, "jam options: %s",
                              demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, theirs, sizeof *ours, OPTIONS_V1));
  return check(s, ours);
}
