/* Floating-point exceptions of calls beside the step: reading and changing a system, probes of laws, advice, files, refusals. See
 * quiet.h. */
#include "assertions.h"

#include <dem/plugin/law.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fault/quiet.h"
#include "scenes/scenes.h"
#include "unit/test_io_bytes.h"

/* ---- everything that a host may ask ---- */

static void read_fields(dem_system *s, int64_t n) {
  double *values = calloc((size_t)n * 8, sizeof *values);
  int32_t *integers = calloc((size_t)n * 3, sizeof *integers);
  for (int32_t field = DEM_POSITION; field <= DEM_HEAT_CLASSES; field++) {
    if (field == DEM_MATERIAL || field == DEM_FROZEN || field == DEM_IMAGE) {
      QUIET_OK(s, dem_system_get_field_int(s, field, n, NULL, integers, 0));
      continue;
    }
    QUIET_OK(s, dem_system_get_field(s, field, n, NULL, values, 0));
    const int settable = field <= DEM_DENSITY || field == DEM_HOST_FORCE || field == DEM_HOST_TORQUE;
    if (settable) QUIET_OK(s, dem_system_set_field(s, field, n, NULL, values, 0));
    QUIET_OK(s, dem_system_step(s, 2));
  }
  free(values);
  free(integers);
}

static void read_views(dem_system *s) {
  const int32_t fields[] = {DEM_POSITION, DEM_VELOCITY, DEM_SPIN, DEM_FORCE, DEM_HOST_FORCE};
  for (int k = 0; k < 5; k++) {
    dem_view v = {.struct_size = sizeof v};
    QUIET_OK(s, dem_view_acquire(s, fields[k], DEM_READ, &v));
    QUIET_OK(s, dem_view_release(s, &v));
  }
}

static void read_sums(dem_system *s) {
  double t;
  int64_t n = 0;
  dem_contact *contacts;
  dem_statistics statistics;
  dem_advice advice;
  dem_wall_state wall;
  QUIET(dem_statistics_init(&statistics, sizeof statistics));
  QUIET(dem_advice_init(&advice, sizeof advice));
  QUIET(dem_wall_state_init(&wall, sizeof wall));
  QUIET_OK(s, dem_system_statistics(s, &statistics));
  QUIET_OK(s, dem_system_advise(s, &advice));
  QUIET_OK(s, dem_system_stable_dt(s, &t));
  QUIET_OK(s, dem_system_time(s, &t));
  for (int32_t w = 0; w < 7; w++) {
    QUIET_OK(s, dem_system_wall_state(s, w, &wall));
  }
  QUIET_OK(s, dem_system_contact_count(s, &n));
  contacts = calloc((size_t)n + 1, sizeof *contacts);
  QUIET_OK(s, dem_system_contacts(s, n, contacts, sizeof *contacts));
  free(contacts);
}

/* All, a part, nothing of the contacts; a flow; a tensor of 0 and one of large numbers. */
static void read_statics(dem_system *s, int64_t n) {
  dem_statics_options o;
  dem_statics t;
  dem_force_histogram h;
  dem_principal p;
  int64_t counts[10];
  double *stress = calloc((size_t)n * 9, sizeof *stress), large[9] = {1e60, -1e60, 1e60, 3e-60, 0, 1, -1e60, 1e30, 1e-30};
  int32_t *rattlers = calloc((size_t)n, sizeof *rattlers);
  QUIET(dem_statics_options_init(&o, sizeof o));
  QUIET(dem_statics_init(&t, sizeof t));
  QUIET(dem_force_histogram_init(&h, sizeof h));
  QUIET(dem_principal_init(&p, sizeof p));
  o.volume = 10;
  o.gradient[1] = 3;
  h.bins = 10;
  h.counts = counts;
  for (int32_t k = 0; k < 9; k++) {
    o.kinetic = k % 3;
    o.split = k % 2;
    o.sections = k < 5 ? 1 << k : DEM_SECTIONS_ALL;
    o.region = k < 7 ? DEM_REGION_ALL : k - 6;
    for (int a = 0; a < 3; a++) o.low[a] = -1, o.high[a] = 2;
    o.radius = 1.5;
    dem_status status = QUIET(dem_system_statics(s, &o, &t));
    if (status != DEM_NOT_FOUND || k < 7) ASSERT_STATUS(s, status, DEM_OK);
    status = QUIET(dem_system_force_histogram(s, &o, &h));
    if (status != DEM_NOT_FOUND || k < 7) ASSERT_STATUS(s, status, DEM_OK);
    QUIET_OK(s, dem_system_particle_stress(s, &o, n, NULL, NULL, stress, 0));
    QUIET_OK(s, dem_system_rattlers(s, &o, n, NULL, NULL, rattlers));
    assert_int_equal(QUIET(dem_tensor_principal(k < 8 ? t.stress : large, 2 + k % 2, &p)), DEM_OK);
  }
  assert_int_equal(QUIET(dem_tensor_principal(large, 3, &p)), DEM_OK);
  o.volume = NAN;
  assert_int_equal(QUIET(dem_system_statics(s, &o, &t)), DEM_BAD_ARGUMENT);
  free(stress);
  free(rattlers);
}

static void change_rows(dem_system *s, int64_t n) {
  dem_id *ids = calloc((size_t)n, sizeof *ids);
  QUIET_OK(s, dem_system_ids(s, n, ids));
  QUIET_OK(s, dem_system_set_frozen(s, 5, ids, 1));
  QUIET_OK(s, dem_system_step(s, 2));
  QUIET_OK(s, dem_system_set_frozen(s, 5, ids, 0));
  QUIET_OK(s, dem_system_set_dt(s, 5e-5));
  QUIET_OK(s, dem_system_set_gravity(s, (double[]){1, 2, 3}));
  QUIET_OK(s, dem_system_run_until(s, 0.02));
  QUIET_OK(s, dem_system_remove_wall(s, 1));
  QUIET_OK(s, dem_system_step(s, 2));
  QUIET_OK(s, dem_system_remove_particles(s, n, ids));
  QUIET_OK(s, dem_system_step(s, 2));
  free(ids);
}

static void calls_of_context(dem_context *context) {
  for (int k = 0; k < 3; k++) {
    dem_law_options law;
    scene_joint(k, &law);
    const quiet_setup w = {&law, k, 2, 0, 0, 0};
    snprintf(quiet_subject, sizeof quiet_subject, "calls, %s", quiet_schemes[k]);
    dem_system *s = quiet_system(context, &w);
    int64_t n = 0;
    read_sums(s);
    QUIET_OK(s, dem_system_step(s, 40));
    QUIET_OK(s, dem_system_particle_count(s, &n));
    read_statics(s, n);
    read_sums(s);
    read_views(s);
    read_fields(s, n);
    change_rows(s, n);
    dem_system_destroy(s);
  }
}

static void test_calls(void **state) {
  (void)state;
  quiet_in_every_set(calls_of_context);
}

/* One contact at a time, with lanes of nothing beside it. */
static void probe_of_context(dem_context *context) {
  char name[96];
  dem_law_options options;
  const dem_bind materials = {
      .struct_size = sizeof materials, .effective_young = 5e5, .effective_shear = 1e5, .shear_ratio = 0.8};
  for (int k = 0; law_combination(k, &options, name); k++) {
    dem_law *law = NULL;
    if (!law_has_meaning(&options) || k % 3 == 1) continue;
    scene_add_rolling(&options, k % 3, DEM_TWISTING_SPRING);
    snprintf(quiet_subject, sizeof quiet_subject, "probe of %s", name);
    assert_int_equal(QUIET(dem_law_create(context, &options, &law)), DEM_OK);
    for (int v = 0; v < 4; v++) {
      dem_probe p = {.struct_size = sizeof p, .dt = 1e-4, .overlap = 0.01, .effective_radius = 0.25, .effective_mass = 0.5};
      p.normal[2] = 1, p.velocity[2] = v == 1 ? -1 : 0, p.velocity[0] = v == 2 ? 3 : 0, p.turning[1] = v == 3;
      p.inverse_inertia = 80;
      assert_int_equal(QUIET(dem_law_probe(law, &materials, &p)), DEM_OK);
      p.overlap = 0.005;
      assert_int_equal(QUIET(dem_law_probe(law, &materials, &p)), DEM_OK);
    }
    dem_law_release(law);
  }
}

static void test_probe(void **state) {
  (void)state;
  quiet_in_every_set(probe_of_context);
}

/* ---- advice ---- */

static void impacts(int32_t normal, int32_t damping, int32_t attraction, double speed) {
  dem_impact i;
  QUIET(dem_impact_init(&i, sizeof i));
  i.normal = normal, i.damping = damping, i.attraction = attraction;
  i.mass = 0.5, i.radius = 0.25, i.speed = speed, i.stiffness = 1e6;
  i.normal_damping = damping == DEM_DAMPING_NONE ? 0 : 20, i.restitution = 0.6;
  if (damping >= DEM_DAMPING_RESTITUTION) i.normal_damping = 0;
  snprintf(quiet_subject, sizeof quiet_subject, "impact, normal %d, damping %d, attraction %d, speed %g", normal, damping,
           attraction, speed);
  QUIET(dem_impact_predict(&i));
  QUIET(dem_impact_fit_stiffness(&i, 0.01));
  if (damping) QUIET(dem_impact_fit_damping(&i, 0.5));
}

static void test_advice(void **state) {
  (void)state;
  double out, two;
  for (int k = 0; k < 60; k++)
    impacts(k % 2 ? DEM_NORMAL_HERTZ : DEM_NORMAL_HOOKE, k / 4 % 5, k / 2 % 2, k < 20 ? 1 : k < 40 ? 1e-3 : 30);
  const double tried[] = {0.3, 1e-5, 0.999, 7, 1e6, 1e12, NAN, INFINITY, -INFINITY};
  for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
    const double v = tried[k];
    snprintf(quiet_subject, sizeof quiet_subject, "advice with %g", v);
    QUIET(dem_formula_effective_mass(v, 2, &out)), QUIET(dem_formula_effective_radius(v, v, &out));
    QUIET(dem_formula_effective_moduli(v, 0.3, v, 0.2, &out, &two)), QUIET(dem_formula_material_young(v, 0.3, &out));
    QUIET(dem_formula_hooke_stiffness(1, v, 0.01, &out)), QUIET(dem_formula_hooke_overlap(1, v, 10, &out));
    QUIET(dem_formula_hertz_young(1, 1, v, 0.01, &out)), QUIET(dem_formula_hertz_overlap(1, 1, v, 1e6, &out));
    QUIET(dem_formula_hooke_like_hertz(1, 1, v, 1e6, &out)), QUIET(dem_formula_tangential_ratio(v, &out));
    QUIET(dem_formula_tangential_ratio_of_moduli(v, v / 2.5, &out));
    for (int a = 0; a < 2; a++) QUIET(dem_formula_damping_ratio(v, a, &out)), QUIET(dem_formula_restitution(v, a, &out));
    QUIET(dem_formula_hooke_damping(1, v, 0.5, &out)), QUIET(dem_formula_hooke_damping_ratio(1, 1e4, v, &out));
    QUIET(dem_formula_hertz_damping(1, 1, v, 0.01, 0.5, &out)),
        QUIET(dem_formula_hertz_damping_ratio(1, 1, 1e6, 0.01, v, &out));
    QUIET(dem_formula_hooke_contact_time(1, 1e4, v, &out)), QUIET(dem_formula_hertz_contact_time(1, 1, v, 1e6, &out));
    QUIET(dem_formula_stable_dt(1, 1e4, v, &out)), QUIET(dem_formula_stable_dt(v, 0, 0, &out));
    QUIET(dem_formula_rayleigh_dt(v, 2500, 1e6, 0.3, &out));
    QUIET(dem_formula_critical_ratio(v, &out)), QUIET(dem_formula_critical_friction(v, &out));
  }
  assert_int_equal(quiet_raised, 0);
}

/* ---- files ---- */

static void write_everything(dem_system *s) {
  bytes b = {.fail_at = -1};
  const dem_sink sink = bytes_sink(&b);
  const double times[2] = {0, 1e-300};
  const char *const names[2] = {"a.vtp", "b.vtp"};
  QUIET_OK(s, dem_system_write_data(s, &sink));
  QUIET_OK(s, dem_system_write_dump(s, &sink));
  QUIET_OK(s, dem_system_write_vtp(s, &sink));
  QUIET_OK(s, dem_pvd_write(&sink, 2, times, names));
  QUIET_OK(s, dem_energy_write_heading(&sink));
  QUIET_OK(s, dem_energy_write_row(s, &sink));
  bytes_clear(&b);
}

/* The largest and smallest numbers there are, written and read back. */
static void test_writers(void **state) {
  (void)state;
  dem_context *context = quiet_open_context(DEM_INSTRUCTIONS_AUTO);
  dem_law_options law;
  scene_hooke(&law);
  strcpy(quiet_subject, "writers");
  const quiet_setup w = {&law, 1, 2, 0, 0, 0};
  dem_system *s = quiet_system(context, &w);
  write_everything(s);
  QUIET_OK(s, dem_system_step(s, 20));
  write_everything(s);
  strcpy(quiet_subject, "numbers at the end of the range");
  bytes b = {.fail_at = -1};
  const dem_sink sink = bytes_sink(&b);
  const double times[6] = {DBL_MAX, -DBL_MAX, DBL_MIN, DBL_TRUE_MIN, 1e18, 1.23456789012345678e305};
  const char *const names[6] = {"1", "2", "3", "4", "5", "6"};
  QUIET_OK(s, dem_pvd_write(&sink, 6, times, names));
  bytes_clear(&b);
  dem_system_destroy(s);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  assert_int_equal(quiet_raised, 0);
}

static const char *const atoms[] = {
    "1 1 0.5 2.5 0.1 0.2 0.3",          "1 1 0.5 2.5 0.1 1e400 0.3",
    "1 1 1e309 2.5 0.1 0.2 0.3",        "1 1 0.5 2.5 nan 0.2 0.3",
    "1 1 0.5 2.5 0.1 1e-400 0.3",       "1 1 0.5 2.5 inf 0.2 0.3",
    "1 1 1e308 1e308 0.1 0.2 0.3",      "1 1 0.5 2.5 0.1 0.2 1.7976931348623159e308",
    "1 1 1e-308 1e-308 0.1 0 0.3",      "1 99999999999999999999 1 1",
    "1 1 0.5 2.5 0.1 1e999999999999 0", "1 1 0.5 2.5 1e300 0.2 0.3 2147483647 0 0",
};

static void test_readers(void **state) {
  (void)state;
  dem_context *context = quiet_open_context(DEM_INSTRUCTIONS_AUTO);
  for (size_t k = 0; k < 2 * sizeof atoms / sizeof *atoms; k++) {
    char text[400];
    const char *atom = atoms[k / 2];
    snprintf(text, sizeof text, "title\n\n1 atoms\n1 atom types\n%s 2 xlo xhi\n0 2 ylo yhi\n0 2 zlo zhi\n\nAtoms\n\n%s\n",
             k % 2 ? "-1e308" : "0", atom);
    snprintf(quiet_subject, sizeof quiet_subject, "%s", atom);
    bytes b = {.text = text, .size = (int64_t)strlen(text), .fail_at = -1};
    const dem_source source = bytes_source(&b);
    dem_data *data = NULL;
    QUIET(dem_data_read(context, &source, &data));
    dem_particles p = {.struct_size = sizeof p};
    if (data) QUIET(dem_data_particles(data, &p));
    dem_data_destroy(data);
  }
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  assert_int_equal(quiet_raised, 0);
}

/* ---- refusals ---- */

/* Puts a value into one double of a struct after another; the rest is as it was. */
#define SPOILED(object, first, value, call)                                                  \
  for (size_t at = offsetof(__typeof__(object), first); at + 8 <= sizeof(object); at += 8) { \
    const __typeof__(object) whole = (object);                                               \
    memcpy((char *)&(object) + at, &(value), 8);                                             \
    snprintf(quiet_subject, sizeof quiet_subject, "%g at byte %zu of " #object, value, at);  \
    call;                                                                                    \
    quiet_look(#call);                                                                       \
    (object) = whole;                                                                        \
  }

static void spoil_laws(dem_context *context, double bad) {
  for (int k = 0; k < 8; k++) {
    dem_law_options law;
    dem_law *made = NULL;
    if (k < 5)
      scene_joint(k, &law);
    else
      (k == 5 ? scene_hooke : scene_hertz)(&law);
    if (k >= 5) law.viscosity = 1;
    if (k == 7) law.damping = DEM_DAMPING_RESTITUTION_EXACT;
    SPOILED(law, normal_stiffness, bad, dem_law_create(context, &law, &made); dem_law_release(made); made = NULL)
  }
}

static void spoil_walls(dem_system *s, double bad) {
  for (int32_t k = 0; k < 12; k++) {
    dem_wall wall = quiet_wall(k % 3);
    wall.motion = k / 3, wall.axis[2] = 1, wall.radius = 1, wall.size[0] = wall.size[1] = wall.size[2] = 1;
    wall.free_axis[0] = 1, wall.direction[2] = 1, wall.gain = 1, wall.velocity_limit = 1, wall.target = 1;
    if (wall.motion == DEM_WALL_FREE) wall.mass = 1;
    int32_t id = -1;
    SPOILED(wall, position, bad, dem_system_add_wall(s, &wall, &id); if (id >= 0) dem_system_remove_wall(s, id); id = -1)
  }
}

static void spoil_options(dem_context *context, dem_system *s, double bad) {
  dem_material material;
  dem_bond_type beam, harmonic;
  dem_system_options options;
  dem_system *made = NULL;
  dem_impact impact;
  dem_material_init(&material, sizeof material), dem_bond_type_init(&beam, sizeof beam);
  dem_system_options_init(&options, sizeof options), dem_impact_init(&impact, sizeof impact);
  harmonic = beam;
  harmonic.model = DEM_BOND_HARMONIC, harmonic.stiffness = 1;
  beam.normal_stiffness = 1;
  options.dt = 1;
  impact.mass = impact.radius = impact.speed = impact.stiffness = 1;
  spoil_laws(context, bad);
  spoil_walls(s, bad);
  SPOILED(material, young, bad, dem_system_add_material(s, &material, NULL))
  SPOILED(beam, stiffness, bad, dem_system_add_bond_type(s, &beam, NULL))
  SPOILED(harmonic, stiffness, bad, dem_system_add_bond_type(s, &harmonic, NULL))
  SPOILED(options, box_low, bad, dem_system_create(context, &options, &made); dem_system_destroy(made); made = NULL)
  for (int k = 0; k < 10; k++) {
    impact.normal = k % 2 ? DEM_NORMAL_HERTZ : DEM_NORMAL_HOOKE, impact.damping = k / 2;
    SPOILED(impact, mass, bad, dem_impact_predict(&impact))
  }
}

/* What is not a number must be refused without being computed with. */
static void test_refusals(void **state) {
  (void)state;
  const double bad[] = {NAN, INFINITY, -INFINITY, DBL_MAX, 0, -1};
  dem_context *context = quiet_open_context(DEM_INSTRUCTIONS_AUTO);
  dem_law_options good;
  scene_hooke(&good);
  const quiet_setup w = {&good, 1, 1, 0, 0, 0};
  strcpy(quiet_subject, "refusals");
  dem_system *s = quiet_system(context, &w);
  int64_t n = 0;
  QUIET_OK(s, dem_system_particle_count(s, &n));
  double *values = calloc((size_t)n * 3, sizeof *values);
  for (size_t k = 0; k < 3; k++) {
    snprintf(quiet_subject, sizeof quiet_subject, "refusal of %g", bad[k]);
    values[4] = bad[k];
    for (int32_t field = DEM_POSITION; field <= DEM_DENSITY; field++)
      assert_int_not_equal(QUIET(dem_system_set_field(s, field, n, NULL, values, 0)), DEM_OK);
    assert_int_not_equal(QUIET(dem_system_set_field(s, DEM_HOST_FORCE, n, NULL, values, 0)), DEM_OK);
    assert_int_not_equal(QUIET(dem_system_set_dt(s, bad[k])), DEM_OK);
    assert_int_not_equal(QUIET(dem_system_run_until(s, bad[k])), DEM_OK);
    assert_int_not_equal(QUIET(dem_system_set_gravity(s, (double[]){0, 0, bad[k]})), DEM_OK);
  }
  for (size_t k = 0; k < 3; k++) spoil_options(context, s, bad[k]);
  free(values);
  dem_system_destroy(s);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  assert_int_equal(quiet_raised, 0);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
#define TEST(function) cmocka_unit_test_setup(function, quiet_clear)
  const struct CMUnitTest tests[] = {
      TEST(test_calls), TEST(test_probe), TEST(test_advice), TEST(test_writers), TEST(test_readers), TEST(test_refusals),
  };
  return cmocka_run_group_tests_name("floating_point_calls", tests, NULL, NULL);
}
