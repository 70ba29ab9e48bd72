/* Readers and writers on files: every failure names the path and the reason. */
#include "test_io_bytes.h"

#include <sys/stat.h>
#include <unistd.h>

static dem_context *the_context;
static dem_system *the_system;
static char folder[] = "test_io_path_XXXXXX";
static char path_buffer[400];

static const char *in_folder(const char *name) {
  snprintf(path_buffer, sizeof path_buffer, "%s/%s", folder, name);
  return path_buffer;
}

static int make_all(void **state) {
  (void)state;
  if (!mkdtemp(folder) || dem_context_create(NULL, &the_context) != DEM_OK) return 1;
  the_system = sample_system(the_context, 600);
  return 0;
}

static int drop_all(void **state) {
  (void)state;
  static const char *const names[] = {"a.data", "a.dump", "a.vtp", "a.pvd"};
  for (int i = 0; i < 4; i++) unlink(in_folder(names[i]));
  dem_system_destroy(the_system);
  return rmdir(folder) != 0 || dem_context_destroy(the_context) != DEM_OK;
}

static int64_t size_of(const char *name) {
  struct stat about;
  memset(&about, 0, sizeof about);
  return stat(in_folder(name), &about) == 0 ? (int64_t)about.st_size : -1;
}

static void test_data(void **state) {
  (void)state;
  dem_data *data = NULL;
  dem_particles p = {.struct_size = sizeof p};
  double *position = malloc(600 * 3 * sizeof *position);
  ASSERT_OK(the_system, dem_write_data_path(the_system, in_folder("a.data")));
  ASSERT_OK(the_system, dem_write_data_path(the_system, in_folder("a.data")));
  assert_int_equal(dem_data_read_path(the_context, in_folder("a.data"), &data), DEM_OK);
  assert_int_equal(dem_data_particles(data, &p), DEM_OK);
  assert_int_equal(p.count, 600);
  ASSERT_OK(the_system, dem_system_get(the_system, DEM_POSITION, 600, NULL, position, 0));
  ASSERT_BITS(position, p.position, 600 * 3 * sizeof *position);
  free(position);
  dem_data_destroy(data);
}

static void test_dump_appends(void **state) {
  (void)state;
  ASSERT_OK(the_system, dem_write_dump_path(the_system, in_folder("a.dump"), 0));
  const int64_t one = size_of("a.dump");
  assert_true(one > 0);
  ASSERT_OK(the_system, dem_write_dump_path(the_system, in_folder("a.dump"), 1));
  assert_int_equal(size_of("a.dump"), 2 * one);
  ASSERT_OK(the_system, dem_write_dump_path(the_system, in_folder("a.dump"), 0));
  assert_int_equal(size_of("a.dump"), one);
  ASSERT_STATUS(the_system, dem_write_dump_path(the_system, in_folder("a.dump"), 2), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(the_system), "append"));
}

static void test_visual(void **state) {
  (void)state;
  const double time = 0.5;
  const char *const name = "a.vtp";
  ASSERT_OK(the_system, dem_write_vtp_path(the_system, in_folder(name)));
  assert_true(size_of(name) > 600 * 100);
  assert_int_equal(dem_write_pvd_path(in_folder("a.pvd"), 1, &time, &name), DEM_OK);
  assert_true(size_of("a.pvd") > 100);
}

static void test_read_failures(void **state) {
  (void)state;
  dem_data *data = NULL;
  assert_int_equal(dem_data_read_path(the_context, in_folder("none.data"), &data), DEM_IO_ERROR);
  assert_non_null(strstr(dem_context_message(the_context), "none.data': no such file"));
  assert_int_equal(dem_data_read_path(the_context, folder, &data), DEM_IO_ERROR);
  assert_non_null(strstr(dem_context_message(the_context), ": it is a folder"));
  assert_non_null(strstr(dem_context_message(the_context), folder));
  assert_null(data);
}

static void test_bad_format_names_file(void **state) {
  (void)state;
  dem_data *data = NULL;
  ASSERT_OK(the_system, dem_write_dump_path(the_system, in_folder("a.dump"), 0));
  assert_int_equal(dem_data_read_path(the_context, in_folder("a.dump"), &data), DEM_BAD_FORMAT);
  assert_non_null(strstr(dem_context_message(the_context), "line 2: found '0'"));
  assert_non_null(strstr(dem_context_message(the_context), "a.dump"));
}

static void test_write_failures(void **state) {
  (void)state;
  const double time = 0;
  const char *const name = "x";
  ASSERT_STATUS(the_system, dem_write_data_path(the_system, in_folder("none/a.data")), DEM_IO_ERROR);
  assert_non_null(strstr(dem_system_message(the_system), "none/a.data': no such file"));
  ASSERT_STATUS(the_system, dem_write_vtp_path(the_system, folder), DEM_IO_ERROR);
  assert_non_null(strstr(dem_system_message(the_system), "it is a folder"));
  ASSERT_STATUS(the_system, dem_write_data_path(the_system, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_write_data_path(NULL, "x"), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_write_pvd_path(in_folder("none/a.pvd"), 1, &time, &name), DEM_IO_ERROR);
  assert_int_equal(dem_write_pvd_path(NULL, 1, &time, &name), DEM_BAD_ARGUMENT);
}

static void test_full_device(void **state) {
  (void)state;
  const double time = 0;
  const char *const name = "x";
  if (access("/dev/full", W_OK) != 0) {
    print_message("# skipped: no device that is always full\n");
    return;
  }
  ASSERT_STATUS(the_system, dem_write_data_path(the_system, "/dev/full"), DEM_IO_ERROR);
  assert_non_null(strstr(dem_system_message(the_system), "/dev/full': no space left"));
  ASSERT_STATUS(the_system, dem_write_dump_path(the_system, "/dev/full", 1), DEM_IO_ERROR);
  assert_int_equal(dem_write_pvd_path("/dev/full", 1, &time, &name), DEM_IO_ERROR);
}

static void test_long_path(void **state) {
  (void)state;
  char path[3000];
  dem_data *data = NULL;
  memset(path, 'p', sizeof path);
  path[sizeof path - 1] = '\0';
  assert_int_equal(dem_data_read_path(the_context, path, &data), DEM_IO_ERROR);
  assert_non_null(strstr(dem_context_message(the_context), "': error number "));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_data),
      cmocka_unit_test(test_dump_appends),
      cmocka_unit_test(test_visual),
      cmocka_unit_test(test_read_failures),
      cmocka_unit_test(test_bad_format_names_file),
      cmocka_unit_test(test_write_failures),
      cmocka_unit_test(test_full_device),
      cmocka_unit_test(test_long_path),
  };
  return cmocka_run_group_tests_name("io path", tests, make_all, drop_all);
}
