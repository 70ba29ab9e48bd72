/* Exported: the box that deforms while the system steps. */
#include "box_motion.h"
#include "check.h"

dem_status dem_box_motion_init(dem_box_motion *motion, uint32_t struct_size) {
  return motion ? demi_box_motion_defaults(motion, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_system_set_box_motion(dem_system *system, const dem_box_motion *motion) {
  DEMI_MAY_CHANGE();
  return DEMI_INSIDE(demi_system_set_box_motion(system, motion));
}

dem_status dem_system_get_box_motion(const dem_system *system, dem_box_motion *motion) {
  DEMI_MAY_READ();
  DEMI_NEEDS(motion);
  return demi_system_get_box_motion(system, motion);
}

dem_status dem_system_get_box_stress(const dem_system *system, double *stress) {
  DEMI_MAY_READ();
  DEMI_NEEDS(stress);
  return demi_system_get_box_stress(system, stress);
}
