/* The lanes of a batch of contacts of one law, and the dem_batch made of them: the only place where one is made, for the step, a
 * probed contact, the springs of a survey and the energies that a contact stores.
 *
 * DEMI_LAW_LANES has a row for each lane of dem_batch, ONE(name, needed, cleared) or, for x, y, z, THREE(name, needed, cleared):
 *   needed    bits DEMI_LANES_... . The pointer is NULL unless the law offers all of them and the caller asks for them;
 *             0: never NULL
 *   cleared   place of the part before which the engine fills the lane with zeros (DEMI_ROLLING: before rolling and twisting);
 *             DEMI_NEVER: the part writes it, or the caller of the law does
 * A lane that is added to dem_batch gets a row here and nothing else.
 *
 * The normal force that limits friction, F = |f_n + adhesion|, is filled in before each part that may have such a limit, with its
 * derivatives where derivatives are asked for: s = sign(f_n + adhesion),
 *   dF/d overlap = s (normal_stiffness + adhesion_slope),   dF/d v_n = -s normal_viscosity,   both of the normal part alone.
 * Lagged (DEMI_LANES_LAGGED) F is a constant that the caller brings. */
#ifndef DEMI_LAW_LANES_H
#define DEMI_LAW_LANES_H

#include "law.h"

enum { DEMI_NEVER = -1 };

/* What a law may offer (demi_bound.offers) and a caller may ask for. */
enum {
  DEMI_LANES_RADIUS = 1,  /* its normal part writes the contact radius */
  DEMI_LANES_COUPLED = 2, /* its tangential part has a force along n */
  DEMI_LANES_TURN = 4,    /* it has a rolling or a twisting part */
  DEMI_LANES_BOOKS = 8,   /* slip and hysteresis; every law */
  DEMI_LANES_SLOPES = 16  /* derivatives of any part; every law */
};
#define DEMI_LANES_ENERGY_OF(part) (32 << (part))
#define DEMI_LANES_TANGENT_OF(part) ((32 << DEMI_PARTS) << (part))
/* Asked for, it grants no lane: the normal forces that limit friction are those that the caller left in friction_force and
 * turning_friction_force, of an earlier iterate, and not those of this evaluation. */
#define DEMI_LANES_LAGGED ((32 << DEMI_PARTS) << DEMI_PARTS)

/* What a caller asks for, or-ed: stored energies, slip and hysteresis, derivatives. */
enum {
  DEMI_ASK_ENERGY = 31 * DEMI_LANES_ENERGY_OF(0),
  DEMI_ASK_BOOKS = DEMI_LANES_BOOKS,
  DEMI_ASK_TANGENT = 31 * DEMI_LANES_TANGENT_OF(0) | DEMI_LANES_SLOPES
};

#define DEMI_LAW_LANES(ONE, THREE)                                                                                \
  /* read by all parts */                                                                                         \
  ONE(overlap, 0, DEMI_NEVER)                                                                                     \
  ONE(effective_radius, 0, DEMI_NEVER)                                                                            \
  ONE(effective_mass, 0, DEMI_NEVER)                                                                              \
  ONE(normal_velocity, 0, DEMI_NEVER)                                                                             \
  THREE(tangential_velocity, 0, DEMI_NEVER)                                                                       \
  ONE(history_time, 0, DEMI_NEVER)                                                                                \
  THREE(rolling_velocity, DEMI_LANES_TURN, DEMI_NEVER)                                                            \
  ONE(twisting_rate, DEMI_LANES_TURN, DEMI_NEVER)                                                                 \
  ONE(inverse_inertia, DEMI_LANES_TURN, DEMI_NEVER)                                                               \
  /* written by the normal part, or by the gap part in its place */                                               \
  ONE(normal_elastic, 0, DEMI_NEVER)                                                                              \
  ONE(normal_damping, 0, DEMI_NEVER)                                                                              \
  ONE(adhesion, 0, DEMI_NORMAL)                                                                                   \
  ONE(contact_radius, DEMI_LANES_RADIUS, DEMI_NEVER)                                                              \
  ONE(normal_energy, DEMI_LANES_ENERGY_OF(DEMI_NORMAL), DEMI_NEVER)                                               \
  ONE(normal_stiffness, DEMI_LANES_TANGENT_OF(DEMI_NORMAL), DEMI_NEVER)                                           \
  ONE(normal_viscosity, DEMI_LANES_TANGENT_OF(DEMI_NORMAL), DEMI_NEVER)                                           \
  ONE(contact_radius_slope, DEMI_LANES_RADIUS | DEMI_LANES_SLOPES, DEMI_NEVER)                                    \
  ONE(adhesion_slope, DEMI_LANES_SLOPES, DEMI_NORMAL)                                                             \
  /* written by the engine behind it */                                                                           \
  ONE(friction_force, 0, DEMI_NEVER)                                                                              \
  ONE(friction_overlap, DEMI_LANES_SLOPES, DEMI_NEVER)                                                            \
  ONE(friction_normal_velocity, DEMI_LANES_SLOPES, DEMI_NEVER)                                                    \
  /* by the tangential part */                                                                                    \
  THREE(tangential_elastic, 0, DEMI_NEVER)                                                                        \
  THREE(tangential_damping, 0, DEMI_TANGENTIAL)                                                                   \
  THREE(slip, DEMI_LANES_BOOKS, DEMI_TANGENTIAL)                                                                  \
  ONE(tangential_normal, DEMI_LANES_COUPLED, DEMI_TANGENTIAL)                                                     \
  ONE(tangential_energy, DEMI_LANES_ENERGY_OF(DEMI_TANGENTIAL), DEMI_NEVER)                                       \
  ONE(tangential_isotropic, DEMI_LANES_TANGENT_OF(DEMI_TANGENTIAL), DEMI_NEVER)                                   \
  ONE(tangential_along, DEMI_LANES_TANGENT_OF(DEMI_TANGENTIAL), DEMI_NEVER)                                       \
  THREE(tangential_overlap, DEMI_LANES_TANGENT_OF(DEMI_TANGENTIAL), DEMI_NEVER)                                   \
  THREE(tangential_normal_velocity, DEMI_LANES_TANGENT_OF(DEMI_TANGENTIAL), DEMI_NEVER)                           \
  THREE(normal_tangential_velocity, DEMI_LANES_COUPLED | DEMI_LANES_TANGENT_OF(DEMI_TANGENTIAL), DEMI_TANGENTIAL) \
  /* by the rolling part */                                                                                       \
  THREE(rolling_elastic, DEMI_LANES_TURN, DEMI_ROLLING)                                                           \
  THREE(rolling_damping, DEMI_LANES_TURN, DEMI_ROLLING)                                                           \
  THREE(rolling_slip, DEMI_LANES_TURN | DEMI_LANES_BOOKS, DEMI_ROLLING)                                           \
  ONE(rolling_energy, DEMI_LANES_ENERGY_OF(DEMI_ROLLING), DEMI_NEVER)                                             \
  ONE(rolling_isotropic, DEMI_LANES_TANGENT_OF(DEMI_ROLLING), DEMI_NEVER)                                         \
  ONE(rolling_along, DEMI_LANES_TANGENT_OF(DEMI_ROLLING), DEMI_NEVER)                                             \
  THREE(rolling_overlap, DEMI_LANES_TANGENT_OF(DEMI_ROLLING), DEMI_NEVER)                                         \
  THREE(rolling_normal_velocity, DEMI_LANES_TANGENT_OF(DEMI_ROLLING), DEMI_NEVER)                                 \
  /* by the twisting part */                                                                                      \
  ONE(twisting_elastic, DEMI_LANES_TURN, DEMI_ROLLING)                                                            \
  ONE(twisting_damping, DEMI_LANES_TURN, DEMI_ROLLING)                                                            \
  ONE(twisting_slip, DEMI_LANES_TURN | DEMI_LANES_BOOKS, DEMI_ROLLING)                                            \
  ONE(twisting_energy, DEMI_LANES_ENERGY_OF(DEMI_TWISTING), DEMI_NEVER)                                           \
  ONE(twisting_viscosity, DEMI_LANES_TANGENT_OF(DEMI_TWISTING), DEMI_NEVER)                                       \
  ONE(twisting_overlap, DEMI_LANES_TANGENT_OF(DEMI_TWISTING), DEMI_NEVER)                                         \
  ONE(twisting_normal_velocity, DEMI_LANES_TANGENT_OF(DEMI_TWISTING), DEMI_NEVER)

typedef double demi_lanes[DEM_BATCH_CAPACITY];

typedef struct demi_law_lanes {
  _Alignas(64) dem_batch batch; /* pointers to the lanes below, as offered last */
  uint32_t granted;             /* bits DEMI_LANES_... of that offer */
  demi_lanes *normal;           /* x, y, z of the unit normals; the caller's */
  const double *in[DEM_HISTORY_CAPACITY];
  double *out[DEM_HISTORY_CAPACITY];
#define DEMI_ONE(name, needed, cleared) demi_lanes name;
#define DEMI_THREE(name, needed, cleared) demi_lanes name[3];
  _Alignas(64) DEMI_LAW_LANES(DEMI_ONE, DEMI_THREE)
#undef DEMI_ONE
#undef DEMI_THREE
      demi_lanes history_in[DEM_HISTORY_CAPACITY],
      history_out[DEM_HISTORY_CAPACITY];
  demi_lanes hysteresis[DEMI_PARTS];       /* of each part: the batch has one pointer, set for the part that runs */
  demi_lanes own_stiffness, own_viscosity; /* of the normal part alone, for rolling and twisting parts */
  /* what rolling and twisting parts see in friction_force and its derivatives: a tangential part may write its own */
  demi_lanes turning_friction_force, turning_friction_overlap, turning_friction_normal_velocity;
} demi_law_lanes;

/* Sets the pointers; the lanes stay as they are. normal: three lanes that stay the caller's. */
void demi_lanes_init(demi_law_lanes *lanes, demi_lanes *normal);

/* All lanes that a batch of `count` contacts has, filled with zeros; the normals are left alone. */
void demi_lanes_clear(demi_law_lanes *lanes, int32_t count);

/* Lanes that need one of the bits `groups`, filled with a value: it remains where the law does not offer the lane. */
void demi_lanes_fill(demi_law_lanes *lanes, uint32_t groups, int32_t count, double value);

/* Makes lanes->batch of what is both offered (demi_bound.offers or gap_offers) and asked for. dt: length of the step [time]. */
void demi_batch_offer(demi_law_lanes *lanes, uint32_t offers, uint32_t ask, int32_t count, double dt);

/* Runs one part on lanes->batch: clears what it must find cleared, and hands it its history. Without such a part its forces are 0. */
void demi_law_run_part(const demi_bound *bound, int32_t part, demi_law_lanes *lanes);

/* Offers a batch of contacts and runs all parts in their order: normal, tangential, rolling, twisting. */
void demi_law_run(const demi_bound *bound, demi_law_lanes *lanes, uint32_t ask, int32_t count, double dt);

/* The same across gaps, where the gap part acts alone: forces along the normal only, no history. */
void demi_law_run_gap(const demi_bound *bound, demi_law_lanes *lanes, uint32_t ask, int32_t count, double dt);

#endif
