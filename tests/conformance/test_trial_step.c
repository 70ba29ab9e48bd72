/* An integrator that takes its steps over trials: implicit Euler,
 *
 *   v' = v + h F(x')/m,      x' = x + h v'.
 *
 * A sphere on a wall with a linear spring k swings about its rest height with w = sqrt(k/m). Each step multiplies the complex amplitude by
 * 1/(1 - i w h), so that the energy falls by 1/(1 + (w h)^2), whatever h. */
#include "assertions.h"

#include <dem/plugin/trial.h>
#include <stdlib.h>

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

/* ---- memory ---- */

typedef struct counter {
  int64_t allocations, bytes;
} counter;

static void *count(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  counter *c = user;
  void *fresh = NULL;
  if (new_size > 0) {
    c->allocations++;
    fresh = aligned_alloc(alignment, (new_size + alignment - 1) / alignment * alignment);
    assert_non_null(fresh);
    if (pointer) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
  }
  free(pointer);
  c->bytes += (int64_t)new_size - (int64_t)old_size;
  return fresh;
}

/* A step of a host with vectors of its own: v' = v - h g(u)/m with u = h v, which is enough to move everything. */
typedef struct host {
  int32_t friction;
  double u[6000], g[6000], velocity[6000];
} host;

static dem_status step_of_host(void *user, dem_stepper *stepper, double h) {
  host *s = user;
  const dem_trial_options options = {
      .struct_size = sizeof options, .rotations = 1, .alpha = 1, .dt = h, .friction = s->friction};
  dem_trial *trial;
  dem_trial_rows all;
  dem_status status = dem_stepper_trial(stepper, &options, &trial);
  if (status) return status;
  dem_trial_rows_init(&all, sizeof all);
  dem_trial_get_rows(trial, &all);
  assert_true(all.unknowns <= 6000);
  for (int64_t k = 0; k < all.unknowns; k++) s->u[k] = k < all.particles * all.width ? h * all.velocity[k] : 0;
  for (int pass = 0; pass < 2 && !status; pass++) {
    status = dem_trial_evaluate(trial, s->u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, s->g);
    if (!status && s->friction && pass == 0) status = dem_trial_lag(trial);
    if (!status) status = dem_trial_apply(trial, s->u, s->velocity);
  }
  for (int64_t k = 0; k < all.particles * all.width; k++) {
    const int32_t turns = k % all.width >= all.width / 2;
    const double inverse = turns ? all.inverse_inertia[k / all.width] : all.inverse_mass[k / all.width];
    s->velocity[k] = 0.99 * all.velocity[k] - h * inverse * s->g[k];
  }
  if (!status) status = dem_trial_accept(trial, s->velocity);
  dem_trial_close(trial);
  return status;
}

static void set_steps(dem_context *context, dem_system *system, host *s) {
  dem_integrator_table table;
  dem_integrator *integrator;
  dem_integrator_table_init(&table, sizeof table);
  table.contract = DEM_INTEGRATOR_CONTRACT;
  table.name = "host";
  table.order = 1;
  table.step = step_of_host;
  assert_int_equal(dem_integrator_create(context, &table, s, &integrator), DEM_OK);
  ASSERT_OK(system, dem_system_set_integrator(system, integrator));
  dem_integrator_release(integrator);
}

/* The memory of a trial is that of the one before: after a few steps nothing is allocated any more, and all of it is given back. */
static void steps_allocate_nothing(void **state) {
  (void)state;
  static host s;
  const char *const names[] = {"settling", "packing2d", "powder"};
  for (int n = 0; n < 3; n++)
    for (s.friction = 0; s.friction < 2; s.friction++) {
      const scene_setup setup = {.particles = 150};
      counter memory = {0, 0};
      dem_context_options o;
      dem_context *context;
      dem_system *system;
      dem_context_options_init(&o, sizeof o);
      o.allocate = count, o.allocate_user = &memory;
      assert_int_equal(dem_context_create(&o, &context), DEM_OK);
      assert_int_equal(scene_build(scene_find(names[n]), context, &setup, &system), DEM_OK);
      ASSERT_OK(system, dem_system_step(system, 2000));
      set_steps(context, system, &s);
      ASSERT_OK(system, dem_system_step(system, 10));
      const int64_t before = memory.allocations;
      ASSERT_OK(system, dem_system_step(system, 100));
      print_message("# %s, friction %d: %d allocations in 10 steps, %d in the next 100\n", names[n], s.friction, (int)before,
                    (int)(memory.allocations - before));
      assert_int_equal(memory.allocations, before);
      assert_int_equal(dem_system_destroy(system), DEM_OK);
      assert_int_equal(dem_context_destroy(context), DEM_OK);
      assert_int_equal(memory.bytes, 0);
    }
}

/* Energy, gradient and K u of a trial at a random u into `out`; 2 unknowns + 1 numbers. */
static int64_t try_state(dem_system *system, const dem_trial_options *o, double size, double *out) {
  static double u[6000];
  dem_trial *trial;
  dem_trial_rows all;
  dice d = {23};
  ASSERT_OK(system, dem_trial_open(system, o, &trial));
  dem_trial_rows_init(&all, sizeof all);
  ASSERT_OK(system, dem_trial_get_rows(trial, &all));
  assert_true(all.unknowns <= 6000);
  for (int64_t k = 0; k < all.unknowns; k++) u[k] = k < all.particles * all.width ? dice_uniform(&d, -size, size) : 0;
  ASSERT_OK(system, dem_trial_evaluate(trial, u, DEM_TRIAL_ENERGY | DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, out, out + 1));
  if (o->friction) {
    ASSERT_OK(system, dem_trial_lag(trial));
    ASSERT_OK(system, dem_trial_evaluate(trial, u, DEM_TRIAL_ENERGY | DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, out, out + 1));
  }
  ASSERT_OK(system, dem_trial_apply(trial, u, out + 1 + all.unknowns));
  assert_int_equal(dem_trial_close(trial), DEM_OK);
  return 2 * all.unknowns + 1;
}

/* A trial in the memory of others gives the bits of one in fresh memory. */
static void memory_of_others_changes_no_bit(void **state) {
  (void)state;
  static double wanted[12001], got[12001];
  const dem_trial_options all[] = {{.struct_size = sizeof all[0], .rotations = 1, .alpha = 1},
                                   {.struct_size = sizeof all[0], .rotations = 0, .alpha = 0.5, .dt = 1e-3},
                                   {.struct_size = sizeof all[0], .rotations = 1, .alpha = 1, .friction = 1},
                                   {.struct_size = sizeof all[0], .rotations = 1, .alpha = 1, .box = 1}};
  for (int k = 0; k < 4; k++) {
    const scene_setup setup = {.particles = 150};
    dem_context *context;
    dem_system *fresh, *used;
    assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
    assert_int_equal(scene_build(scene_find("packing2d"), context, &setup, &fresh), DEM_OK);
    assert_int_equal(scene_build(scene_find("packing2d"), context, &setup, &used), DEM_OK);
    ASSERT_OK(fresh, dem_system_step(fresh, 300));
    ASSERT_OK(used, dem_system_step(used, 300));
    for (int n = 0; n < 4; n++) try_state(used, &all[n], n == 1 ? 3 : 0.1, got);
    const int64_t count = try_state(fresh, &all[k], 1e-3, wanted);
    assert_int_equal(try_state(used, &all[k], 1e-3, got), count);
    ASSERT_BITS(wanted, got, (size_t)count * sizeof *got);
    assert_int_equal(dem_system_destroy(fresh), DEM_OK);
    assert_int_equal(dem_system_destroy(used), DEM_OK);
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
      cmocka_unit_test(steps_allocate_nothing),
      cmocka_unit_test(memory_of_others_changes_no_bit),
      cmocka_unit_test(a_step_closes_its_trials),
  };
  return cmocka_run_group_tests_name("trial_step", tests, NULL, NULL);
}
