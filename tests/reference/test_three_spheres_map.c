/* Which fine spheres are caught in the pocket between two large ones, over the plane of friction and size ratio: plain
 * velocity-Verlet traps those that friction alone can hold in a rigid wedge, R/r > 1/(sqrt(1+mu^2) - 1); the improved scheme traps
 * none (scenes/pocket.h). Single cases are in test_three_spheres.c. */
#include "assertions.h"

#include "scenes/context.h"
#include "scenes/pocket.h"

static const char IMPROVED[] = "improved-velocity-verlet", STANDARD[] = "velocity-verlet";

static int32_t trapped_where(const char *scheme, double friction, int32_t count, const double *ratio, pocket_fate *fate) {
  const pocket_map map = {scheme, friction, 0.5, 0.002, 25, count, ratio};
  int32_t sum = 0;
  assert_int_equal(pocket_map_run(context, &map, fate), DEM_OK);
  for (int32_t k = 0; k < count; k++) sum += fate[k].trapped;
  return sum;
}

/* dem-bench three-sphere-map has all 10,100 cases. */
static void coarse_map(void **state) {
  (void)state;
  static const double friction[] = {0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.45, 0.7, 1};
  static const double ratio[] = {1, 2, 3, 5, 8, 12, 18, 25, 34, 45, 60, 101};
  enum { FRICTIONS = sizeof friction / sizeof friction[0], RATIOS = sizeof ratio / sizeof ratio[0] };
  int32_t standard = 0, improved = 0, differ = 0;
  pocket_fate fate[RATIOS];
  for (int f = 0; f < FRICTIONS; f++) {
    improved += trapped_where(IMPROVED, friction[f], RATIOS, ratio, fate);
    standard += trapped_where(STANDARD, friction[f], RATIOS, ratio, fate);
    for (int k = 0; k < RATIOS; k++) {
      const double beyond = ratio[k] / pocket_critical(friction[f]) - 1;
      if (fate[k].trapped == (beyond > 0)) continue;
      differ++;
      print_message("# mu %g, R/r %g: %+.1f %% from the boundary\n", friction[f], ratio[k], 100 * beyond);
      ASSERT_BELOW(fabs(beyond), 0.1);
    }
  }
  print_message("# %d cases: standard traps %d, %d not as the criterion says; improved traps %d\n", FRICTIONS * RATIOS,
                (int)standard, (int)differ, (int)improved);
  assert_int_equal(improved, 0);
  assert_true(standard > 30 && differ <= 2);
}

/* Many pockets beside each other, or each in a system of its own: they differ by the rounding of positions far from the origin,
 * 7e-12 of a coordinate of 7e4 in a step. That walks to 1e-8 of the path of 1e3 in 1e6 steps, and the way out enlarges it at most
 * 140 times: 1e-9 of an angle. One that leaves loses and finds contact a few times before, where rounding decides in which step a
 * touch begins: the angles above 1e-9 are from there. */
static void alone_as_among_others(void **state) {
  (void)state;
  static const double ratio[] = {3, 9, 20, 21, 40, 41, 70, 101};
  enum { RATIOS = sizeof ratio / sizeof ratio[0] };
  double worst[2] = {0, 0}; /* of those that leave, of those trapped */
  for (int scheme = 0; scheme < 2; scheme++) {
    pocket_map map = {scheme ? IMPROVED : STANDARD, 0.25, 0.8, 0.01, 50, RATIOS, ratio};
    pocket_fate all[RATIOS], one;
    assert_int_equal(pocket_map_run(context, &map, all), DEM_OK);
    map.count = 1;
    for (int k = 0; k < RATIOS; k++) {
      map.ratio = ratio + k;
      assert_int_equal(pocket_map_run(context, &map, &one), DEM_OK);
      assert_int_equal(one.trapped, all[k].trapped);
      ASSERT_ABS(one.time, all[k].time, 1e-12);
      worst[one.trapped] = fmax(worst[one.trapped], fabs(one.angle - all[k].angle));
    }
  }
  print_message("# angles at the end differ by %.1e where they leave, %.1e where trapped\n", worst[0], worst[1]);
  ASSERT_BELOW(worst[0], 1e-4);
  ASSERT_BELOW(worst[1], 1e-9);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(coarse_map),
      TEST(alone_as_among_others),
  };
  return cmocka_run_group_tests_name("three_spheres_map", tests, NULL, NULL);
}
