/* Trials that are accepted, and many at once.
 *
 *   accept    the system has afterwards the forces that the trial had at x + alpha u with velocities u/h and histories advanced by
 *             alpha h: a second trial finds them with a step that is too short to change anything
 *   books     close, and accepting neither dissipates nor makes energy: `numerical` stays, work and stored energy are the host's
 *   twice     is the same as closing and opening in between, to the bit
 *   wrap      displacements by whole lengths of a periodic axis change no force, and are counted in the images
 *   several   trials of one system do not see each other; threads do not change a bit */
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
  int64_t walls; /* first unknown of the walls */
  double *u, *g, *p;
} world;

static void frictionless(dem_law_options *law) {
  dem_law_options_init(law, sizeof *law);
  law->normal_stiffness = 1e5;
  law->tangential = DEM_TANGENTIAL_NONE;
}

static void open_world(world *w, const char *name, const dem_law_options *law, int32_t threads, int64_t steps) {
  const scene_setup setup = {.law = law, .threads = threads, .particles = 150, .ledger = 2};
  memset(w, 0, sizeof *w);
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  assert_int_equal(scene_build(scene_find(name), w->context, &setup, &w->system), DEM_OK);
  ASSERT_OK(w->system, dem_system_step(w->system, steps));
}

static void open_trial(world *w, const dem_trial_options *options) {
  ASSERT_OK(w->system, dem_trial_open(w->system, options, &w->trial));
  dem_trial_rows_init(&w->rows, sizeof w->rows);
  ASSERT_OK(w->system, dem_trial_get_rows(w->trial, &w->rows));
  w->walls = w->rows.particles * w->rows.width;
  double **const vectors[] = {&w->u, &w->g, &w->p};
  for (int k = 0; k < 3; k++) assert_non_null(*vectors[k] = calloc((size_t)w->rows.unknowns + 1, sizeof(double)));
}

static void close_trial(world *w) {
  assert_int_equal(dem_trial_close(w->trial), DEM_OK);
  free(w->u);
  free(w->g);
  free(w->p);
}

static void close_world(world *w) {
  assert_int_equal(dem_system_destroy(w->system), DEM_OK);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

/* Of particles, and displacements of walls. */
static void randomize(world *w, dice *d, double size, double of_walls) {
  for (int64_t k = 0; k < w->rows.unknowns; k++) w->u[k] = dice_uniform(d, -size, size);
  for (int64_t k = w->walls; k < w->rows.unknowns; k++)
    w->u[k] *= (k - w->walls) % w->rows.wall_width < (w->rows.wall_width + 1) / 2 ? of_walls : 0;
}

static double largest(const double *v, int64_t n) {
  double most = 0;
  for (int64_t k = 0; k < n; k++) most = fmax(most, fabs(v[k]));
  return most;
}

static double top_of(const world *w) {
  int64_t n;
  double top = 0;
  ASSERT_OK(w->system, dem_system_particle_count(w->system, &n));
  double *x = malloc(4 * (size_t)n * sizeof *x), *radius = x + 3 * n;
  ASSERT_OK(w->system, dem_system_get_field(w->system, DEM_POSITION, n, NULL, x, 0));
  ASSERT_OK(w->system, dem_system_get_field(w->system, DEM_RADIUS, n, NULL, radius, 0));
  for (int64_t k = 0; k < n; k++) top = fmax(top, x[3 * k + 2] + radius[k]);
  free(x);
  return top;
}

/* Bonds between neighbours, a free wall above everything, a host force, a host torque, and gravity. */
static void load_world_that_shears(world *w, double break_strain, double break_shear_stress) {
  dem_bond_type t;
  dem_wall lid;
  dem_id id;
  int64_t bonds;
  const double force[3] = {3, -2, 1}, torque[3] = {0.1, 0.2, -0.3}, gravity[3] = {1, 2, -10};
  dem_bond_type_init(&t, sizeof t);
  t.normal_stiffness = 1e4, t.tangential_stiffness = 5e3, t.bending_stiffness = 1e3, t.twisting_stiffness = 1e3;
  t.normal_damping = 5, t.relaxation_time = 1, t.break_strain = break_strain;
  t.break_shear_stress = break_shear_stress;
  ASSERT_OK(w->system, dem_system_add_bond_type(w->system, &t, NULL));
  ASSERT_OK(w->system, dem_system_bond_neighbours(w->system, 0, 0, 0, 0.1, &bonds));
  assert_true(bonds > 20);
  dem_wall_init(&lid, sizeof lid);
  lid.axis[2] = -1, lid.position[2] = top_of(w) - 0.005, lid.motion = DEM_WALL_FREE, lid.mass = 7, lid.force[2] = -20,
  lid.free_axis[2] = 1;
  ASSERT_OK(w->system, dem_system_add_wall(w->system, &lid, NULL));
  ASSERT_OK(w->system, dem_system_id_at(w->system, 1, &(int64_t){5}, &id));
  ASSERT_OK(w->system, dem_system_set_field(w->system, DEM_HOST_FORCE, 1, &id, force, 0));
  ASSERT_OK(w->system, dem_system_set_field(w->system, DEM_HOST_TORQUE, 1, &id, torque, 0));
  ASSERT_OK(w->system, dem_system_set_gravity(w->system, gravity));
  ASSERT_OK(w->system, dem_system_step(w->system, 20));
}

static void load_world(world *w, double break_strain) { load_world_that_shears(w, break_strain, 0); }

typedef struct scenario {
  const char *name;
  int64_t steps;
  int loaded;
  double size; /* of displacements */
} scenario;

static const scenario scenarios[] = {{"packing2d", 300, 0, 1e-3}, {"settling", 900, 0, 1e-3},  {"hertz-bed", 1300, 0, 1e-3},
                                     {"powder", 1000, 0, 1e-2},   {"settling", 1200, 1, 1e-4}, {"busy", 1500, 0, 1e-3}};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static void open_scenario(world *w, int k, const dem_trial_options *o) {
  open_world(w, scenarios[k].name, NULL, 1, scenarios[k].steps);
  if (scenarios[k].loaded) load_world(w, 0);
  open_trial(w, o);
}

/* ---- accept is evaluate ---- */

static const dem_trial_options backward = {.struct_size = sizeof backward, .rotations = 1, .dt = 1e-3, .alpha = 1};
static const dem_trial_options midpoint = {.struct_size = sizeof midpoint, .rotations = 1, .dt = 1e-3, .alpha = 0.5};
static const dem_trial_options explicit = {.struct_size = sizeof explicit, .rotations = 1, .dt = 1e-3, .alpha = 0};
/* Nothing moves or slips in so short a time, but the velocities are there. */
static const dem_trial_options instant = {.struct_size = sizeof instant, .rotations = 1, .dt = 1e-13, .alpha = 0};

/* From the order of one trial to that of another: rows of the system may have been sorted in between. */
static void carry_over(const world *from, const double *in, const world *to, double factor, double *out) {
  int64_t *place = malloc(2 * (size_t)from->rows.particles * sizeof *place), *row = place + from->rows.particles;
  for (int64_t k = 0; k < from->rows.particles; k++) {
    ASSERT_OK(from->system, dem_system_index_of(from->system, 1, &from->rows.ids[k], &place[k]));
    int64_t other;
    ASSERT_OK(from->system, dem_system_index_of(from->system, 1, &to->rows.ids[k], &other));
    row[other] = k;
  }
  for (int64_t k = 0; k < from->walls; k++) {
    const int64_t width = from->rows.width;
    out[row[place[k / width]] * width + k % width] = factor * in[k];
  }
  for (int64_t k = from->walls; k < from->rows.unknowns; k++) out[k] = factor * in[k];
  free(place);
}

/* Largest difference of the forces, over the largest force. */
static double error_of_accepting(int k, const dem_trial_options *o) {
  world w, after;
  dice d = {31};
  open_scenario(&w, k, o);
  randomize(&w, &d, scenarios[k].size, 0.1);
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  ASSERT_OK(w.system, dem_trial_accept(w.trial, NULL));
  after = w;
  open_trial(&after, &instant);
  carry_over(&w, w.u, &after, instant.dt / o->dt, after.u);
  carry_over(&w, w.g, &after, 1, after.p);
  ASSERT_OK(w.system, dem_trial_evaluate(after.trial, after.u, DEM_TRIAL_FORCE, NULL, after.g));
  double worst = 0;
  for (int64_t n = 0; n < w.rows.unknowns; n++) worst = fmax(worst, fabs(after.g[n] - after.p[n]));
  const double size = largest(w.g, w.rows.unknowns);
  assert_true(size > 0);
  close_trial(&after);
  close_trial(&w);
  close_world(&w);
  return worst / size;
}

static void accepted_steps_are_evaluated(void **state) {
  (void)state;
  for (int k = 0; k < SCENARIOS; k++) {
    print_message("# %s: %g %g %g\n", scenarios[k].name, error_of_accepting(k, &backward), error_of_accepting(k, &midpoint),
                  error_of_accepting(k, &explicit));
    ASSERT_BELOW(error_of_accepting(k, &backward), 1e-9);
    ASSERT_BELOW(error_of_accepting(k, &midpoint), 1e-9);
    ASSERT_BELOW(error_of_accepting(k, &explicit), 1e-9);
  }
}

/* Where bonds break, the contacts below them act in the evaluation that breaks them, as they do once it is accepted: the same forces, in
 * statics and in a step. Also after another state, which was refused. */
static void contacts_replace_the_bonds_that_break(void **state) {
  (void)state;
  const dem_trial_options *const all[] = {NULL, &backward, &midpoint};
  for (int k = 0; k < 3; k++) {
    world w, after;
    dice d = {29};
    int64_t bonds, left;
    open_world(&w, "settling", NULL, 1, 1200);
    load_world_that_shears(&w, 0.01, 100);
    open_trial(&w, all[k]);
    ASSERT_OK(w.system, dem_system_bond_count(w.system, &bonds));
    randomize(&w, &d, 0.02, 0);
    ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
    ASSERT_OK(w.system, dem_trial_evaluate(w.trial, NULL, DEM_TRIAL_FORCE, NULL, w.p)); /* bonds and contacts as they were */
    ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.p));
    ASSERT_BITS(w.p, w.g, (size_t)w.rows.unknowns * sizeof *w.p);
    w.p[0] = 1e59;
    if (k > 0) ASSERT_STATUS(w.system, dem_trial_evaluate(w.trial, w.p, DEM_TRIAL_FORCE, NULL, w.p), DEM_BAD_ARGUMENT);
    ASSERT_OK(w.system, dem_trial_accept(w.trial, NULL));
    ASSERT_OK(w.system, dem_system_bond_count(w.system, &left));
    assert_true(left < bonds - 5 && left > 5);
    const double h = all[k] ? all[k]->dt : 0;
    after = w;
    open_trial(&after, h > 0 ? &instant : NULL);
    carry_over(&w, w.u, &after, h > 0 ? instant.dt / h : 0, after.u);
    carry_over(&w, w.g, &after, 1, after.p);
    ASSERT_OK(w.system, dem_trial_evaluate(after.trial, after.u, DEM_TRIAL_FORCE, NULL, after.g));
    for (int64_t n = 0; n < w.rows.unknowns; n++) ASSERT_ABS(after.g[n], after.p[n], 1e-9 * largest(w.g, w.rows.unknowns));
    close_trial(&after);
    close_trial(&w);
    close_world(&w);
  }
}

/* ---- books ---- */

static dem_energy read_books(world *w) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(w->system, dem_system_energy(w->system, &e));
  ASSERT_BELOW(e.residual_relative, 1e-12);
  return e;
}

static double stored(const dem_energy *e) {
  double sum = e->potential_bond;
  for (int k = 0; k < 2; k++)
    sum += e->potential_normal[k] + e->potential_tangential[k] + e->potential_rolling[k] + e->potential_twisting[k];
  return sum;
}

static void books_close(int k, const dem_trial_options *o) {
  world w;
  dice d = {17};
  open_scenario(&w, k, o);
  for (int n = 0; n < 4; n++) {
    const dem_energy before = read_books(&w);
    randomize(&w, &d, scenarios[k].size, 0.1);
    for (int64_t m = 0; m < w.walls; m++) w.p[m] = n % 2 ? dice_uniform(&d, -0.1, 0.1) : w.u[m] * 1e3;
    ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
    ASSERT_OK(w.system, dem_trial_accept(w.trial, n == 2 ? NULL : w.p));
    const dem_energy after = read_books(&w);
    const double kinetic = after.kinetic_linear + after.kinetic_angular - before.kinetic_linear - before.kinetic_angular;
    const double brought =
        after.potential_host[0] + after.potential_host[1] - before.potential_host[0] - before.potential_host[1];
    for (int m = 0; m < 2; m++) ASSERT_ABS(after.numerical[m], before.numerical[m], 1e-11 * after.largest);
    ASSERT_ABS(after.host - before.host, kinetic, 1e-11 * after.largest);
    ASSERT_ABS(brought, stored(&after) - stored(&before), 1e-11 * (after.largest + fabs(stored(&after))));
    assert_true((n == 2) == (fabs(kinetic) <= 1e-12 * after.largest));
    assert_true(brought != 0);
  }
  close_trial(&w);
  ASSERT_OK(w.system, dem_system_step(w.system, 200));
  read_books(&w);
  ASSERT_OK(w.system, dem_system_check(w.system));
  close_world(&w);
}

static void books_close_when_trials_are_accepted(void **state) {
  (void)state;
  for (int k = 0; k < SCENARIOS; k++) {
    books_close(k, NULL);
    books_close(k, &backward);
    books_close(k, &midpoint);
  }
}

/* Bonds that a displacement stretches too far stay in the evaluation and are broken by accepting it, once, with the energy they held. */
static void bonds_break_when_a_trial_is_accepted(void **state) {
  (void)state;
  world w;
  dice d = {29};
  int64_t bonds, kept, left;
  open_world(&w, "settling", NULL, 1, 1200);
  load_world(&w, 0.01);
  open_trial(&w, NULL);
  ASSERT_OK(w.system, dem_system_bond_count(w.system, &bonds));
  const dem_energy before = read_books(&w);
  randomize(&w, &d, 0.02, 0);
  for (int n = 0; n < 3; n++) ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  ASSERT_OK(w.system, dem_system_bond_count(w.system, &kept));
  assert_int_equal(kept, bonds);
  ASSERT_OK(w.system, dem_trial_accept(w.trial, NULL));
  ASSERT_OK(w.system, dem_system_bond_count(w.system, &left));
  print_message("# %d of %d bonds left\n", (int)left, (int)bonds);
  assert_true(left < bonds - 5 && left > 5);
  dem_bond_break *breaks = malloc((size_t)bonds * sizeof *breaks);
  int64_t told;
  ASSERT_OK(w.system, dem_system_take_bond_breaks(w.system, bonds, breaks, sizeof *breaks, &told));
  assert_int_equal(told, bonds - left);
  free(breaks);
  const dem_energy after = read_books(&w);
  assert_true(after.breakage > before.breakage);
  for (int m = 0; m < 2; m++) ASSERT_ABS(after.numerical[m], before.numerical[m], 1e-11 * after.largest);
  close_trial(&w);
  ASSERT_OK(w.system, dem_system_step(w.system, 100));
  read_books(&w);
  ASSERT_OK(w.system, dem_system_check(w.system));
  close_world(&w);
}

/* ---- twice ---- */

static void keep_going(world *w, const dem_trial_options *o, int reopen, snapshot *end) {
  dice d = {23};
  open_scenario(w, 2, o);
  for (int n = 0; n < 3; n++) {
    /* by listing: another trial may have another order */
    world listed = *w;
    randomize(w, &d, 1e-3, 0);
    for (int64_t k = 0; k < w->rows.particles; k++) {
      int64_t place;
      ASSERT_OK(w->system, dem_system_index_of(w->system, 1, &w->rows.ids[k], &place));
      for (int a = 0; a < w->rows.width; a++) w->p[k * w->rows.width + a] = listed.u[place * w->rows.width + a];
    }
    ASSERT_OK(w->system, dem_trial_evaluate(w->trial, w->p, DEM_TRIAL_FORCE, NULL, w->g));
    ASSERT_OK(w->system, dem_trial_accept(w->trial, NULL));
    if (!reopen) continue;
    close_trial(w);
    open_trial(w, o);
  }
  close_trial(w);
  ASSERT_OK(w->system, dem_system_step(w->system, 50));
  snapshot_take(end, w->system);
  close_world(w);
}

static void accepting_again_is_opening_again(void **state) {
  (void)state;
  const dem_trial_options *const options[] = {NULL, &backward, &midpoint};
  for (int k = 0; k < 3; k++) {
    world w;
    snapshot one, other;
    keep_going(&w, options[k], 0, &one);
    keep_going(&w, options[k], 1, &other);
    snapshot_assert_same_bits(&one, &other);
    snapshot_free(&one);
    snapshot_free(&other);
  }
}

/* ---- images ---- */

/* Each particle goes round the box a number of times of its own. */
static void going_round_changes_nothing(void **state) {
  (void)state;
  dem_law_options law;
  world w;
  dice d = {41};
  frictionless(&law);
  open_world(&w, "packing2d", &law, 1, 300);
  open_trial(&w, NULL);
  const double length = 0.9 * ceil(sqrt(150.0));
  const int64_t n = w.rows.particles;
  int32_t *image = malloc(6 * (size_t)n * sizeof *image), *turns = image + 3 * n;
  double *x = malloc(6 * (size_t)n * sizeof *x), *after = x + 3 * n, energy, far;
  randomize(&w, &d, 1e-3, 0);
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_ENERGY | DEM_TRIAL_FORCE, &energy, w.g));
  ASSERT_OK(w.system, dem_system_get_field_int(w.system, DEM_IMAGE, n, w.rows.ids, image, 0));
  ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_POSITION, n, w.rows.ids, x, 0));
  for (int64_t k = 0; k < n; k++)
    for (int a = 0; a < 2; a++) {
      turns[2 * k + a] = (int32_t)dice_uniform(&d, -1000, 1000);
      w.u[k * w.rows.width + a] += length * turns[2 * k + a];
    }
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_ENERGY | DEM_TRIAL_FORCE, &far, w.p));
  const double blur = 1e-15 * 1000 * length; /* of positions */
  ASSERT_REL(far, energy, 1e4 * blur);
  for (int64_t k = 0; k < w.rows.unknowns; k++) ASSERT_ABS(w.p[k], w.g[k], 10 * blur * 1e5);
  ASSERT_OK(w.system, dem_trial_accept(w.trial, NULL));
  ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_POSITION, n, w.rows.ids, after, 0));
  for (int64_t k = 0; k < n; k++) {
    int32_t now[3];
    ASSERT_OK(w.system, dem_system_get_field_int(w.system, DEM_IMAGE, 1, &w.rows.ids[k], now, 0));
    for (int a = 0; a < 2; a++) {
      const double went = after[3 * k + a] - x[3 * k + a] + length * (now[a] - image[3 * k + a]);
      ASSERT_ABS(went, w.u[k * w.rows.width + a], 10 * blur);
      assert_true(after[3 * k + a] >= 0 && after[3 * k + a] < length);
      assert_in_range(now[a] - image[3 * k + a] - turns[2 * k + a] + 1, 0, 2);
    }
  }
  free(image);
  free(x);
  close_trial(&w);
  ASSERT_OK(w.system, dem_system_step(w.system, 20));
  ASSERT_OK(w.system, dem_system_check(w.system));
  close_world(&w);
}

/* ---- gravity, host, free walls ---- */

/* Along lines through all unknowns the slope of the energy, by central differences of two lengths, is the gradient. */
static void gradients_under_loads(void **state) {
  (void)state;
  dem_law_options law;
  world w;
  dice d = {8};
  frictionless(&law);
  open_world(&w, "settling", &law, 1, 1200);
  load_world(&w, 0);
  open_trial(&w, &(dem_trial_options){.struct_size = sizeof(dem_trial_options), .rotations = 1, .alpha = 0.5});
  double *at = calloc((size_t)w.rows.unknowns, sizeof *at);
  for (int n = 0; n < 8; n++) {
    double product = 0, size = 0, central[2], slope;
    randomize(&w, &d, 1e-4, 10);
    memcpy(w.p, w.u, (size_t)w.rows.unknowns * sizeof *at);
    ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.p, DEM_TRIAL_FORCE, NULL, w.g));
    /* springs of bonds begin where the trial began: rotations only along the line */
    for (int64_t k = 0; k < w.rows.unknowns; k++) w.u[k] = dice_uniform(&d, -1, 1) * (k < w.walls && k % 6 > 2 ? 0 : 1);
    for (int64_t k = 0; k < w.rows.unknowns; k++) {
      product += 0.5 * w.g[k] * w.u[k];
      size += 0.5 * fabs(w.g[k] * w.u[k]);
    }
    for (int level = 0; level < 2; level++) {
      double energy[2];
      const double e = level ? 5e-9 : 1e-8;
      for (int side = 0; side < 2; side++) {
        for (int64_t k = 0; k < w.rows.unknowns; k++) at[k] = w.p[k] + (side ? -e : e) * w.u[k];
        ASSERT_OK(w.system, dem_trial_evaluate(w.trial, at, DEM_TRIAL_ENERGY, &energy[side], NULL));
      }
      central[level] = (energy[0] - energy[1]) / (2 * e);
    }
    slope = (4 * central[1] - central[0]) / 3;
    ASSERT_ABS(slope, product, 1e-5 * size);
  }
  free(at);
  close_trial(&w);
  close_world(&w);
}

/* Of a particle that nothing touches, and of the free wall: minus weight and host force, and the energy is linear. */
static void loads_alone(void **state) {
  (void)state;
  const double gravity[3] = {1, 2, -10}, force[3] = {3, -2, 1}, torque[3] = {0.1, 0.2, -0.3};
  dem_law_options law;
  world w;
  rows r;
  dem_id id;
  dem_wall lid;
  double energy[2];
  frictionless(&law);
  open_world(&w, "impact", &law, 1, 0);
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 10, 20, 30, 0.5);
  ASSERT_OK(w.system, rows_add(&r, w.system, &id));
  rows_destroy(&r);
  ASSERT_OK(w.system, dem_system_set_gravity(w.system, gravity));
  ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_HOST_FORCE, 1, &id, force, 0));
  ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_HOST_TORQUE, 1, &id, torque, 0));
  dem_wall_init(&lid, sizeof lid);
  lid.axis[2] = -1, lid.position[2] = 100, lid.motion = DEM_WALL_FREE, lid.mass = 7, lid.free_axis[2] = 1, lid.force[2] = -20;
  ASSERT_OK(w.system, dem_system_add_wall(w.system, &lid, NULL));
  open_trial(&w, NULL);
  int64_t at = 0;
  while (w.rows.ids[at] != id) at++;
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, NULL, DEM_TRIAL_ENERGY | DEM_TRIAL_FORCE, &energy[0], w.g));
  for (int a = 0; a < 3; a++) {
    ASSERT_ABS(w.g[6 * at + a], -(gravity[a] + force[a]), 1e-14); /* of mass 1 */
    ASSERT_REL(w.g[6 * at + 3 + a], -torque[a], 1e-15);
    if (a == 2) ASSERT_REL(w.g[w.walls + a], 70 + 20, 1e-15);
    w.u[6 * at + a] = 0.5 - a;
    w.u[6 * at + 3 + a] = a;
  }
  w.u[w.walls + 2] = 2;
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_ENERGY, &energy[1], NULL));
  const double work = 0.5 * 4 - 0.5 * 0 + 1.5 * 9 + 0.2 - 0.6; /* (m g + F).u + M.r */
  ASSERT_REL(energy[1] - energy[0], -work + 2 * 90, 1e-13);
  close_trial(&w);
  close_world(&w);
}

/* ---- several ---- */

/* Each of three trials of one system gives the bits that it gives alone. */
static void trials_do_not_see_each_other(void **state) {
  (void)state;
  const dem_trial_options *const options[] = {NULL, &backward, &midpoint};
  world alone[3], together[3];
  dice d = {3};
  for (int k = 0; k < 3; k++) open_scenario(&alone[k], 1, options[k]);
  open_scenario(&together[0], 1, options[0]);
  for (int k = 1; k < 3; k++) {
    together[k] = together[0];
    open_trial(&together[k], options[k]);
  }
  for (int n = 0; n < 5; n++) {
    randomize(&alone[0], &d, n % 2 ? 1e-3 : 0.3, 0.1);
    const size_t bytes = (size_t)alone[0].rows.unknowns * sizeof(double);
    for (int k = 0; k < 3; k++) {
      double one, other;
      ASSERT_OK(alone[k].system, dem_trial_evaluate(alone[k].trial, alone[0].u, 7, &one, alone[k].g));
      ASSERT_OK(together[k].system, dem_trial_evaluate(together[k].trial, alone[0].u, 7, &other, together[k].g));
      assert_true(one == other);
    }
    for (int k = 0; k < 3; k++) {
      ASSERT_OK(alone[k].system, dem_trial_apply(alone[k].trial, alone[0].u, alone[k].p));
      ASSERT_OK(together[k].system, dem_trial_apply(together[k].trial, alone[0].u, together[k].p));
      ASSERT_BITS(alone[k].g, together[k].g, bytes);
      ASSERT_BITS(alone[k].p, together[k].p, bytes);
    }
  }
  for (int k = 0; k < 3; k++) {
    close_trial(&alone[k]);
    close_world(&alone[k]);
    close_trial(&together[k]);
  }
  close_world(&together[0]);
}

/* ---- threads ---- */

static void threads_do_not_change_a_bit(void **state) {
  (void)state;
  for (int s = 0; s < SCENARIOS; s++) {
    world w[3];
    double energy[3] = {0, 0, 0};
    /* the two beds have laws without a potential */
    const int32_t ask = DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT | (s == 2 || s == 3 ? 0 : DEM_TRIAL_ENERGY);
    for (int k = 0; k < 3; k++) {
      open_world(&w[k], scenarios[s].name, NULL, 1 + k, scenarios[s].steps / 3);
      open_trial(&w[k], s % 2 ? &midpoint : NULL);
    }
    dice d = {77};
    const size_t bytes = (size_t)w[0].rows.unknowns * sizeof(double);
    for (int n = 0; n < 4; n++) {
      randomize(&w[0], &d, n % 2 ? 0.1 : 1e-3, 0.1);
      for (int k = 0; k < 3; k++) {
        ASSERT_OK(w[k].system, dem_trial_evaluate(w[k].trial, w[0].u, ask, &energy[k], w[k].g));
        ASSERT_OK(w[k].system, dem_trial_apply(w[k].trial, w[0].u, w[k].p));
        assert_true(energy[k] == energy[0]);
        ASSERT_BITS(w[k].rows.ids, w[0].rows.ids, (size_t)w[0].rows.particles * sizeof *w[0].rows.ids);
        ASSERT_BITS(w[k].g, w[0].g, bytes);
        ASSERT_BITS(w[k].p, w[0].p, bytes);
      }
    }
    for (int k = 0; k < 3; k++) {
      close_trial(&w[k]);
      close_world(&w[k]);
    }
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accepted_steps_are_evaluated),
      cmocka_unit_test(books_close_when_trials_are_accepted),
      cmocka_unit_test(contacts_replace_the_bonds_that_break),
      cmocka_unit_test(bonds_break_when_a_trial_is_accepted),
      cmocka_unit_test(accepting_again_is_opening_again),
      cmocka_unit_test(going_round_changes_nothing),
      cmocka_unit_test(gradients_under_loads),
      cmocka_unit_test(loads_alone),
      cmocka_unit_test(trials_do_not_see_each_other),
      cmocka_unit_test(threads_do_not_change_a_bit),
  };
  return cmocka_run_group_tests_name("trial_accept", tests, NULL, NULL);
}
