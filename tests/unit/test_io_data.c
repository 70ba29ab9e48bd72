/* Reading LAMMPS data files: which texts are taken, and that nothing is lost on the way. What is refused: test_io_data_refusals.c. */
#include "unit/data_text.h"

#include "data.h"

/* Where the reference data lie; the build may say. */
#ifndef DEM_SHARED_DATA
#define DEM_SHARED_DATA "../shared/data"
#endif

static void test_good(void **state) {
  (void)state;
  char text[DATA_TEXT_SIZE];
  dem_data *data = NULL;
  data_text_compose(text, 0, NULL, "\n");
  data_text_accept(text, 0, 1);
  assert_int_equal(data_text_read(text, &data), DEM_OK);
  ASSERT_BITS(demi_data_integers(data, DEMI_DATA_IMAGE), ((int32_t[]){0, 0, 0, -1, 0, 1}), 6 * sizeof(int32_t));
  assert_int_equal(dem_context_destroy(data_text_context), DEM_BUSY);
  dem_data_destroy(data);
  dem_data_destroy(NULL);
}

static void test_every_chunk(void **state) {
  (void)state;
  char text[DATA_TEXT_SIZE];
  data_text_compose(text, 0, NULL, "\n");
  for (int64_t chunk = 1; chunk < 300; chunk++) data_text_accept(text, chunk, 1);
}

static void test_line_ends(void **state) {
  (void)state;
  char text[DATA_TEXT_SIZE];
  data_text_compose(text, 0, NULL, "\r\n");
  data_text_accept(text, 0, 1);
  data_text_accept(text, 1, 1);
  data_text_compose(text, 0, NULL, "\n");
  text[strlen(text) - 1] = '\0';
  data_text_accept(text, 0, 1);
  data_text_accept(text, 1, 1);
}

/* Variants of one line that change nothing. */
static void test_tolerated(void **state) {
  (void)state;
  static const struct {
    int line;
    const char *text;
  } cases[] = {
      {1, ""},
      {1, "# 5 atoms"},
      {1, "3 atoms"},
      {1, "Atoms"},
      {2, "# a comment\n\n  \t # another"},
      {2, "0 0 0 xy xz yz"},
      {2, "0.0 -0 0e5 xy xz yz # not tilted"},
      {2, "0 bonds\n0 angles\n0 dihedrals\n0 impropers\n0 bond types\n0 ellipsoids\n0 bodies\n0 extra bond per atom"},
      {3, "\t2\tatoms # two"},
      {5, "-1e0 +1.5 xlo xhi"},
      {9, "Atoms"},
      {9, "  Atoms  #   sphere  "},
      {9, "Atoms #sphere"},
      {9, "Atoms #"},
      {10, "# note"},
      {11, "1 1 .5 2.5 1e-1 0.2 3E-1 0 0 0 # first"},
      {12, "\n\n7 2 0.25 2. 0.4 0.5 0.6 -1 0 1"},
      {14, "Velocities # sphere"},
      {17, "1 -1 -2 -3 -4 -5 -6\n\n\n# end\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[DATA_TEXT_SIZE];
    data_text_compose(text, cases[i].line, cases[i].text, "\n");
    data_text_accept(text, 0, 1);
  }
}

static void test_tilt(void **state) {
  (void)state;
  static const char *const lines[] = {"", "0.25 -0.5 1e-3 xy xz yz"};
  for (int k = 0; k < 2; k++) {
    char text[DATA_TEXT_SIZE];
    dem_data *data = NULL;
    double tilt[3] = {9, 9, 9};
    data_text_compose(text, 2, lines[k], "\n");
    assert_int_equal(data_text_read(text, &data), DEM_OK);
    data_text_check(data, 1);
    assert_int_equal(dem_data_tilt(data, tilt), DEM_OK);
    ASSERT_BITS(tilt, (k ? (double[]){0.25, -0.5, 1e-3} : (double[]){0, 0, 0}), sizeof tilt);
    assert_int_equal(dem_data_tilt(data, NULL), DEM_BAD_ARGUMENT);
    assert_int_equal(dem_data_tilt(NULL, tilt), DEM_BAD_ARGUMENT);
    dem_data_destroy(data);
  }
}

static void test_no_velocities(void **state) {
  (void)state;
  char text[DATA_TEXT_SIZE];
  data_text_compose(text, 0, NULL, "\n");
  strstr(text, "Velocities")[0] = '\0';
  data_text_accept(text, 0, 0);
}

static void test_no_images(void **state) {
  (void)state;
  data_text_accept(
      "\n2 atoms\n2 atom types\n-1 1.5 xlo xhi\n0 2 ylo yhi\n0 3 zlo zhi\nAtoms\n"
      "1 1 0.5 2.5 0.1 0.2 0.3\n7 2 0.25 2 0.4 0.5 0.6",
      0, 0);
}

static void test_no_atoms(void **state) {
  (void)state;
  static const char *const texts[] = {"\n0 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n",
                                      "\n0 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\nAtoms\n\nVelocities\n"};
  for (int i = 0; i < 2; i++) {
    dem_data *data = NULL;
    dem_particles p = {.struct_size = sizeof p};
    assert_int_equal(data_text_read(texts[i], &data), DEM_OK);
    assert_int_equal(dem_data_particles(data, &p), DEM_OK);
    assert_int_equal(p.count, 0);
    assert_true(p.position && p.velocity && p.radius && p.material);
    dem_data_destroy(data);
  }
}

static void test_accessors(void **state) {
  (void)state;
  char text[DATA_TEXT_SIZE];
  dem_data *data = NULL;
  dem_particles p = {.struct_size = 4};
  double low[3];
  data_text_compose(text, 0, NULL, "\n");
  assert_int_equal(data_text_read(text, &data), DEM_OK);
  assert_int_equal(dem_data_box(data, low, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_data_tags(data, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_data_particles(data, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_data_particles(data, &p), DEM_BAD_STRUCT);
  dem_data_destroy(data);
}

static void test_locale(void **state) {
  (void)state;
  char text[DATA_TEXT_SIZE];
  if (!use_comma()) return;
  data_text_compose(text, 0, NULL, "\n");
  data_text_accept(text, 0, 1);
  setlocale(LC_ALL, "C");
}

/* The good file with many more rows, so that the columns grow. */
static void compose_rows(bytes *b, int count) {
  char line[200];
  const dem_sink sink = bytes_sink(b);
  snprintf(line, sizeof line, "t\n%d atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\nAtoms\n", count);
  sink.write(b, line, (int64_t)strlen(line));
  for (int i = 0; i < count; i++) {
    snprintf(line, sizeof line, "%d 1 0.1 1 %d 0.123456789012345 0\n", count - i, i);
    sink.write(b, line, (int64_t)strlen(line));
  }
  sink.write(b, "Velocities\n", 11);
  for (int i = 0; i < count; i++) {
    snprintf(line, sizeof line, "%d 0 %d 0 0 0 0\n", i + 1, i + 1);
    sink.write(b, line, (int64_t)strlen(line));
  }
}

static void check_rows(const dem_data *data, int count) {
  dem_particles p = {.struct_size = sizeof p};
  assert_int_equal(dem_data_particles(data, &p), DEM_OK);
  assert_int_equal(p.count, count);
  for (int i = 0; i < count; i++) {
    assert_true(p.position[3 * i] == i);
    assert_true(p.velocity[3 * i + 1] == count - i);
  }
}

static void test_every_allocation_fails(void **state) {
  (void)state;
  bytes b = {.fail_at = -1};
  compose_rows(&b, 3000);
  const dem_source source = bytes_source(&b);
  for (int persistent = 0; persistent < 2; persistent++) {
    shortage s = {.persistent = persistent};
    dem_context *context = shortage_context(&s);
    const int64_t before = s.live;
    dem_status status = DEM_NO_MEMORY;
    for (int fail = 1; status != DEM_OK; fail++) {
      dem_data *data = NULL;
      s.calls = 0;
      s.fail = fail;
      b.at = 0;
      status = dem_data_read(context, &source, &data);
      assert_true(status == DEM_OK || status == DEM_NO_MEMORY);
      if (status == DEM_OK) check_rows(data, 3000);
      dem_data_destroy(data);
      assert_int_equal(s.live, before);
      assert_true(fail < 1000);
    }
    assert_true(s.calls > 40);
    assert_int_equal(dem_context_destroy(context), DEM_OK);
  }
  bytes_clear(&b);
}

static void read_shared(const char *file, int64_t count, int32_t types) {
  static const char *const folders[] = {DEM_SHARED_DATA, "../shared/data", "../../shared/data"};
  for (int i = 0; i < 3; i++) {
    char path[300];
    dem_data *data = NULL;
    dem_particles p = {.struct_size = sizeof p};
    int32_t got;
    snprintf(path, sizeof path, "%s/%s", folders[i], file);
    const double start = seconds();
    const dem_status status = dem_data_read_path(data_text_context, path, &data);
    if (status == DEM_IO_ERROR) continue;
    print_message("# %s: %.3f s\n", file, seconds() - start);
    if (status != DEM_OK) fail_msg("%s", dem_context_message(data_text_context));
    assert_int_equal(dem_data_particles(data, &p), DEM_OK);
    assert_int_equal(p.count, count);
    assert_int_equal(dem_data_types(data, &got), DEM_OK);
    assert_int_equal(got, types);
    dem_data_destroy(data);
    return;
  }
  print_message("# skipped: no %s\n", file);
}

static void test_chute(void **state) {
  (void)state;
  read_shared("chute/data.chute", 32000, 2);
}

static void test_bed(void **state) {
  (void)state;
  read_shared("bed50k/bed_hooke.data", 50000, 1);
}

/* ---- ids that somebody chose ---- */

enum { CHOSEN = 300000 };

/* Multiples of the inverse of a hash's usual multiplier, which put all rows into the same place of a table: a reader whose time
 * goes with the square of the rows takes minutes. Shuffled Velocities, and one id twice. */
static void chosen_ids_cost_no_more(void **state) {
  (void)state;
  const uint64_t inverse = UINT64_C(0xF1DE83E19937733D); /* of 0x9E3779B97F4A7C15, modulo 2^64 */
  assert_true(inverse * UINT64_C(0x9E3779B97F4A7C15) == 1);
  char *text = malloc((size_t)CHOSEN * 100), *at = text;
  int64_t *ids = malloc(CHOSEN * sizeof *ids);
  const int64_t *tags;
  dem_data *data = NULL;
  dem_particles p = {.struct_size = sizeof p};
  uint64_t k = 1;
  for (int n = 0; n < CHOSEN; k++)
    if ((int64_t)(inverse * k) > 0) ids[n++] = (int64_t)(inverse * k);
  at += sprintf(at, "t\n\n%d atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nAtoms\n\n", CHOSEN);
  char *first = at;
  for (int n = 0; n < CHOSEN; n++) at += sprintf(at, "%20lld 1 1 1 0 0 0\n", (long long)ids[n]);
  at += sprintf(at, "\nVelocities\n\n");
  for (int n = 0; n < CHOSEN; n++) { /* 7919 and the count have no common factor */
    const int row = (int)((int64_t)n * 7919 % CHOSEN);
    at += sprintf(at, "%lld %d 0 0 0 0 0\n", (long long)ids[row], row);
  }
  assert_int_equal(data_text_read_bytes(text, at - text, 0, &data), DEM_OK);
  assert_int_equal(dem_data_tags(data, &tags), DEM_OK);
  assert_int_equal(dem_data_particles(data, &p), DEM_OK);
  ASSERT_BITS(tags, ids, CHOSEN * sizeof *ids);
  for (int n = 0; n < CHOSEN; n++) assert_true(p.velocity[3 * n] == n);
  dem_data_destroy(data);
  memcpy(first + 33 * 1000L, first + 33 * 10L, 20); /* row 1001 gets the id of row 11; the rows begin in line 11 */
  assert_int_equal(data_text_read_bytes(text, at - text, 0, &data), DEM_BAD_FORMAT);
  assert_non_null(strstr(dem_context_message(data_text_context), "line 1011: found atom id "));
  free(text);
  free(ids);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, data_text_open, data_text_close)
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(chosen_ids_cost_no_more),
      TEST(test_good),
      TEST(test_every_chunk),
      TEST(test_line_ends),
      TEST(test_tolerated),
      TEST(test_tilt),
      TEST(test_no_velocities),
      TEST(test_no_images),
      TEST(test_no_atoms),
      TEST(test_accessors),
      TEST(test_locale),
      TEST(test_every_allocation_fails),
      TEST(test_chute),
      TEST(test_bed),
  };
  return cmocka_run_group_tests_name("io data", tests, NULL, NULL);
}
