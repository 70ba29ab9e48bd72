/* Bonds in a periodic box, after the host has moved a particle by dem_system_set_field or through a view: a bond goes on to the image that
 * leaves x_j - x_i nearest to what it was, along each axis. A harmonic bond of stiffness k and rest length l_0 pulls i with k (r - l_0)
 * towards that image. */
#include "assertions.h"

#include "scenes/scenes.h"

static const double BOX = 10, STIFFNESS = 5;

typedef struct world {
  dem_context *context;
  dem_system *system;
  dem_id ids[2];
} world;

static void world_open(world *w) {
  const double x[6] = {4, 5, 5, 5.2, 5, 5}, radius[2] = {0.5, 0.5}, density[2] = {1, 1};
  dem_system_options o;
  dem_law_options law;
  dem_particles p;
  dem_bond_type type;
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-6;
  for (int a = 0; a < 3; a++) {
    o.periodic[a] = 1;
    o.box_high[a] = BOX;
  }
  assert_int_equal(dem_system_create(w->context, &o, &w->system), DEM_OK);
  ASSERT_OK(w->system, dem_system_add_material(w->system, NULL, NULL));
  scene_hooke(&law);
  assert_int_equal(scene_set_law(w->context, w->system, 0, 0, &law), DEM_OK);
  dem_particles_init(&p, sizeof p);
  p.count = 2, p.position = x, p.radius = radius, p.density = density;
  ASSERT_OK(w->system, dem_system_add_particles(w->system, &p, w->ids));
  dem_bond_type_init(&type, sizeof type);
  type.model = DEM_BOND_HARMONIC;
  type.stiffness = STIFFNESS;
  type.radius_factor = 0;
  ASSERT_OK(w->system, dem_system_add_bond_type(w->system, &type, NULL));
  const dem_bond bond = {.i = w->ids[0], .j = w->ids[1]};
  ASSERT_OK(w->system, dem_system_add_bonds(w->system, 1, &bond, sizeof bond, NULL));
  ASSERT_OK(w->system, dem_system_step(w->system, 1));
}

static void world_close(world *w) {
  dem_system_destroy(w->system);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

static void move_by_set(const world *w, const double *x) {
  ASSERT_OK(w->system, dem_system_set_field(w->system, DEM_POSITION, 1, &w->ids[1], x, 0));
}

static void move_by_view(const world *w, const double *x) {
  dem_view v = {.struct_size = sizeof v};
  ASSERT_OK(w->system, dem_view_acquire(w->system, DEM_POSITION, DEM_WRITE, &v));
  for (int64_t k = 0; k < v.count; k++)
    if (v.ids[k] == w->ids[1]) memcpy(v.data + k * v.stride, x, 3 * sizeof *x);
  ASSERT_OK(w->system, dem_view_release(w->system, &v));
}

/* From the first particle to the image of the second one at x, of those along each axis the one nearest to `before`. */
static void nearest(const double *x, const double *before, double *apart) {
  static const double first[3] = {4, 5, 5};
  for (int a = 0; a < 3; a++) {
    apart[a] = x[a] - first[a];
    for (int turns = -3; turns <= 3; turns++) {
      const double other = x[a] - first[a] + turns * BOX;
      if (fabs(other - before[a]) < fabs(apart[a] - before[a])) apart[a] = other;
    }
  }
}

/* The second particle goes to two places, one after the other. */
static void check(void move(const world *w, const double *x), const double *there, const double *then) {
  world w;
  double f[3], apart[2][3];
  world_open(&w);
  nearest(there, (double[3]){1.2, 0, 0}, apart[0]);
  nearest(then, apart[0], apart[1]);
  for (int k = 0; k < 2; k++) {
    move(&w, k ? then : there);
    ASSERT_OK(w.system, dem_system_step(w.system, 1));
    ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_FORCE, 1, &w.ids[0], f, 0));
    const double *d = apart[k], r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int a = 0; a < 3; a++) ASSERT_ABS(f[a], STIFFNESS * (r - 1.2) * d[a] / r, 1e-6);
  }
  world_close(&w);
}

static void follow_the_host(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    check(k ? move_by_view : move_by_set, (double[3]){6, 5, 5}, (double[3]){9, 5, 5});
    check(k ? move_by_view : move_by_set, (double[3]){0.5, 5, 5}, (double[3]){9.5, 9, 1});
    check(k ? move_by_view : move_by_set, (double[3]){9.9, 9.5, 0.2}, (double[3]){0.1, 0.3, 9.6});
    check(k ? move_by_view : move_by_set, (double[3]){25.3, 4, -7}, (double[3]){-15, 6, 12});
  }
}

/* Bonds by a gap need a box twice as long as what is searched: a diameter, the gap if it is above 0, and the skin. */
static dem_status bond_in_box(double length, double gap) {
  const double x[6] = {0.6, 0.6, 0.6, 1.7, 0.6, 0.6}, radius[2] = {0.5, 0.5}, density[2] = {1, 1};
  dem_context *context;
  dem_system *system;
  dem_system_options o;
  dem_law_options law;
  dem_particles p;
  dem_bond_type type;
  int64_t made;
  assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-6;
  o.skin = 0.1;
  o.periodic[1] = 1;
  o.box_high[1] = length;
  assert_int_equal(dem_system_create(context, &o, &system), DEM_OK);
  ASSERT_OK(system, dem_system_add_material(system, NULL, NULL));
  scene_hooke(&law);
  assert_int_equal(scene_set_law(context, system, 0, 0, &law), DEM_OK);
  dem_particles_init(&p, sizeof p);
  p.count = 2, p.position = x, p.radius = radius, p.density = density;
  ASSERT_OK(system, dem_system_add_particles(system, &p, NULL));
  dem_bond_type_init(&type, sizeof type);
  type.normal_stiffness = 1;
  ASSERT_OK(system, dem_system_add_bond_type(system, &type, NULL));
  const dem_status status = dem_system_bond_neighbours(system, 0, 0, 0, gap, &made);
  if (!status) assert_int_equal(made, gap > 0.1);
  dem_system_destroy(system);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
  return status;
}

static void a_gap_needs_room(void **state) {
  (void)state;
  assert_int_equal(bond_in_box(2 * (1 + 0.8 + 0.1) - 0.001, 0.8), DEM_BAD_ARGUMENT);
  assert_int_equal(bond_in_box(2 * (1 + 0.8 + 0.1) + 0.001, 0.8), DEM_OK);
  assert_int_equal(bond_in_box(2 * (1 + 0.1) - 0.001, -0.2), DEM_BAD_ARGUMENT);
  assert_int_equal(bond_in_box(2 * (1 + 0.1) + 0.001, -0.2), DEM_OK);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(follow_the_host),
      cmocka_unit_test(a_gap_needs_room),
  };
  return cmocka_run_group_tests_name("bond_images", tests, NULL, NULL);
}
