/* A symmetric matrix that comes as blocks (dem_trial_block), and the rows of blocks that it consists of. */
#ifndef DEMI_BLOCK_ROWS_H
#define DEMI_BLOCK_ROWS_H

#include <dem/plugin/trial.h>

enum { DEMI_WIDTH_MOST = 6 };

/* Where the blocks come from. */
typedef struct demi_block_source {
  dem_status (*blocks)(void *user, dem_trial_block_fn visit, void *visitor);
  void *user;
} demi_block_source;

/* width[u]: length of the row of blocks that begins at unknown u, 1 ... 6; 0 inside of a row. Unknowns in no block are rows of one. */
typedef struct demi_block_rows {
  dem_context *context;
  int64_t n;
  int32_t *width;
} demi_block_rows;

dem_status demi_block_rows_open(demi_block_rows *rows, dem_context *context, int64_t n);
void demi_block_rows_close(demi_block_rows *rows);
/* Reads the rows. DEM_BAD_ARGUMENT: a block reaches beyond the unknowns, is wider than 6, or rows overlap. */
dem_status demi_block_rows_read(demi_block_rows *rows, const demi_block_source *source);
/* 1 if a block lies on two rows. */
int demi_block_rows_fit(const demi_block_rows *rows, const dem_trial_block *b);

#endif
