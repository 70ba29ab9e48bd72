#include "check.h"

#include "context.h"
#include "field_table.h"
#include "state.h"

dem_status demi_api_check(const dem_system *system, const char *function) {
  if (!system) return DEM_BAD_ARGUMENT;
  if (!system->poisoned) return DEM_OK;
  /* keeps the message of the failure, which says more than a message about this call would */
  demi_mention(&((dem_system *)(uintptr_t)system)->message, system->context,
               "%s: the system failed earlier (%d) and is unusable", function, system->poisoned);
  return DEM_POISONED;
}

dem_status demi_api_argument(const dem_system *system, const char *function, const char *name, const void *argument) {
  if (argument) return DEM_OK;
  return demi_system_refuse(system, DEM_BAD_ARGUMENT, "%s: %s is NULL", function, name);
}

/* `free_of` calls may be under way. */
static dem_status check_inside(const dem_system *system, const char *function, int32_t free_of) {
  const int32_t inside = atomic_load(&((dem_system *)(uintptr_t)system)->guards.calls_inside);
  if (atomic_load(&((dem_system *)(uintptr_t)system)->message.hooks) > 0)
    return demi_system_refuse(system, DEM_BUSY, "%s: not from the log hook, in the middle of a call on the system", function);
  if (inside <= free_of) return DEM_OK;
  if (system->guards.callbacks > 0 && inside == system->guards.callbacks)
    return demi_system_refuse(system, DEM_BUSY, "%s: not from inside a step or its callbacks", function);
  return demi_system_refuse(
      system, DEM_BUSY, "%s: not from inside a call on the system: from a kernel, bind, sink, hook or integrator of its own",
      function);
}

dem_status demi_api_alone(const dem_system *system, const char *function) { return check_inside(system, function, 0); }

dem_status demi_api_use(const dem_system *system, const char *function) {
  const dem_status status = demi_api_check(system, function);
  return status ? status : check_inside(system, function, system->guards.callbacks);
}

static dem_status check_views(const dem_system *system, const char *function) {
  if (demi_system_views(system) == 0) return DEM_OK;
  return demi_system_refuse(system, DEM_BUSY, "%s: %d views are open, must be 0", function, demi_system_views(system));
}

dem_status demi_api_without_trials(const dem_system *system, const char *function) {
  if (system->guards.trials == 0) return DEM_OK;
  return demi_system_refuse(system, DEM_BUSY, "%s: %d trials are open, must be 0", function, system->guards.trials);
}

dem_status demi_api_try(const dem_system *system, const char *function) {
  dem_status status = demi_api_check(system, function);
  if (!status) status = demi_api_alone(system, function);
  return status ? status : check_views(system, function);
}

dem_status demi_api_change(const dem_system *system, const char *function) {
  const dem_status status = demi_api_try(system, function);
  return status ? status : demi_api_without_trials(system, function);
}

dem_status demi_api_set(const dem_system *system, const char *function, int32_t field) {
  if (!system || !system->guards.in_before_step) return demi_api_change(system, function);
  const dem_status status = demi_api_use(system, function);
  if (status) return status;
  demi_field room;
  const demi_field *f = demi_field_find(system, field, &room);
  if (!f) return demi_system_refuse(system, DEM_NOT_FOUND, "%s: field %d is unknown", function, field);
  if (f->may & DEMI_MAY_BEFORE_STEP) return check_views(system, function);
  return demi_system_refuse(
      system, DEM_BUSY,
      "%s: %s not from the callback before a step, only host forces, torques, the fluid and columns of the host", function,
      f->symbol);
}

void demi_api_enter(const dem_system *system) { atomic_fetch_add(&((dem_system *)(uintptr_t)system)->guards.calls_inside, 1); }

dem_status demi_api_leave(const dem_system *system, dem_status status) {
  atomic_fetch_sub(&((dem_system *)(uintptr_t)system)->guards.calls_inside, 1);
  return status;
}
