/* Random starts: moments of the distributions against their closed forms, the packing fraction, equal bits for equal seeds, the box, and
 * particles that do not overlap, by brute force. */
#include "assertions.h"

#include <stdlib.h>

static const double PI = 3.14159265358979323846;

typedef struct start {
  dem_context *context;
  dem_packing_options options;
  double *position, *radius, edges[3];
} start;

static dem_packing_options options_of(int32_t dimension, int64_t count, double fraction) {
  dem_packing_options o;
  assert_int_equal(dem_packing_options_init(&o, sizeof o), DEM_OK);
  o.dimension = dimension;
  o.count = count;
  o.packing_fraction = fraction;
  o.seed = 11;
  return o;
}

static start draw(const dem_packing_options *o) {
  start s = {.options = *o};
  assert_int_equal(dem_context_create(NULL, &s.context), DEM_OK);
  assert_non_null(s.position = calloc((size_t)o->count, 3 * sizeof(double)));
  assert_non_null(s.radius = calloc((size_t)o->count, sizeof(double)));
  if (dem_packing_draw(s.context, o, s.position, s.radius, s.edges)) fail_msg("%s", dem_context_message(s.context));
  return s;
}

static void drop(start *s) {
  free(s->position);
  free(s->radius);
  assert_int_equal(dem_context_destroy(s->context), DEM_OK);
}

/* Halves are added to each other, so that roundings grow with the logarithm of the number of terms. */
static double sum_of_powers(const double *radius, int64_t count, int power) {
  if (count == 1) return power == 2 ? radius[0] * radius[0] : radius[0] * radius[0] * radius[0];
  return sum_of_powers(radius, count / 2, power) + sum_of_powers(radius + count / 2, count - count / 2, power);
}

static double fraction_of(const start *s) {
  const int flat = s->options.dimension == 2;
  const double sum = sum_of_powers(s->radius, s->options.count, s->options.dimension);
  return (flat ? PI : 4.0 / 3 * PI) * sum / (s->edges[0] * s->edges[1] * (flat ? 1 : s->edges[2]));
}

/* Mean and standard deviation of the radii, each within five standard errors of `mean` and `deviation`; the error of a standard
 * deviation is at most that of a normal distribution times `heavy`. */
static void check_moments(const start *s, double mean, double deviation, double heavy) {
  const double n = (double)s->options.count;
  double sum = 0, square = 0;
  for (int64_t k = 0; k < s->options.count; k++) sum += s->radius[k];
  for (int64_t k = 0; k < s->options.count; k++) square += (s->radius[k] - sum / n) * (s->radius[k] - sum / n);
  ASSERT_ABS(sum / n, mean, 5 * deviation / sqrt(n));
  ASSERT_ABS(sqrt(square / n), deviation, 5 * heavy * deviation / sqrt(2 * n));
}

/* ---- distributions ---- */

static void uniform_radii_have_their_moments(void **state) {
  (void)state;
  dem_packing_options o = options_of(3, 20000, 0.6);
  o.radius = 0.25;
  o.ratio = 3;
  start s = draw(&o);
  check_moments(&s, 0.5, 0.5 / sqrt(12), 1);
  for (int64_t k = 0; k < o.count; k++) assert_true(s.radius[k] >= 0.25 && s.radius[k] <= 0.75);
  drop(&s);
}

static double normal_below(double z) { return 0.5 * erfc(-z / sqrt(2)); }

/* E R^k of R = exp(width z), z normal within +-cut: exp(k^2 width^2/2) [F(cut - k width) - F(-cut - k width)]/[F(cut) - F(-cut)]. */
static double lognormal_moment(int k, double width, double cut) {
  const double part = normal_below(cut - k * width) - normal_below(-cut - k * width);
  return exp(0.5 * k * k * width * width) * part / (normal_below(cut) - normal_below(-cut));
}

static void check_lognormal(double width, double cut) {
  dem_packing_options o = options_of(2, 20000, 0.8);
  o.distribution = DEM_RADII_LOGNORMAL;
  o.radius = 2;
  o.width = width;
  o.cut = cut;
  start s = draw(&o);
  const double first = lognormal_moment(1, width, cut), second = lognormal_moment(2, width, cut);
  check_moments(&s, 2 * first, 2 * sqrt(second - first * first), 2.5);
  for (int64_t k = 0; k < o.count; k++) assert_true(fabs(log(s.radius[k] / 2)) <= width * cut * (1 + 1e-14));
  drop(&s);
}

static void lognormal_radii_have_their_moments(void **state) {
  (void)state;
  check_lognormal(0.2, 3);
  check_lognormal(0.5, 1);
  check_lognormal(0.35, 6);
}

/* Numbers and volumes of both sizes are as given, to one particle. */
static void two_sizes_have_their_numbers(void **state) {
  (void)state;
  for (int dimension = 2; dimension <= 3; dimension++)
    for (int by_volume = 0; by_volume < 2; by_volume++) {
      dem_packing_options o = options_of(dimension, 1001, 0.7);
      o.distribution = DEM_RADII_BIDISPERSE;
      o.ratio = 1.4;
      o.large = 0.3;
      o.by_volume = by_volume;
      start s = draw(&o);
      double number = 0, all = 0, large = 0;
      for (int64_t k = 0; k < o.count; k++) {
        const double volume = pow(s.radius[k], dimension);
        assert_true(s.radius[k] == 1 || s.radius[k] == 1.4);
        all += volume;
        number += s.radius[k] == 1.4;
        large += s.radius[k] == 1.4 ? volume : 0;
      }
      ASSERT_ABS(by_volume ? large / all : number / 1001, 0.3,
                 (by_volume ? pow(1.4, dimension) / all : 0.5 / 1001) * (1 + 1e-9));
      drop(&s);
    }
}

static void given_radii_are_taken_or_drawn(void **state) {
  (void)state;
  static const double given[4] = {1, 2, 4, 8};
  double list[400];
  dem_packing_options o = options_of(2, 400, 0.5);
  int64_t found[9] = {0};
  for (int k = 0; k < 400; k++) list[k] = given[k % 4];
  o.distribution = DEM_RADII_LIST;
  o.radii = list;
  o.radii_count = 400;
  start s = draw(&o);
  ASSERT_BITS(s.radius, list, sizeof list);
  drop(&s);
  o.distribution = DEM_RADII_SAMPLE;
  o.radii = given;
  o.radii_count = 4;
  s = draw(&o);
  for (int k = 0; k < 400; k++) found[(int)s.radius[k]]++;
  /* binomial: 100 +- 8.7 */
  for (int k = 0; k < 4; k++) ASSERT_ABS((double)found[(int)given[k]], 100, 5 * 8.7);
  assert_int_equal(found[1] + found[2] + found[4] + found[8], 400);
  drop(&s);
}

/* ---- packing fraction and box ---- */

static void the_packing_fraction_is_exact(void **state) {
  (void)state;
  static const double fractions[4] = {0.01, 0.6, 0.8423, 3};
  for (int dimension = 2; dimension <= 3; dimension++)
    for (int distribution = DEM_RADII_UNIFORM; distribution <= DEM_RADII_LOGNORMAL; distribution++)
      for (int k = 0; k < 4; k++)
        for (int scaled = 0; scaled < 2; scaled++) {
          dem_packing_options o = options_of(dimension, 1500, fractions[k]);
          o.distribution = distribution;
          o.proportions[1] = 1.7;
          o.proportions[2] = 0.9;
          o.length = scaled ? 37.5 : 0;
          start s = draw(&o);
          ASSERT_REL(fraction_of(&s), fractions[k], 1e-14);
          ASSERT_REL(s.edges[1] / s.edges[0], 1.7, 1e-15);
          ASSERT_REL(s.edges[2] / s.edges[0], dimension == 3 ? 0.9 : 0, 1e-15);
          if (scaled) assert_true(s.edges[0] == 37.5);
          drop(&s);
        }
}

/* Scaled radii are the others times one factor. */
static void scaling_keeps_the_proportions_of_radii(void **state) {
  (void)state;
  dem_packing_options o = options_of(3, 500, 0.6);
  start s = draw(&o);
  o.length = 10;
  start t = draw(&o);
  for (int64_t k = 1; k < o.count; k++) ASSERT_REL(t.radius[k] / t.radius[0], s.radius[k] / s.radius[0], 1e-15);
  drop(&s);
  drop(&t);
}

/* ---- positions ---- */

/* Uniform in the box: the mean of each coordinate is half its edge, within five standard errors, and none is outside. */
static void positions_fill_the_box(void **state) {
  (void)state;
  dem_packing_options o = options_of(3, 20000, 0.6);
  o.proportions[2] = 2;
  start s = draw(&o);
  for (int a = 0; a < 3; a++) {
    double sum = 0, square = 0;
    for (int64_t k = 0; k < o.count; k++) {
      const double x = s.position[3 * k + a] / s.edges[a];
      assert_true(x >= 0 && x < 1);
      sum += x;
      square += (x - 0.5) * (x - 0.5);
    }
    ASSERT_ABS(sum / 20000, 0.5, 5 * sqrt(1.0 / 12 / 20000));
    ASSERT_ABS(square / 20000, 1.0 / 12, 5 * sqrt(1.0 / 180 / 20000));
  }
  drop(&s);
}

static void equal_seeds_give_equal_bits(void **state) {
  (void)state;
  for (int apart = 0; apart < 2; apart++) {
    dem_packing_options o = options_of(2, 300, 0.3);
    o.apart = apart;
    start s = draw(&o), t = draw(&o);
    ASSERT_BITS(s.position, t.position, 900 * sizeof(double));
    ASSERT_BITS(s.radius, t.radius, 300 * sizeof(double));
    drop(&t);
    o.seed++;
    t = draw(&o);
    for (int k = 0; k < 300; k++) assert_true(s.position[3 * k] != t.position[3 * k] && s.radius[k] != t.radius[k]);
    drop(&t);
    drop(&s);
  }
}

/* Other radii leave the fractional coordinates as they are, up to one rounding. */
static void positions_do_not_depend_on_radii(void **state) {
  (void)state;
  dem_packing_options o = options_of(2, 300, 0.3);
  start s = draw(&o);
  o.distribution = DEM_RADII_LOGNORMAL;
  start t = draw(&o);
  for (int k = 0; k < 300; k++) ASSERT_REL(s.position[3 * k] / s.edges[0], t.position[3 * k] / t.edges[0], 1e-15);
  drop(&s);
  drop(&t);
}

/* Smallest distance of surfaces, over the images of neighbouring boxes. */
static double least_gap(const start *s) {
  double least = INFINITY;
  for (int64_t i = 0; i < s->options.count; i++)
    for (int64_t j = 0; j < i; j++) {
      double square = 0;
      for (int a = 0; a < s->options.dimension; a++) {
        const double d = s->position[3 * i + a] - s->position[3 * j + a];
        square += pow(d - s->edges[a] * round(d / s->edges[a]), 2);
      }
      least = fmin(least, sqrt(square) - s->radius[i] - s->radius[j]);
    }
  return least;
}

static void particles_that_are_apart_do_not_overlap(void **state) {
  (void)state;
  static const double fractions[2][3] = {{0.05, 0.3, 0.45}, {0.02, 0.2, 0.3}};
  for (int dimension = 2; dimension <= 3; dimension++)
    for (int k = 0; k < 3; k++)
      for (int64_t count = 12; count < 1000; count *= 5) {
        dem_packing_options o = options_of(dimension, count, fractions[dimension - 2][k]);
        o.ratio = count < 100 ? 1.0 : 3.0;
        o.apart = 1;
        o.attempts = 1000000;
        if (count == 12 && dimension == 3 && k == 2) continue; /* the box is narrower than two diameters */
        start s = draw(&o);
        assert_true(least_gap(&s) >= 0);
        ASSERT_REL(fraction_of(&s), o.packing_fraction, 1e-14);
        drop(&s);
      }
}

/* ---- radii from text ---- */

typedef struct text {
  const char *next;
} text;

static int64_t read_text(void *user, void *buffer, int64_t size) {
  text *t = user;
  const size_t left = strlen(t->next), take = left < (size_t)size ? left : (size_t)size;
  memcpy(buffer, t->next, take);
  t->next += take;
  return (int64_t)take;
}

static void radii_are_read_from_text(void **state) {
  (void)state;
  text t = {"# radius [m]\n0.25\n\n1e-3 second word\r\n  7 # last\n"};
  dem_context *context;
  dem_source source;
  double radii[3];
  int64_t count;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  dem_source_init(&source, sizeof source);
  source.user = &t;
  source.read = read_text;
  assert_int_equal(dem_radii_read(context, &source, 3, radii, &count), DEM_OK);
  assert_int_equal(count, 3);
  assert_true(radii[0] == 0.25 && radii[1] == 1e-3 && radii[2] == 7);
  t.next = "1\n-2\n";
  assert_int_equal(dem_radii_read(context, &source, 3, radii, &count), DEM_BAD_FORMAT);
  assert_non_null(strstr(dem_context_message(context), "line 2"));
  t.next = "1\n2\nx\n";
  assert_int_equal(dem_radii_read(context, &source, 3, radii, &count), DEM_BAD_FORMAT);
  t.next = "1\n2\n3\n4\n";
  assert_int_equal(dem_radii_read(context, &source, 3, radii, &count), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(context), "capacity is 3"));
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

/* ---- a system ---- */

static void a_system_has_the_particles_of_the_arrays(void **state) {
  (void)state;
  dem_packing_options o = options_of(2, 200, 0.6);
  dem_law_options law_options;
  dem_law *law;
  dem_system *system;
  dem_box box;
  double position[600], radius[200], fraction, dt;
  start s = draw(&o);
  dem_law_options_init(&law_options, sizeof law_options);
  law_options.tangential = DEM_TANGENTIAL_NONE;
  law_options.normal_stiffness = 100;
  assert_int_equal(dem_law_create(s.context, &law_options, &law), DEM_OK);
  assert_int_equal(dem_packing_system(s.context, &o, NULL, NULL, law, 2, &system), DEM_OK);
  dem_law_release(law);
  ASSERT_OK(system, dem_system_get_field(system, DEM_POSITION, 200, NULL, position, 0));
  ASSERT_OK(system, dem_system_get_field(system, DEM_RADIUS, 200, NULL, radius, 0));
  ASSERT_BITS(position, s.position, sizeof position);
  ASSERT_BITS(radius, s.radius, sizeof radius);
  dem_box_init(&box, sizeof box);
  ASSERT_OK(system, dem_system_get_box(system, &box));
  assert_true(box.high[0] == s.edges[0] && box.high[1] == s.edges[1] && box.low[0] == 0 && box.periodic[0] && box.periodic[1]);
  ASSERT_OK(system, dem_system_packing_fraction(system, &fraction));
  ASSERT_REL(fraction, 0.6, 1e-14);
  ASSERT_OK(system, dem_system_stable_dt(system, &dt));
  assert_true(isfinite(dt));
  ASSERT_OK(system, dem_system_step(system, 10));
  double time;
  ASSERT_OK(system, dem_system_time(system, &time));
  ASSERT_REL(time, dt, 1e-12); /* ten steps of a tenth */
  assert_int_equal(dem_system_destroy(system), DEM_OK);
  drop(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uniform_radii_have_their_moments), cmocka_unit_test(lognormal_radii_have_their_moments),
      cmocka_unit_test(two_sizes_have_their_numbers),     cmocka_unit_test(given_radii_are_taken_or_drawn),
      cmocka_unit_test(the_packing_fraction_is_exact),    cmocka_unit_test(scaling_keeps_the_proportions_of_radii),
      cmocka_unit_test(positions_fill_the_box),           cmocka_unit_test(equal_seeds_give_equal_bits),
      cmocka_unit_test(positions_do_not_depend_on_radii), cmocka_unit_test(particles_that_are_apart_do_not_overlap),
      cmocka_unit_test(radii_are_read_from_text),         cmocka_unit_test(a_system_has_the_particles_of_the_arrays),
  };
  return cmocka_run_group_tests_name("packing", tests, NULL, NULL);
}
