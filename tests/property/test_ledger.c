/* The energy books close: work of a force class in a kick is F.(v + v')/2 dt exactly, so the sum of all
 * accounts is the change of kinetic energy but for round-off. The project's figure is 1e-12 of the largest account after
 * 10,000 steps: each step rounds each body's terms once, 1.1e-16 of them, and compensated sums add nothing of their own; over
 * 10,000 steps even a systematic rounding stays at 1.1e-12 of the work done, a random one at 1e-14. */
#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"
#include "scenes/world.h"
#include "series.h"

static const double BOUND = 1e-12; /* also that of world_assert_closed */

/* Attraction stores less than nothing. */
static void assert_signs(const dem_energy *e, int adhesive) {
  assert_true(e->kinetic_linear >= 0 && e->kinetic_angular >= 0);
  for (int k = 0; k < 2; k++) {
    assert_true(e->sliding[k] >= 0);
    assert_true((adhesive || e->potential_normal[k] >= 0) && e->potential_tangential[k] >= 0);
  }
}

static void print_books(const char *what, const dem_energy *e) {
  print_message("# %s: residual %.1e of the largest account %.3g\n", what, e->residual_relative, e->largest);
}

/* ---- every scene, both integrators ---- */

static void check_scene(const scene *s, const char *integrator, double drag, int64_t steps) {
  const scene_setup setup = {.integrator = integrator, .ledger = 1, .drag = drag};
  char what[96];
  world r;
  world_open_scene(&r, s->name, &setup);
  ASSERT_OK(r.system, scene_run(s, r.system, steps));
  const dem_energy e = world_energy(&r);
  snprintf(what, sizeof what, "%s, %s, drag %g, %d steps", s->name, integrator, drag, (int)steps);
  print_books(what, &e);
  assert_true(e.largest > 0);
  /* Particles added at the start came as host work. */
  energy_assert_closed(&e, BOUND, what);
  assert_signs(&e, strcmp(s->name, "powder") == 0);
  world_close(&r);
}

static void every_scene_closes(void **state) {
  (void)state;
  for (int i = 0; i < scene_count; i++) {
    check_scene(&scenes[i], "velocity-verlet", 0, scenes[i].steps);
    check_scene(&scenes[i], "euler", 0.5, scenes[i].steps);
  }
}

static void settling_closes_over_10000_steps(void **state) {
  (void)state;
  check_scene(scene_find("settling"), "velocity-verlet", 0, 10000);
  check_scene(scene_find("settling"), "euler", 0, 10000);
  check_scene(scene_find("busy"), "velocity-verlet", 0.5, 10000);
  check_scene(scene_find("hertz-bed"), "velocity-verlet", 0, 10000);
  check_scene(scene_find("powder"), "velocity-verlet", 0, 10000);
  check_scene(scene_find("powder"), "euler", 0, 10000);
}

/* ---- every combination of law parts ---- */

/* Pushes the grains together and into two walls, so that all is in contact from the start. */
static void squeeze(dem_system *s) {
  snapshot now;
  snapshot_take(&now, s);
  for (int64_t i = 0; i < 3 * now.count; i++) now.x[i] *= 0.88;
  ASSERT_OK(s, dem_system_set_field(s, DEM_POSITION, now.count, NULL, now.x, 0));
  snapshot_free(&now);
}

/* 24 grains of two materials between walls, squeezed, so that they fly apart, roll, slide and fall back. */
static void check_law_at(const dem_law_options *law, const char *name, const char *integrator, int32_t arms) {
  const scene_setup setup = {
      .particles = 24, .integrator = integrator, .law = law, .ledger = 1 + (arms > 0), .drag = 0.2, .arms = arms};
  world r;
  world_open_scene(&r, "two-materials", &setup);
  squeeze(r.system);
  ASSERT_OK(r.system, dem_system_step(r.system, 1200));
  const dem_energy e = world_energy(&r);
  if (!(e.residual_relative <= BOUND) || !e.elastic_normal[0] || !e.elastic_normal[1]) print_books(name, &e);
  energy_assert_closed(&e, BOUND, name);
  assert_signs(&e, law->surface_energy > 0 || law->cohesion_energy_density > 0);
  assert_true(e.elastic_normal[0] != 0 && e.elastic_normal[1] != 0); /* both kinds touched */
  if (law->damping) assert_true(e.damping_normal[0] > 0 && e.damping_normal[1] > 0);
  if (law->tangential) assert_true(e.sliding[0] > 0);
  for (int walls = 0; walls < 2; walls++) {
    assert_true((e.rolling[walls] != 0) == (law->rolling != 0) && (e.twisting[walls] != 0) == (law->twisting != 0));
    assert_true(e.rolling[walls] >= 0 && e.twisting[walls] >= 0);
  }
  world_close(&r);
}

static void check_law(const dem_law_options *law, const char *name, const char *integrator) {
  check_law_at(law, name, integrator, DEM_ARMS_CONSERVING);
}

static void every_combination(const char *integrator) {
  dem_law_options law;
  char name[96];
  int checked = 0;
  for (int i = 0; law_combination(i, &law, name); i++) {
    if (!law_has_meaning(&law)) continue;
    if (series_takes(i)) check_law(&law, name, integrator);
    checked++;
  }
  print_message("# %s: %d combinations\n", integrator, checked);
  assert_int_equal(checked, 300 + 162);
}

static void every_law_closes_velocity_verlet(void **state) {
  (void)state;
  every_combination("velocity-verlet");
}

static void every_law_closes_euler(void **state) {
  (void)state;
  every_combination("euler");
}

/* Every pair of rolling and twisting parts, beside springs and Mindlin. */
static void rolling_and_twisting_close(void **state) {
  (void)state;
  static const char *const integrators[] = {"euler", "velocity-verlet", "improved-velocity-verlet"};
  for (int kind = 0; kind < 9 * 2 * 3; kind++) {
    dem_law_options law;
    char name[96];
    const int hertz = kind / 9 % 2;
    (hertz ? scene_hertz : scene_hooke)(&law);
    scene_add_rolling(&law, kind % 3, kind / 3 % 3);
    snprintf(name, sizeof name, "%s, rolling %d, twisting %d", hertz ? "hertz" : "hooke", law.rolling, law.twisting);
    check_law(&law, name, integrators[kind / 18]);
  }
}

static void joint_laws_close(void **state) {
  (void)state;
  static const char *const integrators[] = {"euler", "velocity-verlet", "improved-velocity-verlet"};
  dem_law_options law;
  const char *name;
  for (int k = 0; (name = scene_joint(k / 3, &law)) != NULL; k++) check_law(&law, name, integrators[k % 3]);
}

/* The forms that other codes have, and arms that differ between velocity and torque: of that mismatch `numerical` tells, the books
 * close. */
static void peer_forms_close(void **state) {
  (void)state;
  static const char *const integrators[] = {"euler", "velocity-verlet", "improved-velocity-verlet"};
  dem_law_options law;
  char name[96];
  for (int k = 0; law_peer_form(k, &law, name); k++)
    if (series_takes(k)) check_law_at(&law, name, integrators[k % 3], k % 2 ? DEM_ARMS_MIXED : DEM_ARMS_RADIUS);
}

/* -f_t.(d/2 (w_i + w_j) x n): what the arms R of the velocity make of the power beyond the arms R - d/2 of the torques. */
static double mismatch(dem_system *s) {
  dem_contact c;
  int64_t count;
  double w[6], power = 0;
  ASSERT_OK(s, dem_system_contact_count(s, &count));
  if (count == 0) return 0;
  ASSERT_OK(s, dem_system_contacts(s, 1, &c, sizeof c));
  ASSERT_OK(s, dem_system_get_field(s, DEM_SPIN, 2, NULL, w, 0));
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, d = (a + 2) % 3;
    power -= c.force[a] * 0.5 * c.overlap * ((w[b] + w[3 + b]) * c.normal[d] - (w[d] + w[3 + d]) * c.normal[b]);
  }
  return power;
}

/* Two spinning spheres that meet and stick, with or without a tangential dashpot. */
static void open_spinning(world *pair, int32_t arms, int damped, double dt) {
  world_options o = world_defaults();
  rows r;
  dem_law_options_init(&o.law, sizeof o.law);
  o.law.normal_stiffness = 1e4;
  o.law.friction = 100;
  o.law.tangential_damping = damped ? DEM_DAMPING_COEFFICIENT : DEM_DAMPING_NONE;
  o.law.shear_damping = 20;
  o.system.dt = dt;
  o.system.arms = arms;
  world_open(pair, &o);
  assert_int_equal(rows_create(&r, 2), 0);
  rows_velocity(&r, rows_put(&r, 0, 0, 0.5, 0.5), 1, 0, -1);
  rows_put(&r, 0, 0, -0.5001, 0.5);
  rows_spin(&r, 0, 0, 3, 0);
  rows_spin(&r, 1, 0, 5, 0);
  world_add_rows(pair, &r, NULL);
}

/* With arms that agree `numerical` falls with the step, with mixed ones it goes to the time integral of the mismatch, that of the
 * dashpot included: its own account is the heat that it makes. */
static void mixed_arms_mismatch_is_numerical(void **state) {
  (void)state;
  const double dt = 5e-7; /* a dashpot's error is of first order: 1e-2 of the mismatch at 1e-6 */
  for (int k = 0; k < 6; k++) {
    const int32_t arms = k % 3;
    world pair;
    open_spinning(&pair, arms, k / 3, dt);
    double integral = 0;
    for (int step = 0; step < 50000; step++) {
      ASSERT_OK(pair.system, dem_system_step(pair.system, 1));
      integral += dt * mismatch(pair.system);
    }
    const dem_energy e = world_energy(&pair);
    print_message("# arms %d, damped %d: numerical %.3e, mismatch %.3e, heat of the dashpot %.3e\n", (int)arms, k / 3,
                  e.numerical[0], integral, e.damping_tangential[0]);
    energy_assert_closed(&e, BOUND, "arms");
    assert_true(fabs(integral) > 1e-3 && e.potential_normal[0] == 0);
    ASSERT_ABS(e.numerical[0], arms == DEM_ARMS_MIXED ? integral : 0, 1e-2 * fabs(integral));
    world_close(&pair);
  }
}

/* ---- single accounts against what they must be ---- */

/* Free fall: gravity takes m g h, nothing else moves. */
static void gravity_account(void **state) {
  (void)state;
  const scene_setup setup = {.ledger = 1};
  world r;
  world_open_scene(&r, "oblique", &setup);
  const double g[3] = {0, 0, 10}, start[3] = {0, 0, 5}, rest[3] = {0, 0, 0};
  double x[3];
  ASSERT_OK(r.system, dem_system_set_gravity(r.system, g));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_POSITION, 1, NULL, start, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_VELOCITY, 1, NULL, rest, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_SPIN, 1, NULL, rest, 0));
  const dem_energy before = world_energy(&r);
  ASSERT_ABS(before.kinetic_linear, 0, 0);
  ASSERT_ABS(before.host, 0, 1e-15); /* came with v, lost it again */
  ASSERT_OK(r.system, dem_system_step(r.system, 1000));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_POSITION, 1, NULL, x, 0));
  const dem_energy e = world_energy(&r);
  /* 1000 roundings of numbers of this size. */
  ASSERT_REL(e.gravity, -10 * (x[2] - 5), 1000 * 2.2e-16 * 100);
  ASSERT_REL(e.kinetic_linear, -e.gravity, 1000 * 2.2e-16);
  energy_assert_closed(&e, BOUND, "gravity account");
  world_close(&r);
}

/* Drag alone: what the body loses the drag account gains. */
static void drag_account(void **state) {
  (void)state;
  const scene_setup setup = {.ledger = 1, .drag = 3};
  world r;
  world_open_scene(&r, "oblique", &setup);
  const double up[3] = {1, 2, 3}, spin[3] = {4, 5, 6};
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_VELOCITY, 1, NULL, up, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_SPIN, 1, NULL, spin, 0));
  const dem_energy before = world_energy(&r);
  ASSERT_OK(r.system, dem_system_step(r.system, 2000));
  const dem_energy e = world_energy(&r);
  const double lost = before.kinetic_linear + before.kinetic_angular - e.kinetic_linear - e.kinetic_angular;
  ASSERT_REL(e.drag, lost, 1e-12);
  /* exp(-2 gamma t) of the energy is left; the dashpot sees the velocity half a step back: first order in gamma dt = 3e-4. */
  ASSERT_REL(e.kinetic_linear, 7 * exp(-2 * 3 * 0.2), 3 * 0.2 * 3e-4 * 2);
  world_close(&r);
}

/* Host work: force times path, torque times angle; and what set, freeze, add and remove bring. */
static void host_account(void **state) {
  (void)state;
  const scene_setup setup = {.ledger = 1};
  world r;
  world_open_scene(&r, "oblique", &setup);
  const double start[3] = {0, 0, 5}, rest[3] = {0, 0, 0}, force[3] = {3, 0, 1}, torque[3] = {0, 0.2, 0};
  double x[3], w[3];
  dem_id id;
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_POSITION, 1, NULL, start, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_VELOCITY, 1, NULL, rest, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_SPIN, 1, NULL, rest, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_HOST_FORCE, 1, NULL, force, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_HOST_TORQUE, 1, NULL, torque, 0));
  ASSERT_OK(r.system, dem_system_step(r.system, 1000));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_POSITION, 1, NULL, x, 0));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_SPIN, 1, NULL, w, 0));
  dem_energy e = world_energy(&r);
  /* Constant torque: work = I w^2/2. */
  ASSERT_REL(e.host, 3 * x[0] + (x[2] - 5) + 0.1 * w[1] * w[1] / 2, 1e-12);
  energy_assert_closed(&e, BOUND, "host account");
  /* Freezing takes the kinetic energy away; removing a resting body changes nothing. */
  ASSERT_OK(r.system, dem_system_ids(r.system, 1, &id));
  ASSERT_OK(r.system, dem_system_set_frozen(r.system, 1, &id, 1));
  e = world_energy(&r);
  ASSERT_ABS(e.host, 0, 1e-14);
  energy_assert_closed(&e, BOUND, "host account");
  ASSERT_OK(r.system, dem_system_remove_particles(r.system, 1, &id));
  e = world_energy(&r);
  ASSERT_ABS(e.host, 0, 1e-14);
  world_close(&r);
}

/* The largest value counts also where nobody read the account at that time: a sphere at rest is given a velocity and
 * stopped again. */
static void the_largest_value_is_remembered(void **state) {
  (void)state;
  const scene_setup setup = {.ledger = 1};
  world r;
  world_open_scene(&r, "oblique", &setup);
  const double rest[3] = {0, 0, 0}, fast[3] = {2, 4, 2 * sqrt(2)};
  dem_id id;
  double mass;
  ASSERT_OK(r.system, dem_system_ids(r.system, 1, &id));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_MASS, 1, &id, &mass, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_VELOCITY, 1, &id, rest, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_SPIN, 1, &id, rest, 0));
  const double before = world_energy(&r).host;
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_VELOCITY, 1, &id, fast, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_VELOCITY, 1, &id, rest, 0));
  const dem_energy e = world_energy(&r);
  ASSERT_REL(e.host, before, 1e-12);
  assert_true(e.largest >= 0.5 * mass * 28 * (1 - 1e-12));
  world_close(&r);
}

/* An elastic impact: at the deepest point the normal spring holds what the motion lost; account and state value agree to the
 * order of the scheme, (dt w)^2 with w dt = sqrt(2e5) 1e-4. */
static void elastic_account(void **state) {
  (void)state;
  dem_law_options law;
  scene_hooke(&law);
  law.damping = law.tangential_damping = DEM_DAMPING_NONE;
  const scene_setup setup = {.ledger = 1, .law = &law};
  world r;
  world_open_scene(&r, "impact", &setup);
  double deepest = 0;
  for (int i = 0; i < 90; i++) {
    ASSERT_OK(r.system, dem_system_step(r.system, 1));
    const dem_energy e = world_energy(&r);
    energy_assert_closed(&e, BOUND, "elastic account");
    deepest = fmax(deepest, e.potential_normal[0]);
    ASSERT_ABS(e.elastic_normal[0], e.potential_normal[0], 0.25 * 2e5 * 1e-8);
    assert_true(e.elastic_normal[1] == 0 && e.sliding[0] == 0 && e.damping_normal[0] == 0);
  }
  ASSERT_REL(deepest, 0.25, 2e5 * 1e-8);
  world_close(&r);
}

/* Frictional sliding of a sphere pressed to the floor: heat = friction times slip path; dashpots are a small part. */
static void sliding_account(void **state) {
  (void)state;
  dem_law_options law;
  scene_hooke(&law);
  law.damping = law.tangential_damping = DEM_DAMPING_NONE;
  law.friction = 0.2;
  const scene_setup setup = {.ledger = 1, .law = &law};
  world r;
  world_open_scene(&r, "oblique", &setup);
  const double g[3] = {0, 0, -10}, start[3] = {0, 0, 0.5 - 1e-4}, speed[3] = {2, 0, 0}, rest[3] = {0, 0, 0};
  double v[3], w[3];
  ASSERT_OK(r.system, dem_system_set_gravity(r.system, g));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_POSITION, 1, NULL, start, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_VELOCITY, 1, NULL, speed, 0));
  ASSERT_OK(r.system, dem_system_set_field(r.system, DEM_SPIN, 1, NULL, rest, 0));
  ASSERT_OK(r.system, dem_system_step(r.system, 1000)); /* t = 0.1; rolling would begin at 2 u0/(7 mu g) = 0.286 */
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_VELOCITY, 1, NULL, v, 0));
  ASSERT_OK(r.system, dem_system_get_field(r.system, DEM_SPIN, 1, NULL, w, 0));
  const dem_energy e = world_energy(&r);
  ASSERT_ABS(v[0], 2 - 0.2 * 10 * 0.1, 2e-3); /* but for winding up the spring: mu f_n/k_t over v = 4e-5 of time 1e-1 */
  /* Heat: lost kinetic energy less what the spring holds, mu^2 N^2/(2 k_t) = 7e-5. */
  const double lost = 2 - v[0] * v[0] / 2 - 0.1 * w[1] * w[1] / 2;
  ASSERT_ABS(e.sliding[1], lost, 1e-3);
  assert_true(e.sliding[0] == 0);
  energy_assert_closed(&e, BOUND, "sliding account");
  world_close(&r);
}

/* Without a ledger only the state values are there. */
static void books_closed(void **state) {
  (void)state;
  world on, off;
  const scene_setup with = {.ledger = 1};
  world_open_scene(&on, "settling", &with);
  world_open_scene(&off, "settling", NULL);
  ASSERT_OK(on.system, dem_system_step(on.system, 1500));
  ASSERT_OK(off.system, dem_system_step(off.system, 1500));
  const dem_energy a = world_energy(&on), b = world_energy(&off);
  ASSERT_BITS(&a.kinetic_linear, &b.kinetic_linear, 2 * sizeof(double));
  ASSERT_BITS(a.potential_normal, b.potential_normal, 4 * sizeof(double));
  assert_true(b.gravity == 0 && b.host == 0 && b.residual == 0 && b.sliding[0] == 0 && b.elastic_normal[0] == 0);
  world_close(&on);
  world_close(&off);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_scene_closes),
      cmocka_unit_test(settling_closes_over_10000_steps),
      cmocka_unit_test(every_law_closes_velocity_verlet),
      cmocka_unit_test(rolling_and_twisting_close),
      cmocka_unit_test(joint_laws_close),
      cmocka_unit_test(peer_forms_close),
      cmocka_unit_test(mixed_arms_mismatch_is_numerical),
      cmocka_unit_test(every_law_closes_euler),
      cmocka_unit_test(gravity_account),
      cmocka_unit_test(drag_account),
      cmocka_unit_test(host_account),
      cmocka_unit_test(the_largest_value_is_remembered),
      cmocka_unit_test(elastic_account),
      cmocka_unit_test(sliding_account),
      cmocka_unit_test(books_closed),
  };
  return cmocka_run_group_tests_name("ledger", tests, NULL, NULL);
}
