/* Verlet list with skin, over rows sorted by level of size, from fine to coarse, and within a level along its grid. Handed over
 * as plain arrays:
 *   pairs of row i: code[row_start[i]] ... code[row_start[i+1] - 1]; code = j | shift << 27, j > i, the image of j that
 *   i meets is at position of j + shift vector; every pair of particles closer than contact + range + skin stands once;
 *   wall pairs of block b: face_row[], face_index[] (of the face) from face_start[b] to face_start[b+1] - 1.
 * The skin of a pair is that of its finer particle's level. Which levels there are: levels.h. */
#ifndef DEMI_LIST_H
#define DEMI_LIST_H

#include "box.h"
#include "grid.h"
#include "levels.h"
#include "motion.h"
#include "chunks.h"
#include "store.h"
#include "variant.h"
#include "face.h"

enum { DEMI_SHIFT_BITS = 27, DEMI_NEAR = 26 };
enum { DEMI_OWN_SHIFT = 13 }; /* the particle itself */
enum { DEMI_FAR_SHIFT = 27 }; /* shift of infinite length: that of a pair that is put off */
#define DEMI_ROW_MASK ((UINT32_C(1) << DEMI_SHIFT_BITS) - 1)

/* Where a face was at some moment. */
typedef struct demi_mark {
  double centre[3], frame[9];
} demi_mark;

/* What to search for. */
typedef struct demi_search {
  const demi_box *box;
  const demi_faces *faces;
  const uint8_t *interacts; /* entry a * materials + b: 0 = materials a and b never interact */
  int32_t materials;
  double largest_radius, typical_radius;
  double skin;     /* of the finest */
  double furthest; /* largest |coordinate| that is allowed; see system/places.c */
  double range;    /* gap across which pairs that do not touch may act; 0 = none */
  int32_t chunks;
  const double *rate; /* the box deforms with these rates (box.h); NULL: it is at rest */
  int32_t lasting;    /* 1: the list is checked very often for each build, as in trials */
} demi_search;

/* Particles of like size, with a grid of their own. */
typedef struct demi_level {
  demi_grid grid;
  double largest;  /* radius */
  double near_gap; /* usual skin of the pick */
  double skin[2];  /* DEMI_SINCE_...: approach [length] that is allowed to pairs whose finer particle is of this level */
  int32_t first_row, first_tile;
} demi_level;

/* A tile and a particle of a coarser level that is near it, or its image: see cross.c. */
typedef struct demi_cross_entry {
  _Alignas(32) double normal[2][8]; /* DEMI_SINCE_...: lowest xyz *, highest xyz * of the unit vectors from it to the tile's */
  double gap;                       /* at the build: least gap, beyond the range, of pairs that are not listed */
  int32_t row, listed;              /* listed: some pair of the two is */
  uint32_t code;                    /* row | shift << 27 */
} demi_cross_entry;

typedef struct demi_list {
  dem_context *context;
  int32_t levels;                        /* from fine to coarse */
  demi_level level[DEMI_MAX_LEVELS + 1]; /* the last one in use is empty: the end */
  demi_motion motion;
  demi_chunks chunks;       /* of all rows */
  demi_chunks fine, coarse; /* of the rows before and from `coarse_row` on, the first row above the finest level */
  int32_t coarse_row;
  int valid;                       /* fits the rows of the store */
  int32_t *order, *members, *cell; /* old row of each new row; while sorting: old rows by level, cells */
  int64_t order_capacity;
  int64_t builds, prunes;
  int64_t pairs, pair_capacity, row_capacity;
  int32_t *row_start;
  uint32_t *code;
  int64_t face_pairs, face_capacity;
  int32_t *face_row, *face_index;
  int32_t *face_start;    /* blocks + 1 */
  double *shift;          /* 28 rows of 4: image vectors, and infinity */
  double *shift_velocity; /* the same rows: velocities of the images, 0 where the box is at rest */
  int32_t images_move;    /* the box deforms: some velocity is not 0 */
  const demi_box *box;    /* as it is now */
  demi_box box_at[2];     /* DEMI_SINCE_...: as it was then */
  double moved_images;    /* furthest way that any image has moved since the last check of the bounds */
  double *row_at[2];      /* DEMI_SINCE_...: 4 per row, position then *; only where images move */
  double *flow_box;       /* 8 per tile: lowest and highest displacement beside the flow of the box; only where images move */
  int64_t row_at_capacity, flow_box_capacity;
  uint8_t *shift_before; /* of pairs that are put off: their shift before; other entries hold rubbish */
  int64_t put_off_capacity;
  int32_t *near;        /* DEMI_NEAR per tile: neighbour tiles of its level that come after it, then -1 */
  double far_margin;    /* relative displacement [length] that is allowed to pairs of two levels without an entry in `cross` */
  int32_t *cross_start; /* tiles + 1, of all levels but the last */
  demi_cross_entry *cross;
  double *cross_box;     /* 8 per tile: lowest xyz *, highest xyz, largest radius: where its particles were at the build */
  double *coarse_at[2];  /* DEMI_SINCE_...: 4 per row from coarse_row on: position then */
  double *candidate;     /* 4 per candidate: position of the image, radius */
  int32_t *candidate_of; /* its place in `cross` */
  int64_t cross_capacity, cross_tile_capacity, coarse_capacity, candidate_capacity;
  double range;    /* as of the build */
  double reach;    /* no |coordinate| is larger */
  double furthest; /* largest reach that is allowed */
  double rounding
      [2]; /* DEMI_SINCE_...: bound on the relative displacement [length] by rounding, which the displacements of drifts do not contain */
  const double
      *since[2]; /* NULL, or DEMI_SINCE_...: 4 per row, where it was then: of a caller that moves rows to and fro. Displacements
                              are then measured from there, and not added up */
  const demi_faces *faces; /* the system's; the same faces while the list is valid, where they are now */
  demi_mark *mark[2];      /* of each face: where it was at the build and at the last check */
  double *far;             /* of each face that turns: no particle is further than this from the centre */
  int64_t mark_capacity;
  double *face_gap; /* per tile and face: least gap, beyond the range, of the tile's particles that are not in the wall list */
  int64_t near_capacity, gap_capacity;
  /* The pairs that are touching (or within the range) or nearly so, picked from the list now and then: of block b from
   * row_start of its first row on, near_count[b] of them, in the order of the list. */
  int pruned;       /* the pick is still complete */
  int fresh;        /* it is new since the latest evaluation */
  int32_t pick_age; /* evaluations that it has served */
  double
      near_widen; /* factor of the skin of the pick over its usual value, 1 to 8; it grows where picks last only a few evaluations */
  int32_t *near_pair, *near_row;
  int32_t *near_count;
  int64_t picked_capacity;
} demi_list;

void demi_list_init(demi_list *list, dem_context *context);
void demi_list_free(demi_list *list);

/* Re-sorts the store (wrapping positions into the box) and builds the list. On failure the list is not valid, the store is. */
dem_status demi_list_build(demi_list *list, demi_store *store, const demi_search *search);

/* The box has moved on, or its rates have changed: sets image vectors and their velocities. */
void demi_list_move_images(demi_list *list, const double rate[DEMI_RATES]);

/* Moments of the marks. */
enum { DEMI_AT_BUILD = 0, DEMI_AT_CHECK = 1 };
void demi_list_mark_faces(demi_list *list, int32_t moment);

/* Returns 1 while no pair outside of the list can be in contact or within range, 0 when one can, -1 when a displacement is
 * not finite. Call it once after the drifts between two evaluations. */
int demi_list_holds(demi_list *list, const demi_store *store);

/* Putting off. A pair that is put off stays in the list, with its row j, but at an infinite distance, so that it is no contact and
 * is not picked, until it is restored or the list is built anew: a build lists it with its image again. The first put-off after
 * a build may need memory (DEM_NO_MEMORY: nothing has changed), the others then do not. To put off a pair that is put off, or to
 * restore one that is not, changes nothing. Restoring makes the next evaluation pick anew. */
dem_status demi_list_put_off(demi_list *list, int32_t pair);
void demi_list_restore(demi_list *list, int32_t pair);
static inline int demi_list_is_put_off(const demi_list *list, int32_t pair) {
  return list->code[pair] >> DEMI_SHIFT_BITS == DEMI_FAR_SHIFT;
}

/* Memory that only building uses: grids, order, levels. */
int64_t demi_list_search_bytes(const demi_list *list);

/* Picks the nearly touching pairs anew if the last pick is no longer complete. */
void demi_list_prune(demi_list *list, const demi_store *store);

/* Level of a tile's or a row's particles. */
static inline int32_t demi_level_of_tile(const demi_list *list, int32_t tile) {
  int32_t level = 0;
  while (level + 1 < list->levels && tile >= list->level[level + 1].first_tile) level++;
  return level;
}

static inline int32_t demi_level_of_row(const demi_list *list, int32_t row) {
  int32_t level = 0;
  while (level + 1 < list->levels && row >= list->level[level + 1].first_row) level++;
  return level;
}

/* The pick for one block, by instruction set. */
typedef void demi_prune_kernel(demi_list *list, const demi_store *store, int32_t block);
DEMI_DECLARE_VARIANTS(demi_prune_kernel, prune_block);

/* Writes the boxes of position - since of the tiles first ... end - 1, as demi_bounds has them. */
typedef void demi_moved_kernel(const demi_motion *motion, const double *position, const double *since, double *boxes,
                               int32_t first, int32_t end);
DEMI_DECLARE_VARIANTS(demi_moved_kernel, moved_boxes);

/* Where images move: positions at a moment, and F - 1 since then (images.c). */
typedef struct demi_flow {
  const double *at;
  double strain[DEMI_RATES];
} demi_flow;
/* Writes list->flow_box of the tiles first ... end - 1. */
typedef void demi_flow_kernel(demi_list *list, const double *position, const demi_flow *flow, int32_t first, int32_t end);
DEMI_DECLARE_VARIANTS(demi_flow_kernel, flow_boxes);

#endif
