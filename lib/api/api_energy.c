/* Exported: the energy books. Only NULL, poison and reentry are checked here; the layers below check values. */
#include <dem/energy.h>

#include "check.h"
#include "system.h"

dem_status dem_energy_init(dem_energy *energy, uint32_t struct_size) {
  return energy ? demi_energy_defaults(energy, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_energy_share_init(dem_energy_share *share, uint32_t struct_size) {
  return share ? demi_energy_share_defaults(share, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_system_energy(dem_system *system, dem_energy *energy) {
  DEMI_MAY_USE();
  DEMI_NEEDS(energy);
  return DEMI_INSIDE(demi_system_energy(system, energy));
}

dem_status dem_system_set_energy_sampling(dem_system *system, int64_t every, dem_energy_fn sample, void *user) {
  DEMI_MAY_CHANGE();
  return DEMI_INSIDE(demi_system_set_energy_sampling(system, every, sample, user));
}

dem_status dem_system_energy_of_law(dem_system *system, const dem_law *law, dem_energy_share *share) {
  DEMI_MAY_USE();
  DEMI_NEEDS(law);
  DEMI_NEEDS(share);
  return DEMI_INSIDE(demi_system_energy_of_law(system, law, share));
}

dem_status dem_system_energy_of_materials(dem_system *system, int32_t a, int32_t b, dem_energy_share *share) {
  DEMI_MAY_USE();
  DEMI_NEEDS(share);
  return DEMI_INSIDE(demi_system_energy_of_materials(system, a, b, share));
}

dem_status dem_system_energy_of_wall(dem_system *system, int32_t wall, dem_energy_share *share) {
  DEMI_MAY_USE();
  DEMI_NEEDS(share);
  return DEMI_INSIDE(demi_system_energy_of_wall(system, wall, share));
}
