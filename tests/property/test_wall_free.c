/* Walls that move freely: impacts against the two-body problem, fall, the stable time step, and the books when motions change. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/walls.h"
#include "scenes/world.h"

static const double STIFFNESS = 1e5; /* of scene_hooke */

static dem_wall free_plane(double mass) {
  dem_wall wall = wall_plane(0, 0, 0, 0, 0, 1);
  wall.motion = DEM_WALL_FREE;
  wall.mass = mass;
  for (int a = 0; a < 3; a++) wall.free_axis[a] = 1;
  return wall;
}

/* Head-on impact with a wall of mass M: v' = v - (1 + e) M/(m + M) (v - V), V' likewise; the time of contact is not a multiple of
 * dt, so e is met to about the force at the last step. */
static void head_on_impact_with_a_free_wall(void **state) {
  (void)state;
  static const double masses[] = {0.3, 1, 7, 1e4};
  for (int k = 0; k < 8; k++) {
    world_options o = world_defaults();
    o.system.dt = 1e-6;
    scene_smooth_hooke(&o.law);
    o.law.damping = DEM_DAMPING_RESTITUTION;
    o.law.restitution = 0.8;
    world w;
    double v[3];
    const double mass = masses[k / 2], start[3] = {0, 0, -1};
    o.integrator = k % 2 ? "euler" : NULL;
    world_open(&w, &o);
    dem_wall wall = free_plane(mass);
    wall.velocity[2] = 0.25;
    const int32_t id = world_add_wall(&w, &wall);
    world_add_sphere(&w, 0.5, (double[3]){0, 0, 0.5}, start, NULL);
    ASSERT_OK(w.system, dem_system_step(w.system, 15000));
    world_read(&w, DEM_VELOCITY, v);
    const double V = world_wall_state(&w, id).velocity[2], common = (-1 + 0.25 * mass) / (1 + mass);
    ASSERT_ABS(v[2] + mass * V, -1 + 0.25 * mass, 1e-12 * (1 + mass));
    ASSERT_ABS(v[2], common + 0.8 * 1.25 * mass / (1 + mass), 2e-3);
    ASSERT_ABS(V, common - 0.8 * 1.25 / (1 + mass), 2e-3);
    world_assert_closed(&w, "head-on");
    world_close(&w);
  }
}

/* Momentum of particles and a wall that is free along all axes, with friction; a locked axis stays locked. */
static void momentum_is_shared_with_free_walls(void **state) {
  (void)state;
  const double v[3] = {1, 0.5, -1}, spin[3] = {3, -2, 1};
  world_options o = world_defaults();
  world w;
  double q[3];
  world_open(&w, &o);
  dem_wall wall = free_plane(3);
  const int32_t id = world_add_wall(&w, &wall);
  world_add_sphere(&w, 0.5, (double[3]){0, 0, 0.5}, v, spin);
  world_add_sphere(&w, 0.5, (double[3]){3, 0, 0.5}, v, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 500));
  double all[6];
  world_read(&w, DEM_VELOCITY, all);
  const dem_wall_state s = world_wall_state(&w, id);
  for (int a = 0; a < 3; a++) ASSERT_ABS(all[a] + all[3 + a] + 3 * s.velocity[a], 2 * v[a], 1e-13);
  assert_true(s.velocity[0] > 0 && s.velocity[2] < 0);
  world_assert_closed(&w, "oblique impacts on a free wall");
  world_close(&w);

  world_open(&w, &o);
  wall.free_axis[0] = wall.free_axis[1] = 0;
  const int32_t locked = world_add_wall(&w, &wall);
  world_add_sphere(&w, 0.5, (double[3]){0, 0, 0.5}, v, spin);
  ASSERT_OK(w.system, dem_system_step(w.system, 500));
  world_read(&w, DEM_VELOCITY, q);
  const dem_wall_state t = world_wall_state(&w, locked);
  ASSERT_ABS(q[2] + 3 * t.velocity[2], v[2], 1e-13);
  assert_true(t.velocity[0] == 0 && t.velocity[1] == 0 && t.position[0] == 0 && q[0] < v[0]);
  world_assert_closed(&w, "a locked axis");
  world_close(&w);
}

/* M dv/dt = M g + force, with and without particles in the system. */
static void free_walls_fall(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    world_options o = world_defaults();
    o.system.gravity[2] = -10;
    world w;
    o.integrator = k % 2 ? "euler" : NULL;
    world_open(&w, &o);
    dem_wall wall = free_plane(2);
    wall.force[0] = 3;
    wall.velocity[1] = 1;
    const int32_t id = world_add_wall(&w, &wall);
    if (k / 2) world_add_sphere(&w, 0.5, (double[3]){0, 0, 100}, NULL, NULL);
    ASSERT_OK(w.system, dem_system_step(w.system, 10000));
    const dem_wall_state s = world_wall_state(&w, id);
    const double order = k % 2 ? 2e-3 : 1e-10; /* Euler: g t dt/2 */
    ASSERT_ABS(s.velocity[0], 1.5, 1e-11);
    ASSERT_ABS(s.velocity[2], -10, 1e-10);
    ASSERT_ABS(s.position[0], 0.75, order);
    ASSERT_ABS(s.position[1], 1, 1e-11);
    ASSERT_ABS(s.position[2], -5, order);
    const dem_energy e = world_energy(&w);
    ASSERT_REL(e.kinetic_walls, 0.5 * 2 * (1.5 * 1.5 + 1 + 100), 1e-11);
    ASSERT_REL(e.host, 1 + 0.5 * 2 * 1.5 * 1.5, 1e-10); /* came with v = 1; the force's work */
    world_assert_closed(&w, "fall");
    world_close(&w);
  }
}

/* A free wall that falls on a frozen sphere bounces off it; a fixed one passes it. */
static void frozen_particles_meet_free_walls_only(void **state) {
  (void)state;
  world_options o = world_defaults();
  o.system.dt = 1e-6;
  scene_smooth_hooke(&o.law);
  o.law.damping = DEM_DAMPING_RESTITUTION;
  o.law.restitution = 0.6;
  for (int k = 0; k < 2; k++) {
    world w;
    world_open(&w, &o);
    const dem_id id = world_add_sphere(&w, 0.5, (double[3]){0, 0, 0.5}, NULL, NULL);
    ASSERT_OK(w.system, dem_system_set_frozen(w.system, 1, &id, 1));
    dem_wall wall = free_plane(4);
    if (k) wall = wall_plane(0, 0, 0, 0, 0, 1);
    if (k) wall.motion = DEM_WALL_PRESCRIBED;
    wall.velocity[2] = 1;
    const int32_t which = world_add_wall(&w, &wall);
    ASSERT_OK(w.system, dem_system_step(w.system, 30000));
    ASSERT_ABS(world_wall_state(&w, which).velocity[2], k ? 1 : -0.6, 2e-3);
    world_assert_closed(&w, "frozen");
    world_close(&w);
  }
}

/* A light free wall of mass M on a sphere of mass 1 oscillates with omega^2 = k (1 + 1/M): velocity-Verlet is stable below 2/omega. */
static void a_light_free_wall_limits_the_time_step(void **state) {
  (void)state;
  world_options o = world_defaults();
  double dt;
  scene_smooth_hooke(&o.law);
  world w;
  world_open(&w, &o);
  world_add_sphere(&w, 0.5, (double[3]){0, 0, 0.5}, NULL, NULL);
  ASSERT_OK(w.system, dem_system_stable_dt(w.system, &dt));
  ASSERT_REL(dt, 2 / sqrt(STIFFNESS * 2), 1e-12); /* two equal spheres */
  const dem_wall wall = free_plane(0.01);
  world_add_wall(&w, &wall);
  ASSERT_OK(w.system, dem_system_stable_dt(w.system, &dt));
  ASSERT_REL(dt, 2 / sqrt(STIFFNESS * 101), 1e-12);
  world_close(&w);
}

/* Switching what moves a wall with mass is host work; removing it takes its energy away. */
static void switching_is_host_work(void **state) {
  (void)state;
  world_options o = world_defaults();
  world w;
  world_open(&w, &o);
  dem_wall wall = wall_plane(0, 0, 0, 0, 0, 1), motion;
  wall.mass = 2;
  const int32_t id = world_add_wall(&w, &wall);
  ASSERT_ABS(world_energy(&w).host, 0, 0);
  motion = wall;
  motion.motion = DEM_WALL_PRESCRIBED;
  motion.velocity[2] = 3;
  ASSERT_OK(w.system, dem_system_set_wall_motion(w.system, id, &motion));
  ASSERT_REL(world_energy(&w).host, 9, 1e-15);
  ASSERT_OK(w.system, dem_system_step(w.system, 1000));
  ASSERT_ABS(world_wall_state(&w, id).position[2], 0.3, 1e-13);
  motion.motion = DEM_WALL_FREE;
  motion.free_axis[2] = 1;
  motion.velocity[2] = 1;
  ASSERT_OK(w.system, dem_system_set_wall_motion(w.system, id, &motion));
  ASSERT_REL(world_energy(&w).host, 1, 1e-15);
  ASSERT_REL(world_energy(&w).kinetic_walls, 1, 1e-15);
  ASSERT_OK(w.system, dem_system_step(w.system, 1000));
  ASSERT_ABS(world_wall_state(&w, id).position[2], 0.4, 1e-13);
  world_assert_closed(&w, "switched");
  ASSERT_OK(w.system, dem_system_remove_wall(w.system, id));
  ASSERT_ABS(world_energy(&w).host, 0, 1e-15);
  ASSERT_ABS(world_energy(&w).kinetic_walls, 0, 0);
  world_close(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(head_on_impact_with_a_free_wall),
      cmocka_unit_test(momentum_is_shared_with_free_walls),
      cmocka_unit_test(free_walls_fall),
      cmocka_unit_test(frozen_particles_meet_free_walls_only),
      cmocka_unit_test(a_light_free_wall_limits_the_time_step),
      cmocka_unit_test(switching_is_host_work),
  };
  return cmocka_run_group_tests_name("wall free", tests, NULL, NULL);
}
