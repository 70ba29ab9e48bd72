/* The response of one bond against closed forms: springs along, across, in bending and twisting, relaxation, strength; and which
 * members of the response are written. */
#include "assertions.h"

#include "unit/bond_pair.h"
#include "vectors.h"

/* Of the beam: A = pi/4, I = pi/64, R_b/I = 32/pi. */
static const double AREA = 0.78539816339744831, INERTIA = 0.049087385212340517, LEVER = 10.185916357881302;

static void assert_moment(const demi_bond_response *r, double x, double y, double z, double tol) {
  double moment[3];
  demi_bond_moment(&r->state, &r->forces, moment);
  assert_vector(moment, x, y, z, tol);
}

/* ---- closed forms ---- */

static void harmonic_bond_is_a_spring(void **state) {
  (void)state;
  for (double length = 2; length <= 6; length += 0.5) {
    bond_pair p = bond_pair_spring();
    p.span[0] = 0;
    p.span[1] = -length;
    p.velocity[0][1] = 0.3; /* v.n = -0.3: approaching */
    p.velocity[0][2] = 5;   /* across, which this model does not feel */
    p.dt = 0.1;
    const demi_bond_response r = bond_pair_response(&p);
    ASSERT_REL(r.forces.elastic, 7 * (4 - length), 1e-15);
    ASSERT_REL(r.energies[0], 3.5 * (4 - length) * (4 - length), 1e-15);
    ASSERT_REL(r.forces.damping, 2 * 0.75 * 0.3, 1e-15);
    ASSERT_REL(r.powers.normal_elastic, -0.3 * 7 * (4 - length), 1e-15);
    ASSERT_REL(r.powers.normal_damping, -0.3 * 0.3 * 2 * 0.75, 1e-15);
    assert_vector(r.forces.normal, 0, -1, 0, 0);
    assert_vector(r.state.force, 0, 0, 0, 0);
    assert_vector(r.forces.drag, 0, 0, 0, 0);
    assert_moment(&r, 0, 0, 0, 0);
    assert_true(r.energies[1] == 0 && r.lost == 0 && r.reason == 0);
    assert_true(r.powers.tangential_elastic == 0 && r.powers.tangential_damping == 0);
  }
}

static void springs_of_a_beam(void **state) {
  (void)state;
  const bond_pair p = bond_pair_beam();
  const demi_bond_springs s = demi_bond_springs_of(&p.type, 6, 2), t = demi_bond_springs_of(&p.type, 2, 6);
  ASSERT_BITS(&s, &t, sizeof s);
  ASSERT_REL(s.area, AREA, 1e-15);
  ASSERT_REL(s.lever, LEVER, 1e-15);
  ASSERT_REL(s.normal, 10 * AREA, 1e-15);
  ASSERT_REL(s.tangential, 6 * AREA, 1e-15);
  ASSERT_REL(s.bending, 40 * INERTIA, 1e-15);
  ASSERT_REL(s.twisting, 30 * 2 * INERTIA, 1e-15);
}

static void arms_are_in_proportion_to_radii(void **state) {
  (void)state;
  bond_pair p = bond_pair_beam();
  p.span[0] = 6;
  const demi_bond_response r = bond_pair_response(&p);
  ASSERT_REL(r.forces.arm[0], 1.5, 1e-15);
  ASSERT_REL(r.forces.arm[1], 4.5, 1e-15);
}

static void stretching(void **state) {
  (void)state;
  bond_pair p = bond_pair_beam();
  p.span[0] = 4.5;
  p.velocity[1][0] = -0.2; /* v.n = 0.2 */
  const demi_bond_response r = bond_pair_response(&p);
  ASSERT_REL(r.forces.elastic, -5 * AREA, 1e-15);
  ASSERT_REL(r.energies[0], 0.5 * 10 * AREA * 0.25, 1e-15);
  ASSERT_REL(r.forces.damping, -2 * 0.75 * 0.2, 1e-15);
  ASSERT_REL(r.powers.normal_elastic, -AREA, 1e-15);
  assert_true(r.energies[1] == 0);
}

/* Arms 1 and 3. Spins about z move the contact point along y by (1 w_i + 3 w_j). */
static void shear(void **state) {
  (void)state;
  bond_pair p = bond_pair_beam();
  p.velocity[0][1] = 0.4;
  p.spin[0][2] = p.spin[1][2] = 0.02;
  p.dt = 0.5;
  const double rate = 0.4 - 4 * 0.02, force = -6 * AREA * 0.5 * rate, drag = -3 * 0.75 * rate;
  const demi_bond_response r = bond_pair_response(&p);
  assert_vector(r.state.force, 0, force, 0, 1e-15);
  assert_vector(r.forces.drag, 0, drag, 0, 1e-15);
  assert_vector(r.state.bending, 0, 0, 0, 0);
  assert_true(r.state.twisting == 0);
  ASSERT_REL(r.powers.tangential_elastic, force * rate, 1e-14);
  ASSERT_REL(r.powers.tangential_damping, drag * rate, 1e-14);
  ASSERT_REL(r.powers.torque_elastic, -force * 0.08, 1e-14);
  ASSERT_REL(r.powers.torque_damping, -drag * 0.08, 1e-14);
  double energies[2];
  const demi_bond_springs s = demi_bond_springs_of(&p.type, 2, 6);
  demi_bond_energies(&r.state, &s, 4, energies);
  ASSERT_REL(energies[1], 0.5 * force * force / (6 * AREA), 1e-14);
}

/* w_i = -3 w_j about y: the contact point stays. */
static void bending(void **state) {
  (void)state;
  bond_pair p = bond_pair_beam();
  p.spin[0][1] = 0.3;
  p.spin[1][1] = -0.1;
  p.dt = 0.5;
  const double moment = -40 * INERTIA * 0.5 * 0.4;
  const demi_bond_response r = bond_pair_response(&p);
  assert_vector(r.state.force, 0, 0, 0, 1e-15);
  assert_vector(r.state.bending, 0, moment, 0, 1e-15);
  assert_moment(&r, 0, moment, 0, 1e-15);
  ASSERT_REL(r.powers.tangential_elastic, moment * 0.4, 1e-14);
  ASSERT_REL(r.powers.torque_elastic, moment * 0.4, 1e-14);
  double energies[2];
  const demi_bond_springs s = demi_bond_springs_of(&p.type, 2, 6);
  demi_bond_energies(&r.state, &s, 4, energies);
  ASSERT_REL(energies[1], 0.5 * moment * moment / (40 * INERTIA), 1e-14);
}

static void twisting(void **state) {
  (void)state;
  bond_pair p = bond_pair_beam();
  p.spin[0][0] = 0.3;
  p.spin[1][0] = -0.1;
  p.dt = 0.5;
  const double moment = -30 * 2 * INERTIA * 0.5 * 0.4;
  const demi_bond_response r = bond_pair_response(&p);
  assert_vector(r.state.force, 0, 0, 0, 0);
  assert_vector(r.state.bending, 0, 0, 0, 0);
  ASSERT_REL(r.state.twisting, moment, 1e-15);
  assert_moment(&r, moment, 0, 0, 1e-15);
  ASSERT_REL(r.powers.torque_elastic, moment * 0.4, 1e-14);
  double energies[2];
  const demi_bond_springs s = demi_bond_springs_of(&p.type, 2, 6);
  demi_bond_energies(&r.state, &s, 4, energies);
  ASSERT_REL(energies[1], 0.5 * moment * moment / (30 * 2 * INERTIA), 1e-14);
}

/* Half of all elastic parts stay: a quarter of the energy. */
static void relaxation_gives_up_energy(void **state) {
  (void)state;
  bond_pair p = bond_pair_loaded(0);
  p.dt = 0;
  const demi_bond_response all = bond_pair_response(&p);
  p.kept = 0.5;
  const demi_bond_response r = bond_pair_response(&p);
  for (int a = 0; a < 3; a++) {
    ASSERT_REL(r.state.force[a], 0.5 * all.state.force[a], 1e-15);
    ASSERT_REL(r.state.bending[a], 0.5 * all.state.bending[a], 1e-15);
  }
  ASSERT_REL(r.state.twisting, 0.5 * all.state.twisting, 1e-15);
  ASSERT_REL(r.forces.elastic, 0.5 * all.forces.elastic, 1e-14);
  ASSERT_REL(r.lost, 0.75 * (all.energies[0] + all.energies[1]), 1e-14);
  assert_true(all.lost == 0);
}

static void no_mass_no_dashpots(void **state) {
  (void)state;
  bond_pair p = bond_pair_loaded(0);
  p.mass = 0;
  const demi_bond_response r = bond_pair_response(&p);
  assert_true(r.forces.damping == 0);
  assert_vector(r.forces.drag, 0, 0, 0, 0);
}

static void ends_in_one_place_have_a_frame(void **state) {
  (void)state;
  for (int halves = 0; halves < 2; halves++) {
    bond_pair p = bond_pair_beam();
    p.span[0] = 0;
    p.half = 0.1 * halves;
    p.velocity[0][0] = 0.3;
    p.velocity[0][1] = 0.4;
    const demi_bond_response r = bond_pair_response(&p);
    assert_vector(r.forces.normal, 1, 0, 0, 0);
    assert_true(r.forces.arm[0] == 0 && r.forces.arm[1] == 0);
    ASSERT_REL(r.forces.elastic, 40 * AREA, 1e-15);
    ASSERT_REL(r.forces.damping, -2 * 0.75 * 0.3, 1e-15);
    assert_vector(r.forces.drag, 0, -3 * 0.75 * 0.4, 0, 1e-15);
  }
}

/* Half a step ago both ends were in one place: velocities are taken in the present frame. */
static void ends_that_were_in_one_place_have_a_frame(void **state) {
  (void)state;
  bond_pair p = bond_pair_beam();
  p.half = 0.5;
  p.velocity[0][0] = 8;
  p.spin[0][2] = 0.1;
  const demi_bond_response r = bond_pair_response(&p);
  ASSERT_REL(r.forces.damping, -2 * 0.75 * 8, 1e-15);
  assert_vector(r.forces.drag, 0, 3 * 0.75 * 0.1, 0, 1e-15);
}

/* ---- breaking ---- */

static int32_t reason_of(const bond_pair *p) { return bond_pair_response(p).reason; }

static void breaks_at_its_strain(void **state) {
  (void)state;
  for (int model = 0; model < 2; model++) {
    bond_pair p = model ? bond_pair_spring() : bond_pair_beam();
    p.type.break_strain = 0.25;
    p.span[0] = 5;
    assert_int_equal(reason_of(&p), 0); /* not above it */
    p.span[0] = nextafter(5, 6);
    assert_int_equal(reason_of(&p), DEM_BREAK_STRAIN);
    p.span[0] = 0.1;
    assert_int_equal(reason_of(&p), 0);
    p.span[0] = 50;
    p.type.break_strain = 0;
    assert_int_equal(reason_of(&p), 0);
  }
}

/* Sets a threshold just above and just below the stress that there is. */
static void assert_breaks_at(bond_pair *p, double *threshold, double stress, int32_t reason) {
  *threshold = stress * (1 + 1e-12);
  assert_int_equal(reason_of(p), 0);
  *threshold = stress * (1 - 1e-12);
  assert_int_equal(reason_of(p), reason);
  *threshold = 0;
  assert_int_equal(reason_of(p), 0);
}

static void breaks_at_its_stresses(void **state) {
  (void)state;
  bond_pair p = bond_pair_beam();
  p.span[0] = 4.5;
  assert_breaks_at(&p, &p.type.break_normal_stress, 5, DEM_BREAK_NORMAL_STRESS);
  p.state.bending[1] = 0.3;
  p.state.bending[2] = -0.4;
  assert_breaks_at(&p, &p.type.break_normal_stress, 5 + 0.5 * LEVER, DEM_BREAK_NORMAL_STRESS);
  p.span[0] = 3.5; /* compression helps against bending */
  assert_breaks_at(&p, &p.type.break_normal_stress, 0.5 * LEVER - 5, DEM_BREAK_NORMAL_STRESS);
  p.state.force[1] = 0.6;
  p.state.force[2] = 0.8;
  assert_breaks_at(&p, &p.type.break_shear_stress, 1 / AREA, DEM_BREAK_SHEAR_STRESS);
  p.state.twisting = -0.7;
  assert_breaks_at(&p, &p.type.break_shear_stress, 1 / AREA + 0.7 * 0.5 * LEVER, DEM_BREAK_SHEAR_STRESS);
}

static void one_reason_goes_before_another(void **state) {
  (void)state;
  bond_pair p = bond_pair_beam();
  p.span[0] = 5;
  p.state.force[1] = 1;
  p.type.break_strain = p.type.break_normal_stress = p.type.break_shear_stress = 1e-3;
  assert_int_equal(reason_of(&p), DEM_BREAK_STRAIN);
  p.type.break_strain = 0;
  assert_int_equal(reason_of(&p), DEM_BREAK_NORMAL_STRESS);
  p.type.break_normal_stress = 0;
  assert_int_equal(reason_of(&p), DEM_BREAK_SHEAR_STRESS);
}

/* It would break; that a bond breaks changes neither its state nor its forces. */
static void breaking_is_only_told(void **state) {
  (void)state;
  bond_pair p = bond_pair_loaded(0);
  const demi_bond_response whole = bond_pair_response(&p);
  p.type.break_strain = 1e-3;
  const demi_bond_response breaks = bond_pair_response(&p);
  assert_int_equal(whole.reason, 0);
  assert_int_equal(breaks.reason, DEM_BREAK_STRAIN);
  ASSERT_BITS(&whole.state, &breaks.state, sizeof whole.state);
  ASSERT_BITS(&whole.forces, &breaks.forces, sizeof whole.forces);
}

/* ---- purity ---- */

static void the_same_input_gives_the_same_bits(void **state) {
  (void)state;
  for (int halves = 0; halves < 2; halves++) {
    bond_pair p = bond_pair_loaded(0.005 * halves);
    p.kept = 0.9;
    const demi_bond_input in = bond_pair_input(&p, DEMI_BOND_FORCES | DEMI_BOND_POWERS | DEMI_BOND_ENERGIES);
    unsigned char pair_before[sizeof p], input_before[sizeof in];
    memcpy(pair_before, &p, sizeof p);
    memcpy(input_before, &in, sizeof in);
    demi_bond_response first, second;
    memset(&first, 0, sizeof first);
    memset(&second, 0, sizeof second);
    demi_bond_respond(&in, &first);
    demi_bond_respond(&in, &second);
    ASSERT_BITS(&first, &second, sizeof first);
    ASSERT_BITS(&p, pair_before, sizeof p);
    ASSERT_BITS(&in, input_before, sizeof in);
  }
}

/* Members that were not asked for keep their bytes; those that were asked for do not depend on the others. */
static void only_what_is_asked_for_is_written(void **state) {
  (void)state;
  bond_pair p = bond_pair_loaded(0.005);
  const demi_bond_response all = bond_pair_response(&p);
  demi_bond_response blank, r;
  memset(&blank, 0x5a, sizeof blank);
  for (int32_t ask = 0; ask < 8; ask++) {
    if (ask & DEMI_BOND_POWERS && !(ask & DEMI_BOND_FORCES)) continue;
    const demi_bond_response *forces = ask & DEMI_BOND_FORCES ? &all : &blank;
    const demi_bond_response *powers = ask & DEMI_BOND_POWERS ? &all : &blank;
    const demi_bond_input in = bond_pair_input(&p, ask);
    memset(&r, 0x5a, sizeof r);
    demi_bond_respond(&in, &r);
    ASSERT_BITS(&r.state, &forces->state, sizeof r.state);
    ASSERT_BITS(&r.forces, &forces->forces, sizeof r.forces);
    ASSERT_BITS(&r.lost, &forces->lost, sizeof r.lost);
    ASSERT_BITS(&r.reason, &forces->reason, sizeof r.reason);
    ASSERT_BITS(&r.powers, &powers->powers, sizeof r.powers);
    if (!(ask & DEMI_BOND_ENERGIES)) ASSERT_BITS(r.energies, blank.energies, sizeof r.energies);
    /* with the forces of the state at the end of dt, alone of the state given */
    double stored[2];
    const double length = sqrt(in.span[0] * in.span[0] + in.span[1] * in.span[1] + in.span[2] * in.span[2]);
    demi_bond_energies(ask & DEMI_BOND_FORCES ? &r.state : in.state, in.springs, length, stored);
    if (ask & DEMI_BOND_ENERGIES) ASSERT_BITS(r.energies, stored, sizeof r.energies);
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(harmonic_bond_is_a_spring),
      cmocka_unit_test(springs_of_a_beam),
      cmocka_unit_test(arms_are_in_proportion_to_radii),
      cmocka_unit_test(stretching),
      cmocka_unit_test(shear),
      cmocka_unit_test(bending),
      cmocka_unit_test(twisting),
      cmocka_unit_test(relaxation_gives_up_energy),
      cmocka_unit_test(no_mass_no_dashpots),
      cmocka_unit_test(ends_in_one_place_have_a_frame),
      cmocka_unit_test(ends_that_were_in_one_place_have_a_frame),
      cmocka_unit_test(breaks_at_its_strain),
      cmocka_unit_test(breaks_at_its_stresses),
      cmocka_unit_test(one_reason_goes_before_another),
      cmocka_unit_test(breaking_is_only_told),
      cmocka_unit_test(the_same_input_gives_the_same_bits),
      cmocka_unit_test(only_what_is_asked_for_is_written),
  };
  return cmocka_run_group_tests_name("bond_response", tests, NULL, NULL);
}
