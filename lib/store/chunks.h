/* Chunks: contiguous runs of blocks, one per thread. Whatever the number of chunks, every per-particle sum runs over its contacts
 * in the same order, so the bits do not depend on it. */
#ifndef DEMI_CHUNKS_H
#define DEMI_CHUNKS_H

#include <stdint.h>

enum { DEMI_MAX_CHUNKS = 256 };

typedef struct demi_chunks {
  int32_t count;
  int32_t block[DEMI_MAX_CHUNKS + 1]; /* first block of each chunk */
  int32_t row[DEMI_MAX_CHUNKS + 1];   /* first particle row of each chunk */
} demi_chunks;

#endif
