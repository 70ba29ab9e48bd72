/* Faults of the operating system: interrupted and short transfers are finished, errors are told, at every call.
 * Link with --wrap=open,read,write,close. */
#include "test_io_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { OPEN, READ, WRITE, CLOSE, KINDS };

/* Call number `at` of one kind fails with `error`; transfers move at most `most` bytes; every other one is interrupted. */
static struct {
  int kind, at, error;
  int calls[KINDS];
  size_t most;
  int interrupt;
} plan;

static int fails(int kind) {
  plan.calls[kind]++;
  if (plan.interrupt && plan.calls[kind] % 2) return errno = EINTR;
  if (kind != plan.kind || plan.calls[kind] != plan.at) return 0;
  return errno = plan.error;
}

int __real_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode);
ssize_t __real_read(int descriptor, void *buffer, size_t size);
ssize_t __wrap_read(int descriptor, void *buffer, size_t size);
ssize_t __real_write(int descriptor, const void *buffer, size_t size);
ssize_t __wrap_write(int descriptor, const void *buffer, size_t size);
int __real_close(int descriptor);
int __wrap_close(int descriptor);

int __wrap_open(const char *path, int flags, mode_t mode) { return fails(OPEN) ? -1 : __real_open(path, flags, mode); }

ssize_t __wrap_read(int descriptor, void *buffer, size_t size) {
  return fails(READ) ? -1 : __real_read(descriptor, buffer, plan.most && size > plan.most ? plan.most : size);
}

ssize_t __wrap_write(int descriptor, const void *buffer, size_t size) {
  return fails(WRITE) ? -1 : __real_write(descriptor, buffer, plan.most && size > plan.most ? plan.most : size);
}

/* The descriptor is gone even when close complains. */
int __wrap_close(int descriptor) {
  const int failed = fails(CLOSE), error = errno;
  __real_close(descriptor);
  errno = error;
  return failed ? -1 : 0;
}

static dem_context *the_context;
static dem_system *the_system;
static char path[] = "test_io_faults_XXXXXX";

static int make_all(void **state) {
  (void)state;
  const int descriptor = mkstemp(path);
  if (descriptor < 0 || __real_close(descriptor) || dem_context_create(NULL, &the_context) != DEM_OK) return 1;
  the_system = sample_system(the_context, 2000);
  return 0;
}

static int drop_all(void **state) {
  (void)state;
  dem_system_destroy(the_system);
  return unlink(path) != 0 || dem_context_destroy(the_context) != DEM_OK;
}

static void no_faults(void) { memset(&plan, 0, sizeof plan); }

static void check_file(void) {
  dem_data *data = NULL;
  dem_particles p = {.struct_size = sizeof p};
  assert_int_equal(dem_data_read_path(the_context, path, &data), DEM_OK);
  assert_int_equal(dem_data_particles(data, &p), DEM_OK);
  assert_int_equal(p.count, 2000);
  dem_data_destroy(data);
}

static void test_short_transfers(void **state) {
  (void)state;
  no_faults();
  plan.most = 1000;
  ASSERT_OK(the_system, dem_write_data_path(the_system, path));
  check_file();
  assert_true(plan.calls[WRITE] > 300 && plan.calls[READ] > 300);
}

static void test_interrupts(void **state) {
  (void)state;
  no_faults();
  plan.interrupt = 1;
  plan.most = 5000;
  ASSERT_OK(the_system, dem_write_data_path(the_system, path));
  check_file();
}

static void test_write_fails_at_every_call(void **state) {
  (void)state;
  static const int kinds[] = {OPEN, WRITE, CLOSE};
  for (int k = 0; k < 3; k++) {
    dem_status status = DEM_IO_ERROR;
    for (int at = 1; status != DEM_OK; at++) {
      no_faults();
      plan.kind = kinds[k];
      plan.at = at;
      plan.error = EIO;
      status = dem_write_data_path(the_system, path);
      if (status == DEM_OK) break;
      ASSERT_STATUS(the_system, status, DEM_IO_ERROR);
      assert_non_null(strstr(dem_system_message(the_system), "error number 5"));
      assert_true(at < 100);
    }
    assert_true(plan.calls[kinds[k]] == plan.at - 1);
    assert_true(plan.calls[CLOSE] == 1);
  }
  no_faults();
  check_file();
}

static void test_read_fails_at_every_call(void **state) {
  (void)state;
  dem_status status = DEM_IO_ERROR;
  no_faults();
  ASSERT_OK(the_system, dem_write_data_path(the_system, path));
  for (int at = 1; status != DEM_OK; at++) {
    dem_data *data = NULL;
    no_faults();
    plan.kind = READ;
    plan.at = at;
    plan.error = EIO;
    status = dem_data_read_path(the_context, path, &data);
    assert_true(plan.calls[CLOSE] == 1);
    if (status != DEM_OK) {
      assert_int_equal(status, DEM_IO_ERROR);
      assert_null(data);
      assert_non_null(strstr(dem_context_message(the_context), "error number 5"));
    }
    dem_data_destroy(data);
    assert_true(at < 100);
  }
}

static void test_pvd_fails_at_every_call(void **state) {
  (void)state;
  static const int kinds[] = {OPEN, WRITE, CLOSE};
  const double time = 1;
  const char *const name = "a.vtp";
  for (int k = 0; k < 3; k++) {
    no_faults();
    plan.kind = kinds[k];
    plan.at = 1;
    plan.error = ENOSPC;
    assert_int_equal(dem_write_pvd_path(path, 1, &time, &name), DEM_IO_ERROR);
    assert_int_equal(plan.calls[CLOSE], kinds[k] != OPEN);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_short_transfers),           cmocka_unit_test(test_interrupts),
      cmocka_unit_test(test_write_fails_at_every_call), cmocka_unit_test(test_read_fails_at_every_call),
      cmocka_unit_test(test_pvd_fails_at_every_call),
  };
  return cmocka_run_group_tests_name("io faults", tests, make_all, drop_all);
}
