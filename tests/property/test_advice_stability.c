/* The stability limit of dem_system_advise, with the simulation as judge: a step just below it holds and one above it does not. */
#include "assertions.h"

#include "property/advised.h"
#include "scenes/context.h"
#include "scenes/scenes.h"

static const double RADIUS = 0.5, MASS = 1; /* of rows of density 6/pi */

/* Kinetic energy after many steps of `part` of the limit over that at the start. */
static double growth(dem_system *s, double part, int64_t steps) {
  dem_statistics t;
  const double limit = advised(s).stable_dt;
  ASSERT_OK(s, dem_system_set_dt(s, part * limit));
  dem_statistics_init(&t, sizeof t);
  ASSERT_OK(s, dem_system_statistics(s, &t));
  const double before = t.kinetic_energy + t.rotational_energy;
  double most = 0;
  for (int64_t k = 0; k < steps; k += 10) {
    if (dem_system_step(s, 10) != DEM_OK) return INFINITY; /* thrown out of all bounds */
    ASSERT_OK(s, dem_system_statistics(s, &t));
    most = fmax(most, t.kinetic_energy + t.rotational_energy);
  }
  return most / before;
}

typedef dem_system *build_fn(void);

/* Just below the limit the disturbance stays what it was, a tenth above it grows without bound. */
static void scan(build_fn *build) {
  dem_system *s = build();
  const double below = growth(s, 0.99, 4000);
  dem_system_destroy(s);
  s = build();
  const double above = growth(s, 1.1, 400);
  dem_system_destroy(s);
  print_message("# at 0.99 of the limit the energy stays below %.3g of the first, at 1.1 it reaches %.3g\n", below, above);
  ASSERT_BELOW(below, 1e3); /* near the limit a bounded motion has a large amplitude */
  assert_true(above > 1e6);
}

/* ---- chains and walls ---- */

static void a_chain_has_its_highest_frequency(void **state) {
  (void)state;
  dem_system *s = advised_chain();
  const dem_advice a = advised(s);
  ASSERT_REL(a.stable_dt, 2 / sqrt(4 * 1e4 / MASS), 1e-12);
  assert_true(a.stable_i != 0 && a.stable_j == 0 && a.stable_wall == -1); /* a particle by all its contacts */
  assert_true(a.contacts == ADVISED_LINKS);
  dem_system_destroy(s);
  scan(advised_chain);
}

/* A grain squeezed between two walls, or in a corner of four; 2 k/m either way. `damping` in units of 2 sqrt(k m). */
static dem_system *squeezed(int walls, double damping) {
  dem_law_options law;
  rows r;
  advised_hooke(&law, 1e4);
  law.damping = damping > 0 ? DEM_DAMPING_COEFFICIENT : DEM_DAMPING_NONE;
  law.normal_damping = damping * 2 * sqrt(1e4 * MASS);
  dem_system *s = advised_system(&law, 0, 1e-4);
  for (int k = 0; k < walls; k++) {
    double point[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
    normal[k / 2] = k % 2 ? -1 : 1;
    point[k / 2] = -0.99 * RADIUS * normal[k / 2];
    ASSERT_OK(s, scene_add_plane(s, 0, point, normal));
  }
  assert_int_equal(rows_create(&r, 1), 0);
  rows_velocity(&r, rows_put(&r, 0, 0, 0, RADIUS), 1e-7, 0, 0);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  return s;
}

static dem_system *between_walls(void) { return squeezed(2, 0); }

static dem_system *between_sticky_walls(void) { return squeezed(2, 0.3); }

static void a_grain_between_two_walls(void **state) {
  (void)state;
  dem_system *s = between_walls();
  ASSERT_REL(advised(s).stable_dt, 2 / sqrt(2 * 1e4 / MASS), 1e-12);
  dem_system_destroy(s);
  scan(between_walls);
}

/* The dashpot sees the half-step velocity: 2 k/m dt^2 + 2 (2 c/m) dt = 4. */
static void a_damped_grain_between_two_walls(void **state) {
  (void)state;
  dem_system *s = between_sticky_walls();
  const double dt = advised(s).stable_dt, c = 0.3 * 2 * sqrt(1e4);
  ASSERT_REL(2e4 * dt * dt + 4 * c * dt, 4, 1e-12);
  const double below = growth(s, 0.99, 4000);
  dem_system_destroy(s);
  s = between_sticky_walls();
  const double above = growth(s, 1.1, 400);
  dem_system_destroy(s);
  ASSERT_BELOW(below, 1.001); /* damped */
  assert_true(above > 1e6);
}

/* Contacts in several directions add up in the bound, not in the motion: it may be too low there, never too high. */
static void many_contacts_are_borne(void **state) {
  (void)state;
  dem_system *s = squeezed(6, 0);
  const double dt = advised(s).stable_dt, real = 2 / sqrt(2 * 1e4 / MASS);
  ASSERT_REL(dt, real / sqrt(3), 1e-12);
  ASSERT_BELOW(growth(s, 0.99, 4000), 1e3);
  dem_system_destroy(s);
}

/* Four grains on a light wall that forces move, side by side: k (1/m + 4/M) when they move against it together. */
static void grains_on_a_light_wall(void **state) {
  (void)state;
  const double mass = 0.01 * MASS, real = 2 / sqrt(1e4 * (1 / MASS + 4 / mass));
  dem_law_options law;
  dem_wall wall;
  rows r;
  advised_hooke(&law, 1e4);
  dem_system *s = advised_system(&law, 0, 1e-4);
  dem_wall_init(&wall, sizeof wall);
  wall.axis[2] = 1;
  wall.motion = DEM_WALL_FREE;
  wall.mass = mass;
  wall.free_axis[2] = 1;
  ASSERT_OK(s, dem_system_add_wall(s, &wall, NULL));
  assert_int_equal(rows_create(&r, 4), 0);
  for (int k = 0; k < 4; k++) rows_put(&r, 3 * RADIUS * k, 0, 0.99 * RADIUS, RADIUS);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  const double dt = advised(s).stable_dt;
  assert_true(dt <= real && dt > 0.99 * real);
  dem_system_destroy(s);
}

/* A light sphere on a heavy one: k (1/m + 1/M). Beside them a frozen one which six light ones touch, each of them by itself: k/m. */
static void a_frozen_sphere_bears_anything(void **state) {
  (void)state;
  enum { LIGHT = 6, ALL = LIGHT + 3 };
  const double small = 0.2 * RADIUS, mass = 0.008 * MASS, reach = 1.19 * RADIUS;
  double x[3 * ALL] = {0}, radius[ALL], density[ALL];
  int32_t frozen[ALL] = {1};
  dem_law_options law;
  dem_particles p;
  advised_hooke(&law, 1e4);
  dem_system *s = advised_system(&law, 0, 1e-4);
  for (int k = 0; k < ALL; k++) {
    radius[k] = k == 0 || k == LIGHT + 1 ? RADIUS : small;
    density[k] = MASS / (4 / 3. * 3.14159265358979323846 * RADIUS * RADIUS * RADIUS);
    if (k > 0 && k <= LIGHT) x[3 * k + (k - 1) / 2] = k % 2 ? reach : -reach;
    if (k > LIGHT) x[3 * k] = 10 * RADIUS + (k > LIGHT + 1 ? reach : 0);
  }
  dem_particles_init(&p, sizeof p);
  p.count = ALL, p.position = x, p.radius = radius, p.density = density, p.frozen = frozen;
  ASSERT_OK(s, dem_system_add_particles(s, &p, NULL));
  const dem_advice a = advised(s);
  assert_int_equal(a.contacts, LIGHT + 1);
  ASSERT_REL(a.stable_dt, 2 / sqrt(1e4 * (1 / mass + 1 / MASS)), 1e-12);
  dem_system_destroy(s);
}

/* ---- tangential springs ---- */

/* A sphere held to a wall by another, rolling against a stiff tangential spring: 3.5 k_t/m. */
static dem_system *rolling(void) {
  dem_law_options law;
  rows r;
  const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1}, gravity[3] = {0, 0, -100};
  advised_hooke(&law, 1e4);
  law.tangential = DEM_TANGENTIAL_LINEAR;
  law.tangential_stiffness = 2e4;
  law.friction = 1e3;
  dem_system *s = advised_system(&law, 0, 1e-4);
  ASSERT_OK(s, dem_system_set_gravity(s, gravity));
  ASSERT_OK(s, scene_add_plane(s, 0, origin, up));
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 0, 0, RADIUS - 100 * MASS / 1e4, RADIUS);
  rows_velocity(&r, 0, 1e-7, 0, 0);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  return s;
}

static void a_tangential_spring_limits_the_step(void **state) {
  (void)state;
  dem_system *s = rolling();
  /* the arm of the contact is shorter than the radius by the overlap: the bound takes the radius */
  ASSERT_REL(advised(s).stable_dt, 2 / sqrt(3.5 * 2e4 / MASS), 1e-12);
  dem_system_destroy(s);
  scan(rolling);
}

/* ---- many contacts ---- */

/* A large sphere among small ones that press on it from all sides, and are held by nothing: the sums of small and large. */
static dem_system *crowd(void) {
  dem_law_options law;
  rows r;
  advised_hooke(&law, 1e4);
  dem_system *s = advised_system(&law, 0, 1e-5);
  assert_int_equal(rows_create(&r, 7), 0);
  rows_put(&r, 0, 0, 0, RADIUS);
  for (int k = 0; k < 6; k++) {
    double x[3] = {0, 0, 0};
    x[k / 2] = (k % 2 ? -1 : 1) * 1.19999 * RADIUS;
    const int64_t row = rows_put(&r, x[0], x[1], x[2], 0.2 * RADIUS);
    rows_velocity(&r, row, -1e-9 * x[0], -1e-9 * x[1], -1e-9 * x[2]);
  }
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  return s;
}

/* Exact for two opposite small ones: k/m (1 + 2 m/M) for moving against each other. The best of the scalings is not far off. */
static void large_among_small(void **state) {
  (void)state;
  dem_system *s = crowd();
  const double small = 0.008 * MASS, real = 2 / sqrt(1e4 / small * (1 + 2 * small / MASS));
  const double dt = advised(s).stable_dt;
  print_message("# bound %.3g of the real limit\n", dt / real);
  assert_true(dt <= real && dt > 0.7 * real);
  dem_system_destroy(s);
}

/* A dense packing, relaxed; then without dashpots and with a disturbance. */
static dem_system *packing(void) {
  enum { SIDE = 6 };
  dem_system_options o;
  dem_law_options law;
  dem_system *s;
  rows r;
  dice d = {7};
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-3;
  o.drag = 5; /* against frequencies of some hundred */
  for (int a = 0; a < 3; a++) o.periodic[a] = 1, o.box_high[a] = 0.91 * SIDE * 2 * RADIUS;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  ASSERT_OK(s, dem_system_add_material(s, NULL, NULL));
  advised_hooke(&law, 1e4);
  ASSERT_OK(s, scene_set_law(context, s, 0, 0, &law));
  assert_int_equal(rows_create(&r, SIDE * SIDE * SIDE), 0);
  for (int k = 0; k < SIDE * SIDE * SIDE; k++) {
    const double cell[3] = {k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE)};
    double x[3];
    for (int a = 0; a < 3; a++) x[a] = 0.91 * 2 * RADIUS * (cell[a] + dice_uniform(&d, 0.2, 0.8));
    rows_put(&r, x[0], x[1], x[2], RADIUS * dice_uniform(&d, 0.9, 1.1));
  }
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  ASSERT_OK(s, dem_system_step(s, 4000));
  return s;
}

enum { GRAINS = 216 };

/* Largest speed after steps of `part` of the limit, from rest at x but for a disturbance. */
static double unrest(dem_system *s, const double *x, double limit, double part) {
  double v[3 * GRAINS], most = 0;
  dice d = {3};
  for (int k = 0; k < 3 * GRAINS; k++) v[k] = dice_uniform(&d, -1e-9, 1e-9);
  ASSERT_OK(s, dem_system_set_field(s, DEM_POSITION, GRAINS, NULL, x, 0));
  ASSERT_OK(s, dem_system_set_field(s, DEM_VELOCITY, GRAINS, NULL, v, 0));
  ASSERT_OK(s, dem_system_set_dt(s, part * limit));
  ASSERT_OK(s, dem_system_step(s, 1000));
  ASSERT_OK(s, dem_system_get_field(s, DEM_VELOCITY, GRAINS, NULL, v, 0));
  for (int k = 0; k < 3 * GRAINS; k++) most = fmax(most, fabs(v[k]));
  return most;
}

/* The bound is below the real limit, by less than 2: contacts in all directions do not add up like those of a chain. */
static void a_packing_is_stable(void **state) {
  (void)state;
  dem_system *s = packing();
  double x[3 * GRAINS], part = 0.95;
  const dem_advice a = advised(s);
  ASSERT_OK(s, dem_system_get_field(s, DEM_POSITION, GRAINS, NULL, x, 0));
  assert_true(a.contacts > 2.5 * GRAINS);
  const double rest = unrest(s, x, a.stable_dt, 0.5);
  ASSERT_BELOW(unrest(s, x, a.stable_dt, 1), 10 * rest);
  for (; part < 2.5 && unrest(s, x, a.stable_dt, part) < 1e3 * rest;) part += 0.05;
  print_message("# %.1f contacts a grain: unstable at %.2f of the bound; speed at half of it %.2g\n",
                2.0 * (double)a.contacts / GRAINS, part, rest);
  assert_true(part > 1 && part < 2);
  dem_system_destroy(s);
}

/* ---- bonds ---- */

/* Bonds pull as well: a chain of harmonic bonds has 4 k/m. */
static void bonds_add_up(void **state) {
  (void)state;
  dem_law_options law;
  dem_bond_type type;
  dem_bond bonds[4];
  dem_id ids[5];
  rows r;
  advised_hooke(&law, 1e4);
  dem_system *s = advised_system(&law, 0, 1e-4);
  assert_int_equal(rows_create(&r, 5), 0);
  for (int k = 0; k < 5; k++) rows_put(&r, 2.2 * RADIUS * k, 0, 0, RADIUS);
  ASSERT_OK(s, rows_add(&r, s, ids));
  rows_destroy(&r);
  memset(bonds, 0, sizeof bonds);
  dem_bond_type_init(&type, sizeof type);
  type.model = DEM_BOND_HARMONIC;
  type.stiffness = 1e4;
  ASSERT_OK(s, dem_system_add_bond_type(s, &type, NULL));
  for (int k = 0; k < 4; k++) bonds[k].i = ids[k], bonds[k].j = ids[k + 1];
  ASSERT_OK(s, dem_system_add_bonds(s, 4, bonds, sizeof *bonds, NULL));
  ASSERT_REL(advised(s).stable_dt, 2 / sqrt(4 * 1e4 / MASS), 1e-12);
  dem_system_destroy(s);
}

/* ---- fluid in gaps ---- */

/* Lubrication is a dashpot c = 6 pi eta a^2/h, strongest at the inner cut-off h = inner 2a. The relative velocity of two particles decays as
 * v' = -(c/m*) v,
 * which explicit steps bear up to a step of 2 m* / c. */
static void a_fluid_in_the_gap_limits_the_step(void **state) {
  (void)state;
  const double eta = 0.7, inner = 0.01, a = 0.5 * RADIUS, c = 6 * 3.14159265358979323846 * eta * a / (2 * inner);
  dem_law_options law;
  rows r;
  advised_hooke(&law, 1e4);
  law.viscosity = eta;
  law.lubrication_inner = inner;
  dem_system *s = advised_system(&law, 0, 1e-6);
  assert_int_equal(rows_create(&r, 2), 0);
  for (int k = 0; k < 2; k++) rows_put(&r, (2 * RADIUS + 0.1 * a) * k, 0, 0, RADIUS);
  rows_velocity(&r, 1, -1e-3, 0, 0);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  ASSERT_REL(advised(s).stable_dt, 2 * (0.5 * MASS) / c, 1e-12);
  dem_system_destroy(s);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(a_chain_has_its_highest_frequency),
      TEST(a_grain_between_two_walls),
      TEST(a_damped_grain_between_two_walls),
      TEST(many_contacts_are_borne),
      TEST(grains_on_a_light_wall),
      TEST(a_frozen_sphere_bears_anything),
      TEST(a_tangential_spring_limits_the_step),
      TEST(large_among_small),
      TEST(a_packing_is_stable),
      TEST(bonds_add_up),
      TEST(a_fluid_in_the_gap_limits_the_step),
  };
  return cmocka_run_group_tests_name("advice_stability", tests, NULL, NULL);
}
