/* Advice with the simulation as judge: impacts reach the overlap, last the time and come back with the restitution that was asked
 * for; what dem_system_advise says of pairs; and whether a step at the stability limit holds and one above it does not. */
#include "assertions.h"

#include <dem/plugin/law.h>

#include "scenes/scenes.h"

static const double RADIUS = 0.5, MASS = 1; /* of rows of density 6/pi */

static dem_context *context;

/* ---- worlds ---- */

static dem_system *open_world(const dem_law_options *law, double young, double dt) {
  dem_system_options o;
  dem_material m;
  dem_system *s;
  dem_system_options_init(&o, sizeof o);
  o.dt = dt;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  dem_material_init(&m, sizeof m);
  m.young = young;
  m.poisson = 0.3;
  ASSERT_OK(s, dem_system_add_material(s, &m, NULL));
  ASSERT_OK(s, scene_set_law(context, s, 0, 0, law));
  return s;
}

static dem_advice advise(dem_system *s) {
  dem_advice a;
  assert_int_equal(dem_advice_init(&a, sizeof a), DEM_OK);
  ASSERT_OK(s, dem_system_advise(s, &a));
  return a;
}

static void hooke_law(dem_law_options *o, double stiffness) {
  dem_law_options_init(o, sizeof *o);
  o->normal_stiffness = stiffness;
  o->tangential = DEM_TANGENTIAL_NONE;
}

static void hertz_law(dem_law_options *o) {
  dem_law_options_init(o, sizeof *o);
  o->normal = DEM_NORMAL_HERTZ;
  o->tangential = DEM_TANGENTIAL_NONE;
}

/* ---- impacts ---- */

/* A law and a material that bring out the impact. */
static dem_system *world_of(const dem_impact *i, double dt) {
  dem_law_options o;
  double young = 0;
  dem_law_options_init(&o, sizeof o);
  o.normal = i->normal;
  o.tangential = DEM_TANGENTIAL_NONE;
  o.damping = i->damping;
  o.attraction = i->attraction;
  o.normal_damping = i->normal_damping;
  o.restitution = i->restitution;
  if (i->normal == DEM_NORMAL_HOOKE)
    o.normal_stiffness = i->stiffness;
  else
    assert_int_equal(dem_formula_material_young(i->stiffness, 0.3, &young), DEM_OK);
  return open_world(&o, young, dt);
}

typedef struct outcome {
  double overlap, time, rebound;
} outcome;

/* Two equal spheres, each at half the speed, until no force acts between them; the force begins and ends within a step. */
static outcome simulate_from(const dem_impact *i, int64_t steps, double phase) {
  const double dt = i->contact_time / (double)steps;
  dem_system *s = world_of(i, dt);
  rows r;
  outcome out = {0, 0, 0};
  double x[6], v[6], f[6];
  assert_int_equal(rows_create(&r, 2), 0);
  rows_put(&r, 0, 0, 0, RADIUS);
  rows_velocity(&r, 0, i->speed / 2, 0, 0);
  rows_put(&r, 2 * RADIUS + phase * i->speed * dt, 0, 0, RADIUS);
  rows_velocity(&r, 1, -i->speed / 2, 0, 0);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  for (int64_t k = 0; k < 3 * steps; k++) {
    ASSERT_OK(s, dem_system_step(s, 1));
    ASSERT_OK(s, dem_system_get_field(s, DEM_POSITION, 2, NULL, x, 0));
    ASSERT_OK(s, dem_system_get_field(s, DEM_FORCE, 2, NULL, f, 0));
    out.overlap = fmax(out.overlap, 2 * RADIUS - (x[3] - x[0]));
    if (f[0] == 0 && k > 2) break;
    out.time += dt;
  }
  ASSERT_OK(s, dem_system_get_field(s, DEM_VELOCITY, 2, NULL, v, 0));
  out.rebound = (v[3] - v[0]) / i->speed;
  dem_system_destroy(s);
  return out;
}

static outcome simulate(const dem_impact *i, int64_t steps) { return simulate_from(i, steps, 0.5); }

static dem_impact wanted(int32_t normal, int32_t damping, int32_t attraction) {
  dem_impact i;
  assert_int_equal(dem_impact_init(&i, sizeof i), DEM_OK);
  i.normal = normal;
  i.damping = damping;
  i.attraction = attraction;
  i.mass = MASS / 2;
  i.radius = RADIUS / 2;
  i.speed = 2;
  i.stiffness = 1e4;
  return i;
}

/* From "1 % of the radius at this speed, this restitution" to the numbers of a law, through the library and back. Damping and
 * stiffness are found in turn, as a given dashpot depends on both. */
static void advise_impact(dem_impact *i, double overlap, double rebound) {
  assert_int_equal(dem_impact_fit_stiffness(i, overlap), DEM_OK);
  for (int k = 0; k < 60 && i->damping != DEM_DAMPING_NONE; k++) {
    assert_int_equal(dem_impact_fit_damping(i, rebound), DEM_OK);
    assert_int_equal(dem_impact_fit_stiffness(i, overlap), DEM_OK);
  }
}

/* Tolerances: the end of an impact is met to a step, and the restitution's error goes with the step (doc/laws/damping.md), so at
 * 2000 steps 1e-3. */
static void judge(int32_t normal, int32_t damping, int32_t attraction, double rebound) {
  dem_impact i = wanted(normal, damping, attraction);
  const double overlap = 0.01 * RADIUS;
  advise_impact(&i, overlap, rebound);
  ASSERT_REL(i.overlap, overlap, 1e-7);
  ASSERT_REL(i.rebound, rebound, 1e-6);
  const outcome o = simulate(&i, 2000);
  ASSERT_REL(o.overlap, overlap, 1e-3);
  ASSERT_REL(o.time, i.contact_time, 2e-3);
  ASSERT_REL(o.rebound, rebound, 2e-3);
}

static void impacts_are_as_advised(void **state) {
  (void)state;
  static const double rebounds[] = {0.9, 0.8, 0.5};
  for (int32_t normal = DEM_NORMAL_HOOKE; normal <= DEM_NORMAL_HERTZ; normal++)
    for (int32_t attraction = 0; attraction < 2; attraction++) {
      judge(normal, DEM_DAMPING_NONE, attraction, 1);
      for (int32_t damping = DEM_DAMPING_COEFFICIENT; damping <= DEM_DAMPING_RESTITUTION_EXACT; damping++)
        for (int k = 0; k < 3; k++) judge(normal, damping, attraction, rebounds[k]);
    }
}

/* The scalar formulas say the same as the whole impact. */
static void hooke_like_hertz_takes_as_long(void **state) {
  (void)state;
  dem_impact hertz = wanted(DEM_NORMAL_HERTZ, DEM_DAMPING_NONE, 1), hooke = wanted(DEM_NORMAL_HOOKE, DEM_DAMPING_NONE, 1);
  hertz.stiffness = 3e6;
  assert_int_equal(dem_impact_predict(&hertz), DEM_OK);
  assert_int_equal(dem_formula_hooke_like_hertz(hertz.mass, hertz.radius, hertz.speed, hertz.stiffness, &hooke.stiffness),
                   DEM_OK);
  hooke.contact_time = hertz.contact_time;
  ASSERT_REL(simulate(&hooke, 2000).time, simulate(&hertz, 2000).time, 2e-3);
}

/* What a coarse step costs, which is why 1/15 of the contact time is warned of: largest error of a restitution of 0.8, over where
 * the step hits the first touch. The figures are those of doc/advice.md. */
static double restitution_error(int32_t normal, int64_t steps) {
  dem_impact i = wanted(normal, DEM_DAMPING_RESTITUTION, 1);
  double worst = 0;
  i.restitution = 0.8;
  assert_int_equal(dem_impact_fit_stiffness(&i, 0.001 * RADIUS), DEM_OK);
  for (int k = 0; k < 20; k++) worst = fmax(worst, fabs(simulate_from(&i, steps, (k + 0.5) / 20).rebound - 0.8) / 0.8);
  return worst;
}

static void coarse_steps_cost_restitution(void **state) {
  (void)state;
  ASSERT_ABS(restitution_error(DEM_NORMAL_HOOKE, 10), 0.044, 0.003);
  ASSERT_ABS(restitution_error(DEM_NORMAL_HOOKE, 15), 0.027, 0.002);
  ASSERT_ABS(restitution_error(DEM_NORMAL_HOOKE, 50), 0.008, 0.001);
  ASSERT_ABS(restitution_error(DEM_NORMAL_HERTZ, 15), 0.0115, 0.002);
  ASSERT_ABS(restitution_error(DEM_NORMAL_HERTZ, 50), 0.002, 0.001);
}

/* ---- pairs of a system ---- */

/* Two spheres in x, the first's velocity given; ids in order of insertion. */
static dem_system *two(const dem_law_options *law, double young, double dt, double distance, double speed, dem_id ids[2]) {
  dem_system *s = open_world(law, young, dt);
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
  hertz_law(&o);
  dem_system *s = two(&o, 1e7, 1e-6, 1.5 * RADIUS + 0.001, 3, ids);
  dem_advice a = advise(s);
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
    a = advise(s);
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
  hooke_law(&o, 1e4);
  dem_system *s = two(&o, 0, 1e-4, 1.5 * RADIUS + 0.001, -1, ids);
  const dem_advice a = advise(s);
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
  hooke_law(&o, 1e4);
  dem_system *s = open_world(&o, 0, 1e-4);
  ASSERT_OK(s, scene_add_plane(s, 0, origin, up));
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 0, 0, 0.9 * RADIUS, RADIUS);
  ASSERT_OK(s, rows_add(&r, s, &id));
  rows_destroy(&r);
  const dem_advice a = advise(s);
  ASSERT_REL(a.overlap, 0.1, 1e-12);
  assert_true(a.overlap_i == id && a.overlap_j == 0 && a.overlap_wall == 0);
  assert_true(a.contact_i == id && a.contact_j == 0 && a.contact_wall == 0);
  ASSERT_REL(a.contact_time, 3.14159265358979323846 * sqrt(MASS / 1e4), 1e-12);
  ASSERT_REL(a.stable_dt, 2 * sqrt(MASS / 1e4), 1e-12);
  dem_system_destroy(s);
}

/* Its centre behind the wall: the overlap is more than the radius, and no spring is asked. */
static void behind_a_wall_is_told(void **state) {
  (void)state;
  dem_law_options o;
  rows r;
  dem_id id;
  const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
  hooke_law(&o, 1e4);
  dem_system *s = open_world(&o, 0, 1e-4);
  ASSERT_OK(s, scene_add_plane(s, 0, origin, up));
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 0, 0, -0.3 * RADIUS, RADIUS);
  ASSERT_OK(s, rows_add(&r, s, &id));
  rows_destroy(&r);
  const dem_advice a = advise(s);
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
    hooke_law(&o, 1e4);
    dem_system *s = open_world(&o, 0, 1e-4);
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
    const dem_advice a = advise(s);
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
  hooke_law(&hooke, 1);
  assert_int_equal(dem_law_create_from_parts(context, 1, &piece, &law), DEM_OK);
  dem_system *s = two(&hooke, 0, 1e-6, 1.5 * RADIUS - overlap, speed, ids);
  ASSERT_OK(s, dem_system_set_law(s, 0, 0, law));
  dem_law_release(law);
  const dem_advice a = advise(s);
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

/* ---- stability ---- */

/* Kinetic energy after many steps of `part` of the limit over that at the start. */
static double growth(dem_system *s, double part, int64_t steps) {
  dem_statistics t;
  const double limit = advise(s).stable_dt;
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

enum { LINKS = 40 };

/* A periodic chain, compressed, with the highest mode excited: 4 k/m. */
static dem_system *chain(void) {
  dem_system_options o;
  dem_law_options law;
  dem_system *s;
  rows r;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  o.periodic[0] = 1;
  o.box_high[0] = LINKS * 1.98 * RADIUS;
  hooke_law(&law, 1e4);
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  ASSERT_OK(s, dem_system_add_material(s, NULL, NULL));
  ASSERT_OK(s, scene_set_law(context, s, 0, 0, &law));
  assert_int_equal(rows_create(&r, LINKS), 0);
  for (int k = 0; k < LINKS; k++)
    rows_velocity(&r, rows_put(&r, (k + 0.5) * 1.98 * RADIUS, 0, 0, RADIUS), k % 2 ? 1e-7 : -1e-7, 0, 0);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  return s;
}

static void a_chain_has_its_highest_frequency(void **state) {
  (void)state;
  dem_system *s = chain();
  const dem_advice a = advise(s);
  ASSERT_REL(a.stable_dt, 2 / sqrt(4 * 1e4 / MASS), 1e-12);
  assert_true(a.stable_i != 0 && a.stable_j == 0 && a.stable_wall == -1); /* a particle by all its contacts */
  assert_true(a.contacts == LINKS);
  dem_system_destroy(s);
  scan(chain);
}

/* A grain squeezed between two walls, or in a corner of four; 2 k/m either way. `damping` in units of 2 sqrt(k m). */
static dem_system *squeezed(int walls, double damping) {
  dem_law_options law;
  rows r;
  hooke_law(&law, 1e4);
  law.damping = damping > 0 ? DEM_DAMPING_COEFFICIENT : DEM_DAMPING_NONE;
  law.normal_damping = damping * 2 * sqrt(1e4 * MASS);
  dem_system *s = open_world(&law, 0, 1e-4);
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
  ASSERT_REL(advise(s).stable_dt, 2 / sqrt(2 * 1e4 / MASS), 1e-12);
  dem_system_destroy(s);
  scan(between_walls);
}

/* The dashpot sees the half-step velocity: 2 k/m dt^2 + 2 (2 c/m) dt = 4. */
static void a_damped_grain_between_two_walls(void **state) {
  (void)state;
  dem_system *s = between_sticky_walls();
  const double dt = advise(s).stable_dt, c = 0.3 * 2 * sqrt(1e4);
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
  const double dt = advise(s).stable_dt, real = 2 / sqrt(2 * 1e4 / MASS);
  ASSERT_REL(dt, real / sqrt(3), 1e-12);
  ASSERT_BELOW(growth(s, 0.99, 4000), 1e3);
  dem_system_destroy(s);
}

/* A sphere held to a wall by another, rolling against a stiff tangential spring: 3.5 k_t/m. */
static dem_system *rolling(void) {
  dem_law_options law;
  rows r;
  const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1}, gravity[3] = {0, 0, -100};
  hooke_law(&law, 1e4);
  law.tangential = DEM_TANGENTIAL_LINEAR;
  law.tangential_stiffness = 2e4;
  law.friction = 1e3;
  dem_system *s = open_world(&law, 0, 1e-4);
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
  ASSERT_REL(advise(s).stable_dt, 2 / sqrt(3.5 * 2e4 / MASS), 1e-12);
  dem_system_destroy(s);
  scan(rolling);
}

/* A large sphere among small ones that press on it from all sides, and are held by nothing: the sums of small and large. */
static dem_system *crowd(void) {
  dem_law_options law;
  rows r;
  hooke_law(&law, 1e4);
  dem_system *s = open_world(&law, 0, 1e-5);
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
  const double dt = advise(s).stable_dt;
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
  hooke_law(&law, 1e4);
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
  const dem_advice a = advise(s);
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

/* Bonds pull as well: a chain of harmonic bonds has 4 k/m. */
static void bonds_add_up(void **state) {
  (void)state;
  dem_law_options law;
  dem_bond_type type;
  dem_bond bonds[4];
  dem_id ids[5];
  rows r;
  hooke_law(&law, 1e4);
  dem_system *s = open_world(&law, 0, 1e-4);
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
  ASSERT_REL(advise(s).stable_dt, 2 / sqrt(4 * 1e4 / MASS), 1e-12);
  dem_system_destroy(s);
}

/* ---- what is refused ---- */

static void bad_requests_leave_the_struct(void **state) {
  (void)state;
  dem_advice a, before;
  dem_system *s = chain();
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
  hooke_law(&law, 1e4);
  dem_system *s = open_world(&law, 0, 1e-4);
  dem_advice a = advise(s);
  assert_true(isinf(a.dt) && a.contacts == 0 && a.speed == 0);
  dem_system_destroy(s);
  s = chain();
  ASSERT_OK(s, dem_system_set_integrator_name(s, "euler"));
  a = advise(s);
  assert_true(isinf(a.stable_dt) && isfinite(a.dt) && a.dt == a.fraction * a.contact_time);
  dem_system_destroy(s);
}

static int open_context(void **state) {
  (void)state;
  return dem_context_create(NULL, &context) != DEM_OK;
}

static int close_context(void **state) {
  (void)state;
  return dem_context_destroy(context) != DEM_OK;
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_context, close_context)
  const struct CMUnitTest tests[] = {
      TEST(impacts_are_as_advised),
      TEST(hooke_like_hertz_takes_as_long),
      TEST(coarse_steps_cost_restitution),
      TEST(an_approaching_pair_is_foreseen),
      TEST(parting_pairs_ask_for_nothing),
      TEST(a_wall_is_named),
      TEST(behind_a_wall_is_told),
      TEST(what_cannot_give_way_is_no_contact),
      TEST(own_laws_are_asked),
      TEST(springs_that_attract),
      TEST(a_chain_has_its_highest_frequency),
      TEST(a_grain_between_two_walls),
      TEST(a_damped_grain_between_two_walls),
      TEST(many_contacts_are_borne),
      TEST(a_tangential_spring_limits_the_step),
      TEST(large_among_small),
      TEST(a_packing_is_stable),
      TEST(bonds_add_up),
      TEST(bad_requests_leave_the_struct),
      TEST(nothing_to_say),
  };
  return cmocka_run_group_tests_name("advice", tests, NULL, NULL);
}
