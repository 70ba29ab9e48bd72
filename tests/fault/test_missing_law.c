/* A pair of materials without a law is found before the first step, also where one of the two is that of a wall. */
#include "assertions.h"

#include "scenes/scenes.h"

/* Particles of material 0, a wall of material `wall`, laws for the pairs (0, 0) and, if wanted, (0, 1). */
static void check_wall(int32_t wall, int both, dem_status expected) {
  dem_context *context;
  dem_system *system;
  dem_system_options o;
  dem_law_options law;
  rows r;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  assert_int_equal(dem_system_create(context, &o, &system), DEM_OK);
  ASSERT_OK(system, dem_system_add_material(system, NULL, NULL));
  ASSERT_OK(system, dem_system_add_material(system, NULL, NULL));
  scene_hooke(&law);
  assert_int_equal(scene_set_law(context, system, 0, 0, &law), DEM_OK);
  if (both) assert_int_equal(scene_set_law(context, system, 1, 0, &law), DEM_OK);
  ASSERT_OK(system, scene_add_plane(system, wall, (double[3]){0, 0, 0}, (double[3]){0, 0, 1}));
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 0, 0, 3, 0.5);
  ASSERT_OK(system, rows_add(&r, system, NULL));
  rows_destroy(&r);
  ASSERT_STATUS(system, dem_system_step(system, 1), expected);
  if (expected) {
    assert_non_null(strstr(dem_system_message(system), "materials (0, 1)"));
    assert_non_null(strstr(dem_system_message(system), "wall"));
  }
  dem_system_destroy(system);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

static void of_a_wall(void **state) {
  (void)state;
  check_wall(1, 0, DEM_INCOMPLETE);
  check_wall(1, 1, DEM_OK);
  check_wall(0, 0, DEM_OK);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_a_wall),
  };
  return cmocka_run_group_tests_name("missing_law", tests, NULL, NULL);
}
