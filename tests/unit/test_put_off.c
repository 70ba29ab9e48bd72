/* Pairs that are put off: out of the pick until they are restored, with the image that they had. A lattice of touching spheres in a
 * periodic box, so that pairs have all images. */
#include "assertions.h"

#include <stdlib.h>

#include "context.h"
#include "list.h"

enum { EDGE = 6, COUNT = EDGE * EDGE * EDGE, PAIRS = 3 * COUNT, MATERIALS = 1 };

typedef struct world {
  dem_context *context;
  demi_store store;
  demi_list list;
  demi_box box;
  demi_faces faces;
  demi_search search;
  uint8_t interacts[MATERIALS * MATERIALS];
  uint32_t code[PAIRS]; /* as built */
  int refuse;           /* the allocator has no memory */
} world;

static void *allocate(void *user, void *pointer, size_t old_size, size_t new_size, size_t alignment) {
  const world *w = user;
  void *fresh = new_size && !w->refuse ? aligned_alloc(alignment, (new_size + alignment - 1) / alignment * alignment) : NULL;
  if (new_size && !fresh) return NULL;
  if (fresh && pointer) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
  free(pointer);
  return fresh;
}

static void add_particles(world *w) {
  demi_columns *c = &w->store.columns;
  assert_int_equal(demi_store_reserve(&w->store, COUNT), DEM_OK);
  assert_int_equal(demi_idpool_reserve(&w->store.ids, COUNT), DEM_OK);
  for (int k = 0; k < COUNT; k++) {
    const int at[3] = {k % EDGE, k / EDGE % EDGE, k / EDGE / EDGE};
    for (int a = 0; a < 3; a++) c->position[4 * k + a] = at[a] + 0.5;
    c->position[4 * k + 3] = 0.501;
    c->velocity[8 * k + 3] = c->velocity[8 * k + 7] = 1;
    c->id[k] = demi_idpool_take(&w->store.ids, k);
    w->store.count = k + 1;
  }
}

static void build(world *w) {
  assert_int_equal(demi_list_build(&w->list, &w->store, &w->search), DEM_OK);
  assert_int_equal(w->list.pairs, PAIRS);
  demi_list_prune(&w->list, &w->store);
  memcpy(w->code, w->list.code, sizeof w->code);
}

static world *make(void) {
  world *w = test_calloc(1, sizeof *w);
  dem_context_options o;
  dem_context_options_init(&o, sizeof o);
  o.allocate = allocate;
  o.allocate_user = w;
  assert_int_equal(dem_context_create(&o, &w->context), DEM_OK);
  demi_store_init(&w->store, w->context);
  demi_list_init(&w->list, w->context);
  for (int a = 0; a < 3; a++) {
    w->box.high[a] = EDGE;
    w->box.periodic[a] = 1;
  }
  memset(w->interacts, 1, sizeof w->interacts);
  add_particles(w);
  w->search = (demi_search){&w->box, &w->faces, w->interacts, MATERIALS, 0.501, 0.501, 0.05, 1e6, 0, 1, NULL, 0};
  build(w);
  return w;
}

static void destroy(world *w) {
  demi_list_free(&w->list);
  demi_store_free(&w->store);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
  test_free(w);
}

static int is_picked(const world *w, int32_t pair) {
  for (int32_t b = 0; b < w->list.motion.blocks; b++) {
    const int32_t first = w->list.row_start[demi_block_first(&w->list.motion, b)];
    for (int32_t k = first; k < first + w->list.near_count[b]; k++)
      if (w->list.near_pair[k] == pair) return 1;
  }
  return 0;
}

static int64_t count_picked(const world *w) {
  int64_t count = 0;
  for (int32_t b = 0; b < w->list.motion.blocks; b++) count += w->list.near_count[b];
  return count;
}

static void pick_anew(world *w) {
  w->list.pruned = 0;
  demi_list_prune(&w->list, &w->store);
}

/* ---- tests ---- */

static void one_pair_is_out_of_the_pick(void **state) {
  (void)state;
  world *w = make();
  assert_int_equal(count_picked(w), PAIRS);
  for (int32_t pair = 0; pair < PAIRS; pair += 7) {
    assert_int_equal(demi_list_put_off(&w->list, pair), DEM_OK);
    for (int32_t k = 0; k < PAIRS; k++) assert_int_equal(demi_list_is_put_off(&w->list, k), k == pair);
    assert_int_equal(w->list.code[pair] & DEMI_ROW_MASK, w->code[pair] & DEMI_ROW_MASK);
    pick_anew(w);
    assert_false(is_picked(w, pair));
    assert_int_equal(count_picked(w), PAIRS - 1);
    demi_list_restore(&w->list, pair);
    assert_false(demi_list_is_put_off(&w->list, pair));
  }
  destroy(w);
}

/* Also across the seams of the box, in any order. */
static void a_restored_pair_has_its_image_again(void **state) {
  (void)state;
  world *w = make();
  uint32_t images = 0;
  for (int32_t k = 0; k < PAIRS; k++) images |= UINT32_C(1) << (w->code[k] >> DEMI_SHIFT_BITS);
  assert_true(images & (images - 1)); /* more than one */
  for (int32_t k = 0; k < PAIRS; k++) assert_int_equal(demi_list_put_off(&w->list, k), DEM_OK);
  pick_anew(w);
  assert_int_equal(count_picked(w), 0);
  for (int32_t k = 0; k < PAIRS; k++) demi_list_restore(&w->list, 5 * k % PAIRS == 0 ? k : PAIRS - 1 - k);
  for (int32_t k = 0; k < PAIRS; k++) demi_list_restore(&w->list, k);
  ASSERT_BITS(w->list.code, w->code, sizeof w->code);
  destroy(w);
}

static void a_restored_pair_is_picked_at_once(void **state) {
  (void)state;
  world *w = make();
  assert_int_equal(demi_list_put_off(&w->list, 100), DEM_OK);
  pick_anew(w);
  demi_list_restore(&w->list, 100);
  demi_list_prune(&w->list, &w->store);
  assert_true(is_picked(w, 100));
  assert_int_equal(count_picked(w), PAIRS);
  destroy(w);
}

static void doing_it_twice_changes_nothing(void **state) {
  (void)state;
  world *w = make();
  demi_list_restore(&w->list, 3);
  assert_int_equal(w->list.code[3], w->code[3]);
  assert_true(w->list.pruned); /* nothing to pick anew */
  for (int n = 0; n < 2; n++) assert_int_equal(demi_list_put_off(&w->list, 3), DEM_OK);
  for (int n = 0; n < 2; n++) demi_list_restore(&w->list, 3);
  ASSERT_BITS(w->list.code, w->code, sizeof w->code);
  destroy(w);
}

static void a_new_list_puts_off_none(void **state) {
  (void)state;
  world *w = make();
  for (int32_t k = 0; k < PAIRS; k++) assert_int_equal(demi_list_put_off(&w->list, k), DEM_OK);
  build(w);
  for (int32_t k = 0; k < PAIRS; k++) assert_false(demi_list_is_put_off(&w->list, k));
  assert_int_equal(count_picked(w), PAIRS);
  destroy(w);
}

/* Only the first may need memory, and a refused one changes nothing. */
static void memory(void **state) {
  (void)state;
  world *w = make();
  w->refuse = 1;
  assert_int_equal(demi_list_put_off(&w->list, 5), DEM_NO_MEMORY);
  ASSERT_BITS(w->list.code, w->code, sizeof w->code);
  w->refuse = 0;
  assert_int_equal(demi_list_put_off(&w->list, 5), DEM_OK);
  w->refuse = 1;
  for (int32_t k = 0; k < PAIRS; k++) assert_int_equal(demi_list_put_off(&w->list, k), DEM_OK);
  for (int32_t k = 0; k < PAIRS; k++) demi_list_restore(&w->list, k);
  ASSERT_BITS(w->list.code, w->code, sizeof w->code);
  w->refuse = 0;
  destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_pair_is_out_of_the_pick),       cmocka_unit_test(a_restored_pair_has_its_image_again),
      cmocka_unit_test(a_restored_pair_is_picked_at_once), cmocka_unit_test(doing_it_twice_changes_nothing),
      cmocka_unit_test(a_new_list_puts_off_none),          cmocka_unit_test(memory),
  };
  return cmocka_run_group_tests_name("put off", tests, NULL, NULL);
}
