/* Tiles of all levels, which of a level are neighbours, and blocks of tiles. No tile and no block is of two levels. */
#include <string.h>

#include "build.h"
#include "memory.h"

/* Rows of a block at least. Coarse particles have more contacts each, and fewer blocks to share between threads. */
enum { BLOCK_ROWS = 128, COARSE_BLOCK_ROWS = 32 };

/* ---- room ---- */

static void free_motion(demi_motion *m, dem_context *context) {
  const size_t tiles = (size_t)m->tile_capacity, blocks = (size_t)m->block_capacity;
  demi_free(context, m->tile_start, (tiles + 1) * sizeof *m->tile_start);
  for (int k = 0; k < 2; k++) demi_free(context, m->bounds[k].moved, tiles * 8 * sizeof(double));
  demi_free(context, m->block_tile, (blocks + 1) * sizeof *m->block_tile);
  demi_free(context, m->recent, blocks * 8 * sizeof *m->recent);
  memset(m, 0, sizeof *m);
}

/* Frees all arrays whose length is the number of tiles or blocks. */
void demi_tiles_free(demi_list *list) {
  const size_t blocks = (size_t)list->motion.block_capacity;
  demi_free(list->context, list->face_start, (blocks + 1) * sizeof *list->face_start);
  demi_free(list->context, list->near_count, blocks * sizeof *list->near_count);
  list->face_start = list->near_count = NULL;
  free_motion(&list->motion, list->context);
}

static dem_status ensure_tiles(demi_list *list, int64_t tiles) {
  demi_motion *m = &list->motion;
  if (tiles <= m->tile_capacity && tiles <= m->block_capacity) return DEM_OK;
  dem_context *context = list->context;
  demi_tiles_free(list);
  const size_t n = (size_t)(tiles + tiles / 4 + 8);
  m->tile_capacity = m->block_capacity = (int64_t)n;
  m->tile_start = demi_allocate_zero(context, (n + 1) * sizeof *m->tile_start);
  m->block_tile = demi_allocate_zero(context, (n + 1) * sizeof *m->block_tile);
  for (int k = 0; k < 2; k++) m->bounds[k].moved = demi_allocate_zero(context, n * 8 * sizeof(double));
  m->recent = demi_allocate_zero(context, n * 8 * sizeof *m->recent);
  list->face_start = demi_allocate_zero(context, (n + 1) * sizeof *list->face_start);
  list->near_count = demi_allocate_zero(context, n * sizeof *list->near_count);
  const int complete = m->tile_start && m->block_tile && m->bounds[0].moved && m->bounds[1].moved && m->recent &&
                       list->face_start && list->near_count;
  if (complete) return DEM_OK;
  demi_tiles_free(list);
  return DEM_NO_MEMORY;
}

/* ---- tiles ---- */

/* Tiles that hold particles, in order. */
static void lay_level(demi_list *list, demi_level *level) {
  demi_motion *m = &list->motion;
  demi_grid *g = &level->grid;
  const int64_t per_tile = demi_grid_cells_per_tile(g), grid_tiles = demi_grid_tiles(g);
  level->first_tile = m->tiles;
  for (int64_t t = 0; t < grid_tiles; t++) {
    const int32_t first = g->cell_start[t * per_tile], last = g->cell_start[(t + 1) * per_tile];
    g->tile_map[t] = last > first ? m->tiles : -1;
    if (last > first) m->tile_start[m->tiles++] = first;
  }
}

/* Forward half of the neighbouring tiles of one tile. */
static void list_near(demi_list *list, const demi_grid *g, int32_t x, int32_t y, int32_t z, const int32_t periodic[3]) {
  const int32_t *n = g->tiles, *map = g->tile_map;
  const int32_t me = map[demi_grid_tile(g, x, y, z)];
  int32_t nx[3], ny[3], nz[3], found = 0;
  const int32_t cx = demi_neighbours(x, n[0], periodic[0], nx), cy = demi_neighbours(y, n[1], periodic[1], ny);
  const int32_t cz = demi_neighbours(z, n[2], periodic[2], nz);
  int32_t *out = list->near + DEMI_NEAR * (int64_t)me;
  for (int32_t c = 0; c < cz; c++)
    for (int32_t b = 0; b < cy; b++)
      for (int32_t a = 0; a < cx; a++) {
        const int32_t other = map[demi_grid_tile(g, nx[a], ny[b], nz[c])];
        if (other > me) out[found++] = other; /* of each two neighbours the lower one lists the pair */
      }
  while (found < DEMI_NEAR) out[found++] = -1;
}

static void list_all_near(demi_list *list, const demi_grid *g, const int32_t periodic[3]) {
  const int32_t *n = g->tiles;
  for (int32_t z = 0; z < n[2]; z++)
    for (int32_t y = 0; y < n[1]; y++)
      for (int32_t x = 0; x < n[0]; x++)
        if (g->tile_map[demi_grid_tile(g, x, y, z)] >= 0) list_near(list, g, x, y, z, periodic);
}

/* ---- blocks ---- */

static void lay_blocks(demi_list *list, int64_t rows) {
  demi_motion *m = &list->motion;
  int64_t in_block = 0, full = 0;
  int32_t level = -1;
  m->blocks = 0;
  for (int32_t t = 0; t < m->tiles; t++) {
    const int32_t here = demi_level_of_tile(list, t);
    if (here != level || in_block >= full) {
      m->block_tile[m->blocks++] = t;
      in_block = 0;
      level = here;
      full = level > 0 ? COARSE_BLOCK_ROWS : BLOCK_ROWS;
    }
    in_block += m->tile_start[t + 1] - m->tile_start[t];
  }
  m->block_tile[m->blocks] = m->tiles;
  if (rows > 0) memset(m->bounds[DEMI_SINCE_BUILD].moved, 0, (size_t)m->tiles * 8 * sizeof(double));
  if (rows > 0) memset(m->recent, 0, (size_t)m->blocks * 8 * sizeof *m->recent);
}

dem_status demi_tiles_lay(demi_list *list, int64_t rows, const int32_t periodic[3]) {
  int64_t most = 0;
  for (int32_t l = 0; l < list->levels; l++) most += demi_grid_tiles(&list->level[l].grid);
  dem_status status = ensure_tiles(list, most);
  if (!status)
    status = demi_ensure_room(list->context, &list->near, &list->near_capacity, DEMI_NEAR * most, 0, sizeof *list->near);
  if (status) return status;
  list->motion.tiles = 0;
  for (int32_t l = 0; l < list->levels; l++) lay_level(list, &list->level[l]);
  list->level[list->levels].first_tile = list->motion.tiles;
  list->motion.tile_start[list->motion.tiles] = (int32_t)rows;
  for (int32_t l = 0; l < list->levels; l++) list_all_near(list, &list->level[l].grid, periodic);
  lay_blocks(list, rows);
  return DEM_OK;
}

/* ---- chunks ---- */

/* Cuts the blocks where the cost (rows and pairs) splits evenly. */
void demi_chunks_lay(const demi_list *list, demi_chunks *p, int32_t first_block, int32_t end_block, int32_t count) {
  const demi_motion *m = &list->motion;
  const int32_t first = demi_block_first(m, first_block), end = demi_block_first(m, end_block);
  const double before = first + 2.0 * list->row_start[first], all = end + 2.0 * list->row_start[end] - before;
  p->count = count;
  int32_t block = first_block;
  for (int32_t k = 0; k < count; k++) {
    const double goal = (double)k / count * all;
    while (block < end_block) {
      const int32_t row = demi_block_first(m, block);
      if ((double)row + 2.0 * list->row_start[row] - before >= goal) break;
      block++;
    }
    p->block[k] = block;
    p->row[k] = demi_block_first(m, block);
  }
  p->block[count] = end_block;
  p->row[count] = end;
}
