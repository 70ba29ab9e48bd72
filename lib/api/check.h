/* Argument checks shared by the exported functions. */
#ifndef DEMI_CHECK_H
#define DEMI_CHECK_H

#include <dem/system.h>

/* DEM_OK, DEM_BAD_ARGUMENT for NULL, DEM_POISONED after a failure. */
dem_status demi_api_check(const dem_system *system, const char *function);
/* Refuses a NULL argument by name, on the system's message. */
dem_status demi_api_argument(const dem_system *system, const char *function, const char *name, const void *argument);
/* Refuses while a callback of the same system is running or views are open. */
dem_status demi_api_change(const dem_system *system, const char *function);

#endif
