/* While a trial is open the system can be read but not changed, neither by its caller nor from a kernel or a step; while a view is open, or
 * after a failure, a trial is refused. */
#include "assertions.h"

#include <dem/plugin/law.h>
#include <dem/view.h>
#include <stdlib.h>

#include "fault/trial_bed.h"
#include "scenes/scenes.h"
#include "state.h"

/* ---- views ---- */

static void views_are_open(void **state) {
  (void)state;
  trial_bed w;
  trial_bed_open_system(&w);
  dem_view view;
  dem_trial *other;
  dem_view_init(&view, sizeof view);
  ASSERT_OK(w.system, dem_view_acquire(w.system, DEM_POSITION, DEM_READ, &view));
  ASSERT_STATUS(w.system, dem_trial_open(w.system, NULL, &other), DEM_BUSY);
  assert_null(other);
  trial_bed_says(&w, "1 views are open");
  ASSERT_OK(w.system, dem_view_release(w.system, &view));
  image_free(&w.before);
  free(w.u);
  assert_int_equal(dem_system_destroy(w.system), DEM_OK);
  assert_int_equal(dem_context_destroy(w.context), DEM_OK);

  trial_bed_open(&w);
  double energy;
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, w.g));
  dem_view_init(&view, sizeof view);
  ASSERT_OK(w.system, dem_view_acquire(w.system, DEM_POSITION, DEM_READ, &view));
  ASSERT_STATUS(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_ENERGY, &energy, NULL), DEM_BUSY);
  trial_bed_says(&w, "1 views are open");
  ASSERT_STATUS(w.system, dem_trial_apply(w.trial, w.u, w.g), DEM_BUSY);
  ASSERT_STATUS(w.system, dem_trial_lag(w.trial), DEM_BUSY);
  ASSERT_STATUS(w.system, dem_trial_accept(w.trial, NULL), DEM_BUSY);
  ASSERT_OK(w.system, dem_view_release(w.system, &view));
  ASSERT_OK(w.system, dem_trial_apply(w.trial, w.u, w.g));
  const int32_t fields[] = {DEM_VELOCITY, DEM_HOST_FORCE, DEM_SPIN};
  for (int k = 0; k < 3; k++) {
    ASSERT_STATUS(w.system, dem_view_acquire(w.system, fields[k], DEM_WRITE, &view), DEM_BUSY);
    trial_bed_says(&w, "1 trials are open");
  }
  trial_bed_close(&w);
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
  trial_bed w;
  trial_bed_open(&w);
  const size_t bytes = (size_t)w.rows.unknowns * sizeof(double);
  the_id = w.rows.ids[0];
  the_context = w.context;
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.g));
  for (int k = 0; k < CHANGES; k++) {
    const dem_status status = changes[k](w.system);
    if (status != DEM_BUSY) fail_msg("change %d gave %s: %s", k, dem_status_name(status), dem_system_message(w.system));
    trial_bed_says(&w, "1 trials are open, must be 0");
    image_assert_same(&w.before, w.system);
  }
  ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE, NULL, w.p));
  ASSERT_BITS(w.g, w.p, bytes);
  trial_bed_close(&w);
}

/* A system that failed refuses everything, and takes its open trials along. */
static void a_failed_system(void **state) {
  (void)state;
  trial_bed w;
  dem_trial *other;
  double energy;
  trial_bed_open(&w);
  ASSERT_OK(w.system, dem_trial_open(w.system, NULL, &other));
  ASSERT_OK(w.system, dem_trial_evaluate(other, w.u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, w.g));
  demi_system_poison(w.system, DEM_FAILED_MEMORY);
  ASSERT_STATUS(w.system, dem_trial_evaluate(other, w.u, DEM_TRIAL_ENERGY, &energy, NULL), DEM_POISONED);
  ASSERT_STATUS(w.system, dem_trial_apply(other, w.u, w.g), DEM_POISONED);
  ASSERT_STATUS(w.system, dem_trial_lag(other), DEM_POISONED);
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
  trial_bed w;
  dem_energy e;
  dem_advice a;
  dem_statistics t;
  double x[3];
  trial_bed_open(&w);
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
  trial_bed_close(&w);
}

/* ---- from inside ---- */

static trial_bed *the_world; /* kernels know no user */
static int armed, calls;

static void try_inside(void) {
  if (!armed) return;
  armed = 0;
  dem_trial *other;
  double energy;
  trial_bed *w = the_world;
  ASSERT_STATUS(w->system, dem_trial_evaluate(w->trial, NULL, DEM_TRIAL_ENERGY, &energy, NULL), DEM_BUSY);
  ASSERT_STATUS(w->system, dem_trial_apply(w->trial, w->u, w->p), DEM_BUSY);
  ASSERT_STATUS(w->system, dem_trial_lag(w->trial), DEM_BUSY);
  ASSERT_STATUS(w->system, dem_trial_accept(w->trial, NULL), DEM_BUSY);
  ASSERT_STATUS(w->system, dem_trial_open(w->system, NULL, &other), DEM_BUSY);
  ASSERT_STATUS(w->system, dem_trial_close(w->trial), DEM_BUSY);
  trial_bed_says(w, "not from");
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

static void add_own_law(trial_bed *w) {
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
  trial_bed w;
  trial_bed_open_system(&w);
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
  trial_bed_close(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(views_are_open),
      cmocka_unit_test(changes_while_a_trial_is_open),
      cmocka_unit_test(a_failed_system),
      cmocka_unit_test(reading_while_a_trial_is_open),
      cmocka_unit_test(from_inside_a_kernel_and_a_step),
  };
  return cmocka_run_group_tests_name("busy_trials", tests, NULL, NULL);
}
