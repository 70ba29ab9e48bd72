/* Checks of bonds and their types before they are added. */
#ifndef DEMI_BOND_CHECK_H
#define DEMI_BOND_CHECK_H

#include "state.h"

dem_status demi_bond_check_type(dem_system *system, const dem_bond_type *type);
/* Of the nearest images of two rows. */
double demi_bond_distance(const dem_system *system, int64_t i, int64_t j);
/* All bonds to be added, against each other too. */
dem_status demi_bonds_check(dem_system *system, int64_t count, const dem_bond *bonds);

#endif
