/* Calls that come back into a system from inside a call on it: from kernels, binds, sinks, log hooks, allocators and the callbacks
 * of a step. What would change the system is refused with DEM_BUSY and leaves it as it was; so is its destruction. Refusals on
 * several threads at once each keep their own text. */
#include "assertions.h"

#include <dem/plugin/law.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenes/scenes.h"

enum { COUNT = 64, THREADS = 12, ROUNDS = 200 };

typedef struct world {
  dem_context *context;
  dem_system *system;
  dem_id ids[COUNT];
  int armed, calls;
  dem_status got;
  char text[512];
} world;

/* Kernels know no user: the system under test. */
static world *the_world;

/* ---- what is tried from inside ---- */

static dem_status add_one(dem_system *s) {
  const double x[3] = {0, 50, 0}, r = 0.4, d = 1;
  dem_particles p;
  dem_particles_init(&p, sizeof p);
  p.count = 1;
  p.position = x;
  p.radius = &r;
  p.density = &d;
  return dem_system_add_particles(s, &p, NULL);
}

static dem_status remove_some(dem_system *s) { return dem_system_remove_particles(s, 3, the_world->ids + 1); }

static dem_status step_once(dem_system *s) { return dem_system_step(s, 1); }

static dem_status move_gravity(dem_system *s) {
  const double g[3] = {0, 0, -1};
  return dem_system_set_gravity(s, g);
}

static dem_status write_velocity(dem_system *s) {
  const double v[3] = {1, 0, 0};
  return dem_system_set_field(s, DEM_VELOCITY, 1, the_world->ids, v, 0);
}

static dem_status new_material(dem_system *s) { return dem_system_add_material(s, NULL, NULL); }

static dem_status move_box(dem_system *s) {
  dem_box b;
  dem_box_init(&b, sizeof b);
  return dem_system_set_box(s, &b, 1);
}

static dem_status destroy(dem_system *s) { return dem_system_destroy(s); }

static dem_status (*const attempts[])(dem_system *) = {add_one,        remove_some,  step_once, move_gravity,
                                                       write_velocity, new_material, move_box,  destroy};
enum { ATTEMPTS = sizeof attempts / sizeof *attempts };

static void try_all(world *w) {
  if (!w->armed) return;
  w->armed = 0;
  for (int k = 0; k < ATTEMPTS; k++) {
    w->got = attempts[k](w->system);
    w->calls++;
    if (w->got != DEM_BUSY) fail_msg("attempt %d gave %s", k, dem_status_name(w->got));
    if (!strstr(dem_system_message(w->system), "not from")) fail_msg("attempt %d says: %s", k, dem_system_message(w->system));
  }
}

static void evaluate(const void *parameters, const dem_batch *b) {
  (void)parameters;
  try_all(the_world);
  for (int k = 0; k < b->count; k++) b->normal_elastic[k] = 1e3 * b->overlap[k], b->normal_damping[k] = 0;
}

static int32_t bind(const void *user, const dem_bind *materials, void *parameters) {
  (void)user, (void)materials, (void)parameters;
  try_all(the_world);
  return DEM_OK;
}

static int32_t sink(void *user, const void *bytes, int64_t count) {
  (void)bytes, (void)count;
  try_all(user);
  return 0;
}

static void listen(void *user, int32_t level, const char *text) {
  world *w = user;
  (void)level, (void)text;
  if (w->system) try_all(w);
}

static void *grow(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  world *w = user;
  void *fresh = new_size ? aligned_alloc(alignment, (new_size + alignment - 1) / alignment * alignment) : NULL;
  if (w->system) try_all(w);
  if (fresh && pointer) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
  if (fresh || !new_size) free(pointer);
  return fresh;
}

/* ---- a chain of touching spheres ---- */

static dem_law *own_law(world *w) {
  const dem_law_part part = {.struct_size = sizeof part,
                             .contract = DEM_LAW_PART_CONTRACT,
                             .name = "mine",
                             .kind = DEM_PART_NORMAL,
                             .evaluate = evaluate,
                             .bind = bind};
  const dem_law_piece piece = {sizeof(dem_law_piece), 0, &part, NULL};
  dem_law *law = NULL;
  assert_int_equal(dem_law_create_from_parts(w->context, 1, &piece, &law), DEM_OK);
  return law;
}

static void open_world_with(world *w, const dem_context_options *c) {
  double x[3 * COUNT] = {0}, radius[COUNT], density[COUNT];
  dem_system_options o;
  dem_particles p;
  the_world = w;
  assert_int_equal(dem_context_create(c, &w->context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  o.ledger = 1;
  assert_int_equal(dem_system_create(w->context, &o, &w->system), DEM_OK);
  ASSERT_OK(w->system, dem_system_add_material(w->system, NULL, NULL));
  dem_law *law = own_law(w);
  ASSERT_OK(w->system, dem_system_set_law(w->system, 0, 0, law));
  dem_law_release(law);
  for (int k = 0; k < COUNT; k++) x[3 * k] = 0.95 * k, radius[k] = 0.5, density[k] = 1;
  dem_particles_init(&p, sizeof p);
  p.count = COUNT;
  p.position = x;
  p.radius = radius;
  p.density = density;
  ASSERT_OK(w->system, dem_system_add_particles(w->system, &p, w->ids));
  ASSERT_OK(w->system, dem_system_step(w->system, 3));
}

static void open_world(world *w) {
  memset(w, 0, sizeof *w);
  open_world_with(w, NULL);
}

/* Everything was tried, and nothing has changed. */
static void close_world(world *w) {
  int64_t count;
  assert_int_equal(w->calls, ATTEMPTS);
  ASSERT_OK(w->system, dem_system_particle_count(w->system, &count));
  assert_int_equal(count, COUNT);
  ASSERT_OK(w->system, dem_system_step(w->system, 3));
  ASSERT_OK(w->system, dem_system_check(w->system));
  dem_system *mine = w->system;
  w->system = NULL;
  assert_int_equal(dem_system_destroy(mine), DEM_OK);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

/* ---- from where ---- */

static void from_a_kernel_in_a_step(void **state) {
  (void)state;
  world w;
  open_world(&w);
  w.armed = 1;
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  close_world(&w);
}

static void from_a_kernel_in_reading_energy(void **state) {
  (void)state;
  world w;
  dem_energy e;
  open_world(&w);
  dem_energy_init(&e, sizeof e);
  w.armed = 1;
  ASSERT_OK(w.system, dem_system_energy(w.system, &e));
  close_world(&w);
}

static void from_a_kernel_in_advice(void **state) {
  (void)state;
  world w;
  dem_advice a;
  open_world(&w);
  dem_advice_init(&a, sizeof a);
  w.armed = 1;
  ASSERT_OK(w.system, dem_system_advise(w.system, &a));
  close_world(&w);
}

static void from_a_bind(void **state) {
  (void)state;
  world w;
  open_world(&w);
  dem_law *law = own_law(&w);
  w.armed = 1;
  ASSERT_OK(w.system, dem_system_set_law(w.system, 0, 0, law));
  dem_law_release(law);
  close_world(&w);
}

static void from_sinks(void **state) {
  (void)state;
  dem_status (*const writers[])(const dem_system *, const dem_sink *) = {dem_system_write_data, dem_system_write_dump,
                                                                         dem_system_write_vtp};
  for (int k = 0; k < 3; k++) {
    world w;
    open_world(&w);
    const dem_sink to = {sizeof to, 0, &w, sink};
    w.armed = 1;
    ASSERT_OK(w.system, writers[k](w.system, &to));
    close_world(&w);
  }
}

static void from_the_sink_of_an_energy_row(void **state) {
  (void)state;
  world w;
  open_world(&w);
  const dem_sink to = {sizeof to, 0, &w, sink};
  w.armed = 1;
  ASSERT_OK(w.system, dem_energy_write_row(w.system, &to));
  close_world(&w);
}

/* Of refusals of calls that change, of calls that do not, and of a warning. */
static void from_the_log_hook(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    world w;
    dem_context_options c;
    const dem_id unknown = 12345;
    double v[3];
    memset(&w, 0, sizeof w);
    dem_context_options_init(&c, sizeof c);
    c.log = listen;
    c.log_user = &w;
    open_world_with(&w, &c);
    w.armed = 1;
    if (k == 0) ASSERT_STATUS(w.system, dem_system_remove_particles(w.system, 1, &unknown), DEM_NOT_FOUND);
    if (k == 1) ASSERT_STATUS(w.system, dem_system_get_field(w.system, DEM_POSITION, 1, &unknown, v, 0), DEM_NOT_FOUND);
    if (k == 2) {
      ASSERT_OK(w.system, dem_system_check(w.system)); /* the chain overlaps by 10 % of the radius */
    }
    close_world(&w);
  }
}

/* A hook that calls back whatever it hears is not called for ever. */
static void always_step(void *user, int32_t level, const char *text) {
  world *w = user;
  (void)level, (void)text;
  w->calls++;
  if (w->system) assert_int_equal(dem_system_step(w->system, 1), DEM_BUSY);
}

static void a_stubborn_log_hook_ends(void **state) {
  (void)state;
  world w;
  dem_context_options c;
  memset(&w, 0, sizeof w);
  dem_context_options_init(&c, sizeof c);
  c.log = always_step;
  c.log_user = &w;
  open_world_with(&w, &c);
  w.calls = 0;
  ASSERT_STATUS(w.system, dem_system_step(w.system, -1), DEM_BAD_ARGUMENT);
  assert_in_range(w.calls, 1, 2);
  dem_system *mine = w.system;
  w.system = NULL;
  dem_system_destroy(mine);
  assert_int_equal(dem_context_destroy(w.context), DEM_OK);
}

static void from_the_allocator(void **state) {
  (void)state;
  world w;
  dem_context_options c;
  memset(&w, 0, sizeof w);
  dem_context_options_init(&c, sizeof c);
  c.allocate = grow;
  c.allocate_user = &w;
  open_world_with(&w, &c);
  dem_law *law = own_law(&w); /* its memory is no matter of the system */
  w.armed = 1;
  ASSERT_OK(w.system, dem_system_set_law(w.system, 0, 0, law));
  dem_law_release(law);
  close_world(&w);
}

static int32_t on_progress(void *user, const dem_progress *p) {
  (void)p;
  try_all(user);
  return 0;
}

static int32_t on_sample(void *user, int64_t step, double time, const dem_energy *e) {
  (void)step, (void)time, (void)e;
  try_all(user);
  return 0;
}

static int32_t on_step(void *user, dem_system *system, const dem_progress *p) {
  (void)system, (void)p;
  try_all(user);
  return 0;
}

static void from_the_callbacks_of_a_step(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    world w;
    open_world(&w);
    if (k == 0) ASSERT_OK(w.system, dem_system_set_progress(w.system, 1, on_progress, &w));
    if (k == 1) ASSERT_OK(w.system, dem_system_set_energy_sampling(w.system, 1, on_sample, &w));
    if (k == 2) ASSERT_OK(w.system, dem_system_set_before_step(w.system, on_step, &w));
    w.armed = 1;
    ASSERT_OK(w.system, dem_system_step(w.system, 2));
    close_world(&w);
  }
}

/* ---- several threads ---- */

typedef struct reader {
  world *w;
  dem_id unknown;
  int wrong;
} reader;

/* Every thread asks for an id of its own, and must read of that id. */
static void *ask(void *user) {
  reader *r = user;
  char wanted[32];
  double v[3];
  snprintf(wanted, sizeof wanted, " %llu,", (unsigned long long)r->unknown);
  for (int k = 0; k < ROUNDS; k++) {
    if (dem_system_get_field(r->w->system, DEM_POSITION, 1, &r->unknown, v, 0) != DEM_NOT_FOUND) r->wrong++;
    if (!strstr(dem_system_message(r->w->system), wanted)) r->wrong++;
  }
  return NULL;
}

static void refusals_on_several_threads(void **state) {
  (void)state;
  world w;
  reader r[THREADS];
  pthread_t thread[THREADS];
  open_world(&w);
  for (int round = 0; round < 3; round++) {
    for (int k = 0; k < THREADS; k++) {
      r[k] = (reader){&w, 90000 + (dem_id)(round * THREADS + k), 0};
      assert_int_equal(pthread_create(&thread[k], NULL, ask, &r[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) {
      pthread_join(thread[k], NULL);
      assert_int_equal(r[k].wrong, 0);
    }
  }
  ASSERT_STATUS(w.system, dem_system_step(w.system, -7), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(w.system), "-7")); /* the youngest text of this thread */
  dem_system_destroy(w.system);
  assert_int_equal(dem_context_destroy(w.context), DEM_OK);
}

static int32_t take(void *user, const void *bytes, int64_t count) {
  int64_t *sum = user;
  (void)bytes;
  *sum += count;
  return 0;
}

/* Reads and writes what there is, refused now and then. */
static void *read_all(void *user) {
  reader *r = user;
  int64_t bytes = 0, first = 0, n;
  const dem_sink to = {sizeof to, 0, &bytes, take};
  double x[3 * COUNT], dt;
  dem_contact contacts[2 * COUNT];
  dem_statistics t;
  dem_statistics_init(&t, sizeof t);
  for (int k = 0; k < ROUNDS / 10; k++) {
    const int64_t before = bytes;
    r->wrong += dem_system_get_field(r->w->system, DEM_POSITION, COUNT, NULL, x, 0) != DEM_OK;
    r->wrong += dem_system_contact_count(r->w->system, &n) != DEM_OK || n != COUNT - 1;
    r->wrong += dem_system_contacts(r->w->system, 2 * COUNT, contacts, sizeof *contacts) != DEM_OK;
    r->wrong += dem_system_statistics(r->w->system, &t) != DEM_OK;
    r->wrong += dem_system_stable_dt(r->w->system, &dt) != DEM_OK;
    r->wrong += dem_system_index_of(r->w->system, COUNT, r->w->ids, (int64_t *)(void *)x) != DEM_OK;
    r->wrong += dem_system_write_dump(r->w->system, &to) != DEM_OK;
    r->wrong += dem_system_contacts(r->w->system, 0, contacts, sizeof *contacts) != DEM_BAD_ARGUMENT;
    if (k == 0) first = bytes - before;
    r->wrong += bytes - before != first;
  }
  return NULL;
}

static void const_calls_on_several_threads(void **state) {
  (void)state;
  world w;
  reader r[THREADS];
  pthread_t thread[THREADS];
  open_world(&w);
  for (int k = 0; k < THREADS; k++) {
    r[k] = (reader){&w, 0, 0};
    assert_int_equal(pthread_create(&thread[k], NULL, read_all, &r[k]), 0);
  }
  for (int k = 0; k < THREADS; k++) {
    pthread_join(thread[k], NULL);
    assert_int_equal(r[k].wrong, 0);
  }
  dem_system_destroy(w.system);
  assert_int_equal(dem_context_destroy(w.context), DEM_OK);
}

/* Kernels that call back on several workers at once: each is refused on its own thread. */
typedef struct job {
  dem_task_fn task;
  void *argument;
  int32_t index;
} job;

static atomic_int refused, let_in;

static void *work(void *user) {
  const job *j = user;
  j->task(j->argument, j->index);
  return NULL;
}

static void on_threads(void *user, int32_t count, dem_task_fn task, void *argument) {
  pthread_t thread[8];
  job jobs[8];
  (void)user;
  assert_true(count <= 8);
  for (int32_t k = 0; k < count; k++) {
    jobs[k] = (job){task, argument, k};
    pthread_create(&thread[k], NULL, work, &jobs[k]);
  }
  for (int32_t k = 0; k < count; k++) pthread_join(thread[k], NULL);
}

static void evaluate_and_call(const void *parameters, const dem_batch *b) {
  (void)parameters;
  for (int k = 0; k < b->count; k++) b->normal_elastic[k] = 1e3 * b->overlap[k], b->normal_damping[k] = 0;
  if (dem_system_set_dt(the_world->system, 1e-3) == DEM_BUSY && strstr(dem_system_message(the_world->system), "set_dt"))
    atomic_fetch_add(&refused, 1);
  else
    atomic_fetch_add(&let_in, 1);
}

static void from_kernels_on_workers(void **state) {
  (void)state;
  enum { SIDE = 30 };
  world w;
  rows r;
  dem_context_options c;
  dem_system_options o;
  memset(&w, 0, sizeof w);
  the_world = &w;
  dem_context_options_init(&c, sizeof c);
  c.parallel = on_threads;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  o.threads = 8;
  assert_int_equal(dem_context_create(&c, &w.context), DEM_OK);
  assert_int_equal(dem_system_create(w.context, &o, &w.system), DEM_OK);
  ASSERT_OK(w.system, dem_system_add_material(w.system, NULL, NULL));
  const dem_law_part part = {.struct_size = sizeof part,
                             .contract = DEM_LAW_PART_CONTRACT,
                             .name = "calls",
                             .kind = DEM_PART_NORMAL,
                             .evaluate = evaluate_and_call};
  const dem_law_piece piece = {sizeof(dem_law_piece), 0, &part, NULL};
  dem_law *law = NULL;
  assert_int_equal(dem_law_create_from_parts(w.context, 1, &piece, &law), DEM_OK);
  ASSERT_OK(w.system, dem_system_set_law(w.system, 0, 0, law));
  dem_law_release(law);
  assert_int_equal(rows_create(&r, SIDE * SIDE * SIDE), 0);
  for (int k = 0; k < SIDE * SIDE * SIDE; k++)
    rows_put(&r, 0.99 * (k % SIDE), 0.99 * (k / SIDE % SIDE), 0.99 * (k / SIDE / SIDE), 0.5);
  ASSERT_OK(w.system, rows_add(&r, w.system, NULL));
  rows_destroy(&r);
  ASSERT_OK(w.system, dem_system_step(w.system, 3));
  assert_true(atomic_load(&refused) > 100);
  assert_int_equal(atomic_load(&let_in), 0);
  dem_system_destroy(w.system);
  assert_int_equal(dem_context_destroy(w.context), DEM_OK);
}

static void *create_wrongly(void *user) {
  reader *r = user;
  dem_system_options o;
  dem_system *none;
  char wanted[64];
  dem_system_options_init(&o, sizeof o);
  o.dt = -1.0 - (double)r->unknown;
  snprintf(wanted, sizeof wanted, "dt is %g", o.dt);
  for (int k = 0; k < ROUNDS; k++) {
    if (dem_system_create(r->w->context, &o, &none) != DEM_BAD_ARGUMENT) r->wrong++;
    if (!strstr(dem_context_message(r->w->context), wanted)) r->wrong++;
  }
  return NULL;
}

static void refused_creations_on_several_threads(void **state) {
  (void)state;
  world w;
  reader r[THREADS];
  pthread_t thread[THREADS];
  open_world(&w);
  for (int k = 0; k < THREADS; k++) {
    r[k] = (reader){&w, (dem_id)k, 0};
    assert_int_equal(pthread_create(&thread[k], NULL, create_wrongly, &r[k]), 0);
  }
  for (int k = 0; k < THREADS; k++) {
    pthread_join(thread[k], NULL);
    assert_int_equal(r[k].wrong, 0);
  }
  dem_system_destroy(w.system);
  assert_int_equal(dem_context_destroy(w.context), DEM_OK);
}

/* A changing call that fails on one thread is read on another. */
static void *step_wrongly(void *user) {
  world *w = user;
  w->got = dem_system_step(w->system, -3);
  return NULL;
}

static void a_change_refused_elsewhere_is_read_here(void **state) {
  (void)state;
  world w;
  pthread_t thread;
  const dem_id unknown = 777;
  double v[3];
  open_world(&w);
  ASSERT_STATUS(w.system, dem_system_get_field(w.system, DEM_POSITION, 1, &unknown, v, 0), DEM_NOT_FOUND);
  assert_int_equal(pthread_create(&thread, NULL, step_wrongly, &w), 0);
  pthread_join(thread, NULL);
  assert_int_equal(w.got, DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(w.system), "-3"));
  dem_system_destroy(w.system);
  assert_int_equal(dem_context_destroy(w.context), DEM_OK);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(from_a_kernel_in_a_step),
      cmocka_unit_test(from_a_kernel_in_reading_energy),
      cmocka_unit_test(from_a_kernel_in_advice),
      cmocka_unit_test(from_a_bind),
      cmocka_unit_test(from_sinks),
      cmocka_unit_test(from_the_sink_of_an_energy_row),
      cmocka_unit_test(from_the_log_hook),
      cmocka_unit_test(a_stubborn_log_hook_ends),
      cmocka_unit_test(from_the_allocator),
      cmocka_unit_test(from_the_callbacks_of_a_step),
      cmocka_unit_test(refusals_on_several_threads),
      cmocka_unit_test(const_calls_on_several_threads),
      cmocka_unit_test(from_kernels_on_workers),
      cmocka_unit_test(refused_creations_on_several_threads),
      cmocka_unit_test(a_change_refused_elsewhere_is_read_here),
  };
  return cmocka_run_group_tests_name("reentry", tests, NULL, NULL);
}
