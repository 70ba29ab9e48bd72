/* Books of frozen particles that move as the host says (driven.c).
 *
 * No force moves such a particle, its mobilities are 0: kicks leave its velocity v and spin w as they are, drifts carry
 * it along. The classes of force book f.(v_i - v_j) and so on, the work on both sides. What they do on a driven particle, with F and
 * T the contact force and torque on it,
 *
 *   P = sum F.v + T.w,
 *
 * changes no kinetic energy: over a time H of kicks whatever drives it supplies -P H, as for a wall. */
#include "driven_books.h"

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Of load c on its driven ends; rows as in store/loads.h. */
static double power_of(const dem_system *s, int64_t c, int walls, int moments) {
  const demi_loads *l = &s->contacts.loads;
  const double *f = l->rows + 8 * c, *turn = f + 4, *velocity = s->store.columns.velocity;
  const double *moment = moments ? l->moment + 4 * (c - l->moment_base) : NULL;
  double power = 0;
  if (demi_store_frozen(&s->store, l->i[c])) {
    const double *v = velocity + 8 * (int64_t)l->i[c];
    power += dot(f, v) - f[3] * dot(turn, v + 4) + (moment ? dot(moment, v + 4) : 0.0);
  }
  if (!walls && demi_store_frozen(&s->store, l->j[c])) {
    const double *v = velocity + 8 * (int64_t)l->j[c];
    power -= dot(f, v) + turn[3] * dot(turn, v + 4) + (moment ? dot(moment, v + 4) : 0.0);
  }
  return power;
}

/* In the order of the loads, whatever the number of threads. */
void demi_driven_measure(dem_system *s) {
  if (!s->driven || !s->ledger.on) return;
  const demi_loads *l = &s->contacts.loads;
  demi_sum sum = {0, 0};
  const int32_t sections = s->bonds.count > 0 ? DEMI_SECTIONS : DEMI_SECTION_BOND;
  for (int32_t k = 0; k < sections && s->contacts.valid; k++) {
    const int walls = k == DEMI_SECTION_WALL || k == DEMI_SECTION_WALL_GAP;
    const int moments = k == DEMI_SECTION_BOND || (l->rolls && k <= DEMI_SECTION_WALL);
    for (int32_t b = 0; b < s->list.motion.blocks; b++)
      for (int64_t c = l->first[k][b]; c < l->first[k][b] + l->count[k][b]; c++)
        demi_sum_add(&sum, power_of(s, c, walls, moments));
  }
  s->interval.driven_power = demi_sum_get(&sum);
}

void demi_driven_book(dem_system *s, double duration) {
  if (s->driven) demi_ledger_add(&s->ledger, &s->ledger.walls, -duration * s->interval.driven_power);
}
