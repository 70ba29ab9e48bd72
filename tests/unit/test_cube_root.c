/* The cube root from + - * / and bits against the C library's in long double. */
#include "assertions.h"

#include "cube_root.h"
#include "scenes/scenes.h"

static double in_last_places(double x) {
  const double t = demi_cube_root(x);
  const long double exact = cbrtl((long double)x);
  return (double)fabsl((long double)t - exact) / (nextafter((double)exact, INFINITY) - (double)exact);
}

static void within_one_in_the_last_place(void **state) {
  (void)state;
  dice d = {1};
  double worst = 0;
  for (int k = 0; k < 1000000; k++) {
    const double x = ldexp(dice_uniform(&d, 1, 2), (int)dice_uniform(&d, -1000, 1000));
    worst = fmax(worst, in_last_places(x));
  }
  print_message("# worst: %.2f of the last place\n", worst);
  ASSERT_BELOW(worst, 1.0);
}

/* Cubes of numbers of 17 bits are exact, and so are their roots. */
static void of_cubes(void **state) {
  (void)state;
  for (int k = 1; k < 100000; k += 7) assert_true(demi_cube_root((double)k * k * k) == k);
  assert_true(demi_cube_root(0.125) == 0.5 && demi_cube_root(0x1p300) == 0x1p100);
  assert_true(demi_cube_root(0) == 0);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(within_one_in_the_last_place),
      cmocka_unit_test(of_cubes),
  };
  return cmocka_run_group_tests_name("cube_root", tests, NULL, NULL);
}
