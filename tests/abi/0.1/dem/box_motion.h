/** @file dem/box_motion.h
 *  A periodic box that deforms while the system steps: shear (Lees-Edwards), compression at a constant rate, and servo to a stress.
 *
 *  The edges H = (a b c) of the box follow dH/dt = L H with a velocity gradient L that is upper triangular, as H is (box.h). Lengths
 *  change about the middle of the box. Particles are not displaced with the box. The image of particle j that is n edges away is at
 *  x_j + H n and moves with v_j + L H n, and a particle that is wrapped across a face takes the velocity of its image. So contacts across
 *  the faces drive the material. DEM_VELOCITY belongs to the image that DEM_POSITION gives; views show rows, which are wrapped only when
 *  a list is built. Velocities of frozen particles are given, so that wrapping leaves them alone. See doc/box.md. */
#ifndef DEM_BOX_MOTION_H
#define DEM_BOX_MOTION_H

#include <dem/system.h>

DEM_BEGIN_DECLS

/** Components of rates and stresses. */
enum {
  DEM_BOX_XX = 0, /**< length of the box along x: l_x' = L_xx l_x */
  DEM_BOX_YY = 1, /**< length along y */
  DEM_BOX_ZZ = 2, /**< length along z */
  DEM_BOX_XY = 3, /**< shear: the flow along x grows with y, dv_x/dy */
  DEM_BOX_XZ = 4, /**< shear: the flow along x grows with z, dv_x/dz */
  DEM_BOX_YZ = 5, /**< shear: the flow along y grows with z, dv_y/dz */
  DEM_BOX_COMPONENTS = 6
};

/** How a component is driven. */
enum {
  DEM_BOX_RATE = 0,  /**< by the constant rate in `rate`; 0 = it stays */
  DEM_BOX_STRESS = 1 /**< by a servo towards the stress in `stress` */
};

/** Motion of the box; fill with dem_box_motion_init. */
typedef struct dem_box_motion {
  uint32_t struct_size; /**< sizeof(dem_box_motion) */
  int32_t
      coupled; /**< 1: all normal components with DEM_BOX_STRESS take one rate, from the mean of their deviations, so that the box
                             keeps its proportions; 0 (default): each its own */
  double rate
      [DEM_BOX_COMPONENTS]; /**< L_xx ... L_yz [1/time]; of components with DEM_BOX_STRESS the rate to begin with; default 0 */
  double stress[DEM_BOX_COMPONENTS]; /**< target of components with DEM_BOX_STRESS [pressure], > 0 in compression; default 0 */
  int32_t control[DEM_BOX_COMPONENTS]; /**< DEM_BOX_RATE (default) or DEM_BOX_STRESS */
  double gain;                         /**< of the servo [1/(pressure*time)] > 0 where a component has DEM_BOX_STRESS:
                    L = gain (stress - target), after each evaluation of forces. It settles while gain (C + K dt) < 1, with K the modulus of
                    the material [pressure] and C the viscosity of its dashpots [pressure*time]. At a constant rate L of the other
                    components the stress lags behind its target by L/gain */
  double rate_limit;                   /**< largest |L| of the servo [1/time] > 0 where a component has DEM_BOX_STRESS */
} dem_box_motion;

/** Writes the defaults, touching only `struct_size` bytes. Any thread.
 *  @param motion the struct  @param struct_size its size in the caller
 *  @return DEM_BAD_ARGUMENT when `motion` is NULL, DEM_BAD_STRUCT when `struct_size` is none of this struct */
DEM_API dem_status dem_box_motion_init(dem_box_motion *motion, uint32_t struct_size);

/** Sets the motion of the box from now on, until it is set again. The velocities of the particles stay as they are: give them the flow
 *  L x beforehand where they shall follow from the start. In the books the work is dem_energy.box. With a box that moves all
 *  particles are searched as one level of sizes. In a trial the box is at rest.
 *  @param system the system  @param motion copied; NULL = the box is at rest
 *  @return DEM_BAD_ARGUMENT with component, value and limit: a rate or stress that is not finite or above 1e60 in size, a component whose
 *  axes are not all periodic, XZ, YZ or ZZ in two dimensions, a servo without gain or limit; DEM_BUSY: a view or a trial is open.
 *  Nothing has changed then. A step is refused with DEM_BAD_ARGUMENT before it begins where the box would become smaller than two
 *  interaction ranges (a servo counts with its limit), and where a rate or a servo's limit times dt is above 0.5; steps of the same call
 *  before it have been made */
DEM_API dem_status dem_system_set_box_motion(dem_system *system, const dem_box_motion *motion);

/** Reads the motion, with the present rates of the servo in `rate`. @param system the system  @param motion in: struct_size; out */
DEM_API dem_status dem_system_get_box_motion(const dem_system *system, dem_box_motion *motion);

/** Mean stress in the box at the latest evaluation of forces, 1/V sum_c r (x) f over contacts and bonds between particles, f the force on
 *  i, r from the centre of j to that of i; symmetric part, in the order of DEM_BOX_XX ... [pressure; in a plane force/length]. > 0 in
 *  compression, as in dem/statics.h, whose stress it is; this call only is quicker.
 *  @param system the system; all its axes (in a plane x and y) must be periodic, else DEM_BAD_ARGUMENT
 *  @param stress out, 6 numbers */
DEM_API dem_status dem_system_get_box_stress(const dem_system *system, double *stress);

DEM_END_DECLS

#endif
