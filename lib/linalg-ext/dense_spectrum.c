/* All modes by LAPACK. The r translations Q, which are eigenvectors of eigenvalue 0, are moved to the top: A + t Q Q^T with t above all
 * eigenvalues (Gershgorin) has the same other eigenvectors, and the last r of the ascending eigenvalues are left out. */
#include <lapacke.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "spectrum.h"

/* Beyond, the workspace that LAPACK asks for, 1 + 6 n + 2 n^2 numbers, overflows its integer of 32 bits, and the query gives a wrong size. */
enum { DENSE_MOST = 32766 };

static dem_status check_size(dem_linalg *l, int64_t n) {
  return n <= DENSE_MOST
             ? DEM_OK
             : demi_la_refuse(l, DEM_UNSUPPORTED, "dense modes: %lld unknowns, at most %d", (long long)n, DENSE_MOST);
}

/* The _work functions: no memory from the C library, no search for NaN, no message on stdout. */
dem_status demi_la_eigen(dem_linalg *l, int64_t n, double *a, int vectors, double *value) {
  const char job = vectors ? 'V' : 'N';
  const lapack_int order = (lapack_int)n;
  double most = 1;
  lapack_int whole = 1;
  if (n == 0) return DEM_OK;
  const dem_status status = check_size(l, n);
  if (status) return status;
  lapack_int info = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, job, 'L', order, a, order, value, &most, -1, &whole, -1);
  double *work = demi_la_allocate(l, (int64_t)most, sizeof *work);
  lapack_int *places = demi_la_allocate(l, whole, sizeof *places);
  const int room = work && places;
  if (info == 0 && room)
    info = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, job, 'L', order, a, order, value, work, (lapack_int)most, places, whole);
  demi_la_free(l, work);
  demi_la_free(l, places);
  if (!room) return demi_la_no_memory(l, "workspace of LAPACK");
  if (info) return demi_la_refuse(l, DEM_UNSUPPORTED, "dense modes: LAPACK's dsyevd gave up with info = %d", (int)info);
  return DEM_OK;
}

/* Largest sum of absolute values of a row. */
static double gershgorin(const demi_la_network *w, double *sum) {
  double most = 0;
  memset(sum, 0, (size_t)w->n * sizeof *sum);
  for (int64_t c = 0; c < w->n; c++)
    for (int64_t k = w->a.first[c]; k < w->a.first[c + 1]; k++) {
      sum[c] += fabs(w->a.value[k]);
      if (w->a.row[k] != c) sum[w->a.row[k]] += fabs(w->a.value[k]);
    }
  for (int64_t c = 0; c < w->n; c++) most = fmax(most, sum[c]);
  return most;
}

static void fill(const demi_la_network *w, double lift, double *full) {
  for (int64_t c = 0; c < w->n; c++) {
    double *column = full + c * w->n;
    for (int32_t q = 0; q < w->rigid; q++)
      for (int64_t r = c; r < w->n; r++) column[r] += lift * w->translation[q * w->n + c] * w->translation[q * w->n + r];
    for (int64_t k = w->a.first[c]; k < w->a.first[c + 1]; k++) column[w->a.row[k]] += w->a.value[k];
  }
}

dem_status demi_la_spectrum_dense(dem_linalg *l, const demi_la_network *w, int vectors, demi_la_spectrum *s) {
  const dem_status size = check_size(l, w->n);
  if (size) return size;
  s->value = demi_la_allocate(l, w->n, sizeof *s->value);
  s->vector = demi_la_allocate(l, w->n * w->n, sizeof *s->vector);
  if (!s->value || !s->vector) return demi_la_no_memory(l, "a dense matrix");
  fill(w, 2 * gershgorin(w, s->value) + 1e-300, s->vector);
  const dem_status status = demi_la_eigen(l, w->n, s->vector, vectors, s->value);
  s->count = w->n - w->rigid;
  if (vectors) return status;
  demi_la_free(l, s->vector);
  s->vector = NULL;
  return status;
}

void demi_la_spectrum_free(dem_linalg *l, demi_la_spectrum *s) {
  demi_la_free(l, s->value);
  demi_la_free(l, s->vector);
  memset(s, 0, sizeof *s);
}
