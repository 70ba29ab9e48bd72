#include "tags.h"

#include <string.h>

#include "memory.h"

enum { FIRST_CAPACITY = 1024 };

void demi_tags_open(demi_tags *tags, dem_context *context) {
  memset(tags, 0, sizeof *tags);
  tags->context = context;
}

void demi_tags_close(demi_tags *tags) {
  demi_free(tags->context, tags->slots, tags->capacity * sizeof *tags->slots);
  demi_tags_open(tags, tags->context);
}

/* Multiplication by 2^64 / golden ratio spreads consecutive ids; the high bits are the good ones. */
static size_t home(int64_t tag, size_t capacity) {
  const uint64_t mixed = (uint64_t)tag * UINT64_C(0x9E3779B97F4A7C15);
  return (size_t)(mixed >> 32) & (capacity - 1);
}

/* Slot of `tag`, or the empty one where it belongs. */
static size_t probe(const int64_t *slots, size_t capacity, const int64_t *ids, int64_t tag) {
  size_t slot = home(tag, capacity);
  while (slots[slot] != 0 && ids[slots[slot] - 1] != tag) slot = (slot + 1) & (capacity - 1);
  return slot;
}

int64_t demi_tags_find(const demi_tags *tags, const int64_t *ids, int64_t tag) {
  if (tags->capacity == 0) return -1;
  return tags->slots[probe(tags->slots, tags->capacity, ids, tag)] - 1;
}

static dem_status grow(demi_tags *tags, const int64_t *ids) {
  const size_t capacity = tags->capacity ? 2 * tags->capacity : FIRST_CAPACITY;
  if (capacity > SIZE_MAX / sizeof *tags->slots) return DEM_NO_MEMORY;
  int64_t *slots = demi_allocate_zero(tags->context, capacity * sizeof *slots);
  if (!slots) return DEM_NO_MEMORY;
  for (size_t i = 0; i < tags->capacity; i++)
    if (tags->slots[i] != 0) slots[probe(slots, capacity, ids, ids[tags->slots[i] - 1])] = tags->slots[i];
  demi_free(tags->context, tags->slots, tags->capacity * sizeof *slots);
  tags->slots = slots;
  tags->capacity = capacity;
  return DEM_OK;
}

dem_status demi_tags_add(demi_tags *tags, const int64_t *ids, int64_t row) {
  if (2 * (tags->count + 1) > tags->capacity && grow(tags, ids)) return DEM_NO_MEMORY;
  tags->slots[probe(tags->slots, tags->capacity, ids, ids[row])] = row + 1;
  tags->count++;
  return DEM_OK;
}
