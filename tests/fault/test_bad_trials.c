/* Trials asked for wrongly: every refusal names item, value and limit, and leaves the system and the trial as they were. While a trial
 * is open the system cannot be changed, from nowhere. */
#include "assertions.h"

#include <dem/plugin/law.h>
#include <dem/plugin/trial.h>
#include <dem/view.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenes/image.h"
#include "scenes/scenes.h"
#include "state.h"

typedef struct world {
  dem_context *context;
  dem_system *system;
  dem_trial *trial;
  dem_trial_rows rows;
  dem_id frozen;
  double *u, *g, *p;
  system_image before;
} world;

static void ignore(void *user, int32_t level, const char *text) { (void)user, (void)level, (void)text; }

static dem_context *open_context(void) {
  dem_context *context;
  dem_context_options o;
  dem_context_options_init(&o, sizeof o);
  o.log = ignore;
  assert_int_equal(dem_context_create(&o, &context), DEM_OK);
  return context;
}

/* Settling grains with friction, of which one is frozen, in five walls; the books as of now. */
static void open_system(world *w) {
  const scene_setup setup = {.particles = 40, .ledger = 1};
  dem_energy e;
  memset(w, 0, sizeof *w);
  w->context = open_context();
  assert_int_equal(scene_build(scene_find("settling"), w->context, &setup, &w->system), DEM_OK);
  ASSERT_OK(w->system, dem_system_step(w->system, 2500));
  ASSERT_OK(w->system, dem_system_id_at(w->system, 1, &(int64_t){3}, &w->frozen));
  ASSERT_OK(w->system, dem_system_set_frozen(w->system, 1, &w->frozen, 1));
  ASSERT_OK(w->system, dem_system_step(w->system, 1));
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(w->system, dem_system_energy(w->system, &e));
  w->before = image_take(w->system);
}

static void open_world_with(world *w, const dem_trial_options *o) {
  open_system(w);
  ASSERT_OK(w->system, dem_trial_open(w->system, o, &w->trial));
  dem_trial_rows_init(&w->rows, sizeof w->rows);
  ASSERT_OK(w->system, dem_trial_get_rows(w->trial, &w->rows));
  double **const vectors[] = {&w->u, &w->g, &w->p};
  for (int k = 0; k < 3; k++) assert_non_null(*vectors[k] = calloc((size_t)w->rows.unknowns, sizeof(double)));
  for (int64_t k = 0; k < w->rows.particles * w->rows.width; k++) w->u[k] = 1e-4 * (double)(k % 7 - 3);
}

static void open_world(world *w) { open_world_with(w, NULL); }

/* Nothing of the system has changed, and it goes on. */
static void close_world(world *w) {
  assert_int_equal(dem_trial_close(w->trial), DEM_OK);
  image_assert_same(&w->before, w->system);
  ASSERT_OK(w->system, dem_system_step(w->system, 5));
  ASSERT_OK(w->system, dem_system_check(w->system));
  image_free(&w->before);
  free(w->u);
  free(w->g);
  free(w->p);
  assert_int_equal(dem_system_destroy(w->system), DEM_OK);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

static void says(const world *w, const char *text) {
  if (!strstr(dem_system_message(w->system), text)) fail_msg("'%s' is not in: %s", text, dem_system_message(w->system));
}

/* ---- opening ---- */

static void refuse_options(world *w, const dem_trial_options *o, dem_status status, const char *item, const char *value) {
  dem_trial *trial = (dem_trial *)w;
  ASSERT_STATUS(w->system, dem_trial_open(w->system, o, &trial), status);
  assert_null(trial);
  says(w, item);
  says(w, value);
  image_assert_same(&w->before, w->system);
}

static void options_out_of_range(void **state) {
  (void)state;
  world w;
  open_system(&w);
  const double dts[] = {-1, NAN, INFINITY, 1e61, 1e-61}, alphas[] = {-0.1, 1.5, NAN, INFINITY};
  const double reaches[] = {-1, NAN, INFINITY, 11};
  const char *const dt_texts[] = {"is -1", "nan", "is inf", "is 1e+61", "is 1e-61"};
  const char *const alpha_texts[] = {"is -0.1", "is 1.5", "nan", "is inf"}, *const reach_texts[] = {"is -1", "nan", "is inf",
                                                                                                    "is 11"};
  dem_trial_options o;
  for (int k = 0; k < 5; k++) {
    dem_trial_options_init(&o, sizeof o);
    o.dt = dts[k];
    refuse_options(&w, &o, DEM_BAD_ARGUMENT, "trial: dt", dt_texts[k]);
  }
  for (int k = 0; k < 4; k++) {
    dem_trial_options_init(&o, sizeof o);
    o.alpha = alphas[k];
    refuse_options(&w, &o, DEM_BAD_ARGUMENT, "trial: alpha", alpha_texts[k]);
    dem_trial_options_init(&o, sizeof o);
    o.reach = reaches[k];
    refuse_options(&w, &o, DEM_BAD_ARGUMENT, "trial: reach", reach_texts[k]);
  }
  for (int k = -1; k < 3; k += 3) {
    dem_trial_options_init(&o, sizeof o);
    o.rotations = k;
    refuse_options(&w, &o, DEM_BAD_ARGUMENT, "trial: rotations", k < 0 ? "is -1" : "is 2");
  }
  dem_trial_options_init(&o, sizeof o);
  o.box = 2;
  refuse_options(&w, &o, DEM_BAD_ARGUMENT, "trial: box", "is 2");
  o.box = 1;
  refuse_options(&w, &o, DEM_BAD_ARGUMENT, "box is 1", "axis 0 is not periodic");
  dem_trial_options_init(&o, sizeof o);
  o.reserved_zero = 3;
  refuse_options(&w, &o, DEM_UNSUPPORTED, "trial: reserved_zero", "is 3");
  dem_trial_options_init(&o, sizeof o);
  o.alpha = 0;
  refuse_options(&w, &o, DEM_BAD_ARGUMENT, "alpha is 0", "statics");
  const uint32_t sizes[] = {0, 4, 5000};
  for (int k = 0; k < 3; k++) {
    dem_trial_options_init(&o, sizeof o);
    o.struct_size = sizes[k];
    refuse_options(&w, &o, DEM_BAD_STRUCT, "trial options", "struct_size");
  }
  ASSERT_STATUS(w.system, dem_trial_open(w.system, NULL, NULL), DEM_BAD_ARGUMENT);
  says(&w, "trial is NULL");
  close_world(&w);
}

/* Of two images of a pair only one is listed, so nothing longer than half the box may be asked for. */
static void a_reach_beyond_half_the_box(void **state) {
  (void)state;
  dem_context *const context = open_context();
  dem_system *s;
  dem_trial *trial;
  dem_trial_options o;
  assert_int_equal(scene_build(scene_find("packing2d"), context, NULL, &s),
                   DEM_OK); /* 8 x 8 discs of diameter 1 in 7.2 x 7.2 */
  dem_trial_options_init(&o, sizeof o);
  o.reach = 2.7;
  ASSERT_STATUS(s, dem_trial_open(s, &o, &trial), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(s), "reach is 2.7, allowed 0 to 2.6"));
  o.reach = 2.5;
  ASSERT_OK(s, dem_trial_open(s, &o, &trial));
  assert_int_equal(dem_trial_close(trial), DEM_OK);
  assert_int_equal(dem_system_destroy(s), DEM_OK);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

static void a_system_that_is_not_ready(void **state) {
  (void)state;
  dem_context *const context = open_context();
  dem_system *s;
  dem_system_options o;
  dem_trial *trial;
  const double x[3] = {0, 0, 0}, one = 1;
  dem_particles p;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-3;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  ASSERT_OK(s, dem_system_add_material(s, NULL, NULL));
  dem_particles_init(&p, sizeof p);
  p.count = 1, p.position = x, p.radius = &one, p.density = &one;
  ASSERT_OK(s, dem_system_add_particles(s, &p, NULL));
  ASSERT_STATUS(s, dem_trial_open(s, NULL, &trial), DEM_INCOMPLETE);
  assert_null(trial);
  assert_non_null(strstr(dem_system_message(s), "have no law"));
  assert_int_equal(dem_system_destroy(s), DEM_OK); /* no trial is left open */
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

static void views_are_open(void **state) {
  (void)state;
  world w;
  open_system(&w);
  dem_view view;
  dem_trial *other;
  dem_view_init(&view, sizeof view);
  ASSERT_OK(w.system, dem_view_acquire(w.system, DEM_POSITION, DEM_READ, &view));
  ASSERT_STATUS(w.system, dem_trial_open(w.system, NULL, &other), DEM_BUSY);
  assert_null(other);
  says(&w, "1 views are open");
  ASSERT_OK(w.system, dem_view_release(w.system, &view));
  image_free(&w.before);
  free(w.u);
  assert_int_equal(dem_system_destroy(w.system), DEM_OK);
  assert_int_equal(dem_context_destroy(w.context), DEM_OK);

  open_world(&w);
  double energy;
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, w.g));
  dem_view_init(&view, sizeof view);
  ASSERT_OK(w.system, dem_view_acquire(w.system, DEM_POSITION, DEM_READ, &view));
  ASSERT_STATUS(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_ENERGY, &energy, NULL), DEM_BUSY);
  says(&w, "1 views are open");
  ASSERT_STATUS(w.system, dem_trial_apply(w.trial, w.u, w.g), DEM_BUSY);
  ASSERT_STATUS(w.system, dem_trial_accept(w.trial, NULL), DEM_BUSY);
  ASSERT_OK(w.system, dem_view_release(w.system, &view));
  ASSERT_OK(w.system, dem_trial_apply(w.trial, w.u, w.g));
  const int32_t fields[] = {DEM_VELOCITY, DEM_HOST_FORCE, DEM_SPIN};
  for (int k = 0; k < 3; k++) {
    ASSERT_STATUS(w.system, dem_view_acquire(w.system, fields[k], DEM_WRITE, &view), DEM_BUSY);
    says(&w, "1 trials are open");
  }
  close_world(&w);
}

/* ---- rows ---- */

static void rows_asked_for_wrongly(void **state) {
  (void)state;
  world w;
  open_world(&w);
  dem_trial_rows out;
  dem_trial_rows_init(&out, sizeof out);
  out.struct_size = 3;
  ASSERT_STATUS(w.system, dem_trial_get_rows(w.trial, &out), DEM_BAD_STRUCT);
  ASSERT_STATUS(w.system, dem_trial_get_rows(w.trial, NULL), DEM_BAD_ARGUMENT);
  says(&w, "rows is NULL");
  assert_int_equal(dem_trial_rows_init(NULL, sizeof out), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_trial_rows_init(&out, 1), DEM_BAD_STRUCT);
  assert_int_equal(dem_trial_options_init(NULL, 8), DEM_BAD_ARGUMENT);
  dem_trial_options o;
  assert_int_equal(dem_trial_options_init(&o, 3), DEM_BAD_STRUCT);
  close_world(&w);
}

static void no_trial_at_all(void **state) {
  (void)state;
  double x[6] = {0};
  dem_trial_rows out;
  dem_trial *trial = (dem_trial *)x;
  dem_trial_rows_init(&out, sizeof out);
  assert_int_equal(dem_trial_open(NULL, NULL, &trial), DEM_BAD_ARGUMENT);
  assert_null(trial);
  assert_int_equal(dem_trial_get_rows(NULL, &out), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_trial_evaluate(NULL, x, DEM_TRIAL_ENERGY, x, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_trial_apply(NULL, x, x), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_trial_accept(NULL, x), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_trial_close(NULL), DEM_OK);
}

/* ---- evaluating ---- */

static void asks_that_mean_nothing(void **state) {
  (void)state;
  world w;
  open_world(&w);
  double energy = 17;
  const int32_t asks[] = {0, 8, 16 | DEM_TRIAL_ENERGY, -1};
  for (int k = 0; k < 4; k++) {
    ASSERT_STATUS(w.system, dem_trial_evaluate(w.trial, w.u, asks[k], &energy, w.g), DEM_BAD_ARGUMENT);
    says(&w, "trial: ask is ");
  }
  ASSERT_STATUS(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_ENERGY, NULL, w.g), DEM_BAD_ARGUMENT);
  says(&w, "energy is asked for and NULL");
  ASSERT_STATUS(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, &energy, NULL), DEM_BAD_ARGUMENT);
  says(&w, "gradient is asked for and NULL");
  assert_true(energy == 17 && w.g[0] == 0);
  ASSERT_STATUS(w.system, dem_trial_accept(w.trial, NULL), DEM_INCOMPLETE);
  says(&w, "nothing was evaluated");
  ASSERT_STATUS(w.system, dem_trial_apply(w.trial, w.u, w.g), DEM_INCOMPLETE);
  says(&w, "no evaluation with DEM_TRIAL_TANGENT");
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  ASSERT_STATUS(w.system, dem_trial_apply(w.trial, w.u, w.g), DEM_INCOMPLETE);
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_TANGENT, NULL, NULL)); /* the gradient is not wanted */
  ASSERT_STATUS(w.system, dem_trial_apply(w.trial, NULL, w.g), DEM_BAD_ARGUMENT);
  says(&w, "p is NULL");
  ASSERT_STATUS(w.system, dem_trial_apply(w.trial, w.u, NULL), DEM_BAD_ARGUMENT);
  says(&w, "product is NULL");
  close_world(&w);
}

static int32_t stop_at_once(void *user, int64_t count, const dem_trial_block *blocks) {
  (void)count, (void)blocks;
  return ++*(int32_t *)user;
}

static void blocks_asked_for_wrongly(void **state) {
  (void)state;
  world w;
  int32_t visits = 0;
  open_world(&w);
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  ASSERT_STATUS(w.system, dem_trial_blocks(w.trial, sizeof(dem_trial_block), stop_at_once, &visits), DEM_INCOMPLETE);
  ASSERT_STATUS(w.system, dem_trial_diagonal(w.trial, w.g), DEM_INCOMPLETE);
  says(&w, "no evaluation with DEM_TRIAL_TANGENT");
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_TANGENT, NULL, NULL));
  ASSERT_STATUS(w.system, dem_trial_blocks(w.trial, sizeof(dem_trial_block), NULL, NULL), DEM_BAD_ARGUMENT);
  says(&w, "visit is NULL");
  ASSERT_STATUS(w.system, dem_trial_blocks(w.trial, 12, stop_at_once, &visits), DEM_BAD_STRUCT);
  ASSERT_STATUS(w.system, dem_trial_diagonal(w.trial, NULL), DEM_BAD_ARGUMENT);
  says(&w, "diagonal is NULL");
  assert_int_equal(visits, 0);
  ASSERT_STATUS(w.system, dem_trial_blocks(w.trial, sizeof(dem_trial_block), stop_at_once, &visits), DEM_CANCELLED);
  assert_int_equal(visits, 1);
  assert_int_equal(dem_trial_blocks(NULL, sizeof(dem_trial_block), stop_at_once, &visits), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_trial_diagonal(NULL, w.g), DEM_BAD_ARGUMENT);
  close_world(&w);
}

/* Whatever is refused, the evaluation before it still counts: its products are the same, to the bit. */
static void displacements_that_are_refused(void **state) {
  (void)state;
  world w;
  open_world(&w);
  const size_t bytes = (size_t)w.rows.unknowns * sizeof(double);
  const double values[] = {NAN, INFINITY, -INFINITY, 1e61, -1e61, 1e59, -1e30};
  const char *const texts[] = {"nan", "is inf", "is -inf", "is 1e+61", "is -1e+61", "u moves particle", "u moves particle"};
  const int64_t walls = w.rows.particles * w.rows.width, places[] = {0, 4, 62, walls - 1, walls, walls + 5};
  double *bad = malloc(bytes), *product = malloc(bytes), *again = malloc(bytes), energy = 0;
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, w.g));
  ASSERT_OK(w.system, dem_trial_apply(w.trial, w.u, product));
  for (int v = 0; v < 7; v++)
    for (int k = 0; k < 6; k++) {
      char place[32];
      memcpy(bad, w.u, bytes);
      bad[places[k]] = values[v];
      /* rotations, and walls, may be that large */
      if (v > 4 && (k == 1 || k > 2)) continue;
      ASSERT_STATUS(w.system, dem_trial_evaluate(w.trial, bad, DEM_TRIAL_ENERGY | DEM_TRIAL_FORCE, &energy, w.g),
                    DEM_BAD_ARGUMENT);
      says(&w, texts[v]);
      snprintf(place, sizeof place, "u[%d]", (int)places[k]);
      says(&w, v > 4 ? "allowed up to" : place);
      ASSERT_OK(w.system, dem_trial_apply(w.trial, w.u, again));
      ASSERT_BITS(product, again, bytes);
      if (k % 3 == 2) ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, w.g));
    }
  free(bad);
  free(product);
  free(again);
  close_world(&w);
}

/* What is accepted after a refusal is the evaluation before it. */
static void accepting_after_a_refusal(void **state) {
  (void)state;
  world w, twin;
  open_world(&w);
  open_world(&twin);
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  ASSERT_OK(twin.system, dem_trial_evaluate(twin.trial, twin.u, DEM_TRIAL_FORCE, NULL, twin.g));
  const double kept = w.u[6];
  w.u[6] = 1e55;
  ASSERT_STATUS(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g), DEM_BAD_ARGUMENT);
  w.u[6] = kept;
  world *const both[] = {&w, &twin};
  for (int k = 0; k < 2; k++) {
    ASSERT_OK(both[k]->system, dem_trial_accept(both[k]->trial, NULL));
    image_free(&both[k]->before);
  }
  const double *x[2];
  for (int k = 0; k < 2; k++) {
    double *at = malloc(3 * (size_t)w.rows.particles * sizeof *at);
    ASSERT_OK(both[k]->system, dem_system_get_field(both[k]->system, DEM_POSITION, w.rows.particles, w.rows.ids, at, 0));
    x[k] = at;
  }
  ASSERT_BITS(x[0], x[1], 3 * (size_t)w.rows.particles * sizeof **x);
  for (int k = 0; k < 2; k++) {
    free((double *)(uintptr_t)x[k]);
    both[k]->before = image_take(both[k]->system);
    close_world(both[k]);
  }
}

/* ---- accepting ---- */

static void velocities_that_are_refused(void **state) {
  (void)state;
  world w;
  open_world(&w);
  const double values[] = {NAN, INFINITY, 1e61};
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  const int place = w.rows.frozen[1] ? 16 : 10;
  for (int v = 0; v < 3; v++) {
    w.p[place] = values[v];
    ASSERT_STATUS(w.system, dem_trial_accept(w.trial, w.p), DEM_BAD_ARGUMENT);
    says(&w, place == 10 ? "velocity[10] is " : "velocity[16] is ");
    image_assert_same(&w.before, w.system);
  }
  /* of what does not move nothing is read */
  w.p[place] = 0;
  for (int64_t k = 0; k < w.rows.unknowns; k++)
    if (k >= w.rows.particles * w.rows.width || w.rows.frozen[k / w.rows.width]) w.p[k] = NAN;
  ASSERT_OK(w.system, dem_trial_accept(w.trial, w.p));
  ASSERT_STATUS(w.system, dem_trial_accept(w.trial, w.p), DEM_INCOMPLETE);
  image_free(&w.before);
  w.before = image_take(w.system);
  close_world(&w);
}

/* Another trial began from the state before: it goes on from there, but that state is gone. */
static void a_trial_that_came_too_late(void **state) {
  (void)state;
  world w;
  dem_trial *late;
  open_world(&w);
  const size_t bytes = (size_t)w.rows.unknowns * sizeof(double);
  double *before = malloc(bytes);
  ASSERT_OK(w.system, dem_trial_open(w.system, NULL, &late));
  ASSERT_OK(w.system, dem_trial_evaluate(late, w.u, DEM_TRIAL_FORCE, NULL, before));
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  ASSERT_OK(w.system, dem_trial_accept(w.trial, NULL));
  image_free(&w.before);
  w.before = image_take(w.system);
  ASSERT_STATUS(w.system, dem_trial_accept(late, NULL), DEM_BUSY);
  says(&w, "1 trials of this system were accepted");
  ASSERT_OK(w.system, dem_trial_evaluate(late, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  ASSERT_BITS(before, w.g, bytes);
  free(before);
  assert_int_equal(dem_trial_close(late), DEM_OK);
  close_world(&w);
}

/* ---- the system while a trial is open ---- */

static dem_id the_id; /* of a particle that may be named */
static dem_context *the_context;

static dem_status step(dem_system *s) { return dem_system_step(s, 1); }
static dem_status run_until(dem_system *s) { return dem_system_run_until(s, 1e3); }
static dem_status remove_one(dem_system *s) { return dem_system_remove_particles(s, 1, &the_id); }
static dem_status freeze(dem_system *s) { return dem_system_set_frozen(s, 1, &the_id, 1); }
static dem_status drive(dem_system *s) { return dem_system_set_frozen_motion(s, 1, &the_id, NULL, NULL); }
static dem_status push(dem_system *s) { return dem_system_set_field(s, DEM_HOST_FORCE, 1, &the_id, (double[3]){1, 0, 0}, 0); }
static dem_status move(dem_system *s) { return dem_system_set_field(s, DEM_POSITION, 1, &the_id, (double[3]){1, 0, 0}, 0); }
static dem_status relabel(dem_system *s) { return dem_system_set_field_int(s, DEM_MATERIAL, 1, &the_id, (int32_t[1]){0}, 0); }
static dem_status add_material(dem_system *s) { return dem_system_add_material(s, NULL, NULL); }
static dem_status set_integrator(dem_system *s) { return dem_system_set_integrator_name(s, "euler"); }
static dem_status add_column(dem_system *s) { return dem_system_add_column(s, "mine", 1, &(int32_t){0}); }
static dem_status set_dt(dem_system *s) { return dem_system_set_dt(s, 1e-5); }
static dem_status set_gravity(dem_system *s) { return dem_system_set_gravity(s, (double[3]){0, 0, 0}); }
static dem_status set_progress(dem_system *s) { return dem_system_set_progress(s, 1, NULL, NULL); }
static dem_status set_before_step(dem_system *s) { return dem_system_set_before_step(s, NULL, NULL); }
static dem_status set_sampling(dem_system *s) { return dem_system_set_energy_sampling(s, 1, NULL, NULL); }
static dem_status add_plane(dem_system *s) { return scene_add_plane(s, 0, (double[3]){0, 0, -5}, (double[3]){0, 0, 1}); }
static dem_status remove_wall(dem_system *s) { return dem_system_remove_wall(s, 0); }
static dem_status bond(dem_system *s) { return dem_system_bond_neighbours(s, 0, 0, 0, 0.1, NULL); }
static dem_status unbond(dem_system *s) { return dem_system_remove_bonds(s, 0, &the_id); }

static dem_status destroy(dem_system *s) { return dem_system_destroy(s); }

static dem_status set_law(dem_system *s) {
  dem_law_options o;
  scene_hooke(&o);
  return scene_set_law(the_context, s, 0, 0, &o);
}

static dem_status add_one(dem_system *s) {
  rows r;
  if (rows_create(&r, 1)) return DEM_NO_MEMORY;
  rows_put(&r, 2, 2, 50, 0.5);
  const dem_status status = rows_add(&r, s, NULL);
  rows_destroy(&r);
  return status;
}

static dem_status move_wall(dem_system *s) {
  dem_wall wall;
  dem_wall_init(&wall, sizeof wall);
  return dem_system_set_wall_motion(s, 0, &wall);
}

static dem_status add_bond_type(dem_system *s) {
  dem_bond_type t;
  dem_bond_type_init(&t, sizeof t);
  t.normal_stiffness = 1;
  return dem_system_add_bond_type(s, &t, NULL);
}

static dem_status add_bonds(dem_system *s) {
  const dem_bond b = {.i = the_id, .j = the_id};
  return dem_system_add_bonds(s, 1, &b, sizeof b, NULL);
}

static dem_status (*const changes[])(dem_system *) = {
    step,          run_until,       remove_one,   freeze,    drive,          push,       move,
    relabel,       add_material,    set_law,      set_dt,    set_integrator, add_column, set_gravity,
    set_progress,  set_before_step, set_sampling, add_plane, remove_wall,    move_wall,  add_one,
    add_bond_type, add_bonds,       bond,         unbond,    destroy,
};
enum { CHANGES = sizeof changes / sizeof *changes };

static void changes_while_a_trial_is_open(void **state) {
  (void)state;
  world w;
  open_world(&w);
  const size_t bytes = (size_t)w.rows.unknowns * sizeof(double);
  the_id = w.rows.ids[0];
  the_context = w.context;
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  for (int k = 0; k < CHANGES; k++) {
    const dem_status status = changes[k](w.system);
    if (status != DEM_BUSY) fail_msg("change %d gave %s: %s", k, dem_status_name(status), dem_system_message(w.system));
    says(&w, "1 trials are open, must be 0");
    image_assert_same(&w.before, w.system);
  }
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.p));
  ASSERT_BITS(w.g, w.p, bytes);
  close_world(&w);
}

/* A system that failed refuses everything, and takes its open trials along. */
static void a_failed_system(void **state) {
  (void)state;
  world w;
  dem_trial *other;
  double energy;
  open_world(&w);
  ASSERT_OK(w.system, dem_trial_open(w.system, NULL, &other));
  ASSERT_OK(w.system, dem_trial_evaluate(other, w.u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, w.g));
  demi_system_poison(w.system, DEM_FAILED_MEMORY);
  ASSERT_STATUS(w.system, dem_trial_evaluate(other, w.u, DEM_TRIAL_ENERGY, &energy, NULL), DEM_POISONED);
  ASSERT_STATUS(w.system, dem_trial_apply(other, w.u, w.g), DEM_POISONED);
  ASSERT_STATUS(w.system, dem_trial_accept(other, NULL), DEM_POISONED);
  assert_int_equal(dem_trial_close(other), DEM_OK);
  image_free(&w.before);
  free(w.u);
  free(w.g);
  free(w.p);
  assert_int_equal(dem_system_destroy(w.system), DEM_OK);
  assert_int_equal(dem_context_destroy(w.context), DEM_OK); /* nothing is left */
}

static int32_t swallow(void *user, const void *bytes, int64_t count) {
  (void)user, (void)bytes, (void)count;
  return 0;
}

/* Reading goes on, and does not move the trial. */
static void reading_while_a_trial_is_open(void **state) {
  (void)state;
  world w;
  dem_energy e;
  dem_advice a;
  dem_statistics t;
  double x[3];
  open_world(&w);
  const size_t bytes = (size_t)w.rows.unknowns * sizeof(double);
  const dem_sink to = {sizeof to, 0, NULL, swallow};
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  dem_energy_init(&e, sizeof e);
  dem_advice_init(&a, sizeof a);
  dem_statistics_init(&t, sizeof t);
  ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_POSITION, 1, w.rows.ids, x, 0));
  ASSERT_OK(w.system, dem_system_energy(w.system, &e));
  ASSERT_OK(w.system, dem_system_advise(w.system, &a));
  ASSERT_OK(w.system, dem_system_check(w.system));
  ASSERT_OK(w.system, dem_system_statistics(w.system, &t));
  ASSERT_OK(w.system, dem_system_write_vtp(w.system, &to));
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.p));
  ASSERT_BITS(w.g, w.p, bytes);
  image_free(&w.before);
  w.before = image_take(w.system);
  close_world(&w);
}

/* ---- from inside ---- */

static world *the_world; /* kernels know no user */
static int armed, calls;

static void try_inside(void) {
  if (!armed) return;
  armed = 0;
  dem_trial *other;
  double energy;
  world *w = the_world;
  ASSERT_STATUS(w->system, dem_trial_evaluate(w->trial, NULL, DEM_TRIAL_ENERGY, &energy, NULL), DEM_BUSY);
  ASSERT_STATUS(w->system, dem_trial_apply(w->trial, w->u, w->p), DEM_BUSY);
  ASSERT_STATUS(w->system, dem_trial_accept(w->trial, NULL), DEM_BUSY);
  ASSERT_STATUS(w->system, dem_trial_open(w->system, NULL, &other), DEM_BUSY);
  ASSERT_STATUS(w->system, dem_trial_close(w->trial), DEM_BUSY);
  says(w, "not from");
  calls++;
}

static void evaluate(const void *parameters, const dem_batch *b) {
  (void)parameters;
  try_inside();
  for (int k = 0; k < b->count; k++) b->normal_elastic[k] = 1e3 * b->overlap[k], b->normal_damping[k] = 0;
}

static int32_t on_progress(void *user, const dem_progress *p) {
  dem_trial *other;
  dem_system *s = user;
  (void)p;
  assert_int_equal(dem_trial_open(s, NULL, &other), DEM_BUSY);
  calls++;
  return 0;
}

static void add_own_law(world *w) {
  const dem_law_part part = {.struct_size = sizeof part,
                             .contract = DEM_LAW_PART_CONTRACT,
                             .name = "mine",
                             .kind = DEM_PART_NORMAL,
                             .evaluate = evaluate};
  const dem_law_piece piece = {sizeof(dem_law_piece), 0, &part, NULL};
  dem_law *law = NULL;
  assert_int_equal(dem_law_create_from_parts(w->context, 1, &piece, &law), DEM_OK);
  ASSERT_OK(w->system, dem_system_set_law(w->system, 0, 0, law));
  dem_law_release(law);
}

static void from_inside_a_kernel_and_a_step(void **state) {
  (void)state;
  world w;
  open_system(&w);
  add_own_law(&w);
  calls = 0;
  ASSERT_OK(w.system, dem_system_set_progress(w.system, 1, on_progress, w.system));
  ASSERT_OK(w.system, dem_system_step(w.system, 2));
  assert_int_equal(calls, 2);
  ASSERT_OK(w.system, dem_system_set_progress(w.system, 1, NULL, NULL));
  ASSERT_OK(w.system, dem_trial_open(w.system, NULL, &w.trial));
  dem_trial_rows_init(&w.rows, sizeof w.rows);
  ASSERT_OK(w.system, dem_trial_get_rows(w.trial, &w.rows));
  w.u = calloc((size_t)w.rows.unknowns, sizeof(double));
  w.g = calloc((size_t)w.rows.unknowns, sizeof(double));
  w.p = calloc((size_t)w.rows.unknowns, sizeof(double));
  image_free(&w.before);
  w.before = image_take(w.system);
  the_world = &w;
  armed = 1;
  calls = 0;
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  assert_int_equal(calls, 1);
  close_world(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_out_of_range),           cmocka_unit_test(a_reach_beyond_half_the_box),
      cmocka_unit_test(a_system_that_is_not_ready),     cmocka_unit_test(views_are_open),
      cmocka_unit_test(rows_asked_for_wrongly),         cmocka_unit_test(no_trial_at_all),
      cmocka_unit_test(asks_that_mean_nothing),         cmocka_unit_test(blocks_asked_for_wrongly),
      cmocka_unit_test(displacements_that_are_refused), cmocka_unit_test(accepting_after_a_refusal),
      cmocka_unit_test(velocities_that_are_refused),    cmocka_unit_test(a_trial_that_came_too_late),
      cmocka_unit_test(changes_while_a_trial_is_open),  cmocka_unit_test(a_failed_system),
      cmocka_unit_test(reading_while_a_trial_is_open),  cmocka_unit_test(from_inside_a_kernel_and_a_step),
  };
  return cmocka_run_group_tests_name("bad_trials", tests, NULL, NULL);
}
