/* Argument checks shared by the exported functions. */
#ifndef DEMI_CHECK_H
#define DEMI_CHECK_H

#include <dem/system.h>

/* DEM_OK, DEM_BAD_ARGUMENT for NULL, DEM_POISONED after a failure. */
dem_status demi_api_check(const dem_system *system, const char *function);
/* Refuses a NULL argument by name, on the system's message. */
dem_status demi_api_argument(const dem_system *system, const char *function, const char *name, const void *argument);
/* Refuses while another call on the system runs, whose callback, kernel, bind, sink or log hook this one comes from, and while
 * views are open. */
dem_status demi_api_change(const dem_system *system, const char *function);
/* Refuses while trials are open. */
dem_status demi_api_without_trials(const dem_system *system, const char *function);
/* As demi_api_change, but other trials may be open. */
dem_status demi_api_try(const dem_system *system, const char *function);
/* The same, and leaves views and trials to the caller. */
dem_status demi_api_alone(const dem_system *system, const char *function);
/* For calls that compute but change nothing that a host has set: the callbacks of a step may make them too. */
dem_status demi_api_use(const dem_system *system, const char *function);
/* For set: the callback before a step may set the host's own fields. */
dem_status demi_api_set(const dem_system *system, const char *function, int32_t field);
/* Around the work of a call from which the host may be called back. Leaving hands `status` on. */
void demi_api_enter(const dem_system *system);
dem_status demi_api_leave(const dem_system *system, dem_status status);

/* At the head of an exported function that has a `system`: refuses a NULL argument. */
#define DEMI_NEEDS(argument)                                                             \
  do {                                                                                   \
    const dem_status missing = demi_api_argument(system, __func__, #argument, argument); \
    if (missing) return missing;                                                         \
  } while (0)

#define DEMI_INSIDE(call) (demi_api_enter(system), demi_api_leave(system, (call)))

/* Reading is allowed at any time, using also in the callbacks of a step, changing only between steps with no view open. */
#define DEMI_MAY_READ()                                      \
  do {                                                       \
    const dem_status may = demi_api_check(system, __func__); \
    if (may) return may;                                     \
  } while (0)
#define DEMI_MAY_USE()                                     \
  do {                                                     \
    const dem_status may = demi_api_use(system, __func__); \
    if (may) return may;                                   \
  } while (0)
#define DEMI_MAY_TRY()                                     \
  do {                                                     \
    const dem_status may = demi_api_try(system, __func__); \
    if (may) return may;                                   \
  } while (0)
#define DEMI_MAY_CHANGE()                                     \
  do {                                                        \
    const dem_status may = demi_api_change(system, __func__); \
    if (may) return may;                                      \
  } while (0)

#endif
