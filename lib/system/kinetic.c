/* Kinetic energies. */
#include "state.h"

void demi_system_kinetic(const dem_system *s, double *linear, double *angular) {
  demi_sum a = {0, 0}, b = {0, 0};
  for (int64_t k = 0; k < s->store.count; k++) {
    if (demi_store_frozen(&s->store, k)) continue;
    const double *v = s->store.columns.velocity + 8 * k, *w = v + 4;
    demi_sum_add(&a, 0.5 * s->store.columns.mass[k] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    demi_sum_add(&b, 0.5 * s->store.columns.inertia[k] * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
  }
  *linear = demi_sum_get(&a);
  *angular = demi_sum_get(&b);
}

double demi_system_kinetic_total(const dem_system *s) {
  double linear, angular;
  demi_system_kinetic(s, &linear, &angular);
  return linear + angular;
}

void demi_system_book_host(dem_system *s, double before) {
  if (!s->ledger.on) return;
  double linear, angular;
  demi_system_kinetic(s, &linear, &angular);
  demi_sum_add(&s->ledger.host, linear);
  demi_sum_add(&s->ledger.host, angular);
  demi_sum_add(&s->ledger.host, -before);
}
