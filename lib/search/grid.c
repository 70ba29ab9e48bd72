#include "grid.h"

#include <float.h>
#include <string.h>

#include "memory.h"

enum { CELLS_PER_TILE = 3 };

void demi_grid_init(demi_grid *grid) { memset(grid, 0, sizeof *grid); }

void demi_grid_free(demi_grid *grid, dem_context *context) {
  demi_free(context, grid->cell_start, (size_t)grid->cell_capacity * sizeof *grid->cell_start);
  demi_free(context, grid->tile_map, (size_t)grid->tile_capacity * sizeof *grid->tile_map);
  demi_grid_init(grid);
}

/* Where the particles are along an axis; on open axes with a declared box no further than that box. */
static void extent(const demi_store *store, const demi_box *box, const demi_members *members, int axis, double *low,
                   double *high) {
  const int declared = box->high[axis] > box->low[axis];
  if (box->periodic[axis]) {
    *low = box->low[axis];
    *high = box->high[axis];
    return;
  }
  double a = DBL_MAX, b = -DBL_MAX;
  for (int64_t k = 0; k < members->count; k++) {
    const double x = store->columns.position[4 * (int64_t)members->rows[k] + axis];
    if (x < a) a = x;
    if (x > b) b = x;
  }
  if (declared && a < box->low[axis]) a = box->low[axis];
  if (declared && b > box->high[axis]) b = box->high[axis];
  *low = a < b ? a : b;
  *high = a < b ? b : a;
}

enum { SAMPLE = 1024 };

/* Shell sort: the C library's may allocate. */
static void sort_sample(double *x, int32_t n) {
  for (int32_t gap = n / 2; gap > 0; gap /= 2)
    for (int32_t k = gap; k < n; k++) {
      const double value = x[k];
      int32_t at = k;
      for (; at >= gap && x[at - gap] > value; at -= gap) x[at] = x[at - gap];
      x[at] = value;
    }
}

/* Where nearly all particles are along an open axis: the middle 96 % of a sample and as much again on both sides. A few that
 * have flown far away then lie in the border cells and cost no memory. */
static void bulk(const demi_store *store, const demi_members *members, int axis, double *low, double *high) {
  double x[SAMPLE];
  const int64_t stride = members->count / SAMPLE + 1;
  int32_t n = 0;
  for (int64_t k = 0; k < members->count && n < SAMPLE; k += stride)
    x[n++] = store->columns.position[4 * (int64_t)members->rows[k] + axis];
  sort_sample(x, n);
  const double a = x[n / 50], b = x[n - 1 - n / 50];
  if (a - (b - a) > *low) *low = a - (b - a);
  if (b + (b - a) < *high) *high = b + (b - a);
}

void demi_grid_extent(const demi_store *store, const demi_box *box, const demi_members *members, int axis, double *low,
                      double *high) {
  extent(store, box, members, axis, low, high);
  if (!box->periodic[axis]) bulk(store, members, axis, low, high);
}

static int32_t cells_along(double length, double edge, double limit) {
  const double n = floor(length / edge);
  if (!(n > 1)) return 1;
  return (int32_t)(n < limit ? n : limit);
}

/* Whole tiles only, so that every tile is at least CELLS_PER_TILE ranges wide. `flatness`: height of the box across the axis over its
 * length. */
static void lay_axis(demi_grid *grid, int axis, double low, double high, double edge, double flatness) {
  int32_t n = cells_along((high - low) * flatness, edge, 1 << 20);
  const int32_t tiles = n >= CELLS_PER_TILE ? n / CELLS_PER_TILE : 1;
  if (n > CELLS_PER_TILE) n = tiles * CELLS_PER_TILE;
  grid->cells[axis] = n;
  grid->tiles[axis] = tiles;
  grid->per_tile[axis] = n < CELLS_PER_TILE ? n : CELLS_PER_TILE;
  grid->low[axis] = low;
  const double length = high - low;
  grid->inverse_edge[axis] = length > 0 ? n / length : 0;
  if (tiles > 2 && length * flatness / tiles < grid->tile_edge) grid->tile_edge = length * flatness / tiles;
}

static double flatness_of(const demi_box *box, int axis) {
  return box->tilted && box->periodic[axis] ? demi_box_height(box, axis) / demi_box_length(box, axis) : 1.0;
}

/* Bound on the rounding of upright coordinates, which in a box without tilt are the positions themselves. */
static double blur_of(const demi_box *box) {
  double largest = 0;
  for (int a = 0; a < 3 && box->tilted; a++) largest = fmax(largest, fmax(fabs(box->low[a]), fabs(box->high[a])));
  return 32.0 * DBL_EPSILON * largest;
}

/* Empty space must not cost memory: with more than a few cells per particle the cells grow. */
static void lay(demi_grid *grid, const demi_store *store, const demi_box *box, const demi_members *members, double reach) {
  const double limit = 8.0 * (double)members->count + 4096.0;
  double low[3], high[3], edge = reach + blur_of(box), cells;
  cells = 1;
  for (int axis = 0; axis < 3; axis++) {
    extent(store, box, members, axis, &low[axis], &high[axis]);
    cells *= floor((high[axis] - low[axis]) / reach) + 1;
  }
  for (int axis = 0; axis < 3 && cells > limit; axis++)
    if (!box->periodic[axis]) bulk(store, members, axis, &low[axis], &high[axis]);
  do {
    grid->tile_edge = INFINITY;
    cells = 1;
    for (int axis = 0; axis < 3; axis++) {
      lay_axis(grid, axis, low[axis], high[axis], edge, flatness_of(box, axis));
      cells *= grid->cells[axis];
    }
    edge *= 1.25;
  } while (cells > limit);
  grid->tile_edge -= blur_of(box);
  grid->cell_total = (int32_t)cells;
}

static dem_status reserve(int32_t **array, int64_t *capacity, dem_context *context, int64_t wanted) {
  if (wanted <= *capacity) return DEM_OK;
  wanted += wanted / 4;
  int32_t *fresh = demi_allocate(context, (size_t)wanted * sizeof *fresh);
  if (!fresh) return DEM_NO_MEMORY;
  demi_free(context, *array, (size_t)*capacity * sizeof *fresh);
  *array = fresh;
  *capacity = wanted;
  return DEM_OK;
}

static void assign_cells(const demi_grid *grid, const demi_store *store, const demi_box *box, const demi_members *members) {
  for (int64_t k = 0; k < members->count; k++) {
    const double *p = store->columns.position + 4 * (int64_t)members->rows[k];
    double position[3] = {p[0], p[1], p[2]}, upright[3];
    int32_t c[3], unused[3] = {0, 0, 0};
    demi_box_wrap(box, position, unused);
    demi_box_upright(box, position, upright);
    for (int axis = 0; axis < 3; axis++) c[axis] = demi_grid_coordinate(grid, axis, upright[axis]);
    members->cell[k] = demi_grid_cell(grid, c[0], c[1], c[2]);
  }
}

/* Counting sort, stable. */
static void sort(demi_grid *grid, const demi_members *members) {
  int32_t *start = grid->cell_start;
  memset(start, 0, (size_t)(grid->cell_total + 1) * sizeof *start);
  for (int64_t k = 0; k < members->count; k++) start[members->cell[k] + 1]++;
  start[0] = members->first_row;
  for (int32_t c = 0; c < grid->cell_total; c++) start[c + 1] += start[c];
  for (int64_t k = 0; k < members->count; k++) members->order[start[members->cell[k]]++] = members->rows[k];
  /* each entry now holds the end of its cell: shift back */
  memmove(start + 1, start, (size_t)grid->cell_total * sizeof *start);
  start[0] = members->first_row;
}

/* Order of the axes, and with it of the tiles. */
static void order_tiles(demi_grid *grid, int32_t by_length) {
  int32_t *axis = grid->axis, stride = 1;
  for (int k = 0; k < 3; k++) axis[k] = k;
  for (int k = 0; k < 3 && by_length; k++)
    for (int a = 0; a < 2; a++)
      if (grid->tiles[axis[a]] > grid->tiles[axis[a + 1]]) {
        const int32_t longer = axis[a];
        axis[a] = axis[a + 1];
        axis[a + 1] = longer;
      }
  for (int k = 0; k < 3; k++) {
    grid->stride[axis[k]] = stride;
    stride *= grid->tiles[axis[k]];
  }
}

dem_status demi_grid_sort(demi_grid *grid, const demi_store *store, const demi_box *box, const demi_members *members,
                          double reach) {
  lay(grid, store, box, members, reach);
  order_tiles(grid, members->by_length);
  dem_status status = reserve(&grid->cell_start, &grid->cell_capacity, store->context, grid->cell_total + 1);
  if (!status) status = reserve(&grid->tile_map, &grid->tile_capacity, store->context, demi_grid_tiles(grid));
  if (status) return status;
  assign_cells(grid, store, box, members);
  sort(grid, members);
  return DEM_OK;
}
