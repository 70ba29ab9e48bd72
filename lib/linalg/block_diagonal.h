/* The diagonal blocks of a symmetric matrix, each with its Cholesky factor. */
#ifndef DEMI_BLOCK_DIAGONAL_H
#define DEMI_BLOCK_DIAGONAL_H

#include "block_rows.h"

typedef struct demi_block_diagonal {
  demi_block_rows rows;
  double *factor; /* DEMI_WIDTH_MOST numbers for each unknown: row of A, then of L, whose diagonal holds 1/L_uu */
  int32_t built;
} demi_block_diagonal;

/* On failure nothing is held. */
dem_status demi_block_diagonal_open(demi_block_diagonal *d, dem_context *context, int64_t n);
void demi_block_diagonal_close(demi_block_diagonal *d);
/* Reads and factorises the blocks; `holds`: the rows are probably those of the latest call. */
dem_status demi_block_diagonal_update(demi_block_diagonal *d, const demi_block_source *source, int holds);
/* x = D^-1 b; x may be b. */
void demi_block_diagonal_solve(const demi_block_diagonal *d, const double *b, double *x);

#endif
