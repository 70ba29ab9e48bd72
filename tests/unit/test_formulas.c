/* The formulas of dem/formulas.h for one pair of bodies: closed forms and published figures, round trips, and refusals. */
#include "assertions.h"

static const double PI = 3.14159265358979323846;

#define GET(call)                     \
  do {                                \
    assert_int_equal((call), DEM_OK); \
  } while (0)

/* ---- a pair ---- */

static void effective_values_of_a_pair(void **state) {
  (void)state;
  double m, r, y, g, material;
  GET(dem_formula_effective_mass(2, 6, &m));
  ASSERT_REL(m, 1.5, 1e-15);
  GET(dem_formula_effective_mass(INFINITY, 6, &m));
  ASSERT_REL(m, 6, 1e-15);
  GET(dem_formula_effective_radius(1, 1, &r));
  ASSERT_REL(r, 0.5, 1e-15);
  GET(dem_formula_effective_radius(3, INFINITY, &r));
  ASSERT_REL(r, 3, 1e-15);
  /* equal bodies: Y* = Y/(2(1-nu^2)), G* = Y/(4(2-nu)(1+nu)) = G/(2(2-nu)) */
  GET(dem_formula_effective_moduli(7e10, 0.25, 7e10, 0.25, &y, &g));
  ASSERT_REL(y, 7e10 / (2 * (1 - 0.0625)), 1e-15);
  ASSERT_REL(g, 7e10 / (2 * 1.25) / (2 * 1.75), 1e-15);
  GET(dem_formula_material_young(y, 0.25, &material));
  ASSERT_REL(material, 7e10, 1e-15);
  GET(dem_formula_effective_moduli(7e10, 0.25, INFINITY, 0.1, &y, NULL));
  ASSERT_REL(y, 7e10 / (1 - 0.0625), 1e-15);
}

/* As in dem/formulas.h. */
static void moduli_of_two_materials(void **state) {
  (void)state;
  double y, g, ratio;
  GET(dem_formula_effective_moduli(1e7, 0.3, 3e7, 0.2, &y, &g));
  GET(dem_formula_tangential_ratio_of_moduli(y, g, &ratio));
  ASSERT_REL(1 / y, (1 - 0.09) / 1e7 + (1 - 0.04) / 3e7, 1e-15);
  ASSERT_REL(ratio, 4 * g / y, 1e-15);
}

/* Mindlin: 1 at nu = 0, 2/3 at nu = 1/2; 0.82 at nu = 0.3 is what the literature rounds to. */
static void tangential_stiffness_from_poisson(void **state) {
  (void)state;
  double ratio, general, y, g;
  GET(dem_formula_tangential_ratio(0, &ratio));
  ASSERT_REL(ratio, 1, 1e-15);
  GET(dem_formula_tangential_ratio(0.5, &ratio));
  ASSERT_REL(ratio, 2.0 / 3.0, 1e-15);
  GET(dem_formula_tangential_ratio(0.3, &ratio));
  ASSERT_ABS(ratio, 0.82, 0.005);
  GET(dem_formula_effective_moduli(5e9, 0.3, 5e9, 0.3, &y, &g));
  GET(dem_formula_tangential_ratio_of_moduli(y, g, &general));
  ASSERT_REL(general, ratio, 1e-15);
}

/* ---- stiffness ---- */

static void stiffness_and_overlap_are_inverse(void **state) {
  (void)state;
  double k, d, y;
  for (double overlap = 1e-6; overlap < 1; overlap *= 7) {
    GET(dem_formula_hooke_stiffness(0.3, 2.5, overlap, &k));
    ASSERT_REL(0.5 * k * overlap * overlap, 0.5 * 0.3 * 2.5 * 2.5, 1e-14); /* energy */
    GET(dem_formula_hooke_overlap(0.3, 2.5, k, &d));
    ASSERT_REL(d, overlap, 1e-14);
    GET(dem_formula_hertz_young(0.3, 0.02, 2.5, overlap, &y));
    ASSERT_REL(8.0 / 15.0 * y * sqrt(0.02) * pow(overlap, 2.5), 0.5 * 0.3 * 2.5 * 2.5, 1e-14);
    GET(dem_formula_hertz_overlap(0.3, 0.02, 2.5, y, &d));
    ASSERT_REL(d, overlap, 1e-14);
  }
}

static void hooke_lasts_as_long_as_hertz(void **state) {
  (void)state;
  double k, hooke, hertz;
  GET(dem_formula_hooke_like_hertz(0.1, 0.05, 3, 2e8, &k));
  GET(dem_formula_hooke_contact_time(0.1, k, 0, &hooke));
  GET(dem_formula_hertz_contact_time(0.1, 0.05, 3, 2e8, &hertz));
  ASSERT_REL(hooke, hertz, 1e-14);
}

/* ---- times ---- */

static void contact_times(void **state) {
  (void)state;
  double t, d;
  GET(dem_formula_hooke_contact_time(4, 100, 0, &t));
  ASSERT_REL(t, PI / 5, 1e-15);
  GET(dem_formula_hooke_contact_time(4, 100, 24, &t)); /* omega^2 = 25 - 9 */
  ASSERT_REL(t, PI / 4, 1e-15);
  GET(dem_formula_hertz_contact_time(0.1, 0.05, 3, 2e8, &t));
  GET(dem_formula_hertz_overlap(0.1, 0.05, 3, 2e8, &d));
  ASSERT_REL(t, 2 * sqrt(PI) * tgamma(1.4) / tgamma(0.9) * d / 3, 1e-14);
  ASSERT_ABS(t * 3 / d, 2.943, 5e-4); /* the figure of the textbooks */
  /* and of LIGGGHTS, fix check/timestep/gran: 2.87 (m^2/(R Y^2 v))^(1/5) */
  ASSERT_REL(t, 2.87 * pow(0.01 / (0.05 * 4e16 * 3), 0.2), 1e-3);
}

/* With time steps of velocity-Verlet; a + 2 b = 4. */
static void limits_of_the_step(void **state) {
  (void)state;
  double dt;
  GET(dem_formula_stable_dt(2, 8, 0, &dt));
  ASSERT_REL(dt, 1, 1e-15);
  GET(dem_formula_stable_dt(2, 0, 8, &dt));
  ASSERT_REL(dt, 0.5, 1e-15);
  GET(dem_formula_stable_dt(2, 8, 3, &dt));
  ASSERT_REL(4 * dt * dt + 2 * 1.5 * dt, 4, 1e-15);
  GET(dem_formula_stable_dt(2, 0, 0, &dt));
  assert_true(isinf(dt));
  /* steel ball of 1 mm: G = 80 GPa, rho = 7800, nu = 0.29: half the girth over a wave speed of 0.924 sqrt(G/rho) */
  GET(dem_formula_rayleigh_dt(1e-3, 7800, 80e9, 0.29, &dt));
  ASSERT_REL(dt, PI * 1e-3 / (0.924 * sqrt(80e9 / 7800)), 1e-3);
}

/* ---- damping ---- */

static const double RESTITUTIONS[] = {0.01, 0.1, 0.3, 0.5, 0.8, 0.9, 0.99, 1};
enum { RESTITUTION_COUNT = 8 };

static void restitution_and_ratio_are_inverse(void **state) {
  (void)state;
  double z, e;
  for (int32_t attraction = 0; attraction < 2; attraction++)
    for (int k = 0; k < RESTITUTION_COUNT; k++) {
      GET(dem_formula_damping_ratio(RESTITUTIONS[k], attraction, &z));
      GET(dem_formula_restitution(z, attraction, &e));
      ASSERT_REL(e, RESTITUTIONS[k], 1e-12);
    }
  /* closed forms: exp(-pi z/sqrt(1-z^2)); exp(-2 z acos z/sqrt(1-z^2)), exp(-2), exp(-2 z acosh z/sqrt(z^2-1)) */
  GET(dem_formula_restitution(0.3, 1, &e));
  ASSERT_REL(e, exp(-PI * 0.3 / sqrt(0.91)), 1e-14);
  GET(dem_formula_restitution(0.3, 0, &e));
  ASSERT_REL(e, exp(-0.6 * acos(0.3) / sqrt(0.91)), 1e-13);
  GET(dem_formula_restitution(1, 0, &e));
  ASSERT_REL(e, exp(-2), 1e-12);
  GET(dem_formula_restitution(2, 0, &e));
  ASSERT_REL(e, exp(-4 * acosh(2) / sqrt(3)), 1e-13);
  GET(dem_formula_restitution(1, 1, &e));
  assert_true(e == 0);
}

static void ratio_and_coefficient_are_inverse(void **state) {
  (void)state;
  double c, z;
  GET(dem_formula_hooke_damping(2, 50, 0.25, &c));
  ASSERT_REL(c, 5, 1e-15);
  GET(dem_formula_hooke_damping_ratio(2, 50, c, &z));
  ASSERT_REL(z, 0.25, 1e-15);
  GET(dem_formula_hertz_damping(2, 0.1, 1e6, 1e-3, 0.25, &c));
  ASSERT_REL(c, 2 * sqrt(5.0 / 6.0) * 0.25 * sqrt(2 * 1e6 * sqrt(1e-4) * 2), 1e-14);
  GET(dem_formula_hertz_damping_ratio(2, 0.1, 1e6, 1e-3, c, &z));
  ASSERT_REL(z, 0.25, 1e-14);
}

/* ---- size ratio ---- */

static void critical_size_ratio(void **state) {
  (void)state;
  double ratio, mu;
  GET(dem_formula_critical_ratio(0.5, &ratio));
  ASSERT_REL(ratio, 1 / (sqrt(1.25) - 1), 1e-14);
  for (double friction = 1e-6; friction < 10; friction *= 3) {
    GET(dem_formula_critical_ratio(friction, &ratio));
    GET(dem_formula_critical_friction(ratio, &mu));
    ASSERT_REL(mu, friction, 1e-14);
    /* 2/mu^2 + 1/2 - mu^2/8 + ... */
    if (friction < 1e-2) ASSERT_REL(ratio, 2 / (friction * friction) + 0.5, 1e-8);
  }
}

/* ---- refusals ---- */

static const double BAD[] = {-1, NAN, INFINITY, -INFINITY};

enum { BAD_COUNT = 4 };

typedef dem_status one_fn(double, double *);

typedef dem_status two_fn(double, double, double *);

typedef dem_status three_fn(double, double, double, double *);

typedef dem_status four_fn(double, double, double, double, double *);

typedef dem_status five_fn(double, double, double, double, double, double *);

/* A function with arguments that it takes, and which of them may be 0 (bits). */
typedef struct call {
  const char *name;
  int count, zero;
  double argument[5];
  one_fn *one;
  two_fn *two;
  three_fn *three;
  four_fn *four;
  five_fn *five;
} call;

static dem_status call_with(const call *c, const double *x, double *out) {
  switch (c->count) {
    case 1: return c->one(x[0], out);
    case 2: return c->two(x[0], x[1], out);
    case 3: return c->three(x[0], x[1], x[2], out);
    case 4: return c->four(x[0], x[1], x[2], x[3], out);
    default: return c->five(x[0], x[1], x[2], x[3], x[4], out);
  }
}

static const call CALLS[] = {
    {.name = "material_young", 2, 2, {1, 0.3}, .two = dem_formula_material_young},
    {.name = "hooke_stiffness", 3, 0, {1, 1, 1}, .three = dem_formula_hooke_stiffness},
    {.name = "hooke_overlap", 3, 2, {1, 1, 1}, .three = dem_formula_hooke_overlap},
    {.name = "hertz_young", 4, 0, {1, 1, 1, 1}, .four = dem_formula_hertz_young},
    {.name = "hertz_overlap", 4, 4, {1, 1, 1, 1}, .four = dem_formula_hertz_overlap},
    {.name = "hooke_like_hertz", 4, 0, {1, 1, 1, 1}, .four = dem_formula_hooke_like_hertz},
    {.name = "tangential_ratio", 1, 1, {0.3}, .one = dem_formula_tangential_ratio},
    {.name = "tangential_ratio_of_moduli", 2, 0, {1, 1}, .two = dem_formula_tangential_ratio_of_moduli},
    {.name = "hooke_damping", 3, 4, {1, 1, 1}, .three = dem_formula_hooke_damping},
    {.name = "hooke_damping_ratio", 3, 4, {1, 1, 1}, .three = dem_formula_hooke_damping_ratio},
    {.name = "hertz_damping", 5, 8 + 16, {1, 1, 1, 1, 1}, .five = dem_formula_hertz_damping},
    {.name = "hertz_damping_ratio", 5, 16, {1, 1, 1, 1, 1}, .five = dem_formula_hertz_damping_ratio},
    {.name = "hooke_contact_time", 3, 4, {1, 1, 1}, .three = dem_formula_hooke_contact_time},
    {.name = "hertz_contact_time", 4, 0, {1, 1, 1, 1}, .four = dem_formula_hertz_contact_time},
    {.name = "stable_dt", 3, 2 + 4, {1, 1, 1}, .three = dem_formula_stable_dt},
    {.name = "rayleigh_dt", 4, 8, {1, 1, 1, 0.3}, .four = dem_formula_rayleigh_dt},
    {.name = "critical_ratio", 1, 0, {1}, .one = dem_formula_critical_ratio},
    {.name = "critical_friction", 1, 0, {1}, .one = dem_formula_critical_friction},
};

static void refused(const call *c, int argument, double value) {
  double x[5], out = 42;
  memcpy(x, c->argument, sizeof x);
  x[argument] = value;
  if (call_with(c, x, &out) == DEM_BAD_ARGUMENT && out == 42) return;
  fail_msg("%s: argument %d = %g was not refused, or the output is %g", c->name, argument, value, out);
}

static void bad_values_are_refused(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof CALLS / sizeof *CALLS; k++) {
    const call *c = &CALLS[k];
    double out = 42;
    assert_int_equal(call_with(c, c->argument, &out), DEM_OK);
    assert_true(out != 42);
    assert_int_equal(call_with(c, c->argument, NULL), DEM_BAD_ARGUMENT);
    for (int a = 0; a < c->count; a++) {
      for (int b = 0; b < BAD_COUNT; b++) refused(c, a, BAD[b]);
      if (!(c->zero >> a & 1)) refused(c, a, 0);
    }
  }
}

static void other_bad_values_are_refused(void **state) {
  (void)state;
  double a = 42, b = 42;
  const dem_status bad = DEM_BAD_ARGUMENT;
  assert_int_equal(dem_formula_effective_mass(INFINITY, INFINITY, &a), bad);
  assert_int_equal(dem_formula_effective_mass(1, 0, &a), bad);
  assert_int_equal(dem_formula_effective_mass(1, 1, NULL), bad);
  assert_int_equal(dem_formula_effective_radius(-1, 1, &a), bad);
  assert_int_equal(dem_formula_effective_radius(1, NAN, &a), bad);
  assert_int_equal(dem_formula_effective_radius(1, 1, NULL), bad);
  assert_int_equal(dem_formula_effective_moduli(INFINITY, 0, INFINITY, 0, &a, &b), bad);
  assert_int_equal(dem_formula_effective_moduli(1, 0.6, 1, 0, &a, &b), bad);
  assert_int_equal(dem_formula_effective_moduli(1, 0, 1, -1, &a, &b), bad);
  assert_int_equal(dem_formula_effective_moduli(0, 0, 1, 0, &a, &b), bad);
  assert_int_equal(dem_formula_effective_moduli(1, 0, 1, 0, NULL, &b), bad);
  assert_int_equal(dem_formula_tangential_ratio(0.51, &a), bad);
  assert_int_equal(dem_formula_damping_ratio(0, 1, &a), bad);
  assert_int_equal(dem_formula_damping_ratio(1.01, 1, &a), bad);
  assert_int_equal(dem_formula_damping_ratio(NAN, 1, &a), bad);
  assert_int_equal(dem_formula_damping_ratio(0.5, 2, &a), bad);
  assert_int_equal(dem_formula_damping_ratio(0.5, 1, NULL), bad);
  assert_int_equal(dem_formula_restitution(-0.1, 1, &a), bad);
  assert_int_equal(dem_formula_restitution(0.1, -1, &a), bad);
  assert_int_equal(dem_formula_restitution(NAN, 1, &a), bad);
  assert_int_equal(dem_formula_restitution(0.1, 1, NULL), bad);
  assert_int_equal(dem_formula_hooke_contact_time(1, 1, 2, &a), bad);           /* critically damped: never ends */
  assert_int_equal(dem_formula_hooke_stiffness(1e300, 1e300, 1e-300, &a), bad); /* leaves the range of doubles */
  assert_true(a == 42 && b == 42);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(effective_values_of_a_pair),
      cmocka_unit_test(moduli_of_two_materials),
      cmocka_unit_test(tangential_stiffness_from_poisson),
      cmocka_unit_test(stiffness_and_overlap_are_inverse),
      cmocka_unit_test(hooke_lasts_as_long_as_hertz),
      cmocka_unit_test(contact_times),
      cmocka_unit_test(limits_of_the_step),
      cmocka_unit_test(restitution_and_ratio_are_inverse),
      cmocka_unit_test(ratio_and_coefficient_are_inverse),
      cmocka_unit_test(critical_size_ratio),
      cmocka_unit_test(bad_values_are_refused),
      cmocka_unit_test(other_bad_values_are_refused),
  };
  return cmocka_run_group_tests_name("formulas", tests, NULL, NULL);
}
