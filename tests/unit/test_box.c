/* Wrapping into the box and nearest images. */
#include "assertions.h"

#include <float.h>

#include "box.h"
#include "scenes/scenes.h"

static const demi_box box = {{-1.5, 0.1, 1e6}, {2.25, 0.4, 1e6 + 3}, {1, 1, 0}, 0, {0}};

/* ---- without tilt ---- */

/* x along one axis, wrapped; the other coordinates lie in the box. */
static double wrap(int axis, double x, int32_t *image) {
  double position[3] = {0, 0.2, 0};
  int32_t images[3] = {0, 0, 0};
  position[axis] = x;
  images[axis] = *image;
  demi_box_wrap(&box, position, images);
  *image = images[axis];
  return position[axis];
}

static double nearest_along(int axis, double x) {
  double difference[3] = {0, 0, 0};
  difference[axis] = x;
  demi_box_nearest(&box, difference);
  return difference[axis];
}

static void wrapped_positions_lie_inside(void **state) {
  (void)state;
  dice d = {3};
  for (int k = 0; k < 100000; k++) {
    const int axis = k % 2;
    const double length = demi_box_length(&box, axis), x = dice_uniform(&d, -1e3, 1e3);
    int32_t image = k % 11 - 5;
    const int32_t before = image;
    const double y = wrap(axis, x, &image);
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
    const double y = wrap(0, x, &image);
    assert_true(y == x && image == 7);
  }
}

/* Just below the low side the sum x + L rounds to the high side, which is the low side of the next image. */
static void the_seam_belongs_to_the_low_side(void **state) {
  (void)state;
  for (int axis = 0; axis < 2; axis++) {
    int32_t image = 0;
    assert_true(wrap(axis, box.high[axis], &image) == box.low[axis]);
    assert_int_equal(image, 1);
    image = 0;
    const double y = wrap(axis, box.low[axis] - 1e-300, &image);
    assert_true(y == box.low[axis] && image == 0);
    image = 0;
    const double z = wrap(axis, nextafter(box.low[axis], -INFINITY), &image);
    assert_true(z >= box.low[axis] && z < box.high[axis]);
    assert_true(image == -1 || (image == 0 && z == box.low[axis]));
  }
}

static void open_axes_are_left_alone(void **state) {
  (void)state;
  int32_t image = 3;
  assert_true(wrap(2, -5.0, &image) == -5.0 && image == 3);
  assert_true(nearest_along(2, 1e9) == 1e9);
}

static void image_counts_stay_within_their_type(void **state) {
  (void)state;
  int32_t image = INT32_MAX - 1;
  const double y = wrap(0, 1e30, &image);
  assert_true(y >= box.low[0] && y < box.high[0]);
  assert_int_equal(image, INT32_MAX);
  image = 0;
  wrap(0, -1e30, &image);
  assert_int_equal(image, INT32_MIN);
}

static void the_nearest_image_is_nearest(void **state) {
  (void)state;
  dice d = {5};
  for (int k = 0; k < 20000; k++) {
    const double length = demi_box_length(&box, 0), x = dice_uniform(&d, -20, 20), near = nearest_along(0, x);
    double least = INFINITY;
    for (int n = -10; n <= 10; n++) least = fmin(least, fabs(x + n * length));
    ASSERT_ABS(fabs(near), least, 1e-14);
    ASSERT_ABS(remainder(near - x, length), 0, 1e-14);
  }
}

/* ---- tilted ---- */

/* Periodic axes from the bits of `axes`; the tilt up to half the length where both axes are periodic. */
static demi_box tilted_box(dice *d, int axes, double thinnest) {
  demi_box b = {{0}, {0}, {axes & 1, axes >> 1 & 1, axes >> 2 & 1}, 0, {0}};
  double tilt[3];
  for (int a = 0; a < 3; a++) {
    b.low[a] = dice_uniform(d, -5, 5);
    b.high[a] = b.low[a] + exp(dice_uniform(d, log(thinnest), 0.7));
  }
  tilt[0] = b.periodic[0] && b.periodic[1] ? dice_uniform(d, -0.5, 0.5) * demi_box_length(&b, 0) : 0;
  tilt[1] = b.periodic[0] && b.periodic[2] ? dice_uniform(d, -0.5, 0.5) * demi_box_length(&b, 0) : 0;
  tilt[2] = b.periodic[1] && b.periodic[2] ? dice_uniform(d, -0.5, 0.5) * demi_box_length(&b, 1) : 0;
  demi_box_set_tilt(&b, tilt);
  return b;
}

static void cross(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The faces across axis k are V / |e_l x e_m| apart, and the fractional coordinate is s_k = (e_l x e_m).(x - low) / V. */
static void heights_and_upright_coordinates_follow_from_the_edges(void **state) {
  (void)state;
  dice d = {8};
  for (int k = 0; k < 2000; k++) {
    const demi_box b = tilted_box(&d, 7, 0.1);
    double edge[3][3], x[3], upright[3];
    for (int a = 0; a < 3; a++) demi_box_edge(&b, a, edge[a]);
    for (int a = 0; a < 3; a++) x[a] = dice_uniform(&d, -9, 9);
    demi_box_upright(&b, x, upright);
    for (int a = 0; a < 3; a++) {
      double face[3], from_low[3], gradient[3];
      cross(edge[(a + 1) % 3], edge[(a + 2) % 3], face);
      const double volume = dot(face, edge[a]);
      ASSERT_ABS(volume, demi_box_volume(&b), 1e-14 * volume);
      ASSERT_ABS(demi_box_height(&b, a), volume / sqrt(dot(face, face)), 1e-14 * demi_box_length(&b, a));
      for (int c = 0; c < 3; c++) from_low[c] = x[c] - b.low[c];
      ASSERT_ABS((upright[a] - b.low[a]) / demi_box_length(&b, a), dot(face, from_low) / volume,
                 1e-12 / demi_box_height(&b, a));
      demi_box_gradient(&b, a, gradient);
      for (int c = 0; c < 3; c++)
        ASSERT_ABS(gradient[c], demi_box_length(&b, a) * face[c] / volume, 1e-12 / demi_box_height(&b, a));
    }
  }
}

/* The wrapped position and the counted edges give the old position; what is wrapped keeps its bits when it is wrapped again. */
static void wrapping_takes_off_whole_edges(void **state) {
  (void)state;
  dice d = {9};
  for (int k = 0; k < 100000; k++) {
    const demi_box b = tilted_box(&d, k % 8, 0.1);
    double x[3], y[3], z[3], upright[3], vector[3], turns[3];
    int32_t image[3] = {5, -6, 7}, again[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++) x[a] = y[a] = dice_uniform(&d, -30, 30);
    demi_box_wrap(&b, y, image);
    memcpy(z, y, sizeof z);
    demi_box_wrap(&b, z, again);
    assert_memory_equal(z, y, sizeof z);
    assert_true(again[0] == 0 && again[1] == 0 && again[2] == 0);
    demi_box_upright(&b, y, upright);
    for (int a = 0; a < 3; a++) {
      const double slack = 1e-13;
      if (b.periodic[a]) assert_true(upright[a] >= b.low[a] - slack && upright[a] < b.high[a] + slack);
      turns[a] = image[a] - (double[]){5, -6, 7}[a];
      assert_true(b.periodic[a] || turns[a] == 0);
    }
    demi_box_image(&b, turns, vector);
    double summed = 100; /* no sum of lengths on the way is larger; there are fewer than 16 of them */
    for (int a = 0; a < 3; a++) summed += fabs(turns[a]) * (demi_box_length(&b, 0) + demi_box_length(&b, a));
    for (int a = 0; a < 3; a++) ASSERT_ABS(y[a] + vector[a], x[a], 8 * DBL_EPSILON * summed);
  }
}

/* Against all images of up to 40 turns on each axis. */
static double least_of_all(const demi_box *b, const double *difference) {
  double least = INFINITY;
  const int n[3] = {b->periodic[0] ? 40 : 0, b->periodic[1] ? 40 : 0, b->periodic[2] ? 40 : 0};
  for (int z = -n[2]; z <= n[2]; z++)
    for (int y = -n[1]; y <= n[1]; y++)
      for (int x = -n[0]; x <= n[0]; x++) {
        double v[3];
        demi_box_image(b, (double[]){x, y, z}, v);
        for (int a = 0; a < 3; a++) v[a] += difference[a];
        least = fmin(least, sqrt(dot(v, v)));
      }
  return least;
}

static void the_nearest_image_of_a_tilted_box_is_nearest(void **state) {
  (void)state;
  dice d = {10};
  int far = 0;
  for (int k = 0; k < 400; k++) {
    const demi_box b = tilted_box(&d, k % 8, k % 3 ? 0.7 : 0.15); /* some are thin: more than one turn from the rounded one */
    double before[3], near[3], turns[3], vector[3];
    for (int a = 0; a < 3; a++) before[a] = near[a] = dice_uniform(&d, -2, 2);
    demi_box_nearest_turns(&b, near, turns);
    ASSERT_ABS(sqrt(dot(near, near)), least_of_all(&b, before), 1e-13);
    demi_box_image(&b, turns, vector);
    for (int a = 0; a < 3; a++) ASSERT_ABS(near[a] + vector[a], before[a], 1e-13);
    far += fabs(near[1]) > 0.5 * demi_box_length(&b, 1) && b.periodic[1];
  }
  assert_true(far > 5); /* rounding along the axes alone would have missed these */
}

/* Tilts that differ by whole lengths: the same images, other counts. */
static void other_edges_of_one_lattice_count_to_the_same_places(void **state) {
  (void)state;
  dice d = {11};
  for (int k = 0; k < 10000; k++) {
    const demi_box from = tilted_box(&d, 7, 0.3);
    const double lx = demi_box_length(&from, 0), ly = demi_box_length(&from, 1), *t = from.tilt;
    const int xy = (int)dice_uniform(&d, -3, 3), xz = (int)dice_uniform(&d, -3, 3), yz = (int)dice_uniform(&d, -3, 3);
    int32_t image[3] = {(int32_t)dice_uniform(&d, -50, 50), (int32_t)dice_uniform(&d, -50, 50),
                        (int32_t)dice_uniform(&d, -50, 50)};
    double before[3], after[3];
    demi_box to = from;
    /* b' = b + xy a, c' = c + yz b' + xz a */
    demi_box_set_tilt(&to, (double[]){t[0] + xy * lx, t[1] + xz * lx + yz * (t[0] + xy * lx), t[2] + yz * ly});
    demi_box_image(&from, (double[]){image[0], image[1], image[2]}, before);
    demi_box_renumber(&from, &to, image);
    demi_box_image(&to, (double[]){image[0], image[1], image[2]}, after);
    for (int a = 0; a < 3; a++) ASSERT_ABS(after[a], before[a], 1e-11);
  }
}

static void a_little_more_tilt_keeps_the_counts(void **state) {
  (void)state;
  demi_box from = {{0}, {1, 1, 1}, {1, 1, 1}, 0, {0}}, to = from;
  int32_t image[3] = {3, -4, 5};
  demi_box_set_tilt(&from, (double[]){0.1, -0.2, 0.3});
  demi_box_set_tilt(&to, (double[]){0.5, 0.2, -0.1});
  demi_box_renumber(&from, &to, image);
  assert_true(image[0] == 3 && image[1] == -4 && image[2] == 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrapped_positions_lie_inside),
      cmocka_unit_test(a_position_inside_keeps_its_bits),
      cmocka_unit_test(the_seam_belongs_to_the_low_side),
      cmocka_unit_test(open_axes_are_left_alone),
      cmocka_unit_test(image_counts_stay_within_their_type),
      cmocka_unit_test(the_nearest_image_is_nearest),
      cmocka_unit_test(heights_and_upright_coordinates_follow_from_the_edges),
      cmocka_unit_test(wrapping_takes_off_whole_edges),
      cmocka_unit_test(the_nearest_image_of_a_tilted_box_is_nearest),
      cmocka_unit_test(other_edges_of_one_lattice_count_to_the_same_places),
      cmocka_unit_test(a_little_more_tilt_keeps_the_counts),
  };
  return cmocka_run_group_tests_name("box", tests, NULL, NULL);
}
