/* Time steps and warnings where the box is sheared: a particle meets the image of another with v_i - v_j - L H n. A box at rest, in which
 * the partner is given that velocity, is the same physics. */
#include "assertions.h"

#include "scenes/world.h"

static const double RADIUS = 0.5, SIDE = 6;

static void open_box(world *w, int periodic) {
  world_options o = world_defaults();
  for (int a = 0; a < 3; a++) o.system.periodic[a] = periodic, o.system.box_high[a] = SIDE;
  o.system.dt = 1e-6;
  o.material.young = 1e7;
  o.material.poisson = 0.3;
  dem_law_options_init(&o.law, sizeof o.law);
  o.law.normal = DEM_NORMAL_HERTZ;
  o.law.tangential = DEM_TANGENTIAL_NONE;
  world_open(w, &o);
}

static void drive(const world *w, const double rate[6]) {
  dem_box_motion m;
  assert_int_equal(dem_box_motion_init(&m, sizeof m), DEM_OK);
  memcpy(m.rate, rate, sizeof m.rate);
  ASSERT_OK(w->system, dem_system_set_box_motion(w->system, &m));
}

static dem_advice advice_of(const world *w) {
  dem_advice a;
  assert_int_equal(dem_advice_init(&a, sizeof a), DEM_OK);
  ASSERT_OK(w->system, dem_system_advise(w->system, &a));
  return a;
}

static double stable_dt(const world *w) {
  double dt;
  ASSERT_OK(w->system, dem_system_stable_dt(w->system, &dt));
  return dt;
}

/* L r of an upper triangular L. */
static void flow_at(const double rate[6], const double r[3], double v[3]) {
  v[0] = rate[DEM_BOX_XX] * r[0] + rate[DEM_BOX_XY] * r[1] + rate[DEM_BOX_XZ] * r[2];
  v[1] = rate[DEM_BOX_YY] * r[1] + rate[DEM_BOX_YZ] * r[2];
  v[2] = rate[DEM_BOX_ZZ] * r[2];
}

/* Two spheres beside a face of axis `axis`, whose centres are `distance` apart across it; at rest, while the box moves. */
static void open_across(world *w, int axis, const double rate[6], double distance) {
  const double n[3] = {axis == 0 ? 0.8 : -0.6, axis == 0 ? 0.36 : axis == 1 ? 0.8 : 0.36, axis == 2 ? 0.8 : 0.48};
  double length = 0, x[3] = {3, 3, 3}, y[3];
  for (int a = 0; a < 3; a++) length += n[a] * n[a];
  x[axis] = 0.1;
  for (int a = 0; a < 3; a++) y[a] = x[a] - distance * n[a] / sqrt(length);
  y[axis] += SIDE;
  open_box(w, 1);
  world_add_sphere(w, RADIUS, x, NULL, NULL);
  world_add_sphere(w, RADIUS, y, NULL, NULL);
  if (rate) drive(w, rate);
}

/* The same pair in open space, the second with the velocity of its image. */
static void open_beside(world *w, int axis, const double rate[6], double distance) {
  double edge[3] = {0, 0, 0}, v[3], x[6];
  world from;
  open_across(&from, axis, NULL, distance);
  world_read(&from, DEM_POSITION, x);
  world_close(&from);
  edge[axis] = -SIDE;
  flow_at(rate, edge, v);
  x[3 + axis] -= SIDE;
  open_box(w, 0);
  world_add_sphere(w, RADIUS, x, NULL, NULL);
  world_add_sphere(w, RADIUS, x + 3, v, NULL);
}

static const double RATES[4][6] = {{0, 0, 0, 7, 0, 0}, {-2, -1, -3, 0, 0, 0}, {0, 0, 0, 0, 4, -9}, {-3, 2, -2, 8, -6, -5}};

static void pairs_across_a_face_are_those_of_a_box_at_rest(void **state) {
  (void)state;
  int approaching = 0;
  for (int k = 0; k < 4 * 3 * 2; k++) {
    const double *rate = RATES[k / 6], distance = k % 2 ? 0.999 : 1.001; /* in touch, or nearly */
    world moving, resting;
    open_across(&moving, k / 2 % 3, rate, distance);
    open_beside(&resting, k / 2 % 3, rate, distance);
    const dem_advice a = advice_of(&moving), b = advice_of(&resting);
    assert_int_equal(a.contacts, b.contacts);
    assert_int_equal(a.approaching, b.approaching);
    ASSERT_REL(a.impact, b.impact, 1e-11);
    approaching += (int)a.approaching;
    if (a.contacts + a.approaching > 0) {
      ASSERT_REL(a.contact_time, b.contact_time, 1e-11);
      ASSERT_REL(a.stable_dt, b.stable_dt, 1e-11);
      /* the limit for any pair is below that of the pair there is */
      assert_true(stable_dt(&moving) <= a.stable_dt);
    }
    world_close(&moving);
    world_close(&resting);
  }
  assert_true(approaching > 3);
}

/* The limit by approach at `speed`: two spheres at rest but for one of them, with half of it each way to go. */
static double limit_at(double speed) {
  world w;
  open_box(&w, 0);
  world_add_sphere(&w, RADIUS, (double[3]){1, 1, 1}, (double[3]){speed / 2, 0, 0}, NULL);
  world_add_sphere(&w, RADIUS, (double[3]){4, 4, 4}, NULL, NULL);
  const double dt = stable_dt(&w);
  world_close(&w);
  return dt;
}

/* 2 max |w| + |L| 2 R: at rest in the sheared box, w = L (x - c); in a flow with the box w = 0. */
static void the_stable_step_is_that_of_the_largest_speed(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    const double *rate = RATES[k], x[2][3] = {{5, 5.5, 4.7}, {1, 2, 3}};
    double size = 0, most = 0;
    for (int a = 0; a < 6; a++) size += rate[a] * rate[a];
    for (int flows = 0; flows < 2; flows++) {
      world w;
      open_box(&w, 1);
      drive(&w, rate);
      for (int i = 0; i < 2; i++) {
        const double r[3] = {x[i][0] - 3, x[i][1] - 3, x[i][2] - 3};
        double v[3];
        flow_at(rate, r, v);
        if (!flows) most = fmax(most, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        world_add_sphere(&w, RADIUS, x[i], flows ? v : NULL, NULL);
      }
      ASSERT_REL(stable_dt(&w), limit_at((flows ? 0 : 2 * most) + sqrt(size) * 2 * RADIUS), 1e-12);
      world_close(&w);
    }
  }
}

/* Warned of at the first step, for the box or for a particle that is as fast; and not where both flow together. */
static void a_fast_box_is_warned_of(void **state) {
  (void)state;
  const double rate[6] = {0, 0, 0, 5, 0, 0}; /* V.n = 18, L r.n = 2.4; 7.6 is too much for the stiffness */
  for (int kind = 0; kind < 3; kind++) {
    world w;
    double v[6] = {0};
    if (kind == 1)
      open_beside(&w, 1, rate, 1.001);
    else
      open_across(&w, 1, rate, 1.001);
    double x[6];
    world_read(&w, DEM_POSITION, x);
    for (int i = 0; i < 2 && kind == 2; i++) flow_at(rate, (double[3]){x[3 * i] - 3, x[3 * i + 1] - 3, 0}, v + 3 * i);
    if (kind == 2) world_write(&w, DEM_VELOCITY, v);
    world_forget_warnings(&w);
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    assert_int_equal(strstr(w.said, "too soft") != NULL, kind < 2);
    world_close(&w);
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_across_a_face_are_those_of_a_box_at_rest),
      cmocka_unit_test(the_stable_step_is_that_of_the_largest_speed),
      cmocka_unit_test(a_fast_box_is_warned_of),
  };
  return cmocka_run_group_tests_name("box_advice", tests, NULL, NULL);
}
