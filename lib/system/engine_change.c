/* Before the host changes forces or particles: books complete, forces and list no longer valid. */
#include "engine_change.h"

#include "bonds.h"
#include "books.h"
#include "stored_energy.h"

void demi_engine_book_old_forces(dem_system *s) {
  demi_books_now(s);
  if (!s->store.columns.seen) demi_interval_alter(&s->interval);
}

dem_status demi_engine_set_contacts_aside(dem_system *s) {
  demi_books_now(s);
  demi_books_hand_on(s);
  dem_status status = demi_stored_before_change(s);
  if (status) return status;
  status = demi_contacts_carry(&s->contacts, &s->list, &s->store);
  if (status) return demi_system_refuse(s, status, "setting contact histories aside: out of memory");
  if (s->ledger.on) demi_bonds_before_change(&s->bonds, &s->store, &s->box);
  s->list.valid = 0;
  demi_interval_drop(&s->interval);
  s->set_up_checked = 0;
  return DEM_OK;
}
