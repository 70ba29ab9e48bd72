/* See integrator_suite.h. */
#include "integrator_suite.h"

#include "assertions.h"

#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"

static const double PI = 3.14159265358979323846, EPSILON = 2.2e-16;

typedef struct suite {
  dem_context *context;
  const dem_integrator *integrator;
  const integrator_facts *facts;
} suite;

/* One sphere of mass 1 over a floor of stiffness 1000, elastic and smooth. */
static dem_system *one_sphere(const suite *s, double dt, double g, double z, double v) {
  dem_system_options o;
  dem_law_options law;
  dem_system *system;
  rows r;
  dem_system_options_init(&o, sizeof o);
  o.dt = dt;
  o.gravity[2] = -g;
  o.ledger = 1;
  assert_int_equal(dem_system_create(s->context, &o, &system), DEM_OK);
  ASSERT_OK(system, dem_system_set_integrator(system, s->integrator));
  ASSERT_OK(system, dem_system_add_material(system, NULL, NULL));
  dem_law_options_init(&law, sizeof law);
  law.tangential = DEM_TANGENTIAL_NONE;
  law.normal_stiffness = 1000;
  assert_int_equal(scene_set_law(s->context, system, 0, 0, &law), DEM_OK);
  ASSERT_OK(system, scene_add_plane(system, 0, (double[3]){0, 0, 0}, (double[3]){0, 0, 1}));
  assert_int_equal(rows_create(&r, 1), 0);
  rows_velocity(&r, rows_put(&r, 0, 0, z, 0.5), 0, 0, v);
  ASSERT_OK(system, rows_add(&r, system, NULL));
  rows_destroy(&r);
  return system;
}

static void height_and_speed(const dem_system *system, double *z, double *v) {
  double x[3], u[3];
  ASSERT_OK(system, dem_system_get_field(system, DEM_POSITION, 1, NULL, x, 0));
  ASSERT_OK(system, dem_system_get_field(system, DEM_VELOCITY, 1, NULL, u, 0));
  *z = x[2];
  *v = u[2];
}

/* ---- order ---- */

/* A sphere that sways on its floor without leaving it: z = z_e + A cos wt, harmonic and smooth. m = 1, k = 1000, g = 10: it
 * rests at an overlap of 0.01; amplitude 0.006. */
static double oscillator_error(const suite *s, int steps) {
  const double w = sqrt(1000), amplitude = 0.006, rest = 0.5 - 0.01, t = 1.3 * 2 * PI / w;
  dem_system *system = one_sphere(s, t / steps, 10, rest + amplitude, 0);
  double z, v;
  ASSERT_OK(system, dem_system_step(system, steps));
  height_and_speed(system, &z, &v);
  dem_system_destroy(system);
  return hypot(z - rest - amplitude * cos(w * t), (v + amplitude * w * sin(w * t)) / w) / amplitude;
}

/* 0.1 is what the next term of the error expansion may take from the exponent at wt/steps = 0.04 to 0.01. */
static void has_its_order(const suite *s) {
  double coarse = oscillator_error(s, 200);
  for (int steps = 400; steps <= 1600; steps *= 2) {
    const double fine = oscillator_error(s, steps), order = log2(coarse / fine);
    if (fine < 1e-11) return; /* round-off */
    if (steps == 1600) print_message("# %s: order %.3f\n", s->facts->name, order);
    if (steps > 400 || s->facts->order > 1) ASSERT_ABS(order, s->facts->order, 0.1);
    coarse = fine;
  }
}

/* ---- free flight ---- */

/* Constant force: exact for order two and more; a first-order scheme is off by at most g t dt in the path and exact in the
 * velocity. One rounding of numbers of size 5 in each of 100 steps. */
static void flies_as_galileo_says(const suite *s) {
  const double dt = 1e-3, t = 0.1, g = 10;
  double z, v;
  dem_system *system = one_sphere(s, dt, g, 5, 1);
  ASSERT_OK(system, dem_system_step(system, 100));
  height_and_speed(system, &z, &v);
  ASSERT_ABS(v, 1 - g * t, 100 * 5 * EPSILON);
  ASSERT_ABS(z, 5 + t - g * t * t / 2, (s->facts->order > 1 ? 0 : g * t * dt) + 100 * 5 * EPSILON);
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(system, dem_system_energy(system, &e));
  ASSERT_BELOW(e.residual_relative, 1e-12);
  dem_system_destroy(system);
}

/* Forces do not depend on time: a start at another time gives the same bits. */
static void does_not_look_at_the_clock(const suite *s) {
  double z[2], v[2];
  for (int late = 0; late < 2; late++) {
    dem_system *system = one_sphere(s, 1e-3, 10, 0.495, 0.01);
    if (late) {
      /* Wait, then start over from the very same state. */
      const double x0[3] = {0, 0, 0.495}, v0[3] = {0, 0, 0.01}, up[3] = {0, 0, 4};
      ASSERT_OK(system, dem_system_set_field(system, DEM_POSITION, 1, NULL, up, 0));
      ASSERT_OK(system, dem_system_step(system, 333));
      ASSERT_OK(system, dem_system_set_field(system, DEM_POSITION, 1, NULL, x0, 0));
      ASSERT_OK(system, dem_system_set_field(system, DEM_VELOCITY, 1, NULL, v0, 0));
    }
    ASSERT_OK(system, dem_system_step(system, 200));
    height_and_speed(system, &z[late], &v[late]);
    dem_system_destroy(system);
  }
  ASSERT_BITS(z, z + 1, sizeof z[0]);
  ASSERT_BITS(v, v + 1, sizeof v[0]);
}

/* Particles at rest without forces stay, bit for bit. */
static void leaves_alone_what_rests(const suite *s) {
  double z, v;
  dem_system *system = one_sphere(s, 1e-3, 0, 1.2345, 0);
  ASSERT_OK(system, dem_system_step(system, 100));
  height_and_speed(system, &z, &v);
  assert_true(z == 1.2345 && v == 0);
  dem_system_destroy(system);
}

/* ---- many bodies ---- */

static void momentum(const dem_system *system, double p[3], double l[3], double *p_size, double *l_size) {
  snapshot s;
  snapshot_take(&s, system);
  double *m = calloc((size_t)s.count, sizeof *m), *inertia = calloc((size_t)s.count, sizeof *inertia);
  ASSERT_OK(system, dem_system_get_field(system, DEM_MASS, s.count, NULL, m, 0));
  ASSERT_OK(system, dem_system_get_field(system, DEM_INERTIA, s.count, NULL, inertia, 0));
  *p_size = *l_size = 0;
  for (int k = 0; k < 3; k++) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    p[k] = l[k] = 0;
    for (int64_t i = 0; i < s.count; i++) {
      const double angular =
          m[i] * (s.x[3 * i + a] * s.v[3 * i + b] - s.x[3 * i + b] * s.v[3 * i + a]) + inertia[i] * s.w[3 * i + k];
      p[k] += m[i] * s.v[3 * i + k];
      l[k] += angular;
      *p_size += m[i] * fabs(s.v[3 * i + k]);
      *l_size += fabs(angular);
    }
  }
  free(m);
  free(inertia);
  snapshot_free(&s);
}

/* A free cluster of frictional spheres: 500 steps, each rounding every velocity by 1.1e-16 twice. */
static void conserves_momentum_and_keeps_books(const suite *s) {
  const scene_setup setup = {.particles = 60, .ledger = 1};
  dem_system *system;
  double p0[3], p1[3], l0[3], l1[3], p_size, l_size;
  dem_energy e;
  assert_int_equal(scene_build(scene_find("cluster"), s->context, &setup, &system), DEM_OK);
  ASSERT_OK(system, dem_system_set_integrator(system, s->integrator));
  momentum(system, p0, l0, &p_size, &l_size);
  ASSERT_OK(system, dem_system_step(system, 500));
  momentum(system, p1, l1, &p_size, &l_size);
  for (int k = 0; k < 3; k++) {
    ASSERT_BELOW(fabs(p1[k] - p0[k]) / p_size, 500 * EPSILON);
    if (s->facts->angular_momentum) ASSERT_BELOW(fabs(l1[k] - l0[k]) / l_size, 500 * EPSILON);
  }
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(system, dem_system_energy(system, &e));
  assert_true(e.elastic_normal[0] != 0 && e.sliding[0] > 0);
  ASSERT_BELOW(e.residual_relative, 1e-12);
  ASSERT_OK(system, dem_system_check(system));
  dem_system_destroy(system);
}

/* Every scene runs and its books close; the ledger does not change a bit; nor do threads. */
static void runs_every_scene(const suite *s) {
  for (int i = 0; i < scene_count; i++) {
    snapshot end[3];
    for (int run = 0; run < 3; run++) {
      const scene_setup setup = {.ledger = run != 1, .threads = run == 2 ? 2 : 1};
      dem_system *system;
      dem_energy e;
      assert_int_equal(scene_build(&scenes[i], s->context, &setup, &system), DEM_OK);
      ASSERT_OK(system, dem_system_set_integrator(system, s->integrator));
      ASSERT_OK(system, scene_run(&scenes[i], system, scenes[i].steps / 3));
      dem_energy_init(&e, sizeof e);
      ASSERT_OK(system, dem_system_energy(system, &e));
      ASSERT_BELOW(e.residual_relative, 1e-12);
      snapshot_take(&end[run], system);
      dem_system_destroy(system);
    }
    snapshot_assert_same_bits(&end[0], &end[1]);
    snapshot_assert_same_bits(&end[0], &end[2]);
    for (int run = 0; run < 3; run++) snapshot_free(&end[run]);
  }
}

/* run_until changes dt for its steps only, and ends on time. */
static void ends_on_time(const suite *s) {
  double z, v, t;
  dem_system *system = one_sphere(s, 1e-3, 10, 5, 0);
  ASSERT_OK(system, dem_system_run_until(system, 0.0123456));
  ASSERT_OK(system, dem_system_time(system, &t));
  height_and_speed(system, &z, &v);
  assert_true(t == 0.0123456);
  ASSERT_REL(v, -0.123456, 100 * EPSILON);
  dem_system_destroy(system);
}

void integrator_conformance(dem_context *context, const dem_integrator *integrator, const integrator_facts *facts) {
  const suite s = {context, integrator, facts};
  leaves_alone_what_rests(&s);
  flies_as_galileo_says(&s);
  does_not_look_at_the_clock(&s);
  ends_on_time(&s);
  has_its_order(&s);
  conserves_momentum_and_keeps_books(&s);
  runs_every_scene(&s);
}
