/** @file dem/plugin/trial.h
 *  AUTHOR tier: the energy, the forces and their derivatives at states that may be thrown away, for minimisers and implicit
 *  integrators. See examples/implicit_euler.
 *
 *  A trial starts from the present state of a system. A vector u holds one displacement for each unknown; each call evaluates the
 *  interactions at the displaced state, whatever the size of u: the trial searches anew where its neighbour list does not cover u.
 *  Nothing of the system changes before dem_trial_accept.
 *
 *  Order of the unknowns: for each particle, in the order of dem_trial_rows.ids, its displacement (3 numbers, in a plane 2) [length]
 *  and, with `rotations`, its rotation vector (3 numbers, in a plane 1) [radian]; then for each wall displacement and rotation in the
 *  same way, always both; then, with `box`, the strain of the box: e_xx, e_yy, e_zz, e_xy, e_xz, e_yz, in a plane e_xx, e_yy, e_xy.
 *
 *  Cost: in statics without tangents, laws that are a normal part alone (no friction, rolling, twisting, lubrication, nor contacts that
 *  hold across a gap) and no bonds take a shorter way than others, which needs about a third of the time.
 *
 *  Threads: as for the system; evaluations use the threads of the system, and give the same bits for any number of them. */
#ifndef DEM_PLUGIN_TRIAL_H
#define DEM_PLUGIN_TRIAL_H

#include <dem/plugin/integrator.h>
#include <dem/system.h>

DEM_BEGIN_DECLS

/** A trial of a system. Opaque. */
typedef struct dem_trial dem_trial;

/** What dem_trial_evaluate computes, or-ed. */
enum {
  DEM_TRIAL_ENERGY = 1, /**< the energy */
  DEM_TRIAL_FORCE = 2,  /**< the gradient */
  DEM_TRIAL_TANGENT = 4 /**< the derivatives that dem_trial_apply, dem_trial_blocks and dem_trial_diagonal use; implies FORCE */
};

/** Which normal force F limits friction, |f_t| <= mu F, and rolling and twisting friction in the same way. */
enum {
  DEM_TRIAL_FRICTION_IMPLICIT =
      0, /**< that of the evaluation itself. The derivatives are then not symmetric where contacts slip */
  DEM_TRIAL_FRICTION_LAGGED = 1 /**< that of an earlier evaluation, the one before the latest dem_trial_lag; see there */
};

/** Options of a trial; fill with dem_trial_options_init. */
typedef struct dem_trial_options {
  uint32_t struct_size; /**< sizeof(dem_trial_options) */
  int32_t rotations;    /**< 1 (default): particles turn, too; 0: displacements only, nothing turns */
  double dt;    /**< length h of an implicit step [time] > 0: velocities are u/h, so that dashpots act and histories advance by
                             alpha h (by h where alpha = 0). 0 (default): statics; histories follow the displacement, and no dashpot acts */
  double alpha; /**< part of u at which positions are taken: x + alpha u, 0 ... 1; default 1. The midpoint rule is 0.5 */
  int32_t
      box; /**< 1: the strain of the box is unknown, too: all particles move by E (x - c) besides their own displacements, with c the
                     middle of the box, and the box itself deforms, H -> (1 + alpha E) H. All axes (in a plane x and y) must be
                     periodic. 0 (default) */
  int32_t friction; /**< DEM_TRIAL_FRICTION_...; default IMPLICIT */
  double
      reach; /**< extra reach of the neighbour list beyond contact [length] >= 0; 0 (default): the skin of the system. A longer one
                     covers larger displacements before the trial searches anew, and costs more in each evaluation. At most 10
                     largest diameters, and on periodic axes half the box less the range (largest diameter and gap) */
} dem_trial_options;

/** Writes the defaults, touching only `struct_size` bytes. Any thread.
 *  @param options the struct  @param struct_size its size in the caller
 *  @return DEM_BAD_ARGUMENT when `options` is NULL, DEM_BAD_STRUCT when `struct_size` is none of this struct */
DEM_API dem_status dem_trial_options_init(dem_trial_options *options, uint32_t struct_size);

/** Opens a trial. Until it is closed, calls that would change the system refuse with DEM_BUSY, views to write too. Several may be
 *  open; when one is accepted, the others still start from the state before: they can be evaluated, but no longer accepted.
 *  @param system the system; must be ready to step (laws for all that may meet), with no view open
 *  @param options copied; NULL = defaults  @param trial out; NULL on failure; close it with dem_trial_close
 *  @return DEM_BAD_ARGUMENT with item, value and limit in dem_system_message; DEM_INCOMPLETE: a law is missing; DEM_BUSY; DEM_NO_MEMORY */
DEM_API dem_status dem_trial_open(dem_system *system, const dem_trial_options *options, dem_trial **trial);

/** The same inside the step of an integrator (dem/plugin/integrator.h), which accepts the trial with the velocities at the end of the
 *  step in place of the services kick, drift and evaluate, and closes it before the step ends. The engine adds dt to the time.
 *  @param stepper given to `step`  @param options copied; NULL = defaults  @param trial out; NULL on failure
 *  @return as dem_trial_open */
DEM_API dem_status dem_stepper_trial(dem_stepper *stepper, const dem_trial_options *options, dem_trial **trial);

/** What the unknowns are. Arrays belong to the trial and stay valid and unchanged until it is closed. */
typedef struct dem_trial_rows {
  uint32_t struct_size;  /**< sizeof(dem_trial_rows) */
  int32_t width;         /**< unknowns per particle: 3, with rotations 6; in a plane 2, with rotations 3 */
  int32_t wall_width;    /**< unknowns per wall: 6; in a plane 3 */
  int32_t walls;         /**< number of walls */
  int64_t particles;     /**< number of particles */
  int64_t unknowns;      /**< length of u: particles * width + walls * wall_width + box_width */
  const dem_id *ids;     /**< of the particles */
  const int32_t *frozen; /**< 1 per particle: no force moves it. Its u is applied as given, its gradient is -(force on it) */
  const double *inverse_mass;    /**< 1 per particle: 1/m [1/mass]; 0 of a frozen one */
  const double *inverse_inertia; /**< 1 per particle: 1/I [1/(mass*length^2)]; 0 of a frozen one */
  const int32_t *wall_ids;       /**< of the walls */
  int32_t box_width;             /**< unknowns of the box: 6; in a plane 3; 0 without `box` */
  int32_t reserved_zero;         /**< 0 */
  double volume;                 /**< of the box at u = 0 [volume; in a plane area]; 0 without `box` */
  const double *velocity; /**< `width` per particle: velocity [length/time] and, with rotations, spin [1/time], at u = 0 */
} dem_trial_rows;

/** Writes zeros and the size, touching only `struct_size` bytes. Any thread.
 *  @param rows the struct  @param struct_size its size in the caller
 *  @return DEM_BAD_ARGUMENT when `rows` is NULL, DEM_BAD_STRUCT when `struct_size` is none of this struct */
DEM_API dem_status dem_trial_rows_init(dem_trial_rows *rows, uint32_t struct_size);

/** Reads what the unknowns are. @param trial the trial  @param rows in: struct_size; out */
DEM_API dem_status dem_trial_get_rows(const dem_trial *trial, dem_trial_rows *rows);

/** Evaluates the interactions at x + alpha u. A bond that breaks there has no force and no energy; the contact that it replaced
 *  (dem_bond_type.contact = 0) acts in its place, as it does after dem_trial_accept.
 *  @param trial the trial  @param u `unknowns` numbers, each within 1e60; NULL = 0
 *  @param ask DEM_TRIAL_... or-ed
 *  @param energy out [energy]; NULL unless asked. Stored energy of contacts, bonds and walls' contacts at x + alpha u, after their
 *  histories have followed, less (m g + f_host) . alpha u, less the same product of host torques and rotations
 *  @param gradient out, `unknowns` numbers; NULL unless asked: -F [force] and -M [force*length], F and M being the sums of contacts,
 *  bonds, gravity and the host's forces on the row at the displaced state. Where the laws have a potential this is the derivative of
 *  the energy by the displacements alpha u. For the strain it is
 *  minus the volume times the stress [energy]; stress > 0 in compression
 *  @return DEM_BAD_ARGUMENT: a value of u that is not finite or too large (with its place), or that moves a particle beyond 2^37 of
 *  the smallest diameter or makes the box too small; DEM_UNSUPPORTED: the energy of a law that has no potential; DEM_BUSY: a view is
 *  open; DEM_NO_MEMORY. The evaluation before then still counts as the latest one, except that its tangents do not after
 *  DEM_NO_MEMORY, and with `box` */
DEM_API dem_status dem_trial_evaluate(dem_trial *trial, const double *u, int32_t ask, double *energy, double *gradient);

/** With DEM_TRIAL_FRICTION_LAGGED: the caps of friction become those of the latest evaluation. A minimiser or an implicit integrator
 *  solves with the caps fixed, calls this, and solves again, until the gradient right after this call is small enough: it is then
 *  the gradient of DEM_TRIAL_FRICTION_IMPLICIT.
 *
 *  For each contact the normal force F [force], the frame in which it slides (normal n, arms, point of a wall) and the time t by which
 *  its history advances are kept, by the ids of its two sides: a new search of the list does not lose them. Before the first call,
 *  and after dem_trial_accept, they are those of u = 0. With the displacement w at the contact in that frame, u_0 the spring of the
 *  start in its plane, k its stiffness [force/length] and s its displacement after the slip, friction then has the energy
 *
 *    E_t = k s^2/2 + mu F |u_0 + w - s|,   |s| = min(|u_0 + w|, mu F/k),
 *
 *  a convex Huber function of w (of a contact that is new since the start, and was there then for a part p of the time, E_t(p w)/p).
 *  dem_trial_evaluate counts it, stored part and heat of the slip together, so that the gradient is the derivative of the energy, and K is
 *  symmetric. Exact for linear springs of constant stiffness without dashpot (tangential, rolling
 *  and twisting), all else being as in dem_trial_apply; not for moments on walls that turn, whose contact points are those of the state.
 *  A stiffness that changes with the overlap adds a normal force that no law has, and a dashpot (dt > 0) a force that has no energy.
 *
 *  A contact that has no cap, because it did not touch then, has F = 0: no friction, and the energy has no step where it begins. A
 *  contact with a cap that opens keeps its friction up to a gap of half of `reach` (by default of the skin), for the same reason. Beyond,
 *  the energy drops by its E_t. Of a law that holds across a gap, friction ends with the contact. When a state is accepted, a contact
 *  that has opened is over. Right behind this call K is that of the objective; away from there the turning of the contacts since then is
 *  left out of K.
 *  @param trial the trial. It must be evaluated again before dem_trial_accept; energy and gradient are others with the new caps
 *  @return DEM_BAD_ARGUMENT: `friction` is not LAGGED; DEM_INCOMPLETE: nothing was evaluated since the opening, the last such call or
 *  dem_trial_accept; DEM_NO_MEMORY: the caps are those of u = 0 again */
DEM_API dem_status dem_trial_lag(dem_trial *trial);

/** K p: the derivative of the gradient along p, at the state of the latest evaluation, which must have asked for DEM_TRIAL_TANGENT, by the
 *  displacements alpha u. With dt > 0, a change of displacement by p changes velocities by p/(alpha h), so K holds dashpots too.
 *  Terms left out: the turning of friction forces and of moments with the normal, and the change of contact arms with the overlap; both
 *  are smaller than the others by overlap/radius. Nothing is allocated.
 *  @param trial the trial  @param p `unknowns` numbers  @param product out, `unknowns` numbers; must not overlap p
 *  @return DEM_INCOMPLETE: the latest evaluation was without DEM_TRIAL_TANGENT */
DEM_API dem_status dem_trial_apply(dem_trial *trial, const double *p, double *product);

/** The coupling of two rows of unknowns by one contact or bond: its part of K. Matrices are row-major; entry (a, b) of `ij` is the
 *  derivative of the gradient of unknown i + a by unknown j + b. It keeps its size in all versions: objectives and preconditioners
 *  (dem/plugin/objective.h) of different ages hand arrays of it to each other. */
typedef struct dem_trial_block {
  int64_t i;       /**< first unknown of one row, a particle's */
  int64_t j;       /**< first unknown of the other row, a particle's or a wall's */
  int32_t width_i; /**< unknowns of row i, at most 6 */
  int32_t width_j; /**< unknowns of row j, at most 6 */
  double ii[36];   /**< width_i x width_i */
  double ij[36];   /**< width_i x width_j */
  double
      ji[36]; /**< width_j x width_i; the transpose of ij without friction and dashpots, or with lagged friction of a constant
                        stiffness */
  double jj[36]; /**< width_j x width_j */
} dem_trial_block;

/** Takes `count` blocks (1 ... 64), valid during the call. Nonzero stops. It must not call the trial or change the system. */
typedef int32_t (*dem_trial_block_fn)(void *user, int64_t count, const dem_trial_block *blocks);

/** Visits the blocks of all contacts and bonds at the state of the latest evaluation, which must have asked for DEM_TRIAL_TANGENT; K is
 *  their sum. The order
 *  is that of the contacts, the same for any number of threads. A pair may come twice, as a contact and as a bond.
 *  @param trial the trial  @param struct_size sizeof(dem_trial_block) in the caller, which is also the distance from block to block
 *  @param visit called on the calling thread  @param user its first argument
 *  @return DEM_INCOMPLETE: the latest evaluation was without DEM_TRIAL_TANGENT; DEM_BAD_STRUCT; DEM_CANCELLED: the visitor stopped;
 *  DEM_NO_MEMORY */
DEM_API dem_status dem_trial_blocks(dem_trial *trial, uint32_t struct_size, dem_trial_block_fn visit, void *user);

/** Diagonal blocks of K, as for a block Jacobi preconditioner: of each particle width x width numbers, then of each wall
 *  wall_width x wall_width, row-major.
 *  @param trial the trial  @param diagonal out, particles * width^2 + walls * wall_width^2 numbers
 *  @return DEM_INCOMPLETE: the latest evaluation was without DEM_TRIAL_TANGENT */
DEM_API dem_status dem_trial_diagonal(dem_trial *trial, double *diagonal);

/** Moves the system to the state x + alpha u of the latest evaluation: positions, walls, contact histories and bonds advance, once. Bonds
 *  that break there are broken. Energy books: the change of stored energy and of kinetic energy counts as the host's. The trial
 *  goes on from the new state, with u = 0 there; its rows stay in their order.
 *  @param trial the trial
 *  @param velocity new velocities and spins of all unknowns, in the order of u [length/time], [1/time]; those of frozen particles and of
 *  walls are not read; NULL = velocities stay as they are
 *  @return DEM_INCOMPLETE: nothing was evaluated; DEM_BUSY: another trial was accepted since this one was opened, or a view is
 *  open; DEM_BAD_ARGUMENT: a velocity that is not finite or too large; DEM_NO_MEMORY: evaluate again before accepting again, and forces
 *  are evaluated anew at the next step. The system is otherwise unchanged then */
DEM_API dem_status dem_trial_accept(dem_trial *trial, const double *velocity);

/** Ends a trial. Without dem_trial_accept nothing has happened to the system. The memory of one closed trial stays with the system for the
 *  next, until it is destroyed: steps that open, accept and close a trial soon allocate nothing.
 *  @param trial NULL is allowed
 *  @return DEM_BUSY from inside a call on the system (a kernel, bind or log hook): the trial stays open */
DEM_API dem_status dem_trial_close(dem_trial *trial);

DEM_END_DECLS

#endif
