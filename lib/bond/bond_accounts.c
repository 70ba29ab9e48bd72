/* Accounts of the bonds, one each; see bonds.h. */
#include "bonds.h"

#include <math.h>

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void change_accounts(demi_bonds *b, const demi_store *store, const demi_box *box, double sign) {
  for (int64_t k = 0; k < b->count; k++) {
    demi_bond *bond = &b->bond[k];
    int64_t row[2];
    double r[3];
    if (!bond->id) continue;
    row[0] = demi_idpool_row(&store->ids, bond->i);
    row[1] = demi_idpool_row(&store->ids, bond->j);
    demi_bond_span(bond, store, box, row, r);
    const demi_bond_springs s = demi_bonds_springs(b, bond->type, store, row);
    double energies[2];
    demi_bond_energies(&bond->state, &s, sqrt(dot(r, r)), energies);
    bond->account += sign * (energies[0] + energies[1]);
  }
}

void demi_bonds_before_change(demi_bonds *b, const demi_store *store, const demi_box *box) {
  if (b->changing) return;
  change_accounts(b, store, box, -1.0);
  b->changing = 1;
}

void demi_bonds_after_change(demi_bonds *b, const demi_store *store, const demi_box *box) {
  if (!b->changing) return;
  change_accounts(b, store, box, 1.0);
  b->changing = 0;
}

static void note_power(demi_bond *bond, const demi_bond_powers *p) {
  bond->power[0] = p->normal_elastic + p->tangential_elastic;
  bond->power[1] = p->normal_damping + p->tangential_damping;
}

void demi_bond_book(demi_bond *bond, const demi_bond_response *response) {
  bond->account -= response->lost;
  bond->heat += response->lost;
  if (!response->reason) note_power(bond, &response->powers);
}

void demi_bonds_book(demi_bonds *b, const demi_store *store, int64_t first, int64_t end, double interval) {
  const double *velocity = store->columns.velocity;
  for (int64_t k = first; k < end; k++) {
    demi_bond *bond = &b->bond[k];
    if (!bond->id) continue;
    const double *i = velocity + 8 * (int64_t)bond->row[0], *j = velocity + 8 * (int64_t)bond->row[1];
    double at[3];
    demi_bond_partner(b, bond, j, at);
    const demi_bond_end ends[2] = {{i, i + 4}, {at, j + 4}};
    const double start[2] = {bond->power[0], bond->power[1]};
    const demi_bond_powers p = demi_bond_powers_at(&bond->state, &bond->forces, ends);
    note_power(bond, &p);
    bond->account -= 0.5 * interval * (start[0] + bond->power[0]);
    bond->heat -= 0.5 * interval * (start[1] + bond->power[1]);
  }
}
