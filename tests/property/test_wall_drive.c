/* Prescribed walls against their formula at every step, the first moment included:
 *
 *   x(t) = x_0 + V t + A (sin(2 pi f t + phase) - sin(phase)),    v(t) = V + 2 pi f A cos(2 pi f t + phase),
 *
 * t counted from when the motion was set; and a turn about an axis by spin t, as a quaternion. */
#include "assertions.h"

#include "scenes/scenes.h"

static const double PI = 3.14159265358979323846, DT = 1e-3;

typedef struct world {
  dem_context *context;
  dem_system *system;
  int32_t wall;
} world;

static dem_wall swinging(double phase) {
  dem_wall w;
  dem_wall_init(&w, sizeof w);
  w.shape = DEM_WALL_BOX;
  w.motion = DEM_WALL_PRESCRIBED;
  for (int a = 0; a < 3; a++) {
    w.size[a] = 3 + a;
    w.position[a] = 0.5 * a - 1;
    w.velocity[a] = 0.1 * (a + 1);
    w.amplitude[a] = 0.2 - 0.15 * a;
  }
  w.frequency = 7;
  w.phase = phase;
  return w;
}

static void world_open(world *w, const dem_wall *wall) {
  dem_system_options o;
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = DT;
  assert_int_equal(dem_system_create(w->context, &o, &w->system), DEM_OK);
  ASSERT_OK(w->system, dem_system_add_material(w->system, NULL, NULL));
  ASSERT_OK(w->system, dem_system_add_wall(w->system, wall, &w->wall));
}

static void world_close(world *w) {
  dem_system_destroy(w->system);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

static dem_wall_state state_of(const world *w) {
  dem_wall_state s;
  dem_wall_state_init(&s, sizeof s);
  ASSERT_OK(w->system, dem_system_wall_state(w->system, w->wall, &s));
  return s;
}

static void assert_swings(const world *w, const dem_wall *is, const double *start, double t) {
  const dem_wall_state s = state_of(w);
  const double turn = 2 * PI * is->frequency, angle = turn * t + is->phase;
  for (int a = 0; a < 3; a++) {
    ASSERT_ABS(s.position[a], start[a] + is->velocity[a] * t + is->amplitude[a] * (sin(angle) - sin(is->phase)), 1e-13);
    ASSERT_ABS(s.velocity[a], is->velocity[a] + is->amplitude[a] * turn * cos(angle), 1e-12);
  }
}

static void follows_its_formula(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    world w;
    dem_wall is = swinging(1.3 * k), then = swinging(0.4);
    world_open(&w, &is);
    for (int n = 0; n <= 200; n++) {
      assert_swings(&w, &is, is.position, n * DT);
      if (n < 200) ASSERT_OK(w.system, dem_system_step(w.system, 1));
    }
    const dem_wall_state here = state_of(&w);
    then.frequency = 3;
    ASSERT_OK(w.system, dem_system_set_wall_motion(w.system, w.wall, &then));
    for (int n = 0; n <= 100; n++) {
      assert_swings(&w, &then, here.position, n * DT);
      ASSERT_OK(w.system, dem_system_step(w.system, 1));
    }
    world_close(&w);
  }
}

/* About (2, 1, 2)/3. */
static void turns_at_its_spin(void **state) {
  (void)state;
  static const double axis[3] = {2 / 3., 1 / 3., 2 / 3.};
  const double rate = 20;
  world w;
  dem_wall is;
  dem_wall_init(&is, sizeof is);
  is.shape = DEM_WALL_BOX;
  is.motion = DEM_WALL_PRESCRIBED;
  for (int a = 0; a < 3; a++) {
    is.size[a] = 3;
    is.spin[a] = rate * axis[a];
  }
  world_open(&w, &is);
  for (int n = 0; n <= 300; n++) {
    const dem_wall_state s = state_of(&w);
    const double half = 0.5 * rate * n * DT, sign = s.rotation[0] * cos(half) < 0 ? -1 : 1; /* q and -q are the same turn */
    ASSERT_ABS(sign * s.rotation[0], cos(half), 1e-12);
    for (int a = 0; a < 3; a++) ASSERT_ABS(sign * s.rotation[1 + a], sin(half) * axis[a], 1e-12);
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
  }
  world_close(&w);
}

/* A servo moves at gain (target - measured), here with nothing to push: at gain times target, and no further than its limits. */
static void a_servo_follows_its_gain(void **state) {
  (void)state;
  static const double direction[3] = {2 / 3., 1 / 3., 2 / 3.};
  world w;
  dem_wall is;
  dem_wall_init(&is, sizeof is);
  is.motion = DEM_WALL_SERVO;
  memcpy(is.axis, direction, sizeof is.axis);
  memcpy(is.direction, direction, sizeof is.direction);
  is.gain = 0.3;
  is.target = 2;
  is.velocity_limit = 1;
  is.travel_limit = 0.5;
  world_open(&w, &is);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  const dem_wall_state first = state_of(&w);
  ASSERT_OK(w.system, dem_system_step(w.system, 500));
  const dem_wall_state second = state_of(&w);
  ASSERT_ABS(second.servo_error, 2, 1e-15);
  for (int a = 0; a < 3; a++) {
    ASSERT_ABS(second.velocity[a], 0.6 * direction[a], 1e-15);
    ASSERT_ABS(second.position[a] - first.position[a], 500 * DT * 0.6 * direction[a], 1e-13);
  }
  ASSERT_OK(w.system, dem_system_step(w.system, 500));
  const dem_wall_state last = state_of(&w);
  for (int a = 0; a < 3; a++) {
    ASSERT_ABS(last.velocity[a], 0, 1e-15);
    ASSERT_ABS(last.position[a], 0.5 * direction[a], 1e-13);
  }
  assert_int_equal(last.limited, 2);
  world_close(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(follows_its_formula),
      cmocka_unit_test(turns_at_its_spin),
      cmocka_unit_test(a_servo_follows_its_gain),
  };
  return cmocka_run_group_tests_name("wall_drive", tests, NULL, NULL);
}
