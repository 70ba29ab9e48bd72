/** @file dem/plugin/law.h
 *  AUTHOR tier: write your own part of a contact law. See examples/own_law.
 *
 *  A part is a table of functions over a batch of contacts held as lanes (structure of arrays). The engine owns frames,
 *  history, scatter and energy books; a part only maps overlap, velocity and history to force. Parts run in order normal,
 *  tangential, rolling, twisting; a part sees what those before it returned. Kernels may be called from several threads at
 *  once with different batches; they must be pure functions of the batch and `parameters`.
 *
 *  Sign rules: particles i and j, n from j to i, overlap > 0 in contact, v = v_i - v_j, so v_n > 0
 *  means separating; the forces act on i. When i and j change places, n, v_n n, v_t and forces turn sign; v_r, w_n, f_r and
 *  M_t do not, n and w_i - w_j both turning. */
#ifndef DEM_PLUGIN_LAW_H
#define DEM_PLUGIN_LAW_H

#include <dem/law.h>

DEM_BEGIN_DECLS

/** Contract number of dem_law_part; bumped when its meaning changes. */
#define DEM_LAW_PART_CONTRACT 1u

/** Largest number of lanes in a batch. Arrays have this many elements, are aligned to 64 bytes, and lanes from `count` up
 *  to the next multiple of 8 hold harmless numbers, so loops may run over them. A newer library may have larger batches: loops end
 *  at batch->count or that multiple of 8, never at this constant, and no array of a part is dimensioned with it. */
#define DEM_BATCH_CAPACITY 64

/** Largest number of history doubles one law (all its parts together) may declare in this version; a newer one may allow more. A
 *  part uses its own history doubles alone and never needs this constant. */
#define DEM_HISTORY_CAPACITY 12

/** Lanes of a batch: one entry per contact; [3] are x, y, z. All contacts of a batch belong to one pair of materials. */
typedef struct dem_batch {
  uint32_t struct_size;           /**< size the engine knows */
  int32_t count;                  /**< contacts, 1 ... DEM_BATCH_CAPACITY */
  double dt;                      /**< length of the step [time]; 0 in an evaluation that only primes. Histories advance by
                                           history_time */
  const double *overlap;          /**< d > 0 [length]; where the normal part has a `range`: d > -range(R*) */
  const double *effective_radius; /**< R* [length]; a plane counts as infinite radius */
  const double *effective_mass;   /**< m* [mass]; walls and frozen particles count as infinite mass */
  const double *normal_velocity;  /**< v.n [length/time] */
  const double *normal[3];        /**< unit normal from j to i */
  const double *tangential_velocity[3]; /**< v_t at the contact point, rotation included [length/time] */
  const double *const *history_in;      /**< history_in[k][lane], k < the part's own history count; zero for a new contact */
  double *const *history_out;           /**< to be filled for every k; committed by the engine or thrown away */
  double *normal_elastic;               /**< normal parts write: conservative part of f_n [force], > 0 repulsive */
  double *normal_damping;               /**< normal parts write: the rest of f_n [force] */
  double *tangential_elastic[3];        /**< tangential parts write: spring part of f_t [force] on i */
  double *tangential_damping[3];        /**< tangential parts write: dashpot part of f_t [force]; zero-filled by the engine */
  double *slip[3];              /**< NULL unless asked: displacement given up to sliding in this dt [length]; sliding makes the
                                      heat -f_t.slip >= 0, and may be weighed so that this is exact; zero-filled */
  double *hysteresis;           /**< NULL unless asked, together with slip: energy that the part itself took away (> 0) or made
                                      (< 0) in this dt: what its stored energy lost beyond work, slip and dashpot, such as by a
                                      stiffness that changes under a stored force [energy]; zero-filled for each part. NULL for normal and
                                   gap parts */
  double *tangential_normal;    /**< tangential parts that are COUPLED write: force along n that belongs to their stored energy,
                                      > 0 repulsive [force]; zero-filled */
  double *normal_energy;        /**< NULL unless asked: stored energy of the normal part [energy] */
  double *tangential_energy;    /**< NULL unless asked: stored energy of the tangential part [energy] */
  double *normal_stiffness;     /**< NULL unless asked: d f_n / d overlap, with f_n = normal_elastic + normal_damping +
                                    tangential_normal: the normal part writes the derivative of its two forces, a COUPLED
                                    tangential part adds that of tangential_normal. Rolling and twisting parts see the
                                    derivative of the normal part alone. Where the normal part offers none, parts after it
                                    read NaN (dem_law_probe) or 0 */
  double *normal_viscosity;     /**< NULL unless asked: -d f_n / d v_n, of the same f_n, written and added to in the same way */
  double *tangential_isotropic; /**< NULL unless asked: a in -d f_t / d v_t = a (1 - nn) + b ss, s = f_t/|f_t|, v_t driving
                                    spring (u = u_in + v_t history_time) and dashpot */
  double *tangential_along;     /**< NULL unless asked: b, see tangential_isotropic */
  double *tangential_overlap[3];         /**< NULL unless asked: d f_t / d overlap at fixed velocity */
  double *tangential_normal_velocity[3]; /**< NULL unless asked: d f_t / d v_n */
  double *adhesion;             /**< normal parts that are ADHESIVE write: the attraction (>= 0) within f_n that does not count
                                   against friction [force]; 0 for all others. It enters friction_force */
  double *contact_radius;       /**< NULL without CONTACT_RADIUS: the normal part writes the radius of the contact area, which
                                   otherwise is sqrt(R* d) for Hertz [length] */
  double *contact_radius_slope; /**< NULL unless asked, together with the derivatives: d contact_radius / d overlap */
  double *adhesion_slope;       /**< NULL unless asked, together with the derivatives: d adhesion / d overlap; zero-filled */
  const double
      *rolling_velocity[3];      /**< v_r = -R* n x (w_i - w_j) [length/time]; NULL where the law has neither a rolling nor a
                                          twisting part, as twisting_rate and inverse_inertia */
  const double *twisting_rate;   /**< w_n = (w_i - w_j).n [1/time] */
  const double *inverse_inertia; /**< 1/I_i + 1/I_j [1/(mass*length^2)], walls and frozen particles counting as infinite */
  double *rolling_elastic[3];    /**< rolling parts write: spring part of f_r [force]. f_r makes the moment R* n x f_r on i and
                                      the opposite on j, and takes the power -f_r.v_r; zero-filled, as all below */
  double *rolling_damping[3];    /**< rolling parts write: the rest of f_r [force] */
  double *rolling_slip[3];       /**< NULL unless asked: as `slip`, of v_r */
  double *rolling_energy;        /**< NULL unless asked: stored energy of the rolling part [energy] */
  double *twisting_elastic;      /**< twisting parts write: spring part of M_t; the moment on i is M_t n [force*length] */
  double *twisting_damping;      /**< twisting parts write: the rest of M_t */
  double *twisting_slip;         /**< NULL unless asked: angle given up to slip in this dt */
  double *twisting_energy;       /**< NULL unless asked: stored energy of the twisting part [energy] */
  double *rolling_isotropic;     /**< NULL unless asked: of f_r by v_r, as tangential_isotropic */
  double *rolling_along;         /**< NULL unless asked: of f_r by v_r, as tangential_along */
  double *rolling_overlap[3];    /**< NULL unless asked: d f_r / d overlap */
  double *rolling_normal_velocity[3]; /**< NULL unless asked: d f_r / d v_n */
  double *
      twisting_viscosity; /**< NULL unless asked: -d M_t / d w_n, w_n driving spring (angle_in + w_n history_time) and dashpot */
  double *twisting_overlap;         /**< NULL unless asked: d M_t / d overlap */
  double *twisting_normal_velocity; /**< NULL unless asked: d M_t / d v_n */
  const double *history_time; /**< time by which the history of each contact advances: dt, or less where the contact is new, as
                                   old as it is (DEM_ONSET_TOUCH) [time] */
  double *friction_force;     /**< normal force F >= 0 that limits friction [force]: tangential parts cap at mu F, rolling and
                                   twisting parts in the same way. The engine fills it after the normal part and before each
                                   other part with |normal_elastic + normal_damping + adhesion|, or, with friction_lagged, with the
                                   value of an earlier iterate. A tangential part that limits friction by another force writes
                                   it here, and its derivatives into the two lanes below, unless friction_lagged is set */
  double *friction_overlap;   /**< NULL unless asked, together with the derivatives: d friction_force / d overlap, 0 where
                                   friction_lagged is set */
  double *friction_normal_velocity; /**< NULL unless asked, together with the derivatives: d friction_force / d v_n, 0 where
                                         friction_lagged is set */
  double
      *normal_tangential_velocity[3]; /**< tangential parts that are COUPLED write, NULL unless asked: d f_n / d v_t, a vector
                                              across n, v_t driving spring (u = u_in + v_t history_time) and dashpot;
                                              zero-filled. f_n is the whole force along n, tangential_normal included */
  int32_t friction_lagged; /**< 1: friction_force is that of an earlier iterate of an implicit step, a constant: it does
                                              not change with overlap and v_n; 0: that of this evaluation */
  int32_t reserved_zero;   /**< 0 */
} dem_batch;

/** Material values that a part may bind to. */
typedef struct dem_bind {
  uint32_t struct_size;   /**< size the engine knows */
  int32_t reserved_zero;  /**< 0 */
  double effective_young; /**< Y*: 1/Y* = (1-nu_i^2)/Y_i + (1-nu_j^2)/Y_j [pressure]; 0 when one has no Young's modulus */
  double effective_shear; /**< G*: 1/G* = 2(2-nu_i)(1+nu_i)/Y_i + the same of j [pressure]; 0 when one has no Young's modulus */
  double shear_ratio;     /**< G (shear modulus) ratio k_t/k_n of Mindlin, 4 G* / Y*; 0 when one has no Young's modulus */
} dem_bind;

/** Writes the defaults, touching only `struct_size` bytes. Any thread.
 *  @param bind the struct  @param struct_size its size in the caller
 *  @return DEM_BAD_ARGUMENT when `bind` is NULL, DEM_BAD_STRUCT when `struct_size` is none of this struct */
DEM_API dem_status dem_bind_init(dem_bind *bind, uint32_t struct_size);

/** Kinds of part. A law has at most one of each, and at least a normal part. */
enum {
  DEM_PART_NORMAL = 1,     /**< fills normal_elastic and normal_damping */
  DEM_PART_TANGENTIAL = 2, /**< fills tangential_elastic, tangential_damping, slip */
  DEM_PART_GAP = 3, /**< acts between surfaces that do not touch, `overlap` < 0 being minus the gap: fills normal_elastic and
                        normal_damping; no history; needs `range`. What its damping takes is booked as lubrication */
  DEM_PART_ROLLING = 4, /**< fills rolling_elastic, rolling_damping, rolling_slip */
  DEM_PART_TWISTING = 5 /**< fills twisting_elastic, twisting_damping, twisting_slip */
};

/** Capability bits of a part. */
enum {
  DEM_PART_ENERGY = 1,      /**< fills the energy array when it is not NULL */
  DEM_PART_TANGENT = 2,     /**< fills the derivative arrays when they are not NULL */
  DEM_PART_NEEDS_YOUNG = 4, /**< refuses material pairs without Young's modulus */
  DEM_PART_NOT_POTENTIAL =
      8, /**< the elastic force is not the gradient of the stored energy, even while nothing slips (e.g. Mindlin
                                     with force history): methods that minimise the energy refuse such a law by the part's name */
  DEM_PART_UNDAMPED = 16,       /**< tangential parts: never writes tangential_damping; saves the ledger memory traffic */
  DEM_PART_COUPLED = 32,        /**< tangential parts: writes tangential_normal, which is NULL without it */
  DEM_PART_ADHESIVE = 64,       /**< normal parts: writes adhesion (and its slope when asked), to be left alone without it */
  DEM_PART_CONTACT_RADIUS = 128 /**< normal parts: writes contact_radius (and its slope when asked), NULL without it */
};

/** How one history value is carried. Vectors turn with the contact plane. */
enum {
  DEM_HISTORY_SCALAR = 1,  /**< one double; stays when i and j change places, as twisting angles do */
  DEM_HISTORY_TANGENT = 2, /**< three doubles, a vector in the contact plane that turns sign when i and j change places, as
                                tangential displacements do */
  DEM_HISTORY_ROLLING = 3  /**< three doubles, a vector in the contact plane that stays when i and j change places, as rolling
                                displacements do */
};

/** A part of a law. Copied at intake; unset members are zero. */
typedef struct dem_law_part {
  uint32_t struct_size;    /**< required: sizeof(dem_law_part) */
  uint32_t contract;       /**< required: DEM_LAW_PART_CONTRACT */
  const char *name;        /**< required: copied; shown in messages */
  int32_t kind;            /**< required: DEM_PART_NORMAL ... DEM_PART_TWISTING */
  uint32_t capabilities;   /**< DEM_PART_ENERGY ... or-ed */
  int32_t history_items;   /**< optional: number of entries in `history`, 0 ... 4 */
  int32_t parameter_bytes; /**< size of the bound parameters, 0 ... 256; what `bind` fills */
  int32_t history[4];      /**< DEM_HISTORY_... of each item */
  /** required: fills the outputs of the batch. @param parameters what `bind` filled  @param batch the lanes */
  void (*evaluate)(const void *parameters, const dem_batch *batch);
  /** optional: fills `parameters` for a pair of materials; without it `user` (parameter_bytes of it) is copied.
   *  Returns 0, or a positive status to refuse. */
  int32_t (*bind)(const void *user, const dem_bind *materials, void *parameters);
  /** DEM_PART_GAP, required: largest gap at which it may act, for a pair of effective radius up to R* [length]. DEM_PART_NORMAL,
   *  optional: a contact, once made, holds up to this gap and tears there (it still begins at overlap 0); must not fall with R*.
   *  The search range grows by it. A law has one part with a range at most */
  double (*range)(const void *parameters, double effective_radius);
  /** optional: time step limit at a pair's mass m* and radius R* [time]; v is the largest approach speed met. 0 = unknown */
  double (*stable_dt)(const void *parameters, double effective_mass, double effective_radius, double speed);
} dem_law_part;

/** Writes the defaults, touching only `struct_size` bytes. Any thread. `contract` is that of this header
 *  as the library knows it.
 *  @param part the struct  @param struct_size its size in the caller
 *  @return DEM_BAD_ARGUMENT when `part` is NULL, DEM_BAD_STRUCT when `struct_size` is none of this struct */
DEM_API dem_status dem_law_part_init(dem_law_part *part, uint32_t struct_size);

/** A part and what it is bound with. Fill with dem_law_piece_init, then set `part` and, where it has parameters, the other two. */
typedef struct dem_law_piece {
  uint32_t struct_size;     /**< required: sizeof(dem_law_piece) */
  uint32_t user_bytes;      /**< size of the block `user` in bytes, 0 ... 256; default 0 */
  const dem_law_part *part; /**< required: copied */
  const void *user; /**< given to the bind of the part, or its parameters; copied; NULL (default) when user_bytes is 0 */
} dem_law_piece;

/** Writes the defaults, touching only `struct_size` bytes. Any thread.
 *  @param piece the struct  @param struct_size its size in the caller
 *  @return DEM_BAD_ARGUMENT when `piece` is NULL, DEM_BAD_STRUCT when `struct_size` is none of this struct */
DEM_API dem_status dem_law_piece_init(dem_law_piece *piece, uint32_t struct_size);

/** Creates a law from parts.
 *  @param context owner of memory and messages
 *  @param count number of pieces, at least 1
 *  @param pieces array of `count`, each as long as the struct_size of the first, which all must have; one per kind at most, in any
 *  order; a normal part is required
 *  @param law out; NULL on failure; release when done (systems hold their own reference)
 *  @return with the part by name and the reason in dem_context_message: DEM_BAD_ARGUMENT for a member out of its range, DEM_BAD_STRUCT
 *  for a struct_size, DEM_UNSUPPORTED for another contract or unknown capabilities, DEM_NO_MEMORY */
DEM_API dem_status dem_law_create_from_parts(dem_context *context, int32_t count, const dem_law_piece *pieces, dem_law **law);

/** Doubles of history in a dem_probe: four parts (a gap part has none) of at most 4 items of at most 3 doubles, the most that
 *  dem_law_part can declare. So no law has more, whatever DEM_HISTORY_CAPACITY is in the library that fills the probe. */
#define DEM_PROBE_HISTORY 48

/** One contact put through a law, no system needed: for tests of a law and for plots. */
typedef struct dem_probe {
  uint32_t struct_size;    /**< sizeof(dem_probe) */
  int32_t history_count;   /**< out: doubles of history the law has */
  double dt;               /**< in */
  double overlap;          /**< in, > 0; < 0 (minus the gap) puts it through the gap part alone, when the law has one, and
                                   through all others when the normal part has a range, which -overlap must be below */
  double effective_radius; /**< in, > 0 */
  double effective_mass;   /**< in, > 0 */
  double normal[3];        /**< in: unit vector */
  double velocity[3];      /**< in: v_i - v_j at the contact point */
  double history[DEM_PROBE_HISTORY]; /**< in and out: history, advanced by dt (the engine's transport into the plane included);
                                          0 from history_count on */
  double normal_elastic;             /**< out */
  double normal_damping;             /**< out */
  double tangential_elastic[3];      /**< out */
  double tangential_damping[3];      /**< out */
  double sliding;                    /**< out: heat made by slip in dt, -f_t.slip [energy] */
  double hysteresis;                 /**< out: energy the law itself took in dt [energy] */
  double tangential_normal;          /**< out: normal force of the tangential part [force] */
  double normal_energy;              /**< out; NaN when the part does not offer it */
  double tangential_energy;          /**< out; NaN when the part does not offer it */
  double normal_stiffness;           /**< out; NaN when the part does not offer tangents */
  double normal_viscosity;           /**< out; NaN when the part does not offer tangents */
  double tangential_isotropic;       /**< out; NaN when the part does not offer tangents */
  double tangential_along;           /**< out; NaN when the part does not offer tangents */
  double tangential_overlap[3];      /**< out; NaN when the part does not offer tangents */
  double tangential_normal_velocity[3]; /**< out; NaN when the part does not offer tangents */
  double adhesion;                      /**< out: attraction that does not count against friction [force] */
  double contact_radius;                /**< out; NaN when the normal part does not offer it */
  double turning[3];                    /**< in: w_i - w_j [1/time] */
  double inverse_inertia;               /**< in, >= 0: 1/I_i + 1/I_j */
  double rolling_elastic[3];            /**< out: f_r; 0 without a rolling part, as all rolling below */
  double rolling_damping[3];            /**< out */
  double twisting_elastic;              /**< out: M_t; 0 without a twisting part, as all twisting below */
  double twisting_damping;              /**< out */
  double moment[3];                     /**< out: on i beside that of the tangential force, R* n x f_r + M_t n */
  double rolling_sliding;               /**< out: heat made by the slider of the rolling part in dt, -f_r.slip [energy] */
  double twisting_sliding;              /**< out: heat made by the slider of the twisting part in dt, -M_t angle [energy] */
  double rolling_hysteresis;            /**< out: as `hysteresis` */
  double twisting_hysteresis;           /**< out: energy that the twisting part itself took in dt [energy] */
  double rolling_energy;                /**< out; NaN when the part does not offer it */
  double twisting_energy;               /**< out; NaN when the part does not offer it */
  double rolling_isotropic;             /**< out; NaN when the part does not offer tangents, as all below */
  double rolling_along;                 /**< out */
  double rolling_overlap[3];            /**< out */
  double rolling_normal_velocity[3];    /**< out */
  double twisting_viscosity;            /**< out */
  double twisting_overlap;              /**< out */
  double twisting_normal_velocity;      /**< out */
  double normal_tangential_velocity[3]; /**< out: d f_n / d v_t; 0 unless the tangential part is COUPLED */
  double friction_force;           /**< out: normal force that limits the tangential part's friction [force]; 0 without such a
                                             part. In, >= 0, where friction_lagged is 1 */
  double friction_overlap;         /**< out: d friction_force / d overlap; NaN when the parts do not offer tangents */
  double friction_normal_velocity; /**< out: d friction_force / d v_n; NaN when the parts do not offer tangents */
  double turning_friction_force;   /**< out: normal force that limits rolling and twisting parts [force]; 0 without them. In,
                                             >= 0, where friction_lagged is 1 */
  double turning_friction_overlap; /**< out: d turning_friction_force / d overlap; as friction_overlap */
  double turning_friction_normal_velocity; /**< out: d turning_friction_force / d v_n; as friction_normal_velocity */
  double adhesion_slope;                   /**< out: d adhesion / d overlap */
  double contact_radius_slope;             /**< out: d contact_radius / d overlap; NaN where contact_radius is */
  int32_t friction_lagged; /**< in: 1: friction_force and turning_friction_force are given, as those of an earlier
                                             iterate; 0 (default): those of this evaluation come out */
  int32_t reserved_zero;   /**< 0 */
} dem_probe;

/** Writes the defaults, touching only `struct_size` bytes. Any thread.
 *  @param probe the struct  @param struct_size its size in the caller
 *  @return DEM_BAD_ARGUMENT when `probe` is NULL, DEM_BAD_STRUCT when `struct_size` is none of this struct */
DEM_API dem_status dem_probe_init(dem_probe *probe, uint32_t struct_size);

/** Evaluates a law on one contact.
 *  @param law the law  @param materials what the pair would bind to; NULL = none  @param probe in and out */
DEM_API dem_status dem_law_probe(const dem_law *law, const dem_bind *materials, dem_probe *probe);

DEM_END_DECLS

#endif
