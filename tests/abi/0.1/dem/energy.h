/** @file dem/energy.h
 *  The energy books. Kept when dem_system_options.ledger = 1.
 *
 *  Work of a force class in a kick that takes v to v' is exactly F.(v + v')/2 dt; summed over all classes it is the change of
 *  kinetic energy, so the residual is round-off for every integrator and law. Accounts start at 0 when the system is created.
 *  [2] means particle-particle, particle-wall. */
#ifndef DEM_ENERGY_H
#define DEM_ENERGY_H

#include <dem/system.h>

DEM_BEGIN_DECLS

/** The accounts [energy]; see doc/energy.md. */
typedef struct dem_energy {
  uint32_t struct_size;         /**< sizeof(dem_energy) */
  int32_t reserved_zero;        /**< 0 */
  double kinetic_linear;        /**< sum m v^2/2, frozen particles excluded */
  double kinetic_angular;       /**< sum I w^2/2 likewise */
  double gravity;               /**< minus the work of gravity: what the field has taken up since the start */
  double elastic_normal[2];     /**< minus the work of the normal springs */
  double elastic_tangential[2]; /**< minus the work of the tangential springs, less what `sliding` took */
  double damping_normal[2];     /**< minus the work of the normal dashpots */
  double damping_tangential[2]; /**< minus the work of the tangential dashpots, less what `sliding` took */
  double sliding[2];            /**< heat made by slip, >= 0 */
  double drag;                  /**< minus the work of the background drag */
  double host; /**< work done by host forces, torques and by set, add, remove, freeze (kinetic energy they brought) */
  double potential_normal[2]; /**< stored energy of the normal springs now, where the law has a potential (state value, not an
                                 account) */
  double potential_tangential[2]; /**< likewise tangential */
  double residual;          /**< kinetic + gravity + elastic + damping + sliding + drag - host - initial: 0 but for round-off */
  double largest;           /**< largest absolute account met at the readings so far (kinetic included) */
  double residual_relative; /**< |residual| / largest; 0 when largest is 0 */
} dem_energy;

/** Writes zeros and the size, touching only `struct_size` bytes.
 *  @param energy the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_energy_init(dem_energy *energy, uint32_t struct_size);

/** Reads the books as of now. Without a ledger only kinetic energies and potentials are filled; the rest is 0.
 *  @param system the system  @param energy in: struct_size; out
 *  @return DEM_INCOMPLETE while particles of two materials without a law are present */
DEM_API dem_status dem_system_energy(dem_system *system, dem_energy *energy);

DEM_END_DECLS

#endif
