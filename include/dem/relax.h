/** @file dem/relax.h
 *  A system moves to a minimum of its energy: packings at rest, and quasi-static deformation in load steps. See doc/relax.md.
 *
 *      dem_minimise_report report = {sizeof report};
 *      dem_system_minimise(system, NULL, NULL, &report);
 *
 *  Unknown are the displacements of the particles that are not frozen, their rotations where some law or bond resists them, the
 *  displacements of free walls along their free axes and of servo walls along `direction`, and on request the strain of a periodic box.
 *  All else is held: frozen particles, fixed and prescribed walls. The energy is that of contacts and bonds, of gravity, of the host's
 *  forces and torques, of the forces on free walls and of the targets of servo walls. Drag and dashpots do nothing here.
 *
 *  Afterwards what has moved is at rest: velocities and spins of these particles and the velocities of these walls are 0. Contact
 *  histories and bonds have followed. The time has not advanced. The next dem_system_step goes on from there at once.
 *
 *  Threads: as for calls that change the system. Results have the same bits for any number of threads of the system. */
#ifndef DEM_RELAX_H
#define DEM_RELAX_H

#include <dem/box_motion.h>
#include <dem/minimise.h>
#include <dem/system.h>

DEM_BEGIN_DECLS

/** What of a system moves, and under which loads; fill with dem_relax_options_init. Components are those of dem/box_motion.h:
 *  DEM_BOX_XX ... DEM_BOX_YZ; ZZ, XZ and YZ do not exist in two dimensions. */
typedef struct dem_relax_options {
  uint32_t struct_size; /**< sizeof(dem_relax_options) */
  int32_t
      rotations; /**< -1 (default): particles turn if some law has a tangential, rolling or twisting part or there are bonds;
                          1: they turn; 0: they do not, and torques of the host do nothing */
  int32_t box_free
      [DEM_BOX_COMPONENTS]; /**< 1: this component of the strain of the box is unknown, and the stress shall be `stress`; 0
                                         (default): it is given by `strain`. The box must be periodic on all axes (in a plane x, y) */
  int32_t
      box_coupled; /**< 1: the free normal components share one strain, so that the box keeps its proportions; their stresses must
                        be equal; 0 (default): each its own */
  int32_t outer_most;                /**< most outer iterations, 1 to 10000; default 1000. See dem_system_minimise */
  double stress[DEM_BOX_COMPONENTS]; /**< Cauchy stress of the free components at the end, > 0 in compression, within 1e60
                                          [force/length^(dimension-1)]; 0 (default) for components that are not free */
  double strain
      [DEM_BOX_COMPONENTS]; /**< E of components that are not free: the edges H of the box (dem/box.h) become (1 + E) H, about
                                          its middle, and particles move with them before they relax. Above -1 for XX, YY, ZZ; default 0 */
  double reach; /**< reach of the neighbour list, as in dem_trial_options [length] >= 0; 0 (default) = 0.7 of the mean
                         radius, less where the box is narrow */
  double
      longest_step; /**< largest change of any one unknown in one iteration, in smallest radii, > 0 to 1; default 0.1. A rotation
                            counts as arc, a strain as the displacement of the edges of the box */
} dem_relax_options;

/** Writes the defaults, touching only `struct_size` bytes. Any thread.
 *  @param options the struct  @param struct_size its size in the caller
 *  @return DEM_BAD_ARGUMENT when `options` is NULL, DEM_BAD_STRUCT when `struct_size` is none of this struct */
DEM_API dem_status dem_relax_options_init(dem_relax_options *options, uint32_t struct_size);

/** Creates a minimiser of a system (dem/minimise.h). Until it is destroyed, calls that would change the system refuse with DEM_BUSY.
 *  dem_minimiser_accept moves the system to the latest point; the minimiser is of no further use then and is to be destroyed.
 *
 *  x holds, in the order of dem_trial_rows (dem/plugin/trial.h): for each particle its displacement [length] and, where particles turn,
 *  its rotation vector times its radius; for each wall displacement and rotation; with a free or strained box the strain times the
 *  length V^(1/dimension) of the box. Entries of what is held stay 0.
 *
 *  Where the loads depend on the state (unequal or shear stresses of a free box, a servo wall whose target is a pressure), they are
 *  those of the start; dem_system_minimise makes them follow.
 *  @param system the system; ready to step, no view open
 *  @param options what moves; copied; NULL = defaults
 *  @param minimise method and tolerances; copied; NULL = defaults. `threads` is checked, but not used
 *  @param minimiser out; NULL on failure
 *  @return DEM_BAD_ARGUMENT with item, value and limit in dem_system_message; DEM_UNSUPPORTED: the forces of a law have no potential,
 *  the text names it; DEM_INCOMPLETE: a law is missing, or nothing can move; DEM_NOT_FOUND: no such strategy; DEM_BUSY; DEM_NO_MEMORY */
DEM_API dem_status dem_system_minimiser(dem_system *system, const dem_relax_options *options,
                                        const dem_minimise_options *minimise, dem_minimiser **minimiser);

/** Moves a system to a minimum of its energy: one load step. Creates a minimiser, runs it, accepts its point and destroys it. Where loads
 *  depend on the state, they are then computed anew and the minimisation goes on from there (an outer iteration), until the
 *  tolerance holds with the loads of the final state; `outer` in the report counts these.
 *
 *  The point is accepted for any reason of the report but DEM_MINIMISE_NOT_FINITE and DEM_MINIMISE_UNBOUNDED, which leave the system as
 *  it was. Where laws have no history, a given `strain` is made before the minimisation; if this fails it is undone, which leaves
 *  rounding errors in the positions.
 *  @param system as for dem_system_minimiser  @param options NULL = defaults  @param minimise NULL = defaults
 *  @param report in: struct_size; out: sums over the outer iterations of counts and seconds; value_first and gradient_first of the
 *  first, all else of the last; may be NULL
 *  @return DEM_OK also when no minimum was reached: read `reason`; else as dem_system_minimiser */
DEM_API dem_status dem_system_minimise(dem_system *system, const dem_relax_options *options,
                                       const dem_minimise_options *minimise, dem_minimise_report *report);

/** Called after each load step, when the system is at rest in it and may be read, not changed. Nonzero ends the deformation there, with
 *  DEM_CANCELLED.
 *  @param user as given  @param step 1, 2, ...  @param report of this load step */
typedef int32_t (*dem_deform_step_fn)(void *user, int64_t step, const dem_minimise_report *report);

/** A quasi-static deformation; fill with dem_deformation_init. */
typedef struct dem_deformation {
  uint32_t struct_size;  /**< sizeof(dem_deformation) */
  int32_t reserved_zero; /**< 0 */
  int64_t steps;         /**< n: load steps, 1 to 2^40; default 100 */
  double
      strain[DEM_BOX_COMPONENTS]; /**< L, logarithmic strain of the whole deformation, -10 to 10: H becomes exp(L/n) H in each
                                          step, with L upper triangular, about the middle of the box; default 0.
                                          Isotropic compression: XX = YY = ZZ < 0. Pure shear of constant area: XX = -YY. Simple shear
                                          to the shear strain g: XY = g. A trace of 0 keeps the volume */
  dem_deform_step_fn after_step;  /**< NULL (default) = none */
  void *user;                     /**< its first argument */
} dem_deformation;

/** Writes the defaults, touching only `struct_size` bytes. Any thread.
 *  @param deformation the struct  @param struct_size its size in the caller
 *  @return DEM_BAD_ARGUMENT when `deformation` is NULL, DEM_BAD_STRUCT when `struct_size` is none of this struct */
DEM_API dem_status dem_deformation_init(dem_deformation *deformation, uint32_t struct_size);

/** Deforms the box of a system in load steps, each of them a strain and a dem_system_minimise. A box that leans by more than half a
 *  length is flipped to the equal one that leans less (dem/box.h).
 *  @param system as for dem_system_minimiser; its box must be periodic on all axes (in a plane x, y)
 *  @param deformation the strain and the number of load steps
 *  @param options NULL = defaults; `strain` must be 0, components that are free must not be deformed
 *  @param minimise of each load step; NULL = defaults
 *  @param report in: struct_size; out: sums over the load steps of counts and seconds, all else of the last; may be NULL
 *  @return DEM_OK: all load steps were made, also where some did not reach a minimum: `reason` is then the last that is below 0;
 *  DEM_CANCELLED; else as dem_system_minimiser. Load steps made before stay */
DEM_API dem_status dem_system_deform(dem_system *system, const dem_deformation *deformation, const dem_relax_options *options,
                                     const dem_minimise_options *minimise, dem_minimise_report *report);

DEM_END_DECLS

#endif
