/* The filter of the lean evaluation (lean_chunk.c), once per instruction set, with the same bits from each. 8 picked pairs side by side:
 * r = x_i - x_j in columns, |r|^2 < (R_i + R_j)^2. Those that touch are moved together at the end of the columns.
 *
 *   AVX-512   eight at once; the instruction `compress` moves them together
 *   AVX2      four at once, twice; a permutation for each of the 16 sets of touching pairs moves them together
 *   plain     one by one; a pair that does not touch is written over by the next one
 *
 * Where vectors are wide, the geometry of a contact is computed here, also for the few pairs that do not touch: so the square roots and
 * divisions of some pairs run while others are loaded. Plain code computes it for a whole batch. */
#ifndef DEMI_LEAN_FILTER_H
#define DEMI_LEAN_FILTER_H

#include <math.h>
#include <string.h>

#include "batch.h"
#include "lean.h"
#include "quotient.h"
#include "variant.h"
#include "wide.h"

enum { TOGETHER = 8, FULL = DEMI_BATCH - TOGETHER };

/* Touching pairs of a batch, in columns. */
typedef struct columns {
  double *normal[3]; /* n */
  double *overlap;   /* d; until then, R_i + R_j */
  double *radius;    /* R*; until then, R_i - R_j */
  uint32_t *i, *j;   /* 4 times the rows */
  int32_t count;
} columns;

/* The memory of the filter besides the columns: copies of pointers, which no store changes, so that they stay in registers. */
typedef struct memory {
  const double *position, *shift;
  double *offset, *square; /* of the worker; only plain code uses them */
  int needs_radius;
} memory;

#if defined(__AVX2__)

static inline int all_at_home(const uint8_t *image) {
  uint64_t all;
  memcpy(&all, image, sizeof all);
  return all == DEMI_LEAN_HOME * UINT64_C(0x0101010101010101);
}

#endif

#if defined(__AVX512F__)

/* Rows q and q + 4 of a group, as the halves of a register. */
static inline __attribute__((always_inline)) __m512d two_rows(const double *base, const uint32_t *place, int q) {
  return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(base + place[q])), _mm256_load_pd(base + place[q + 4]), 1);
}

static inline __attribute__((always_inline)) __m512d two_images(const double *shift, const uint8_t *image, int q) {
  return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(shift + image[q])), _mm256_load_pd(shift + image[q + 4]), 1);
}

/* 4 columns of 8 rows, whose halves are side by side. */
static inline __attribute__((always_inline)) void turn_rows(const __m512d in[4], __m512d out[4]) {
  const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  const __m512d ab = _mm512_unpacklo_pd(in[0], in[1]), ab_odd = _mm512_unpackhi_pd(in[0], in[1]);
  const __m512d cd = _mm512_unpacklo_pd(in[2], in[3]), cd_odd = _mm512_unpackhi_pd(in[2], in[3]);
  out[0] = _mm512_permutex2var_pd(ab, low, cd);
  out[1] = _mm512_permutex2var_pd(ab_odd, low, cd_odd);
  out[2] = _mm512_permutex2var_pd(ab, high, cd);
  out[3] = _mm512_permutex2var_pd(ab_odd, high, cd_odd);
}

/* Columns of r with R_i - R_j behind them, and R_i + R_j. */
static inline __attribute__((always_inline)) __m512d find_offsets(const memory *m, const uint32_t *i, const uint32_t *j,
                                                                  const uint8_t *image, __m512d r[4]) {
  const double *position = m->position, *shift = m->shift;
  __m512d d[4], both[4], sums[4];
  for (int q = 0; q < 4; q++) {
    const __m512d a = two_rows(position, i, q), b = two_rows(position, j, q);
    d[q] = _mm512_sub_pd(a, b);
    both[q] = _mm512_add_pd(a, b);
  }
  if (!all_at_home(image))
    for (int q = 0; q < 4; q++)
      d[q] = _mm512_sub_pd(two_rows(position, i, q), _mm512_add_pd(two_rows(position, j, q), two_images(shift, image, q)));
  turn_rows(d, r);
  turn_rows(both, sums);
  return sums[3];
}

/* The first `count` of 8 pairs, with their geometry: the square root and the division of the next ones run meanwhile. */
static inline __attribute__((always_inline)) void filter_group(const memory *m, columns *c, const uint32_t *i,
                                                               const uint32_t *j, const uint8_t *image, int32_t count) {
  __m512d r[4];
  const __m512d sum = find_offsets(m, i, j, image, r);
  const __m512d square =
      _mm512_add_pd(_mm512_add_pd(_mm512_mul_pd(r[0], r[0]), _mm512_mul_pd(r[1], r[1])), _mm512_mul_pd(r[2], r[2]));
  const __mmask8 touch = _mm512_mask_cmp_pd_mask((__mmask8)((1u << count) - 1u), square, _mm512_mul_pd(sum, sum), _CMP_LT_OQ);
  const __m512d one = _mm512_set1_pd(1.0), length = _mm512_sqrt_pd(square);
  const __mmask8 apart = _mm512_cmp_pd_mask(length, _mm512_setzero_pd(), _CMP_GT_OQ);
  const __m512d inverse = _mm512_maskz_div_pd(apart, one, length);
  const int32_t n = c->count;
  _mm512_storeu_pd(c->normal[0] + n, _mm512_maskz_compress_pd(touch, _mm512_mask_mul_pd(one, apart, r[0], inverse)));
  _mm512_storeu_pd(c->normal[1] + n, _mm512_maskz_compress_pd(touch, _mm512_mul_pd(r[1], inverse)));
  _mm512_storeu_pd(c->normal[2] + n, _mm512_maskz_compress_pd(touch, _mm512_mul_pd(r[2], inverse)));
  _mm512_storeu_pd(c->overlap + n, _mm512_maskz_compress_pd(touch, _mm512_sub_pd(sum, length)));
  if (m->needs_radius) {
    const __m512d lean = _mm512_div_pd(_mm512_mul_pd(r[3], r[3]), sum);
    const __m512d radius = _mm512_mul_pd(_mm512_set1_pd(0.25), _mm512_sub_pd(sum, lean));
    _mm512_storeu_pd(c->radius + n, _mm512_maskz_compress_pd(touch, radius));
  }
  _mm256_storeu_si256((__m256i *)(c->i + n), _mm256_maskz_compress_epi32(touch, _mm256_loadu_si256((const __m256i *)i)));
  _mm256_storeu_si256((__m256i *)(c->j + n), _mm256_maskz_compress_epi32(touch, _mm256_loadu_si256((const __m256i *)j)));
  c->count = n + __builtin_popcount(touch);
}

static inline void finish_geometry(const memory *m, columns *c) {
  (void)m;
  (void)c;
}

#elif defined(__AVX2__)

/* For each set of touching pairs among four: the places of its members, one after the other. In halves of doubles for their columns, and
 * for 4 i and 4 j side by side. The next pairs are written over what is behind them. */
#define HALVES(a, b, c, d) \
  { 2 * (a), 2 * (a) + 1, 2 * (b), 2 * (b) + 1, 2 * (c), 2 * (c) + 1, 2 * (d), 2 * (d) + 1 }
#define BOTH_ROWS(a, b, c, d) \
  { a, b, c, d, 4 + (a), 4 + (b), 4 + (c), 4 + (d) }
#define ALL_SETS(X)                                                                                                       \
  X(0, 0, 0, 0), X(0, 0, 0, 0), X(1, 0, 0, 0), X(0, 1, 0, 0), X(2, 0, 0, 0), X(0, 2, 0, 0), X(1, 2, 0, 0), X(0, 1, 2, 0), \
      X(3, 0, 0, 0), X(0, 3, 0, 0), X(1, 3, 0, 0), X(0, 1, 3, 0), X(2, 3, 0, 0), X(0, 2, 3, 0), X(1, 2, 3, 0), X(0, 1, 2, 3)
static const _Alignas(32) int32_t OF_COLUMNS[16][8] = {ALL_SETS(HALVES)}, OF_ROWS[16][8] = {ALL_SETS(BOTH_ROWS)};
#undef HALVES
#undef BOTH_ROWS
#undef ALL_SETS

/* x and y, or z and R, of two rows. */
static inline __attribute__((always_inline)) __m256d two_halves(const double *a, const double *b) {
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(a)), _mm_load_pd(b), 1);
}

/* The half from `part` on of r (or of R_i - R_j) and of the sums of two pairs; the image of j is where its row says, or at `shift`. */
static inline __attribute__((always_inline)) __m256d offset_of_two(const memory *m, const uint32_t *i, const uint32_t *j,
                                                                   const uint8_t *image, int part, __m256d *sum) {
  const double *position = m->position + part, *shift = m->shift + part;
  const __m256d a = two_halves(position + i[0], position + i[2]), b = two_halves(position + j[0], position + j[2]);
  *sum = _mm256_add_pd(a, b);
  if (!image) return _mm256_sub_pd(a, b);
  return _mm256_sub_pd(a, _mm256_add_pd(b, two_halves(shift + image[0], shift + image[2])));
}

/* Columns of r with R_i - R_j behind them, and R_i + R_j, of four pairs. */
static inline __attribute__((always_inline)) __m256d find_offsets(const memory *m, const uint32_t *i, const uint32_t *j,
                                                                  const uint8_t *image, __m256d r[4]) {
  __m256d sum[2], unused;
  const uint8_t *const odd = image ? image + 1 : NULL;
  const __m256d xy = offset_of_two(m, i, j, image, 0, &unused), xy_odd = offset_of_two(m, i + 1, j + 1, odd, 0, &unused);
  const __m256d zr = offset_of_two(m, i, j, image, 2, &sum[0]), zr_odd = offset_of_two(m, i + 1, j + 1, odd, 2, &sum[1]);
  r[0] = _mm256_unpacklo_pd(xy, xy_odd);
  r[1] = _mm256_unpackhi_pd(xy, xy_odd);
  r[2] = _mm256_unpacklo_pd(zr, zr_odd);
  r[3] = _mm256_unpackhi_pd(zr, zr_odd);
  return _mm256_unpackhi_pd(sum[0], sum[1]);
}

static inline __attribute__((always_inline)) void keep(double *column, __m256d value, __m256i places) {
  _mm256_storeu_pd(column, _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(value), places)));
}

/* Four pairs, those in `among`. */
static inline __attribute__((always_inline)) void filter_four(const memory *m, columns *c, const uint32_t *i, const uint32_t *j,
                                                              const uint8_t *image, int among) {
  __m256d r[4];
  const __m256d sum = find_offsets(m, i, j, image, r);
  const __m256d square =
      _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(r[0], r[0]), _mm256_mul_pd(r[1], r[1])), _mm256_mul_pd(r[2], r[2]));
  const int touch = _mm256_movemask_pd(_mm256_cmp_pd(square, _mm256_mul_pd(sum, sum), _CMP_LT_OQ)) & among;
  const __m256i places = _mm256_load_si256((const __m256i *)OF_COLUMNS[touch]);
  const __m256i rows =
      _mm256_permutevar8x32_epi32(_mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)i)),
                                                          _mm_loadu_si128((const __m128i *)j), 1),
                                  _mm256_load_si256((const __m256i *)OF_ROWS[touch]));
  const __m256d one = _mm256_set1_pd(1.0), length = _mm256_sqrt_pd(square);
  /* two centres at the same place have no normal: take an arbitrary one, so that they separate */
  const __m256d apart = _mm256_cmp_pd(length, _mm256_setzero_pd(), _CMP_GT_OQ);
  const __m256d inverse = _mm256_and_pd(apart, _mm256_div_pd(one, _mm256_blendv_pd(one, length, apart)));
  const int32_t n = c->count;
  keep(c->normal[0] + n, _mm256_blendv_pd(one, _mm256_mul_pd(r[0], inverse), apart), places);
  keep(c->normal[1] + n, _mm256_mul_pd(r[1], inverse), places);
  keep(c->normal[2] + n, _mm256_mul_pd(r[2], inverse), places);
  keep(c->overlap + n, _mm256_sub_pd(sum, length), places);
  if (m->needs_radius) {
    const __m256d lean = _mm256_div_pd(_mm256_mul_pd(r[3], r[3]), sum);
    keep(c->radius + n, _mm256_mul_pd(_mm256_set1_pd(0.25), _mm256_sub_pd(sum, lean)), places);
  }
  _mm_storeu_si128((__m128i *)(c->i + n), _mm256_castsi256_si128(rows));
  _mm_storeu_si128((__m128i *)(c->j + n), _mm256_extracti128_si256(rows, 1));
  c->count = n + __builtin_popcount((unsigned)touch);
}

/* The first `count` of 8 pairs. */
static inline __attribute__((always_inline)) void filter_group(const memory *m, columns *c, const uint32_t *i,
                                                               const uint32_t *j, const uint8_t *image, int32_t count) {
  const int among = (1 << count) - 1;
  if (all_at_home(image)) {
    filter_four(m, c, i, j, NULL, among & 15);
    filter_four(m, c, i + 4, j + 4, NULL, among >> 4);
  } else {
    filter_four(m, c, i, j, image, among & 15);
    filter_four(m, c, i + 4, j + 4, image + 4, among >> 4);
  }
}

static inline void finish_geometry(const memory *m, columns *c) {
  (void)m;
  (void)c;
}

#else

static inline __attribute__((always_inline)) void filter_group(const memory *m, columns *c, const uint32_t *i,
                                                               const uint32_t *j, const uint8_t *image, int32_t count) {
  const double *position = m->position, *shift = m->shift;
  int32_t n = c->count;
  for (int32_t k = 0; k < count; k++) {
    const demi_wide p = demi_load4(position + i[k]), q = demi_load4(position + j[k]);
    const demi_wide d = p - (q + demi_load4(shift + image[k])), square = d * d;
    const double r2 = square[0] + square[1] + square[2], sum = p[3] + q[3];
    demi_store4(m->offset + 4 * n, d);
    c->overlap[n] = sum;
    m->square[n] = r2;
    c->i[n] = i[k];
    c->j[n] = j[k];
    n += r2 < sum * sum; /* no branch: it would be mispredicted */
  }
  c->count = n;
}

static inline void finish_geometry(const memory *m, columns *c) {
  double *restrict nx = c->normal[0], *restrict ny = c->normal[1], *restrict nz = c->normal[2];
  double *restrict overlap = c->overlap, *restrict radius = c->radius;
  const double *restrict square = m->square;
  const int needed = m->needs_radius;
  for (int32_t k = c->count; k < DEMI_ROUND_UP(c->count); k++) {
    demi_store4(m->offset + 4 * k, demi_spread(0.0));
    overlap[k] = m->square[k] = 1;
  }
  for (int32_t k = 0; k < DEMI_ROUND_UP(c->count); k += 4) {
    const double *row = m->offset + 4 * k;
    demi_wide x = demi_load4(row), y = demi_load4(row + 4), z = demi_load4(row + 8), d = demi_load4(row + 12);
    demi_transpose4(&x, &y, &z, &d);
    demi_store4(nx + k, x);
    demi_store4(ny + k, y);
    demi_store4(nz + k, z);
    demi_store4(radius + k, d);
  }
  DEMI_INDEPENDENT
  for (int32_t k = 0; k < DEMI_ROUND_UP(c->count); k++) {
    /* two centres at the same place have no normal: take an arbitrary one, so that they separate */
    const double r = sqrt(square[k]), inverse = demi_quotient(1.0, r, 0.0), sum = overlap[k];
    nx[k] = demi_choose(r > 0, nx[k] * inverse, 1.0);
    ny[k] *= inverse;
    nz[k] *= inverse;
    overlap[k] = sum - r;
    radius[k] = needed ? 0.25 * (sum - radius[k] * radius[k] / sum) : 1.0;
  }
}

#endif

#endif
