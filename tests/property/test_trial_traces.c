/* Trials that are not accepted change nothing: every byte of the durable state of a system (lib/system/state.h) and of the forces,
 * histories, lists and faces that belong to it is the same before and after a million random evaluations, among them calls that are
 * refused. The system has contacts that stick, roll, twist and adhere, bonds that would break, walls of all motions, host forces,
 * a fluid, a column of the host, and all energy books. */
#include "assertions.h"

#include <stdlib.h>

#include "scenes/image.h"
#include "scenes/scenes.h"
#include "series.h"
#include "trial.h"

enum { GRAINS = 9, MILLION = 1000000 };

/* ---- a system with everything ---- */

static void add_wall(dem_system *s, int32_t motion, double x, double y, double z) {
  dem_wall w;
  dem_wall_init(&w, sizeof w);
  w.motion = motion;
  w.axis[0] = x, w.axis[1] = y, w.axis[2] = z;
  for (int a = 0; a < 3; a++) w.position[a] = 1.5 - 1.49 * w.axis[a];
  if (motion == DEM_WALL_PRESCRIBED) w.velocity[0] = 0.1;
  if (motion == DEM_WALL_SERVO) w.direction[2] = z, w.target = 5, w.gain = 0.01, w.velocity_limit = 1;
  if (motion == DEM_WALL_FREE) w.mass = 5, w.free_axis[0] = 1, w.force[0] = 1;
  ASSERT_OK(s, dem_system_add_wall(s, &w, NULL));
}

static void add_grains(dem_system *s) {
  rows r;
  assert_int_equal(rows_create(&r, GRAINS), 0);
  for (int k = 0; k < GRAINS; k++) {
    const int64_t row = rows_put(&r, 0.51 + 0.98 * (k % 3), 0.5, 0.5 + 0.98 * (k / 3), 0.49 + 0.005 * (k % 3));
    rows_velocity(&r, row, 0.05 * (k % 3 - 1), 0.02, -0.03 * (k / 3));
    rows_spin(&r, row, 0.3, -0.2 * (k % 2), 0.4);
    r.frozen[row] = k == 1;
    if (k == 1) rows_velocity(&r, row, 0, 0, 0), rows_spin(&r, row, 0, 0, 0);
  }
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
}

static void add_bonds(dem_system *s) {
  dem_bond_type t;
  dem_bond b[2] = {{0}};
  dem_id ids[GRAINS];
  dem_bond_type_init(&t, sizeof t);
  t.normal_stiffness = 1e4, t.tangential_stiffness = 5e3, t.bending_stiffness = 1e3, t.twisting_stiffness = 1e3;
  t.normal_damping = 5, t.relaxation_time = 1, t.break_strain = 0.05;
  ASSERT_OK(s, dem_system_add_bond_type(s, &t, NULL));
  ASSERT_OK(s, dem_system_ids(s, GRAINS, ids));
  b[0].i = ids[3], b[0].j = ids[6];
  b[1].i = ids[5], b[1].j = ids[4];
  ASSERT_OK(s, dem_system_add_bonds(s, 2, b, sizeof *b, NULL));
}

static void add_host_values(dem_system *s) {
  dem_id id;
  int32_t column;
  const double force[3] = {1, 2, -3}, one = 0.5, number = 7;
  ASSERT_OK(s, dem_system_id_at(s, 1, &(int64_t){7}, &id));
  ASSERT_OK(s, dem_system_set_field(s, DEM_HOST_FORCE, 1, &id, force, 0));
  ASSERT_OK(s, dem_system_set_field(s, DEM_HOST_TORQUE, 1, &id, force, 0));
  ASSERT_OK(s, dem_system_set_field(s, DEM_DRAG_RATE, 1, &id, &one, 0));
  ASSERT_OK(s, dem_system_add_column(s, "temperature", 1, &column));
  ASSERT_OK(s, dem_system_set_field(s, column, 1, &id, &number, 0));
}

static dem_system *build(dem_context *context, int32_t joint, int32_t threads) {
  dem_system *s = NULL;
  dem_system_options o;
  dem_material m;
  dem_law_options law;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4, o.ledger = 2, o.threads = threads, o.gravity[2] = -10;
  o.periodic[1] = 1, o.box_high[1] = 6;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  dem_material_init(&m, sizeof m);
  m.young = 1e6;
  ASSERT_OK(s, dem_system_add_material(s, &m, NULL));
  assert_non_null(scene_joint(joint, &law));
  ASSERT_OK(s, scene_set_law(context, s, 0, 0, &law));
  add_grains(s);
  add_wall(s, DEM_WALL_FIXED, 0, 0, 1);
  add_wall(s, DEM_WALL_PRESCRIBED, 1, 0, 0);
  add_wall(s, DEM_WALL_FREE, -1, 0, 0);
  add_wall(s, DEM_WALL_SERVO, 0, 0, -1);
  add_bonds(s);
  add_host_values(s);
  ASSERT_OK(s, dem_system_step(s, 300));
  return s;
}

/* ---- trials ---- */

typedef struct tries {
  dem_system *system;
  dem_trial *trial;
  dem_trial_rows rows;
  dice d;
  double *u, *g;
  int64_t refused, accepted;
  int forces_only;
} tries;

static void open_tries(tries *t, dem_system *s, const dem_trial_options *o, uint64_t seed) {
  memset(t, 0, sizeof *t);
  t->system = s;
  t->d = (dice){seed};
  ASSERT_OK(s, dem_trial_open(s, o, &t->trial));
  dem_trial_rows_init(&t->rows, sizeof t->rows);
  ASSERT_OK(s, dem_trial_get_rows(t->trial, &t->rows));
  t->u = calloc((size_t)t->rows.unknowns, sizeof *t->u);
  t->g = calloc((size_t)t->rows.unknowns, sizeof *t->g);
  t->forces_only = dem_trial_evaluate(t->trial, NULL, DEM_TRIAL_ENERGY, t->g, NULL) == DEM_UNSUPPORTED;
}

static void close_tries(tries *t) {
  free(t->u);
  free(t->g);
  assert_int_equal(dem_trial_close(t->trial), DEM_OK);
}

/* From 1e-9 to 10 diameters; rarely a value that is refused. */
static void choose(tries *t, int64_t n) {
  static const double bad[] = {NAN, INFINITY, -INFINITY, 1e61, 1e59};
  const double size = pow(10, dice_uniform(&t->d, -9, n % 4 ? -1 : 1));
  for (int64_t k = 0; k < t->rows.unknowns; k++) t->u[k] = dice_uniform(&t->d, -size, size);
  /* walls do not turn across the periodic axis */
  for (int64_t k = t->rows.particles * t->rows.width; k < t->rows.unknowns; k++)
    if ((k - t->rows.particles * t->rows.width) % 6 > 2) t->u[k] = 0;
  if (n % 101 == 7) t->u[n % (t->rows.particles * t->rows.width)] = bad[n % 5];
}

static void ask(tries *t, int64_t n) {
  double energy;
  const int32_t asks[] = {DEM_TRIAL_ENERGY, DEM_TRIAL_FORCE, DEM_TRIAL_ENERGY | DEM_TRIAL_FORCE,
                          DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT};
  int32_t what = n % 211 == 5 ? 8 : n % 223 == 6 ? 0 : asks[n % 4];
  /* laws without a potential have no energy */
  if (t->forces_only && n % 97 && what == asks[n % 4])
    what = what & ~DEM_TRIAL_ENERGY ? what & ~DEM_TRIAL_ENERGY : DEM_TRIAL_FORCE;
  choose(t, n);
  const dem_status status = dem_trial_evaluate(t->trial, t->u, what, &energy, n % 401 == 3 ? NULL : t->g);
  *(status ? &t->refused : &t->accepted) += 1;
  const int no_potential = status == DEM_UNSUPPORTED && (what & DEM_TRIAL_ENERGY);
  if (status && status != DEM_BAD_ARGUMENT && !no_potential)
    fail_msg("%s: %s", dem_status_name(status), dem_system_message(t->system));
  if (!status && (what & DEM_TRIAL_TANGENT)) ASSERT_OK(t->system, dem_trial_apply(t->trial, t->u, t->g));
}

static void ignore(void *user, int32_t level, const char *text) { (void)user, (void)level, (void)text; }

static dem_context *open_context(void) {
  dem_context_options o;
  dem_context *context;
  dem_context_options_init(&o, sizeof o);
  o.log = ignore; /* of many refusals */
  assert_int_equal(dem_context_create(&o, &context), DEM_OK);
  return context;
}

static void leave_no_trace(int32_t joint, int32_t threads, int64_t count) {
  dem_context *const context = open_context();
  dem_energy e;
  tries statics, step;
  const dem_trial_options midpoint = {.struct_size = sizeof midpoint, .rotations = 1, .dt = 1e-3, .alpha = 0.5};
  dem_system *s = build(context, joint, threads);
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(s, dem_system_energy(s, &e)); /* brings the books up to now, as opening a trial does */
  system_image before = image_take(s);
  open_tries(&statics, s, NULL, 1);
  open_tries(&step, s, &midpoint, 2);
  image_assert_same(&before, s);
  for (int64_t n = 0; n < count; n++) {
    ask(n % 2 ? &statics : &step, n / 2);
    if (n < 100 || n % (count / 50) == 0) image_assert_same(&before, s);
  }
  assert_true(statics.refused > count / 200 && statics.accepted > count / 3 && step.accepted > count / 3);
  const demi_replica *const copy = &statics.trial->replica;
  assert_int_equal(copy->bonds.count, 2);
  assert_int_equal(copy->faces.count, 4);
  assert_true(copy->contacts.stride > 0);
  close_tries(&statics);
  close_tries(&step);
  image_assert_same(&before, s);
  ASSERT_OK(s, dem_system_step(s, 1)); /* the bytes are those that a step changes */
  assert_true(image_differs(&before, s));
  image_free(&before);
  assert_int_equal(dem_system_destroy(s), DEM_OK);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

static void a_million_trials_leave_no_trace(void **state) {
  (void)state;
  leave_no_trace(0, 1, series_count(MILLION));
}

static void trials_of_other_laws_leave_no_trace(void **state) {
  (void)state;
  for (int32_t joint = 1; joint < 5; joint++) leave_no_trace(joint, 1, 10000);
}

static void trials_on_threads_leave_no_trace(void **state) {
  (void)state;
  leave_no_trace(2, 3, 2000);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_million_trials_leave_no_trace),
      cmocka_unit_test(trials_of_other_laws_leave_no_trace),
      cmocka_unit_test(trials_on_threads_leave_no_trace),
  };
  return cmocka_run_group_tests_name("trial_traces", tests, NULL, NULL);
}
