#include "unit/lattice.h"

#include <math.h>
#include <string.h>

double lattice_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(*state >> 11) / (double)((uint64_t)1 << 52) - 1;
}

/* k (n n^T + t (1 - n n^T)) between grains i and j, row-major 2 x 2. */
static void spring(dem_trial_block *b, int i, int j, double angle, double k, double t) {
  const double n[2] = {cos(angle), sin(angle)};
  memset(b, 0, sizeof *b);
  b->i = 2 * i;
  b->j = 2 * j;
  b->width_i = b->width_j = 2;
  for (int r = 0; r < 2; r++)
    for (int c = 0; c < 2; c++) {
      const double entry = k * (n[r] * n[c] + t * ((r == c) - n[r] * n[c]));
      b->ii[2 * r + c] = b->jj[2 * r + c] = entry;
      b->ij[2 * r + c] = b->ji[2 * r + c] = -entry;
    }
}

/* The wall's third unknown turns it about the lattice's origin: arm x along the lowest row. */
static void wall(dem_trial_block *b, int i, double x, double k) {
  memset(b, 0, sizeof *b);
  b->i = 2 * i;
  b->j = 2 * LATTICE_GRAINS;
  b->width_i = 2;
  b->width_j = 3;
  const double lever[2][3] = {{1, 0, 0}, {0, 1, x}}; /* motion of the wall under grain i */
  const double stiffness[2] = {0.1 * k, k};
  for (int d = 0; d < 2; d++) {
    b->ii[2 * d + d] = stiffness[d];
    for (int c = 0; c < 3; c++) b->ij[3 * d + c] = -stiffness[d] * lever[d][c];
    for (int c = 0; c < 3; c++) b->ji[2 * c + d] = -stiffness[d] * lever[d][c];
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) b->jj[3 * r + c] += stiffness[d] * lever[d][r] * lever[d][c];
  }
}

static int pair(const lattice *l, dem_trial_block_fn visit, void *visitor, int i, int j, double angle, double k, int *made) {
  dem_trial_block b[2];
  if (i == 5 || j == 5) return 0;
  const int twice = l->twice && *made % 7 == 0;
  spring(&b[0], i, j, angle, twice ? k / 2 : k, l->prestress);
  b[1] = b[0];
  ++*made;
  return visit(visitor, twice ? 2 : 1, b) != 0;
}

dem_status lattice_blocks(void *user, dem_trial_block_fn visit, void *visitor) {
  const lattice *l = user;
  static const int step[3][2] = {{1, 0}, {0, 1}, {-1, 1}};
  static const double angle[3] = {0, 1.0471975511965976, 2.0943951023931953};
  uint64_t state = 42;
  int made = 0;
  for (int row = 0; row < LATTICE_SIDE; row++)
    for (int column = 0; column < LATTICE_SIDE; column++)
      for (int d = 0; d < 3; d++) {
        const int right = column + step[d][0], up = row + step[d][1], i = row * LATTICE_SIDE + column,
                  j = up * LATTICE_SIDE + right;
        const double k = l->scale * pow(10, lattice_random(&state));
        if (right < 0 || right >= LATTICE_SIDE || up >= LATTICE_SIDE || row * LATTICE_SIDE + column >= LATTICE_GRAINS - l->skip)
          continue;
        if (pair(l, visit, visitor, i, j, angle[d], k, &made)) return DEM_CANCELLED;
      }
  for (int i = 0; i < LATTICE_SIDE; i++) {
    dem_trial_block b;
    wall(&b, i, i, l->scale);
    if (i != 5 && visit(visitor, 1, &b)) return DEM_CANCELLED;
  }
  return DEM_OK;
}

static void add(double *a, int64_t row, int64_t column, int32_t height, int32_t width, const double *block) {
  for (int32_t r = 0; r < height; r++)
    for (int32_t c = 0; c < width; c++) a[(row + r) * LATTICE_N + column + c] += block[r * width + c];
}

static int32_t add_dense(void *user, int64_t count, const dem_trial_block *blocks) {
  for (const dem_trial_block *b = blocks; b < blocks + count; b++) {
    add(user, b->i, b->i, b->width_i, b->width_i, b->ii);
    add(user, b->i, b->j, b->width_i, b->width_j, b->ij);
    add(user, b->j, b->i, b->width_j, b->width_i, b->ji);
    add(user, b->j, b->j, b->width_j, b->width_j, b->jj);
  }
  return 0;
}

void lattice_dense(const lattice *l, double *a) {
  memset(a, 0, sizeof *a * LATTICE_N * LATTICE_N);
  lattice_blocks((void *)(uintptr_t)l, add_dense, a);
}

int dense_cholesky(double *a, int n) {
  for (int r = 0; r < n; r++)
    for (int c = 0; c <= r; c++) {
      double sum = a[r * n + c];
      for (int j = 0; j < c; j++) sum -= a[r * n + j] * a[c * n + j];
      if (r == c && !(sum > 0)) return 0;
      a[r * n + c] = r == c ? sqrt(sum) : sum / a[c * n + c];
    }
  return 1;
}

void dense_solve(const double *l, int n, const double *b, double *x) {
  for (int r = 0; r < n; r++) {
    x[r] = b[r];
    for (int c = 0; c < r; c++) x[r] -= l[r * n + c] * x[c];
    x[r] /= l[r * n + r];
  }
  for (int r = n - 1; r >= 0; r--) {
    for (int c = r + 1; c < n; c++) x[r] -= l[c * n + r] * x[c];
    x[r] /= l[r * n + r];
  }
}
