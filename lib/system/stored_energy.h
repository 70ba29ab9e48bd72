/* Stored energies, and their changes by the host. */
#ifndef DEMI_STORED_ENERGY_H
#define DEMI_STORED_ENERGY_H

#include "state.h"

/* Stored energies [energy]; [2]: particle-particle, particle-wall. */
typedef struct demi_potentials {
  double of[DEMI_MODES][2], bond;
} demi_potentials;

/* Finds them by a trial evaluation, which needs laws for all that may meet. */
dem_status demi_stored_find(dem_system *system, demi_potentials *potentials);
/* Around changes by the host that may alter stored energies: the difference is booked as the host's. Before the first such change;
 * after the last one, before the next step. */
dem_status demi_stored_before_change(dem_system *system);
dem_status demi_stored_after_change(dem_system *system);
/* Books the difference of changes that are pending, with the energies after them. */
void demi_stored_book_change(dem_system *system, const demi_potentials *potentials);

#endif
