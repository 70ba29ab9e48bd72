/* The books of rolling and twisting: they close in scenes with everything on, shares and heat add up to the totals, and neither
 * books nor threads nor instruction sets change a bit. */
#include "assertions.h"

#include <stdlib.h>

#include "scenes/listed_accounts.h"
#include "scenes/scenes.h"
#include "scenes/snapshot.h"
#include "scenes/world.h"

static const char *const integrators[] = {"euler", "velocity-verlet", "improved-velocity-verlet"};

static dem_energy books(dem_system *system) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(system, dem_system_energy(system, &e));
  return e;
}

/* ---- a drum: grains in a turning cylinder with lids, a bonded pair among them, two materials ---- */

typedef struct choice {
  const char *integrator;
  int32_t ledger, threads, instructions;
  int32_t rolling, twisting;
} choice;

static void set_laws(dem_context *context, dem_system *s, const choice *c) {
  dem_law_options plain, rolls, marshall;
  scene_hooke(&plain);
  rolls = marshall = plain;
  plain.viscosity = 0.02; /* a law that does not roll, with gaps */
  scene_add_rolling(&rolls, c->rolling, c->twisting);
  scene_add_rolling(&marshall, DEM_ROLLING_CONSTANT, DEM_TWISTING_MARSHALL);
  assert_int_equal(scene_set_law(context, s, 0, 0, &rolls), DEM_OK);
  assert_int_equal(scene_set_law(context, s, 0, 1, &plain), DEM_OK);
  assert_int_equal(scene_set_law(context, s, 1, 1, &marshall), DEM_OK);
}

static void add_walls(dem_system *s) {
  dem_wall drum, plate;
  dem_wall_init(&drum, sizeof drum);
  drum.shape = DEM_WALL_CYLINDER;
  drum.axis[1] = 1;
  drum.radius = 3.2;
  drum.length = 3.4;
  drum.motion = DEM_WALL_PRESCRIBED;
  drum.spin[1] = 3;
  drum.material = 1;
  ASSERT_OK(s, dem_system_add_wall(s, &drum, NULL));
  /* a plate that falls on the grains and rides on them */
  dem_wall_init(&plate, sizeof plate);
  plate.axis[2] = -1;
  plate.position[2] = 2.6;
  plate.motion = DEM_WALL_FREE;
  plate.free_axis[2] = 1;
  plate.mass = 20;
  ASSERT_OK(s, dem_system_add_wall(s, &plate, NULL));
}

static void bond_two(dem_system *s, const dem_id *ids) {
  dem_bond_type t;
  dem_bond b;
  int32_t type;
  dem_bond_type_init(&t, sizeof t);
  t.model = DEM_BOND_BEAM;
  t.radius_factor = 0.5;
  t.normal_stiffness = t.tangential_stiffness = t.bending_stiffness = t.twisting_stiffness = 1e5;
  t.normal_damping = t.tangential_damping = 5;
  ASSERT_OK(s, dem_system_add_bond_type(s, &t, &type));
  memset(&b, 0, sizeof b);
  b.type = type;
  b.i = ids[0];
  b.j = ids[1];
  ASSERT_OK(s, dem_system_add_bonds(s, 1, &b, sizeof b, NULL));
}

static void fill(dem_system *s) {
  rows r;
  dice d = {7};
  dem_id ids[256];
  assert_int_equal(rows_create(&r, 256), 0);
  for (int x = 0; x < 4; x++)
    for (int y = 0; y < 3; y++)
      for (int z = 0; z < 4; z++) {
        const int64_t row = rows_put(&r, 1.02 * x - 1.5, 1.02 * y - 1.0, 1.02 * z - 1.7, dice_uniform(&d, 0.4, 0.5));
        rows_velocity(&r, row, dice_uniform(&d, -1, 1), dice_uniform(&d, -1, 1), dice_uniform(&d, -1, 1));
        rows_spin(&r, row, dice_uniform(&d, -9, 9), dice_uniform(&d, -9, 9), dice_uniform(&d, -9, 9));
        r.material[row] = x % 2;
      }
  ASSERT_OK(s, rows_add(&r, s, ids));
  bond_two(s, ids);
  rows_destroy(&r);
}

static dem_system *drum(const choice *c, dem_context **context) {
  dem_context_options o;
  dem_system_options so;
  dem_system *s;
  dem_context_options_init(&o, sizeof o);
  o.instructions = c->instructions;
  assert_int_equal(dem_context_create(&o, context), DEM_OK);
  dem_system_options_init(&so, sizeof so);
  so.dt = 1e-4;
  so.ledger = c->ledger;
  so.threads = c->threads ? c->threads : 1;
  so.gravity[2] = -10;
  assert_int_equal(dem_system_create(*context, &so, &s), DEM_OK);
  for (int m = 0; m < 2; m++) ASSERT_OK(s, dem_system_add_material(s, NULL, NULL));
  set_laws(*context, s, c);
  add_walls(s);
  fill(s);
  ASSERT_OK(s, dem_system_set_integrator_name(s, c->integrator));
  return s;
}

static void close_drum(dem_system *s, dem_context *context) {
  dem_system_destroy(s);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

static void everything_closes(void **state) {
  (void)state;
  for (int k = 0; k < 6; k++) {
    const choice c = {
        .integrator = integrators[k % 3], .ledger = 1 + k / 3, .rolling = DEM_ROLLING_SPRING, .twisting = DEM_TWISTING_SPRING};
    dem_context *context;
    dem_system *s = drum(&c, &context);
    double rolling = 0, twisting = 0; /* most that was ever stored: at any one moment grains may be apart */
    for (int n = 0; n < 20; n++) {
      ASSERT_OK(s, dem_system_step(s, 300));
      rolling = fmax(rolling, books(s).potential_rolling[0]);
      twisting = fmax(twisting, books(s).potential_twisting[0]);
    }
    const dem_energy e = books(s);
    print_message("# drum, %s, ledger %d: residual %.1e; rolling %.3g and %.3g, twisting %.3g and %.3g of %.3g\n", c.integrator,
                  c.ledger, e.residual_relative, e.rolling[0], e.rolling[1], e.twisting[0], e.twisting[1], e.largest);
    energy_assert_closed(&e, 1e-12, c.integrator);
    for (int walls = 0; walls < 2; walls++) assert_true(e.rolling[walls] > 0 && e.twisting[walls] > 0);
    assert_true(e.elastic_rolling[0] != 0 && e.elastic_twisting[0] != 0 && e.elastic_bond != 0 && e.walls != 0);
    assert_true(rolling > 0 && twisting > 0 && e.unstored == 0);
    ASSERT_OK(s, dem_system_check(s));
    close_drum(s, context);
  }
}

/* Spins change by torques only: their energy is what torques have worked, rolling and twisting included. Torques of the drum
 * work on the grains by way of the wall's motion too, which is no torque's work on a grain: against walls only where they stand. */
static void torques_account_for_the_spins(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    dem_law_options law;
    dem_context *context;
    dem_system *s;
    scene_hooke(&law);
    scene_add_rolling(&law, DEM_ROLLING_SPRING, 1 + k % 2);
    const scene_setup setup = {.integrator = integrators[k % 3], .ledger = 1 + k / 2, .law = &law};
    assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
    assert_int_equal(scene_build(scene_find("settling"), context, &setup, &s), DEM_OK);
    const dem_energy start = books(s);
    ASSERT_OK(s, dem_system_step(s, 1500));
    const dem_energy e = books(s);
    double left = e.kinetic_angular - start.kinetic_angular + e.torque_drag - e.torque_host;
    for (int walls = 0; walls < 2; walls++) left += e.torque_elastic[walls] + e.torque_damping[walls];
    assert_true(e.rolling[0] > 0 && e.twisting[1] > 0);
    ASSERT_ABS(left, 0, 1e-12 * e.largest);
    close_drum(s, context);
  }
}

/* ---- shares and heat ---- */

enum { ACCOUNTS = SHARED_ACCOUNTS };

static void add_share(const dem_energy_share *e, double sum[2][ACCOUNTS]) {
  double of[ACCOUNTS];
  for (int k = 0; k < 2; k++) {
    accounts_of_share(e, k, of);
    for (int i = 0; i < ACCOUNTS; i++) sum[k][i] += of[i];
  }
}

static void compare_with(const dem_energy *e, double sum[2][ACCOUNTS]) {
  double of[ACCOUNTS];
  for (int k = 0; k < 2; k++) {
    accounts_of_energy(e, k, of);
    for (int i = 0; i < ACCOUNTS; i++) ASSERT_ABS(sum[k][i], of[i], 1e-12 * e->largest);
  }
}

static void compare_heat(dem_system *s, const dem_energy *e) {
  int64_t count;
  double sum[8] = {0}, heat[8 * 64];
  ASSERT_OK(s, dem_system_particle_count(s, &count));
  assert_true(count <= 64);
  ASSERT_OK(s, dem_system_get_field(s, DEM_HEAT_CLASSES, count, NULL, heat, 0));
  for (int64_t i = 0; i < 8 * count; i++) sum[i % 8] += heat[i];
  ASSERT_ABS(sum[2], e->sliding[0] + e->sliding[1] / 2, 1e-12 * e->largest);
  ASSERT_ABS(sum[3], e->rolling[0] + e->rolling[1] / 2, 1e-12 * e->largest);
  ASSERT_ABS(sum[4], e->twisting[0] + e->twisting[1] / 2, 1e-12 * e->largest);
}

static void shares_and_heat_add_up(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    const choice c = {
        .integrator = integrators[k], .ledger = 2, .rolling = DEM_ROLLING_SPRING, .twisting = DEM_TWISTING_SPRING};
    dem_context *context;
    dem_energy_share share;
    double by_materials[2][ACCOUNTS] = {{0}}, by_wall[2][ACCOUNTS] = {{0}};
    dem_system *s = drum(&c, &context);
    dem_energy_share_init(&share, sizeof share);
    for (int part = 0; part < 5; part++) { /* read between steps, so that intervals are split */
      ASSERT_OK(s, dem_system_step(s, 307));
      ASSERT_OK(s, dem_system_energy_of_wall(s, 0, &share));
    }
    const dem_energy e = books(s);
    for (int32_t a = 0; a < 2; a++)
      for (int32_t b = a; b < 2; b++) {
        ASSERT_OK(s, dem_system_energy_of_materials(s, a, b, &share));
        if (a != b) assert_true(share.rolling[0] == 0 && share.twisting[0] == 0 && share.elastic_rolling[0] == 0);
        add_share(&share, by_materials);
      }
    compare_with(&e, by_materials);
    for (int32_t wall = 0; wall < 2; wall++) {
      ASSERT_OK(s, dem_system_energy_of_wall(s, wall, &share));
      add_share(&share, by_wall);
    }
    memcpy(by_wall[0], by_materials[0], sizeof by_wall[0]);
    compare_with(&e, by_wall);
    compare_heat(s, &e);
    close_drum(s, context);
  }
}

/* A law that rolls comes and goes: each keeps its account, and the books close. */
static void laws_come_and_go(void **state) {
  (void)state;
  for (int32_t ledger = 1; ledger <= 2; ledger++) {
    const scene_setup setup = {.ledger = ledger};
    dem_context *context;
    dem_system *s;
    dem_law_options options;
    dem_law *plain, *rolls;
    dem_energy_share share;
    double sum[2][ACCOUNTS] = {{0}};
    assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
    assert_int_equal(scene_build(scene_find("settling"), context, &setup, &s), DEM_OK);
    scene_hooke(&options);
    assert_int_equal(scene_create_law(context, &options, &plain), DEM_OK);
    scene_add_rolling(&options, DEM_ROLLING_SPRING, DEM_TWISTING_MARSHALL);
    assert_int_equal(scene_create_law(context, &options, &rolls), DEM_OK);
    for (int turn = 0; turn < 5; turn++) {
      ASSERT_OK(s, dem_system_set_law(s, 0, 0, turn % 2 ? rolls : plain));
      ASSERT_OK(s, dem_system_step(s, 401));
    }
    const dem_energy e = books(s);
    energy_assert_closed(&e, 1e-12, "laws in turn");
    assert_true(e.rolling[0] > 0 && e.twisting[0] > 0);
    if (ledger == 2) {
      dem_energy_share_init(&share, sizeof share);
      ASSERT_OK(s, dem_system_energy_of_law(s, plain, &share));
      assert_true(share.rolling[0] == 0 && share.sliding[0] > 0);
      add_share(&share, sum);
      ASSERT_OK(s, dem_system_energy_of_law(s, rolls, &share));
      assert_true(share.rolling[0] > 0);
      add_share(&share, sum);
      compare_with(&e, sum);
    }
    dem_law_release(plain), dem_law_release(rolls);
    close_drum(s, context);
  }
}

/* ---- the same bits ---- */

static void the_same_bits(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    uint64_t plain = 0;
    int compared = 0;
    for (int other = 0; other < 7; other++) {
      choice c = {.integrator = integrators[k], .rolling = DEM_ROLLING_SPRING, .twisting = DEM_TWISTING_SPRING};
      dem_context_options o;
      dem_context *context;
      if (other == 1 || other == 2) c.ledger = other;
      if (other == 3 || other == 4) c.threads = 3, c.ledger = 2 * (other - 3);
      if (other >= 5) c.instructions = other == 5 ? DEM_INSTRUCTIONS_PLAIN : DEM_INSTRUCTIONS_AVX2;
      dem_context_options_init(&o, sizeof o);
      o.instructions = c.instructions;
      if (dem_context_create(&o, &context) != DEM_OK) continue; /* not on this CPU */
      assert_int_equal(dem_context_destroy(context), DEM_OK);
      dem_system *s = drum(&c, &context);
      ASSERT_OK(s, dem_system_step(s, 700));
      snapshot now;
      snapshot_take(&now, s);
      uint64_t hash = 1469598103934665603u;
      const double *const fields[] = {now.x, now.v, now.w, now.f, now.t};
      for (int f = 0; f < 5; f++)
        for (size_t i = 0; i < (size_t)now.count * 3 * sizeof(double); i++)
          hash = (hash ^ ((const unsigned char *)fields[f])[i]) * 1099511628211u;
      if (other == 0) plain = hash;
      assert_true(hash == plain);
      compared++;
      snapshot_free(&now);
      close_drum(s, context);
    }
    assert_true(compared >= 6);
  }
}

/* A bed large enough that contacts reach from one thread's grains to another's. */
static void the_same_bits_across_threads(void **state) {
  (void)state;
  snapshot first, other;
  for (int32_t threads = 1; threads <= 4; threads++) {
    dem_law_options law;
    dem_context *context;
    dem_system *s;
    scene_hooke(&law);
    scene_add_rolling(&law, DEM_ROLLING_SPRING, DEM_TWISTING_SPRING);
    const scene_setup setup = {.law = &law, .particles = 1500, .threads = threads, .ledger = threads % 2};
    assert_int_equal(dem_context_create(NULL, &context), DEM_OK);
    assert_int_equal(scene_build(scene_find("cluster"), context, &setup, &s), DEM_OK);
    ASSERT_OK(s, dem_system_step(s, 300));
    snapshot_take(threads == 1 ? &first : &other, s);
    if (threads > 1) {
      snapshot_assert_same_bits(&first, &other);
      snapshot_free(&other);
    }
    close_drum(s, context);
  }
  snapshot_free(&first);
}

/* Accounts too are the same for all instruction sets and numbers of threads. */
static void the_same_accounts(void **state) {
  (void)state;
  dem_energy first;
  for (int other = 0; other < 4; other++) {
    choice c = {.integrator = integrators[2],
                .ledger = 1 + (other > 1),
                .rolling = DEM_ROLLING_SPRING,
                .twisting = DEM_TWISTING_SPRING};
    dem_context *context;
    if (other % 2) c.threads = 3, c.instructions = DEM_INSTRUCTIONS_PLAIN;
    dem_system *s = drum(&c, &context);
    ASSERT_OK(s, dem_system_step(s, 700));
    const dem_energy e = books(s);
    if (other % 2 == 0)
      first = e;
    else
      assert_memory_equal(&first, &e, sizeof e);
    close_drum(s, context);
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_closes),
      cmocka_unit_test(torques_account_for_the_spins),
      cmocka_unit_test(shares_and_heat_add_up),
      cmocka_unit_test(laws_come_and_go),
      cmocka_unit_test(the_same_bits),
      cmocka_unit_test(the_same_accounts),
      cmocka_unit_test(the_same_bits_across_threads),
  };
  return cmocka_run_group_tests_name("rolling books", tests, NULL, NULL);
}
