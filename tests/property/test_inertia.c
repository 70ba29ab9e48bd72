/* Mass and moment of inertia in closed form, of spheres and of discs, also after radius or density was set. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/world.h"

static const double PI = 3.14159265358979323846;

static void assert_masses(const world *w, int32_t shape, double radius, double density) {
  const double disc = PI * radius * radius * density, sphere = 4 / 3. * PI * radius * radius * radius * density;
  const double mass = shape == DEM_SHAPE_DISC ? disc : sphere;
  double got;
  world_read(w, DEM_MASS, &got);
  ASSERT_REL(got, mass, 1e-15);
  world_read(w, DEM_INERTIA, &got);
  ASSERT_REL(got, (shape == DEM_SHAPE_DISC ? 0.5 : 0.4) * mass * radius * radius, 1e-15);
}

static void check(int32_t shape) {
  const double x[3] = {0}, small = 0.3, light = 2, large = 0.7, heavy = 5;
  world w;
  world_options o = world_defaults();
  dem_particles p;
  o.system.dt = 1e-3;
  o.system.shape = shape;
  o.system.dimension = shape == DEM_SHAPE_DISC ? 2 : 3;
  world_open(&w, &o);
  dem_particles_init(&p, sizeof p);
  p.count = 1, p.position = x, p.radius = &small, p.density = &light;
  ASSERT_OK(w.system, dem_system_add_particles(w.system, &p, NULL));
  assert_masses(&w, shape, small, light);
  world_write(&w, DEM_RADIUS, &large);
  assert_masses(&w, shape, large, light);
  world_write(&w, DEM_DENSITY, &heavy);
  assert_masses(&w, shape, large, heavy);
  world_close(&w);
}

static void of_spheres_and_discs(void **state) {
  (void)state;
  check(DEM_SHAPE_SPHERE);
  check(DEM_SHAPE_DISC);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_spheres_and_discs),
  };
  return cmocka_run_group_tests_name("inertia", tests, NULL, NULL);
}
