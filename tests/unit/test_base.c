/* Statuses, structs that carry their size, contexts, messages and the log. */
#include "assertions.h"

#include <locale.h>
#include <stdio.h>

#include <dem/plugin/integrator.h>
#include <dem/plugin/law.h>

/* ---- statuses ---- */

static void every_status_has_its_text(void **state) {
  (void)state;
  int listed = 0;
#define CHECK(name, value, text)                     \
  listed++;                                          \
  assert_int_equal(name, value);                     \
  assert_string_equal(dem_status_name(name), #name); \
  assert_string_equal(dem_status_text(name), text);
  DEM_STATUS_LIST(CHECK)
#undef CHECK
  assert_int_equal(listed, 15);
}

/* Every value in reach, listed or not, has some text. */
static void no_status_is_without_text(void **state) {
  (void)state;
  static const dem_status odd[] = {DEM_STATUS_LAST + 1, -5, 1000, -1000, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
    assert_non_null(dem_status_text(odd[i]));
    assert_true(strlen(dem_status_text(odd[i])) > 0);
    assert_true(strlen(dem_status_name(odd[i])) > 0);
  }
}

static void texts_differ(void **state) {
  (void)state;
  for (dem_status a = DEM_POISONED; a <= DEM_STATUS_LAST; a++)
    for (dem_status b = DEM_POISONED; b < a; b++) {
      assert_string_not_equal(dem_status_text(a), dem_status_text(b));
      assert_string_not_equal(dem_status_name(a), dem_status_name(b));
    }
}

static void version_is_that_of_the_header(void **state) {
  (void)state;
  assert_int_equal(dem_version(), DEM_VERSION_MAJOR * 10000 + DEM_VERSION_MINOR * 100 + DEM_VERSION_PATCH);
}

/* ---- structs that carry their size ---- */

typedef dem_status (*init_fn)(void *options, uint32_t size);

static dem_status init_context(void *p, uint32_t n) { return dem_context_options_init(p, n); }
static dem_status init_system(void *p, uint32_t n) { return dem_system_options_init(p, n); }
static dem_status init_law(void *p, uint32_t n) { return dem_law_options_init(p, n); }
static dem_status init_material(void *p, uint32_t n) { return dem_material_init(p, n); }
static dem_status init_particles(void *p, uint32_t n) { return dem_particles_init(p, n); }
static dem_status init_statistics(void *p, uint32_t n) { return dem_statistics_init(p, n); }
static dem_status init_energy(void *p, uint32_t n) { return dem_energy_init(p, n); }
static dem_status init_wall(void *p, uint32_t n) { return dem_wall_init(p, n); }
static dem_status init_wall_state(void *p, uint32_t n) { return dem_wall_state_init(p, n); }
static dem_status init_view(void *p, uint32_t n) { return dem_view_init(p, n); }
static dem_status init_sink(void *p, uint32_t n) { return dem_sink_init(p, n); }
static dem_status init_source(void *p, uint32_t n) { return dem_source_init(p, n); }
static dem_status init_integrator_table(void *p, uint32_t n) { return dem_integrator_table_init(p, n); }
static dem_status init_bond_type(void *p, uint32_t n) { return dem_bond_type_init(p, n); }
static dem_status init_energy_share(void *p, uint32_t n) { return dem_energy_share_init(p, n); }
static dem_status init_advice(void *p, uint32_t n) { return dem_advice_init(p, n); }
static dem_status init_impact(void *p, uint32_t n) { return dem_impact_init(p, n); }

static const struct {
  const char *name;
  init_fn init;
  uint32_t size;
} sized[] = {
    {"dem_context_options", init_context, sizeof(dem_context_options)},
    {"dem_system_options", init_system, sizeof(dem_system_options)},
    {"dem_law_options", init_law, sizeof(dem_law_options)},
    {"dem_material", init_material, sizeof(dem_material)},
    {"dem_particles", init_particles, sizeof(dem_particles)},
    {"dem_statistics", init_statistics, sizeof(dem_statistics)},
    {"dem_energy", init_energy, sizeof(dem_energy)},
    {"dem_wall", init_wall, sizeof(dem_wall)},
    {"dem_wall_state", init_wall_state, sizeof(dem_wall_state)},
    {"dem_view", init_view, sizeof(dem_view)},
    {"dem_sink", init_sink, sizeof(dem_sink)},
    {"dem_source", init_source, sizeof(dem_source)},
    {"dem_integrator_table", init_integrator_table, sizeof(dem_integrator_table)},
    {"dem_bond_type", init_bond_type, sizeof(dem_bond_type)},
    {"dem_energy_share", init_energy_share, sizeof(dem_energy_share)},
    {"dem_advice", init_advice, sizeof(dem_advice)},
    {"dem_impact", init_impact, sizeof(dem_impact)},
};
enum { SIZED = sizeof sized / sizeof sized[0], ROOM = 8192 };

static void assert_untouched(const unsigned char *p, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) assert_int_equal(p[i], 0xEE);
}

/* Writes the size and no byte beyond it. */
static void init_stays_within_the_struct(void **state) {
  (void)state;
  static unsigned char buffer[ROOM];
  for (int i = 0; i < SIZED; i++) {
    uint32_t stamped;
    memset(buffer, 0xEE, sizeof buffer);
    assert_int_equal(sized[i].init(buffer, sized[i].size), DEM_OK);
    memcpy(&stamped, buffer, sizeof stamped);
    assert_int_equal(stamped, sized[i].size);
    assert_untouched(buffer, sized[i].size, ROOM);
  }
}

/* A caller from the future has more fields: they are zeroed, and its size is kept. */
static void init_of_a_newer_struct_zeroes_the_rest(void **state) {
  (void)state;
  static unsigned char buffer[ROOM];
  for (int i = 0; i < SIZED; i++) {
    const uint32_t larger = sized[i].size + 40;
    uint32_t stamped;
    memset(buffer, 0xEE, sizeof buffer);
    assert_int_equal(sized[i].init(buffer, larger), DEM_OK);
    memcpy(&stamped, buffer, sizeof stamped);
    assert_int_equal(stamped, larger);
    for (uint32_t k = sized[i].size; k < larger; k++) assert_int_equal(buffer[k], 0);
    assert_untouched(buffer, larger, ROOM);
  }
}

static void init_refuses_odd_sizes(void **state) {
  (void)state;
  static unsigned char buffer[ROOM];
  for (int i = 0; i < SIZED; i++) {
    static const uint32_t bad[] = {0, 3, 4, 4097, UINT32_MAX};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
      memset(buffer, 0xEE, sizeof buffer);
      assert_int_equal(sized[i].init(buffer, bad[k]), DEM_BAD_STRUCT);
      assert_untouched(buffer, 0, ROOM);
    }
    assert_int_equal(sized[i].init(NULL, sized[i].size), DEM_BAD_ARGUMENT);
  }
}

/* Unknown tail: zero passes, anything else is a request we cannot fulfil. */
static void intake_of_a_newer_struct(void **state) {
  (void)state;
  struct {
    dem_system_options o;
    unsigned char tail[24];
  } newer;
  dem_context *context;
  dem_system *system;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  assert_int_equal(dem_system_options_init(&newer.o, sizeof newer), DEM_OK);
  newer.o.dt = 1e-3;
  assert_int_equal(dem_system_create(context, &newer.o, &system), DEM_OK);
  dem_system_destroy(system);
  newer.tail[23] = 1;
  assert_int_equal(dem_system_create(context, &newer.o, &system), DEM_UNSUPPORTED);
  char words[64];
  snprintf(words, sizeof words, "system options: byte %zu of struct_size %zu is not 0", sizeof newer - 1, sizeof newer);
  assert_non_null(strstr(dem_context_message(context), words));
  assert_null(system);
  newer.tail[23] = 0;
  newer.o.struct_size = 4097;
  assert_int_equal(dem_system_create(context, &newer.o, &system), DEM_BAD_STRUCT);
  assert_non_null(strstr(dem_context_message(context), "system options: struct_size is 4097, must be "));
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

static void defaults_are_as_documented(void **state) {
  (void)state;
  dem_context_options c;
  dem_system_options s;
  dem_law_options l;
  dem_material m;
  dem_wall p;
  dem_context_options_init(&c, sizeof c);
  dem_system_options_init(&s, sizeof s);
  dem_law_options_init(&l, sizeof l);
  dem_material_init(&m, sizeof m);
  dem_wall_init(&p, sizeof p);
  assert_true(c.log_level == DEM_LOG_WARNING && !c.allocate && !c.log && !c.parallel);
  assert_true(s.dimension == 3 && s.threads == 1 && s.ledger == 0 && s.arms == DEM_ARMS_CONSERVING && s.dt == 0 && s.skin == 0);
  assert_true(s.transport == DEM_TRANSPORT_ROTATE && s.shape == DEM_SHAPE_SPHERE && s.drag == 0 && s.periodic[2] == 0);
  assert_true(l.normal == DEM_NORMAL_HOOKE && l.tangential == DEM_TANGENTIAL_LINEAR && l.attraction == 1);
  assert_true(l.friction == 0.5 && l.restitution == 1 && l.damping == DEM_DAMPING_NONE && l.normal_stiffness == 0);
  assert_true(m.young == 0 && m.poisson == 0.25 && p.material == 0 && p.shape == DEM_WALL_PLANE);
}

/* ---- contexts, messages, log ---- */

typedef struct record {
  int count;
  int32_t level;
  char text[512];
} record;

static void remember(void *user, int32_t level, const char *text) {
  record *r = user;
  r->count++;
  r->level = level;
  snprintf(r->text, sizeof r->text, "%s", text);
}

static dem_context *logging_context(record *r, int32_t level) {
  dem_context_options o;
  dem_context *context;
  dem_context_options_init(&o, sizeof o);
  o.log = remember;
  o.log_user = r;
  o.log_level = level;
  assert_int_equal(dem_context_create(&o, &context), DEM_OK);
  return context;
}

/* A refusal is the same text on the object and in the log. */
static void a_refusal_is_logged_and_kept(void **state) {
  (void)state;
  record r = {0};
  dem_context *context = logging_context(&r, DEM_LOG_ERROR);
  dem_system_options o;
  dem_system *system;
  dem_system_options_init(&o, sizeof o);
  o.dt = -0.125;
  assert_int_equal(dem_system_create(context, &o, &system), DEM_BAD_ARGUMENT);
  assert_null(system);
  assert_int_equal(r.count, 1);
  assert_int_equal(r.level, DEM_LOG_ERROR);
  assert_string_equal(r.text, dem_context_message(context));
  assert_non_null(strstr(r.text, "dt"));
  assert_non_null(strstr(r.text, "-0.125"));
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

static void a_silent_context_stays_silent(void **state) {
  (void)state;
  record r = {0};
  dem_context *context = logging_context(&r, 0);
  dem_system *system;
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  assert_int_equal(dem_system_create(context, &o, &system), DEM_BAD_ARGUMENT);
  assert_int_equal(r.count, 0);
  assert_true(strlen(dem_context_message(context)) > 0);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

/* Numbers in messages have a point, whatever the host's locale. */
static void messages_do_not_follow_the_locale(void **state) {
  (void)state;
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
  const char *found = NULL;
  for (int i = 0; i < 3 && !found; i++) found = setlocale(LC_ALL, names[i]);
  if (!found) {
    print_message("# skipped: no locale with a decimal comma on this machine\n");
    skip();
  }
  record r = {0};
  dem_context *context = logging_context(&r, DEM_LOG_ERROR);
  dem_system *system;
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = -0.125;
  assert_int_equal(dem_system_create(context, &o, &system), DEM_BAD_ARGUMENT);
  setlocale(LC_ALL, "C");
  assert_non_null(strstr(r.text, "-0.125"));
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

static void null_is_answered(void **state) {
  (void)state;
  int64_t bytes;
  dem_context *context;
  assert_int_equal(dem_context_create(NULL, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_context_destroy(NULL), DEM_OK);
  assert_non_null(dem_context_message(NULL));
  assert_non_null(dem_system_message(NULL));
  dem_system_destroy(NULL);
  dem_law_release(NULL);
  dem_integrator_release(NULL);
  assert_int_equal(dem_context_memory(NULL, &bytes), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  assert_int_equal(dem_context_memory(context, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_context_memory(context, &bytes), DEM_OK);
  assert_true(bytes >= 0);
  assert_int_equal(dem_system_create(context, NULL, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_law_create(context, NULL, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_system_step(NULL, 1), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_status_has_its_text),
      cmocka_unit_test(no_status_is_without_text),
      cmocka_unit_test(texts_differ),
      cmocka_unit_test(version_is_that_of_the_header),
      cmocka_unit_test(init_stays_within_the_struct),
      cmocka_unit_test(init_of_a_newer_struct_zeroes_the_rest),
      cmocka_unit_test(init_refuses_odd_sizes),
      cmocka_unit_test(intake_of_a_newer_struct),
      cmocka_unit_test(defaults_are_as_documented),
      cmocka_unit_test(a_refusal_is_logged_and_kept),
      cmocka_unit_test(a_silent_context_stays_silent),
      cmocka_unit_test(messages_do_not_follow_the_locale),
      cmocka_unit_test(null_is_answered),
  };
  return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
