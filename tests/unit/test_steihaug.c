/* Conjugate gradients in a ball against dense solutions and the definition of the step. */
#include "assertions.h"

#include <stdlib.h>

#include "incomplete.h"
#include "steihaug.h"
#include "unit/lattice.h"

enum { N = LATTICE_N };

typedef struct world {
  dem_context *context;
  demi_vectors v;
  double a[N * N], l[N * N];
  double *g, *p, *work[4];
  int solve_fails;
} world;

static dem_status apply(void *user, const double *p, double *product) {
  const world *w = user;
  for (int r = 0; r < N; r++) {
    product[r] = 0;
    for (int c = 0; c < N; c++) product[r] += w->a[r * N + c] * p[c];
  }
  return DEM_OK;
}

static dem_status factor_solve(void *user, const double *right, double *solution) {
  demi_incomplete_solve(user, right, solution);
  return DEM_OK;
}

static dem_status minus(void *user, const double *right, double *solution) {
  (void)user;
  for (int i = 0; i < N; i++) solution[i] = i % 2 ? -right[i] : right[i];
  return DEM_OK;
}

static demi_cg cg_of(world *w) {
  demi_cg cg = {.v = &w->v, .apply = apply, .apply_user = w, .radius = INFINITY, .tolerance = 1e-12, .most = 20 * N};
  cg.residual = w->work[0];
  cg.direction = w->work[1];
  cg.product = w->work[2];
  cg.solved = w->work[3];
  return cg;
}

/* A lattice in tension with a little stiffness of its own at every grain: positive definite. */
static lattice soft(world *w, double prestress, double own) {
  const lattice l = {.prestress = prestress, .scale = 1};
  lattice_dense(&l, w->a);
  for (int i = 0; i < N; i++) w->a[i * N + i] += own;
  return l;
}

static double product(const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < N; i++) sum += a[i] * b[i];
  return sum;
}

static void random_gradient(world *w, uint64_t seed) {
  for (int i = 0; i < N; i++) w->g[i] = lattice_random(&seed);
}

/* Without a ball it is H^-1 (-g), with slope and curvature of the model. */
static void dense_solution(void **state) {
  world *w = *state;
  double x[N], minus_g[N], hp[N];
  demi_cg_end end;
  soft(w, 0.05, 0.1);
  memcpy(w->l, w->a, sizeof w->a);
  assert_true(dense_cholesky(w->l, N));
  random_gradient(w, 1);
  for (int i = 0; i < N; i++) minus_g[i] = -w->g[i];
  dense_solve(w->l, N, minus_g, x);
  const demi_cg cg = cg_of(w);
  assert_int_equal(demi_steihaug(&cg, w->g, w->p, &end), DEM_OK);
  assert_int_equal(end.reason, DEMI_CG_CONVERGED);
  for (int i = 0; i < N; i++) ASSERT_ABS(w->p[i], x[i], 1e-9);
  apply(w, w->p, hp);
  ASSERT_REL(end.slope, product(w->g, w->p), 1e-12);
  ASSERT_REL(end.curvature, product(w->p, hp), 1e-9);
  ASSERT_REL(end.length, sqrt(product(w->p, w->p)), 1e-9);
}

/* Growing balls: |p| is the radius until the ball holds the solution; the model falls from one to the next, and at least as far as on the
 * way down the gradient. */
static void balls(void **state) {
  world *w = *state;
  double before = 0;
  demi_cg_end end;
  soft(w, 0.05, 0.1);
  random_gradient(w, 2);
  demi_cg cg = cg_of(w);
  for (double radius = 1e-6; radius < 1e4; radius *= 3) {
    cg.radius = radius;
    assert_int_equal(demi_steihaug(&cg, w->g, w->p, &end), DEM_OK);
    const double length = sqrt(product(w->p, w->p)), model = end.slope + 0.5 * end.curvature;
    if (end.reason == DEMI_CG_BOUNDARY) ASSERT_REL(length, radius, 1e-10);
    ASSERT_BELOW(length, radius * (1 + 1e-10));
    ASSERT_BELOW(model, before);
    double hg[N];
    apply(w, w->g, hg);
    const double gg = product(w->g, w->g), best = fmin(gg / product(w->g, hg), radius / sqrt(gg));
    ASSERT_BELOW(model, (-best * gg + 0.5 * best * best * product(w->g, hg)) * (1 - 1e-12));
    before = model * (1 - 1e-12);
  }
  assert_int_equal(end.reason, DEMI_CG_CONVERGED);
}

/* Negative curvature is followed to the boundary, and along it the model falls; without a ball CG stops before it. */
static void negative_curvature(void **state) {
  world *w = *state;
  demi_cg_end end;
  soft(w, -0.5, 0);
  random_gradient(w, 3);
  demi_cg cg = cg_of(w);
  cg.radius = 1e3;
  assert_int_equal(demi_steihaug(&cg, w->g, w->p, &end), DEM_OK);
  assert_int_equal(end.reason, DEMI_CG_NEGATIVE);
  ASSERT_REL(sqrt(product(w->p, w->p)), 1e3, 1e-10);
  assert_true(end.slope < 0 && end.slope + 0.5 * end.curvature < 0);
  cg.radius = INFINITY;
  assert_int_equal(demi_steihaug(&cg, w->g, w->p, &end), DEM_OK);
  assert_int_equal(end.reason, DEMI_CG_NEGATIVE);
  assert_true(isfinite(product(w->p, w->p)));
}

/* With M: the same solution with fewer products, and the same ball. */
static void preconditioned(void **state) {
  world *w = *state;
  double x[N], h_p[N];
  demi_cg_end plain, end;
  demi_incomplete f;
  lattice l = soft(w, 0.05, 0.01);
  const demi_block_source source = {lattice_blocks, &l};
  for (int i = 10; i < 12; i++) w->a[i * N + i] = 1; /* the loose grain */
  random_gradient(w, 4);
  demi_cg cg = cg_of(w);
  assert_int_equal(demi_steihaug(&cg, w->g, w->p, &plain), DEM_OK);
  memcpy(x, w->p, sizeof x);
  assert_int_equal(demi_incomplete_open(&f, w->context, N), DEM_OK);
  assert_int_equal(demi_incomplete_update(&f, &source, 0), DEM_OK);
  cg.solve = factor_solve;
  cg.solve_user = &f;
  assert_int_equal(demi_steihaug(&cg, w->g, w->p, &end), DEM_OK);
  print_message("# products: %lld without, %lld with incomplete Cholesky\n", (long long)plain.iterations,
                (long long)end.iterations);
  assert_true(end.iterations < plain.iterations / 2);
  const double size = sqrt(product(x, x));
  for (int i = 0; i < N; i++) ASSERT_ABS(w->p[i], x[i], 1e-8 * size);
  cg.radius = 0.3 * end.length;
  assert_int_equal(demi_steihaug(&cg, w->g, w->p, &end), DEM_OK);
  assert_int_equal(end.reason, DEMI_CG_BOUNDARY);
  ASSERT_REL(sqrt(product(w->p, w->p)), cg.radius, 1e-12);
  apply(w, w->p, h_p);
  ASSERT_REL(end.slope, product(w->g, w->p), 1e-12);
  ASSERT_REL(end.curvature, product(w->p, h_p), 1e-9);
  /* an M that is not positive definite is said to be none */
  cg.solve = minus;
  assert_int_equal(demi_steihaug(&cg, w->g, w->p, &end), DEM_UNSUPPORTED);
  demi_incomplete_close(&f);
}

static int set_up(void **state) {
  world *w = calloc(1, sizeof *w);
  *state = w;
  if (dem_context_create(NULL, &w->context) || demi_vectors_open(&w->v, w->context, N, 1)) return 1;
  double **arrays[] = {&w->g, &w->p, &w->work[0], &w->work[1], &w->work[2], &w->work[3]};
  for (int k = 0; k < 6; k++) *arrays[k] = demi_vectors_new(&w->v);
  return 0;
}

static int tear_down(void **state) {
  world *w = *state;
  double *arrays[] = {w->g, w->p, w->work[0], w->work[1], w->work[2], w->work[3]};
  for (int k = 0; k < 6; k++) demi_vectors_delete(&w->v, arrays[k]);
  demi_vectors_close(&w->v);
  const dem_status status = dem_context_destroy(w->context);
  free(w);
  return status != DEM_OK;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(dense_solution),
      TEST(balls),
      TEST(negative_curvature),
      TEST(preconditioned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
