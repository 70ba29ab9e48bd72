/* Finds the row of an atom id: a hash table of rows with open addressing. */
#ifndef DEMI_TAGS_H
#define DEMI_TAGS_H

#include <dem/context.h>

typedef struct demi_tags {
  dem_context *context;
  int64_t *slots;  /* row + 1, 0 = empty */
  size_t capacity; /* power of two, at least twice `count`; 0 before the first row */
  size_t count;
} demi_tags;

void demi_tags_open(demi_tags *tags, dem_context *context);
void demi_tags_close(demi_tags *tags);

/* Row whose id is `tag`, or -1. `ids` holds the id of every row given to demi_tags_add. */
int64_t demi_tags_find(const demi_tags *tags, const int64_t *ids, int64_t tag);
/* Enters a row whose id, ids[row], is not in yet. DEM_NO_MEMORY leaves the table as it was. */
dem_status demi_tags_add(demi_tags *tags, const int64_t *ids, int64_t row);

#endif
