/* One block of the vectors of quasi_memory.c: at most DEMI_VECTOR_BLOCK numbers, once per instruction set, with the same bits from each. */
#ifndef DEMI_QUASI_KERNELS_H
#define DEMI_QUASI_KERNELS_H

#include <stdint.h>

#include "variant.h"

enum { DEMI_PAIRS_MOST = 33, DEMI_QUASI_OWN_SUMS = 5 };

/* A block of each array; all begin at multiples of 32 bytes. */
typedef struct demi_quasi_block {
  int64_t count;          /* numbers, a multiple of 16 */
  int32_t kept;           /* arrays of pairs, in single precision */
  const int64_t *place;   /* of each of them, from `pairs` on */
  const double *factor;   /* of each of them in the step */
  double gradient_factor; /* of the gradient in the step */
  float *pairs;           /* the block of all arrays of pairs */
  int64_t step, change;   /* places of the tried step and of its change of the gradient */
  double step_scale, change_scale;
  const double *x, *gradient; /* at the present point */
  double *tried;              /* the tried point */
  const double *tried_gradient;
} demi_quasi_block;

/* tried = x + gradient_factor gradient + sum of factor array;  step = step_scale (tried - x).
 * out: |tried - x|^2, largest |tried - x|. */
typedef void demi_quasi_step_fn(const demi_quasi_block *block, double *out);

/* With y = tried_gradient - gradient:  change = change_scale y.
 * out: step.tried_gradient, step.y, y.tried_gradient, y.y, |tried_gradient|^2; then the product of each array with y. */
typedef void demi_quasi_note_fn(const demi_quasi_block *block, double *out);

DEMI_DECLARE_VARIANTS(demi_quasi_step_fn, quasi_step);
DEMI_DECLARE_VARIANTS(demi_quasi_note_fn, quasi_note);

#endif
