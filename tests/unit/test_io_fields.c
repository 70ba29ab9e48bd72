/* Fields that a VTK file of particles gets on request: read back, they are the numbers of get; without any the file is that of
 * dem_system_write_vtp; what cannot be written is refused before a byte goes out. */
#include "scenes/scenes.h"
#include "test_io_bytes.h"

static dem_context *the_context;

static int make_context(void **state) {
  (void)state;
  return dem_context_create(NULL, &the_context) != DEM_OK;
}

static int drop_context(void **state) {
  (void)state;
  return dem_context_destroy(the_context) != DEM_OK;
}

enum { COUNT = 700 }; /* more than a block of the writer */

static dem_system *make_row(void) {
  dem_system *s;
  dem_system_options o;
  dem_law_options law;
  rows r;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  assert_int_equal(dem_system_create(the_context, &o, &s), DEM_OK);
  ASSERT_OK(s, dem_system_add_material(s, NULL, NULL));
  scene_hooke(&law);
  ASSERT_OK(s, scene_set_law(the_context, s, 0, 0, &law));
  assert_int_equal(rows_create(&r, COUNT), 0);
  for (int k = 0; k < COUNT; k++) rows_put(&r, 0.99 * (k % 30), 1.2 * (k / 30) - 0.1 * (k % 2), 0, 0.5);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  return s;
}

/* The bytes of an array by name. */
static const char *array_of(const bytes *b, const char *name, uint64_t *size) {
  char key[64];
  snprintf(key, sizeof key, " Name=\"%s\"", name);
  const char *described = strstr(b->text, key), *data = strstr(b->text, "encoding=\"raw\">\n_");
  assert_true(described && data);
  const char *at = data + 17 + strtoll(strstr(described, "offset=\"") + 8, NULL, 10);
  memcpy(size, at, sizeof *size);
  assert_true(at + 8 + *size <= b->text + b->size);
  return at + 8;
}

static bytes written(dem_system *s, int32_t count, const int32_t *fields) {
  bytes b = {.fail_at = -1};
  const dem_sink sink = bytes_sink(&b);
  ASSERT_OK(s, dem_system_write_vtp_fields(s, count, fields, &sink));
  return b;
}

static void fields_are_those_of_get(void **state) {
  (void)state;
  const int32_t fields[] = {DEM_RATTLER, DEM_STRESS,   DEM_TORQUE, DEM_COORDINATION,
                            DEM_STRESS,  DEM_POSITION, DEM_RADIUS, DEM_IMAGE};
  static double reals[COUNT * 9];
  static int32_t integers[COUNT * 3];
  dem_system *s = make_row();
  uint64_t size;
  bytes b = written(s, 8, fields); /* before the first step: the forces are evaluated for it */
  for (int n = 0; n < 2; n++) {
    ASSERT_OK(s, dem_system_get_field(s, DEM_STRESS, COUNT, NULL, reals, 0));
    const char *at = array_of(&b, "contact_stress", &size);
    assert_true(size == COUNT * 72 && fabs(reals[0]) > 1);
    ASSERT_BITS(at, reals, size);
    ASSERT_OK(s, dem_system_get_field(s, DEM_TORQUE, COUNT, NULL, reals, 0));
    at = array_of(&b, "torque", &size);
    assert_true(size == COUNT * 24);
    ASSERT_BITS(at, reals, size);
    const struct {
      const char *name;
      int32_t field;
      size_t width;
    } whole[] = {{"coordination", DEM_COORDINATION, 1}, {"rattler", DEM_RATTLER, 1}, {"image", DEM_IMAGE, 3}};
    for (int k = 0; k < 3; k++) {
      ASSERT_OK(s, dem_system_get_field_int(s, whole[k].field, COUNT, NULL, integers, 0));
      at = array_of(&b, whole[k].name, &size);
      assert_true(size == COUNT * 4 * whole[k].width);
      ASSERT_BITS(at, integers, size);
    }
    const char *first = strstr(b.text, "Name=\"contact_stress\"");
    assert_null(strstr(first + 1, "Name=\"contact_stress\""));
    assert_null(strstr(b.text, "Name=\"position\""));
    bytes_clear(&b);
    ASSERT_OK(s, dem_system_step(s, 10));
    b = written(s, 8, fields);
  }
  bytes_clear(&b);
  assert_int_equal(dem_system_destroy(s), DEM_OK);
}

static void without_fields_nothing_changes(void **state) {
  (void)state;
  dem_system *s = make_row();
  bytes a = {.fail_at = -1}, b;
  const dem_sink sink = bytes_sink(&a);
  const int32_t same[] = {DEM_VELOCITY, DEM_FROZEN};
  ASSERT_OK(s, dem_system_write_vtp(s, &sink));
  b = written(s, 0, NULL);
  assert_int_equal(a.size, b.size);
  ASSERT_BITS(a.text, b.text, (size_t)a.size);
  bytes_clear(&b);
  b = written(s, 2, same);
  assert_int_equal(a.size, b.size);
  ASSERT_BITS(a.text, b.text, (size_t)a.size);
  bytes_clear(&a);
  bytes_clear(&b);
  assert_int_equal(dem_system_destroy(s), DEM_OK);
}

static void what_cannot_be_written_is_refused(void **state) {
  (void)state;
  dem_system *s = make_row();
  bytes b = {.fail_at = -1};
  const dem_sink sink = bytes_sink(&b);
  const int32_t unknown[] = {DEM_STRESS, 31}, heat[] = {DEM_HEAT}, column[] = {DEM_COLUMN_FIRST}, stress[] = {DEM_STRESS};
  ASSERT_STATUS(s, dem_system_write_vtp_fields(s, 2, unknown, &sink), DEM_NOT_FOUND);
  assert_non_null(strstr(dem_system_message(s), "field 1 of the list, 31"));
  ASSERT_STATUS(s, dem_system_write_vtp_fields(s, 1, column, &sink), DEM_NOT_FOUND);
  ASSERT_STATUS(s, dem_system_write_vtp_fields(s, 1, heat, &sink), DEM_INCOMPLETE);
  assert_non_null(strstr(dem_system_message(s), "DEM_HEAT needs"));
  ASSERT_STATUS(s, dem_system_write_vtp_fields(s, -1, heat, &sink), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(s, dem_system_write_vtp_fields(s, 1, NULL, &sink), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(s, dem_system_write_vtp_fields(s, 1, stress, NULL), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(s, dem_system_write_vtp_fields_path(s, 1, stress, NULL), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(s, dem_system_write_vtp_fields_path(s, 1, stress, "/nowhere/at/all.vtp"), DEM_IO_ERROR);
  ASSERT_OK(s, dem_system_set_integrator_name(s, "euler"));
  ASSERT_STATUS(s, dem_system_write_vtp_fields(s, 1, stress, &sink), DEM_INCOMPLETE);
  assert_int_equal(b.size, 0);
  assert_int_equal(dem_system_destroy(s), DEM_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(fields_are_those_of_get, make_context, drop_context),
      cmocka_unit_test_setup_teardown(without_fields_nothing_changes, make_context, drop_context),
      cmocka_unit_test_setup_teardown(what_cannot_be_written_is_refused, make_context, drop_context),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
