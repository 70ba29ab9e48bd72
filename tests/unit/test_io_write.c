/* Writers into sinks: what is written reads back, and every failure of sink or memory is told and leaves nothing behind. */
#include "test_io_bytes.h"

#include "data.h"

enum { SAMPLE = 1300 /* more than two blocks of the writers */ };

typedef dem_status (*write_fn)(const dem_system *system, const dem_sink *sink);

static dem_status write_energy_row(const dem_system *system, const dem_sink *sink) {
  return dem_energy_write_row((dem_system *)(uintptr_t)system, sink);
}

static const write_fn writers[] = {dem_system_write_data,      dem_system_write_dump,         dem_system_write_vtp,
                                   dem_system_write_walls_vtp, dem_system_write_contacts_vtp, write_energy_row};

enum { WRITERS = sizeof writers / sizeof writers[0] };

static dem_context *the_context;

static int make_context(void **state) {
  (void)state;
  return dem_context_create(NULL, &the_context) != DEM_OK;
}

static int drop_context(void **state) {
  (void)state;
  setlocale(LC_ALL, "C");
  return dem_context_destroy(the_context) != DEM_OK;
}

static bytes written_by(const dem_system *system, write_fn write) {
  bytes b = {.fail_at = -1};
  const dem_sink sink = bytes_sink(&b);
  ASSERT_OK(system, write(system, &sink));
  assert_non_null(b.text);
  return b;
}

static void compare_field(const dem_system *system, int32_t field, int components, const double *read, int64_t count) {
  double *values = malloc((size_t)(count * components) * sizeof *values);
  assert_non_null(values);
  ASSERT_OK(system, dem_system_get_field(system, field, count, NULL, values, 0));
  ASSERT_BITS(values, read, (size_t)(count * components) * sizeof *values);
  free(values);
}

static void compare_integers(const dem_system *system, int32_t field, int components, const int32_t *read, int64_t count) {
  int32_t *values = malloc((size_t)(count * components) * sizeof *values);
  assert_non_null(values);
  ASSERT_OK(system, dem_system_get_field_int(system, field, count, NULL, values, 0));
  ASSERT_BITS(values, read, (size_t)(count * components) * sizeof *values);
  free(values);
}

static void compare_data(const dem_system *system, const dem_data *data) {
  dem_particles p = {.struct_size = sizeof p};
  int64_t count;
  ASSERT_OK(system, dem_system_particle_count(system, &count));
  assert_int_equal(dem_data_particles(data, &p), DEM_OK);
  assert_int_equal(p.count, count);
  compare_field(system, DEM_POSITION, 3, p.position, count);
  compare_field(system, DEM_VELOCITY, 3, p.velocity, count);
  compare_field(system, DEM_SPIN, 3, p.spin, count);
  compare_field(system, DEM_RADIUS, 1, p.radius, count);
  compare_field(system, DEM_DENSITY, 1, p.density, count);
  compare_integers(system, DEM_MATERIAL, 1, p.material, count);
  compare_integers(system, DEM_IMAGE, 3, demi_data_integers(data, DEMI_DATA_IMAGE), count);
}

static dem_data *read_back(bytes *b) {
  dem_data *data = NULL;
  const dem_source source = bytes_source(b);
  if (dem_data_read(the_context, &source, &data) != DEM_OK) fail_msg("%s", dem_context_message(the_context));
  return data;
}

static void data_round_trip(void) {
  dem_system *system = sample_system(the_context, SAMPLE);
  bytes b = written_by(system, dem_system_write_data);
  dem_data *data = read_back(&b);
  double low[3], high[3];
  int32_t types;
  const int64_t *tags;
  compare_data(system, data);
  assert_int_equal(dem_data_box(data, low, high), DEM_OK);
  assert_true(low[0] == -1 && high[0] == 9 && low[1] == 0 && high[1] == (double)(SAMPLE - 1) * 1.1);
  assert_int_equal(dem_data_types(data, &types), DEM_OK);
  assert_int_equal(types, 3);
  assert_int_equal(dem_data_tags(data, &tags), DEM_OK);
  assert_true(tags[0] == 1 && tags[SAMPLE - 1] == SAMPLE);
  dem_data_destroy(data);
  dem_system_destroy(system);
  bytes_clear(&b);
}

static void test_data_round_trip(void **state) {
  (void)state;
  data_round_trip();
}

static void test_data_locale(void **state) {
  (void)state;
  if (!use_comma()) return;
  data_round_trip();
}

/* Nothing, and one particle: the box must still have an extent. */
static void test_data_small(void **state) {
  (void)state;
  for (int64_t count = 0; count < 2; count++) {
    dem_system *system = sample_system(the_context, count);
    bytes b = written_by(system, dem_system_write_data);
    dem_data *data = read_back(&b);
    dem_particles p = {.struct_size = sizeof p};
    assert_int_equal(dem_data_particles(data, &p), DEM_OK);
    assert_int_equal(p.count, count);
    dem_data_destroy(data);
    dem_system_destroy(system);
    bytes_clear(&b);
  }
}

static const char *line_at(const char *text, int number) {
  while (--number > 0) text = strchr(text, '\n') + 1;
  return text;
}

static int count_lines(const char *text) {
  int n = 0;
  for (; *text; text++) n += *text == '\n';
  return n;
}

static void check_dump(void) {
  dem_system *system = sample_system(the_context, 3);
  bytes b = written_by(system, dem_system_write_dump);
  const char *const beginning = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp ff ff\n-1 9\n0 2.2\n";
  const char *const titles = "ITEM: ATOMS id type x y z radius vx vy vz omegax omegay omegaz fx fy fz\n";
  assert_memory_equal(b.text, beginning, strlen(beginning));
  assert_memory_equal(line_at(b.text, 9), titles, strlen(titles));
  assert_int_equal(count_lines(b.text), 12);
  assert_memory_equal(line_at(b.text, 11), "2 2 ", 4);
  assert_null(strchr(b.text, ','));
  dem_system_destroy(system);
  bytes_clear(&b);
}

static void test_dump(void **state) {
  (void)state;
  check_dump();
}

static void test_dump_locale(void **state) {
  (void)state;
  if (!use_comma()) return;
  check_dump();
}

/* Finds an array of a .vtp by name and gives its bytes; checks the size in front of them. */
static const char *vtp_array(const bytes *b, const char *name, size_t size) {
  char key[64];
  uint64_t stamped;
  snprintf(key, sizeof key, " Name=\"%s\"", name);
  const char *described = strstr(b->text, key), *data = strstr(b->text, "encoding=\"raw\">\n_");
  assert_true(described && data);
  const char *bytes_at = data + 17 + strtoll(strstr(described, "offset=\"") + 8, NULL, 10);
  assert_true(bytes_at + 8 + size <= b->text + b->size);
  memcpy(&stamped, bytes_at, 8);
  assert_int_equal(stamped, size);
  return bytes_at + 8;
}

static void compare_vtp_field(const bytes *b, const dem_system *system, const char *name, int32_t field, int components) {
  const size_t size = sizeof(double) * SAMPLE * (size_t)components;
  double *values = malloc(size);
  assert_non_null(values);
  ASSERT_OK(system, dem_system_get_field(system, field, SAMPLE, NULL, values, 0));
  ASSERT_BITS(vtp_array(b, name, size), values, size);
  free(values);
}

static void check_vtp(void) {
  static dem_id ids[SAMPLE];
  int64_t indices[SAMPLE];
  dem_system *system = sample_system(the_context, SAMPLE);
  bytes b = written_by(system, dem_system_write_vtp);
  assert_non_null(strstr(b.text, "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0</DataArray>"));
  compare_vtp_field(&b, system, "Points", DEM_POSITION, 3);
  compare_vtp_field(&b, system, "radius", DEM_RADIUS, 1);
  compare_vtp_field(&b, system, "velocity", DEM_VELOCITY, 3);
  compare_vtp_field(&b, system, "spin", DEM_SPIN, 3);
  compare_vtp_field(&b, system, "force", DEM_FORCE, 3);
  ASSERT_OK(system, dem_system_ids(system, SAMPLE, ids));
  ASSERT_BITS(vtp_array(&b, "id", sizeof ids), ids, sizeof ids);
  vtp_array(&b, "material", SAMPLE * sizeof(int32_t));
  vtp_array(&b, "frozen", SAMPLE * sizeof(int32_t));
  for (int i = 0; i < SAMPLE; i++) indices[i] = i;
  ASSERT_BITS(vtp_array(&b, "connectivity", sizeof indices), indices, sizeof indices);
  for (int i = 0; i < SAMPLE; i++) indices[i] = i + 1;
  const char *last = vtp_array(&b, "offsets", sizeof indices);
  ASSERT_BITS(last, indices, sizeof indices);
  assert_string_equal(last + sizeof indices, "\n  </AppendedData>\n</VTKFile>\n");
  dem_system_destroy(system);
  bytes_clear(&b);
}

static void test_vtp(void **state) {
  (void)state;
  check_vtp();
}

static void test_pvd(void **state) {
  (void)state;
  const double times[] = {0, 0.1};
  const char *const files[] = {"a.vtp", "b \"<&>\".vtp"};
  bytes b = {.fail_at = -1};
  const dem_sink sink = bytes_sink(&b);
  assert_int_equal(dem_pvd_write(&sink, 2, times, files), DEM_OK);
  assert_string_equal(b.text,
                      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n"
                      "    <DataSet timestep=\"0\" file=\"a.vtp\"/>\n"
                      "    <DataSet timestep=\"0.1\" file=\"b &quot;&lt;&amp;&gt;&quot;.vtp\"/>\n"
                      "  </Collection>\n</VTKFile>\n");
  assert_int_equal(dem_pvd_write(&sink, 0, NULL, NULL), DEM_OK);
  b.fail_at = 0;
  assert_int_equal(dem_pvd_write(&sink, 2, times, files), DEM_IO_ERROR);
  bytes_clear(&b);
}

static void test_pvd_arguments(void **state) {
  (void)state;
  const double times[] = {0, NAN};
  const char *const files[] = {"a.vtp", NULL};
  bytes b = {.fail_at = -1};
  const dem_sink sink = bytes_sink(&b);
  assert_int_equal(dem_pvd_write(&sink, -1, times, files), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_pvd_write(&sink, 1, NULL, files), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_pvd_write(&sink, 1, times, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_pvd_write(&sink, 2, (double[]){0, 1}, files), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_pvd_write(&sink, 2, times, (const char *const[]){"a", "b"}), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_pvd_write(NULL, 1, times, files), DEM_BAD_ARGUMENT);
  assert_int_equal(b.size, 0);
}

static int count_commas(const char *text, const char *end) {
  int n = 0;
  for (; text < end; text++) n += *text == ',';
  return n;
}

static void check_energy(void) {
  dem_system *system = sample_system(the_context, 5);
  bytes b = {.fail_at = -1};
  const dem_sink sink = bytes_sink(&b);
  assert_int_equal(dem_energy_write_heading(&sink), DEM_OK);
  ASSERT_OK(system, dem_energy_write_row(system, &sink));
  ASSERT_OK(system, dem_energy_write_row(system, &sink));
  assert_int_equal(count_lines(b.text), 3);
  assert_memory_equal(b.text, "time,steps,kinetic_linear,kinetic_angular,kinetic_walls,gravity,elastic_normal_particle,", 84);
  for (int line = 1; line <= 3; line++)
    assert_int_equal(count_commas(line_at(b.text, line), strchr(line_at(b.text, line), '\n')), 56);
  dem_energy energy = {.struct_size = sizeof energy};
  ASSERT_OK(system, dem_system_energy(system, &energy));
  const char *row = line_at(b.text, 2);
  assert_memory_equal(row, "0,0,", 4);
  const char before = *setlocale(LC_ALL, NULL);
  if (before == 'C') assert_true(strtod(row + 4, NULL) == energy.kinetic_linear);
  dem_system_destroy(system);
  bytes_clear(&b);
}

static void test_energy(void **state) {
  (void)state;
  check_energy();
}

static void test_energy_locale(void **state) {
  (void)state;
  if (!use_comma()) return;
  check_energy();
}

/* The same bytes in a locale with a decimal comma. */
static void test_same_bytes(void **state) {
  (void)state;
  dem_system *system = sample_system(the_context, 700);
  for (int i = 0; i < WRITERS; i++) {
    setlocale(LC_ALL, "C");
    bytes plain = written_by(system, writers[i]);
    if (!use_comma()) {
      bytes_clear(&plain);
      break;
    }
    bytes comma = written_by(system, writers[i]);
    assert_int_equal(plain.size, comma.size);
    ASSERT_BITS(plain.text, comma.text, (size_t)plain.size);
    bytes_clear(&plain);
    bytes_clear(&comma);
  }
  dem_system_destroy(system);
}

static void test_failing_sink(void **state) {
  (void)state;
  dem_system *system = sample_system(the_context, SAMPLE);
  for (int i = 0; i < WRITERS; i++) {
    bytes whole = written_by(system, writers[i]);
    for (int64_t at = 0; at < whole.size; at += at < 20 ? 1 : 10007) {
      bytes b = {.fail_at = at};
      const dem_sink sink = bytes_sink(&b);
      ASSERT_STATUS(system, writers[i](system, &sink), DEM_IO_ERROR);
      assert_non_null(strstr(dem_system_message(system), "returned 5"));
      assert_true(b.size <= at);
      bytes_clear(&b);
    }
    bytes_clear(&whole);
  }
  dem_system_destroy(system);
}

static void test_every_allocation_fails(void **state) {
  (void)state;
  shortage s = {.calls = 0};
  dem_context *context = shortage_context(&s);
  dem_system *system = sample_system(context, SAMPLE);
  const int64_t before = s.live;
  for (int i = 0; i < WRITERS; i++) {
    dem_status status = DEM_NO_MEMORY;
    for (int fail = 1; status != DEM_OK; fail++) {
      bytes b = {.fail_at = -1};
      const dem_sink sink = bytes_sink(&b);
      s.calls = 0;
      s.fail = fail;
      status = writers[i](system, &sink);
      assert_true(status == DEM_OK || (status == DEM_NO_MEMORY && b.size == 0));
      assert_int_equal(s.live, before);
      bytes_clear(&b);
      assert_true(fail < 100);
    }
  }
  s.fail = 0;
  dem_system_destroy(system);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

static void test_arguments(void **state) {
  (void)state;
  dem_system *system = sample_system(the_context, 2);
  bytes b = {.fail_at = -1};
  const dem_sink good = bytes_sink(&b);
  for (int i = 0; i < WRITERS; i++) {
    dem_sink sink = good;
    assert_int_equal(writers[i](NULL, &good), DEM_BAD_ARGUMENT);
    ASSERT_STATUS(system, writers[i](system, NULL), DEM_BAD_ARGUMENT);
    assert_non_null(strstr(dem_system_message(system), "sink is NULL"));
    sink.write = NULL;
    ASSERT_STATUS(system, writers[i](system, &sink), DEM_BAD_ARGUMENT);
    sink = good;
    sink.struct_size = 4;
    ASSERT_STATUS(system, writers[i](system, &sink), DEM_BAD_STRUCT);
    sink = good;
    sink.reserved_zero = 1;
    ASSERT_STATUS(system, writers[i](system, &sink), DEM_BAD_ARGUMENT);
  }
  assert_int_equal(dem_energy_write_heading(NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(b.size, 0);
  dem_system_destroy(system);
}

static int32_t count_bytes(void *user, const void *buffer, int64_t size) {
  (void)buffer;
  *(int64_t *)user += size;
  return 0;
}

/* Not asserted: how fast it is depends on the machine. */
static void test_speed(void **state) {
  (void)state;
  static const char *const names[] = {"data", "dump", "vtp", "walls", "contacts", "energy row"};
  dem_system *system = sample_system(the_context, 20000);
  for (int i = 0; i < WRITERS; i++) {
    int64_t size = 0;
    const dem_sink sink = {.struct_size = sizeof sink, .user = &size, .write = count_bytes};
    const double start = seconds();
    ASSERT_OK(system, writers[i](system, &sink));
    print_message("# %s: 20000 particles, %lld bytes, %.3f s\n", names[i], (long long)size, seconds() - start);
  }
  dem_system_destroy(system);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_context, drop_context)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_data_round_trip),
      TEST(test_data_locale),
      TEST(test_data_small),
      TEST(test_dump),
      TEST(test_dump_locale),
      TEST(test_vtp),
      TEST(test_pvd),
      TEST(test_pvd_arguments),
      TEST(test_energy),
      TEST(test_energy_locale),
      TEST(test_same_bytes),
      TEST(test_failing_sink),
      TEST(test_every_allocation_fails),
      TEST(test_arguments),
      TEST(test_speed),
  };
  return cmocka_run_group_tests_name("io write", tests, NULL, NULL);
}
