/* Floating-point exceptions of a step: every law, scheme, scene, size and bond, in each instruction set. See quiet.h. */
#define _GNU_SOURCE
#include "assertions.h"

#include <stdio.h>

#include "fault/quiet.h"
#include "scenes/scenes.h"
#include "series.h"

/* ---- laws ---- */

static void run_world(dem_context *context, const quiet_setup *w, int64_t steps) {
  dem_system *s = quiet_system(context, w);
  QUIET_OK(s, dem_system_check(s));
  QUIET_OK(s, dem_system_step(s, 1));
  QUIET_OK(s, dem_system_step(s, steps));
  dem_energy e;
  QUIET(dem_energy_init(&e, sizeof e));
  if (w->ledger) QUIET_OK(s, dem_system_energy(s, &e));
  dem_system_destroy(s);
  quiet_look("dem_system_destroy");
}

/* Every combination of parts; quiet_schemes, arms, transport and books take turns. */
static void laws_of_context(dem_context *context) {
  char name[96];
  dem_law_options law;
  for (int k = 0; law_combination(k, &law, name); k++) {
    if (!law_has_meaning(&law) || !series_takes(k)) continue;
    const quiet_setup w = {&law, k % 3, k / 3 % 3, k / 2 % 2, k / 5 % 2, 0};
    if (k % 7 == 3) law.friction = 0;
    if (k % 4 == 1 && law.normal != DEM_NORMAL_JKR) law.viscosity = 0.1;
    snprintf(quiet_subject, sizeof quiet_subject, "%s, %s, ledger %d", name, quiet_schemes[w.scheme], w.ledger);
    run_world(context, &w, 30);
  }
}

static void test_laws(void **state) {
  (void)state;
  quiet_in_every_set(laws_of_context);
}

/* No spring at all, so that no energy is stored, whatever the overlap. */
static void no_spring_of_context(dem_context *context) {
  dem_law_options law;
  QUIET(dem_law_options_init(&law, sizeof law));
  law.normal = DEM_NORMAL_NONE, law.tangential = DEM_TANGENTIAL_NONE;
  for (int32_t k = 0; k < 3; k++) {
    const quiet_setup w = {&law, k, k, k % 2, k % 2, 0};
    snprintf(quiet_subject, sizeof quiet_subject, "no normal force, %s, ledger %d", quiet_schemes[k], k);
    run_world(context, &w, 10);
  }
}

static void test_no_spring(void **state) {
  (void)state;
  quiet_in_every_set(no_spring_of_context);
}

/* Rolling and twisting of both kinds beside Hooke, Hertz and each adhesion, under every scheme and with every kind of books. */
static void rolling_of_context(dem_context *context) {
  for (int k = 0; k < 270; k++) {
    dem_law_options law;
    const char *joint = scene_joint(k % 5, &law);
    quiet_setup w = {&law, k / 5 % 3, k / 15 % 3, k % 2, k / 2 % 2, 0};
    const int kinds = k / 45;
    if (kinds < 4) {
      joint = kinds % 2 ? "hooke" : "hertz";
      (kinds % 2 ? scene_hooke : scene_hertz)(&law);
      scene_add_rolling(&law, kinds < 2 ? DEM_ROLLING_SPRING : DEM_ROLLING_CONSTANT, k % 3);
    }
    if (kinds == 5) law.rolling_friction = law.twisting_friction = law.friction = 0;
    snprintf(quiet_subject, sizeof quiet_subject, "%s, rolling %d, twisting %d, %s, ledger %d", joint, law.rolling,
             law.twisting, quiet_schemes[w.scheme], w.ledger);
    run_world(context, &w, 30);
  }
}

static void test_rolling(void **state) {
  (void)state;
  quiet_in_every_set(rolling_of_context);
}

/* Longer, with contacts that open, particles that come and go, sheared boxes, and the plain pair geometry of two dimensions. */
static void scenes_of_context(dem_context *context) {
  for (int k = 0; k < 3 * scene_count; k++) {
    const scene *c = &scenes[k % scene_count];
    const scene_setup setup = {.integrator = quiet_schemes[k / scene_count], .particles = 150, .threads = 1, .ledger = k % 3};
    dem_system *s = NULL;
    snprintf(quiet_subject, sizeof quiet_subject, "scene %s, %s, ledger %d", c->name, setup.integrator, setup.ledger);
    assert_int_equal(QUIET(scene_build(c, context, &setup, &s)), DEM_OK);
    QUIET_OK(s, scene_run(c, s, c->steps < 400 ? c->steps : 400));
    dem_system_destroy(s);
  }
}

static void test_scenes(void **state) {
  (void)state;
  quiet_in_every_set(scenes_of_context);
}

/* Wide sizes have several levels of cells; the choice of levels has divisions of its own. */
static void wide_of_context(dem_context *context) {
  dem_law_options law;
  dem_system_options o;
  dem_system *s = NULL;
  rows r;
  dice d = {3};
  strcpy(quiet_subject, "radii from 1 to 200");
  scene_hooke(&law);
  QUIET(dem_system_options_init(&o, sizeof o));
  o.dt = 1e-6, o.threads = 1, o.ledger = 1, o.gravity[2] = -1;
  for (int k = 0; k < 3; k++) o.periodic[k] = 1, o.box_high[k] = 5;
  assert_int_equal(QUIET(dem_system_create(context, &o, &s)), DEM_OK);
  QUIET_OK(s, dem_system_add_material(s, NULL, NULL));
  QUIET_OK(s, scene_set_law(context, s, 0, 0, &law));
  assert_int_equal(rows_create(&r, 2000), 0);
  rows_put(&r, 2.5, 2.5, 2.5, 1);
  for (int k = 1; k < 2000; k++)
    rows_put(&r, dice_uniform(&d, 0, 5), dice_uniform(&d, 0, 5), dice_uniform(&d, 0, 5), k < 20 ? 0.1 : 0.005 * (1 + k % 4));
  QUIET_OK(s, rows_add(&r, s, NULL));
  QUIET_OK(s, dem_system_step(s, 30));
  rows_destroy(&r);
  dem_system_destroy(s);
}

static void test_wide(void **state) {
  (void)state;
  quiet_in_every_set(wide_of_context);
}

/* ---- bonds ---- */

static void add_bond_type(dem_system *s, int32_t model, int full) {
  dem_bond_type t;
  QUIET(dem_bond_type_init(&t, sizeof t));
  t.model = model, t.normal_damping = 2, t.contact = full;
  if (model == DEM_BOND_HARMONIC)
    t.stiffness = 1e4;
  else
    t.normal_stiffness = 1e5, t.tangential_stiffness = 5e4, t.radius_factor = 0.8;
  if (model == DEM_BOND_BEAM && full) {
    t.bending_stiffness = t.twisting_stiffness = 1e4, t.tangential_damping = 3, t.relaxation_time = 0.01;
    t.break_normal_stress = t.break_shear_stress = 3e3;
  }
  if (full) t.break_strain = 0.05;
  QUIET_OK(s, dem_system_add_bond_type(s, &t, NULL));
}

static void bonds_of_context(dem_context *context) {
  for (int k = 0; k < 36; k++) {
    dem_law_options law;
    (k % 2 ? scene_hertz : scene_hooke)(&law);
    const quiet_setup w = {&law, k / 2 % 3, k / 6 % 3, 0, 0, 0};
    snprintf(quiet_subject, sizeof quiet_subject, "bonds, %s, ledger %d", quiet_schemes[w.scheme], w.ledger);
    dem_system *s = quiet_system(context, &w);
    for (int t = 0; t < 4; t++) add_bond_type(s, t % 2 ? DEM_BOND_HARMONIC : DEM_BOND_BEAM, t / 2);
    int64_t made = 0, broken = 0;
    QUIET_OK(s, dem_system_bond_neighbours(s, k % 4, 0, 0, 0.05, &made));
    assert_true(made > 10);
    QUIET_OK(s, dem_system_step(s, 60));
    dem_bond bonds[200];
    dem_bond_break breaks[200];
    QUIET_OK(s, dem_system_bonds(s, 200, bonds, sizeof *bonds));
    QUIET_OK(s, dem_system_take_bond_breaks(s, 200, breaks, sizeof *breaks, &broken));
    if (broken < made) QUIET_OK(s, dem_system_remove_bonds(s, 1, &bonds[0].id));
    QUIET_OK(s, dem_system_step(s, 10));
    dem_system_destroy(s);
  }
}

static void test_bonds(void **state) {
  (void)state;
  quiet_in_every_set(bonds_of_context);
}

/* ---- traps ---- */

/* Threads inherit the traps of the one that makes them. A trap ends the test with its signal. */
static void trapped_context(dem_context *context) {
  for (int k = 0; k < 6; k++) {
    dem_law_options law;
    (k % 2 ? scene_hertz : scene_hooke)(&law);
    const scene_setup setup = {
        .integrator = quiet_schemes[k / 2], .law = &law, .particles = 3000, .threads = 4, .ledger = k % 3};
    dem_system *s = NULL;
    assert_int_equal(scene_build(scene_find(k % 2 ? "hertz-bed" : "two-materials"), context, &setup, &s), DEM_OK);
    ASSERT_OK(s, dem_system_step(s, 60));
    dem_system_destroy(s);
  }
}

static void test_traps(void **state) {
  (void)state;
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(QUIET_FLAGS);
  quiet_in_every_set(trapped_context);
  assert_int_equal(fegetexcept(), QUIET_FLAGS); /* the library gives the host's environment back as it was */
  fedisableexcept(QUIET_FLAGS);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
#define TEST(function) cmocka_unit_test_setup(function, quiet_clear)
  const struct CMUnitTest tests[] = {
      TEST(test_laws), TEST(test_rolling), TEST(test_no_spring), TEST(test_scenes),
      TEST(test_wide), TEST(test_bonds),   TEST(test_traps),
  };
  return cmocka_run_group_tests_name("floating_point", tests, NULL, NULL);
}
