/* Matrices from blocks, incomplete and block factors against dense ones. */
#include "assertions.h"

#include <stdlib.h>

#include "block_diagonal.h"
#include "incomplete.h"
#include "unit/lattice.h"

enum { N = LATTICE_N };

typedef struct world {
  dem_context *context;
  double a[N * N], l[N * N];
  double x[N], y[N], z[N];
} world;

static demi_block_source source_of(lattice *l) { return (demi_block_source){lattice_blocks, l}; }

/* A x of the sparse matrix against the dense one; also where the pattern changed though it was said to hold. */
static void filled(void **state) {
  world *w = *state;
  demi_sparse s;
  uint64_t seed = 9;
  assert_int_equal(demi_sparse_open(&s, w->context, N), DEM_OK);
  for (int k = 0; k < 6; k++) {
    lattice l = {.prestress = -0.02, .scale = 1 + k, .skip = k == 2 ? 40 : 3, .twice = k >= 4};
    const demi_block_source source = source_of(&l);
    assert_int_equal(demi_sparse_fill(&s, &source, k != 1), DEM_OK);
    lattice_dense(&l, w->a);
    for (int i = 0; i < N; i++) w->x[i] = lattice_random(&seed);
    demi_sparse_apply(&s, w->x, w->y);
    for (int r = 0; r < N; r++) {
      double sum = 0, size = 0;
      for (int c = 0; c < N; c++) sum += w->a[r * N + c] * w->x[c];
      for (int c = 0; c < N; c++) size += fabs(w->a[r * N + c] * w->x[c]);
      ASSERT_ABS(w->y[r], sum, 1e-14 * size);
    }
  }
  demi_sparse_close(&s);
}

/* (L L^T)_uc = A_uc + s D_u [u = c] wherever A has an entry: the definition. Read through solves of unit vectors would not show it, so
 * the factor itself is multiplied. */
static void definition(world *w, const demi_incomplete *f) {
  const demi_sparse *s = &f->matrix;
  double *factor = calloc(N * N, sizeof *factor);
  for (int u = 0; u < N; u++)
    for (int64_t k = s->first[u]; k < s->first[u + 1]; k++)
      factor[u * N + s->column[k]] = s->column[k] == u ? 1 / f->factor[k] : f->factor[k];
  for (int u = 0; u < N; u++)
    for (int64_t k = s->first[u]; k < s->first[u + 1]; k++) {
      const int64_t c = s->column[k];
      double sum = 0;
      for (int64_t j = 0; j <= c; j++) sum += factor[u * N + j] * factor[c * N + j];
      const int nothing = u / 2 == 5; /* bound to nothing */
      const double expected =
          nothing ? (u == c) * f->scale[u] : (u == c ? fmax(w->a[u * N + c], 0) + f->shift * f->scale[u] : w->a[u * N + c]);
      ASSERT_ABS(sum, expected, 1e-12 * f->scale[u]);
    }
  free(factor);
}

static void incomplete(void **state) {
  world *w = *state;
  demi_incomplete f;
  assert_int_equal(demi_incomplete_open(&f, w->context, N), DEM_OK);
  for (int k = 0; k < 4; k++) {
    lattice l = {.prestress = k == 0 ? 0.1 : k == 1 ? -0.05 : k == 2 ? -0.6 : 0, .scale = 1e-3, .twice = k == 3};
    const demi_block_source source = source_of(&l);
    assert_int_equal(demi_incomplete_update(&f, &source, k > 0), DEM_OK);
    lattice_dense(&l, w->a);
    print_message("# prestress %g: shift %g after %d attempts\n", l.prestress, f.shift, f.attempts);
    assert_true((k == 2) <= (f.shift > 0)); /* an indefinite matrix has no factor without a shift */
    definition(w, &f);
    /* the solution solves with the factor: M (M^-1 b) = b */
    uint64_t seed = 3;
    for (int i = 0; i < N; i++) w->x[i] = lattice_random(&seed);
    demi_incomplete_solve(&f, w->x, w->y);
    memset(w->l, 0, sizeof w->l);
    for (int u = 0; u < N; u++)
      for (int64_t e = f.matrix.first[u]; e < f.matrix.first[u + 1]; e++)
        w->l[u * N + f.matrix.column[e]] = f.matrix.column[e] == u ? 1 / f.factor[e] : f.factor[e];
    dense_solve(w->l, N, w->x, w->z);
    for (int i = 0; i < N; i++) ASSERT_ABS(w->y[i], w->z[i], 1e-10 * fabs(w->z[i]) + 1e-10 / l.scale);
  }
  demi_incomplete_close(&f);
}

/* A chain has a factor without fill, so that the incomplete one is exact. */
static dem_status chain_blocks(void *user, dem_trial_block_fn visit, void *visitor) {
  (void)user;
  for (int i = 0; i < 20; i++) {
    dem_trial_block b = {.i = 2 * i, .j = 2 * i + 2, .width_i = 2, .width_j = 2};
    const double k[4] = {2 + i, 0.5, 0.5, 3};
    for (int e = 0; e < 4; e++) b.ii[e] = b.jj[e] = k[e] * (1 + 0.01 * (e % 3 == 0));
    for (int e = 0; e < 4; e++) b.ij[e] = b.ji[e] = -k[e];
    if (visit(visitor, 1, &b)) return DEM_CANCELLED;
  }
  return DEM_OK;
}

static int32_t add_chain(void *user, int64_t count, const dem_trial_block *b) {
  double *a = user;
  assert_int_equal(count, 1);
  for (int r = 0; r < 2; r++)
    for (int c = 0; c < 2; c++) {
      a[(b->i + r) * 42 + b->i + c] += b->ii[2 * r + c];
      a[(b->j + r) * 42 + b->j + c] += b->jj[2 * r + c];
      a[(b->i + r) * 42 + b->j + c] += b->ij[2 * r + c];
      a[(b->j + r) * 42 + b->i + c] += b->ji[2 * r + c];
    }
  return 0;
}

static void exact_on_a_chain(void **state) {
  world *w = *state;
  double a[42 * 42] = {0}, b[42], x[42], y[42];
  demi_incomplete f;
  const demi_block_source source = {chain_blocks, NULL};
  assert_int_equal(demi_incomplete_open(&f, w->context, 42), DEM_OK);
  assert_int_equal(demi_incomplete_update(&f, &source, 0), DEM_OK);
  assert_true(f.shift == 0);
  chain_blocks(NULL, add_chain, a);
  assert_true(dense_cholesky(a, 42));
  for (int i = 0; i < 42; i++) b[i] = cos(i);
  dense_solve(a, 42, b, x);
  demi_incomplete_solve(&f, b, y);
  for (int i = 0; i < 42; i++) ASSERT_REL(y[i], x[i], 1e-11);
  demi_incomplete_close(&f);
}

/* Blocks that are positive definite as they stand are solved exactly; all others lead to a positive definite operator. */
static void block_diagonal(void **state) {
  world *w = *state;
  demi_block_diagonal d;
  uint64_t seed = 4;
  assert_int_equal(demi_block_diagonal_open(&d, w->context, N), DEM_OK);
  for (int k = 0; k < 3; k++) {
    lattice l = {.prestress = k == 0 ? 0.1 : k == 1 ? -0.02 : -3, .scale = 10};
    const demi_block_source source = source_of(&l);
    assert_int_equal(demi_block_diagonal_update(&d, &source, k > 0), DEM_OK);
    lattice_dense(&l, w->a);
    for (int i = 0; i < N; i++) w->x[i] = lattice_random(&seed);
    demi_block_diagonal_solve(&d, w->x, w->y);
    double energy = 0;
    for (int i = 0; i < N; i++) energy += w->x[i] * w->y[i];
    assert_true(energy > 0);
    for (int u = 0; k < 2 && u < N; u += d.rows.width[u]) {
      if (u / 2 == 5) continue;
      for (int r = u; r < u + d.rows.width[u]; r++) {
        double sum = 0;
        for (int c = u; c < u + d.rows.width[u]; c++) sum += w->a[r * N + c] * w->y[c];
        ASSERT_ABS(sum, w->x[r], 1e-11);
      }
    }
  }
  demi_block_diagonal_close(&d);
}

/* Blocks that are none: beyond the unknowns, too wide, overlapping rows, a row with itself. */
static dem_status one_block(void *user, dem_trial_block_fn visit, void *visitor) {
  return visit(visitor, 2, user) ? DEM_CANCELLED : DEM_OK;
}

static void bad_blocks(void **state) {
  world *w = *state;
  demi_sparse s;
  demi_block_diagonal d;
  static const dem_trial_block good = {.i = 0, .j = 3, .width_i = 3, .width_j = 3};
  static const dem_trial_block bad[] = {
      {.i = 0, .j = 8, .width_i = 3, .width_j = 3}, {.i = -1, .j = 3, .width_i = 1, .width_j = 3},
      {.i = 0, .j = 3, .width_i = 3, .width_j = 7}, {.i = 0, .j = 3, .width_i = 3, .width_j = 0},
      {.i = 1, .j = 3, .width_i = 2, .width_j = 3}, {.i = 3, .j = 3, .width_i = 3, .width_j = 3},
      {.i = 0, .j = 3, .width_i = 2, .width_j = 3}};
  assert_int_equal(demi_sparse_open(&s, w->context, 10), DEM_OK);
  assert_int_equal(demi_block_diagonal_open(&d, w->context, 10), DEM_OK);
  for (int holds = 0; holds < 2; holds++)
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
      dem_trial_block two[2] = {good, bad[k]};
      const demi_block_source source = {one_block, two};
      assert_int_equal(demi_sparse_fill(&s, &source, holds), DEM_BAD_ARGUMENT);
      assert_int_equal(demi_block_diagonal_update(&d, &source, holds), DEM_BAD_ARGUMENT);
      two[1] = good;
      assert_int_equal(demi_sparse_fill(&s, &source, holds), DEM_OK);
      assert_int_equal(demi_block_diagonal_update(&d, &source, holds), DEM_OK);
    }
  demi_sparse_close(&s);
  demi_block_diagonal_close(&d);
}

static int set_up(void **state) {
  world *w = calloc(1, sizeof *w);
  *state = w;
  return dem_context_create(NULL, &w->context) != DEM_OK;
}

static int tear_down(void **state) {
  world *w = *state;
  const dem_status status = dem_context_destroy(w->context);
  free(w);
  return status != DEM_OK;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(filled), TEST(incomplete), TEST(exact_on_a_chain), TEST(block_diagonal), TEST(bad_blocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
