/* A sparse Cholesky factor L L^T = P (A + s I) P^T of a symmetric matrix by CHOLMOD.
 *
 * Used of CHOLMOD: start, analyze, factorize_p, solve2 and free_..., with a simplicial factor and the AMD ordering, so the modules Core,
 * Check and Cholesky (LGPL) with AMD (BSD). The modules Supernodal, MatrixOps and Modify (GPL) and Partition (METIS) are never entered.
 * CHOLMOD's own memory is that of the C library. */
#ifndef DEMI_LA_SIMPLICIAL_H
#define DEMI_LA_SIMPLICIAL_H

#include <cholmod.h>

#include "triangle.h"

typedef struct demi_la_simplicial {
  cholmod_common common;
  cholmod_factor *factor;
  cholmod_dense *solution, *y, *e; /* room of solve2 */
  int32_t started;
  int64_t n, entries;   /* of the pattern that was analysed */
  int64_t *first, *row; /* copy of that pattern */
  int64_t analyses, factorisations;
  double shift; /* s of the factor */
} demi_la_simplicial;

/* All zero is empty. Factorises A + s I with s = least, 10 least ... until it is positive definite; the ordering is kept when the pattern
 * is that of the call before. `what` names A in a refusal.
 * DEM_UNSUPPORTED: not even with s = most, or too large; DEM_NO_MEMORY. There is no factor then. */
dem_status demi_la_simplicial_factorise(dem_linalg *l, demi_la_simplicial *s, const demi_la_triangle *a, double least,
                                        double most, const char *what);
/* x = (A + s I)^-1 b. */
dem_status demi_la_simplicial_solve(dem_linalg *l, demi_la_simplicial *s, const double *b, double *x);
/* Entries of L. */
int64_t demi_la_simplicial_fill(const demi_la_simplicial *s);
void demi_la_simplicial_free(dem_linalg *l, demi_la_simplicial *s);

#endif
