/* Exported: advice. Only NULL, poison and reentry are checked here; the layers below check values. */
#include <dem/advice.h>

#include "check.h"
#include "system.h"

dem_status dem_advice_init(dem_advice *advice, uint32_t struct_size) {
  return advice ? demi_advice_defaults(advice, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_system_advise(dem_system *system, dem_advice *advice) {
  DEMI_MAY_USE();
  DEMI_NEEDS(advice);
  return DEMI_INSIDE(demi_system_advise(system, advice));
}
