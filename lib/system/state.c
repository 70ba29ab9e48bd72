#include "state.h"

#include <time.h>

double demi_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

dem_status demi_system_poison(dem_system *s, dem_status status) {
  s->poisoned = status;
  return status;
}

int demi_system_synchronised(const dem_system *s) {
  return (s->integrator->table.capabilities & DEM_INTEGRATOR_SYNCHRONISED) != 0;
}
