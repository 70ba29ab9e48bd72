/* The conformance suite over both built-in schemes and three written here over the services alone; tables that must be refused;
 * failures of a step that must poison. */
#include "assertions.h"

#include <dem/plugin/integrator.h>

#include "conformance/integrator_suite.h"
#include "scenes/context.h"
#include "scenes/scenes.h"
#include "scenes/snapshot.h"

/* ---- schemes ---- */

/* Position-Verlet: half drift, kick, half drift. Time-reversible, second order, and its only kick is at the middle. */
static dem_status position_verlet(void *user, dem_stepper *s, double dt) {
  (void)user;
  dem_status status = dem_stepper_drift(s, dt / 2);
  if (!status) status = dem_stepper_evaluate(s, dt);
  if (!status) status = dem_stepper_kick(s, dt);
  return status ? status : dem_stepper_drift(s, dt / 2);
}

/* Symplectic Euler: kick, drift. */
static dem_status symplectic_euler(void *user, dem_stepper *s, double dt) {
  (void)user;
  dem_status status = dem_stepper_kick(s, dt);
  if (!status) status = dem_stepper_drift(s, dt);
  return status ? status : dem_stepper_evaluate(s, dt);
}

/* Velocity-Verlet once more, from outside. */
static dem_status velocity_verlet(void *user, dem_stepper *s, double dt) {
  (void)user;
  dem_status status = dem_stepper_kick(s, dt / 2);
  if (!status) status = dem_stepper_drift(s, dt);
  if (!status) status = dem_stepper_evaluate(s, dt);
  return status ? status : dem_stepper_kick(s, dt / 2);
}

/* Explicit Euler: drift with the old velocity, then kick. */
static dem_status euler(void *user, dem_stepper *s, double dt) {
  (void)user;
  dem_status status = dem_stepper_evaluate(s, dt);
  if (!status) status = dem_stepper_drift(s, dt);
  return status ? status : dem_stepper_kick(s, dt);
}

static int destroyed;

static void count_destroy(void *user) { ++*(int *)user; }

static const uint32_t IMPROVED = DEM_INTEGRATOR_FORCES_AT_START | DEM_INTEGRATOR_SYNCHRONISED;

static dem_integrator_table table_of(const char *name, int32_t order, uint32_t capabilities,
                                     dem_status (*step)(void *, dem_stepper *, double)) {
  dem_integrator_table t;
  memset(&t, 0, sizeof t);
  t.struct_size = sizeof t;
  t.contract = DEM_INTEGRATOR_CONTRACT;
  t.name = name;
  t.capabilities = capabilities;
  t.order = order;
  t.stability = 2;
  t.step = step;
  t.destroy = count_destroy;
  return t;
}

static dem_integrator *make(const dem_integrator_table *t) {
  dem_integrator *integrator;
  if (dem_integrator_create(context, t, &destroyed, &integrator) != DEM_OK) fail_msg("%s", dem_context_message(context));
  return integrator;
}

static void conforms(const dem_integrator_table *t, int32_t angular_momentum) {
  const integrator_facts facts = {t->name, t->order, angular_momentum};
  dem_integrator *integrator = make(t);
  integrator_conformance(context, integrator, &facts);
  destroyed = 0;
  dem_integrator_release(integrator);
  assert_int_equal(destroyed, 1); /* no system holds on to it */
}

static void position_verlet_conforms(void **state) {
  (void)state;
  const dem_integrator_table t = table_of("position-verlet", 2, 0, position_verlet);
  conforms(&t, 1);
}

static void symplectic_euler_conforms(void **state) {
  (void)state;
  const dem_integrator_table t = table_of("symplectic-euler", 1, DEM_INTEGRATOR_FORCES_AT_START, symplectic_euler);
  conforms(&t, 1);
}

static void own_velocity_verlet_conforms(void **state) {
  (void)state;
  const dem_integrator_table t = table_of("own velocity-verlet", 2, DEM_INTEGRATOR_FORCES_AT_START, velocity_verlet);
  conforms(&t, 1);
}

static void own_improved_velocity_verlet_conforms(void **state) {
  (void)state;
  const dem_integrator_table t = table_of("own improved", 2, IMPROVED, velocity_verlet);
  conforms(&t, 1);
}

static void own_euler_conforms(void **state) {
  (void)state;
  dem_integrator_table t = table_of("own euler", 1, 0, euler);
  t.stability = 0;
  conforms(&t, 0);
}

/* ---- the built-in ones: the suite sets integrators by object, so the names are compared with twins of the same table ---- */

static void run(const char *scene_name, const char *name, const dem_integrator *integrator, snapshot *end) {
  const scene_setup setup = {.integrator = name, .ledger = 1};
  dem_system *system;
  assert_int_equal(scene_build(scene_find(scene_name), context, &setup, &system), DEM_OK);
  if (integrator) ASSERT_OK(system, dem_system_set_integrator(system, integrator));
  ASSERT_OK(system, dem_system_step(system, 1500));
  snapshot_take(end, system);
  dem_system_destroy(system);
}

static void same_as_built_in(const char *name, const dem_integrator_table *t) {
  dem_integrator *integrator = make(t);
  for (int i = 0; i < scene_count; i++) {
    snapshot ours, theirs;
    run(scenes[i].name, name, NULL, &ours);
    run(scenes[i].name, NULL, integrator, &theirs);
    snapshot_assert_same_bits(&ours, &theirs);
    snapshot_free(&ours);
    snapshot_free(&theirs);
  }
  dem_integrator_release(integrator);
}

static void built_in_ones_have_no_privileges(void **state) {
  (void)state;
  const dem_integrator_table vv = table_of("own velocity-verlet", 2, DEM_INTEGRATOR_FORCES_AT_START, velocity_verlet);
  same_as_built_in("velocity-verlet", &vv);
  const dem_integrator_table e = table_of("own euler", 1, 0, euler);
  same_as_built_in("euler", &e);
  const dem_integrator_table improved = table_of("own improved", 2, IMPROVED, velocity_verlet);
  same_as_built_in("improved-velocity-verlet", &improved);
}

/* ---- refusals and failures ---- */

static void refused(const dem_integrator_table *t, dem_status expected, const char *word) {
  dem_integrator *integrator = (dem_integrator *)&context;
  const dem_status status = dem_integrator_create(context, t, NULL, &integrator);
  if (status != expected) fail_msg("%s: %s instead of %s", word, dem_status_name(status), dem_status_name(expected));
  assert_null(integrator);
  if (!strstr(dem_context_message(context), word)) fail_msg("no \"%s\" in: %s", word, dem_context_message(context));
}

static void bad_tables_are_refused(void **state) {
  (void)state;
  dem_integrator_table t = table_of("bad", 2, 0, position_verlet);
  t.struct_size = 16;
  refused(&t, DEM_BAD_STRUCT, "struct_size");
  t = table_of("bad", 2, 0, position_verlet);
  t.contract = 0;
  refused(&t, DEM_UNSUPPORTED, "contract");
  t = table_of(NULL, 2, 0, position_verlet);
  refused(&t, DEM_BAD_ARGUMENT, "name");
  t = table_of("bad", 2, 0, NULL);
  refused(&t, DEM_BAD_ARGUMENT, "step");
  t = table_of("bad", 0, 0, position_verlet);
  refused(&t, DEM_BAD_ARGUMENT, "order");
  t = table_of("bad", 9, 0, position_verlet);
  refused(&t, DEM_BAD_ARGUMENT, "order");
  t = table_of("bad", 2, 0, position_verlet);
  t.stability = -1;
  refused(&t, DEM_BAD_ARGUMENT, "stability");
  t.stability = NAN;
  refused(&t, DEM_BAD_ARGUMENT, "stability");
}

/* What a table asks for and this version does not know is not ignored. */
static void unknown_capabilities_are_refused(void **state) {
  (void)state;
  const dem_integrator_table t = table_of("bad", 2, 1u << 17, position_verlet);
  refused(&t, DEM_UNSUPPORTED, "capabilities");
}

static dem_status fails(void *user, dem_stepper *s, double dt) {
  (void)user;
  (void)s;
  (void)dt;
  return DEM_FAILED_PLUGIN;
}

static dem_status kicks_by_nan(void *user, dem_stepper *s, double dt) {
  (void)user;
  (void)dt;
  return dem_stepper_kick(s, NAN);
}

static void poisons(dem_status (*step)(void *, dem_stepper *, double), const char *name) {
  const dem_integrator_table t = table_of(name, 1, 0, step);
  dem_integrator *integrator = make(&t);
  dem_system *system;
  assert_int_equal(scene_build(scene_find("impact"), context, NULL, &system), DEM_OK);
  ASSERT_OK(system, dem_system_set_integrator(system, integrator));
  dem_integrator_release(integrator);
  destroyed = 0;
  assert_true(dem_system_step(system, 1) < 0);
  assert_non_null(strstr(dem_system_message(system), name));
  assert_int_equal(dem_system_step(system, 1), DEM_POISONED);
  dem_system_destroy(system);
  assert_int_equal(destroyed, 1); /* the system's reference was the last */
}

static void a_failing_step_poisons(void **state) {
  (void)state;
  poisons(fails, "failing-step");
}

static void a_misused_service_poisons(void **state) {
  (void)state;
  poisons(kicks_by_nan, "kicking-by-nan");
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(position_verlet_conforms),     TEST(symplectic_euler_conforms),
      TEST(own_velocity_verlet_conforms), TEST(own_improved_velocity_verlet_conforms),
      TEST(own_euler_conforms),           TEST(built_in_ones_have_no_privileges),
      TEST(bad_tables_are_refused),       TEST(unknown_capabilities_are_refused),
      TEST(a_failing_step_poisons),       TEST(a_misused_service_poisons),
  };
  return cmocka_run_group_tests_name("integrator", tests, NULL, NULL);
}
