/* Laws that act between surfaces which do not touch: lubrication against its closed form, and every pair within the range
 * against brute force. */
#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/world.h"

static const double pi = 3.14159265358979323846;

typedef struct fluid {
  double viscosity, scale, inner, outer;
} fluid;

enum { STIFFNESS = 10000 };

static dem_law_options law_of(const fluid *f) {
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = STIFFNESS;
  o.tangential = DEM_TANGENTIAL_NONE;
  o.viscosity = f->viscosity;
  if (f->viscosity > 0) {
    o.lubrication_scale = f->scale;
    o.lubrication_inner = f->inner;
    o.lubrication_outer = f->outer;
  }
  return o;
}

typedef struct setup {
  double dt, period;
  int32_t ledger, threads, materials;
  const fluid *fluids; /* of the pairs (0, 0), (0, 1), (1, 1) */
  const char *integrator;
} setup;

static void open_fluid(world *w, const setup *u) {
  world_options o = world_defaults();
  o.system.dt = u->dt;
  o.system.ledger = u->ledger;
  o.system.threads = u->threads ? u->threads : 1;
  for (int a = 0; a < 3 && u->period > 0; a++) {
    o.system.periodic[a] = a < 2;
    o.system.box_high[a] = u->period;
  }
  o.integrator = u->integrator;
  o.materials = u->materials;
  o.without_law = 1;
  world_open(w, &o);
  for (int a = 0; a < u->materials; a++)
    for (int b = a; b < u->materials; b++) {
      const dem_law_options law = law_of(&u->fluids[a + b]);
      world_set_law(w, a, b, &law);
    }
}

/* ---- approach in a fluid ---- */

/* Mass 1, radius 1/2. Two of them 2 h0 apart beyond contact, or one above a wall; returns the speed of approach at gap h less
 * v(h) = v0 - (6 pi eta a^2/m) ln(h0/h), m and a those of the pair. */
static double approach_error(double dt, int wall, const char *integrator) {
  const fluid f = {0.05, 1.0, 0.001, 1.0};
  const setup u = {.dt = dt, .ledger = 1, .materials = 1, .fluids = &f, .integrator = integrator};
  const double a = wall ? 0.5 : 0.25, mass = wall ? 1.0 : 0.5, start = 2 * a, v0 = wall ? -1.0 : -2.0;
  const double drag = 6 * pi * f.viscosity * a * a / mass;
  world w;
  open_fluid(&w, &u);
  rows r;
  assert_int_equal(rows_create(&r, 2), 0);
  /* a little outside of the outer cut-off, so that the law starts at it */
  rows_velocity(&r, rows_put(&r, 0, 0, 0.5 + start + 0.01, 0.5), 0, 0, -1);
  const double floor[3] = {0, 0, 0}, up[3] = {0, 0, 1};
  if (wall)
    ASSERT_OK(w.system, scene_add_plane(w.system, 0, floor, up));
  else
    rows_velocity(&r, rows_put(&r, 0, 0, -0.5, 0.5), 0, 0, 1);
  world_add_rows(&w, &r, NULL);
  double x[6], v[6], gap = start;
  const int64_t n = wall ? 1 : 2;
  while (gap > 0.1 * start) {
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_POSITION, n, NULL, x, 0));
    gap = wall ? x[2] - 0.5 : fabs(x[2] - x[5]) - 1;
  }
  ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_VELOCITY, n, NULL, v, 0));
  const double speed = wall ? v[2] : v[2] - v[5];
  const dem_energy e = world_energy(&w);
  energy_assert_closed(&e, 1e-12, integrator);
  const double lost = 0.5 * mass * (v0 * v0 - speed * speed);
  ASSERT_REL(e.lubrication[wall], lost, 1e-11); /* the fluid takes it all */
  assert_true(e.lubrication[!wall] == 0 && e.damping_normal[0] == 0 && e.damping_normal[1] == 0 && e.elastic_normal[0] == 0);
  ASSERT_OK(w.system, dem_system_contact_count(w.system, &(int64_t){0}));
  world_close(&w);
  return speed - (v0 + drag * log(start / gap));
}

/* The force belongs to the speed half a step (Euler: a step) before: the error is of first order, and small. */
static void approach_follows_the_logarithm(void **state) {
  (void)state;
  for (int wall = 0; wall < 2; wall++)
    for (int euler = 0; euler < 2; euler++) {
      const char *name = euler ? "euler" : "velocity-verlet";
      const double coarse = approach_error(1e-4, wall, name), fine = approach_error(1e-5, wall, name);
      print_message("# %s, %s: off by %.1e, with a tenth of the step %.1e\n", wall ? "wall" : "pair", name, coarse, fine);
      ASSERT_BELOW(fabs(coarse), 1e-3);
      ASSERT_BELOW(fabs(fine), 1e-4);
    }
}

/* ---- against brute force ---- */

enum { GRAINS = 300 };

static const fluid mixed[3] = {{0.5, 1.0, 0.01, 0.6}, {0, 0, 0, 0}, {0.2, 2.0, 0.02, 0.3}};
static const double PERIOD = 9;

static void open_cloud(world *w, const setup *u, double *radius, int32_t *material) {
  open_fluid(w, u);
  const double floor[3] = {0, 0, 0}, up[3] = {0, 0, 1};
  ASSERT_OK(w->system, scene_add_plane(w->system, 0, floor, up));
  rows r;
  dice d = {7};
  assert_int_equal(rows_create(&r, GRAINS), 0);
  for (int k = 0; k < GRAINS; k++) {
    radius[k] = dice_uniform(&d, 0.25, 0.45);
    material[k] = k % 2;
    const int64_t row = rows_put(&r, k % 9 + 0.5, k / 9 % 9 + 0.5, 0.5 + k / 81, radius[k]);
    r.material[row] = material[k];
    rows_velocity(&r, row, dice_uniform(&d, -2, 2), dice_uniform(&d, -2, 2), dice_uniform(&d, -2, 1));
  }
  world_add_rows(w, &r, NULL);
}

/* Force along n on a pair with overlap d (< 0: gap) that parts with v. */
static double law_force(const fluid *f, double d, double v, double radius) {
  if (d > 0) return STIFFNESS * d;
  const double a = f->scale * radius, h = -d;
  if (f->viscosity == 0 || h <= f->inner * 2 * a || h >= f->outer * 2 * a) return 0;
  return -6 * pi * f->viscosity * a * a / h * v;
}

static void add_pair(const double *x, const double *v, double ri, double rj, const fluid *f, double *fi, double *fj) {
  double r[3], square = 0, along = 0;
  for (int a = 0; a < 3; a++) {
    r[a] = x[a] - x[3 + a];
    if (a < 2) r[a] -= PERIOD * round(r[a] / PERIOD);
    square += r[a] * r[a];
  }
  const double length = sqrt(square);
  for (int a = 0; a < 3; a++) along += (v[a] - v[3 + a]) * r[a] / length;
  const double force = law_force(f, ri + rj - length, along, ri * rj / (ri + rj));
  for (int a = 0; a < 3; a++) {
    fi[a] += force * r[a] / length;
    fj[a] -= force * r[a] / length;
  }
}

static void check_forces(const world *w, const double *radius, const int32_t *material) {
  static double x[3 * GRAINS], v[3 * GRAINS], f[3 * GRAINS], expected[3 * GRAINS];
  world_read(w, DEM_POSITION, x);
  world_read(w, DEM_HALF_VELOCITY, v);
  world_read(w, DEM_FORCE, f);
  memset(expected, 0, sizeof expected);
  for (int i = 0; i < GRAINS; i++) {
    expected[3 * i + 2] += law_force(&mixed[material[i]], radius[i] - x[3 * i + 2], v[3 * i + 2], radius[i]);
    for (int j = 0; j < i; j++) {
      double y[6], u[6];
      memcpy(y, x + 3 * i, 3 * sizeof *y);
      memcpy(y + 3, x + 3 * j, 3 * sizeof *y);
      memcpy(u, v + 3 * i, 3 * sizeof *u);
      memcpy(u + 3, v + 3 * j, 3 * sizeof *u);
      add_pair(y, u, radius[i], radius[j], &mixed[material[i] + material[j]], expected + 3 * i, expected + 3 * j);
    }
  }
  /* gaps are differences of lengths near 1: 1e-16 in the overlap is 1e-12 in force; in h it is relative 1e-14 */
  for (int k = 0; k < 3 * GRAINS; k++) ASSERT_ABS(f[k], expected[k], 1e-10);
}

static void no_pair_in_range_is_missed(void **state) {
  (void)state;
  double radius[GRAINS];
  int32_t material[GRAINS];
  const setup u = {.dt = 1e-4, .period = PERIOD, .materials = 2, .fluids = mixed, .ledger = 2};
  world w;
  open_cloud(&w, &u, radius, material);
  const double down[3] = {0, 0, -5};
  ASSERT_OK(w.system, dem_system_set_gravity(w.system, down));
  for (int k = 0; k < 60; k++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 100));
    ASSERT_OK(w.system, dem_system_check(w.system));
    check_forces(&w, radius, material);
    world_assert_closed(&w, "gaps");
  }
  const dem_energy e = world_energy(&w);
  assert_true(e.lubrication[0] > 0 && e.lubrication[1] > 0);
  const dem_statistics t = world_statistics(&w);
  assert_true(t.rebuilds > 5);
  world_close(&w);
}

/* Threads and ledger change no bit. */
static void same_bits(void **state) {
  (void)state;
  static double first[6 * GRAINS], now[6 * GRAINS];
  double radius[GRAINS];
  int32_t material[GRAINS];
  for (int k = 0; k < 4; k++) {
    const setup u = {.dt = 1e-4, .period = PERIOD, .materials = 2, .fluids = mixed, .ledger = k / 2, .threads = k % 2 ? 3 : 1};
    world w;
    open_cloud(&w, &u, radius, material);
    ASSERT_OK(w.system, dem_system_step(w.system, 1500));
    double *out = k ? now : first;
    world_read(&w, DEM_POSITION, out);
    world_read(&w, DEM_VELOCITY, out + 3 * GRAINS);
    if (k) ASSERT_BITS(first, now, sizeof first);
    world_close(&w);
  }
}

/* A box that is large enough for contacts may be too small for the range. */
static void box_must_hold_the_range(void **state) {
  (void)state;
  const fluid f = {0.1, 1.0, 0.001, 10.0};
  const setup u = {.dt = 1e-4, .period = 3, .materials = 1, .fluids = &f};
  world w;
  open_fluid(&w, &u);
  world_add_sphere(&w, 0.5, (double[3]){1, 1, 1}, NULL, NULL);
  ASSERT_STATUS(w.system, dem_system_step(w.system, 1), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(w.system), "gap 5"));
  world_close(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(approach_follows_the_logarithm),
      cmocka_unit_test(no_pair_in_range_is_missed),
      cmocka_unit_test(same_bits),
      cmocka_unit_test(box_must_hold_the_range),
  };
  return cmocka_run_group_tests_name("gaps", tests, NULL, NULL);
}
