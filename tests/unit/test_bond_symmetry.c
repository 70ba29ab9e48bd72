/* Symmetries of the response of one bond: under rotation, exchange of the ends, and other units. */
#include "assertions.h"

#include "unit/bond_pair.h"
#include "vectors.h"

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

static void rotate_pair(bond_pair *p) {
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
    bond_pair p = bond_pair_loaded(0.005 * halves);
    p.kept = 0.9;
    demi_bond_response expected = bond_pair_response(&p);
    rotate_pair(&p);
    const demi_bond_response found = bond_pair_response(&p);
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
    bond_pair p = bond_pair_loaded(0.005 * halves);
    p.kept = 0.9;
    demi_bond_response expected = bond_pair_response(&p);
    negate(p.span);
    negate(p.state.force);
    negate(p.state.bending);
    exchange(&p.radius[0], &p.radius[1], 1);
    exchange(p.velocity[0], p.velocity[1], 3);
    exchange(p.spin[0], p.spin[1], 3);
    const demi_bond_response found = bond_pair_response(&p);
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
    bond_pair p = bond_pair_loaded(0.005 * halves);
    p.kept = 0.9;
    demi_bond_response expected = bond_pair_response(&p);
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
    const demi_bond_response found = bond_pair_response(&p);
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

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(response_turns_with_its_input),
      cmocka_unit_test(ends_may_change_places),
      cmocka_unit_test(units_do_not_matter),
  };
  return cmocka_run_group_tests_name("bond_symmetry", tests, NULL, NULL);
}
