/* Vector operations over one run of whole blocks; the number of the last block's entries may be smaller. */
#ifndef DEMI_VECTOR_KERNELS_H
#define DEMI_VECTOR_KERNELS_H

#include <stdint.h>

#include "variant.h"

/* partial[k] = sum over i < n of a[i] b[i], of one block */
typedef double demi_dot_fn(const double *a, const double *b, int64_t n);
typedef void demi_combine_fn(double s, const double *a, double t, const double *b, double *out, int64_t n);
/* largest |a[i]|; NaN where there is one */
typedef double demi_largest_fn(const double *a, int64_t n);

DEMI_DECLARE_VARIANTS(demi_dot_fn, dot_block);
DEMI_DECLARE_VARIANTS(demi_combine_fn, combine_run);
DEMI_DECLARE_VARIANTS(demi_largest_fn, largest_block);

#endif
