/* Stored energies of springs and bonds, and their changes by the host: the difference is booked as the host's work. */
#include "stored_energy.h"

#include <string.h>

#include "books.h"
#include "engine.h"
#include "ready.h"

/* As the latest trial evaluation found them. */
static demi_potentials read_potentials(const dem_system *s) {
  const demi_totals now = demi_books_totals(s, s->contacts.sums);
  demi_potentials p;
  for (int32_t k = 0; k < 2; k++) {
    for (int32_t mode = 0; mode < DEMI_MODES; mode++) p.of[mode][k] = now.of[k][DEMI_MODE_ENTRY(mode, DEMI_OF_ENERGY)];
    p.of[DEMI_MODE_NORMAL][k] += now.of[DEMI_SECTION_GAP + k][DEMI_ENERGY_NORMAL];
  }
  p.bond = now.of[DEMI_SECTION_BOND][DEMI_ENERGY_NORMAL] + now.of[DEMI_SECTION_BOND][DEMI_ENERGY_TANGENTIAL];
  return p;
}

static double all_of(const demi_potentials *p, int32_t walls) {
  double sum = 0;
  for (int32_t mode = 0; mode < DEMI_MODES; mode++) sum += p->of[mode][walls];
  return sum + (walls ? 0.0 : p->bond);
}

dem_status demi_stored_find(dem_system *s, demi_potentials *p) {
  memset(p, 0, sizeof *p);
  const int alone = s->laws.count == 0 && s->bonds.count == 0;
  if (s->store.count == 0 || alone) return DEM_OK;
  dem_status status = demi_system_ready(s);
  if (!status) status = demi_engine_potentials(s);
  if (!status) *p = read_potentials(s);
  return status;
}

/* Uses the present list, even when it has just expired: a search would sort the rows, and a run with a ledger would then
 * differ from one without. Contacts that began since the last evaluation may be missing; this is within the error of one
 * step. */
dem_status demi_stored_before_change(dem_system *s) {
  if (!s->ledger.on || s->host_change.pending) return DEM_OK;
  demi_potentials p;
  memset(&p, 0, sizeof p);
  if (s->contacts.valid && s->list.valid) {
    const dem_status status = demi_engine_potentials_listed(s);
    if (status) return status;
    p = read_potentials(s);
  }
  for (int32_t k = 0; k < 2; k++) s->host_change.stored[k] = all_of(&p, k);
  s->host_change.pending = 1;
  return DEM_OK;
}

void demi_stored_book_change(dem_system *s, const demi_potentials *p) {
  if (!s->host_change.pending) return;
  for (int32_t k = 0; k < 2; k++) {
    demi_sum_add(&s->ledger.potential_host[k], all_of(p, k));
    demi_sum_add(&s->ledger.potential_host[k], -s->host_change.stored[k]);
  }
  s->host_change.pending = 0;
}

dem_status demi_stored_after_change(dem_system *s) {
  if (!s->ledger.on || !s->host_change.pending) return DEM_OK;
  demi_potentials p;
  const dem_status status = demi_stored_find(s, &p);
  if (!status) demi_stored_book_change(s, &p);
  return status;
}
