/** @file dem/statics.h
 *  Stress, fabric, coordination, rattlers, overlaps and the distribution of forces: of the whole system, of a region, or of each
 *  particle. Formulas with their sources: doc/statics.md.
 *
 *  Sign: stress and pressure are positive in compression.
 *  Tensors are 9 doubles, row by row: xx xy xz yx yy yz zx zy zz. In a stress the first index is that of the vector r = x_i - x_j
 *  from j to i, the second that of the force on i. Tensors are not made symmetric: the antisymmetric part shows moments that are
 *  not balanced.
 *  In 2 dimensions "volume" means area, pi R^2 for a particle, and the components with z are 0.
 *
 *  Forces are those of the latest evaluation, the vectors r are taken at the present positions (the same time, but for Euler, which
 *  drifts after it evaluates). Forces are out of date before the first step, after changes by the host, and after a call that has
 *  built a new neighbour list (dem_system_energy, dem_system_advise). The calls of this page then evaluate them first, as the next
 *  step would do. Where the integrator does not begin its step so (Euler), they refuse with DEM_INCOMPLETE: measure right after a
 *  step.
 *
 *  All sums run in the order of the rows: results have the same bits for every number of threads. */
#ifndef DEM_STATICS_H
#define DEM_STATICS_H

#include <dem/system.h>

DEM_BEGIN_DECLS

/** Which particles belong to the region. */
enum {
  DEM_REGION_ALL = 0,      /**< all particles */
  DEM_REGION_BOX = 1,      /**< centres in low <= x < high, along x, y, z (in 2 dimensions x, y) */
  DEM_REGION_SPHERE = 2,   /**< centres nearer than `radius` to `centre`, in 2 dimensions a disc */
  DEM_REGION_PARTICLES = 3 /**< those that the host lists, with weights */
};

/** Sections: kinds of forces, between particles and of particles with walls. */
enum {
  DEM_SECTION_PAIR = 0,     /**< touching particles, and necks */
  DEM_SECTION_WALL = 1,     /**< particles that touch a wall */
  DEM_SECTION_GAP = 2,      /**< particles that act on each other without touching (lubrication) */
  DEM_SECTION_WALL_GAP = 3, /**< the same of a particle and a wall */
  DEM_SECTION_BOND = 4,     /**< bonds */
  DEM_SECTIONS_ALL = 31     /**< the bits 1 << DEM_SECTION_... of all of them */
};

/** Kinetic part of the stress, 1/V sum w m c_a c_b, over particles that are not frozen. */
enum {
  DEM_KINETIC_NONE = 0,    /**< 0 */
  DEM_KINETIC_FULL = 1,    /**< c = v, the velocity itself */
  DEM_KINETIC_PECULIAR = 2 /**< c = v - U - G x: less the mean flow; `gradient` is G, U follows from sum w m c = 0 */
};

/** How a pair's contribution r (x) f is divided between its two particles. With a wall, the particle has all of it. */
enum {
  DEM_SPLIT_POINT = 0, /**< at the contact point: in the ratio of the arms (dem_system_options.arms) */
  DEM_SPLIT_HALF = 1   /**< half to each, as LAMMPS does in compute stress/atom */
};

/** Options; fill with dem_statics_options_init. */
typedef struct dem_statics_options {
  uint32_t struct_size; /**< sizeof(dem_statics_options) */
  int32_t region;       /**< DEM_REGION_...; default ALL */
  int32_t sections; /**< forces in `stress` and contacts in the other measures: bits 1 << DEM_SECTION_..., at least one; default
                             DEM_SECTIONS_ALL */
  int32_t kinetic;  /**< DEM_KINETIC_...; default NONE */
  int32_t split;    /**< DEM_SPLIT_...; default POINT */
  int32_t
      least_contacts; /**< a particle with fewer contacts than this is a rattler, 1 ... 100; 0 (default) = dimension + 1, the
                               least number of contacts without friction that hold a particle */
  double volume;      /**< V [length^dimension], above 0 to 1e60; 0 (default) = of the periodic box, or of the region's box or
                               sphere. Required where an axis is open and region is ALL, and where region is PARTICLES */
  double low[3];      /**< BOX: lower corner [length]; default 0 */
  double high[3];     /**< BOX: upper corner, above `low`; at most a length of the box above it on periodic axes, where the
                               region may reach across the boundary; default 0 */
  double centre[3];   /**< SPHERE: its centre [length]; default 0 */
  double
      radius; /**< SPHERE: its radius > 0, at most half the height of the box across each periodic axis [length]; default 0 */
  double gradient[9];    /**< KINETIC_PECULIAR: G_ab = du_a/dx_b of the mean flow, each within 1e60 [1/time]; default 0 */
  int64_t count;         /**< PARTICLES: rows of `ids`, >= 1; default 0 */
  const dem_id *ids;     /**< PARTICLES: the particles, none twice; default NULL */
  const double *weights; /**< PARTICLES: 1 per id, 0 to 1e60; NULL (default) = 1. Weights that fall off with the distance from a
                               point, with volume 1, give coarse-grained fields at that point */
} dem_statics_options;

/** Writes the defaults, touching only `struct_size` bytes.
 *  @param options the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_statics_options_init(dem_statics_options *options, uint32_t struct_size);

/** What dem_system_statics measures. w_i is the weight of particle i: 1 in the region, 0 outside, or the host's. V is the volume.
 *  Sums over contacts c are over those of the chosen sections PAIR, WALL and BOND, and w_c = (w_i + w_j)/2, or w_i at a wall. A bond
 *  counts as a contact where it replaces the contact of its pair or where the surfaces do not touch. Means of nothing are 0. */
typedef struct dem_statics {
  uint32_t struct_size; /**< sizeof(dem_statics) */
  int32_t dimension;    /**< 2 or 3 */
  int64_t particles;    /**< particles with w_i > 0 */
  double weight;        /**< sum w_i */
  double volume;        /**< V in use [length^dimension] */
  double stress[9]; /**< 1/V sum r_a f_b over the chosen sections [force/length^(dimension-1)]; r = x_i - x_j, f = force on i;
                                    the part of each particle (`split`) times w_i */
  double stress_of_section[5][9]; /**< the same of each DEM_SECTION_..., chosen or not */
  double stress_kinetic[9];       /**< 1/V sum w_i m_i c_a c_b of particles that move, as `kinetic` says; not in `stress` */
  double mean_velocity[3];        /**< sum w m v / sum w m of particles that move [length/time] */
  double pressure;                /**< trace of `stress` / dimension */
  double deviator;         /**< of the symmetric part of `stress`, as dem_principal.deviator [force/length^(dimension-1)] */
  double fabric[9];        /**< sum w_c n_a n_b / sum w_c; trace 1 */
  double fabric_volume[9]; /**< 1/V sum over particles w_i V_i sum over their contacts n_a n_b, V_i the particle's volume; its
                                    trace is about packing fraction times coordination */
  double contacts;         /**< sum w_c */
  double coordination;     /**< contacts per particle: sum w_i z_i / sum w_i, z_i contacts of i, with particles or walls */
  double rattlers;         /**< sum w_i of the rattlers (dem_system_rattlers) */
  double coordination_carrying; /**< the same without rattlers and their contacts */
  double packing_fraction;      /**< 1/V sum w_i V_i */
  double overlap_fraction;      /**< 1/V sum w_c times the volume that two spheres (discs) share, or that a plane at a wall's
                                    distance cuts off. packing_fraction - overlap_fraction is the part of V that is filled, as long
                                    as no three overlap at one place */
  double overlap_mean;          /**< sum w_c d_c / sum w_c over touching pairs and walls, d the overlap [length] */
  double overlap_max;           /**< the largest d_c with w_c > 0; 0 without contacts [length] */
  double force_mean;            /**< sum w_c f_c / sum w_c, f the normal force, > 0 pushes [force] */
  double force_max;             /**< the largest f_c with w_c > 0; 0 without contacts [force] */
  double participation;  /**< (sum w_c |f_c|)^2 / (sum w_c f_c^2 sum w_c): 1 = all forces equal, 1/N = one contact has all */
  double friction_known; /**< sum w_c of touching pairs and walls with friction mu > 0 that is limited by mu |f_n|: without
                              adhesion, a tangential part of the host's own or DEM_TANGENTIAL_MINDLIN_CONSERVING */
  double mobilisation;   /**< of those, mean of |f_t|/(mu |f_n|), 0 ... 1 */
  double sliding;        /**< of those, the fraction at the limit, 0 ... 1 */
} dem_statics;

/** Writes zeros and the size, touching only `struct_size` bytes.
 *  @param statics the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_statics_init(dem_statics *statics, uint32_t struct_size);

/** Measures stress, fabric, contacts and forces of a region.
 *  @param system the system; changed only where its forces are evaluated (top of this page)
 *  @param options NULL = defaults: the whole system  @param statics in: struct_size; out, unchanged when the call refuses
 *  @return DEM_BAD_ARGUMENT with the member, its value and the limit; DEM_NOT_FOUND: an unknown id, or no particle in the region;
 *  DEM_INCOMPLETE: no forces; DEM_BUSY: forces must be evaluated while a trial or a view is open; DEM_NO_MEMORY; what dem_system_step
 *  refuses */
DEM_API dem_status dem_system_statics(dem_system *system, const dem_statics_options *options, dem_statics *statics);

/** Stress of each particle: s_ab = 1/V_i sum over its contacts of its part of r_a f_b, plus m c_a c_b / V_i as `kinetic` says. The sum of
 *  V_i s over all particles is V times the stress of the system. The field DEM_STRESS is the same with the default options.
 *  @param system as dem_system_statics
 *  @param options NULL = defaults; `sections`, `kinetic`, `gradient` and `split` are read (DEM_KINETIC_PECULIAR takes the mean over all
 *  particles), the region is not  @param count rows; with ids = NULL must be the particle count
 *  @param ids which particles; NULL = all in listing order
 *  @param volumes V_i of each row [length^dimension], 1e-60 to 1e60; NULL = the particle's own, 4/3 pi R^3 or pi R^2
 *  @param values out: 9 doubles per row [force/length^(dimension-1)]  @param stride doubles from row to row; 0 = packed
 *  @return as dem_system_statics; nothing is written then */
DEM_API dem_status dem_system_particle_stress(dem_system *system, const dem_statics_options *options, int64_t count,
                                              const dem_id *ids, const double *volumes, double *values, int64_t stride);

/** Contacts of each particle, and which particles are rattlers: particles with fewer than `least_contacts` contacts are removed with
 *  their contacts, again and again until none is left to remove. Frozen particles are never rattlers. The fields DEM_COORDINATION and
 *  DEM_RATTLER are the same with the default options.
 *  @param system as dem_system_statics  @param options NULL = defaults; `sections` and `least_contacts` are read
 *  @param count rows; with ids = NULL must be the particle count  @param ids which particles; NULL = all in listing order
 *  @param contacts out: 1 per row, contacts with particles (rattlers too) and walls; may be NULL
 *  @param rattlers out: 1 per row, 1 = rattler, 0 = not; may be NULL
 *  @return as dem_system_statics; nothing is written then */
DEM_API dem_status dem_system_rattlers(dem_system *system, const dem_statics_options *options, int64_t count, const dem_id *ids,
                                       int32_t *contacts, int32_t *rattlers);

/** Distribution of the normal forces; fill with dem_force_histogram_init, then set bins and counts. */
typedef struct dem_force_histogram {
  uint32_t struct_size; /**< sizeof(dem_force_histogram) */
  int32_t bins;         /**< in: number of bins, 1 ... 1000000; default 0 */
  double top;           /**< in: upper end of the last bin, in means, 1e-60 to 1e60; default 10. Bin k holds the contacts with
                             k top/bins <= f/mean < (k + 1) top/bins */
  int64_t *counts;      /**< in: room for `bins` numbers; out: contacts in each bin; default NULL */
  double *density;  /**< in: room for `bins` numbers, may be NULL (default); out: P = counts/(contacts top/bins), so that the
                             integral of P over f/mean is the fraction of contacts in the bins */
  double mean;      /**< out: mean of f, the normal force (> 0 pushes) [force] */
  int64_t contacts; /**< out: contacts in all; each counts once, if the weight of one of its particles is above 0 */
  int64_t below;    /**< out: contacts with f/mean < 0: those that pull, where the mean pushes */
  int64_t above;    /**< out: contacts with f/mean >= top */
} dem_force_histogram;

/** Writes the defaults, touching only `struct_size` bytes.
 *  @param histogram the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_force_histogram_init(dem_force_histogram *histogram, uint32_t struct_size);

/** Counts the normal forces of the contacts of a region over their mean. Without contacts, or with mean 0, all is 0.
 *  @param system as dem_system_statics  @param options NULL = defaults  @param histogram in and out
 *  @return as dem_system_statics; nothing is written then */
DEM_API dem_status dem_system_force_histogram(dem_system *system, const dem_statics_options *options,
                                              dem_force_histogram *histogram);

/** Principal values and invariants of a tensor T, of its symmetric part S = (T + T^t)/2; fill with dem_principal_init. In 2 dimensions of
 *  the components xx, xy, yx, yy alone. Units are those of T. */
typedef struct dem_principal {
  uint32_t struct_size; /**< sizeof(dem_principal) */
  int32_t dimension;    /**< 2 or 3 */
  double value[3];      /**< principal values, largest first; in 2 dimensions two, then 0 */
  double direction
      [3][3];      /**< unit vectors of `value`, right-handed; the largest component of the first one is > 0. 3 dimensions: also
                               that of the second; 2 dimensions: the third is along z */
  double mean;     /**< trace S / dimension */
  double deviator; /**< 3 dimensions: q = sqrt(3/2 s:s), s = S - mean 1; 2 dimensions: half the difference of the two values */
  double shear;    /**< half the difference of the largest and the smallest value */
  double second;   /**< J_2 = s:s/2 */
  double third;    /**< J_3 = det s; in 2 dimensions 0 */
  double asymmetry; /**< sqrt(A:A), A = (T - T^t)/2 */
} dem_principal;

/** Writes zeros and the size, touching only `struct_size` bytes.
 *  @param principal the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_principal_init(dem_principal *principal, uint32_t struct_size);

/** Computes principal values, directions and invariants, by Jacobi's rotations with + - * / sqrt alone. Any thread.
 *  @param tensor 9 doubles, row by row, -1e60 to 1e60  @param dimension 2 or 3  @param principal in: struct_size; out
 *  @return DEM_BAD_ARGUMENT: NULL, the dimension, or a component that is not finite or beyond 1e60; DEM_BAD_STRUCT. Nothing is written
 *  then */
DEM_API dem_status dem_tensor_principal(const double *tensor, int32_t dimension, dem_principal *principal);

DEM_END_DECLS

#endif
