/* Every allocation of every scene fails in turn, once and from then on: the answer is DEM_NO_MEMORY (refused, may be tried
 * again) or DEM_FAILED_MEMORY (poisoned), never a crash, never a leak, never a wrong result. */
#include "assertions.h"

#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"

/* ---- an allocator that counts, checks what it is told, and fails when asked to ---- */

typedef struct failing {
  int64_t calls;   /* allocations and resizes so far */
  int64_t fail_at; /* which of them fails; 0: none */
  int sticky;      /* 1: and all after it */
  int64_t blocks, bytes;
  int failed;
} failing;

/* In front of every block, so that the sizes the library hands back can be checked. */
typedef struct header {
  void *base;
  size_t size;
} header;

static header *header_of(void *pointer) { return (header *)pointer - 1; }

static void *fresh(failing *f, size_t size, size_t alignment) {
  const size_t room = sizeof(header) + alignment;
  char *base = malloc(size + room);
  if (!base) abort();
  const uintptr_t start = ((uintptr_t)base + room - 1) / alignment * alignment;
  void *pointer = (void *)start;
  *header_of(pointer) = (header){base, size};
  memset(pointer, 0xA5, size); /* nothing may rely on zeros */
  f->blocks++;
  f->bytes += (int64_t)size;
  return pointer;
}

static void gone(failing *f, void *pointer, size_t size) {
  if (!pointer) return;
  if (header_of(pointer)->size != size)
    fail_msg("the library gives back %zu bytes of a block of %zu", size, header_of(pointer)->size);
  f->blocks--;
  f->bytes -= (int64_t)size;
  memset(pointer, 0x5A, size);
  free(header_of(pointer)->base);
}

static void *hook(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  failing *f = user;
  if ((pointer == NULL) != (old_size == 0)) fail_msg("old size %zu of %s", old_size, pointer ? "a block" : "NULL");
  if (alignment == 0 || alignment > 64 || (alignment & (alignment - 1))) fail_msg("alignment %zu", alignment);
  if (new_size == 0) {
    gone(f, pointer, old_size);
    return NULL;
  }
  f->calls++;
  if (f->fail_at && (f->calls == f->fail_at || (f->sticky && f->calls > f->fail_at))) {
    f->failed = 1;
    return NULL;
  }
  void *p = fresh(f, new_size, alignment);
  if (pointer) memcpy(p, pointer, old_size < new_size ? old_size : new_size);
  gone(f, pointer, old_size);
  return p;
}

static dem_status open_context(failing *f, dem_context **context) {
  dem_context_options o;
  dem_context_options_init(&o, sizeof o);
  o.allocate = hook;
  o.allocate_user = f;
  return dem_context_create(&o, context);
}

static void assert_nothing_left(const failing *f) {
  if (f->blocks || f->bytes)
    fail_msg("%d blocks, %d bytes left after allocation %d failed", (int)f->blocks, (int)f->bytes, (int)f->fail_at);
}

/* ---- every allocation in turn ---- */

/* Small and short: each scene is run once for each of its allocations. */
static const scene_setup small = {.particles = 30, .ledger = 1, .threads = 2};

static int64_t steps_of(const scene *s) { return s->run ? 300 : 100; }

/* Builds and runs; the first status that is not DEM_OK. */
static dem_status whole(const scene *s, dem_context *context, dem_system **system) {
  dem_status status = scene_build(s, context, &small, system);
  if (!status) status = scene_run(s, *system, steps_of(s));
  return status;
}

static int64_t reported_bytes(const dem_context *context) {
  int64_t bytes;
  assert_int_equal(dem_context_memory(context, &bytes), DEM_OK);
  return bytes;
}

static int64_t count_allocations(const scene *s, snapshot *end) {
  failing f = {0};
  dem_context *context;
  dem_system *system;
  assert_int_equal(open_context(&f, &context), DEM_OK);
  assert_true(reported_bytes(context) == f.bytes);
  assert_int_equal(whole(s, context, &system), DEM_OK);
  snapshot_take(end, system);
  assert_true(reported_bytes(context) == f.bytes);
  dem_system_destroy(system);
  assert_true(reported_bytes(context) == f.bytes);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  assert_nothing_left(&f);
  return f.calls;
}

/* With allocation k failing. Returns 1 when the run went wrong, as it should. */
static void fail_allocation(const scene *s, int64_t k, int sticky, const snapshot *right) {
  failing f = {.fail_at = k, .sticky = sticky};
  dem_context *context = NULL;
  dem_system *system = NULL;
  dem_status status = open_context(&f, &context);
  if (status) {
    assert_null(context);
  } else {
    status = whole(s, context, &system);
    /* The scene may have survived, where the library could do without; then its result is right. */
    if (status == DEM_OK) {
      snapshot end;
      snapshot_take(&end, system);
      snapshot_assert_same_bits(right, &end);
      snapshot_free(&end);
    }
    dem_system_destroy(system);
    assert_int_equal(dem_context_destroy(context), DEM_OK);
  }
  assert_true(f.failed);
  if (status != DEM_NO_MEMORY && status != DEM_FAILED_MEMORY && status != DEM_OK)
    fail_msg("%s, allocation %d, %s: %s", s->name, (int)k, sticky ? "and after" : "once", dem_status_name(status));
  assert_nothing_left(&f);
}

static void every_allocation_fails(void **state) {
  (void)state;
  for (int i = 0; i < scene_count; i++) {
    snapshot right;
    const int64_t n = count_allocations(&scenes[i], &right);
    for (int sticky = 0; sticky < 2; sticky++)
      for (int64_t k = 1; k <= n; k++) fail_allocation(&scenes[i], k, sticky, &right);
    print_message("# %s: %d allocations\n", scenes[i].name, (int)n);
    assert_true(n > 10);
    snapshot_free(&right);
  }
}

/* ---- a refused call may be tried again ---- */

/* Runs `act` on a fresh system with one of its allocations after the other failing: each refusal leaves the system as it was, a
 * second try succeeds. */
typedef dem_status (*action)(dem_system *system);

static dem_status add_many(dem_system *system) {
  rows r;
  if (rows_create(&r, 700)) return DEM_NO_MEMORY;
  for (int i = 0; i < 700; i++) rows_put(&r, 2 * i, 0, 40, 0.5);
  const dem_status status = rows_add(&r, system, NULL);
  rows_destroy(&r);
  return status;
}

static dem_status add_one_plane(dem_system *system) {
  return scene_add_plane(system, 0, (double[3]){0, 0, -20}, (double[3]){0, 0, 1});
}

static dem_status step_once(dem_system *system) { return dem_system_step(system, 1); }

static dem_status push(dem_system *system) {
  dem_id id;
  const double force[3] = {1, 2, 3};
  dem_id *ids = malloc(2000 * sizeof *ids);
  if (!ids) return DEM_NO_MEMORY;
  dem_status status = dem_system_ids(system, 2000, ids);
  id = ids[0];
  free(ids);
  return status ? status : dem_system_set(system, DEM_HOST_FORCE, 1, &id, force, 0);
}

static uint64_t hash_of_fresh_system(void) {
  dem_context *context;
  dem_system *system;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  assert_int_equal(scene_build(scene_find("settling"), context, &small, &system), DEM_OK);
  const uint64_t hash = system_hash(system);
  dem_system_destroy(system);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  return hash;
}

static void retries(const char *what, action act) {
  /* Of a twin: reading energies may itself allocate. */
  const uint64_t before = hash_of_fresh_system();
  int64_t refusals = 0, poisoned = 0, k;
  for (k = 1;; k++) {
    failing f = {0};
    dem_context *context;
    dem_system *system;
    assert_int_equal(open_context(&f, &context), DEM_OK);
    assert_int_equal(scene_build(scene_find("settling"), context, &small, &system), DEM_OK);
    f.fail_at = f.calls + k;
    const dem_status status = act(system);
    const int reached = f.failed;
    f.fail_at = 0;
    if (status > 0) {
      refusals++;
      assert_int_equal(status, DEM_NO_MEMORY);
      assert_true(strstr(dem_system_message(system), "memory") != NULL);
      assert_true(system_hash(system) == before);
      ASSERT_OK(system, dem_system_check(system));
      ASSERT_OK(system, act(system));
      ASSERT_OK(system, dem_system_step(system, 20));
    } else if (status < 0) {
      poisoned++;
      assert_int_equal(status, DEM_FAILED_MEMORY);
      ASSERT_STATUS(system, dem_system_step(system, 1), DEM_POISONED);
    }
    dem_system_destroy(system);
    assert_int_equal(dem_context_destroy(context), DEM_OK);
    assert_nothing_left(&f);
    if (!reached) break;
  }
  print_message("# %s: %d allocations, %d refused and tried again, %d poisoned\n", what, (int)k - 1, (int)refusals,
                (int)poisoned);
}

static void a_refused_call_may_be_tried_again(void **state) {
  (void)state;
  retries("add", add_many);
  retries("plane", add_one_plane);
  retries("first step", step_once);
  retries("host force", push);
}

/* ---- after warm-up a step allocates nothing ---- */

static void steps_allocate_nothing_after_warm_up(void **state) {
  (void)state;
  failing f = {0};
  dem_context *context;
  dem_system *system;
  assert_int_equal(open_context(&f, &context), DEM_OK);
  assert_int_equal(scene_build(scene_find("settling"), context, &small, &system), DEM_OK);
  ASSERT_OK(system, dem_system_step(system, 20000)); /* the bed has come to rest */
  const int64_t before = f.calls;
  ASSERT_OK(system, dem_system_step(system, 5000));
  assert_int_equal(f.calls, before);
  dem_system_destroy(system);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

/* A context is not destroyed under living objects. */
static void a_context_outlives_its_objects(void **state) {
  (void)state;
  failing f = {0};
  dem_context *context;
  dem_system *system;
  dem_law_options o;
  dem_law *law;
  assert_int_equal(open_context(&f, &context), DEM_OK);
  scene_hooke(&o);
  assert_int_equal(dem_law_create(context, &o, &law), DEM_OK);
  assert_int_equal(dem_context_destroy(context), DEM_BUSY);
  assert_int_equal(scene_build(scene_find("impact"), context, NULL, &system), DEM_OK);
  ASSERT_OK(system, dem_system_set_law(system, 0, 0, law));
  dem_law_release(law); /* the system has its own reference */
  ASSERT_OK(system, dem_system_step(system, 50));
  assert_int_equal(dem_context_destroy(context), DEM_BUSY);
  dem_system_destroy(system);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  assert_nothing_left(&f);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_allocation_fails),
      cmocka_unit_test(a_refused_call_may_be_tried_again),
      cmocka_unit_test(steps_allocate_nothing_after_warm_up),
      cmocka_unit_test(a_context_outlives_its_objects),
  };
  return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
