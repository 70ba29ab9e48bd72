/* Each block B of w unknowns, made positive definite: B + s t 1 with t the mean of the |diagonal|, s = 0, FIRST, then doubled until all
 * pivots of Cholesky's method exceed LEAST t. A block that is 0 (nothing touches this row) becomes t 1 with t the mean of all blocks. */
#include "block_diagonal.h"

#include <math.h>
#include <string.h>

#include "memory.h"

enum { W = DEMI_WIDTH_MOST };
static const double LEAST = 1e-4, FIRST = 1e-3, MOST = 1e100;

static size_t bytes_of(const demi_block_diagonal *d) { return (size_t)d->rows.n * W * sizeof *d->factor; }

dem_status demi_block_diagonal_open(demi_block_diagonal *d, dem_context *context, int64_t n) {
  memset(d, 0, sizeof *d);
  const dem_status status = demi_block_rows_open(&d->rows, context, n);
  if (status) return status;
  d->factor = demi_allocate_zero(context, bytes_of(d));
  if (d->factor) return DEM_OK;
  demi_block_rows_close(&d->rows);
  return DEM_NO_MEMORY;
}

void demi_block_diagonal_close(demi_block_diagonal *d) {
  demi_free(d->rows.context, d->factor, bytes_of(d));
  demi_block_rows_close(&d->rows);
}

static void add(demi_block_diagonal *d, int64_t at, int32_t w, const double *a) {
  for (int32_t r = 0; r < w; r++)
    for (int32_t c = 0; c < w; c++) d->factor[(at + r) * W + c] += 0.5 * (a[r * w + c] + a[c * w + r]);
}

static int32_t add_blocks(void *user, int64_t count, const dem_trial_block *blocks) {
  demi_block_diagonal *d = user;
  for (int64_t k = 0; k < count; k++) {
    const dem_trial_block *b = &blocks[k];
    if (!demi_block_rows_fit(&d->rows, b)) return 1;
    add(d, b->i, b->width_i, b->ii);
    add(d, b->j, b->width_j, b->jj);
  }
  return 0;
}

static dem_status read_blocks(demi_block_diagonal *d, const demi_block_source *source) {
  memset(d->factor, 0, bytes_of(d));
  return source->blocks(source->user, add_blocks, d);
}

static double mean_diagonal(const double *a, int32_t w) {
  double sum = 0;
  for (int32_t r = 0; r < w; r++) sum += fabs(a[r * W + r]);
  return sum / w;
}

/* Cholesky's method, from `a` to `l`, in rows of W. 0: a pivot is not above `least`. */
static int cholesky(const double *a, double *l, int32_t w, double shift, double least) {
  for (int32_t r = 0; r < w; r++)
    for (int32_t c = 0; c <= r; c++) {
      double sum = a[r * W + c] + (r == c ? shift : 0);
      for (int32_t j = 0; j < c; j++) sum -= l[r * W + j] * l[c * W + j];
      if (r == c && !(sum > least)) return 0;
      l[r * W + c] = r == c ? 1 / sqrt(sum) : sum * l[c * W + c];
    }
  return 1;
}

/* 0: no shift makes it positive definite, as an entry is not finite. */
static int factorise(double *a, int32_t w, double fallback) {
  double l[W * W] = {0}, t = mean_diagonal(a, w);
  if (!(t > 0)) {
    memset(a, 0, (size_t)w * W * sizeof *a);
    t = fallback;
    for (int32_t r = 0; r < w; r++) a[r * W + r] = t;
  }
  for (double s = 0; !cholesky(a, l, w, s * t, LEAST * t);) {
    s = fmax(2 * s, FIRST);
    if (s > MOST) return 0;
  }
  memcpy(a, l, (size_t)w * W * sizeof *a);
  return 1;
}

/* Mean over the rows that have a stiffness; 1 if none has. NaN if there is one. */
static double mean_of_all(const demi_block_diagonal *d) {
  double sum = 0;
  int64_t count = 0;
  for (int64_t u = 0; u < d->rows.n; u += d->rows.width[u]) {
    const double t = mean_diagonal(d->factor + u * W, d->rows.width[u]);
    sum += t;
    count += t > 0;
  }
  return count > 0 ? sum / (double)count : 1;
}

dem_status demi_block_diagonal_update(demi_block_diagonal *d, const demi_block_source *source, int holds) {
  dem_status status = DEM_CANCELLED;
  if (holds && d->built) status = read_blocks(d, source);
  if (status == DEM_CANCELLED) {
    d->built = 0;
    status = demi_block_rows_read(&d->rows, source);
    if (!status) status = read_blocks(d, source);
  }
  if (status) return status == DEM_CANCELLED ? DEM_BAD_ARGUMENT : status;
  d->built = 1;
  const double mean = mean_of_all(d);
  if (!isfinite(mean)) return DEM_UNSUPPORTED;
  for (int64_t u = 0; u < d->rows.n; u += d->rows.width[u])
    if (!factorise(d->factor + u * W, d->rows.width[u], mean)) return DEM_UNSUPPORTED;
  return DEM_OK;
}

void demi_block_diagonal_solve(const demi_block_diagonal *d, const double *b, double *x) {
  for (int64_t u = 0; u < d->rows.n; u += d->rows.width[u]) {
    const double *l = d->factor + u * W;
    const int32_t w = d->rows.width[u];
    for (int32_t r = 0; r < w; r++) {
      double sum = b[u + r];
      for (int32_t c = 0; c < r; c++) sum -= l[r * W + c] * x[u + c];
      x[u + r] = sum * l[r * W + r];
    }
    for (int32_t r = w - 1; r >= 0; r--) {
      double sum = x[u + r];
      for (int32_t c = r + 1; c < w; c++) sum -= l[c * W + r] * x[u + c];
      x[u + r] = sum * l[r * W + r];
    }
  }
}
