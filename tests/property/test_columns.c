/* Columns of the host's own: numbers that follow their particle, whatever happens to the rows. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/world.h"
#include "unit/test_io_bytes.h"

enum { START = 600, MOST = 900, TENSOR = 9 };

typedef struct crowd {
  world world;
  int64_t count;
  dem_id ids[MOST];
  double temperature[MOST]; /* as the host knows them, in listing order */
  dice dice;
} crowd;

/* Fast particles in a periodic box, so that the list is often rebuilt and the rows sorted. */
static void open_world(crowd *w, int32_t threads) {
  world_options o = world_defaults();
  memset(w, 0, sizeof *w);
  w->dice.state = 42;
  o.system.dt = 1e-3;
  o.system.ledger = 0;
  o.system.threads = threads;
  for (int a = 0; a < 3; a++) {
    o.system.periodic[a] = 1;
    o.system.box_high[a] = 12;
  }
  world_open(&w->world, &o);
}

static void close_world(crowd *w) { world_close(&w->world); }

static void add_particles(crowd *w, int count) {
  rows r;
  assert_true(w->count + count <= MOST);
  assert_int_equal(rows_create(&r, count), 0);
  for (int k = 0; k < count; k++) {
    const int64_t at = w->count + k;
    const int64_t row = rows_put(&r, 1.2 * (double)(at % 10), 1.2 * (double)(at / 10 % 10), 1.2 * (double)(at / 100), 0.3);
    rows_velocity(&r, row, dice_uniform(&w->dice, -20, 20), dice_uniform(&w->dice, -20, 20), dice_uniform(&w->dice, -20, 20));
    w->temperature[at] = 0;
  }
  world_add_rows(&w->world, &r, w->ids + w->count);
  w->count += count;
}

/* Every `every`-th particle goes; the listing closes up. */
static void remove_particles(crowd *w, int every) {
  dem_id gone[MOST];
  int64_t kept = 0, count = 0;
  for (int64_t k = 0; k < w->count; k++)
    if (k % every == 0) {
      gone[count++] = w->ids[k];
    } else {
      w->ids[kept] = w->ids[k];
      w->temperature[kept++] = w->temperature[k];
    }
  ASSERT_OK(w->world.system, dem_system_remove_particles(w->world.system, count, gone));
  w->count = kept;
}

static double tensor_of(dem_id id, int a) { return (double)(id % 100003) + 0.125 * a; }

/* New values for a part of the particles, by id; the tensors of all of them. */
static void set_values(crowd *w, int32_t temperature, int32_t tensor, int part) {
  dem_id ids[MOST];
  double values[MOST];
  static double tensors[MOST * TENSOR];
  int64_t count = 0;
  for (int64_t k = part; k < w->count; k += 3) {
    w->temperature[k] = dice_uniform(&w->dice, 200, 400);
    ids[count] = w->ids[k];
    values[count++] = w->temperature[k];
  }
  ASSERT_OK(w->world.system, dem_system_set_field(w->world.system, temperature, count, ids, values, 0));
  for (int64_t k = 0; k < w->count; k++)
    for (int a = 0; a < TENSOR; a++) tensors[k * TENSOR + a] = tensor_of(w->ids[k], a);
  ASSERT_OK(w->world.system, dem_system_set_field(w->world.system, tensor, w->count, NULL, tensors, 0));
}

static void check_values(crowd *w, int32_t temperature, int32_t tensor) {
  double values[MOST], again[MOST];
  static double tensors[MOST * TENSOR];
  dem_view v = {.struct_size = sizeof v};
  ASSERT_OK(w->world.system, dem_system_get_field(w->world.system, temperature, w->count, NULL, values, 0));
  ASSERT_BITS(values, w->temperature, (size_t)w->count * sizeof *values);
  ASSERT_OK(w->world.system, dem_system_get_field(w->world.system, temperature, w->count, w->ids, again, 0));
  ASSERT_BITS(again, w->temperature, (size_t)w->count * sizeof *again);
  ASSERT_OK(w->world.system, dem_system_get_field(w->world.system, tensor, w->count, w->ids, tensors, 0));
  for (int64_t k = 0; k < w->count; k++)
    for (int a = 0; a < TENSOR; a++) assert_true(tensors[k * TENSOR + a] == tensor_of(w->ids[k], a));
  ASSERT_OK(w->world.system, dem_view_acquire(w->world.system, temperature, DEM_READ, &v));
  assert_int_equal(v.count, w->count);
  assert_int_equal(v.components, 1);
  for (int64_t row = 0; row < v.count; row++) {
    int64_t k;
    ASSERT_OK(w->world.system, dem_system_index_of(w->world.system, 1, v.ids + row, &k));
    assert_true(v.data[row * v.stride] == w->temperature[k]);
  }
  ASSERT_OK(w->world.system, dem_view_release(w->world.system, &v));
}

static int64_t rebuilds(dem_system *s) {
  dem_statistics t;
  dem_statistics_init(&t, sizeof t);
  ASSERT_OK(s, dem_system_statistics(s, &t));
  return t.rebuilds;
}

/* 1: some row is not at its particle's place in the listing. */
static int is_sorted_away(dem_system *s) {
  dem_view v = {.struct_size = sizeof v};
  int away = 0;
  ASSERT_OK(s, dem_view_acquire(s, DEM_POSITION, DEM_READ, &v));
  for (int64_t row = 0; row < v.count; row++) {
    int64_t k;
    ASSERT_OK(s, dem_system_index_of(s, 1, v.ids + row, &k));
    away = away || k != row;
  }
  ASSERT_OK(s, dem_view_release(s, &v));
  return away;
}

static void values_follow_their_particle(void **state) {
  (void)state;
  for (int32_t threads = 1; threads <= 3; threads += 2) {
    crowd w;
    int32_t temperature, tensor;
    double zero[MOST];
    int sorted = 0;
    open_world(&w, threads);
    ASSERT_OK(w.world.system, dem_system_add_column(w.world.system, "temperature", 1, &temperature));
    assert_int_equal(temperature, DEM_COLUMN_FIRST);
    add_particles(&w, START);
    ASSERT_OK(w.world.system, dem_system_add_column(w.world.system, "stress", TENSOR, &tensor));
    assert_int_equal(tensor, DEM_COLUMN_FIRST + 1);
    ASSERT_OK(w.world.system, dem_system_get_field(w.world.system, temperature, START, NULL, zero, 0));
    for (int k = 0; k < START; k++) assert_true(zero[k] == 0);
    for (int round = 0; round < 8; round++) {
      const int64_t before = rebuilds(w.world.system);
      set_values(&w, temperature, tensor, round % 3);
      check_values(&w, temperature, tensor);
      ASSERT_OK(w.world.system, dem_system_step(w.world.system, 40));
      assert_true(rebuilds(w.world.system) > before + 1);
      check_values(&w, temperature, tensor);
      sorted += is_sorted_away(w.world.system);
      remove_particles(&w, 5 + round % 2);
      check_values(&w, temperature, tensor);
      add_particles(&w, round < 6 ? 90 : 200); /* first into rows that were in use, then into more than there were */
      set_values(&w, temperature, tensor, 0);
    }
    assert_true(sorted >= 4);
    ASSERT_OK(w.world.system, dem_system_check(w.world.system));
    close_world(&w);
  }
}

/* Rows that were in use begin with zeros for the particle that takes them. */
static void new_particles_begin_with_zero(void **state) {
  (void)state;
  crowd w;
  int32_t wide;
  double values[MOST * 2];
  open_world(&w, 1);
  add_particles(&w, 100);
  ASSERT_OK(w.world.system, dem_system_add_column(w.world.system, "wide", 2, &wide));
  for (int k = 0; k < 200; k++) values[k] = 7;
  ASSERT_OK(w.world.system, dem_system_set_field(w.world.system, wide, 100, NULL, values, 0));
  remove_particles(&w, 2);
  add_particles(&w, 30);
  ASSERT_OK(w.world.system, dem_system_get_field(w.world.system, wide, 80, NULL, values, 0));
  for (int k = 0; k < 160; k++) assert_true(values[k] == (k < 100 ? 7 : 0));
  close_world(&w);
}

/* The engine never reads them: a run has the same bits. */
static void they_change_no_bit(void **state) {
  (void)state;
  double position[2][3 * START];
  for (int with = 0; with < 2; with++) {
    crowd w;
    int32_t column;
    open_world(&w, 2);
    add_particles(&w, START);
    ASSERT_OK(w.world.system, dem_system_step(w.world.system, 5));
    if (with) {
      double values[START];
      for (int k = 0; k < START; k++) values[k] = k % 2 ? NAN : HUGE_VAL;
      ASSERT_OK(w.world.system, dem_system_add_column(w.world.system, "t", 1, &column));
      ASSERT_OK(w.world.system, dem_system_set_field(w.world.system, column, START, NULL, values, 0));
    }
    ASSERT_OK(w.world.system, dem_system_step(w.world.system, 60));
    ASSERT_OK(w.world.system, dem_system_get_field(w.world.system, DEM_POSITION, START, NULL, position[with], 0));
    close_world(&w);
  }
  ASSERT_BITS(position[0], position[1], sizeof position[0]);
}

/* ---- refusals ---- */

static void bad_input_is_refused(void **state) {
  (void)state;
  static const char sixty_three[] = "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz-";
  static const struct {
    const char *name;
    int32_t components;
    dem_status expected;
    const char *says;
  } table[] = {
      {NULL, 1, DEM_BAD_ARGUMENT, "name is NULL"},
      {"", 1, DEM_BAD_ARGUMENT, "0 characters"},
      {"abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz-+", 1, DEM_BAD_ARGUMENT,
       "64 characters, allowed 1 to 63"},
      {"a b", 1, DEM_BAD_ARGUMENT, "character 1 of the name is 32"},
      {"a\n", 1, DEM_BAD_ARGUMENT, "character 1 of the name is 10"},
      {"\177", 1, DEM_BAD_ARGUMENT, "character 0 of the name is 127"},
      {"\303\251", 1, DEM_BAD_ARGUMENT, "character 0 of the name is 195"},
      {"heat", 1, DEM_BAD_ARGUMENT, "heat"},
      {"radius", 1, DEM_BAD_ARGUMENT, "radius"},
      {"host_force", 1, DEM_BAD_ARGUMENT, "host_force"},
      {"id", 1, DEM_BAD_ARGUMENT, "id"},
      {"Points", 1, DEM_BAD_ARGUMENT, "Points"},
      {"taken", 2, DEM_BAD_ARGUMENT, "column 1024"},
      {"a", 0, DEM_BAD_ARGUMENT, "components is 0, allowed 1 to 16"},
      {"a", -1, DEM_BAD_ARGUMENT, "components is -1"},
      {"a", 17, DEM_BAD_ARGUMENT, "components is 17"},
      {sixty_three, 16, DEM_OK, NULL},
      {"~!", 1, DEM_OK, NULL},
      {"Taken", 1, DEM_OK, NULL},
  };
  crowd w;
  int32_t column, expected = DEM_COLUMN_FIRST;
  open_world(&w, 1);
  assert_int_equal(dem_system_add_column(NULL, "a", 1, &column), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(w.world.system, dem_system_add_column(w.world.system, "a", 1, NULL), DEM_BAD_ARGUMENT);
  ASSERT_OK(w.world.system, dem_system_add_column(w.world.system, "taken", 1, &column));
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    column = -5;
    ASSERT_STATUS(w.world.system, dem_system_add_column(w.world.system, table[k].name, table[k].components, &column),
                  table[k].expected);
    assert_int_equal(column, table[k].expected ? -5 : ++expected);
    if (table[k].says && !strstr(dem_system_message(w.world.system), table[k].says))
      fail_msg("no \"%s\" in: %s", table[k].says, dem_system_message(w.world.system));
  }
  double value = 0;
  ASSERT_STATUS(w.world.system, dem_system_get_field(w.world.system, expected + 1, 0, NULL, &value, 0), DEM_NOT_FOUND);
  ASSERT_STATUS(w.world.system, dem_system_set_field(w.world.system, expected + 1, 0, NULL, &value, 0), DEM_NOT_FOUND);
  ASSERT_OK(w.world.system, dem_system_get_field(w.world.system, expected, 0, NULL, &value, 0));
  close_world(&w);
}

static void there_is_a_limit(void **state) {
  (void)state;
  crowd w;
  int32_t column;
  char name[16];
  double value = 3, read = 0;
  open_world(&w, 1);
  add_particles(&w, 10);
  for (int k = 0; k < 32; k++) {
    snprintf(name, sizeof name, "c%d", k);
    ASSERT_OK(w.world.system, dem_system_add_column(w.world.system, name, 1, &column));
  }
  ASSERT_STATUS(w.world.system, dem_system_add_column(w.world.system, "more", 1, &column), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(w.world.system), "32"));
  ASSERT_OK(w.world.system, dem_system_set_field(w.world.system, DEM_COLUMN_FIRST + 31, 1, w.ids + 9, &value, 0));
  ASSERT_OK(w.world.system, dem_system_get_field(w.world.system, DEM_COLUMN_FIRST + 31, 1, w.ids + 9, &read, 0));
  assert_true(read == 3);
  ASSERT_STATUS(w.world.system, dem_system_get_field_int(w.world.system, DEM_COLUMN_FIRST, 1, w.ids, &column, 0),
                DEM_NOT_FOUND);
  close_world(&w);
}

typedef struct caller {
  int32_t column;
  int calls;
} caller;

/* Before a step values may be set, columns not be added. */
static int32_t heat_up(void *user, dem_system *s, const dem_progress *progress) {
  caller *c = user;
  int32_t column;
  const double value = (double)progress->step;
  dem_view v = {.struct_size = sizeof v};
  dem_id first;
  const int64_t zero = 0;
  ASSERT_STATUS(s, dem_system_add_column(s, "late", 1, &column), DEM_BUSY);
  ASSERT_OK(s, dem_system_id_at(s, 1, &zero, &first));
  ASSERT_OK(s, dem_system_set_field(s, c->column, 1, &first, &value, 0));
  ASSERT_OK(s, dem_view_acquire(s, c->column, DEM_WRITE, &v));
  for (int64_t row = 0; row < v.count; row++) v.data[row * v.stride] += v.ids[row] == first ? 0.5 : 1;
  ASSERT_OK(s, dem_view_release(s, &v));
  c->calls++;
  return 0;
}

static int32_t look(void *user, const dem_progress *progress) {
  int32_t column;
  (void)progress;
  ASSERT_STATUS((dem_system *)user, dem_system_add_column(user, "later", 1, &column), DEM_BUSY);
  return 0;
}

static void callbacks_set_values_and_add_no_column(void **state) {
  (void)state;
  crowd w;
  caller c = {0};
  double values[50];
  open_world(&w, 1);
  add_particles(&w, 50);
  ASSERT_OK(w.world.system, dem_system_add_column(w.world.system, "t", 1, &c.column));
  ASSERT_OK(w.world.system, dem_system_set_before_step(w.world.system, heat_up, &c));
  ASSERT_OK(w.world.system, dem_system_set_progress(w.world.system, 1, look, w.world.system));
  ASSERT_OK(w.world.system, dem_system_step(w.world.system, 7));
  assert_int_equal(c.calls, 7);
  ASSERT_OK(w.world.system, dem_system_get_field(w.world.system, c.column, 50, NULL, values, 0));
  assert_true(values[0] == 6.5 && values[1] == 7 && values[49] == 7);
  close_world(&w);
}

/* ---- views ---- */

static void views_write_them(void **state) {
  (void)state;
  crowd w;
  int32_t a, b, none;
  double values[60];
  open_world(&w, 1);
  add_particles(&w, 20);
  ASSERT_OK(w.world.system, dem_system_add_column(w.world.system, "a", 3, &a));
  ASSERT_OK(w.world.system, dem_system_add_column(w.world.system, "b", 1, &b));
  dem_view write = {.struct_size = sizeof write}, read = {.struct_size = sizeof read}, other = {.struct_size = sizeof other};
  ASSERT_OK(w.world.system, dem_view_acquire(w.world.system, a, DEM_WRITE, &write));
  assert_int_equal(write.components, 3);
  assert_true(write.stride >= 3);
  ASSERT_STATUS(w.world.system, dem_view_acquire(w.world.system, a, DEM_READ, &read), DEM_BUSY);
  assert_non_null(strstr(dem_system_message(w.world.system), "view of a: a view that writes a is open"));
  ASSERT_OK(w.world.system, dem_view_acquire(w.world.system, b, DEM_READ, &read));
  ASSERT_OK(w.world.system, dem_view_acquire(w.world.system, DEM_VELOCITY, DEM_WRITE, &other));
  ASSERT_STATUS(w.world.system, dem_system_add_column(w.world.system, "late", 1, &none), DEM_BUSY);
  ASSERT_STATUS(w.world.system, dem_system_set_field(w.world.system, b, 20, NULL, values, 0), DEM_BUSY);
  for (int64_t row = 0; row < write.count; row++)
    for (int k = 0; k < 3; k++) write.data[row * write.stride + k] = k == 2 ? NAN : (double)(write.ids[row] % 1000) + k;
  ASSERT_OK(w.world.system, dem_view_release(w.world.system, &write)); /* every double is allowed */
  ASSERT_OK(w.world.system, dem_view_release(w.world.system, &read));
  ASSERT_OK(w.world.system, dem_view_release(w.world.system, &other));
  ASSERT_OK(w.world.system, dem_system_get_field(w.world.system, a, 20, NULL, values, 0));
  for (int k = 0; k < 20; k++) {
    assert_true(values[3 * k] == (double)(w.ids[k] % 1000) && values[3 * k + 1] == (double)(w.ids[k] % 1000) + 1);
    assert_true(isnan(values[3 * k + 2]));
  }
  ASSERT_STATUS(w.world.system, dem_view_acquire(w.world.system, b + 1, DEM_READ, &read), DEM_NOT_FOUND);
  ASSERT_OK(w.world.system, dem_system_step(w.world.system, 1));
  close_world(&w);
}

/* ---- files ---- */

static const char *array_of(const bytes *b, const char *key, size_t size) {
  uint64_t stamped;
  const char *described = strstr(b->text, key), *data = strstr(b->text, "encoding=\"raw\">\n_");
  assert_true(described && data);
  const char *at = data + 17 + strtoll(strstr(described, "offset=\"") + 8, NULL, 10);
  assert_true(at + 8 + size <= b->text + b->size);
  memcpy(&stamped, at, 8);
  assert_int_equal(stamped, size);
  return at + 8;
}

static void vtk_files_hold_them(void **state) {
  (void)state;
  crowd w;
  int32_t temperature, odd;
  double values[START], wide[START * 16];
  open_world(&w, 1);
  add_particles(&w, START);
  ASSERT_OK(w.world.system, dem_system_step(w.world.system, 50));
  ASSERT_OK(w.world.system, dem_system_add_column(w.world.system, "temperature", 1, &temperature));
  ASSERT_OK(w.world.system, dem_system_add_column(w.world.system, "<a&\"b\">", 16, &odd));
  for (int k = 0; k < START; k++) values[k] = 273.15 + k;
  for (int k = 0; k < START * 16; k++) wide[k] = 0.1 * k;
  ASSERT_OK(w.world.system, dem_system_set_field(w.world.system, temperature, START, NULL, values, 0));
  ASSERT_OK(w.world.system, dem_system_set_field(w.world.system, odd, START, NULL, wide, 0));
  bytes b = {.fail_at = -1};
  const dem_sink sink = bytes_sink(&b);
  ASSERT_OK(w.world.system, dem_system_write_vtp(w.world.system, &sink));
  ASSERT_BITS(array_of(&b, "type=\"Float64\" Name=\"temperature\" NumberOfComponents=\"1\"", sizeof values), values,
              sizeof values);
  ASSERT_BITS(array_of(&b, "Name=\"&lt;a&amp;&quot;b&quot;&gt;\" NumberOfComponents=\"16\"", sizeof wide), wide, sizeof wide);
  const char *point_data = strstr(b.text, "<PointData"), *end = strstr(b.text, "</PointData>");
  const char *column = strstr(b.text, "Name=\"temperature\"");
  assert_true(point_data < column && column < end);
  bytes_clear(&b);
  close_world(&w);
}

/* ---- memory ---- */

static int64_t bytes_of(dem_system *s) {
  dem_statistics t;
  dem_statistics_init(&t, sizeof t);
  ASSERT_OK(s, dem_system_statistics(s, &t));
  return t.bytes;
}

static void their_memory_is_counted(void **state) {
  (void)state;
  crowd w;
  int32_t column;
  int64_t before, after;
  open_world(&w, 1);
  add_particles(&w, 100);
  ASSERT_OK(w.world.system, dem_system_step(w.world.system, 1));
  for (int k = 0; k < 3; k++) {
    const char *const names[] = {"a", "b", "c"};
    const int64_t counted = bytes_of(w.world.system);
    assert_int_equal(dem_context_memory(w.world.context, &before), DEM_OK);
    ASSERT_OK(w.world.system, dem_system_add_column(w.world.system, names[k], 1 + 5 * k, &column));
    assert_int_equal(dem_context_memory(w.world.context, &after), DEM_OK);
    assert_int_equal(bytes_of(w.world.system) - counted, after - before);
    assert_true(after - before >= 2 * 100 * 8 * (1 + 5 * k));
  }
  close_world(&w);
}

/* Optional columns of the fluid and those of the host, when more particles come. */
static void short_memory_leaves_everything_as_it_was(void **state) {
  (void)state;
  for (int64_t fail = 1;; fail++) {
    shortage s = {0};
    dem_context *context = shortage_context(&s);
    dem_system *system = sample_system(context, 40);
    int32_t first = 0, second = 0;
    double values[40], again[40];
    dem_id ids[40];
    ASSERT_OK(system, dem_system_ids(system, 40, ids));
    for (int k = 0; k < 40; k++) values[k] = k;
    s.calls = 0;
    s.fail = fail;
    dem_status status = dem_system_add_column(system, "one", 1, &first);
    if (!status) ASSERT_OK(system, dem_system_set_field(system, first, 40, NULL, values, 0));
    if (!status) status = dem_system_add_column(system, "two", 3, &second);
    const int failed = s.calls >= fail;
    assert_int_equal(status, failed ? DEM_NO_MEMORY : DEM_OK);
    s.fail = 0;
    if (first) {
      ASSERT_OK(system, dem_system_get_field(system, first, 40, NULL, again, 0));
      ASSERT_BITS(again, values, sizeof values);
    }
    if (failed) ASSERT_OK(system, dem_system_add_column(system, first ? "two" : "one", 1, &second));
    ASSERT_OK(system, dem_system_remove_particles(system, 10, ids));
    assert_int_equal(dem_system_destroy(system), DEM_OK);
    assert_int_equal(dem_context_destroy(context), DEM_OK);
    assert_int_equal(s.live, 0);
    if (!failed) break;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_follow_their_particle),
      cmocka_unit_test(new_particles_begin_with_zero),
      cmocka_unit_test(they_change_no_bit),
      cmocka_unit_test(bad_input_is_refused),
      cmocka_unit_test(there_is_a_limit),
      cmocka_unit_test(callbacks_set_values_and_add_no_column),
      cmocka_unit_test(views_write_them),
      cmocka_unit_test(vtk_files_hold_them),
      cmocka_unit_test(their_memory_is_counted),
      cmocka_unit_test(short_memory_leaves_everything_as_it_was),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
