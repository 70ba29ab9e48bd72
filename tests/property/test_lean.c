/* Evaluations of trials whose laws are a normal part alone go through a lean path (lib/contact/lean.h). Its results:
 *
 *   general   the gradient and the energy of the general path, which is taken where tangents are asked for; and the gradient of the same
 *             law with a tangential part that makes no force (friction 0; of a host's own law, a part that writes zeros)
 *   energy    the slope of the energy along random directions is the gradient, for every built-in normal part
 *   threads   the same bits for 1, 2, 3 and 5 threads, and for every instruction set
 *   mixed     the same bits whether evaluations of the general path came between or not */
#include "assertions.h"

#include <dem/plugin/law.h>
#include <dem/plugin/trial.h>
#include <stdlib.h>

#include "scenes/scenes.h"

typedef struct world {
  dem_context *context;
  dem_system *system;
  dem_trial *trial;
  dem_trial_rows rows;
  double *u, *g;
} world;

static void open_world(world *w, const char *name, const dem_law_options *law, int32_t threads, int32_t instructions) {
  const scene *s = scene_find(name);
  const scene_setup setup = {.law = law, .threads = threads, .particles = 700};
  dem_context_options options;
  memset(w, 0, sizeof *w);
  dem_context_options_init(&options, sizeof options);
  options.instructions = instructions;
  if (dem_context_create(&options, &w->context) != DEM_OK) return;
  assert_int_equal(scene_build(s, w->context, &setup, &w->system), DEM_OK);
}

static void open_trial(world *w, int32_t rotations) {
  dem_trial_options options;
  dem_trial_options_init(&options, sizeof options);
  options.rotations = rotations;
  ASSERT_OK(w->system, dem_trial_open(w->system, &options, &w->trial));
  dem_trial_rows_init(&w->rows, sizeof w->rows);
  ASSERT_OK(w->system, dem_trial_get_rows(w->trial, &w->rows));
  w->u = calloc((size_t)w->rows.unknowns + 1, sizeof *w->u);
  w->g = calloc((size_t)w->rows.unknowns + 1, sizeof *w->g);
}

static void close_world(world *w) {
  free(w->u);
  free(w->g);
  dem_trial_close(w->trial);
  if (w->system) assert_int_equal(dem_system_destroy(w->system), DEM_OK);
  if (w->context) assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

static double evaluate(world *w, const double *u, double *g) {
  double energy = 0;
  ASSERT_OK(w->system, dem_trial_evaluate(w->trial, u, DEM_TRIAL_ENERGY | DEM_TRIAL_FORCE, &energy, g));
  return energy;
}

/* Displacements up to `size`; walls stay unless `walls`. */
static void randomize(world *w, dice *d, double size, int walls) {
  const int64_t particles = w->rows.particles * w->rows.width;
  for (int64_t k = 0; k < w->rows.unknowns; k++) {
    const double x = dice_uniform(d, -size, size);
    w->u[k] = k < particles || walls ? x : 0;
  }
}

static double largest(const world *w, const double *g) {
  double size = 0;
  for (int64_t k = 0; k < w->rows.unknowns; k++) size = fmax(size, fabs(g[k]));
  return size;
}

/* ---- laws ---- */

/* Normal parts without a range, with and without dashpots and attraction; 0 past the end. */
static int lean_law(int k, dem_law_options *law) {
  dem_law_options_init(law, sizeof *law);
  law->tangential = DEM_TANGENTIAL_NONE;
  law->normal_stiffness = 1e5;
  if (k >= 3) {
    law->normal = k >= 6 ? DEM_NORMAL_DMT : DEM_NORMAL_HERTZ;
    law->normal_stiffness = 0;
  }
  if (k == 1 || k == 4 || k == 7) {
    law->damping = DEM_DAMPING_RESTITUTION;
    law->restitution = 0.6;
    law->attraction = 0;
  }
  if (k == 2 || k == 5) law->cohesion_energy_density = 1e3;
  if (k >= 6) law->surface_energy = 1.0;
  return k < 8;
}

/* The same law with a tangential part without force, which the lean path does not have. */
static dem_law_options with_slider(const dem_law_options *law) {
  dem_law_options slider = *law;
  slider.tangential = DEM_TANGENTIAL_LINEAR;
  slider.friction = 0;
  return slider;
}

/* A host's own: f = s m* d^(3/2)/R*, U = 2/5 s m* d^(5/2)/R*. */
static const double strength = 1e5;

static void own_normal(const void *parameters, const dem_batch *b) {
  (void)parameters;
  for (int32_t k = 0; k < b->count; k++) {
    const double d = b->overlap[k], per = strength * b->effective_mass[k] / b->effective_radius[k];
    assert_true(d > 0);
    b->normal_elastic[k] = per * d * sqrt(d);
    b->normal_damping[k] = -b->normal_velocity[k];
    if (b->normal_energy) b->normal_energy[k] = 0.4 * per * d * d * sqrt(d);
  }
}

static void own_tangential(const void *parameters, const dem_batch *b) {
  (void)parameters;
  for (int a = 0; a < 3; a++)
    for (int32_t k = 0; k < b->count; k++) b->tangential_elastic[a][k] = 0;
}

static void set_own_law(world *w, int slides) {
  dem_law_part part[2];
  dem_law_piece piece[2];
  dem_law *law;
  for (int k = 0; k < 2; k++) {
    dem_law_part_init(&part[k], sizeof part[k]);
    dem_law_piece_init(&piece[k], sizeof piece[k]);
    piece[k].part = &part[k];
  }
  part[0].name = "own normal";
  part[0].kind = DEM_PART_NORMAL;
  part[0].capabilities = DEM_PART_ENERGY;
  part[0].evaluate = own_normal;
  part[1].name = "own tangential";
  part[1].kind = DEM_PART_TANGENTIAL;
  part[1].capabilities = DEM_PART_UNDAMPED;
  part[1].evaluate = own_tangential;
  assert_int_equal(dem_law_create_from_parts(w->context, slides ? 2 : 1, piece, &law), DEM_OK);
  for (int32_t a = 0; a < 64; a++)
    for (int32_t b = a; b < 64; b++)
      if (dem_system_set_law(w->system, a, b, law) != DEM_OK) break;
  dem_law_release(law);
}

/* ---- general ---- */

static const char *const names[] = {"packing2d", "settling", "cluster", "hertz-bed"};
enum { NAMES = sizeof names / sizeof *names };

/* Energy and gradient at u of the general path, which evaluates tangents too. */
static double evaluate_generally(world *w, const double *u, double *g) {
  double energy = 0;
  const int32_t ask = DEM_TRIAL_ENERGY | DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT;
  ASSERT_OK(w->system, dem_trial_evaluate(w->trial, u, ask, &energy, g));
  return energy;
}

/* Two worlds in the same state. Sliders have no energy. */
static void compare(world *lean, world *slider, int32_t rotations) {
  dice d = {7};
  open_trial(lean, rotations);
  open_trial(slider, rotations);
  assert_int_equal(lean->rows.unknowns, slider->rows.unknowns);
  double *again = calloc((size_t)lean->rows.unknowns + 1, sizeof *again);
  for (int k = 0; k < 4; k++) {
    randomize(lean, &d, 0.1 * (k + 1), k > 1);
    const double energy = evaluate(lean, lean->u, lean->g);
    ASSERT_REL(energy, evaluate_generally(lean, lean->u, again), 1e-13);
    ASSERT_OK(slider->system, dem_trial_evaluate(slider->trial, lean->u, DEM_TRIAL_FORCE, NULL, slider->g));
    const double size = largest(slider, slider->g);
    assert_true(size > 0);
    for (int64_t n = 0; n < lean->rows.unknowns; n++) {
      ASSERT_ABS(lean->g[n], slider->g[n], 1e-14 * size);
      ASSERT_ABS(lean->g[n], again[n], 1e-14 * size);
    }
  }
  free(again);
}

static void same_as_general(void **state) {
  (void)state;
  dem_law_options law;
  for (int n = 0; n < NAMES; n++)
    for (int k = 0; lean_law(k, &law); k++)
      for (int32_t rotations = 0; rotations < 2; rotations++) {
        world lean, general;
        const dem_law_options slider = with_slider(&law);
        open_world(&lean, names[n], &law, 1, 0);
        open_world(&general, names[n], &slider, 1, 0);
        compare(&lean, &general, rotations);
        close_world(&lean);
        close_world(&general);
      }
}

static void own_laws_too(void **state) {
  (void)state;
  for (int n = 0; n < NAMES; n++) {
    world lean, general;
    open_world(&lean, names[n], NULL, 1, 0);
    open_world(&general, names[n], NULL, 1, 0);
    set_own_law(&lean, 0);
    set_own_law(&general, 1);
    compare(&lean, &general, 0);
    close_world(&lean);
    close_world(&general);
  }
}

/* Three laws between two materials: Hooke, Hertz and DMT. */
static void set_three_laws(world *w, int slides) {
  for (int k = 0; k < 3; k++) {
    dem_law_options law, slider;
    lean_law(3 * k, &law);
    slider = with_slider(&law);
    ASSERT_OK(w->system, scene_set_law(w->context, w->system, k / 2, (k + 1) / 2, slides ? &slider : &law));
  }
}

static void several_laws(void **state) {
  (void)state;
  world lean, general;
  open_world(&lean, "two-materials", NULL, 1, 0);
  open_world(&general, "two-materials", NULL, 1, 0);
  set_three_laws(&lean, 0);
  set_three_laws(&general, 1);
  compare(&lean, &general, 1);
  close_world(&lean);
  close_world(&general);
}

/* Two spheres with one centre push each other along x. */
static void one_centre(void **state) {
  (void)state;
  dem_law_options law;
  lean_law(0, &law);
  world w;
  open_world(&w, "impact", &law, 1, 0);
  open_trial(&w, 0);
  assert_int_equal(w.rows.unknowns, 6);
  w.u[0] = 0.5;
  w.u[3] = -0.5;
  const double energy = evaluate(&w, w.u, w.g);
  ASSERT_REL(energy, 0.5e5, 1e-14);
  ASSERT_REL(fabs(w.g[0]), 1e5, 1e-14);
  ASSERT_REL(w.g[3], -w.g[0], 1e-14);
  close_world(&w);
}

/* ---- energy ---- */

/* dE/ds along a direction, by central differences with steps e and e/2, extrapolated to order e^4. */
static double slope(world *w, const double *way, double e) {
  double *at = malloc((size_t)w->rows.unknowns * sizeof *at), central[2], energy[2];
  for (int level = 0; level < 2; level++) {
    const double step = level ? 0.5 * e : e;
    for (int side = 0; side < 2; side++) {
      for (int64_t k = 0; k < w->rows.unknowns; k++) at[k] = w->u[k] + (side ? -step : step) * way[k];
      ASSERT_OK(w->system, dem_trial_evaluate(w->trial, at, DEM_TRIAL_ENERGY, &energy[side], NULL));
    }
    central[level] = (energy[0] - energy[1]) / (2 * step);
  }
  free(at);
  return (4 * central[1] - central[0]) / 3;
}

static void slopes(const char *name, const dem_law_options *law) {
  world w;
  dice d = {42};
  open_world(&w, name, law, 2, 0);
  open_trial(&w, 0);
  double *way = malloc((size_t)w.rows.unknowns * sizeof *way);
  for (int trial = 0; trial < 3; trial++) {
    double alone = 0, product = 0, size = 0;
    randomize(&w, &d, 0.2, 1);
    evaluate(&w, w.u, w.g); /* which may pick pairs anew: sums of other groups have other last bits */
    const double energy = evaluate(&w, w.u, w.g);
    ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_ENERGY, &alone, NULL));
    assert_memory_equal(&alone, &energy, sizeof energy);
    for (int64_t k = 0; k < w.rows.unknowns; k++) {
      way[k] = dice_uniform(&d, -1, 1);
      product += w.g[k] * way[k];
      size += fabs(w.g[k] * way[k]);
    }
    assert_true(size > 0);
    ASSERT_ABS(slope(&w, way, 1e-6), product, 1e-6 * size);
  }
  free(way);
  close_world(&w);
}

static void slope_of_energy(void **state) {
  (void)state;
  dem_law_options law;
  for (int k = 0; lean_law(k, &law); k++)
    for (int n = 0; n < NAMES; n++)
      if (law.normal != DEM_NORMAL_DMT) slopes(names[n], &law); /* whose force jumps where a contact begins */
}

/* ---- bits ---- */

static void same_bits(const char *name, const dem_law_options *law, int32_t threads, int32_t instructions) {
  world one, other;
  dice d = {9};
  open_world(&one, name, law, 1, 0);
  open_world(&other, name, law, threads, instructions);
  if (!other.system) { /* not on this processor */
    close_world(&other);
    close_world(&one);
    return;
  }
  open_trial(&one, 0);
  open_trial(&other, 0);
  for (int k = 0; k < 4; k++) {
    randomize(&one, &d, k < 2 ? 1e-3 : 0.3, 1);
    const double energy = evaluate(&one, one.u, one.g), again = evaluate(&other, one.u, other.g);
    assert_memory_equal(&energy, &again, sizeof energy);
    assert_memory_equal(one.g, other.g, (size_t)one.rows.unknowns * sizeof *one.g);
  }
  close_world(&one);
  close_world(&other);
}

static void threads_and_instructions(void **state) {
  (void)state;
  dem_law_options law;
  for (int n = 0; n < NAMES; n++)
    for (int k = 0; lean_law(k, &law); k += 3) {
      same_bits(names[n], &law, 2, 0);
      same_bits(names[n], &law, 3, 0);
      same_bits(names[n], &law, 5, 0);
      for (int32_t instructions = 1; instructions <= 3; instructions++) same_bits(names[n], &law, 1, instructions);
    }
}

/* A trial that evaluates tangents in between, which the general path does, leaves the lean one as it is. */
static void mixed(void **state) {
  (void)state;
  dem_law_options law;
  lean_law(0, &law);
  for (int n = 0; n < NAMES; n++) {
    world w;
    dice d = {4};
    open_world(&w, names[n], &law, 2, 0);
    open_trial(&w, 1);
    randomize(&w, &d, 0.2, 1);
    double *again = calloc((size_t)w.rows.unknowns + 1, sizeof *again), *product = calloc((size_t)w.rows.unknowns + 1, 8);
    const double energy = evaluate(&w, w.u, w.g);
    ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, again));
    for (int64_t k = 0; k < w.rows.unknowns; k++) ASSERT_ABS(again[k], w.g[k], 1e-14 * largest(&w, w.g));
    ASSERT_OK(w.system, dem_trial_apply(w.trial, w.u, product));
    assert_memory_equal(&energy, &(double){evaluate(&w, w.u, again)}, sizeof energy);
    assert_memory_equal(again, w.g, (size_t)w.rows.unknowns * sizeof *again);
    free(again);
    free(product);
    close_world(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_as_general), cmocka_unit_test(own_laws_too),    cmocka_unit_test(several_laws),
      cmocka_unit_test(one_centre),      cmocka_unit_test(slope_of_energy), cmocka_unit_test(threads_and_instructions),
      cmocka_unit_test(mixed),
  };
  return cmocka_run_group_tests_name("lean", tests, NULL, NULL);
}
