/* The sparse Cholesky preconditioner, driven through its table as a minimiser does it.
 *
 *   exact       on a stable packing conjugate gradients need a few products, without it many; M^-1 K is near 1
 *   reuse       the same pattern is analysed once; another pattern anew
 *   indefinite  where K has negative eigenvalues the shift grows until M is positive definite: x M^-1 x > 0
 *   minimiser   the trust region with it needs far fewer products from a packing that was shaken a little, and finds the same minimum
 *   rattlers    an unknown on which nothing acts gets a finite step */
#include "assertions.h"

#include <stdlib.h>

#include "preconditioner.h"
#include "solids.h"

/* The Hessian of the particles of a solid. */
static dem_status blocks(void *user, dem_trial_block_fn visit, void *visitor) {
  return dem_trial_blocks(user, sizeof(dem_trial_block), visit, visitor);
}

static dem_matrix_source source_of(const solid *s) {
  return (dem_matrix_source){
      .struct_size = sizeof(dem_matrix_source), .unknowns = s->rows.unknowns, .blocks = blocks, .blocks_user = s->trial};
}

static dem_preconditioner *make(solid *s) {
  dem_preconditioner *p;
  const dem_status status = dem_linalg_cholesky(s->linalg, s->w.context, NULL, &p);
  if (status) print_error("%s\n", dem_linalg_message(s->linalg));
  assert_int_equal(status, DEM_OK);
  return p;
}

static void update(solid *s, const dem_preconditioner *p) {
  const dem_matrix_source source = source_of(s);
  ASSERT_OK(s->w.system, dem_trial_evaluate(s->trial, s->u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, s->gradient));
  assert_int_equal(p->table.update(p->user, &source), DEM_OK);
}

static dem_linalg_cholesky_report report_of(const solid *s, const dem_preconditioner *p) {
  dem_linalg_cholesky_report r;
  dem_linalg_cholesky_report_init(&r, sizeof r);
  assert_int_equal(dem_linalg_get_cholesky_report(s->linalg, p, &r), DEM_OK);
  return r;
}

static double dot(const double *a, const double *b, int64_t n) {
  double sum = 0;
  for (int64_t k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

/* A right side in the range of K: K times random numbers. */
static double *random_right(solid *s) {
  double *b = calloc((size_t)s->rows.unknowns, sizeof *b);
  dice d = {3};
  for (int64_t k = 0; k < s->rows.unknowns; k++) s->u[k] = dice_uniform(&d, -1, 1);
  ASSERT_OK(s->w.system, dem_trial_apply(s->trial, s->u, b));
  memset(s->u, 0, (size_t)s->rows.unknowns * sizeof *s->u);
  return b;
}

/* Products that conjugate gradients need for a residual of 1e-8. */
static int count_products(solid *s, const dem_preconditioner *m) {
  const int64_t n = s->rows.unknowns;
  double *r = random_right(s), *z = calloc((size_t)n, sizeof *z), *p = calloc((size_t)n, sizeof *p), before = 1;
  const double start = dot(r, r, n);
  int count = 0;
  while (count < 2000 && dot(r, r, n) > 1e-16 * start) {
    if (m)
      assert_int_equal(m->table.apply(m->user, r, z), DEM_OK);
    else
      memcpy(z, r, (size_t)n * sizeof *z);
    const double now = dot(r, z, n);
    for (int64_t k = 0; k < n; k++) p[k] = z[k] + (count > 0 ? now / before * p[k] : 0);
    before = now;
    ASSERT_OK(s->w.system, dem_trial_apply(s->trial, p, s->product));
    count++;
    const double curvature = dot(p, s->product, n);
    assert_true(curvature > 0);
    for (int64_t k = 0; k < n; k++) r[k] -= now / curvature * s->product[k];
  }
  free(r);
  free(z);
  free(p);
  return count;
}

static void exact(void **state) {
  (void)state;
  solid s;
  solid_open_packing(&s, 2, 9, 0);
  dem_preconditioner *p = make(&s);
  update(&s, p);
  const dem_linalg_cholesky_report r = report_of(&s, p);
  assert_int_equal(r.unknowns, s.rows.unknowns);
  assert_true(r.fill >= r.entries && r.entries > 3 * r.unknowns);
  ASSERT_REL(r.shift, 1e-8, 1e-12);
  const int with = count_products(&s, p), without = count_products(&s, NULL);
  print_message("# products with %d, without %d; entries %d, fill %d\n", with, without, (int)r.entries, (int)r.fill);
  assert_true(with <= 4);
  assert_true(without >= 40);
  assert_int_equal(dem_linalg_destroy(s.linalg), DEM_BUSY);
  assert_int_equal(dem_preconditioner_release(p), DEM_OK);
  solid_close(&s);
}

static void reuse(void **state) {
  (void)state;
  solid s;
  solid_open_packing(&s, 2, 6, 0);
  dem_preconditioner *p = make(&s);
  for (int k = 0; k < 3; k++) {
    s.u[0] = 1e-6 * k; /* other numbers, the same contacts */
    update(&s, p);
  }
  assert_int_equal(report_of(&s, p).analyses, 1);
  assert_int_equal(report_of(&s, p).factorisations, 3);
  s.u[0] = 0.6; /* other contacts */
  update(&s, p);
  assert_int_equal(report_of(&s, p).analyses, 2);
  assert_int_equal(dem_preconditioner_release(p), DEM_OK);
  solid_close(&s);
}

static void indefinite(void **state) {
  (void)state;
  solid s;
  dice d = {9};
  solid_open_lattice(&s, SOLID_SQUARE, 8, 8, 0.1, 0);
  double *x = calloc((size_t)s.rows.unknowns * 2, sizeof *x), *y = x + s.rows.unknowns;
  dem_preconditioner *p = make(&s);
  update(&s, p);
  /* the most negative eigenvalue is -4 f/L, the diagonal 2 (k - f/L) */
  const double f = 0.1 / 0.9;
  assert_true(report_of(&s, p).shift > 4 * f / (2 * (1 - f)));
  assert_true(report_of(&s, p).factorisations > 3);
  for (int k = 0; k < 20; k++) {
    for (int64_t u = 0; u < s.rows.unknowns; u++) x[u] = dice_uniform(&d, -1, 1);
    assert_int_equal(p->table.apply(p->user, x, y), DEM_OK);
    assert_true(dot(x, y, s.rows.unknowns) > 0);
  }
  free(x);
  assert_int_equal(dem_preconditioner_release(p), DEM_OK);
  solid_close(&s);
}

/* ---- in a minimiser ---- */

static dem_status evaluate(void *user, const double *x, int32_t ask, double *value, double *gradient) {
  return dem_trial_evaluate(user, x, ask, value, gradient);
}

static dem_status multiply(void *user, const double *p, double *product) { return dem_trial_apply(user, p, product); }

static dem_minimise_report minimise(solid *s, const double *start, const dem_preconditioner *p) {
  dem_objective_table table;
  dem_minimise_options o;
  dem_minimise_report report;
  dem_minimiser *m;
  dem_objective_table_init(&table, sizeof table);
  dem_minimise_options_init(&o, sizeof o);
  dem_minimise_report_init(&report, sizeof report);
  table.contract = DEM_OBJECTIVE_CONTRACT;
  table.name = "packing";
  table.unknowns = s->rows.unknowns;
  table.evaluate = evaluate;
  table.apply = multiply;
  table.blocks = blocks;
  o.strategy = "trust-region-steihaug";
  o.preconditioner = p;
  o.gradient_relative = 1e-9;
  assert_int_equal(dem_minimiser_create(s->w.context, &table, s->trial, start, &o, &m), DEM_OK);
  assert_int_equal(dem_minimiser_run(m), DEM_OK);
  assert_int_equal(dem_minimiser_get_report(m, &report), DEM_OK);
  assert_int_equal(report.reason, DEM_MINIMISE_GRADIENT);
  assert_int_equal(dem_minimiser_destroy(m), DEM_OK);
  return report;
}

static void minimiser(void **state) {
  (void)state;
  solid s;
  dice d = {21};
  solid_open_packing(&s, 2, 12, 0);
  double *start = calloc((size_t)s.rows.unknowns, sizeof *start);
  for (int64_t u = 0; u < s.rows.unknowns; u++) start[u] = dice_uniform(&d, -2e-3, 2e-3);
  dem_preconditioner *p = make(&s);
  const dem_minimise_report with = minimise(&s, start, p), without = minimise(&s, start, NULL);
  const dem_linalg_cholesky_report r = report_of(&s, p);
  print_message("# with: %d iterations, %d products, %d orderings, %d factors; without: %d iterations, %d products\n",
                (int)with.iterations, (int)with.products, (int)r.analyses, (int)r.factorisations, (int)without.iterations,
                (int)without.products);
  ASSERT_REL(with.value, without.value, 1e-12);
  assert_true(5 * with.products < without.products);
  assert_true(r.analyses <= with.factorisations);
  free(start);
  assert_int_equal(dem_preconditioner_release(p), DEM_OK);
  solid_close(&s);
}

static void rattlers(void **state) {
  (void)state;
  solid s;
  solid_open_lattice(&s, SOLID_CHAIN, 12, 1, 0.01, 0);
  double *x = calloc((size_t)s.rows.unknowns * 2, sizeof *x), *y = x + s.rows.unknowns;
  dem_preconditioner *p = make(&s);
  update(&s, p);
  assert_int_equal(report_of(&s, p).loose, 2);
  /* the sphere apart is the last one; every row's step is finite */
  for (int64_t u = 0; u < s.rows.unknowns; u++) x[u] = 1;
  assert_int_equal(p->table.apply(p->user, x, y), DEM_OK);
  ASSERT_BELOW(fabs(y[s.rows.unknowns - 1]), 100 / STIFFNESS);
  assert_true(y[s.rows.unknowns - 1] > 0.001 / STIFFNESS);
  free(x);
  assert_int_equal(dem_preconditioner_release(p), DEM_OK);
  solid_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact),     cmocka_unit_test(reuse),    cmocka_unit_test(indefinite),
      cmocka_unit_test(minimiser), cmocka_unit_test(rattlers),
  };
  return cmocka_run_group_tests_name("linalg_cholesky", tests, NULL, NULL);
}
