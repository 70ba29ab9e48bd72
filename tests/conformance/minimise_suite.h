/* What the tests of minimisers share. */
#ifndef TESTS_MINIMISE_SUITE_H
#define TESTS_MINIMISE_SUITE_H

#include <dem/plugin/objective.h>

/* Every strategy by name. */
extern const char *const suite_strategies[];
extern const int suite_strategy_count;
/* 1 if it makes no use of the Hessian, and so also works on objectives that have none. */
int suite_gradients_only(const char *strategy);

/* A context whose thread hook runs tasks one after the other, last first; instructions as in its options. */
dem_context *suite_context(int hook, int32_t instructions);
/* Defaults with this strategy. */
dem_minimise_options suite_options(const char *strategy);
/* Runs to the end; the report. x (may be NULL) receives the last point. */
dem_minimise_report suite_run(dem_context *context, const dem_objective_table *table, void *user, const double *start,
                              const dem_minimise_options *options, double *x);

#endif
