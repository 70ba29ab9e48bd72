/* Lower triangle of a symmetric matrix in compressed rows, filled from blocks.
 *
 * Row u holds the entries first[u] ... first[u + 1] - 1, columns ascending; the last one is the diagonal. Rows of one row of blocks
 * have the same columns left of it. Of unsymmetric blocks the symmetric part is taken. */
#ifndef DEMI_SPARSE_H
#define DEMI_SPARSE_H

#include "block_rows.h"

typedef struct demi_sparse {
  demi_block_rows rows;
  int64_t *first;  /* n + 1 */
  int64_t *next;   /* n: work */
  int64_t *column; /* room */
  int64_t *work;   /* room: rows in the order of columns, while the pattern is built */
  double *value;   /* room */
  int64_t room;    /* entries allocated */
  int32_t built;   /* there is a pattern */
} demi_sparse;

/* On failure nothing is held. */
dem_status demi_sparse_open(demi_sparse *s, dem_context *context, int64_t n);
void demi_sparse_close(demi_sparse *s);
/* Fills the matrix. `holds`: the pattern is probably that of the latest call; it is built anew where a block finds no place in it.
 * DEM_BAD_ARGUMENT: the blocks make no matrix (demi_block_rows_read). */
dem_status demi_sparse_fill(demi_sparse *s, const demi_block_source *source, int holds);
/* y = A x, both triangles */
void demi_sparse_apply(const demi_sparse *s, const double *x, double *y);

#endif
