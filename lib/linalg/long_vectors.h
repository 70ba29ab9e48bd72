/* Operations on long arrays of n numbers, with threads. Arrays need no alignment and no padding.
 *
 * Sums have the same bits for any number of threads and every instruction set: an array is cut into blocks of DEMI_VECTOR_BLOCK
 * numbers; in a block number i is added to lane i mod 16, then the lanes are added in a fixed order, then the sums of the blocks from
 * the first to the last. */
#ifndef DEMI_LONG_VECTORS_H
#define DEMI_LONG_VECTORS_H

#include <dem/context.h>

enum {
  DEMI_VECTOR_BLOCK = 1024, /* 8 KiB: a block of each of two arrays stays in the first-level cache */
  DEMI_DOTS_MOST = 72       /* products in one pass */
};

typedef struct demi_vectors {
  dem_context *context;
  int64_t n;
  int64_t blocks;
  int32_t threads;
  double *partial; /* sums of the blocks: DEMI_DOTS_MOST rows of `blocks` */
} demi_vectors;

/* Room for sums over arrays of n >= 1 numbers. DEM_NO_MEMORY: nothing is held. */
dem_status demi_vectors_open(demi_vectors *v, dem_context *context, int64_t n, int32_t threads);
void demi_vectors_close(demi_vectors *v);
/* An array of n zeros, aligned to 64 bytes; NULL when memory is short. */
double *demi_vectors_new(const demi_vectors *v);
/* Frees it; NULL is allowed. */
void demi_vectors_delete(const demi_vectors *v, double *array);

/* a . b */
double demi_dot(const demi_vectors *v, const double *a, const double *b);
/* |a|, the 2-norm */
double demi_norm(const demi_vectors *v, const double *a);
/* products[k] = a[k] . b[k], k < count <= DEMI_DOTS_MOST, in one pass; each has the bits of demi_dot. */
void demi_dots(const demi_vectors *v, int32_t count, const double *const *a, const double *const *b, double *products);
/* y += s a */
void demi_axpy(const demi_vectors *v, double s, const double *a, double *y);
/* out = s a + t b; `out` may be a or b. */
void demi_combine(const demi_vectors *v, double s, const double *a, double t, const double *b, double *out);
/* out = a */
void demi_copy(const demi_vectors *v, const double *a, double *out);
/* Largest |a_i|; NaN where there is one. */
double demi_largest(const demi_vectors *v, const double *a);

#endif
