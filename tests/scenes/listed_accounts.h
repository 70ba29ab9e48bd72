/* The accounts of dem_energy for tests that take them all: those in dem_energy_share, and the heat of each class. The names come
 * from the list of the library. */
#ifndef TESTS_LISTED_ACCOUNTS_H
#define TESTS_LISTED_ACCOUNTS_H

#include <dem/dem.h>

#include "accounts.h"

#define ACCOUNTS_NONE(...)
#define ACCOUNTS_ONE(...) +1
/* Accounts in dem_energy_share, each [2]. */
enum { SHARED_ACCOUNTS = 0 DEMI_ACCOUNTS(ACCOUNTS_ONE, ACCOUNTS_NONE, ACCOUNTS_NONE) };

/* Shared accounts between particles (side 0) or with walls (1), in the order of the list. */
static inline void accounts_of_energy(const dem_energy *e, int side, double out[SHARED_ACCOUNTS]) {
  int n = 0;
#define ACCOUNTS_PUT(member, ...) out[n++] = e->member[side];
  DEMI_ACCOUNTS(ACCOUNTS_PUT, ACCOUNTS_NONE, ACCOUNTS_NONE)
}

static inline void accounts_of_share(const dem_energy_share *e, int side, double out[SHARED_ACCOUNTS]) {
  int n = 0;
  DEMI_ACCOUNTS(ACCOUNTS_PUT, ACCOUNTS_NONE, ACCOUNTS_NONE)
#undef ACCOUNTS_PUT
}

/* The heat that all particles together have got, by class: all of what was lost between them, half of what was lost at walls. */
static inline void accounts_of_heat(const dem_energy *e, double out[DEMI_HEAT_CLASSES]) {
  const struct {
    int32_t class;
    double heat;
  } lost[] = {
#define ACCOUNTS_HEAT(member, group, class, ...) {DEMI_HEAT_##class, e->member[0] + 0.5 * e->member[1]},
#define ACCOUNTS_OWN_HEAT(member, group, sign, class, ...) {DEMI_HEAT_##class, e->member},
      DEMI_ACCOUNTS(ACCOUNTS_HEAT, ACCOUNTS_OWN_HEAT, ACCOUNTS_NONE)
#undef ACCOUNTS_HEAT
#undef ACCOUNTS_OWN_HEAT
  };
  for (size_t k = 0; k < sizeof lost / sizeof *lost; k++)
    if (lost[k].class != DEMI_HEAT_NONE) out[lost[k].class] = lost[k].heat;
}

#endif
