#include "check.h"

#include "context.h"
#include "state.h"

dem_status demi_api_check(const dem_system *system, const char *function) {
  if (!system) return DEM_BAD_ARGUMENT;
  if (!system->poisoned) return DEM_OK;
  /* the message of the failure itself is worth more than one about this call */
  demi_log(system->context, DEM_LOG_ERROR, "%s: the system failed earlier (%d) and is unusable", function, system->poisoned);
  return DEM_POISONED;
}

dem_status demi_api_argument(const dem_system *system, const char *function, const char *name, const void *argument) {
  if (argument) return DEM_OK;
  return demi_system_refuse(system, DEM_BAD_ARGUMENT, "%s: %s is NULL", function, name);
}

dem_status demi_api_change(const dem_system *system, const char *function) {
  dem_status status = demi_api_check(system, function);
  if (status) return status;
  if (system->stepping) return demi_system_refuse(system, DEM_BUSY, "%s: not from inside a step or its callbacks", function);
  if (demi_system_views(system) == 0) return DEM_OK;
  return demi_system_refuse(system, DEM_BUSY, "%s: %d views are open, must be 0", function, demi_system_views(system));
}
