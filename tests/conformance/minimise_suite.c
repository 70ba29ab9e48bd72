#include "conformance/minimise_suite.h"

#include "assertions.h"

const char *const suite_strategies[] = {"automatic", "quasi-newton", "trust-region-steihaug", "fire"};
const int suite_strategy_count = sizeof suite_strategies / sizeof *suite_strategies;

int suite_gradients_only(const char *strategy) { return strcmp(strategy, "trust-region-steihaug") != 0; }

static void backwards(void *user, int32_t count, dem_task_fn task, void *argument) {
  (void)user;
  for (int32_t k = count - 1; k >= 0; k--) task(argument, k);
}

dem_context *suite_context(int hook, int32_t instructions) {
  dem_context_options o;
  dem_context *context = NULL;
  dem_context_options_init(&o, sizeof o);
  o.parallel = hook ? backwards : NULL;
  o.instructions = instructions;
  const dem_status status = dem_context_create(&o, &context);
  assert_true(status == DEM_OK || status == DEM_UNSUPPORTED);
  return context;
}

dem_minimise_options suite_options(const char *strategy) {
  dem_minimise_options o;
  assert_int_equal(dem_minimise_options_init(&o, sizeof o), DEM_OK);
  o.strategy = strategy;
  return o;
}

dem_minimise_report suite_run(dem_context *context, const dem_objective_table *table, void *user, const double *start,
                              const dem_minimise_options *options, double *x) {
  dem_minimiser *m = NULL;
  dem_minimise_report report;
  if (dem_minimiser_create(context, table, user, start, options, &m) != DEM_OK) fail_msg("%s", dem_context_message(context));
  if (dem_minimiser_run(m) != DEM_OK) fail_msg("%s", dem_minimiser_message(m));
  dem_minimise_report_init(&report, sizeof report);
  assert_int_equal(dem_minimiser_get_report(m, &report), DEM_OK);
  if (x) assert_int_equal(dem_minimiser_get_point(m, table->unknowns, x), DEM_OK);
  assert_int_equal(dem_minimiser_destroy(m), DEM_OK);
  return report;
}
