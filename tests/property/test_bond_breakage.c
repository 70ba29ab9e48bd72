/* Bonds that break: at which strain and stress, the energy that goes to the account of breakage, and the contact that returns. */
#include "assertions.h"

#include <dem/plugin/law.h>

#include "scenes/bonded.h"

/* Two spheres fly apart and break at 1 % stretch: all that the bond held goes to breakage. */
static void check_breakage(double rest, double speed, double dt) {
  const bonded_setup u = {.dt = dt, .ledger = 1};
  bonded w = bonded_open(&u);
  dem_bond_type t = bond_harmonic(800);
  t.break_strain = 0.01 * 1 / rest + (1 - rest) / rest; /* at a length of 1.01 */
  const dem_id i = bonded_put(&w, 1, 0, 0), j = bonded_put(&w, 0, 0, 0);
  bonded_join(&w, bonded_add_type(&w, &t), i, j, rest);
  bonded_set(&w, DEM_VELOCITY, i, speed, 0, 0);
  bonded_set(&w, DEM_VELOCITY, j, -speed, 0, 0);
  const double at_start = 0.5 * 800 * (1 - rest) * (1 - rest), held = 0.5 * 800 * (1.01 - rest) * (1.01 - rest);
  double before = 0, after;
  dem_energy e = bonded_books(&w);
  ASSERT_ABS(e.potential_bond, at_start, 1e-13);
  ASSERT_ABS(e.potential_host[0], at_start, 1e-13);
  before = e.kinetic_linear;
  bonded_step(&w, (int64_t)(0.02 / speed / dt));
  e = bonded_books(&w);
  after = e.kinetic_linear;
  const bonded_breaks broken = bonded_take_breaks(&w, dt);
  assert_int_equal(broken.count, 1);
  /* the threshold is passed within a step: 2 v dt late; the force acts half a step less */
  ASSERT_ABS(e.breakage, held, 1.01 * 800 * (1.01 - rest) * 3 * speed * dt);
  ASSERT_ABS(before - after, e.breakage - at_start, 1e-14);
  ASSERT_ABS(e.elastic_bond, -at_start, 1e-14); /* of the bond itself nothing is left but what the host brought */
  ASSERT_ABS(e.potential_bond, 0, 0);
  ASSERT_ABS(e.numerical[0], 0, 1e-13);
  bonded_assert_closes(&e);
  bonded_close(&w);
}

static void breakage_is_what_was_stored(void **state) {
  (void)state;
  check_breakage(1.0, 1.0, 1e-4);
  check_breakage(1.0, 1.0, 1e-6);
  check_breakage(0.995, 1.0, 1e-6);
}

/* Each limit by itself: the bond holds just below, breaks just above, and says why. */
static void check_threshold(const dem_bond_type *t, const dem_bond *loaded, double below, int32_t reason) {
  for (int above = 0; above < 2; above++) {
    const bonded_setup u = {.dt = 1e-9, .ledger = 1};
    const double limit = below * (above ? 1 - 1e-6 : 1 + 1e-6);
    bonded w = bonded_open(&u);
    dem_bond_type type = *t;
    if (reason == DEM_BREAK_STRAIN) type.break_strain = limit;
    if (reason == DEM_BREAK_NORMAL_STRESS) type.break_normal_stress = limit;
    if (reason == DEM_BREAK_SHEAR_STRESS) type.break_shear_stress = limit;
    dem_bond b = *loaded;
    b.i = bonded_put(&w, 1.02, 0, 0);
    b.j = bonded_put(&w, 0, 0, 0);
    b.type = bonded_add_type(&w, &type);
    dem_id id;
    ASSERT_OK(w.system, dem_system_add_bonds(w.system, 1, &b, sizeof b, &id));
    const double held = bonded_books(&w).potential_bond;
    bonded_step(&w, 1);
    dem_bond_break event;
    int64_t count;
    ASSERT_OK(w.system, dem_system_take_bond_breaks(w.system, 1, &event, sizeof event, &count));
    assert_int_equal(count, above);
    if (above) {
      assert_true(event.id == id && event.i == b.i && event.j == b.j && event.type == b.type && event.reason == reason);
      ASSERT_REL(event.energy, held, 1e-12);
      const dem_energy e = bonded_books(&w);
      ASSERT_REL(e.breakage, held, 1e-12);
      bonded_assert_closes(&e);
    }
    bonded_close(&w);
  }
}

static void limits_of_strength(void **state) {
  (void)state;
  dem_bond_type t = bond_beam(1e3, 500), h = bond_harmonic(100);
  t.bending_stiffness = t.twisting_stiffness = 2e3;
  const dem_bond b = {.rest_length = 1, .force = {0, 0.3, 0.4}, .bending = {0, 0.06, 0.08}, .twisting = -0.05};
  check_threshold(&t, &b, 0.02, DEM_BREAK_STRAIN);
  check_threshold(&t, &b, 1e3 * 0.02 + 0.1 * 0.5 / BOND_INERTIA, DEM_BREAK_NORMAL_STRESS);
  check_threshold(&t, &b, 0.5 / BOND_AREA + 0.05 * 0.5 / (2 * BOND_INERTIA), DEM_BREAK_SHEAR_STRESS);
  const dem_bond plain = {.rest_length = 1};
  check_threshold(&h, &plain, 0.02, DEM_BREAK_STRAIN);
}

/* Pairs that fly apart freely, the kth until it has the length at which it breaks after k + 1/2 steps: each step breaks one, the one whose
 * turn it is, wherever it lies. */
static void each_breaks_in_its_step(void **state) {
  (void)state;
  enum { PAIRS = 300, STRIDE = 77, ROW = 20 };
  const bonded_setup u = {.dt = 1e-4, .threads = 2};
  bonded w = bonded_open(&u);
  dem_bond_type t = bond_harmonic(1e-9);
  t.break_strain = 0.01;
  const int32_t type = bonded_add_type(&w, &t);
  dem_id bond[PAIRS];
  for (int k = 0; k < PAIRS; k++) {
    const int place = k * STRIDE % PAIRS; /* neighbours in time are not neighbours in space */
    const double x = 3.0 * (place % ROW), y = 3.0 * (place / ROW), speed = 0.005 / ((k + 0.5) * u.dt);
    const dem_id i = bonded_put(&w, x, y, 1), j = bonded_put(&w, x, y, 0);
    bond[k] = bonded_join(&w, type, i, j, 1);
    bonded_set(&w, DEM_VELOCITY, i, 0, 0, speed);
    bonded_set(&w, DEM_VELOCITY, j, 0, 0, -speed);
  }
  for (int k = 0; k < PAIRS; k++) {
    dem_bond_break broken[2];
    int64_t count;
    bonded_step(&w, 1);
    ASSERT_OK(w.system, dem_system_take_bond_breaks(w.system, 2, broken, sizeof *broken, &count));
    assert_int_equal(count, 1);
    assert_true(broken[0].id == bond[k]);
  }
  bonded_close(&w);
}

/* ---- the contact that returns ---- */

/* A host's own, whose stiffness of 1e4 is that of a frequency at the pair's mass m*: k = m* omega^2. */
static void same_frequency(const void *parameters, const dem_batch *b) {
  const double *square = parameters;
  for (int32_t q = 0; q < b->count; q++) {
    const double k = b->effective_mass[q] * *square, d = b->overlap[q];
    b->normal_elastic[q] = k * d;
    b->normal_damping[q] = 0;
    if (b->normal_energy) b->normal_energy[q] = 0.5 * k * d * d;
  }
}

static void set_own_law(bonded *w, double mass) {
  const double square = 1e4 / mass;
  dem_law_part part;
  dem_law_piece piece;
  dem_law *law;
  dem_law_part_init(&part, sizeof part);
  dem_law_piece_init(&piece, sizeof piece);
  part.name = "same frequency";
  part.kind = DEM_PART_NORMAL;
  part.capabilities = DEM_PART_ENERGY;
  part.parameter_bytes = sizeof square;
  part.evaluate = same_frequency;
  piece.part = &part;
  piece.user = &square;
  piece.user_bytes = sizeof square;
  assert_int_equal(dem_law_create_from_parts(w->context, 1, &piece, &law), DEM_OK);
  ASSERT_OK(w->system, dem_system_set_law(w->system, 0, 0, law));
  dem_law_release(law);
}

/* While a bond replaces the contact, overlapping spheres do not touch; when it breaks, they do. Radii 1/2 and `other`. The spring is that
 * of the scene, or of the host's own law. */
static void let_contact_come_back(double other, int own) {
  const double touch = 0.5 + other, apart = 0.9 * touch;
  for (int beside = 0; beside < 2; beside++) {
    const bonded_setup u = {.dt = 1e-4, .ledger = 1};
    bonded w = bonded_open(&u);
    dem_bond_type t = bond_harmonic(800);
    t.contact = beside;
    t.break_strain = 0.01;
    const dem_id i = bonded_put(&w, apart, 0, 0), j = bonded_put(&w, 0, 0, 0);
    ASSERT_OK(w.system, dem_system_set_field(w.system, DEM_RADIUS, 1, &j, &other, 0));
    const double mass = pow(2 * other, 3); /* that of the other is 1 */
    if (own) set_own_law(&w, mass / (1 + mass));
    bonded_join(&w, bonded_add_type(&w, &t), i, j, 0);
    int64_t contacts;
    bonded_step(&w, 1);
    ASSERT_OK(w.system, dem_system_contact_count(w.system, &contacts));
    assert_int_equal(contacts, beside);
    ASSERT_OK(w.system, dem_system_check(w.system));
    bonded_set(&w, DEM_VELOCITY, i, 1, 0, 0);
    bonded_step(&w, 95);
    ASSERT_OK(w.system, dem_system_bond_count(w.system, &contacts));
    assert_int_equal(contacts, 0);
    ASSERT_OK(w.system, dem_system_contact_count(w.system, &contacts));
    assert_int_equal(contacts, bonded_distance(&w, i, j) < touch);
    assert_true(beside || contacts == 1);
    const double path = bonded_books(&w).hysteresis[0], overlap = touch - apart * 1.01;
    /* the contact's spring, k d^2/2, was compressed when it began: within two steps of the threshold, 1e-4 in length */
    if (!beside) ASSERT_ABS(path, -0.5 * 1e4 * overlap * overlap, 1e4 * overlap * 2e-4);
    /* and half a step's work of it at the speed of 1, as its first kick is a whole one */
    if (!beside) ASSERT_ABS(bonded_books(&w).numerical[0], 0, 1.01 * 1e4 * overlap * 0.5e-4);
    bonded_step(&w, 400);
    assert_true(bonded_distance(&w, i, j) > touch);
    ASSERT_OK(w.system, dem_system_check(w.system));
    const dem_energy e = bonded_books(&w);
    bonded_assert_closes(&e);
    bonded_close(&w);
  }
}

static void contact_comes_back(void **state) {
  (void)state;
  for (int own = 0; own < 2; own++) {
    let_contact_come_back(0.5, own);
    let_contact_come_back(0.42, own);
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(breakage_is_what_was_stored),
      cmocka_unit_test(limits_of_strength),
      cmocka_unit_test(each_breaks_in_its_step),
      cmocka_unit_test(contact_comes_back),
  };
  return cmocka_run_group_tests_name("bond_breakage", tests, NULL, NULL);
}
