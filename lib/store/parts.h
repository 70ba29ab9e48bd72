/* Parts: contiguous runs of blocks, one per thread. Whatever the number of parts, every per-particle sum runs over its contacts
 * in the same order, so the bits do not depend on it. */
#ifndef DEMI_PARTS_H
#define DEMI_PARTS_H

#include <stdint.h>

enum { DEMI_MAX_PARTS = 256 };

typedef struct demi_parts {
  int32_t count;
  int32_t block[DEMI_MAX_PARTS + 1]; /* first block of each part */
  int32_t row[DEMI_MAX_PARTS + 1];   /* first particle row of each part */
} demi_parts;

#endif
