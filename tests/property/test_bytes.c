/* The memory that a system reports against that of its context: the books and the moments of rolling take more, and all of that is
 * reported. What is not reported, the laws and a little more, does not depend on them. */
#include "assertions.h"

#include "scenes/scenes.h"

/* Memory that the context has and the system does not report. */
static int64_t unreported(const scene *s, int32_t ledger, int rolls, int64_t *reported) {
  dem_law_options law;
  scene_setup setup = {.ledger = ledger, .law = &law};
  dem_context *context;
  dem_system *system;
  dem_statistics t;
  int64_t before, after;
  scene_hooke(&law);
  if (rolls) scene_add_rolling(&law, DEM_ROLLING_SPRING, DEM_TWISTING_SPRING);
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  assert_int_equal(dem_context_memory(context, &before), DEM_OK);
  assert_int_equal(scene_build(s, context, &setup, &system), DEM_OK);
  ASSERT_OK(system, dem_system_step(system, 5));
  assert_int_equal(dem_context_memory(context, &after), DEM_OK);
  dem_statistics_init(&t, sizeof t);
  ASSERT_OK(system, dem_system_statistics(system, &t));
  *reported = t.bytes;
  dem_system_destroy(system);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  return after - before - t.bytes;
}

static void what_books_and_rolling_take_is_reported(void **state) {
  (void)state;
  for (int k = 0; k < scene_count; k++) {
    int64_t plain, reported;
    const int64_t rest = unreported(&scenes[k], 0, 0, &plain);
    assert_true(rest >= 0 && rest < 20000);
    for (int32_t ledger = 0; ledger <= 2; ledger++)
      for (int rolls = 0; rolls < 2; rolls++) {
        assert_int_equal(unreported(&scenes[k], ledger, rolls, &reported), rest);
        assert_true(ledger + rolls > 0 ? reported > plain : reported == plain);
      }
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_books_and_rolling_take_is_reported),
  };
  return cmocka_run_group_tests_name("bytes", tests, NULL, NULL);
}
