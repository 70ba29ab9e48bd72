/* Far from the origin, where neighbouring numbers are no longer close: as long as steps go on, every pair that touches is found, by
 * brute force over all pairs; beyond what can be promised the step or the call is refused, with particle, position and limit. */
#include "assertions.h"

#include <stdio.h>

#include "scenes/scenes.h"
#include "scenes/world.h"

enum { N = 60, STEPS = 60 };

static const double RADIUS = 0.3, LIMIT = 137438953472.0 * 0.6; /* 2^37 diameters */

typedef struct flight {
  world world;
  dem_id ids[N];
  double box; /* > 0: periodic in all axes from `low` on */
  double low;
  int soft; /* contacts hardly act */
} flight;

static void make(flight *w, double box, double low) {
  world_options o = world_defaults();
  o.system.dt = 1e-3;
  o.system.ledger = 0;
  for (int a = 0; a < 3 && box > 0; a++) o.system.periodic[a] = 1, o.system.box_low[a] = low, o.system.box_high[a] = low + box;
  dem_law_options_init(&o.law, sizeof o.law);
  o.law.normal_stiffness = w->soft ? 1e-6 : 100;
  w->box = box, w->low = low;
  world_open(&w->world, &o);
}

/* A gas in a cube of 5 at `at`, all moving with `speed` along x and a little among each other. */
static dem_status fill(flight *w, dice *d, double at, double speed, double among) {
  rows r;
  assert_int_equal(rows_create(&r, N), 0);
  for (int k = 0; k < N; k++) {
    double x[3];
    for (int a = 0; a < 3; a++) x[a] = at + dice_uniform(d, 0, 5);
    const int64_t row = rows_put(&r, x[0], x[1], x[2], RADIUS);
    rows_velocity(&r, row, speed + dice_uniform(d, -among, among), dice_uniform(d, -among, among),
                  dice_uniform(d, -among, among));
  }
  const dem_status status = rows_add(&r, w->world.system, w->ids);
  rows_destroy(&r);
  return status;
}

static double apart(const flight *w, const double *p, const double *q) {
  double square = 0;
  for (int a = 0; a < 3; a++) {
    double d = p[a] - q[a];
    if (w->box > 0) d -= w->box * round(d / w->box);
    square += d * d;
  }
  return sqrt(square);
}

/* Contacts of the latest step against all pairs; those that touch to a rounding of positions may count or not. */
static void check_pairs(const flight *w) {
  double x[3 * N], furthest = 0;
  const int64_t contacts = world_contacts(&w->world);
  int64_t least = 0, most = 0;
  ASSERT_OK(w->world.system, dem_system_check(w->world.system));
  ASSERT_OK(w->world.system, dem_system_get_field(w->world.system, DEM_POSITION, N, w->ids, x, 0));
  for (int k = 0; k < 3 * N; k++) furthest = fmax(furthest, fabs(x[k]));
  for (int i = 0; i < N; i++)
    for (int j = i + 1; j < N; j++) {
      const double gap = apart(w, x + 3 * i, x + 3 * j) - 2 * RADIUS, doubt = 1e-12 + 1e-15 * furthest;
      least += gap < -doubt;
      most += gap < doubt;
    }
  assert_true(contacts >= least && contacts <= most);
}

/* 1: all steps were taken. */
static int go(const flight *w) {
  for (int k = 0; k < STEPS; k++) {
    const dem_status status = dem_system_step(w->world.system, 1);
    if (status) {
      assert_int_equal(status, DEM_FAILED_NOT_FINITE);
      assert_non_null(strstr(dem_system_message(w->world.system), "particle "));
      assert_non_null(strstr(dem_system_message(w->world.system), "position[0] is "));
      assert_non_null(strstr(dem_system_message(w->world.system), "allowed "));
      return 0;
    }
    check_pairs(w);
  }
  return 1;
}

static void pairs_that_fly_together_are_found(void **state) {
  (void)state;
  int finished = 0, refused = 0;
  for (int power = 0; power <= 13; power++)
    for (int seed = 1; seed <= 8; seed++) {
      flight w = {0};
      dice d = {(uint64_t)(seed + 100 * power)};
      make(&w, 0, 0);
      ASSERT_OK(w.world.system, fill(&w, &d, -2.5, pow(10, power), seed % 2 ? 0 : 1));
      if (go(&w))
        finished++;
      else
        refused++;
      world_close(&w.world);
    }
  print_message("# flights: %d to the end, %d refused\n", finished, refused);
  assert_true(finished >= 8 * 11 && refused >= 8);
}

static void pairs_that_lie_far_away_are_found(void **state) {
  (void)state;
  static const double at[] = {1e3, -1e6, 1e8, -1e9, 5e9, 2e10, -5.2e10};
  for (int k = 0; k < 7; k++)
    for (int seed = 1; seed <= 6; seed++)
      for (int periodic = 0; periodic < 2; periodic++) {
        flight w = {0};
        dice d = {(uint64_t)(seed + 100 * k)};
        make(&w, periodic ? 8 : 0, at[k] - 1);
        ASSERT_OK(w.world.system, fill(&w, &d, at[k], seed % 2 ? 0 : 30, 3));
        assert_true(go(&w));
        world_close(&w.world);
      }
}

/* In a box round the origin, so fast that positions go through many boxes in a step. */
static void pairs_that_run_through_boxes_are_found(void **state) {
  (void)state;
  for (int power = 0; power <= 12; power++) {
    flight w = {0};
    dice d = {(uint64_t)(100 * power + 7)};
    make(&w, 8, -4);
    ASSERT_OK(w.world.system, fill(&w, &d, -2.5, pow(10, power), 1));
    assert_true(go(&w) || power > 10); /* then images, or positions within one step, leave what is allowed */
    world_close(&w.world);
  }
}

/* Half of the particles move by 0.49, half by 0.51 of the distance of neighbouring numbers in a step: rounding holds the ones and
 * makes the others twice as fast. What drifts say of their relative displacement is a fiftieth of what it is. */
static void what_rounding_moves_is_counted(void **state) {
  (void)state;
  enum { LONG = 30000 };
  const double ulp = nextafter(5e10, INFINITY) - 5e10;
  for (int seed = 1; seed <= 3; seed++) {
    flight w = {.soft = 1};
    dice d = {(uint64_t)seed};
    double v[3 * N] = {0};
    make(&w, 0, 0);
    ASSERT_OK(w.world.system, fill(&w, &d, 5e10, 0, 0));
    for (int k = 0; k < N; k++) v[3 * k] = (k % 2 ? 0.49 : 0.51) * ulp / 1e-3;
    for (int k = 0; k < LONG; k += 100) {
      ASSERT_OK(w.world.system, dem_system_set_field(w.world.system, DEM_VELOCITY, N, w.ids, v, 0));
      ASSERT_OK(w.world.system, dem_system_step(w.world.system, 100));
      check_pairs(&w);
    }
    world_close(&w.world);
  }
}

/* ---- refusals ---- */

static void far_positions_are_refused(void **state) {
  (void)state;
  flight w = {0};
  dice d = {5};
  double x[3] = {1, 2, 3}, back[3];
  make(&w, 0, 0);
  ASSERT_STATUS(w.world.system, fill(&w, &d, 1.01 * LIMIT, 0, 0), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(w.world.system), "particle 0: position[0] is 8.3288"));
  assert_non_null(strstr(dem_system_message(w.world.system), "allowed up to 8.24634e+10"));
  ASSERT_OK(w.world.system, fill(&w, &d, 0, 0, 0));
  x[1] = -1e50;
  ASSERT_STATUS(w.world.system, dem_system_set_field(w.world.system, DEM_POSITION, 1, &w.ids[3], x, 0), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(w.world.system), "position[1] is -1e+50, allowed up to 8.24634e+10"));
  ASSERT_OK(w.world.system, dem_system_get_field(w.world.system, DEM_POSITION, 1, &w.ids[3], back, 0));
  assert_true(fabs(back[1]) < 6);
  ASSERT_OK(w.world.system, dem_system_step(w.world.system, 1));
  world_close(&w.world);
}

/* What is near for large particles is far for small ones: told by the next step, which leaves the system whole. */
static void a_smaller_diameter_is_noticed(void **state) {
  (void)state;
  flight w = {0};
  dice d = {6};
  double radius[N];
  make(&w, 0, 0);
  ASSERT_OK(w.world.system, fill(&w, &d, 0.5 * LIMIT, 0, 0));
  for (int k = 0; k < N; k++) radius[k] = 0.1 * RADIUS;
  ASSERT_OK(w.world.system, dem_system_set_field(w.world.system, DEM_RADIUS, N, w.ids, radius, 0));
  ASSERT_STATUS(w.world.system, dem_system_step(w.world.system, 1), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(w.world.system), "allowed up to 8.24634e+09"));
  for (int k = 0; k < N; k++) radius[k] = RADIUS;
  ASSERT_OK(w.world.system, dem_system_set_field(w.world.system, DEM_RADIUS, N, w.ids, radius, 0));
  ASSERT_OK(w.world.system, dem_system_step(w.world.system, 1));
  world_close(&w.world);
}

static dem_status add_with_images(flight *w, int32_t first, double x, dem_id *ids) {
  const double position[6] = {x, 5, 5, 5.55, 5, 5}, radius[2] = {0.3, 0.3}, density[2] = {1, 1};
  const int32_t image[6] = {first, 0, 0, first == INT32_MIN ? INT32_MAX : -first, 0, 0};
  const dem_particles p = {
      .struct_size = sizeof p, .count = 2, .position = position, .radius = radius, .density = density, .image = image};
  return dem_system_add_particles(w->world.system, &p, ids);
}

/* Images are bounded, so that no sum or difference of two leaves its type, also under bonds. */
static void images_are_bounded(void **state) {
  (void)state;
  enum { MOST = 1 << 29 };
  flight w = {0};
  dem_id ids[2];
  int32_t image[6];
  double force[6];
  make(&w, 10, 0);
  ASSERT_STATUS(w.world.system, add_with_images(&w, INT32_MIN, 5, ids), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(w.world.system, add_with_images(&w, INT32_MAX, 5, ids), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(w.world.system, add_with_images(&w, MOST + 1, 5, ids), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(w.world.system), "particle 0: image[0] is 536870913"));
  assert_non_null(strstr(dem_system_message(w.world.system), "allowed -536870912 to 536870912"));
  ASSERT_STATUS(w.world.system, add_with_images(&w, MOST, 15, ids), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(w.world.system, add_with_images(&w, 0, 5.4e9, ids), DEM_BAD_ARGUMENT);
  for (int sign = -1; sign <= 1; sign += 2) {
    ASSERT_OK(w.world.system, add_with_images(&w, sign * MOST, 5, ids));
    const dem_bond bond = {.i = ids[0], .j = ids[1]};
    if (sign < 0) {
      dem_bond_type type;
      dem_bond_type_init(&type, sizeof type);
      type.normal_stiffness = 1e3;
      ASSERT_OK(w.world.system, dem_system_add_bond_type(w.world.system, &type, NULL));
    }
    ASSERT_OK(w.world.system, dem_system_add_bonds(w.world.system, 1, &bond, sizeof bond, NULL));
    ASSERT_OK(w.world.system, dem_system_step(w.world.system, 3));
    ASSERT_OK(w.world.system, dem_system_get_field_int(w.world.system, DEM_IMAGE, 2, ids, image, 0));
    assert_true(image[0] == sign * MOST && image[3] == -sign * MOST);
    ASSERT_OK(w.world.system, dem_system_get_field(w.world.system, DEM_FORCE, 2, ids, force, 0));
    for (int k = 0; k < 6; k++) ASSERT_ABS(force[k], 0, 1e-6);
    ASSERT_OK(w.world.system, dem_system_remove_particles(w.world.system, 2, ids));
  }
  world_close(&w.world);
}

/* A pair that Euler's last drift took across the limit: a list is refused, and what can be read stays to the bit. */
static void a_refused_search_changes_nothing(void **state) {
  (void)state;
  flight w = {.soft = 1};
  dem_bond_type type;
  rows r;
  double before[6], after[6];
  int64_t found;
  make(&w, 0, 0);
  const double gravity[3] = {0, 0, -10};
  ASSERT_OK(w.world.system, dem_system_set_integrator_name(w.world.system, "euler"));
  ASSERT_OK(w.world.system, dem_system_set_gravity(w.world.system, gravity));
  assert_int_equal(rows_create(&r, 2), 0);
  for (int k = 0; k < 2; k++) rows_velocity(&r, rows_put(&r, LIMIT - 5e-4, 0.59 * k, 0, RADIUS), 1, 0, 0);
  world_add_rows(&w.world, &r, w.ids);
  dem_bond_type_init(&type, sizeof type);
  type.normal_stiffness = 1e3;
  ASSERT_OK(w.world.system, dem_system_add_bond_type(w.world.system, &type, NULL));
  ASSERT_OK(w.world.system, dem_system_step(w.world.system, 1));
  ASSERT_OK(w.world.system, dem_system_get_field(w.world.system, DEM_HALF_VELOCITY, 2, w.ids, before, 0));
  ASSERT_STATUS(w.world.system, dem_system_bond_neighbours(w.world.system, 0, 0, 0, 0.1, &found), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(w.world.system), "position[0]"));
  ASSERT_OK(w.world.system, dem_system_get_field(w.world.system, DEM_HALF_VELOCITY, 2, w.ids, after, 0));
  for (int k = 0; k < 6; k++) ASSERT_ABS(after[k], before[k], 0);
  world_close(&w.world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_that_fly_together_are_found),
      cmocka_unit_test(pairs_that_lie_far_away_are_found),
      cmocka_unit_test(pairs_that_run_through_boxes_are_found),
      cmocka_unit_test(what_rounding_moves_is_counted),
      cmocka_unit_test(far_positions_are_refused),
      cmocka_unit_test(a_smaller_diameter_is_noticed),
      cmocka_unit_test(images_are_bounded),
      cmocka_unit_test(a_refused_search_changes_nothing),
  };
  cmocka_set_message_output(CM_OUTPUT_TAP);
  return cmocka_run_group_tests_name("far away", tests, NULL, NULL);
}
