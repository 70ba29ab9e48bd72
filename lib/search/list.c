/* Building the list: sort, wrap, tiles and blocks, then pairs cell by cell. */
#include "list.h"

#include <string.h>

#include "memory.h"
#include "wide.h"

enum { BLOCK_ROWS = 128, IMAGES = 27, SHIFTS = IMAGES + 1 };

/* Gap, beyond the range, within which a pair counts as nearly touching: this part of the largest diameter, or half the skin if
 * that is less. */
static const double NEAR_GAP = 0.004;

void demi_list_init(demi_list *list, dem_context *context) {
  memset(list, 0, sizeof *list);
  list->context = context;
  demi_grid_init(&list->grid);
}

static void free_motion(demi_motion *m, dem_context *context) {
  const size_t tiles = (size_t)m->tile_capacity, blocks = (size_t)m->block_capacity;
  demi_free(context, m->tile_start, (tiles + 1) * sizeof *m->tile_start);
  for (int k = 0; k < 2; k++) demi_free(context, m->bounds[k].moved, tiles * 8 * sizeof(double));
  demi_free(context, m->block_tile, (blocks + 1) * sizeof *m->block_tile);
  demi_free(context, m->recent, blocks * 8 * sizeof *m->recent);
  memset(m, 0, sizeof *m);
}

/* All that is as long as there are tiles or blocks. */
static void free_tiles(demi_list *list) {
  const size_t blocks = (size_t)list->motion.block_capacity;
  demi_free(list->context, list->wall_start, (blocks + 1) * sizeof *list->wall_start);
  demi_free(list->context, list->near_count, blocks * sizeof *list->near_count);
  list->wall_start = list->near_count = NULL;
  free_motion(&list->motion, list->context);
}

void demi_list_free(demi_list *list) {
  dem_context *context = list->context;
  demi_grid_free(&list->grid, context);
  free_tiles(list);
  demi_free(context, list->near_slot, (size_t)list->picked_capacity * sizeof *list->near_slot);
  demi_free(context, list->near_row, (size_t)list->picked_capacity * sizeof *list->near_row);
  demi_free(context, list->row_start, (size_t)list->row_capacity * sizeof *list->row_start);
  demi_free(context, list->code, (size_t)list->pair_capacity * sizeof *list->code);
  demi_free(context, list->wall_row, (size_t)list->wall_capacity * sizeof *list->wall_row);
  demi_free(context, list->wall_index, (size_t)list->wall_capacity * sizeof *list->wall_index);
  demi_free(context, list->shift, SHIFTS * 4 * sizeof *list->shift);
  demi_free(context, list->near, (size_t)list->near_capacity * sizeof *list->near);
  demi_free(context, list->wall_gap, (size_t)list->gap_capacity * sizeof *list->wall_gap);
  demi_list_init(list, context);
}

/* Replaces *array by one of at least `count` elements, contents lost, or kept when `keep` elements are in use. */
static dem_status ensure(dem_context *context, void *array, int64_t *capacity, int64_t count, int64_t keep, size_t element) {
  void **slot = array;
  if (count <= *capacity) return DEM_OK;
  const int64_t wanted = count + count / 4 + 64;
  void *fresh = demi_allocate(context, (size_t)wanted * element);
  if (!fresh) return DEM_NO_MEMORY;
  if (keep > 0) memcpy(fresh, *slot, (size_t)keep * element);
  demi_free(context, *slot, (size_t)*capacity * element);
  *slot = fresh;
  *capacity = wanted;
  return DEM_OK;
}

static dem_status ensure_tiles(demi_list *list, int64_t tiles) {
  demi_motion *m = &list->motion;
  if (tiles <= m->tile_capacity && tiles <= m->block_capacity) return DEM_OK;
  dem_context *context = list->context;
  free_tiles(list);
  const size_t n = (size_t)(tiles + tiles / 4 + 8);
  m->tile_capacity = m->block_capacity = (int64_t)n;
  m->tile_start = demi_allocate_zero(context, (n + 1) * sizeof *m->tile_start);
  m->block_tile = demi_allocate_zero(context, (n + 1) * sizeof *m->block_tile);
  for (int k = 0; k < 2; k++) m->bounds[k].moved = demi_allocate_zero(context, n * 8 * sizeof(double));
  m->recent = demi_allocate_zero(context, n * 8 * sizeof *m->recent);
  list->wall_start = demi_allocate_zero(context, (n + 1) * sizeof *list->wall_start);
  list->near_count = demi_allocate_zero(context, n * sizeof *list->near_count);
  const int complete = m->tile_start && m->block_tile && m->bounds[0].moved && m->bounds[1].moved && m->recent &&
                       list->wall_start && list->near_count;
  if (complete) return DEM_OK;
  free_tiles(list);
  return DEM_NO_MEMORY;
}

/* ---- sort ---- */

static void wrap_positions(demi_store *store, const demi_box *box) {
  for (int64_t k = 0; k < store->count; k++)
    for (int axis = 0; axis < 3; axis++) {
      double *x = store->columns.position + 4 * k + axis;
      *x = demi_box_wrap(box, axis, *x, store->columns.image + 3 * k + axis);
    }
}

static int64_t cells_in_tile(const demi_grid *g) { return (int64_t)g->per_tile[0] * g->per_tile[1] * g->per_tile[2]; }

/* Tiles that hold particles, in order; with a map from tile of the grid to tile of the list (or -1) behind the neighbour table.
 */
static dem_status lay_tiles(demi_list *list, int64_t rows) {
  const demi_grid *g = &list->grid;
  const int64_t per_tile = cells_in_tile(g), grid_tiles = g->cell_total / per_tile;
  dem_status status = ensure_tiles(list, grid_tiles);
  if (!status)
    status = ensure(list->context, &list->near, &list->near_capacity, (DEMI_NEAR + 1) * grid_tiles, 0, sizeof *list->near);
  if (status) return status;
  demi_motion *m = &list->motion;
  int32_t *map = list->near + DEMI_NEAR * grid_tiles; /* scratch behind the neighbour table */
  m->tiles = 0;
  for (int64_t t = 0; t < grid_tiles; t++) {
    const int32_t first = g->cell_start[t * per_tile], last = g->cell_start[(t + 1) * per_tile];
    map[t] = last > first ? m->tiles : -1;
    if (last > first) m->tile_start[m->tiles++] = first;
  }
  m->tile_start[m->tiles] = (int32_t)rows;
  return DEM_OK;
}

/* Forward half of the neighbouring tiles of one tile. */
static void list_near(demi_list *list, const int32_t *map, int32_t x, int32_t y, int32_t z, const int32_t periodic[3]) {
  const demi_grid *g = &list->grid;
  const int32_t *n = g->tiles;
  const int32_t me = map[x + n[0] * (y + n[1] * z)];
  int32_t nx[3], ny[3], nz[3], found = 0;
  const int32_t cx = demi_neighbours(x, n[0], periodic[0], nx), cy = demi_neighbours(y, n[1], periodic[1], ny);
  const int32_t cz = demi_neighbours(z, n[2], periodic[2], nz);
  int32_t *out = list->near + DEMI_NEAR * (int64_t)me;
  for (int32_t c = 0; c < cz; c++)
    for (int32_t b = 0; b < cy; b++)
      for (int32_t a = 0; a < cx; a++) {
        const int32_t other = map[nx[a] + n[0] * (ny[b] + n[1] * nz[c])];
        if (other > me) out[found++] = other; /* of each two neighbours the lower one lists the pair */
      }
  while (found < DEMI_NEAR) out[found++] = -1;
}

static void list_all_near(demi_list *list, const int32_t periodic[3]) {
  const int32_t *n = list->grid.tiles;
  const int32_t *map = list->near + DEMI_NEAR * (list->grid.cell_total / cells_in_tile(&list->grid));
  for (int32_t z = 0; z < n[2]; z++)
    for (int32_t y = 0; y < n[1]; y++)
      for (int32_t x = 0; x < n[0]; x++)
        if (map[x + n[0] * (y + n[1] * z)] >= 0) list_near(list, map, x, y, z, periodic);
}

static void lay_blocks(demi_motion *m, int64_t rows) {
  m->blocks = 0;
  int64_t in_block = BLOCK_ROWS;
  for (int32_t t = 0; t < m->tiles; t++) {
    if (in_block >= BLOCK_ROWS) {
      m->block_tile[m->blocks++] = t;
      in_block = 0;
    }
    in_block += m->tile_start[t + 1] - m->tile_start[t];
  }
  m->block_tile[m->blocks] = m->tiles;
  if (rows > 0) memset(m->bounds[DEMI_SINCE_BUILD].moved, 0, (size_t)m->tiles * 8 * sizeof(double));
  if (rows > 0) memset(m->recent, 0, (size_t)m->blocks * 8 * sizeof *m->recent);
}

/* ---- pairs ---- */

static dem_status set_shifts(demi_list *list, const demi_box *box) {
  if (!list->shift) list->shift = demi_allocate_zero(list->context, SHIFTS * 4 * sizeof *list->shift);
  if (!list->shift) return DEM_NO_MEMORY;
  for (int a = 0; a < 3; a++) list->shift[4 * DEMI_FAR_SHIFT + a] = INFINITY;
  for (int s = 0; s < IMAGES; s++) {
    const int turn[3] = {s % 3 - 1, s / 3 % 3 - 1, s / 9 - 1};
    for (int a = 0; a < 3; a++) list->shift[4 * s + a] = box->periodic[a] ? turn[a] * demi_box_length(box, a) : 0.0;
  }
  return DEM_OK;
}

/* Cells around one cell: their rows, as ranges. */
typedef struct ranges {
  int32_t count;
  int32_t first[27], last[27];
  uint8_t seam[27]; /* reached over a periodic boundary, or may be: the nearest image has to be looked for */
} ranges;

static int across(int32_t from, int32_t to, int32_t cells) { return cells < 4 || to - from > 1 || from - to > 1; }

static void gather_ranges(const demi_grid *g, const demi_box *box, const int32_t c[3], ranges *r) {
  int32_t near[3][3], n[3];
  for (int a = 0; a < 3; a++) n[a] = demi_neighbours(c[a], g->cells[a], box->periodic[a], near[a]);
  r->count = 0;
  for (int32_t z = 0; z < n[2]; z++)
    for (int32_t y = 0; y < n[1]; y++)
      for (int32_t x = 0; x < n[0]; x++) {
        const int32_t to[3] = {near[0][x], near[1][y], near[2][z]}, cell = demi_grid_cell(g, to[0], to[1], to[2]);
        int seam = 0;
        for (int a = 0; a < 3; a++) seam = seam || (box->periodic[a] && across(c[a], to[a], g->cells[a]));
        r->seam[r->count] = (uint8_t)seam;
        r->first[r->count] = g->cell_start[cell];
        r->last[r->count] = g->cell_start[cell + 1];
        r->count += r->last[r->count] > r->first[r->count];
      }
}

/* What row i is matched with, and where the list ends. */
typedef struct matcher {
  const demi_store *store;
  const demi_search *search;
  uint32_t *code;
  int64_t pairs;
  int32_t i;
  double reach; /* gap up to which pairs are listed */
} matcher;

/* Nearest image of q as seen from p: the shift code, and the squared distance. Unique, as a periodic box is at least two ranges
 * wide. */
static uint32_t nearest_image(const demi_box *box, const double *p, const double *q, double *square) {
  uint32_t shift = 0, weight = 1;
  *square = 0;
  for (int a = 0; a < 3; a++, weight *= 3) {
    double d = p[a] - q[a];
    const double length = demi_box_length(box, a);
    const int32_t turn = !box->periodic[a] ? 0 : (d > 0.5 * length ? 1 : (d < -0.5 * length ? -1 : 0));
    d -= turn * length;
    shift += (uint32_t)(turn + 1) * weight;
    *square += d * d;
  }
  return shift;
}

static int may_touch(const matcher *m, int32_t j) {
  const demi_columns *c = &m->store->columns;
  if (!m->search->interacts[(int64_t)c->material[m->i] * DEMI_MAX_MATERIALS + c->material[j]]) return 0;
  return !demi_store_frozen(m->store, m->i) || !demi_store_frozen(m->store, j);
}

static void match_over_seam(matcher *m, int32_t first, int32_t last) {
  const double *position = m->store->columns.position, *p = position + 4 * (int64_t)m->i;
  for (int32_t j = first; j < last; j++) {
    const double *q = position + 4 * (int64_t)j, range = p[3] + m->reach + q[3];
    double square;
    const uint32_t shift = nearest_image(m->search->box, p, q, &square);
    if (square < range * range && may_touch(m, j)) m->code[m->pairs++] = (uint32_t)j | shift << DEMI_SHIFT_BITS;
  }
}

/* The many: no image, and no branch on the distance, which would be mispredicted. */
static void match_inside(matcher *m, int32_t first, int32_t last) {
  const double *position = m->store->columns.position;
  const demi_wide p = demi_load4(position + 4 * (int64_t)m->i);
  const uint32_t here = UINT32_C(13) << DEMI_SHIFT_BITS; /* no turn along any axis */
  const double reach = p[3] + m->reach;
  const int64_t before = m->pairs;
  int64_t n = before;
  for (int32_t j = first; j < last; j++) {
    const demi_wide q = demi_load4(position + 4 * (int64_t)j), d = p - q, square = d * d;
    const double range = reach + q[3];
    m->code[n] = (uint32_t)j | here;
    n += square[0] + square[1] + square[2] < range * range;
  }
  m->pairs = before;
  for (int64_t k = before; k < n; k++)
    if (may_touch(m, (int32_t)(m->code[k] & DEMI_ROW_MASK))) m->code[m->pairs++] = m->code[k];
}

/* Lists the partners of one row that come after it. */
static void match_row(matcher *m, const ranges *around) {
  for (int32_t k = 0; k < around->count; k++) {
    const int32_t first = around->first[k] > m->i ? around->first[k] : m->i + 1;
    if (around->seam[k])
      match_over_seam(m, first, around->last[k]);
    else
      match_inside(m, first, around->last[k]);
  }
}

static int64_t rows_in(const ranges *r) {
  int64_t rows = 0;
  for (int32_t k = 0; k < r->count; k++) rows += r->last[k] - r->first[k];
  return rows;
}

static dem_status match_cell(demi_list *list, const demi_store *store, const demi_search *search, const int32_t c[3]) {
  const demi_grid *g = &list->grid;
  const int32_t cell = demi_grid_cell(g, c[0], c[1], c[2]);
  const int32_t first = g->cell_start[cell], last = g->cell_start[cell + 1];
  if (first == last) return DEM_OK;
  ranges around;
  gather_ranges(g, search->box, c, &around);
  const int64_t most = rows_in(&around) + 1; /* codes that one row may write */
  for (int32_t i = first; i < last; i++) {
    if (list->pairs + most > INT32_MAX) return DEM_NO_MEMORY;
    dem_status status =
        ensure(list->context, &list->code, &list->pair_capacity, list->pairs + most, list->pairs, sizeof *list->code);
    if (status) return status;
    matcher m = {store, search, list->code, list->pairs, i, search->skin + search->range};
    list->row_start[i] = (int32_t)list->pairs;
    match_row(&m, &around);
    list->pairs = m.pairs;
  }
  return DEM_OK;
}

/* Cells in the order of the rows: tile by tile. */
static dem_status match_tile(demi_list *list, const demi_store *store, const demi_search *search, const int32_t tile[3]) {
  const int32_t *per = list->grid.per_tile;
  int32_t c[3];
  for (c[2] = tile[2] * per[2]; c[2] < (tile[2] + 1) * per[2]; c[2]++)
    for (c[1] = tile[1] * per[1]; c[1] < (tile[1] + 1) * per[1]; c[1]++)
      for (c[0] = tile[0] * per[0]; c[0] < (tile[0] + 1) * per[0]; c[0]++) {
        dem_status status = match_cell(list, store, search, c);
        if (status) return status;
      }
  return DEM_OK;
}

static dem_status match_all(demi_list *list, const demi_store *store, const demi_search *search) {
  dem_status status =
      ensure(list->context, &list->row_start, &list->row_capacity, store->count + 1, 0, sizeof *list->row_start);
  if (status) return status;
  const int32_t *n = list->grid.tiles;
  int32_t tile[3];
  list->pairs = 0;
  for (tile[2] = 0; tile[2] < n[2]; tile[2]++)
    for (tile[1] = 0; tile[1] < n[1]; tile[1]++)
      for (tile[0] = 0; tile[0] < n[0]; tile[0]++)
        if ((status = match_tile(list, store, search, tile)) != DEM_OK) return status;
  list->row_start[store->count] = (int32_t)list->pairs;
  return DEM_OK;
}

/* ---- walls ---- */

static dem_status add_wall_pair(demi_list *list, int32_t row, int32_t wall) {
  int64_t capacity = list->wall_capacity;
  const int64_t wanted = list->wall_pairs + 1;
  dem_status status = ensure(list->context, &list->wall_row, &capacity, wanted, list->wall_pairs, sizeof *list->wall_row);
  if (status) return status;
  int64_t again = list->wall_capacity;
  status = ensure(list->context, &list->wall_index, &again, wanted, list->wall_pairs, sizeof *list->wall_index);
  if (status) { /* keep both arrays of one size */
    demi_free(list->context, list->wall_row, (size_t)capacity * sizeof *list->wall_row);
    list->wall_row = NULL;
    demi_free(list->context, list->wall_index, (size_t)again * sizeof *list->wall_index);
    list->wall_index = NULL;
    list->wall_capacity = list->wall_pairs = 0;
    return status;
  }
  list->wall_capacity = capacity;
  list->wall_row[list->wall_pairs] = row;
  list->wall_index[list->wall_pairs++] = wall;
  return DEM_OK;
}

static dem_status match_walls_of_tile(demi_list *list, const demi_store *store, const demi_search *search, int32_t tile) {
  const demi_walls *walls = list->walls;
  double *gaps = list->wall_gap + (int64_t)tile * walls->count, normal[3];
  for (int32_t w = 0; w < walls->count; w++) gaps[w] = INFINITY;
  for (int32_t i = list->motion.tile_start[tile]; i < list->motion.tile_start[tile + 1]; i++) {
    const uint8_t *interacts = search->interacts + (int64_t)store->columns.material[i] * DEMI_MAX_MATERIALS;
    const int frozen = demi_store_frozen(store, i);
    for (int32_t w = 0; w < walls->count; w++) {
      if (!interacts[walls->face[w].material] || (frozen && !demi_face_movable(walls, w))) continue;
      const double *p = store->columns.position + 4 * (int64_t)i;
      const double gap = demi_face_distance(&walls->face[w], p, normal) - p[3] - search->range;
      if (gap >= search->skin) {
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
  for (int32_t w = 0; w < list->walls->count; w++) {
    const double *c = list->walls->centre[w];
    double square = 0;
    for (int64_t k = 0; k < store->count && demi_face_turns(list->walls, w); k++) {
      const double *p = store->columns.position + 4 * k, d[3] = {p[0] - c[0], p[1] - c[1], p[2] - c[2]};
      square = fmax(square, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    list->far[w] = sqrt(square);
  }
}

static dem_status match_walls(demi_list *list, const demi_store *store, const demi_search *search) {
  list->walls = search->walls;
  list->wall_pairs = 0;
  measure_far(list, store);
  demi_list_mark_walls(list, DEMI_AT_BUILD);
  demi_list_mark_walls(list, DEMI_AT_CHECK);
  const demi_motion *m = &list->motion;
  const int64_t gaps = (int64_t)m->tiles * list->walls->count;
  dem_status status = ensure(list->context, &list->wall_gap, &list->gap_capacity, gaps, 0, sizeof *list->wall_gap);
  for (int32_t b = 0; b < m->blocks && !status; b++) {
    list->wall_start[b] = (int32_t)list->wall_pairs;
    for (int32_t t = m->block_tile[b]; t < m->block_tile[b + 1] && !status; t++)
      status = match_walls_of_tile(list, store, search, t);
  }
  if (!status) list->wall_start[m->blocks] = (int32_t)list->wall_pairs;
  return status;
}

/* ---- parts ---- */

/* Cuts the blocks where the cost (rows and pairs) splits evenly. */
static void lay_parts(demi_list *list, int64_t rows, int32_t count) {
  demi_parts *p = &list->parts;
  const demi_motion *m = &list->motion;
  p->count = count;
  int32_t block = 0;
  for (int32_t k = 0; k < count; k++) {
    const double share = (double)k / count * (double)(rows + 2 * list->pairs);
    while (block < m->blocks) {
      const int32_t row = demi_block_first(m, block);
      if ((double)row + 2.0 * list->row_start[row] >= share) break;
      block++;
    }
    p->block[k] = block;
    p->row[k] = block < m->blocks ? demi_block_first(m, block) : (int32_t)rows;
  }
  p->block[count] = m->blocks;
  p->row[count] = (int32_t)rows;
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
  demi_free(list->context, list->near_slot, (size_t)list->picked_capacity * sizeof(int32_t));
  demi_free(list->context, list->near_row, (size_t)list->picked_capacity * sizeof(int32_t));
  list->near_slot = slot;
  list->near_row = row;
  list->picked_capacity = list->pair_capacity;
  return DEM_OK;
}

static double far_margin(const demi_grid *g, const demi_search *s) { return g->tile_edge - 2.0 * s->largest_radius - s->range; }

dem_status demi_list_build(demi_list *list, demi_store *store, const demi_search *search) {
  list->valid = list->sorted = 0;
  const double reach = 2.0 * search->largest_radius + search->range + search->skin;
  dem_status status = demi_grid_sort(&list->grid, store, search->box, reach);
  if (status) return status;
  demi_store_permute(store, list->grid.order, store->count);
  demi_store_swap(store, store->count);
  for (int64_t k = 0; k < store->count; k++) list->grid.cell_of_row[list->grid.order[k]] = (int32_t)k;
  list->sorted = 1;
  wrap_positions(store, search->box);
  if ((status = set_shifts(list, search->box)) != DEM_OK) return status;
  if ((status = lay_tiles(list, store->count)) != DEM_OK) return status;
  list_all_near(list, search->box->periodic);
  lay_blocks(&list->motion, store->count);
  if ((status = match_all(list, store, search)) != DEM_OK) return status;
  if ((status = match_walls(list, store, search)) != DEM_OK) return status;
  lay_parts(list, store->count, search->parts);
  if ((status = fit_pick(list)) != DEM_OK) return status;
  demi_bounds *since = &list->motion.bounds[DEMI_SINCE_BUILD];
  since->skin = since->slack = search->skin;
  since->spent = 0;
  list->motion.bounds[DEMI_SINCE_PRUNE].skin = fmin(0.5 * search->skin, 2.0 * NEAR_GAP * search->largest_radius);
  list->pruned = 0;
  list->range = search->range;
  list->far_margin = far_margin(&list->grid, search);
  list->builds++;
  list->valid = 1;
  return DEM_OK;
}
