/* Bonds that the host makes, reads, removes and changes, one call at a time and at random: the lists are right and the books close. */
#include "assertions.h"

#include "scenes/bonded.h"
#include "scenes/scenes.h"

/* ---- going on from what was read ---- */

static void goes_on_from_read_state(void **state) {
  (void)state;
  enum { LINKS = 6 };
  const char *names[2] = {"velocity-verlet", "euler"};
  for (int euler = 0; euler < 2; euler++) {
    const bonded_setup u = {.dt = 2e-4, .integrator = names[euler]};
    dem_bond_type t = bond_beam(4e3, 2e3);
    t.bending_stiffness = t.twisting_stiffness = 1e3;
    t.relaxation_time = 1;
    if (euler) t.normal_damping = t.tangential_damping = 2;
    bonded w = bonded_open(&u), again = bonded_open(&u);
    const int32_t type = bonded_add_type(&w, &t);
    bonded_add_type(&again, &t);
    dem_id id[LINKS], new_id[LINKS];
    double half[9 * LINKS], end[9 * LINKS], other[9 * LINKS];
    for (int k = 0; k < LINKS; k++) {
      id[k] = bonded_put(&w, 3.0 * k / 3.0, 0.2 * sin(k), 0);
      bonded_set(&w, DEM_VELOCITY, id[k], 0.1 * cos(k), 0.5 * sin(2 * k), 0.3 * k);
      bonded_set(&w, DEM_SPIN, id[k], 1, 0.2 * k, -0.5);
      if (k) bonded_join(&w, type, id[k], id[k - 1], 0);
    }
    bonded_step(&w, 500);
    dem_bond bond[LINKS - 1];
    ASSERT_OK(w.system, dem_system_bonds(w.system, LINKS - 1, bond, sizeof *bond));
    bonded_read(&w, id, LINKS, half);
    for (int k = 0; k < LINKS; k++) {
      const double *x = half + 9 * k;
      new_id[k] = bonded_put(&again, x[0], x[1], x[2]);
      bonded_set(&again, DEM_VELOCITY, new_id[k], x[3], x[4], x[5]);
      bonded_set(&again, DEM_SPIN, new_id[k], x[6], x[7], x[8]);
    }
    for (int k = 0; k < LINKS - 1; k++) {
      for (int n = 0; n < LINKS; n++) {
        if (bond[k].i == id[n]) bond[k].i = new_id[n];
        if (bond[k].j == id[n]) bond[k].j = new_id[n];
      }
    }
    ASSERT_OK(again.system, dem_system_add_bonds(again.system, LINKS - 1, bond, sizeof *bond, NULL));
    bonded_step(&w, 500);
    bonded_step(&again, 500);
    bonded_read(&w, id, LINKS, end);
    bonded_read(&again, new_id, LINKS, other);
    ASSERT_BITS(end, other, sizeof end);
    bonded_close(&w);
    bonded_close(&again);
  }
}

/* ---- the host's changes ---- */

/* Adding, removing, moving, freezing: the books close, and none of it counts as numerical. */
static void host_changes_are_booked(void **state) {
  (void)state;
  const bonded_setup u = {.dt = 1e-5, .ledger = 2};
  bonded w = bonded_open(&u);
  dem_bond_type t = bond_beam(1e3, 400);
  const int32_t type = bonded_add_type(&w, &t);
  dem_id id[4], bond[3];
  int64_t count;
  for (int k = 0; k < 4; k++) id[k] = bonded_put(&w, 1.1 * k, 0, 0);
  for (int k = 0; k < 3; k++) bond[k] = bonded_join(&w, type, id[k], id[k + 1], 1.0 + 0.01 * k);
  const double each = 0.5 * 1e3 * BOND_AREA, brought = each * (0.01 + 0.0081 + 0.0064);
  dem_energy e = bonded_books(&w);
  ASSERT_REL(e.potential_host[0], brought, 1e-12);
  ASSERT_OK(w.system, dem_system_remove_bonds(w.system, 1, &bond[0]));
  e = bonded_books(&w);
  ASSERT_REL(e.potential_host[0], brought - each * 0.01, 1e-12);
  ASSERT_OK(w.system, dem_system_bond_count(w.system, &count));
  assert_int_equal(count, 2);
  bonded_step(&w, 100);
  ASSERT_OK(w.system, dem_system_remove_particles(w.system, 1, &id[3])); /* with its bond */
  ASSERT_OK(w.system, dem_system_bond_count(w.system, &count));
  assert_int_equal(count, 1);
  bonded_step(&w, 100);
  bonded_set(&w, DEM_POSITION, id[1], 1.0, 0.05, 0);
  ASSERT_OK(w.system, dem_system_set_frozen(w.system, 1, &id[2], 1));
  bonded_step(&w, 100);
  const double radius = 0.4;
  ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_RADIUS, 1, &id[1], &radius, 0));
  bonded_step(&w, 100);
  e = bonded_books(&w);
  bonded_assert_closes(&e);
  ASSERT_ABS(e.numerical[0], 0, 1e-6); /* of the scheme itself: (w dt)^2 of the energy */
  assert_int_equal(bonded_only_bond(&w).id, bond[1]);
  bonded_close(&w);
}

/* ---- the neighbour rule ---- */

static void neighbours_by_rule(void **state) {
  (void)state;
  enum { N = 200 };
  const bonded_setup u = {.dt = 1e-4, .period = 8, .ledger = 1};
  bonded w = bonded_open(&u);
  ASSERT_OK(w.system, dem_system_add_material(w.system, NULL, NULL));
  dice d = {3};
  dem_id id[N];
  double x[3 * N];
  for (int k = 0; k < N; k++) {
    for (int a = 0; a < 3; a++) x[3 * k + a] = dice_uniform(&d, 0, 8);
    id[k] = bonded_put(&w, x[3 * k], x[3 * k + 1], x[3 * k + 2]);
    const int32_t material = k % 2;
    ASSERT_OK(w.system, dem_system_set_field_int(w.system, DEM_MATERIAL, 1, &id[k], &material, 0));
  }
  const dem_bond_type t = bond_harmonic(10);
  const int32_t type = bonded_add_type(&w, &t);
  for (int rule = 0; rule < 3; rule++) {
    const double gap = rule == 0 ? -0.1 : rule == 1 ? 0.2 : 0.9;
    int64_t expected = 0, made, again;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < i; j++) {
        double square = 0;
        for (int a = 0; a < 3; a++) {
          double r = x[3 * i + a] - x[3 * j + a];
          r -= 8 * round(r / 8);
          square += r * r;
        }
        const int near = rule == 0 ? i % 2 == 0 && j % 2 == 0 : rule == 1 ? i % 2 != j % 2 : i % 2 == 1 && j % 2 == 1;
        expected += near && sqrt(square) - 1 <= gap;
      }
    ASSERT_OK(w.system, dem_system_bond_neighbours(w.system, type, rule > 1, rule > 0, gap, &made));
    assert_int_equal(made, expected);
    assert_true(made > 5);
    ASSERT_OK(w.system, dem_system_bond_neighbours(w.system, type, rule > 1, rule > 0, gap, &again));
    assert_int_equal(again, 0);
  }
  bonded_close(&w);
}

/* ---- calls at random ---- */

/* Whatever the host does, in any order: ids lead back, lists are right, the books close. */
typedef struct crowd {
  bonded w;
  dice d;
  int32_t type[2];
  int64_t particles;
  dem_id id[400];
} crowd;

static int pick(crowd *c, int64_t n) { return (int)dice_uniform(&c->d, 0, (double)n); }

static void add_one(crowd *c) {
  const double x[3] = {dice_uniform(&c->d, 0, 8), dice_uniform(&c->d, 0, 8), dice_uniform(&c->d, 0, 8)};
  c->id[c->particles++] = bonded_put(&c->w, x[0], x[1], x[2]);
}

static void remove_one(crowd *c) {
  const int k = pick(c, c->particles);
  ASSERT_OK(c->w.system, dem_system_remove_particles(c->w.system, 1, &c->id[k]));
  c->id[k] = c->id[--c->particles];
}

static void remove_a_bond(crowd *c) {
  static dem_bond bond[20000];
  int64_t count;
  ASSERT_OK(c->w.system, dem_system_bond_count(c->w.system, &count));
  assert_true(count < 20000);
  ASSERT_OK(c->w.system, dem_system_bonds(c->w.system, count, bond, sizeof *bond));
  for (int64_t k = 0; k < count; k++) assert_true(bond[k].id != 0 && bond[k].rest_length > 0);
  if (count > 0) ASSERT_OK(c->w.system, dem_system_remove_bonds(c->w.system, 1, &bond[pick(c, count)].id));
}

static void change_one(crowd *c) {
  const dem_id id = c->id[pick(c, c->particles)];
  const double radius = dice_uniform(&c->d, 0.4, 0.5);
  switch (pick(c, 4)) {
    case 0:
      bonded_set(&c->w, DEM_POSITION, id, dice_uniform(&c->d, 0, 8), dice_uniform(&c->d, 0, 8), dice_uniform(&c->d, 0, 8));
      break;
    case 1: ASSERT_OK(c->w.system, dem_system_set_frozen(c->w.system, 1, &id, pick(c, 2))); break;
    case 2: ASSERT_OK(c->w.system, dem_system_set_field(c->w.system, DEM_RADIUS, 1, &id, &radius, 0)); break;
    default: bonded_step(&c->w, pick(c, 4)); break;
  }
}

static void do_something(crowd *c) {
  switch (pick(c, 6)) {
    case 0: add_one(c); break;
    case 1: remove_one(c); break;
    case 2: remove_a_bond(c); break;
    case 3: ASSERT_OK(c->w.system, dem_system_bond_neighbours(c->w.system, c->type[pick(c, 2)], 0, 0, 0.1, NULL)); break;
    case 4: change_one(c); break;
    default: bonded_step(&c->w, pick(c, 30)); break;
  }
}

static void anything_goes(void **state) {
  (void)state;
  const bonded_setup u = {.dt = 1e-4, .period = 8, .ledger = 2, .threads = 2};
  crowd c = {.w = bonded_open(&u), .d = {5}};
  dem_bond_type strong = bond_beam(1e3, 500), weak = bond_brittle();
  strong.contact = 1;
  strong.tangential_damping = 1;
  c.type[0] = bonded_add_type(&c.w, &strong);
  c.type[1] = bonded_add_type(&c.w, &weak);
  for (int k = 0; k < 150; k++) add_one(&c);
  double worst = 0;
  for (int k = 0; k < 400; k++) {
    do_something(&c);
    ASSERT_OK(c.w.system, dem_system_check(c.w.system));
    worst = fmax(worst, bonded_books(&c.w).residual_relative);
  }
  ASSERT_BELOW(worst, 1e-12);
  const bonded_breaks broken = bonded_take_breaks(&c.w, u.dt);
  const dem_energy e = bonded_books(&c.w);
  print_message("# %d broke; residual %.1e, numerical %.1e of %.1e\n", (int)broken.count, worst, e.numerical[0], e.largest);
  assert_true(broken.count > 10);
  ASSERT_REL(broken.energy, e.breakage, 1e-11);
  dem_energy_share share; /* the shares of the only material are the accounts, those of contacts that bonds gave way to too */
  dem_energy_share_init(&share, sizeof share);
  ASSERT_OK(c.w.system, dem_system_energy_of_materials(c.w.system, 0, 0, &share));
  ASSERT_ABS(share.elastic_normal[0], e.elastic_normal[0], 1e-12 * e.largest);
  ASSERT_ABS(share.hysteresis[0], e.hysteresis[0], 1e-12 * e.largest);
  assert_true(e.hysteresis[0] < 0);
  bonded_close(&c.w);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(goes_on_from_read_state),
      cmocka_unit_test(host_changes_are_booked),
      cmocka_unit_test(neighbours_by_rule),
      cmocka_unit_test(anything_goes),
  };
  return cmocka_run_group_tests_name("bond_changes", tests, NULL, NULL);
}
