/* The energy accounts: one list, from which the books are made.
 *
 * A contact moves in four modes: along its normal, in its tangential plane, by rolling and by twisting. The engine adds up the
 * same six quantities of each mode. The ledger keeps the same sums of each mode. The accounts of dem_energy follow from these
 * sums by the table below. */
#ifndef DEMI_ACCOUNTS_H
#define DEMI_ACCOUNTS_H

/* ---- modes of motion ---- */

/* X(mode, name in members of dem_energy). Bonds use the first two. */
#define DEMI_MODE_LIST(X)   \
  X(NORMAL, normal)         \
  X(TANGENTIAL, tangential) \
  X(ROLLING, rolling)       \
  X(TWISTING, twisting)

#define DEMI_ENUMERATE_MODE(mode, name) DEMI_MODE_##mode,
enum { DEMI_MODE_LIST(DEMI_ENUMERATE_MODE) DEMI_MODES };
#undef DEMI_ENUMERATE_MODE

/* Modes of any contact; the others exist only where a law rolls or twists, and act on spins alone. */
enum { DEMI_COMMON_MODES = DEMI_MODE_ROLLING };

/* The two parts of the force, or moment, of a mode. */
enum { DEMI_SPRING = 0, DEMI_DASHPOT = 1, DEMI_FORCE_PARTS = 2 };

/* ---- what an evaluation adds up ---- */

/* Of each mode: */
enum {
  DEMI_OF_POWER = 0,      /* two entries, of the spring and of the dashpot: force times velocity now */
  DEMI_OF_SLIP = 2,       /* two entries: force of the spring, and of the dashpot, times slip in this evaluation */
  DEMI_OF_HYSTERESIS = 4, /* elastic energy that the law itself took in this evaluation, and that necks held when they tore */
  DEMI_OF_ENERGY = 5,     /* elastic energy stored now */
  DEMI_MODE_ENTRIES = 6
};

/* Entries of the sums of one section of loads (lib/store/loads.h): three of all modes together, then six of each mode. */
#define DEMI_ENUMERATE_ENTRIES(mode, name)                                                                          \
  DEMI_POWER_##mode##_ELASTIC, DEMI_POWER_##mode##_DAMPING, DEMI_SLIP_##mode##_ELASTIC, DEMI_SLIP_##mode##_DAMPING, \
      DEMI_HYSTERESIS_##mode, DEMI_ENERGY_##mode,
enum {
  DEMI_POWER_TORQUE_ELASTIC = 0, /* the part of the powers of all springs that torques do */
  DEMI_POWER_TORQUE_DAMPING = 1, /* the part of the powers of all dashpots that torques do */
  DEMI_RELAXATION = 2,           /* elastic energy of bonds turned into heat in this evaluation */
  DEMI_MODES_START = 3,
  DEMI_BEFORE_MODES = DEMI_MODES_START - 1,
  DEMI_MODE_LIST(DEMI_ENUMERATE_ENTRIES) DEMI_SECTION_ENTRIES,
  DEMI_COMMON_ENTRIES = DEMI_MODES_START + DEMI_COMMON_MODES * DEMI_MODE_ENTRIES
};
#undef DEMI_ENUMERATE_ENTRIES

/* Index of an entry DEMI_OF_... of a mode among those of a section. */
#define DEMI_MODE_ENTRY(mode, entry) (DEMI_MODES_START + (mode)*DEMI_MODE_ENTRIES + (entry))

/* ---- accounts of a single contact ---- */

/* With ledger = 2 the work, heat and hysteresis of each listed pair gather in a row, where laws roll or twist in two, until they
 * are handed on to particles, laws, materials and walls (when the list is built anew, or to be read). Entries 0 to 3 are minus the
 * work, less the amounts in entries 4 and 5, as in the ledger. */
enum {
  DEMI_SHARE_NORMAL_ELASTIC = 0,
  DEMI_SHARE_NORMAL_DAMPING = 1,
  DEMI_SHARE_TANGENTIAL_ELASTIC = 2,
  DEMI_SHARE_TANGENTIAL_DAMPING = 3,
  DEMI_SHARE_SLIDING = 4,
  DEMI_SHARE_HYSTERESIS = 5, /* of all modes */
  DEMI_SHARE_FLUID = 6,      /* dashpots in the gap */
  DEMI_SHARE_ENTRIES = 8,
  /* of the second row, of moments */
  DEMI_SHARE_ROLLING_ELASTIC = 0,
  DEMI_SHARE_ROLLING_DAMPING = 1,
  DEMI_SHARE_TWISTING_ELASTIC = 2,
  DEMI_SHARE_TWISTING_DAMPING = 3,
  DEMI_SHARE_ROLLING = 4,  /* heat of the slider of rolling */
  DEMI_SHARE_TWISTING = 5, /* heat of the slider of twisting */
  DEMI_SHARE_ROWS = 2
};

/* ---- classes of heat of a particle ---- */

/* The first DEMI_HEAT_PACKED are the components of the field DEM_HEAT_CLASSES, which never becomes longer: an older host gives room
 * for eight. A class added here needs a field of its own. */
enum {
  DEMI_HEAT_NONE = -1,
  DEMI_HEAT_NORMAL = 0,
  DEMI_HEAT_TANGENTIAL = 1,
  DEMI_HEAT_SLIDING = 2,
  DEMI_HEAT_ROLLING = 3,
  DEMI_HEAT_TWISTING = 4,
  DEMI_HEAT_LUBRICATION = 5,
  DEMI_HEAT_BOND = 6,
  DEMI_HEAT_BREAKAGE = 7,
  DEMI_HEAT_CLASSES = 8,
  DEMI_HEAT_PACKED = 8
};

/* ---- the accounts ---- */

/* In this order of groups the accounts are added up to the residual; within a group, in the order of the table. The four groups
 * of contacts are taken first between particles, then with walls. */
enum {
  DEMI_GROUP_KINETIC = 0,
  DEMI_GROUP_FORCE = 1,  /* contacts: normal and tangential forces */
  DEMI_GROUP_MOMENT = 2, /* contacts: rolling and twisting moments */
  DEMI_GROUP_LAW = 3,    /* contacts: the law itself */
  DEMI_GROUP_FLUID = 4,  /* contacts: fluid in gaps */
  DEMI_GROUP_BOND = 5,
  DEMI_GROUP_FIELD = 6, /* gravity, drag, host and walls */
  DEMI_GROUPS = 7
};

/* All members of dem_energy, in their order. Columns of each row:
 *
 *   SHARED(member, group, heat class, share, sum, second sum)       [2] (between particles, with walls); also in dem_energy_share
 *   OWN(member, group, sign, heat class, sum, second sum)           a scalar
 *   STATE(member, sides)                                            a scalar (1) or [2]; not part of the residual
 *
 * An account is the sum of one or two sums of the ledger: SPRING and DASHPOT (section, mode), SLIP(section, mode),
 * HYSTERESIS(section) or OF(member), a sum of its own in demi_ledger; NONE, NONE: set before. It enters the residual with its
 * sign, SHARED with +1. share: the same account of a single contact, from the entries E of its row and M of its row of moments.
 * heat class: half of the account becomes heat of either particle. CSV column: the member's name, with _particle and _wall
 * where it is [2]. */
#define DEMI_ACCOUNTS(SHARED, OWN, STATE)                                                                              \
  OWN(kinetic_linear, KINETIC, +1, NONE, NONE, NONE)                                                                   \
  OWN(kinetic_angular, KINETIC, +1, NONE, NONE, NONE)                                                                  \
  OWN(kinetic_walls, KINETIC, +1, NONE, NONE, NONE)                                                                    \
  OWN(gravity, FIELD, +1, NONE, OF(gravity), NONE)                                                                     \
                                                                                                                       \
  SHARED(elastic_normal, FORCE, NONE, E(NORMAL_ELASTIC), SPRING(PAIR, NORMAL), SPRING(GAP, NORMAL))                    \
  SHARED(elastic_tangential, FORCE, NONE, E(TANGENTIAL_ELASTIC), SPRING(PAIR, TANGENTIAL), SPRING(GAP, TANGENTIAL))    \
  SHARED(elastic_rolling, MOMENT, NONE, M(ROLLING_ELASTIC), SPRING(PAIR, ROLLING), NONE)                               \
  SHARED(elastic_twisting, MOMENT, NONE, M(TWISTING_ELASTIC), SPRING(PAIR, TWISTING), NONE)                            \
  OWN(elastic_bond, BOND, +1, NONE, SPRING(BOND, NORMAL), SPRING(BOND, TANGENTIAL))                                    \
                                                                                                                       \
  SHARED(damping_normal, FORCE, NORMAL, E(NORMAL_DAMPING), DASHPOT(PAIR, NORMAL), NONE)                                \
  SHARED(damping_tangential, FORCE, TANGENTIAL, E(TANGENTIAL_DAMPING), DASHPOT(PAIR, TANGENTIAL), NONE)                \
  OWN(damping_bond, BOND, +1, BOND, DASHPOT(BOND, NORMAL), DASHPOT(BOND, TANGENTIAL))                                  \
  SHARED(sliding, FORCE, SLIDING, E(SLIDING), SLIP(PAIR, TANGENTIAL), SLIP(GAP, TANGENTIAL))                           \
  SHARED(rolling, MOMENT, ROLLING, M(ROLLING_DAMPING) + M(ROLLING), SLIP(PAIR, ROLLING), DASHPOT(PAIR, ROLLING))       \
  SHARED(twisting, MOMENT, TWISTING, M(TWISTING_DAMPING) + M(TWISTING), SLIP(PAIR, TWISTING), DASHPOT(PAIR, TWISTING)) \
  SHARED(lubrication, FLUID, LUBRICATION, E(FLUID), DASHPOT(GAP, NORMAL), DASHPOT(GAP, TANGENTIAL))                    \
  OWN(breakage, BOND, +1, BREAKAGE, OF(breakage), NONE)                                                                \
  SHARED(hysteresis, LAW, NONE, E(HYSTERESIS), HYSTERESIS(PAIR), HYSTERESIS(GAP))                                      \
                                                                                                                       \
  OWN(drag, FIELD, +1, NONE, OF(drag), NONE)                                                                           \
  OWN(host, FIELD, -1, NONE, OF(host), NONE)                                                                           \
  OWN(walls, FIELD, -1, NONE, OF(walls), NONE)                                                                         \
  OWN(box, FIELD, -1, NONE, OF(box), NONE)                                                                             \
                                                                                                                       \
  STATE(potential_normal, 2)                                                                                           \
  STATE(potential_tangential, 2)                                                                                       \
  STATE(potential_rolling, 2)                                                                                          \
  STATE(potential_twisting, 2)                                                                                         \
  STATE(potential_bond, 1)                                                                                             \
  STATE(potential_host, 2)                                                                                             \
  STATE(numerical, 2)                                                                                                  \
  STATE(torque_elastic, 2)                                                                                             \
  STATE(torque_damping, 2)                                                                                             \
  STATE(torque_drag, 1)                                                                                                \
  STATE(torque_host, 1)                                                                                                \
  STATE(residual, 1)                                                                                                   \
  STATE(largest, 1)                                                                                                    \
  STATE(residual_relative, 1)

#endif
