/** @file dem/packing.h
 *  Packings: random starts of discs and spheres with a distribution of radii, compression and decompression to a packing fraction, the
 *  search for the jamming point or for a pressure, removal of rattlers. Methods, sources and measured figures: doc/packing.md.
 *
 *      dem_packing_options start;
 *      dem_packing_options_init(&start, sizeof start);
 *      start.dimension = 2, start.count = 1000, start.packing_fraction = 0.9, start.seed = 1;
 *      start.distribution = DEM_RADII_BIDISPERSE;
 *      dem_packing_system(context, &start, NULL, NULL, law, 1.0, &system);
 *      dem_jam_options jam;
 *      dem_jam_options_init(&jam, sizeof jam);
 *      jam.pressure = 1e-4;
 *      dem_jam_report report = {sizeof report};
 *      dem_system_jam(system, &jam, NULL, &report);
 *
 *  The packing fraction phi is the sum of the volumes of all particles divided by the volume of the box. In 2 dimensions "volume" means
 *  area: pi R^2 for a particle, whether it is a disc or a sphere. Overlaps count twice.
 *
 *  Threads: functions of a context on any thread; functions of a system as for calls that change it. */
#ifndef DEM_PACKING_H
#define DEM_PACKING_H

#include <dem/io.h>
#include <dem/relax.h>
#include <dem/system.h>

DEM_BEGIN_DECLS

/** Distributions of radii. */
enum {
  DEM_RADII_UNIFORM = 0,    /**< every radius from `radius` to `ratio` * `radius` is equally likely */
  DEM_RADII_BIDISPERSE = 1, /**< two sizes, `radius` and `ratio` * `radius`; their numbers are exact: see `large` */
  DEM_RADII_LOGNORMAL = 2, /**< R = radius * exp(width z); z is normal with mean 0 and variance 1, restricted to |z| <= `cut` */
  DEM_RADII_LIST = 3,      /**< `radii`, one for each particle, in this order */
  DEM_RADII_SAMPLE = 4     /**< drawn from `radii`, each entry equally likely, with repetition */
};

/** A random start; fill with dem_packing_options_init. Lengths are of any unit, the same for all. */
typedef struct dem_packing_options {
  uint32_t struct_size; /**< sizeof(dem_packing_options) */
  int32_t dimension;    /**< 3 (default) or 2 */
  int64_t count;        /**< number of particles, 1 to 2^31 - 1; required */
  uint64_t seed;        /**< any number; equal seeds and options give equal bits on every machine; default 0 */
  int32_t distribution; /**< DEM_RADII_...; default UNIFORM */
  int32_t by_volume;    /**< BIDISPERSE: `large` is a fraction of 0: the number (default), 1: the volume of all particles */
  double
      radius;   /**< UNIFORM: smallest radius; BIDISPERSE: the smaller one; LOGNORMAL: the median of ln R is ln radius [length],
                             1e-60 to 1e60; default 1 */
  double ratio; /**< UNIFORM, BIDISPERSE: largest radius / smallest radius, 1 to 1000; default 1.4 */
  double large; /**< BIDISPERSE: fraction of large particles, 0 to 1; default 0.5. Their number is count * large, rounded to the
                             nearest; with `by_volume` count * q, q = large/(large + (1 - large) ratio^dimension) */
  double width; /**< LOGNORMAL: standard deviation of ln R without the cut, 0 to 2; default 0.2 */
  double cut;   /**< LOGNORMAL: R lies between radius * exp(-width cut) and radius * exp(width cut); 0.1 to 6; default 3 */
  const double *radii;     /**< LIST, SAMPLE: the radii [length], each 1e-60 to 1e60; default NULL */
  int64_t radii_count;     /**< LIST: must be `count`; SAMPLE: at least 1; default 0 */
  double packing_fraction; /**< phi > 0 to 100; required. Without `apart` particles overlap at random */
  double
      length; /**< edge of the box along x [length] > 0: all radii are scaled by one factor so that phi is met; 0 (default): the
                             radii stay as they are and the box is as large as phi asks for */
  double proportions
      [3];       /**< edges of the box relative to each other, 1e-3 to 1e3; default 1, 1, 1. In 2 dimensions the third is not
                             read, and the box has the height 0 */
  int32_t apart; /**< 1: no two particles overlap: they are placed one after the other, the largest first, each at random until
                             it is free of those before (random sequential addition; discs of one size reach 0.547, spheres 0.38, and
                             it is slow well before that); 0 (default): positions are independent of each other */
  int32_t attempts; /**< with `apart`: most attempts for one particle, 1 to 1000000000; default 10000 */
} dem_packing_options;

/** Writes the defaults, touching only `struct_size` bytes. Any thread.
 *  @param options the struct  @param struct_size its size in the caller
 *  @return DEM_BAD_ARGUMENT when `options` is NULL, DEM_BAD_STRUCT when `struct_size` is none of this struct */
DEM_API dem_status dem_packing_options_init(dem_packing_options *options, uint32_t struct_size);

/** Draws radii and positions in a box that begins at 0 and is periodic along all axes (in 2 dimensions x, y). Positions are uniform in
 *  the box. Random numbers are those of SplitMix64 (Steele, Lea & Flood 2014, doi:10.1145/2660193.2660195), see doc/packing.md; radii and
 *  positions have streams of their own, so the same seed gives the same positions (in units of the edges) for other radii, unless
 *  `apart` is 1.
 *  @param context owner of memory and messages
 *  @param options copied
 *  @param position out: 3 per particle [length]; z is 0 in 2 dimensions
 *  @param radius out: 1 per particle [length]
 *  @param edges out: the 3 edges of the box [length]; in 2 dimensions the third is 0
 *  @return DEM_BAD_ARGUMENT with the member, its value and the limit in dem_context_message, also where an edge is shorter than two
 *  diameters of the largest particle; DEM_NOT_FOUND: with `apart`, no free place within `attempts`; DEM_BAD_STRUCT; DEM_NO_MEMORY. What
 *  is in the arrays then is of no use */
DEM_API dem_status dem_packing_draw(dem_context *context, const dem_packing_options *options, double *position, double *radius,
                                    double *edges);

/** Creates a system with a random start: one material, one law, a periodic box, the particles in the order of dem_packing_draw.
 *  @param context must outlive the system  @param packing copied
 *  @param options of the system; NULL = defaults. Dimension, box and periodic axes are those of the packing; a shape of spheres becomes
 *  one of discs in 2 dimensions. `dt` 0: a tenth of dem_system_stable_dt, or 1 where that is infinite
 *  @param material NULL = defaults  @param law of all contacts; the system takes a reference
 *  @param density of all particles [mass/length^dimension] > 0
 *  @param system out; NULL on failure
 *  @return as dem_packing_draw, dem_system_create, dem_system_add_material, dem_system_set_law and dem_system_add_particles, with the text
 *  in dem_context_message */
DEM_API dem_status dem_packing_system(dem_context *context, const dem_packing_options *packing,
                                      const dem_system_options *options, const dem_material *material, const dem_law *law,
                                      double density, dem_system **system);

/** Reads radii from text: the first word of each line is a number above 0; empty lines and what follows a '#' are skipped.
 *  @param context owner of memory and messages  @param source the bytes  @param capacity room in `radii`
 *  @param radii out [length]  @param count out: how many were read
 *  @return DEM_BAD_FORMAT with line number, what was found and what was expected; DEM_BAD_ARGUMENT: more than `capacity`; DEM_IO_ERROR;
 *  DEM_NO_MEMORY */
DEM_API dem_status dem_radii_read(dem_context *context, const dem_source *source, int64_t capacity, double *radii,
                                  int64_t *count);

/** Packing fraction of a system now. Its box must be periodic along all axes (in a plane x, y).
 *  @param system the system  @param packing_fraction out: phi
 *  @return DEM_UNSUPPORTED: an axis is open; DEM_NO_MEMORY */
DEM_API dem_status dem_system_packing_fraction(const dem_system *system, double *packing_fraction);

/** Compresses or decompresses a system to a packing fraction: all edges of the box change by one factor about its middle, particles move
 *  with them (affine change of dem_system_set_box), then the energy is minimised.
 *  @param system the system: a box periodic along all axes (in a plane x, y)
 *  @param packing_fraction phi > 0 to 100
 *  @param relax as for dem_system_minimise; NULL = defaults. `box_free` and `strain` must be 0
 *  @param minimise method and tolerances; NULL = defaults
 *  @param report of the minimisation, in: struct_size; out; may be NULL
 *  @return as dem_system_set_box, after which nothing has changed, or as dem_system_minimise, after which the box has; DEM_UNSUPPORTED:
 *  an axis is open; DEM_INCOMPLETE: fewer than 2 particles */
DEM_API dem_status dem_system_compress(dem_system *system, double packing_fraction, const dem_relax_options *relax,
                                       const dem_minimise_options *minimise, dem_minimise_report *report);

/** Goal of dem_system_jam. */
enum {
  DEM_JAM_PRESSURE = 0, /**< a state of rest with the pressure `pressure` */
  DEM_JAM_POINT =
      1 /**< a state of rest with contacts whose phi is at most `fraction_tolerance` above phi_J, where they are lost */
};

/** Why dem_system_jam ended; > 0: its goal is reached, < 0: not. */
enum {
  DEM_JAM_REACHED = 1,      /**< the pressure, or phi_J, within its tolerance */
  DEM_JAM_STEPS = -1,       /**< steps_most were made */
  DEM_JAM_CANCELLED = -2,   /**< a progress function said so */
  DEM_JAM_NOT_RELAXED = -3, /**< a minimisation ended at no minimum, see minimise_reason; the latest state stays */
  DEM_JAM_STUCK = -4 /**< phi would change by less than 1e-14 phi: the pressure jumps there, or its rounding is in the way */
};

/** How far dem_system_jam has come. Contacts and rattlers are those of dem_system_statics with the default options. */
typedef struct dem_jam_report {
  uint32_t struct_size;     /**< sizeof(dem_jam_report) */
  int32_t reason;           /**< DEM_JAM_...; 0 = it has not ended */
  int32_t steps;            /**< minimisations so far */
  int32_t taken_back;       /**< of those, decompressions that lost the rigid network and were taken back */
  int64_t iterations;       /**< of all minimisations */
  int64_t gradients;        /**< of all minimisations */
  double packing_fraction;  /**< phi */
  double pressure;          /**< p = trace of the stress / dimension [force/length^(dimension-1)] */
  double fraction_unjammed; /**< phi of the latest step that ended without pressure; 0 = none */
  double
      fraction_point; /**< phi_J: phi - d (phi - phi')/(d - d'), from the mean overlaps d of the latest two states with contacts
                                    (the overlap falls linearly for every law); 0 = not yet known */
  double rattlers;    /**< number of rattlers */
  double coordination;          /**< contacts per particle */
  double coordination_carrying; /**< the same without rattlers and their contacts */
  double contacts;              /**< N_c: contacts without those of rattlers */
  double
      contacts_isostatic; /**< d (N' - 1) + 1, N' particles without rattlers: the fewest that carry a pressure without friction */
  double
      force_relative; /**< largest force that is not balanced / mean contact force, of the latest minimisation; -1 = unknown */
  int32_t minimise_reason; /**< DEM_MINIMISE_... of the latest minimisation */
  int32_t reserved_zero;   /**< 0 */
  double seconds;          /**< in the minimisations */
} dem_jam_report;

/** Writes zeros and the size, touching only `struct_size` bytes. Any thread.
 *  @param report the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_jam_report_init(dem_jam_report *report, uint32_t struct_size);

/** Progress: called after each minimisation of dem_system_jam. The system is at rest in that state and may be read, not changed. Nonzero
 *  stops with DEM_JAM_CANCELLED. */
typedef int32_t (*dem_jam_progress_fn)(void *user, const dem_jam_report *report);

/** Options of dem_system_jam; fill with dem_jam_options_init. */
typedef struct dem_jam_options {
  uint32_t struct_size;      /**< sizeof(dem_jam_options) */
  int32_t goal;              /**< DEM_JAM_PRESSURE (default) or DEM_JAM_POINT */
  double pressure;           /**< PRESSURE: p [force/length^(dimension-1)] > 0; required there */
  double pressure_tolerance; /**< PRESSURE: |p - pressure| <= this times pressure, 1e-12 to 0.5; default 1e-3 */
  double fraction_tolerance; /**< POINT: phi - phi_J <= this, 1e-12 to 0.1; default 1e-6 */
  double first_step; /**< change of phi of one compression while nothing carries a pressure, 1e-9 to 0.1; default 0.005 */
  double fall; /**< the pressure falls to this part of it in one decompression at most, 0.001 to 0.9; default 0.1. A larger
                                   part is slower and keeps closer to the network that there is */
  int32_t steps_most;             /**< most minimisations, 1 to 1000000; default 200 */
  int32_t reserved_zero;          /**< 0 */
  const dem_relax_options *relax; /**< of each minimisation; NULL (default) = defaults. `box_free` and `strain` must be 0 */
  dem_jam_progress_fn progress;   /**< NULL (default) = none */
  void *progress_user;            /**< first argument of `progress` */
} dem_jam_options;

/** Writes the defaults, touching only `struct_size` bytes. Any thread.
 *  @param options the struct  @param struct_size its size in the caller
 *  @return DEM_BAD_ARGUMENT when `options` is NULL, DEM_BAD_STRUCT when `struct_size` is none of this struct */
DEM_API dem_status dem_jam_options_init(dem_jam_options *options, uint32_t struct_size);

/** Compresses and decompresses a system, with a minimisation after each step, until it carries a given pressure or is at its jamming
 *  point. The system is minimised at its present phi first. Without pressure it is compressed by `first_step` until it carries one; from
 *  there the change of phi follows from the secant of the latest two states (p ~ phi - phi_J for harmonic contacts), and a
 *  decompression that loses the rigid network is taken back and halved. The method is that of O'Hern, Silbert, Liu & Nagel 2003,
 *  doi:10.1103/PhysRevE.68.011306, with the secant for their fixed steps. phi_J depends on the start and its phi: see doc/packing.md.
 *  Contact histories of a step that is taken back begin anew.
 *  @param system the system: as for dem_system_compress, without bonds
 *  @param options copied  @param minimise NULL = defaults with force_relative 1e-6 and gradient_relative 0. Where `value_least` is 0
 *  it is set, so that a state without pressure is recognised soon
 *  @param report in: struct_size; out; may be NULL
 *  @return DEM_OK also when the goal was not reached: read `reason`; DEM_BAD_ARGUMENT with item, value and limit; DEM_UNSUPPORTED: an
 *  axis is open, or there are bonds; DEM_INCOMPLETE: fewer than 2 particles, or forces that cannot be
 *  measured (dem/statics.h, Euler); DEM_NO_MEMORY; else as dem_system_compress */
DEM_API dem_status dem_system_jam(dem_system *system, const dem_jam_options *options, const dem_minimise_options *minimise,
                                  dem_jam_report *report);

/** Removes all rattlers (dem_system_rattlers): particles that touch too few others to be held, which carry no force at rest. Those that
 *  become rattlers by that are removed, too, until none is left.
 *  @param system the system, at rest
 *  @param least_contacts particles with fewer contacts are rattlers, 1 to 100; 0 = dimension + 1
 *  @param capacity room in `ids`  @param ids out: who was removed, in listing order; may be NULL with capacity 0, then none are given
 *  @param count out: how many were removed, or would be where `capacity` is too small; may be NULL
 *  @return DEM_BAD_ARGUMENT: `ids` is given and has too little room; else as dem_system_rattlers. Nothing has changed then */
DEM_API dem_status dem_system_remove_rattlers(dem_system *system, int32_t least_contacts, int64_t capacity, dem_id *ids,
                                              int64_t *count);

DEM_END_DECLS

#endif
