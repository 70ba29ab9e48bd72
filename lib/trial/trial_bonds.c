/* Contacts below bonds. A contact that a bond replaces is put off in the list while the bond lasts. Where the evaluation finds that the
 * bond breaks, the contact belongs to the same state: it is listed, and the contacts are evaluated again. It is put off again before
 * the next state. */
#include "trial.h"

/* Returns 1 when contacts have come to the list. */
static int reveal_contacts(dem_trial *t) {
  demi_replica *r = &t->replica;
  int revealed = 0;
  for (int64_t k = 0; k < r->bonds.count; k++) {
    const demi_bond *bond = &r->bonds.bond[k];
    if (!bond->id || !bond->breaks || bond->pair < 0 || !demi_list_is_put_off(&r->list, bond->pair)) continue;
    demi_list_restore(&r->list, bond->pair);
    revealed = 1;
  }
  if (revealed) demi_replica_pick(r);
  t->revealed |= revealed;
  return revealed;
}

void demi_trial_hide_contacts(dem_trial *t) {
  demi_replica *r = &t->replica;
  for (int64_t k = 0; k < r->bonds.count && t->revealed; k++) {
    const demi_bond *bond = &r->bonds.bond[k];
    if (!bond->id || !bond->breaks || bond->pair < 0) continue;
    if (demi_list_put_off(&r->list, bond->pair)) r->list.valid = 0; /* built anew it has them put off */
  }
  t->revealed = 0;
}

static int any_breaks(const dem_trial *t) {
  const demi_replica *r = &t->replica;
  for (int32_t b = 0; b < r->list.motion.blocks; b++)
    if (r->contacts.broken[b] > 0) return 1;
  return 0;
}

void demi_trial_evaluate_contacts(dem_trial *t, const demi_evaluation *e) {
  demi_contacts_evaluate(e);
  if (t->replica.bonds.count > 0 && any_breaks(t) && reveal_contacts(t)) demi_contacts_evaluate(e);
}
