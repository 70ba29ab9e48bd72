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

/* At the head of an exported function that has a `system`: refuses a NULL argument. */
#define DEMI_NEEDS(argument)                                                             \
  do {                                                                                   \
    const dem_status missing = demi_api_argument(system, __func__, #argument, argument); \
    if (missing) return missing;                                                         \
  } while (0)

/* Reading is allowed at any time, changing only between steps with no view open. */
#define DEMI_MAY_READ()                                      \
  do {                                                       \
    const dem_status may = demi_api_check(system, __func__); \
    if (may) return may;                                     \
  } while (0)
#define DEMI_MAY_CHANGE()                                     \
  do {                                                        \
    const dem_status may = demi_api_change(system, __func__); \
    if (may) return may;                                      \
  } while (0)

#endif
