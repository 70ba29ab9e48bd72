/* Pairs that are bonded: see bond_pair.h. */
#include "assertions.h"

#include "unit/bond_pair.h"

demi_bond_input bond_pair_input(bond_pair *p, int32_t ask) {
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

demi_bond_response bond_pair_response(const bond_pair *given) {
  bond_pair copy = *given, *p = &copy;
  demi_bond_response r;
  const demi_bond_input in = bond_pair_input(p, DEMI_BOND_FORCES | DEMI_BOND_POWERS | DEMI_BOND_ENERGIES);
  demi_bond_respond(&in, &r);
  return r;
}

/* At rest along x, unloaded, radii 2 and 6, distance 4: arms 1 and 3. */
bond_pair bond_pair_of(int32_t model) {
  bond_pair p;
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

bond_pair bond_pair_spring(void) {
  bond_pair p = bond_pair_of(DEM_BOND_HARMONIC);
  p.type.stiffness = 7;
  p.type.normal_damping = 2;
  return p;
}

/* R_b = 1/2, a quarter of the smaller radius: A = pi/4, I = pi/64, R_b/I = 32/pi. */
bond_pair bond_pair_beam(void) {
  bond_pair p = bond_pair_of(DEM_BOND_BEAM);
  p.type.radius_factor = 0.25;
  p.type.normal_stiffness = 10;
  p.type.tangential_stiffness = 6;
  p.type.bending_stiffness = 40;
  p.type.twisting_stiffness = 30;
  p.type.normal_damping = 2;
  p.type.tangential_damping = 3;
  return p;
}

/* A loaded beam in motion, in no special direction. */
bond_pair bond_pair_loaded(double half) {
  static const double across[3] = {0.3, 0.5, -0.2}, bent[3] = {-0.1, 0.4, 0.2},
                      motion[4][3] = {
                          {0.2, -0.5, 0.3},
                          {-0.4, 0.1, 0.6},
                          {0.7, 0.2, -0.3},
                          {0.1, -0.6, 0.4},
                      };
  static const double span[3] = {2.1, -1.7, 2.6};
  bond_pair p = bond_pair_beam();
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
