/* The energy books. Every class is booked by its work on the particles; what the works leave of the kinetic energy is the
 * residual.
 *
 * Under one set of forces the kicks are linear in time, so their exact work, the sum of F.(v + v')/2 h over the kicks, equals
 * (P + P')/2 H with P the power F.v at the first velocity, P' at the last, H the time kicked in all. */
#ifndef DEMI_LEDGER_H
#define DEMI_LEDGER_H

#include <dem/energy.h>

#include "compensated.h"

/* Accounts of contact classes; [2]: particle-particle, particle-wall. */
typedef struct demi_ledger {
  int32_t on;
  demi_sum elastic_normal[2], elastic_tangential[2], damping_normal[2], damping_tangential[2], sliding[2];
  demi_sum gravity, drag, host; /* gravity and drag: minus their work; host: work put in */
  double largest;
} demi_ledger;

/* Powers at the start of an interval of forces, and what sliding took in the evaluation that began it. */
typedef struct demi_powers {
  double normal_elastic[2], normal_damping[2], tangential_elastic[2], tangential_damping[2];
} demi_powers;

/* Books the work of the contact classes over `duration` of kicks. */
void demi_ledger_book(demi_ledger *ledger, const demi_powers *start, const demi_powers *end, double duration);
/* Moves what slip took (spring and dashpot force times slip, <= 0 in sum) into the sliding account. */
void demi_ledger_slide(demi_ledger *ledger, int walls, double spring, double dashpot);

/* Fills the accounts and the residual; kinetic energies must be set already. */
void demi_ledger_read(demi_ledger *ledger, dem_energy *energy);

#endif
