/* Motions of the box that are refused: with the component, the value and the limit in the message, and nothing changed. */
#include "assertions.h"

#include <dem/plugin/trial.h>

#include "scenes/world.h"

static void open_box(world *w, int32_t dimension, int open_axis) {
  world_options o = world_defaults();
  o.system.dimension = dimension;
  for (int a = 0; a < 3; a++) {
    o.system.periodic[a] = a != open_axis && a < dimension;
    o.system.box_high[a] = 10;
  }
  if (dimension == 2) o.system.box_high[2] = 0;
  world_open(w, &o);
  world_add_sphere(w, 0.5, (double[3]){5, 5, dimension == 2 ? 0 : 5}, NULL, NULL);
}

static dem_box_motion standing(const world *w) {
  dem_box_motion m = {.struct_size = sizeof m};
  ASSERT_OK(w->system, dem_system_get_box_motion(w->system, &m));
  return m;
}

/* Refused with this status and a message that has both texts; the motion stays. */
static void refused(const world *w, const dem_box_motion *m, dem_status expected, const char *first, const char *second) {
  const dem_box_motion before = standing(w);
  ASSERT_STATUS(w->system, dem_system_set_box_motion(w->system, m), expected);
  const char *message = dem_system_message(w->system);
  if (!strstr(message, first) || !strstr(message, second)) fail_msg("'%s' lacks '%s' or '%s'", message, first, second);
  const dem_box_motion after = standing(w);
  ASSERT_BITS(&before, &after, sizeof before);
}

static dem_box_motion fresh(void) {
  dem_box_motion m;
  assert_int_equal(dem_box_motion_init(&m, sizeof m), DEM_OK);
  return m;
}

static void numbers_out_of_range(void **state) {
  (void)state;
  static const char *const names[6] = {"XX", "YY", "ZZ", "XY", "XZ", "YZ"};
  const double bad[] = {NAN, INFINITY, -INFINITY, 1e61};
  world w;
  open_box(&w, 3, -1);
  dem_box_motion m = fresh();
  m.rate[DEM_BOX_XY] = 0.5;
  ASSERT_OK(w.system, dem_system_set_box_motion(w.system, &m));
  for (int k = 0; k < 6; k++)
    for (int n = 0; n < 4; n++) {
      m = fresh(), m.rate[k] = bad[n];
      refused(&w, &m, DEM_BAD_ARGUMENT, names[k], "finite");
      m = fresh(), m.stress[k] = bad[n];
      refused(&w, &m, DEM_BAD_ARGUMENT, names[k], "finite");
      m = fresh(), m.control[k] = DEM_BOX_STRESS, m.gain = bad[n], m.rate_limit = 1;
      refused(&w, &m, DEM_BAD_ARGUMENT, "gain", "above 0");
      m = fresh(), m.control[k] = DEM_BOX_STRESS, m.gain = 1, m.rate_limit = bad[n];
      refused(&w, &m, DEM_BAD_ARGUMENT, "rate_limit", "above 0");
    }
  m = fresh(), m.control[0] = DEM_BOX_STRESS;
  refused(&w, &m, DEM_BAD_ARGUMENT, "gain is 0", "above 0");
  m = fresh(), m.control[3] = 2;
  refused(&w, &m, DEM_BAD_ARGUMENT, "XY is 2", "0 to 1");
  m = fresh(), m.control[3] = -1;
  refused(&w, &m, DEM_BAD_ARGUMENT, "XY is -1", "0 to 1");
  m = fresh(), m.coupled = 2;
  refused(&w, &m, DEM_BAD_ARGUMENT, "coupled is 2", "0 or 1");
  m = fresh(), m.struct_size = 3;
  refused(&w, &m, DEM_BAD_STRUCT, "box motion", "3");
  world_close(&w);
}

static void axes_that_are_not_periodic(void **state) {
  (void)state;
  static const int axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int open = 0; open < 3; open++) {
    world w;
    double stress[6];
    open_box(&w, 3, open);
    for (int k = 0; k < 6; k++) {
      const int needs = axes[k][0] == open || axes[k][1] == open;
      dem_box_motion m = fresh();
      m.rate[k] = 0.1;
      if (needs)
        refused(&w, &m, DEM_BAD_ARGUMENT, "is not periodic", (const char *[3]){"axis 0", "axis 1", "axis 2"}[open]);
      else
        ASSERT_OK(w.system, dem_system_set_box_motion(w.system, &m));
      m.rate[k] = 0, m.control[k] = DEM_BOX_STRESS, m.gain = m.rate_limit = 1;
      if (needs) refused(&w, &m, DEM_BAD_ARGUMENT, "is not periodic", "is driven");
    }
    ASSERT_STATUS(w.system, dem_system_get_box_stress(w.system, stress), DEM_BAD_ARGUMENT);
    world_close(&w);
  }
}

static void components_that_a_plane_lacks(void **state) {
  (void)state;
  const int lacks[3] = {DEM_BOX_ZZ, DEM_BOX_XZ, DEM_BOX_YZ};
  world w;
  open_box(&w, 2, -1);
  for (int k = 0; k < 3; k++) {
    dem_box_motion m = fresh();
    m.rate[lacks[k]] = 1;
    refused(&w, &m, DEM_BAD_ARGUMENT, "2 dimensions", "driven");
  }
  world_close(&w);
}

static void while_views_or_trials_are_open(void **state) {
  (void)state;
  world w;
  dem_view v = {.struct_size = sizeof v};
  dem_trial *trial = NULL;
  open_box(&w, 3, -1);
  dem_box_motion m = fresh();
  m.rate[DEM_BOX_XY] = 1;
  ASSERT_OK(w.system, dem_view_acquire(w.system, DEM_POSITION, DEM_READ, &v));
  refused(&w, &m, DEM_BUSY, "1 views", "set_box_motion");
  ASSERT_OK(w.system, dem_view_release(w.system, &v));
  ASSERT_OK(w.system, dem_trial_open(w.system, NULL, &trial));
  refused(&w, &m, DEM_BUSY, "1 trials", "set_box_motion");
  assert_int_equal(dem_trial_close(trial), DEM_OK);
  ASSERT_OK(w.system, dem_system_set_box_motion(w.system, &m));
  world_close(&w);
}

static void null_arguments(void **state) {
  (void)state;
  world w;
  open_box(&w, 3, -1);
  dem_box_motion m = fresh();
  assert_int_equal(dem_box_motion_init(NULL, sizeof m), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_box_motion_init(&m, 1), DEM_BAD_STRUCT);
  assert_int_equal(dem_system_set_box_motion(NULL, &m), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_system_get_box_motion(w.system, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_system_get_box_stress(w.system, NULL), DEM_BAD_ARGUMENT);
  ASSERT_OK(w.system, dem_system_set_box_motion(w.system, NULL));
  world_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_out_of_range),
      cmocka_unit_test(axes_that_are_not_periodic),
      cmocka_unit_test(components_that_a_plane_lacks),
      cmocka_unit_test(while_views_or_trials_are_open),
      cmocka_unit_test(null_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
