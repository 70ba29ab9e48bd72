/* Drag in a fluid (doc/drag.md): particles against closed forms, order of convergence, books, impulses, and what must not notice. */
#include "assertions.h"

#include <dem/plugin/integrator.h>
#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"
#include "scenes/world.h"

static const char *const schemes[3] = {"euler", "velocity-verlet", "improved-velocity-verlet"};

static dem_system *create(world *w, const char *scheme, double dt, const double *gravity, int32_t ledger) {
  world_options o = world_defaults();
  o.system.dt = dt;
  o.system.ledger = ledger;
  for (int a = 0; gravity && a < 3; a++) o.system.gravity[a] = gravity[a];
  o.integrator = scheme;
  dem_law_options_init(&o.law, sizeof o.law);
  o.law.normal_stiffness = 100;
  world_open(w, &o);
  return w->system;
}

static double energy_of(const double *v, const double *w) {
  return 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 0.05 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

/* ---- one particle; mass 1, inertia 0.1 ---- */

/* v = u + (v0 - u) exp(-gamma t) at any step, and what the fluid got is what the particle lost. */
static void relaxes_as_it_should(void **state) {
  (void)state;
  const double v0[3] = {1, -2, 0.5}, w0[3] = {0.3, 4, -1}, u[3] = {0.25, 1, -3}, o[3] = {-1, 0, 2}, none[3] = {0};
  const double x[7] = {1e-3, 0.1, 0.6, 1, 30, 1e3, 1e57};
  for (int k = 0; k < 3 * 7; k++) {
    const double dt = 0.01, rate = x[k / 3] / dt, spin_rate = 0.3 * rate;
    world home;
    dem_system *s = create(&home, schemes[k % 3], dt, NULL, 1);
    double v[3], w[3], p[3], l[3];
    world_add_sphere(&home, 0.5, none, v0, w0);
    world_write(&home, DEM_DRAG_RATE, &rate), world_write(&home, DEM_FLUID_VELOCITY, u),
        world_write(&home, DEM_SPIN_DRAG_RATE, &spin_rate), world_write(&home, DEM_FLUID_SPIN, o);
    for (int n = 1; n <= 20; n++) {
      ASSERT_OK(s, dem_system_step(s, 1));
      world_read(&home, DEM_VELOCITY, v), world_read(&home, DEM_SPIN, w), world_read(&home, DEM_DRAG_IMPULSE, p),
          world_read(&home, DEM_DRAG_ANGULAR_IMPULSE, l);
      for (int a = 0; a < 3; a++) {
        ASSERT_ABS(v[a], u[a] + (v0[a] - u[a]) * exp(-rate * dt * n), 1e-14 * 4 * n);
        ASSERT_ABS(w[a], o[a] + (w0[a] - o[a]) * exp(-spin_rate * dt * n), 1e-14 * 5 * n);
        ASSERT_ABS(p[a], v[a] - v0[a], 1e-15 * 4 * n);
        ASSERT_ABS(l[a], 0.1 * (w[a] - w0[a]), 1e-15 * 5 * n);
      }
      const dem_energy e = world_energy(&home);
      ASSERT_ABS(e.drag, energy_of(v0, w0) - energy_of(v, w), 1e-14 * 10);
      ASSERT_ABS(e.torque_drag, energy_of(none, w0) - energy_of(none, w), 1e-14 * 10);
      assert_true(e.host == energy_of(v0, w0) || fabs(e.host - energy_of(v0, w0)) < 1e-14);
      energy_assert_closed(&e, 1e-14, schemes[k % 3]);
    }
    world_close(&home);
  }
}

/* Falling at terminal velocity u + g/gamma for ever: gravity's work is the drag's heat, m g (u + g/gamma) t. */
static void falls_at_terminal_velocity(void **state) {
  (void)state;
  const double g[3] = {0, 0, -9.81}, u[3] = {1, 0, 2}, none[3] = {0};
  for (int k = 0; k < 3 * 3; k++) {
    const double dt = 1e-3, rate = (k / 3 == 0 ? 3.0 : k / 3 == 1 ? 1e3 : 1e6), steps = k / 3 == 0 ? 20000 : 1000;
    world home;
    dem_system *s = create(&home, schemes[k % 3], dt, g, 1);
    double v[3], p[3], p_before[3];
    world_add_sphere(&home, 0.5, none, NULL, NULL);
    world_write(&home, DEM_FLUID_VELOCITY, u), world_write(&home, DEM_DRAG_RATE, &rate);
    ASSERT_OK(s, dem_system_step(s, (int64_t)steps));
    const dem_energy before = world_energy(&home);
    world_read(&home, DEM_DRAG_IMPULSE, p_before);
    ASSERT_OK(s, dem_system_step(s, 1000));
    const dem_energy after = world_energy(&home);
    world_read(&home, DEM_VELOCITY, v), world_read(&home, DEM_DRAG_IMPULSE, p);
    const double end[3] = {1, 0, 2 - 9.81 / rate};
    /* within the distance from which half a step's way to u is still more than half an ulp */
    for (int a = 0; a < 3; a++) ASSERT_ABS(v[a], end[a], 4e-15 + 2.3e-16 / (0.5 * rate * dt));
    ASSERT_REL(after.gravity - before.gravity, 9.81 * end[2], 1e-11);
    ASSERT_REL(after.drag - before.drag, -9.81 * end[2], 1e-11);
    ASSERT_REL(p[2] - p_before[2], 9.81, 1e-11);
    energy_assert_closed(&after, 1e-14 * 20, schemes[k % 3]);
    world_close(&home);
  }
}

/* Under gravity from rest, z = z0 + u_t t - u_t (1 - exp(-gamma t))/gamma with u_t = g/gamma: the velocity is exact, the position of
 * second order. */
static double fall_error(const char *scheme, double dt) {
  const double g[3] = {0, 0, -1}, none[3] = {0}, rate = 2;
  world home;
  dem_system *s = create(&home, scheme, dt, g, 0);
  double x[3], v[3];
  world_add_sphere(&home, 0.5, none, NULL, NULL);
  world_write(&home, DEM_DRAG_RATE, &rate);
  ASSERT_OK(s, dem_system_run_until(s, 1.5));
  world_read(&home, DEM_POSITION, x), world_read(&home, DEM_VELOCITY, v);
  ASSERT_ABS(v[2], -(1 - exp(-3)) / 2, 1e-12);
  world_close(&home);
  return fabs(x[2] + 0.5 * 1.5 - 0.25 * (1 - exp(-3)));
}

/* A sphere held between two springs, x'' = -2k/m x - gamma (x' - u): error of position and velocity after a while. */
static double swing_error(const char *scheme, double dt) {
  const double x0[3] = {0.1, 0, 0}, v0[3] = {0, 0, 0}, rate = 6, u[3] = {1.5, 0, 0}, t = 1.3, k = 200;
  world home;
  dem_system *s = create(&home, scheme, dt, NULL, 1);
  for (int side = -1; side <= 1; side += 2) { /* overlap 0.3 at x = 0: both always touch */
    const double point[3] = {0.2 * side, 0, 0}, normal[3] = {-side, 0, 0};
    ASSERT_OK(s, scene_add_plane(s, 0, point, normal));
  }
  double x[3], v[3];
  world_add_sphere(&home, 0.5, x0, v0, NULL);
  world_write(&home, DEM_DRAG_RATE, &rate), world_write(&home, DEM_FLUID_VELOCITY, u);
  ASSERT_OK(s, dem_system_run_until(s, t));
  world_read(&home, DEM_POSITION, x), world_read(&home, DEM_VELOCITY, v);
  const double rest = rate * u[0] / k, b = rate / 2, f = sqrt(k - b * b), a = x0[0] - rest, c = b * a / f, decay = exp(-b * t);
  const double at = rest + decay * (a * cos(f * t) + c * sin(f * t));
  const double speed = decay * ((c * f - a * b) * cos(f * t) - (a * f + c * b) * sin(f * t));
  const dem_energy e = world_energy(&home);
  energy_assert_closed(&e, 1e-13, scheme);
  world_close(&home);
  return hypot(x[0] - at, (v[0] - speed) / sqrt(k));
}

static void converges(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    const double fall[2] = {fall_error(schemes[k], 1.5 / 256), fall_error(schemes[k], 1.5 / 512)};
    const double swing[2] = {swing_error(schemes[k], 1.3 / 2048), swing_error(schemes[k], 1.3 / 4096)};
    const double orders[2] = {log2(fall[0] / fall[1]), log2(swing[0] / swing[1])};
    print_message("# %s: order %.3f falling, %.3f between springs (error %.1e)\n", schemes[k], orders[0], orders[1], swing[1]);
    assert_true(orders[0] > (k ? 1.98 : 0.98) && orders[0] < (k ? 2.02 : 1.02));
    assert_true(orders[1] > (k ? 1.98 : 0.9) && orders[1] < (k ? 2.02 : 1.2));
  }
}

/* ---- many ---- */

/* Rates from 0 to far above 1/dt and a fluid in motion, another for each particle: the same in any order of rows. */
static void pour_fluid(dem_system *s, double dt, int through_views) {
  int64_t n;
  ASSERT_OK(s, dem_system_particle_count(s, &n));
  dem_id *ids = malloc((size_t)n * sizeof *ids);
  double *v = malloc((size_t)n * 8 * sizeof *v);
  assert_true(ids && v);
  ASSERT_OK(s, dem_system_ids(s, n, ids));
  for (int64_t k = 0; k < n; k++) {
    dice d = {1 + (ids[k] & 0xffffffffu)};
    for (int a = 0; a < 8; a++) v[8 * k + a] = dice_uniform(&d, -1, 1);
    v[8 * k + 3] = k % 5 ? exp(8 * v[8 * k + 3]) / dt : 0;
    v[8 * k + 7] = k % 7 ? exp(8 * v[8 * k + 7]) / dt : 0;
  }
  const int32_t fields[4] = {DEM_FLUID_VELOCITY, DEM_DRAG_RATE, DEM_FLUID_SPIN, DEM_SPIN_DRAG_RATE};
  const int from[4] = {0, 3, 4, 7};
  for (int f = 0; f < 4; f++) {
    if (!through_views) {
      ASSERT_OK(s, dem_system_set_field(s, fields[f], n, NULL, v + from[f], 8));
      continue;
    }
    dem_view view = {.struct_size = sizeof view};
    ASSERT_OK(s, dem_view_acquire(s, fields[f], DEM_WRITE, &view));
    for (int64_t row = 0; row < n; row++) {
      int64_t k = 0;
      while (ids[k] != view.ids[row]) k++;
      for (int32_t a = 0; a < view.components; a++) view.data[row * view.stride + a] = v[8 * k + from[f] + a];
    }
    ASSERT_OK(s, dem_view_release(s, &view));
  }
  free(ids), free(v);
}

/* Position, velocity and impulse of a run; one step a call or many, with and without books, threads, set or view: the same. */
static void same_bits(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    const scene_setup setups[4] = {{.integrator = schemes[k]},
                                   {.integrator = schemes[k], .ledger = 1, .threads = 3},
                                   {.integrator = schemes[k], .ledger = 2},
                                   {.integrator = schemes[k], .threads = 2}};
    snapshot end[4];
    double *impulse[4];
    for (int q = 0; q < 4; q++) {
      world home;
      world_open_scene(&home, "settling", &setups[q]);
      dem_system *s = home.system;
      ASSERT_OK(s, dem_system_step(s, 150));
      pour_fluid(s, 1e-4, q % 2);
      if (q == 3)
        for (int n = 0; n < 400; n++) ASSERT_OK(s, dem_system_step(s, 1));
      else
        ASSERT_OK(s, dem_system_step(s, 400));
      snapshot_take(&end[q], s);
      impulse[q] = malloc((size_t)end[q].count * 3 * sizeof(double));
      assert_non_null(impulse[q]);
      world_read(&home, DEM_DRAG_IMPULSE, impulse[q]);
      world_close(&home);
    }
    for (int q = 1; q < 4; q++) {
      snapshot_assert_same_bits(&end[0], &end[q]);
      ASSERT_BITS(impulse[0], impulse[q], (size_t)end[q].count * 3 * sizeof(double));
    }
    for (int q = 0; q < 4; q++) snapshot_free(&end[q]), free(impulse[q]);
  }
}

/* Kicks, drifts and kicks again under one set of forces. */
static dem_status three_kicks(void *user, dem_stepper *s, double dt) {
  (void)user;
  dem_status status = dem_stepper_kick(s, dt / 4);
  if (!status) status = dem_stepper_drift(s, dt / 2);
  if (!status) status = dem_stepper_kick(s, dt / 4);
  if (!status) status = dem_stepper_drift(s, dt / 2);
  if (!status) status = dem_stepper_evaluate(s, dt);
  if (!status) status = dem_stepper_kick(s, dt / 2);
  return status;
}

/* Whatever the fluid does, with host forces, background drag, books read now and then, any scheme. */
static void books_close(void **state) {
  (void)state;
  const dem_integrator_table table = {.struct_size = sizeof table,
                                      .contract = DEM_INTEGRATOR_CONTRACT,
                                      .name = "three-kicks",
                                      .capabilities = DEM_INTEGRATOR_FORCES_AT_START,
                                      .order = 1,
                                      .step = three_kicks};
  for (int k = 0; k < 8; k++) {
    const scene_setup setup = {.integrator = k % 4 < 3 ? schemes[k % 4] : NULL, .ledger = 1 + k / 4, .drag = k % 2 ? 2 : 0};
    world home;
    world_open_scene(&home, "settling", &setup);
    dem_system *s = home.system;
    if (k % 4 == 3) {
      dem_integrator *own;
      assert_int_equal(dem_integrator_create(home.context, &table, NULL, &own), DEM_OK);
      ASSERT_OK(s, dem_system_set_integrator(s, own));
      dem_integrator_release(own);
    }
    double worst = 0;
    int64_t count;
    ASSERT_OK(s, dem_system_particle_count(s, &count));
    double *force = calloc((size_t)count * 3, sizeof *force);
    assert_non_null(force);
    for (int n = 0; n < 60; n++) {
      if (n % 7 == 0) pour_fluid(s, 1e-4 * (1 + n), n % 2);
      for (int64_t q = 0; q < 3 * count; q++) force[q] = 0.01 * (double)((q + n) % 5);
      if (n % 3 == 0) world_write(&home, DEM_HOST_FORCE, force);
      ASSERT_OK(s, dem_system_step(s, 1 + n % 9));
      if (n % 5 == 0) worst = fmax(worst, world_assert_closed(&home, "fluid"));
    }
    worst = fmax(worst, world_assert_closed(&home, "fluid"));
    print_message("# %d: residual %.1e\n", k, worst);
    free(force);
    world_close(&home);
  }
}

/* Momentum: what particles gained is what gravity, walls and the fluid gave; and impulses can be begun anew. */
static void momentum_is_kept(void **state) {
  (void)state;
  world home;
  world_open_scene(&home, "cluster", NULL);
  dem_system *s = home.system;
  int64_t n;
  ASSERT_OK(s, dem_system_particle_count(s, &n));
  double *v = malloc((size_t)n * 3 * sizeof *v), *m = malloc((size_t)n * sizeof *m), *p = malloc((size_t)n * 3 * sizeof *p);
  assert_true(v && m && p);
  ASSERT_OK(s, dem_system_step(s, 100));
  double gained[3] = {0}, given[3] = {0}, size = 0;
  pour_fluid(s, 1e-2, 0);
  world_read(&home, DEM_MASS, m), world_read(&home, DEM_VELOCITY, v);
  for (int64_t k = 0; k < 3 * n; k++) gained[k % 3] -= m[k / 3] * v[k], size += m[k / 3] * fabs(v[k]);
  ASSERT_OK(s, dem_system_step(s, 50));
  world_read(&home, DEM_DRAG_IMPULSE, p);
  for (int64_t k = 0; k < 3 * n; k++) given[k % 3] += p[k], p[k] = 0;
  world_write(&home, DEM_DRAG_IMPULSE, p);
  ASSERT_OK(s, dem_system_step(s, 250));
  world_read(&home, DEM_DRAG_IMPULSE, p), world_read(&home, DEM_VELOCITY, v);
  for (int64_t k = 0; k < 3 * n; k++) given[k % 3] += p[k], gained[k % 3] += m[k / 3] * v[k];
  for (int a = 0; a < 3; a++) ASSERT_ABS(gained[a], given[a], 1e-13 * size);
  free(v), free(m), free(p);
  world_close(&home);
}

/* A fluid of rate 0 changes no bit; rows keep theirs when sorted, and new particles start without. */
static void rows_keep_their_fluid(void **state) {
  (void)state;
  world home[2];
  int64_t n;
  snapshot end[2];
  for (int k = 0; k < 2; k++) world_open_scene(&home[k], "settling", NULL);
  ASSERT_OK(home[0].system, dem_system_particle_count(home[0].system, &n));
  double *rate = malloc((size_t)(n + 1) * sizeof *rate), *now = malloc((size_t)(n + 1) * sizeof *now);
  assert_true(rate && now);
  for (int64_t k = 0; k < n; k++) rate[k] = 0;
  world_read(&home[1], DEM_DRAG_RATE, now);
  ASSERT_BITS(rate, now, (size_t)n * sizeof *now);
  world_write(&home[1], DEM_DRAG_RATE, rate);
  for (int k = 0; k < 2; k++) {
    ASSERT_OK(home[k].system, dem_system_step(home[k].system, 400));
    snapshot_take(&end[k], home[k].system);
  }
  snapshot_assert_same_bits(&end[0], &end[1]);
  for (int64_t k = 0; k < n; k++) rate[k] = 1e-6 * (double)k;
  world_write(&home[0], DEM_DRAG_RATE, rate);
  int64_t before, after;
  ASSERT_OK(home[0].system, dem_system_epoch(home[0].system, &before));
  ASSERT_OK(home[0].system, dem_system_step(home[0].system, 1500));
  ASSERT_OK(home[0].system, dem_system_epoch(home[0].system, &after));
  assert_true(after > before);
  const double far_up[3] = {0.5, 0.5, 50};
  world_add_sphere(&home[0], 0.5, far_up, NULL, NULL);
  world_read(&home[0], DEM_DRAG_RATE, now);
  ASSERT_BITS(rate, now, (size_t)n * sizeof *now);
  assert_true(now[n] == 0);
  for (int k = 0; k < 2; k++) snapshot_free(&end[k]), world_close(&home[k]);
  free(rate), free(now);
}

/* The velocity that contacts saw: half a step ago on the way to u. */
static void half_step_velocity(void **state) {
  (void)state;
  const double v0[3] = {1, 0, 0}, none[3] = {0}, rate = 50;
  double half[3], force[3], v[3];
  world home;
  dem_system *s = create(&home, schemes[1], 0.01, NULL, 1);
  world_add_sphere(&home, 0.5, none, v0, NULL);
  world_write(&home, DEM_DRAG_RATE, &rate);
  ASSERT_OK(s, dem_system_step(s, 3));
  world_read(&home, DEM_HALF_VELOCITY, half), world_read(&home, DEM_FORCE, force), world_read(&home, DEM_VELOCITY, v);
  ASSERT_REL(half[0], exp(-50 * 0.025), 1e-14);
  ASSERT_REL(force[0], -50 * v[0], 1e-14);
  world_write(&home, DEM_FLUID_VELOCITY, v0); /* which the contacts have not seen */
  world_read(&home, DEM_HALF_VELOCITY, half), world_read(&home, DEM_FORCE, force);
  ASSERT_REL(half[0], exp(-50 * 0.025), 1e-14);
  ASSERT_REL(force[0], 50 * (1 - v[0]), 1e-14);
  world_close(&home);
}

/* ---- refusals ---- */

static void refuse(const world *w, int32_t field, const double *v, const char *says) {
  double before[3] = {0}, after[3] = {0};
  world_read(w, field, before);
  ASSERT_STATUS(w->system, dem_system_set_field(w->system, field, 1, NULL, v, 0), DEM_BAD_ARGUMENT);
  const char *message = dem_system_message(w->system);
  if (!strstr(message, says)) print_error("%s\n", message);
  assert_non_null(strstr(message, says));
  world_read(w, field, after);
  ASSERT_BITS(before, after, sizeof before);
}

static void refusals(void **state) {
  (void)state;
  const double none[3] = {0}, wrong[3] = {0, NAN, 0}, negative = -1, large = 1e61, infinite = INFINITY, good = 3;
  world home;
  dem_system *s = create(&home, schemes[1], 0.01, NULL, 0);
  world_add_sphere(&home, 0.5, none, NULL, NULL);
  refuse(&home, DEM_DRAG_RATE, &negative, "DEM_DRAG_RATE of row 0: value is -1, allowed 0 to 1e+60");
  refuse(&home, DEM_SPIN_DRAG_RATE, &large, "DEM_SPIN_DRAG_RATE of row 0: value [0] is 1e+61, must be finite");
  world_write(&home, DEM_DRAG_RATE, &good);
  refuse(&home, DEM_DRAG_RATE, &infinite, "DEM_DRAG_RATE of row 0: value [0] is inf");
  refuse(&home, DEM_FLUID_VELOCITY, wrong, "DEM_FLUID_VELOCITY of row 0: value [1] is nan");
  refuse(&home, DEM_DRAG_IMPULSE, wrong, "DEM_DRAG_IMPULSE of row 0");
  ASSERT_STATUS(s, dem_system_set_field(s, DEM_CONTACT_FORCE, 1, NULL, none, 0), DEM_NOT_FOUND);
  dem_view view = {.struct_size = sizeof view};
  ASSERT_STATUS(s, dem_view_acquire(s, DEM_CONTACT_FORCE, DEM_WRITE, &view), DEM_BAD_ARGUMENT);
  ASSERT_OK(s, dem_view_acquire(s, DEM_SPIN_DRAG_RATE, DEM_WRITE, &view));
  view.data[0] = -2;
  ASSERT_STATUS(s, dem_view_release(s, &view), DEM_FAILED_PLUGIN);
  world_close(&home);
}

/* In two dimensions nothing leaves the plane. */
static void plane(void **state) {
  (void)state;
  const double none[3] = {0}, out[3] = {0, 0, 1}, in[3] = {1, 2, 0}, rate = 100;
  double v[3], w[3];
  world home;
  world_options o = world_defaults();
  o.system.dt = 0.01;
  o.system.dimension = 2;
  o.without_law = 1;
  world_open(&home, &o);
  world_add_sphere(&home, 0.5, none, NULL, NULL);
  refuse(&home, DEM_FLUID_VELOCITY, out, "leaves the plane");
  refuse(&home, DEM_FLUID_SPIN, in, "leaves the plane");
  world_write(&home, DEM_FLUID_VELOCITY, in), world_write(&home, DEM_FLUID_SPIN, out), world_write(&home, DEM_DRAG_RATE, &rate),
      world_write(&home, DEM_SPIN_DRAG_RATE, &rate);
  dem_law_options law;
  dem_law_options_init(&law, sizeof law);
  law.normal_stiffness = 100;
  world_set_law(&home, 0, 0, &law);
  ASSERT_OK(home.system, dem_system_step(home.system, 100));
  world_read(&home, DEM_VELOCITY, v), world_read(&home, DEM_SPIN, w);
  for (int a = 0; a < 3; a++) ASSERT_ABS(v[a], in[a], 1e-14), ASSERT_ABS(w[a], out[a], 1e-14);
  world_close(&home);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(relaxes_as_it_should),
      cmocka_unit_test(falls_at_terminal_velocity),
      cmocka_unit_test(converges),
      cmocka_unit_test(same_bits),
      cmocka_unit_test(books_close),
      cmocka_unit_test(momentum_is_kept),
      cmocka_unit_test(rows_keep_their_fluid),
      cmocka_unit_test(half_step_velocity),
      cmocka_unit_test(refusals),
      cmocka_unit_test(plane),
  };
  return cmocka_run_group_tests_name("drag", tests, NULL, NULL);
}
