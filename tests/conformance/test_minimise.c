/* Every strategy on functions whose minima are published or follow from a closed form. */
#include "assertions.h"
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
  o.gradient_relative = p->steep ? 1e-15 : 1e-10;
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
  (void)state;
  dem_context *context = suite_context(1, DEM_INSTRUCTIONS_AUTO);
  for (int s = 0; s < suite_strategy_count; s++)
    for (int k = 0; k < problem_count; k++) solves(context, suite_strategies[s], &problems[k]);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(published_minima),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
