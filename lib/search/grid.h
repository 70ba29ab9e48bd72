/* Cell grid over the box, for the particles of one level of sizes: cells no smaller than the interaction range, three to a tile
 * along each axis. Cells are counted along the upright coordinates of the box (store/box.h); in a tilted box they are tilted as it is,
 * and their size across each axis is the distance of their faces. Rows sorted by tile, then by cell inside the tile, keep neighbours
 * close in memory. Particles outside the grid on open axes count to its border cells, which keeps neighbours in neighbouring cells. */
#ifndef DEMI_GRID_H
#define DEMI_GRID_H

#include "box.h"
#include "store.h"

typedef struct demi_grid {
  int32_t cells[3]; /* per axis */
  int32_t tiles[3];
  int32_t axis[3];   /* from the one along which tiles are counted first to the last */
  int32_t stride[3]; /* between tiles that are neighbours along each axis */
  double low[3], inverse_edge[3];
  double tile_edge;    /* least distance of opposite faces of a tile, of axes that have more than two tiles; infinite if none */
  int32_t cell_total;  /* cells counted tile by tile, unused ones included */
  int32_t per_tile[3]; /* cells per tile along each axis */
  int32_t *cell_start; /* cell_total + 1 rows, after sorting */
  int32_t *tile_map;   /* per tile: its number among the tiles of the list, -1 = empty */
  int64_t cell_capacity, tile_capacity;
} demi_grid;

/* The particles that a grid is laid over, and where their sorting is written. */
typedef struct demi_members {
  const int32_t *rows; /* `count` of them, before sorting */
  int64_t count;
  int32_t first_row; /* the first of them after sorting */
  int32_t by_length; /* 1: tiles are counted along the shortest axis first, so that rows of neighbours are nearer; 0: along x */
  int32_t *cell;     /* scratch, `count` long */
  int32_t *order;    /* old row of each new row from first_row on */
} demi_members;

void demi_grid_init(demi_grid *grid);
void demi_grid_free(demi_grid *grid, dem_context *context);

/* Lays the grid over the particles with cells of at least `reach` and computes `order` and `cell_start`. */
dem_status demi_grid_sort(demi_grid *grid, const demi_store *store, const demi_box *box, const demi_members *members,
                          double reach);

/* Where nearly all members are along an axis: at most their whole extent, and no further than a declared box. */
void demi_grid_extent(const demi_store *store, const demi_box *box, const demi_members *members, int axis, double *low,
                      double *high);

static inline int32_t demi_grid_tiles(const demi_grid *g) { return g->tiles[0] * g->tiles[1] * g->tiles[2]; }
static inline int32_t demi_grid_cells_per_tile(const demi_grid *g) { return g->per_tile[0] * g->per_tile[1] * g->per_tile[2]; }

/* Cell coordinate of an upright coordinate along an axis. */
static inline int32_t demi_grid_coordinate(const demi_grid *grid, int axis, double x) {
  const double c = (x - grid->low[axis]) * grid->inverse_edge[axis];
  /* written so that even a NaN lands inside */
  if (!(c > 0)) return 0;
  return c < grid->cells[axis] ? (int32_t)c : grid->cells[axis] - 1;
}

static inline int32_t demi_grid_tile(const demi_grid *g, int32_t x, int32_t y, int32_t z) {
  return x * g->stride[0] + y * g->stride[1] + z * g->stride[2];
}

/* Index of a cell: tile after tile. */
static inline int32_t demi_grid_cell(const demi_grid *g, int32_t x, int32_t y, int32_t z) {
  const int32_t px = g->per_tile[0], py = g->per_tile[1], pz = g->per_tile[2];
  const int32_t tile = demi_grid_tile(g, x / px, y / py, z / pz);
  return tile * px * py * pz + x % px + px * (y % py + py * (z % pz));
}

/* Neighbour coordinates of c along an axis, itself included, without repeats: fills at most 3, returns how many. */
static inline int32_t demi_neighbours(int32_t c, int32_t n, int32_t periodic, int32_t out[3]) {
  int32_t count = 0;
  for (int32_t d = -1; d <= 1; d++) {
    int32_t k = c + d;
    if (periodic) k = k < 0 ? k + n : (k >= n ? k - n : k);
    if (k < 0 || k >= n) continue;
    int seen = 0;
    for (int32_t m = 0; m < count; m++) seen = seen || out[m] == k;
    if (!seen) out[count++] = k;
  }
  return count;
}

#endif
