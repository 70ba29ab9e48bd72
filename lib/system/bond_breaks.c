/* After a pass: gives the heat of bonds to the particles, and removes broken bonds. */
#include "bond_breaks.h"

#include <math.h>

#include "bonds.h"
#include "shares.h"
#include "state.h"

static void settle(dem_system *s, demi_bond *bond, int32_t class, double energy) {
  if (s->options.ledger < 2) return;
  for (int end = 0; end < 2; end++) demi_shares_heat(s, bond->row[end], class, 0.5 * energy);
}

void demi_bonds_hand_on_heat(dem_system *s) {
  if (!s->contacts.valid) return; /* rows have changed; it was done before they did */
  for (int64_t k = 0; k < s->bonds.count; k++) {
    demi_bond *bond = &s->bonds.bond[k];
    if (bond->id) settle(s, bond, DEMI_HEAT_BOND, bond->heat);
    bond->heat = 0;
  }
}

/* The energy that goes to breakage is the account of the bond, not its stored energy, because the account is the kinetic
 * energy that the bond took from the motion. A negative account, which a finite time step can cause, stays in the elastic
 * account. */
static double book_break(dem_system *s, demi_bond *bond) {
  if (!s->ledger.on) return 0;
  const double energy = bond->account > 0 ? bond->account : 0.0;
  demi_ledger_break(&s->ledger, energy);
  settle(s, bond, DEMI_HEAT_BOND, bond->heat);
  settle(s, bond, DEMI_HEAT_BREAKAGE, energy);
  return energy;
}

/* The energy that the normal spring of the contact holds at the present positions; the pair is listed again. */
static double spring_energy(dem_system *s, const demi_bond *bond) {
  const demi_columns *c = &s->store.columns;
  const int turned = bond->row[0] > bond->row[1];
  const int64_t i = bond->row[turned], j = bond->row[!turned];
  const double *p = c->position + 4 * i, *q = c->position + 4 * j;
  const double *shift = s->list.shift + 4 * (s->list.code[bond->pair] >> DEMI_SHIFT_BITS);
  double square = 0;
  for (int a = 0; a < 3; a++) square += (p[a] - q[a] - shift[a]) * (p[a] - q[a] - shift[a]);
  const double sum = p[3] + q[3], overlap = sum - sqrt(square);
  const demi_bound *law = demi_laws_of(&s->laws, c->material[i], c->material[j]);
  if (overlap <= 0 || !law) return 0;
  return demi_contacts_stored(&s->contacts.workspace[0], law, overlap, p[3] * q[3] / sum,
                              1.0 / demi_store_inverse_mass_of(&s->store, i, j), NULL)
      .normal;
}

/* The contact acts again, from the next evaluation on, which is at the present positions. Where the spheres overlap its spring is
 * compressed from the start: that energy has no source but the model's switch from bond to contact, which is hysteresis. */
static void restore_contact(dem_system *s, const demi_bond *bond) {
  if (bond->pair < 0) return;
  demi_list_restore(&s->list, bond->pair);
  if (!s->ledger.on) return;
  const double energy = spring_energy(s, bond);
  demi_ledger_take(&s->ledger, DEMI_SECTION_PAIR, DEMI_MODE_NORMAL, -energy);
  if (!s->contacts.shares) return;
  double *row = s->contacts.shares + DEMI_SHARE_ENTRIES * (int64_t)bond->pair;
  row[DEMI_SHARE_NORMAL_ELASTIC] += energy;
  row[DEMI_SHARE_HYSTERESIS] -= energy;
}

static void break_bond(dem_system *s, int64_t index) {
  demi_bond *bond = &s->bonds.bond[index];
  const double energy = book_break(s, bond);
  s->bonds.broken[s->bonds.broken_count++] =
      (dem_bond_break){bond->id, bond->i, bond->j, bond->type, bond->reason, s->interval.step, s->interval.time, energy};
  restore_contact(s, bond);
  demi_bonds_remove(&s->bonds, index);
}

void demi_system_break_bonds(dem_system *s) {
  for (int32_t block = 0; block < s->list.motion.blocks; block++) {
    if (s->contacts.broken[block] == 0) continue;
    const int64_t first = s->contacts.loads.first[DEMI_SECTION_BOND][block] - s->contacts.loads.bond_base;
    const int64_t end = first + s->contacts.loads.count[DEMI_SECTION_BOND][block];
    for (int64_t k = first; k < end; k++)
      if (s->bonds.bond[k].id && s->bonds.bond[k].reason) break_bond(s, k);
  }
}

void demi_system_break_marked_bonds(dem_system *s) {
  for (int64_t k = 0; k < s->bonds.count; k++)
    if (s->bonds.bond[k].id && s->bonds.bond[k].reason) break_bond(s, k);
}
