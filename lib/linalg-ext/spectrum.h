/* Lowest eigenvalues and vectors of A, without the translations. */
#ifndef DEMI_LA_SPECTRUM_H
#define DEMI_LA_SPECTRUM_H

#include "network_matrix.h"

typedef struct demi_la_spectrum {
  int64_t count;  /* eigenvalues found */
  double *value;  /* ascending */
  double *vector; /* n numbers each, orthonormal; NULL where the dense method was asked for none */
  int64_t restarts, fill;
  double shift;
} demi_la_spectrum;

/* All of them by LAPACK. `vectors` 0: only the eigenvalues. */
dem_status demi_la_spectrum_dense(dem_linalg *l, const demi_la_network *network, int vectors, demi_la_spectrum *spectrum);
/* The lowest `wanted` by a block Lanczos method; wanted <= n - rigid. Fewer when `restarts_most` ended it. */
dem_status demi_la_spectrum_lanczos(dem_linalg *l, const demi_la_network *network, int64_t wanted, double tolerance,
                                    int64_t restarts_most, demi_la_spectrum *spectrum);
void demi_la_spectrum_free(dem_linalg *l, demi_la_spectrum *spectrum);

/* Eigenvalues (ascending) and with `vectors` the eigenvectors of the dense symmetric matrix `a`, n x n, whose lower triangle in columns is
 * read; the vectors take its place, column by column. LAPACK's dsyevd. */
dem_status demi_la_eigen(dem_linalg *l, int64_t n, double *a, int vectors, double *value);

#endif
