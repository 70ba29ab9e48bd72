/* Finds the row of an atom id: the ids in ascending order, each with its row. Sorted by their bytes, so that no choice of ids
 * makes it slow: 8 passes over n rows at most, and log2 n comparisons to find one. */
#ifndef DEMI_TAGS_H
#define DEMI_TAGS_H

#include <dem/context.h>

typedef struct demi_tag {
  uint64_t tag; /* above 0 */
  int64_t row;
} demi_tag;

typedef struct demi_tags {
  dem_context *context;
  demi_tag *sorted;
  int64_t count;
} demi_tags;

void demi_tags_open(demi_tags *tags, dem_context *context);
void demi_tags_close(demi_tags *tags);

/* Takes the ids of all rows in; once. DEM_NO_MEMORY. */
dem_status demi_tags_sort(demi_tags *tags, const int64_t *ids, int64_t count);
/* First row whose id an earlier row has, or -1. */
int64_t demi_tags_repeated(const demi_tags *tags);
/* Row whose id is `tag`, or -1. */
int64_t demi_tags_find(const demi_tags *tags, int64_t tag);

#endif
