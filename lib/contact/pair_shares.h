/* Kernels that add to the accounts of single contacts, kept with ledger = 2: rows DEMI_SHARE_... of lib/ledger/accounts.h. */
#ifndef DEMI_SHARES_H
#define DEMI_SHARES_H

#include "contacts.h"
#include "variant.h"

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
