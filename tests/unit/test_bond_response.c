/* The response of one bond against closed forms: springs along, across, in bending and twisting; forces as derivatives of the stored
 * energy; invariance under rotation and under exchange of the two ends; thresholds of breaking from both sides; and that it writes
 * nothing but its output. */
#include "assertions.h"

#include "bond_response.h"

static const double PI = 3.14159265358979323846;

/* Everything that an input points to. */
typedef struct pair {
  dem_bond_type type;
  demi_bond_state state;
  double span[3], radius[2], velocity[2][3], spin[2][3], mass, dt, half, kept;
  demi_bond_springs springs;
} pair;

static demi_bond_input input_of(pair *p, int32_t ask) {
  p->springs = demi_bond_springs_of(&p->type, p->radius[0], p->radius[1]);
  return (demi_bond_input){.type = &p->type,
                           .springs = &p->springs,
                           .state = &p->state,
                           .span = p->span,
                           .radius = {p->radius[0], p->radius[1]},
                           .end = {{p->velocity[0], p->spin[0]}, {p->velocity[1], p->spin[1]}},
                           .mass = p->mass,
                           .dt = p->dt,
                           .half = p->half,
                           .kept = p->kept,
                           .ask = ask};
}

static demi_bond_response response_of(const pair *given) {
  pair copy = *given, *p = &copy;
  demi_bond_response r;
  const demi_bond_input in = input_of(p, DEMI_BOND_FORCES | DEMI_BOND_POWERS | DEMI_BOND_ENERGIES);
  demi_bond_respond(&in, &r);
  return r;
}

/* At rest along x, unloaded, radii 2 and 6, distance 4: arms 1 and 3. */
static pair pair_of(int32_t model) {
  pair p;
  memset(&p, 0, sizeof p);
  p.type.model = model;
  p.radius[0] = 2;
  p.radius[1] = 6;
  p.span[0] = 4;
  p.state.rest_length = 4;
  p.mass = 0.75;
  p.kept = 1;
  return p;
}

static pair spring(void) {
  pair p = pair_of(DEM_BOND_HARMONIC);
  p.type.stiffness = 7;
  p.type.normal_damping = 2;
  return p;
}

/* R_b = 1/2, a quarter of the smaller radius: A = pi/4, I = pi/64, R_b/I = 32/pi. */
static pair beam(void) {
  pair p = pair_of(DEM_BOND_BEAM);
  p.type.radius_factor = 0.25;
  p.type.normal_stiffness = 10;
  p.type.tangential_stiffness = 6;
  p.type.bending_stiffness = 40;
  p.type.twisting_stiffness = 30;
  p.type.normal_damping = 2;
  p.type.tangential_damping = 3;
  return p;
}

static const double AREA = 0.78539816339744831, INERTIA = 0.049087385212340517, LEVER = 10.185916357881302;

/* A loaded beam in motion, in no special direction. */
static pair loaded_beam(double half) {
  static const double across[3] = {0.3, 0.5, -0.2}, bent[3] = {-0.1, 0.4, 0.2},
                      motion[4][3] = {
                          {0.2, -0.5, 0.3},
                          {-0.4, 0.1, 0.6},
                          {0.7, 0.2, -0.3},
                          {0.1, -0.6, 0.4},
                      };
  static const double span[3] = {2.1, -1.7, 2.6};
  pair p = beam();
  double n[3], f = 0, m = 0;
  const double length = sqrt(span[0] * span[0] + span[1] * span[1] + span[2] * span[2]);
  for (int a = 0; a < 3; a++) {
    n[a] = span[a] / length;
    f += across[a] * n[a];
    m += bent[a] * n[a];
  }
  for (int a = 0; a < 3; a++) {
    p.span[a] = span[a];
    p.state.force[a] = across[a] - f * n[a];
    p.state.bending[a] = bent[a] - m * n[a];
    p.velocity[0][a] = motion[0][a];
    p.velocity[1][a] = motion[1][a];
    p.spin[0][a] = motion[2][a];
    p.spin[1][a] = motion[3][a];
  }
  p.state.twisting = 0.25;
  p.state.rest_length = 3.5;
  p.dt = 0.01;
  p.half = half;
  return p;
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static void assert_vector(const double *v, double x, double y, double z, double tol) {
  ASSERT_ABS(v[0], x, tol);
  ASSERT_ABS(v[1], y, tol);
  ASSERT_ABS(v[2], z, tol);
}

static void assert_moment(const demi_bond_response *r, double x, double y, double z, double tol) {
  double moment[3];
  demi_bond_moment(&r->state, &r->forces, moment);
  assert_vector(moment, x, y, z, tol);
}

/* ---- closed forms ---- */

static void harmonic_bond_is_a_spring(void **state) {
  (void)state;
  for (double length = 2; length <= 6; length += 0.5) {
    pair p = spring();
    p.span[0] = 0;
    p.span[1] = -length;
    p.velocity[0][1] = 0.3; /* v.n = -0.3: approaching */
    p.velocity[0][2] = 5;   /* across, which this model does not feel */
    p.dt = 0.1;
    const demi_bond_response r = response_of(&p);
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
  const pair p = beam();
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
  pair p = beam();
  p.span[0] = 6;
  const demi_bond_response r = response_of(&p);
  ASSERT_REL(r.forces.arm[0], 1.5, 1e-15);
  ASSERT_REL(r.forces.arm[1], 4.5, 1e-15);
}

static void stretching(void **state) {
  (void)state;
  pair p = beam();
  p.span[0] = 4.5;
  p.velocity[1][0] = -0.2; /* v.n = 0.2 */
  const demi_bond_response r = response_of(&p);
  ASSERT_REL(r.forces.elastic, -5 * AREA, 1e-15);
  ASSERT_REL(r.energies[0], 0.5 * 10 * AREA * 0.25, 1e-15);
  ASSERT_REL(r.forces.damping, -2 * 0.75 * 0.2, 1e-15);
  ASSERT_REL(r.powers.normal_elastic, -AREA, 1e-15);
  assert_true(r.energies[1] == 0);
}

/* Arms 1 and 3. Spins about z move the contact point along y by (1 w_i + 3 w_j). */
static void shear(void **state) {
  (void)state;
  pair p = beam();
  p.velocity[0][1] = 0.4;
  p.spin[0][2] = p.spin[1][2] = 0.02;
  p.dt = 0.5;
  const double rate = 0.4 - 4 * 0.02, force = -6 * AREA * 0.5 * rate, drag = -3 * 0.75 * rate;
  const demi_bond_response r = response_of(&p);
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
  pair p = beam();
  p.spin[0][1] = 0.3;
  p.spin[1][1] = -0.1;
  p.dt = 0.5;
  const double moment = -40 * INERTIA * 0.5 * 0.4;
  const demi_bond_response r = response_of(&p);
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
  pair p = beam();
  p.spin[0][0] = 0.3;
  p.spin[1][0] = -0.1;
  p.dt = 0.5;
  const double moment = -30 * 2 * INERTIA * 0.5 * 0.4;
  const demi_bond_response r = response_of(&p);
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
  pair p = loaded_beam(0);
  p.dt = 0;
  const demi_bond_response all = response_of(&p);
  p.kept = 0.5;
  const demi_bond_response r = response_of(&p);
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
  pair p = loaded_beam(0);
  p.mass = 0;
  const demi_bond_response r = response_of(&p);
  assert_true(r.forces.damping == 0);
  assert_vector(r.forces.drag, 0, 0, 0, 0);
}

static void ends_in_one_place_have_a_frame(void **state) {
  (void)state;
  for (int halves = 0; halves < 2; halves++) {
    pair p = beam();
    p.span[0] = 0;
    p.half = 0.1 * halves;
    p.velocity[0][0] = 0.3;
    p.velocity[0][1] = 0.4;
    const demi_bond_response r = response_of(&p);
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
  pair p = beam();
  p.half = 0.5;
  p.velocity[0][0] = 8;
  p.spin[0][2] = 0.1;
  const demi_bond_response r = response_of(&p);
  ASSERT_REL(r.forces.damping, -2 * 0.75 * 8, 1e-15);
  assert_vector(r.forces.drag, 0, 3 * 0.75 * 0.1, 0, 1e-15);
}

/* ---- motion ---- */

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
  pair p = loaded_beam(0);
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
    const demi_bond_response response = response_of(&p);
    p.state = response.state;
    ASSERT_ABS(dot(p.state.force, response.forces.normal), 0, 1e-14);
  }
  return p.state;
}

/* Nothing is strained, and the state turns with the ends: one turn brings it back, with an error in proportion to the step, which
 * the difference to half as many steps takes off. */
static void rigid_rotation_strains_nothing(void **state) {
  (void)state;
  const demi_bond_state before = loaded_beam(0).state;
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
  pair p = loaded_beam(0);
  p.dt = 0;
  const demi_bond_response r = response_of(&p);
  ASSERT_BITS(&r.state, &p.state, sizeof p.state);
}

/* Where the bond has turned without time, the vectors are projected into the new plane with their lengths kept, also small ones. */
static void vectors_follow_the_plane(void **state) {
  (void)state;
  for (double size = 1; fabs(size) > 1e-30; size *= -1e-8) {
    pair p = loaded_beam(0);
    p.dt = 0;
    for (int a = 0; a < 3; a++) p.span[a] += 0.5 * p.state.force[a];
    for (int a = 0; a < 3; a++) p.state.force[a] *= size;
    const demi_bond_response r = response_of(&p);
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
    pair p = loaded_beam(0.2 * halves);
    p.dt = 0.4;
    const demi_bond_response r = response_of(&p);
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
    pair p = beam();
    p.dt = 0.2;
    p.half = 0.1 * halves;
    p.spin[0][0] = p.spin[1][0] = 1.5;
    p.spin[0][2] = 0.1; /* the contact point moves by -0.1 along y */
    p.state.force[1] = 0.7;
    const double whole = atan(0.2 * 1.5), half = halves ? atan(0.1 * 1.5) : 0, drag = 3 * 0.75 * 0.1;
    const double force = 6 * AREA * 0.2 * 0.1, moment = 40 * INERTIA * 0.2 * 0.1;
    const demi_bond_response r = response_of(&p);
    assert_vector(r.forces.drag, 0, drag * cos(half), drag * sin(half), 1e-15);
    assert_vector(r.state.bending, 0, moment * sin(half), -moment * cos(half), 1e-15);
    assert_vector(r.state.force, 0, 0.7 * cos(whole) + force * cos(half), 0.7 * sin(whole) + force * sin(half), 1e-15);
  }
}

/* Ends that pass through each other in half a step: the short way round is not unique, the vectors stay. */
static void ends_that_passed_each_other(void **state) {
  (void)state;
  pair p = beam();
  p.half = 0.5;
  p.velocity[0][0] = 16;
  p.state.force[1] = 0.3;
  p.state.bending[2] = 0.2;
  const demi_bond_response r = response_of(&p);
  ASSERT_BITS(&r.state, &p.state, sizeof p.state);
  ASSERT_REL(r.forces.damping, 2 * 0.75 * 16, 1e-15); /* v.n = -16 in the frame of then */
}

/* Moves one of the 12 coordinates (position and rotation of both ends) by h in the time |h|; energy of the new state. */
static double energy_after(const pair *from, int coordinate, double h, int halves) {
  pair p = *from;
  double *const part[4] = {p.velocity[0], p.spin[0], p.velocity[1], p.spin[1]};
  double energies[2];
  memset(p.velocity, 0, sizeof p.velocity);
  memset(p.spin, 0, sizeof p.spin);
  part[coordinate / 3][coordinate % 3] = h > 0 ? 1 : -1;
  if (coordinate / 3 == 0) p.span[coordinate % 3] += h;
  if (coordinate / 3 == 2) p.span[coordinate % 3] -= h;
  p.dt = fabs(h);
  p.half = halves ? 0.5 * p.dt : 0;
  const demi_bond_response r = response_of(&p);
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
      pair p = loaded_beam(0);
      if (model) {
        p.type = spring().type;
        memset(p.state.force, 0, sizeof p.state.force);
        memset(p.state.bending, 0, sizeof p.state.bending);
        p.state.twisting = 0;
      }
      p.dt = 0;
      double generalised[12];
      const demi_bond_response r = response_of(&p);
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
    const pair p = loaded_beam(0.005 * halves);
    const demi_bond_response r = response_of(&p);
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
  const pair p = loaded_beam(0.005);
  const demi_bond_response r = response_of(&p);
  double g[12], moment[3];
  forces_of(&r, 1, 1, g);
  cross(p.span, g, moment);
  for (int a = 0; a < 3; a++) ASSERT_ABS(moment[a] + g[3 + a] + g[9 + a], 0, 1e-14);
}

/* ---- symmetries ---- */

static void rotate(double *v) {
  static const double q[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
  double turned[3];
  for (int a = 0; a < 3; a++) turned[a] = dot(q[a], v);
  memcpy(v, turned, sizeof turned);
}

static void rotate_state(demi_bond_state *s) {
  rotate(s->force);
  rotate(s->bending);
}

static void rotate_pair(pair *p) {
  rotate_state(&p->state);
  rotate(p->span);
  for (int end = 0; end < 2; end++) {
    rotate(p->velocity[end]);
    rotate(p->spin[end]);
  }
}

static void assert_alike(const double *a, const double *b, size_t bytes) {
  for (size_t k = 0; k < bytes / sizeof *a; k++) ASSERT_ABS(a[k], b[k], 1e-14 * (1 + fabs(a[k])));
}

static void assert_same_response(const demi_bond_response *a, const demi_bond_response *b) {
  assert_alike(&a->state.rest_length, &b->state.rest_length, sizeof a->state);
  assert_alike(a->forces.normal, b->forces.normal, sizeof a->forces);
  assert_alike(a->energies, b->energies, sizeof a->energies);
  assert_alike(&a->powers.normal_elastic, &b->powers.normal_elastic, sizeof a->powers);
  assert_alike(&a->lost, &b->lost, sizeof a->lost);
  assert_int_equal(a->reason, b->reason);
}

static void response_turns_with_its_input(void **state) {
  (void)state;
  for (int halves = 0; halves < 2; halves++) {
    pair p = loaded_beam(0.005 * halves);
    p.kept = 0.9;
    demi_bond_response expected = response_of(&p);
    rotate_pair(&p);
    const demi_bond_response found = response_of(&p);
    rotate_state(&expected.state);
    rotate(expected.forces.normal);
    rotate(expected.forces.drag);
    assert_same_response(&found, &expected);
  }
}

static void negate(double *v) {
  for (int a = 0; a < 3; a++) v[a] = -v[a];
}

static void exchange(double *a, double *b, size_t count) {
  for (size_t k = 0; k < count; k++) {
    const double old = a[k];
    a[k] = b[k];
    b[k] = old;
  }
}

/* The twisting moment is a number along n, which turns round too: it keeps its sign. */
static void ends_may_change_places(void **state) {
  (void)state;
  for (int halves = 0; halves < 2; halves++) {
    pair p = loaded_beam(0.005 * halves);
    p.kept = 0.9;
    demi_bond_response expected = response_of(&p);
    negate(p.span);
    negate(p.state.force);
    negate(p.state.bending);
    exchange(&p.radius[0], &p.radius[1], 1);
    exchange(p.velocity[0], p.velocity[1], 3);
    exchange(p.spin[0], p.spin[1], 3);
    const demi_bond_response found = response_of(&p);
    negate(expected.state.force);
    negate(expected.state.bending);
    negate(expected.forces.normal);
    negate(expected.forces.drag);
    exchange(&expected.forces.arm[0], &expected.forces.arm[1], 1);
    assert_same_response(&found, &expected);
  }
}

static void scale(double *v, size_t count, double factor) {
  for (size_t k = 0; k < count; k++) v[k] *= factor;
}

/* Other units of length and force, powers of two: the same bits but for the exponents. */
static void units_do_not_matter(void **state) {
  (void)state;
  const double length = 1.0 / 1024, force = 1.0 / 65536, per_volume = force / (length * length * length);
  for (int halves = 0; halves < 2; halves++) {
    pair p = loaded_beam(0.005 * halves);
    p.kept = 0.9;
    demi_bond_response expected = response_of(&p);
    p.state.rest_length *= length;
    scale(p.state.force, 3, force);
    scale(p.state.bending, 3, force * length);
    p.state.twisting *= force * length;
    scale(p.span, 3, length);
    scale(p.radius, 2, length);
    for (int end = 0; end < 2; end++) scale(p.velocity[end], 3, length);
    p.mass *= force / length;
    p.type.normal_stiffness *= per_volume;
    p.type.tangential_stiffness *= per_volume;
    p.type.bending_stiffness *= per_volume;
    p.type.twisting_stiffness *= per_volume;
    const demi_bond_response found = response_of(&p);
    scale(expected.forces.arm, 2, length);
    expected.forces.elastic *= force;
    expected.forces.damping *= force;
    scale(expected.forces.drag, 3, force);
    scale(expected.energies, 2, force * length);
    scale(&expected.powers.normal_elastic, 6, force * length);
    ASSERT_BITS(&found.forces, &expected.forces, sizeof found.forces);
    ASSERT_BITS(found.energies, expected.energies, sizeof found.energies);
    ASSERT_BITS(&found.powers, &expected.powers, sizeof found.powers);
    assert_true(found.lost == expected.lost * force * length);
  }
}

/* ---- breaking ---- */

static int32_t reason_of(const pair *p) { return response_of(p).reason; }

static void breaks_at_its_strain(void **state) {
  (void)state;
  for (int model = 0; model < 2; model++) {
    pair p = model ? spring() : beam();
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
static void assert_breaks_at(pair *p, double *threshold, double stress, int32_t reason) {
  *threshold = stress * (1 + 1e-12);
  assert_int_equal(reason_of(p), 0);
  *threshold = stress * (1 - 1e-12);
  assert_int_equal(reason_of(p), reason);
  *threshold = 0;
  assert_int_equal(reason_of(p), 0);
}

static void breaks_at_its_stresses(void **state) {
  (void)state;
  pair p = beam();
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
  pair p = beam();
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
  pair p = loaded_beam(0);
  const demi_bond_response whole = response_of(&p);
  p.type.break_strain = 1e-3;
  const demi_bond_response breaks = response_of(&p);
  assert_int_equal(whole.reason, 0);
  assert_int_equal(breaks.reason, DEM_BREAK_STRAIN);
  ASSERT_BITS(&whole.state, &breaks.state, sizeof whole.state);
  ASSERT_BITS(&whole.forces, &breaks.forces, sizeof whole.forces);
}

/* ---- purity ---- */

static void the_same_input_gives_the_same_bits(void **state) {
  (void)state;
  for (int halves = 0; halves < 2; halves++) {
    pair p = loaded_beam(0.005 * halves);
    p.kept = 0.9;
    const demi_bond_input in = input_of(&p, DEMI_BOND_FORCES | DEMI_BOND_POWERS | DEMI_BOND_ENERGIES);
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
  pair p = loaded_beam(0.005);
  const demi_bond_response all = response_of(&p);
  demi_bond_response blank, r;
  memset(&blank, 0x5a, sizeof blank);
  for (int32_t ask = 0; ask < 8; ask++) {
    if (ask & DEMI_BOND_POWERS && !(ask & DEMI_BOND_FORCES)) continue;
    const demi_bond_response *forces = ask & DEMI_BOND_FORCES ? &all : &blank;
    const demi_bond_response *powers = ask & DEMI_BOND_POWERS ? &all : &blank;
    const demi_bond_response *energies = ask & DEMI_BOND_ENERGIES ? &all : &blank;
    const demi_bond_input in = input_of(&p, ask);
    memset(&r, 0x5a, sizeof r);
    demi_bond_respond(&in, &r);
    ASSERT_BITS(&r.state, &forces->state, sizeof r.state);
    ASSERT_BITS(&r.forces, &forces->forces, sizeof r.forces);
    ASSERT_BITS(&r.lost, &forces->lost, sizeof r.lost);
    ASSERT_BITS(&r.reason, &forces->reason, sizeof r.reason);
    ASSERT_BITS(&r.powers, &powers->powers, sizeof r.powers);
    ASSERT_BITS(r.energies, energies->energies, sizeof r.energies);
  }
}

int main(void) {
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
      cmocka_unit_test(rigid_rotation_strains_nothing),
      cmocka_unit_test(no_time_changes_no_bit),
      cmocka_unit_test(vectors_follow_the_plane),
      cmocka_unit_test(vectors_lie_across_the_bond),
      cmocka_unit_test(common_spin_turns_vectors),
      cmocka_unit_test(ends_that_passed_each_other),
      cmocka_unit_test(elastic_forces_are_derivatives_of_the_energy),
      cmocka_unit_test(powers_are_those_of_the_ends),
      cmocka_unit_test(momenta_are_conserved),
      cmocka_unit_test(response_turns_with_its_input),
      cmocka_unit_test(ends_may_change_places),
      cmocka_unit_test(units_do_not_matter),
      cmocka_unit_test(breaks_at_its_strain),
      cmocka_unit_test(breaks_at_its_stresses),
      cmocka_unit_test(one_reason_goes_before_another),
      cmocka_unit_test(breaking_is_only_told),
      cmocka_unit_test(the_same_input_gives_the_same_bits),
      cmocka_unit_test(only_what_is_asked_for_is_written),
  };
  return cmocka_run_group_tests_name("bond response", tests, NULL, NULL);
}
