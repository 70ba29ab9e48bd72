/* Exported: trials. */
#include <dem/plugin/trial.h>

#include "check.h"
#include "stepper.h"
#include "trial.h"

/* Trials of a step are used inside it, all others between steps. */
static dem_status may_use(const dem_trial *trial, const char *function) {
  return trial->in_step ? demi_api_check(trial->system, function) : demi_api_try(trial->system, function);
}

#define MAY_USE()                                    \
  do {                                               \
    const dem_status may = may_use(trial, __func__); \
    if (may) return may;                             \
  } while (0)

dem_status dem_trial_options_init(dem_trial_options *options, uint32_t struct_size) {
  return options ? demi_trial_options_defaults(options, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_trial_rows_init(dem_trial_rows *rows, uint32_t struct_size) {
  return rows ? demi_trial_rows_defaults(rows, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_trial_open(dem_system *system, const dem_trial_options *options, dem_trial **trial) {
  if (trial) *trial = NULL;
  DEMI_MAY_TRY();
  DEMI_NEEDS(trial);
  return DEMI_INSIDE(demi_trial_open(system, options, trial));
}

dem_status dem_stepper_trial(dem_stepper *stepper, const dem_trial_options *options, dem_trial **trial) {
  if (trial) *trial = NULL;
  if (!stepper) return DEM_BAD_ARGUMENT;
  dem_system *system = stepper->system;
  DEMI_NEEDS(trial);
  const dem_status status = demi_trial_open(system, options, trial);
  if (!status) (*trial)->in_step = 1;
  return status;
}

dem_status dem_trial_get_rows(const dem_trial *trial, dem_trial_rows *rows) {
  if (!trial) return DEM_BAD_ARGUMENT;
  const dem_system *system = trial->system;
  DEMI_NEEDS(rows);
  return demi_trial_get_rows(trial, rows);
}

dem_status dem_trial_evaluate(dem_trial *trial, const double *u, int32_t ask, double *energy, double *gradient) {
  if (!trial) return DEM_BAD_ARGUMENT;
  dem_system *system = trial->system;
  MAY_USE();
  return DEMI_INSIDE(demi_trial_evaluate(trial, u, ask, energy, gradient));
}

dem_status dem_trial_lag(dem_trial *trial) {
  if (!trial) return DEM_BAD_ARGUMENT;
  dem_system *system = trial->system;
  MAY_USE();
  return DEMI_INSIDE(demi_trial_lag(trial));
}

dem_status dem_trial_apply(dem_trial *trial, const double *p, double *product) {
  if (!trial) return DEM_BAD_ARGUMENT;
  dem_system *system = trial->system;
  MAY_USE();
  DEMI_NEEDS(p);
  DEMI_NEEDS(product);
  return DEMI_INSIDE(demi_trial_apply(trial, p, product));
}

dem_status dem_trial_blocks(dem_trial *trial, uint32_t struct_size, dem_trial_block_fn visit, void *user) {
  if (!trial) return DEM_BAD_ARGUMENT;
  dem_system *system = trial->system;
  MAY_USE();
  if (!visit) return demi_api_argument(system, __func__, "visit", NULL);
  return DEMI_INSIDE(demi_trial_blocks(trial, struct_size, visit, user));
}

dem_status dem_trial_diagonal(dem_trial *trial, double *diagonal) {
  if (!trial) return DEM_BAD_ARGUMENT;
  dem_system *system = trial->system;
  MAY_USE();
  DEMI_NEEDS(diagonal);
  return DEMI_INSIDE(demi_trial_diagonal(trial, diagonal));
}

dem_status dem_trial_accept(dem_trial *trial, const double *velocity) {
  if (!trial) return DEM_BAD_ARGUMENT;
  dem_system *system = trial->system;
  MAY_USE();
  return DEMI_INSIDE(demi_trial_accept(trial, velocity));
}

dem_status dem_trial_close(dem_trial *trial) {
  if (!trial) return DEM_OK;
  const dem_status status = trial->in_step ? DEM_OK : demi_api_alone(trial->system, __func__);
  if (!status) demi_trial_close(trial);
  return status;
}
