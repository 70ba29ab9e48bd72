/** @file dem/plugin/objective.h
 *  AUTHOR tier: minimise a function of your own, or precondition a minimisation in your own way. See doc/minimise.md.
 *
 *  An objective is a table of functions over a vector x of `unknowns` numbers: value, gradient, Hessian times vector. The minimiser
 *  (dem/minimise.h) knows nothing else of it; that of a system of particles is such a table, too.
 *
 *  Units: the minimiser compares numbers of x and of the gradient with each other (norms, the radius of trust, the longest step), so an
 *  objective gives all unknowns the same unit, for example a rotation times a radius.
 *
 *  Threads: the functions are called on the thread that drives the minimiser. */
#ifndef DEM_PLUGIN_OBJECTIVE_H
#define DEM_PLUGIN_OBJECTIVE_H

#include <dem/minimise.h>
#include <dem/plugin/trial.h>

DEM_BEGIN_DECLS

/** Contract number of dem_objective_table; bumped when its meaning changes. */
#define DEM_OBJECTIVE_CONTRACT 1u
/** Contract number of dem_preconditioner_table; bumped when its meaning changes. */
#define DEM_PRECONDITIONER_CONTRACT 1u

/** What `evaluate` computes, or-ed. The numbers are those of DEM_TRIAL_ENERGY, FORCE and TANGENT. */
enum {
  DEM_OBJECTIVE_VALUE = 1,    /**< the value */
  DEM_OBJECTIVE_GRADIENT = 2, /**< the gradient */
  DEM_OBJECTIVE_TANGENT = 4   /**< the Hessian, for `apply` and `blocks`; comes with GRADIENT */
};

/** What `measure` tells about a point. */
typedef struct dem_objective_measure {
  uint32_t struct_size;  /**< sizeof(dem_objective_measure) of the minimiser */
  int32_t reserved_zero; /**< 0 */
  int64_t network; /**< a number that stays the same as long as the Hessian has the same pattern and the same smooth branch: the
                              same contacts touch. 0 = unknown */
  double force_largest; /**< largest force that is not balanced, of one particle or other row [force] */
  double force_mean;    /**< force to compare it with: the mean of the contacts' [force]; 0 = none */
  double pressure;      /**< for reports [force/length^(d-1)]; 0 = unknown */
  double contacts;      /**< number of contacts, for reports */
} dem_objective_measure;

/** Objective table; fill with dem_objective_table_init. Copied at intake. Functions return DEM_OK, or a status > 0 that refuses the point
 *  (the minimiser then tries a shorter step), or one < 0, which ends the minimisation with this status. DEM_NO_MEMORY and DEM_BUSY refuse
 *  no point: the call on the minimiser ends with them and may be repeated. A value or gradient that is not finite refuses the point. */
typedef struct dem_objective_table {
  uint32_t struct_size; /**< required: sizeof(dem_objective_table) */
  uint32_t contract;    /**< required: DEM_OBJECTIVE_CONTRACT */
  const char *name;     /**< required: copied, at most 63 characters */
  int64_t unknowns;     /**< required: length of x, 1 to 2^40 */
  double
      longest_step; /**< largest change of any one number of x in one iteration, > 0; 0 = no limit. For particles a part of the
                             radius: farther away other contacts exist */
  /** required: value and gradient at x. `value` is NULL unless asked for; `gradient` (`unknowns` numbers) is NULL unless GRADIENT or
   *  TANGENT is asked for. */
  dem_status (*evaluate)(void *user, const double *x, int32_t ask, double *value, double *gradient);
  /** optional: product = Hessian at the latest evaluation with TANGENT, times p, also where others without TANGENT came after it (a
   *  dem_trial then has to be evaluated there again); without it only strategies that need gradients
   *  alone can be chosen. */
  dem_status (*apply)(void *user, const double *p, double *product);
  /** optional: visits the blocks whose sum is the Hessian of the latest evaluation with TANGENT (dem_trial_blocks); needed by
   *  preconditioners. */
  dem_status (*blocks)(void *user, dem_trial_block_fn visit, void *visitor);
  /** optional: tells about x, where the latest evaluation was, whose gradient is given. */
  dem_status (*measure)(void *user, const double *x, const double *gradient, dem_objective_measure *measure);
  /** optional: makes x the state of the object that stands behind the objective (dem_minimiser_accept). */
  dem_status (*accept)(void *user, const double *x);
  /** optional: called once, when the minimiser is destroyed. */
  void (*destroy)(void *user);
} dem_objective_table;

/** Writes zeros and the size, touching only `struct_size` bytes. `contract` stays 0: the author sets it.
 *  @param table the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_objective_table_init(dem_objective_table *table, uint32_t struct_size);

/** Creates a minimiser of an objective; nothing is evaluated yet.
 *  @param context owner of memory and messages
 *  @param table copied  @param user first argument of its functions
 *  @param start x to begin with, `unknowns` finite numbers, copied; NULL = zeros
 *  @param options copied; NULL = defaults
 *  @param minimiser out; NULL on failure, and `destroy` of the table has not been called then
 *  @return DEM_BAD_ARGUMENT with item, value and limit in dem_context_message; DEM_UNSUPPORTED: the strategy needs a function that the
 *  table lacks; DEM_NO_MEMORY */
DEM_API dem_status dem_minimiser_create(dem_context *context, const dem_objective_table *table, void *user, const double *start,
                                        const dem_minimise_options *options, dem_minimiser **minimiser);

/** The matrix that a preconditioner approximates: the Hessian H of an objective at its latest evaluation with TANGENT. */
typedef struct dem_matrix_source {
  uint32_t struct_size;  /**< sizeof(dem_matrix_source) of the minimiser */
  int32_t reserved_zero; /**< 0 */
  int64_t unknowns;      /**< rows of H */
  int64_t network;       /**< as in dem_objective_measure: while it stays the same, the pattern of H does */
  /** Visits the blocks of H; see dem_trial_blocks. */
  dem_status (*blocks)(void *blocks_user, dem_trial_block_fn visit, void *visitor);
  void *blocks_user; /**< first argument of `blocks` */
} dem_matrix_source;

/** Preconditioner table; fill with dem_preconditioner_table_init. Copied at intake. M, which stands for H, must be symmetric and
 *  positive definite even where H is not. */
typedef struct dem_preconditioner_table {
  uint32_t struct_size;  /**< required: sizeof(dem_preconditioner_table) */
  uint32_t contract;     /**< required: DEM_PRECONDITIONER_CONTRACT */
  const char *name;      /**< required: copied, at most 63 characters */
  uint32_t capabilities; /**< 0 */
  int32_t reserved_zero; /**< 0 */
  /** required: makes M from H. A status > 0 says that no M can be made here; the minimiser then goes on without. */
  dem_status (*update)(void *user, const dem_matrix_source *source);
  /** required: solution = M^-1 right, `unknowns` numbers each; they do not overlap. */
  dem_status (*apply)(void *user, const double *right, double *solution);
  /** optional: called once, when the preconditioner is released by all that use it. */
  void (*destroy)(void *user);
} dem_preconditioner_table;

/** Writes zeros and the size, touching only `struct_size` bytes. `contract` stays 0: the author sets it.
 *  @param table the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_preconditioner_table_init(dem_preconditioner_table *table, uint32_t struct_size);

/** Creates a preconditioner from a table.
 *  @param context owner of memory and messages  @param table copied  @param user first argument of the functions
 *  @param preconditioner out; NULL on failure; release when done */
DEM_API dem_status dem_preconditioner_create(dem_context *context, const dem_preconditioner_table *table, void *user,
                                             dem_preconditioner **preconditioner);

DEM_END_DECLS

#endif
