/* Derivatives of the forces and moments of one bond by the motion of its two ends: a pure function of what its response depends on,
 * with the history (the state at the start of dt) held fixed.
 *
 * Order of rows and columns: force or displacement of i (3), moment or rotation of i (3), the same of j (3 + 3). All entries are
 * MINUS derivatives of the loads of demi_bond_respond, so that a spring is positive:
 *   position[r][c] = -d load_r / d place_c at fixed velocities: the spring along the bond, the turning of all forces with n, the
 *                    arms; its columns of rotations are 0, as orientations enter by spins alone
 *   rate[r][c]     = -d load_r / d velocity_c at fixed places: for each mode k dt + c, spring and dashpot together, so that
 *                    rate/dt is the derivative by the displacement over dt
 * For displacements u with places a u and velocities u/h, histories advanced by dt: K = a position + rate/h. Statics: a = h = dt = 1.
 *
 * Nothing is left out: these are the derivatives of the response, to all orders. K is symmetric where dashpots and relaxation are 0 and
 * the bond at the end of dt holds neither shear force f nor moments M, T, whatever its stretch. Its antisymmetric part, rotations times
 * |r|, is of first order in these, at most (|f| + (|M| + |T|)/|r|)/|r| (0.87 of it in 2000 random bonds, test_bond_tangent.c). It
 * comes from the law: f, M and T are carried with the bond by rates and are not the gradient of an energy of finite rotations. A
 * minimiser takes the symmetric part.
 *
 * For velocities that belong to the frame of the positions: input->half is taken as 0. */
#ifndef DEMI_BOND_TANGENT_H
#define DEMI_BOND_TANGENT_H

#include "bond_response.h"

typedef struct demi_bond_tangent {
  double position[12][12]; /* [force/length], [force] and [force*length] */
  double rate[12][12];     /* the same times time */
} demi_bond_tangent;

/* response: of the same input, asked with DEMI_BOND_FORCES. A bond that breaks (response->reason) has no load; its tangent is that of
 * the bond as it was. */
void demi_bond_find_tangent(const demi_bond_input *input, const demi_bond_response *response, demi_bond_tangent *tangent);

#endif
