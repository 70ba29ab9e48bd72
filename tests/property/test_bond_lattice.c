/* A lattice of bonded spheres, struck or scattered: the books close, momenta stay, threads and ledger change no bit. */
#include "assertions.h"

#include <stdlib.h>

#include "scenes/bonded.h"
#include "scenes/scenes.h"

enum { SIDE = 4, MOST = 600 };

typedef struct block {
  bonded w;
  int64_t count;
  dem_id id[MOST];
} block;

/* n^3 spheres that just touch, bonded to their neighbours, in free space; a sphere flies into a corner of it. */
static void block_build(block *b, const bonded_setup *u, const dem_bond_type *t, int n, double speed) {
  b->w = bonded_open(u);
  b->count = 0;
  for (int k = 0; k < n * n * n; k++)
    b->id[b->count++] = bonded_put(&b->w, 20 + k % n, 20 + (k / n) % n, 20 + (double)(k / n / n));
  int64_t made;
  ASSERT_OK(b->w.system, dem_system_bond_neighbours(b->w.system, bonded_add_type(&b->w, t), 0, 0, 1e-6, &made));
  assert_int_equal(made, 3 * n * n * (n - 1));
  if (speed == 0) return;
  b->id[b->count++] = bonded_put(&b->w, 20.3, 20.2, 20 + n + 0.1);
  bonded_set(&b->w, DEM_VELOCITY, b->id[b->count - 1], 0.1 * speed, 0.2 * speed, -speed);
  bonded_set(&b->w, DEM_SPIN, b->id[b->count - 1], 1, 2, 3);
}

static void block_momenta(const block *b, double p[3], double l[3]) {
  double x[3], v[3], w[3];
  for (int a = 0; a < 3; a++) p[a] = l[a] = 0;
  for (int64_t k = 0; k < b->count; k++) {
    bonded_get(&b->w, DEM_POSITION, b->id[k], x);
    bonded_get(&b->w, DEM_VELOCITY, b->id[k], v);
    bonded_get(&b->w, DEM_SPIN, b->id[k], w);
    for (int a = 0; a < 3; a++) {
      p[a] += v[a];
      l[a] += x[(a + 1) % 3] * v[(a + 2) % 3] - x[(a + 2) % 3] * v[(a + 1) % 3] + 0.1 * w[a];
    }
  }
}

/* ---- a lattice that is struck ---- */

static void check_strike(const char *integrator, int32_t hertz, int32_t damped) {
  const bonded_setup u = {.dt = 2e-4, .integrator = integrator, .hertz = hertz, .ledger = 2};
  dem_bond_type t = bond_brittle();
  if (!damped) t.normal_damping = t.tangential_damping = t.relaxation_time = 0;
  block b;
  block_build(&b, &u, &t, SIDE, 12);
  int64_t before, after;
  ASSERT_OK(b.w.system, dem_system_bond_count(b.w.system, &before));
  double worst = 0;
  for (int k = 0; k < 100; k++) {
    bonded_step(&b.w, 20);
    worst = fmax(worst, bonded_books(&b.w).residual_relative);
  }
  ASSERT_OK(b.w.system, dem_system_check(b.w.system));
  ASSERT_OK(b.w.system, dem_system_bond_count(b.w.system, &after));
  const dem_energy e = bonded_books(&b.w);
  const bonded_breaks broken = bonded_take_breaks(&b.w, u.dt);
  print_message("# %s, %s, %s: %d of %d bonds broke, %.3g J; residual %.1e\n", integrator, hertz ? "Hertz" : "Hooke",
                damped ? "damped" : "elastic", (int)broken.count, (int)before, e.breakage, worst);
  ASSERT_BELOW(worst, 1e-12);
  assert_true(broken.count > 10 && after == before - broken.count);
  ASSERT_REL(broken.energy, e.breakage, 1e-12);
  assert_true(e.damping_bond >= 0 && (damped ? e.damping_bond > 0 : e.damping_bond == 0));
  /* what the particles took up is what the accounts say */
  double *heat = malloc((size_t)b.count * 8 * sizeof *heat), sum[8] = {0};
  ASSERT_OK(b.w.system, dem_system_get_field(b.w.system, DEM_HEAT_CLASSES, b.count, NULL, heat, 0));
  for (int64_t k = 0; k < 8 * b.count; k++) sum[k % 8] += heat[k];
  free(heat);
  ASSERT_ABS(sum[6], e.damping_bond, 1e-12 * e.largest);
  ASSERT_ABS(sum[7], e.breakage, 1e-12 * e.largest);
  bonded_close(&b.w);
}

static void struck_lattice_closes(void **state) {
  (void)state;
  for (int32_t hertz = 0; hertz < 2; hertz++)
    for (int32_t damped = 0; damped < 2; damped++) {
      check_strike("velocity-verlet", hertz, damped);
      check_strike("euler", hertz, damped);
    }
}

/* ---- conservation ---- */

/* Newton's third law and conserving arms: bonds change neither momentum, breaking or not. */
static void momenta_stay(void **state) {
  (void)state;
  for (int breaks = 0; breaks < 2; breaks++) {
    const bonded_setup u = {.dt = 2e-4};
    dem_bond_type t = bond_brittle();
    if (!breaks) t.break_strain = t.break_normal_stress = t.break_shear_stress = 0;
    block b;
    block_build(&b, &u, &t, SIDE, 4);
    double p[3], l[3], p1[3], l1[3];
    block_momenta(&b, p, l);
    bonded_step(&b.w, 2000);
    block_momenta(&b, p1, l1);
    for (int a = 0; a < 3; a++) {
      ASSERT_ABS(p[a], p1[a], 1e-12 * 4);
      ASSERT_ABS(l[a], l1[a], 1e-12 * 4 * 25 * 3); /* levers of 25 */
    }
    bonded_close(&b.w);
  }
}

/* ---- bits ---- */

/* Threads and ledger change no bit; enough particles for several parts. */
static void same_bits(void **state) {
  (void)state;
  const bonded_setup kinds[] = {{.dt = 2e-4, .threads = 1},
                                {.dt = 2e-4, .threads = 3},
                                {.dt = 2e-4, .threads = 1, .ledger = 1},
                                {.dt = 2e-4, .threads = 3, .ledger = 2}};
  static double first[9 * MOST], now[9 * MOST];
  int64_t left[4];
  for (int k = 0; k < 4; k++) {
    const dem_bond_type t = bond_brittle();
    block b;
    block_build(&b, &kinds[k], &t, 8, 20);
    bonded_step(&b.w, 600);
    ASSERT_OK(b.w.system, dem_system_bond_count(b.w.system, &left[k]));
    bonded_read(&b.w, b.id, b.count, k ? now : first);
    if (k) ASSERT_BITS(first, now, (size_t)b.count * 9 * sizeof(double));
    assert_int_equal(left[k], left[0]);
    bonded_close(&b.w);
  }
  assert_true(left[0] < 3 * 64 * 7 - 10);
}

/* ---- far apart ---- */

/* Bonds whose ends lie anywhere in the order of the rows: soft ones, over particles thrown about after they were bonded. */
static void long_bonds(void **state) {
  (void)state;
  static double first[9 * MOST], now[9 * MOST];
  for (int kind = 0; kind < 3; kind++) {
    const bonded_setup u = {.dt = 1e-4, .threads = kind == 1 ? 3 : 1, .ledger = kind == 2};
    const dem_bond_type t = bond_harmonic(1);
    dice d = {11};
    block b;
    block_build(&b, &u, &t, 8, 0);
    double p[3], l[3], p1[3], l1[3];
    for (int64_t k = 0; k < b.count; k++)
      bonded_set(&b.w, DEM_POSITION, b.id[k], dice_uniform(&d, 0, 30), dice_uniform(&d, 0, 30), dice_uniform(&d, 0, 30));
    block_momenta(&b, p, l);
    bonded_step(&b.w, 400);
    block_momenta(&b, p1, l1);
    for (int a = 0; a < 3; a++) {
      ASSERT_ABS(p1[a] - p[a], 0, 1e-10);
      ASSERT_ABS(l1[a] - l[a], 0, 1e-8);
    }
    ASSERT_OK(b.w.system, dem_system_check(b.w.system));
    bonded_read(&b.w, b.id, b.count, kind ? now : first);
    if (kind) ASSERT_BITS(first, now, (size_t)b.count * 9 * sizeof(double));
    if (kind == 2) {
      const dem_energy e = bonded_books(&b.w);
      bonded_assert_closes(&e);
    }
    bonded_close(&b.w);
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(struck_lattice_closes),
      cmocka_unit_test(momenta_stay),
      cmocka_unit_test(same_bits),
      cmocka_unit_test(long_bonds),
  };
  return cmocka_run_group_tests_name("bond_lattice", tests, NULL, NULL);
}
