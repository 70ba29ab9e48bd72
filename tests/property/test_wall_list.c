/* The list of neighbours under walls that move: no contact is missed, none is built for nothing, and histories stay. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/walls.h"
#include "scenes/world.h"

/* A wall that sweeps through spheres which hardly push back, so that at speed 0 only the motion of the wall can ask for new lists.
 * Checked by brute force at every step. */
static void sweep(const dem_wall *wall, double skin, double speed, int steps, int64_t most_rebuilds) {
  world_options o = world_defaults();
  scene_smooth_hooke(&o.law);
  o.law.normal_stiffness = 1e-6;
  o.system.dt = 1e-3;
  o.system.skin = skin;
  world w;
  dem_statistics t = {0};
  int64_t touched = 0;
  world_open(&w, &o);
  world_add_cloud(&w, 5, 3, speed);
  world_add_wall(&w, wall);
  for (int n = 0; n < steps; n++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    ASSERT_OK(w.system, dem_system_check(w.system));
    t = world_statistics(&w);
    touched += t.wall_contacts;
  }
  assert_true(touched > 300);
  assert_true(t.rebuilds > 1 && t.rebuilds < most_rebuilds); /* it does not simply build at every step */
  world_close(&w);
}

static void sweeping_walls_are_never_missed(void **state) {
  (void)state;
  static const double skins[] = {0.1, 0.4};
  for (int k = 0; k < 2; k++) {
    dem_wall wall = wall_plane(-6, 0, 0, 1, 0, 0);
    wall.motion = DEM_WALL_PRESCRIBED;
    wall.velocity[0] = 10;
    sweep(&wall, skins[k], 0, 1000, 700);
    wall = wall_plane(-9, 0, 0, 1, 0, 0); /* swings in from afar */
    wall.motion = DEM_WALL_PRESCRIBED;
    wall.spin[2] = 1.5;
    sweep(&wall, skins[k], 0, 1000, 700);
    wall.velocity[0] = 3;
    wall.velocity[1] = 10;
    sweep(&wall, skins[k], 0, 1000, 700);
    wall = wall_box(DEM_WALL_OUTSIDE, 9, 0.3, 0.3);
    wall.motion = DEM_WALL_PRESCRIBED;
    wall.spin[1] = 1;
    wall.spin[2] = 4;
    sweep(&wall, skins[k], 0, 1000, 700);
    wall.position[2] = -6;
    wall.velocity[2] = 10;
    sweep(&wall, skins[k], 0, 1000, 700);
    wall = wall_drum(DEM_WALL_OUTSIDE, 0.3, 9);
    wall.motion = DEM_WALL_PRESCRIBED;
    wall.spin[0] = 5;
    wall.spin[1] = 2;
    sweep(&wall, skins[k], 0, 1000, 700);
    wall = wall_drum(DEM_WALL_INSIDE, 4, 30); /* a bore that tumbles */
    wall.motion = DEM_WALL_PRESCRIBED;
    wall.spin[0] = 2;
    wall.velocity[2] = 2;
    sweep(&wall, skins[k], 0, 1000, 700);
    wall = wall_drum(DEM_WALL_INSIDE, 7, 0);
    wall.motion = DEM_WALL_FREE;
    wall.mass = 1e3;
    wall.free_axis[0] = 1;
    wall.velocity[0] = 6;
    sweep(&wall, skins[k], 0, 1000, 700);
  }
}

/* Random thin walls that fly and turn through spheres that hardly push back; every step against brute force. */
static void sweeping_thin_walls_are_never_missed(void **state) {
  (void)state;
  dice d = {31};
  for (int k = 0; k < 12; k++) {
    dem_wall wall = wall_random(&d, k);
    for (int a = 0; a < 3; a++) wall.size[a] *= 4;
    wall_drive(&wall, dice_uniform(&d, -4, 4), dice_uniform(&d, -4, 4), dice_uniform(&d, -4, 4));
    for (int a = 0; a < 3; a++) wall.velocity[a] = dice_uniform(&d, -8, 8);
    for (int a = 0; a < 3; a++) wall.position[a] = -0.4 * wall.velocity[a];
    sweep(&wall, k % 2 ? 0.1 : 0.4, k < 6 ? 0 : 4, 800, 600);
  }
}

/* Walls of every kind among spheres that fly about. */
static void fast_walls_are_never_missed(void **state) {
  (void)state;
  world_options o = world_defaults();
  world w;
  world_open(&w, &o);
  world_add_cloud(&w, 4, 1.9, 5);
  dem_wall fast = wall_plane(-6, 0, 0, 1, 0, 0), blade = wall_box(DEM_WALL_OUTSIDE, 8, 0.3, 0.3),
           rod = wall_drum(DEM_WALL_OUTSIDE, 0.3, 9);
  fast.motion = blade.motion = rod.motion = DEM_WALL_PRESCRIBED;
  fast.velocity[0] = 25;
  fast.spin[2] = 1.5;
  blade.position[2] = 4;
  blade.velocity[2] = -15;
  blade.spin[0] = 3;
  blade.spin[2] = 20;
  rod.position[1] = -5;
  rod.velocity[1] = 20;
  rod.spin[0] = 7;
  rod.spin[1] = 5;
  world_add_wall(&w, &fast);
  world_add_wall(&w, &blade);
  world_add_wall(&w, &rod);
  for (int n = 0; n < 2000; n++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    ASSERT_OK(w.system, dem_system_check(w.system));
    world_assert_closed(&w, "fast walls");
  }
  assert_true(world_energy(&w).walls > 0);
  world_close(&w);
}

/* Co-moving walls and particles need no new lists, and a drum that turns about its axis asks for none. */
static void turning_in_itself_costs_no_lists(void **state) {
  (void)state;
  world_options o = world_defaults();
  o.system.gravity[2] = -10;
  world w;
  world_open(&w, &o);
  dem_wall wall = wall_drum(DEM_WALL_INSIDE, 3, 8);
  wall.motion = DEM_WALL_PRESCRIBED;
  wall.spin[1] = 100;
  world_add_wall(&w, &wall);
  world_add_sphere(&w, 0.5, (double[3]){0, 0, 0}, NULL, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 1000)); /* falls 0.05 of the gap of 2.5 */
  const dem_statistics t = world_statistics(&w);
  assert_int_equal(t.rebuilds, 1);
  world_close(&w);
}

/* A hopper that turns about its axis stays what it is. */
static void a_hopper_turning_in_itself_costs_no_lists(void **state) {
  (void)state;
  world_options o = world_defaults();
  world w;
  world_open(&w, &o);
  dem_wall wall = wall_hopper();
  wall_drive(&wall, 0, 0, 100);
  world_add_wall(&w, &wall);
  world_add_sphere(&w, 0.5, (double[3]){0, 0, 1}, (double[3]){0, 0, 0.1}, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 1000));
  const dem_statistics t = world_statistics(&w);
  assert_int_equal(t.rebuilds, 1);
  world_close(&w);
}

/* Endless cylinders, hollow and solid, that move along their axis by many times the distance to a sphere. */
static void moving_along_itself_costs_no_lists(void **state) {
  (void)state;
  for (int side = 0; side < 2; side++) {
    world_options o = world_defaults();
    world w;
    world_open(&w, &o);
    dem_wall wall = wall_drum(side ? DEM_WALL_INSIDE : DEM_WALL_OUTSIDE, side ? 3 : 1, 0);
    wall.motion = DEM_WALL_PRESCRIBED;
    wall.velocity[1] = 100;
    world_add_wall(&w, &wall);
    world_add_sphere(&w, 0.5, (double[3]){side ? 0 : 3, 0, 0}, NULL, NULL);
    ASSERT_OK(w.system, dem_system_step(w.system, 1000));
    const dem_statistics t = world_statistics(&w);
    assert_int_equal(t.rebuilds, 1);
    world_close(&w);
  }
}

/* A sphere that sticks to a slope keeps its spring while walls come and go: contacts are known by ids, not by places. */
static void history_survives_other_walls(void **state) {
  (void)state;
  world_options o = world_defaults();
  o.system.gravity[2] = -10;
  o.system.gravity[0] = 2;
  o.system.drag = 20;
  world w;
  world_open(&w, &o);
  const dem_wall far = wall_box(DEM_WALL_INSIDE, 90, 90, 90), floor = wall_plane(0, 0, 0, 0, 0, 1);
  const int32_t first = world_add_wall(&w, &far);
  world_add_wall(&w, &floor);
  const dem_id id = world_add_sphere(&w, 0.5, (double[3]){0, 0, 0.5 - 1e-4}, NULL, NULL);
  const double torque[3] = {0, -1.0, 0}; /* against rolling */
  ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_HOST_TORQUE, 1, &id, torque, 0));
  ASSERT_OK(w.system, dem_system_step(w.system, 20000));
  const double before = world_energy(&w).potential_tangential[1];
  assert_true(before > 1e-6);
  ASSERT_OK(w.system, dem_system_remove_wall(w.system, first));
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  world_add_wall(&w, &far);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  ASSERT_REL(world_energy(&w).potential_tangential[1], before, 1e-3);
  world_close(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sweeping_walls_are_never_missed),
      cmocka_unit_test(sweeping_thin_walls_are_never_missed),
      cmocka_unit_test(fast_walls_are_never_missed),
      cmocka_unit_test(turning_in_itself_costs_no_lists),
      cmocka_unit_test(a_hopper_turning_in_itself_costs_no_lists),
      cmocka_unit_test(moving_along_itself_costs_no_lists),
      cmocka_unit_test(history_survives_other_walls),
  };
  return cmocka_run_group_tests_name("wall list", tests, NULL, NULL);
}
