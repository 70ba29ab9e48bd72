/* The table of bound laws against one that is made from nothing after each call: an entry for each different law, in the order of
 * its first pair, row by row; and failing memory, which changes nothing. */
#include "assertions.h"

#include <stdlib.h>

#include "law_table.h"
#include "memory.h"
#include "scenes/scenes.h"

enum { MATERIALS = 40, KINDS = 9, CALLS = 4000 };

/* Law k of the KINDS: every third one is inert, others hold or act in gaps; the parameters differ in one byte. */
static demi_bound kind(int k) {
  demi_bound bound;
  memset(&bound, 0, sizeof bound);
  bound.law = (const dem_law *)(uintptr_t)(64 * (1 + k / 4));
  bound.parameters[k % DEMI_PARTS][k % 4] = (unsigned char)k;
  bound.inert = k % 3 == 0;
  bound.holds = k == 4;
  return bound;
}

typedef struct world {
  dem_context *context;
  demi_laws laws;
  int kind_of[MATERIALS][MATERIALS]; /* -1: none */
  int32_t materials;
  int64_t calls, fail_at; /* of the allocator */
} world;

static void *allocate(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  world *w = user;
  if (new_size && ++w->calls == w->fail_at) return NULL;
  void *fresh = new_size ? aligned_alloc(alignment, (new_size + alignment - 1) / alignment * alignment) : NULL;
  if (fresh) memset(fresh, 0xA5, new_size); /* nothing may rely on zeros */
  if (fresh && pointer) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
  free(pointer);
  return fresh;
}

static void open_world(world *w) {
  dem_context_options o;
  memset(w, 0, sizeof *w);
  dem_context_options_init(&o, sizeof o);
  o.allocate = allocate;
  o.allocate_user = w;
  assert_int_equal(dem_context_create(&o, &w->context), DEM_OK);
  demi_laws_init(&w->laws, w->context);
  for (int a = 0; a < MATERIALS; a++)
    for (int b = 0; b < MATERIALS; b++) w->kind_of[a][b] = -1;
}

static void close_world(world *w) {
  demi_laws_free(&w->laws);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

static void assert_pair(const world *w, int32_t a, int32_t b, const int number[KINDS]) {
  const int k = w->kind_of[a][b];
  assert_int_equal(demi_laws_index(&w->laws, a, b), k < 0 ? -1 : number[k]);
  assert_int_equal(demi_laws_interact(&w->laws, a, b), k < 0 || !kind(k).inert);
  if (k < 0) {
    assert_null(demi_laws_of(&w->laws, a, b));
    return;
  }
  const demi_bound right = kind(k), *found = demi_laws_of(&w->laws, a, b);
  assert_memory_equal(&right, found, sizeof right);
}

static void assert_right(const world *w) {
  int number[KINDS], count = 0, holds = 0;
  for (int k = 0; k < KINDS; k++) number[k] = -1;
  for (int a = 0; a < w->materials; a++)
    for (int b = a; b < w->materials; b++) {
      const int k = w->kind_of[a][b];
      if (k >= 0 && number[k] < 0) number[k] = count++;
      holds = holds || (k >= 0 && kind(k).holds);
    }
  assert_int_equal(w->laws.count, count);
  assert_int_equal(w->laws.holds, holds);
  assert_int_equal(w->laws.gaps, 0);
  for (int a = 0; a < w->materials; a++)
    for (int b = 0; b < w->materials; b++) assert_pair(w, a, b, number);
}

static dem_status set(world *w, int32_t a, int32_t b, int k) {
  const demi_bound bound = kind(k);
  demi_law_change change;
  const dem_status status = demi_laws_prepare(&w->laws, &bound, &change);
  if (status) return status;
  demi_laws_commit(&w->laws, a, b, &change);
  w->kind_of[a][b] = w->kind_of[b][a] = k;
  return DEM_OK;
}

static int roll(dice *d, int below) { return (int)dice_uniform(d, 0, below); }

/* Materials come while laws are set; some pairs change their law often. */
static void any_order_of_calls_gives_the_same_table(void **state) {
  (void)state;
  world w;
  dice d = {11};
  open_world(&w);
  for (int call = 0; call < CALLS; call++) {
    if (w.materials < MATERIALS && call % 50 == 0) {
      w.materials++;
      assert_int_equal(demi_laws_reserve(&w.laws, w.materials + w.materials % 3), DEM_OK);
    }
    const int most = roll(&d, 3) ? w.materials : (w.materials < 4 ? w.materials : 4);
    assert_int_equal(set(&w, roll(&d, most), roll(&d, most), roll(&d, KINDS)), DEM_OK);
    if (call < 200 || call % 20 == 0) assert_right(&w);
  }
  assert_right(&w);
  assert_int_equal(w.laws.count, KINDS);
  close_world(&w);
}

/* What is prepared and then dropped leaves no trace. */
static void a_dropped_change_changes_nothing(void **state) {
  (void)state;
  world w;
  demi_law_change change;
  open_world(&w);
  w.materials = 3;
  assert_int_equal(demi_laws_reserve(&w.laws, 3), DEM_OK);
  assert_int_equal(set(&w, 1, 2, 5), DEM_OK);
  for (int k = 5; k < 7; k++) {
    const demi_bound bound = kind(k);
    assert_int_equal(demi_laws_prepare(&w.laws, &bound, &change), DEM_OK);
    demi_laws_drop(&w.laws, &change);
    assert_right(&w);
  }
  close_world(&w);
}

/* Each allocation in turn; then the same call succeeds. */
static void failing_memory_changes_nothing(void **state) {
  (void)state;
  world w;
  int refused = 0;
  open_world(&w);
  for (int n = 1; n <= MATERIALS; n++)
    for (int k = 0, done = 0; !done; k++) {
      w.fail_at = w.calls + 1 + k;
      done = demi_laws_reserve(&w.laws, n) == DEM_OK;
      w.fail_at = 0;
      refused += !done;
      assert_right(&w);
      if (!done) continue;
      w.materials = n;
      for (int m = 0, set_now = 0; !set_now; m++) {
        w.fail_at = w.calls + 1 + m;
        set_now = set(&w, n - 1, n / 2, n % KINDS) == DEM_OK;
        w.fail_at = 0;
        refused += !set_now;
        assert_right(&w);
      }
    }
  print_message("# %d refusals\n", refused);
  assert_true(refused > 2 * MATERIALS);
  close_world(&w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_order_of_calls_gives_the_same_table),
      cmocka_unit_test(a_dropped_change_changes_nothing),
      cmocka_unit_test(failing_memory_changes_nothing),
  };
  return cmocka_run_group_tests_name("law_table", tests, NULL, NULL);
}
