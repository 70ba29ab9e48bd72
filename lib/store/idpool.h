/* Ids with generations: id = generation << 32 | (slot + 1). A slot's generation goes up when its particle is removed, so old
 * ids are recognised as stale. */
#ifndef DEMI_IDPOOL_H
#define DEMI_IDPOOL_H

#include <dem/base.h>
#include <dem/context.h>

typedef struct demi_idpool {
  dem_context *context;
  int64_t slots, capacity, free_count;
  int32_t *row;         /* of each slot; -1: free */
  uint32_t *generation; /* of each slot */
  int32_t *free_slots;  /* stack */
} demi_idpool;

void demi_idpool_init(demi_idpool *pool, dem_context *context);
void demi_idpool_free(demi_idpool *pool);

/* Makes sure `count` more ids can be handed out. */
dem_status demi_idpool_reserve(demi_idpool *pool, int64_t count);
/* Hands out an id for a row; needs a reserved place. */
dem_id demi_idpool_take(demi_idpool *pool, int64_t row);
void demi_idpool_give_back(demi_idpool *pool, dem_id id);
/* Row of an id, or -1 when it names nothing (unknown or stale). */
int64_t demi_idpool_row(const demi_idpool *pool, dem_id id);
/* Tells the pool that row k now belongs to ids[k]. */
void demi_idpool_renumber(demi_idpool *pool, const dem_id *ids, int64_t count);

static inline int64_t demi_id_slot(dem_id id) { return (int64_t)(id & 0xffffffffu) - 1; }

#endif
