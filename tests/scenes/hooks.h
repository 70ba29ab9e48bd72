/* Hooks of a context for tests: an allocator of which some allocations fail, and a thread hook. */
#ifndef TESTS_HOOKS_H
#define TESTS_HOOKS_H

#include <dem/dem.h>

#include "scenes.h"

/* The user pointer of the allocator. New memory is filled with bytes that mean nothing. */
typedef struct hook_memory {
  dice *dice;     /* draws which allocations fail */
  int one_in;     /* one allocation in so many fails; 0: none */
  int failed;     /* 1: one has failed; set back by the test */
  int64_t blocks; /* in use */
} hook_memory;

void *hook_allocate(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment);

/* Runs the tasks one after the other, the last one first. The user pointer is not read. */
void hook_backwards(void *user, int32_t count, dem_task_fn task, void *argument);

#endif
