/* The pairs of a quasi-Newton method and all products of them; see quasi_newton.c. */
#ifndef DEMI_QUASI_MEMORY_H
#define DEMI_QUASI_MEMORY_H

#include "minimiser.h"
#include "quasi_kernels.h"

/* Slots 0 ... memory; one of them is that of the tried step. */
typedef struct demi_quasi_memory {
  int32_t memory, kept;          /* at most so many pairs; pairs */
  int32_t slot[DEMI_PAIRS_MOST]; /* of the pairs, from the oldest to the newest; then the spare one */
  float *pairs; /* of each block of DEMI_VECTOR_BLOCK numbers: of each slot the step, then the change of the gradient */
  double step_scale[DEMI_PAIRS_MOST], change_scale[DEMI_PAIRS_MOST]; /* powers of 2: the arrays are those times these */
  double step_slope[DEMI_PAIRS_MOST], change_slope[DEMI_PAIRS_MOST]; /* s_i.g, y_i.g at the present point */
  double step_change[DEMI_PAIRS_MOST][DEMI_PAIRS_MOST];              /* s_i.y_j, i older than j or the same; by slot */
  double change_change[DEMI_PAIRS_MOST][DEMI_PAIRS_MOST];            /* y_i.y_j, likewise */

  double *partial; /* of each block: what its kernel has summed */
} demi_quasi_memory;

/* The direction: gradient_factor g + sum of step_factor s_i + change_factor y_i, by slot. */
typedef struct demi_quasi_direction {
  double gradient_factor, step_factor[DEMI_PAIRS_MOST], change_factor[DEMI_PAIRS_MOST];
  double slope; /* its product with the gradient */
} demi_quasi_direction;

/* What is known of a tried step. */
typedef struct demi_quasi_trial {
  double square, largest;                                              /* |s|^2, largest |s_k| */
  double step_slope[DEMI_PAIRS_MOST], change_slope[DEMI_PAIRS_MOST];   /* by slot, with the tried gradient */
  double step_change[DEMI_PAIRS_MOST], change_change[DEMI_PAIRS_MOST]; /* with the change of the gradient */
  double gradient_square;
} demi_quasi_trial;

dem_status demi_quasi_open(dem_minimiser *m, demi_quasi_memory *q);
void demi_quasi_close(dem_minimiser *m, demi_quasi_memory *q);

/* d = -H g; without pairs -first_factor g. */
void demi_quasi_find_direction(const demi_quasi_memory *q, double gradient_square, double first_factor,
                               demi_quasi_direction *d);

/* tried = x + factor d. */
void demi_quasi_step(const dem_minimiser *m, demi_quasi_memory *q, const demi_quasi_direction *d, double factor, double *tried,
                     demi_quasi_trial *t);

/* All products with the tried gradient. */
void demi_quasi_note(const dem_minimiser *m, demi_quasi_memory *q, const double *tried_gradient, demi_quasi_trial *t);

/* Product of the tried step with the gradient there. */
static inline double demi_quasi_slope(const demi_quasi_memory *q, const demi_quasi_trial *t) {
  return t->step_slope[q->slot[q->kept]];
}

/* s.y/y.y of the newest pair, of which there must be one. */
static inline double demi_quasi_scale(const demi_quasi_memory *q) {
  const int32_t k = q->slot[q->kept - 1];
  return q->step_change[k][k] / q->change_change[k][k];
}

/* The tried point becomes the present one; its pair is kept where s.y is above 0. */
void demi_quasi_keep(demi_quasi_memory *q, const demi_quasi_trial *t);

#endif
