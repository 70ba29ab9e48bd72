/* Room of the materials and of all tables by material or by pair of materials. */
#ifndef DEMI_MATERIAL_TABLE_H
#define DEMI_MATERIAL_TABLE_H

#include "state.h"

/* Makes room for one material more, in the tables of materials, laws and shares; on DEM_NO_MEMORY the system is as it was. */
dem_status demi_materials_reserve(dem_system *system);
/* Gives the laws back too. */
void demi_materials_free(dem_system *system);
int64_t demi_materials_bytes(const demi_materials *materials);

#endif
