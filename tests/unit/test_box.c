/* Wrapping into the box and nearest images. */
#include "assertions.h"

#include <float.h>

#include "box.h"
#include "scenes/scenes.h"

static const demi_box box = {{-1.5, 0.1, 1e6}, {2.25, 0.4, 1e6 + 3}, {1, 1, 0}};

static void wrapped_positions_lie_inside(void **state) {
  (void)state;
  dice d = {3};
  for (int k = 0; k < 100000; k++) {
    const int axis = k % 2;
    const double length = demi_box_length(&box, axis), x = dice_uniform(&d, -1e3, 1e3);
    int32_t image = k % 11 - 5;
    const int32_t before = image;
    const double y = demi_box_wrap(&box, axis, x, &image);
    assert_true(y >= box.low[axis] && y < box.high[axis]);
    ASSERT_ABS(y + (image - before) * length, x, 4 * DBL_EPSILON * 1e3);
  }
}

static void a_position_inside_keeps_its_bits(void **state) {
  (void)state;
  dice d = {4};
  for (int k = 0; k < 10000; k++) {
    const double x = dice_uniform(&d, box.low[0], box.high[0]);
    int32_t image = 7;
    const double y = demi_box_wrap(&box, 0, x, &image);
    assert_true(y == x && image == 7);
  }
}

/* Just below the low side the sum x + L rounds to the high side, which is the low side of the next image. */
static void the_seam_belongs_to_the_low_side(void **state) {
  (void)state;
  for (int axis = 0; axis < 2; axis++) {
    int32_t image = 0;
    assert_true(demi_box_wrap(&box, axis, box.high[axis], &image) == box.low[axis]);
    assert_int_equal(image, 1);
    image = 0;
    const double y = demi_box_wrap(&box, axis, box.low[axis] - 1e-300, &image);
    assert_true(y == box.low[axis] && image == 0);
    image = 0;
    const double z = demi_box_wrap(&box, axis, nextafter(box.low[axis], -INFINITY), &image);
    assert_true(z >= box.low[axis] && z < box.high[axis]);
    assert_true(image == -1 || (image == 0 && z == box.low[axis]));
  }
}

static void open_axes_are_left_alone(void **state) {
  (void)state;
  int32_t image = 3;
  assert_true(demi_box_wrap(&box, 2, -5.0, &image) == -5.0 && image == 3);
  assert_true(demi_box_nearest(&box, 2, 1e9) == 1e9);
}

static void image_counts_stay_within_their_type(void **state) {
  (void)state;
  int32_t image = INT32_MAX - 1;
  const double y = demi_box_wrap(&box, 0, 1e30, &image);
  assert_true(y >= box.low[0] && y < box.high[0]);
  assert_int_equal(image, INT32_MAX);
  image = 0;
  demi_box_wrap(&box, 0, -1e30, &image);
  assert_int_equal(image, INT32_MIN);
}

static void the_nearest_image_is_nearest(void **state) {
  (void)state;
  dice d = {5};
  for (int k = 0; k < 20000; k++) {
    const double length = demi_box_length(&box, 0), x = dice_uniform(&d, -20, 20), near = demi_box_nearest(&box, 0, x);
    double least = INFINITY;
    for (int n = -10; n <= 10; n++) least = fmin(least, fabs(x + n * length));
    ASSERT_ABS(fabs(near), least, 1e-14);
    ASSERT_ABS(remainder(near - x, length), 0, 1e-14);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrapped_positions_lie_inside),        cmocka_unit_test(a_position_inside_keeps_its_bits),
      cmocka_unit_test(the_seam_belongs_to_the_low_side),    cmocka_unit_test(open_axes_are_left_alone),
      cmocka_unit_test(image_counts_stay_within_their_type), cmocka_unit_test(the_nearest_image_is_nearest),
  };
  return cmocka_run_group_tests_name("box", tests, NULL, NULL);
}
