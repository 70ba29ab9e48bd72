/* Four doubles as one value, through the compilers' vector extension: the same source compiles to AVX or to plain scalar code
 * and, as only + - * / sqrt and comparisons are used lane by lane, gives the same bits. Rows of the particle arrays are one
 * (position) or two (velocity, load) of these. */
#ifndef DEMI_WIDE_H
#define DEMI_WIDE_H

#include <stdint.h>
#if defined(__AVX__)
#include <immintrin.h>
#endif

typedef double demi_wide __attribute__((vector_size(32)));
typedef int64_t demi_wide_mask __attribute__((vector_size(32)));

static inline demi_wide demi_load4(const double *p) { return *(const demi_wide *)__builtin_assume_aligned(p, 32); }
static inline void demi_store4(double *p, demi_wide v) { *(demi_wide *)__builtin_assume_aligned(p, 32) = v; }
static inline demi_wide demi_spread(double s) { return (demi_wide){s, s, s, s}; }

/* Keeps lanes 0 to 2, clears lane 3 (where rows carry radius or inverse mass). */
static inline demi_wide demi_xyz(demi_wide v) { return (demi_wide)((demi_wide_mask)v & (demi_wide_mask){-1, -1, -1, 0}); }

static inline demi_wide demi_lane3(demi_wide v) { return __builtin_shufflevector(v, v, 3, 3, 3, 3); }

/* Plain code compares two doubles at once; wider vectors compilers compare lane by lane there, with branches. */
typedef double demi_half __attribute__((vector_size(16)));
typedef int64_t demi_half_mask __attribute__((vector_size(16)));
typedef union demi_halves {
  demi_wide all;
  demi_half half[2];
} demi_halves;

static inline demi_half demi_half_min(demi_half a, demi_half b) {
  const demi_half_mask m = a < b;
  return (demi_half)(((demi_half_mask)a & m) | ((demi_half_mask)b & ~m));
}

static inline demi_half demi_half_max(demi_half a, demi_half b) {
  const demi_half_mask m = a > b;
  return (demi_half)(((demi_half_mask)a & m) | ((demi_half_mask)b & ~m));
}

/* a < b ? a : b lane by lane; b where either is NaN. The machine's own instruction means the same. */
static inline demi_wide demi_min(demi_wide a, demi_wide b) {
#if defined(__AVX__)
  return (demi_wide)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
  const demi_halves x = {a}, y = {b};
  const demi_halves least = {.half = {demi_half_min(x.half[0], y.half[0]), demi_half_min(x.half[1], y.half[1])}};
  return least.all;
#endif
}

static inline demi_wide demi_max(demi_wide a, demi_wide b) {
#if defined(__AVX__)
  return (demi_wide)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
  const demi_halves x = {a}, y = {b};
  const demi_halves most = {.half = {demi_half_max(x.half[0], y.half[0]), demi_half_max(x.half[1], y.half[1])}};
  return most.all;
#endif
}

/* Rows to columns: a[k] becomes lane-k column of the four rows. */
static inline void demi_transpose4(demi_wide *a, demi_wide *b, demi_wide *c, demi_wide *d) {
  const demi_wide ab_low = __builtin_shufflevector(*a, *b, 0, 4, 2, 6), ab_high = __builtin_shufflevector(*a, *b, 1, 5, 3, 7);
  const demi_wide cd_low = __builtin_shufflevector(*c, *d, 0, 4, 2, 6), cd_high = __builtin_shufflevector(*c, *d, 1, 5, 3, 7);
  *a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  *b = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  *c = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  *d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

#endif
