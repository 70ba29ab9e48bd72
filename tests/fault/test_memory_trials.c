/* Every allocation of a trial fails in turn, once and from then on: opening, evaluating at displacements that need a longer list,
 * tangents, taking caps of friction, accepting. The answer is DEM_NO_MEMORY, the system keeps every byte, nothing leaks, and the same call made again with
 * memory gives the result of a run that never lacked it. */
#include "assertions.h"

#include <dem/plugin/trial.h>
#include <stdlib.h>

#include "scenes/image.h"
#include "scenes/scenes.h"
#include "scenes/snapshot.h"

/* ---- an allocator that fails when asked to ---- */

typedef struct failing {
  int64_t calls, fail_at, bytes; /* allocations so far; which one fails, 0 = none; in use */
  int sticky, failed;            /* 1: and all after it; 1: one has failed */
} failing;

static void *hook(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  failing *f = user;
  void *fresh = NULL;
  if (new_size > 0) {
    f->calls++;
    if (f->fail_at && (f->calls == f->fail_at || (f->sticky && f->calls > f->fail_at))) {
      f->failed = 1;
      return NULL;
    }
    fresh = aligned_alloc(alignment, (new_size + alignment - 1) / alignment * alignment);
    assert_non_null(fresh);
    memset(fresh, 0xA5, new_size); /* nothing may rely on zeros */
    if (pointer) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
  }
  free(pointer);
  f->bytes += (int64_t)new_size - (int64_t)old_size;
  return fresh;
}

static void ignore(void *user, int32_t level, const char *text) { (void)user, (void)level, (void)text; }

/* ---- a system and what is done with it ---- */

typedef struct world {
  failing memory;
  dem_context *context;
  dem_system *system;
  dem_trial *trial;
  dem_trial_rows rows;
  double *u, *g, *p;
} world;

static void open_world(world *w, const char *name) {
  const scene_setup setup = {.particles = 40, .ledger = 2, .threads = 1};
  dem_context_options o;
  memset(w, 0, sizeof *w);
  dem_context_options_init(&o, sizeof o);
  o.allocate = hook;
  o.allocate_user = &w->memory;
  o.log = ignore;
  assert_int_equal(dem_context_create(&o, &w->context), DEM_OK);
  assert_int_equal(scene_build(scene_find(name), w->context, &setup, &w->system), DEM_OK);
  ASSERT_OK(w->system, dem_system_step(w->system, 1500));
}

static void lay_vectors(world *w) {
  dice d = {9};
  dem_trial_rows_init(&w->rows, sizeof w->rows);
  ASSERT_OK(w->system, dem_trial_get_rows(w->trial, &w->rows));
  double **const vectors[] = {&w->u, &w->g, &w->p};
  for (int k = 0; k < 3; k++) assert_non_null(*vectors[k] = calloc((size_t)w->rows.unknowns, sizeof(double)));
  for (int64_t k = 0; k < w->rows.particles * w->rows.width; k++) w->u[k] = dice_uniform(&d, -0.2, 0.2);
}

static void close_world(world *w) {
  assert_int_equal(dem_trial_close(w->trial), DEM_OK);
  assert_int_equal(dem_system_destroy(w->system), DEM_OK);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
  assert_int_equal(w->memory.bytes, 0);
  free(w->u);
  free(w->g);
  free(w->p);
}

static dem_status open_trial(world *w) { return dem_trial_open(w->system, NULL, &w->trial); }

/* All particles towards the first one: many more pairs than before. */
static dem_status evaluate_heap(world *w) {
  double x[3], first[3];
  for (int64_t k = 0; k < w->rows.particles; k++) {
    ASSERT_OK(w->system, dem_system_get_field(w->system, DEM_POSITION, 1, &w->rows.ids[k], x, 0));
    if (k == 0) memcpy(first, x, sizeof x);
    for (int a = 0; a < w->rows.width / 2 + w->rows.width % 2; a++) w->u[k * w->rows.width + a] = 0.6 * (first[a] - x[a]);
  }
  return dem_trial_evaluate(w->trial, w->u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, w->g);
}

static dem_status open_lagged(world *w) {
  dem_trial_options o;
  dem_trial_options_init(&o, sizeof o);
  o.friction = DEM_TRIAL_FRICTION_LAGGED;
  return dem_trial_open(w->system, &o, &w->trial);
}

static dem_status lag(world *w) {
  const dem_status status = evaluate_heap(w);
  return status ? status : dem_trial_lag(w->trial);
}

/* Where accepting lacked memory, the state is evaluated anew before it is accepted again. */
static dem_status accept(world *w) {
  const dem_status status = dem_trial_evaluate(w->trial, w->u, DEM_TRIAL_FORCE, NULL, w->g);
  return status ? status : dem_trial_accept(w->trial, NULL);
}

typedef struct task {
  const char *name;
  int stage; /* 0: no trial yet, 1: open, 2: evaluated, 3: open, with lagged friction */
  dem_status (*act)(world *w);
} task;

static void prepare(world *w, const char *name, const task *t) {
  dem_energy e;
  open_world(w, name);
  if (t->stage >= 1) {
    ASSERT_OK(w->system, t->stage == 3 ? open_lagged(w) : open_trial(w));
    lay_vectors(w);
  }
  if (t->stage == 2) ASSERT_OK(w->system, dem_trial_evaluate(w->trial, w->u, DEM_TRIAL_FORCE, NULL, w->g));
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(w->system, dem_system_energy(w->system, &e));
}

/* A number that every bit of the result enters: products of the state that the task left. */
static void result(world *w, double *out) {
  if (!w->u) lay_vectors(w);
  ASSERT_OK(w->system, dem_trial_evaluate(w->trial, w->u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, w->g));
  ASSERT_OK(w->system, dem_trial_apply(w->trial, w->u, w->p));
  memcpy(out, w->g, (size_t)w->rows.unknowns * sizeof *out);
  memcpy(out + w->rows.unknowns, w->p, (size_t)w->rows.unknowns * sizeof *out);
}

/* Motion, forces and books. What is accepted ends the interval between two evaluations, so that bytes of the engine change even where
 * there is no memory then. */
typedef struct state_of_system {
  snapshot particles;
  dem_energy books;
} state_of_system;

static state_of_system take_state(dem_system *system) {
  state_of_system s;
  memset(&s, 0, sizeof s);
  snapshot_take(&s.particles, system);
  dem_energy_init(&s.books, sizeof s.books);
  ASSERT_OK(system, dem_system_energy(system, &s.books));
  return s;
}

static void assert_same_state(const state_of_system *before, dem_system *system) {
  state_of_system now = take_state(system);
  snapshot_assert_same_bits(&before->particles, &now.particles);
  ASSERT_BITS(&before->books, &now.books, sizeof now.books);
  snapshot_free(&now.particles);
}

enum { ROOM = 4000 };

/* Where memory lacks after the system was moved, the next step sorts the rows: sums run in another order then. */
static void assert_close_results(const double *wanted, const double *got, int64_t unknowns) {
  for (int part = 0; part < 2; part++) {
    const double *a = wanted + part * unknowns, *b = got + part * unknowns;
    double size = 0;
    for (int64_t k = 0; k < unknowns; k++) size = fmax(size, fabs(a[k]));
    for (int64_t k = 0; k < unknowns; k++) ASSERT_ABS(a[k], b[k], 1e-12 * size);
  }
}

static void fail_each(const char *name, const task *t, int sticky) {
  static double wanted[ROOM], got[ROOM];
  world w;
  int64_t refused = 0, k;
  prepare(&w, name, t);
  ASSERT_OK(w.system, t->act(&w));
  result(&w, wanted);
  assert_true(2 * w.rows.unknowns < ROOM);
  close_world(&w);
  for (k = 1;; k++) {
    prepare(&w, name, t);
    state_of_system state = take_state(w.system);
    system_image before = image_take(w.system);
    w.memory.fail_at = w.memory.calls + k;
    w.memory.sticky = sticky;
    w.memory.failed = 0;
    const dem_status status = t->act(&w);
    const int reached = w.memory.failed;
    w.memory.fail_at = 0;
    if (status) {
      if (status != DEM_NO_MEMORY)
        fail_msg("%s, %s, allocation %d: %s: %s", name, t->name, (int)k, dem_status_name(status), dem_system_message(w.system));
      assert_non_null(strstr(dem_system_message(w.system), "memory"));
      if (t->act != accept) image_assert_same(&before, w.system);
      assert_same_state(&state, w.system);
      ASSERT_OK(w.system, t->act(&w));
      refused++;
    }
    result(&w, got);
    if (t->act != accept) ASSERT_BITS(wanted, got, 2 * (size_t)w.rows.unknowns * sizeof *got);
    assert_close_results(wanted, got, w.rows.unknowns);
    image_free(&before);
    snapshot_free(&state.particles);
    close_world(&w);
    if (!reached) break;
  }
  print_message("# %s, %s: %d allocations, %d refused and made again\n", name, t->name, (int)k - 1, (int)refused);
  assert_true(refused > 0 || t->act == accept); /* the list of the system may do for both states */
}

static void fail_all(const task *t) {
  const char *const names[] = {"settling", "packing2d", "powder"};
  for (int n = 0; n < 3; n++)
    for (int sticky = 0; sticky < 2; sticky++) fail_each(names[n], t, sticky);
}

static void opening(void **state) {
  (void)state;
  fail_all(&(task){"open", 0, open_trial});
}

static void evaluating(void **state) {
  (void)state;
  fail_all(&(task){"evaluate", 1, evaluate_heap});
}

static void evaluating_again(void **state) {
  (void)state;
  fail_all(&(task){"evaluate again", 2, evaluate_heap});
}

static void taking_caps(void **state) {
  (void)state;
  fail_all(&(task){"lag", 3, lag});
}

static void accepting(void **state) {
  (void)state;
  fail_all(&(task){"accept", 2, accept});
}

/* A product allocates nothing, nor does an evaluation near one that was made. */
static void products_allocate_nothing(void **state) {
  (void)state;
  world w;
  prepare(&w, "powder", &(task){"product", 2, accept});
  for (int n = 0; n < 5; n++) {
    ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, w.g));
    const int64_t before = w.memory.calls;
    for (int k = 0; k < 100; k++) ASSERT_OK(w.system, dem_trial_apply(w.trial, w.g, w.p));
    ASSERT_OK(w.system, dem_trial_evaluate(w.trial, w.u, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, w.g));
    assert_int_equal(w.memory.calls, before);
    for (int64_t k = 0; k < w.rows.unknowns; k++) w.u[k] *= 0.99;
  }
  close_world(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(opening),     cmocka_unit_test(evaluating), cmocka_unit_test(evaluating_again),
      cmocka_unit_test(taking_caps), cmocka_unit_test(accepting),  cmocka_unit_test(products_allocate_nothing),
  };
  return cmocka_run_group_tests_name("memory_trials", tests, NULL, NULL);
}
