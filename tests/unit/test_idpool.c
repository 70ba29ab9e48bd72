/* Ids with generations, against a plain table. */
#include "assertions.h"

#include <stdlib.h>

#include "idpool.h"
#include "scenes/scenes.h"

typedef struct world {
  dem_context *context;
  demi_idpool pool;
} world;

static int set_up(void **state) {
  world *w = test_calloc(1, sizeof *w);
  if (dem_context_create(NULL, &w->context) != DEM_OK) return -1;
  demi_idpool_init(&w->pool, w->context);
  *state = w;
  return 0;
}

static int tear_down(void **state) {
  world *w = *state;
  demi_idpool_free(&w->pool);
  const dem_status status = dem_context_destroy(w->context);
  test_free(w);
  return status;
}

static void an_id_names_its_row_until_it_is_given_back(void **state) {
  world *w = *state;
  assert_int_equal(demi_idpool_reserve(&w->pool, 3), DEM_OK);
  const dem_id a = demi_idpool_take(&w->pool, 10), b = demi_idpool_take(&w->pool, 11);
  assert_true(a != 0 && b != 0 && a != b);
  assert_int_equal(demi_idpool_row(&w->pool, a), 10);
  assert_int_equal(demi_idpool_row(&w->pool, b), 11);
  demi_idpool_give_back(&w->pool, a);
  assert_int_equal(demi_idpool_row(&w->pool, a), -1);
  const dem_id c = demi_idpool_take(&w->pool, 12);
  assert_int_equal(demi_id_slot(c), demi_id_slot(a)); /* the slot again, in another generation */
  assert_true(c != a);
  assert_int_equal(demi_idpool_row(&w->pool, a), -1);
  assert_int_equal(demi_idpool_row(&w->pool, c), 12);
}

static void what_was_never_given_out_names_nothing(void **state) {
  world *w = *state;
  assert_int_equal(demi_idpool_row(&w->pool, 0), -1);
  assert_int_equal(demi_idpool_row(&w->pool, 1), -1);
  assert_int_equal(demi_idpool_row(&w->pool, UINT64_MAX), -1);
  assert_int_equal(demi_idpool_reserve(&w->pool, 1), DEM_OK);
  const dem_id a = demi_idpool_take(&w->pool, 0);
  assert_int_equal(demi_idpool_row(&w->pool, a + 1), -1);
  assert_int_equal(demi_idpool_row(&w->pool, a + (UINT64_C(1) << 32)), -1);
  assert_int_equal(demi_idpool_row(&w->pool, a & 0xffffffffu), -1);
}

/* A generation is never 0, so that an id never is. */
static void the_last_generation_is_followed_by_the_first(void **state) {
  world *w = *state;
  assert_int_equal(demi_idpool_reserve(&w->pool, 1), DEM_OK);
  const dem_id a = demi_idpool_take(&w->pool, 0);
  w->pool.generation[demi_id_slot(a)] = UINT32_MAX;
  const dem_id last = (dem_id)UINT32_MAX << 32 | (a & 0xffffffffu);
  assert_int_equal(demi_idpool_row(&w->pool, last), 0);
  demi_idpool_give_back(&w->pool, last);
  const dem_id next = demi_idpool_take(&w->pool, 5);
  assert_int_equal(next >> 32, 1);
  assert_int_equal(demi_idpool_row(&w->pool, next), 5);
  assert_int_equal(demi_idpool_row(&w->pool, last), -1);
}

enum { MOST = 200, STEPS = 20000 };

static void random_use_agrees_with_a_table(void **state) {
  world *w = *state;
  static dem_id alive[MOST], gone[STEPS];
  int64_t count = 0, lost = 0;
  dice d = {42};
  for (int k = 0; k < STEPS; k++) {
    if (count < MOST && dice_uniform(&d, 0, 1) < 0.52) {
      assert_int_equal(demi_idpool_reserve(&w->pool, 1), DEM_OK);
      alive[count] = demi_idpool_take(&w->pool, count);
      count++;
    } else if (count > 0) { /* the last row takes the place of the one that goes, as the store has it */
      const int64_t row = (int64_t)dice_uniform(&d, 0, (double)count);
      demi_idpool_give_back(&w->pool, gone[lost++] = alive[row]);
      alive[row] = alive[--count];
      demi_idpool_renumber(&w->pool, alive, count);
    }
    if (k % 97) continue;
    for (int64_t r = 0; r < count; r++) assert_int_equal(demi_idpool_row(&w->pool, alive[r]), r);
    for (int64_t r = 0; r < lost; r++) assert_int_equal(demi_idpool_row(&w->pool, gone[r]), -1);
  }
  assert_true(lost > STEPS / 3 && w->pool.slots <= MOST);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(an_id_names_its_row_until_it_is_given_back, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_was_never_given_out_names_nothing, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_last_generation_is_followed_by_the_first, set_up, tear_down),
      cmocka_unit_test_setup_teardown(random_use_agrees_with_a_table, set_up, tear_down),
  };
  return cmocka_run_group_tests_name("idpool", tests, NULL, NULL);
}
