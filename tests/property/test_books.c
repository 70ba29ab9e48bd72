/* The books in detail: shares by law, materials, wall and particle add up to the totals; stored energy that the host brings is
 * told from numerical dissipation; samples come when asked for; none of it changes a bit of the motion. */
#include "assertions.h"

#include <stdio.h>
#include <stdlib.h>

#include "scenes/context.h"
#include "scenes/listed_accounts.h"
#include "scenes/scenes.h"
#include "scenes/snapshot.h"

static dem_system *build(const char *name, const scene_setup *setup) {
  dem_system *system = NULL;
  assert_int_equal(scene_build(scene_find(name), context, setup, &system), DEM_OK);
  return system;
}

static dem_energy books(dem_system *system) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(system, dem_system_energy(system, &e));
  return e;
}

/* ---- shares ---- */

enum { ACCOUNTS = SHARED_ACCOUNTS };

static void pick(const dem_energy *e, double out[2 * ACCOUNTS]) {
  for (int k = 0; k < 2; k++) accounts_of_energy(e, k, out + ACCOUNTS * k);
}

static void add_share(const dem_energy_share *e, double out[2 * ACCOUNTS]) {
  double of[ACCOUNTS];
  for (int k = 0; k < 2; k++) {
    accounts_of_share(e, k, of);
    for (int i = 0; i < ACCOUNTS; i++) out[ACCOUNTS * k + i] += of[i];
  }
}

/* Sums of a few thousand terms in two different orders, neither compensated in the shares. */
static void assert_same_accounts(const double *a, const double *b, double largest) {
  for (int i = 0; i < 2 * ACCOUNTS; i++) ASSERT_ABS(a[i], b[i], 1e-12 * largest);
}

static void shares_add_up_to_the_totals(const char *integrator, int32_t hertz, int32_t arms) {
  dem_law_options law;
  (hertz ? scene_hertz : scene_hooke)(&law);
  const scene_setup setup = {.integrator = integrator, .law = &law, .ledger = 2, .arms = arms};
  dem_system *s = build("two-materials", &setup);
  double total[2 * ACCOUNTS], by_materials[2 * ACCOUNTS] = {0}, by_wall[2 * ACCOUNTS] = {0};
  for (int part = 0; part < 5; part++) ASSERT_OK(s, dem_system_step(s, 300)); /* through re-sorts and settlements */
  const dem_energy e = books(s);
  pick(&e, total);
  dem_energy_share share;
  dem_energy_share_init(&share, sizeof share);
  for (int32_t a = 0; a < 2; a++)
    for (int32_t b = a; b < 2; b++) {
      ASSERT_OK(s, dem_system_energy_of_materials(s, b, a, &share));
      add_share(&share, by_materials);
    }
  assert_same_accounts(total, by_materials, e.largest);
  double damping_at_walls = 0;
  for (int32_t wall = 0; dem_system_energy_of_wall(s, wall, &share) == DEM_OK; wall++) {
    add_share(&share, by_wall);
    damping_at_walls += share.damping_normal[1];
  }
  assert_true(damping_at_walls > 0);
  for (int i = 0; i < ACCOUNTS; i++) assert_true(by_wall[i] == 0);
  memcpy(by_wall, total, ACCOUNTS * sizeof *total);
  assert_same_accounts(total, by_wall, e.largest);
  dem_system_destroy(s);
}

static void shares_of_materials_and_walls(void **state) {
  (void)state;
  shares_add_up_to_the_totals("velocity-verlet", 0, DEM_ARMS_CONSERVING);
  shares_add_up_to_the_totals("velocity-verlet", 1, DEM_ARMS_CONSERVING);
  shares_add_up_to_the_totals("euler", 0, DEM_ARMS_CONSERVING);
  shares_add_up_to_the_totals("velocity-verlet", 0, DEM_ARMS_MIXED);
  shares_add_up_to_the_totals("euler", 1, DEM_ARMS_MIXED);
}

/* A law keeps its account after another has taken its place; both together are the total. */
static void shares_of_laws(void **state) {
  (void)state;
  const scene_setup setup = {.ledger = 2};
  dem_system *s = build("settling", &setup);
  dem_law_options options;
  dem_law *second, *first;
  scene_hooke(&options);
  assert_int_equal(scene_create_law(context, &options, &first), DEM_OK);
  options.friction = 0.1;
  assert_int_equal(scene_create_law(context, &options, &second), DEM_OK);
  ASSERT_OK(s, dem_system_set_law(s, 0, 0, first));
  ASSERT_OK(s, dem_system_step(s, 900));
  ASSERT_OK(s, dem_system_set_law(s, 0, 0, second));
  ASSERT_OK(s, dem_system_step(s, 600));
  const dem_energy e = books(s);
  double total[2 * ACCOUNTS], sum[2 * ACCOUNTS] = {0};
  pick(&e, total);
  dem_energy_share share;
  dem_energy_share_init(&share, sizeof share);
  ASSERT_OK(s, dem_system_energy_of_law(s, first, &share));
  assert_true(share.damping_normal[0] + share.damping_normal[1] > 0);
  add_share(&share, sum);
  ASSERT_OK(s, dem_system_energy_of_law(s, second, &share));
  assert_true(share.damping_normal[0] + share.damping_normal[1] > 0);
  add_share(&share, sum);
  assert_same_accounts(total, sum, e.largest);
  dem_law_release(first), dem_law_release(second);
  dem_system_destroy(s);
}

/* ---- angular ---- */

/* Spins change by torques only, so that their energy is what torques have worked: an identity like that of all accounts. */
static void torques_account_for_the_spins(void **state) {
  (void)state;
  static const char *const integrators[] = {"velocity-verlet", "euler"};
  for (int k = 0; k < 4; k++) {
    const scene_setup setup = {.integrator = integrators[k % 2], .ledger = 1 + k / 2};
    dem_system *s = build("settling", &setup);
    const dem_energy start = books(s);
    ASSERT_OK(s, dem_system_step(s, 1500));
    const dem_energy e = books(s);
    double left = e.kinetic_angular - start.kinetic_angular + e.torque_drag - e.torque_host;
    for (int walls = 0; walls < 2; walls++) left += e.torque_elastic[walls] + e.torque_damping[walls];
    assert_true(e.kinetic_angular > 0 && e.torque_elastic[0] != 0 && e.torque_elastic[1] != 0);
    ASSERT_ABS(left, 0, 1e-12 * e.largest);
    assert_int_equal(e.unstored, 0); /* all built-in parts tell what they store */
    dem_system_destroy(s);
  }
}

/* ---- heat of the particles ---- */

/* Half of each particle-particle loss goes to either side, of a wall contact half to the particle. */
static void heat_is_what_contacts_lost(void **state) {
  (void)state;
  const scene_setup setup = {.ledger = 2};
  dem_system *s = build("settling", &setup);
  ASSERT_OK(s, dem_system_step(s, 1500));
  int64_t count;
  ASSERT_OK(s, dem_system_particle_count(s, &count));
  double *heat = malloc((size_t)count * sizeof *heat), *classes = malloc((size_t)count * 8 * sizeof *classes), sum[8] = {0};
  ASSERT_OK(s, dem_system_get_field(s, DEM_HEAT, count, NULL, heat, 0));
  ASSERT_OK(s, dem_system_get_field(s, DEM_HEAT_CLASSES, count, NULL, classes, 0));
  double all = 0;
  for (int64_t i = 0; i < count; i++) {
    double mine = 0;
    for (int k = 0; k < 8; k++) mine += classes[8 * i + k], sum[k] += classes[8 * i + k];
    ASSERT_REL(mine, heat[i], 1e-15);
    all += heat[i];
  }
  const dem_energy e = books(s);
  assert_true(all > 0 && e.sliding[1] > 0);
  ASSERT_ABS(sum[0], e.damping_normal[0] + e.damping_normal[1] / 2, 1e-12 * e.largest);
  ASSERT_ABS(sum[1], e.damping_tangential[0] + e.damping_tangential[1] / 2, 1e-12 * e.largest);
  ASSERT_ABS(sum[2], e.sliding[0] + e.sliding[1] / 2, 1e-12 * e.largest);
  free(heat), free(classes);
  dem_system_destroy(s);
}

/* An id keeps its heat while others come and go; a new particle in an old place starts with none. */
static void heat_belongs_to_the_id(void **state) {
  (void)state;
  const scene_setup setup = {.ledger = 2};
  dem_system *s = build("settling", &setup);
  ASSERT_OK(s, dem_system_step(s, 1500));
  int64_t count;
  dem_id ids[4096], fresh;
  double before, after;
  ASSERT_OK(s, dem_system_particle_count(s, &count));
  ASSERT_OK(s, dem_system_ids(s, 4096, ids));
  ASSERT_OK(s, dem_system_get_field(s, DEM_HEAT, 1, &ids[count - 1], &before, 0));
  ASSERT_OK(s, dem_system_remove_particles(s, 1, &ids[0]));
  rows r;
  assert_int_equal(rows_create(&r, 1), 0);
  rows_put(&r, 0, 0, 100, 0.5);
  ASSERT_OK(s, rows_add(&r, s, &fresh));
  ASSERT_OK(s, dem_system_get_field(s, DEM_HEAT, 1, &ids[count - 1], &after, 0));
  assert_true(before == after);
  ASSERT_OK(s, dem_system_get_field(s, DEM_HEAT, 1, &fresh, &after, 0));
  assert_true(after == 0);
  ASSERT_STATUS(s, dem_system_get_field(s, DEM_HEAT, 1, &ids[0], &after, 0), DEM_NOT_FOUND);
  rows_destroy(&r);
  dem_system_destroy(s);
}

static void shares_need_the_ledger(void **state) {
  (void)state;
  const scene_setup setup = {.ledger = 1};
  dem_system *s = build("settling", &setup);
  dem_energy_share share;
  double heat;
  dem_id id;
  ASSERT_OK(s, dem_system_step(s, 1));
  dem_id ids[4096];
  ASSERT_OK(s, dem_system_ids(s, 4096, ids));
  id = ids[0];
  dem_energy_share_init(&share, sizeof share);
  ASSERT_STATUS(s, dem_system_energy_of_materials(s, 0, 0, &share), DEM_INCOMPLETE);
  assert_non_null(strstr(dem_system_message(s), "ledger 1, needed 2"));
  ASSERT_STATUS(s, dem_system_energy_of_wall(s, 0, &share), DEM_INCOMPLETE);
  ASSERT_STATUS(s, dem_system_get_field(s, DEM_HEAT, 1, &id, &heat, 0), DEM_INCOMPLETE);
  assert_non_null(strstr(dem_system_message(s), "ledger 1, needed 2"));
  dem_system_destroy(s);
}

/* ---- what the host brings ---- */

static dem_system *pair_of_spheres(double gap, double speed, dem_id ids[2]) {
  dem_system_options o;
  dem_system *s;
  dem_law_options law;
  rows r;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4, o.ledger = 1;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  ASSERT_OK(s, dem_system_add_material(s, NULL, NULL));
  scene_hooke(&law);
  law.damping = law.tangential_damping = DEM_DAMPING_NONE;
  assert_int_equal(scene_set_law(context, s, 0, 0, &law), DEM_OK);
  assert_int_equal(rows_create(&r, 2), 0);
  rows_put(&r, 0, 0, 0, 0.5);
  rows_put(&r, 1 + gap, 0, 0, 0.5);
  rows_velocity(&r, 0, speed, 0, 0);
  rows_velocity(&r, 1, -speed, 0, 0);
  ASSERT_OK(s, rows_add(&r, s, ids));
  rows_destroy(&r);
  return s;
}

/* Spheres put down overlapping bring k d^2/2, 1e5 (1e-2)^2/2 = 5; moved apart they take what is left; none of it is
 * numerical dissipation. */
static void stored_energy_that_the_host_brings(void **state) {
  (void)state;
  dem_id ids[2];
  dem_system *s = pair_of_spheres(-1e-2, 0, ids);
  ASSERT_OK(s, dem_system_step(s, 3));
  dem_energy e = books(s);
  ASSERT_REL(e.potential_host[0], 5, 1e-12);
  /* work of a linear spring by the trapezoid rule of the half kicks: exact to (w dt)^2 of it */
  ASSERT_ABS(e.numerical[0], 0, 2e5 * 1e-8 * 5);
  const double held = e.potential_normal[0], numerical = e.numerical[0];
  const double apart[6] = {0, 0, 0, 2, 0, 0};
  ASSERT_OK(s, dem_system_set_field(s, DEM_POSITION, 2, ids, apart, 0));
  e = books(s);
  ASSERT_ABS(e.potential_host[0], 5 - held, 1e-12);
  ASSERT_ABS(e.numerical[0], numerical, 1e-12);
  assert_true(e.potential_normal[0] == 0);
  ASSERT_BELOW(e.residual_relative, 1e-14);
  dem_system_destroy(s);
}

/* Removing a squeezed neighbour, changing the law, the radius: each change brings what the springs then hold. */
static void every_change_of_the_host_is_told_apart(void **state) {
  (void)state;
  dem_id ids[2];
  dem_system *s = pair_of_spheres(-1e-2, 0, ids);
  const double radius[2] = {0.51, 0.51};
  ASSERT_OK(s, dem_system_set_field(s, DEM_RADIUS, 2, ids, radius, 0)); /* overlap 0.03: 45 */
  dem_energy e = books(s);
  ASSERT_REL(e.potential_host[0], 45, 1e-12);
  dem_law_options law;
  scene_hooke(&law);
  law.normal_stiffness = 2e5;
  assert_int_equal(scene_set_law(context, s, 0, 0, &law), DEM_OK);
  e = books(s);
  ASSERT_REL(e.potential_host[0], 90, 1e-12);
  ASSERT_OK(s, dem_system_remove_particles(s, 1, ids));
  e = books(s);
  ASSERT_ABS(e.potential_host[0], 0, 1e-12);
  ASSERT_ABS(e.numerical[0], 0, 1e-12);
  dem_system_destroy(s);
}

/* An elastic head-on impact: what the elastic account holds after it is the numerical dissipation, and only that. */
static void numerical_is_the_rest_of_the_elastic_account(void **state) {
  (void)state;
  dem_id ids[2];
  dem_system *s = pair_of_spheres(1e-3, 1, ids);
  ASSERT_OK(s, dem_system_step(s, 400));
  const dem_energy e = books(s);
  assert_true(e.potential_normal[0] == 0 && e.potential_host[0] == 0);
  ASSERT_ABS(e.numerical[0], e.elastic_normal[0] + e.elastic_tangential[0], 1e-16);
  assert_true(e.numerical[0] != 0);
  ASSERT_ABS(e.numerical[0], 0, 2e5 * 1e-8); /* (w dt)^2 of the energy of 1 */
  dem_system_destroy(s);
}

/* ---- sampling ---- */

typedef struct series {
  int64_t step[64];
  double time[64], worst;
  int count, stop_at;
} series;

static int32_t keep(void *user, int64_t step, double time, const dem_energy *energy) {
  series *s = user;
  s->step[s->count] = step;
  s->time[s->count] = time;
  s->worst = fmax(s->worst, energy->residual_relative);
  return ++s->count == s->stop_at;
}

static void samples_come_when_asked_for(void **state) {
  (void)state;
  const scene_setup setup = {.ledger = 1};
  dem_system *s = build("settling", &setup);
  series found = {.count = 0};
  ASSERT_OK(s, dem_system_step(s, 7));
  ASSERT_STATUS(s, dem_system_set_energy_sampling(s, 0, keep, &found), DEM_BAD_ARGUMENT);
  ASSERT_OK(s, dem_system_set_energy_sampling(s, 100, keep, &found));
  ASSERT_OK(s, dem_system_step(s, 150));
  ASSERT_OK(s, dem_system_step(s, 850));
  assert_int_equal(found.count, 11);
  for (int k = 0; k < found.count; k++) {
    assert_int_equal(found.step[k], 7 + 100 * k);
    ASSERT_REL(found.time[k], (7 + 100 * k) * 1e-4, 1e-12);
  }
  ASSERT_BELOW(found.worst, 1e-13);
  found.stop_at = 13;
  ASSERT_STATUS(s, dem_system_step(s, 1000), DEM_CANCELLED);
  int64_t last = found.step[12];
  assert_int_equal(last, 7 + 1200);
  ASSERT_OK(s, dem_system_set_energy_sampling(s, 1, NULL, NULL));
  ASSERT_OK(s, dem_system_step(s, 10));
  assert_int_equal(found.count, 13);
  dem_system_destroy(s);
}

/* ---- the motion does not notice ---- */

static int32_t ignore(void *user, int64_t step, double time, const dem_energy *energy) {
  (void)user, (void)step, (void)time, (void)energy;
  return 0;
}

/* sampled: every so many steps, 0 = not */
static uint64_t run_with(const char *integrator, int32_t ledger, int32_t threads, int64_t sampled) {
  const scene_setup setup = {.integrator = integrator, .ledger = ledger, .threads = threads};
  dem_system *s = build("busy", &setup);
  if (sampled) ASSERT_OK(s, dem_system_set_energy_sampling(s, sampled, ignore, NULL));
  assert_int_equal(scene_run(scene_find("busy"), s, 600), DEM_OK);
  snapshot now;
  snapshot_take(&now, s);
  uint64_t hash = 1469598103934665603u;
  const unsigned char *bytes = (const unsigned char *)now.x;
  for (size_t k = 0; k < (size_t)now.count * 3 * sizeof(double); k++) hash = (hash ^ bytes[k]) * 1099511628211u;
  snapshot_free(&now);
  dem_system_destroy(s);
  return hash;
}

static void books_change_no_bit(void **state) {
  (void)state;
  static const char *const integrators[] = {"velocity-verlet", "euler"};
  for (int k = 0; k < 2; k++) {
    const uint64_t plain = run_with(integrators[k], 0, 1, 0);
    for (int32_t ledger = 0; ledger <= 2; ledger++)
      for (int32_t threads = 1; threads <= 3; threads += 2) assert_true(run_with(integrators[k], ledger, threads, 0) == plain);
    assert_true(run_with(integrators[k], 0, 1, 7) == plain);
    assert_true(run_with(integrators[k], 2, 3, 1) == plain);
  }
}

static double heat_with(int32_t threads) {
  const scene_setup setup = {.ledger = 2, .threads = threads};
  dem_system *s = build("settling", &setup);
  double sum = 0, heat[4096];
  int64_t count;
  ASSERT_OK(s, dem_system_step(s, 1500));
  ASSERT_OK(s, dem_system_particle_count(s, &count));
  ASSERT_OK(s, dem_system_get_field(s, DEM_HEAT, count, NULL, heat, 0));
  for (int64_t k = 0; k < count; k++) sum = sum * 1.5 + heat[k];
  dem_system_destroy(s);
  return sum;
}

static void heat_is_the_same_for_every_number_of_threads(void **state) {
  (void)state;
  assert_true(heat_with(1) == heat_with(3));
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shares_of_materials_and_walls),
      cmocka_unit_test(shares_of_laws),
      cmocka_unit_test(torques_account_for_the_spins),
      cmocka_unit_test(heat_is_what_contacts_lost),
      cmocka_unit_test(heat_belongs_to_the_id),
      cmocka_unit_test(shares_need_the_ledger),
      cmocka_unit_test(stored_energy_that_the_host_brings),
      cmocka_unit_test(every_change_of_the_host_is_told_apart),
      cmocka_unit_test(numerical_is_the_rest_of_the_elastic_account),
      cmocka_unit_test(samples_come_when_asked_for),
      cmocka_unit_test(books_change_no_bit),
      cmocka_unit_test(heat_is_the_same_for_every_number_of_threads),
  };
  return cmocka_run_group_tests_name("books", tests, context_open, context_close);
}
