/* Verlet list with skin, over rows sorted along the grid. Handed over as plain arrays:
 *   pairs of row i: code[row_start[i]] ... code[row_start[i+1] - 1]; code = j | shift << 27, j > i, the image of j that
 *   i meets is at position of j + shift vector; every pair of particles closer than contact + range + skin stands once;
 *   wall pairs of block b: wall_row[], wall_index[] from wall_start[b] to wall_start[b+1] - 1.
 *
 * A hierarchical grid can replace the builder behind the same arrays. */
#ifndef DEMI_LIST_H
#define DEMI_LIST_H

#include "box.h"
#include "grid.h"
#include "motion.h"
#include "parts.h"
#include "store.h"

enum { DEMI_SHIFT_BITS = 27, DEMI_MAX_WALLS = 64, DEMI_MAX_MATERIALS = 64, DEMI_NEAR = 26 };
#define DEMI_ROW_MASK ((UINT32_C(1) << DEMI_SHIFT_BITS) - 1)

typedef struct demi_wall {
  double point[3], normal[3];
  int32_t material, id;
} demi_wall;

/* Distance of a point from a wall, positive on the particles' side. */
static inline double demi_wall_distance(const demi_wall *wall, const double *point) {
  double distance = 0;
  for (int a = 0; a < 3; a++) distance += wall->normal[a] * (point[a] - wall->point[a]);
  return distance;
}

typedef struct demi_walls {
  int32_t count;
  demi_wall wall[DEMI_MAX_WALLS];
} demi_walls;

/* What to search for. */
typedef struct demi_search {
  const demi_box *box;
  const demi_walls *walls;
  const uint8_t *interacts; /* DEMI_MAX_MATERIALS^2: 0 = this pair of materials never interacts */
  double largest_radius, skin;
  double range; /* gap across which pairs that do not touch may act; 0 = none */
  int32_t parts;
} demi_search;

typedef struct demi_list {
  dem_context *context;
  demi_grid grid;
  demi_motion motion;
  demi_parts parts;
  int valid;  /* fits the rows of the store */
  int sorted; /* the latest build got as far as sorting the rows: grid.cell_of_row[old row] is the new row */
  int64_t builds, prunes;
  int64_t pairs, pair_capacity, row_capacity;
  int32_t *row_start;
  uint32_t *code;
  int64_t wall_pairs, wall_capacity;
  int32_t *wall_row, *wall_index;
  int32_t *wall_start;                                  /* blocks + 1 */
  double *shift;                                        /* 27 rows of 4: image vectors */
  int32_t *near;                                        /* DEMI_NEAR per tile: neighbour tiles that come after it, then -1 */
  double far_margin;                                    /* relative displacement that tiles which are no neighbours can bear */
  demi_walls walls;                                     /* as of the build */
  _Alignas(64) double wall_velocity[DEMI_MAX_WALLS][8]; /* velocity 0, angular velocity 0 */
  double range;                                         /* as of the build */
  double *wall_gap; /* per tile and wall: least gap, beyond the range, of the tile's particles that are not in the wall list */
  int64_t near_capacity, gap_capacity;
  /* The pairs that are touching (or within the range) or nearly so, picked from the list now and then: of block b from row_start of its first row on,
   * near_count[b] of them, in the order of the list. */
  int pruned; /* the pick is still complete */
  int32_t *near_slot, *near_row;
  int32_t *near_count;
  int64_t picked_capacity;
} demi_list;

void demi_list_init(demi_list *list, dem_context *context);
void demi_list_free(demi_list *list);

/* Re-sorts the store (wrapping positions into the box) and builds the list. On failure the list is not valid, the store is. */
dem_status demi_list_build(demi_list *list, demi_store *store, const demi_search *search);

/* 1 while no pair can have come into contact or range that is not in the list. To be called once after
 * the drifts between two evaluations. -1: a displacement is not finite. */
int demi_list_holds(demi_list *list);

/* Picks the nearly touching pairs anew if the last pick is no longer complete. */
void demi_list_prune(demi_list *list, const demi_store *store);

/* The pick for one block, by instruction set. */
typedef void demi_prune_kernel(demi_list *list, const demi_store *store, int32_t block);
demi_prune_kernel demi_prune_block_base, demi_prune_block_avx2, demi_prune_block_avx512;

#endif
