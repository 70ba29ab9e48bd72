/* See quasi_kernels.h. Sums run in 16 lanes: number i is added to lane i mod 16, and lane l in the end to lanes l + 8, l + 4, l + 2, l + 1.
 * No product is fused with its sum. */
#include "quasi_kernels.h"

#include <string.h>

#include "long_vectors.h"
#include "wide.h"

/* As many numbers as a register holds. */
#if defined(__AVX512F__)
enum { WIDTH = 8, GROUPS = 2 };
#else
enum { WIDTH = 4, GROUPS = 4 };
#endif
typedef double lanes __attribute__((vector_size(8 * WIDTH), aligned(32)));
typedef int64_t lane_bits __attribute__((vector_size(8 * WIDTH), aligned(32)));
typedef float narrow __attribute__((vector_size(4 * WIDTH), aligned(16)));
/* Sixteen numbers. */
typedef struct row {
  lanes of[GROUPS];
} row;

#define FOR_GROUPS _Pragma("GCC unroll 4") for (int q = 0; q < GROUPS; q++)

static inline lanes load(const double *p, int q) { return *(const lanes *)(const void *)(p + WIDTH * q); }
static inline void store(double *p, int q, lanes v) { *(lanes *)(void *)(p + WIDTH * q) = v; }
static inline lanes widen(const float *p, int q) {
  return __builtin_convertvector(*(const narrow *)(const void *)(p + WIDTH * q), lanes);
}
static inline void store_narrow(float *p, int q, lanes v) {
  *(narrow *)(void *)(p + WIDTH * q) = __builtin_convertvector(v, narrow);
}
static inline lanes spread(double s) { return s - (lanes){0}; }

/* Lanes 0 to 3 and so on, as wide.h has them. */
static inline void split(const row *s, demi_wide four[4]) { memcpy(four, s, 4 * sizeof *four); }

static inline double add_lanes(const row *s) {
  demi_wide f[4];
  split(s, f);
  const demi_wide all = (f[0] + f[2]) + (f[1] + f[3]);
  return (all[0] + all[2]) + (all[1] + all[3]);
}

static inline double largest_lane(const row *s) {
  double most = 0;
  demi_wide f[4];
  split(s, f);
  for (int q = 0; q < 4; q++)
    for (int a = 0; a < 4; a++) most = f[q][a] > most ? f[q][a] : most;
  return most;
}

static inline lanes larger(lanes a, lanes b) {
  const lane_bits first = a > b;
  return (lanes)(((lane_bits)a & first) | ((lane_bits)b & ~first));
}

static inline lanes magnitude(lanes v) { return (lanes)((lane_bits)v & (INT64_MAX - (lane_bits){0})); }

void DEMI_VARIANT_NAME(quasi_step)(const demi_quasi_block *b, double *out) {
  row square, most;
  memset(&square, 0, sizeof square);
  memset(&most, 0, sizeof most);
  for (int64_t i = 0; i < b->count; i += 16) {
    row d;
    FOR_GROUPS d.of[q] = b->gradient_factor * load(b->gradient + i, q);
    for (int32_t k = 0; k < b->kept; k++) {
      const lanes factor = spread(b->factor[k]);
      const float *a = b->pairs + b->place[k] + i;
      FOR_GROUPS d.of[q] += factor * widen(a, q);
    }
    FOR_GROUPS {
      const lanes x = load(b->x + i, q), tried = x + d.of[q], made = tried - x;
      store(b->tried + i, q, tried);
      store_narrow(b->pairs + b->step + i, q, b->step_scale * made);
      square.of[q] += made * made;
      most.of[q] = larger(magnitude(made), most.of[q]);
    }
  }
  out[0] = add_lanes(&square);
  out[1] = largest_lane(&most);
}

/* Product of an array of pairs with y. */
static inline double multiply(const float *a, const double *y, int64_t count) {
  row sum;
  memset(&sum, 0, sizeof sum);
  for (int64_t i = 0; i < count; i += 16) FOR_GROUPS sum.of[q] += widen(a + i, q) * load(y + i, q);
  return add_lanes(&sum);
}

/* The sums of the tried step itself, and y. */
static inline void note_step(const demi_quasi_block *b, double *y, double *out) {
  row sum[DEMI_QUASI_OWN_SUMS];
  memset(sum, 0, sizeof sum);
  for (int64_t i = 0; i < b->count; i += 16) {
    FOR_GROUPS {
      const lanes g = load(b->tried_gradient + i, q), change = g - load(b->gradient + i, q);
      const lanes s = widen(b->pairs + b->step + i, q);
      store_narrow(b->pairs + b->change + i, q, b->change_scale * change);
      store(y + i, q, change);
      sum[0].of[q] += s * g;
      sum[1].of[q] += s * change;
      sum[2].of[q] += change * g;
      sum[3].of[q] += change * change;
      sum[4].of[q] += g * g;
    }
  }
  for (int k = 0; k < DEMI_QUASI_OWN_SUMS; k++) out[k] = add_lanes(&sum[k]);
}

void DEMI_VARIANT_NAME(quasi_note)(const demi_quasi_block *b, double *out) {
  _Alignas(64) double y[DEMI_VECTOR_BLOCK];
  note_step(b, y, out);
  for (int32_t k = 0; k < b->kept; k++) out[DEMI_QUASI_OWN_SUMS + k] = multiply(b->pairs + b->place[k], y, b->count);
}
