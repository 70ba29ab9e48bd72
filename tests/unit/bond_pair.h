/* A bonded pair and the response of its bond, for the tests of demi_bond_respond. */
#ifndef TESTS_BOND_PAIR_H
#define TESTS_BOND_PAIR_H

#include "bond_response.h"

/* Everything that an input points to. */
typedef struct bond_pair {
  dem_bond_type type;
  demi_bond_state state;
  double span[3], radius[2], velocity[2][3], spin[2][3], mass, dt, half, kept;
  demi_bond_springs springs;
} bond_pair;

/* The input that points into the pair, whose springs are set. */
demi_bond_input bond_pair_input(bond_pair *p, int32_t ask);
/* All of the response; the pair stays as it is. */
demi_bond_response bond_pair_response(const bond_pair *given);

/* At rest along x, unloaded, radii 2 and 6, distance 4: arms 1 and 3. */
bond_pair bond_pair_of(int32_t model);
/* The same with a harmonic spring and a dashpot. */
bond_pair bond_pair_spring(void);
/* The same with a beam of radius R_b = 1/2, a quarter of the smaller radius: A = pi/4, I = pi/64, R_b/I = 32/pi. */
bond_pair bond_pair_beam(void);
/* A loaded beam in motion, in no special direction. */
bond_pair bond_pair_loaded(double half);

#endif
