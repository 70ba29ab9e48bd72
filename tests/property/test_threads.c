/* Threads of the host, as doc/threading.md promises: steps whose tasks run on the host's threads, systems of one context on
 * several threads at once, and calls that only read on one system from several threads. Results have the bits of one thread.
 *
 * .ci/run runs this program under ThreadSanitizer too. That is why the hook starts a thread for every task: nothing but the start
 * and the end of the loop orders the tasks then, and a row that two of them touch is reported whatever their timing was. */
#include "assertions.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"

enum { THREADS = 4, PARTICLES = 1000, STEPS = 80 };

/* ---- the hook ---- */

typedef struct job {
  dem_task_fn task;
  void *argument;
  int32_t index;
} job;

static atomic_int loops;

static void *work(void *user) {
  const job *j = user;
  j->task(j->argument, j->index);
  return NULL;
}

/* Task 0 on the calling thread, each other one on a thread of its own. */
static void on_threads(void *user, int32_t count, dem_task_fn task, void *argument) {
  pthread_t thread[THREADS];
  job jobs[THREADS];
  (void)user;
  atomic_fetch_add(&loops, 1);
  if (count > THREADS) abort();
  for (int32_t k = 1; k < count; k++) {
    jobs[k] = (job){task, argument, k};
    if (pthread_create(&thread[k], NULL, work, &jobs[k])) abort();
  }
  task(argument, 0);
  for (int32_t k = 1; k < count; k++) pthread_join(thread[k], NULL);
}

static dem_context *open_context(void) {
  dem_context_options o;
  dem_context *context = NULL;
  dem_context_options_init(&o, sizeof o);
  o.parallel = on_threads;
  assert_int_equal(dem_context_create(&o, &context), DEM_OK);
  return context;
}

/* ---- scenes with everything that steps touch ---- */

static dem_status add_bonds(dem_system *system) {
  dem_bond_type type;
  dem_status status = dem_bond_type_init(&type, sizeof type);
  type.normal_stiffness = type.tangential_stiffness = type.bending_stiffness = type.twisting_stiffness = 1e4;
  type.normal_damping = type.tangential_damping = 20;
  type.break_strain = 0.01;
  type.contact = 1;
  if (!status) status = dem_system_add_bond_type(system, &type, NULL);
  if (!status) status = dem_system_bond_neighbours(system, 0, 0, 0, 0.05, NULL);
  return status;
}

/* A paddle turns through the grains, a light plate is pushed by them. */
static dem_status add_walls(dem_system *system) {
  dem_wall paddle, plate;
  dem_status status = dem_wall_init(&paddle, sizeof paddle);
  paddle.shape = DEM_WALL_PLATE;
  paddle.motion = DEM_WALL_PRESCRIBED;
  paddle.size[0] = 3, paddle.size[2] = 3;
  paddle.spin[2] = 20;
  for (int k = 0; k < 3; k++) paddle.position[k] = 3;
  if (!status) status = dem_wall_init(&plate, sizeof plate);
  plate.shape = DEM_WALL_DISC;
  plate.motion = DEM_WALL_FREE;
  plate.free_axis[2] = 1;
  plate.mass = 2;
  plate.radius = 2;
  plate.axis[2] = 1;
  plate.position[0] = plate.position[1] = 3, plate.position[2] = 5;
  if (!status) status = dem_system_add_wall(system, &paddle, NULL);
  if (!status) status = dem_system_add_wall(system, &plate, NULL);
  return status;
}

static dem_status add_lubrication(dem_context *context, dem_system *system) {
  dem_law_options law;
  scene_hertz(&law);
  law.viscosity = 0.1;
  law.lubrication_scale = 1, law.lubrication_inner = 1e-3, law.lubrication_outer = 0.1;
  return scene_set_law(context, system, 0, 0, &law);
}

/* So that layers touch from the start. */
static dem_status press_together(dem_system *system) {
  int64_t n = 0;
  dem_status status = dem_system_particle_count(system, &n);
  double *x = calloc((size_t)(3 * n) + 1, sizeof *x);
  if (!x) return DEM_NO_MEMORY;
  if (!status) status = dem_system_get_field(system, DEM_POSITION, n, NULL, x, 0);
  for (int64_t i = 0; i < n; i++) x[3 * i + 2] *= 0.85;
  if (!status) status = dem_system_set_field(system, DEM_POSITION, n, NULL, x, 0);
  free(x);
  return status;
}

typedef struct dress {
  const char *scene;
  int bonds, walls, lubrication;
} dress;

static const dress dresses[] = {{"cluster", 1, 1, 0}, {"cluster", 0, 0, 1}, {"hertz-bed", 0, 0, 0},
                                {"powder", 0, 0, 0},  {"busy", 1, 1, 0},    {"two-materials", 0, 0, 0}};
enum { DRESSES = sizeof dresses / sizeof dresses[0] };

static dem_status build(const dress *d, dem_context *context, int32_t threads, int32_t ledger, dem_system **system) {
  const scene_setup setup = {.particles = PARTICLES, .threads = threads, .ledger = ledger, .drag = 0.1};
  dem_status status = scene_build(scene_find(d->scene), context, &setup, system);
  if (!status) status = press_together(*system);
  if (!status && d->bonds) status = add_bonds(*system);
  if (!status && d->walls) status = add_walls(*system);
  if (!status && d->lubrication) status = add_lubrication(context, *system);
  return status;
}

static dem_status build_and_run(const dress *d, dem_context *context, int32_t threads, int32_t ledger, dem_system **system) {
  dem_status status = build(d, context, threads, ledger, system);
  if (!status) status = scene_run(scene_find(d->scene), *system, STEPS);
  return status;
}

/* ---- one system, tasks on several threads ---- */

static uint64_t hash_of(const dress *d, int32_t threads, int32_t ledger) {
  dem_context *context = open_context();
  dem_system *system = NULL;
  dem_statistics st;
  assert_int_equal(build_and_run(d, context, threads, ledger, &system), DEM_OK);
  ASSERT_OK(system, dem_system_step(system, 3));
  const uint64_t hash = system_hash(system);
  dem_statistics_init(&st, sizeof st);
  ASSERT_OK(system, dem_system_statistics(system, &st));
  assert_true(st.rebuilds > 1 && st.contacts > 50);
  assert_int_equal(dem_system_destroy(system), DEM_OK);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  return hash;
}

static void steps_on_threads_of_the_host(void **state) {
  (void)state;
  for (int k = 0; k < DRESSES; k++)
    for (int32_t ledger = 0; ledger <= 2; ledger++) {
      const uint64_t alone = hash_of(&dresses[k], 1, ledger);
      const int before = atomic_load(&loops);
      const uint64_t together = hash_of(&dresses[k], THREADS, ledger);
      assert_true(atomic_load(&loops) >= before + STEPS);
      assert_true(alone == together);
    }
}

/* ---- several systems at once ---- */

typedef struct runner {
  const dress *dress;
  dem_context *context;
  const dem_law *law; /* shared by all of them, or NULL */
  dem_system *system;
  dem_status status;
} runner;

static void *build_elsewhere(void *user) {
  runner *r = user;
  r->status = build(r->dress, r->context, 2, 2, &r->system);
  if (!r->status && r->law) r->status = dem_system_set_law(r->system, 0, 0, r->law);
  if (!r->status) r->status = scene_run(scene_find(r->dress->scene), r->system, STEPS);
  return NULL;
}

static void *destroy_elsewhere(void *user) {
  runner *r = user;
  r->status = dem_system_destroy(r->system);
  return NULL;
}

static void run_together(runner *r, int count, void *(*task)(void *)) {
  pthread_t thread[DRESSES];
  for (int k = 0; k < count; k++) assert_int_equal(pthread_create(&thread[k], NULL, task, &r[k]), 0);
  for (int k = 0; k < count; k++) pthread_join(thread[k], NULL);
  for (int k = 0; k < count; k++) assert_int_equal(r[k].status, DEM_OK);
}

static dem_law *shared_law(dem_context *context) {
  dem_law_options options;
  dem_law *law = NULL;
  scene_hertz(&options);
  assert_int_equal(scene_create_law(context, &options, &law), DEM_OK);
  return law;
}

static void systems_of_one_context_at_once(void **state) {
  (void)state;
  runner r[DRESSES];
  uint64_t alone[DRESSES];
  dem_context *context = open_context();
  dem_law *law = shared_law(context);
  for (int k = 0; k < DRESSES; k++) {
    r[k] = (runner){&dresses[k], context, law, NULL, DEM_OK};
    run_together(&r[k], 1, build_elsewhere);
    alone[k] = system_hash(r[k].system);
    assert_int_equal(dem_system_destroy(r[k].system), DEM_OK);
  }
  run_together(r, DRESSES, build_elsewhere);
  dem_law_release(law);
  for (int k = 0; k < DRESSES; k++) assert_true(system_hash(r[k].system) == alone[k]);
  run_together(r, DRESSES, destroy_elsewhere);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

static void *context_elsewhere(void *user) {
  runner *r = user;
  dem_context_options o;
  r->status = dem_context_options_init(&o, sizeof o);
  o.parallel = on_threads;
  if (!r->status) r->status = dem_context_create(&o, &r->context);
  if (!r->status) build_elsewhere(r);
  if (!r->status) r->status = dem_system_destroy(r->system);
  if (!r->status) r->status = dem_context_destroy(r->context);
  return NULL;
}

static void contexts_at_once(void **state) {
  (void)state;
  runner r[DRESSES];
  for (int k = 0; k < DRESSES; k++) r[k] = (runner){.dress = &dresses[k]};
  run_together(r, DRESSES, context_elsewhere);
}

/* ---- one system, read from several threads ---- */

enum { ROOM = 8 * PARTICLES, FIELDS = 5, WRITERS = 5 };

static const int32_t field[FIELDS] = {DEM_POSITION, DEM_VELOCITY, DEM_FORCE, DEM_HALF_VELOCITY, DEM_CONTACT_FORCE};
static dem_status (*const writer[WRITERS])(const dem_system *, const dem_sink *) = {
    dem_system_write_data, dem_system_write_dump, dem_system_write_vtp, dem_system_write_walls_vtp,
    dem_system_write_contacts_vtp};

/* Everything that may be read while nothing changes, as a number. */
typedef struct reader {
  const dem_system *system;
  const dem_view *view;
  dem_id unknown;
  uint64_t hash;
  int refused, wrong;
} reader;

/* FNV-1a */
static void mix(uint64_t *hash, const void *data, size_t bytes) {
  const unsigned char *c = data;
  for (size_t i = 0; i < bytes; i++) *hash = (*hash ^ c[i]) * 0x100000001B3u;
}

static int32_t mix_bytes(void *user, const void *bytes, int64_t count) {
  mix(user, bytes, (size_t)count);
  return 0;
}

static void read_particles(reader *r, double *values, dem_id *ids, int64_t *indices) {
  int64_t n = 0;
  r->wrong += dem_system_particle_count(r->system, &n) != DEM_OK;
  r->wrong += dem_system_ids(r->system, n, ids) != DEM_OK;
  mix(&r->hash, ids, (size_t)n * sizeof *ids);
  r->wrong += dem_system_index_of(r->system, n, ids, indices) != DEM_OK;
  r->wrong += dem_system_id_at(r->system, n, indices, ids) != DEM_OK;
  mix(&r->hash, indices, (size_t)n * sizeof *indices);
  for (int k = 0; k < FIELDS; k++) {
    r->wrong += dem_system_get_field(r->system, field[k], n, ids, values, 0) != DEM_OK;
    mix(&r->hash, values, (size_t)(3 * n) * sizeof *values);
  }
  int32_t *images = (int32_t *)(void *)values;
  r->wrong += dem_system_get_field_int(r->system, DEM_IMAGE, n, NULL, images, 0) != DEM_OK;
  mix(&r->hash, images, (size_t)(3 * n) * sizeof *images);
}

static void read_pairs(reader *r) {
  int64_t n = 0;
  dem_contact *contacts = calloc(ROOM, sizeof *contacts);
  dem_bond *bonds = calloc(ROOM, sizeof *bonds);
  r->wrong += !contacts || !bonds;
  r->wrong += dem_system_contact_count(r->system, &n) != DEM_OK || n < 50;
  r->wrong += contacts && dem_system_contacts(r->system, ROOM, contacts, sizeof *contacts) != DEM_OK;
  if (contacts && n <= ROOM) mix(&r->hash, contacts, (size_t)n * sizeof *contacts);
  r->wrong += dem_system_bond_count(r->system, &n) != DEM_OK || n < 50;
  r->wrong += bonds && dem_system_bonds(r->system, ROOM, bonds, sizeof *bonds) != DEM_OK;
  if (bonds && n <= ROOM) mix(&r->hash, bonds, (size_t)n * sizeof *bonds);
  free(contacts);
  free(bonds);
}

static void read_numbers(reader *r) {
  double time, dt;
  int64_t epoch;
  dem_statistics st;
  dem_wall_state wall;
  dem_statistics_init(&st, sizeof st);
  dem_wall_state_init(&wall, sizeof wall);
  r->wrong += dem_system_time(r->system, &time) != DEM_OK;
  r->wrong += dem_system_stable_dt(r->system, &dt) != DEM_OK;
  r->wrong += dem_system_epoch(r->system, &epoch) != DEM_OK;
  r->wrong += dem_system_statistics(r->system, &st) != DEM_OK;
  r->wrong += dem_system_wall_state(r->system, 0, &wall) != DEM_OK;
  mix(&r->hash, &time, sizeof time);
  mix(&r->hash, &dt, sizeof dt);
  mix(&r->hash, &epoch, sizeof epoch);
  mix(&r->hash, &st, sizeof st);
  mix(&r->hash, &wall, sizeof wall);
}

/* A view is an array: any thread may read it. */
static void read_view(reader *r) {
  for (int64_t i = 0; i < r->view->count; i++)
    mix(&r->hash, r->view->data + i * r->view->stride, (size_t)r->view->components * sizeof(double));
}

/* Each thread asks for an id of its own, and its message names that one. */
static void be_refused(reader *r) {
  char wanted[32];
  double v[3];
  snprintf(wanted, sizeof wanted, " %llu,", (unsigned long long)r->unknown);
  r->refused += dem_system_get_field(r->system, DEM_POSITION, 1, &r->unknown, v, 0) == DEM_NOT_FOUND &&
                strstr(dem_system_message(r->system), wanted) != NULL;
}

static void *read_everything(void *user) {
  reader *r = user;
  double *values = calloc(3 * ROOM, sizeof *values);
  dem_id *ids = calloc(ROOM, sizeof *ids);
  int64_t *indices = calloc(ROOM, sizeof *indices);
  const dem_sink sink = {sizeof sink, 0, &r->hash, mix_bytes};
  r->hash = 0xCBF29CE484222325u;
  if (values && ids && indices) read_particles(r, values, ids, indices);
  read_pairs(r);
  be_refused(r);
  read_numbers(r);
  read_view(r);
  for (int k = 0; k < WRITERS; k++) r->wrong += writer[k](r->system, &sink) != DEM_OK;
  be_refused(r);
  free(values);
  free(ids);
  free(indices);
  return NULL;
}

static void read_together(const dem_system *system, const dem_view *view) {
  enum { READERS = 8 };
  reader r[READERS + 1];
  pthread_t thread[READERS];
  for (int k = 0; k <= READERS; k++) r[k] = (reader){system, view, 90000 + (dem_id)k, 0, 0, 0};
  for (int k = 0; k < READERS; k++) assert_int_equal(pthread_create(&thread[k], NULL, read_everything, &r[k]), 0);
  for (int k = 0; k < READERS; k++) pthread_join(thread[k], NULL);
  read_everything(&r[READERS]);
  for (int k = 0; k <= READERS; k++) {
    assert_int_equal(r[k].wrong, 0);
    assert_int_equal(r[k].refused, 2);
    assert_true(r[k].hash == r[READERS].hash);
  }
}

/* Steps between the readings leave caches in every state that a reader can meet. */
static void readers_at_once(void **state) {
  (void)state;
  for (int32_t ledger = 0; ledger <= 2; ledger++) {
    dem_context *context = open_context();
    dem_system *system = NULL;
    dem_view view = {.struct_size = sizeof view};
    assert_int_equal(build_and_run(&dresses[0], context, THREADS, ledger, &system), DEM_OK);
    for (int round = 0; round < 3; round++) {
      ASSERT_OK(system, dem_system_step(system, 7));
      ASSERT_OK(system, dem_view_acquire(system, round % 2 ? DEM_FORCE : DEM_POSITION, DEM_READ, &view));
      read_together(system, &view);
      ASSERT_OK(system, dem_view_release(system, &view));
    }
    assert_int_equal(dem_system_destroy(system), DEM_OK);
    assert_int_equal(dem_context_destroy(context), DEM_OK);
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_on_threads_of_the_host),
      cmocka_unit_test(systems_of_one_context_at_once),
      cmocka_unit_test(contexts_at_once),
      cmocka_unit_test(readers_at_once),
  };
  return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
