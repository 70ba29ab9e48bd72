/* Advice of dem_system_advise on the pairs of a system, by built-in laws and by those of users; and requests that are refused. */
#include "assertions.h"

#include <dem/plugin/law.h>

#include "property/advised.h"
#include "scenes/context.h"
#include "scenes/scenes.h"

static const double RADIUS = 0.5, MASS = 1; /* of rows of density 6/pi */

/* Two spheres in x, the first's velocity given; ids in order of insertion. */
static dem_system *two(const dem_law_options *law, double young, double dt, double distance, double speed, dem_id ids[2]) {
  dem_system *s = advised_system(law, young, dt);
  rows r;
  assert_int_equal(rows_create(&r, 2), 0);
  rows_put(&r, 0, 0, 0, RADIUS);
  rows_velocity(&r, 0, speed, 0, 0);
  rows_put(&r, distance, 0, 0, RADIUS / 2);
  ASSERT_OK(s, rows_add(&r, s, ids));
  rows_destroy(&r);
  return s;
}

static void expect_pair(dem_id i, dem_id j, int32_t wall, const dem_id ids[2]) {
  assert_true((i == ids[0] && j == ids[1]) || (i == ids[1] && j == ids[0]));
  assert_int_equal(wall, -1);
}

static void an_approaching_pair_is_foreseen(void **state) {
  (void)state;
  dem_law_options o;
  dem_id ids[2];
  const double mass = MASS * (1.0 / 8) / (1 + 1.0 / 8), radius = RADIUS / 3;
  double d, t, y, g;
  assert_int_equal(dem_formula_effective_moduli(1e7, 0.3, 1e7, 0.3, &y, &g), DEM_OK);
  assert_int_equal(dem_formula_hertz_overlap(mass, radius, 3, y, &d), DEM_OK);
  assert_int_equal(dem_formula_hertz_contact_time(mass, radius, 3, y, &t), DEM_OK);
  advised_hertz(&o);
  dem_system *s = two(&o, 1e7, 1e-6, 1.5 * RADIUS + 0.001, 3, ids);
  dem_advice a = advised(s);
  assert_true(a.contacts == 0 && a.approaching == 1 && a.unknown == 0);
  assert_true(a.overlap == 0 && a.overlap_i == 0 && a.overlap_wall == -1);
  ASSERT_REL(a.impact, d / (RADIUS / 2), 1e-10);
  ASSERT_REL(a.contact_time, t, 1e-10);
  ASSERT_REL(a.dt, t / 50, 1e-10);
  ASSERT_REL(a.contact_steps, t / 1e-6, 1e-10);
  ASSERT_REL(a.stable_dt, 2 * sqrt(mass / (2 * y * sqrt(radius * d))), 1e-10);
  ASSERT_REL(a.speed, 3, 1e-15);
  ASSERT_REL(a.size_ratio, 0, 0);
  assert_true(isinf(a.critical_ratio) && a.ratio_materials[0] == -1 && a.frictions_unknown == 0);
  expect_pair(a.impact_i, a.impact_j, a.impact_wall, ids);
  expect_pair(a.contact_i, a.contact_j, a.contact_wall, ids);
  expect_pair(a.stable_i, a.stable_j, a.stable_wall, ids);
  /* On the way in, the overlap to expect stays: energy is conserved. */
  for (int k = 0; k < 20; k++) {
    ASSERT_OK(s, dem_system_step(s, 25));
    a = advised(s);
    if (a.contacts == 0) continue;
    ASSERT_REL(a.impact, d / (RADIUS / 2), 1e-5);
  }
  assert_true(a.contacts == 1 && a.overlap > 0);
  dem_system_destroy(s);
}

/* Going apart without touching: nothing is asked for. */
static void parting_pairs_ask_for_nothing(void **state) {
  (void)state;
  dem_law_options o;
  dem_id ids[2];
  advised_hooke(&o, 1e4);
  dem_system *s = two(&o, 0, 1e-4, 1.5 * RADIUS + 0.001, -1, ids);
  const dem_advice a = advised(s);
  assert_true(isinf(a.dt) && isinf(a.contact_time) && isinf(a.stable_dt) && a.contact_wall == -1 && a.contact_i == 0);
  assert_true(a.contacts == 0 && a.approaching == 0);
  dem_system_destroy(s);
}

static void a_wall_is_named(void **state) {
  (void)state;
  dem_law_options o;
  rows r;
  dem_id id;
  const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
  advised_hooke(&o, 1e4);
  dem_system *s = advised_system(&o, 0, 1e-4);
  ASSERT_OK(s, scene_add_plane(s, 0, origin, up));
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 0, 0, 0.9 * RADIUS, RADIUS);
  ASSERT_OK(s, rows_add(&r, s, &id));
  rows_destroy(&r);
  const dem_advice a = advised(s);
  ASSERT_REL(a.overlap, 0.1, 1e-12);
  assert_true(a.overlap_i == id && a.overlap_j == 0 && a.overlap_wall == 0);
  assert_true(a.contact_i == id && a.contact_j == 0 && a.contact_wall == 0);
  ASSERT_REL(a.contact_time, 3.14159265358979323846 * sqrt(MASS / 1e4), 1e-12);
  ASSERT_REL(a.stable_dt, 2 * sqrt(MASS / 1e4), 1e-12);
  dem_system_destroy(s);
}

/* The grain comes to the wall, the wall comes to the grain, or it turns about a point two lengths beside it: 3 is the speed that counts,
 * v sqrt(m/k) the overlap. */
static void a_wall_and_a_grain_approach(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++)
    for (int away = 0; away < 2; away++) {
      const double speed = away ? -3 : 3;
      dem_law_options o;
      dem_wall wall;
      rows r;
      advised_hooke(&o, 1e4);
      dem_system *s = advised_system(&o, 0, 1e-6);
      dem_wall_init(&wall, sizeof wall);
      wall.axis[2] = 1;
      wall.position[0] = -2;
      wall.motion = DEM_WALL_PRESCRIBED;
      if (k == 1) wall.velocity[2] = speed;
      if (k == 2) wall.spin[1] = -0.5 * speed;
      ASSERT_OK(s, dem_system_add_wall(s, &wall, NULL));
      assert_int_equal(rows_create(&r, 1), 0);
      rows_velocity(&r, rows_put(&r, 0, 0, RADIUS + 0.001, RADIUS), 0, 0, k == 0 ? -speed : 0);
      ASSERT_OK(s, rows_add(&r, s, NULL));
      rows_destroy(&r);
      const dem_advice a = advised(s);
      assert_int_equal(a.approaching, !away);
      if (!away) ASSERT_REL(a.impact, 3 * sqrt(MASS / 1e4) / RADIUS, 1e-10);
      dem_system_destroy(s);
    }
}

/* Its centre behind the wall: the overlap is more than the radius, and no spring is asked. */
static void behind_a_wall_is_told(void **state) {
  (void)state;
  dem_law_options o;
  rows r;
  dem_id id;
  const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
  advised_hooke(&o, 1e4);
  dem_system *s = advised_system(&o, 0, 1e-4);
  ASSERT_OK(s, scene_add_plane(s, 0, origin, up));
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 0, 0, -0.3 * RADIUS, RADIUS);
  ASSERT_OK(s, rows_add(&r, s, &id));
  rows_destroy(&r);
  const dem_advice a = advised(s);
  ASSERT_REL(a.overlap, 1.3, 1e-12);
  assert_true(a.overlap_i == id && a.overlap_wall == 0 && a.contacts == 1);
  dem_system_destroy(s);
}

/* A frozen sphere and a wall that is free to move along their common plane only: neither gives way, so there is no contact. */
static void what_cannot_give_way_is_no_contact(void **state) {
  (void)state;
  for (int32_t axis = 0; axis < 3; axis += 2) {
    dem_law_options o;
    dem_particles p;
    dem_wall w;
    const double x[3] = {0, 0, 0.9 * RADIUS}, radius = RADIUS, density = 1;
    const int32_t frozen = 1;
    advised_hooke(&o, 1e4);
    dem_system *s = advised_system(&o, 0, 1e-4);
    dem_wall_init(&w, sizeof w);
    w.shape = DEM_WALL_PLANE;
    w.axis[2] = 1;
    w.motion = DEM_WALL_FREE;
    w.mass = 2;
    w.free_axis[axis] = 1;
    ASSERT_OK(s, dem_system_add_wall(s, &w, NULL));
    dem_particles_init(&p, sizeof p);
    p.count = 1, p.position = x, p.radius = &radius, p.density = &density, p.frozen = &frozen;
    ASSERT_OK(s, dem_system_add_particles(s, &p, NULL));
    const dem_advice a = advised(s);
    assert_int_equal(a.contacts, axis == 2);
    if (axis == 2) ASSERT_REL(a.stable_dt, 2 * sqrt(2 / 1e4), 1e-12);
    if (axis == 0) assert_true(isinf(a.stable_dt) && isinf(a.contact_time) && a.overlap == 0);
    dem_system_destroy(s);
  }
}

/* ---- users' laws ---- */

typedef struct own {
  double stiffness, pull; /* f = k d - F */
} own;

static void linear_forces(const void *parameters, const dem_batch *b) {
  const double k = ((const own *)parameters)->stiffness, pull = ((const own *)parameters)->pull;
  for (int32_t q = 0; q < b->count; q++) {
    b->normal_elastic[q] = k * b->overlap[q] - pull;
    b->normal_damping[q] = 0;
  }
  if (b->normal_energy)
    for (int32_t q = 0; q < b->count; q++) b->normal_energy[q] = (0.5 * k * b->overlap[q] - pull) * b->overlap[q];
  if (b->normal_stiffness)
    for (int32_t q = 0; q < b->count; q++) b->normal_stiffness[q] = k, b->normal_viscosity[q] = 0;
}

static double linear_limit(const void *parameters, double mass, double radius, double speed) {
  (void)radius;
  (void)speed;
  return 2 * sqrt(mass / ((const own *)parameters)->stiffness);
}

static dem_advice advice_of(uint32_t capabilities, int limits, own k, double overlap, double speed) {
  const dem_law_part part = {.struct_size = sizeof part,
                             .contract = DEM_LAW_PART_CONTRACT,
                             .name = "linear",
                             .kind = DEM_PART_NORMAL,
                             .capabilities = capabilities,
                             .parameter_bytes = sizeof k,
                             .evaluate = linear_forces,
                             .stable_dt = limits ? linear_limit : NULL};
  const dem_law_piece piece = {sizeof(dem_law_piece), sizeof k, &part, &k};
  dem_law_options hooke;
  dem_law *law;
  dem_id ids[2];
  advised_hooke(&hooke, 1);
  assert_int_equal(dem_law_create_from_parts(context, 1, &piece, &law), DEM_OK);
  dem_system *s = two(&hooke, 0, 1e-6, 1.5 * RADIUS - overlap, speed, ids);
  ASSERT_OK(s, dem_system_set_law(s, 0, 0, law));
  dem_law_release(law);
  const dem_advice a = advised(s);
  dem_system_destroy(s);
  return a;
}

static dem_advice advice_of_own(uint32_t capabilities, int limits) {
  return advice_of(capabilities, limits, (own){1e4, 0}, 0.001, 2);
}

/* The more a part offers the more is known of it; what nothing is known of is counted. */
static void own_laws_are_asked(void **state) {
  (void)state;
  const double mass = MASS / 9, limit = 2 * sqrt(mass / 1e4);
  const double reached = sqrt(0.001 * 0.001 + 4 * mass / 1e4) / (RADIUS / 2);
  dem_advice a = advice_of_own(DEM_PART_ENERGY | DEM_PART_TANGENT, 0);
  ASSERT_REL(a.stable_dt, limit, 1e-12);
  ASSERT_REL(a.contact_time, 0.5 * 3.14159265358979323846 * limit, 1e-12);
  ASSERT_REL(a.impact, reached, 1e-9);
  assert_true(a.unknown == 0);
  a = advice_of_own(DEM_PART_TANGENT, 0);
  ASSERT_REL(a.stable_dt, limit, 1e-12);
  ASSERT_REL(a.contact_time, 0.5 * 3.14159265358979323846 * limit, 1e-12);
  a = advice_of_own(DEM_PART_ENERGY, 1);
  ASSERT_REL(a.stable_dt, limit, 1e-12);
  ASSERT_REL(a.impact, reached, 1e-9);
  a = advice_of_own(0, 1);
  ASSERT_REL(a.stable_dt, limit, 1e-12);
  a = advice_of_own(0, 0);
  assert_true(a.unknown == 1 && a.contacts == 1 && isinf(a.stable_dt));
  ASSERT_REL(a.overlap, 0.001 / (RADIUS / 2), 1e-9);
}

/* A spring that attracts first: where the motion really turns round, (F + sqrt(F^2 + 2 k E))/k with E = 1/2 m v^2 + U. */
static void springs_that_attract(void **state) {
  (void)state;
  const own law = {1e4, 20};
  const struct {
    double overlap, speed;
  } cases[] = {{-0.0001, 0.01}, {-0.0001, 5}, {0.0005, 0}, {0.0005, 0.01}, {0.003, 0}, {0.003, 1}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const double d = fmax(cases[k].overlap, 0), v = cases[k].speed, mass = MASS / 9;
    const double energy = 0.5 * mass * v * v + (0.5 * law.stiffness * d - law.pull) * d;
    const double turn = (law.pull + sqrt(law.pull * law.pull + 2 * law.stiffness * energy)) / law.stiffness;
    const int rests = d > 0 && v == 0 && law.stiffness * d > law.pull;
    const dem_advice a = advice_of(DEM_PART_ENERGY | DEM_PART_TANGENT, 0, law, cases[k].overlap, v);
    ASSERT_REL(a.impact, (rests ? d : turn) / (RADIUS / 2), 1e-6);
    ASSERT_REL(a.stable_dt, 2 * sqrt(mass / 1e4), 1e-12);
    assert_true(isfinite(a.contact_time) && a.unknown == 0);
  }
}

/* ---- what is refused ---- */

static void bad_requests_leave_the_struct(void **state) {
  (void)state;
  dem_advice a, before;
  dem_system *s = advised_chain();
  dem_advice_init(&a, sizeof a);
  ASSERT_REL(a.fraction, 0.02, 1e-15);
  const double bad[] = {0, -1, 1.5, NAN, INFINITY};
  for (int k = 0; k < 5; k++) {
    a.fraction = bad[k];
    memcpy(&before, &a, sizeof a);
    ASSERT_STATUS(s, dem_system_advise(s, &a), DEM_BAD_ARGUMENT);
    ASSERT_BITS(&a, &before, sizeof a);
  }
  a.struct_size = 4;
  ASSERT_STATUS(s, dem_system_advise(s, &a), DEM_BAD_STRUCT);
  ASSERT_STATUS(s, dem_system_advise(s, NULL), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_system_advise(NULL, &a), DEM_BAD_ARGUMENT);
  dem_system_destroy(s);
}

/* An empty system, and one whose integrator does not tell its stability. */
static void nothing_to_say(void **state) {
  (void)state;
  dem_law_options law;
  advised_hooke(&law, 1e4);
  dem_system *s = advised_system(&law, 0, 1e-4);
  dem_advice a = advised(s);
  assert_true(isinf(a.dt) && a.contacts == 0 && a.speed == 0);
  dem_system_destroy(s);
  s = advised_chain();
  ASSERT_OK(s, dem_system_set_integrator_name(s, "euler"));
  a = advised(s);
  assert_true(isinf(a.stable_dt) && isfinite(a.dt) && a.dt == a.fraction * a.contact_time);
  dem_system_destroy(s);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(an_approaching_pair_is_foreseen),
      TEST(parting_pairs_ask_for_nothing),
      TEST(a_wall_is_named),
      TEST(a_wall_and_a_grain_approach),
      TEST(behind_a_wall_is_told),
      TEST(what_cannot_give_way_is_no_contact),
      TEST(own_laws_are_asked),
      TEST(springs_that_attract),
      TEST(bad_requests_leave_the_struct),
      TEST(nothing_to_say),
  };
  return cmocka_run_group_tests_name("advice_pairs", tests, NULL, NULL);
}
