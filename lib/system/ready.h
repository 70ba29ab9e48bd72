/* Checks before stepping. */
#ifndef DEMI_READY_H
#define DEMI_READY_H

#include "state.h"

/* Checks that everything stepping needs is set; surveys the system where that is due (warnings.h). */
dem_status demi_system_ready(dem_system *system);
/* Whether all pairs of materials that may meet have a law, and whether box and skin fit; silent. */
int demi_system_complete(const dem_system *system);
int demi_system_fits(const dem_system *system);
/* Refuses a box that is too small for the particles and laws there are: opposite faces of a periodic axis less than two ranges apart. */
dem_status demi_ready_check_heights(const dem_system *system, const demi_box *box);
/* The word for such a distance in messages: "long" without tilt. */
const char *demi_ready_width_word(const demi_box *box);

#endif
