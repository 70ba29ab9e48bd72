/* Random numbers of packings: the published generator, and streams that have nothing in common. */
#include "assertions.h"

#include "random.h"

/* Numbers of SplitMix64 from the state 1234567, as published with several implementations of it. */
static void numbers_are_those_of_splitmix64(void **state) {
  static const uint64_t expected[5] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                       UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                       UINT64_C(16408922859458223821)};
  demi_random random = {1234567};
  (void)state;
  for (int k = 0; k < 5; k++) assert_true(demi_random_number(&random) == expected[k]);
}

/* Mean 1/2 and variance 1/12 of n numbers, and the mean 1/4 of the product of numbers of two streams that are k apart: each within five
 * standard deviations. */
static void check_streams(demi_random a, demi_random b) {
  enum { N = 20000 };
  double sum = 0, square = 0, product = 0;
  for (int k = 0; k < N; k++) {
    const double u = demi_random_unit(&a), v = demi_random_unit(&b);
    assert_true(u >= 0 && u < 1);
    sum += u;
    square += (u - 0.5) * (u - 0.5);
    product += u * v;
  }
  ASSERT_ABS(sum / N, 0.5, 5 * sqrt(1.0 / 12 / N));
  ASSERT_ABS(square / N, 1.0 / 12, 5 * sqrt(1.0 / 180 / N));
  ASSERT_ABS(product / N, 0.25, 5 * sqrt(7.0 / 144 / N));
}

static void streams_are_independent(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 5; seed++) {
    check_streams(demi_random_stream(seed, 0), demi_random_stream(seed, 1));
    check_streams(demi_random_stream(seed, 0), demi_random_stream(seed + 1, 0));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_those_of_splitmix64),
      cmocka_unit_test(streams_are_independent),
  };
  return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
