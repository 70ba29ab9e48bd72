#include "ledger.h"

#include <math.h>

void demi_ledger_book(demi_ledger *l, const demi_powers *a, const demi_powers *b, double duration) {
  const double h = 0.5 * duration;
  for (int k = 0; k < 2; k++) {
    demi_sum_add(&l->elastic_normal[k], -h * (a->normal_elastic[k] + b->normal_elastic[k]));
    demi_sum_add(&l->damping_normal[k], -h * (a->normal_damping[k] + b->normal_damping[k]));
    demi_sum_add(&l->elastic_tangential[k], -h * (a->tangential_elastic[k] + b->tangential_elastic[k]));
    demi_sum_add(&l->damping_tangential[k], -h * (a->tangential_damping[k] + b->tangential_damping[k]));
  }
}

void demi_ledger_slide(demi_ledger *l, int walls, double spring, double dashpot) {
  demi_sum_add(&l->elastic_tangential[walls], spring);
  demi_sum_add(&l->damping_tangential[walls], dashpot);
  demi_sum_add(&l->sliding[walls], -(spring + dashpot));
}

static void note(demi_ledger *l, double account) {
  if (fabs(account) > l->largest) l->largest = fabs(account);
}

/* Copies a pair of accounts out, notes their size and adds them to the total. */
static void read_pair(demi_ledger *l, const demi_sum from[2], double to[2], demi_sum *total) {
  for (int k = 0; k < 2; k++) {
    to[k] = demi_sum_get(&from[k]);
    note(l, to[k]);
    demi_sum_add(total, to[k]);
  }
}

void demi_ledger_read(demi_ledger *l, dem_energy *e) {
  demi_sum total = {0, 0};
  demi_sum_add(&total, e->kinetic_linear);
  demi_sum_add(&total, e->kinetic_angular);
  note(l, e->kinetic_linear);
  note(l, e->kinetic_angular);
  read_pair(l, l->elastic_normal, e->elastic_normal, &total);
  read_pair(l, l->elastic_tangential, e->elastic_tangential, &total);
  read_pair(l, l->damping_normal, e->damping_normal, &total);
  read_pair(l, l->damping_tangential, e->damping_tangential, &total);
  read_pair(l, l->sliding, e->sliding, &total);
  e->gravity = demi_sum_get(&l->gravity);
  e->drag = demi_sum_get(&l->drag);
  e->host = demi_sum_get(&l->host);
  note(l, e->gravity);
  note(l, e->drag);
  note(l, e->host);
  demi_sum_add(&total, e->gravity);
  demi_sum_add(&total, e->drag);
  demi_sum_add(&total, -e->host);
  e->residual = demi_sum_get(&total);
  e->largest = l->largest;
  e->residual_relative = l->largest > 0 ? fabs(e->residual) / l->largest : 0;
}
