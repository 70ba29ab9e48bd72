#include "idpool.h"

#include <string.h>

#include "memory.h"

void demi_idpool_init(demi_idpool *pool, dem_context *context) {
  memset(pool, 0, sizeof *pool);
  pool->context = context;
}

static void free_arrays(demi_idpool *pool) {
  const size_t n = (size_t)pool->capacity;
  demi_free(pool->context, pool->row, n * sizeof *pool->row);
  demi_free(pool->context, pool->generation, n * sizeof *pool->generation);
  demi_free(pool->context, pool->free_slots, n * sizeof *pool->free_slots);
}

void demi_idpool_free(demi_idpool *pool) {
  free_arrays(pool);
  demi_idpool_init(pool, pool->context);
}

static void take_over(demi_idpool *pool, demi_idpool *fresh) {
  const size_t used = (size_t)pool->slots;
  if (used) {
    memcpy(fresh->row, pool->row, used * sizeof *pool->row);
    memcpy(fresh->generation, pool->generation, used * sizeof *pool->generation);
  }
  if (pool->free_count) memcpy(fresh->free_slots, pool->free_slots, (size_t)pool->free_count * sizeof *pool->free_slots);
  free_arrays(pool);
  *pool = *fresh;
}

dem_status demi_idpool_reserve(demi_idpool *pool, int64_t count) {
  const int64_t needed = pool->slots - pool->free_count + count;
  if (needed <= pool->capacity) return DEM_OK;
  demi_idpool fresh = *pool;
  const int64_t larger = pool->capacity + pool->capacity / 2;
  fresh.capacity = needed > larger ? needed : larger;
  const size_t n = (size_t)fresh.capacity;
  fresh.row = demi_allocate_zero(pool->context, n * sizeof *fresh.row);
  fresh.generation = demi_allocate_zero(pool->context, n * sizeof *fresh.generation);
  fresh.free_slots = demi_allocate_zero(pool->context, n * sizeof *fresh.free_slots);
  if (!fresh.row || !fresh.generation || !fresh.free_slots) {
    free_arrays(&fresh);
    return DEM_NO_MEMORY;
  }
  take_over(pool, &fresh);
  return DEM_OK;
}

dem_id demi_idpool_take(demi_idpool *pool, int64_t row) {
  const int64_t slot = pool->free_count > 0 ? pool->free_slots[--pool->free_count] : pool->slots++;
  if (pool->generation[slot] == 0) pool->generation[slot] = 1;
  pool->row[slot] = (int32_t)row;
  return (dem_id)pool->generation[slot] << 32 | (dem_id)(slot + 1);
}

void demi_idpool_give_back(demi_idpool *pool, dem_id id) {
  const int64_t slot = demi_id_slot(id);
  pool->row[slot] = -1;
  if (++pool->generation[slot] == 0) pool->generation[slot] = 1;
  pool->free_slots[pool->free_count++] = (int32_t)slot;
}

int64_t demi_idpool_row(const demi_idpool *pool, dem_id id) {
  const int64_t slot = demi_id_slot(id);
  if (slot < 0 || slot >= pool->slots || pool->generation[slot] != (uint32_t)(id >> 32)) return -1;
  return pool->row[slot];
}

void demi_idpool_renumber(demi_idpool *pool, const dem_id *ids, int64_t count) {
  for (int64_t k = 0; k < count; k++) pool->row[demi_id_slot(ids[k])] = (int32_t)k;
}
