/* Faults of the operating system: interrupted and short transfers are finished, errors are told, at every call.
 * After every failure the old file is whole, no descriptor is open and no other file is left.
 * Link with --wrap=open,read,write,close,fsync,rename,ftruncate. */
#include "test_io_bytes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { OPEN, READ, WRITE, CLOSE, FSYNC, RENAME, FTRUNCATE, KINDS };

/* Call number `at` of one kind fails with `error`; transfers move at most `most` bytes; every other one is interrupted. */
static struct {
  int kind, at, error;
  int calls[KINDS];
  int opened; /* descriptors open now */
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

int __real_fsync(int descriptor);
int __wrap_fsync(int descriptor);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __real_ftruncate(int descriptor, off_t length);
int __wrap_ftruncate(int descriptor, off_t length);

int __wrap_open(const char *path, int flags, mode_t mode) {
  const int descriptor = fails(OPEN) ? -1 : __real_open(path, flags, mode);
  plan.opened += descriptor >= 0;
  return descriptor;
}

int __wrap_fsync(int descriptor) { return fails(FSYNC) ? -1 : __real_fsync(descriptor); }
int __wrap_rename(const char *from, const char *to) { return fails(RENAME) ? -1 : __real_rename(from, to); }
int __wrap_ftruncate(int descriptor, off_t length) { return fails(FTRUNCATE) ? -1 : __real_ftruncate(descriptor, length); }

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
  plan.opened--;
  errno = error;
  return failed ? -1 : 0;
}

static dem_context *the_context;
static dem_system *the_system;
static char folder[] = "test_io_faults_XXXXXX", path[64];

static int make_all(void **state) {
  (void)state;
  if (!mkdtemp(folder) || dem_context_create(NULL, &the_context) != DEM_OK) return 1;
  snprintf(path, sizeof path, "%s/a.data", folder);
  the_system = sample_system(the_context, 2000);
  return 0;
}

static int drop_all(void **state) {
  (void)state;
  dem_system_destroy(the_system);
  return unlink(path) != 0 || rmdir(folder) != 0 || dem_context_destroy(the_context) != DEM_OK;
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
  ASSERT_OK(the_system, dem_system_write_data_path(the_system, path));
  check_file();
  assert_true(plan.calls[WRITE] > 300 && plan.calls[READ] > 300);
}

static void test_interrupts(void **state) {
  (void)state;
  no_faults();
  plan.interrupt = 1;
  plan.most = 5000;
  ASSERT_OK(the_system, dem_system_write_data_path(the_system, path));
  check_file();
}

static const char OLD[] = "what was there before\n";

static void put_old(void) {
  FILE *f = fopen(path, "w");
  assert_true(f && fputs(OLD, f) >= 0 && fclose(f) == 0);
}

static int has_old(void) {
  char text[sizeof OLD + 1] = "";
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  const size_t size = fread(text, 1, sizeof text, f);
  fclose(f);
  return size == sizeof OLD - 1 && memcmp(text, OLD, size) == 0;
}

static int files_in_folder(void) {
  int count = 0;
  DIR *d = opendir(folder);
  for (const struct dirent *e = readdir(d); e; e = readdir(d)) count += e->d_name[0] != '.' || strlen(e->d_name) > 2;
  closedir(d);
  return count;
}

typedef dem_status write_fn(void);
static dem_status write_data(void) { return dem_system_write_data_path(the_system, path); }
static dem_status write_frame(void) { return dem_system_write_dump_path(the_system, path, 0); }
static dem_status write_picture(void) { return dem_system_write_vtp_path(the_system, path); }
static dem_status append_frame(void) { return dem_system_write_dump_path(the_system, path, 1); }
static dem_status write_collection(void) {
  const double time = 1;
  const char *const name = "a.vtp";
  return dem_pvd_write_path(path, 1, &time, &name);
}

/* One failure of call number `at`; 0 when there are fewer calls. */
static int one_failure(write_fn *write, int kind, int at, int exists) {
  no_faults();
  unlink(path);
  if (exists) put_old();
  plan.kind = kind, plan.at = at, plan.error = EIO;
  const dem_status status = write();
  const int happened = plan.calls[kind] >= at;
  assert_int_equal(plan.opened, 0);
  no_faults();
  if (status == DEM_OK) {
    assert_int_equal(files_in_folder(), 1);
    assert_false(has_old());
    return happened;
  }
  assert_true(happened);
  assert_int_equal(status, DEM_IO_ERROR);
  if (write != write_collection) assert_non_null(strstr(dem_system_message(the_system), "nput/output error (error number 5)"));
  if (kind == FSYNC && at == 2) { /* of the folder */
    if (write != write_collection) assert_non_null(strstr(dem_system_message(the_system), "the new file is in place"));
    assert_int_equal(files_in_folder(), 1);
    return 1;
  }
  assert_int_equal(files_in_folder(), exists);
  if (exists) assert_true(has_old());
  return 1;
}

static void test_write_fails_at_every_call(void **state) {
  (void)state;
  static const int kinds[] = {OPEN, WRITE, CLOSE, FSYNC, RENAME};
  static write_fn *const writes[] = {write_data, write_frame, write_picture, append_frame, write_collection};
  for (int w = 0; w < 5; w++)
    for (int k = 0; k < 5; k++)
      for (int exists = 0; exists < 2; exists++) {
        /* an appended file has been flushed when its close fails, which is only told */
        if (writes[w] == append_frame && kinds[k] == CLOSE) continue;
        int at = 1;
        while (one_failure(writes[w], kinds[k], at, exists)) assert_true(++at < 100);
        if (kinds[k] == WRITE) assert_true(at > 1);
      }
  no_faults();
  ASSERT_OK(the_system, write_data());
  check_file();
}

/* A disc that is full half-way: what was appended so far is taken off again, however large. */
static void test_append_fails_in_the_middle(void **state) {
  (void)state;
  put_old();
  no_faults();
  plan.most = 1000, plan.kind = WRITE, plan.at = 150, plan.error = ENOSPC;
  ASSERT_STATUS(the_system, append_frame(), DEM_IO_ERROR);
  assert_non_null(strstr(dem_system_message(the_system), "no space left"));
  assert_true(has_old());
  no_faults();
  plan.interrupt = 1;
  ASSERT_OK(the_system, append_frame());
  no_faults();
  assert_int_equal(files_in_folder(), 1);
  ASSERT_OK(the_system, write_data());
}

static void test_read_fails_at_every_call(void **state) {
  (void)state;
  dem_status status = DEM_IO_ERROR;
  no_faults();
  ASSERT_OK(the_system, dem_system_write_data_path(the_system, path));
  for (int at = 1; status != DEM_OK; at++) {
    dem_data *data = NULL;
    no_faults();
    plan.kind = READ;
    plan.at = at;
    plan.error = EIO;
    status = dem_data_read_path(the_context, path, &data);
    assert_true(plan.calls[CLOSE] == 1 && plan.opened == 0);
    if (status != DEM_OK) {
      assert_int_equal(status, DEM_IO_ERROR);
      assert_null(data);
      assert_non_null(strstr(dem_context_message(the_context), "error number 5"));
    }
    dem_data_destroy(data);
    assert_true(at < 100);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_short_transfers),
      cmocka_unit_test(test_interrupts),
      cmocka_unit_test(test_write_fails_at_every_call),
      cmocka_unit_test(test_read_fails_at_every_call),
      cmocka_unit_test(test_append_fails_in_the_middle),
  };
  return cmocka_run_group_tests_name("io faults", tests, make_all, drop_all);
}
