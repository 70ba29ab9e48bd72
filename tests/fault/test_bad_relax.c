/* Relaxations asked for wrongly: every refusal names item, value and limit, and leaves the system as it was. */
#include "assertions.h"

#include <dem/plugin/law.h>

#include "fault/trial_bed.h"
#include "scenes/scenes.h"

static dem_relax_options defaults(void) {
  dem_relax_options o;
  assert_int_equal(dem_relax_options_init(&o, sizeof o), DEM_OK);
  return o;
}

static void refuse(trial_bed *w, const dem_relax_options *o, dem_status status, const char *item, const char *value) {
  dem_minimiser *m = (dem_minimiser *)w;
  ASSERT_STATUS(w->system, dem_system_minimiser(w->system, o, NULL, &m), status);
  assert_null(m);
  trial_bed_says(w, item);
  trial_bed_says(w, value);
  ASSERT_STATUS(w->system, dem_system_minimise(w->system, o, NULL, NULL), status);
  trial_bed_says(w, value);
  image_assert_same(&w->before, w->system);
}

static void numbers_out_of_range(void **state) {
  (void)state;
  trial_bed w;
  trial_bed_open_system(&w);
  dem_relax_options o = defaults();
  o.rotations = 2;
  refuse(&w, &o, DEM_BAD_ARGUMENT, "relax: rotations", "is 2");
  o = defaults(), o.box_coupled = 3;
  refuse(&w, &o, DEM_BAD_ARGUMENT, "relax: box_coupled", "is 3");
  o = defaults(), o.outer_most = 0;
  refuse(&w, &o, DEM_BAD_ARGUMENT, "relax: outer_most", "is 0");
  const double steps[] = {0, -1, 1.5, NAN};
  for (int k = 0; k < 4; k++) {
    o = defaults(), o.longest_step = steps[k];
    refuse(&w, &o, DEM_BAD_ARGUMENT, "relax: longest_step", "at most 1");
  }
  o = defaults(), o.reach = NAN;
  refuse(&w, &o, DEM_BAD_ARGUMENT, "reach", "nan");
  o = defaults(), o.box_free[DEM_BOX_YY] = 2;
  refuse(&w, &o, DEM_BAD_ARGUMENT, "box_free[YY]", "is 2");
  o = defaults(), o.stress[DEM_BOX_XY] = NAN;
  refuse(&w, &o, DEM_BAD_ARGUMENT, "stress[XY]", "nan");
  o = defaults(), o.strain[DEM_BOX_ZZ] = -1;
  refuse(&w, &o, DEM_BAD_ARGUMENT, "strain[ZZ]", "above -1");
  o = defaults(), o.struct_size = 4;
  refuse(&w, &o, DEM_BAD_STRUCT, "relax options", "struct_size");
  trial_bed_close(&w);
}

static void loads_that_contradict(void **state) {
  (void)state;
  trial_bed w;
  trial_bed_open_system(&w);
  dem_relax_options o = defaults();
  o.box_free[DEM_BOX_XX] = 1;
  refuse(&w, &o, DEM_BAD_ARGUMENT, "free or strained", "axis 0 is not periodic");
  o = defaults(), o.strain[DEM_BOX_YZ] = 0.1;
  refuse(&w, &o, DEM_BAD_ARGUMENT, "free or strained", "axis 0 is not periodic");
  o = defaults(), o.stress[DEM_BOX_XX] = 5;
  refuse(&w, &o, DEM_BAD_ARGUMENT, "stress[XX] is 5", "not free");
  o = defaults(), o.box_free[DEM_BOX_XX] = 1, o.strain[DEM_BOX_XX] = 0.25;
  refuse(&w, &o, DEM_BAD_ARGUMENT, "strain[XX] is 0.25", "is free");
  o = defaults(), o.box_coupled = o.box_free[0] = o.box_free[1] = 1, o.stress[1] = 7;
  refuse(&w, &o, DEM_BAD_ARGUMENT, "stress[YY] is 7", "equal");
  trial_bed_close(&w);
}

static void components_of_space_in_a_plane(void **state) {
  (void)state;
  dem_context *const context = trial_bed_context();
  dem_system *s;
  dem_relax_options o = defaults();
  assert_int_equal(scene_build(scene_find("packing2d"), context, NULL, &s), DEM_OK);
  o.box_free[DEM_BOX_ZZ] = 1;
  ASSERT_STATUS(s, dem_system_minimise(s, &o, NULL, NULL), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(s), "component ZZ does not exist"));
  dem_deformation d;
  dem_deformation_init(&d, sizeof d);
  d.strain[DEM_BOX_XZ] = 0.1;
  ASSERT_STATUS(s, dem_system_deform(s, &d, NULL, NULL, NULL), DEM_BAD_ARGUMENT);
  d.strain[DEM_BOX_XZ] = 0, d.strain[DEM_BOX_XY] = NAN;
  ASSERT_STATUS(s, dem_system_deform(s, &d, NULL, NULL, NULL), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(s), "deformation: strain[3]"));
  d.strain[DEM_BOX_XY] = 0.1, d.steps = 0;
  ASSERT_STATUS(s, dem_system_deform(s, &d, NULL, NULL, NULL), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(s), "steps is 0"));
  d.steps = 1, o = defaults(), o.box_free[DEM_BOX_XY] = 1;
  ASSERT_STATUS(s, dem_system_deform(s, &d, &o, NULL, NULL), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(s), "is free"));
  o = defaults(), o.strain[DEM_BOX_XX] = 0.1;
  ASSERT_STATUS(s, dem_system_deform(s, &d, &o, NULL, NULL), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_system_message(s), "must be 0"));
  ASSERT_STATUS(s, dem_system_deform(s, NULL, NULL, NULL, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_system_destroy(s), DEM_OK);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

/* Minimiser options are refused through the message of the system. */
static void methods(void **state) {
  (void)state;
  trial_bed w;
  dem_minimise_options m;
  trial_bed_open_system(&w);
  dem_minimise_options_init(&m, sizeof m);
  m.strategy = "hope";
  ASSERT_STATUS(w.system, dem_system_minimise(w.system, NULL, &m, NULL), DEM_NOT_FOUND);
  trial_bed_says(&w, "no strategy 'hope'");
  dem_minimise_options_init(&m, sizeof m);
  m.gradient_relative = 2;
  ASSERT_STATUS(w.system, dem_system_minimise(w.system, NULL, &m, NULL), DEM_BAD_ARGUMENT);
  trial_bed_says(&w, "gradient_relative is 2");
  dem_minimise_report report = {.struct_size = 3};
  ASSERT_STATUS(w.system, dem_system_minimise(w.system, NULL, NULL, &report), DEM_BAD_STRUCT);
  ASSERT_STATUS(w.system, dem_system_minimiser(w.system, NULL, NULL, NULL), DEM_BAD_ARGUMENT);
  trial_bed_says(&w, "minimiser is NULL");
  image_assert_same(&w.before, w.system);
  trial_bed_close(&w);
}

/* ---- nothing to move, no law, no potential ---- */

static dem_system *empty(dem_context *context) {
  dem_system *s;
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  ASSERT_OK(s, dem_system_add_material(s, NULL, NULL));
  return s;
}

static void put(dem_system *s, int32_t frozen) {
  dem_particles p;
  const double x[3] = {0, 0, 0}, one = 1;
  dem_particles_init(&p, sizeof p);
  p.count = 1;
  p.position = x;
  p.radius = p.density = &one;
  p.frozen = &frozen;
  ASSERT_OK(s, dem_system_add_particles(s, &p, NULL));
}

static void nothing_moves(void **state) {
  (void)state;
  dem_context *const context = trial_bed_context();
  dem_system *s = empty(context);
  dem_law_options law;
  dem_law_options_init(&law, sizeof law);
  law.normal_stiffness = 1;
  ASSERT_STATUS(s, dem_system_minimise(s, NULL, NULL, NULL), DEM_INCOMPLETE);
  assert_non_null(strstr(dem_system_message(s), "nothing that could move"));
  put(s, 1);
  ASSERT_OK(s, scene_set_law(context, s, 0, 0, &law));
  ASSERT_STATUS(s, dem_system_minimise(s, NULL, NULL, NULL), DEM_INCOMPLETE);
  assert_non_null(strstr(dem_system_message(s), "nothing can move: all 1 particles are frozen"));
  assert_int_equal(dem_system_destroy(s), DEM_OK);
  s = empty(context);
  put(s, 0);
  ASSERT_STATUS(s, dem_system_minimise(s, NULL, NULL, NULL), DEM_INCOMPLETE);
  assert_non_null(strstr(dem_system_message(s), "have no law"));
  assert_int_equal(dem_system_destroy(s), DEM_OK);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

static void laws_without_a_potential(void **state) {
  (void)state;
  dem_context *const context = trial_bed_context();
  dem_system *s;
  dem_law_options law;
  dem_material material;
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  dem_material_init(&material, sizeof material);
  material.young = 1e6;
  ASSERT_OK(s, dem_system_add_material(s, &material, NULL));
  scene_hertz(&law);
  ASSERT_OK(s, scene_set_law(context, s, 0, 0, &law));
  put(s, 0);
  ASSERT_STATUS(s, dem_system_minimise(s, NULL, NULL, NULL), DEM_UNSUPPORTED);
  assert_non_null(strstr(dem_system_message(s), "relax: no energy: law part 'mindlin"));
  assert_int_equal(dem_system_destroy(s), DEM_OK);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

/* ---- a minimiser that is open ---- */

static void busy_while_open(void **state) {
  (void)state;
  trial_bed w;
  dem_minimiser *m = NULL;
  dem_view view;
  trial_bed_open_system(&w);
  ASSERT_OK(w.system, dem_system_minimiser(w.system, NULL, NULL, &m));
  ASSERT_STATUS(w.system, dem_system_step(w.system, 1), DEM_BUSY);
  ASSERT_STATUS(w.system, dem_system_minimise(w.system, NULL, NULL, NULL), DEM_BUSY);
  ASSERT_STATUS(w.system, dem_system_destroy(w.system), DEM_BUSY);
  assert_int_equal(dem_minimiser_iterate(m, 3), DEM_OK);
  dem_view_init(&view, sizeof view);
  ASSERT_OK(w.system, dem_view_acquire(w.system, DEM_POSITION, DEM_READ, &view));
  assert_int_equal(dem_minimiser_accept(m), DEM_BUSY);
  ASSERT_OK(w.system, dem_view_release(w.system, &view));
  assert_int_equal(dem_minimiser_destroy(m), DEM_OK);
  image_assert_same(&w.before, w.system);
  trial_bed_close(&w);
}

/* After it was accepted it says so, and the system goes on. */
static void used_up_after_accept(void **state) {
  (void)state;
  trial_bed w;
  dem_minimiser *m = NULL;
  trial_bed_open_system(&w);
  ASSERT_OK(w.system, dem_system_minimiser(w.system, NULL, NULL, &m));
  assert_int_equal(dem_minimiser_iterate(m, 2), DEM_OK);
  assert_int_equal(dem_minimiser_accept(m), DEM_OK);
  assert_int_equal(dem_minimiser_accept(m), DEM_BUSY);
  trial_bed_says(&w, "create a new minimiser");
  assert_int_equal(dem_minimiser_destroy(m), DEM_OK);
  image_free(&w.before);
  w.before = image_take(w.system);
  trial_bed_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_out_of_range),
      cmocka_unit_test(loads_that_contradict),
      cmocka_unit_test(components_of_space_in_a_plane),
      cmocka_unit_test(methods),
      cmocka_unit_test(nothing_moves),
      cmocka_unit_test(laws_without_a_potential),
      cmocka_unit_test(busy_while_open),
      cmocka_unit_test(used_up_after_accept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
