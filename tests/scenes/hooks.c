/* Hooks of a context: see hooks.h. */
#include "hooks.h"

#include <stdlib.h>
#include <string.h>

void *hook_allocate(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  hook_memory *m = user;
  if (new_size == 0) {
    m->blocks -= pointer != NULL;
    free(pointer);
    return NULL;
  }
  if (m->one_in && (int)dice_uniform(m->dice, 0, m->one_in) == 0) {
    m->failed = 1;
    return NULL;
  }
  void *fresh = aligned_alloc(alignment, (new_size + alignment - 1) / alignment * alignment);
  if (!fresh) abort();
  memset(fresh, 0xA5, new_size);
  if (pointer) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
  free(pointer);
  m->blocks += pointer == NULL;
  return fresh;
}

void hook_backwards(void *user, int32_t count, dem_task_fn task, void *argument) {
  (void)user;
  for (int32_t k = count; k-- > 0;) task(argument, k);
}
