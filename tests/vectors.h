/* Vectors of three numbers. Include assertions.h first. */
#ifndef TESTS_VECTORS_H
#define TESTS_VECTORS_H

static inline double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* out = a x b; out is neither a nor b. */
static inline void cross(const double *a, const double *b, double *out) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* v = (x, y, z), each component to tol. */
static inline void assert_vector(const double *v, double x, double y, double z, double tol) {
  ASSERT_ABS(v[0], x, tol);
  ASSERT_ABS(v[1], y, tol);
  ASSERT_ABS(v[2], z, tol);
}

#endif
