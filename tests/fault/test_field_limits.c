/* A number beyond 1e60 is refused in every row and component of what hosts set at every step, whatever the stride, and nothing is
 * changed; at 1e60 it is taken. */
#include "assertions.h"

#include "scenes/scenes.h"

enum { COUNT = 5 };

static const int32_t fields[] = {DEM_HOST_FORCE, DEM_HOST_TORQUE,  DEM_FLUID_VELOCITY,
                                 DEM_FLUID_SPIN, DEM_DRAG_IMPULSE, DEM_DRAG_ANGULAR_IMPULSE};

static void try_value(dem_system *s, int32_t field, int64_t stride, int at, double value, dem_status expected) {
  double values[COUNT * 5], before[3 * COUNT], after[3 * COUNT];
  for (int k = 0; k < COUNT * 5; k++) values[k] = 0.1 * k;
  values[(at / 3) * stride + at % 3] = value;
  ASSERT_OK(s, dem_system_get_field(s, field, COUNT, NULL, before, 0));
  ASSERT_STATUS(s, dem_system_set_field(s, field, COUNT, NULL, values, stride), expected);
  ASSERT_OK(s, dem_system_get_field(s, field, COUNT, NULL, after, 0));
  if (expected)
    ASSERT_BITS(before, after, sizeof before);
  else
    assert_true(after[at] == value);
}

static void are_seen_everywhere(void **state) {
  (void)state;
  dem_context *context;
  dem_system *s;
  dem_system_options o;
  rows r;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-3;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  ASSERT_OK(s, dem_system_add_material(s, NULL, NULL));
  assert_int_equal(rows_create(&r, COUNT), 0);
  for (int k = 0; k < COUNT; k++) rows_put(&r, 3 * k, 0, 0, 0.5);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
    for (int at = 0; at < 3 * COUNT; at++)
      for (int64_t stride = 3; stride <= 5; stride += 2) {
        try_value(s, fields[f], stride, at, 1e60, DEM_OK);
        try_value(s, fields[f], stride, at, -1e60, DEM_OK);
        try_value(s, fields[f], stride, at, 1.0000001e60, DEM_BAD_ARGUMENT);
        try_value(s, fields[f], stride, at, -1e61, DEM_BAD_ARGUMENT);
        try_value(s, fields[f], stride, at, INFINITY, DEM_BAD_ARGUMENT);
        try_value(s, fields[f], stride, at, NAN, DEM_BAD_ARGUMENT);
      }
  dem_system_destroy(s);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(are_seen_everywhere),
  };
  return cmocka_run_group_tests_name("field_limits", tests, NULL, NULL);
}
