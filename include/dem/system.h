/** @file dem/system.h
 *  The particle system: set-up, particles, materials, walls, stepping.
 *
 *  Threads: one thread at a time may change a system; calls that take it as const may run together. Callbacks run on the
 *  calling thread. From a kernel, bind, sink, log hook or callback, calls that change the system refuse with DEM_BUSY. */
#ifndef DEM_SYSTEM_H
#define DEM_SYSTEM_H

#include <dem/context.h>
#include <dem/integrator.h>
#include <dem/law.h>

DEM_BEGIN_DECLS

/** A particle system. Opaque. */
typedef struct dem_system dem_system;

/** Inertia and mass of a particle. */
enum {
  DEM_SHAPE_SPHERE = 0, /**< m = 4/3 pi R^3 density, I = 2/5 m R^2 */
  DEM_SHAPE_DISC = 1    /**< m = pi R^2 density (density per area), I = 1/2 m R^2; only with dimension = 2 */
};

/** Contact arms, from each centre to the contact point. */
enum {
  DEM_ARMS_CONSERVING = 0, /**< a_i + a_j = |r| (radical plane): angular momentum conserved to round-off */
  DEM_ARMS_RADIUS = 1,     /**< a_i = R_i, as many codes do; angular momentum drifts with the overlap */
  DEM_ARMS_MIXED = 2 /**< R_i in the velocity at the contact, R_i - overlap/2 in the torques (walls: R_i in both), as LAMMPS's
                                pair granular does. Angular momentum is conserved; the force works through one arm and the torque
                                through another, and that difference in energy counts as numerical */
};

/** How tangential history follows a turning contact plane. */
enum {
  DEM_TRANSPORT_ROTATE = 0, /**< projected onto the new plane, length kept */
  DEM_TRANSPORT_PROJECT = 1 /**< projected only, as in LAMMPS gran/hooke/history; shortens the spring a little */
};

/** When the history of a new contact begins. */
enum {
  DEM_ONSET_TOUCH = 0, /**< when the surfaces met: at its first evaluation a contact is as old as the straight way back to the
                            touch takes, at most the step (doc/laws/arms-and-transport.md) */
  DEM_ONSET_STEP = 1   /**< a whole step before its first evaluation, as in LAMMPS and many codes: a first-order error */
};

/** Options of a system; fill with dem_system_options_init.
 *
 *  Numbers here and below are refused beyond 1e60, and where they must be above 0 below 1e-60, so that squares and energies stay
 *  finite: lengths, velocities, spins, masses, forces, times, accelerations, whatever the units. */
typedef struct dem_system_options {
  uint32_t struct_size; /**< sizeof(dem_system_options) */
  int32_t dimension;    /**< 3 (default) or 2: motion in x, y and rotation about z only */
  int32_t shape;        /**< DEM_SHAPE_...; default SPHERE */
  int32_t arms;         /**< DEM_ARMS_...; default CONSERVING */
  int32_t transport;    /**< DEM_TRANSPORT_...; default ROTATE */
  int32_t threads;      /**< threads of this system's steps, 1 ... 256; default 1. Never changes a bit of the results */
  int32_t ledger;       /**< 1: energy books are kept (dem/energy.h); 2: also by law, pair of materials, wall and particle
                             (DEM_HEAT); default 0 */
  int32_t periodic[3];  /**< 1: axis periodic, 0: open (default) */
  double box_low[3];    /**< lower corner of the box [length]; default 0 */
  double box_high
      [3]; /**< upper corner; on periodic axes opposite faces at least two interaction ranges apart. Open axes: only a hint for the
                           search grid; particles outside go on being computed. Default 0 = none given (open axes only) */
  double gravity[3]; /**< acceleration [length/time^2]; default 0 */
  double dt;         /**< time step [time] > 0; required */
  double skin;       /**< search margin beyond contact [length] > 0; 0 = automatic (8 % of the mean diameter) */
  double drag;   /**< background drag rate gamma [1/time] >= 0: force -gamma m v, torque -gamma I w; default 0. Explicit, at the
                            velocities that contacts see, so that gamma dt < 2 is needed; per particle and at any rate: DEM_DRAG_RATE */
  int32_t onset; /**< DEM_ONSET_...; default TOUCH */
  int32_t reserved_zero; /**< 0 */
  double box_tilt
      [3]; /**< xy, xz, yz of a tilted box [length] (dem/box.h); default 0. |xy| and |xz| at most half the length of the x
                             axis, |yz| of the y axis; 0 where one of the two axes of its name is open */
} dem_system_options;

/** Writes the defaults, touching only `struct_size` bytes.
 *  @param options the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_system_options_init(dem_system_options *options, uint32_t struct_size);

/** Creates an empty system with the velocity-Verlet integrator.
 *  @param context must outlive the system  @param options copied  @param system out; NULL on failure
 *  @return DEM_BAD_ARGUMENT with field, value and limit in dem_context_message */
DEM_API dem_status dem_system_create(dem_context *context, const dem_system_options *options, dem_system **system);

/** Destroys a system and all it holds. NULL is allowed. Open views and a failed system are no hindrance; trials of a failed system are
 *  closed with it.
 *  @param system owned by the caller
 *  @return DEM_BUSY from inside a call on the system (a callback of a step, a kernel, bind, sink or log hook), or while a trial of a
 *  system that works is open: nothing is destroyed, and the text says so */
DEM_API dem_status dem_system_destroy(dem_system *system);

/** Text of the latest refusal or failure of a call that changes the system, or of the latest refusal of any call on this thread,
 *  whichever is younger: item, value and limit. Never NULL; valid until the next call on the system from this thread, or the
 *  next that changes it.
 *  @param system may be NULL */
DEM_API const char *dem_system_message(const dem_system *system);

/** A material; fill with dem_material_init. */
typedef struct dem_material {
  uint32_t struct_size;  /**< sizeof(dem_material) */
  int32_t reserved_zero; /**< 0 */
  double young;          /**< Young's modulus Y [pressure] > 0; 0 (default) = none, enough for Hooke */
  double poisson;        /**< Poisson's ratio nu, -1 < nu <= 0.5; default 0.25 */
} dem_material;

/** Writes the defaults, touching only `struct_size` bytes.
 *  @param material the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_material_init(dem_material *material, uint32_t struct_size);

/** Adds a material. Indices count from 0; at most 65535, because their pairs are counted with 32 bits. The tables with an entry for
 *  each pair take 10 to 30 bytes times the square of the number of materials, so memory may end before.
 *  @param system the system  @param material NULL = defaults; copied  @param index out, may be NULL
 *  @return DEM_BAD_ARGUMENT with the member, its value and the limit; DEM_NO_MEMORY: nothing has changed */
DEM_API dem_status dem_system_add_material(dem_system *system, const dem_material *material, int32_t *index);

/** Sets the law of a pair of materials (both orders). The system takes a reference. Contact histories of the pair restart.
 *  @param system the system  @param a material index  @param b material index  @param law the law
 *  @return DEM_NOT_FOUND: no such material; DEM_BAD_ARGUMENT: a law of another context; DEM_INCOMPLETE: it needs Young's modulus
 *  and a material has none; DEM_NO_MEMORY; what the bind of a part returned */
DEM_API dem_status dem_system_set_law(dem_system *system, int32_t a, int32_t b, const dem_law *law);

/** Sets the integrator. The system takes a reference. @param system the system  @param integrator the integrator
 *  @return DEM_BAD_ARGUMENT: one of another context, or a synchronised one in a system with `transport` PROJECT */
DEM_API dem_status dem_system_set_integrator(dem_system *system, const dem_integrator *integrator);

/** Sets a built-in integrator by name: "euler", "velocity-verlet" or "improved-velocity-verlet".
 *  @param system the system  @param name the name
 *  @return DEM_NOT_FOUND for any other name; else as dem_system_set_integrator */
DEM_API dem_status dem_system_set_integrator_name(dem_system *system, const char *name);

/** Particles to add: arrays of `count` rows, packed. NULL arrays take the stated default. */
typedef struct dem_particles {
  uint32_t struct_size;  /**< sizeof(dem_particles) */
  int32_t reserved_zero; /**< 0 */
  int64_t count;         /**< rows */
  const double
      *position; /**< 3 per row [length], within 2^37 of the smallest diameter; required. Periodic axes: wrapped into the box */
  const double *velocity;  /**< 3 per row [length/time]; NULL = 0 */
  const double *spin;      /**< 3 per row, angular velocity [1/time]; NULL = 0 */
  const double *radius;    /**< 1 per row [length] > 0; required */
  const double *density;   /**< 1 per row [mass/volume] > 0; required */
  const int32_t *material; /**< 1 per row; NULL = 0 */
  const int32_t *frozen;   /**< 1 per row, 1 = moved by no force, infinite mass in contacts, no contacts with other frozen ones,
                                velocity and spin must be 0; NULL = 0 */
  const int32_t *
      image; /**< 3 per row: edges of the box to add to the position (DEM_IMAGE), beside what wrapping counts, within 2^29; NULL = 0 */
} dem_particles;

/** Writes zeros and the size, touching only `struct_size` bytes.
 *  @param particles the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_particles_init(dem_particles *particles, uint32_t struct_size);

/** Adds particles, at any time between steps. All or none. What overlaps is not refused: the host sees to it that the place is free.
 *  @param system the system  @param particles rows, copied  @param ids out, `count` ids; may be NULL
 *  @return DEM_BAD_ARGUMENT with the row, the member, its value and the limit; DEM_NOT_FOUND: no such material; DEM_NO_MEMORY */
DEM_API dem_status dem_system_add_particles(dem_system *system, const dem_particles *particles, dem_id *ids);

/** Removes particles with their contacts, at any time between steps. All or none (an unknown, stale or repeated id refuses).
 *  @param system the system  @param count ids given  @param ids the ids */
DEM_API dem_status dem_system_remove_particles(dem_system *system, int64_t count, const dem_id *ids);

/** Freezes or releases particles; freezing sets velocity and spin to 0 (booked as host work).
 *  @param system the system  @param count ids given  @param ids the ids  @param frozen 1 or 0
 *  @return DEM_NOT_FOUND: an unknown or stale id; nothing has changed then */
DEM_API dem_status dem_system_set_frozen(dem_system *system, int64_t count, const dem_id *ids, int32_t frozen);

/** Moves frozen particles at constant velocity and spin, as rough walls made of particles: what touches them meets the velocity of
 *  their surface, they drift along, wrap on periodic axes, and no force changes their motion. Frozen ones still do not touch each
 *  other. What drives them does the work that is booked in dem_energy.walls, no kinetic energy is theirs; the force and torque on
 *  each is DEM_FORCE and DEM_TORQUE. The motion holds until it is set again; freezing (dem_system_set_frozen with 1) stops them,
 *  releasing them lets them fly on (their kinetic energy is then host work). dem_system_set_field takes for them only the velocity and
 *  spin they have.
 *  @param system the system  @param count ids given  @param ids frozen particles
 *  @param velocity 3 per id [length/time], -1e60 to 1e60; NULL = 0
 *  @param spin 3 per id [1/time], -1e60 to 1e60; NULL = 0
 *  @return DEM_NOT_FOUND: no such particle; DEM_BAD_ARGUMENT: it is not frozen, a value is beyond 1e60 or leaves the plane of a
 *  2-dimensional system. Nothing has changed then */
DEM_API dem_status dem_system_set_frozen_motion(dem_system *system, int64_t count, const dem_id *ids, const double *velocity,
                                                const double *spin);

/** Number of particles. @param system the system  @param count out */
DEM_API dem_status dem_system_particle_count(const dem_system *system, int64_t *count);

/** Ids of all particles in the library's listing order (the order of bulk get with ids = NULL): as they were added, oldest first.
 *  Removing closes the gaps; nothing else changes it.
 *  @param system the system  @param capacity room in `ids`, at least the particle count, else DEM_BAD_ARGUMENT  @param ids out */
DEM_API dem_status dem_system_ids(const dem_system *system, int64_t capacity, dem_id *ids);

/** Where particles stand in the listing order. Constant time for each. All or none.
 *  @param system the system  @param count rows  @param ids which  @param indices out, 0 ... particle count - 1
 *  @return DEM_NOT_FOUND for an unknown or stale id */
DEM_API dem_status dem_system_index_of(const dem_system *system, int64_t count, const dem_id *ids, int64_t *indices);

/** Which particles stand at places of the listing order. Constant time for each. All or none.
 *  @param system the system  @param count rows  @param indices 0 ... particle count - 1  @param ids out
 *  @return DEM_NOT_FOUND for an index out of range */
DEM_API dem_status dem_system_id_at(const dem_system *system, int64_t count, const int64_t *indices, dem_id *ids);

/** Per-particle fields. */
enum {
  DEM_POSITION = 1,       /**< 3 doubles [length]; get returns it wrapped into the box on periodic axes */
  DEM_VELOCITY = 2,       /**< 3 doubles [length/time]; full-step: at the same time as the positions */
  DEM_SPIN = 3,           /**< 3 doubles, angular velocity [1/time]; full-step */
  DEM_RADIUS = 4,         /**< 1 double [length]; set changes mass and inertia at constant density */
  DEM_DENSITY = 5,        /**< 1 double [mass/volume] */
  DEM_MASS = 6,           /**< 1 double [mass]; read only */
  DEM_INERTIA = 7,        /**< 1 double [mass*length^2]; read only */
  DEM_FORCE = 8,          /**< 3 doubles: contacts, walls, drag and host, without gravity [force]; read only */
  DEM_TORQUE = 9,         /**< 3 doubles: contacts, walls, drag and host [force*length]; read only */
  DEM_HOST_FORCE = 10,    /**< 3 doubles: constant force added by the host until set again [force]; default 0 */
  DEM_HOST_TORQUE = 11,   /**< 3 doubles: constant torque added by the host until set again [force*length]; default 0 */
  DEM_HALF_VELOCITY = 12, /**< 3 doubles; the velocity that the present contact forces were computed with (velocity-Verlet: v at
                             half a step before); after the host changed gravity, forces or motion the full-step one, until the
                             next step (in systems with any drag only after motion was changed); read only */
  DEM_HALF_SPIN = 13,     /**< 3 doubles; the spin that the present contact forces were computed with [1/time]; read only */
  DEM_MATERIAL = 14,      /**< 1 int32, index of the material; dem_system_get_field_int, _set_int */
  DEM_FROZEN = 15,        /**< 1 int32, 0 or 1; read only, see dem_system_set_frozen */
  DEM_IMAGE = 16,         /**< 3 int32: how many edges of the box (dem/box.h) to add to the wrapped position; read only */
  DEM_HEAT = 17, /**< 1 double: heat made at this particle since it was added, half of each contact's and bond's [energy];
                             the sum of all classes; needs ledger = 2; read only */
  DEM_HEAT_CLASSES = 18, /**< 8 doubles: of it by normal dashpots, tangential dashpots, sliding, rolling, twisting, lubrication,
                             bonds' damping, breakage. Always these 8: a class that a later version adds gets a field of its own;
                             read only */
  DEM_CONTACT_FORCE = 19,  /**< 3 doubles: contacts, walls, gaps and bonds alone, without the host's force, drag and gravity
                              [force]; read only */
  DEM_CONTACT_TORQUE = 20, /**< 3 doubles: torques of the same forces [force*length]; read only */
  DEM_DRAG_RATE = 21, /**< 1 double: gamma of the drag -gamma m (v - u) towards the fluid velocity u (doc/drag.md) [1/time],
                              0 to 1e60; default 0 */
  DEM_FLUID_VELOCITY = 22, /**< 3 doubles: u, constant until set again [length/time]; default 0 */
  DEM_SPIN_DRAG_RATE =
      23,              /**< 1 double: gamma_w of the torque -gamma_w I (w - o) towards the fluid's angular velocity o [1/time],
                              0 to 1e60; default 0 */
  DEM_FLUID_SPIN = 24, /**< 3 doubles: o, half the vorticity of the fluid [1/time]; default 0 */
  DEM_DRAG_IMPULSE = 25, /**< 3 doubles: impulse that the drag of DEM_DRAG_RATE has given to the particle; the fluid got the
                              opposite. Set it, usually to 0, to begin anew [force*time] */
  DEM_DRAG_ANGULAR_IMPULSE =
      26, /**< 3 doubles: angular impulse that the drag of DEM_SPIN_DRAG_RATE has given to the particle [force*length*time] */
  DEM_STRESS =
      27, /**< 9 doubles: stress of the contacts of the particle over its own volume, row by row, positive in compression
                        (dem_system_particle_stress with the default options) [force/length^(dimension-1)]; no view; read only */
  DEM_COORDINATION = 28, /**< 1 int32: number of contacts with particles and walls (dem_system_rattlers); no view; read only */
  DEM_RATTLER = 29, /**< 1 int32: 1 = too few contacts to be held, dimension + 1 are needed (dem_system_rattlers), 0 = held; no
                              view; read only */
  DEM_COLUMN_FIRST = 1024 /**< the first column that dem_system_add_column adds; later ones count up from it */
};

/** Adds a column of the host's own: numbers of each particle that the library carries along with the particle and never uses, such
 *  as a temperature. They are 0 for the particles there are and for each one added later. dem_system_get_field, dem_system_set_field and
 *  dem_view_acquire take the column as a field, to read and to write, also from the callback before a step. Every double is
 *  allowed, also infinities and NaN. dem_system_write_vtp writes the column under its name. A column stays until the system is destroyed.
 *  The calling thread must be the one that changes the system; not from a callback, nor while a view is open (DEM_BUSY).
 *  @param system the system
 *  @param name copied; 1 to 63 characters, printable ASCII without spaces; no name of another column nor of an array of
 *  dem_system_write_vtp or of a field (DEM_HOST_FORCE: "host_force")
 *  @param components doubles per particle, 1 ... 16
 *  @param column out: the number to use as a field, DEM_COLUMN_FIRST for the first column
 *  @return DEM_BAD_ARGUMENT: the name or the number of components, or there are 32 columns already; DEM_NO_MEMORY. The system is
 *  unchanged then */
DEM_API dem_status dem_system_add_column(dem_system *system, const char *name, int32_t components, int32_t *column);

/** Bulk read of a floating-point field into the host's array.
 *  @param system the system  @param field DEM_... or a column of dem_system_add_column
 *  @param count rows wanted; with ids = NULL must be the particle count
 *  @param ids which particles; NULL = all in listing order  @param values out
 *  @param stride doubles from row to row in `values`; 0 = packed; all rows within PTRDIFF_MAX bytes
 *  @return DEM_NOT_FOUND: an unknown id, or a field that is not floating-point; DEM_BAD_ARGUMENT: count or stride; DEM_INCOMPLETE:
 *  DEM_HEAT without ledger = 2, or DEM_STRESS while the contact forces are out of date (dem/statics.h); DEM_NO_MEMORY: DEM_STRESS */
DEM_API dem_status dem_system_get_field(const dem_system *system, int32_t field, int64_t count, const dem_id *ids,
                                        double *values, int64_t stride);

/** Bulk write; all or none. The ledger books the change of energy as host work. Positions may be written freely;
 *  contact histories are kept where contacts persist. Forces are evaluated anew at the next step, except that host forces,
 *  torques and the fluid simply take the place of the old ones. The first set of a field of the fluid makes room for it
 *  (DEM_NO_MEMORY leaves everything as it was).
 *  @param system the system  @param field DEM_... or a column of dem_system_add_column  @param count rows  @param ids which;
 *  NULL = all  @param values in  @param stride doubles from row to row; 0 = packed
 *  @return DEM_NOT_FOUND: an unknown id, or a field that is read only or integer; DEM_BAD_ARGUMENT with the row, the value and the
 *  limit, also for motion of a frozen particle; DEM_INCOMPLETE, DEM_NO_MEMORY */
DEM_API dem_status dem_system_set_field(dem_system *system, int32_t field, int64_t count, const dem_id *ids,
                                        const double *values, int64_t stride);

/** Bulk read of an integer field. Parameters as dem_system_get_field.
 *  @param system the system  @param field DEM_MATERIAL, DEM_FROZEN, DEM_IMAGE, DEM_COORDINATION or DEM_RATTLER  @param count rows
 *  @param ids which; NULL = all  @param values out  @param stride int32 from row to row; 0 = packed
 *  @return as dem_system_get_field; DEM_COORDINATION and DEM_RATTLER as DEM_STRESS */
DEM_API dem_status dem_system_get_field_int(const dem_system *system, int32_t field, int64_t count, const dem_id *ids,
                                            int32_t *values, int64_t stride);

/** Bulk write of DEM_MATERIAL. Parameters as dem_system_set_field.
 *  @param system the system  @param field DEM_MATERIAL  @param count rows  @param ids which; NULL = all  @param values in
 * @param stride int32 from row to row; 0 = packed */
DEM_API dem_status dem_system_set_field_int(dem_system *system, int32_t field, int64_t count, const dem_id *ids,
                                            const int32_t *values, int64_t stride);

/** Advances n steps of dt. Nothing set wrong is let through: a missing law, a box too small, ... refuse before the first step.
 *  @param system the system  @param steps n >= 0
 *  @return DEM_CANCELLED when a callback stopped it: the state is valid and stepping may go on; DEM_INCOMPLETE: a law is missing;
 *  DEM_BUSY: views are open; below 0: the step failed and the system is lost */
DEM_API dem_status dem_system_step(dem_system *system, int64_t steps);

/** Advances to time t exactly, in the fewest equal steps not longer than dt.
 *  @param system the system  @param time at or after the present time, else DEM_BAD_ARGUMENT
 *  @return as dem_system_step */
DEM_API dem_status dem_system_run_until(dem_system *system, double time);

/** Progress of a step or run_until call. */
typedef struct dem_progress {
  uint32_t struct_size;  /**< size the library knows */
  int32_t reserved_zero; /**< 0 */
  int64_t step;          /**< steps done in this call */
  int64_t steps;         /**< steps this call will do */
  int64_t particles;     /**< particles */
  int64_t contacts;      /**< touching pairs, walls included, at the latest evaluation */
  double time;           /**< present time */
  double seconds;        /**< wall-clock seconds since the call began */
} dem_progress;

/** Progress callback; nonzero stops the call with DEM_CANCELLED. It may read the system (get, energy, writers), not change it.
 */
typedef int32_t (*dem_progress_fn)(void *user, const dem_progress *progress);

/** Sets the progress callback.
 *  @param system the system  @param every call it each this many steps, >= 1  @param progress NULL = none  @param user its
 * first argument */
DEM_API dem_status dem_system_set_progress(dem_system *system, int64_t every, dem_progress_fn progress, void *user);

/** Callback before each step of a step or run_until call, also of the first one. Positions, velocities and forces are those of the
 *  present time, as between two calls. It may read the system (get, energy, views to read, writers), and set what the host adds to the
 *  step to come: DEM_HOST_FORCE, DEM_HOST_TORQUE, the fluid (DEM_DRAG_RATE to DEM_DRAG_ANGULAR_IMPULSE) and columns of its own, by
 *  dem_system_set_field or a view to write; the run is then the same, bit for bit, as single
 *  steps between which the host sets them. Whatever else would change the system refuses with DEM_BUSY. Nonzero stops the call with
 *  DEM_CANCELLED before the step. A view left open stops it with DEM_BUSY.
 *  @param user as given  @param system the system that steps  @param progress `step` counts the steps done */
typedef int32_t (*dem_before_step_fn)(void *user, dem_system *system, const dem_progress *progress);

/** Sets the callback before each step. Without one steps are joined, so each costs a little less: leave it NULL where single steps
 *  need nothing new.
 *  @param system the system  @param before_step NULL = none (default)  @param user its first argument */
DEM_API dem_status dem_system_set_before_step(dem_system *system, dem_before_step_fn before_step, void *user);

/** Present time. @param system the system  @param time out */
DEM_API dem_status dem_system_time(const dem_system *system, double *time);

/** Changes the time step. @param system the system  @param dt [time] 1e-60 to 1e60, else DEM_BAD_ARGUMENT */
DEM_API dem_status dem_system_set_dt(dem_system *system, double dt);

/** Changes gravity. @param system the system  @param gravity 3 doubles [length/time^2], at most 1e60 in size, z 0 in 2 dimensions */
DEM_API dem_status dem_system_set_gravity(dem_system *system, const double *gravity);

/** Largest time step the integrator and the laws allow for the particles as they are, from the stiffest possible pair of each
 *  law at the largest speed at which two particles, or images of them, can meet; for the pairs there are see dem_system_advise. Infinite
 *  when nothing limits it, or the integrator does not say (Euler, with which no undamped spring is stable). dem_system_step logs a
 *  warning when dt is above.
 *  @param system the system  @param dt out [time] */
DEM_API dem_status dem_system_stable_dt(const dem_system *system, double *dt);

/** Walks all internal invariants (lists complete, ids consistent, values finite), then logs a warning for everything in the
 *  set-up that lies outside the advice of doc/advice.md: dt, overlaps, stiffness, size ratio. Stepping logs those once for a
 *  set-up; this says them again. Slow; for tests and bug reports. The neighbour list may be built for it.
 *  @param system the system  @return DEM_OK, or DEM_FAILED_... with what is wrong in the message */
DEM_API dem_status dem_system_check(dem_system *system);

/** One touching pair, of particles i and j or of a particle i and a wall. In arrays: see dem/base.h. Positions are the present ones,
 *  forces those of the latest evaluation; both belong to the same time unless the integrator drifts after it evaluates (Euler). */
typedef struct dem_contact {
  dem_id i;           /**< first particle */
  dem_id j;           /**< second particle; 0 for a wall */
  const dem_law *law; /**< law of the pair of materials; the system's reference, valid until the law is replaced */
  int32_t wall;       /**< wall id, or -1 */
  int32_t
      sliding; /**< 1: |f_t| is at the friction limit mu F (to 1e-9 of it), F the normal force that limits friction: |f_n + A|, A the
                        adhesion of the law; 0: it is below; -1: unknown, with a tangential part or an adhesive normal part of the host's
                        own */
  double overlap;   /**< at the present positions [length]; below 0 where an integrator drifted after it evaluated (Euler), and
                       where adhesion holds a contact across a gap */
  double normal[3]; /**< unit vector from j (or the wall) to i */
  double force[3];  /**< on i: normal and tangential; the opposite acts on j or the wall [force] */
  double tangential_force[3]; /**< on i: the part of `force` across `normal`; the rest is the normal force [force] */
  double
      torque[3]; /**< on i about its centre: of the tangential force at its arm, and of rolling and twisting [force*length] */
  double torque_on_j[3]; /**< the same on j about its centre; on a wall about its reference point [force*length] */
  double point[3]; /**< contact point: from the centre of i (as DEM_POSITION gives it) its arm against `normal`, the arm as
                            dem_system_options.arms says; may lie outside a periodic box [length] */
  double
      branch[3]; /**< from the centre of i to the centre of the nearest image of j; to the closest point of a wall [length] */
} dem_contact;

/** Number of touching pairs, walls included, at the latest force evaluation. None after particles, laws or walls were changed
 * or positions set, until the next evaluation.
 *  @param system the system  @param count out */
DEM_API dem_status dem_system_contact_count(const dem_system *system, int64_t *count);

/** Copies the touching pairs of the latest force evaluation. The order is that of the last sort. Films in gaps and bonds are
 *  not among them, nor the contacts that bonds take the place of.
 *  @param system the system  @param capacity room in `contacts`, at least the contact count, else DEM_BAD_ARGUMENT
 *  @param contacts out  @param struct_size sizeof(dem_contact) in the caller, which is also the distance from element to element
 *  @return DEM_BAD_STRUCT for a struct_size that no version has */
DEM_API dem_status dem_system_contacts(const dem_system *system, int64_t capacity, dem_contact *contacts, uint32_t struct_size);

/** Counters and sums; fill struct_size with dem_statistics_init. */
typedef struct dem_statistics {
  uint32_t struct_size;     /**< sizeof(dem_statistics) */
  int32_t reserved_zero;    /**< 0 */
  int64_t particles;        /**< particles */
  int64_t steps;            /**< steps since creation */
  int64_t rebuilds;         /**< neighbour lists built since creation */
  int64_t pairs;            /**< pairs in the list, walls included */
  int64_t contacts;         /**< touching particle pairs */
  int64_t wall_contacts;    /**< touching particle-wall pairs */
  int64_t bytes;            /**< memory of this system */
  double coordination;      /**< 2 contacts / particles */
  double kinetic_energy;    /**< sum of m v^2 / 2 over particles that move */
  double rotational_energy; /**< sum of I w^2 / 2 */
  double skin;              /**< skin in use */
  double seconds_search;    /**< wall-clock seconds in sorting and list building */
  double seconds_pass;      /**< in the passes over the particles: contacts, summation, kicks and drifts, which run fused */
  double seconds_ledger;    /**< in passes of the ledger alone */
  int64_t warnings;         /**< warnings since creation (doc/advice.md), counted with a log hook and without */
} dem_statistics;

/** Writes zeros and the size, touching only `struct_size` bytes.
 *  @param statistics the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_statistics_init(dem_statistics *statistics, uint32_t struct_size);

/** Reads the counters. @param system the system  @param statistics in: struct_size; out */
DEM_API dem_status dem_system_statistics(const dem_system *system, dem_statistics *statistics);

DEM_END_DECLS

#endif
