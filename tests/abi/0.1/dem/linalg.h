/** @file dem/linalg.h
 *  libdem-linalg, a second library beside libdem: sparse Cholesky preconditioner, vibrational modes, elastic moduli. Formulas, sources
 *  and measured figures: doc/linalg.md. Link it with `pkg-config --libs dem-linalg`; libdem itself never needs it.
 *
 *  It uses LAPACKE and BLAS (with Debian: OpenBLAS) and CHOLMOD. These take their memory from the C library, not from the allocator of
 *  the host. OpenBLAS starts threads when it is loaded; doc/linalg.md says how a host controls them.
 *
 *  Threads: one dem_linalg, one thread at a time; different ones are independent. */
#ifndef DEM_LINALG_H
#define DEM_LINALG_H

#include <dem/minimise.h>
#include <dem/plugin/trial.h>

DEM_BEGIN_DECLS

/** Owner of memory and messages of the calls below. Opaque. */
typedef struct dem_linalg dem_linalg;

/** Options of a dem_linalg; fill with dem_linalg_options_init. */
typedef struct dem_linalg_options {
  uint32_t struct_size;     /**< sizeof(dem_linalg_options) */
  int32_t reserved_zero;    /**< 0 */
  dem_allocate_fn allocate; /**< allocator (dem/context.h); NULL (default) = the C library's */
  void *allocate_user;      /**< first argument of `allocate` */
} dem_linalg_options;

/** Writes the defaults, touching only `struct_size` bytes. Any thread.
 *  @param options the struct  @param struct_size its size in the caller
 *  @return DEM_BAD_ARGUMENT when `options` is NULL, DEM_BAD_STRUCT when `struct_size` is none of this struct */
DEM_API dem_status dem_linalg_options_init(dem_linalg_options *options, uint32_t struct_size);

/** Creates a dem_linalg. @param options copied; NULL = defaults  @param linalg out; NULL on failure; destroy it when done
 *  @return DEM_BAD_ARGUMENT, DEM_BAD_STRUCT, DEM_UNSUPPORTED, DEM_NO_MEMORY */
DEM_API dem_status dem_linalg_create(const dem_linalg_options *options, dem_linalg **linalg);

/** Text of the latest refusal; never NULL, valid until the next call with this dem_linalg. @param linalg may be NULL */
DEM_API const char *dem_linalg_message(const dem_linalg *linalg);

/** Destroys a dem_linalg. @param linalg NULL is allowed
 *  @return DEM_BUSY: one of its preconditioners is still in use */
DEM_API dem_status dem_linalg_destroy(dem_linalg *linalg);

/* ---- preconditioner ---- */

/** Options of a Cholesky preconditioner; fill with dem_linalg_cholesky_options_init. */
typedef struct dem_linalg_cholesky_options {
  uint32_t struct_size;  /**< sizeof(dem_linalg_cholesky_options) */
  int32_t reserved_zero; /**< 0 */
  double shift_least;    /**< smallest shift s; 1e-14 to 1; default 1e-8. M = K + s D, with D the diagonal of K */
  double shift_most;     /**< largest shift that is tried; shift_least to 1e6; default 1e3 */
} dem_linalg_cholesky_options;

/** Writes the defaults, touching only `struct_size` bytes. Any thread.
 *  @param options the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_linalg_cholesky_options_init(dem_linalg_cholesky_options *options, uint32_t struct_size);

/** A preconditioner M = L L^T of the Hessian K of an objective (dem_minimise_options.preconditioner), by a sparse Cholesky factor. The
 *  fill-reducing ordering and the pattern of L are kept while the pattern of K stays the same; the numbers are renewed at each update.
 *  Where K + s D is not positive definite, s grows by factors of 10 until it is. An unknown that nothing acts on (a particle without
 *  contacts) has the mean diagonal in place of its own, so its part of a step stays finite.
 *  @param linalg owner of the memory; it must live until all users have released the preconditioner
 *  @param context of the minimiser  @param options copied; NULL = defaults
 *  @param preconditioner out; NULL on failure; give it back with dem_preconditioner_release. It serves one minimiser at a time
 *  @return DEM_BAD_ARGUMENT with item, value and limit in dem_linalg_message; DEM_NO_MEMORY */
DEM_API dem_status dem_linalg_cholesky(dem_linalg *linalg, dem_context *context, const dem_linalg_cholesky_options *options,
                                       dem_preconditioner **preconditioner);

/** About a Cholesky preconditioner, at its latest update. */
typedef struct dem_linalg_cholesky_report {
  uint32_t struct_size;   /**< sizeof(dem_linalg_cholesky_report) */
  int32_t reserved_zero;  /**< 0 */
  int64_t unknowns;       /**< rows of K; 0 before the first update */
  int64_t entries;        /**< entries of the lower triangle of K, its diagonal included */
  int64_t fill;           /**< entries of L */
  int64_t analyses;       /**< orderings made since the preconditioner was created: one for each new pattern */
  int64_t factorisations; /**< factors made or tried since then */
  int64_t loose;          /**< unknowns that nothing acts on */
  double shift;           /**< s of the latest factor */
} dem_linalg_cholesky_report;

/** Writes zeros and the size, touching only `struct_size` bytes. Any thread.
 *  @param report the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_linalg_cholesky_report_init(dem_linalg_cholesky_report *report, uint32_t struct_size);

/** Reads about a Cholesky preconditioner. @param linalg that made it  @param preconditioner of dem_linalg_cholesky
 *  @param report in: struct_size; out  @return DEM_NOT_FOUND: not one of this dem_linalg */
DEM_API dem_status dem_linalg_get_cholesky_report(const dem_linalg *linalg, const dem_preconditioner *preconditioner,
                                                  dem_linalg_cholesky_report *report);

/* ---- modes ---- */

/** Methods of dem_linalg_find_modes. */
enum {
  DEM_LINALG_AUTOMATIC = 0, /**< DENSE up to `dense_most` unknowns, and where all modes are wanted */
  DEM_LINALG_DENSE = 1,     /**< all modes by LAPACK (dsyevd); memory 24 n^2 bytes for n unknowns */
  DEM_LINALG_LANCZOS =
      2 /**< the lowest modes by a block Lanczos method with (K + s M)^-1; memory 16 n (count + 10) bytes and the
                                 factor */
};

/** Options of the modes; fill with dem_linalg_modes_options_init. */
typedef struct dem_linalg_modes_options {
  uint32_t struct_size; /**< sizeof(dem_linalg_modes_options) */
  int32_t method;       /**< DEM_LINALG_...; default AUTOMATIC */
  int64_t count;        /**< how many of the lowest modes, >= 0; 0 (default) = all */
  int64_t dense_most;   /**< AUTOMATIC: DENSE up to this number of unknowns, 0 to 32766; default 2000 */
  int32_t masses; /**< 1 (default): K x = w^2 M x, with M the masses and moments of inertia; 0: K x = w^2 x, so that w^2 is a
                              stiffness [force/length] */
  int32_t restarts_most; /**< LANCZOS: it ends after so many restarts, 1 to 10^6; default 300 */
  double tolerance;      /**< LANCZOS: residual of (K + s M)^-1 over its eigenvalue, 1e-14 to 1e-2; default 1e-11 */
  double zero; /**< modes with |w^2| <= zero times the mean diagonal of K (of M^-1 K) count as zero; 0 to 1; default 1e-10 */
} dem_linalg_modes_options;

/** Writes the defaults, touching only `struct_size` bytes. Any thread.
 *  @param options the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_linalg_modes_options_init(dem_linalg_modes_options *options, uint32_t struct_size);

/** About modes. */
typedef struct dem_linalg_modes_report {
  uint32_t struct_size; /**< sizeof(dem_linalg_modes_report) */
  int32_t method;       /**< that was used: DEM_LINALG_DENSE or LANCZOS */
  int64_t count;     /**< modes that were written. Fewer than asked for where there are no more, or where LANCZOS ended early */
  int64_t unknowns;  /**< that take part: without frozen particles, walls, strain, and loose unknowns */
  int64_t particles; /**< that take part */
  int64_t rattlers;  /**< particles that are not frozen and on which nothing acts: in no mode */
  int64_t loose;     /**< unknowns on which nothing acts, those of the rattlers among them: in no mode */
  int64_t rigid;     /**< translations of all particles that cost no force, 0 to 3: in no mode */
  int64_t zero;      /**< of the modes written, those with |w^2| below `zero`: floppy modes, rotations of a free cluster */
  int64_t unstable;  /**< of the modes written, those with w^2 < 0 that are not zero */
  int64_t restarts;  /**< of LANCZOS */
  int64_t fill;      /**< LANCZOS: entries of the sparse factor */
  int32_t complete;  /**< 1: as many as wanted; 0: LANCZOS ended early, by restarts_most */
  int32_t reserved_zero; /**< 0 */
  double shift;          /**< LANCZOS: s [1/time^2; without masses force/length] */
  double residual;       /**< largest |K x - w^2 M x| over the mean diagonal, of M^-1/2 K M^-1/2 and the modes written */
  double asymmetry;      /**< largest |K_ab - K_ba| over the mean diagonal of K; the modes are those of (K + K^T)/2 */
  double unrest;         /**< largest |gradient| of an unknown that takes part [force]: 0 at rest */
} dem_linalg_modes_report;

/** Writes zeros and the size, touching only `struct_size` bytes. Any thread.
 *  @param report the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_linalg_modes_report_init(dem_linalg_modes_report *report, uint32_t struct_size);

/** Vibrational modes of a system: K x = w^2 M x, with K the tangent of a trial at u = 0 in statics (dt = 0). Walls, frozen particles and
 *  the box stand still. Translations that cost no force, and unknowns on which nothing acts, are counted in the report and are in no mode.
 *  @param linalg the owner of memory and messages
 *  @param trial open; it is evaluated at u = 0 by this call, with DEM_TRIAL_TANGENT  @param options NULL = defaults
 *  @param capacity room in the arrays, in modes; at least the number asked for. There are at most `unknowns` of dem_trial_rows
 *  @param frequency out, 1 per mode, ascending: w [1/time]; of an unstable mode -sqrt(-w^2). Without masses: the same of w^2 of
 *  [force/length]
 *  @param participation out, 1 per mode, or NULL: (sum |e_i|^2)^2 / (N sum |e_i|^4) with e = M^1/2 x of particle i, N = `particles` of the
 *  report; between 1/N (one particle moves) and 1
 *  @param modes out, `unknowns` of dem_trial_rows per mode, or NULL: x, with x M x = 1 (without masses x x = 1), in the order of u
 *  @param report in: struct_size; out; or NULL
 *  @return DEM_BAD_ARGUMENT with item, value and limit in dem_linalg_message; DEM_INCOMPLETE: nothing takes part; DEM_UNSUPPORTED: LAPACK
 *  or CHOLMOD gave up, or too many unknowns for DENSE; DEM_NO_MEMORY; a status of dem_trial_evaluate. The arrays then hold nothing */
DEM_API dem_status dem_linalg_find_modes(dem_linalg *linalg, dem_trial *trial, const dem_linalg_modes_options *options,
                                         int64_t capacity, double *frequency, double *participation, double *modes,
                                         dem_linalg_modes_report *report);

/** Options of a density of states; fill with dem_linalg_density_options_init. */
typedef struct dem_linalg_density_options {
  uint32_t struct_size; /**< sizeof(dem_linalg_density_options) */
  int32_t logarithmic;  /**< 1: bins of equal ratio, which needs low > 0; 0 (default): of equal width */
  int64_t bins;         /**< number of bins, 1 to 10^6; default 50 */
  double low;           /**< lower end of the first bin [1/time]; default 0 */
  double high;          /**< upper end of the last bin [1/time], > low; 0 (default) = a little above the largest frequency */
  double total; /**< number of modes that the integral 1 stands for, >= 0; 0 (default) = count. Where only the lowest modes are
                             known: the number of all of them */
} dem_linalg_density_options;

/** Writes the defaults, touching only `struct_size` bytes. Any thread.
 *  @param options the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_linalg_density_options_init(dem_linalg_density_options *options, uint32_t struct_size);

/** Density of states D(w) = (modes in the bin) / (total * width of the bin); a frequency at a common edge counts in the upper bin.
 *  @param linalg for messages  @param count number of frequencies, >= 0  @param frequency as of dem_linalg_find_modes, any order
 *  @param options NULL = defaults
 *  @param edges out, bins + 1 numbers, or NULL: edges of the bins [1/time]  @param density out, `bins` numbers: D [time]
 *  @return DEM_BAD_ARGUMENT with item, value and limit */
DEM_API dem_status dem_linalg_density(dem_linalg *linalg, int64_t count, const double *frequency,
                                      const dem_linalg_density_options *options, double *edges, double *density);

/* ---- moduli ---- */

/** Elastic moduli. Components are in the order of the strain of dem/plugin/trial.h: xx yy zz xy xz yz, in a plane xx yy xy; matrices have
 *  6 numbers a row (in a plane 3), and the numbers after dimension (dimension + 1)/2 squared are 0. Moduli and stress: [force/length^2],
 *  in a plane [force/length]. */
typedef struct dem_linalg_moduli {
  uint32_t struct_size; /**< sizeof(dem_linalg_moduli) */
  int32_t dimension;    /**< 2 or 3 */
  int32_t
      stable; /**< 1: the particles are at a minimum; 0: K has a direction of negative curvature, and what needs the response
                              of the particles is NaN */
  int32_t components; /**< 3 or 6 */
  int64_t rattlers;   /**< as in dem_linalg_modes_report */
  int64_t rigid;      /**< as in dem_linalg_modes_report */
  int64_t products;   /**< products of K with a vector, of all right sides together */
  int64_t fill;       /**< entries of the sparse factor */
  double
      affine[36]; /**< second derivatives of the energy by the strain E, over the volume, where particles follow the strain: the
                              Born part, prestress included */
  double stiffness[36]; /**< the same where the particles find their places: affine - K_eu K_uu^-1 K_ue / V */
  double green[36]; /**< elastic constants: second derivatives by Green's strain (E + E^T + E^T E)/2 over the volume, stiffness
                              without prestress: green_(ki)(lj) = stiffness_(ki)(lj) + d_kl stress_ij */
  double stress[6]; /**< stress > 0 in compression */
  double pressure;  /**< mean of its diagonal */
  double bulk;      /**< -V dp/dV = (sum over a, b of stiffness_(aa)(bb) + d (d - 1) p)/d^2 */
  double shear;     /**< slope of the shear stress in simple shear, mean over directions: mean of green_(nm)(nm), less p */
  double bulk_affine;  /**< the same with `affine` */
  double shear_affine; /**< the same with `affine` */
  double residual;     /**< largest |K_uu x - K_ue| over |K_ue|, of all right sides */
  double shift;        /**< of the factor, relative to the diagonal: 1e-9 where `stable` */
  double asymmetry;    /**< as in dem_linalg_modes_report */
  double unrest;       /**< as in dem_linalg_modes_report */
} dem_linalg_moduli;

/** Writes zeros and the size, touching only `struct_size` bytes. Any thread.
 *  @param moduli the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_linalg_moduli_init(dem_linalg_moduli *moduli, uint32_t struct_size);

/** Elastic moduli of a system at u = 0 of a trial whose option `box` is 1. Particles should be at rest (`unrest`).
 *  @param linalg the owner of memory and messages  @param trial open, with `box` = 1 and dt = 0; evaluated at u = 0 by this call
 *  @param moduli in: struct_size; out
 *  @return DEM_BAD_ARGUMENT with the item: the trial has no strain; DEM_UNSUPPORTED: CHOLMOD gave up; DEM_NO_MEMORY; a status of
 *  dem_trial_evaluate */
DEM_API dem_status dem_linalg_find_moduli(dem_linalg *linalg, dem_trial *trial, dem_linalg_moduli *moduli);

DEM_END_DECLS

#endif
