/** @file dem/plugin/integrator.h
 *  AUTHOR tier: write your own time integrator. See examples/own_integrator.
 *
 *  An integrator is a table whose `step` is written over three services of the engine. Services keep the pipeline and the
 *  energy books, so an integrator cannot forget them; they are queued and run fused, which changes no bit.
 *  At entry of `step` the forces are those at the current positions, evaluated by the previous step (or primed with dt = 0
 *  at the start and after the host changed something). */
#ifndef DEM_PLUGIN_INTEGRATOR_H
#define DEM_PLUGIN_INTEGRATOR_H

#include <dem/integrator.h>

DEM_BEGIN_DECLS

/** Contract number of dem_integrator_table; bumped when its meaning changes. */
#define DEM_INTEGRATOR_CONTRACT 1u

/** The engine's services during one step. Valid only inside `step`. */
typedef struct dem_stepper dem_stepper;

/** Adds duration * force / mass to the velocities (torque / inertia to the spins), booking the exact work of every force class.
 *  @param stepper given to `step`  @param duration [time], finite */
DEM_API dem_status dem_stepper_kick(dem_stepper *stepper, double duration);

/** Adds duration * velocity to the positions. @param stepper given to `step`  @param duration [time], finite */
DEM_API dem_status dem_stepper_drift(dem_stepper *stepper, double duration);

/** Evaluates all forces at the present positions and velocities, advancing contact histories by `history_time`.
 *  @param stepper given to `step`  @param history_time [time] >= 0; normally dt, in exactly one evaluation a step */
DEM_API dem_status dem_stepper_evaluate(dem_stepper *stepper, double history_time);

/** Capability bits of an integrator. */
enum {
  DEM_INTEGRATOR_FORCES_AT_START =
      1, /**< `step` begins with a kick, so forces must be known when it starts (primed by the engine) */
  DEM_INTEGRATOR_SYNCHRONISED =
      2 /**< evaluations take contact velocities, and carry contact histories, in the frame of the contact as it was half the
             history time ago, going back with the present velocities (improved velocity-Verlet; doc/integrators.md). Right for
             schemes that evaluate straight after drifting by the history time with the velocities of the evaluation */
};

/** Integrator table; fill with dem_integrator_table_init. Copied at intake. */
typedef struct dem_integrator_table {
  uint32_t struct_size;  /**< required: sizeof(dem_integrator_table) */
  uint32_t contract;     /**< required: DEM_INTEGRATOR_CONTRACT */
  const char *name;      /**< required: copied */
  uint32_t capabilities; /**< DEM_INTEGRATOR_... or-ed */
  int32_t order;         /**< order of convergence for smooth forces, 1 ... 8; what the conformance suite checks */
  double stability;      /**< largest stable omega*dt for an undamped oscillator; 0 = unknown. Velocity-Verlet: 2 */
  /** required: one step of length dt. Returns DEM_OK or the status of a service that failed. */
  dem_status (*step)(void *user, dem_stepper *stepper, double dt);
  /** optional: called once when the last reference goes. */
  void (*destroy)(void *user);
} dem_integrator_table;

/** Writes zeros and the size, touching only `struct_size` bytes. `contract` stays 0: the author sets
 *  the DEM_INTEGRATOR_CONTRACT of the header that the functions were written for.
 *  @param table the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_integrator_table_init(dem_integrator_table *table, uint32_t struct_size);

/** Creates an integrator from a table.
 *  @param context owner of memory and messages  @param table copied  @param user first argument of the functions
 *  @param integrator out; release when done */
DEM_API dem_status dem_integrator_create(dem_context *context, const dem_integrator_table *table, void *user,
                                         dem_integrator **integrator);

DEM_END_DECLS

#endif
