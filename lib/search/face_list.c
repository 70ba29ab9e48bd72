/* Wall pairs: particle by particle against every face; of those left out, the least gap per tile and face. */
#include <string.h>

#include "build.h"
#include "memory.h"

static dem_status add_wall_pair(demi_list *list, int32_t row, int32_t wall) {
  int64_t capacity = list->face_capacity;
  const int64_t wanted = list->face_pairs + 1;
  dem_status status =
      demi_ensure_room(list->context, &list->face_row, &capacity, wanted, list->face_pairs, sizeof *list->face_row);
  if (status) return status;
  int64_t again = list->face_capacity;
  status = demi_ensure_room(list->context, &list->face_index, &again, wanted, list->face_pairs, sizeof *list->face_index);
  if (status) { /* keep both arrays of one size */
    demi_free(list->context, list->face_row, (size_t)capacity * sizeof *list->face_row);
    list->face_row = NULL;
    demi_free(list->context, list->face_index, (size_t)again * sizeof *list->face_index);
    list->face_index = NULL;
    list->face_capacity = list->face_pairs = 0;
    return status;
  }
  list->face_capacity = capacity;
  list->face_row[list->face_pairs] = row;
  list->face_index[list->face_pairs++] = wall;
  return DEM_OK;
}

static dem_status match_faces_of_tile(demi_list *list, const demi_store *store, const demi_search *search, int32_t tile) {
  const demi_faces *faces = list->faces;
  const double skin = list->level[demi_level_of_tile(list, tile)].skin[DEMI_SINCE_BUILD];
  if (faces->count == 0) return DEM_OK; /* there is no array of gaps then */
  double *gaps = list->face_gap + (int64_t)tile * faces->count, normal[3];
  for (int32_t w = 0; w < faces->count; w++) gaps[w] = INFINITY;
  for (int32_t i = list->motion.tile_start[tile]; i < list->motion.tile_start[tile + 1]; i++) {
    const uint8_t *interacts = search->interacts + (int64_t)store->columns.material[i] * search->materials;
    const int frozen = demi_store_frozen(store, i);
    for (int32_t w = 0; w < faces->count; w++) {
      if (!interacts[faces->face[w].material] || (frozen && !demi_face_movable(faces, w))) continue;
      const double *p = store->columns.position + 4 * (int64_t)i;
      const double gap = demi_face_distance(&faces->face[w], p, normal) - p[3] - search->range;
      if (gap >= skin) {
        gaps[w] = fmin(gaps[w], gap);
        continue;
      }
      dem_status status = add_wall_pair(list, i, w);
      if (status) return status;
    }
  }
  return DEM_OK;
}

/* Distance of the furthest particle from the centre of each face that turns. */
static void measure_far(demi_list *list, const demi_store *store) {
  for (int32_t w = 0; w < list->faces->count; w++) {
    const double *c = list->faces->centre[w];
    double square = 0;
    for (int64_t k = 0; k < store->count && demi_face_turns(list->faces, w); k++) {
      const double *p = store->columns.position + 4 * k, d[3] = {p[0] - c[0], p[1] - c[1], p[2] - c[2]};
      square = fmax(square, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    list->far[w] = sqrt(square);
  }
}

static void free_marks(demi_list *list) {
  const size_t n = (size_t)list->mark_capacity;
  for (int k = 0; k < 2; k++) demi_free(list->context, list->mark[k], n * sizeof *list->mark[k]);
  demi_free(list->context, list->far, n * sizeof *list->far);
  list->mark[0] = list->mark[1] = NULL;
  list->far = NULL;
  list->mark_capacity = 0;
}

static dem_status reserve_marks(demi_list *list, int32_t faces) {
  if (faces <= list->mark_capacity) return DEM_OK;
  free_marks(list);
  const size_t n = (size_t)faces + (size_t)faces / 2;
  list->mark_capacity = (int64_t)n;
  for (int k = 0; k < 2; k++) list->mark[k] = demi_allocate_zero(list->context, n * sizeof *list->mark[k]);
  list->far = demi_allocate_zero(list->context, n * sizeof *list->far);
  if (list->mark[0] && list->mark[1] && list->far) return DEM_OK;
  free_marks(list);
  return DEM_NO_MEMORY;
}

void demi_face_list_free(demi_list *list) {
  demi_free(list->context, list->face_row, (size_t)list->face_capacity * sizeof *list->face_row);
  demi_free(list->context, list->face_index, (size_t)list->face_capacity * sizeof *list->face_index);
  demi_free(list->context, list->face_gap, (size_t)list->gap_capacity * sizeof *list->face_gap);
  free_marks(list);
}

dem_status demi_face_list_match(demi_list *list, const demi_store *store, const demi_search *search) {
  if (reserve_marks(list, search->faces->count)) return DEM_NO_MEMORY;
  list->faces = search->faces;
  list->face_pairs = 0;
  measure_far(list, store);
  demi_list_mark_faces(list, DEMI_AT_BUILD);
  demi_list_mark_faces(list, DEMI_AT_CHECK);
  const demi_motion *m = &list->motion;
  const int64_t gaps = (int64_t)m->tiles * list->faces->count;
  dem_status status = demi_ensure_room(list->context, &list->face_gap, &list->gap_capacity, gaps, 0, sizeof *list->face_gap);
  for (int32_t b = 0; b < m->blocks && !status; b++) {
    list->face_start[b] = (int32_t)list->face_pairs;
    for (int32_t t = m->block_tile[b]; t < m->block_tile[b + 1] && !status; t++)
      status = match_faces_of_tile(list, store, search, t);
  }
  if (!status) list->face_start[m->blocks] = (int32_t)list->face_pairs;
  return status;
}
