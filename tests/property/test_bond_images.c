/* Bonds in a periodic box, after the host has moved a particle by dem_system_set_field or through a view: a bond goes on to the image that
 * leaves x_j - x_i nearest to what it was, along each axis. A harmonic bond of stiffness k and rest length l_0 pulls i with k (r - l_0)
 * towards that image. A new bond goes to the nearest image. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/world.h"

static const double BOX = 10, STIFFNESS = 5;

typedef struct pair {
  world world;
  dem_id ids[2];
} pair;

/* Two spheres of radius 1/2. */
static void add_pair(const world *w, const double *x, dem_id *ids) {
  const double radius[2] = {0.5, 0.5}, density[2] = {1, 1};
  dem_particles p;
  dem_particles_init(&p, sizeof p);
  p.count = 2, p.position = x, p.radius = radius, p.density = density;
  ASSERT_OK(w->system, dem_system_add_particles(w->system, &p, ids));
}

static void pair_open(pair *w, double box, const double x[6]) {
  world_options o = world_defaults();
  dem_bond_type type;
  o.system.dt = 1e-6;
  for (int a = 0; a < 3; a++) {
    o.system.periodic[a] = 1;
    o.system.box_high[a] = box;
  }
  world_open(&w->world, &o);
  add_pair(&w->world, x, w->ids);
  dem_bond_type_init(&type, sizeof type);
  type.model = DEM_BOND_HARMONIC;
  type.stiffness = STIFFNESS;
  type.radius_factor = 0;
  dem_system *s = w->world.system;
  ASSERT_OK(s, dem_system_add_bond_type(s, &type, NULL));
  const dem_bond bond = {.i = w->ids[0], .j = w->ids[1]};
  ASSERT_OK(s, dem_system_add_bonds(s, 1, &bond, sizeof bond, NULL));
  ASSERT_OK(s, dem_system_step(s, 1));
}

static void move_by_set(const pair *w, const double *x) { world_write_one(&w->world, w->ids[1], DEM_POSITION, x); }

static void move_by_view(const pair *w, const double *x) {
  dem_view v = {.struct_size = sizeof v};
  ASSERT_OK(w->world.system, dem_view_acquire(w->world.system, DEM_POSITION, DEM_WRITE, &v));
  for (int64_t k = 0; k < v.count; k++)
    if (v.ids[k] == w->ids[1]) memcpy(v.data + k * v.stride, x, 3 * sizeof *x);
  ASSERT_OK(w->world.system, dem_view_release(w->world.system, &v));
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
static void check(void move(const pair *w, const double *x), const double *there, const double *then) {
  pair w;
  double f[3], apart[2][3];
  pair_open(&w, BOX, (double[6]){4, 5, 5, 5.2, 5, 5});
  nearest(there, (double[3]){1.2, 0, 0}, apart[0]);
  nearest(then, apart[0], apart[1]);
  for (int k = 0; k < 2; k++) {
    move(&w, k ? then : there);
    ASSERT_OK(w.world.system, dem_system_step(w.world.system, 1));
    world_read_one(&w.world, w.ids[0], DEM_FORCE, f);
    const double *d = apart[k], r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int a = 0; a < 3; a++) ASSERT_ABS(f[a], STIFFNESS * (r - 1.2) * d[a] / r, 1e-6);
  }
  world_close(&w.world);
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

/* Half the box apart, and a little more or less: the nearest image is half the box away, less a little. */
static void a_new_bond_goes_to_the_nearest_image(void **state) {
  (void)state;
  const double box = 3;
  for (int a = 0; a < 3; a++)
    for (double more = 1e-9; more < 0.5; more *= 10)
      for (int k = 0; k < 4; k++) {
        double x[6] = {1, 1, 1, 1, 1, 1};
        pair w;
        dem_bond bond;
        x[k % 2 ? a : 3 + a] = 0.01;
        x[k % 2 ? 3 + a : a] = 0.01 + 0.5 * box + (k < 2 ? more : -more);
        pair_open(&w, box, x);
        ASSERT_OK(w.world.system, dem_system_bonds(w.world.system, 1, &bond, sizeof bond));
        ASSERT_ABS(bond.rest_length, 0.5 * box - more, 1e-14);
        world_close(&w.world);
      }
}

/* Bonds by a gap need a box twice as long as what is searched: a diameter, the gap if it is above 0, and the skin. */
static dem_status bond_in_box(double length, double gap) {
  const double x[6] = {0.6, 0.6, 0.6, 1.7, 0.6, 0.6};
  world w;
  world_options o = world_defaults();
  dem_bond_type type;
  int64_t made;
  o.system.dt = 1e-6;
  o.system.skin = 0.1;
  o.system.periodic[1] = 1;
  o.system.box_high[1] = length;
  world_open(&w, &o);
  add_pair(&w, x, NULL);
  dem_bond_type_init(&type, sizeof type);
  type.normal_stiffness = 1;
  ASSERT_OK(w.system, dem_system_add_bond_type(w.system, &type, NULL));
  const dem_status status = dem_system_bond_neighbours(w.system, 0, 0, 0, gap, &made);
  if (!status) assert_int_equal(made, gap > 0.1);
  world_close(&w);
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
      cmocka_unit_test(a_new_bond_goes_to_the_nearest_image),
      cmocka_unit_test(a_gap_needs_room),
  };
  return cmocka_run_group_tests_name("bond_images", tests, NULL, NULL);
}
