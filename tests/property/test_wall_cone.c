/* Closed forms in a cone, and elastic bounces at edges and rims. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/walls.h"
#include "scenes/world.h"
#include "series.h"

static const double PI = 3.14159265358979323846, STIFFNESS = 1e5; /* the latter of scene_hooke */

/* A smooth sphere that circles at constant height in a cone of half angle A: the normal force is m g/sin A, the speed
 * v^2 = g rho/tan A with rho the distance of its centre from the axis. */
static void a_sphere_circles_in_a_cone(void **state) {
  (void)state;
  static const double angles[] = {0.3, PI / 4, 1.1};
  for (int k = 0; k < 3; k++) {
    const double A = angles[k], g = 10, force = g / sin(A), overlap = force / STIFFNESS, rho = 3;
    /* centre: at the distance 1/2 - overlap from the cone radius = height tan A, upwards and inwards */
    const double height = (rho + (0.5 - overlap) / cos(A)) / tan(A), speed = sqrt(g * rho / tan(A));
    world_options o = world_defaults();
    scene_smooth_hooke(&o.law);
    o.system.gravity[2] = -g;
    world w;
    double x[3];
    world_open(&w, &o);
    dem_wall wall = wall_cone(0, 20 * tan(A), 20);
    wall.position[2] = 10;
    const int32_t id = world_add_wall(&w, &wall);
    world_add_sphere(&w, 0.5, (double[3]){rho, 0, height}, (double[3]){0, speed, 0}, NULL);
    for (int n = 0; n < 20; n++) {
      ASSERT_OK(w.system, dem_system_step(w.system, 1000));
      const dem_wall_state s = world_wall_state(&w, id);
      world_read(&w, DEM_POSITION, x);
      const double push = sqrt(s.force[0] * s.force[0] + s.force[1] * s.force[1] + s.force[2] * s.force[2]);
      ASSERT_REL(push, force, 1e-3);
      ASSERT_REL(s.force[2], -g, 1e-3);
      ASSERT_REL(sqrt(x[0] * x[0] + x[1] * x[1]), rho, 1e-4);
    }
    world_assert_closed(&w, "circle in a cone");
    world_close(&w);
  }
}

/* Down the inside of a cone without friction: s = g cos A t^2/2 along the wall. */
static void a_sphere_slides_down_a_cone(void **state) {
  (void)state;
  const double A = 0.6, g = 10, overlap = g * sin(A) / STIFFNESS;
  const double rho = 6, height = (rho + (0.5 - overlap) / cos(A)) / tan(A), t = 0.8, way = 0.5 * g * cos(A) * t * t;
  world_options o = world_defaults();
  scene_smooth_hooke(&o.law);
  o.system.gravity[2] = -g;
  world w;
  double x[3], v[3];
  world_open(&w, &o);
  dem_wall wall = wall_cone(20 * tan(A), 0, 20); /* upside down, and turned */
  wall.position[2] = 10;
  quaternion_about(PI, 1, 0, 0, wall.rotation);
  world_add_wall(&w, &wall);
  world_add_sphere(&w, 0.5, (double[3]){rho, 0, height}, NULL, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 8000));
  world_read(&w, DEM_POSITION, x);
  world_read(&w, DEM_VELOCITY, v);
  ASSERT_REL(x[0], rho - way * sin(A), 1e-6);
  ASSERT_REL(x[2], height - way * cos(A), 1e-6);
  ASSERT_REL(v[2], -g * cos(A) * cos(A) * t, 1e-6);
  world_close(&w);
}

/* A sphere that plugs a cone is carried: on the mean by m g upwards, wherever round the axis it touches. */
static void a_sphere_plugs_a_cone(void **state) {
  (void)state;
  world_options o = world_defaults();
  o.system.gravity[2] = -10;
  o.system.drag = 1;
  world w;
  double x[3], mean = 0;
  world_open(&w, &o);
  dem_wall wall = wall_cone(0.2, 2.2, 2);
  wall.position[2] = 1; /* 45 degrees */
  const int32_t id = world_add_wall(&w, &wall);
  world_add_sphere(&w, 0.5, (double[3]){0.1, 0, 0.8}, NULL, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 40000));
  for (int k = 0; k < 20000; k++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    mean -= world_wall_state(&w, id).force[2] / 20000;
  }
  world_read(&w, DEM_POSITION, x);
  ASSERT_REL(mean, 10, 1e-2);
  ASSERT_ABS(sqrt(x[0] * x[0] + x[1] * x[1]), 0, 1e-3);
  ASSERT_ABS(x[2], 0.5 * sqrt(2) - 0.2, 1e-3);
  world_close(&w);
}

/* Smooth elastic spheres thrown at edges and rims keep their energy, and a free wall takes the momentum. */
static void elastic_bounces_keep_energy_and_momentum(void **state) {
  (void)state;
  const int throws = (int)series_count(120);
  dice d = {9};
  int met = 0;
  for (int k = 0; k < throws; k++) {
    world_options o = world_defaults();
    scene_smooth_hooke(&o.law);
    o.system.dt = 2e-5;
    world w;
    double v[3];
    o.integrator = k % 2 ? "improved-velocity-verlet" : NULL;
    world_open(&w, &o);
    dem_wall wall = wall_random(&d, k);
    wall.motion = k % 4 < 2 ? DEM_WALL_FREE : DEM_WALL_FIXED;
    wall.mass = k % 4 < 2 ? 3 : 0;
    for (int a = 0; a < 3; a++) wall.free_axis[a] = k % 4 < 2;
    const int32_t id = world_add_wall(&w, &wall);
    double from[3], speed[3], length = 0;
    for (int a = 0; a < 3; a++) from[a] = dice_uniform(&d, -1, 1), length += from[a] * from[a];
    for (int a = 0; a < 3; a++) speed[a] = -7 * from[a] / sqrt(length) + dice_uniform(&d, -2, 2);
    for (int a = 0; a < 3; a++) from[a] = wall.position[a] + (k % 6 == 5 ? 6 : 4) * from[a] / sqrt(length);
    world_add_sphere(&w, 0.5, from, speed, NULL);
    const double before = world_energy(&w).kinetic_linear;
    ASSERT_OK(w.system, dem_system_step(w.system, 50000));
    const dem_energy e = world_energy(&w);
    world_assert_closed(&w, "bounce");
    world_read(&w, DEM_VELOCITY, v);
    met += fabs(v[0] - speed[0]) > 1e-3;
    if (e.elastic_normal[1] > 1e-9 * before || world_wall_state(&w, id).force[0] != 0) {
      world_close(&w); /* still bouncing about in it */
      continue;
    }
    ASSERT_REL(e.kinetic_linear + e.kinetic_walls, before, 2e-4);
    for (int a = 0; a < 3 && wall.mass > 0; a++) ASSERT_ABS(v[a] + 3 * world_wall_state(&w, id).velocity[a], speed[a], 1e-12);
    world_close(&w);
  }
  print_message("# %d of %d met\n", met, throws);
  assert_true(met > throws / 2);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sphere_circles_in_a_cone),
      cmocka_unit_test(a_sphere_slides_down_a_cone),
      cmocka_unit_test(a_sphere_plugs_a_cone),
      cmocka_unit_test(elastic_bounces_keep_energy_and_momentum),
  };
  return cmocka_run_group_tests_name("wall cone", tests, NULL, NULL);
}
