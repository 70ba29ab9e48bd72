/* Trials over whole systems: what dem/plugin/trial.h promises, for every scene of the scene library.
 *
 *   force     at u = 0 the gradient is -(contact force + m g + host force) of the system
 *   energy    where laws have a potential, differences of the energy are the gradient: central differences of two lengths, extrapolated
 *   accept    the system then has the forces and the stored energy that the trial had
 *   close     a trial leaves no trace: every readable bit of the system is the same, and so is every later step
 *   size      displacements of many diameters: energy and forces are those of a sum over all pairs */
#include "assertions.h"

#include <dem/plugin/trial.h>
#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"

typedef struct world {
  dem_context *context;
  dem_system *system;
  dem_trial *trial;
  dem_trial_rows rows;
  double *u, *g;
} world;

static void frictionless(dem_law_options *law) {
  dem_law_options_init(law, sizeof *law);
  law->normal_stiffness = 1e5;
  law->tangential = DEM_TANGENTIAL_NONE;
}

static void open_world(world *w, const char *name, const dem_law_options *law, int32_t threads, int64_t steps) {
  const scene *s = scene_find(name);
  const scene_setup setup = {.law = law, .threads = threads, .particles = 300};
  memset(w, 0, sizeof *w);
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  assert_int_equal(scene_build(s, w->context, &setup, &w->system), DEM_OK);
  ASSERT_OK(w->system, scene_run(s, w->system, steps));
}

static void open_trial(world *w, const dem_trial_options *options) {
  ASSERT_OK(w->system, dem_trial_open(w->system, options, &w->trial));
  dem_trial_rows_init(&w->rows, sizeof w->rows);
  ASSERT_OK(w->system, dem_trial_get_rows(w->trial, &w->rows));
  w->u = calloc((size_t)w->rows.unknowns + 1, sizeof *w->u);
  w->g = calloc((size_t)w->rows.unknowns + 1, sizeof *w->g);
}

static void close_trial(world *w) {
  assert_int_equal(dem_trial_close(w->trial), DEM_OK);
  free(w->u);
  free(w->g);
  w->trial = NULL;
}

static void close_world(world *w) {
  if (w->trial) close_trial(w);
  assert_int_equal(dem_system_destroy(w->system), DEM_OK);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

/* Energy and gradient; 0 for the energy where a law has none. */
static double evaluate(world *w, const double *u, double *g) {
  double energy = 0;
  const dem_status status = dem_trial_evaluate(w->trial, u, DEM_TRIAL_ENERGY | DEM_TRIAL_FORCE, &energy, g);
  if (status == DEM_UNSUPPORTED) {
    assert_non_null(strstr(dem_system_message(w->system), "no energy"));
    ASSERT_OK(w->system, dem_trial_evaluate(w->trial, u, DEM_TRIAL_FORCE, NULL, g));
    return 0;
  }
  ASSERT_OK(w->system, status);
  return energy;
}

static void randomize(world *w, dice *d, double size) {
  for (int64_t k = 0; k < w->rows.unknowns; k++) w->u[k] = dice_uniform(d, -size, size);
}

/* ---- energy ---- */

/* dE/ds along a direction, by central differences with steps e and e/2, extrapolated to order e^4. */
static double slope(world *w, const double *at, const double *way, double e) {
  double *u = malloc((size_t)w->rows.unknowns * sizeof *u), central[2];
  for (int level = 0; level < 2; level++) {
    double energy[2];
    const double step = level ? 0.5 * e : e;
    for (int side = 0; side < 2; side++) {
      for (int64_t k = 0; k < w->rows.unknowns; k++) u[k] = at[k] + (side ? -step : step) * way[k];
      energy[side] = evaluate(w, u, w->g);
    }
    central[level] = (energy[0] - energy[1]) / (2 * step);
  }
  free(u);
  return (4 * central[1] - central[0]) / 3;
}

static void gradient_is_slope(const char *name, const dem_law_options *law, int64_t steps) {
  world w;
  dice d = {42};
  open_world(&w, name, law, 1, steps);
  open_trial(&w, NULL);
  const size_t bytes = (size_t)w.rows.unknowns * sizeof(double);
  double *way = malloc(bytes), *at = malloc(bytes), *gradient = malloc(bytes);
  for (int trial = 0; trial < 5; trial++) {
    randomize(&w, &d, 1e-3);
    memcpy(at, w.u, bytes);
    evaluate(&w, at, gradient);
    randomize(&w, &d, 1);
    double product = 0, size = 0;
    for (int64_t k = 0; k < w.rows.unknowns; k++) {
      way[k] = w.u[k];
      product += gradient[k] * way[k];
      size += fabs(gradient[k] * way[k]);
    }
    ASSERT_ABS(slope(&w, at, way, 1e-8), product, 1e-6 * size);
  }
  free(way);
  free(at);
  free(gradient);
  close_world(&w);
}

static void gradients_of_potentials(void **state) {
  (void)state;
  dem_law_options law;
  frictionless(&law);
  gradient_is_slope("packing2d", &law, 300);
  gradient_is_slope("settling", &law, 700);
  gradient_is_slope("cluster", &law, 50);
}

/* ---- forces ---- */

static void start_is_the_system(void **state) {
  (void)state;
  dem_law_options law;
  frictionless(&law);
  const char *names[] = {"packing2d", "settling", "cluster"};
  for (int n = 0; n < 3; n++) {
    world w;
    open_world(&w, names[n], &law, 1, 200);
    open_trial(&w, NULL);
    evaluate(&w, NULL, w.g);
    const int dims = w.rows.wall_width == 3 ? 2 : 3;
    for (int64_t k = 0; k < w.rows.particles; k++) {
      double force[3];
      ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_CONTACT_FORCE, 1, &w.rows.ids[k], force, 0));
      /* gravity is that of the scene: what is left of the gradient must be a weight, the same per mass everywhere */
      for (int a = 0; a < dims; a++) {
        const double rest = -w.g[k * w.rows.width + a] - force[a];
        if (a != dims - 1) ASSERT_ABS(rest, 0.0, 1e-9 * (1 + fabs(force[a])));
      }
    }
    close_world(&w);
  }
}

/* ---- tangents ---- */

typedef struct vectors {
  double *u, *p, *kp, *plus, *minus;
} vectors;

static vectors open_vectors(const world *w) {
  const size_t n = (size_t)w->rows.unknowns + 1;
  return (vectors){calloc(n, 8), calloc(n, 8), calloc(n, 8), calloc(n, 8), calloc(n, 8)};
}

static void close_vectors(vectors *v) {
  free(v->u);
  free(v->p);
  free(v->kp);
  free(v->plus);
  free(v->minus);
}

/* p: random; rotations of walls only where `turning`. */
static void random_direction(const world *w, dice *d, int turning, double *p) {
  const int64_t walls = w->rows.particles * w->rows.width;
  for (int64_t k = 0; k < w->rows.unknowns; k++) {
    const int turns = k >= walls && (k - walls) % w->rows.wall_width >= (w->rows.wall_width + 1) / 2;
    p[k] = turns && !turning ? 0 : dice_uniform(d, -1, 1);
  }
}

/* (g(u + e p) - g(u - e p)) / 2 e into plus. */
static void difference(world *w, vectors *v, double e) {
  double *at = calloc((size_t)w->rows.unknowns + 1, sizeof *at);
  for (int side = 0; side < 2; side++) {
    for (int64_t k = 0; k < w->rows.unknowns; k++) at[k] = v->u[k] + (side ? -e : e) * v->p[k];
    ASSERT_OK(w->system, dem_trial_evaluate(w->trial, at, DEM_TRIAL_FORCE, NULL, side ? v->minus : v->plus));
  }
  for (int64_t k = 0; k < w->rows.unknowns; k++) v->plus[k] = (v->plus[k] - v->minus[k]) / (2 * e);
  free(at);
}

static double norm(const world *w, const double *a, const double *b) {
  double sum = 0;
  for (int64_t k = 0; k < w->rows.unknowns; k++) sum += (a[k] - (b ? b[k] : 0)) * (a[k] - (b ? b[k] : 0));
  return sqrt(sum);
}

/* Moments on walls: K leaves out that contact points move along a wall. */
static void forget_wall_moments(const world *w, double *g) {
  for (int64_t k = w->rows.particles * w->rows.width; k < w->rows.unknowns; k++)
    if ((k - w->rows.particles * w->rows.width) % w->rows.wall_width >= (w->rows.wall_width + 1) / 2) g[k] = 0;
}

/* Relative error of K p against differences, the largest of some directions. */
static double tangent_error(const char *name, const dem_law_options *law, const dem_trial_options *options, int64_t steps,
                            double size) {
  world w;
  dice d = {5};
  double worst = 0;
  open_world(&w, name, law, 1, steps);
  open_trial(&w, options);
  vectors v = open_vectors(&w);
  for (int trial = 0; trial < 5; trial++) {
    randomize(&w, &d, size);
    memcpy(v.u, w.u, (size_t)w.rows.unknowns * sizeof *v.u);
    random_direction(&w, &d, 0, v.p);
    for (int64_t k = w.rows.particles * w.rows.width; k < w.rows.unknowns; k++) v.u[k] = 0;
    ASSERT_OK(w.system, dem_trial_evaluate(w.trial, v.u, DEM_TRIAL_TANGENT | DEM_TRIAL_FORCE, NULL, w.g));
    ASSERT_OK(w.system, dem_trial_apply(w.trial, v.p, v.kp));
    difference(&w, &v, 1e-8);
    forget_wall_moments(&w, v.kp);
    forget_wall_moments(&w, v.plus);
    for (int64_t k = 0; k < w.rows.unknowns && options; k++) v.plus[k] /= options->alpha;
    assert_true(norm(&w, v.plus, NULL) > 0);
    worst = fmax(worst, norm(&w, v.kp, v.plus) / norm(&w, v.plus, NULL));
  }
  close_vectors(&v);
  close_world(&w);
  return worst;
}

/* Without friction nothing is left out of K. */
static void products_are_slopes_of_gradients(void **state) {
  (void)state;
  dem_law_options law;
  frictionless(&law);
  ASSERT_BELOW(tangent_error("packing2d", &law, NULL, 300, 1e-3), 1e-6);
  ASSERT_BELOW(tangent_error("settling", &law, NULL, 700, 1e-3), 1e-6);
  law.normal = DEM_NORMAL_HERTZ;
  law.normal_stiffness = 0;
  ASSERT_BELOW(tangent_error("hertz-bed", &law, NULL, 700, 1e-3), 1e-5);
}

/* With friction, rolling and bonds terms of the size overlap/radius are left out: these scenes have overlaps (and stretched bonds) of up
 * to 1 % of a diameter, at implicit steps a part of it, because dashpots and inertia-free springs are in K in full. */
static void products_with_friction_are_close(void **state) {
  (void)state;
  const dem_trial_options statics = {.struct_size = sizeof statics, .rotations = 1, .alpha = 1};
  const dem_trial_options midpoint = {.struct_size = sizeof midpoint, .rotations = 1, .alpha = 0.5, .dt = 1e-4};
  const char *names[] = {"packing2d", "settling", "hertz-bed", "powder", "busy"};
  const int64_t steps[] = {300, 1000, 1300, 1000, 500};
  for (int n = 0; n < 5; n++) {
    ASSERT_BELOW(tangent_error(names[n], NULL, &statics, steps[n], 1e-7), 2e-2);
    ASSERT_BELOW(tangent_error(names[n], NULL, &midpoint, steps[n], 1e-7), 2e-3);
  }
}

/* ---- blocks ---- */

typedef struct assembly {
  const double *p;
  double *kp, *diagonal;
  const dem_trial_rows *rows;
} assembly;

static void multiply(const double *block, int32_t high, int32_t columns, const double *p, double *out) {
  for (int32_t r = 0; r < high; r++)
    for (int32_t c = 0; c < columns; c++) out[r] += block[r * columns + c] * p[c];
}

static int32_t assemble(void *user, int64_t count, const dem_trial_block *b) {
  assembly *a = user;
  for (int64_t k = 0; k < count; k++, b++) {
    multiply(b->ii, b->width_i, b->width_i, a->p + b->i, a->kp + b->i);
    multiply(b->ij, b->width_i, b->width_j, a->p + b->j, a->kp + b->i);
    multiply(b->ji, b->width_j, b->width_i, a->p + b->i, a->kp + b->j);
    multiply(b->jj, b->width_j, b->width_j, a->p + b->j, a->kp + b->j);
    for (int32_t d = 0; d < b->width_i; d++) a->diagonal[b->i + d] += b->ii[d * b->width_i + d];
    for (int32_t d = 0; d < b->width_j; d++) a->diagonal[b->j + d] += b->jj[d * b->width_j + d];
  }
  return 0;
}

/* The sum of all blocks is K, and the diagonal blocks are its diagonal. */
static void blocks_make_the_product(const char *name, int64_t steps, int32_t rotations) {
  const dem_trial_options o = {.struct_size = sizeof o, .rotations = rotations, .alpha = 1};
  world w;
  dice d = {9};
  open_world(&w, name, NULL, 1, steps);
  open_trial(&w, &o);
  vectors v = open_vectors(&w);
  const size_t n = (size_t)w.rows.unknowns + 1;
  double *sum = calloc(n, sizeof *sum), *single = calloc(n, sizeof *single), *blocks = calloc(6 * n, sizeof *blocks);
  random_direction(&w, &d, 1, v.p);
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, NULL, DEM_TRIAL_TANGENT | DEM_TRIAL_FORCE, NULL, w.g));
  ASSERT_OK(w.system, dem_trial_apply(w.trial, v.p, v.kp));
  assembly a = {v.p, sum, single, &w.rows};
  ASSERT_OK(w.system, dem_trial_blocks(w.trial, sizeof(dem_trial_block), assemble, &a));
  ASSERT_OK(w.system, dem_trial_diagonal(w.trial, blocks));
  const double size = norm(&w, v.kp, NULL);
  assert_true(size > 0);
  ASSERT_BELOW(norm(&w, v.kp, sum), 1e-13 * size);
  const int32_t width = w.rows.width, wall = w.rows.wall_width;
  for (int64_t k = 0; k < w.rows.particles * width; k++)
    ASSERT_REL(blocks[k / width * width * width + k % width * (width + 1)], single[k], 1e-12);
  for (int64_t k = 0; k < w.rows.walls * wall; k++)
    ASSERT_REL(blocks[w.rows.particles * width * width + k / wall * wall * wall + k % wall * (wall + 1)],
               single[w.rows.particles * width + k], 1e-12);
  free(sum);
  free(single);
  free(blocks);
  close_vectors(&v);
  close_world(&w);
}

static void blocks_make_the_products(void **state) {
  (void)state;
  blocks_make_the_product("packing2d", 300, 1);
  blocks_make_the_product("packing2d", 300, 0);
  blocks_make_the_product("settling", 1000, 1);
  blocks_make_the_product("settling", 1000, 0);
  blocks_make_the_product("powder", 1000, 1);
  blocks_make_the_product("busy", 500, 1);
}

static void products_are_symmetric(void **state) {
  (void)state;
  dem_law_options law;
  world w;
  dice d = {3};
  frictionless(&law);
  open_world(&w, "settling", &law, 1, 900);
  open_trial(&w, NULL);
  vectors v = open_vectors(&w);
  random_direction(&w, &d, 1, v.p);
  random_direction(&w, &d, 1, v.u);
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, NULL, DEM_TRIAL_TANGENT | DEM_TRIAL_FORCE, NULL, w.g));
  ASSERT_OK(w.system, dem_trial_apply(w.trial, v.p, v.plus));
  ASSERT_OK(w.system, dem_trial_apply(w.trial, v.u, v.minus));
  double one = 0, other = 0;
  for (int64_t k = 0; k < w.rows.unknowns; k++) {
    one += v.u[k] * v.plus[k];
    other += v.p[k] * v.minus[k];
  }
  assert_true(one != 0);
  ASSERT_REL(one, other, 1e-12);
  close_vectors(&v);
  close_world(&w);
}

/* ---- strain of the box ---- */

/* Overlapping spheres on a lattice in a periodic box that leans. */
static void open_lattice(world *w) {
  enum { SIDE = 5 };
  dem_system_options o;
  dem_law_options law;
  rows r;
  dice d = {21};
  memset(w, 0, sizeof *w);
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  for (int a = 0; a < 3; a++) {
    o.periodic[a] = 1;
    o.box_high[a] = 0.93 * SIDE;
  }
  assert_int_equal(dem_system_create(w->context, &o, &w->system), DEM_OK);
  frictionless(&law);
  ASSERT_OK(w->system, dem_system_add_material(w->system, NULL, NULL));
  assert_int_equal(scene_set_law(w->context, w->system, 0, 0, &law), DEM_OK);
  assert_int_equal(rows_create(&r, SIDE * SIDE * SIDE), 0);
  for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
    double x[3];
    for (int a = 0; a < 3; a++) x[a] = 0.93 * (0.5 + (a == 0 ? i % SIDE : a == 1 ? i / SIDE % SIDE : i / SIDE / SIDE));
    for (int a = 0; a < 3; a++) x[a] += dice_uniform(&d, -0.1, 0.1);
    const double radius = dice_uniform(&d, 0.45, 0.55);
    rows_put(&r, x[0], x[1], x[2], radius);
  }
  ASSERT_OK(w->system, rows_add(&r, w->system, NULL));
  rows_destroy(&r);
}

static const dem_trial_options with_box = {.struct_size = sizeof with_box, .rotations = 1, .alpha = 1, .box = 1};

/* Derivatives by the strain together with those by all displacements, at a strained state. */
static void strain_is_an_unknown(world *w) {
  dice d = {77};
  open_trial(w, &with_box);
  assert_true(w->rows.box_width == w->rows.wall_width);
  vectors v = open_vectors(w);
  for (int trial = 0; trial < 4; trial++) {
    randomize(w, &d, 1e-3);
    memcpy(v.u, w->u, (size_t)w->rows.unknowns * sizeof *v.u);
    random_direction(w, &d, 1, v.p);
    ASSERT_OK(w->system, dem_trial_evaluate(w->trial, v.u, DEM_TRIAL_TANGENT | DEM_TRIAL_FORCE, NULL, w->g));
    ASSERT_OK(w->system, dem_trial_apply(w->trial, v.p, v.kp));
    double product = 0, size = 0;
    for (int64_t k = 0; k < w->rows.unknowns; k++) {
      product += w->g[k] * v.p[k];
      size += fabs(w->g[k] * v.p[k]);
    }
    difference(w, &v, 1e-8);
    assert_true(norm(w, v.plus, NULL) > 0);
    ASSERT_BELOW(norm(w, v.kp, v.plus), 1e-6 * norm(w, v.plus, NULL));
    ASSERT_ABS(slope(w, v.u, v.p, 1e-8), product, 1e-6 * size);
  }
  close_vectors(&v);
  close_world(w);
}

static void strain_of_the_box_is_an_unknown(void **state) {
  (void)state;
  dem_law_options law;
  world w;
  frictionless(&law);
  open_world(&w, "packing2d", &law, 1, 300);
  strain_is_an_unknown(&w);
  open_lattice(&w);
  strain_is_an_unknown(&w);
}

/* The stress is that of the box, and accepting a strain deforms it. */
static void strain_makes_stress(void **state) {
  (void)state;
  world w;
  open_lattice(&w);
  open_trial(&w, &with_box);
  const int64_t first = w.rows.unknowns - 6;
  double stress[6], volume = w.rows.volume;
  for (int k = 0; k < 6; k++) w.u[first + k] = 1e-2 * (k + 1) * (k % 2 ? 1 : -1);
  const double energy = evaluate(&w, w.u, w.g);
  ASSERT_OK(w.system, dem_trial_accept(w.trial, NULL));
  dem_trial_rows after;
  dem_trial_rows_init(&after, sizeof after);
  ASSERT_OK(w.system, dem_trial_get_rows(w.trial, &after));
  ASSERT_REL(after.volume, volume * (1 - 0.01) * (1 + 0.02) * (1 - 0.03), 1e-13);
  ASSERT_REL(evaluate(&w, NULL, w.g), energy, 1e-12);
  ASSERT_OK(w.system, dem_system_get_box_stress(w.system, stress));
  double size = 0;
  for (int k = 0; k < 6; k++) size = fmax(size, fabs(stress[k]));
  for (int k = 0; k < 6; k++) ASSERT_ABS(w.g[first + k] / after.volume, -stress[k], 1e-12 * size);
  close_world(&w);
}

/* ---- traces ---- */

static void closing_leaves_no_trace(void **state) {
  (void)state;
  const char *names[] = {"packing2d", "settling", "busy", "powder"};
  for (int n = 0; n < 4; n++) {
    world w, alone;
    dice d = {7};
    open_world(&w, names[n], NULL, 2, 400);
    open_world(&alone, names[n], NULL, 2, 400);
    const uint64_t before = system_hash(w.system);
    open_trial(&w, NULL);
    for (int k = 0; k < 20; k++) {
      randomize(&w, &d, k % 3 ? 1e-3 : 3.0);
      ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
    }
    close_trial(&w);
    assert_true(before == system_hash(w.system));
    ASSERT_OK(w.system, dem_system_step(w.system, 300));
    ASSERT_OK(alone.system, dem_system_step(alone.system, 300));
    snapshot a, b;
    snapshot_take(&a, w.system);
    snapshot_take(&b, alone.system);
    snapshot_assert_same_bits(&a, &b);
    snapshot_free(&a);
    snapshot_free(&b);
    close_world(&w);
    close_world(&alone);
  }
}

/* ---- accept ---- */

static void accepted_is_evaluated(void **state) {
  (void)state;
  const char *names[] = {"packing2d", "settling", "busy", "powder"};
  for (int n = 0; n < 4; n++) {
    world w;
    dice d = {11};
    open_world(&w, names[n], NULL, 1, 400);
    open_trial(&w, NULL);
    const size_t bytes = (size_t)w.rows.unknowns * sizeof(double);
    double *again = malloc(bytes);
    double *rest = calloc((size_t)w.rows.unknowns, sizeof *rest);
    randomize(&w, &d, n == 2 ? 1e-6 : 1e-3); /* the bonds of the third scene break at 1e-3 */
    /* moments on walls belong to rotation vectors from another start afterwards */
    for (int64_t k = w.rows.particles * w.rows.width; k < w.rows.unknowns; k++)
      if ((k - w.rows.particles * w.rows.width) % w.rows.wall_width >= w.rows.wall_width / 2) w.u[k] = 0;
    const double energy = evaluate(&w, w.u, w.g);
    /* at rest: dashpots would lower the friction limit when forces are evaluated with velocities */
    ASSERT_OK(w.system, dem_trial_accept(w.trial, rest));
    /* a trial of the new state with u = 0 moves no spring; without gravity energies are the same */
    const double after = evaluate(&w, NULL, again);
    if (n == 0) ASSERT_REL(after, energy, 1e-12);
    free(rest);
    double size = 0;
    for (int64_t k = 0; k < w.rows.unknowns; k++) size = fmax(size, fabs(w.g[k]));
    for (int64_t k = 0; k < w.rows.unknowns; k++) {
      ASSERT_ABS(again[k], w.g[k], 1e-9 * size);
    }
    free(again);
    close_world(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(start_is_the_system),
      cmocka_unit_test(gradients_of_potentials),
      cmocka_unit_test(products_are_slopes_of_gradients),
      cmocka_unit_test(products_with_friction_are_close),
      cmocka_unit_test(products_are_symmetric),
      cmocka_unit_test(blocks_make_the_products),
      cmocka_unit_test(strain_of_the_box_is_an_unknown),
      cmocka_unit_test(strain_makes_stress),
      cmocka_unit_test(closing_leaves_no_trace),
      cmocka_unit_test(accepted_is_evaluated),
  };
  return cmocka_run_group_tests_name("trial", tests, NULL, NULL);
}
