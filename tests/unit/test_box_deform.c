/* The deformation of the box over a drift, H(t + h) = exp(L h) H(t), against closed forms, and the velocities of its images. */
#include "assertions.h"

#include "box.h"

static demi_box box_of(const double length[3], const double tilt[3]) {
  demi_box b;
  memset(&b, 0, sizeof b);
  for (int a = 0; a < 3; a++) {
    b.low[a] = -a;
    b.high[a] = -a + length[a];
    b.periodic[a] = 1;
  }
  demi_box_set_tilt(&b, tilt);
  return b;
}

static const double LENGTH[3] = {4, 3, 5}, TILT[3] = {0.5, -0.75, 1.25};

/* Simple shear: the tilt grows by rate times length times time, nothing else changes a bit. */
static void simple_shear(void **state) {
  (void)state;
  demi_box b = box_of(LENGTH, TILT);
  demi_box_deform(&b, (double[6]){0, 0, 0, 0.5, 0, 0}, 0.25);
  assert_true(b.tilt[DEMI_TILT_XY] == 0.5 + 0.125 * 3);
  ASSERT_ABS(b.tilt[DEMI_TILT_XZ], TILT[DEMI_TILT_XZ] + 0.125 * TILT[DEMI_TILT_YZ], 1e-15);
  assert_true(b.tilt[DEMI_TILT_YZ] == TILT[DEMI_TILT_YZ]);
  for (int a = 0; a < 3; a++) assert_true(b.low[a] == -a && b.high[a] == -a + LENGTH[a]);
}

/* Along the axes: lengths and tilts by exp(rate time), about the middle; however large the exponent. It is halved until it is at most 1/8,
 * and the result squared as often, which makes rounding grow up to 16 times the exponent. */
static void compression_and_extension(void **state) {
  (void)state;
  const double rate[6] = {-0.3, 0.2, 1.7, 0, 0, 0}, times[3] = {1e-3, 1, 7};
  for (int k = 0; k < 3; k++) {
    demi_box b = box_of(LENGTH, TILT);
    const double bound = 4e-15 + 16 * 1.7 * times[k] * 2.2e-16;
    demi_box_deform(&b, rate, times[k]);
    for (int a = 0; a < 3; a++) {
      ASSERT_REL(b.high[a] - b.low[a], LENGTH[a] * exp(rate[a] * times[k]), bound);
      ASSERT_ABS(0.5 * (b.high[a] + b.low[a]), -a + 0.5 * LENGTH[a], 1e-15 * b.high[a] + 1e-15);
    }
    ASSERT_REL(b.tilt[DEMI_TILT_XY], TILT[DEMI_TILT_XY] * exp(rate[0] * times[k]), bound);
    ASSERT_REL(b.tilt[DEMI_TILT_XZ], TILT[DEMI_TILT_XZ] * exp(rate[0] * times[k]), bound);
    ASSERT_REL(b.tilt[DEMI_TILT_YZ], TILT[DEMI_TILT_YZ] * exp(rate[1] * times[k]), bound);
  }
}

/* x' = a x + c y, y' = b y has the off-diagonal element c (e^(a t) - e^(b t))/(a - b). */
static void shear_and_compression(void **state) {
  (void)state;
  const double a = -0.4, b = 0.6, c = 2, t = 0.9;
  const double none[3] = {0, 0, 0};
  demi_box box = box_of(LENGTH, none);
  demi_box_deform(&box, (double[6]){a, b, 0, c, 0, 0}, t);
  ASSERT_REL(box.tilt[DEMI_TILT_XY], LENGTH[1] * c * (exp(a * t) - exp(b * t)) / (a - b), 1e-14);
  /* x' = c y, y' = d z: z shears y, which shears x: c d t^2/2 */
  box = box_of(LENGTH, none);
  demi_box_deform(&box, (double[6]){0, 0, 0, 2, 0, 3}, 0.7);
  ASSERT_REL(box.tilt[DEMI_TILT_XZ], LENGTH[2] * 2 * 3 * 0.7 * 0.7 / 2, 1e-14);
}

/* The flow has no memory: many short drifts are one long one. */
static void drifts_add_up(void **state) {
  (void)state;
  const double rate[6] = {-0.3, 0.2, 0.1, 1.5, -0.7, 0.9};
  demi_box one = box_of(LENGTH, TILT), many = one;
  demi_box_deform(&one, rate, 1.0);
  for (int k = 0; k < 1000; k++) demi_box_deform(&many, rate, 1e-3);
  for (int a = 0; a < 3; a++) {
    ASSERT_ABS(one.low[a], many.low[a], 1e-12);
    ASSERT_ABS(one.high[a], many.high[a], 1e-12);
    ASSERT_ABS(one.tilt[a], many.tilt[a], 1e-12);
  }
}

/* V = L H n is the derivative of the image vector H n. */
static void image_velocities_are_derivatives(void **state) {
  (void)state;
  const double rate[6] = {-0.3, 0.2, 0.1, 1.5, -0.7, 0.9}, h = 1e-5;
  const demi_box middle = box_of(LENGTH, TILT);
  for (int n = 0; n < 27; n++) {
    const double turns[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    demi_box before = middle, after = middle;
    double now[3], low[3], high[3], v[3];
    demi_box_deform(&before, rate, -h);
    demi_box_deform(&after, rate, h);
    demi_box_image(&middle, turns, now), demi_box_image(&before, turns, low), demi_box_image(&after, turns, high);
    demi_box_image_velocity(rate, now, v);
    for (int a = 0; a < 3; a++) ASSERT_ABS(v[a], (high[a] - low[a]) / (2 * h), 1e-8);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simple_shear),
      cmocka_unit_test(compression_and_extension),
      cmocka_unit_test(shear_and_compression),
      cmocka_unit_test(drifts_add_up),
      cmocka_unit_test(image_velocities_are_derivatives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
