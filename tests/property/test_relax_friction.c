/* Load steps with friction.
 *
 *   sphere   a sphere that does not turn is pulled along a floor by a spring of stiffness k_b whose other end a is moved to and fro. The
 *            contact is an elastic spring k_t with the limit c = mu N. Its force is f = k_t (x - s), s the slip so far, |f| <= c, and
 *            f = k_b (a - x): an elastic and a slipping branch, and the way back, in closed form
 *   block    four spheres in a square, joined by bonds, on a floor: pulled a little they come back to where they were; pulled far,
 *            all contacts slip and the pull is mu N */
#include "assertions.h"

#include "relaxed.h"
#include "scenes/world.h"

static const double K = 1e5, G = 10, MU = 0.5, PULL = 2e3;

static world_options rough(void) {
  world_options o = world_defaults();
  o.law.damping = o.law.tangential_damping = DEM_DAMPING_NONE;
  o.law.normal_damping = o.law.shear_damping = 0;
  o.law.normal_stiffness = K;
  o.law.tangential_stiffness = 2e4;
  o.law.friction = MU;
  o.system.gravity[2] = -G;
  return o;
}

static void add_floor(const world *w) {
  dem_wall floor_plane;
  dem_wall_init(&floor_plane, sizeof floor_plane);
  floor_plane.axis[2] = 1;
  world_add_wall(w, &floor_plane);
}

static void bond(const world *w, dem_id i, dem_id j, double stiffness) {
  dem_bond_type type;
  dem_bond b;
  int32_t index;
  memset(&b, 0, sizeof b);
  dem_bond_type_init(&type, sizeof type);
  type.model = DEM_BOND_HARMONIC;
  type.stiffness = stiffness;
  ASSERT_OK(w->system, dem_system_add_bond_type(w->system, &type, &index));
  b.i = i, b.j = j, b.type = index;
  ASSERT_OK(w->system, dem_system_add_bonds(w->system, 1, &b, sizeof b, NULL));
}

static double place_of(const world *w, dem_id id, int axis) {
  double x[3];
  world_read_one(w, id, DEM_POSITION, x);
  return x[axis];
}

static void test_sphere(void **state) {
  (void)state;
  const double kt = 2e4, cap = MU * G;
  const world_options o = rough();
  dem_relax_options r = relax_options();
  world w;
  double slip = 0, a = 0;
  world_open(&w, &o);
  add_floor(&w);
  const double height = 0.5 - G / K;
  const dem_id sphere = world_add_sphere(&w, 0.5, (double[3]){0, 0, height}, NULL, NULL);
  const dem_id end = world_add_frozen(&w, 0.5, (double[3]){1.5, 0, height});
  bond(&w, sphere, end, PULL);
  r.rotations = 0;
  relax_to(w.system, &r, 1e-12);
  for (int k = 1; k <= 40; k++) {
    a += (k <= 20 ? 1 : -1) * 4e-4;
    const double at[3] = {1.5 + a, 0, height};
    world_write_one(&w, end, DEM_POSITION, at);
    relax_to(w.system, &r, 1e-11);
    double x = (PULL * a + kt * slip) / (PULL + kt), f = kt * (x - slip);
    if (fabs(f) > cap) f = copysign(cap, f), x = a - f / PULL, slip = x - f / kt;
    ASSERT_ABS(place_of(&w, sphere, 0), x, 1e-9);
    ASSERT_ABS(place_of(&w, sphere, 2), height, 1e-9);
    world_assert_closed(&w, "a sphere that is pulled along a floor");
  }
  ASSERT_ABS(slip, MU * G * (1 / PULL + 1 / kt), 1e-9); /* after 20 steps forth and 20 back it slips the other way */
  world_close(&w);
}

/* ---- a block ---- */

typedef struct floor_load {
  double push, drag; /* sums of normal and of tangential forces along x */
  int sliding, contacts;
} floor_load;

static floor_load load_of(const world *w) {
  dem_contact c[64];
  int64_t count;
  floor_load sum = {0, 0, 0, 0};
  ASSERT_OK(w->system, dem_system_contact_count(w->system, &count));
  assert_true(count <= 64);
  ASSERT_OK(w->system, dem_system_contacts(w->system, count, c, sizeof c[0]));
  for (int64_t k = 0; k < count; k++) {
    if (c[k].wall < 0) continue;
    const double limit = MU * c[k].force[2];
    ASSERT_BELOW(hypot(c[k].force[0], c[k].force[1]), limit * (1 + 1e-9));
    sum.push += c[k].force[2];
    sum.drag += c[k].force[0];
    sum.sliding += c[k].sliding;
    sum.contacts++;
  }
  return sum;
}

static void pull(const world *w, dem_id end, double a, double height) {
  const double at[3] = {2.8 + a, 0.5, height};
  world_write_one(w, end, DEM_POSITION, at);
  relax_to(w->system, NULL, 1e-9);
  world_assert_closed(w, "a block that is pulled along a floor");
}

static void test_block(void **state) {
  (void)state;
  const world_options o = rough();
  const double height = 0.5 - G / K;
  world w;
  dem_id id[4];
  dem_bond_type beam;
  int32_t index;
  int64_t made;
  world_open(&w, &o);
  add_floor(&w);
  for (int k = 0; k < 4; k++) id[k] = world_add_sphere(&w, 0.5, (double[3]){k % 2, k / 2, height}, NULL, NULL);
  dem_bond_type_init(&beam, sizeof beam);
  beam.normal_stiffness = beam.tangential_stiffness = beam.bending_stiffness = beam.twisting_stiffness = 1e6;
  ASSERT_OK(w.system, dem_system_add_bond_type(w.system, &beam, &index));
  ASSERT_OK(w.system, dem_system_bond_neighbours(w.system, index, 0, 0, 1e-6, &made));
  assert_int_equal(made, 4);
  const dem_id end = world_add_frozen(&w, 0.5, (double[3]){2.8, 0.5, height});
  bond(&w, id[1], end, PULL);
  bond(&w, id[3], end, PULL);
  relax_to(w.system, NULL, 1e-10);
  const double start = place_of(&w, id[0], 0);
  pull(&w, end, 1e-3, height);
  assert_int_equal(load_of(&w).sliding, 0);
  assert_true(place_of(&w, id[0], 0) > start + 1e-5);
  pull(&w, end, 0, height);
  ASSERT_ABS(place_of(&w, id[0], 0), start, 1e-9);
  for (int k = 1; k <= 10; k++) pull(&w, end, 2e-3 * k, height);
  const floor_load load = load_of(&w);
  assert_int_equal(load.contacts, 4);
  assert_int_equal(load.sliding, 4);
  ASSERT_REL(load.push, 4 * G, 1e-2); /* the springs are not quite level */
  ASSERT_BELOW(fabs(load.drag + MU * load.push), 1e-3 * load.push);
  assert_true(place_of(&w, id[0], 0) > start + 2e-3);
  world_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sphere),
      cmocka_unit_test(test_block),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
