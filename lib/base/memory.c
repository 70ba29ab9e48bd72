#define _DEFAULT_SOURCE /* madvise */
#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "context.h"

enum { HUGE_PAGE = 2 << 20 };

/* Particle arrays are read in a scattered order; with pages of 4 KiB much of the time goes into finding them. */
static void *fresh_block(size_t size, size_t alignment) {
  void *fresh = NULL;
  const int large = size >= HUGE_PAGE;
  if (posix_memalign(&fresh, large ? HUGE_PAGE : alignment, size) != 0) return NULL;
#ifdef MADV_HUGEPAGE
  if (large) madvise(fresh, size, MADV_HUGEPAGE); /* only advice to the system: a refusal does no harm */
#endif
  return fresh;
}

/* realloc gives no alignment, so growth is allocate, copy, free. */
static void *default_allocate(void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  void *fresh = NULL;
  if (new_size > 0) {
    fresh = fresh_block(new_size, alignment);
    if (!fresh) return NULL;
    if (pointer) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
  }
  free(pointer);
  return fresh;
}

static void *call_hook(dem_context *context, void *pointer, size_t old_size, size_t new_size) {
  const dem_context_options *o = &context->options;
  if (o->allocate) return o->allocate(o->allocate_user, pointer, old_size, new_size, DEMI_ALIGNMENT);
  return default_allocate(pointer, old_size, new_size, DEMI_ALIGNMENT);
}

void *demi_allocate(dem_context *context, size_t size) { return demi_resize(context, NULL, 0, size); }

void *demi_allocate_zero(dem_context *context, size_t size) {
  void *p = demi_allocate(context, size);
  if (p) memset(p, 0, size);
  return p;
}

void *demi_resize(dem_context *context, void *pointer, size_t old_size, size_t new_size) {
  if (new_size == 0 || new_size > PTRDIFF_MAX) return NULL;
  void *fresh = call_hook(context, pointer, old_size, new_size);
  if (fresh) atomic_fetch_add(&context->bytes, (long long)new_size - (long long)old_size);
  return fresh;
}

void demi_free(dem_context *context, void *pointer, size_t size) {
  if (!pointer) return;
  call_hook(context, pointer, size, 0);
  atomic_fetch_sub(&context->bytes, (long long)size);
}
