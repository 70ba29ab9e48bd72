#include "build.h"

#include <string.h>

dem_status demi_ensure_room(dem_context *context, void *array, int64_t *capacity, int64_t count, int64_t keep, size_t element) {
  void **slot = array;
  if (count <= *capacity) return DEM_OK;
  const int64_t wanted = count + count / 4 + 64;
  void *fresh = demi_allocate(context, (size_t)wanted * element);
  if (!fresh) return DEM_NO_MEMORY;
  if (keep > 0) memcpy(fresh, *slot, (size_t)keep * element);
  demi_free(context, *slot, (size_t)*capacity * element);
  *slot = fresh;
  *capacity = wanted;
  return DEM_OK;
}
