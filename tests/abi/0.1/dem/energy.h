/** @file dem/energy.h
 *  The energy books. Kept when dem_system_options.ledger is 1 or 2. What each account means and which identity closes them:
 *  doc/energy.md.
 *
 *  Work of a force class in a kick that takes v to v' is exactly F.(v + v')/2 dt; summed over all classes it is the change of
 *  kinetic energy, so the residual is round-off for every integrator and law. Accounts start at 0 when the system is created.
 *  [2] means particle-particle, particle-wall. */
#ifndef DEM_ENERGY_H
#define DEM_ENERGY_H

#include <dem/system.h>

DEM_BEGIN_DECLS

/** The accounts [energy]. */
typedef struct dem_energy {
  uint32_t struct_size; /**< sizeof(dem_energy) */
  int32_t unstored;     /**< 1: a law in use does not offer its stored energy (no DEM_PART_ENERGY); it then counts as storing
                           none, and all of its elastic work shows in `numerical` */

  double kinetic_linear;  /**< sum m v^2/2, frozen particles excluded */
  double kinetic_angular; /**< sum I w^2/2, frozen particles excluded */
  double kinetic_walls;   /**< sum M v^2/2 over walls with a mass */
  double gravity;         /**< minus the work of gravity: what the field has taken up since the start */

  double elastic_normal[2];     /**< minus the work of the normal springs */
  double elastic_tangential[2]; /**< minus the work of the tangential springs, less what `sliding` and `hysteresis` took */
  double elastic_rolling[2];    /**< minus the work of the rolling springs, less what `rolling` and `hysteresis` took */
  double elastic_twisting[2];   /**< minus the work of the twisting springs, less what `twisting` and `hysteresis` took */
  double elastic_bond;          /**< minus the work of the bonds' springs, less what relaxation and `breakage` took */

  double damping_normal[2];     /**< heat of the normal dashpots, >= 0 but for steps in which a velocity turns round */
  double damping_tangential[2]; /**< heat of the tangential dashpots, with the same sign */
  double damping_bond;          /**< heat of the bonds' dashpots and of their relaxation, with the same sign */
  double sliding[2];            /**< heat made by slip, >= 0 */
  double rolling[2];            /**< heat made by rolling resistance, its slider and its dashpot; >= 0 like those */
  double twisting[2];           /**< heat made by twisting resistance, its slider and its dashpot; >= 0 like those */
  double lubrication[2];        /**< heat made in the fluid between surfaces */
  double breakage;              /**< elastic energy that bonds held when they broke, >= 0 */
  /** energy that laws themselves took away (> 0) or made (< 0): laws not derived from a potential, adhesive contacts by the energy
   *  that they hold when they tear at a gap, and contacts that are compressed when they take over from a broken bond */
  double hysteresis[2];

  double drag;  /**< minus the work of the background drag and of the drag in a fluid (DEM_DRAG_RATE) */
  double host;  /**< work done by host forces and torques, also dem_wall.force; kinetic energy that set, add, remove, freeze and
                    changes of walls brought */
  double walls; /**< work done by whatever moves the walls, and frozen particles that are driven */
  double
      box; /**< work done by whatever deforms the box while it steps (dem_system_set_box_motion): on contacts and bonds across its
                     periodic faces, and by the velocities that particles gain when they are wrapped across these */

  double potential_normal[2];     /**< energy stored in the normal springs now (state value); with adhesion it may be < 0 */
  double potential_tangential[2]; /**< energy stored in the tangential springs now */
  double potential_rolling[2];    /**< energy stored in the rolling springs now */
  double potential_twisting[2];   /**< energy stored in the twisting springs now */
  double potential_bond;          /**< energy stored in the bonds now */
  double potential_host
      [2]; /**< stored energy that changes by the host (positions, particles, bonds, laws, walls, the box) brought */
  double numerical[2]; /**< elastic accounts (bonds with [0]) - (potentials - potential_host): what the finite time step has
                          dissipated (> 0) or made (< 0); falls with the order of the integrator */

  double torque_elastic[2]; /**< the part of minus the work of springs and bonds that torques did; forces did the rest */
  double torque_damping[2]; /**< the part of minus the work of dashpots that torques did */
  double torque_drag;       /**< the part of `drag` that acts on spins */
  double torque_host;       /**< the part of `host` that host torques did */

  double residual; /**< kinetic + gravity + elastic + damping + sliding + rolling + twisting + lubrication + breakage +
                               hysteresis + drag - host - walls - box: 0 but for round-off */
  double largest;  /**< largest absolute value that an account, or an amount booked to one, ever had (kinetic: at readings) */
  double residual_relative; /**< |residual| / largest; 0 when largest is 0 */
} dem_energy;

/** Writes zeros and the size, touching only `struct_size` bytes.
 *  @param energy the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_energy_init(dem_energy *energy, uint32_t struct_size);

/** Reads the books as of now. Without a ledger only kinetic energies and potentials are filled; the rest is 0.
 *  @param system the system  @param energy in: struct_size; out
 *  @return what dem_system_step would refuse with before its first step: DEM_INCOMPLETE while a law is missing, DEM_BUSY while
 * a view is open, ... Potentials are those at the present positions, so the neighbour list may be built anew for them */
DEM_API dem_status dem_system_energy(dem_system *system, dem_energy *energy);

/** Called with the books every so many steps, by the thread that steps. It may read the system but not change it.
 *  @param user as given  @param step steps since creation  @param time present time  @param energy valid during the call
 *  @return nonzero stops the run with DEM_CANCELLED */
typedef int32_t (*dem_energy_fn)(void *user, int64_t step, double time, const dem_energy *energy);

/** Samples the books during steps: at the start of the next run (step 0 of a series) and then every `every` steps, through
 *  later runs too. The host keeps what it wants, in the form it wants. Replaces what was set before.
 *  @param system the system  @param every >= 1  @param sample NULL = none  @param user its first argument; kept until replaced
 *  @return DEM_BAD_ARGUMENT: every below 1. What dem_system_energy refuses, the run that samples refuses */
DEM_API dem_status dem_system_set_energy_sampling(dem_system *system, int64_t every, dem_energy_fn sample, void *user);

/** The contact accounts of one law, pair of materials or wall [energy]; kept when dem_system_options.ledger = 2. Same meaning
 *  and signs as in dem_energy; bonds are in none. Reading one books what is outstanding, so no other call on the same system
 *  may run at the same time; callbacks of a run may read them. */
typedef struct dem_energy_share {
  uint32_t struct_size;         /**< sizeof(dem_energy_share) */
  int32_t reserved_zero;        /**< 0 */
  double elastic_normal[2];     /**< see dem_energy */
  double elastic_tangential[2]; /**< see dem_energy */
  double elastic_rolling[2];    /**< see dem_energy */
  double elastic_twisting[2];   /**< see dem_energy */
  double damping_normal[2];     /**< see dem_energy */
  double damping_tangential[2]; /**< see dem_energy */
  double sliding[2];            /**< see dem_energy */
  double rolling[2];            /**< see dem_energy */
  double twisting[2];           /**< see dem_energy */
  double lubrication[2];        /**< see dem_energy */
  double hysteresis[2];         /**< see dem_energy */
} dem_energy_share;

/** Writes zeros and the size, touching only `struct_size` bytes.
 *  @param share the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_energy_share_init(dem_energy_share *share, uint32_t struct_size);

/** Share of all contacts that used a law of this system, since it was first set.
 *  @param system the system  @param law a law that is or was set  @param share in: struct_size; out
 *  @return DEM_INCOMPLETE: ledger below 2; DEM_NOT_FOUND: never set in this system */
DEM_API dem_status dem_system_energy_of_law(dem_system *system, const dem_law *law, dem_energy_share *share);

/** Share of the contacts between two materials (both orders; walls by their material).
 *  @param system the system  @param a material index  @param b material index  @param share in: struct_size; out
 *  @return DEM_INCOMPLETE: ledger below 2; DEM_NOT_FOUND: no such material */
DEM_API dem_status dem_system_energy_of_materials(dem_system *system, int32_t a, int32_t b, dem_energy_share *share);

/** Share of the contacts with one wall; entries [0] are 0.
 *  @param system the system  @param wall wall id  @param share in: struct_size; out
 *  @return DEM_INCOMPLETE: ledger below 2; DEM_NOT_FOUND: no such wall */
DEM_API dem_status dem_system_energy_of_wall(dem_system *system, int32_t wall, dem_energy_share *share);

DEM_END_DECLS

#endif
