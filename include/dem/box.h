/** @file dem/box.h
 *  The box of a system: corners and tilt, read and changed between steps.
 *
 *  With the lengths l = high - low and the tilts xy, xz, yz, the edges of the box from its corner `low` are, as in LAMMPS,
 *
 *      a = (lx, 0, 0)     b = (xy, ly, 0)     c = (xz, yz, lz)
 *
 *  and a particle at x has its periodic images at x + i a + j b + k c, with whole numbers i, j, k (0 along open axes). The numbers of a
 *  particle are its DEM_IMAGE: its position plus these edges is where it would be had it never been wrapped. */
#ifndef DEM_BOX_H
#define DEM_BOX_H

#include <dem/system.h>

DEM_BEGIN_DECLS

/** The box; fill with dem_box_init, or with dem_system_get_box before changing it. */
typedef struct dem_box {
  uint32_t struct_size; /**< sizeof(dem_box) */
  int32_t periodic[3];  /**< 1: axis periodic, 0: open; as the system was created, cannot be changed */
  double low[3];        /**< lower corner [length]; default 0 */
  double high[3];       /**< upper corner of the box without its tilt [length]; above `low` on periodic axes; default 0 */
  double
      tilt[3]; /**< xy, xz, yz [length]; default 0. |xy| and |xz| at most lx/2, |yz| at most ly/2; 0 where one of the two axes
                             of its name is open */
} dem_box;

/** Writes the defaults, touching only `struct_size` bytes.
 *  @param box the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_box_init(dem_box *box, uint32_t struct_size);

/** Reads the box. May be called at any time, also from callbacks. Of a box that is sheared (dem/box_motion.h) the edges are named anew
 *  whenever a tilt passes half a length: the tilt then changes by a whole length, so that it is at most half a length at any time.
 *  DEM_POSITION, DEM_IMAGE and DEM_VELOCITY belong to the box that this call returns.
 *  @param system the system  @param box in: struct_size; out: the present box
 *  @return DEM_BAD_STRUCT: struct_size is not usable */
DEM_API dem_status dem_system_get_box(const dem_system *system, dem_box *box);

/** Changes corners and tilt between steps; all or none. Along open axes the corners are only the hint of dem_system_options.
 *
 *  `affine` 1: particles, the frozen ones too, move with the box. With s_x, s_y, s_z the fractional coordinates of x in the old box,
 *  x = low + s_x a + s_y b + s_z c, the new position is low' + s_x a' + s_y b' + s_z c'. Their images move in the same way: DEM_IMAGE
 *  stays. Coordinates along open axes stay. Radii and walls do not change.
 *
 *  `affine` 0: particles stay where they are (their wrapped positions) and are wrapped into the new box. Of the edges of the new box
 *  those sums that are nearest to the old edges take their places in DEM_IMAGE and in bonds. So two boxes with the same images, as with
 *  xy = lx/2 and xy = -lx/2, can replace each other without any effect on forces and energies.
 *
 *  Velocities and spins do not change in either case, also not those of particles that are wrapped across a boundary; but where the box
 *  moves (dem/box_motion.h), a particle that is wrapped takes the velocity of its image. The motion of the box goes on. Contact histories
 *  are kept where contacts persist. Bonds stay, stretched as their ends moved. The ledger books the change of stored energy as work
 *  of the host (`potential_host`). Forces are evaluated anew at the next step.
 *  @param system the system; not from a callback of a step, nor while a view is open (DEM_BUSY)
 *  @param box the new box; copied  @param affine 1 or 0
 *  @return DEM_BAD_ARGUMENT with item, value and limit: a corner or tilt that is not finite or beyond its limit, another `periodic`,
 *  opposite faces of a periodic axis less than two interaction ranges apart, a particle that would be too far away; DEM_BAD_STRUCT;
 *  DEM_UNSUPPORTED; DEM_NO_MEMORY. The system is unchanged then */
DEM_API dem_status dem_system_set_box(dem_system *system, const dem_box *box, int32_t affine);

DEM_END_DECLS

#endif
