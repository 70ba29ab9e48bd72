/* Kinetic energies, and what the host's changes bring to them.
 *
 * Books of changes take the energies of the particles that changed, computed as here, new ones in and old ones out. So what was
 * not changed is booked as nothing, and what is booked is, but for the rounding of a compensated sum, the change of what is read. */
#include "kinetic.h"

#include "state.h"

demi_kinetic demi_kinetic_of(const dem_system *s, int64_t row) {
  const double *v = s->store.columns.velocity + 8 * row, *w = v + 4;
  demi_kinetic k = {0, 0};
  if (demi_store_frozen(&s->store, row)) return k;
  k.linear = 0.5 * s->store.columns.mass[row] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  k.angular = 0.5 * s->store.columns.inertia[row] * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  return k;
}

demi_kinetic_sums demi_kinetic_all(const dem_system *s) {
  demi_kinetic_sums all = {{0, 0}, {0, 0}};
  for (int64_t row = 0; row < s->store.count; row++) {
    if (demi_store_frozen(&s->store, row)) continue;
    const demi_kinetic k = demi_kinetic_of(s, row);
    demi_sum_add(&all.linear, k.linear);
    demi_sum_add(&all.angular, k.angular);
  }
  return all;
}

void demi_system_kinetic(const dem_system *s, double *linear, double *angular) {
  const demi_kinetic_sums all = demi_kinetic_all(s);
  *linear = demi_sum_get(&all.linear);
  *angular = demi_sum_get(&all.angular);
}

static void exchange(dem_system *s, double before, double after) {
  if (before == after) return;
  demi_ledger_add(&s->ledger, &s->ledger.host, after);
  demi_ledger_add(&s->ledger, &s->ledger.host, -before);
}

void demi_kinetic_book(dem_system *s, int64_t row, demi_kinetic before) {
  if (!s->ledger.on) return;
  const demi_kinetic after = demi_kinetic_of(s, row);
  exchange(s, before.linear, after.linear);
  exchange(s, before.angular, after.angular);
}

void demi_kinetic_bring(dem_system *s, int64_t row) { demi_kinetic_book(s, row, (demi_kinetic){0, 0}); }

void demi_kinetic_take(dem_system *s, int64_t row) {
  const demi_kinetic gone = demi_kinetic_of(s, row);
  if (!s->ledger.on) return;
  exchange(s, gone.linear, 0);
  exchange(s, gone.angular, 0);
}

void demi_kinetic_book_all(dem_system *s, const demi_kinetic_sums *before) {
  if (!s->ledger.on) return;
  const demi_kinetic_sums after = demi_kinetic_all(s);
  exchange(s, before->linear.value, after.linear.value);
  exchange(s, before->linear.correction, after.linear.correction);
  exchange(s, before->angular.value, after.angular.value);
  exchange(s, before->angular.correction, after.angular.correction);
}
