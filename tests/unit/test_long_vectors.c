/* Sums over long arrays against compensated sums, and their bits. */
#include "assertions.h"

#include <stdlib.h>

#include "compensated.h"
#include "unit/lattice.h"
#include "long_vectors.h"

enum { LONGEST = 150001 };

static dem_context *context_of(int32_t instructions) {
  dem_context_options o;
  dem_context *context = NULL;
  dem_context_options_init(&o, sizeof o);
  o.instructions = instructions;
  const dem_status status = dem_context_create(&o, &context);
  assert_true(status == DEM_OK || status == DEM_UNSUPPORTED);
  return context;
}

static void fill(double *a, int64_t n, uint64_t seed) {
  for (int64_t i = 0; i < n; i++) a[i] = lattice_random(&seed);
}

static void sums(void **state) {
  (void)state;
  double *a = malloc(LONGEST * sizeof *a), *b = malloc(LONGEST * sizeof *b);
  dem_context *context = context_of(DEM_INSTRUCTIONS_AUTO);
  fill(a, LONGEST, 1);
  fill(b, LONGEST, 2);
  static const int64_t lengths[] = {1, 2, 15, 16, 17, 1023, 1024, 1025, 5000, LONGEST};
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    demi_vectors v;
    assert_int_equal(demi_vectors_open(&v, context, lengths[k], 2), DEM_OK);
    demi_sum exact = {0, 0}, size = {0, 0};
    double largest = 0;
    for (int64_t i = 0; i < lengths[k]; i++) {
      demi_sum_add(&exact, a[i] * b[i]);
      demi_sum_add(&size, fabs(a[i] * b[i]));
      largest = fmax(largest, fabs(a[i]));
    }
    /* rounding of 16 lanes, then of the blocks */
    ASSERT_ABS(demi_dot(&v, a, b), demi_sum_get(&exact), 1e-14 * demi_sum_get(&size));
    ASSERT_REL(demi_norm(&v, a), sqrt(demi_dot(&v, a, a)), 1e-16);
    assert_true(demi_largest(&v, a) == largest);
    const double *x[3] = {a, b, a}, *y[3] = {a, b, b};
    double three[3];
    demi_dots(&v, 3, x, y, three);
    assert_true(three[0] == demi_dot(&v, a, a) && three[1] == demi_dot(&v, b, b) && three[2] == demi_dot(&v, a, b));
    demi_vectors_close(&v);
  }
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  free(a);
  free(b);
}

static void combinations(void **state) {
  (void)state;
  enum { N = 70003 };
  dem_context *context = context_of(DEM_INSTRUCTIONS_AUTO);
  demi_vectors v;
  assert_int_equal(demi_vectors_open(&v, context, N, 3), DEM_OK);
  double *a = demi_vectors_new(&v), *b = demi_vectors_new(&v), *c = demi_vectors_new(&v);
  assert_true(a[N - 1] == 0 && (uintptr_t)a % 64 == 0);
  fill(a, N, 5);
  fill(b, N, 6);
  demi_combine(&v, 2.5, a, -0.3, b, c);
  for (int i = 0; i < N; i++) assert_true(c[i] == 2.5 * a[i] + -0.3 * b[i]);
  demi_axpy(&v, 0.7, a, c);
  for (int i = 0; i < N; i++) assert_true(c[i] == 0.7 * a[i] + (2.5 * a[i] + -0.3 * b[i]));
  demi_copy(&v, c, b);
  demi_combine(&v, -1, b, 1, c, c);
  assert_true(demi_largest(&v, c) == 0);
  c[12345] = NAN;
  assert_true(isnan(demi_largest(&v, c)));
  demi_vectors_delete(&v, a);
  demi_vectors_delete(&v, b);
  demi_vectors_delete(&v, c);
  demi_vectors_close(&v);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

/* Any number of threads, any instruction set, any alignment. */
static void same_bits(void **state) {
  (void)state;
  double *a = malloc((LONGEST + 8) * sizeof *a), *b = malloc((LONGEST + 8) * sizeof *b);
  double first = 0;
  for (int32_t set = DEM_INSTRUCTIONS_PLAIN; set <= DEM_INSTRUCTIONS_AVX512; set++) {
    dem_context *context = context_of(set);
    if (!context) continue;
    for (int32_t threads = 1; threads <= 9; threads++) {
      demi_vectors v;
      assert_int_equal(demi_vectors_open(&v, context, LONGEST, threads), DEM_OK);
      fill(a + threads % 8, LONGEST, 1);
      fill(b + threads / 2, LONGEST, 2);
      const double sum = demi_dot(&v, a + threads % 8, b + threads / 2);
      if (set == DEM_INSTRUCTIONS_PLAIN && threads == 1) first = sum;
      ASSERT_BITS(&first, &sum, sizeof sum);
      demi_vectors_close(&v);
    }
    assert_int_equal(dem_context_destroy(context), DEM_OK);
  }
  free(a);
  free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums),
      cmocka_unit_test(combinations),
      cmocka_unit_test(same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
