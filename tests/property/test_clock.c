/* Wall-clock seconds of progress and statistics against the C library's clock: never more than has passed since the call began, and
 * never less than the callback itself has spent. */
#include "assertions.h"

#include <time.h>

#include "scenes/scenes.h"
#include "scenes/world.h"

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
  world home;
  dem_energy energy;
  watch w = {0};
  world_open_scene(&home, scenes[0].name, &setup);
  const double start = now();
  ASSERT_OK(home.system, dem_system_set_progress(home.system, 1, look, &w));
  w.begin = now();
  ASSERT_OK(home.system, dem_system_step(home.system, 20));
  dem_energy_init(&energy, sizeof energy);
  ASSERT_OK(home.system, dem_system_energy(home.system, &energy)); /* books the half step since the last evaluation */
  const dem_statistics s = world_statistics(&home);
  const double all = now() - start;
  assert_int_equal(w.wrong, 0);
  assert_true(w.calls >= 20);
  assert_true(s.seconds_search > 0 && s.seconds_pass > 0 && s.seconds_ledger > 0);
  assert_true(s.seconds_search + s.seconds_pass + s.seconds_ledger <= all + 1e-6);
  world_close(&home);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tells_the_time),
  };
  return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
