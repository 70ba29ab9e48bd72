/* Choices and quotients for loops over lanes that neither keep the loop from being vectorised nor raise floating-point exceptions,
 * which kill a host that traps. A compiler that may not raise what the source does not raise makes `b > 0 ? a / b : 0` a branch:
 * AVX-512 has masks for it, AVX2 has not and would do lane by lane. There every lane divides, by b or by 1, and the choice
 * is made among bits, which no compiler turns back into a branch around the division. All forms give the same bits. */
#ifndef DEMI_QUOTIENT_H
#define DEMI_QUOTIENT_H

#include <stdint.h>

#if defined(__AVX2__) && !defined(__AVX512F__)

typedef union demi_bits {
  double value;
  int64_t bits;
} demi_bits;

/* yes where `which` is 1, no where it is 0. */
static inline double demi_choose(int64_t which, double yes, double no) {
  const demi_bits y = {.value = yes}, n = {.value = no};
  const demi_bits chosen = {.bits = (y.bits & -which) | (n.bits & ~-which)};
  return chosen.value;
}

/* a/b where `defined` is 1, otherwise `other`. */
static inline double demi_quotient_where(int64_t defined, double a, double b, double other) {
  return demi_choose(defined, a / demi_choose(defined, b, 1.0), other);
}

#else

static inline double demi_choose(int which, double yes, double no) { return which ? yes : no; }

static inline double demi_quotient_where(int defined, double a, double b, double other) { return defined ? a / b : other; }

#endif

/* a/b where b > 0, otherwise `other`. */
static inline double demi_quotient(double a, double b, double other) { return demi_quotient_where(b > 0, a, b, other); }

#endif
