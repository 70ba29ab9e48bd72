/* Numbers beyond every limit, at the limit, and such as only a step finds. The squares of numbers that are taken are finite, and so
 * are energies. */
#include "assertions.h"

#include "fault/bed.h"
#include "scenes/scenes.h"
#include "scenes/snapshot.h"

static void field_beyond_limit(bed *b, int32_t field, int components, double value) {
  double v[3] = {0, 0, 0};
  v[components - 1] = value;
  ASSERT_STATUS(b->system, dem_system_set_field(b->system, field, 1, b->ids, v, 0), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(b->system), "row 0", "1e+60", "finite", "");
}

static void particle_beyond_limit(bed *b, double value, int what) {
  rows r;
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 1, 50, 5, 0.4);
  double *const to[] = {r.position + 1, r.velocity + 1, r.spin + 1, r.radius, r.density};
  *to[what] = value;
  ASSERT_STATUS(b->system, rows_add(&r, b->system, NULL), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_system_message(b->system), "particle 0", "1e+60", "finite", "");
  rows_destroy(&r);
}

static void system_beyond_limit(bed *b, double value, int what) {
  dem_system_options o;
  dem_system *none;
  bed_options(&o);
  double *const to[] = {&o.dt, &o.skin, &o.drag, o.gravity + 2, o.box_high + 2};
  *to[what] = value;
  assert_int_equal(dem_system_create(b->context, &o, &none), DEM_BAD_ARGUMENT);
  ASSERT_WORDS(dem_context_message(b->context), "system", "1e+60", "finite", "");
}

/* Squares of what is taken are finite, so are energies; what is not taken changes nothing. */
static void numbers_beyond_limits_are_refused(void **state) {
  (void)state;
  static const double beyond[] = {1.001e60, 1e155, 1e300};
  static const int32_t fields[] = {DEM_POSITION, DEM_VELOCITY, DEM_SPIN, DEM_HOST_FORCE, DEM_HOST_TORQUE};
  bed b;
  bed_open(&b);
  const uint64_t before = system_hash(b.system);
  for (int k = 0; k < 3; k++) {
    for (int f = 0; f < 5; f++) field_beyond_limit(&b, fields[f], 3, f % 2 ? beyond[k] : -beyond[k]);
    field_beyond_limit(&b, DEM_RADIUS, 1, beyond[k]);
    field_beyond_limit(&b, DEM_DENSITY, 1, beyond[k]);
    for (int what = 0; what < 5; what++) particle_beyond_limit(&b, beyond[k], what), system_beyond_limit(&b, beyond[k], what);
    const double gravity[3] = {0, -beyond[k], 0};
    ASSERT_STATUS(b.system, dem_system_set_gravity(b.system, gravity), DEM_BAD_ARGUMENT);
    ASSERT_STATUS(b.system, dem_system_set_dt(b.system, beyond[k]), DEM_BAD_ARGUMENT);
    const dem_material hard = {.struct_size = sizeof hard, .young = beyond[k]};
    ASSERT_STATUS(b.system, dem_system_add_material(b.system, &hard, NULL), DEM_BAD_ARGUMENT);
    dem_wall far;
    dem_wall_init(&far, sizeof far);
    far.axis[2] = 1, far.position[2] = -beyond[k];
    ASSERT_STATUS(b.system, dem_system_add_wall(b.system, &far, NULL), DEM_BAD_ARGUMENT);
  }
  assert_true(system_hash(b.system) == before);
  bed_close(&b);
}

static void energies_at_the_limits_are_finite(void **state) {
  (void)state;
  bed b;
  dem_energy e;
  rows r;
  bed_open(&b);
  dem_energy_init(&e, sizeof e);
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 1, 50, 5, 0.4);
  rows_velocity(&r, 0, 1e60, -1e60, 1e60);
  rows_spin(&r, 0, 1e60, -1e60, 1e60);
  r.density[0] = 1e60;
  ASSERT_OK(b.system, rows_add(&r, b.system, NULL));
  rows_destroy(&r);
  ASSERT_OK(b.system, dem_system_energy(b.system, &e));
  assert_true(isfinite(e.kinetic_linear) && isfinite(e.kinetic_angular) && isfinite(e.residual) && e.kinetic_linear > 1e170);
  bed_close(&b);
}

/* A spring that a time step is far too long for doubles its energy many times a step. No input is wrong by itself: the step finds
 * the number that is none, says where, and poisons. */
static void an_explosion_poisons(void **state) {
  (void)state;
  bed b;
  double x[9];
  bed_open(&b);
  dem_bond_type type;
  dem_bond bond = {.i = b.ids[0], .j = b.ids[1]};
  dem_bond_type_init(&type, sizeof type);
  type.normal_stiffness = 1e3;
  ASSERT_OK(b.system, dem_system_add_bond_type(b.system, &type, NULL));
  ASSERT_OK(b.system, dem_system_add_bonds(b.system, 1, &bond, sizeof bond, NULL));
  ASSERT_OK(b.system, dem_system_set_dt(b.system, 1e20));
  dem_status status = DEM_OK;
  for (int i = 0; i < 20 && !status; i++) status = dem_system_step(b.system, 1);
  ASSERT_STATUS(b.system, status, DEM_FAILED_NOT_FINITE);
  assert_true(strlen(dem_system_message(b.system)) > 10);
  ASSERT_STATUS(b.system, dem_system_step(b.system, 1), DEM_POISONED);
  ASSERT_STATUS(b.system, dem_system_get_field(b.system, DEM_POSITION, 3, NULL, x, 0), DEM_POISONED);
  bed_close(&b);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_beyond_limits_are_refused),
      cmocka_unit_test(energies_at_the_limits_are_finite),
      cmocka_unit_test(an_explosion_poisons),
  };
  return cmocka_run_group_tests_name("number_limits", tests, NULL, NULL);
}
