/** @file dem/minimise.h
 *  Energy minimisation: packings at rest and quasi-static deformation. Methods, with their sources and measured figures: doc/minimise.md.
 *
 *  The shortest way:
 *
 *      dem_minimise_report report = {sizeof report};
 *      dem_system_minimise(system, NULL, NULL, &report);
 *
 *  moves the particles of a system to a minimum of its energy (contacts, bonds, gravity, walls, forces of the host), and leaves them
 *  there at rest. A minimiser object does the same a few iterations at a time.
 *
 *  Threads: as for a system; a minimiser of a system uses the threads of the system. Results have the same bits for any number. */
#ifndef DEM_MINIMISE_H
#define DEM_MINIMISE_H

#include <dem/system.h>

DEM_BEGIN_DECLS

/** A minimisation under way. Opaque. */
typedef struct dem_minimiser dem_minimiser;
/** A preconditioner: immutable to the host, counted by reference. Opaque. */
typedef struct dem_preconditioner dem_preconditioner;

/** Why a minimisation ended; > 0: at a minimum, < 0: not. */
enum {
  DEM_MINIMISE_RUNNING = 0,             /**< it has not ended */
  DEM_MINIMISE_GRADIENT = 1,            /**< gradient_relative or gradient_absolute is met */
  DEM_MINIMISE_FORCE = 2,               /**< force_relative is met */
  DEM_MINIMISE_VALUE = 3,               /**< the value is at most value_least: nothing touches any more, or hardly */
  DEM_MINIMISE_STOPPED_ITERATIONS = -1, /**< iterations_most were made */
  DEM_MINIMISE_STOPPED_GRADIENTS = -2,  /**< gradients_most were evaluated */
  DEM_MINIMISE_STOPPED_SECONDS = -3,    /**< seconds_most have passed */
  DEM_MINIMISE_CANCELLED = -4,          /**< `progress` said so */
  DEM_MINIMISE_STALLED = -5,    /**< no step lessens value or gradient any more: rounding, or derivatives that do not belong to
                                             the value */
  DEM_MINIMISE_NOT_FINITE = -6, /**< value or gradient at the start is not finite, or the objective refuses the start */
  DEM_MINIMISE_UNBOUNDED = -7   /**< the value falls without limit, below -1e60 or along steps of any length */
};

/** How far a minimisation has come. */
typedef struct dem_minimise_report {
  uint32_t struct_size;    /**< sizeof(dem_minimise_report) */
  int32_t reason;          /**< DEM_MINIMISE_... */
  const char *strategy;    /**< name of the strategy in use now; valid for ever. Of `automatic`: the one that works */
  int64_t iterations;      /**< steps tried, of any strategy */
  int64_t rejected;        /**< of those, steps that were taken back */
  int64_t gradients;       /**< evaluations with a gradient */
  int64_t values;          /**< evaluations of the value alone */
  int64_t products;        /**< products of the Hessian with a vector */
  int64_t factorisations;  /**< preconditioners made */
  int64_t network_changes; /**< times that the network was found changed, where the objective can tell */
  double value_first;      /**< value at the start */
  double value;            /**< value at x */
  double gradient_first;   /**< |gradient| at the start (2-norm) */
  double gradient;         /**< |gradient| at x */
  double gradient_largest; /**< largest number of the gradient at x */
  double force_relative;   /**< largest force that is not balanced / mean contact force, when last measured; -1 = never */
  double step;             /**< length of the latest step (2-norm) */
  double radius;           /**< trust region: its radius; else 0 */
  double quality;          /**< trust region: change of the value / change of the model, of the latest step; else 0 */
  double seconds;          /**< spent in the minimiser */
  int64_t outer; /**< dem_system_minimise (dem/relax.h): times that loads which depend on the state were computed anew and the
                                minimisation went on; 0 of a single minimiser */
} dem_minimise_report;

/** Writes zeros and the size, touching only `struct_size` bytes. Any thread.
 *  @param report the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_minimise_report_init(dem_minimise_report *report, uint32_t struct_size);

/** Progress: called between iterations. Nonzero stops with DEM_MINIMISE_CANCELLED; x is then the latest point. */
typedef int32_t (*dem_minimise_progress_fn)(void *user, const dem_minimise_report *report);

/** Options of a minimisation; fill with dem_minimise_options_init. Of the tolerances any one that is met ends it; 0 turns one off. */
typedef struct dem_minimise_options {
  uint32_t struct_size; /**< sizeof(dem_minimise_options) */
  int32_t threads;      /**< for the vectors of an objective of one's own, 1 to 256; default 1. A system uses its own number */
  const char *strategy; /**< NULL (default) = "automatic"; "trust-region-steihaug", "quasi-newton", "fire" */
  double gradient_relative; /**< |gradient| <= this times |gradient at the start|; 0 to 1; default 1e-10 */
  double gradient_absolute; /**< |gradient| <= this [force]; >= 0; default 0 */
  double
      force_relative; /**< largest force that is not balanced <= this times the mean contact force; 0 to 1; default 0. Only of
                                 objectives that can tell */
  double value_least; /**< value <= this [energy]; > 0; default 0, which is off. Where the minimum is no contact at all */
  int64_t iterations_most; /**< >= 0; 0 (default) = no limit */
  int64_t gradients_most;  /**< >= 0; 0 (default) = no limit */
  double seconds_most;     /**< >= 0 [s]; 0 (default) = no limit. How far one gets in a time is not reproducible */
  double longest_step;     /**< largest change of any one unknown in one iteration, > 0; 0 (default) = that of the objective */
  double
      radius_first; /**< trust region: radius at the start > 0; 0 (default) = |gradient|^3/(gradient . H gradient), the length
                                 of the first step of steepest descent */
  int32_t memory;   /**< quasi-newton: pairs of steps and gradients that are kept, 1 to 32; default 5 */
  int32_t reserved_zero;                    /**< 0 */
  const dem_preconditioner *preconditioner; /**< of the trust region, used while the network holds; NULL (default) = none in
                                                 trust-region-steihaug, as published; automatic then chooses for itself. The
                                                 minimiser keeps a reference; one preconditioner serves one minimiser at a time */
  dem_minimise_progress_fn progress;        /**< NULL (default) = none */
  void *progress_user;                      /**< first argument of `progress` */
  int64_t progress_interval;                /**< iterations between two calls, >= 1; default 100 */
} dem_minimise_options;

/** Writes the defaults, touching only `struct_size` bytes. Any thread.
 *  @param options the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_minimise_options_init(dem_minimise_options *options, uint32_t struct_size);

/** Makes up to `count` iterations, fewer when the minimisation ends.
 *  @param minimiser the minimiser  @param count >= 0; after the first call with 0 the start has been evaluated
 *  @return DEM_OK also when it has ended, see dem_minimiser_get_report; DEM_BUSY from inside its own functions; a status of the
 *  objective below 0, which poisons the minimiser; DEM_NO_MEMORY, and DEM_BUSY of the objective: the call may be repeated */
DEM_API dem_status dem_minimiser_iterate(dem_minimiser *minimiser, int64_t count);

/** Iterates until it ends. @param minimiser the minimiser  @return as dem_minimiser_iterate */
DEM_API dem_status dem_minimiser_run(dem_minimiser *minimiser);

/** How far it has come. @param minimiser the minimiser  @param report in: struct_size; out */
DEM_API dem_status dem_minimiser_get_report(const dem_minimiser *minimiser, dem_minimise_report *report);

/** The latest point. @param minimiser the minimiser  @param count length of `x`: the objective's unknowns  @param x out */
DEM_API dem_status dem_minimiser_get_point(const dem_minimiser *minimiser, int64_t count, double *x);

/** Makes the latest point the state of what is minimised: a system moves there, comes to rest, and its contact histories, bonds, walls and
 *  box follow.
 *  @return DEM_UNSUPPORTED: the objective has no such function; otherwise its status */
DEM_API dem_status dem_minimiser_accept(dem_minimiser *minimiser);

/** Text of the latest refusal; never NULL, valid until the next call with this minimiser. @param minimiser may be NULL */
DEM_API const char *dem_minimiser_message(const dem_minimiser *minimiser);

/** Destroys a minimiser; a system that was not accepted is as it was before. @param minimiser NULL is allowed
 *  @return DEM_BUSY from inside its own functions */
DEM_API dem_status dem_minimiser_destroy(dem_minimiser *minimiser);

/** A new preconditioner by name: "block-jacobi" (the diagonal blocks) or "incomplete-cholesky" (no fill, shifted until it exists). Others
 *  come from libdem-linalg or from a table (dem/plugin/objective.h). It serves one minimiser at a time.
 *  @param context owner  @param name its name  @param preconditioner out; release when done
 *  @return DEM_NOT_FOUND with the names in dem_context_message */
DEM_API dem_status dem_preconditioner_find(dem_context *context, const char *name, dem_preconditioner **preconditioner);

/** Gives a reference back. @param preconditioner NULL is allowed */
DEM_API dem_status dem_preconditioner_release(const dem_preconditioner *preconditioner);

DEM_END_DECLS

#endif
