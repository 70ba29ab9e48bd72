/** @file dem/advice.h
 *  Advice: the time step that a system as it stands asks for, its overlaps and size ratio. Formulas that need no system:
 *  dem/formulas.h. doc/advice.md has a worked example. */
#ifndef DEM_ADVICE_H
#define DEM_ADVICE_H

#include <dem/system.h>

DEM_BEGIN_DECLS

/** What a system as it stands asks for; fill with dem_advice_init. Pairs are those that touch and the listed neighbours that
 *  approach each other, each with its own m*, R*, law and the largest overlap to expect of it: where the energy of its approach
 *  and what its spring holds already are stored in the spring. A pair that limits is named by ids: j = 0 and wall >= 0 for a
 *  wall, all 0 and wall = -1 for none. */
typedef struct dem_advice {
  uint32_t struct_size; /**< sizeof(dem_advice) */
  int32_t contact_wall; /**< out: see contact_time */
  double fraction;      /**< in: dt as a part of the shortest contact time, in (0, 1]; default 1/50 */
  double dt;            /**< out: largest sensible step: the smaller of fraction * contact_time and 0.8 * stable_dt [time] */
  double contact_time;  /**< out: shortest contact time of a pair, without damping [time]; infinite when there is no pair */
  dem_id contact_i;     /**< out: whose */
  dem_id contact_j;     /**< out: whose */
  double contact_steps; /**< out: steps of the present dt in it */
  double stable_dt; /**< out: stability limit over the pairs and bonds, and over all contacts of a particle together [time] */
  dem_id stable_i;  /**< out: the particle or the pair that limits; j = 0 and wall = -1: the particle by all its contacts */
  dem_id stable_j;  /**< out: the other particle, 0 with a wall */
  int32_t stable_wall;        /**< out: the wall, -1 = none; with i = 0: a free wall by all its contacts */
  int32_t overlap_wall;       /**< out: see overlap */
  double overlap;             /**< out: largest present overlap over the smaller radius; 0 when nothing touches */
  dem_id overlap_i;           /**< out: whose */
  dem_id overlap_j;           /**< out: whose */
  double impact;              /**< out: largest overlap to expect of a pair, over the smaller radius */
  dem_id impact_i;            /**< out: whose */
  dem_id impact_j;            /**< out: whose */
  int32_t impact_wall;        /**< out: whose */
  int32_t ratio_materials[2]; /**< out: the pair of materials of the two ratios, -1 when there is none */
  int32_t frictions_unknown;  /**< out: 1: some law is made of a user's tangential part, whose friction is not known here */
  double speed;               /**< out: largest of a particle [length/time] */
  double
      size_ratio; /**< out: largest radius over the smallest of one that moves, of two materials that interact with friction; 0 when
                     none do */
  double critical_ratio; /**< out: 1/(sqrt(1+mu^2)-1) of the same pair of materials, that with the largest size_ratio over it;
                               infinite when no law has friction */
  int64_t contacts;      /**< out: pairs that touch, walls included */
  int64_t approaching;   /**< out: pairs that do not touch and approach each other */
  int64_t unknown; /**< out: of both, pairs whose law offers neither energy, nor tangent, nor stable_dt: not in the above */
} dem_advice;

/** Writes zeros, the default fraction and the size, touching only `struct_size` bytes.
 *  @param advice the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_advice_init(dem_advice *advice, uint32_t struct_size);

/** Looks at all pairs. A callback may call it. dem_system_stable_dt is the companion for pairs that may meet later.
 *  @param system the system  @param advice in: struct_size, fraction; out
 *  @return DEM_BAD_ARGUMENT: fraction; else what dem_system_step would refuse with before its first step, as the neighbour list
 * may be built anew for it */
DEM_API dem_status dem_system_advise(dem_system *system, dem_advice *advice);

DEM_END_DECLS

#endif
