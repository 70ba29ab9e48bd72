/* Bookings of work. */
#ifndef DEMI_BOOKS_H
#define DEMI_BOOKS_H

#include "state.h"

/* Books contact work up to now; afterwards velocities and forces may change. */
void demi_books_now(dem_system *system);
/* With ledger = 2: the same, and the energies of single contacts and bonds go to particles, laws, materials and walls. */
void demi_books_hand_on(dem_system *system);
/* After a pass with an evaluation: books the end of the old forces and keeps the first powers of the new ones. */
void demi_books_evaluation(dem_system *system);
/* After any pass: the work of gravity, host and drag in its kicks. */
void demi_books_pass(dem_system *system);
/* A demi_torn_fn. */
void demi_books_torn(void *system, int32_t i, int32_t j, const demi_stored *held);
/* The sums per block of an evaluation (contacts.h) added up over all blocks. */
demi_totals demi_books_totals(const dem_system *system, const double *sums);

#endif
