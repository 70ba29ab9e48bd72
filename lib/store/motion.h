/* Tiles (runs of rows that lay in one coarse cell when the rows were sorted), blocks (runs of tiles that are worked on
 * together) and bounds on how far the particles of each tile have moved since some moment.
 *
 * The drift adds to each tile's box of displacements the box of its v dt. Two particles that were further apart than their
 * interaction range plus skin cannot touch while their relative displacement, bounded by the two boxes, is below the skin. In a
 * flow, neighbours move together, so this bound is reached far later than one on absolute displacements. It is kept twice:
 * since the list was built, with the whole skin, and since the list was last pruned to the pairs that are nearly touching, with
 * a small part of the skin. How much is borne depends on the sizes: search/levels.h. */
#ifndef DEMI_MOTION_H
#define DEMI_MOTION_H

#include <stdint.h>

#include "memory.h"

enum { DEMI_SINCE_BUILD = 0, DEMI_SINCE_PRUNE = 1 };

typedef struct demi_bounds {
  double *moved;       /* 8 per tile: lowest xyz *, highest xyz * displacement since the moment */
  double slack, spent; /* relative displacement that could be borne at the last full check, a bound on what was used since */
} demi_bounds;

typedef struct demi_motion {
  int32_t tiles, blocks;
  int32_t *tile_start;   /* tiles + 1 rows */
  int32_t *block_tile;   /* blocks + 1 tiles */
  demi_bounds bounds[2]; /* DEMI_SINCE_... */
  double *recent;        /* 8 per block: displacements in the latest pass; entry 3 is NaN when one was not finite, else 0 */
  int64_t tile_capacity, block_capacity;
} demi_motion;

static inline int32_t demi_block_first(const demi_motion *m, int32_t block) { return m->tile_start[m->block_tile[block]]; }

#endif
