/* Pairs across levels. Each tile of a level knows the particles of coarser levels that are near it, as entries: the images whose
 * surface is within range + margin of the box around the tile's particles, enlarged by the largest of their radii. Found through
 * the cells of the coarser level's grid that this box, enlarged by the largest reach, meets. Cell by cell the entries are
 * narrowed down to candidates by the box around the cell's particles; each particle of the cell is then tested against these.
 *
 * Boxes are those of the particles, not of cells, so that particles outside the grid are right too. All images are listed that
 * reach a tile; a particle touches at most one of them, as a periodic box is at least two of the largest ranges wide. */
#include <math.h>
#include <string.h>

#include "build.h"
#include "memory.h"
#include "wide.h"

enum { NO_TURN = 13 };

void demi_cross_free(demi_list *list) {
  dem_context *context = list->context;
  demi_free(context, list->cross, (size_t)list->cross_capacity * sizeof *list->cross);
  demi_free(context, list->cross_start, (size_t)list->cross_tile_capacity * sizeof *list->cross_start);
  demi_free(context, list->cross_box, (size_t)list->cross_tile_capacity * 8 * sizeof *list->cross_box);
  for (int k = 0; k < 2; k++) demi_free(context, list->coarse_at[k], (size_t)list->coarse_capacity * 4 * sizeof(double));
  demi_free(context, list->candidate, (size_t)list->candidate_capacity * 4 * sizeof *list->candidate);
  demi_free(context, list->candidate_of, (size_t)list->candidate_capacity * sizeof *list->candidate_of);
}

/* ---- room ---- */

static dem_status fit_tiles(demi_list *list, int64_t tiles) {
  if (tiles + 1 <= list->cross_tile_capacity) return DEM_OK;
  const int64_t n = tiles + tiles / 4 + 8;
  int32_t *start = demi_allocate(list->context, (size_t)n * sizeof *start);
  double *box = demi_allocate(list->context, (size_t)n * 8 * sizeof *box);
  if (!start || !box) {
    demi_free(list->context, start, (size_t)n * sizeof *start);
    demi_free(list->context, box, (size_t)n * 8 * sizeof *box);
    return DEM_NO_MEMORY;
  }
  demi_free(list->context, list->cross_start, (size_t)list->cross_tile_capacity * sizeof *start);
  demi_free(list->context, list->cross_box, (size_t)list->cross_tile_capacity * 8 * sizeof *box);
  list->cross_start = start;
  list->cross_box = box;
  list->cross_tile_capacity = n;
  return DEM_OK;
}

static dem_status fit_coarse(demi_list *list, int64_t rows) {
  if (rows <= list->coarse_capacity) return DEM_OK;
  const size_t n = (size_t)(rows + rows / 4 + 8), bytes = n * 4 * sizeof(double);
  double *at[2] = {demi_allocate(list->context, bytes), demi_allocate(list->context, bytes)};
  if (!at[0] || !at[1]) {
    for (int k = 0; k < 2; k++) demi_free(list->context, at[k], bytes);
    return DEM_NO_MEMORY;
  }
  for (int k = 0; k < 2; k++) {
    demi_free(list->context, list->coarse_at[k], (size_t)list->coarse_capacity * 4 * sizeof(double));
    list->coarse_at[k] = at[k];
  }
  list->coarse_capacity = (int64_t)n;
  return DEM_OK;
}

static dem_status fit_candidates(demi_list *list, int64_t count) {
  if (count <= list->candidate_capacity) return DEM_OK;
  const size_t n = (size_t)(count + count / 4 + 64);
  double *candidate = demi_allocate(list->context, n * 4 * sizeof *candidate);
  int32_t *of = demi_allocate(list->context, n * sizeof *of);
  if (!candidate || !of) {
    demi_free(list->context, candidate, n * 4 * sizeof *candidate);
    demi_free(list->context, of, n * sizeof *of);
    return DEM_NO_MEMORY;
  }
  demi_free(list->context, list->candidate, (size_t)list->candidate_capacity * 4 * sizeof *candidate);
  demi_free(list->context, list->candidate_of, (size_t)list->candidate_capacity * sizeof *of);
  list->candidate = candidate;
  list->candidate_of = of;
  list->candidate_capacity = (int64_t)n;
  return DEM_OK;
}

/* ---- entries ---- */

/* Box around the particles of some rows, with the largest radius. */
static void box_around(const demi_store *store, int32_t first, int32_t last, double box[8]) {
  const double *position = store->columns.position;
  demi_wide low = demi_load4(position + 4 * (int64_t)first), high = low;
  for (int32_t k = first + 1; k < last; k++) {
    const demi_wide p = demi_load4(position + 4 * (int64_t)k);
    low = demi_min(low, p);
    high = demi_max(high, p);
  }
  demi_store4(box, low);
  demi_store4(box + 4, high);
}

/* Squared distance of a point from a box. */
static inline double square_to_box(const double box[8], demi_wide point) {
  const demi_wide zero = {0}, low = demi_load4(box) - point, high = point - demi_load4(box + 4);
  const demi_wide d = demi_max(zero, demi_max(low, high)), square = d * d;
  return square[0] + square[1] + square[2];
}

/* Working data of one tile. */
typedef struct gatherer {
  demi_list *list;
  const demi_store *store;
  const demi_search *search;
  const double *box; /* of the tile */
  double margin;
  int64_t count; /* entries in all */
  dem_status status;
} gatherer;

static void enter(gatherer *g, int32_t row, uint32_t shift) {
  demi_list *list = g->list;
  const demi_wide q = demi_load4(g->store->columns.position + 4 * (int64_t)row);
  const double square = square_to_box(g->box, q + demi_load4(list->shift + 4 * shift));
  const double touch = g->box[7] + q[3] + g->search->range, reach = touch + g->margin;
  if (g->status || square >= reach * reach) return;
  g->status = demi_ensure_room(list->context, &list->cross, &list->cross_capacity, g->count + 1, g->count, sizeof *list->cross);
  if (g->status) return;
  demi_cross_entry *entry = &list->cross[g->count++];
  entry->row = row;
  entry->code = (uint32_t)row | shift << DEMI_SHIFT_BITS;
  entry->listed = 0;
  entry->gap = sqrt(square) - touch;
}

/* Cells along an axis that an interval meets, counted on beyond the seams of a periodic box. */
static void cells_met(const demi_grid *g, const demi_box *box, int axis, double low, double high, int32_t met[2]) {
  const double slack = 1e-9; /* of a cell: more than any rounding */
  const int32_t n = g->cells[axis];
  if (!box->periodic[axis]) {
    met[0] = demi_grid_coordinate(g, axis, low);
    met[1] = demi_grid_coordinate(g, axis, high);
    return;
  }
  const double first = floor((low - g->low[axis]) * g->inverse_edge[axis] - slack);
  const double last = floor((high - g->low[axis]) * g->inverse_edge[axis] + slack);
  met[0] = first > -n ? (int32_t)first : -n;
  met[1] = last < 2 * n - 1 ? (int32_t)last : 2 * n - 1;
}

/* Number of turns by which cell k, counted on, is beyond the box; k becomes the cell itself. */
static int32_t turn_of(int32_t *k, int32_t cells) {
  const int32_t turn = *k < 0 ? -1 : (*k >= cells ? 1 : 0);
  *k -= turn * cells;
  return turn;
}

/* Upright coordinates of all points within `reach` of the box around the tile's particles, along an axis: u is linear in the position
 * (store/box.h), so over a box with centre m and half edges h it is u(m) +- sum_k |du/dx_k| h_k, and reach |grad u| around that. */
static void upright_interval(const demi_box *box, const double around[8], double reach, int axis, double *low, double *high) {
  double middle[3], u[3], gradient[3], half = 0, square = 0;
  demi_box_gradient(box, axis, gradient);
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * (around[k] + around[4 + k]);
    half += fabs(gradient[k]) * 0.5 * (around[4 + k] - around[k]);
    square += gradient[k] * gradient[k];
  }
  demi_box_upright(box, middle, u);
  half += (1.0 + 1e-12) * sqrt(square) * reach;
  *low = u[axis] - half;
  *high = u[axis] + half;
}

static void gather_level(gatherer *g, const demi_level *coarse) {
  const demi_grid *grid = &coarse->grid;
  const double reach = g->box[7] + coarse->largest + g->search->range + g->margin;
  int32_t met[3][2];
  for (int a = 0; a < 3; a++) {
    double low = g->box[a] - reach, high = g->box[4 + a] + reach;
    if (g->search->box->tilted) upright_interval(g->search->box, g->box, reach, a, &low, &high);
    cells_met(grid, g->search->box, a, low, high, met[a]);
  }
  for (int32_t z = met[2][0]; z <= met[2][1]; z++)
    for (int32_t y = met[1][0]; y <= met[1][1]; y++)
      for (int32_t x = met[0][0]; x <= met[0][1]; x++) {
        int32_t c[3] = {x, y, z}, turn[3];
        for (int a = 0; a < 3; a++) turn[a] = turn_of(&c[a], grid->cells[a]);
        const int32_t cell = demi_grid_cell(grid, c[0], c[1], c[2]);
        const uint32_t shift = (uint32_t)(NO_TURN + turn[0] + 3 * turn[1] + 9 * turn[2]);
        for (int32_t q = grid->cell_start[cell]; q < grid->cell_start[cell + 1]; q++) enter(g, q, shift);
      }
}

/* Margin [length] for pairs of a tile and a coarser particle without an entry: that of tiles of the finest level that are no
 * neighbours, but not more than the limit below which only the nearest images matter. */
static double margin_of(const demi_list *list, const demi_search *search) {
  const demi_level *finest = &list->level[0];
  double margin = 2.0 * (2.0 * finest->largest + search->range) + 3.0 * finest->skin[DEMI_SINCE_BUILD];
  for (int a = 0; a < 3; a++)
    if (search->box->periodic[a]) margin = fmin(margin, 0.5 * demi_box_height(search->box, a));
  return margin;
}

dem_status demi_cross_find(demi_list *list, const demi_store *store, const demi_search *search) {
  if (list->levels == 1) return DEM_OK;
  const int32_t tiles = list->level[list->levels - 1].first_tile;
  dem_status status = fit_tiles(list, tiles);
  if (!status) status = fit_coarse(list, store->count - list->coarse_row);
  if (status) return status;
  gatherer g = {list, store, search, NULL, margin_of(list, search), 0, DEM_OK};
  list->far_margin = fmin(list->far_margin, g.margin);
  int64_t most = 0;
  for (int32_t t = 0; t < tiles && !g.status; t++) {
    list->cross_start[t] = (int32_t)g.count;
    g.box = list->cross_box + 8 * (int64_t)t;
    box_around(store, list->motion.tile_start[t], list->motion.tile_start[t + 1], list->cross_box + 8 * (int64_t)t);
    for (int32_t l = demi_level_of_tile(list, t) + 1; l < list->levels; l++) gather_level(&g, &list->level[l]);
    if (g.count > INT32_MAX / 2) return DEM_NO_MEMORY;
    if (g.count - list->cross_start[t] > most) most = g.count - list->cross_start[t];
  }
  list->cross_start[tiles] = (int32_t)g.count;
  return g.status ? g.status : fit_candidates(list, most);
}

/* ---- pairs ---- */

int32_t demi_cross_candidates(demi_list *list, const demi_store *store, int32_t tile, int32_t first, int32_t last,
                              double reach) {
  _Alignas(32) double box[8];
  int32_t n = 0;
  if (list->cross_start[tile] == list->cross_start[tile + 1]) return 0;
  box_around(store, first, last, box);
  for (int32_t e = list->cross_start[tile]; e < list->cross_start[tile + 1]; e++) {
    const uint32_t code = list->cross[e].code;
    const demi_wide q = demi_load4(store->columns.position + 4 * (int64_t)(code & DEMI_ROW_MASK));
    const demi_wide at = q + demi_load4(list->shift + 4 * (code >> DEMI_SHIFT_BITS));
    const double sum = box[7] + q[3] + reach;
    demi_store4(list->candidate + 4 * (int64_t)n, at);
    list->candidate_of[n] = e;
    n += square_to_box(box, at) < sum * sum;
  }
  return n;
}

void demi_cross_match(demi_list *list, demi_matcher *m, int32_t candidates) {
  const demi_wide p = demi_load4(m->store->columns.position + 4 * (int64_t)m->i);
  for (int32_t k = 0; k < candidates; k++) {
    const demi_wide q = demi_load4(list->candidate + 4 * (int64_t)k), d = p - q, square = d * d;
    const double range = p[3] + q[3] + m->reach;
    demi_cross_entry *entry = &list->cross[list->candidate_of[k]];
    if (square[0] + square[1] + square[2] >= range * range || !demi_may_touch(m, entry->row)) continue;
    entry->listed = 1;
    m->code[m->pairs++] = entry->code;
  }
}
