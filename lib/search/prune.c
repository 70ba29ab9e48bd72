#include <math.h>
#include <string.h>

#include "build.h"
#include "context.h"
#include "parallel.h"

typedef struct prune_task {
  demi_list *list;
  const demi_store *store;
  demi_prune_kernel *kernel;
} prune_task;

static void prune_chunk(void *argument, int32_t chunk) {
  const prune_task *t = argument;
  for (int32_t b = t->list->chunks.block[chunk]; b < t->list->chunks.block[chunk + 1]; b++) t->kernel(t->list, t->store, b);
}

/* If a pick lasts only a few evaluations, picking takes too much time; if it lasts long, it holds more pairs than needed. The
 * contacts found are the same in both cases. */
enum { SHORT = 4, LONG = 12 };

static void set_gaps(demi_list *list) {
  if (list->prunes > 0 && list->pick_age < SHORT) list->near_widen = fmin(8.0, 1.25 * list->near_widen);
  if (list->pick_age > LONG) list->near_widen = fmax(1.0, 0.8 * list->near_widen);
  list->pick_age = 0;
  for (int32_t l = 0; l < list->levels; l++) {
    demi_level *level = &list->level[l];
    level->skin[DEMI_SINCE_PRUNE] = fmin(0.5 * level->skin[DEMI_SINCE_BUILD], list->near_widen * level->near_gap);
  }
}

void demi_list_prune(demi_list *list, const demi_store *store) {
  list->pick_age++;
  if (list->pruned) return;
  set_gaps(list);
  prune_task task = {list, store, DEMI_SELECT(list->context, demi_prune_block)};
  demi_parallel(list->context, list->chunks.count, prune_chunk, &task);
  demi_bounds *since = &list->motion.bounds[DEMI_SINCE_PRUNE];
  memset(since->moved, 0, (size_t)list->motion.tiles * 8 * sizeof *since->moved);
  since->slack = list->level[0].skin[DEMI_SINCE_PRUNE]; /* the finest level's is the least */
  since->spent = 0;
  list->rounding[DEMI_SINCE_PRUNE] = 0;
  demi_cross_mark(list, store, DEMI_SINCE_PRUNE);
  demi_images_mark(list, store, DEMI_SINCE_PRUNE);
  list->pruned = list->fresh = 1;
  list->prunes++;
}
