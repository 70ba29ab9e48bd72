#include "handle.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_STRUCT = 4096, ALIGNMENT = 64 };
#define OPTIONS_V1 DEMI_LA_SIZE_TO(dem_linalg_options, allocate_user)

/* ---- memory: each block begins with its size, in front of the aligned part ---- */

static void *host_allocate(const dem_linalg_options *o, void *block, size_t old_size, size_t new_size) {
  if (o->allocate) return o->allocate(o->allocate_user, block, old_size, new_size, ALIGNMENT);
  if (new_size == 0) {
    free(block);
    return NULL;
  }
  void *fresh = aligned_alloc(ALIGNMENT, (new_size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
  if (fresh && block) {
    memcpy(fresh, block, old_size < new_size ? old_size : new_size);
    free(block);
  }
  return fresh;
}

static void *begin_of(void *memory) { return memory ? (char *)memory - ALIGNMENT : NULL; }

static size_t size_of(const void *memory) {
  size_t size = 0;
  if (memory) memcpy(&size, (const char *)memory - ALIGNMENT, sizeof size);
  return size;
}

static void *resize(const dem_linalg_options *o, void *memory, int64_t count, size_t size) {
  if (count < 0 || (uint64_t)count > (SIZE_MAX / 4 - ALIGNMENT) / size) return NULL;
  const size_t bytes = (size_t)count * size + ALIGNMENT + (count == 0);
  char *block = host_allocate(o, begin_of(memory), size_of(memory), bytes);
  if (!block) return NULL;
  memcpy(block, &bytes, sizeof bytes);
  return block + ALIGNMENT;
}

void *demi_la_resize(dem_linalg *l, void *memory, int64_t count, size_t size) {
  return resize(&l->options, memory, count, size);
}

void *demi_la_allocate(dem_linalg *l, int64_t count, size_t size) {
  void *memory = resize(&l->options, NULL, count, size);
  if (memory) memset(memory, 0, size_of(memory) - ALIGNMENT);
  return memory;
}

void demi_la_free(dem_linalg *l, void *memory) {
  if (memory) host_allocate(&l->options, begin_of(memory), size_of(memory), 0);
}

/* ---- messages ---- */

/* snprintf follows the host's locale: a comma between two digits is its decimal point. Our own commas are followed by a blank. */
static void plain_point(char *text) {
  for (char *c = text; *c; c++)
    if (*c == ',' && c > text && c[-1] >= '0' && c[-1] <= '9' && c[1] >= '0' && c[1] <= '9') *c = '.';
}

dem_status demi_la_refuse(dem_linalg *l, dem_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(l->text, sizeof l->text, format, arguments);
  va_end(arguments);
  plain_point(l->text);
  return status;
}

dem_status demi_la_no_memory(dem_linalg *l, const char *what) {
  return demi_la_refuse(l, DEM_NO_MEMORY, "out of memory: %s", what);
}

const char *dem_linalg_message(const dem_linalg *linalg) { return linalg ? linalg->text : ""; }

/* ---- stamped structs ---- */

dem_status demi_la_take(void *ours, size_t size, const void *theirs, size_t v1_size) {
  uint32_t their_size;
  memcpy(&their_size, theirs, sizeof their_size);
  if (their_size < v1_size || their_size > LARGEST_STRUCT) return DEM_BAD_STRUCT;
  for (size_t i = size; i < their_size; i++)
    if (((const unsigned char *)theirs)[i]) return DEM_UNSUPPORTED;
  const uint32_t our_size = (uint32_t)size;
  memset(ours, 0, size);
  memcpy(ours, theirs, their_size < size ? their_size : size);
  memcpy(ours, &our_size, sizeof our_size);
  return DEM_OK;
}

dem_status demi_la_give(void *theirs, uint32_t struct_size, const void *ours, size_t size, size_t v1_size) {
  if (!theirs) return DEM_BAD_ARGUMENT;
  if (struct_size < v1_size || struct_size > LARGEST_STRUCT) return DEM_BAD_STRUCT;
  memset(theirs, 0, struct_size);
  memcpy(theirs, ours, struct_size < size ? struct_size : size);
  memcpy(theirs, &struct_size, sizeof struct_size);
  return DEM_OK;
}

/* ---- the handle ---- */

dem_status dem_linalg_options_init(dem_linalg_options *options, uint32_t struct_size) {
  const dem_linalg_options defaults = {.struct_size = sizeof defaults};
  return demi_la_give(options, struct_size, &defaults, sizeof defaults, OPTIONS_V1);
}

dem_status dem_linalg_create(const dem_linalg_options *options, dem_linalg **linalg) {
  dem_linalg_options own = {.struct_size = sizeof own};
  if (!linalg) return DEM_BAD_ARGUMENT;
  *linalg = NULL;
  const dem_status status = options ? demi_la_take(&own, sizeof own, options, OPTIONS_V1) : DEM_OK;
  if (status) return status;
  if (own.reserved_zero) return DEM_UNSUPPORTED;
  dem_linalg *l = resize(&own, NULL, 1, sizeof *l);
  if (!l) return DEM_NO_MEMORY;
  memset(l, 0, sizeof *l);
  l->options = own;
  *linalg = l;
  return DEM_OK;
}

dem_status dem_linalg_destroy(dem_linalg *linalg) {
  if (!linalg) return DEM_OK;
  if (linalg->cholesky) return demi_la_refuse(linalg, DEM_BUSY, "destroy: a preconditioner of this dem_linalg is still in use");
  const dem_linalg_options options = linalg->options;
  host_allocate(&options, begin_of(linalg), size_of(linalg), 0);
  return DEM_OK;
}
