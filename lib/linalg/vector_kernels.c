/* Sums over one block run in 16 lanes: entry i is added to lane i mod 16. The lanes are added as
 * ((0+4)+(8+12)) + ..., four at a time, then the four. No product is fused with its sum. */
#include "vector_kernels.h"

#include <math.h>
#include <string.h>

#include "wide.h"

static inline demi_wide load(const double *p) {
  demi_wide v;
  memcpy(&v, p, sizeof v); /* arrays of a host may have any alignment */
  return v;
}

double DEMI_VARIANT_NAME(dot_block)(const double *a, const double *b, int64_t n) {
  demi_wide s0 = demi_spread(0), s1 = s0, s2 = s0, s3 = s0;
  int64_t i = 0;
  for (; i + 16 <= n; i += 16) {
    s0 += load(a + i) * load(b + i);
    s1 += load(a + i + 4) * load(b + i + 4);
    s2 += load(a + i + 8) * load(b + i + 8);
    s3 += load(a + i + 12) * load(b + i + 12);
  }
  if (i < n) { /* the rest, filled up with zeros: they add nothing */
    double restA[16] = {0}, restB[16] = {0};
    memcpy(restA, a + i, (size_t)(n - i) * sizeof *a);
    memcpy(restB, b + i, (size_t)(n - i) * sizeof *b);
    s0 += load(restA) * load(restB);
    s1 += load(restA + 4) * load(restB + 4);
    s2 += load(restA + 8) * load(restB + 8);
    s3 += load(restA + 12) * load(restB + 12);
  }
  const demi_wide s = (s0 + s2) + (s1 + s3);
  return (s[0] + s[2]) + (s[1] + s[3]);
}

/* `out` may be a or b, which the pragma allows: entry i of all of them belongs together. */
void DEMI_VARIANT_NAME(combine_run)(double s, const double *a, double t, const double *b, double *out, int64_t n) {
  DEMI_INDEPENDENT
  for (int64_t i = 0; i < n; i++) out[i] = s * a[i] + t * b[i];
}

/* demi_max drops a NaN, so NaN are noted apart; comparing raises no exception for them. */
double DEMI_VARIANT_NAME(largest_block)(const double *a, int64_t n) {
  demi_wide m0 = demi_spread(0), m1 = m0;
  demi_wide_mask nan = {0, 0, 0, 0};
  double rest[8] = {0};
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const demi_wide v0 = load(a + i), v1 = load(a + i + 4);
    nan |= (v0 != v0) | (v1 != v1);
    m0 = demi_max(m0, demi_max(v0, -v0));
    m1 = demi_max(m1, demi_max(v1, -v1));
  }
  memcpy(rest, a + i, (size_t)(n - i) * sizeof *a);
  const demi_wide v0 = load(rest), v1 = load(rest + 4);
  nan |= (v0 != v0) | (v1 != v1);
  m0 = demi_max(demi_max(m0, m1), demi_max(demi_max(v0, -v0), demi_max(v1, -v1)));
  if (nan[0] | nan[1] | nan[2] | nan[3]) return NAN;
  return fmax(fmax(m0[0], m0[1]), fmax(m0[2], m0[3]));
}
