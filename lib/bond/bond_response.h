/* The response of one bond: its forces, its next elastic state, whether it breaks; from its present state and the motion of its
 * two ends. It knows no table, no store and no contact, and writes only its output: the caller keeps the new state (bonds.h), or
 * throws it away. See dem/bond.h for the models.
 *
 * Kinematics. r = x_i - x_j, n = r/|r|. The bond is cut in proportion to the radii, arms a_i = |r| R_i/(R_i + R_j) and
 * a_j = |r| - a_i, so that force and torques conserve angular momentum. With v = v_i - v_j, s = a_i w_i + a_j w_j, w = w_i - w_j:
 *   along the bond   v.n                        twisting   w.n
 *   across it        v - (v.n) n - s x n        bending    w - (w.n) n
 * State. The tangential force f, the bending moment M (vectors across n), the twisting moment T (a number along n), the rest
 * length l_0. Vectors turn with the bond: they are projected into the plane across its present direction with their length kept,
 * and rotated about it by the mean spin of the two ends. Then during dt
 *   f -= k_t dt (across),   M -= k_b dt (bending),   T -= k_w dt (twisting);
 * relaxation multiplies f, M, T and the stretch |r| - l_0 by `kept`.
 * Forces on i; j has the opposite: (k_n (l_0 - |r|) - c_n m* v.n) n + f - c_t m* (across). Moment on i: M + T n.
 *
 * Velocities half a step old (half > 0): all that motion happens first in the frame of r_h = r - half v, and vectors are then
 * turned into the frame of r, as those of contacts are (contact/batch_half.c). */
#ifndef DEMI_BOND_RESPONSE_H
#define DEMI_BOND_RESPONSE_H

#include <dem/bond.h>

/* Spring constants along the bond and across it [force/length], of bending and twisting [force*length]; cross-section A;
 * R_b/I, the bending stress per moment. For the harmonic model all but `normal` are 0. */
typedef struct demi_bond_springs {
  double normal, tangential, bending, twisting, area, lever;
} demi_bond_springs;
demi_bond_springs demi_bond_springs_of(const dem_bond_type *type, double radius_i, double radius_j);

/* What a bond remembers. */
typedef struct demi_bond_state {
  double rest_length; /* l_0 [length] */
  double force[3];    /* tangential elastic force on i */
  double bending[3];  /* elastic moment on i, across n */
  double twisting;    /* elastic moment on i, along n */
} demi_bond_state;

/* Forces on i and the frame in which they act. */
typedef struct demi_bond_forces {
  double normal[3], arm[2]; /* n; a_i, a_j */
  double elastic, damping;  /* along n, > 0 repulsive: spring and dashpot */
  double drag[3];           /* tangential dashpot */
} demi_bond_forces;

/* Powers [energy/time] that the forces give to both ends together, at some velocities: of the normal spring and dashpot, of the
 * tangential spring with the moments, of the tangential dashpot; and the part of the last two that torques do. A force across n
 * acts on the motion of the centres and, as a torque, on the spins. */
typedef struct demi_bond_powers {
  double normal_elastic, normal_damping, tangential_elastic, tangential_damping, torque_elastic, torque_damping;
} demi_bond_powers;

/* Motion of one end: three doubles each. */
typedef struct demi_bond_end {
  const double *velocity, *spin;
} demi_bond_end;

/* What a caller may ask for. */
enum {
  DEMI_BOND_FORCES = 1, /* state, forces, lost, reason */
  DEMI_BOND_POWERS = 2, /* with DEMI_BOND_FORCES: their powers at the velocities of the ends, in the frame of r */
  DEMI_BOND_ENERGIES =
      4, /* stored energies at the span given: of the state at the end of dt with FORCES, else of the state given */
};

/* All that a response depends on; nothing of it is written. */
typedef struct demi_bond_input {
  const dem_bond_type *type;
  const demi_bond_springs *springs;
  const demi_bond_state *state; /* at the start of dt */
  const double *span;           /* r */
  double radius[2];             /* of i, j */
  demi_bond_end end[2];         /* i, j */
  double mass;                  /* m* = m_i m_j/(m_i + m_j); 0: no dashpots */
  double dt;                    /* motion to add to the state [time]; 0: none */
  double half;                  /* age of the frame of the velocities [time]; 0: that of r */
  double kept;                  /* exp(-dt/t_d), the part of the elastic forces that relaxation leaves; 1: all */
  int32_t ask;                  /* DEMI_BOND_... or-ed */
} demi_bond_input;

/* Only the members that were asked for are written. */
typedef struct demi_bond_response {
  demi_bond_state state; /* at the end of dt */
  demi_bond_forces forces;
  int32_t reason;     /* DEM_BREAK_... if it breaks in this state, else 0 */
  double lost;        /* elastic energy that relaxation turned into heat */
  double energies[2]; /* stored along the bond; by tangential force and moments */
  demi_bond_powers powers;
} demi_bond_response;

/* Elastic moment on i: M + T n. */
static inline void demi_bond_moment(const demi_bond_state *state, const demi_bond_forces *forces, double moment[3]) {
  for (int a = 0; a < 3; a++) moment[a] = state->bending[a] + state->twisting * forces->normal[a];
}

void demi_bond_respond(const demi_bond_input *input, demi_bond_response *response);

/* Stored energies of a state at |r| = length: k_n (|r| - l_0)^2/2, and f^2/2k_t + M^2/2k_b + T^2/2k_w. */
void demi_bond_energies(const demi_bond_state *state, const demi_bond_springs *springs, double length, double energies[2]);

/* Powers of these forces at other velocities, in the frame of the forces. */
demi_bond_powers demi_bond_powers_at(const demi_bond_state *state, const demi_bond_forces *forces, const demi_bond_end end[2]);

#endif
