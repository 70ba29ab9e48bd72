/* Volumes that spheres and discs share, against sums of slices: a slice perpendicular to the line of centres is a disc (in 2
 * dimensions a chord) of half width sqrt(R^2 - x^2), and what two share is the narrower one. */
#include "assertions.h"

#include "overlaps.h"

static const double PI = 3.14159265358979323846;

enum { SLICES = 400000 };

static double half_square(double radius, double x) {
  const double square = radius * radius - x * x;
  return square > 0 ? square : 0;
}

/* Midpoints over -reach ... reach; the plane of a wall cuts at `plane`, and without one the second sphere is `apart` away. */
static double slices(int dimension, double a, double b, double apart, int cut) {
  double sum = 0;
  const double low = cut ? apart : -a, width = (a - low) / SLICES;
  for (int k = 0; k < SLICES; k++) {
    const double x = low + (k + 0.5) * width;
    const double square = cut ? half_square(a, x) : fmin(half_square(a, x), half_square(b, x - apart));
    sum += width * (dimension == 3 ? PI * square : 2 * sqrt(square));
  }
  return sum;
}

static void pairs_share_what_slices_say(void **state) {
  (void)state;
  const double radii[][2] = {{0.5, 0.5}, {0.5, 0.3}, {1, 0.1}, {0.2, 0.9}};
  for (int dimension = 2; dimension <= 3; dimension++)
    for (size_t k = 0; k < sizeof radii / sizeof *radii; k++)
      for (double part = 0.05; part < 1; part += 0.1) {
        const double a = radii[k][0], b = radii[k][1], r = part * (a + b);
        ASSERT_ABS(demi_overlap_of_pair(dimension, a, b, r), slices(dimension, a, b, r, 0), 1e-7);
        assert_true(demi_overlap_of_pair(dimension, a, b, r) == demi_overlap_of_pair(dimension, b, a, r));
      }
}

static void planes_cut_off_what_slices_say(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; dimension++)
    for (double x = -0.65; x < 0.7; x += 0.1)
      ASSERT_ABS(demi_overlap_of_plane(dimension, 0.7, x), slices(dimension, 0.7, 0, x, 1), 1e-7);
}

/* Closed forms: nothing at a touch, a whole one inside, the lens of equal spheres pi d^2 (3 - d)/12 ... for R = 1. */
static void limits_are_closed_forms(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; dimension++) {
    const double whole = dimension == 2 ? PI * 0.09 : 4.0 / 3.0 * PI * 0.027;
    assert_true(demi_overlap_of_pair(dimension, 0.5, 0.3, 0.8) == 0);
    assert_true(demi_overlap_of_pair(dimension, 0.5, 0.3, 2) == 0);
    assert_true(demi_overlap_of_plane(dimension, 0.3, 0.3) == 0);
    assert_true(demi_overlap_of_plane(dimension, 0.3, 1) == 0);
    ASSERT_REL(demi_overlap_of_pair(dimension, 0.5, 0.3, 0.1), whole, 1e-14);
    ASSERT_REL(demi_overlap_of_pair(dimension, 0.5, 0.3, 0), whole, 1e-14);
    ASSERT_REL(demi_overlap_of_plane(dimension, 0.3, -2), whole, 1e-14);
  }
  for (double d = 1e-6; d < 2; d *= 3) {
    const double h = 0.5 * d;
    ASSERT_REL(demi_overlap_of_pair(3, 1, 1, 2 - d), 2 * PI * h * h * (3 - h) / 3, 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_share_what_slices_say),
      cmocka_unit_test(planes_cut_off_what_slices_say),
      cmocka_unit_test(limits_are_closed_forms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
