/* The energy books. Every class is booked by its work on the particles; what the works leave of the kinetic energy is the
 * residual.
 *
 * Under one set of forces the kicks are linear in time, so their exact work, the sum of F.(v + v')/2 h over the kicks, equals
 * (P + P')/2 H with P the power F.v at the first velocity, P' at the last, H the time kicked in all. */
#ifndef DEMI_LEDGER_H
#define DEMI_LEDGER_H

#include <dem/energy.h>

#include "compensated.h"

/* Groups of interactions, kept apart: the sections of the loads. */
enum {
  DEMI_GROUP_PAIR = 0,
  DEMI_GROUP_WALL = 1,
  DEMI_GROUP_GAP = 2,
  DEMI_GROUP_WALL_GAP = 3,
  DEMI_GROUP_BOND = 4,
  DEMI_GROUPS = 5
};

/* Classes of force within a group. The torque entries are the part of all elastic and all damping classes that torques do. */
enum {
  DEMI_NORMAL_ELASTIC = 0,
  DEMI_NORMAL_DAMPING = 1,
  DEMI_TANGENTIAL_ELASTIC = 2,
  DEMI_TANGENTIAL_DAMPING = 3,
  DEMI_TORQUE_ELASTIC = 4,
  DEMI_TORQUE_DAMPING = 5,
  DEMI_ROLLING_ELASTIC = 6,
  DEMI_ROLLING_DAMPING = 7,
  DEMI_TWISTING_ELASTIC = 8,
  DEMI_TWISTING_DAMPING = 9,
  DEMI_CLASSES = 10
};

/* Kinds of slip, each with a spring and a dashpot class that follow each other. */
enum { DEMI_SLIP_SLIDING = 0, DEMI_SLIP_ROLLING = 1, DEMI_SLIP_TWISTING = 2, DEMI_SLIPS = 3 };

typedef struct demi_powers {
  double of[DEMI_GROUPS][DEMI_CLASSES];
} demi_powers;

typedef struct demi_ledger {
  int32_t on;
  demi_sum work[DEMI_GROUPS][DEMI_CLASSES]; /* minus the work, less the amounts moved to other accounts */
  demi_sum slip[DEMI_GROUPS][DEMI_SLIPS], hysteresis[DEMI_GROUPS];
  demi_sum breakage;
  demi_sum gravity, drag, drag_torque; /* minus their work */
  demi_sum host, host_torque, walls;   /* work put in */
  demi_sum potential_host[2];          /* stored energy brought by changes of the host */
  double largest;                      /* largest absolute value of any account, or of any amount added to one, so far */
} demi_ledger;

/* Adds to an account of the ledger. All that is booked goes through here or the functions below, which note how large accounts
 * become: what has come and gone between two readings is what their residual is to be compared with. */
void demi_ledger_add(demi_ledger *ledger, demi_sum *account, double energy);

/* Books the work of all classes over `duration` of kicks. */
void demi_ledger_book(demi_ledger *ledger, const demi_powers *start, const demi_powers *end, double duration);
/* Moves the energy of a kind of slip (spring and dashpot force times slip, sum <= 0) into the account of this slip. */
void demi_ledger_slide(demi_ledger *ledger, int32_t group, int32_t slip, double spring, double dashpot);
/* Moves the energy that the law itself took from the spring of a kind into the account hysteresis. */
void demi_ledger_take(demi_ledger *ledger, int32_t group, int32_t slip, double energy);
/* The same of the normal springs of contacts that tore. */
void demi_ledger_tear(demi_ledger *ledger, int32_t group, double energy);
/* Moves elastic energy of bonds into their damping, and into breakage. */
void demi_ledger_relax(demi_ledger *ledger, double energy);
void demi_ledger_break(demi_ledger *ledger, double energy);
/* A contact that begins with a compressed normal spring: its energy comes from the account hysteresis. */
void demi_ledger_appear(demi_ledger *ledger, double energy);

/* Fills the accounts and the residual; kinetic energies and potentials must be set already. */
void demi_ledger_read(demi_ledger *ledger, dem_energy *energy);

#endif
