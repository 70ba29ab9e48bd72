/* Bonds after a pass: those that broke, and the heat of all. */
#ifndef DEMI_BOND_BREAKS_H
#define DEMI_BOND_BREAKS_H

#include "state.h"

/* After a pass: takes out the bonds that broke in it. */
void demi_system_break_bonds(dem_system *system);
/* Takes out all bonds whose reason to break is set. */
void demi_system_break_marked_bonds(dem_system *system);
/* Hands the heat of bonds on to their particles. */
void demi_bonds_hand_on_heat(dem_system *system);

#endif
