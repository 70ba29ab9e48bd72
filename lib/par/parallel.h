/* Parallel loops over a few independent tasks. */
#ifndef DEMI_PARALLEL_H
#define DEMI_PARALLEL_H

#include <dem/context.h>

/* Runs task(argument, 0 ... count-1) through the host's hook, else OpenMP with `count` threads, else one after the other. */
void demi_parallel(dem_context *context, int32_t count, dem_task_fn task, void *argument);

#endif
