/* Incomplete Cholesky factor without fill. */
#ifndef DEMI_INCOMPLETE_H
#define DEMI_INCOMPLETE_H

#include "sparse.h"

typedef struct demi_incomplete {
  demi_sparse matrix;
  double *factor;   /* L, at the places of the matrix; its diagonal holds 1/L_uu */
  int64_t room;     /* numbers allocated there */
  double *work;     /* n; zero between calls */
  double *scale;    /* n: diagonal by which the shift is measured, > 0 */
  double shift;     /* of the present factor */
  int32_t attempts; /* that it took */
} demi_incomplete;

/* On failure nothing is held. */
dem_status demi_incomplete_open(demi_incomplete *f, dem_context *context, int64_t n);
void demi_incomplete_close(demi_incomplete *f);
/* Fills the matrix and factorises it; `holds` as for demi_sparse_fill. DEM_UNSUPPORTED: no finite factor. */
dem_status demi_incomplete_update(demi_incomplete *f, const demi_block_source *source, int holds);
/* x = (L L^T)^-1 b; x may be b. */
void demi_incomplete_solve(const demi_incomplete *f, const double *b, double *x);

#endif
