/* Objectives with known minima, of any number of unknowns. Tables take one of these as `user`. */
#ifndef TESTS_MINIMISE_FUNCTIONS_H
#define TESTS_MINIMISE_FUNCTIONS_H

#include <dem/plugin/objective.h>

/* Convex quadratic: sum lambda_i x_i^2/2 - x_i, lambda_i from 1 to `condition`, evenly in the logarithm; minimum -sum 1/(2 lambda_i). */
typedef struct bowl {
  int64_t n;
  double condition;
} bowl;
dem_objective_table bowl_table(const bowl *b);
double bowl_minimum(const bowl *b);

/* A chain on a line: sum (x_{i+1} - x_i)^2/2 + x_i^4/4 - x_i cos(i). `at` (n numbers of the caller) keeps x for products.
 * Counters and faults for tests of the rules. */
typedef struct chain {
  int64_t n;
  double *at;
  double offset; /* added to the value */
  int32_t wrong; /* 1: the gradient has the wrong sign */
  int64_t evaluations;
  int64_t fail_at; /* evaluation that answers `failure`; 0 = none */
  dem_status failure;
  int32_t destroyed;
  dem_minimiser *inner; /* not NULL: evaluate calls dem_minimiser_iterate on it and keeps the answer */
  dem_status inner_answer;
} chain;
dem_objective_table chain_table(const chain *c);

/* Grains on a ring of length L, spaced at random but in order: sum over pairs of max(0, 1 - distance)^2/2. Contacts open and close. The
 * minimum for L < n is n (1 - L/n)^2/2, equal gaps; else 0. */
enum { RING_MOST = 64 };
typedef struct ring {
  int64_t n;
  double length;
  double at[RING_MOST];
} ring;
dem_objective_table ring_table(const ring *r);
void ring_start(const ring *r, double *x);
double ring_minimum(const ring *r);

/* sum x_i - (i + 1) log x_i, defined for x_i > 0 only; minimum at x_i = i + 1. `outside`: 0 a status > 0, 1 NaN as value, 2 NaN in the
 * gradient alone. */
typedef struct barrier {
  int32_t outside;
  int32_t refused; /* how often x was outside */
  double at[4];
} barrier;
dem_objective_table barrier_table(void);
double barrier_minimum(void);

/* Two unknowns: (x^2 - y^2)/2 + bound y^4/4. With bound = 1 minima -1/4 at y = +-1, a saddle at 0; with bound = 0 it falls for ever. */
typedef struct saddle {
  double bound;
  double at[2];
} saddle;
dem_objective_table saddle_table(void);

#endif
