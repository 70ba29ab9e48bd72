/* Elastic impacts (e = 1) and what of their energy the books show where: nothing but slip in laws with a potential, `hysteresis` in
 * the others, and the error of the time step, which falls at the order of the scheme.
 *
 * Oblique impacts at friction 100 and v_t/v_n = 0.5, 1, 2, 4 with dt = t_c/1451, of a sphere on a wall and of two spheres. The
 * spring slips only in the end, when the cap falls to 0. Stiff spheres (overlap 1e-3 of the radius): the contact arm changes
 * by v_n dt within a step, which costs overlap/radius dt/t_c of the energy, first order; with arms that stay (the radius) on
 * a wall that is gone, and the rest falls at second order or better. */
#include "assertions.h"

#include "scenes/context.h"
#include "scenes/scenes.h"
#include "scenes/world.h"

static const double PI = 3.14159265358979323846, RADIUS = 0.5, YOUNG = 1e10, POISSON = 0.3, STIFFNESS = 1e8;
static const double RATIOS[] = {0.5, 1, 2, 4};
enum { RATIO_COUNT = 4 };

typedef struct impact {
  int normal, tangential, pair, arms;
  double ratio; /* v_t/v_n */
  double friction;
  double steps;           /* per contact time */
  double phase;           /* distance at the start, of the first step's way */
  const char *integrator; /* NULL: velocity-Verlet */
  int onset;
} impact;

/* Shares of the energy before. */
typedef struct shares {
  double sliding, hysteresis, normal, tangential, lost;
} shares;

static void law_of(const impact *i, dem_law_options *o) {
  dem_law_options_init(o, sizeof *o);
  o->normal = i->normal;
  o->tangential = i->tangential;
  o->friction = i->friction;
  o->normal_stiffness = i->normal == DEM_NORMAL_HOOKE ? STIFFNESS : 0;
}

/* Head-on, approach speed 1, mass 1 each. */
static double contact_time(const impact *i) {
  const double mass = i->pair ? 0.5 : 1, radius = i->pair ? RADIUS / 2 : RADIUS;
  if (i->normal == DEM_NORMAL_HOOKE) return PI * sqrt(mass / STIFFNESS);
  const double k = 2.0 / 3.0 * YOUNG / (1 - POISSON * POISSON) * sqrt(radius);
  return 2.943 * pow(5 * mass / (4 * k), 0.4);
}

static void place(dem_system *s, const impact *i, double gap) {
  const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
  dem_material m;
  dem_law_options o;
  rows r;
  dem_material_init(&m, sizeof m);
  m.young = YOUNG;
  m.poisson = POISSON;
  ASSERT_OK(s, dem_system_add_material(s, &m, NULL));
  law_of(i, &o);
  ASSERT_OK(s, scene_set_law(context, s, 0, 0, &o));
  assert_int_equal(rows_create(&r, 2), 0);
  if (i->pair) {
    rows_put(&r, 0, 0, 0, RADIUS);
    rows_velocity(&r, 0, i->ratio / 2, 0, 0.5);
    rows_put(&r, 0, 0, 2 * RADIUS + gap, RADIUS);
    rows_velocity(&r, 1, -i->ratio / 2, 0, -0.5);
  } else {
    ASSERT_OK(s, scene_add_plane(s, 0, origin, up));
    rows_put(&r, 0, 0, RADIUS + gap, RADIUS);
    rows_velocity(&r, 0, i->ratio, 0, -1);
  }
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
}

static dem_energy books(dem_system *s) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(s, dem_system_energy(s, &e));
  return e;
}

static shares run(const impact *i) {
  dem_system_options o;
  dem_system *s;
  dem_system_options_init(&o, sizeof o);
  o.dt = contact_time(i) / i->steps;
  o.ledger = 1;
  o.arms = i->arms;
  o.onset = i->onset;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  if (i->integrator) ASSERT_OK(s, dem_system_set_integrator_name(s, i->integrator));
  place(s, i, i->phase * o.dt);
  const dem_energy before = books(s);
  const double energy = before.kinetic_linear + before.kinetic_angular;
  ASSERT_OK(s, dem_system_step(s, (int64_t)(1.6 * i->steps) + 10));
  const dem_energy e = books(s);
  const int k = !i->pair;
  assert_true(e.potential_normal[k] == 0); /* apart again */
  assert_true(e.damping_normal[k] == 0 && e.damping_tangential[k] == 0);
  energy_assert_closed(&e, 1e-12, "elastic impact");
  dem_system_destroy(s);
  const double lost = energy - e.kinetic_linear - e.kinetic_angular;
  return (shares){e.sliding[k] / energy, e.hysteresis[k] / energy, e.elastic_normal[k] / energy,
                  e.elastic_tangential[k] / energy, lost / energy};
}

static impact oblique(int normal, int tangential, int pair, double ratio, double steps) {
  const impact i = {normal, tangential, pair, DEM_ARMS_CONSERVING, ratio, 100, steps, 0.37, NULL, DEM_ONSET_TOUCH};
  return i;
}

/* ---- head-on ---- */

/* Root of the mean square over where the step hits the first touch, which changes the error of one impact at random. */
static double head_on_error(const char *integrator, double steps) {
  enum { PHASES = 12 };
  double sum = 0;
  for (int k = 0; k < PHASES; k++) {
    impact i = oblique(DEM_NORMAL_HERTZ, DEM_TANGENTIAL_NONE, 1, 0, steps);
    i.phase = (k + 0.5) / PHASES;
    i.integrator = integrator;
    const shares e = run(&i);
    sum += e.normal * e.normal;
  }
  return sqrt(sum / PHASES);
}

/* What the normal spring's account still holds after the contact falls with dt^2 or faster (Hertz starts with d^(3/2), whose
 * kink gives dt^(5/2)), under Euler with dt. */
static void head_on_at_the_order_of_the_scheme(void **state) {
  (void)state;
  const double coarse = head_on_error("velocity-verlet", 100), fine = head_on_error("velocity-verlet", 1600);
  print_message("# velocity-Verlet: %.2e at t_c/100, %.2e at t_c/1600\n", coarse, fine);
  ASSERT_BELOW(fine, 1e-7);
  ASSERT_BELOW(fine, coarse / (16 * 16));
  const double euler = head_on_error("euler", 200), finer = head_on_error("euler", 1600);
  print_message("# Euler: %.2e at t_c/200, %.2e at t_c/1600\n", euler, finer);
  ASSERT_REL(euler / finer, 8, 0.15);
}

/* A linear spring has a kink at first and last touch. With velocity-Verlet the spring conserves v^2 + w^2 d^2 (1 - w^2 dt^2/4),
 * w = sqrt(k/m); of a contact of age a dt at its first evaluation that is v^2 (1 - w^2 dt^2 a (1 - a)), and likewise, with the other
 * sign, at the last. So an impact changes the energy by w^2 dt^2 (a' (1 - a') - a (1 - a)) of it: with a and a' anywhere in 0 to 1 a root
 * mean square of w^2 dt^2/sqrt(90). A ball that bounces N times wanders by sqrt(N) of that. */
static void kinks_cost_what_they_must(void **state) {
  (void)state;
  double sum = 0;
  enum { CASES = 400 };
  for (int k = 0; k < CASES; k++) {
    impact i = oblique(DEM_NORMAL_HOOKE, DEM_TANGENTIAL_NONE, 0, 0, 50 + 0.37 * k);
    i.phase = k * 0.618034 - floor(k * 0.618034);
    const double dt = PI / i.steps, e = run(&i).normal / (dt * dt);
    assert_true(fabs(e) <= 0.26);
    sum += e * e;
  }
  print_message("# kinks: root mean square %.4f (w dt)^2\n", sqrt(sum / CASES));
  ASSERT_REL(sqrt(sum / CASES), sqrt(1 / 90.0), 0.05);
}

/* ---- oblique ---- */

static void check_sinks(const shares *e) {
  assert_true(e->sliding >= 0);
  /* the motion has lost what the books hold */
  ASSERT_ABS(e->lost, e->sliding + e->hysteresis + e->normal + e->tangential, 1e-12);
}

/* Linear spring beside Hooke: slips 5e-5 of the energy at most, as the contact opens; the rest is below 1e-6. */
static void linear_loses_only_slip(void **state) {
  (void)state;
  for (int pair = 0; pair < 2; pair++)
    for (int k = 0; k < RATIO_COUNT; k++) {
      const impact i = oblique(DEM_NORMAL_HOOKE, DEM_TANGENTIAL_LINEAR, pair, RATIOS[k], 1451);
      const shares e = run(&i);
      check_sinks(&e);
      assert_true(e.hysteresis == 0);
      ASSERT_BELOW(e.sliding, 1e-4);
      ASSERT_BELOW(fabs(e.normal + e.tangential), 1e-6);
    }
}

/* Mean over the four angles of the error, `numerical` alone. */
static double conserving_error(int pair, double friction, double steps) {
  double sum = 0;
  for (int k = 0; k < RATIO_COUNT; k++) {
    impact i = oblique(DEM_NORMAL_HERTZ, DEM_TANGENTIAL_MINDLIN_CONSERVING, pair, RATIOS[k], steps);
    i.friction = friction;
    const shares e = run(&i);
    check_sinks(&e);
    assert_true(e.hysteresis == 0);
    sum += fabs(e.normal + e.tangential);
  }
  return sum / RATIO_COUNT;
}

/* Mindlin with a potential. At this friction the spring holds on until d = u/80 and pushes with u^2/d^(1/2) on the way: at
 * t_c/1451 some ten steps for that, so the error is 3e-5; it falls with dt^2. At friction 10 it is below 1e-6. */
static void conserving_loses_only_slip(void **state) {
  (void)state;
  for (int pair = 0; pair < 2; pair++) {
    const double coarse = conserving_error(pair, 100, 1451), fine = conserving_error(pair, 100, 4 * 1451);
    print_message("# conserving, %s: %.2e at t_c/1451, %.2e at t_c/5804\n", pair ? "spheres" : "wall", coarse, fine);
    ASSERT_BELOW(coarse, 3e-5);
    ASSERT_BELOW(fine, coarse / 10); /* 16 but for the phase of the last step */
    ASSERT_BELOW(conserving_error(pair, 10, 1451), 1e-6);
  }
}

/* Laws without a potential: what they take is `hysteresis`, the same at every step; the error is of the time step again. */
static void check_path(int tangential, int pair, double ratio, double least, double most) {
  const impact coarse = oblique(DEM_NORMAL_HERTZ, tangential, pair, ratio, 1451);
  const impact fine = oblique(DEM_NORMAL_HERTZ, tangential, pair, ratio, 2 * 1451);
  const shares a = run(&coarse), b = run(&fine);
  check_sinks(&a);
  check_sinks(&b);
  assert_true(a.hysteresis > least && a.hysteresis < most);
  /* opens with the square root of the overlap, so first order here */
  ASSERT_REL(a.hysteresis, b.hysteresis, 0.02);
  ASSERT_BELOW(fabs(a.normal + a.tangential), 1e-6);
  /* the first touch is a kink of the spring, whose error depends on its phase: between order 1/2 and 2 for one phase */
  ASSERT_BELOW(fabs(b.normal + b.tangential), 0.7 * fabs(a.normal + a.tangential));
}

static void others_show_their_path(void **state) {
  (void)state;
  for (int pair = 0; pair < 2; pair++)
    for (int k = 0; k < RATIO_COUNT; k++) {
      check_path(DEM_TANGENTIAL_MINDLIN, pair, RATIOS[k], 0.04, 0.2);
      check_path(DEM_TANGENTIAL_LINEAR, pair, RATIOS[k], 0.004, 0.03);
    }
}

/* Largest share of the energy that the kink of a spring at first touch can cost: it has grown by v_t s, s the age of the contact, but
 * its force moves through v_t dt: k_t v_t^2 s (dt - s)/2 <= k_t v_t^2 dt^2/8. k_t <= 0.82 k_n, and k_n dt^2/m < (pi/steps)^2; for Hertz,
 * where k_t is small at first, that is a bound too. */
static double kink(const impact *i) {
  const double dt = PI / i->steps, share = i->ratio * i->ratio / (1 + i->ratio * i->ratio);
  return 0.82 * dt * dt / 4 * share;
}

/* With arms that do not change only the scheme's own error is left: of the springs that of the first touch, and none that could be
 * measured where they grow from the start of the step. */
static void constant_arms_leave_second_order(void **state) {
  (void)state;
  static const int laws[][2] = {{DEM_NORMAL_HOOKE, DEM_TANGENTIAL_LINEAR},
                                {DEM_NORMAL_HERTZ, DEM_TANGENTIAL_LINEAR},
                                {DEM_NORMAL_HERTZ, DEM_TANGENTIAL_MINDLIN}};
  for (int l = 0; l < 3; l++)
    for (int k = 0; k < RATIO_COUNT; k++) {
      impact i = oblique(laws[l][0], laws[l][1], 0, RATIOS[k], 1451);
      i.arms = DEM_ARMS_RADIUS;
      const shares e = run(&i);
      check_sinks(&e);
      ASSERT_BELOW(fabs(e.tangential), kink(&i));
      i.onset = DEM_ONSET_STEP;
      ASSERT_BELOW(fabs(run(&i).tangential), 1e-9);
      ASSERT_BELOW(fabs(e.normal), 1e-8);
    }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(head_on_at_the_order_of_the_scheme), TEST(kinks_cost_what_they_must), TEST(linear_loses_only_slip),
      TEST(conserving_loses_only_slip),         TEST(others_show_their_path),    TEST(constant_arms_leave_second_order),
  };
  return cmocka_run_group_tests_name("elastic_impact", tests, NULL, NULL);
}
