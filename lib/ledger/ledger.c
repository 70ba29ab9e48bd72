#include "ledger.h"

#include <math.h>
#include <stddef.h>

/* ---- the list is that of dem_energy ---- */

#define COUNT_SHARED(...) +2
#define COUNT_OWN(...) +1
#define COUNT_STATE(member, sides) +sides
#define COUNT_NONE(...)
_Static_assert(offsetof(dem_energy, kinetic_linear) +
                       sizeof(double) * (0 DEMI_ACCOUNTS(COUNT_SHARED, COUNT_OWN, COUNT_STATE)) ==
                   sizeof(dem_energy),
               "accounts.h lists all members of dem_energy");
_Static_assert(offsetof(dem_energy_share, elastic_normal) +
                       sizeof(double) * (0 DEMI_ACCOUNTS(COUNT_SHARED, COUNT_NONE, COUNT_NONE)) ==
                   sizeof(dem_energy_share),
               "accounts.h marks all members of dem_energy_share");
_Static_assert((int)DEMI_HEAT_CLASSES == (int)DEMI_HEAT_PACKED, "a new class of heat needs a field of its own");

/* ---- booking ---- */

void demi_ledger_add(demi_ledger *l, demi_sum *account, double energy) {
  demi_sum_add(account, energy);
  l->largest = fmax(l->largest, fmax(fabs(energy), fabs(account->value)));
}

void demi_ledger_book(demi_ledger *l, const demi_totals *start, const demi_totals *end, double duration) {
  const double h = 0.5 * duration;
  for (int s = 0; s < DEMI_SECTIONS; s++)
    for (int part = 0; part < DEMI_FORCE_PARTS; part++) {
      const double *a = start->of[s], *b = end->of[s];
      for (int mode = 0; mode < DEMI_MODES; mode++) {
        const int power = DEMI_MODE_ENTRY(mode, DEMI_OF_POWER + part);
        demi_ledger_add(l, &l->section[s].work[mode][part], -h * (a[power] + b[power]));
      }
      const int torque = DEMI_POWER_TORQUE_ELASTIC + part;
      demi_ledger_add(l, &l->section[s].torque[part], -h * (a[torque] + b[torque]));
    }
}

void demi_ledger_slide(demi_ledger *l, int32_t section, int32_t mode, double spring, double dashpot) {
  demi_section_books *books = &l->section[section];
  demi_ledger_add(l, &books->work[mode][DEMI_SPRING], spring);
  demi_ledger_add(l, &books->work[mode][DEMI_DASHPOT], dashpot);
  demi_ledger_add(l, &books->slip[mode], -(spring + dashpot));
}

void demi_ledger_take(demi_ledger *l, int32_t section, int32_t mode, double energy) {
  demi_ledger_add(l, &l->section[section].work[mode][DEMI_SPRING], -energy);
  demi_ledger_add(l, &l->section[section].hysteresis, energy);
}

void demi_ledger_relax(demi_ledger *l, double energy) {
  demi_sum *work = l->section[DEMI_SECTION_BOND].work[DEMI_MODE_NORMAL];
  demi_ledger_add(l, &work[DEMI_SPRING], -energy);
  demi_ledger_add(l, &work[DEMI_DASHPOT], energy);
}

void demi_ledger_break(demi_ledger *l, double energy) {
  demi_ledger_add(l, &l->section[DEMI_SECTION_BOND].work[DEMI_MODE_NORMAL][DEMI_SPRING], -energy);
  demi_ledger_add(l, &l->breakage, energy);
}

/* ---- reading ---- */

/* The value of an account that is one sum or two; `set`: one that has none and was set before. */
static double value_of(const demi_sum *sum, const demi_sum *second, double set) {
  if (!sum) return set;
  demi_sum both = *sum;
  if (second) {
    demi_sum_add(&both, second->value);
    demi_sum_add(&both, second->correction);
  }
  return demi_sum_get(&both);
}

/* Reads an account: updates `largest` with its value and adds it to the total with its sign. */
static double enter(demi_ledger *l, demi_sum *total, double account, double sign) {
  if (fabs(account) > l->largest) l->largest = fabs(account);
  demi_sum_add(total, sign * account);
  return account;
}

/* The accounts of one group; k: 0 between particles, 1 with walls. */
static void read_group(demi_ledger *l, dem_energy *e, demi_sum *total, int32_t group, int32_t k) {
  const demi_section_books *books = l->section + k;
#define SPRING(section, mode) &books[DEMI_SECTION_##section].work[DEMI_MODE_##mode][DEMI_SPRING]
#define DASHPOT(section, mode) &books[DEMI_SECTION_##section].work[DEMI_MODE_##mode][DEMI_DASHPOT]
#define SLIP(section, mode) &books[DEMI_SECTION_##section].slip[DEMI_MODE_##mode]
#define HYSTERESIS(section) &books[DEMI_SECTION_##section].hysteresis
#define OF(member) &l->member
#define NONE NULL
#define READ_SHARED(member, in, heat, share, sum, second) \
  if (group == DEMI_GROUP_##in) e->member[k] = enter(l, total, value_of(sum, second, 0), 1.0);
#define READ_OWN(member, in, sign, heat, sum, second) \
  if (group == DEMI_GROUP_##in) e->member = enter(l, total, value_of(sum, second, e->member), sign);
  DEMI_ACCOUNTS(READ_SHARED, READ_OWN, COUNT_NONE)
#undef READ_SHARED
#undef READ_OWN
#undef NONE
}

static int of_contacts(int32_t group) { return group >= DEMI_GROUP_FORCE && group <= DEMI_GROUP_FLUID; }

static void read_all(demi_ledger *l, dem_energy *e, demi_sum *total) {
  read_group(l, e, total, DEMI_GROUP_KINETIC, 0);
  for (int32_t k = 0; k < 2; k++)
    for (int32_t group = 0; group < DEMI_GROUPS; group++)
      if (of_contacts(group)) read_group(l, e, total, group, k);
  read_group(l, e, total, DEMI_GROUP_BOND, 0);
  read_group(l, e, total, DEMI_GROUP_FIELD, 0);
}

static double torque_of(const demi_ledger *l, int32_t section, int32_t part) {
  return demi_sum_get(&l->section[section].torque[part]);
}

static void read_torques(const demi_ledger *l, dem_energy *e) {
  for (int32_t k = 0; k < 2; k++) {
    const int32_t gap = DEMI_SECTION_GAP + k;
    e->torque_elastic[k] = torque_of(l, k, DEMI_SPRING) + torque_of(l, gap, DEMI_SPRING);
    e->torque_damping[k] = torque_of(l, k, DEMI_DASHPOT) + torque_of(l, gap, DEMI_DASHPOT);
  }
  e->torque_elastic[0] += torque_of(l, DEMI_SECTION_BOND, DEMI_SPRING);
  e->torque_damping[0] += torque_of(l, DEMI_SECTION_BOND, DEMI_DASHPOT);
  e->torque_drag = demi_sum_get(&l->drag_torque);
  e->torque_host = demi_sum_get(&l->host_torque);
}

static void read_numerical(const demi_ledger *l, dem_energy *e) {
  for (int k = 0; k < 2; k++) {
    const double brought = demi_sum_get(&l->potential_host[k]);
    e->potential_host[k] = brought;
    e->numerical[k] =
        (e->elastic_normal[k] + e->elastic_tangential[k]) - (e->potential_normal[k] + e->potential_tangential[k]) + brought;
    e->numerical[k] += (e->elastic_rolling[k] + e->elastic_twisting[k]) - (e->potential_rolling[k] + e->potential_twisting[k]);
  }
  e->numerical[0] += e->elastic_bond - e->potential_bond;
}

void demi_ledger_read(demi_ledger *l, dem_energy *e) {
  demi_sum total = {0, 0};
  read_all(l, e, &total);
  read_torques(l, e);
  read_numerical(l, e);
  e->residual = demi_sum_get(&total);
  e->largest = l->largest;
  e->residual_relative = l->largest > 0 ? fabs(e->residual) / l->largest : 0;
}
