/* An integrator that takes its steps over trials: implicit Euler,
 *
 *   v' = v + h F(x')/m,      x' = x + h v'.
 *
 * A sphere on a wall with a linear spring k swings about its rest height with w = sqrt(k/m). Each step multiplies the complex amplitude by
 * 1/(1 - i w h), so that the energy falls by 1/(1 + (w h)^2), whatever h. */
#include "assertions.h"

#include <dem/plugin/trial.h>

#include "scenes/scenes.h"

static const double STIFFNESS = 1e4, WEIGHT = 10.0;

/* (m/h^2 + K) d = -(m (u/h - v)/h + g(u)): linear, so the second pass finds nothing more to do. */
static dem_status step(void *user, dem_stepper *stepper, double h) {
  const dem_trial_options options = {.struct_size = sizeof options, .alpha = 1, .dt = h};
  dem_trial *trial;
  dem_trial_rows all;
  double u[9] = {0}, g[9], k[9 + 36], velocity[3];
  (void)user;
  dem_status status = dem_stepper_trial(stepper, &options, &trial);
  if (status) return status;
  dem_trial_rows_init(&all, sizeof all);
  dem_trial_get_rows(trial, &all);
  const double m = 1.0 / all.inverse_mass[0];
  for (int pass = 0; pass < 2 && !status; pass++) {
    status = dem_trial_evaluate(trial, u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, g);
    if (!status) status = dem_trial_diagonal(trial, k);
    for (int a = 0; a < 3; a++) u[a] -= (m * (u[a] / h - all.velocity[a]) / h + g[a]) / (m / (h * h) + k[4 * a]);
  }
  if (!status) status = dem_trial_evaluate(trial, u, DEM_TRIAL_FORCE, NULL, g);
  for (int a = 0; a < 3; a++) velocity[a] = u[a] / h;
  if (!status) status = dem_trial_accept(trial, velocity);
  dem_trial_close(trial);
  return status;
}

static dem_status forgetful(void *user, dem_stepper *stepper, double h) {
  dem_trial *trial;
  (void)user;
  (void)h;
  return dem_stepper_trial(stepper, NULL, &trial);
}

static void open_oscillator(dem_context **context, dem_system **system, dem_status (*scheme)(void *, dem_stepper *, double),
                            double h) {
  const double point[3] = {0, 0, 0}, up[3] = {0, 0, 1}, mass = 1;
  dem_system_options o;
  dem_law_options law;
  dem_integrator_table table;
  dem_integrator *integrator;
  rows r;
  assert_int_equal(dem_context_create(NULL, context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = h;
  o.ledger = 1;
  o.gravity[2] = -WEIGHT / mass;
  assert_int_equal(dem_system_create(*context, &o, system), DEM_OK);
  ASSERT_OK(*system, dem_system_add_material(*system, NULL, NULL));
  dem_law_options_init(&law, sizeof law);
  law.normal_stiffness = STIFFNESS;
  law.tangential = DEM_TANGENTIAL_NONE;
  assert_int_equal(scene_set_law(*context, *system, 0, 0, &law), DEM_OK);
  assert_int_equal(scene_add_plane(*system, 0, point, up), DEM_OK);
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 0, 0, 0.5 - WEIGHT / STIFFNESS, 0.5); /* mass 1 */
  rows_velocity(&r, 0, 0, 0, 0.05);
  ASSERT_OK(*system, rows_add(&r, *system, NULL));
  rows_destroy(&r);
  dem_integrator_table_init(&table, sizeof table);
  table.contract = DEM_INTEGRATOR_CONTRACT;
  table.name = "implicit-euler";
  table.order = 1;
  table.step = scheme;
  assert_int_equal(dem_integrator_create(*context, &table, NULL, &integrator), DEM_OK);
  ASSERT_OK(*system, dem_system_set_integrator(*system, integrator));
  dem_integrator_release(integrator);
}

static double energy_of(const dem_system *system) {
  double x[3], v[3];
  ASSERT_OK(system, dem_system_get_field(system, DEM_POSITION, 1, NULL, x, 0));
  ASSERT_OK(system, dem_system_get_field(system, DEM_VELOCITY, 1, NULL, v, 0));
  const double z = x[2] - (0.5 - WEIGHT / STIFFNESS);
  return 0.5 * v[2] * v[2] + 0.5 * STIFFNESS * z * z;
}

static void implicit_euler_damps_as_it_must(void **state) {
  (void)state;
  for (int s = 0; s < 3; s++) {
    const double wh = s == 0 ? 0.01 : s == 1 ? 0.5 : 20.0, h = wh / sqrt(STIFFNESS);
    const int64_t steps = s == 0 ? 1000 : s == 1 ? 40 : 3;
    dem_context *context;
    dem_system *system;
    dem_energy e;
    double time;
    open_oscillator(&context, &system, step, h);
    const double before = energy_of(system);
    ASSERT_OK(system, dem_system_step(system, steps));
    ASSERT_REL(energy_of(system) / before, pow(1 + wh * wh, -(double)steps), 1e-8);
    ASSERT_OK(system, dem_system_time(system, &time));
    ASSERT_REL(time, h * (double)steps, 1e-12);
    dem_energy_init(&e, sizeof e);
    ASSERT_OK(system, dem_system_energy(system, &e));
    ASSERT_BELOW(e.residual_relative, 1e-12);
    assert_int_equal(dem_system_destroy(system), DEM_OK);
    assert_int_equal(dem_context_destroy(context), DEM_OK);
  }
}

static void a_step_closes_its_trials(void **state) {
  (void)state;
  dem_context *context;
  dem_system *system;
  open_oscillator(&context, &system, forgetful, 1e-3);
  ASSERT_STATUS(system, dem_system_step(system, 1), DEM_FAILED_PLUGIN);
  assert_non_null(strstr(dem_system_message(system), "left 1 trials open"));
  /* the system is lost, and takes the trial with it */
  assert_int_equal(dem_system_destroy(system), DEM_OK);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(implicit_euler_damps_as_it_must),
      cmocka_unit_test(a_step_closes_its_trials),
  };
  return cmocka_run_group_tests_name("trial_step", tests, NULL, NULL);
}
