/* The lowest eigenpairs of A by a block Lanczos method with thick restarts.
 *
 * The operator is B = P (A + s I)^-1 P, with P the projection that takes out the translations, and s the first of 1e-6, 1e-5 ... times
 * the mean diagonal of A for which A + s I is positive definite: all eigenvalues lambda of A are then above -s, and the lowest are
 * those with the largest 1/(lambda + s) of B. V holds orthonormal columns v_0 ... v_(have-1). B has been applied to the first `done`
 * of them:
 *
 *   B v_j = sum over k < have of v_k H_kj    (j < done),   H = V^T B V.
 *
 * A step applies B to v_done, stores its products with all columns, and appends the rest, normalised, as a new column. Beginning with
 * BLOCK random columns keeps `have` ahead of `done` by that number, so eigenvalues of that multiplicity are found at once. With the
 * eigenpairs (theta, y) of the leading done x done part of H, V y is an approximate eigenvector whose residual is the length of
 * H_(done ... have-1, 0 ... done-1) y. When V is full, the best V y take the place of the first columns, followed by the columns to
 * which B has not been applied, and the steps go on (Wu, Simon, SIAM J. Matrix Anal. Appl. 22 (2000) 602). Columns are orthogonalised
 * twice against all others. The eigenvalues that are given back are Rayleigh quotients x A x. */
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "simplicial.h"
#include "spectrum.h"

enum { BLOCK = 4, SPARE = 24 };

typedef struct krylov {
  dem_linalg *linalg;
  const demi_la_network *network;
  demi_la_simplicial factor;
  int64_t n, most, have, done, wanted;
  double *v, *fresh; /* most + BLOCK columns; room for `most` new ones */
  double *h;         /* (most + BLOCK)^2, column by column */
  double *y, *theta; /* eigenpairs of the leading part, ascending */
  double *work;      /* most + BLOCK */
  uint64_t random;
} krylov;

static int64_t stride(const krylov *k) { return k->most + BLOCK; }

static double next_random(krylov *k) {
  k->random = k->random * 6364136223846793005u + 1442695040888963407u;
  return (double)(k->random >> 11) / 9007199254740992.0 - 0.5;
}

/* ---- columns ---- */

/* w less its parts along all columns; their sizes are added to `along` (have numbers). */
static void orthogonalise(krylov *k, double *w, double *along) {
  const int n = (int)k->n, have = (int)k->have;
  memset(along, 0, (size_t)k->have * sizeof *along);
  for (int turn = 0; turn < 2 && have > 0; turn++) {
    cblas_dgemv(CblasColMajor, CblasTrans, n, have, 1, k->v, n, w, 1, 0, k->work, 1);
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, have, -1, k->v, n, k->work, 1, 1, w, 1);
    for (int64_t c = 0; c < k->have; c++) along[c] += k->work[c];
  }
}

static double length(const double *w, int64_t n) { return cblas_dnrm2((int)n, w, 1); }

/* Appends a random column that is orthogonal to the others. */
static void append_random(krylov *k, double *along) {
  double *w = k->v + k->have * k->n;
  for (int64_t c = 0; c < k->n; c++) w[c] = next_random(k);
  demi_la_network_project(k->network, w);
  orthogonalise(k, w, along);
  cblas_dscal((int)k->n, 1 / length(w, k->n), w, 1);
  k->have++;
}

static dem_status apply(krylov *k, const double *x, double *y) {
  const dem_status status = demi_la_simplicial_solve(k->linalg, &k->factor, x, y);
  if (!status) demi_la_network_project(k->network, y);
  return status;
}

/* One step; `along`: room for a column of H. */
static dem_status step(krylov *k, double *along) {
  double *w = k->v + k->have * k->n;
  const dem_status status = apply(k, k->v + k->done * k->n, w);
  if (status) return status;
  const double before = length(w, k->n);
  orthogonalise(k, w, along);
  const double rest = length(w, k->n);
  double *column = k->h + k->done * stride(k);
  memset(column, 0, (size_t)stride(k) * sizeof *column);
  memcpy(column, along, (size_t)k->have * sizeof *column);
  if (rest > 1e-13 * before) {
    cblas_dscal((int)k->n, 1 / rest, w, 1);
    column[k->have++] = rest;
  }
  k->done++;
  /* The columns span an invariant space: what is outside it is looked for from a random direction. */
  if (k->have == k->done && k->have < k->n - k->network->rigid && k->done < k->most) append_random(k, along);
  return DEM_OK;
}

/* ---- eigenpairs ---- */

static dem_status solve_small(krylov *k) {
  for (int64_t c = 0; c < k->done; c++) memcpy(k->y + c * k->done, k->h + c * stride(k), (size_t)k->done * sizeof *k->y);
  return demi_la_eigen(k->linalg, k->done, k->y, 1, k->theta);
}

/* Residual of pair p. */
static double residual(const krylov *k, int64_t p) {
  double square = 0;
  for (int64_t r = k->done; r < k->have; r++) {
    double sum = 0;
    for (int64_t c = 0; c < k->done; c++) sum += k->h[c * stride(k) + r] * k->y[p * k->done + c];
    square += sum * sum;
  }
  return sqrt(square);
}

/* How many of the largest theta in a row are exact enough. */
static int64_t converged(const krylov *k, double tolerance) {
  int64_t count = 0;
  while (count < k->wanted && count < k->done) {
    const int64_t p = k->done - 1 - count;
    if (!(residual(k, p) <= tolerance * fabs(k->theta[p]))) break;
    count++;
  }
  return count;
}

/* Keeps the `keep` best pairs as the first columns. */
static void restart(krylov *k, int64_t keep) {
  const int n = (int)k->n;
  const int64_t rest = k->have - k->done, first = k->done - keep;
  double *h = k->fresh; /* rows of the coupling, rest x keep */
  for (int64_t p = 0; p < keep; p++)
    for (int64_t r = 0; r < rest; r++) {
      double sum = 0;
      for (int64_t c = 0; c < k->done; c++) sum += k->h[c * stride(k) + k->done + r] * k->y[(first + p) * k->done + c];
      h[p * rest + r] = sum;
    }
  memset(k->h, 0, (size_t)(stride(k) * stride(k)) * sizeof *k->h);
  for (int64_t p = 0; p < keep; p++) {
    k->h[p * stride(k) + p] = k->theta[first + p];
    memcpy(k->h + p * stride(k) + keep, h + p * rest, (size_t)rest * sizeof *h);
  }
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, (int)keep, (int)k->done, 1, k->v, n, k->y + first * k->done,
              (int)k->done, 0, k->fresh, n);
  memcpy(k->v + keep * k->n, k->v + k->done * k->n, (size_t)(rest * k->n) * sizeof *k->v);
  memcpy(k->v, k->fresh, (size_t)(keep * k->n) * sizeof *k->v);
  k->done = keep;
  k->have = keep + rest;
}

/* ---- whole ---- */

static dem_status iterate(krylov *k, double tolerance, int64_t restarts_most, double *along, demi_la_spectrum *s) {
  dem_status status = DEM_OK;
  while (k->have < BLOCK && k->have < k->n - k->network->rigid) append_random(k, along);
  for (;;) {
    while (k->done < k->most && k->done < k->have && !status) status = step(k, along);
    if (!status) status = solve_small(k);
    if (status) return status;
    s->count = converged(k, tolerance);
    if (s->count == k->wanted || k->have == k->done || s->restarts == restarts_most) return DEM_OK;
    s->restarts++;
    restart(k, k->wanted + (k->most - k->wanted) / 2 < k->done ? k->wanted + (k->most - k->wanted) / 2 : k->done - 1);
  }
}

/* Eigenvectors and Rayleigh quotients, ascending. */
static dem_status give_pairs(krylov *k, demi_la_spectrum *s) {
  dem_linalg *l = k->linalg;
  s->value = demi_la_allocate(l, s->count, sizeof *s->value);
  s->vector = demi_la_allocate(l, s->count * k->n, sizeof *s->vector);
  if (!s->value || !s->vector) return demi_la_no_memory(l, "modes");
  for (int64_t p = 0; p < s->count; p++) {
    double *x = s->vector + p * k->n;
    cblas_dgemv(CblasColMajor, CblasNoTrans, (int)k->n, (int)k->done, 1, k->v, (int)k->n, k->y + (k->done - 1 - p) * k->done, 1,
                0, x, 1);
    cblas_dscal((int)k->n, 1 / length(x, k->n), x, 1);
    demi_la_triangle_multiply(&k->network->a, x, k->fresh);
    s->value[p] = cblas_ddot((int)k->n, x, 1, k->fresh, 1);
  }
  return DEM_OK;
}

static dem_status make_room(krylov *k) {
  dem_linalg *l = k->linalg;
  k->v = demi_la_allocate(l, stride(k) * k->n, sizeof *k->v);
  k->fresh = demi_la_allocate(l, k->most * k->n + k->most * BLOCK, sizeof *k->fresh);
  k->h = demi_la_allocate(l, stride(k) * stride(k), sizeof *k->h);
  k->y = demi_la_allocate(l, k->most * k->most, sizeof *k->y);
  k->theta = demi_la_allocate(l, k->most, sizeof *k->theta);
  k->work = demi_la_allocate(l, stride(k), sizeof *k->work);
  return k->v && k->fresh && k->h && k->y && k->theta && k->work ? DEM_OK : demi_la_no_memory(l, "Lanczos vectors");
}

static void free_room(krylov *k) {
  double *const rooms[] = {k->v, k->fresh, k->h, k->y, k->theta, k->work};
  for (int r = 0; r < 6; r++) demi_la_free(k->linalg, rooms[r]);
  demi_la_simplicial_free(k->linalg, &k->factor);
}

dem_status demi_la_spectrum_lanczos(dem_linalg *l, const demi_la_network *w, int64_t wanted, double tolerance,
                                    int64_t restarts_most, demi_la_spectrum *s) {
  krylov k = {.linalg = l, .network = w, .n = w->n, .wanted = wanted, .random = 1};
  const int64_t all = w->n - w->rigid, mean = 2 * wanted + SPARE;
  k.most = mean < all ? mean : all;
  const double scale = demi_la_triangle_mean(&w->a);
  double *along = demi_la_allocate(l, stride(&k), sizeof *along);
  dem_status status = along ? make_room(&k) : demi_la_no_memory(l, "Lanczos vectors");
  if (!status) status = demi_la_simplicial_factorise(l, &k.factor, &w->a, 1e-6 * scale, 1e3 * scale, "modes");
  if (!status) status = iterate(&k, tolerance, restarts_most, along, s);
  if (!status) status = give_pairs(&k, s);
  s->shift = k.factor.shift;
  s->fill = demi_la_simplicial_fill(&k.factor);
  demi_la_free(l, along);
  free_room(&k);
  return status;
}
