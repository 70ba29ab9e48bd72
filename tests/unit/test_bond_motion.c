/* The response of one bond that moves: its state turns with its ends, forces are derivatives of the stored energy, powers are those of
 * the ends, momenta are conserved. */
#include "assertions.h"

#include "unit/bond_pair.h"
#include "vectors.h"

/* Of the beam: A = pi/4, I = pi/64. */
static const double AREA = 0.78539816339744831, INERTIA = 0.049087385212340517;
static const double PI = 3.14159265358979323846;

/* Where r stands when the ends have turned about `axis` by `angle` as one body. */
static void turn_span(const double *start, const double *axis, double angle, double *span) {
  const double along = dot(axis, start);
  double turned[3];
  cross(axis, start, turned);
  for (int a = 0; a < 3; a++) span[a] = axis[a] * along + cos(angle) * (start[a] - axis[a] * along) + sin(angle) * turned[a];
}

/* State after one turn of both ends as one body, in `steps` steps. */
static demi_bond_state after_one_turn(int steps, int halves) {
  static const double axis[3] = {0.36, 0.48, 0.8};
  bond_pair p = bond_pair_loaded(0);
  double start[3], r[3];
  memcpy(start, p.span, sizeof start);
  p.dt = 0.01;
  p.half = halves ? 0.5 * p.dt : 0;
  const double step = 2 * PI / steps, rate = step / p.dt;
  for (int k = 1; k <= steps; k++) {
    memcpy(r, p.span, sizeof r);
    turn_span(start, axis, k * step, p.span);
    for (int a = 0; a < 3; a++) p.spin[0][a] = p.spin[1][a] = rate * axis[a];
    cross(p.spin[0], p.span, p.velocity[0]);
    for (int a = 0; a < 3 && halves; a++) p.velocity[0][a] = (p.span[a] - r[a]) / p.dt;
    for (int a = 0; a < 3; a++) p.velocity[1][a] = 1;
    for (int a = 0; a < 3; a++) p.velocity[0][a] += 1;
    const demi_bond_response response = bond_pair_response(&p);
    p.state = response.state;
    ASSERT_ABS(dot(p.state.force, response.forces.normal), 0, 1e-14);
  }
  return p.state;
}

/* Nothing is strained, and the state turns with the ends: one turn brings it back, with an error in proportion to the step, which
 * the difference to half as many steps takes off. */
static void rigid_rotation_strains_nothing(void **state) {
  (void)state;
  const demi_bond_state before = bond_pair_loaded(0).state;
  for (int halves = 0; halves < 2; halves++) {
    const demi_bond_state coarse = after_one_turn(8000, halves), fine = after_one_turn(16000, halves);
    for (int a = 0; a < 3; a++) {
      ASSERT_ABS(2 * fine.force[a] - coarse.force[a], before.force[a], 1e-5);
      ASSERT_ABS(2 * fine.bending[a] - coarse.bending[a], before.bending[a], 1e-5);
    }
    ASSERT_REL(dot(fine.force, fine.force), dot(before.force, before.force), halves ? 2e-5 : 1e-11);
    ASSERT_REL(fine.twisting, before.twisting, 1e-12);
  }
}

/* Without time nothing of the state changes, to the bit. */
static void no_time_changes_no_bit(void **state) {
  (void)state;
  bond_pair p = bond_pair_loaded(0);
  p.dt = 0;
  const demi_bond_response r = bond_pair_response(&p);
  ASSERT_BITS(&r.state, &p.state, sizeof p.state);
}

/* Where the bond has turned without time, the vectors are projected into the new plane with their lengths kept, also small ones. */
static void vectors_follow_the_plane(void **state) {
  (void)state;
  for (double size = 1; fabs(size) > 1e-30; size *= -1e-8) {
    bond_pair p = bond_pair_loaded(0);
    p.dt = 0;
    for (int a = 0; a < 3; a++) p.span[a] += 0.5 * p.state.force[a];
    for (int a = 0; a < 3; a++) p.state.force[a] *= size;
    const demi_bond_response r = bond_pair_response(&p);
    const double *n = r.forces.normal, *f = p.state.force;
    assert_true(fabs(dot(f, n)) > 0.01 * fabs(size));
    ASSERT_ABS(dot(r.state.force, n), 0, 1e-15 * fabs(size));
    ASSERT_REL(dot(r.state.force, r.state.force), dot(f, f), 1e-14);
    assert_true(dot(r.state.force, f) > 0.9 * dot(f, f));
  }
}

static void vectors_lie_across_the_bond(void **state) {
  (void)state;
  for (int halves = 0; halves < 2; halves++) {
    bond_pair p = bond_pair_loaded(0.2 * halves);
    p.dt = 0.4;
    const demi_bond_response r = bond_pair_response(&p);
    ASSERT_ABS(dot(r.state.force, r.forces.normal), 0, 1e-14);
    ASSERT_ABS(dot(r.state.bending, r.forces.normal), 0, 1e-14);
    ASSERT_ABS(dot(r.forces.drag, r.forces.normal), 0, 1e-14);
  }
}

/* Ends that spin together about the bond: what was there turns with them for the whole step. The motion is that of the middle of the
 * step where the velocities are, and turns for the half that is left. Rotations by an angle x are made by that of tangent x. */
static void common_spin_turns_vectors(void **state) {
  (void)state;
  for (int halves = 0; halves < 2; halves++) {
    bond_pair p = bond_pair_beam();
    p.dt = 0.2;
    p.half = 0.1 * halves;
    p.spin[0][0] = p.spin[1][0] = 1.5;
    p.spin[0][2] = 0.1; /* the contact point moves by -0.1 along y */
    p.state.force[1] = 0.7;
    const double whole = atan(0.2 * 1.5), half = halves ? atan(0.1 * 1.5) : 0, drag = 3 * 0.75 * 0.1;
    const double force = 6 * AREA * 0.2 * 0.1, moment = 40 * INERTIA * 0.2 * 0.1;
    const demi_bond_response r = bond_pair_response(&p);
    assert_vector(r.forces.drag, 0, drag * cos(half), drag * sin(half), 1e-15);
    assert_vector(r.state.bending, 0, moment * sin(half), -moment * cos(half), 1e-15);
    assert_vector(r.state.force, 0, 0.7 * cos(whole) + force * cos(half), 0.7 * sin(whole) + force * sin(half), 1e-15);
  }
}

/* Ends that pass through each other in half a step: the short way round is not unique, the vectors stay. */
static void ends_that_passed_each_other(void **state) {
  (void)state;
  bond_pair p = bond_pair_beam();
  p.half = 0.5;
  p.velocity[0][0] = 16;
  p.state.force[1] = 0.3;
  p.state.bending[2] = 0.2;
  const demi_bond_response r = bond_pair_response(&p);
  ASSERT_BITS(&r.state, &p.state, sizeof p.state);
  ASSERT_REL(r.forces.damping, 2 * 0.75 * 16, 1e-15); /* v.n = -16 in the frame of then */
}

/* Moves one of the 12 coordinates (position and rotation of both ends) by h in the time |h|; energy of the new state. */
static double energy_after(const bond_pair *from, int coordinate, double h, int halves) {
  bond_pair p = *from;
  double *const part[4] = {p.velocity[0], p.spin[0], p.velocity[1], p.spin[1]};
  double energies[2];
  memset(p.velocity, 0, sizeof p.velocity);
  memset(p.spin, 0, sizeof p.spin);
  part[coordinate / 3][coordinate % 3] = h > 0 ? 1 : -1;
  if (coordinate / 3 == 0) p.span[coordinate % 3] += h;
  if (coordinate / 3 == 2) p.span[coordinate % 3] -= h;
  p.dt = fabs(h);
  p.half = halves ? 0.5 * p.dt : 0;
  const demi_bond_response r = bond_pair_response(&p);
  const demi_bond_springs s = demi_bond_springs_of(&p.type, p.radius[0], p.radius[1]);
  demi_bond_energies(&r.state, &s, sqrt(dot(p.span, p.span)), energies);
  return energies[0] + energies[1];
}

static void forces_of(const demi_bond_response *r, double elastic, double damping, double generalised[12]) {
  double across[3], torque[3], moment[3];
  demi_bond_moment(&r->state, &r->forces, moment);
  for (int a = 0; a < 3; a++) across[a] = elastic * r->state.force[a] + damping * r->forces.drag[a];
  cross(r->forces.normal, across, torque);
  for (int a = 0; a < 3; a++) {
    const double force = (elastic * r->forces.elastic + damping * r->forces.damping) * r->forces.normal[a] + across[a];
    generalised[a] = force;
    generalised[6 + a] = -force;
    generalised[3 + a] = -r->forces.arm[0] * torque[a] + elastic * moment[a];
    generalised[9 + a] = -r->forces.arm[1] * torque[a] - elastic * moment[a];
  }
}

static void elastic_forces_are_derivatives_of_the_energy(void **state) {
  (void)state;
  const double h = 1e-5;
  for (int halves = 0; halves < 2; halves++)
    for (int model = 0; model < 2; model++) {
      bond_pair p = bond_pair_loaded(0);
      if (model) {
        p.type = bond_pair_spring().type;
        memset(p.state.force, 0, sizeof p.state.force);
        memset(p.state.bending, 0, sizeof p.state.bending);
        p.state.twisting = 0;
      }
      p.dt = 0;
      double generalised[12];
      const demi_bond_response r = bond_pair_response(&p);
      forces_of(&r, 1, 0, generalised);
      for (int k = 0; k < 12; k++) {
        const double slope = (energy_after(&p, k, h, halves) - energy_after(&p, k, -h, halves)) / (2 * h);
        ASSERT_ABS(-slope, generalised[k], 1e-8);
      }
    }
}

/* Powers are those of the forces and torques on the two ends. */
static void powers_are_those_of_the_ends(void **state) {
  (void)state;
  for (int halves = 0; halves < 2; halves++) {
    const bond_pair p = bond_pair_loaded(0.005 * halves);
    const demi_bond_response r = bond_pair_response(&p);
    const double *const motion[4] = {p.velocity[0], p.spin[0], p.velocity[1], p.spin[1]};
    double elastic[12], damping[12], power[2] = {0, 0}, torque_power[2] = {0, 0};
    forces_of(&r, 1, 0, elastic);
    forces_of(&r, 0, 1, damping);
    for (int k = 0; k < 12; k++) {
      const double rate = motion[k / 3][k % 3];
      power[0] += elastic[k] * rate;
      power[1] += damping[k] * rate;
      if (k / 3 % 2 == 1) torque_power[0] += elastic[k] * rate;
      if (k / 3 % 2 == 1) torque_power[1] += damping[k] * rate;
    }
    ASSERT_REL(r.powers.normal_elastic + r.powers.tangential_elastic, power[0], 1e-13);
    ASSERT_REL(r.powers.normal_damping + r.powers.tangential_damping, power[1], 1e-13);
    ASSERT_REL(r.powers.torque_elastic, torque_power[0], 1e-13);
    ASSERT_REL(r.powers.torque_damping, torque_power[1], 1e-13);
    const demi_bond_end end[2] = {{p.velocity[0], p.spin[0]}, {p.velocity[1], p.spin[1]}};
    const demi_bond_powers again = demi_bond_powers_at(&r.state, &r.forces, end);
    ASSERT_BITS(&again, &r.powers, sizeof again);
  }
}

/* Forces are opposite, and the torques on both ends with the moment of the forces sum to 0. */
static void momenta_are_conserved(void **state) {
  (void)state;
  const bond_pair p = bond_pair_loaded(0.005);
  const demi_bond_response r = bond_pair_response(&p);
  double g[12], moment[3];
  forces_of(&r, 1, 1, g);
  cross(p.span, g, moment);
  for (int a = 0; a < 3; a++) ASSERT_ABS(moment[a] + g[3 + a] + g[9 + a], 0, 1e-14);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rigid_rotation_strains_nothing),
      cmocka_unit_test(no_time_changes_no_bit),
      cmocka_unit_test(vectors_follow_the_plane),
      cmocka_unit_test(vectors_lie_across_the_bond),
      cmocka_unit_test(common_spin_turns_vectors),
      cmocka_unit_test(ends_that_passed_each_other),
      cmocka_unit_test(elastic_forces_are_derivatives_of_the_energy),
      cmocka_unit_test(powers_are_those_of_the_ends),
      cmocka_unit_test(momenta_are_conserved),
  };
  return cmocka_run_group_tests_name("bond_motion", tests, NULL, NULL);
}
