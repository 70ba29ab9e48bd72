/* Bookings of work: of the contacts over the pieces of an interval (interval.h), of gravity, host and drag after each pass. */
#include "books.h"

#include <string.h>

#include "bond_breaks.h"
#include "box_motion.h"
#include "driven_books.h"
#include "shares.h"
#include "state.h"

/* Without gaps and bonds their sections are empty. */
demi_totals demi_books_totals(const dem_system *s, const double *sums) {
  const int32_t sections = s->bonds.count > 0 ? DEMI_SECTIONS : s->laws.gaps ? DEMI_SECTION_BOND : DEMI_SECTION_GAP;
  return demi_contacts_totals(sums, &s->list, sections, s->contacts.loads.rolls);
}

/* Books the present piece of the interval, which ends with the powers of `end_sums`; returns these. */
static demi_totals book_piece(dem_system *s) {
  const demi_totals end = demi_books_totals(s, s->contacts.end_sums);
  demi_ledger_book(&s->ledger, &s->interval.first, &end, s->interval.unbooked);
  return end;
}

void demi_books_now(dem_system *s) {
  if (!s->ledger.on) return;
  const demi_kicks kicks = demi_interval_kicks(&s->interval);
  demi_walls_book(s, kicks.closing);
  demi_driven_book(s, kicks.closing);
  demi_box_book(s, kicks.closing);
  const int due = kicks.closing != 0 || (s->contacts.shares && !kicks.marked);
  if (!due || !s->contacts.valid) return;
  const double start = demi_seconds();
  demi_contacts_power(&s->store, &s->list, &s->contacts, &kicks);
  demi_bonds_book(&s->bonds, &s->store, 0, s->bonds.count, kicks.closing);
  const demi_totals now = book_piece(s);
  demi_interval_mark(&s->interval, &now);
  s->seconds.ledger += demi_seconds() - start;
}

void demi_books_hand_on(dem_system *s) {
  if (s->options.ledger < 2) return;
  demi_books_now(s);
  demi_shares_hand_on(s);
  demi_bonds_hand_on_heat(s);
}

/* Slip and hysteresis of all modes; the normal one has no slip. */
static void book_slips(dem_system *s, int32_t section, const double *of) {
  const int32_t modes = s->contacts.loads.rolls ? DEMI_MODES : DEMI_COMMON_MODES;
  for (int32_t mode = DEMI_MODE_NORMAL + 1; mode < modes; mode++) {
    const double *slip = of + DEMI_MODE_ENTRY(mode, DEMI_OF_SLIP);
    demi_ledger_slide(&s->ledger, section, mode, slip[DEMI_SPRING], slip[DEMI_DASHPOT]);
    demi_ledger_take(&s->ledger, section, mode, of[DEMI_MODE_ENTRY(mode, DEMI_OF_HYSTERESIS)]);
  }
  demi_ledger_take(&s->ledger, section, DEMI_MODE_NORMAL, of[DEMI_HYSTERESIS_NORMAL]);
}

void demi_books_evaluation(dem_system *s) {
  const double unbooked = s->interval.unbooked;
  demi_walls_book(s, unbooked);
  demi_driven_book(s, unbooked);
  demi_box_book(s, unbooked);
  if (unbooked != 0) book_piece(s);
  demi_totals *now = &s->interval.first;
  *now = demi_books_totals(s, s->contacts.sums);
  for (int32_t section = 0; section < DEMI_SECTIONS; section++) book_slips(s, section, now->of[section]);
  demi_ledger_relax(&s->ledger, now->of[DEMI_SECTION_BOND][DEMI_RELAXATION]);
}

void demi_books_torn(void *user, int32_t i, int32_t j, const demi_stored *held) {
  dem_system *s = user;
  const int32_t section = j < 0 ? DEMI_SECTION_WALL : DEMI_SECTION_PAIR;
#define TAKE(mode, name) demi_ledger_take(&s->ledger, section, DEMI_MODE_##mode, held->name);
  DEMI_MODE_LIST(TAKE)
#undef TAKE
  demi_shares_torn(s, i, j, held);
}

static double sum_work(const dem_system *s, int32_t entry) {
  demi_sum sum = {0, 0};
  for (int32_t b = 0; b < s->list.motion.blocks; b++) demi_sum_add(&sum, s->work[DEMI_WORK_ENTRIES * (int64_t)b + entry]);
  return demi_sum_get(&sum);
}

void demi_books_pass(dem_system *s) {
  demi_ledger_add(&s->ledger, &s->ledger.gravity, -sum_work(s, DEMI_WORK_GRAVITY));
  if (s->store.host_used) {
    const double torque = sum_work(s, DEMI_WORK_HOST_TORQUE);
    demi_ledger_add(&s->ledger, &s->ledger.host, sum_work(s, DEMI_WORK_HOST));
    demi_ledger_add(&s->ledger, &s->ledger.host, torque);
    demi_ledger_add(&s->ledger, &s->ledger.host_torque, torque);
  }
  if (s->options.drag > 0 || s->store.columns.fluid) {
    const double torque = sum_work(s, DEMI_WORK_DRAG_TORQUE);
    demi_ledger_add(&s->ledger, &s->ledger.drag, -sum_work(s, DEMI_WORK_DRAG));
    demi_ledger_add(&s->ledger, &s->ledger.drag, -torque);
    demi_ledger_add(&s->ledger, &s->ledger.drag_torque, -torque);
  }
}
