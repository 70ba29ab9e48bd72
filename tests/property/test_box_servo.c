/* The servo of the box to a stress, and boxes that become too small. */
#include "assertions.h"

#include <stdlib.h>

#include "moving_box.h"

static dem_box_motion motion_of(const world *w) {
  dem_box_motion m = {.struct_size = sizeof m};
  ASSERT_OK(w->system, dem_system_get_box_motion(w->system, &m));
  return m;
}

static void stress_of(const world *w, double stress[6]) { ASSERT_OK(w->system, dem_system_get_box_stress(w->system, stress)); }

/* ---- a lattice of springs: closed forms ---- */

static const double STIFFNESS = 1000, DRAG = 40;
enum { SIDE = 4 };

/* A cubic lattice of spheres of diameter 1 and mass 1 that touch their six neighbours, in a fluid that lets them follow the box. */
static void open_lattice(world *w, double spacing) {
  moving_box b = moving_box_defaults();
  dem_law_options law;
  double rate[SIDE * SIDE * SIDE];
  scene_smooth_hooke(&law);
  law.normal_stiffness = STIFFNESS;
  b.side = SIDE, b.spacing = spacing, b.jitter = 0, b.speed = 0, b.radius[0] = b.radius[1] = 0.5, b.dt = 2e-3;
  moving_box_open(w, &b, &law);
  for (int k = 0; k < SIDE * SIDE * SIDE; k++) rate[k] = DRAG;
  world_write(w, DEM_DRAG_RATE, rate);
}

/* k (1 - a)/a^2 along each axis: a force k (1 - a) on each face a^2. */
static double lattice_stress(double a) { return STIFFNESS * (1 - a) / (a * a); }

static void stress_of_a_lattice(void **state) {
  (void)state;
  world w;
  double s[6];
  open_lattice(&w, 0.97);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  stress_of(&w, s);
  for (int k = 0; k < 6; k++) ASSERT_ABS(s[k], k < 3 ? lattice_stress(0.97) : 0, 1e-10);
  world_close(&w);
}

/* a'/a = gain (sigma(a) - target), slow against the fluid. The length follows from the rates that are read. */
static void coupled_servo_follows_its_equation(void **state) {
  (void)state;
  const double target = lattice_stress(0.95), gain = 2e-3, dt = 2e-3;
  dem_box_motion m;
  world w;
  double a = 0.99, expected = 0.99, rate = gain * (lattice_stress(a) - target), s[6];
  open_lattice(&w, a);
  dem_box_motion_init(&m, sizeof m);
  m.coupled = 1, m.gain = gain, m.rate_limit = 1;
  for (int k = 0; k < 3; k++) {
    m.control[k] = DEM_BOX_STRESS;
    m.stress[k] = target + 10 * (k - 1); /* only the mean counts */
  }
  ASSERT_OK(w.system, dem_system_set_box_motion(w.system, &m));
  for (int n = 0; n < 20000; n++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    const dem_box_motion now = motion_of(&w);
    for (int k = 1; k < 3; k++) assert_true(now.rate[k] == now.rate[0]);
    a *= exp(rate * dt);
    rate = now.rate[0]; /* chosen at the end of this step, for the next one */
    const double half = expected + 0.5 * dt * expected * gain * (lattice_stress(expected) - target);
    expected += dt * half * gain * (lattice_stress(half) - target);
    /* the spheres lag behind by the drag over the stiffness, 40/1000 of the way 0.04 at most */
    ASSERT_ABS(a, expected, 0.02 * 0.04);
  }
  stress_of(&w, s);
  ASSERT_REL((s[0] + s[1] + s[2]) / 3, target, 1e-9);
  ASSERT_REL(a, 0.95, 1e-9);
  world_assert_closed(&w, "coupled servo");
  world_close(&w);
}

/* Each normal component by itself; the rates are within the limit, which they reach at the beginning. */
static void single_components_settle_within_the_limit(void **state) {
  (void)state;
  const double target[3] = {30, 50, 20};
  dem_box_motion m;
  world w;
  double s[6], fastest = 0;
  open_lattice(&w, 0.99);
  dem_box_motion_init(&m, sizeof m);
  m.gain = 2e-3, m.rate_limit = 0.02;
  for (int k = 0; k < 3; k++) m.control[k] = DEM_BOX_STRESS, m.stress[k] = target[k];
  ASSERT_OK(w.system, dem_system_set_box_motion(w.system, &m));
  for (int n = 0; n < 30000; n++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    const dem_box_motion now = motion_of(&w);
    for (int k = 0; k < 3; k++) fastest = fmax(fastest, fabs(now.rate[k]));
  }
  assert_true(fastest == 0.02);
  stress_of(&w, s);
  for (int k = 0; k < 3; k++) ASSERT_REL(s[k], target[k], 1e-8);
  world_close(&w);
}

/* A sheared packing under pressure: dilates or compacts until the pressure is there on average. */
static void a_sheared_packing_is_held_at_its_pressure(void **state) {
  (void)state;
  dem_box_motion m;
  world w;
  double mean = 0, s[6];
  moving_box b = moving_box_defaults();
  b.side = 7;
  moving_box_open(&w, &b, NULL);
  dem_box_motion_init(&m, sizeof m);
  m.rate[DEM_BOX_XY] = 1;
  m.coupled = 1, m.gain = 2e-4, m.rate_limit = 1;
  for (int k = 0; k < 3; k++) m.control[k] = DEM_BOX_STRESS, m.stress[k] = 500;
  ASSERT_OK(w.system, dem_system_set_box_motion(w.system, &m));
  ASSERT_OK(w.system, dem_system_step(w.system, 5000));
  for (int n = 0; n < 300; n++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 50));
    stress_of(&w, s);
    mean += (s[0] + s[1] + s[2]) / 3 / 300;
  }
  ASSERT_REL(mean, 500, 0.1);
  world_assert_closed(&w, "sheared packing under pressure");
  world_close(&w);
}

/* ---- a box that becomes too small ---- */

static void refuse_and_go_on(const dem_box_motion *shrinking) {
  moving_box b = moving_box_defaults();
  world w;
  double x[375], again[375];
  dem_status status = DEM_OK;
  b.spacing = 1.2, b.speed = 0.2;
  moving_box_open(&w, &b, NULL);
  ASSERT_OK(w.system, dem_system_set_box_motion(w.system, shrinking));
  for (int n = 0; n < 200000 && !status; n++) status = dem_system_step(w.system, 10);
  assert_int_equal(status, DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(w.system), "must be at least"));
  world_read(&w, DEM_POSITION, x);
  assert_int_equal(dem_system_step(w.system, 1), DEM_BAD_ARGUMENT); /* and again, without harm */
  world_read(&w, DEM_POSITION, again);
  ASSERT_BITS(x, again, sizeof x);
  world_assert_closed(&w, "after a refusal");
  moving_box_drive(&w, (double[6]){0.5, 0.5, 0.5, 0, 0, 0});
  ASSERT_OK(w.system, dem_system_step(w.system, 2000));
  world_assert_closed(&w, "after a refusal and on");
  ASSERT_OK(w.system, dem_system_set_box_motion(w.system, NULL));
  ASSERT_OK(w.system, dem_system_step(w.system, 100));
  world_close(&w);
}

static void a_box_that_shrinks_too_far_is_refused(void **state) {
  (void)state;
  dem_box_motion m;
  dem_box_motion_init(&m, sizeof m);
  m.rate[DEM_BOX_XX] = -2;
  m.rate[DEM_BOX_YY] = 1;
  refuse_and_go_on(&m);
  m.rate[DEM_BOX_XY] = 5;
  refuse_and_go_on(&m);
  dem_box_motion_init(&m, sizeof m);
  m.control[DEM_BOX_ZZ] = DEM_BOX_STRESS;
  m.stress[DEM_BOX_ZZ] = 1e9;
  m.gain = 1, m.rate_limit = 2;
  refuse_and_go_on(&m);
}

/* A servo at rest may take its whole rate in its first step: exp(-rate dt) of 2.1, where twice the diameter and the skin, 1.8, must fit. */
static void a_servo_is_taken_to_use_its_limit(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++)
    for (int more = 0; more < 2; more++) {
      moving_box b = moving_box_defaults();
      dem_box_motion m;
      world w;
      b.side = 3, b.spacing = 0.7, b.radius[0] = b.radius[1] = 0.35, b.jitter = 0, b.skin = 0.2;
      moving_box_open(&w, &b, NULL);
      dem_box_motion_init(&m, sizeof m);
      m.control[k] = DEM_BOX_STRESS;
      m.stress[k] = 1e9;
      m.gain = 1, m.rate_limit = (log(2.1 / 1.8) + (more ? 0.01 : -0.01)) / b.dt;
      ASSERT_OK(w.system, dem_system_set_box_motion(w.system, &m));
      ASSERT_STATUS(w.system, dem_system_step(w.system, 1), more ? DEM_BAD_ARGUMENT : DEM_OK);
      if (more) assert_non_null(strstr(dem_system_message(w.system), "must be at least 1.8"));
      world_close(&w);
    }
}

/* A rate that would deform the box by half in a step. */
static void a_step_that_deforms_too_much_is_refused(void **state) {
  (void)state;
  moving_box b = moving_box_defaults();
  world w;
  moving_box_open(&w, &b, NULL);
  moving_box_drive(&w, (double[6]){0, 0, 0, 1e60, 0, 0});
  ASSERT_STATUS(w.system, dem_system_step(w.system, 1), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(w.system), "XY"));
  moving_box_drive(&w, (double[6]){0, 0, 0, 1, 0, 0});
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  world_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stress_of_a_lattice),
      cmocka_unit_test(coupled_servo_follows_its_equation),
      cmocka_unit_test(single_components_settle_within_the_limit),
      cmocka_unit_test(a_sheared_packing_is_held_at_its_pressure),
      cmocka_unit_test(a_box_that_shrinks_too_far_is_refused),
      cmocka_unit_test(a_servo_is_taken_to_use_its_limit),
      cmocka_unit_test(a_step_that_deforms_too_much_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
