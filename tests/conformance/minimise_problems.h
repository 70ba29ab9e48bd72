/* Functions with published minima: sums of squares of residuals, J. J. More, B. S. Garbow, K. E. Hillstrom, ACM Transactions on
 * Mathematical Software 7 (1981) 17. The numbers are theirs. */
#ifndef TESTS_MINIMISE_PROBLEMS_H
#define TESTS_MINIMISE_PROBLEMS_H

#include <dem/plugin/objective.h>

#include "conformance/jet.h"

enum { PROBLEM_LARGEST = 32, PROBLEM_STRATEGIES = 4 };

typedef struct problem {
  const char *name;
  int number; /* in the paper */
  int n, residuals;
  void (*residual)(int n, const jet *x, int i, jet *r); /* residual i, from 0 */
  double start[PROBLEM_LARGEST];
  double minimum[2]; /* values at the minima; twice the same where there is one */
  int steep; /* curvatures on the way differ so much that methods with one time step for all directions do not get through */
} problem;

extern const problem problems[];
extern const int problem_count;

/* An objective over a problem, evaluations counted. */
typedef struct problem_run {
  const problem *problem;
  double at[PROBLEM_LARGEST]; /* of the latest evaluation with TANGENT */
} problem_run;

/* The table; `user` is a problem_run. */
dem_objective_table problem_table(const problem *p);
/* The start of the paper. */
void problem_start(const problem *p, double *x);

#endif
