/* Pairs of a level, cell by cell with the cells around; and with coarser particles, of which cross.c names those near a cell. */
#include "build.h"
#include "wide.h"

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

/* The same in a tilted box. Along each axis the image within the range is less than half a length away: see is_surely_nearest in
 * store/box.c. Positions are wrapped, so it is at most one turn away; others are out of range whatever their turns. */
static uint32_t nearest_image_tilted(const demi_box *box, const double *p, const double *q, double *square) {
  double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]}, edge[3];
  int32_t turn[3];
  for (int a = 2; a >= 0; a--) {
    const double half = 0.5 * demi_box_length(box, a);
    turn[a] = !box->periodic[a] ? 0 : (d[a] > half ? 1 : (d[a] < -half ? -1 : 0));
    demi_box_edge(box, a, edge);
    for (int k = 0; k <= a && turn[a]; k++) d[k] -= turn[a] * edge[k];
  }
  *square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  return (uint32_t)(turn[0] + 1 + 3 * (turn[1] + 1) + 9 * (turn[2] + 1));
}

/* Nearest image of q as seen from p: the shift code, and the squared distance. Unique, as a periodic box is at least two ranges
 * wide. */
static uint32_t nearest_image(const demi_box *box, const double *p, const double *q, double *square) {
  uint32_t shift = 0, weight = 1;
  if (box->tilted) return nearest_image_tilted(box, p, q, square);
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

static void match_over_seam(demi_matcher *m, int32_t first, int32_t last) {
  const double *position = m->store->columns.position, *p = position + 4 * (int64_t)m->i;
  for (int32_t j = first; j < last; j++) {
    const double *q = position + 4 * (int64_t)j, range = p[3] + m->reach + q[3];
    double square;
    const uint32_t shift = nearest_image(m->search->box, p, q, &square);
    if (square < range * range && demi_may_touch(m, j)) m->code[m->pairs++] = (uint32_t)j | shift << DEMI_SHIFT_BITS;
  }
}

/* The many: no image, and no branch on the distance, which would be mispredicted. */
static void match_inside(demi_matcher *m, int32_t first, int32_t last) {
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
    if (demi_may_touch(m, (int32_t)(m->code[k] & DEMI_ROW_MASK))) m->code[m->pairs++] = m->code[k];
}

/* Lists the partners of one row that come after it. */
static void match_row(demi_matcher *m, const ranges *around) {
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

/* Where a level is searched. */
typedef struct place {
  const demi_level *level;
  int coarser; /* there are coarser levels */
} place;

static dem_status match_cell(demi_list *list, const demi_store *store, const demi_search *search, const place *at, int32_t cell,
                             const int32_t c[3], int32_t tile) {
  const demi_grid *g = &at->level->grid;
  const int32_t first = g->cell_start[cell], last = g->cell_start[cell + 1];
  const double reach = at->level->skin[DEMI_SINCE_BUILD] + search->range;
  ranges around;
  gather_ranges(g, search->box, c, &around);
  const int32_t candidates = at->coarser ? demi_cross_candidates(list, store, tile, first, last, reach) : 0;
  const int64_t most = rows_in(&around) + candidates + 1; /* codes that one row may write */
  for (int32_t i = first; i < last; i++) {
    if (list->pairs + most > INT32_MAX) return DEM_NO_MEMORY;
    dem_status status =
        demi_ensure_room(list->context, &list->code, &list->pair_capacity, list->pairs + most, list->pairs, sizeof *list->code);
    if (status) return status;
    const uint8_t *interacts = search->interacts + (int64_t)store->columns.material[i] * search->materials;
    demi_matcher m = {store, search, list->code, list->pairs, i, reach, interacts};
    list->row_start[i] = (int32_t)list->pairs;
    match_row(&m, &around);
    if (candidates > 0) demi_cross_match(list, &m, candidates);
    list->pairs = m.pairs;
  }
  return DEM_OK;
}

/* Cells in the order of the rows: tile by tile. */
static dem_status match_tile(demi_list *list, const demi_store *store, const demi_search *search, const place *at,
                             const int32_t tile[3]) {
  const demi_grid *g = &at->level->grid;
  const int32_t *per = g->per_tile, number = g->tile_map[demi_grid_tile(g, tile[0], tile[1], tile[2])];
  if (number < 0) return DEM_OK;
  int32_t c[3];
  for (c[2] = tile[2] * per[2]; c[2] < (tile[2] + 1) * per[2]; c[2]++)
    for (c[1] = tile[1] * per[1]; c[1] < (tile[1] + 1) * per[1]; c[1]++)
      for (c[0] = tile[0] * per[0]; c[0] < (tile[0] + 1) * per[0]; c[0]++) {
        const int32_t cell = demi_grid_cell(g, c[0], c[1], c[2]);
        if (g->cell_start[cell] == g->cell_start[cell + 1]) continue;
        dem_status status = match_cell(list, store, search, at, cell, c, number);
        if (status) return status;
      }
  return DEM_OK;
}

static dem_status match_level(demi_list *list, const demi_store *store, const demi_search *search, int32_t level) {
  const place at = {&list->level[level], level + 1 < list->levels};
  const int32_t *n = at.level->grid.tiles, *axis = at.level->grid.axis;
  int32_t tile[3], *fast = &tile[axis[0]], *middle = &tile[axis[1]], *slow = &tile[axis[2]];
  dem_status status;
  for (*slow = 0; *slow < n[axis[2]]; (*slow)++)
    for (*middle = 0; *middle < n[axis[1]]; (*middle)++)
      for (*fast = 0; *fast < n[axis[0]]; (*fast)++)
        if ((status = match_tile(list, store, search, &at, tile)) != DEM_OK) return status;
  return DEM_OK;
}

dem_status demi_pairs_match(demi_list *list, const demi_store *store, const demi_search *search) {
  dem_status status =
      demi_ensure_room(list->context, &list->row_start, &list->row_capacity, store->count + 1, 0, sizeof *list->row_start);
  list->pairs = 0;
  for (int32_t level = 0; level < list->levels && !status; level++) status = match_level(list, store, search, level);
  if (!status) list->row_start[store->count] = (int32_t)list->pairs;
  return status;
}
