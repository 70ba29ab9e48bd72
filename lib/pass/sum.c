/* The sum of loads over all chunks; see sum.h. */
#include "sum.h"

#include "parallel.h"

typedef struct sum_task {
  const demi_load_sum *sum;
  demi_sum_kernel *kernel;
} sum_task;

static void run_chunk(void *argument, int32_t chunk) {
  const sum_task *t = argument;
  t->kernel(t->sum, chunk);
}

/* Coarse rows come last: they gather from all fine blocks and from the coarse blocks of earlier chunks, in the order of contacts. */
void demi_sum_loads(dem_context *context, const demi_load_sum *given) {
  demi_load_sum s = *given;
  const sum_task task = {&s, DEMI_SELECT(context, demi_sum_chunk)};
  s.reach = s.loads->fine_reach;
  demi_parallel(context, s.chunks->count, run_chunk, (void *)(uintptr_t)&task);
  if (!s.coarse) return;
  s.chunks = s.coarse;
  s.reach = s.loads->reach;
  demi_parallel(context, s.chunks->count, run_chunk, (void *)(uintptr_t)&task);
}
