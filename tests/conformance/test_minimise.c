/* Every strategy on functions whose minima are published or follow from a closed form. */
#include "assertions.h"
#include "conformance/minimise_functions.h"
#include "conformance/minimise_problems.h"
#include "conformance/minimise_suite.h"

static int is_minimum(const problem *p, double value) {
  for (int k = 0; k < 2; k++) {
    const double bound = p->minimum[k] > 0 ? 1e-5 * p->minimum[k] : 1e-9;
    if (fabs(value - p->minimum[k]) <= bound) return 1;
  }
  return 0;
}

/* The published values have six digits; minima of 0 count as reached at 1e-9. */
static void solves(dem_context *context, const char *strategy, const problem *p) {
  problem_run run = {.problem = p};
  double start[PROBLEM_LARGEST];
  const dem_objective_table table = problem_table(p);
  dem_minimise_options o = suite_options(strategy);
  o.gradient_relative = p->steep ? 1e-15 : 1e-12;
  o.iterations_most = 1000000;
  if (p->steep && suite_gradients_only(strategy)) return;
  problem_start(p, start);
  const dem_minimise_report r = suite_run(context, &table, &run, start, &o, NULL);
  print_message("# %-22s %-24s reason %d, %lld iterations, %lld rejected, %lld gradients, %lld products, value %.6g\n",
                strategy, p->name, r.reason, (long long)r.iterations, (long long)r.rejected, (long long)r.gradients,
                (long long)r.products, r.value);
  if (r.reason > 0 && is_minimum(p, r.value)) return;
  fail_msg("%s on %s: reason %d, value %.10g, minimum %.6g, |g| %.3g of %.3g", strategy, p->name, r.reason, r.value,
           p->minimum[0], r.gradient, r.gradient_first);
}

static void published_minima(void **state) {
  dem_context *context = *state;
  for (int s = 0; s < suite_strategy_count; s++)
    for (int k = 0; k < problem_count; k++) solves(context, suite_strategies[s], &problems[k]);
}

/* Runs a strategy on an objective from a start. */
static dem_minimise_report run(dem_context *context, const char *strategy, const dem_objective_table *table, void *user,
                               const double *start, double *x) {
  dem_minimise_options o = suite_options(strategy);
  o.iterations_most = 200000;
  const dem_minimise_report r = suite_run(context, table, user, start, &o, x);
  print_message("# %-22s %-24s reason %d, %lld iterations, %lld rejected, %lld gradients, %lld products, value %.6g, %.3f s\n",
                strategy, table->name, r.reason, (long long)r.iterations, (long long)r.rejected, (long long)r.gradients,
                (long long)r.products, r.value, r.seconds);
  return r;
}

#define EACH_STRATEGY(name)                                                                                                 \
  for (const char *const *each = suite_strategies, *name; each < suite_strategies + suite_strategy_count && (name = *each); \
       each++)

static void ill_conditioned_quadratic(void **state) {
  dem_context *context = *state;
  bowl b = {.n = 10000, .condition = 1e6};
  const dem_objective_table table = bowl_table(&b);
  EACH_STRATEGY(strategy) {
    const dem_minimise_report r = run(context, strategy, &table, &b, NULL, NULL);
    assert_int_equal(r.reason, DEM_MINIMISE_GRADIENT);
    ASSERT_BELOW(r.gradient, 1e-10 * r.gradient_first);
    ASSERT_REL(r.value, bowl_minimum(&b), 1e-13);
  }
}

/* A long way in one smooth valley: the trust region is tried, and whether it pays or not costs a tenth at most; a product is counted as 4
 * gradients, as automatic.c does. */
static void automatic_tries(void **state) {
  bowl b = {.n = 10000, .condition = 1e6};
  const dem_objective_table table = bowl_table(&b);
  const dem_minimise_report alone = run(*state, "quasi-newton", &table, &b, NULL, NULL);
  const dem_minimise_report both = run(*state, "automatic", &table, &b, NULL, NULL);
  assert_true(both.products > 0 && alone.products == 0);
  ASSERT_BELOW((double)(both.gradients + 4 * both.products), 1.1 * (double)alone.gradients);
}

/* Contacts open and close on the way; compressed, just touching, and far apart. */
static void contacts_that_open(void **state) {
  dem_context *context = *state;
  double start[RING_MOST];
  EACH_STRATEGY(strategy) {
    for (int k = 0; k < 2; k++) {
      ring r = {.n = RING_MOST, .length = k == 0 ? 50 : 80};
      const dem_objective_table table = ring_table(&r);
      ring_start(&r, start);
      const dem_minimise_report report = run(context, strategy, &table, &r, start, NULL);
      assert_true(report.reason > 0);
      ASSERT_ABS(report.value, ring_minimum(&r), 1e-12 * (1 + ring_minimum(&r)));
    }
  }
}

/* Points outside the domain are refused in each of the three ways; the minimum inside is found. */
static void refused_points(void **state) {
  dem_context *context = *state;
  const dem_objective_table table = barrier_table();
  const double start[4] = {50, 0.01, 40, 0.02};
  EACH_STRATEGY(strategy) {
    for (int outside = 0; outside < 3; outside++) {
      barrier b = {.outside = outside};
      const dem_minimise_report r = run(context, strategy, &table, &b, start, NULL);
      assert_true(r.reason > 0);
      assert_true(r.rejected >= b.refused);
      ASSERT_REL(r.value, barrier_minimum(), 1e-13);
    }
  }
}

/* From the ridge of a saddle: with the slightest push across it the minimum is found. Exactly on it the gradient has no part along the
 * negative curvature, and the saddle, where the gradient is 0, is an end that no first-order test tells from a minimum. */
static void saddles(void **state) {
  dem_context *context = *state;
  const dem_objective_table table = saddle_table();
  EACH_STRATEGY(strategy) {
    saddle s = {.bound = 1};
    double x[2];
    dem_minimise_report r = run(context, strategy, &table, &s, (double[]){1, 1e-9}, x);
    assert_int_equal(r.reason, DEM_MINIMISE_GRADIENT);
    ASSERT_ABS(r.value, -0.25, 1e-14);
    r = run(context, strategy, &table, &s, (double[]){1, 0}, x);
    assert_int_equal(r.reason, DEM_MINIMISE_GRADIENT);
    ASSERT_ABS(x[0], 0, 1e-9);
    assert_true(x[1] == 0);
  }
}

static void falls_for_ever(void **state) {
  dem_context *context = *state;
  const dem_objective_table table = saddle_table();
  EACH_STRATEGY(strategy) {
    saddle s = {.bound = 0};
    const dem_minimise_report r = run(context, strategy, &table, &s, (double[]){1, 1e-3}, NULL);
    assert_int_equal(r.reason, DEM_MINIMISE_UNBOUNDED);
  }
}

/* A start where nothing can be computed is an outcome with a reason. */
static void start_not_finite(void **state) {
  dem_context *context = *state;
  const dem_objective_table table = barrier_table();
  EACH_STRATEGY(strategy) {
    for (int outside = 0; outside < 3; outside++) {
      barrier b = {.outside = outside};
      const dem_minimise_report r = run(context, strategy, &table, &b, (double[]){1, 1, -1, 1}, NULL);
      assert_int_equal(r.reason, DEM_MINIMISE_NOT_FINITE);
      assert_int_equal(r.iterations, 0);
    }
  }
}

static int set_up(void **state) {
  *state = suite_context(0, DEM_INSTRUCTIONS_AUTO);
  return 0;
}

static int tear_down(void **state) { return dem_context_destroy(*state) != DEM_OK; }

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(published_minima), TEST(ill_conditioned_quadratic),
      TEST(automatic_tries),  TEST(contacts_that_open),
      TEST(refused_points),   TEST(saddles),
      TEST(falls_for_ever),   TEST(start_not_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
