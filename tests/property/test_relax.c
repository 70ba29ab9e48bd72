/* A system moves to the minimum of its energy; closed forms.
 *
 *   stack     n spheres on a plane under gravity: contact k below n - k of them is pressed by their weight w: overlap (n - k) w/k_n
 *   chain     n spheres that hang on bonds from a frozen one: bond k is stretched by what hangs below it, (n - k) w/k
 *   piston    a free wall with weight and force on a column: its place; servos with a force as target and with a pressure
 *   lattice   square and triangular lattices of discs under pressure, also unequal: the spacing */
#include "assertions.h"

#include "relaxed.h"
#include "scenes/world.h"

static const double K = 1e4; /* [force/length] */
static const double G = 10;

static world_options smooth(void) {
  world_options o = world_defaults();
  scene_smooth_hooke(&o.law);
  o.law.normal_stiffness = K;
  o.law.normal_damping = 0;
  o.system.gravity[2] = -G;
  return o;
}

static void add_floor(const world *w) {
  dem_wall floor_plane;
  dem_wall_init(&floor_plane, sizeof floor_plane);
  floor_plane.axis[2] = 1;
  world_add_wall(w, &floor_plane);
}

static double height_of(const world *w, dem_id id) {
  double x[3];
  world_read_one(w, id, DEM_POSITION, x);
  ASSERT_ABS(x[0], 0, 1e-12);
  ASSERT_ABS(x[1], 0, 1e-12);
  return x[2];
}

/* Spheres of radius 1/2 and mass 1 above each other, 1 apart but for a little; `gap` above the floor. */
static void put_column(const world *w, int count, double first, dem_id *ids) {
  for (int k = 0; k < count; k++) {
    const double x[3] = {0, 0, first + 0.999 * k}, v[3] = {0, 0, -0.1};
    ids[k] = world_add_sphere(w, 0.5, x, v, (double[3]){0, 0, 1});
  }
}

static void check_rest(const world *w, dem_id id) {
  static const double none[3] = {0, 0, 0};
  double v[3];
  world_read_one(w, id, DEM_VELOCITY, v);
  ASSERT_BITS(v, none, sizeof v);
  world_read_one(w, id, DEM_SPIN, v);
  ASSERT_BITS(v, none, sizeof v);
}

static void test_stack(void **state) {
  (void)state;
  for (int count = 1; count <= 3; count++) {
    const world_options o = smooth();
    world w;
    dem_id id[3];
    world_open(&w, &o);
    add_floor(&w);
    put_column(&w, count, 0.51, id);
    const dem_minimise_report r = relax_to(w.system, NULL, 1e-12);
    double z = -0.5;
    for (int k = 0; k < count; k++) {
      z += 1 - (count - k) * G / K;
      ASSERT_ABS(height_of(&w, id[k]), z, 1e-10);
      check_rest(&w, id[k]);
    }
    assert_int_equal(r.outer, 0);
    world_assert_closed(&w, "a stack at rest");
    world_close(&w);
  }
}

static void test_chain(void **state) {
  (void)state;
  enum { LINKS = 4 };
  for (int beam = 0; beam < 2; beam++) {
    const world_options o = smooth();
    world w;
    dem_id id[LINKS + 1];
    dem_bond_type type;
    world_open(&w, &o);
    id[0] = world_add_frozen(&w, 0.5, (double[3]){0, 0, 0});
    for (int k = 1; k <= LINKS; k++) id[k] = world_add_sphere(&w, 0.5, (double[3]){0, 0, -k}, NULL, NULL);
    dem_bond_type_init(&type, sizeof type);
    type.model = beam ? DEM_BOND_BEAM : DEM_BOND_HARMONIC;
    const double area = 3.14159265358979323846 * 0.25;
    if (beam)
      type.normal_stiffness = K / area, type.tangential_stiffness = K / area;
    else
      type.stiffness = K;
    int32_t index;
    int64_t made;
    ASSERT_OK(w.system, dem_system_add_bond_type(w.system, &type, &index));
    ASSERT_OK(w.system, dem_system_bond_neighbours(w.system, index, 0, 0, 1e-6, &made));
    assert_int_equal(made, LINKS);
    relax_to(w.system, NULL, 1e-12);
    double z = 0;
    for (int k = 1; k <= LINKS; k++) {
      z -= 1 + (LINKS + 1 - k) * G / K;
      ASSERT_ABS(height_of(&w, id[k]), z, 1e-9);
      check_rest(&w, id[k]);
    }
    world_close(&w);
  }
}

/* ---- walls ---- */

/* A plane over two spheres on a floor; what moves it is set by the caller. */
static int32_t open_press(world *w, dem_wall *plane, dem_id id[2]) {
  const world_options o = smooth();
  world_open(w, &o);
  add_floor(w);
  put_column(w, 2, 0.51, id);
  dem_wall_init(plane, sizeof *plane);
  plane->axis[2] = -1;
  plane->position[2] = 2.02;
  return 0;
}

static void check_press(const world *w, const dem_id id[2], int32_t wall, double load, double speed) {
  const dem_wall_state at = world_wall_state(w, wall);
  double z = 0.5 - (load + 2 * G) / K;
  ASSERT_ABS(height_of(w, id[0]), z, 1e-10);
  z += 1 - (load + G) / K;
  ASSERT_ABS(height_of(w, id[1]), z, 1e-10);
  ASSERT_ABS(at.position[2], z + 0.5 - load / K, 1e-10);
  ASSERT_ABS(at.velocity[2], 0, speed);
}

static void test_piston(void **state) {
  (void)state;
  world w;
  dem_wall plane;
  dem_id id[2];
  open_press(&w, &plane, id);
  plane.motion = DEM_WALL_FREE;
  plane.free_axis[2] = 1;
  plane.mass = 2;
  plane.velocity[2] = -0.3;
  plane.force[2] = -70;
  const int32_t wall = world_add_wall(&w, &plane);
  relax_to(w.system, NULL, 1e-12);
  check_press(&w, id, wall, 70 + 2 * G, 0);
  world_assert_closed(&w, "a piston at rest");
  ASSERT_OK(w.system, dem_system_step(w.system, 2000));
  check_press(&w, id, wall, 70 + 2 * G, 1e-11); /* a minimum is a state of rest of the dynamics */
  world_assert_closed(&w, "a piston that goes on resting");
  world_close(&w);
}

static void test_servo(void **state) {
  (void)state;
  for (int area = 0; area < 2; area++) {
    world w;
    dem_wall plane;
    dem_id id[2];
    open_press(&w, &plane, id);
    plane.motion = DEM_WALL_SERVO;
    plane.direction[2] = -1;
    plane.gain = 1e-4;
    plane.velocity_limit = 1;
    plane.target = area ? 30 : 90;
    plane.area = area ? 3 : 0;
    const int32_t wall = world_add_wall(&w, &plane);
    relax_to(w.system, NULL, 1e-12);
    check_press(&w, id, wall, 90, 0);
    world_close(&w);
  }
}

/* A disc between two fixed planes and two servos with the same pressure p, whose areas are the distances of the others:
 * K d = p (2 R - 2 d). */
static void test_pressure_of_servos(void **state) {
  (void)state;
  const double p = 0.02 * K;
  dem_system_options o = packing_options(2);
  const dem_law_options law = packing_spring(K);
  packing w = packing_open(&o, &law);
  int32_t id[4];
  rows r;
  for (int k = 0; k < 4; k++) {
    dem_wall plane;
    dem_wall_init(&plane, sizeof plane);
    plane.axis[k / 2] = k % 2 ? -1 : 1;
    plane.position[k / 2] = k % 2 ? 1 : 0;
    ASSERT_OK(w.system, dem_system_add_wall(w.system, &plane, &id[k]));
  }
  for (int k = 1; k < 4; k += 2) {
    dem_wall plane;
    dem_wall_init(&plane, sizeof plane);
    plane.motion = DEM_WALL_SERVO;
    plane.direction[k / 2] = -1;
    plane.target = p;
    plane.gain = 1e-6;
    plane.velocity_limit = 1;
    plane.area_walls = 2;
    plane.area_wall[0] = id[k == 1 ? 2 : 0];
    plane.area_wall[1] = id[k == 1 ? 3 : 1];
    ASSERT_OK(w.system, dem_system_set_wall_motion(w.system, id[k], &plane));
  }
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 0.49, 0.48, 0, 0.5);
  ASSERT_OK(w.system, rows_add(&r, w.system, NULL));
  rows_destroy(&r);
  const dem_minimise_report report = relax_to(w.system, NULL, 1e-12);
  const double d = p / (K + 2 * p);
  double x[3];
  ASSERT_OK(w.system, dem_system_get_field(w.system, DEM_POSITION, 1, NULL, x, 0));
  for (int k = 0; k < 2; k++) {
    dem_wall_state at;
    dem_wall_state_init(&at, sizeof at);
    ASSERT_OK(w.system, dem_system_wall_state(w.system, id[2 * k + 1], &at));
    ASSERT_ABS(x[k], 0.5 - d, 1e-9);
    ASSERT_ABS(at.position[k], 1 - 2 * d, 1e-9);
  }
  assert_true(report.outer > 0);
  packing_close(&w);
}

/* ---- lattices under stress ---- */

/* A square lattice of discs of diameter 1, spaced 0.995: chains along x and y that know nothing of each other. */
static packing open_square(int cells, int32_t threads) {
  dem_system_options o = packing_options(2);
  const dem_law_options law = packing_spring(K);
  rows r;
  o.threads = threads;
  for (int a = 0; a < 2; a++) o.periodic[a] = 1, o.box_high[a] = 0.995 * cells;
  packing w = packing_open(&o, &law);
  assert_int_equal(rows_create(&r, (int64_t)cells * cells), 0);
  for (int n = 0; n < cells * cells; n++) rows_put(&r, 0.995 * (n % cells), 0.995 * (0.5 + n / cells), 0, 0.5);
  ASSERT_OK(w.system, rows_add(&r, w.system, NULL));
  rows_destroy(&r);
  return w;
}

/* K (1 - a_x) = s_xx a_y, K (1 - a_y) = s_yy a_x. */
static void test_square_lattice(void **state) {
  (void)state;
  static const double stress[3][2] = {{0.03, 0.03}, {0.03, 0.01}, {0.002, 0.05}}; /* of K */
  for (int k = 0; k < 3; k++) {
    const double sx = stress[k][0], sy = stress[k][1], det = 1 - sx * sy;
    packing w = open_square(6, 1);
    dem_relax_options o = relax_options();
    for (int a = 0; a < 2; a++) o.box_free[a] = 1, o.stress[a] = K * stress[k][a];
    const dem_minimise_report r = relax_to(w.system, &o, 1e-12);
    ASSERT_ABS(box_length_of(w.system, 0) / 6, (1 - sx) / det, 1e-9);
    ASSERT_ABS(box_length_of(w.system, 1) / 6, (1 - sy) / det, 1e-9);
    assert_true(k == 0 ? r.outer == 0 : r.outer > 1);
    packing_close(&w);
  }
}

/* Triangular lattice of spacing a: p = sqrt(3) K (1 - a)/a. In 3 dimensions face-centred cubic: p = sqrt(2) 2 K (1 - a)/(a a). */
static void test_pressure(void **state) {
  (void)state;
  for (int coupled = 0; coupled < 2; coupled++) {
    packing w = lattice_open(HEXAGONAL, 0.99, 5, K, 1);
    dem_relax_options o = relax_options();
    const double p = 0.1 * K, a = sqrt(3) / (0.1 + sqrt(3));
    o.box_coupled = coupled;
    for (int k = 0; k < 2; k++) o.box_free[k] = 1, o.stress[k] = p;
    relax_to(w.system, &o, 1e-12);
    ASSERT_ABS(box_length_of(w.system, 0), 5 * a, 1e-9);
    ASSERT_ABS(box_length_of(w.system, 1), 5 * sqrt(3) * a, 1e-9);
    ASSERT_REL(statics_of(&w, NULL).pressure, p, 1e-9);
    packing_close(&w);
  }
  packing w = lattice_open(FACE_CENTRED, 0.99, 4, K, 1);
  dem_relax_options o = relax_options();
  o.box_coupled = 1;
  for (int k = 0; k < 3; k++) o.box_free[k] = 1, o.stress[k] = 0.1 * K;
  relax_to(w.system, &o, 1e-12);
  const double a = box_length_of(w.system, 0) / (4 * sqrt(2));
  ASSERT_REL(2 * sqrt(2) * (1 - a) / (a * a), 0.1, 1e-8);
  packing_close(&w);
}

/* A disordered packing whose box is free in all components, under a stress with shear. */
static void test_full_stress(void **state) {
  (void)state;
  const dem_law_options law = packing_spring(K);
  static const double stress[3] = {0.1, 0.105, 0.002}; /* of K */
  packing w = crowd_open(2, 12, 0.72, 1, &law, 0);
  dem_relax_options o = relax_options();
  for (int k = 0; k < 3; k++) {
    const int c = k == 2 ? DEM_BOX_XY : k;
    o.box_free[c] = 1;
    o.stress[c] = K * stress[k];
  }
  const dem_minimise_report r = relax_to(w.system, &o, 1e-9);
  const dem_statics s = statics_of(&w, NULL);
  ASSERT_ABS(s.stress[0], 0.1 * K, 1e-5 * K);
  ASSERT_ABS(s.stress[4], 0.105 * K, 1e-5 * K);
  ASSERT_ABS(s.stress[1], 0.002 * K, 1e-5 * K);
  ASSERT_ABS(s.stress[3], 0.002 * K, 1e-5 * K);
  assert_true(r.outer > 0);
  packing_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stack),
      cmocka_unit_test(test_chain),
      cmocka_unit_test(test_piston),
      cmocka_unit_test(test_servo),
      cmocka_unit_test(test_pressure_of_servos),
      cmocka_unit_test(test_square_lattice),
      cmocka_unit_test(test_pressure),
      cmocka_unit_test(test_full_stress),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
