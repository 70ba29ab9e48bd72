/* The table of fields: one row for each public number, which agrees with the interface and with what get, set and views do. */
#include "assertions.h"

#include "field_table.h"
#include "limits.h"
#include "scenes/scenes.h"

#include <stdlib.h>

/* The public numbers, with type and components as dem/system.h states them. A number that is missing here fails the first test. */
static const struct {
  int32_t number, integer, components, settable;
} fields[] = {
    {DEM_POSITION, 0, 3, 1},       {DEM_VELOCITY, 0, 3, 1},
    {DEM_SPIN, 0, 3, 1},           {DEM_RADIUS, 0, 1, 1},
    {DEM_DENSITY, 0, 1, 1},        {DEM_MASS, 0, 1, 0},
    {DEM_INERTIA, 0, 1, 0},        {DEM_FORCE, 0, 3, 0},
    {DEM_TORQUE, 0, 3, 0},         {DEM_HOST_FORCE, 0, 3, 1},
    {DEM_HOST_TORQUE, 0, 3, 1},    {DEM_HALF_VELOCITY, 0, 3, 0},
    {DEM_HALF_SPIN, 0, 3, 0},      {DEM_MATERIAL, 1, 1, 1},
    {DEM_FROZEN, 1, 1, 0},         {DEM_IMAGE, 1, 3, 0},
    {DEM_HEAT, 0, 1, 0},           {DEM_HEAT_CLASSES, 0, 8, 0},
    {DEM_CONTACT_FORCE, 0, 3, 0},  {DEM_CONTACT_TORQUE, 0, 3, 0},
    {DEM_DRAG_RATE, 0, 1, 1},      {DEM_FLUID_VELOCITY, 0, 3, 1},
    {DEM_SPIN_DRAG_RATE, 0, 1, 1}, {DEM_FLUID_SPIN, 0, 3, 1},
    {DEM_DRAG_IMPULSE, 0, 3, 1},   {DEM_DRAG_ANGULAR_IMPULSE, 0, 3, 1},
    {DEM_STRESS, 0, 9, 0},         {DEM_COORDINATION, 1, 1, 0},
    {DEM_RATTLER, 1, 1, 0},
};

enum { FIELDS = sizeof fields / sizeof *fields, COUNT = 5 };

typedef struct world {
  dem_context *context;
  dem_system *system;
  dem_id ids[COUNT];
} world;

static void open_world(world *w, int32_t dimension) {
  rows r;
  dem_system_options o;
  dem_law_options law;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  o.ledger = 2;
  o.dimension = dimension;
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  assert_int_equal(dem_system_create(w->context, &o, &w->system), DEM_OK);
  ASSERT_OK(w->system, dem_system_add_material(w->system, NULL, NULL));
  scene_hooke(&law);
  ASSERT_OK(w->system, scene_set_law(w->context, w->system, 0, 0, &law));
  assert_int_equal(rows_create(&r, COUNT), 0);
  for (int k = 0; k < COUNT; k++) rows_put(&r, 0.99 * k, 0, 0, 0.5);
  r.frozen[0] = 1;
  ASSERT_OK(w->system, rows_add(&r, w->system, w->ids));
  rows_destroy(&r);
  ASSERT_OK(w->system, dem_system_step(w->system, 10));
}

static void close_world(world *w) {
  assert_int_equal(dem_system_destroy(w->system), DEM_OK);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

static void every_number_has_a_row(void **state) {
  (void)state;
  world w;
  int32_t rows_found = 0;
  open_world(&w, 3);
  for (int k = 0; k < FIELDS; k++) {
    const demi_field *f = demi_field_find(w.system, fields[k].number, NULL);
    assert_non_null(f);
    assert_int_equal(f->number, fields[k].number);
    assert_int_equal(f->type, fields[k].integer ? DEMI_FIELD_INTEGER : DEMI_FIELD_REAL);
    assert_int_equal(f->components, fields[k].components);
    assert_int_equal((f->may & DEMI_MAY_SET) != 0, fields[k].settable);
    assert_int_equal(demi_field_index(f), fields[k].number);
  }
  for (int32_t k = 0; k < DEMI_FIELD_INDICES; k++) rows_found += demi_field_at(w.system, k, NULL) != NULL;
  assert_int_equal(rows_found, FIELDS);
  assert_null(demi_field_find(w.system, 0, NULL));
  assert_null(demi_field_find(w.system, -1, NULL));
  assert_null(demi_field_find(w.system, INT32_MIN, NULL));
  assert_null(demi_field_find(w.system, DEMI_FIELD_ROWS, NULL));
  assert_null(demi_field_find(w.system, DEM_COLUMN_FIRST, NULL));
  assert_null(demi_field_find(w.system, INT32_MAX, NULL));
  close_world(&w);
}

/* Names, places in files, and room in the row of the column. */
static void rows_do_not_contradict_each_other(void **state) {
  (void)state;
  world w;
  open_world(&w, 3);
  for (int k = 0; k < FIELDS; k++) {
    const demi_field *f = demi_field_find(w.system, fields[k].number, NULL);
    assert_int_equal(strncmp(f->symbol, "DEM_", 4), 0);
    assert_true(strlen(f->name) > 0);
    assert_true(f->components <= DEMI_FIELD_WIDTH && f->first + f->components <= f->width);
    assert_true(f->column != DEMI_NO_COLUMN || f->derive || f->derive_integer || f->whole || f->whole_integer);
    assert_true(!f->copied || f->derive);
    assert_true(!(f->may & (DEMI_MAY_WRITE_VIEW | DEMI_MAY_BEFORE_STEP)) || (f->may & DEMI_MAY_SET));
    assert_true(!f->may || f->type == DEMI_FIELD_INTEGER || f->range != DEMI_RANGE_ANY);
    for (int m = 0; m < k; m++) {
      const demi_field *g = demi_field_find(w.system, fields[m].number, NULL);
      assert_string_not_equal(f->name, g->name);
      assert_string_not_equal(f->symbol, g->symbol);
      assert_true(f->vtk == 0 || f->vtk != g->vtk);
    }
  }
  close_world(&w);
}

/* get writes as many numbers as the table says and no more, with the other type refused. */
static void get_gives_the_components(void **state) {
  (void)state;
  world w;
  open_world(&w, 3);
  for (int k = 0; k < FIELDS; k++) {
    double reals[DEMI_FIELD_WIDTH + 1];
    int32_t integers[DEMI_FIELD_WIDTH + 1];
    for (int a = 0; a <= DEMI_FIELD_WIDTH; a++) reals[a] = NAN, integers[a] = INT32_MIN;
    const dem_status real = dem_system_get_field(w.system, fields[k].number, 1, w.ids + 1, reals, 0);
    const dem_status integer = dem_system_get_field_int(w.system, fields[k].number, 1, w.ids + 1, integers, 0);
    assert_int_equal(real, fields[k].integer ? DEM_NOT_FOUND : DEM_OK);
    assert_int_equal(integer, fields[k].integer ? DEM_OK : DEM_NOT_FOUND);
    int written = 0;
    for (int a = 0; a <= DEMI_FIELD_WIDTH; a++) written += fields[k].integer ? integers[a] != INT32_MIN : !isnan(reals[a]);
    assert_int_equal(written, fields[k].components);
    ASSERT_STATUS(w.system,
                  fields[k].integer
                      ? dem_system_get_field_int(w.system, fields[k].number, 1, w.ids, integers, fields[k].components - 1)
                      : dem_system_get_field(w.system, fields[k].number, 1, w.ids, reals, fields[k].components - 1),
                  fields[k].components == 1 ? DEM_OK : DEM_BAD_ARGUMENT);
  }
  close_world(&w);
}

/* A view has the components of the table, room for them in its stride, and shows what get gives. */
static void views_agree_with_get(void **state) {
  (void)state;
  world w;
  open_world(&w, 3);
  for (int k = 0; k < FIELDS; k++) {
    dem_view v = {.struct_size = sizeof v};
    const demi_field *f = demi_field_find(w.system, fields[k].number, NULL);
    const dem_status status = dem_view_acquire(w.system, fields[k].number, DEM_READ, &v);
    assert_int_equal(status, f->column == DEMI_NO_COLUMN ? DEM_NOT_FOUND : DEM_OK);
    if (status) continue;
    assert_int_equal(v.field, fields[k].number);
    assert_int_equal(v.components, fields[k].components);
    assert_int_equal(v.stride, f->width);
    assert_true(fields[k].integer ? v.integers && !v.data : v.data && !v.integers);
    for (int64_t row = 0; row < v.count; row++) {
      double real[3];
      int32_t integer[3];
      if (fields[k].integer) {
        ASSERT_OK(w.system, dem_system_get_field_int(w.system, fields[k].number, 1, v.ids + row, integer, 0));
        ASSERT_BITS(integer, v.integers + row * v.stride, (size_t)v.components * sizeof *integer);
      } else {
        ASSERT_OK(w.system, dem_system_get_field(w.system, fields[k].number, 1, v.ids + row, real, 0));
        ASSERT_BITS(real, v.data + row * v.stride, (size_t)v.components * sizeof *real);
      }
    }
    ASSERT_OK(w.system, dem_view_release(w.system, &v));
    const int writable = (f->may & DEMI_MAY_WRITE_VIEW) != 0;
    v.struct_size = sizeof v;
    assert_int_equal(dem_view_acquire(w.system, fields[k].number, DEM_WRITE, &v), writable ? DEM_OK : DEM_BAD_ARGUMENT);
    if (writable) ASSERT_OK(w.system, dem_view_release(w.system, &v));
  }
  close_world(&w);
}

static void expect_named(world *w, const demi_field *f, const char *limit, dem_status status, dem_status expected) {
  const char *text = dem_system_message(w->system);
  if (status != expected) fail_msg("%s: %s", f->symbol, dem_status_name(status));
  if (!strstr(text, f->symbol) || !strstr(text, limit)) fail_msg("no \"%s\", \"%s\" in: %s", f->symbol, limit, text);
}

/* A value beyond the range of the table is refused with the name of the field and the limit. */
static void refusals_name_the_field_and_the_limit(void **state) {
  (void)state;
  world w;
  open_world(&w, 3);
  for (int k = 0; k < FIELDS; k++) {
    const demi_field *f = demi_field_find(w.system, fields[k].number, NULL);
    double v[DEMI_FIELD_WIDTH] = {0};
    int32_t i[DEMI_FIELD_WIDTH] = {1000, 0};
    if (f->type == DEMI_FIELD_INTEGER) {
      expect_named(&w, f, fields[k].settable ? "there are 1" : "read only",
                   dem_system_set_field_int(w.system, f->number, 1, w.ids + 1, i, 0), DEM_NOT_FOUND);
      expect_named(&w, f, "integers", dem_system_get_field(w.system, f->number, 1, w.ids + 1, v, 0), DEM_NOT_FOUND);
      continue;
    }
    expect_named(&w, f, "doubles", dem_system_get_field_int(w.system, f->number, 1, w.ids + 1, i, 0), DEM_NOT_FOUND);
    if (!fields[k].settable) {
      expect_named(&w, f, "read only", dem_system_set_field(w.system, f->number, 1, w.ids + 1, v, 0), DEM_NOT_FOUND);
      continue;
    }
    v[f->components - 1] = 2 * DEMI_LARGEST;
    expect_named(&w, f, "1e+60", dem_system_set_field(w.system, f->number, 1, w.ids + 1, v, 0), DEM_BAD_ARGUMENT);
    v[0] = -1;
    v[f->components - 1] = -1;
    if (f->range == DEMI_RANGE_POSITIVE)
      expect_named(&w, f, "> 0", dem_system_set_field(w.system, f->number, 1, w.ids + 1, v, 0), DEM_BAD_ARGUMENT);
    if (f->range == DEMI_RANGE_RATE)
      expect_named(&w, f, "allowed 0", dem_system_set_field(w.system, f->number, 1, w.ids + 1, v, 0), DEM_BAD_ARGUMENT);
  }
  close_world(&w);
}

/* In two dimensions the components of `flat` must be 0, the others need not. */
static void the_plane_is_kept(void **state) {
  (void)state;
  world w;
  open_world(&w, 2);
  for (int k = 0; k < FIELDS; k++) {
    const demi_field *f = demi_field_find(w.system, fields[k].number, NULL);
    for (int a = 0; a < 3 && fields[k].settable && f->components == 3; a++) {
      double v[3] = {0, 0, 0};
      v[a] = 0.25;
      const int off = f->flat >> a & 1;
      assert_int_equal(dem_system_set_field(w.system, f->number, 1, w.ids + 1, v, 0), off ? DEM_BAD_ARGUMENT : DEM_OK);
      if (off) expect_named(&w, f, "plane", DEM_OK, DEM_OK);
    }
    assert_true(!fields[k].settable || f->components != 3 || f->flat == DEMI_FLAT_Z || f->flat == DEMI_FLAT_XY);
  }
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_number_has_a_row),
      cmocka_unit_test(rows_do_not_contradict_each_other),
      cmocka_unit_test(get_gives_the_components),
      cmocka_unit_test(views_agree_with_get),
      cmocka_unit_test(refusals_name_the_field_and_the_limit),
      cmocka_unit_test(the_plane_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
