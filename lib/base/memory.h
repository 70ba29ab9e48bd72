/* Memory through the context's hook. Every block's size is known to its owner, as the hook wants it back. */
#ifndef DEMI_MEMORY_H
#define DEMI_MEMORY_H

#include <dem/context.h>

enum { DEMI_ALIGNMENT = 64 };

/* NULL when memory is short or size is 0. Not zeroed. */
void *demi_allocate(dem_context *context, size_t size);
/* The same, zeroed. */
void *demi_allocate_zero(dem_context *context, size_t size);
/* Resizes keeping contents; NULL on failure, the old block then stays. */
void *demi_resize(dem_context *context, void *pointer, size_t old_size, size_t new_size);
/* pointer may be NULL; size is what it was allocated with. */
void demi_free(dem_context *context, void *pointer, size_t size);

#endif
