/* Cube root of x >= 0 from + - * / and the bits of a number only: the C library's cbrt may give other bits on another CPU, and
 * does not vectorise. Within 1 unit in the last place for normal numbers; below them, where nothing here ever comes, it is only
 * finite.
 *
 * Seed: a third of the exponent and mantissa, read as one integer, is a piecewise linear approximation of the logarithm's third
 * (Kahan), right to 6 %. Two steps of Halley, which cube the error, t <- t (t^3 + 2 x)/(2 t^3 + x), leave 1e-12; the last step is
 * Newton's, written as a small correction so that its own rounding hardly counts. */
#ifndef DEMI_CUBE_ROOT_H
#define DEMI_CUBE_ROOT_H

#include <stdint.h>
#include <string.h>

static inline double demi_cube_root(double x) {
  uint64_t bits;
  double t;
  memcpy(&bits, &x, sizeof bits);
  /* the upper half times 2^32/3, in 32 bits by 32, which vector registers can do; 715094163 = 2/3 of the exponent's offset */
  bits = (((bits >> 32) * UINT64_C(0x55555555) >> 32) + UINT64_C(715094163)) << 32;
  memcpy(&t, &bits, sizeof t);
  for (int k = 0; k < 2; k++) {
    const double cube = t * t * t;
    t = t * ((cube + 2.0 * x) / (2.0 * cube + x));
  }
  t -= (t - x / (t * t)) * (1.0 / 3.0);
  return x > 0 ? t : 0.0;
}

#endif
