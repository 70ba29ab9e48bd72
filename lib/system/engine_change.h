/* Calls that come before a change by the host. */
#ifndef DEMI_ENGINE_CHANGE_H
#define DEMI_ENGINE_CHANGE_H

#include "state.h"

/* Call before the host changes gravity, its own forces or the fluid: completes the books. After such a change the half-step
 * velocity cannot be computed from the present one any more, unless it is stored. */
void demi_engine_forces_changed(dem_system *system);
/* The host is about to change particles: books are brought up to date, history is set aside. Nothing is changed on failure. */
dem_status demi_engine_before_change(dem_system *system);

#endif
