/* Sums over the lanes of a batch, four side by side: the order is the same for every instruction set. */
#ifndef DEMI_LANE_SUMS_H
#define DEMI_LANE_SUMS_H

#include "batch.h"
#include "wide.h"

/* Sum over lanes of a * b. */
static inline double demi_dot_lanes(const double *a, const double *b, int32_t count) {
  demi_wide sum = {0};
  int32_t k = 0;
  for (; k + 4 <= count; k += 4) sum += demi_load4(a + k) * demi_load4(b + k);
  double rest = 0;
  for (; k < count; k++) rest += a[k] * b[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
}

static inline double demi_dot_vectors(demi_lanes *a, demi_lanes *b, int32_t count) {
  return demi_dot_lanes(a[0], b[0], count) + demi_dot_lanes(a[1], b[1], count) + demi_dot_lanes(a[2], b[2], count);
}

/* Sum of lanes in the same way. */
static inline double demi_sum_lanes(const double *a, int32_t count) {
  demi_wide sum = {0};
  int32_t k = 0;
  for (; k + 4 <= count; k += 4) sum += demi_load4(a + k);
  double rest = 0;
  for (; k < count; k++) rest += a[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
}

#endif
