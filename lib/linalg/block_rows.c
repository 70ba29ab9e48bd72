#include "block_rows.h"

#include <string.h>

#include "memory.h"

dem_status demi_block_rows_open(demi_block_rows *rows, dem_context *context, int64_t n) {
  rows->context = context;
  rows->n = n;
  rows->width = demi_allocate_zero(context, (size_t)n * sizeof *rows->width);
  return rows->width ? DEM_OK : DEM_NO_MEMORY;
}

void demi_block_rows_close(demi_block_rows *rows) {
  demi_free(rows->context, rows->width, (size_t)rows->n * sizeof *rows->width);
  rows->width = NULL;
}

static int add(demi_block_rows *rows, int64_t at, int32_t width) {
  if (width < 1 || width > DEMI_WIDTH_MOST || at < 0 || at > rows->n - width) return 1;
  if (rows->width[at] != 0 && rows->width[at] != width) return 1;
  rows->width[at] = width;
  return 0;
}

static int32_t visit(void *user, int64_t count, const dem_trial_block *blocks) {
  for (int64_t k = 0; k < count; k++)
    if (blocks[k].i == blocks[k].j || add(user, blocks[k].i, blocks[k].width_i) || add(user, blocks[k].j, blocks[k].width_j))
      return 1;
  return 0;
}

/* Rows must not overlap; gaps become rows of one. */
static dem_status complete(demi_block_rows *rows) {
  int64_t u = 0;
  while (u < rows->n) {
    if (rows->width[u] == 0) rows->width[u] = 1;
    for (int32_t a = 1; a < rows->width[u]; a++)
      if (rows->width[u + a] != 0) return DEM_BAD_ARGUMENT;
    u += rows->width[u];
  }
  return DEM_OK;
}

dem_status demi_block_rows_read(demi_block_rows *rows, const demi_block_source *source) {
  memset(rows->width, 0, (size_t)rows->n * sizeof *rows->width);
  const dem_status status = source->blocks(source->user, visit, rows);
  if (status) return status == DEM_CANCELLED ? DEM_BAD_ARGUMENT : status;
  return complete(rows);
}

int demi_block_rows_fit(const demi_block_rows *rows, const dem_trial_block *b) {
  return b->i >= 0 && b->i < rows->n && b->j >= 0 && b->j < rows->n && b->i != b->j && rows->width[b->i] == b->width_i &&
         rows->width[b->j] == b->width_j;
}
