/* No normal force. */
#include <string.h>

#include "laws.h"
#include "variant.h"

demi_evaluate DEMI_VARIANT_NAME(normal_none);

void DEMI_VARIANT_NAME(normal_none)(const void *parameters, const dem_batch *batch) {
  (void)parameters;
  const size_t bytes = (size_t)DEMI_LANES(batch) * sizeof(double);
  memset(batch->normal_elastic, 0, bytes);
  memset(batch->normal_damping, 0, bytes);
  if (batch->normal_energy) memset(batch->normal_energy, 0, bytes);
  if (batch->normal_stiffness) memset(batch->normal_stiffness, 0, bytes);
  if (batch->normal_viscosity) memset(batch->normal_viscosity, 0, bytes);
}
