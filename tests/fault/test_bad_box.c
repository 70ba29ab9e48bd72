/* Boxes that make no sense, when a system is created and between steps: each row spoils one thing of a box that would be taken, and says
 * which words (item, value, limit) the message must hold. The system must not have changed, and must step on. */
#include "assertions.h"

#include <stdio.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"

/* x and y periodic, z open or, with `deep`, periodic. */
static dem_system_options options_of(int32_t deep) {
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  o.ledger = 1;
  for (int a = 0; a < 3; a++) {
    o.periodic[a] = a < 2 || deep;
    o.box_high[a] = 10 + a;
  }
  o.box_tilt[0] = 2;
  return o;
}

typedef struct room {
  dem_context *context;
  dem_system *system;
} room;

static void room_open(room *r, int32_t deep) {
  const dem_system_options o = options_of(deep);
  dem_law_options law;
  rows p;
  assert_int_equal(dem_context_create(NULL, &r->context), DEM_OK);
  assert_int_equal(dem_system_create(r->context, &o, &r->system), DEM_OK);
  ASSERT_OK(r->system, dem_system_add_material(r->system, NULL, NULL));
  scene_hooke(&law);
  assert_int_equal(scene_set_law(r->context, r->system, 0, 0, &law), DEM_OK);
  assert_int_equal(rows_create(&p, 2), 0);
  rows_put(&p, 1, 1, 1, 0.5);
  rows_put(&p, 1.9, 1, 1, 0.5);
  ASSERT_OK(r->system, rows_add(&p, r->system, NULL));
  rows_destroy(&p);
  ASSERT_OK(r->system, dem_system_step(r->system, 3));
}

static void room_close(room *r) {
  dem_system_destroy(r->system);
  assert_int_equal(dem_context_destroy(r->context), DEM_OK);
}

static dem_box box_of(const room *r) {
  dem_box b;
  dem_box_init(&b, sizeof b);
  ASSERT_OK(r->system, dem_system_get_box(r->system, &b));
  return b;
}

/* One value that is wrong: `place` 0 to 2 of low, high, tilt or periodic. */
typedef enum member { LOW, HIGH, TILT, PERIODIC } member;
typedef struct row {
  int32_t deep; /* z periodic */
  member member;
  int place;
  double value;
  const char *words[4];
} row;

static const row rows_of_both[] = {
    {0, TILT, 0, 5.5, {"xy", "5.5", "5 ", "-4.5"}},
    {0, TILT, 0, -7, {"xy", "-7", "5 ", "3"}},
    {1, TILT, 1, 6, {"xz", "6", "5 ", "-4"}},
    {1, TILT, 2, 6, {"yz", "6", "5.5", "-5"}},
    {0, TILT, 1, 1, {"xz", "1", "axis 2", "open"}},
    {0, TILT, 2, -1, {"yz", "-1", "axis 2", "open"}},
    {0, TILT, 0, NAN, {"xy", "nan", "finite", NULL}},
    {1, TILT, 2, INFINITY, {"yz", "inf", "finite", NULL}},
    {1, TILT, 1, 1e61, {"xz", "1e+61", "1e+60", NULL}},
    {0, LOW, 1, NAN, {"axis 1", "nan", "finite", NULL}},
    {0, HIGH, 0, INFINITY, {"axis 0", "inf", "finite", NULL}},
    {0, HIGH, 1, -3, {"axis 1", "-3", "reversed", NULL}},
    {0, HIGH, 1, 0, {"axis 1", "length 0", "> 0", NULL}},
};

static void spoil(const row *r, double low[3], double high[3], double tilt[3]) {
  if (r->member == LOW) low[r->place] = r->value;
  if (r->member == HIGH) high[r->place] = r->value;
  if (r->member == TILT) tilt[r->place] = r->value;
}

static void assert_words(const char *message, const char *const *words, int count) {
  for (int k = 0; k < count && words[k]; k++) {
    if (strstr(message, words[k])) continue;
    print_error("'%s' is not in: %s\n", words[k], message);
    fail();
  }
}

static void creation_refuses_each(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof rows_of_both / sizeof *rows_of_both; k++) {
    dem_system_options o = options_of(rows_of_both[k].deep);
    dem_context *context;
    dem_system *system = NULL;
    assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
    spoil(&rows_of_both[k], o.box_low, o.box_high, o.box_tilt);
    assert_int_equal(dem_system_create(context, &o, &system), DEM_BAD_ARGUMENT);
    assert_null(system);
    assert_words(dem_context_message(context), rows_of_both[k].words, 4);
    assert_int_equal(dem_context_destroy(context), DEM_OK);
  }
}

/* A plane is x and y: z is open there. */
static void a_plane_has_no_tilt_of_z(void **state) {
  (void)state;
  for (int k = 1; k < 3; k++) {
    dem_system_options o = options_of(0);
    dem_context *context;
    dem_system *system = NULL;
    assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
    o.dimension = 2;
    o.box_high[2] = 0;
    o.box_tilt[k] = 0.1;
    assert_int_equal(dem_system_create(context, &o, &system), DEM_BAD_ARGUMENT);
    assert_words(dem_context_message(context), (const char *[]){k == 1 ? "xz" : "yz", "0.1", "axis 2"}, 3);
    o.box_tilt[k] = 0;
    assert_int_equal(dem_system_create(context, &o, &system), DEM_OK);
    dem_system_destroy(system);
    assert_int_equal(dem_context_destroy(context), DEM_OK);
  }
}

static void assert_refused(room *r, const dem_box *b, int32_t affine, dem_status status, const char *const *words, int count) {
  const uint64_t before = system_hash(r->system);
  const dem_box was = box_of(r);
  ASSERT_STATUS(r->system, dem_system_set_box(r->system, b, affine), status);
  assert_words(dem_system_message(r->system), words, count);
  const dem_box is = box_of(r);
  assert_memory_equal(&is, &was, sizeof is);
  assert_true(system_hash(r->system) == before);
  ASSERT_OK(r->system, dem_system_step(r->system, 2));
}

static void a_change_refuses_each(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof rows_of_both / sizeof *rows_of_both; k++)
    for (int32_t affine = 0; affine < 2; affine++) {
      room r;
      room_open(&r, rows_of_both[k].deep);
      dem_box b = box_of(&r);
      spoil(&rows_of_both[k], b.low, b.high, b.tilt);
      assert_refused(&r, &b, affine, DEM_BAD_ARGUMENT, rows_of_both[k].words, 4);
      room_close(&r);
    }
}

static void a_change_refuses_what_only_it_can(void **state) {
  (void)state;
  room r;
  room_open(&r, 1);
  const dem_box good = box_of(&r);
  dem_box b = good;
  b.periodic[2] = 0;
  assert_refused(&r, &b, 1, DEM_BAD_ARGUMENT, (const char *[]){"periodic[2]", "0", "1"}, 3);
  b = good;
  assert_refused(&r, &b, 2, DEM_BAD_ARGUMENT, (const char *[]){"affine", "2", "0 or 1"}, 3);
  /* two ranges are 2 (1 + 0.08): 2.16. The tilt lowers the height across x from 2.3 to 2.3/sqrt(1 + (1.1/2.3)^2) = 2.07 */
  for (int a = 0; a < 3; a++) b.high[a] = 2.3;
  b.tilt[0] = 1.1;
  assert_refused(&r, &b, 0, DEM_BAD_ARGUMENT, (const char *[]){"axis 0", "2.07", "2.16"}, 3);
  b.tilt[0] = 0;
  b.high[1] = 2.1;
  assert_refused(&r, &b, 1, DEM_BAD_ARGUMENT, (const char *[]){"axis 1", "2.1", "2.16"}, 3);
  b = good;
  b.low[0] = 1e13, b.high[0] = 1e13 + 10; /* 2^37 of the diameter 1 are 1.37e11 */
  assert_refused(&r, &b, 1, DEM_BAD_ARGUMENT, (const char *[]){"particle", "position[0]", "1e+13", "1.37439e+11"}, 4);
  b.low[0] = -1e11, b.high[0] = -1e11 + 10; /* 1e10 lengths on, more than 2^29 */
  assert_refused(&r, &b, 0, DEM_BAD_ARGUMENT, (const char *[]){"particle", "image[0]", "536870912"}, 3);
  b = good;
  b.struct_size = 4;
  assert_refused(&r, &b, 1, DEM_BAD_STRUCT, (const char *[]){"box"}, 1);
  assert_int_equal(dem_system_set_box(NULL, &good, 1), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(r.system, dem_system_set_box(r.system, NULL, 1), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(r.system, dem_system_get_box(r.system, NULL), DEM_BAD_ARGUMENT);
  ASSERT_OK(r.system, dem_system_set_box(r.system, &good, 1));
  room_close(&r);
}

static int32_t change_inside(void *user, dem_system *system, const dem_progress *progress) {
  (void)progress;
  dem_box b;
  dem_box_init(&b, sizeof b);
  ASSERT_OK(system, dem_system_get_box(system, &b)); /* reading is allowed */
  *(dem_status *)user = dem_system_set_box(system, &b, 1);
  return 0;
}

static void not_while_somebody_looks(void **state) {
  (void)state;
  room r;
  dem_status inside = DEM_OK;
  dem_view view;
  room_open(&r, 1);
  const dem_box b = box_of(&r);
  dem_view_init(&view, sizeof view);
  ASSERT_OK(r.system, dem_view_acquire(r.system, DEM_POSITION, DEM_READ, &view));
  ASSERT_STATUS(r.system, dem_system_set_box(r.system, &b, 1), DEM_BUSY);
  ASSERT_OK(r.system, dem_view_release(r.system, &view));
  ASSERT_OK(r.system, dem_system_set_before_step(r.system, change_inside, &inside));
  ASSERT_OK(r.system, dem_system_step(r.system, 1));
  assert_int_equal(inside, DEM_BUSY);
  room_close(&r);
}

/* A system may be created with a tilted box that is too small for its particles: stepping tells. */
static void stepping_measures_the_heights(void **state) {
  (void)state;
  room r;
  dem_system_options o = options_of(1);
  dem_law_options law;
  rows p;
  for (int a = 0; a < 3; a++) o.box_high[a] = 2.3;
  o.box_tilt[0] = 1.1;
  assert_int_equal(dem_context_create(NULL, &r.context), DEM_OK);
  assert_int_equal(dem_system_create(r.context, &o, &r.system), DEM_OK);
  ASSERT_OK(r.system, dem_system_add_material(r.system, NULL, NULL));
  scene_hooke(&law);
  assert_int_equal(scene_set_law(r.context, r.system, 0, 0, &law), DEM_OK);
  assert_int_equal(rows_create(&p, 1), 0);
  rows_put(&p, 1, 1, 1, 0.5);
  ASSERT_OK(r.system, rows_add(&p, r.system, NULL));
  rows_destroy(&p);
  ASSERT_STATUS(r.system, dem_system_step(r.system, 1), DEM_BAD_ARGUMENT);
  assert_words(dem_system_message(r.system), (const char *[]){"axis 0", "2.07", "2.16"}, 3);
  room_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(creation_refuses_each),    cmocka_unit_test(a_plane_has_no_tilt_of_z),
      cmocka_unit_test(a_change_refuses_each),    cmocka_unit_test(a_change_refuses_what_only_it_can),
      cmocka_unit_test(not_while_somebody_looks), cmocka_unit_test(stepping_measures_the_heights),
  };
  return cmocka_run_group_tests_name("bad box", tests, NULL, NULL);
}
