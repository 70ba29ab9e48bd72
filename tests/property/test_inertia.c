/* Mass and moment of inertia in closed form, of spheres and of discs, also after radius or density was set. */
#include "assertions.h"

#include "scenes/scenes.h"

static const double PI = 3.14159265358979323846;

static void assert_masses(dem_system *s, int32_t shape, double radius, double density) {
  const double disc = PI * radius * radius * density, sphere = 4 / 3. * PI * radius * radius * radius * density;
  const double mass = shape == DEM_SHAPE_DISC ? disc : sphere;
  double got;
  ASSERT_OK(s, dem_system_get_field(s, DEM_MASS, 1, NULL, &got, 0));
  ASSERT_REL(got, mass, 1e-15);
  ASSERT_OK(s, dem_system_get_field(s, DEM_INERTIA, 1, NULL, &got, 0));
  ASSERT_REL(got, (shape == DEM_SHAPE_DISC ? 0.5 : 0.4) * mass * radius * radius, 1e-15);
}

static void check(int32_t shape) {
  const double x[3] = {0}, small = 0.3, light = 2, large = 0.7, heavy = 5;
  dem_context *context;
  dem_system *s;
  dem_system_options o;
  dem_particles p;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-3;
  o.shape = shape;
  o.dimension = shape == DEM_SHAPE_DISC ? 2 : 3;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  ASSERT_OK(s, dem_system_add_material(s, NULL, NULL));
  dem_particles_init(&p, sizeof p);
  p.count = 1, p.position = x, p.radius = &small, p.density = &light;
  ASSERT_OK(s, dem_system_add_particles(s, &p, NULL));
  assert_masses(s, shape, small, light);
  ASSERT_OK(s, dem_system_set_field(s, DEM_RADIUS, 1, NULL, &large, 0));
  assert_masses(s, shape, large, light);
  ASSERT_OK(s, dem_system_set_field(s, DEM_DENSITY, 1, NULL, &heavy, 0));
  assert_masses(s, shape, large, heavy);
  dem_system_destroy(s);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
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
