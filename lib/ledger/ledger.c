#include "ledger.h"

#include <math.h>

void demi_ledger_add(demi_ledger *l, demi_sum *account, double energy) {
  demi_sum_add(account, energy);
  l->largest = fmax(l->largest, fmax(fabs(energy), fabs(account->value)));
}

void demi_ledger_book(demi_ledger *l, const demi_powers *a, const demi_powers *b, double duration) {
  const double h = 0.5 * duration;
  for (int g = 0; g < DEMI_GROUPS; g++)
    for (int c = 0; c < DEMI_CLASSES; c++) demi_ledger_add(l, &l->work[g][c], -h * (a->of[g][c] + b->of[g][c]));
}

static const int32_t spring_of[DEMI_SLIPS] = {DEMI_TANGENTIAL_ELASTIC, DEMI_ROLLING_ELASTIC, DEMI_TWISTING_ELASTIC};

void demi_ledger_slide(demi_ledger *l, int32_t group, int32_t slip, double spring, double dashpot) {
  demi_ledger_add(l, &l->work[group][spring_of[slip]], spring);
  demi_ledger_add(l, &l->work[group][spring_of[slip] + 1], dashpot);
  demi_ledger_add(l, &l->slip[group][slip], -(spring + dashpot));
}

void demi_ledger_take(demi_ledger *l, int32_t group, int32_t slip, double energy) {
  demi_ledger_add(l, &l->work[group][spring_of[slip]], -energy);
  demi_ledger_add(l, &l->hysteresis[group], energy);
}

void demi_ledger_tear(demi_ledger *l, int32_t group, double energy) {
  demi_ledger_add(l, &l->work[group][DEMI_NORMAL_ELASTIC], -energy);
  demi_ledger_add(l, &l->hysteresis[group], energy);
}

void demi_ledger_relax(demi_ledger *l, double energy) {
  demi_ledger_add(l, &l->work[DEMI_GROUP_BOND][DEMI_NORMAL_ELASTIC], -energy);
  demi_ledger_add(l, &l->work[DEMI_GROUP_BOND][DEMI_NORMAL_DAMPING], energy);
}

void demi_ledger_break(demi_ledger *l, double energy) {
  demi_ledger_add(l, &l->work[DEMI_GROUP_BOND][DEMI_NORMAL_ELASTIC], -energy);
  demi_ledger_add(l, &l->breakage, energy);
}

void demi_ledger_appear(demi_ledger *l, double energy) {
  demi_ledger_add(l, &l->work[DEMI_GROUP_PAIR][DEMI_NORMAL_ELASTIC], energy);
  demi_ledger_add(l, &l->hysteresis[DEMI_GROUP_PAIR], -energy);
}

/* ---- reading ---- */

/* Reads an account: updates `largest` with its value and adds it to the total with its sign. */
static double enter(demi_ledger *l, demi_sum *total, double account, double sign) {
  if (fabs(account) > l->largest) l->largest = fabs(account);
  demi_sum_add(total, sign * account);
  return account;
}

static double enter_sum(demi_ledger *l, demi_sum *total, const demi_sum *account) {
  return enter(l, total, demi_sum_get(account), 1.0);
}

/* Sum of two accounts that are shown as one. */
static demi_sum both(const demi_sum *a, const demi_sum *b) {
  demi_sum sum = *a;
  demi_sum_add(&sum, b->value);
  demi_sum_add(&sum, b->correction);
  return sum;
}

static double work(const demi_ledger *l, int32_t group, int32_t class) { return demi_sum_get(&l->work[group][class]); }

/* Contact accounts; in a gap the dashpots are the fluid. */
static void read_contacts(demi_ledger *l, dem_energy *e, demi_sum *total) {
  for (int32_t k = 0; k < 2; k++) {
    const int32_t gap = DEMI_GROUP_GAP + k;
    const demi_sum normal = both(&l->work[k][DEMI_NORMAL_ELASTIC], &l->work[gap][DEMI_NORMAL_ELASTIC]);
    const demi_sum tangential = both(&l->work[k][DEMI_TANGENTIAL_ELASTIC], &l->work[gap][DEMI_TANGENTIAL_ELASTIC]);
    const demi_sum fluid = both(&l->work[gap][DEMI_NORMAL_DAMPING], &l->work[gap][DEMI_TANGENTIAL_DAMPING]);
    const demi_sum rolling = both(&l->slip[k][DEMI_SLIP_ROLLING], &l->work[k][DEMI_ROLLING_DAMPING]);
    const demi_sum twisting = both(&l->slip[k][DEMI_SLIP_TWISTING], &l->work[k][DEMI_TWISTING_DAMPING]);
    const demi_sum sliding = both(&l->slip[k][DEMI_SLIP_SLIDING], &l->slip[gap][DEMI_SLIP_SLIDING]);
    const demi_sum hysteresis = both(&l->hysteresis[k], &l->hysteresis[gap]);
    e->elastic_normal[k] = enter_sum(l, total, &normal);
    e->elastic_tangential[k] = enter_sum(l, total, &tangential);
    e->damping_normal[k] = enter_sum(l, total, &l->work[k][DEMI_NORMAL_DAMPING]);
    e->damping_tangential[k] = enter_sum(l, total, &l->work[k][DEMI_TANGENTIAL_DAMPING]);
    e->sliding[k] = enter_sum(l, total, &sliding);
    e->elastic_rolling[k] = enter_sum(l, total, &l->work[k][DEMI_ROLLING_ELASTIC]);
    e->elastic_twisting[k] = enter_sum(l, total, &l->work[k][DEMI_TWISTING_ELASTIC]);
    e->rolling[k] = enter_sum(l, total, &rolling);
    e->twisting[k] = enter_sum(l, total, &twisting);
    e->hysteresis[k] = enter_sum(l, total, &hysteresis);
    e->lubrication[k] = enter_sum(l, total, &fluid);
    e->torque_elastic[k] = work(l, k, DEMI_TORQUE_ELASTIC) + work(l, gap, DEMI_TORQUE_ELASTIC);
    e->torque_damping[k] = work(l, k, DEMI_TORQUE_DAMPING) + work(l, gap, DEMI_TORQUE_DAMPING);
  }
}

static void read_bonds(demi_ledger *l, dem_energy *e, demi_sum *total) {
  const demi_sum *bond = l->work[DEMI_GROUP_BOND];
  const demi_sum elastic = both(&bond[DEMI_NORMAL_ELASTIC], &bond[DEMI_TANGENTIAL_ELASTIC]);
  const demi_sum damping = both(&bond[DEMI_NORMAL_DAMPING], &bond[DEMI_TANGENTIAL_DAMPING]);
  e->elastic_bond = enter_sum(l, total, &elastic);
  e->damping_bond = enter_sum(l, total, &damping);
  e->breakage = enter_sum(l, total, &l->breakage);
  e->torque_elastic[0] += work(l, DEMI_GROUP_BOND, DEMI_TORQUE_ELASTIC);
  e->torque_damping[0] += work(l, DEMI_GROUP_BOND, DEMI_TORQUE_DAMPING);
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
  enter(l, &total, e->kinetic_linear, 1.0);
  enter(l, &total, e->kinetic_angular, 1.0);
  enter(l, &total, e->kinetic_walls, 1.0);
  read_contacts(l, e, &total);
  read_bonds(l, e, &total);
  e->gravity = enter_sum(l, &total, &l->gravity);
  e->drag = enter_sum(l, &total, &l->drag);
  e->host = enter(l, &total, demi_sum_get(&l->host), -1.0);
  e->walls = enter(l, &total, demi_sum_get(&l->walls), -1.0);
  e->torque_drag = demi_sum_get(&l->drag_torque);
  e->torque_host = demi_sum_get(&l->host_torque);
  read_numerical(l, e);
  e->residual = demi_sum_get(&total);
  e->largest = l->largest;
  e->residual_relative = l->largest > 0 ? fabs(e->residual) / l->largest : 0;
}
