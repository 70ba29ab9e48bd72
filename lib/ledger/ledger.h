/* The energy books. Every class of force is booked by its work on the particles; what the works leave of the kinetic energy is the
 * residual. accounts.h lists the accounts.
 *
 * Under one set of forces the kicks are linear in time, so their exact work, the sum of F.(v + v')/2 h over the kicks, equals
 * (P + P')/2 H with P the power F.v at the first velocity, P' at the last, H the time kicked in all. */
#ifndef DEMI_LEDGER_H
#define DEMI_LEDGER_H

#include <dem/energy.h>

#include "accounts.h"
#include "compensated.h"
#include "loads.h"

/* The sums of all blocks, entries as in accounts.h. */
typedef struct demi_totals {
  double of[DEMI_SECTIONS][DEMI_SECTION_ENTRIES];
} demi_totals;

/* Sums of one section of loads [energy]. */
typedef struct demi_section_books {
  demi_sum work[DEMI_MODES][DEMI_FORCE_PARTS]; /* minus the work, less the amounts moved to the two below */
  demi_sum slip[DEMI_MODES], hysteresis;
  demi_sum torque[DEMI_FORCE_PARTS]; /* the part of minus the work that torques did */
} demi_section_books;

/* Accounts that have a sum of their own: OF(member) in the list becomes a member, all else nothing. */
#define OF(member) demi_sum member;
#define SPRING(section, mode)
#define DASHPOT(section, mode)
#define NONE
#define DECLARE_SUM(member, group, sign, heat, sum, second) sum second
#define DECLARE_NOTHING(...)
typedef struct demi_ledger {
  int32_t on;
  demi_section_books section[DEMI_SECTIONS];
  DEMI_ACCOUNTS(DECLARE_NOTHING, DECLARE_SUM, DECLARE_NOTHING)
  demi_sum drag_torque, host_torque; /* the parts of drag and host that torques did */
  demi_sum potential_host[2];        /* stored energy brought by changes of the host */
  double largest;                    /* largest absolute value of any account, or of any amount added to one, so far */
} demi_ledger;
#undef OF
#undef SPRING
#undef DASHPOT
#undef NONE
#undef DECLARE_SUM
#undef DECLARE_NOTHING

/* Adds to an account of the ledger. All that is booked goes through here or the functions below, which note how large accounts
 * become: what has come and gone between two readings is what their residual is to be compared with. */
void demi_ledger_add(demi_ledger *ledger, demi_sum *account, double energy);

/* Books the work of all modes over `duration` of kicks. Reads the powers of both. */
void demi_ledger_book(demi_ledger *ledger, const demi_totals *start, const demi_totals *end, double duration);
/* Moves the energy of slip in a mode (force of spring and of dashpot times slip, sum <= 0) into the account of this slip. */
void demi_ledger_slide(demi_ledger *ledger, int32_t section, int32_t mode, double spring, double dashpot);
/* Moves the energy that the law itself took from the spring of a mode (> 0), or gave to it (< 0), into the account hysteresis. */
void demi_ledger_take(demi_ledger *ledger, int32_t section, int32_t mode, double energy);
/* Moves elastic energy of bonds into their damping, and into breakage. */
void demi_ledger_relax(demi_ledger *ledger, double energy);
void demi_ledger_break(demi_ledger *ledger, double energy);

/* Fills the accounts and the residual; kinetic energies and potentials must be set already. */
void demi_ledger_read(demi_ledger *ledger, dem_energy *energy);

#endif
