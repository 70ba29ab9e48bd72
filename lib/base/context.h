/* Inside of a context. */
#ifndef DEMI_CONTEXT_H
#define DEMI_CONTEXT_H

#include <dem/context.h>
#include <stdatomic.h>

#include "memory.h"
#include "message.h"

struct dem_context {
  dem_context_options options;
  demi_message message;
  atomic_llong bytes;   /* allocated now */
  atomic_llong objects; /* alive, born from this context */
};

/* The compilation of an inner loop for the context's instruction set. Each exists under three names; where the compiler lacks the
 * instructions all three are plain C. In a build without instruction sets (simd=base) there is one. */
#ifdef DEMI_BASE_ONLY
#define DEMI_SELECT(context, name) ((void)(context), name##_base)
#else
#define DEMI_SELECT(context, name)                                            \
  ((context)->options.instructions == DEM_INSTRUCTIONS_AVX512 ? name##_avx512 \
   : (context)->options.instructions == DEM_INSTRUCTIONS_AVX2 ? name##_avx2   \
                                                              : name##_base)
#endif

/* Where create functions without an object of their own leave their text. */
#define demi_refuse_context(context, status, ...) demi_refuse(&(context)->message, (context), (status), __VA_ARGS__)

#endif
