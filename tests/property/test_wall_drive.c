/* Prescribed walls against their formula, the first moment included:
 *
 *   x(t) = x_0 + V t + A (sin(2 pi f t + phase) - sin(phase)),    v(t) = V + 2 pi f A cos(2 pi f t + phase),
 *
 * t counted from when the motion was set; and a turn about an axis by spin t, as a quaternion. Bounces on them against moving frames,
 * and their work against the books. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/walls.h"
#include "scenes/world.h"

static const double PI = 3.14159265358979323846, DT = 1e-3;

static dem_wall swinging(double phase) {
  dem_wall w = wall_shape(DEM_WALL_BOX);
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

static int32_t open_with(world *w, const dem_wall *wall) {
  world_options o = world_defaults();
  o.system.dt = DT;
  world_open(w, &o);
  return world_add_wall(w, wall);
}

static void assert_swings(const world *w, int32_t id, const dem_wall *is, const double *start, double t) {
  const dem_wall_state s = world_wall_state(w, id);
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
    const int32_t id = open_with(&w, &is);
    for (int n = 0; n <= 200; n++) {
      assert_swings(&w, id, &is, is.position, n * DT);
      if (n < 200) ASSERT_OK(w.system, dem_system_step(w.system, 1));
    }
    const dem_wall_state here = world_wall_state(&w, id);
    then.frequency = 3;
    ASSERT_OK(w.system, dem_system_set_wall_motion(w.system, id, &then));
    for (int n = 0; n <= 100; n++) {
      assert_swings(&w, id, &then, here.position, n * DT);
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
  dem_wall is = wall_shape(DEM_WALL_BOX);
  is.motion = DEM_WALL_PRESCRIBED;
  for (int a = 0; a < 3; a++) {
    is.size[a] = 3;
    is.spin[a] = rate * axis[a];
  }
  const int32_t id = open_with(&w, &is);
  for (int n = 0; n <= 300; n++) {
    const dem_wall_state s = world_wall_state(&w, id);
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
  dem_wall is = wall_plane(0, 0, 0, direction[0], direction[1], direction[2]);
  is.motion = DEM_WALL_SERVO;
  memcpy(is.direction, direction, sizeof is.direction);
  is.gain = 0.3;
  is.target = 2;
  is.velocity_limit = 1;
  is.travel_limit = 0.5;
  const int32_t id = open_with(&w, &is);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  const dem_wall_state first = world_wall_state(&w, id);
  ASSERT_OK(w.system, dem_system_step(w.system, 500));
  const dem_wall_state second = world_wall_state(&w, id);
  ASSERT_ABS(second.servo_error, 2, 1e-15);
  for (int a = 0; a < 3; a++) {
    ASSERT_ABS(second.velocity[a], 0.6 * direction[a], 1e-15);
    ASSERT_ABS(second.position[a] - first.position[a], 500 * DT * 0.6 * direction[a], 1e-13);
  }
  ASSERT_OK(w.system, dem_system_step(w.system, 500));
  const dem_wall_state last = world_wall_state(&w, id);
  for (int a = 0; a < 3; a++) {
    ASSERT_ABS(last.velocity[a], 0, 1e-15);
    ASSERT_ABS(last.position[a], 0.5 * direction[a], 1e-13);
  }
  assert_int_equal(last.limited, 2);
  world_close(&w);
}

/* ---- walls and particles ---- */

static void prescribed_walls_are_where_their_formula_says(void **state) {
  (void)state;
  for (int with_particle = 0; with_particle < 2; with_particle++) {
    world_options o = world_defaults();
    world w;
    o.integrator = with_particle ? "velocity-verlet" : "euler";
    world_open(&w, &o);
    dem_wall wall = wall_plane(1, 2, 3, 0, 0, 1);
    wall.motion = DEM_WALL_PRESCRIBED;
    const double v[3] = {0.5, -1, 2}, a[3] = {0.1, 0.2, 0.3}, spin[3] = {0, 3, 4};
    memcpy(wall.velocity, v, sizeof v);
    memcpy(wall.amplitude, a, sizeof a);
    memcpy(wall.spin, spin, sizeof spin);
    wall.frequency = 2;
    wall.phase = 0.7;
    const int32_t id = world_add_wall(&w, &wall);
    if (with_particle) world_add_sphere(&w, 0.5, (double[3]){0, 0, 50}, NULL, NULL);
    ASSERT_OK(w.system, dem_system_step(w.system, 3333));
    const double t = 0.3333, turn = 2 * PI * 2;
    const dem_wall_state s = world_wall_state(&w, id);
    for (int k = 0; k < 3; k++) {
      ASSERT_ABS(s.position[k], wall.position[k] + v[k] * t + a[k] * (sin(turn * t + 0.7) - sin(0.7)), 1e-12);
      ASSERT_ABS(s.velocity[k], v[k] + a[k] * turn * cos(turn * t + 0.7), 1e-11);
    }
    ASSERT_ABS(s.rotation[0], cos(2.5 * t), 1e-12);
    ASSERT_ABS(s.rotation[1], 0, 1e-12);
    ASSERT_ABS(s.rotation[2], 0.6 * sin(2.5 * t), 1e-12);
    ASSERT_ABS(s.rotation[3], 0.8 * sin(2.5 * t), 1e-12);
    world_close(&w);
  }
}

/* A bounce on a moving wall is the bounce on a wall at rest, seen from a moving frame. */
static void moving_walls_are_moving_frames(void **state) {
  (void)state;
  const double u[3] = {0.75, -0.5, 1.25}, v[3] = {1, 0.2, -1}, spin[3] = {0.3, -0.5, 0.7};
  const double seen[3] = {v[0] + u[0], v[1] + u[1], v[2] + u[2]};
  for (int k = 0; k < 2; k++) {
    world_options o = world_defaults();
    world rest, moving;
    double x[3], y[3], p[3], q[3];
    o.integrator = k ? "euler" : NULL;
    world_open(&rest, &o);
    world_open(&moving, &o);
    dem_wall wall = wall_plane(0, 0, 0, 0, 0, 1);
    world_add_wall(&rest, &wall);
    wall.motion = DEM_WALL_PRESCRIBED;
    memcpy(wall.velocity, u, sizeof u);
    const int32_t id = world_add_wall(&moving, &wall);
    world_add_sphere(&rest, 0.5, (double[3]){0, 0, 0.501}, v, spin);
    world_add_sphere(&moving, 0.5, (double[3]){0, 0, 0.501}, seen, spin);
    ASSERT_OK(rest.system, dem_system_step(rest.system, 400));
    ASSERT_OK(moving.system, dem_system_step(moving.system, 400));
    world_read(&rest, DEM_POSITION, x);
    world_read(&moving, DEM_POSITION, y);
    world_read(&rest, DEM_VELOCITY, p);
    world_read(&moving, DEM_VELOCITY, q);
    for (int a = 0; a < 3; a++) {
      ASSERT_ABS(y[a], x[a] + 0.04 * u[a], 1e-12);
      ASSERT_ABS(q[a], p[a] + u[a], 1e-10);
    }
    assert_true(p[2] > 0.5);
    world_read(&rest, DEM_SPIN, p);
    world_read(&moving, DEM_SPIN, q);
    for (int a = 0; a < 3; a++) ASSERT_ABS(q[a], p[a], 1e-10);
    /* What moves the wall has supplied what the two books differ by. */
    world_assert_closed(&moving, "moving frame");
    ASSERT_REL(world_wall_state(&moving, id).work, world_energy(&moving).walls, 1e-14);
    world_close(&rest);
    world_close(&moving);
  }
}

/* A sphere that rests on the bottom of a turning bore without gravity's help would stay; friction drags it up, and all that it has
 * and what slip and dashpots took came from the drum's drive: torque times angle. */
static void the_drive_of_a_drum_supplies_all_energy(void **state) {
  (void)state;
  world_options o = world_defaults();
  o.system.gravity[2] = -10;
  world w;
  double supplied = 0;
  world_open(&w, &o);
  dem_wall wall = wall_drum(DEM_WALL_INSIDE, 3, 0);
  wall.motion = DEM_WALL_PRESCRIBED;
  wall.spin[1] = 2;
  const int32_t id = world_add_wall(&w, &wall);
  world_add_sphere(&w, 0.5, (double[3]){0, 0, -2.5 - 1e-4}, NULL, NULL);
  const dem_energy before = world_energy(&w);
  for (int k = 0; k < 4000; k++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    supplied -= world_wall_state(&w, id).torque[1] * 2 * 1e-4; /* against the torque of the particle */
  }
  const dem_energy e = world_energy(&w);
  double gained =
      e.kinetic_linear + e.kinetic_angular - before.kinetic_linear - before.kinetic_angular + e.gravity - before.gravity;
  for (int k = 0; k < 2; k++)
    gained += e.elastic_normal[k] + e.elastic_tangential[k] + e.damping_normal[k] + e.damping_tangential[k] + e.sliding[k] +
              e.hysteresis[k];
  ASSERT_REL(gained, e.walls, 1e-11);
  assert_true(e.walls > 0.1 && e.sliding[1] > 0);
  /* rectangles of width dt for the integral of the torque */
  ASSERT_REL(supplied, e.walls, 1e-3);
  world_close(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(follows_its_formula),
      cmocka_unit_test(turns_at_its_spin),
      cmocka_unit_test(a_servo_follows_its_gain),
      cmocka_unit_test(prescribed_walls_are_where_their_formula_says),
      cmocka_unit_test(moving_walls_are_moving_frames),
      cmocka_unit_test(the_drive_of_a_drum_supplies_all_energy),
  };
  return cmocka_run_group_tests_name("wall_drive", tests, NULL, NULL);
}
