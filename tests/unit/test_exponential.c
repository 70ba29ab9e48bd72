/* exp(-x) from + - * against the C library's. Each squaring doubles the relative error, of which there are log2(8 x). */
#include "assertions.h"

#include "exponential.h"

static void agrees_with_the_c_library(void **state) {
  (void)state;
  for (double x = 1e-12; x < 700; x *= 1.07) ASSERT_REL(demi_decay(x), exp(-x), (8 * x + 4) * 2.3e-16);
}

static void ends(void **state) {
  (void)state;
  assert_true(demi_decay(0) == 1.0);
  assert_true(demi_decay(751) == 0.0);
  assert_true(demi_decay(INFINITY) == 0.0);
}

/* Two half steps are one step. */
static void multiplies(void **state) {
  (void)state;
  for (double x = 0.3; x < 100; x *= 1.3) ASSERT_REL(demi_decay(0.5 * x) * demi_decay(0.5 * x), demi_decay(x), 1e-15);
}

/* (1 - exp(-x))/x, which the C library gives as -expm1(-x)/x. */
static void mean_decay(void **state) {
  (void)state;
  assert_true(demi_mean_decay(0) == 1.0);
  for (double x = 1e-300; x < 1e300; x *= 1.07) ASSERT_REL(demi_mean_decay(x), -expm1(-x) / x, 8 * 2.3e-16);
  for (double x = 1e-12; x < 300; x *= 1.07) ASSERT_REL(demi_mean_decay(-x), expm1(x) / x, (8 * x + 8) * 2.3e-16);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_c_library),
      cmocka_unit_test(ends),
      cmocka_unit_test(multiplies),
      cmocka_unit_test(mean_decay),
  };
  return cmocka_run_group_tests_name("exponential", tests, NULL, NULL);
}
