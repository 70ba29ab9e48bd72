/* Exported: walls. Only NULL, poison and reentry are checked here; the layers below check values. */
#include <dem/wall.h>

#include "check.h"
#include "system.h"

dem_status dem_wall_init(dem_wall *wall, uint32_t struct_size) {
  return wall ? demi_wall_defaults(wall, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_wall_state_init(dem_wall_state *state, uint32_t struct_size) {
  return state ? demi_wall_state_defaults(state, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_system_add_wall(dem_system *system, const dem_wall *wall, int32_t *id) {
  DEMI_MAY_CHANGE();
  DEMI_NEEDS(wall);
  return DEMI_INSIDE(demi_system_add_wall(system, wall, id));
}

dem_status dem_system_set_wall_motion(dem_system *system, int32_t id, const dem_wall *motion) {
  DEMI_MAY_CHANGE();
  DEMI_NEEDS(motion);
  return DEMI_INSIDE(demi_system_set_wall_motion(system, id, motion));
}

dem_status dem_system_remove_wall(dem_system *system, int32_t wall) {
  DEMI_MAY_CHANGE();
  return DEMI_INSIDE(demi_system_remove_wall(system, wall));
}

dem_status dem_system_wall_state(const dem_system *system, int32_t id, dem_wall_state *state) {
  DEMI_MAY_READ();
  DEMI_NEEDS(state);
  return demi_system_wall_state(system, id, state);
}
