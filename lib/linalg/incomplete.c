/* L with the pattern of the lower triangle of A, row by row, such that L L^T = A + s D wherever A has an entry:
 *
 *   L_uc = (A_uc - sum_{j < c} L_uj L_cj)/L_cc,   L_uu^2 = A_uu + s D_u - sum_{j < u} L_uj^2
 *
 * D_u = A_uu; where that is not above 0 (an unknown without contacts, or one that is pushed out of place) the mean of those above 0,
 * and A_uu counts as 0. A row that is 0 altogether gets L_uu^2 = D_u. The factor need not exist, and cannot as it stands where A is
 * indefinite: as long as some L_uu^2 <= LEAST D_u, s is raised, from 0 to FIRST, then by factors of 2 (T. A. Manteuffel, Mathematics of
 * Computation 34 (1980) 473). The next factorisation begins with a quarter of the latest s. */
#include "incomplete.h"

#include <math.h>
#include <string.h>

#include "memory.h"

static const double LEAST = 1e-4, FIRST = 1e-3;
enum { ATTEMPTS = 60 };

dem_status demi_incomplete_open(demi_incomplete *f, dem_context *context, int64_t n) {
  memset(f, 0, sizeof *f);
  const dem_status status = demi_sparse_open(&f->matrix, context, n);
  if (status) return status;
  f->work = demi_allocate_zero(context, (size_t)n * sizeof *f->work);
  f->scale = demi_allocate_zero(context, (size_t)n * sizeof *f->scale);
  if (f->work && f->scale) return DEM_OK;
  demi_incomplete_close(f);
  return DEM_NO_MEMORY;
}

void demi_incomplete_close(demi_incomplete *f) {
  dem_context *context = f->matrix.rows.context;
  const int64_t n = f->matrix.rows.n;
  demi_free(context, f->factor, (size_t)f->room * sizeof *f->factor);
  demi_free(context, f->work, (size_t)n * sizeof *f->work);
  demi_free(context, f->scale, (size_t)n * sizeof *f->scale);
  demi_sparse_close(&f->matrix);
}

static dem_status make_room(demi_incomplete *f) {
  dem_context *context = f->matrix.rows.context;
  if (f->room >= f->matrix.room) return DEM_OK;
  demi_free(context, f->factor, (size_t)f->room * sizeof *f->factor);
  f->room = f->matrix.room;
  f->factor = demi_allocate(context, (size_t)f->room * sizeof *f->factor);
  if (!f->factor) f->room = 0;
  return f->factor ? DEM_OK : DEM_NO_MEMORY;
}

static void measure_diagonal(demi_incomplete *f) {
  const demi_sparse *a = &f->matrix;
  double sum = 0;
  int64_t above = 0;
  for (int64_t u = 0; u < a->rows.n; u++) {
    f->scale[u] = a->value[a->first[u + 1] - 1];
    if (f->scale[u] > 0) sum += f->scale[u];
    above += f->scale[u] > 0;
  }
  const double mean = above > 0 ? sum / (double)above : 1;
  for (int64_t u = 0; u < a->rows.n; u++)
    if (!(f->scale[u] > 0)) f->scale[u] = mean;
}

static int empty(const demi_sparse *a, int64_t u) {
  for (int64_t k = a->first[u]; k < a->first[u + 1]; k++)
    if (a->value[k] != 0) return 0;
  return 1;
}

/* Row u, its entries spread over `work` while it is made. 0 if its diagonal is too small. */
static int factor_row(demi_incomplete *f, int64_t u) {
  const demi_sparse *a = &f->matrix;
  const int64_t begin = a->first[u], end = a->first[u + 1] - 1;
  double square = fmax(a->value[end], 0) + f->shift * f->scale[u];
  if (a->value[end] <= 0 && empty(a, u)) square = f->scale[u]; /* bound to nothing, and with no stiffness of its own */
  for (int64_t k = begin; k < end; k++) {
    const int64_t c = a->column[k], last = a->first[c + 1] - 1;
    double sum = a->value[k];
    for (int64_t j = a->first[c]; j < last; j++) sum -= f->factor[j] * f->work[a->column[j]];
    f->factor[k] = f->work[c] = sum * f->factor[last];
    square -= f->factor[k] * f->factor[k];
  }
  for (int64_t k = begin; k < end; k++) f->work[a->column[k]] = 0;
  if (!(square > LEAST * f->scale[u]) || !isfinite(square)) return 0;
  f->factor[end] = 1 / sqrt(square);
  return 1;
}

static int factorise(demi_incomplete *f) {
  for (int64_t u = 0; u < f->matrix.rows.n; u++)
    if (!factor_row(f, u)) return 0;
  return 1;
}

dem_status demi_incomplete_update(demi_incomplete *f, const demi_block_source *source, int holds) {
  dem_status status = demi_sparse_fill(&f->matrix, source, holds);
  if (!status) status = make_room(f);
  if (status) return status;
  measure_diagonal(f);
  f->shift = f->shift / 4 >= FIRST ? f->shift / 4 : 0;
  for (f->attempts = 1; f->attempts <= ATTEMPTS; f->attempts++) {
    if (factorise(f)) return DEM_OK;
    f->shift = fmax(2 * f->shift, FIRST);
  }
  f->shift = 0;
  return DEM_UNSUPPORTED;
}

void demi_incomplete_solve(const demi_incomplete *f, const double *b, double *x) {
  const demi_sparse *a = &f->matrix;
  const int64_t n = a->rows.n;
  if (x != b) memcpy(x, b, (size_t)n * sizeof *x);
  for (int64_t u = 0; u < n; u++) {
    const int64_t end = a->first[u + 1] - 1;
    double sum = x[u];
    for (int64_t k = a->first[u]; k < end; k++) sum -= f->factor[k] * x[a->column[k]];
    x[u] = sum * f->factor[end];
  }
  for (int64_t u = n - 1; u >= 0; u--) {
    const int64_t end = a->first[u + 1] - 1;
    x[u] *= f->factor[end];
    for (int64_t k = a->first[u]; k < end; k++) x[a->column[k]] -= f->factor[k] * x[u];
  }
}
