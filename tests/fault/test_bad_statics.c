/* Options of the statics that make no sense: refused with member, value and limit, and nothing is written. Forces that are out of date.
 * And every allocation that fails. */
#include <dem/plugin/trial.h>

#include "property/packings.h"
#include "unit/test_io_bytes.h"

static const char *const NOTHING = "";

/* A periodic box of 4 with an open axis z where `open`. */
static packing small(int open) {
  dem_system_options o = packing_options(3);
  const dem_law_options law = packing_spring(1e5);
  for (int a = 0; a < 3; a++) {
    o.periodic[a] = !(open && a == 2);
    o.box_high[a] = 4;
  }
  packing w = packing_open(&o, &law);
  crowd_put(&w, 3, 4, 0.99, 1, 0);
  return w;
}

static void expect(const packing *w, dem_status got, dem_status wanted, const char *first, const char *second) {
  const char *text = dem_system_message(w->system);
  if (got != wanted) fail_msg("%s, expected %s: %s", dem_status_name(got), dem_status_name(wanted), text);
  if (!strstr(text, first) || !strstr(text, second)) fail_msg("no \"%s\", \"%s\" in: %s", first, second, text);
}

static void refused(const packing *w, const dem_statics_options *o, dem_status wanted, const char *first, const char *second) {
  dem_statics t, before;
  int64_t counts[3] = {7, 7, 7};
  dem_force_histogram h;
  dem_statics_init(&t, sizeof t);
  memset(&t.particles, 0x5A, sizeof t - offsetof(dem_statics, particles));
  before = t;
  expect(w, dem_system_statics(w->system, o, &t), wanted, first, second);
  ASSERT_BITS(&t, &before, sizeof t);
  dem_force_histogram_init(&h, sizeof h);
  h.bins = 3;
  h.counts = counts;
  expect(w, dem_system_force_histogram(w->system, o, &h), wanted, first, second);
  assert_true(counts[0] == 7 && counts[2] == 7 && h.contacts == 0);
}

static void choices(void **state) {
  (void)state;
  packing w = small(0);
  const double low[] = {0, 0, 0}, high[] = {4, 4, 4};
  struct {
    size_t member;
    int32_t value;
    const char *name, *limit;
  } bad[] = {
      {offsetof(dem_statics_options, region), 4, "region is 4", "0 to 3"},
      {offsetof(dem_statics_options, region), -1, "region is -1", "0 to 3"},
      {offsetof(dem_statics_options, sections), 0, "sections is 0", "1 to 31"},
      {offsetof(dem_statics_options, sections), 32, "sections is 32", "1 to 31"},
      {offsetof(dem_statics_options, sections), -1, "sections is -1", "1 to 31"},
      {offsetof(dem_statics_options, kinetic), 3, "kinetic is 3", "0 to 2"},
      {offsetof(dem_statics_options, split), 2, "split is 2", "0 to 1"},
      {offsetof(dem_statics_options, least_contacts), -1, "least_contacts is -1", "0 to 100"},
      {offsetof(dem_statics_options, least_contacts), 101, "least_contacts is 101", "0 to 100"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    dem_statics_options o = statics_options();
    memcpy((char *)&o + bad[k].member, &bad[k].value, sizeof bad[k].value);
    refused(&w, &o, DEM_BAD_ARGUMENT, bad[k].name, bad[k].limit);
  }
  for (int n = 0; n < 3; n++) {
    const double values[] = {NAN, INFINITY, -2e60};
    dem_statics_options o = statics_options();
    o.gradient[5] = values[n];
    refused(&w, &o, DEM_BAD_ARGUMENT, "gradient[5]", "1e+60");
    o = statics_options();
    o.volume = values[n];
    refused(&w, &o, DEM_BAD_ARGUMENT, "volume is", "1e-60 to 1e60");
    o = statics_options();
    o.region = DEM_REGION_BOX;
    memcpy(o.low, low, sizeof low);
    memcpy(o.high, high, sizeof high);
    o.low[1] = values[n];
    refused(&w, &o, DEM_BAD_ARGUMENT, "low[1]", "1e+60");
    memcpy(o.low, low, sizeof low);
    o.high[2] = values[n];
    refused(&w, &o, DEM_BAD_ARGUMENT, "high[2]", "1e+60");
    o.region = DEM_REGION_SPHERE;
    o.radius = values[n];
    refused(&w, &o, DEM_BAD_ARGUMENT, "radius of the region", "1e-60 to 1e60");
    o.radius = 1;
    o.centre[0] = values[n];
    refused(&w, &o, DEM_BAD_ARGUMENT, "centre[0]", "1e+60");
  }
  packing_close(&w);
}

static void volumes_and_regions(void **state) {
  (void)state;
  packing w = small(0), v = small(1);
  dem_statics_options o = statics_options();
  o.volume = -1;
  refused(&w, &o, DEM_BAD_ARGUMENT, "volume is -1", "1e-60 to 1e60");
  o.volume = 0;
  refused(&v, &o, DEM_BAD_ARGUMENT, "volume is 0", "an axis of the box is open");
  o.region = DEM_REGION_BOX;
  refused(&w, &o, DEM_BAD_ARGUMENT, "high[0] is 0", "above low");
  for (int a = 0; a < 3; a++) o.high[a] = 4.01;
  refused(&w, &o, DEM_BAD_ARGUMENT, "high[0] - low[0] is 4.0", "the period 4");
  for (int a = 0; a < 3; a++) o.high[a] = 1e-3;
  refused(&w, &o, DEM_NOT_FOUND, "none of the 64 particles", NOTHING);
  o.region = DEM_REGION_SPHERE;
  refused(&w, &o, DEM_BAD_ARGUMENT, "radius of the region is 0", "1e-60");
  o.radius = 2.01;
  refused(&w, &o, DEM_BAD_ARGUMENT, "2.0", "half the height of the box across axis 0");
  o.radius = 1e-6;
  refused(&w, &o, DEM_NOT_FOUND, "none of the 64 particles", NOTHING);
  dem_statics t;
  dem_statics_init(&t, sizeof t);
  o = statics_options();
  o.region = DEM_REGION_BOX;
  for (int a = 0; a < 3; a++) o.high[a] = 4;
  ASSERT_OK(w.system, dem_system_statics(w.system, &o, &t));
  assert_int_equal(t.particles, 64);
  packing_close(&w);
  packing_close(&v);
}

static void lists(void **state) {
  (void)state;
  packing w = small(0);
  dem_id ids[4];
  double weights[4] = {1, 1, 1, 1};
  dem_statics_options o = statics_options();
  for (int64_t k = 0; k < 4; k++) ASSERT_OK(w.system, dem_system_id_at(w.system, 1, &k, &ids[k]));
  o.region = DEM_REGION_PARTICLES;
  o.count = 4;
  refused(&w, &o, DEM_BAD_ARGUMENT, "ids is NULL", "4 ids");
  o.ids = ids;
  refused(&w, &o, DEM_BAD_ARGUMENT, "volume is 0", "list of particles");
  o.volume = 1;
  o.count = 0;
  refused(&w, &o, DEM_BAD_ARGUMENT, "count is 0", ">= 1");
  o.count = 4;
  o.weights = weights;
  const double bad[] = {-1, NAN, INFINITY, 2e60};
  for (int k = 0; k < 4; k++) {
    weights[2] = bad[k];
    refused(&w, &o, DEM_BAD_ARGUMENT, "weight 2 is", "0 to 1e+60");
  }
  for (int k = 0; k < 4; k++) weights[k] = 0;
  refused(&w, &o, DEM_NOT_FOUND, "none of the 64 particles", NOTHING);
  const dem_id kept = ids[3];
  ids[3] = ids[1];
  refused(&w, &o, DEM_BAD_ARGUMENT, "id 3 of the list", "twice");
  ids[3] = 12345678;
  refused(&w, &o, DEM_NOT_FOUND, "id 3 of the list, 12345678", "unknown");
  ASSERT_OK(w.system, dem_system_remove_particles(w.system, 1, &kept));
  ids[3] = kept;
  refused(&w, &o, DEM_NOT_FOUND, "id 3 of the list", "stale");
  packing_close(&w);
}

static void structs_and_null(void **state) {
  (void)state;
  packing w = small(0);
  dem_statics t;
  dem_force_histogram h;
  int64_t counts[2];
  dem_statics_options o = statics_options();
  struct {
    dem_statics_options options;
    double more;
  } longer = {statics_options(), 1};
  assert_int_equal(dem_statics_init(NULL, sizeof t), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_statics_init(&t, sizeof t - 8), DEM_BAD_STRUCT);
  assert_int_equal(dem_statics_options_init(&o, sizeof o - 8), DEM_BAD_STRUCT);
  assert_int_equal(dem_force_histogram_init(&h, sizeof h - 8), DEM_BAD_STRUCT);
  o.struct_size = 8;
  dem_statics_init(&t, sizeof t);
  expect(&w, dem_system_statics(w.system, &o, &t), DEM_BAD_STRUCT, "statics options", "struct_size is 8");
  longer.options.struct_size = sizeof longer;
  expect(&w, dem_system_statics(w.system, &longer.options, &t), DEM_UNSUPPORTED, "statics options", "byte");
  longer.more = 0;
  ASSERT_OK(w.system, dem_system_statics(w.system, &longer.options, &t));
  t.struct_size = 16;
  expect(&w, dem_system_statics(w.system, NULL, &t), DEM_BAD_STRUCT, "struct_size 16", NOTHING);
  expect(&w, dem_system_statics(w.system, NULL, NULL), DEM_BAD_ARGUMENT, "statics is NULL", NOTHING);
  assert_int_equal(dem_system_statics(NULL, NULL, &t), DEM_BAD_ARGUMENT);
  expect(&w, dem_system_force_histogram(w.system, NULL, NULL), DEM_BAD_ARGUMENT, "histogram is NULL", NOTHING);
  dem_force_histogram_init(&h, sizeof h);
  expect(&w, dem_system_force_histogram(w.system, NULL, &h), DEM_BAD_ARGUMENT, "bins is 0", "1 to 1000000");
  h.bins = 1000001;
  expect(&w, dem_system_force_histogram(w.system, NULL, &h), DEM_BAD_ARGUMENT, "bins is 1000001", "1 to 1000000");
  h.bins = 2;
  expect(&w, dem_system_force_histogram(w.system, NULL, &h), DEM_BAD_ARGUMENT, "counts is NULL", "2 numbers");
  h.counts = counts;
  h.top = 0;
  expect(&w, dem_system_force_histogram(w.system, NULL, &h), DEM_BAD_ARGUMENT, "top is 0", "1e-60");
  h.struct_size = 8;
  expect(&w, dem_system_force_histogram(w.system, NULL, &h), DEM_BAD_STRUCT, "force histogram", "struct_size is 8");
  packing_close(&w);
}

static void particles(void **state) {
  (void)state;
  packing w = small(0);
  double values[64 * 9] = {7}, volumes[64];
  int32_t contacts[64] = {7};
  const dem_id unknown = 99999999;
  for (int k = 0; k < 64; k++) volumes[k] = 1;
  expect(&w, dem_system_particle_stress(w.system, NULL, 63, NULL, NULL, values, 0), DEM_BAD_ARGUMENT, "count is 63", "64");
  expect(&w, dem_system_particle_stress(w.system, NULL, 64, NULL, NULL, values, 8), DEM_BAD_ARGUMENT, "stride is 8", "9");
  expect(&w, dem_system_particle_stress(w.system, NULL, 64, NULL, NULL, NULL, 0), DEM_BAD_ARGUMENT, "values is NULL", NOTHING);
  expect(&w, dem_system_particle_stress(w.system, NULL, 1, &unknown, NULL, values, 0), DEM_NOT_FOUND, "99999999", "unknown");
  volumes[63] = 0;
  expect(&w, dem_system_particle_stress(w.system, NULL, 64, NULL, volumes, values, 0), DEM_BAD_ARGUMENT, "volume 63 is 0",
         "1e-60");
  expect(&w, dem_system_rattlers(w.system, NULL, 64, NULL, NULL, NULL), DEM_BAD_ARGUMENT, "are NULL", NOTHING);
  expect(&w, dem_system_rattlers(w.system, NULL, -1, NULL, contacts, NULL), DEM_BAD_ARGUMENT, "count is -1", "64");
  expect(&w, dem_system_rattlers(w.system, NULL, 1, &unknown, contacts, NULL), DEM_NOT_FOUND, "99999999", "unknown");
  assert_true(values[0] == 7 && contacts[0] == 7);
  packing_close(&w);
}

/* A trial that is open keeps the forces from being evaluated, and not from being measured. */
static void an_open_trial(void **state) {
  (void)state;
  packing w = small(0);
  dem_trial_options o;
  dem_trial *trial;
  dem_statics t;
  dem_statics_init(&t, sizeof t);
  dem_trial_options_init(&o, sizeof o);
  ASSERT_OK(w.system, dem_trial_open(w.system, &o, &trial));
  expect(&w, dem_system_statics(w.system, NULL, &t), DEM_BUSY, "out of date", "1 trials are open");
  dem_trial_close(trial);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  ASSERT_OK(w.system, dem_trial_open(w.system, &o, &trial));
  ASSERT_OK(w.system, dem_system_statics(w.system, NULL, &t));
  dem_trial_close(trial);
  packing_close(&w);
}

/* Where no forces are known: fields refuse, the statics evaluate, Euler cannot, and open views are in the way. */
static void forces_out_of_date(void **state) {
  (void)state;
  packing w = small(0);
  double values[64 * 9], x[3] = {0.5, 0.5, 0.5};
  int32_t integers[64];
  dem_statics t;
  dem_view view;
  const int64_t first = 0;
  dem_id id;
  dem_statics_init(&t, sizeof t);
  expect(&w, dem_system_get_field(w.system, DEM_STRESS, 64, NULL, values, 0), DEM_INCOMPLETE, "DEM_STRESS", "out of date");
  expect(&w, dem_system_get_field_int(w.system, DEM_RATTLER, 64, NULL, integers, 0), DEM_INCOMPLETE, "DEM_RATTLER",
         "out of date");
  ASSERT_OK(w.system, dem_system_statics(w.system, NULL, &t));
  ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_STRESS, 64, NULL, values, 0));
  ASSERT_OK(w.system, dem_system_id_at(w.system, 1, &first, &id));
  ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_POSITION, 1, &id, x, 0));
  expect(&w, dem_system_get_field(w.system, DEM_STRESS, 64, NULL, values, 0), DEM_INCOMPLETE, "DEM_STRESS", "out of date");
  dem_view_init(&view, sizeof view);
  ASSERT_OK(w.system, dem_view_acquire(w.system, DEM_VELOCITY, DEM_READ, &view));
  expect(&w, dem_system_statics(w.system, NULL, &t), DEM_BUSY, "1 views are open", NOTHING);
  ASSERT_OK(w.system, dem_view_release(w.system, &view));
  ASSERT_OK(w.system, dem_system_set_integrator_name(w.system, "euler"));
  expect(&w, dem_system_statics(w.system, NULL, &t), DEM_INCOMPLETE, "'euler'", "step first");
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  ASSERT_OK(w.system, dem_system_statics(w.system, NULL, &t));
  packing_close(&w);
}

/* No law, no particle. */
static void systems_that_are_not_ready(void **state) {
  (void)state;
  dem_system_options o = packing_options(3);
  const dem_law_options law = packing_spring(1e5);
  dem_statics_options so = statics_options();
  dem_statics t;
  so.volume = 1;
  dem_statics_init(&t, sizeof t);
  packing w = packing_open(&o, &law);
  expect(&w, dem_system_statics(w.system, &so, &t), DEM_NOT_FOUND, "none of the 0 particles", NOTHING);
  assert_int_equal(dem_system_rattlers(w.system, NULL, 0, NULL, (int32_t[1]){0}, NULL), DEM_OK);
  ASSERT_OK(w.system, dem_system_add_material(w.system, NULL, NULL));
  crowd_put(&w, 3, 2, 0.9, 3, 0);
  const int32_t other = 1;
  const int64_t first = 0;
  dem_id id;
  ASSERT_OK(w.system, dem_system_id_at(w.system, 1, &first, &id));
  ASSERT_OK(w.system, dem_system_set_field_int(w.system, DEM_MATERIAL, 1, &id, &other, 0));
  expect(&w, dem_system_statics(w.system, &so, &t), DEM_INCOMPLETE, "law", NOTHING);
  packing_close(&w);
}

/* ---- memory ---- */

static dem_status call(dem_system *s, int which, void *out) {
  const int32_t fields[] = {DEM_STRESS, DEM_COORDINATION, DEM_RATTLER, DEM_TORQUE};
  dem_statics *t = out;
  dem_force_histogram h;
  int64_t counts[5];
  const dem_sink sink = bytes_sink(out);
  dem_force_histogram_init(&h, sizeof h);
  h.bins = 5;
  h.counts = counts;
  if (which == 0) dem_statics_init(t, sizeof *t);
  switch (which) {
    case 0: return dem_system_statics(s, NULL, t);
    case 1: return dem_system_force_histogram(s, NULL, &h);
    case 2: return dem_system_particle_stress(s, NULL, 64, NULL, NULL, out, 0);
    case 3: return dem_system_rattlers(s, NULL, 64, NULL, out, NULL);
    case 4: return dem_system_get_field(s, DEM_STRESS, 64, NULL, out, 0);
    case 5: return dem_system_get_field_int(s, DEM_RATTLER, 64, NULL, out, 0);
    default: return dem_system_write_vtp_fields(s, 4, fields, &sink);
  }
}

static void every_allocation_fails(void **state) {
  (void)state;
  for (int which = 0; which <= 6; which++) {
    shortage f = {.live = 0};
    dem_system_options o = packing_options(3);
    const dem_law_options law = packing_spring(1e5);
    for (int a = 0; a < 3; a++) o.periodic[a] = 1, o.box_high[a] = 4;
    packing w;
    w.context = shortage_context(&f);
    assert_int_equal(dem_system_create(w.context, &o, &w.system), DEM_OK);
    ASSERT_OK(w.system, dem_system_add_material(w.system, NULL, NULL));
    ASSERT_OK(w.system, scene_set_law(w.context, w.system, 0, 0, &law));
    crowd_put(&w, 3, 4, 0.99, 1, 0);
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    int64_t failures = 0;
    const int64_t live = f.live;
    for (int64_t n = 1;; n++) {
      double room[64 * 9];
      bytes b = {.fail_at = -1};
      f.calls = 0;
      f.fail = n;
      const dem_status status = call(w.system, which, which == 6 ? (void *)&b : room);
      f.fail = 0;
      free(which == 6 ? b.text : NULL);
      assert_int_equal(f.live, live);
      if (status == DEM_OK) break;
      assert_int_equal(status, DEM_NO_MEMORY);
      failures++;
    }
    assert_true(failures > 0);
    packing_close(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(choices),
      cmocka_unit_test(volumes_and_regions),
      cmocka_unit_test(lists),
      cmocka_unit_test(structs_and_null),
      cmocka_unit_test(particles),
      cmocka_unit_test(an_open_trial),
      cmocka_unit_test(forces_out_of_date),
      cmocka_unit_test(systems_that_are_not_ready),
      cmocka_unit_test(every_allocation_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
