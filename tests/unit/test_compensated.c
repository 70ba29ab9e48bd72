/* Compensated sums against integers, whose sums are known exactly: what a plain sum loses is in the correction. */
#include "assertions.h"

#include "compensated.h"

static double sum_of(const double *terms, int count) {
  demi_sum sum = {0, 0};
  for (int k = 0; k < count; k++) demi_sum_add(&sum, terms[k]);
  return demi_sum_get(&sum);
}

/* The small term comes after the large one, and before it. */
static void small_terms_survive_large_ones(void **state) {
  (void)state;
  assert_true(sum_of((double[]){1, 1e100, 1, -1e100}, 4) == 2);
  assert_true(sum_of((double[]){1e17, 3, -1e17}, 3) == 3);
  assert_true(sum_of((double[]){3, 1e17, -1e17}, 3) == 3);
  assert_true(sum_of((double[]){-1e17, -3, 1e17}, 3) == -3);
  assert_true(sum_of((double[]){-3, -1e17, 1e17}, 3) == -3);
}

/* 2^53 is followed by 2^53 + 2: a plain sum of ones stands still there. */
static void ones_go_on_counting(void **state) {
  (void)state;
  const double start = 9007199254740992.0;
  demi_sum sum = {start, 0};
  for (int k = 0; k < 1001; k++) demi_sum_add(&sum, 1);
  demi_sum_add(&sum, -start);
  assert_true(demi_sum_get(&sum) == 1001);
}

/* A million terms of 1/10, each rounded: the sum is that of the rounded terms, here by integers of 2^-55. */
static void many_equal_terms(void **state) {
  (void)state;
  demi_sum sum = {0, 0};
  for (int k = 0; k < 1000000; k++) demi_sum_add(&sum, 0.1);
  const long long tenth = (long long)ldexp(0.1, 55); /* 0.1 = tenth/2^55 exactly */
  assert_true(ldexp((double)tenth, -55) == 0.1);
  ASSERT_REL(demi_sum_get(&sum), ldexp((double)tenth * 1e6, -55), 2.3e-16);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_terms_survive_large_ones),
      cmocka_unit_test(ones_go_on_counting),
      cmocka_unit_test(many_equal_terms),
  };
  return cmocka_run_group_tests_name("compensated", tests, NULL, NULL);
}
