/* Packings asked for wrongly: each row spoils one thing and says which words (item, value, limit) the message must hold; nothing may have
 * changed. And every allocation fails in turn. */
#include "assertions.h"

#include <stdlib.h>

enum { COUNT = 60 };

static dem_packing_options options_of(int32_t distribution) {
  static const double radii[3] = {1, 2, 3};
  dem_packing_options o;
  dem_packing_options_init(&o, sizeof o);
  o.dimension = 2;
  o.count = COUNT;
  o.packing_fraction = 0.5;
  o.distribution = distribution;
  if (distribution == DEM_RADII_SAMPLE) o.radii = radii, o.radii_count = 3;
  return o;
}

/* ---- random starts ---- */

typedef void (*spoil_start)(dem_packing_options *o);

static void no_count(dem_packing_options *o) { o->count = 0; }
static void much_count(dem_packing_options *o) { o->count = INT64_C(1) << 31; }
static void no_fraction(dem_packing_options *o) { o->packing_fraction = 0; }
static void nan_fraction(dem_packing_options *o) { o->packing_fraction = NAN; }
static void line(dem_packing_options *o) { o->dimension = 1; }
static void unknown(dem_packing_options *o) { o->distribution = 5; }
static void no_radius(dem_packing_options *o) { o->radius = 0; }
static void small_ratio(dem_packing_options *o) { o->ratio = 0.9; }
static void much_large(dem_packing_options *o) { o->large = 1.5; }
static void wide(dem_packing_options *o) { o->width = 2.5; }
static void no_cut(dem_packing_options *o) { o->cut = 0; }
static void no_radii(dem_packing_options *o) { o->radii = NULL; }
static void bad_radii(dem_packing_options *o) {
  static const double radii[3] = {1, -2, 3};
  o->radii = radii;
}
static void short_list(dem_packing_options *o) { o->distribution = DEM_RADII_LIST; }
static void bad_length(dem_packing_options *o) { o->length = -1; }
static void thin(dem_packing_options *o) { o->proportions[1] = 1e-4; }
static void narrow(dem_packing_options *o) { o->count = 2, o->packing_fraction = 2; }
static void narrow_height(dem_packing_options *o) { o->proportions[1] = 0.02; }
static void apart(dem_packing_options *o) { o->apart = 2; }
static void no_attempts(dem_packing_options *o) { o->attempts = 0; }
static void dense(dem_packing_options *o) { o->apart = 1, o->packing_fraction = 0.8, o->attempts = 100; }

typedef struct start_row {
  int32_t distribution;
  spoil_start spoil;
  dem_status status;
  const char *words[3];
} start_row;

static const start_row starts[] = {
    {DEM_RADII_UNIFORM, no_count, DEM_BAD_ARGUMENT, {"count is 0", "1 to"}},
    {DEM_RADII_UNIFORM, much_count, DEM_BAD_ARGUMENT, {"count is 2147483648", "to 2147483647"}},
    {DEM_RADII_UNIFORM, no_fraction, DEM_BAD_ARGUMENT, {"packing_fraction is 0", "above 0"}},
    {DEM_RADII_UNIFORM, nan_fraction, DEM_BAD_ARGUMENT, {"packing_fraction is", "nan"}},
    {DEM_RADII_UNIFORM, line, DEM_BAD_ARGUMENT, {"dimension is 1", "2 to 3"}},
    {DEM_RADII_UNIFORM, unknown, DEM_BAD_ARGUMENT, {"distribution is 5", "0 to 4"}},
    {DEM_RADII_UNIFORM, no_radius, DEM_BAD_ARGUMENT, {"radius is 0", "1e-60"}},
    {DEM_RADII_UNIFORM, small_ratio, DEM_BAD_ARGUMENT, {"ratio is 0.9", "1 to 1000"}},
    {DEM_RADII_BIDISPERSE, much_large, DEM_BAD_ARGUMENT, {"large is 1.5", "0 to 1"}},
    {DEM_RADII_LOGNORMAL, wide, DEM_BAD_ARGUMENT, {"width is 2.5", "0 to 2"}},
    {DEM_RADII_LOGNORMAL, no_cut, DEM_BAD_ARGUMENT, {"cut is 0", "0.1 to 6"}},
    {DEM_RADII_SAMPLE, no_radii, DEM_BAD_ARGUMENT, {"radii is NULL"}},
    {DEM_RADII_SAMPLE, bad_radii, DEM_BAD_ARGUMENT, {"radii[1] is -2", "1e-60"}},
    {DEM_RADII_SAMPLE, short_list, DEM_BAD_ARGUMENT, {"radii_count is 3", "60 to 60"}},
    {DEM_RADII_UNIFORM, bad_length, DEM_BAD_ARGUMENT, {"length is -1", "1e-60"}},
    {DEM_RADII_UNIFORM, thin, DEM_BAD_ARGUMENT, {"proportions[1] is 0.0001", "0.001 to 1000"}},
    {DEM_RADII_UNIFORM, narrow, DEM_BAD_ARGUMENT, {"edge 0 of the box is", "two diameters"}},
    {DEM_RADII_UNIFORM, narrow_height, DEM_BAD_ARGUMENT, {"edge 1 of the box is", "two diameters"}},
    {DEM_RADII_UNIFORM, apart, DEM_BAD_ARGUMENT, {"apart is 2", "0 to 1"}},
    {DEM_RADII_UNIFORM, no_attempts, DEM_BAD_ARGUMENT, {"attempts is 0", "1 to"}},
    {DEM_RADII_UNIFORM, dense, DEM_NOT_FOUND, {"no free place for particle", "in 100 attempts", "0.8"}},
};

static void check_words(const char *message, const char *const words[3]) {
  for (int k = 0; k < 3 && words[k]; k++)
    if (!strstr(message, words[k])) fail_msg("'%s' lacks '%s'", message, words[k]);
}

static void wrong_starts_are_refused(void **state) {
  (void)state;
  double position[3 * COUNT], radius[COUNT], edges[3];
  dem_context *context;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
    dem_packing_options o = options_of(starts[k].distribution);
    assert_int_equal(dem_packing_draw(context, &o, position, radius, edges), DEM_OK);
    starts[k].spoil(&o);
    assert_int_equal(dem_packing_draw(context, &o, position, radius, edges), starts[k].status);
    check_words(dem_context_message(context), starts[k].words);
  }
  const dem_packing_options o = options_of(DEM_RADII_UNIFORM);
  assert_int_equal(dem_packing_draw(context, NULL, position, radius, edges), DEM_BAD_ARGUMENT);
  check_words(dem_context_message(context), (const char *const[3]){"options is NULL"});
  assert_int_equal(dem_packing_draw(context, &o, NULL, radius, edges), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_packing_draw(context, &o, position, NULL, edges), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_packing_draw(context, &o, position, radius, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_packing_draw(NULL, &o, position, radius, edges), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

static void structs_without_their_size_are_refused(void **state) {
  (void)state;
  dem_packing_options o;
  dem_jam_options jam;
  dem_jam_report report;
  assert_int_equal(dem_packing_options_init(NULL, sizeof o), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_packing_options_init(&o, 8), DEM_BAD_STRUCT);
  assert_int_equal(dem_jam_options_init(NULL, sizeof jam), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_jam_options_init(&jam, 8), DEM_BAD_STRUCT);
  assert_int_equal(dem_jam_report_init(NULL, sizeof report), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_jam_report_init(&report, 8), DEM_BAD_STRUCT);
}

/* ---- systems ---- */

typedef struct failing {
  int64_t calls, fail_at, bytes; /* allocations so far; which one fails, 0 = none; in use */
} failing;

static void *hook(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  failing *f = user;
  void *fresh = NULL;
  if (new_size > 0) {
    f->calls++;
    if (f->fail_at && f->calls == f->fail_at) return NULL;
    fresh = aligned_alloc(alignment, (new_size + alignment - 1) / alignment * alignment);
    assert_non_null(fresh);
    memset(fresh, 0xA5, new_size); /* nothing may rely on zeros */
    if (pointer) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
  }
  free(pointer);
  f->bytes += (int64_t)new_size - (int64_t)old_size;
  return fresh;
}

typedef struct world {
  failing memory;
  dem_context *context;
  dem_law *law;
  dem_system *system;
} world;

static void open_context(world *w) {
  dem_context_options o;
  dem_law_options law;
  memset(w, 0, sizeof *w);
  dem_context_options_init(&o, sizeof o);
  o.allocate = hook;
  o.allocate_user = &w->memory;
  assert_int_equal(dem_context_create(&o, &w->context), DEM_OK);
  dem_law_options_init(&law, sizeof law);
  law.normal_stiffness = 1;
  law.tangential = DEM_TANGENTIAL_NONE;
  assert_int_equal(dem_law_create(w->context, &law, &w->law), DEM_OK);
}

static void open_world(world *w) {
  dem_packing_options o = options_of(DEM_RADII_BIDISPERSE);
  open_context(w);
  o.packing_fraction = 0.95;
  assert_int_equal(dem_packing_system(w->context, &o, NULL, NULL, w->law, 1, &w->system), DEM_OK);
}

static void close_world(world *w) {
  assert_int_equal(dem_system_destroy(w->system), DEM_OK);
  dem_law_release(w->law);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
  assert_int_equal(w->memory.bytes, 0);
}

/* The state that refused calls must leave: positions and box. */
typedef struct snapshot {
  double position[3 * COUNT];
  dem_box box;
} snapshot;

static snapshot look(const world *w) {
  snapshot s;
  memset(&s, 0, sizeof s);
  dem_box_init(&s.box, sizeof s.box);
  ASSERT_OK(w->system, dem_system_get_box(w->system, &s.box));
  ASSERT_OK(w->system, dem_system_get_field(w->system, DEM_POSITION, COUNT, NULL, s.position, 0));
  return s;
}

typedef void (*spoil_jam)(dem_jam_options *o, dem_relax_options *relax);

static void no_pressure(dem_jam_options *o, dem_relax_options *r) { (void)r, o->pressure = 0; }
static void bad_goal(dem_jam_options *o, dem_relax_options *r) { (void)r, o->goal = 2; }
static void sharp(dem_jam_options *o, dem_relax_options *r) { (void)r, o->pressure_tolerance = 0; }
static void coarse(dem_jam_options *o, dem_relax_options *r) { (void)r, o->fraction_tolerance = 1; }
static void leap(dem_jam_options *o, dem_relax_options *r) { (void)r, o->first_step = 0.2; }
static void no_fall(dem_jam_options *o, dem_relax_options *r) { (void)r, o->fall = 1; }
static void no_steps(dem_jam_options *o, dem_relax_options *r) { (void)r, o->steps_most = 0; }
static void reserved(dem_jam_options *o, dem_relax_options *r) { (void)r, o->reserved_zero = 1; }
static void free_box(dem_jam_options *o, dem_relax_options *r) { r->box_free[0] = 1, o->relax = r; }
static void strained(dem_jam_options *o, dem_relax_options *r) { r->strain[0] = 0.1, o->relax = r; }
static void short_struct(dem_jam_options *o, dem_relax_options *r) { (void)r, o->struct_size = 8; }

typedef struct jam_row {
  spoil_jam spoil;
  dem_status status;
  const char *words[3];
} jam_row;

static const jam_row jams[] = {
    {no_pressure, DEM_BAD_ARGUMENT, {"pressure is 0", "1e-60"}},
    {bad_goal, DEM_BAD_ARGUMENT, {"goal is 2", "0 to 1"}},
    {sharp, DEM_BAD_ARGUMENT, {"pressure_tolerance is 0", "1e-12 to 0.5"}},
    {coarse, DEM_BAD_ARGUMENT, {"fraction_tolerance is 1", "1e-12 to 0.1"}},
    {leap, DEM_BAD_ARGUMENT, {"first_step is 0.2", "1e-09 to 0.1"}},
    {no_fall, DEM_BAD_ARGUMENT, {"fall is 1", "0.001 to 0.9"}},
    {no_steps, DEM_BAD_ARGUMENT, {"steps_most is 0", "1 to"}},
    {reserved, DEM_BAD_ARGUMENT, {"reserved_zero is 1"}},
    {free_box, DEM_BAD_ARGUMENT, {"jam", "box_free"}},
    {strained, DEM_BAD_ARGUMENT, {"jam", "strain"}},
    {short_struct, DEM_BAD_STRUCT, {"jam options", "8"}},
};

static void wrong_searches_are_refused(void **state) {
  (void)state;
  world w;
  open_world(&w);
  const snapshot before = look(&w);
  for (size_t k = 0; k < sizeof jams / sizeof *jams; k++) {
    dem_jam_options o;
    dem_relax_options relax;
    dem_relax_options_init(&relax, sizeof relax);
    dem_jam_options_init(&o, sizeof o);
    o.pressure = 1e-3;
    jams[k].spoil(&o, &relax);
    ASSERT_STATUS(w.system, dem_system_jam(w.system, &o, NULL, NULL), jams[k].status);
    check_words(dem_system_message(w.system), jams[k].words);
  }
  dem_minimise_options m;
  dem_minimise_options_init(&m, sizeof m);
  m.gradient_relative = 2;
  ASSERT_STATUS(w.system, dem_system_compress(w.system, 0.9, NULL, &m, NULL), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(w.system, dem_system_compress(w.system, -0.1, NULL, NULL, NULL), DEM_BAD_ARGUMENT);
  check_words(dem_system_message(w.system), (const char *const[3]){"packing_fraction is -0.1", "above 0"});
  ASSERT_STATUS(w.system, dem_system_jam(w.system, NULL, NULL, NULL), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(w.system, dem_system_packing_fraction(w.system, NULL), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(w.system, dem_system_remove_rattlers(w.system, 101, 0, NULL, NULL), DEM_BAD_ARGUMENT);
  const snapshot after = look(&w);
  ASSERT_BITS(&before, &after, sizeof before);
  close_world(&w);
}

/* Systems that have no packing fraction, or nothing in them. */
static void other_systems_are_refused(void **state) {
  (void)state;
  dem_context *context;
  dem_system *system;
  dem_system_options o;
  double fraction;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1;
  for (int open = 1; open >= 0; open--) {
    for (int a = 0; a < 3; a++) o.periodic[a] = a > 0 || !open, o.box_high[a] = 10;
    assert_int_equal(dem_system_create(context, &o, &system), DEM_OK);
    ASSERT_STATUS(system, dem_system_compress(system, 0.5, NULL, NULL, NULL), open ? DEM_UNSUPPORTED : DEM_INCOMPLETE);
    check_words(dem_system_message(system), (const char *const[3]){open ? "axis 0 is open" : "at least 2"});
    ASSERT_STATUS(system, dem_system_packing_fraction(system, &fraction), open ? DEM_UNSUPPORTED : DEM_OK);
    assert_int_equal(dem_system_destroy(system), DEM_OK);
  }
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

/* ---- memory ---- */

/* The k-th allocation fails, for every k until the call needs no more. */
static void starts_without_memory_leave_nothing_behind(void **state) {
  (void)state;
  dem_packing_options o = options_of(DEM_RADII_UNIFORM);
  o.apart = 1;
  o.packing_fraction = 0.3;
  world w;
  open_context(&w);
  const int64_t bytes = w.memory.bytes;
  dem_status status = DEM_NO_MEMORY;
  int64_t k = 0;
  for (; status == DEM_NO_MEMORY; k++) {
    assert_int_equal(w.memory.bytes, bytes);
    w.memory.calls = 0;
    w.memory.fail_at = k + 1;
    status = dem_packing_system(w.context, &o, NULL, NULL, w.law, 1, &w.system);
    assert_true(status == DEM_OK || (status == DEM_NO_MEMORY && !w.system));
  }
  assert_int_equal(status, DEM_OK);
  assert_true(k > 5);
  close_world(&w);
}

static void searches_without_memory_leave_a_system_that_works(void **state) {
  (void)state;
  dem_jam_options o;
  dem_jam_report r;
  dem_jam_options_init(&o, sizeof o);
  o.pressure = 2e-2;
  o.steps_most = 2;
  int64_t k = 1;
  for (int32_t failed = 1; failed; k += 1 + k / 4) {
    world w;
    open_world(&w);
    w.memory.calls = 0;
    w.memory.fail_at = k;
    dem_jam_report_init(&r, sizeof r);
    const dem_status status = dem_system_jam(w.system, &o, NULL, &r);
    failed = w.memory.calls >= k;
    assert_true(status == DEM_OK || (failed && (status == DEM_NO_MEMORY || status == DEM_FAILED_MEMORY)));
    w.memory.fail_at = 0;
    if (status >= 0) ASSERT_OK(w.system, dem_system_jam(w.system, &o, NULL, &r));
    close_world(&w);
  }
  assert_true(k > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_starts_are_refused),
      cmocka_unit_test(structs_without_their_size_are_refused),
      cmocka_unit_test(wrong_searches_are_refused),
      cmocka_unit_test(other_systems_are_refused),
      cmocka_unit_test(starts_without_memory_leave_nothing_behind),
      cmocka_unit_test(searches_without_memory_leave_a_system_that_works),
  };
  return cmocka_run_group_tests_name("bad_packing", tests, NULL, NULL);
}
