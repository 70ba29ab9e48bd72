/* Trials asked for wrongly: every refusal names item, value and limit, and leaves the system and the trial as they were. */
#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

#include "fault/trial_bed.h"
#include "scenes/scenes.h"

/* ---- opening ---- */

static void refuse_options(trial_bed *w, const dem_trial_options *o, dem_status status, const char *item, const char *value) {
  dem_trial *trial = (dem_trial *)w;
  ASSERT_STATUS(w->system, dem_trial_open(w->system, o, &trial), status);
  assert_null(trial);
  trial_bed_says(w, item);
  trial_bed_says(w, value);
  image_assert_same(&w->before, w->system);
}

static void options_out_of_range(void **state) {
  (void)state;
  trial_bed w;
  trial_bed_open_system(&w);
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
  o.friction = 3;
  refuse_options(&w, &o, DEM_BAD_ARGUMENT, "trial: friction is 3", "allowed");
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
  trial_bed_says(&w, "trial is NULL");
  trial_bed_close(&w);
}

/* Of two images of a pair only one is listed, so nothing longer than half the box may be asked for. */
static void a_reach_beyond_half_the_box(void **state) {
  (void)state;
  dem_context *const context = trial_bed_context();
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
  dem_context *const context = trial_bed_context();
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

/* ---- rows ---- */

static void rows_asked_for_wrongly(void **state) {
  (void)state;
  trial_bed w;
  trial_bed_open(&w);
  dem_trial_rows out;
  dem_trial_rows_init(&out, sizeof out);
  out.struct_size = 3;
  ASSERT_STATUS(w.system, dem_trial_get_rows(w.trial, &out), DEM_BAD_STRUCT);
  ASSERT_STATUS(w.system, dem_trial_get_rows(w.trial, NULL), DEM_BAD_ARGUMENT);
  trial_bed_says(&w, "rows is NULL");
  assert_int_equal(dem_trial_rows_init(NULL, sizeof out), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_trial_rows_init(&out, 1), DEM_BAD_STRUCT);
  assert_int_equal(dem_trial_options_init(NULL, 8), DEM_BAD_ARGUMENT);
  dem_trial_options o;
  assert_int_equal(dem_trial_options_init(&o, 3), DEM_BAD_STRUCT);
  trial_bed_close(&w);
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
  trial_bed w;
  trial_bed_open(&w);
  double energy = 17;
  const int32_t asks[] = {0, 8, 16 | DEM_TRIAL_ENERGY, -1};
  for (int k = 0; k < 4; k++) {
    ASSERT_STATUS(w.system, dem_trial_evaluate(w.trial, w.u, asks[k], &energy, w.g), DEM_BAD_ARGUMENT);
    trial_bed_says(&w, "trial: ask is ");
  }
  ASSERT_STATUS(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_ENERGY, NULL, w.g), DEM_BAD_ARGUMENT);
  trial_bed_says(&w, "energy is asked for and NULL");
  ASSERT_STATUS(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, &energy, NULL), DEM_BAD_ARGUMENT);
  trial_bed_says(&w, "gradient is asked for and NULL");
  assert_true(energy == 17 && w.g[0] == 0);
  ASSERT_STATUS(w.system, dem_trial_accept(w.trial, NULL), DEM_INCOMPLETE);
  trial_bed_says(&w, "nothing was evaluated");
  ASSERT_STATUS(w.system, dem_trial_apply(w.trial, w.u, w.g), DEM_INCOMPLETE);
  trial_bed_says(&w, "no evaluation with DEM_TRIAL_TANGENT");
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  ASSERT_STATUS(w.system, dem_trial_apply(w.trial, w.u, w.g), DEM_INCOMPLETE);
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_TANGENT, NULL, NULL)); /* the gradient is not wanted */
  ASSERT_STATUS(w.system, dem_trial_apply(w.trial, NULL, w.g), DEM_BAD_ARGUMENT);
  trial_bed_says(&w, "p is NULL");
  ASSERT_STATUS(w.system, dem_trial_apply(w.trial, w.u, NULL), DEM_BAD_ARGUMENT);
  trial_bed_says(&w, "product is NULL");
  trial_bed_close(&w);
}

static int32_t stop_at_once(void *user, int64_t count, const dem_trial_block *blocks) {
  (void)count, (void)blocks;
  return ++*(int32_t *)user;
}

static void blocks_asked_for_wrongly(void **state) {
  (void)state;
  trial_bed w;
  int32_t visits = 0;
  trial_bed_open(&w);
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  ASSERT_STATUS(w.system, dem_trial_blocks(w.trial, sizeof(dem_trial_block), stop_at_once, &visits), DEM_INCOMPLETE);
  ASSERT_STATUS(w.system, dem_trial_diagonal(w.trial, w.g), DEM_INCOMPLETE);
  trial_bed_says(&w, "no evaluation with DEM_TRIAL_TANGENT");
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_TANGENT, NULL, NULL));
  ASSERT_STATUS(w.system, dem_trial_blocks(w.trial, sizeof(dem_trial_block), NULL, NULL), DEM_BAD_ARGUMENT);
  trial_bed_says(&w, "visit is NULL");
  ASSERT_STATUS(w.system, dem_trial_blocks(w.trial, 12, stop_at_once, &visits), DEM_BAD_STRUCT);
  ASSERT_STATUS(w.system, dem_trial_diagonal(w.trial, NULL), DEM_BAD_ARGUMENT);
  trial_bed_says(&w, "diagonal is NULL");
  assert_int_equal(visits, 0);
  ASSERT_STATUS(w.system, dem_trial_blocks(w.trial, sizeof(dem_trial_block), stop_at_once, &visits), DEM_CANCELLED);
  assert_int_equal(visits, 1);
  assert_int_equal(dem_trial_blocks(NULL, sizeof(dem_trial_block), stop_at_once, &visits), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_trial_diagonal(NULL, w.g), DEM_BAD_ARGUMENT);
  trial_bed_close(&w);
}

/* Whatever is refused, the evaluation before it still counts: its products are the same, to the bit. */
static void displacements_that_are_refused(void **state) {
  (void)state;
  trial_bed w;
  trial_bed_open(&w);
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
      trial_bed_says(&w, texts[v]);
      snprintf(place, sizeof place, "u[%d]", (int)places[k]);
      trial_bed_says(&w, v > 4 ? "allowed up to" : place);
      ASSERT_OK(w.system, dem_trial_apply(w.trial, w.u, again));
      ASSERT_BITS(product, again, bytes);
      if (k % 3 == 2) ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, w.g));
    }
  free(bad);
  free(product);
  free(again);
  trial_bed_close(&w);
}

/* What is accepted after a refusal is the evaluation before it. */
static void accepting_after_a_refusal(void **state) {
  (void)state;
  trial_bed w, twin;
  trial_bed_open(&w);
  trial_bed_open(&twin);
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  ASSERT_OK(twin.system, dem_trial_evaluate(twin.trial, twin.u, DEM_TRIAL_FORCE, NULL, twin.g));
  const double kept = w.u[6];
  w.u[6] = 1e55;
  ASSERT_STATUS(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g), DEM_BAD_ARGUMENT);
  w.u[6] = kept;
  trial_bed *const both[] = {&w, &twin};
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
    trial_bed_close(both[k]);
  }
}

/* ---- accepting ---- */

static void velocities_that_are_refused(void **state) {
  (void)state;
  trial_bed w;
  trial_bed_open(&w);
  const double values[] = {NAN, INFINITY, 1e61};
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  const int place = w.rows.frozen[1] ? 16 : 10;
  for (int v = 0; v < 3; v++) {
    w.p[place] = values[v];
    ASSERT_STATUS(w.system, dem_trial_accept(w.trial, w.p), DEM_BAD_ARGUMENT);
    trial_bed_says(&w, place == 10 ? "velocity[10] is " : "velocity[16] is ");
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
  trial_bed_close(&w);
}

/* Another trial began from the state before: it goes on from there, but that state is gone. */
static void a_trial_that_came_too_late(void **state) {
  (void)state;
  trial_bed w;
  dem_trial *late;
  trial_bed_open(&w);
  const size_t bytes = (size_t)w.rows.unknowns * sizeof(double);
  double *before = malloc(bytes);
  ASSERT_OK(w.system, dem_trial_open(w.system, NULL, &late));
  ASSERT_OK(w.system, dem_trial_evaluate(late, w.u, DEM_TRIAL_FORCE, NULL, before));
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  ASSERT_OK(w.system, dem_trial_accept(w.trial, NULL));
  image_free(&w.before);
  w.before = image_take(w.system);
  ASSERT_STATUS(w.system, dem_trial_accept(late, NULL), DEM_BUSY);
  trial_bed_says(&w, "1 trials of this system were accepted");
  ASSERT_OK(w.system, dem_trial_evaluate(late, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  ASSERT_BITS(before, w.g, bytes);
  free(before);
  assert_int_equal(dem_trial_close(late), DEM_OK);
  trial_bed_close(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_out_of_range),
      cmocka_unit_test(a_reach_beyond_half_the_box),
      cmocka_unit_test(a_system_that_is_not_ready),
      cmocka_unit_test(rows_asked_for_wrongly),
      cmocka_unit_test(no_trial_at_all),
      cmocka_unit_test(asks_that_mean_nothing),
      cmocka_unit_test(blocks_asked_for_wrongly),
      cmocka_unit_test(displacements_that_are_refused),
      cmocka_unit_test(accepting_after_a_refusal),
      cmocka_unit_test(velocities_that_are_refused),
      cmocka_unit_test(a_trial_that_came_too_late),
  };
  return cmocka_run_group_tests_name("bad_trials", tests, NULL, NULL);
}
