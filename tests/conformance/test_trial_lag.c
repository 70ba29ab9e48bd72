/* Trials with lagged friction: the promises of dem_trial_lag, over frictional scenes.
 *
 *   energy    central differences of the energy are the gradient, stick and slip, also far from where the caps were taken; with the normal
 *             force of the evaluation itself they are not
 *   tangent   K is symmetric, and behind dem_trial_lag the derivative of the gradient
 *   iterates  behind dem_trial_lag the gradient is the implicit one; solving and taking caps in turn comes to the implicit equations
 *   opening   the energy has no step where a contact with a cap opens, nor where one without begins
 *   list      caps and histories survive a search of the list, also where their contacts are out of it for a while */
#include "assertions.h"

#include <dem/plugin/trial.h>
#include <stdlib.h>

#include "scenes/scenes.h"

typedef struct world {
  dem_context *context;
  dem_system *system;
  dem_trial *trial;
  dem_trial_rows rows;
  int64_t n;
  double *u, *g, *p, *q, *kp, *kq;
} world;

/* Hooke and springs of constant stiffness, nothing damped. */
static void frictional(dem_law_options *law, double friction, int turning) {
  dem_law_options_init(law, sizeof *law);
  law->normal_stiffness = 1e5;
  law->tangential_stiffness = 5e4;
  law->friction = friction;
  if (!turning) return;
  law->rolling = DEM_ROLLING_SPRING, law->rolling_stiffness = 3e4, law->rolling_friction = 0.05;
  law->twisting = DEM_TWISTING_SPRING, law->twisting_stiffness = 2e4, law->twisting_friction = 0.03;
}

static void open_world(world *w, const char *name, const dem_law_options *law, int64_t steps) {
  const scene_setup setup = {.law = law, .particles = 200};
  memset(w, 0, sizeof *w);
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  assert_int_equal(scene_build(scene_find(name), w->context, &setup, &w->system), DEM_OK);
  ASSERT_OK(w->system, dem_system_step(w->system, steps));
}

static void open_turning_trial(world *w, int32_t friction, double dt, double alpha, int32_t rotations) {
  dem_trial_options o;
  dem_trial_options_init(&o, sizeof o);
  o.friction = friction, o.dt = dt, o.alpha = alpha, o.rotations = rotations;
  ASSERT_OK(w->system, dem_trial_open(w->system, &o, &w->trial));
  dem_trial_rows_init(&w->rows, sizeof w->rows);
  ASSERT_OK(w->system, dem_trial_get_rows(w->trial, &w->rows));
  w->n = w->rows.unknowns;
  double **const vectors[] = {&w->u, &w->g, &w->p, &w->q, &w->kp, &w->kq};
  for (int k = 0; k < 6; k++) assert_non_null(*vectors[k] = calloc((size_t)w->n + 1, sizeof(double)));
}

static void open_trial(world *w, int32_t friction, double dt, double alpha) { open_turning_trial(w, friction, dt, alpha, 1); }

static void close_trial(world *w) {
  double *const vectors[] = {w->u, w->g, w->p, w->q, w->kp, w->kq};
  assert_int_equal(dem_trial_close(w->trial), DEM_OK);
  for (int k = 0; k < 6; k++) free(vectors[k]);
}

static void close_world(world *w) {
  assert_int_equal(dem_system_destroy(w->system), DEM_OK);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

static double evaluate(world *w, const double *u, double *g) {
  double energy = 0;
  ASSERT_OK(w->system, dem_trial_evaluate(w->trial, u, DEM_TRIAL_ENERGY | DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, &energy, g));
  return energy;
}

/* Of particles, and displacements of walls. */
static void randomize(world *w, dice *d, double size, double *out) {
  const int64_t walls = w->rows.particles * w->rows.width;
  for (int64_t k = 0; k < w->n; k++) out[k] = dice_uniform(d, -size, size);
  for (int64_t k = walls; k < w->n; k++)
    if ((k - walls) % w->rows.wall_width >= (w->rows.wall_width + 1) / 2) out[k] = 0;
}

static double dot(const world *w, const double *a, const double *b) {
  double sum = 0;
  for (int64_t k = 0; k < w->n; k++) sum += a[k] * b[k];
  return sum;
}

/* Length of a - b (b NULL: 0) without moments on walls: K leaves out the path of contact points along a wall. */
static double distance(const world *w, const double *a, const double *b) {
  const int64_t walls = w->rows.particles * w->rows.width;
  double sum = 0;
  for (int64_t k = 0; k < w->n; k++) {
    const double d = a[k] - (b ? b[k] : 0);
    sum += k >= walls && (k - walls) % w->rows.wall_width >= (w->rows.wall_width + 1) / 2 ? 0 : d * d;
  }
  return sqrt(sum);
}

/* ---- energy ---- */

/* dE/ds along a direction at u, by central differences with steps e and e/2, extrapolated to order e^4. */
static double slope(world *w, const double *at, const double *way, double e) {
  double *u = malloc((size_t)w->n * sizeof *u), *g = malloc((size_t)w->n * sizeof *g), central[2];
  for (int level = 0; level < 2; level++) {
    const double step = level ? 0.5 * e : e;
    double energy[2];
    for (int side = 0; side < 2; side++) {
      for (int64_t k = 0; k < w->n; k++) u[k] = at[k] + (side ? -step : step) * way[k];
      energy[side] = evaluate(w, u, g);
    }
    central[level] = (energy[0] - energy[1]) / (2 * step);
  }
  free(u);
  free(g);
  return (4 * central[1] - central[0]) / 3;
}

/* The largest difference of dE/ds and gradient.way, over the sum of the sizes of the products. `size` of the displacement at which the
 * derivative is taken; caps are those of another, half as far. */
static double energy_error(const char *name, const dem_law_options *law, int64_t steps, int32_t friction, double dt,
                           double size) {
  const double alpha = dt > 0 ? 0.5 : 1;
  world w;
  dice d = {42};
  double worst = 0;
  open_world(&w, name, law, steps);
  open_trial(&w, friction, dt, alpha);
  for (int round = 0; round < 4; round++) {
    double sizes = 0;
    randomize(&w, &d, 0.5 * size, w.u);
    evaluate(&w, w.u, w.g);
    if (friction == DEM_TRIAL_FRICTION_LAGGED && round % 2) ASSERT_OK(w.system, dem_trial_lag(w.trial));
    randomize(&w, &d, size, w.u);
    randomize(&w, &d, 1, w.p);
    evaluate(&w, w.u, w.g);
    for (int64_t k = 0; k < w.n; k++) sizes += fabs(w.g[k] * w.p[k]);
    worst = fmax(worst, fabs(slope(&w, w.u, w.p, 1e-8) / alpha - dot(&w, w.g, w.p)) / sizes);
  }
  close_trial(&w);
  close_world(&w);
  return worst;
}

static void gradients_are_slopes_of_the_energy(void **state) {
  (void)state;
  const int32_t lagged = DEM_TRIAL_FRICTION_LAGGED;
  dem_law_options law;
  for (int turning = 0; turning < 2; turning++) {
    frictional(&law, 0.2, turning);
    ASSERT_BELOW(energy_error("packing2d", &law, 300, lagged, 0, 1e-3), 1e-6);
    ASSERT_BELOW(energy_error("settling", &law, 700, lagged, 0, 1e-3), 1e-6);
    ASSERT_BELOW(energy_error("settling", &law, 700, lagged, 0, 2e-2), 1e-6); /* contacts open and begin */
    ASSERT_BELOW(energy_error("settling", &law, 700, lagged, 1e-3, 1e-3), 1e-6);
  }
  assert_true(energy_error("settling", &law, 700, DEM_TRIAL_FRICTION_IMPLICIT, 0, 1e-3) > 1e-3);
}

/* ---- tangents ---- */

/* |p.Kq - q.Kp| over |p||Kq|, at u. */
static double asymmetry(world *w, dice *d) {
  randomize(w, d, 1, w->p);
  randomize(w, d, 1, w->q);
  ASSERT_OK(w->system, dem_trial_apply(w->trial, w->p, w->kp));
  ASSERT_OK(w->system, dem_trial_apply(w->trial, w->q, w->kq));
  return fabs(dot(w, w->p, w->kq) - dot(w, w->q, w->kp)) / sqrt(dot(w, w->p, w->p) * dot(w, w->kq, w->kq));
}

/* Relative error of K p against differences of the gradient at u. */
static double tangent_error(world *w, dice *d) {
  const double e = 1e-8;
  double *at = malloc((size_t)w->n * sizeof *at), *plus = w->q, *minus = w->kq;
  randomize(w, d, 1, w->p);
  ASSERT_OK(w->system, dem_trial_apply(w->trial, w->p, w->kp));
  for (int side = 0; side < 2; side++) {
    for (int64_t k = 0; k < w->n; k++) at[k] = w->u[k] + (side ? -e : e) * w->p[k];
    evaluate(w, at, side ? minus : plus);
  }
  for (int64_t k = 0; k < w->n; k++) plus[k] = (plus[k] - minus[k]) / (2 * e);
  free(at);
  return distance(w, w->kp, plus) / distance(w, plus, NULL);
}

static void tangents_are_symmetric(void **state) {
  (void)state;
  const char *names[] = {"packing2d", "settling"};
  dem_law_options law;
  frictional(&law, 0.2, 1);
  for (int n = 0; n < 2; n++)
    for (int32_t friction = 0; friction < 2; friction++) {
      world w;
      dice d = {7};
      open_world(&w, names[n], &law, 700);
      open_trial(&w, friction, 0, 1);
      randomize(&w, &d, 1e-3, w.u);
      evaluate(&w, w.u, w.g);
      const double away = asymmetry(&w, &d);
      print_message("%s, friction %d: asymmetry %.2g\n", names[n], friction, away);
      if (friction == DEM_TRIAL_FRICTION_IMPLICIT) assert_true(away > 1e-5);
      if (friction == DEM_TRIAL_FRICTION_LAGGED) {
        ASSERT_BELOW(away, 1e-13);
        ASSERT_OK(w.system, dem_trial_lag(w.trial));
        evaluate(&w, w.u, w.g);
        ASSERT_BELOW(asymmetry(&w, &d), 1e-13);
        ASSERT_BELOW(tangent_error(&w, &d), 1e-6);
      }
      close_trial(&w);
      close_world(&w);
    }
}

/* ---- outer iterates ---- */

/* Behind dem_trial_lag, at the same u, the gradient is the implicit one, in statics and in a step, whatever the law. */
static void caps_of_here_are_implicit(void **state) {
  (void)state;
  const char *names[] = {"packing2d", "settling", "hertz-bed", "powder", "busy", "settling"};
  const int64_t steps[] = {300, 1000, 1300, 1000, 500, 1000};
  dem_law_options wet;
  frictional(&wet, 0.2, 0);
  wet.viscosity = 1e-3;
  for (int n = 0; n < 6; n++)
    for (int step = 0; step < 2; step++) {
      world w;
      dice d = {11};
      open_world(&w, names[n], n == 5 ? &wet : NULL, steps[n]);
      open_trial(&w, DEM_TRIAL_FRICTION_IMPLICIT, step ? 1e-4 : 0, step ? 0.5 : 1);
      double *implicit = malloc(((size_t)w.n + 1) * sizeof *implicit), *u = malloc(((size_t)w.n + 1) * sizeof *u);
      randomize(&w, &d, 1e-4, u);
      ASSERT_OK(w.system, dem_trial_evaluate(w.trial, u, DEM_TRIAL_FORCE, NULL, implicit));
      close_trial(&w);
      open_trial(&w, DEM_TRIAL_FRICTION_LAGGED, step ? 1e-4 : 0, step ? 0.5 : 1);
      ASSERT_OK(w.system, dem_trial_evaluate(w.trial, u, DEM_TRIAL_FORCE, NULL, w.g));
      assert_true(distance(&w, w.g, implicit) > 1e-6 * distance(&w, implicit, NULL));
      ASSERT_OK(w.system, dem_trial_lag(w.trial));
      ASSERT_OK(w.system, dem_trial_evaluate(w.trial, u, DEM_TRIAL_FORCE, NULL, w.g));
      ASSERT_BELOW(distance(&w, w.g, implicit), 1e-13 * distance(&w, implicit, NULL));
      free(implicit);
      free(u);
      close_trial(&w);
      close_world(&w);
    }
}

/* Conjugate gradients for K p = -g, until the curvature is not positive. */
static void newton_direction(world *w) {
  double *r = w->q, *way = w->kq, square = 0;
  for (int64_t k = 0; k < w->n; k++) w->p[k] = 0, r[k] = way[k] = -w->g[k];
  square = dot(w, r, r);
  const double enough = 1e-20 * square;
  for (int64_t i = 0; i < 4 * w->n && square > enough; i++) {
    ASSERT_OK(w->system, dem_trial_apply(w->trial, way, w->kp));
    for (int64_t k = w->rows.particles * w->rows.width; k < w->n; k++) w->kp[k] = 0;
    const double curvature = dot(w, way, w->kp), a = square / curvature, old = square;
    if (!(curvature > 0)) return;
    for (int64_t k = 0; k < w->n; k++) w->p[k] += a * way[k], r[k] -= a * w->kp[k];
    square = dot(w, r, r);
    for (int64_t k = 0; k < w->n; k++) way[k] = r[k] + square / old * way[k];
  }
}

/* A row of spheres on rough ground, each standing by its own weight F = k d; the first is pushed against the others and down, all of
 * them across. */
enum { SPHERES = 8 };

static void open_row(world *w, const dem_law_options *law, double push, int32_t threads) {
  dem_system_options o;
  dem_wall ground;
  rows r;
  dem_id ids[SPHERES];
  memset(w, 0, sizeof *w);
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4, o.gravity[2] = -10, o.threads = threads;
  assert_int_equal(dem_system_create(w->context, &o, &w->system), DEM_OK);
  ASSERT_OK(w->system, dem_system_add_material(w->system, NULL, NULL));
  assert_int_equal(scene_set_law(w->context, w->system, 0, 0, law), DEM_OK);
  dem_wall_init(&ground, sizeof ground);
  ground.axis[2] = 1;
  ASSERT_OK(w->system, dem_system_add_wall(w->system, &ground, NULL));
  assert_int_equal(rows_create(&r, SPHERES), 0);
  for (int k = 0; k < SPHERES; k++) rows_put(&r, (1 - 1e-5) * k, 0, 0.5 - 1e-4, 0.5);
  ASSERT_OK(w->system, rows_add(&r, w->system, ids));
  rows_destroy(&r);
  for (int k = 0; k < SPHERES; k++)
    ASSERT_OK(w->system, dem_system_set_field(w->system, DEM_HOST_FORCE, 1, &ids[k],
                                              (double[3]){k == 0 ? push : 0, 0.1 * push, k == 0 ? -push : 0}, 0));
}

/* Gradient of what moves: the ground does not. */
static double residual(world *w) {
  for (int64_t k = w->rows.particles * w->rows.width; k < w->n; k++) w->g[k] = 0;
  return sqrt(dot(w, w->g, w->g));
}

/* Newton's method, at most 1e-3 at a time, as sliders have no stiffness; halved until the energy falls. */
static double minimise(world *w) {
  double energy = evaluate(w, w->u, w->g), length = residual(w);
  double *before = malloc((size_t)w->n * sizeof *before);
  for (int i = 0; i < 200 && length > 1e-9; i++) {
    newton_direction(w);
    const double most = 1e-3 / fmax(1e-3, sqrt(dot(w, w->p, w->p)));
    memcpy(before, w->u, (size_t)w->n * sizeof *before);
    const double old_energy = energy, old_length = length;
    for (double part = most; part > 1e-9; part *= 0.5) {
      for (int64_t k = 0; k < w->n; k++) w->u[k] = before[k] + part * w->p[k];
      energy = evaluate(w, w->u, w->g);
      length = residual(w);
      if (energy < old_energy || (part < 1e-3 && length < old_length)) break;
    }
  }
  free(before);
  return length;
}

/* The load step: caps fixed, one minimisation; caps taken anew; and so on. The residual behind dem_trial_lag, which is the implicit one,
 * falls to that of the minimisations. */
static void outer_iterates_come_to_the_implicit_equations(void **state) {
  (void)state;
  dem_law_options law;
  world w;
  double first = 0, last = INFINITY;
  int outer = 0;
  frictional(&law, 0.3, 0);
  open_row(&w, &law, 15, 1);
  open_turning_trial(&w, DEM_TRIAL_FRICTION_LAGGED, 0, 1, 0);
  for (; outer < 30 && last > 1e-8; outer++) {
    ASSERT_BELOW(minimise(&w), 1e-8);
    ASSERT_OK(w.system, dem_trial_lag(w.trial));
    evaluate(&w, w.u, w.g);
    last = residual(&w);
    if (outer == 0) first = last;
  }
  print_message("outer iterates: %d, residual %.2g -> %.2g\n", outer, first, last);
  assert_true(first > 1e-4);
  ASSERT_BELOW(last, 1e-8);
  double *u = malloc((size_t)w.n * sizeof *u);
  memcpy(u, w.u, (size_t)w.n * sizeof *u);
  close_trial(&w);
  open_turning_trial(&w, DEM_TRIAL_FRICTION_IMPLICIT, 0, 1, 0);
  evaluate(&w, u, w.g);
  ASSERT_BELOW(residual(&w), 1.1e-8);
  free(u);
  close_trial(&w);
  close_world(&w);
}

/* What is accepted is what was evaluated: springs of friction hold on from there. */
static void accepting_keeps_friction(void **state) {
  (void)state;
  for (int32_t threads = 1; threads < 5; threads += 3) {
    dem_law_options law;
    world w;
    frictional(&law, 0.3, 0);
    open_row(&w, &law, 15, threads);
    open_turning_trial(&w, DEM_TRIAL_FRICTION_LAGGED, 0, 1, 0);
    for (int outer = 0; outer < 25; outer++) {
      minimise(&w);
      ASSERT_OK(w.system, dem_trial_lag(w.trial));
    }
    evaluate(&w, w.u, w.g);
    ASSERT_OK(w.system, dem_trial_accept(w.trial, NULL));
    evaluate(&w, NULL, w.p);
    ASSERT_BELOW(distance(&w, w.p, w.g), 1e-8);
    close_trial(&w);
    open_turning_trial(&w, DEM_TRIAL_FRICTION_IMPLICIT, 0, 1, 0);
    evaluate(&w, NULL, w.g);
    ASSERT_BELOW(residual(&w), 1e-8);
    close_trial(&w);
    close_world(&w);
  }
}

static void threads_do_not_change_a_bit(void **state) {
  (void)state;
  dem_law_options law;
  double *wanted = NULL, energy = 0;
  frictional(&law, 0.2, 1);
  for (int32_t threads = 1; threads < 5; threads += 3) {
    world w;
    dice d = {17};
    const scene_setup setup = {.law = &law, .particles = 2000, .threads = threads};
    memset(&w, 0, sizeof w);
    assert_int_equal(dem_context_create(NULL, &w.context), DEM_OK);
    assert_int_equal(scene_build(scene_find("packing2d"), w.context, &setup, &w.system), DEM_OK);
    ASSERT_OK(w.system, dem_system_step(w.system, 300));
    open_trial(&w, DEM_TRIAL_FRICTION_LAGGED, 0, 1);
    randomize(&w, &d, 1e-3, w.u);
    evaluate(&w, w.u, w.g);
    ASSERT_OK(w.system, dem_trial_lag(w.trial));
    randomize(&w, &d, 1e-3, w.u);
    const double e = evaluate(&w, w.u, w.g);
    if (!wanted) {
      wanted = malloc((size_t)w.n * sizeof *wanted);
      memcpy(wanted, w.g, (size_t)w.n * sizeof *wanted);
      energy = e;
    }
    ASSERT_BITS(wanted, w.g, (size_t)w.n * sizeof *wanted);
    assert_true(e == energy);
    close_trial(&w);
    close_world(&w);
  }
  free(wanted);
}

/* ---- contacts that open and begin ---- */

/* Energy with sphere 0 lifted by z and moved by x against its neighbour and the ground. */
static double moved_energy(world *w, double x, double z) {
  memset(w->u, 0, (size_t)w->n * sizeof *w->u);
  w->u[1] = x;
  w->u[2] = z;
  return evaluate(w, w->u, w->g);
}

static void energies_have_no_step(void **state) {
  (void)state;
  dem_law_options law;
  world w;
  frictional(&law, 0.3, 0);
  open_row(&w, &law, 0, 1);
  open_trial(&w, DEM_TRIAL_FRICTION_LAGGED, 0, 1);
  const double x = 1e-3, weight = 10 * 0.999999, gap = 1e-4;
  const double closed = moved_energy(&w, x, gap - 1e-9), open = moved_energy(&w, x, gap + 1e-9);
  const double plain = moved_energy(&w, 0, gap + 1e-9), slid = open - plain;
  print_message("energy of friction at the opening: %.6g\n", slid);
  ASSERT_ABS(open, closed, 4e-9 * weight);
  /* against the ground a slider with mu F = c: c x - c^2/2k; against the neighbour, F = k 1e-5, one with the part of the way across n */
  const double c = 0.3 * 1e5 * gap, beside = 0.3 * 1e5 * 1e-5;
  ASSERT_REL(slid, c * x - c * c / 1e5 + beside * x - beside * beside / 1e5, 0.02);
  /* caps of the opened state: the ground has none, and the way back meets no friction from it */
  moved_energy(&w, 0, gap + 1e-6);
  ASSERT_OK(w.system, dem_trial_lag(w.trial));
  const double apart = moved_energy(&w, x, gap + 1e-9), touching = moved_energy(&w, x, gap - 1e-9);
  ASSERT_ABS(apart, touching, 4e-9 * weight);
  close_trial(&w);
  close_world(&w);
}

/* ---- lists ---- */

static void survive_a_search(int32_t friction) {
  dem_law_options law;
  world w;
  dice d = {3};
  frictional(&law, 0.2, 1);
  open_world(&w, "settling", &law, 900);
  open_trial(&w, friction, 0, 1);
  double *u = malloc((size_t)w.n * sizeof *u), *before = malloc((size_t)w.n * sizeof *before);
  randomize(&w, &d, 1e-3, u);
  evaluate(&w, u, w.g);
  if (friction == DEM_TRIAL_FRICTION_LAGGED) ASSERT_OK(w.system, dem_trial_lag(w.trial));
  const double energy = evaluate(&w, u, before);
  for (int round = 0; round < 3; round++) {
    randomize(&w, &d, 3, w.u); /* far beyond any list: rows are sorted anew */
    evaluate(&w, w.u, w.g);
    ASSERT_REL(evaluate(&w, u, w.g), energy, 1e-12);
    ASSERT_BELOW(distance(&w, w.g, before), 1e-11 * distance(&w, before, NULL));
  }
  free(u);
  free(before);
  close_trial(&w);
  close_world(&w);
}

static void caps_and_histories_survive_a_search(void **state) {
  (void)state;
  survive_a_search(DEM_TRIAL_FRICTION_IMPLICIT);
  survive_a_search(DEM_TRIAL_FRICTION_LAGGED);
}

/* ---- refusals ---- */

static void bad_calls_are_refused(void **state) {
  (void)state;
  dem_law_options law;
  world w;
  frictional(&law, 0.2, 0);
  assert_int_equal(dem_trial_lag(NULL), DEM_BAD_ARGUMENT);
  open_world(&w, "packing2d", &law, 10);
  open_trial(&w, DEM_TRIAL_FRICTION_IMPLICIT, 0, 1);
  evaluate(&w, NULL, w.g);
  assert_int_equal(dem_trial_lag(w.trial), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(w.system), "friction is 0"));
  close_trial(&w);
  open_trial(&w, DEM_TRIAL_FRICTION_LAGGED, 0, 1);
  assert_int_equal(dem_trial_lag(w.trial), DEM_INCOMPLETE);
  evaluate(&w, NULL, w.g);
  ASSERT_OK(w.system, dem_trial_lag(w.trial));
  assert_int_equal(dem_trial_lag(w.trial), DEM_INCOMPLETE);
  assert_int_equal(dem_trial_accept(w.trial, NULL), DEM_INCOMPLETE);
  evaluate(&w, NULL, w.g);
  ASSERT_OK(w.system, dem_trial_accept(w.trial, NULL));
  evaluate(&w, NULL, w.g);
  close_trial(&w);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gradients_are_slopes_of_the_energy),
      cmocka_unit_test(tangents_are_symmetric),
      cmocka_unit_test(caps_of_here_are_implicit),
      cmocka_unit_test(outer_iterates_come_to_the_implicit_equations),
      cmocka_unit_test(accepting_keeps_friction),
      cmocka_unit_test(energies_have_no_step),
      cmocka_unit_test(caps_and_histories_survive_a_search),
      cmocka_unit_test(threads_do_not_change_a_bit),
      cmocka_unit_test(bad_calls_are_refused),
  };
  return cmocka_run_group_tests_name("trial_lag", tests, NULL, NULL);
}
