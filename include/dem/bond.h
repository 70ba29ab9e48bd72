/** @file dem/bond.h
 *  Bonds: pairs of particles that hold together in tension too, until they break.
 *
 *  A bond belongs to a bond type. Between particles i and j, r = x_i - x_j, n = r/|r|, l_0 the rest length:
 *   BEAM      area A = pi R_b^2, R_b = radius_factor min(R_i, R_j); normal force k_nb A (l_0 - |r|) - c_n m* v_n; tangential
 *             force by increments -k_tb A v_t dt, turning with the bond, plus the dashpot -c_t m* v_t; as options bending and
 *             twisting moments by increments -k_b I w_b dt, -k_w 2I w_n dt, I = pi R_b^4/4; relaxation of the elastic parts at
 *             the rate 1/t_d, the rest length following
 *   HARMONIC  V = k (l_0 - |r|)^2/2 for both signs (De Klerk et al. 2022), no tangential force */
#ifndef DEM_BOND_H
#define DEM_BOND_H

#include <dem/system.h>

DEM_BEGIN_DECLS

/** Models. */
enum { DEM_BOND_BEAM = 0, DEM_BOND_HARMONIC = 1 };

/** Why a bond broke. */
enum {
  DEM_BREAK_STRAIN = 1,        /**< |r|/l_0 - 1 above break_strain */
  DEM_BREAK_NORMAL_STRESS = 2, /**< tension above break_normal_stress */
  DEM_BREAK_SHEAR_STRESS = 3   /**< shear above break_shear_stress */
};

/** A type of bond; fill with dem_bond_type_init. */
typedef struct dem_bond_type {
  uint32_t struct_size;        /**< sizeof(dem_bond_type) */
  int32_t model;               /**< DEM_BOND_BEAM (default) or DEM_BOND_HARMONIC */
  int32_t contact;             /**< 1: the contact law of the pair acts beside the bond; 0 (default): the bond replaces it while
                                    it lasts */
  int32_t reserved_zero;       /**< 0 */
  double stiffness;            /**< HARMONIC: k > 0 [force/length] */
  double radius_factor;        /**< BEAM: R_b / min(R_i, R_j), above 0 to 10; default 1 */
  double normal_stiffness;     /**< BEAM: k_nb > 0 [force/length^3] */
  double tangential_stiffness; /**< BEAM: k_tb >= 0 [force/length^3] */
  double bending_stiffness;    /**< BEAM: k_b >= 0 [force/length^3]; default 0 = none */
  double twisting_stiffness;   /**< BEAM: k_w >= 0 [force/length^3]; default 0 = none */
  double normal_damping;       /**< both: c_n >= 0, times m* [1/time]; default 0 */
  double tangential_damping;   /**< BEAM: c_t >= 0, times m* [1/time]; default 0 */
  double relaxation_time;      /**< BEAM: t_d > 0 [time]; 0 (default) = none */
  double break_strain;         /**< breaks when |r|/l_0 - 1 exceeds it; 0 (default) = never */
  double break_normal_stress;  /**< BEAM: breaks when the tension f/A (plus |M_b| R_b/I) exceeds it; 0 (default) = never */
  double break_shear_stress;   /**< BEAM: breaks when |f_t|/A (plus |M_w| R_b/2I) exceeds it; 0 (default) = never */
} dem_bond_type;

/** Writes the defaults, touching only `struct_size` bytes.
 *  @param type the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_bond_type_init(dem_bond_type *type, uint32_t struct_size);

/** Adds a bond type; there may be as many as memory holds.
 *  @param system the system  @param type copied  @param index out, from 0; may be NULL
 *  @return DEM_BAD_ARGUMENT with the member, its value and the limit; also for a member that belongs to the other model;
 *  DEM_NO_MEMORY: nothing has changed */
DEM_API dem_status dem_system_add_bond_type(dem_system *system, const dem_bond_type *type, int32_t *index);

/** One bond with its whole state; in arrays: see dem/base.h. A bond that was read can be given back to dem_system_add_bonds, and goes
 *  on to the bit (but for dashpots under velocity-Verlet, whose forces belong to DEM_HALF_VELOCITY). */
typedef struct dem_bond {
  dem_id id;    /**< of the bond; ignored when adding */
  dem_id i;     /**< particle; when reading, i and j are in the order they were given, by dem_system_bond_neighbours the
                              lower slot first */
  dem_id j;     /**< the other */
  int32_t type; /**< bond type index */
  int32_t reserved_zero; /**< 0 */
  double rest_length;    /**< l_0 [length]; when adding, 0 = the present distance */
  double force[3];       /**< tangential elastic force on i [force]; when adding, normally 0 */
  double bending[3];     /**< elastic bending moment on i, perpendicular to the bond [force*length]; when adding, normally 0 */
  double twisting;       /**< elastic twisting moment on i, along n [force*length]; when adding, normally 0 */
} dem_bond;

/** Adds bonds. All or none. Refused: the same particle twice, a pair already bonded, both frozen, a surface gap above
 *  R_i + R_j, an unknown id or type, a force or moment that the type has no stiffness for. A bond joins i to the nearest image
 *  of j, and stays with it.
 *  @param system the system  @param count rows >= 0  @param bonds rows, copied
 *  @param struct_size sizeof(dem_bond) in the caller  @param ids out, `count` bond ids; may be NULL
 *  @return DEM_NOT_FOUND: an unknown id or type; DEM_NO_MEMORY; DEM_BAD_STRUCT for a struct_size that no version has;
 *  DEM_UNSUPPORTED for a member set that this version does not know; DEM_BAD_ARGUMENT for the rest, with row, member, value and limit */
DEM_API dem_status dem_system_add_bonds(dem_system *system, int64_t count, const dem_bond *bonds, uint32_t struct_size,
                                        dem_id *ids);

/** Bonds every pair, not yet bonded, of particles of materials (a, b) whose surface gap |r| - R_i - R_j is at most `gap`,
 *  at rest at their present distance. All or none: one pair further apart than dem_system_add_bonds allows, and none is made.
 *  Sorts the rows, so open views must be closed and row numbers change.
 *  @param system the system  @param type bond type index  @param a material  @param b material  @param gap [length], at
 *  most the largest diameter; may be negative  @param count out, bonds made; may be NULL
 *  @return DEM_NOT_FOUND: no such type or material; DEM_BAD_ARGUMENT: gap, or a periodic axis too short; DEM_NO_MEMORY */
DEM_API dem_status dem_system_bond_neighbours(dem_system *system, int32_t type, int32_t a, int32_t b, double gap,
                                              int64_t *count);

/** Removes bonds; what they stored is booked as taken out by the host. All or none.
 *  @param system the system  @param count ids given  @param ids bond ids
 *  @return DEM_NOT_FOUND: an unknown or stale id; DEM_BAD_ARGUMENT: one given twice */
DEM_API dem_status dem_system_remove_bonds(dem_system *system, int64_t count, const dem_id *ids);

/** Number of bonds. @param system the system  @param count out */
DEM_API dem_status dem_system_bond_count(const dem_system *system, int64_t *count);

/** Copies all bonds, by ascending slot of their ids.
 *  @param system the system  @param capacity room in `bonds`, at least the bond count, else DEM_BAD_ARGUMENT
 *  @param bonds out  @param struct_size sizeof(dem_bond) in the caller
 *  @return DEM_BAD_STRUCT for a struct_size that no version has */
DEM_API dem_status dem_system_bonds(const dem_system *system, int64_t capacity, dem_bond *bonds, uint32_t struct_size);

/** A bond that broke; in arrays: see dem/base.h. */
typedef struct dem_bond_break {
  dem_id id;      /**< of the bond; stale now */
  dem_id i;       /**< particle */
  dem_id j;       /**< the other */
  int32_t type;   /**< bond type */
  int32_t reason; /**< DEM_BREAK_... */
  int64_t step;   /**< steps since creation, of the step that broke it */
  double time;    /**< when that step ended [time] */
  double energy;  /**< elastic energy booked as breakage; 0 without ledger [energy] */
} dem_bond_break;

/** Copies the breaks not yet taken, oldest first, and forgets those copied. They wait until taken. Callbacks of a run may
 *  call it.
 *  @param system the system  @param capacity room in `breaks`  @param breaks out
 *  @param struct_size sizeof(dem_bond_break) in the caller  @param count out, breaks copied
 *  @return DEM_BAD_STRUCT for a struct_size that no version has; nothing is taken then */
DEM_API dem_status dem_system_take_bond_breaks(dem_system *system, int64_t capacity, dem_bond_break *breaks,
                                               uint32_t struct_size, int64_t *count);

DEM_END_DECLS

#endif
