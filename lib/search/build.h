/* The steps of building a list. Calls go one way: list.c calls tiles.c, pairs.c, cross.c and face_list.c; pairs.c calls cross.c; all call
 * build.c. */
#ifndef DEMI_BUILD_H
#define DEMI_BUILD_H

#include "list.h"

/* Replaces *array by one of at least `count` elements, contents lost, or kept when `keep` elements are in use. */
dem_status demi_ensure_room(dem_context *context, void *array, int64_t *capacity, int64_t count, int64_t keep, size_t element);

/* ---- tiles.c ---- */
/* Tiles, their neighbours, and blocks. */
dem_status demi_tiles_lay(demi_list *list, int64_t rows, const int32_t periodic[3]);
void demi_tiles_free(demi_list *list);
void demi_chunks_lay(const demi_list *list, demi_chunks *chunks, int32_t first_block, int32_t end_block, int32_t count);

/* ---- cross.c ---- */
/* Which coarser particles are near which tile. */
dem_status demi_cross_find(demi_list *list, const demi_store *store, const demi_search *search);
void demi_cross_free(demi_list *list);

/* From the coarser particles near a tile, selects those that the particles of a cell may touch. */
int32_t demi_cross_candidates(demi_list *list, const demi_store *store, int32_t tile, int32_t first, int32_t last,
                              double reach);
/* The row whose pairs are being listed, and the list as far as it is. */
typedef struct demi_matcher {
  const demi_store *store;
  const demi_search *search;
  uint32_t *code;
  int64_t pairs;
  int32_t i;
  double reach;             /* gap up to which pairs are listed */
  const uint8_t *interacts; /* by material: 0 = it never interacts with that of row i */
} demi_matcher;
/* 1: the materials of row i and row j interact and one of the two can move. */
static inline int demi_may_touch(const demi_matcher *m, int32_t j) {
  const demi_columns *c = &m->store->columns;
  if (!m->interacts[c->material[j]]) return 0;
  return !demi_store_frozen(m->store, m->i) || !demi_store_frozen(m->store, j);
}
/* Lists the pairs of row i with the first `candidates` selected. */
void demi_cross_match(demi_list *list, demi_matcher *matcher, int32_t candidates);

/* ---- pairs.c ---- */
dem_status demi_pairs_match(demi_list *list, const demi_store *store, const demi_search *search);

/* ---- images.c ---- */
dem_status demi_images_lay(demi_list *list, const demi_search *search);
void demi_images_free(demi_list *list);
/* Room for the marks, after the tiles were laid. */
dem_status demi_images_reserve(demi_list *list, int64_t rows);
/* Where images move: notes the box and the rows as they are at a moment (build or pick). */
void demi_images_mark(demi_list *list, const demi_store *store, int32_t moment);
/* Furthest that an image has moved relative to its particle since the last call; 0 where images do not move. */
double demi_images_step(demi_list *list);
/* F - 1 since a moment, in the order of the rates of box.h; returns its Frobenius norm, 0 where images do not move. */
double demi_images_strain(const demi_list *list, int32_t moment, double strain[DEMI_RATES]);
/* Of each tile the box of w, into flow_box; returns the norm of F - 1. */
double demi_images_measure(demi_list *list, const double *position, int32_t moment);

/* ---- face_list.c ---- */
dem_status demi_face_list_match(demi_list *list, const demi_store *store, const demi_search *search);
void demi_face_list_free(demi_list *list);

/* ---- cross_bounds.c ---- */
/* Stores the present directions from coarser particles to tiles: the reference of a new moment (build or pick). */
void demi_cross_mark(demi_list *list, const demi_store *store, int32_t moment);
/* Remaining relative displacement [length] before a pair that is not listed (since the build) or not picked (since the pick)
 * can act. */
double demi_cross_slack(const demi_list *list, const double *position, int32_t moment);

#endif
