/* What is said before stepping: each warning where it should be and nowhere else, once for a set-up, and without a trace in what
 * is computed. Limits as in doc/advice.md. */
#include "assertions.h"

#include <stdio.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"
#include "scenes/walls.h"
#include "scenes/world.h"
#include "state.h"

static const double PI = 3.14159265358979323846, RADIUS = 0.5, STIFFNESS = 1e6; /* spheres of mass 1 */

static void set_hooke(world *w, double friction) {
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = STIFFNESS;
  o.friction = friction;
  world_set_law(w, 0, 0, &o);
}

/* A step of a hundredth of the contact time of two spheres, which nothing is said of. */
static double fine_step(void) { return 0.01 * PI * sqrt(0.5 / STIFFNESS); }

static world_options plain_options(void) {
  world_options o = world_defaults();
  o.system.dt = fine_step();
  o.system.ledger = 0;
  o.material.young = 0;
  o.without_law = 1;
  return o;
}

static void open_world(world *w, int periodic, double friction) {
  world_options o = plain_options();
  o.system.periodic[2] = periodic;
  o.system.box_high[2] = periodic ? 40 : 0;
  world_open(w, &o);
  set_hooke(w, friction);
}

static dem_id put(world *w, double x, double z, double radius, double vx) {
  return world_add_sphere(w, radius, (double[3]){x, 0, z}, (double[3]){vx, 0, 0}, NULL);
}

/* A step, and what was said before it. */
static const char *said(world *w) {
  world_forget_warnings(w);
  ASSERT_OK(w->system, dem_system_step(w->system, 1));
  return w->said;
}

static void expect_silence(world *w) {
  said(w);
  if (w->warnings) fail_msg("was said: %s", w->said);
}

static void expect_one(world *w, const char *word, const char *other) {
  said(w);
  if (w->warnings == 1 && strstr(w->said, word) && strstr(w->said, other)) return;
  fail_msg("%d warnings, to be one with '%s' and '%s': %s", w->warnings, word, other, w->said);
}

/* ---- time step ---- */

static void step_against_contact_time(void **state) {
  (void)state;
  world w;
  const double time = PI * sqrt(0.5 / STIFFNESS);
  open_world(&w, 0, 0);
  put(&w, 0, 0, RADIUS, 0);
  put(&w, 5, 0, RADIUS, 0);
  ASSERT_OK(w.system, dem_system_set_dt(w.system, time / 15.5));
  expect_silence(&w);
  ASSERT_OK(w.system, dem_system_set_dt(w.system, time / 14.5));
  expect_one(&w, "1/15 of the contact time", "possible pair");
  put(&w, 5 + 1.99 * RADIUS, 0, RADIUS, 0);
  ASSERT_OK(w.system, dem_system_set_dt(w.system, time / 14.5));
  said(&w);
  assert_true(strstr(w.said, "1/15 of the contact time") && strstr(w.said, "particles"));
  world_close(&w);
}

/* Stable for every pair, not for a chain of them. */
static void step_against_all_contacts(void **state) {
  (void)state;
  world w;
  open_world(&w, 0, 0);
  for (int k = 0; k < 5; k++) put(&w, 1.995 * RADIUS * k, 0, RADIUS, 0);
  ASSERT_OK(w.system, dem_system_set_dt(w.system, 1.2 / sqrt(STIFFNESS)));
  expect_one(&w, "stability limit 0.001", "by all its contacts");
  ASSERT_OK(w.system, dem_system_set_dt(w.system, 1.5 / sqrt(STIFFNESS)));
  expect_one(&w, "above the stability limit", "integrator 'velocity-verlet'");
  world_close(&w);
}

/* ---- overlap ---- */

static void overlaps(void **state) {
  (void)state;
  for (int deep = 0; deep < 2; deep++) {
    world w;
    char ids[64];
    open_world(&w, 0, 0);
    const double overlap = (deep ? 0.011 : 0.009) * 0.5 * RADIUS; /* of the smaller radius */
    const dem_id i = put(&w, 0, 0, RADIUS, 0), j = put(&w, 1.5 * RADIUS - overlap, 0, 0.5 * RADIUS, 0);
    ASSERT_OK(w.system, dem_system_set_dt(w.system, 0.3 * fine_step()));
    snprintf(ids, sizeof ids, "particles %llu and %llu is 0.011", (unsigned long long)i, (unsigned long long)j);
    if (deep)
      expect_one(&w, ids, "above 0.01");
    else
      expect_silence(&w);
    world_close(&w);
  }
}

/* ---- stiffness ---- */

static void speeds(void **state) {
  (void)state;
  /* alone: 1/2 m v^2 = 1/2 k d^2; of a pair m* = 1/2 */
  for (int pair = 0; pair < 2; pair++)
    for (int fast = 0; fast < 2; fast++) {
      world w;
      open_world(&w, 0, 0);
      const double speed = (fast ? 0.022 : 0.018) * RADIUS * sqrt(STIFFNESS / (pair ? 0.5 : 1));
      put(&w, 0, 0, RADIUS, speed);
      if (pair) put(&w, 2.01 * RADIUS, 0, RADIUS, 0);
      ASSERT_OK(w.system, dem_system_set_dt(w.system, 0.2 * fine_step()));
      if (fast)
        expect_one(&w, "too soft", "0.022");
      else
        expect_silence(&w);
      world_close(&w);
    }
}

/* m g (1 + H/(2R)) = k d */
static void column_weight(dem_status expected, double part, int periodic, int floor) {
  world w;
  const double up[3] = {0, 0, 1}, point[3] = {0, 0, -1}, height = 20;
  const double gravity[3] = {0, 0, -part * 0.02 * RADIUS * STIFFNESS / (1 + height / (2 * RADIUS))};
  open_world(&w, periodic, 0);
  if (floor) ASSERT_OK(w.system, scene_add_plane(w.system, 0, point, up));
  put(&w, 0, 1, RADIUS, 0);
  put(&w, 0, 1 + height, RADIUS, 0);
  ASSERT_OK(w.system, dem_system_set_gravity(w.system, gravity));
  if (expected)
    expect_one(&w, "weight", "0.022");
  else
    expect_silence(&w);
  world_close(&w);
}

static void weights(void **state) {
  (void)state;
  column_weight(1, 1.1, 0, 1);
  column_weight(0, 0.9, 0, 1);
  column_weight(0, 1.1, 0, 0); /* nothing it could rest on */
  column_weight(0, 1.1, 1, 0); /* no column along a periodic axis */
}

/* ---- sizes ---- */

static void size_ratios(void **state) {
  (void)state;
  /* mu = 0.5: 8.472 */
  const struct {
    double ratio, friction;
    int warns;
  } cases[] = {{8.4, 0.5, 0}, {8.6, 0.5, 1}, {100, 0, 0}, {100, 0.1, 0}, {210, 0.1, 1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    world w;
    open_world(&w, 0, cases[k].friction);
    put(&w, 0, 0, RADIUS, 0);
    put(&w, 0, 5, RADIUS / cases[k].ratio, 0);
    ASSERT_OK(w.system, dem_system_set_dt(w.system, 1e-3 * fine_step()));
    said(&w);
    assert_int_equal(strstr(w.said, "size ratio") != NULL, cases[k].warns);
    if (dem_system_set_integrator_name(w.system, "improved-velocity-verlet") == DEM_OK) {
      said(&w);
      assert_null(strstr(w.said, "size ratio"));
    }
    world_close(&w);
  }
}

/* ---- when ---- */

static void once_for_a_set_up(void **state) {
  (void)state;
  world w;
  open_world(&w, 0, 0);
  put(&w, 0, 0, RADIUS, 0);
  put(&w, (2 - 0.011) * RADIUS, 0, RADIUS, 0);
  expect_one(&w, "overlap", "0.011");
  expect_silence(&w);
  put(&w, 0, 5, RADIUS, 0); /* particles are no new set-up */
  expect_silence(&w);
  put(&w, 0, 5 + (2 - 0.019) * RADIUS, RADIUS, 0);
  expect_silence(&w);
  put(&w, 0, 10, RADIUS, 0); /* twice as bad */
  put(&w, 0, 10 + (2 - 0.030) * RADIUS, RADIUS, 0);
  said(&w);
  assert_true(strstr(w.said, "0.03 of the smaller radius") != NULL);
  set_hooke(&w, 0); /* a new law */
  said(&w);
  assert_true(strstr(w.said, "of the smaller radius") != NULL);
  expect_silence(&w);
  w.warnings = 0;
  ASSERT_OK(w.system, dem_system_check(w.system)); /* asked, it says so again */
  assert_true(w.warnings > 0);
  expect_silence(&w);
  world_close(&w);
}

/* Before the first step, with nothing built yet; and where something is missing it has no opinion. */
static void check_speaks_before_the_first_step(void **state) {
  (void)state;
  world w;
  const world_options o = plain_options();
  world_open(&w, &o);
  ASSERT_OK(w.system, dem_system_check(w.system));
  put(&w, 0, 0, RADIUS, 0);
  put(&w, 1.9 * RADIUS, 0, RADIUS, 0);
  ASSERT_OK(w.system, dem_system_check(w.system));
  assert_int_equal(w.warnings, 0); /* no law */
  set_hooke(&w, 0);
  ASSERT_OK(w.system, dem_system_check(w.system));
  assert_true(strstr(w.said, "overlap") != NULL);
  world_close(&w);
}

/* Two walls never meet, so they need no law between them. */
static void check_speaks_with_walls_of_their_own_material(void **state) {
  (void)state;
  world w;
  const double up[3] = {0, 0, 1}, point[3] = {0, 0, -RADIUS};
  int32_t steel;
  open_world(&w, 0, 0);
  ASSERT_OK(w.system, dem_system_add_material(w.system, NULL, &steel));
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = STIFFNESS;
  world_set_law(&w, 0, steel, &o);
  ASSERT_OK(w.system, scene_add_plane(w.system, steel, point, up));
  put(&w, 0, 0, RADIUS, 0);
  put(&w, 1.9 * RADIUS, 0, RADIUS, 0);
  ASSERT_OK(w.system, dem_system_check(w.system));
  assert_true(strstr(w.said, "overlap") != NULL);
  world_close(&w);
}

/* ---- while running ---- */

static int64_t counted(const world *w) { return world_statistics(w).warnings; }

/* A sphere between a fixed plane and one that comes nearer slowly: from no overlap to one of `depth` radii within the steps. */
static void press(world *w, double depth, int64_t steps) {
  const dem_wall floor = wall_plane(0, 0, -RADIUS, 0, 0, 1);
  dem_wall lid = wall_plane(0, 0, RADIUS, 0, 0, -1);
  lid.motion = DEM_WALL_PRESCRIBED;
  lid.velocity[2] = -2 * depth * RADIUS / (fine_step() * (double)steps);
  open_world(w, 0, 0);
  world_add_wall(w, &floor);
  world_add_wall(w, &lid);
  put(w, 0, 0, RADIUS, 0);
}

/* In one call: an overlap that grows to 4.4 % of the radius is said at 1 %, at twice and at four times that, and at no other time. */
static void overlaps_that_grow_in_a_run(void **state) {
  (void)state;
  world w;
  press(&w, 0.0439, 100000);
  expect_silence(&w);
  ASSERT_OK(w.system, dem_system_step(w.system, 100000));
  assert_int_equal(w.warnings, 3);
  assert_non_null(strstr(w.said, "the overlap of particle"));
  assert_int_equal(counted(&w), w.warnings);
  world_close(&w);
}

/* A grain that was inside of its container and is outside now. */
static void grains_behind_walls(void **state) {
  (void)state;
  world w;
  char words[96];
  const double up[3] = {0, 0, 1}, point[3] = {0, 0, 0};
  open_world(&w, 0, 0);
  ASSERT_OK(w.system, scene_add_plane(w.system, 0, point, up));
  put(&w, 3, RADIUS, RADIUS, 0);
  const dem_id lost = put(&w, 0, -2, RADIUS, 0);
  snprintf(words, sizeof words, "particle %llu is behind wall 1 by 2 ", (unsigned long long)lost);
  dem_wall_state is;
  dem_wall_state_init(&is, sizeof is);
  if (dem_system_wall_state(w.system, 1, &is) != DEM_OK)
    snprintf(words, sizeof words, "particle %llu is behind wall 0 by 2 ", (unsigned long long)lost);
  expect_one(&w, words, "1 in all");
  world_close(&w);
}

/* A host that changes its set-up before each step is looked at no oftener than the budget allows. */
static void looks_are_few(void **state) {
  (void)state;
  world w;
  open_world(&w, 0, 0);
  put(&w, 0, 0, RADIUS, 0);
  put(&w, 2.5 * RADIUS, 0, RADIUS, 0);
  for (int k = 0; k < 20000; k++) {
    ASSERT_OK(w.system, dem_system_set_dt(w.system, fine_step() * (k % 2 ? 1 : 0.9)));
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
  }
  print_message("# %d looks in 20000 steps, each of another dt\n", (int)w.system->warnings.surveys);
  assert_in_range(w.system->warnings.surveys, 16, 16 + 20000 / 4096);
  world_close(&w);
}

static void warnings_are_counted_without_a_log(void **state) {
  (void)state;
  world w = {0};
  const world_options o = plain_options();
  assert_int_equal(dem_context_create(NULL, &w.context), DEM_OK);
  assert_int_equal(dem_system_create(w.context, &o.system, &w.system), DEM_OK);
  ASSERT_OK(w.system, dem_system_add_material(w.system, NULL, NULL));
  set_hooke(&w, 0);
  put(&w, 0, 0, RADIUS, 0);
  put(&w, 1.9 * RADIUS, 0, RADIUS, 0);
  assert_int_equal(counted(&w), 0);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  assert_true(counted(&w) > 0);
  world_close(&w);
}

/* ---- no trace ---- */

static void run_scene(const scene *one, int listening, snapshot *taken) {
  world w = {0};
  const scene_setup setup = {.particles = 60, .threads = 1};
  const dem_status status = listening ? world_open_context(&w, NULL) : dem_context_create(NULL, &w.context);
  assert_int_equal(status, DEM_OK);
  assert_int_equal(scene_build(one, w.context, &setup, &w.system), DEM_OK);
  for (int k = 0; k < 3; k++) {
    w.system->warnings.surveys = listening ? 0 : INT64_MAX; /* one who does not listen never looks, the other also in the run */
    w.system->warnings.next_survey = w.system->steps + 5;
    ASSERT_OK(w.system, scene_run(one, w.system, one->steps / 4 + 1));
    if (k == 1) ASSERT_OK(w.system, dem_system_set_dt(w.system, 1e-5));
  }
  snapshot_take(taken, w.system);
  world_close(&w);
}

static void listening_changes_no_bit(void **state) {
  (void)state;
  for (int k = 0; k < scene_count; k++) {
    snapshot silent, heard;
    run_scene(&scenes[k], 0, &silent);
    run_scene(&scenes[k], 1, &heard);
    snapshot_assert_same_bits(&silent, &heard);
    snapshot_free(&silent);
    snapshot_free(&heard);
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(step_against_contact_time),
      cmocka_unit_test(step_against_all_contacts),
      cmocka_unit_test(overlaps),
      cmocka_unit_test(speeds),
      cmocka_unit_test(weights),
      cmocka_unit_test(size_ratios),
      cmocka_unit_test(once_for_a_set_up),
      cmocka_unit_test(check_speaks_before_the_first_step),
      cmocka_unit_test(check_speaks_with_walls_of_their_own_material),
      cmocka_unit_test(overlaps_that_grow_in_a_run),
      cmocka_unit_test(grains_behind_walls),
      cmocka_unit_test(looks_are_few),
      cmocka_unit_test(warnings_are_counted_without_a_log),
      cmocka_unit_test(listening_changes_no_bit),
  };
  return cmocka_run_group_tests_name("warnings", tests, NULL, NULL);
}
