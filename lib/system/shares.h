/* Tables of shares: heat of the particles, energies by law, pair of materials and wall. */
#ifndef DEMI_SYSTEM_SHARES_H
#define DEMI_SYSTEM_SHARES_H

#include "state.h"

dem_status demi_shares_reserve_heat(dem_system *system);
void demi_shares_clear_heat(dem_system *system, dem_id id);
void demi_shares_heat(dem_system *system, int32_t row, int32_t heat_class, double energy);
dem_status demi_shares_enter_law(dem_system *system, const dem_law *law);
/* NULL: this law was never set. */
demi_law_share *demi_shares_find_law(const dem_system *system, const dem_law *law);
/* Makes room for the shares of the pairs of `materials` materials; on DEM_NO_MEMORY nothing has changed. */
dem_status demi_shares_reserve_materials(dem_system *system, int32_t materials);
/* Makes room for the shares of `capacity` walls, where shares are kept. */
dem_status demi_shares_reserve_walls(dem_system *system, int32_t capacity);
void demi_shares_drop_wall(dem_system *system, int32_t index);
/* Hands on the accounts of single contacts; the books must be complete (demi_books_hand_on). */
void demi_shares_hand_on(dem_system *system);
void demi_shares_torn(dem_system *system, int32_t i, int32_t j, const demi_stored *held);
/* Copies an entry of a table to the host's struct. */
dem_status demi_shares_give(dem_system *system, demi_share *from, dem_energy_share *share);
void demi_shares_free(dem_system *system);

#endif
