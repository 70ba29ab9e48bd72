/* Which sizes share a cell grid: few levels where sizes are alike or few, about a factor of two apart where all sizes are there, and
 * an estimated cost per particle that does not grow with the ratio. */
#include "assertions.h"

#include "levels.h"

static const double FLAT[3] = {60, 60, 0}, WIDE[3] = {60, 60, 60};

static void add(demi_sizes *s, int64_t count, double radius) {
  for (int64_t k = 0; k < count; k++) demi_sizes_add(s, radius);
}

/* Particles fill 60 % of a cube. */
static demi_size_levels choose(const demi_sizes *s) {
  demi_size_levels levels;
  double volume = 0, extent[3];
  for (int b = 0; b < DEMI_SIZE_BINS; b++)
    if (s->count[b] > 0) volume += 4.18879 * pow(s->sum[b] / (double)s->count[b], 3) * (double)s->count[b];
  for (int a = 0; a < 3; a++) extent[a] = cbrt(volume / 0.6);
  demi_levels_choose(s, extent, 0.0, &levels);
  return levels;
}

static void bins_are_quarters_of_octaves(void **state) {
  (void)state;
  demi_sizes s;
  demi_sizes_start(&s, 1.0);
  assert_int_equal(demi_size_bin(&s, 1.0), DEMI_SIZE_BINS - 1);
  assert_int_equal(demi_size_bin(&s, 0.999), DEMI_SIZE_BINS - 2);
  assert_int_equal(demi_size_bin(&s, 0.5), DEMI_SIZE_BINS - 5);
  assert_int_equal(demi_size_bin(&s, 0.25), DEMI_SIZE_BINS - 9);
  assert_int_equal(demi_size_bin(&s, 1e-9), 0);
  assert_int_equal(demi_size_bin(&s, 1e-300), 0);
  for (double r = 1.0; r > 1e-6; r *= 0.99) assert_true(demi_size_bin(&s, 0.99 * r) <= demi_size_bin(&s, r));
}

static void like_sizes_share_a_level(void **state) {
  (void)state;
  demi_sizes s;
  demi_sizes_start(&s, 0.5);
  add(&s, 10000, 0.5);
  assert_int_equal(choose(&s).count, 1);
  demi_sizes_start(&s, 1.1);
  for (int k = 0; k < 10000; k++) demi_sizes_add(&s, 0.9 + 2e-5 * k);
  assert_int_equal(choose(&s).count, 1);
  demi_sizes_start(&s, 0.5);
  const demi_size_levels none = choose(&s);
  assert_int_equal(none.count, 1);
}

static void two_sizes_have_two_levels(void **state) {
  (void)state;
  for (double ratio = 2; ratio <= 4096; ratio *= 2) {
    demi_sizes s;
    demi_sizes_start(&s, ratio);
    add(&s, 20, ratio);
    add(&s, (int64_t)fmin(20 * ratio * ratio * ratio, 2e5), 1.0);
    const demi_size_levels levels = choose(&s);
    assert_int_equal(levels.count, 2);
    assert_true(levels.largest[0] == 1.0 && levels.largest[1] == ratio);
    assert_true(levels.mean[0] == 1.0 && levels.mean[1] == ratio && levels.members[1] == 20);
    assert_true(levels.of_bin[demi_size_bin(&s, 1.0)] == 0 && levels.of_bin[demi_size_bin(&s, ratio)] == 1);
  }
}

/* One giant has a level of its own; one tiny grain is not worth one. */
static void few_of_a_size(void **state) {
  (void)state;
  demi_sizes s;
  demi_sizes_start(&s, 50.0);
  add(&s, 10000, 0.5);
  add(&s, 1, 50.0);
  assert_int_equal(choose(&s).count, 2);
  demi_sizes_start(&s, 0.5);
  add(&s, 10000, 0.5);
  add(&s, 1, 0.005);
  const demi_size_levels levels = choose(&s);
  assert_int_equal(levels.count, 1);
  assert_int_equal(levels.members[0], 10001);
}

/* Number above r as r^-exponent over a ratio of 128. */
static void all_sizes(void **state) {
  (void)state;
  for (double exponent = 1; exponent <= 3; exponent += 0.5) {
    demi_sizes s;
    demi_sizes_start(&s, 128.0);
    int64_t n = 0;
    for (int k = 0; k < 200000; k++, n++)
      demi_sizes_add(&s, pow(1.0 - (k + 0.5) / 200000 * (1.0 - pow(128, -exponent)), -1.0 / exponent));
    const demi_size_levels levels = choose(&s);
    print_message("# exponent %g: %d levels, %g tests per particle (one level: %g)\n", exponent, levels.count,
                  levels.cost / (double)n, levels.cost_of_one / (double)n);
    assert_true(levels.count >= 4 && levels.count <= 12);
    for (int32_t l = 1; l < levels.count; l++) {
      assert_true(levels.largest[l] > levels.largest[l - 1] && levels.members[l] > 0);
      ASSERT_BELOW(levels.largest[l] / levels.largest[l - 1], 12.0);
    }
  }
}

static double cost_of_mixture(double ratio) {
  demi_sizes s;
  const int64_t fines = 200000;
  demi_sizes_start(&s, ratio);
  add(&s, (int64_t)fmax(1.0, (double)fines / (ratio * ratio * ratio)), ratio);
  add(&s, fines, 1.0);
  const demi_size_levels levels = choose(&s);
  return levels.cost / (double)(levels.members[0] + levels.members[1]);
}

static void cost_does_not_grow(void **state) {
  (void)state;
  const double one = cost_of_mixture(1.0);
  for (double ratio = 2; ratio <= 1024; ratio *= 2) {
    const double cost = cost_of_mixture(ratio);
    print_message("# ratio %g: %.3g distance tests per particle (ratio 1: %.3g)\n", ratio, cost, one);
    ASSERT_BELOW(cost, 1.5 * one);
  }
}

/* In a plane cells have fewer neighbours; in a nearly empty box a cluster may still be dense. */
static void other_spaces(void **state) {
  (void)state;
  const double empty[3] = {1e4, 1e4, 1e4};
  demi_sizes s;
  demi_size_levels levels;
  demi_sizes_start(&s, 5.0);
  add(&s, 3000, 0.5);
  add(&s, 20, 5.0);
  demi_levels_choose(&s, FLAT, 0.0, &levels);
  assert_int_equal(levels.count, 2);
  demi_levels_choose(&s, WIDE, 0.0, &levels);
  assert_int_equal(levels.count, 2);
  demi_levels_choose(&s, empty, 0.0, &levels);
  assert_int_equal(levels.count, 2);
}

/* One level in a cube: N^2/2 tests in the part of space that 27 cells are, or, where the box is emptier than spheres in cubes would
 * fill it, in that part of such a packing. Differences, as a level has a constant cost too. */
static void a_level_costs_the_pairs_of_27_cells(void **state) {
  (void)state;
  demi_sizes s;
  demi_size_levels levels[4];
  const double edge[] = {20, 10, 9, 8};
  demi_sizes_start(&s, 0.5);
  add(&s, 1000, 0.5);
  for (int k = 0; k < 4; k++) demi_levels_choose(&s, (const double[]){edge[k], edge[k], edge[k]}, 0.0, &levels[k]);
  ASSERT_REL(levels[0].cost_of_one, levels[1].cost_of_one, 1e-12);
  for (int k = 2; k < 4; k++) {
    const double more = 0.5e6 * 27 * (1 / pow(edge[k], 3) - 1e-3);
    ASSERT_REL(levels[k].cost_of_one - levels[1].cost_of_one, more, 1e-11);
  }
}

/* Two sizes that share a level: its mean is that of all radii. No rounding lifts it above the largest. */
static void the_mean_of_a_level_is_that_of_its_radii(void **state) {
  (void)state;
  demi_sizes s;
  demi_sizes_start(&s, 1.0);
  add(&s, 3000, 1.0);
  add(&s, 1000, 0.9);
  const demi_size_levels two = choose(&s);
  assert_true(two.count == 1 && two.largest[0] == 1.0);
  ASSERT_REL(two.mean[0], 0.975, 1e-12);
  demi_sizes_start(&s, 0.1);
  add(&s, 1000, 0.1);
  assert_true(choose(&s).mean[0] <= 0.1);
}

/* Several levels must save a fifth of the tests that one level would need. */
static void several_levels_are_worth_it(void **state) {
  (void)state;
  int several = 0, close = 0;
  for (double ratio = 1.3; ratio < 4; ratio *= 1.1)
    for (int64_t fine = 100; fine < 20000; fine = fine * 5 / 4) {
      demi_sizes s;
      demi_sizes_start(&s, ratio);
      add(&s, 500, ratio);
      add(&s, fine, 1.0);
      const demi_size_levels levels = choose(&s);
      if (levels.count == 1) continue;
      several++;
      close += levels.cost > 0.75 * levels.cost_of_one;
      assert_true(levels.cost <= 0.8 * levels.cost_of_one);
    }
  assert_true(several > 20 && close > 2);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bins_are_quarters_of_octaves),
      cmocka_unit_test(like_sizes_share_a_level),
      cmocka_unit_test(two_sizes_have_two_levels),
      cmocka_unit_test(few_of_a_size),
      cmocka_unit_test(all_sizes),
      cmocka_unit_test(cost_does_not_grow),
      cmocka_unit_test(other_spaces),
      cmocka_unit_test(a_level_costs_the_pairs_of_27_cells),
      cmocka_unit_test(the_mean_of_a_level_is_that_of_its_radii),
      cmocka_unit_test(several_levels_are_worth_it),
  };
  return cmocka_run_group_tests_name("levels", tests, NULL, NULL);
}
