/* Calls that come before a change by the host. */
#ifndef DEMI_ENGINE_CHANGE_H
#define DEMI_ENGINE_CHANGE_H

#include "state.h"

/* Before the host changes gravity, its own forces or the fluid: books the work of the present forces up to now. After such a change
 * the half-step velocity cannot be computed from the present one any more, unless it is stored. */
void demi_engine_book_old_forces(dem_system *system);
/* Before the host changes particles, walls, bonds, laws or the box: brings the books up to date, sets the histories of the contacts aside
 * (contact/carry.h) and drops list and forces. On failure nothing has changed. */
dem_status demi_engine_set_contacts_aside(dem_system *system);

#endif
