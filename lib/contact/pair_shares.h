/* Accounts of single contacts, kept with ledger = 2: a row of 8 per listed pair (pair), where work, heat and hysteresis of that
 * pair gather until they are handed on to particles, laws, materials and walls (when the list is built anew, or to be read).
 *
 *   0 normal elastic   1 normal damping   2 tangential elastic   3 tangential damping
 *   4 sliding          5 hysteresis             6 fluid in the gap     7 *
 *
 * Entries 0 to 3 are minus the work, less what went to 4 and 5, as in the ledger. Where laws roll or twist, a second row:
 *
 *   0 rolling elastic   1 rolling damping   2 twisting elastic   3 twisting damping
 *   4 slider of rolling 5 of twisting       6 *                  7 *
 *
 * with their hysteresis in entry 5 of the first. */
#ifndef DEMI_SHARES_H
#define DEMI_SHARES_H

#include "contacts.h"
#include "variant.h"

enum {
  DEMI_SHARE_NORMAL_ELASTIC = 0,
  DEMI_SHARE_NORMAL_DAMPING = 1,
  DEMI_SHARE_TANGENTIAL_ELASTIC = 2,
  DEMI_SHARE_TANGENTIAL_DAMPING = 3,
  DEMI_SHARE_SLIDING = 4,
  DEMI_SHARE_HYSTERESIS = 5,
  DEMI_SHARE_FLUID = 6,
  DEMI_SHARE_ENTRIES = 8,
  /* of the second row */
  DEMI_SHARE_ROLLING_ELASTIC = 0,
  DEMI_SHARE_ROLLING_DAMPING = 1,
  DEMI_SHARE_TWISTING_ELASTIC = 2,
  DEMI_SHARE_TWISTING_DAMPING = 3,
  DEMI_SHARE_ROLLING_SLIDING = 4,
  DEMI_SHARE_TWISTING_SLIDING = 5
};

/* Adds to the accounts of the contacts of a batch: half of the work over contacts->kicks.opening at the powers of now, slip and
 * hysteresis. */
typedef void demi_share_kernel(const demi_workspace *workspace, const demi_candidates *candidates, demi_contacts *contacts,
                               const demi_bound *bound, int32_t section);
DEMI_DECLARE_VARIANTS(demi_share_kernel, book_shares);

/* The end of the work of one section of a block over contacts->kicks.closing, whose end powers are those at the present velocities;
 * their sums go into end_sums. With `mark` a new interval starts here. */
typedef void demi_share_power_kernel(const demi_store *store, demi_contacts *contacts, int32_t section, int32_t block,
                                     int mark);
DEMI_DECLARE_VARIANTS(demi_share_power_kernel, power_shares);

/* The same two kernels for the moments of rolling and twisting. The powers are also needed without accounts of single
 * contacts; they run after those of the forces. */
typedef void demi_rolling_share_kernel(const demi_workspace *workspace, const demi_candidates *candidates,
                                       demi_contacts *contacts);
DEMI_DECLARE_VARIANTS(demi_rolling_share_kernel, book_rolling_shares);
DEMI_DECLARE_VARIANTS(demi_share_power_kernel, power_rolling);

#endif
