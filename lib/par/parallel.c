#include "parallel.h"

#if defined(DEMI_OPENMP) && DEMI_OPENMP
#include <omp.h>
#endif

#include "context.h"

void demi_parallel(dem_context *context, int32_t count, dem_task_fn task, void *argument) {
  if (count > 1 && context->options.parallel) {
    context->options.parallel(context->options.parallel_user, count, task, argument);
    return;
  }
#if defined(DEMI_OPENMP) && DEMI_OPENMP
  /* Never a region for one task: a process that has run one cannot fork and run another (libgomp). */
  if (count > 1 && !omp_in_parallel()) {
#pragma omp parallel for num_threads(count) schedule(static, 1)
    for (int32_t index = 0; index < count; index++) task(argument, index);
    return;
  }
#endif
  for (int32_t index = 0; index < count; index++) task(argument, index);
}
