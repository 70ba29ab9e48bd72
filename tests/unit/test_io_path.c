/* Readers and writers on files: every failure names the path and the reason. */
#include "test_io_bytes.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
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
  static const char *const names[] = {"a.data", "a.dump", "a.vtp", "a.pvd", "link", "loop", "pipe", "sub/real"};
  for (int i = 0; i < 8; i++) unlink(in_folder(names[i]));
  rmdir(in_folder("sub"));
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
  ASSERT_OK(the_system, dem_system_write_data_path(the_system, in_folder("a.data")));
  ASSERT_OK(the_system, dem_system_write_data_path(the_system, in_folder("a.data")));
  assert_int_equal(dem_data_read_path(the_context, in_folder("a.data"), &data), DEM_OK);
  assert_int_equal(dem_data_particles(data, &p), DEM_OK);
  assert_int_equal(p.count, 600);
  ASSERT_OK(the_system, dem_system_get_field(the_system, DEM_POSITION, 600, NULL, position, 0));
  ASSERT_BITS(position, p.position, 600 * 3 * sizeof *position);
  free(position);
  dem_data_destroy(data);
}

static void test_dump_appends(void **state) {
  (void)state;
  ASSERT_OK(the_system, dem_system_write_dump_path(the_system, in_folder("a.dump"), 0));
  const int64_t one = size_of("a.dump");
  assert_true(one > 0);
  ASSERT_OK(the_system, dem_system_write_dump_path(the_system, in_folder("a.dump"), 1));
  assert_int_equal(size_of("a.dump"), 2 * one);
  ASSERT_OK(the_system, dem_system_write_dump_path(the_system, in_folder("a.dump"), 0));
  assert_int_equal(size_of("a.dump"), one);
  ASSERT_STATUS(the_system, dem_system_write_dump_path(the_system, in_folder("a.dump"), 2), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(the_system), "append"));
}

static void test_visual(void **state) {
  (void)state;
  const double time = 0.5;
  const char *const name = "a.vtp";
  ASSERT_OK(the_system, dem_system_write_vtp_path(the_system, in_folder(name)));
  assert_true(size_of(name) > 600 * 100);
  assert_int_equal(dem_pvd_write_path(in_folder("a.pvd"), 1, &time, &name), DEM_OK);
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
  ASSERT_OK(the_system, dem_system_write_dump_path(the_system, in_folder("a.dump"), 0));
  assert_int_equal(dem_data_read_path(the_context, in_folder("a.dump"), &data), DEM_BAD_FORMAT);
  assert_non_null(strstr(dem_context_message(the_context), "line 2: found '0'"));
  assert_non_null(strstr(dem_context_message(the_context), "a.dump"));
}

static void test_write_failures(void **state) {
  (void)state;
  const double time = 0;
  const char *const name = "x";
  ASSERT_STATUS(the_system, dem_system_write_data_path(the_system, in_folder("none/a.data")), DEM_IO_ERROR);
  assert_non_null(strstr(dem_system_message(the_system), "none/a.data': no such file"));
  ASSERT_STATUS(the_system, dem_system_write_vtp_path(the_system, folder), DEM_IO_ERROR);
  assert_non_null(strstr(dem_system_message(the_system), "it is a folder"));
  ASSERT_STATUS(the_system, dem_system_write_data_path(the_system, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_system_write_data_path(NULL, "x"), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_pvd_write_path(in_folder("none/a.pvd"), 1, &time, &name), DEM_IO_ERROR);
  assert_int_equal(dem_pvd_write_path(NULL, 1, &time, &name), DEM_BAD_ARGUMENT);
}

static void test_full_device(void **state) {
  (void)state;
  const double time = 0;
  const char *const name = "x";
  if (access("/dev/full", W_OK) != 0) {
    print_message("# skipped: no device that is always full\n");
    return;
  }
  ASSERT_STATUS(the_system, dem_system_write_data_path(the_system, "/dev/full"), DEM_IO_ERROR);
  assert_non_null(strstr(dem_system_message(the_system), "/dev/full': no space left"));
  ASSERT_STATUS(the_system, dem_system_write_dump_path(the_system, "/dev/full", 1), DEM_IO_ERROR);
  assert_int_equal(dem_pvd_write_path("/dev/full", 1, &time, &name), DEM_IO_ERROR);
}

static void test_long_path(void **state) {
  (void)state;
  char path[3000];
  dem_data *data = NULL;
  memset(path, 'p', sizeof path);
  path[sizeof path - 1] = '\0';
  assert_int_equal(dem_data_read_path(the_context, path, &data), DEM_IO_ERROR);
  assert_non_null(strstr(dem_context_message(the_context), "': file name too long (error number "));
}

/* ---- what takes the place of an old file ---- */

static mode_t mode_of(const char *name) {
  struct stat about;
  assert_int_equal(stat(in_folder(name), &about), 0);
  return about.st_mode & 07777;
}

static void test_permissions_stay(void **state) {
  (void)state;
  static const mode_t modes[] = {0600, 0640, 0666, 0755};
  unlink(in_folder("a.data"));
  const mode_t mask = umask(027);
  ASSERT_OK(the_system, dem_system_write_data_path(the_system, in_folder("a.data")));
  assert_int_equal(mode_of("a.data"), 0640); /* a new file has those of the process */
  for (int k = 0; k < 4; k++) {
    assert_int_equal(chmod(in_folder("a.data"), modes[k]), 0);
    ASSERT_OK(the_system, dem_system_write_data_path(the_system, in_folder("a.data")));
    assert_int_equal(mode_of("a.data"), modes[k]);
  }
  umask(mask);
}

static void test_owner_stays(void **state) {
  (void)state;
  struct stat about;
  if (geteuid() != 0) {
    print_message("# skipped: only root can give files away\n");
    return;
  }
  ASSERT_OK(the_system, dem_system_write_data_path(the_system, in_folder("a.data")));
  assert_int_equal(chown(in_folder("a.data"), 1234, 2345), 0);
  ASSERT_OK(the_system, dem_system_write_data_path(the_system, in_folder("a.data")));
  assert_int_equal(stat(in_folder("a.data"), &about), 0);
  assert_true(about.st_uid == 1234 && about.st_gid == 2345);
}

/* A link goes on to be one, also one that leads nowhere yet and one by way of another folder. */
static void test_links_stay(void **state) {
  (void)state;
  struct stat about;
  assert_int_equal(mkdir(in_folder("sub"), 0777), 0);
  assert_int_equal(symlink("sub/real", in_folder("link")), 0);
  for (int round = 0; round < 2; round++) {
    ASSERT_OK(the_system, dem_system_write_data_path(the_system, in_folder("link")));
    assert_true(lstat(in_folder("link"), &about) == 0 && S_ISLNK(about.st_mode));
    assert_true(lstat(in_folder("sub/real"), &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 1000);
  }
  assert_int_equal(symlink("loop", in_folder("loop")), 0);
  ASSERT_STATUS(the_system, dem_system_write_data_path(the_system, in_folder("loop")), DEM_IO_ERROR);
  assert_non_null(strstr(dem_system_message(the_system), "too many levels of symbolic links"));
}

/* What a host has open as its output stays that file: it is written in place. */
static void test_open_descriptors(void **state) {
  (void)state;
  char name[64];
  struct stat before, after;
  const int descriptor = open(in_folder("a.data"), O_RDWR | O_CREAT | O_TRUNC, 0666);
  assert_true(descriptor >= 0 && fstat(descriptor, &before) == 0);
  snprintf(name, sizeof name, "/dev/fd/%d", descriptor);
  ASSERT_OK(the_system, dem_system_write_data_path(the_system, name));
  assert_true(fstat(descriptor, &after) == 0 && after.st_nlink == 1 && after.st_size > 1000);
  assert_true(stat(in_folder("a.data"), &after) == 0 && after.st_ino == before.st_ino);
  close(descriptor);
}

static void test_devices_stay(void **state) {
  (void)state;
  struct stat about;
  ASSERT_OK(the_system, dem_system_write_data_path(the_system, "/dev/null"));
  ASSERT_OK(the_system, dem_system_write_dump_path(the_system, "/dev/null", 1));
  assert_true(stat("/dev/null", &about) == 0 && S_ISCHR(about.st_mode));
}

/* ---- signals ---- */

/* In a child, whose end tells of signals that came through. */
static int child_says(int (*act)(void)) {
  int status = 0;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) _exit(act());
  assert_true(child > 0 && waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int pending(int number) {
  sigset_t set;
  return sigpending(&set) == 0 && sigismember(&set, number);
}

static int says_too_large(dem_status status) {
  return status == DEM_IO_ERROR && strstr(dem_system_message(the_system), "': file too large (error number ") != NULL;
}

static int write_beyond_limit(void) {
  const struct rlimit limit = {10000, 10000};
  if (setrlimit(RLIMIT_FSIZE, &limit)) return 2;
  if (!says_too_large(dem_system_write_data_path(the_system, in_folder("a.data")))) return 3;
  if (!says_too_large(dem_system_write_dump_path(the_system, in_folder("a.data"), 1))) return 4;
  return pending(SIGXFSZ) ? 5 : 0;
}

static void test_limit_of_file_size(void **state) {
  (void)state;
  ASSERT_OK(the_system, dem_system_write_data_path(the_system, in_folder("a.data")));
  const int64_t size = size_of("a.data");
  assert_int_equal(child_says(write_beyond_limit), 0);
  assert_int_equal(size_of("a.data"), size);
  test_data(NULL);
}

/* The reader goes after its first bytes. */
static int read_a_little(void) {
  char some[100];
  const int descriptor = open(in_folder("pipe"), O_RDONLY);
  return read(descriptor, some, sizeof some) != sizeof some;
}

static int write_to_broken_pipe(void) {
  const pid_t reader = fork();
  if (reader == 0) _exit(read_a_little());
  const dem_status status = dem_system_write_data_path(the_system, in_folder("pipe"));
  waitpid(reader, NULL, 0);
  return status == DEM_IO_ERROR && strstr(dem_system_message(the_system), "': broken pipe (") && !pending(SIGPIPE) ? 0 : 2;
}

/* The host's own mask and a signal that waits for it stay. */
static int write_with_signal_waiting(void) {
  sigset_t set, now;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  if (sigprocmask(SIG_BLOCK, &set, NULL) || raise(SIGPIPE) || write_to_broken_pipe() != 2) return 3;
  if (sigprocmask(SIG_BLOCK, NULL, &now)) return 4;
  return pending(SIGPIPE) && sigismember(&now, SIGPIPE) && !sigismember(&now, SIGXFSZ) ? 0 : 5;
}

static void test_broken_pipe(void **state) {
  (void)state;
  assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
  assert_int_equal(child_says(write_to_broken_pipe), 0);
  assert_int_equal(child_says(write_with_signal_waiting), 0);
}

/* ---- names ---- */

static void test_names_with_control_characters(void **state) {
  (void)state;
  static const char *const bad[] = {"a\x01", "\n", "a\tb", "x\x7f", "y\x1b[31m"};
  const double time = 0;
  dem_data *data = NULL;
  for (int k = 0; k < 5; k++) {
    ASSERT_STATUS(the_system, dem_system_write_data_path(the_system, in_folder(bad[k])), DEM_BAD_ARGUMENT);
    assert_non_null(strstr(dem_system_message(the_system), "path has the control character "));
    ASSERT_STATUS(the_system, dem_system_write_dump_path(the_system, in_folder(bad[k]), 1), DEM_BAD_ARGUMENT);
    ASSERT_STATUS(the_system, dem_system_write_vtp_path(the_system, in_folder(bad[k])), DEM_BAD_ARGUMENT);
    assert_int_equal(dem_data_read_path(the_context, in_folder(bad[k]), &data), DEM_BAD_ARGUMENT);
    assert_int_equal(dem_pvd_write_path(in_folder(bad[k]), 0, NULL, NULL), DEM_BAD_ARGUMENT);
    assert_int_equal(dem_pvd_write_path(in_folder("a.pvd"), 1, &time, &bad[k]), DEM_BAD_ARGUMENT);
  }
}

/* A .pvd is XML in UTF-8: other bytes would make it unreadable. */
static void test_names_in_collections(void **state) {
  (void)state;
  static const char *const good[] = {"", "a<&\"'>.vtp", "\xc3\xa4.vtp", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
  static const char *const bad[] = {"\xe4.vtp",
                                    "\xc3",
                                    "\xc0\xaf",
                                    "\xed\xa0\x80",
                                    "\xef\xbf\xbf",
                                    "\xf4\x90\x80\x80",
                                    "\xf8\x88\x80\x80\x80",
                                    "\xe0\x80\x80",
                                    "\xf0\x8f\xbf\xbf",
                                    "\x80"};
  const double time = 0;
  for (int k = 0; k < 5; k++) assert_int_equal(dem_pvd_write_path(in_folder("a.pvd"), 1, &time, &good[k]), DEM_OK);
  for (int k = 0; k < 10; k++) assert_int_equal(dem_pvd_write_path(in_folder("a.pvd"), 1, &time, &bad[k]), DEM_BAD_ARGUMENT);
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
      cmocka_unit_test(test_permissions_stay),
      cmocka_unit_test(test_owner_stays),
      cmocka_unit_test(test_links_stay),
      cmocka_unit_test(test_open_descriptors),
      cmocka_unit_test(test_devices_stay),
      cmocka_unit_test(test_limit_of_file_size),
      cmocka_unit_test(test_broken_pipe),
      cmocka_unit_test(test_names_with_control_characters),
      cmocka_unit_test(test_names_in_collections),
  };
  return cmocka_run_group_tests_name("io path", tests, make_all, drop_all);
}
