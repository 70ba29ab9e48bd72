/* The context of a test: see context.h. */
#include "scenes/context.h"

dem_context *context;

int context_open(void **state) {
  (void)state;
  return dem_context_create(NULL, &context) != DEM_OK;
}

int context_close(void **state) {
  (void)state;
  const dem_status status = dem_context_destroy(context);
  if (status == DEM_OK) context = NULL;
  return status != DEM_OK;
}
