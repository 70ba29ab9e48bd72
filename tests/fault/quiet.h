/* Floating-point exceptions. A host that traps (feenableexcept; gfortran -ffpe-trap; OpenFOAM) dies at the first operation that
 * raises INVALID, DIVBYZERO or OVERFLOW, also where its result is thrown away. Flags are sticky, so a call that leaves none of
 * them raised would not have trapped either, but for threads, which have flags of their own: those run with traps on.
 * Everything is done in each instruction set that the CPU has, as the unused lanes of wide registers compute, too. */
#ifndef TESTS_QUIET_H
#define TESTS_QUIET_H

#include <dem/dem.h>
#include <fenv.h>

enum { QUIET_FLAGS = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW };

/* What is being tried, for the message. */
extern char quiet_subject[300];
/* Calls that raised a flag so far. */
extern int quiet_raised;

/* Tells of the flags that a call raised, and clears them. */
void quiet_look(const char *call);
/* The status of a call that must leave the flags alone. */
dem_status quiet_status(dem_status status, const char *call);
#define QUIET(call) quiet_status((call), #call)
#define QUIET_OK(system, call) ASSERT_OK((system), QUIET(call))

/* Setup of a test: nothing raised so far. */
int quiet_clear(void **state);
/* NULL where the CPU has no such instructions. */
dem_context *quiet_open_context(int32_t instructions);
/* Calls the body in each instruction set; afterwards nothing may have raised a flag. */
void quiet_in_every_set(void (*body)(dem_context *context));

extern const char *const quiet_schemes[3];

typedef struct quiet_setup {
  const dem_law_options *law;
  int32_t scheme, ledger, arms, transport, planar;
} quiet_setup;

/* A small system with every kind of wall and contact. */
dem_system *quiet_system(dem_context *context, const quiet_setup *w);
/* A wall of this shape, all else the default. */
dem_wall quiet_wall(int32_t shape);

#endif
