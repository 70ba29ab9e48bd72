/* Statics in a box that is sheared, and so tilted: the symmetric part of the stress is dem_system_get_box_stress (which counts
 * tension as positive); a partition into upright boxes has each particle once; a sphere has those that a search over images finds;
 * particles that move with the flow L x have no peculiar kinetic stress, whatever image they are wrapped to. */
#include "assertions.h"

#include "packings.h"

/* Shear L_xy = `rate` and L_xz = `tilt_xz` times it, for `steps`. */
static void shear(const packing *w, double rate, double tilt_xz, int64_t steps) {
  dem_box_motion motion;
  dem_box_motion_init(&motion, sizeof motion);
  motion.rate[DEM_BOX_XY] = rate;
  motion.rate[DEM_BOX_XZ] = tilt_xz * rate;
  ASSERT_OK(w->system, dem_system_set_box_motion(w->system, &motion));
  ASSERT_OK(w->system, dem_system_step(w->system, steps));
}

static void stress_is_that_of_the_box(void **state) {
  (void)state;
  dem_law_options law;
  scene_hooke(&law);
  packing w = crowd_open(3, 6, 0.75, 1, &law, 2);
  shear(&w, 20, 0.3, 1500);
  const dem_statics t = statics_of(&w, NULL);
  double box[6];
  const int axis[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  ASSERT_OK(w.system, dem_system_get_box_stress(w.system, box));
  for (int k = 0; k < 6; k++) {
    const int a = axis[k][0], b = axis[k][1];
    ASSERT_ABS(0.5 * (t.stress[3 * a + b] + t.stress[3 * b + a]), box[k], 1e-12 * t.pressure);
  }
  assert_true(fabs(box[3]) > 1e-3 * t.pressure);
  ASSERT_REL(t.volume, pow(0.75 * 6, 3), 1e-12);
  packing_close(&w);
}

static void regions_of_a_tilted_box(void **state) {
  (void)state;
  const double side = 0.75 * 6, cut = 0.37 * side;
  dem_law_options law;
  scene_hooke(&law);
  packing w = crowd_open(3, 6, 0.75, 1, &law, 2);
  shear(&w, 20, 0.3, 1500); /* tilts of 0.3 and 0.09 of the side */
  const dem_statics whole = statics_of(&w, NULL);
  dem_statics_options o = statics_options();
  double stress[9] = {0};
  int64_t particles = 0;
  o.region = DEM_REGION_BOX;
  for (int k = 0; k < 8; k++) {
    for (int a = 0; a < 3; a++) {
      o.low[a] = 0.2 * side + (k >> a & 1 ? cut : 0);
      o.high[a] = 0.2 * side + (k >> a & 1 ? side : cut);
    }
    const dem_statics t = statics_of(&w, &o);
    for (int a = 0; a < 9; a++) stress[a] += t.stress[a] * t.volume / whole.volume;
    particles += t.particles;
  }
  assert_int_equal(particles, 216);
  ASSERT_TENSOR(stress, whole.stress, 1e-12);
  packing_close(&w);
}

static void spheres_in_a_tilted_box(void **state) {
  (void)state;
  const double side = 0.75 * 6, time = 1500 * 1e-5, xy = 20 * time * side, xz = 6 * time * side;
  dem_law_options law;
  scene_hooke(&law);
  packing w = crowd_open(3, 6, 0.75, 1, &law, 2);
  shear(&w, 20, 0.3, 1500);
  double *x = field_of(&w, DEM_POSITION, 3);
  for (int place = 0; place < 5; place++) {
    dem_statics_options o = statics_options();
    int64_t inside = 0;
    o.region = DEM_REGION_SPHERE;
    o.radius = 1.5;
    for (int a = 0; a < 3; a++) o.centre[a] = (place * (a + 1) % 5) * 0.25 * side;
    for (int64_t k = 0; k < 216; k++)
      for (int n = 0; n < 125; n++) {
        const int turns[3] = {n % 5 - 2, n / 5 % 5 - 2, n / 25 - 2};
        const double d[3] = {x[3 * k] + turns[0] * side + turns[1] * xy + turns[2] * xz - o.centre[0],
                             x[3 * k + 1] + turns[1] * side - o.centre[1], x[3 * k + 2] + turns[2] * side - o.centre[2]};
        inside += d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < o.radius * o.radius;
      }
    assert_true(inside > 10);
    assert_int_equal(statics_of(&w, &o).particles, inside);
  }
  free(x);
  packing_close(&w);
}

/* Layers of a lattice slide over each other without touching, dx/dt = L_xy y, and cross the boundary along x many times. */
static void the_flow_has_no_peculiar_stress(void **state) {
  (void)state;
  packing w = lattice_open(SIMPLE_CUBIC, 1.01, 4, 1, 1);
  const int64_t count = particle_count(&w);
  const double rate = 200;
  double *x = field_of(&w, DEM_POSITION, 3), *v = calloc((size_t)count * 3, sizeof *v);
  assert_non_null(v);
  for (int64_t k = 0; k < count; k++) v[3 * k] = rate * x[3 * k + 1];
  ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_VELOCITY, count, NULL, v, 0));
  shear(&w, rate, 0, 3);
  dem_statics_options o = statics_options();
  o.kinetic = DEM_KINETIC_PECULIAR;
  for (int n = 0; n < 40; n++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 57));
    o.gradient[1] = rate;
    dem_statics t = statics_of(&w, &o);
    assert_true(t.contacts == 0);
    ASSERT_BELOW(tensor_size(t.stress_kinetic), 1e-16 * rate * rate);
    o.gradient[1] = 0;
    t = statics_of(&w, &o);
    /* layers at the distances 0.5 and 1.5 of 1.01 from the middle: the mean square is 1.25 1.01^2 */
    ASSERT_REL(t.stress_kinetic[0], 64 * 1.25 * pow(1.01 * rate, 2) / t.volume, 1e-10);
  }
  free(x);
  free(v);
  packing_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stress_is_that_of_the_box),
      cmocka_unit_test(regions_of_a_tilted_box),
      cmocka_unit_test(spheres_in_a_tilted_box),
      cmocka_unit_test(the_flow_has_no_peculiar_stress),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
