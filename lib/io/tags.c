/* Radix sort, lowest byte first: each pass keeps the order of rows with equal bytes. A byte that all ids share costs no pass, so
 * that the usual ids, 1 to n, cost as many passes as n has bytes. */
#include "tags.h"

#include <string.h>

#include "memory.h"

enum { BYTES = 8, VALUES = 256 };

void demi_tags_open(demi_tags *tags, dem_context *context) {
  memset(tags, 0, sizeof *tags);
  tags->context = context;
}

void demi_tags_close(demi_tags *tags) {
  demi_free(tags->context, tags->sorted, (size_t)tags->count * sizeof *tags->sorted);
  demi_tags_open(tags, tags->context);
}

static int byte_of(const demi_tag *t, int byte) { return (int)(t->tag >> (8 * byte) & 0xff); }

/* One pass; 0 when all have the same byte and nothing was done. */
static int pass(const demi_tag *from, demi_tag *to, int64_t count, int byte) {
  int64_t place[VALUES + 1] = {0};
  for (int64_t k = 0; k < count; k++) place[byte_of(&from[k], byte) + 1]++;
  if (place[byte_of(&from[0], byte) + 1] == count) return 0;
  for (int v = 0; v < VALUES; v++) place[v + 1] += place[v];
  for (int64_t k = 0; k < count; k++) to[place[byte_of(&from[k], byte)]++] = from[k];
  return 1;
}

static int ascending(const int64_t *ids, int64_t count) {
  for (int64_t k = 1; k < count; k++)
    if (ids[k - 1] >= ids[k]) return 0;
  return 1;
}

static dem_status sort(demi_tags *tags) {
  const size_t bytes = (size_t)tags->count * sizeof *tags->sorted;
  demi_tag *spare = demi_allocate(tags->context, bytes);
  if (!spare) return DEM_NO_MEMORY;
  for (int byte = 0; byte < BYTES; byte++)
    if (pass(tags->sorted, spare, tags->count, byte)) {
      demi_tag *swap = tags->sorted;
      tags->sorted = spare;
      spare = swap;
    }
  demi_free(tags->context, spare, bytes);
  return DEM_OK;
}

dem_status demi_tags_sort(demi_tags *tags, const int64_t *ids, int64_t count) {
  if (count == 0) return DEM_OK;
  if ((uint64_t)count > SIZE_MAX / sizeof *tags->sorted) return DEM_NO_MEMORY;
  tags->sorted = demi_allocate(tags->context, (size_t)count * sizeof *tags->sorted);
  if (!tags->sorted) return DEM_NO_MEMORY;
  tags->count = count;
  for (int64_t k = 0; k < count; k++) tags->sorted[k] = (demi_tag){(uint64_t)ids[k], k};
  return ascending(ids, count) ? DEM_OK : sort(tags);
}

int64_t demi_tags_repeated(const demi_tags *tags) {
  int64_t first = -1;
  for (int64_t k = 1; k < tags->count; k++) {
    const int64_t row = tags->sorted[k].row;
    if (tags->sorted[k].tag == tags->sorted[k - 1].tag && (first < 0 || row < first)) first = row;
  }
  return first;
}

int64_t demi_tags_find(const demi_tags *tags, int64_t tag) {
  int64_t low = 0, high = tags->count;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (tags->sorted[middle].tag < (uint64_t)tag)
      low = middle + 1;
    else
      high = middle;
  }
  return low < tags->count && tags->sorted[low].tag == (uint64_t)tag ? tags->sorted[low].row : -1;
}
