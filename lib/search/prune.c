#include <string.h>

#include "build.h"
#include "context.h"
#include "parallel.h"

typedef struct prune_task {
  demi_list *list;
  const demi_store *store;
  demi_prune_kernel *kernel;
} prune_task;

static void prune_part(void *argument, int32_t part) {
  const prune_task *t = argument;
  for (int32_t b = t->list->parts.block[part]; b < t->list->parts.block[part + 1]; b++) t->kernel(t->list, t->store, b);
}

void demi_list_prune(demi_list *list, const demi_store *store) {
  if (list->pruned) return;
  prune_task task = {list, store, DEMI_SELECT(list->context, demi_prune_block)};
  demi_parallel(list->context, list->parts.count, prune_part, &task);
  demi_bounds *since = &list->motion.bounds[DEMI_SINCE_PRUNE];
  memset(since->moved, 0, (size_t)list->motion.tiles * 8 * sizeof *since->moved);
  since->slack = list->level[0].skin[DEMI_SINCE_PRUNE]; /* the finest level's is the least */
  since->spent = 0;
  demi_cross_mark(list, store, DEMI_SINCE_PRUNE);
  list->pruned = list->fresh = 1;
  list->prunes++;
}
