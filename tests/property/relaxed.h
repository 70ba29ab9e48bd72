/* Calls that the tests of relaxations share. */
#ifndef TESTS_RELAXED_H
#define TESTS_RELAXED_H

#include "packings.h"

static inline dem_relax_options relax_options(void) {
  dem_relax_options o;
  assert_int_equal(dem_relax_options_init(&o, sizeof o), DEM_OK);
  return o;
}

static inline dem_minimise_options minimise_options(double gradient_relative) {
  dem_minimise_options o;
  assert_int_equal(dem_minimise_options_init(&o, sizeof o), DEM_OK);
  o.gradient_relative = gradient_relative;
  o.gradient_absolute = 1e-10;
  o.iterations_most = 200000;
  return o;
}

/* Moves the system to a minimum, which must be reached. */
static inline dem_minimise_report relax_to(dem_system *system, const dem_relax_options *options, double gradient_relative) {
  const dem_minimise_options m = minimise_options(gradient_relative);
  dem_minimise_report report;
  assert_int_equal(dem_minimise_report_init(&report, sizeof report), DEM_OK);
  ASSERT_OK(system, dem_system_minimise(system, options, &m, &report));
  if (report.reason <= 0)
    print_error("reason %d after %lld iterations, |g| %g of %g\n", report.reason, (long long)report.iterations, report.gradient,
                report.gradient_first);
  assert_true(report.reason > 0);
  return report;
}

static inline double box_length_of(dem_system *system, int axis) {
  dem_box box;
  dem_box_init(&box, sizeof box);
  ASSERT_OK(system, dem_system_get_box(system, &box));
  return box.high[axis] - box.low[axis];
}

#endif
