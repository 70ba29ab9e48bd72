/* Compensated summation (Neumaier 1974): the sum of many terms to nearly twice the working precision. */
#ifndef DEMI_COMPENSATED_H
#define DEMI_COMPENSATED_H

#include <math.h>

typedef struct demi_sum {
  double value, correction;
} demi_sum;

static inline void demi_sum_add(demi_sum *sum, double term) {
  const double t = sum->value + term;
  sum->correction += fabs(sum->value) >= fabs(term) ? (sum->value - t) + term : (term - t) + sum->value;
  sum->value = t;
}

static inline double demi_sum_get(const demi_sum *sum) { return sum->value + sum->correction; }

#endif
