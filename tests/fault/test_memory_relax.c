/* Every allocation of a relaxation fails in turn, once and from then on: with friction, with a free box, in load steps. The answer is
 * DEM_NO_MEMORY, the system keeps every byte, nothing leaks, and the same call made again with memory gives the result of a run that
 * never lacked it. */
#include "assertions.h"

#include <stdlib.h>

#include "scenes/image.h"
#include "scenes/scenes.h"
#include "scenes/snapshot.h"

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

typedef struct world {
  failing memory;
  dem_context *context;
  dem_system *system;
} world;

static void open_world(world *w, const char *name) {
  const scene_setup setup = {.particles = 40, .ledger = 1, .threads = 1};
  dem_context_options o;
  dem_energy e;
  memset(w, 0, sizeof *w);
  dem_context_options_init(&o, sizeof o);
  o.allocate = hook;
  o.allocate_user = &w->memory;
  o.log = ignore;
  assert_int_equal(dem_context_create(&o, &w->context), DEM_OK);
  assert_int_equal(scene_build(scene_find(name), w->context, &setup, &w->system), DEM_OK);
  ASSERT_OK(w->system, dem_system_step(w->system, 500));
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(w->system, dem_system_energy(w->system, &e));
}

static void close_world(world *w) {
  assert_int_equal(dem_system_destroy(w->system), DEM_OK);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
  assert_int_equal(w->memory.bytes, 0);
}

/* A few iterations, whatever they reach. */
static dem_status relax(dem_system *s, const dem_relax_options *o) {
  dem_minimise_options m;
  dem_minimise_options_init(&m, sizeof m);
  m.iterations_most = 3;
  m.gradient_relative = 1e-3;
  return dem_system_minimise(s, o, &m, NULL);
}

static dem_status relax_plainly(dem_system *s) { return relax(s, NULL); }

static dem_status relax_box(dem_system *s) {
  dem_relax_options o;
  dem_relax_options_init(&o, sizeof o);
  o.box_free[DEM_BOX_XX] = 1;
  o.stress[DEM_BOX_XX] = 100;
  o.strain[DEM_BOX_YY] = -1e-3;
  return relax(s, &o);
}

typedef struct task {
  const char *scene;
  dem_status (*act)(dem_system *s);
} task;

static uint64_t result_of(const task *t) {
  world w;
  open_world(&w, t->scene);
  ASSERT_OK(w.system, t->act(w.system));
  const uint64_t hash = system_hash(w.system);
  close_world(&w);
  return hash;
}

/* Allocation number `k` of the call fails; 0 when it has fewer. */
static int try_without(const task *t, int64_t k, int sticky, uint64_t expected) {
  world w;
  open_world(&w, t->scene);
  system_image before = image_take(w.system);
  w.memory.sticky = sticky;
  w.memory.fail_at = w.memory.calls + k;
  const dem_status status = t->act(w.system);
  const int failed = w.memory.failed;
  w.memory.fail_at = 0;
  if (status) {
    ASSERT_STATUS(w.system, status, DEM_NO_MEMORY);
    assert_true(failed);
    image_assert_same(&before, w.system);
    ASSERT_OK(w.system, t->act(w.system));
  }
  assert_true(system_hash(w.system) == expected);
  ASSERT_OK(w.system, dem_system_step(w.system, 3));
  image_free(&before);
  close_world(&w);
  return failed;
}

static void lack_of_memory(void **state) {
  (void)state;
  const task tasks[] = {{"settling", relax_plainly}, {"packing2d", relax_plainly}, {"packing2d", relax_box}};
  for (size_t k = 0; k < sizeof tasks / sizeof *tasks; k++) {
    const uint64_t expected = result_of(&tasks[k]);
    for (int sticky = 0; sticky < 2; sticky++) {
      int64_t at = 1;
      while (try_without(&tasks[k], at, sticky, expected)) at++;
      assert_true(at > 10);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lack_of_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
