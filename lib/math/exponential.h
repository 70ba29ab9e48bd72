/* exp(-x) for x >= 0 from + - * only, to a few units in the last place for x below 1: the C library's exp may give other bits on
 * another CPU. */
#ifndef DEMI_EXPONENTIAL_H
#define DEMI_EXPONENTIAL_H

static inline double demi_decay(double x) {
  int halvings = 0;
  if (x > 750.0) return 0.0; /* below the smallest number */
  for (; x > 0.125; x *= 0.5) halvings++;
  double sum = 1.0;
  for (int k = 12; k > 0; k--) sum = 1.0 - x / k * sum; /* Taylor, from the smallest term */
  for (; halvings > 0; halvings--) sum *= sum;
  return sum;
}

/* (1 - exp(-x))/x, the mean of exp(-x s) for s from 0 to 1, and 1 at x = 0; for x < 0, where it grows, by (exp(|x|) - 1)/|x|. */
static inline double demi_mean_decay(double x) {
  const double size = x < 0 ? -x : x;
  double mean = 1.0;
  if (size > 0.5) {
    mean = (1.0 - demi_decay(size)) / size;
  } else {
    for (int k = 15; k > 1; k--) mean = 1.0 - size / k * mean;
  }
  return x < 0 ? mean / demi_decay(size) : mean;
}

#endif
