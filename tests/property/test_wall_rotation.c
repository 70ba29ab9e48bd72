/* Turned walls against turned worlds, and against walls that are described as what they were turned to. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/walls.h"
#include "scenes/world.h"

static const double PI = 3.14159265358979323846;

/* A world seen in a turned frame is the same world: to what rounding grows to. */
static void turned_walls_are_turned_worlds(void **state) {
  (void)state;
  static const double down[3] = {1, -2, -10};
  for (int k = 0; k < 7; k++) {
    world plain, turned;
    double q[4], x[3], y[3], z[3], v[3], back[3];
    world_options o = world_defaults();
    quaternion_about(0.7 + k, 1, -2, 0.5 * k, q);
    memcpy(o.system.gravity, down, sizeof down);
    world_open(&plain, &o);
    quaternion_turn(q, down, 0, o.system.gravity);
    world_open(&turned, &o);
    dem_wall wall = k == 0 ? wall_plate(3, 2, 0) : k == 1 ? wall_disc(1.5) : k == 2 ? wall_cone(0.4, 2, 1.5) : wall_hopper();
    if (k > 3) wall = wall_shape(k == 4 ? DEM_WALL_PLANE : k == 5 ? DEM_WALL_BOX : DEM_WALL_CYLINDER);
    if (k == 5)
      for (int a = 0; a < 3; a++) wall.size[a] = 3 + a;
    if (k == 6) wall.radius = 2;
    if (k == 6) wall.length = 4;
    const double start[3] = {0.3, 0.2, k == 4 ? 0.6 : 0.7}, speed[3] = {0.5, -0.3, -2};
    world_add_sphere(&plain, 0.5, start, speed, NULL);
    quaternion_turn(q, start, 0, x);
    quaternion_turn(q, speed, 0, v);
    world_add_sphere(&turned, 0.5, x, v, NULL);
    world_add_wall(&plain, &wall);
    memcpy(wall.rotation, q, sizeof q);
    const int32_t id = world_add_wall(&turned, &wall);
    for (int a = 0; a < 4; a++) ASSERT_ABS(world_wall_state(&turned, id).rotation[a], q[a], 0);
    ASSERT_OK(plain.system, dem_system_step(plain.system, 8000));
    ASSERT_OK(turned.system, dem_system_step(turned.system, 8000));
    world_read(&plain, DEM_POSITION, x);
    world_read(&turned, DEM_POSITION, y);
    quaternion_turn(q, x, 0, z);
    for (int a = 0; a < 3; a++) ASSERT_ABS(y[a], z[a], 1e-10);
    world_read(&turned, DEM_VELOCITY, v);
    quaternion_turn(q, v, 1, back);
    world_read(&plain, DEM_VELOCITY, v);
    for (int a = 0; a < 3; a++) ASSERT_ABS(back[a], v[a], 1e-8);
    assert_true(world_energy(&plain).sliding[1] > 0);
    world_close(&plain);
    world_close(&turned);
  }
}

/* However it is moved: a plane that is described along z and turned to x is one described along x, a box of swapped edges that is
 * turned by a quarter the box itself. */
static void rotation_goes_with_every_motion(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    const double start[3] = {0.9, 0.1, 0.2}, speed[3] = {-2, 0.3, 0.5};
    world plain, turned;
    double x[3], y[3];
    world_options o = world_defaults();
    dem_wall wall = wall_shape(k < 4 ? DEM_WALL_PLANE : DEM_WALL_BOX), other = wall;
    if (k < 4) {
      wall.axis[0] = 1;
      wall.axis[2] = 0;
      quaternion_about(0.5 * PI, 0, 1, 0, other.rotation);
    } else {
      wall.side = other.side = DEM_WALL_OUTSIDE;
      for (int a = 0; a < 3; a++) wall.size[a] = other.size[a == 2 ? 2 : 1 - a] = 0.5 + 0.25 * a;
      quaternion_about(0.5 * PI, 0, 0, 1, other.rotation);
    }
    wall.motion = k % 4;
    if (wall.motion == DEM_WALL_PRESCRIBED) wall.velocity[0] = 0.5, wall.spin[1] = 1;
    if (wall.motion == DEM_WALL_FREE) wall.free_axis[0] = 1, wall.mass = 3;
    if (wall.motion == DEM_WALL_SERVO) wall.direction[0] = 1, wall.target = 20, wall.gain = 1e-3, wall.velocity_limit = 1;
    const size_t from = offsetof(dem_wall, velocity);
    memcpy((char *)&other + from, (char *)&wall + from, offsetof(dem_wall, rotation) - from);
    memcpy(other.free_axis, wall.free_axis, sizeof wall.free_axis);
    other.motion = wall.motion;
    world_open(&plain, &o);
    world_open(&turned, &o);
    world_add_sphere(&plain, 0.5, start, speed, NULL);
    world_add_sphere(&turned, 0.5, start, speed, NULL);
    const int32_t a = world_add_wall(&plain, &wall), b = world_add_wall(&turned, &other);
    ASSERT_OK(plain.system, dem_system_step(plain.system, 3000));
    ASSERT_OK(turned.system, dem_system_step(turned.system, 3000));
    world_read(&plain, DEM_POSITION, x);
    world_read(&turned, DEM_POSITION, y);
    for (int c = 0; c < 3; c++) ASSERT_ABS(y[c], x[c], 1e-10);
    for (int c = 0; c < 3; c++)
      ASSERT_ABS(world_wall_state(&turned, b).position[c], world_wall_state(&plain, a).position[c], 1e-10);
    assert_true(world_energy(&plain).damping_normal[1] > 0);
    world_assert_closed(&turned, "turned");
    world_close(&plain);
    world_close(&turned);
  }
}

/* A box added with a rotation is the box that was turned and stopped, and a spin goes on from there. */
static void rotation_is_where_a_spin_starts(void **state) {
  (void)state;
  world_options o = world_defaults();
  world w;
  world_open(&w, &o);
  dem_wall wall = wall_shape(DEM_WALL_BOX);
  for (int a = 0; a < 3; a++) wall.size[a] = 1 + a;
  quaternion_about(0.3, 0, 0, 1, wall.rotation);
  wall.motion = DEM_WALL_PRESCRIBED;
  wall.spin[2] = 2;
  const int32_t id = world_add_wall(&w, &wall);
  ASSERT_OK(w.system, dem_system_step(w.system, 2000));
  ASSERT_ABS(world_wall_state(&w, id).rotation[0], cos(0.35), 1e-12);
  ASSERT_ABS(world_wall_state(&w, id).rotation[3], sin(0.35), 1e-12);
  dem_wall_init(&wall, sizeof wall);
  ASSERT_OK(w.system, dem_system_set_wall_motion(w.system, id, &wall));
  ASSERT_OK(w.system, dem_system_step(w.system, 10));
  ASSERT_ABS(world_wall_state(&w, id).rotation[3], sin(0.35), 1e-12);
  world_close(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turned_walls_are_turned_worlds),
      cmocka_unit_test(rotation_goes_with_every_motion),
      cmocka_unit_test(rotation_is_where_a_spin_starts),
  };
  return cmocka_run_group_tests_name("wall rotation", tests, NULL, NULL);
}
