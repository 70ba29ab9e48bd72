/* Wall-clock seconds of progress and statistics against the C library's clock: never more than has passed since the call began, and
 * never less than the callback itself has spent. */
#include "assertions.h"

#include <time.h>

#include "scenes/scenes.h"

static const double SPENT = 2e-3;

typedef struct watch {
  double begin, last;
  int calls, wrong;
} watch;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Spends some time, so that the next call must come that much later. */
static int32_t look(void *user, const dem_progress *progress) {
  watch *w = user;
  const double begin = now();
  w->wrong += !(progress->seconds >= 0 && progress->seconds <= begin - w->begin + 1e-6);
  w->wrong += w->calls > 0 && !(progress->seconds >= w->last + SPENT - 1e-6);
  w->last = progress->seconds;
  w->calls++;
  while (now() < begin + SPENT) continue;
  return 0;
}

static void tells_the_time(void **state) {
  (void)state;
  const scene_setup setup = {.particles = 200, .ledger = 1};
  dem_context *context;
  dem_system *system;
  dem_statistics s;
  dem_energy energy;
  watch w = {0};
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  assert_int_equal(scene_build(&scenes[0], context, &setup, &system), DEM_OK);
  const double start = now();
  ASSERT_OK(system, dem_system_set_progress(system, 1, look, &w));
  w.begin = now();
  ASSERT_OK(system, dem_system_step(system, 20));
  dem_energy_init(&energy, sizeof energy);
  ASSERT_OK(system, dem_system_energy(system, &energy)); /* books the half step since the last evaluation */
  dem_statistics_init(&s, sizeof s);
  ASSERT_OK(system, dem_system_statistics(system, &s));
  const double all = now() - start;
  assert_int_equal(w.wrong, 0);
  assert_true(w.calls >= 20);
  assert_true(s.seconds_search > 0 && s.seconds_pass > 0 && s.seconds_ledger > 0);
  assert_true(s.seconds_search + s.seconds_pass + s.seconds_ledger <= all + 1e-6);
  dem_system_destroy(system);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tells_the_time),
  };
  return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
