/* Building the list: levels, sort, wrap, tiles and blocks, then pairs cell by cell, walls, parts.
 *
 * Skins. That of the finest level is the search's. A coarser level's is as much larger as its particles are: in a flow they pass
 * each other by parts of their own diameter, and there are few of them, so that pairs among them would else be what asks for new
 * lists. A pair has the skin of its finer particle's level. */
#include "build.h"

#include <string.h>

#include "memory.h"

/* Gap, beyond the range, within which a pair counts as nearly touching: this part of the typical diameter, or half the skin
 * if that is less. */
static const double NEAR_GAP = 0.004;

void demi_list_init(demi_list *list, dem_context *context) {
  memset(list, 0, sizeof *list);
  list->context = context;
  list->levels = 1;
  list->near_widen = 1;
}

static void free_order(demi_list *list) {
  const size_t bytes = (size_t)list->order_capacity * sizeof(int32_t);
  int32_t **array[] = {&list->order, &list->members, &list->cell};
  for (size_t k = 0; k < sizeof array / sizeof *array; k++) {
    demi_free(list->context, *array[k], bytes);
    *array[k] = NULL;
  }
  list->order_capacity = 0;
}

void demi_list_free(demi_list *list) {
  dem_context *context = list->context;
  for (int32_t l = 0; l <= DEMI_MAX_LEVELS; l++) demi_grid_free(&list->level[l].grid, context);
  free_order(list);
  demi_tiles_free(list);
  demi_cross_free(list);
  demi_face_list_free(list);
  demi_free(context, list->near_pair, (size_t)list->picked_capacity * sizeof *list->near_pair);
  demi_free(context, list->near_row, (size_t)list->picked_capacity * sizeof *list->near_row);
  demi_free(context, list->row_start, (size_t)list->row_capacity * sizeof *list->row_start);
  demi_free(context, list->code, (size_t)list->pair_capacity * sizeof *list->code);
  demi_images_free(list);
  demi_free(context, list->shift_before, (size_t)list->put_off_capacity * sizeof *list->shift_before);
  demi_free(context, list->near, (size_t)list->near_capacity * sizeof *list->near);
  demi_list_init(list, context);
}

/* ---- levels ---- */

/* Skins of the coarser levels, limited so that no particle reaches its own image in a periodic box. */
static double widest_skin(const demi_search *search, double largest) {
  double widest = INFINITY;
  for (int a = 0; a < 3; a++)
    if (search->box->periodic[a]) widest = fmin(widest, 0.5 * demi_box_height(search->box, a) - 2.0 * largest - search->range);
  return widest;
}

static void set_skins(demi_level *level, const demi_search *search, double mean_radius) {
  const double larger = fmax(1.0, mean_radius / search->typical_radius);
  const double skin = fmax(search->skin, fmin(larger * search->skin, widest_skin(search, level->largest)));
  level->skin[DEMI_SINCE_BUILD] = skin;
  level->near_gap = larger * 2.0 * NEAR_GAP * search->typical_radius;
}

static void count_sizes(const demi_store *store, double largest_radius, demi_sizes *sizes) {
  demi_sizes_start(sizes, largest_radius);
  for (int64_t k = 0; k < store->count; k++) demi_sizes_add(sizes, store->columns.position[4 * k + 3]);
}

/* Of a list that is checked very often, several levels must save at least this part of the tests of a build. */
static const double WORTH_CHECKS = 0.25;

static void choose_levels(demi_list *list, const demi_store *store, const demi_search *search, const demi_sizes *sizes,
                          demi_size_levels *levels) {
  const demi_members all = {list->members, store->count, 0, 0, NULL, NULL};
  double extent[3] = {0, 0, 0};
  for (int a = 0; a < 3 && !demi_sizes_alike(sizes); a++) {
    double low, high;
    demi_grid_extent(store, search->box, &all, a, &low, &high);
    extent[a] = high - low;
  }
  demi_levels_choose(sizes, extent, search->range + search->skin, levels);
}

/* Sorts old rows by level and fills the data of each level. */
static void lay_levels(demi_list *list, const demi_store *store, const demi_search *search) {
  demi_sizes sizes;
  demi_size_levels levels;
  for (int64_t k = 0; k < store->count; k++) list->members[k] = (int32_t)k;
  count_sizes(store, search->largest_radius, &sizes);
  choose_levels(list, store, search, &sizes, &levels);
  /* one level: the bounds between levels (cross_bounds.c) do not know of images that move, and take longer to check */
  if (search->rate || (search->lasting && levels.cost > WORTH_CHECKS * levels.cost_of_one)) {
    levels.count = 1;
    levels.members[0] = store->count;
  }
  list->levels = levels.count;
  int32_t next[DEMI_MAX_LEVELS], row = 0;
  for (int32_t l = 0; l < levels.count; l++) {
    list->level[l].largest = levels.count > 1 ? levels.largest[l] : search->largest_radius;
    list->level[l].first_row = next[l] = row;
    row += (int32_t)levels.members[l];
    set_skins(&list->level[l], search, l > 0 ? levels.mean[l] : 0);
  }
  list->level[levels.count].first_row = row;
  list->coarse_row = list->level[1].first_row;
  if (levels.count == 1) return;
  for (int64_t k = 0; k < store->count; k++) {
    const int32_t level = levels.of_bin[demi_size_bin(&sizes, store->columns.position[4 * k + 3])];
    list->members[next[level]++] = (int32_t)k;
  }
}

/* ---- sort ---- */

static dem_status fit_order(demi_list *list, int64_t rows) {
  if (rows <= list->order_capacity) return DEM_OK;
  free_order(list);
  const size_t bytes = (size_t)rows * sizeof(int32_t);
  list->order_capacity = rows;
  list->order = demi_allocate(list->context, bytes);
  list->members = demi_allocate(list->context, bytes);
  list->cell = demi_allocate(list->context, bytes);
  if (list->order && list->members && list->cell) return DEM_OK;
  free_order(list);
  return DEM_NO_MEMORY;
}

static double reach_of(const demi_level *level, const demi_search *search) {
  return 2.0 * level->largest + search->range + level->skin[DEMI_SINCE_BUILD];
}

static dem_status sort_levels(demi_list *list, const demi_store *store, const demi_search *search) {
  dem_status status = DEM_OK;
  list->far_margin = INFINITY;
  for (int32_t l = 0; l < list->levels && !status; l++) {
    demi_level *level = &list->level[l];
    const int32_t first = level->first_row;
    const demi_members members = {
        list->members + first, level[1].first_row - first, first, list->levels > 1, list->cell, list->order};
    status = demi_grid_sort(&level->grid, store, search->box, &members, reach_of(level, search));
    list->far_margin = fmin(list->far_margin, level->grid.tile_edge - 2.0 * level->largest - search->range);
  }
  return status;
}

/* Returns the largest |coordinate| then. */
static double wrap_positions(demi_store *store, const demi_box *box) {
  double reach = 0;
  for (int64_t k = 0; k < store->count; k++) {
    double *x = store->columns.position + 4 * k;
    demi_box_wrap(box, x, store->columns.image + 3 * k);
    for (int axis = 0; axis < 3; axis++) reach = fmax(reach, fabs(x[axis]));
  }
  return reach;
}

/* ---- putting off ---- */

static dem_status reserve_put_off(demi_list *list) {
  if (list->put_off_capacity >= list->pairs) return DEM_OK;
  uint8_t *fresh = demi_allocate(list->context, (size_t)list->pair_capacity * sizeof *fresh);
  if (!fresh) return DEM_NO_MEMORY;
  demi_free(list->context, list->shift_before, (size_t)list->put_off_capacity * sizeof *fresh);
  list->shift_before = fresh;
  list->put_off_capacity = list->pair_capacity;
  return DEM_OK;
}

dem_status demi_list_put_off(demi_list *list, int32_t pair) {
  if (demi_list_is_put_off(list, pair)) return DEM_OK;
  if (reserve_put_off(list) != DEM_OK) return DEM_NO_MEMORY;
  list->shift_before[pair] = (uint8_t)(list->code[pair] >> DEMI_SHIFT_BITS);
  list->code[pair] = (list->code[pair] & DEMI_ROW_MASK) | (uint32_t)DEMI_FAR_SHIFT << DEMI_SHIFT_BITS;
  return DEM_OK;
}

void demi_list_restore(demi_list *list, int32_t pair) {
  if (!demi_list_is_put_off(list, pair)) return;
  list->code[pair] = (list->code[pair] & DEMI_ROW_MASK) | (uint32_t)list->shift_before[pair] << DEMI_SHIFT_BITS;
  list->pruned = 0;
}

/* ---- chunks ---- */

static void lay_chunks(demi_list *list, int32_t count) {
  const demi_motion *m = &list->motion;
  int32_t coarse = 0;
  while (coarse < m->blocks && demi_block_first(m, coarse) < list->coarse_row) coarse++;
  demi_chunks_lay(list, &list->chunks, 0, m->blocks, count);
  demi_chunks_lay(list, &list->fine, 0, coarse, count);
  demi_chunks_lay(list, &list->coarse, coarse, m->blocks, count);
}

static dem_status fit_pick(demi_list *list) {
  if (list->pairs <= list->picked_capacity) return DEM_OK;
  const size_t bytes = (size_t)list->pair_capacity * sizeof(int32_t);
  int32_t *slot = demi_allocate(list->context, bytes), *row = demi_allocate(list->context, bytes);
  if (!slot || !row) {
    demi_free(list->context, slot, bytes);
    demi_free(list->context, row, bytes);
    return DEM_NO_MEMORY;
  }
  demi_free(list->context, list->near_pair, (size_t)list->picked_capacity * sizeof(int32_t));
  demi_free(list->context, list->near_row, (size_t)list->picked_capacity * sizeof(int32_t));
  list->near_pair = slot;
  list->near_row = row;
  list->picked_capacity = list->pair_capacity;
  return DEM_OK;
}

static dem_status sort_rows(demi_list *list, demi_store *store, const demi_search *search) {
  dem_status status = fit_order(list, store->count);
  if (status) return status;
  lay_levels(list, store, search);
  if ((status = sort_levels(list, store, search)) != DEM_OK) return status;
  demi_store_permute(store, list->order, store->count);
  demi_store_swap(store, store->count);
  list->reach = wrap_positions(store, search->box);
  return DEM_OK;
}

static dem_status match_all(demi_list *list, const demi_store *store, const demi_search *search) {
  dem_status status = demi_images_lay(list, search);
  if (!status) status = demi_tiles_lay(list, store->count, search->box->periodic);
  if (!status) status = demi_images_reserve(list, store->count);
  if (!status) status = demi_cross_find(list, store, search);
  if (!status) status = demi_pairs_match(list, store, search);
  if (!status) status = demi_face_list_match(list, store, search);
  return status;
}

static void start_bounds(demi_list *list, const demi_store *store) {
  demi_bounds *since = &list->motion.bounds[DEMI_SINCE_BUILD];
  since->slack = list->level[0].skin[DEMI_SINCE_BUILD]; /* the finest level's is the least */
  since->spent = 0;
  list->rounding[DEMI_SINCE_BUILD] = 0;
  demi_cross_mark(list, store, DEMI_SINCE_BUILD);
  demi_images_mark(list, store, DEMI_SINCE_BUILD);
  list->pruned = 0;
}

dem_status demi_list_build(demi_list *list, demi_store *store, const demi_search *search) {
  list->valid = 0;
  dem_status status = sort_rows(list, store, search);
  if (!status) status = match_all(list, store, search);
  if (status) return status;
  lay_chunks(list, search->chunks);
  if ((status = fit_pick(list)) != DEM_OK) return status;
  list->range = search->range;
  list->furthest = search->furthest;
  start_bounds(list, store);
  list->builds++;
  list->valid = 1;
  return DEM_OK;
}

int64_t demi_list_search_bytes(const demi_list *list) {
  int64_t bytes = list->order_capacity * 12 + list->cross_capacity * (int64_t)sizeof *list->cross +
                  list->cross_tile_capacity * 68 + list->coarse_capacity * 64 + list->candidate_capacity * 36;
  for (int32_t l = 0; l < DEMI_MAX_LEVELS; l++)
    bytes += 4 * (list->level[l].grid.cell_capacity + list->level[l].grid.tile_capacity);
  return bytes;
}
