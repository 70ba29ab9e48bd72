/* A triangular lattice of grains in a plane, bound to their neighbours by springs of random stiffness, compressed so that the blocks have
 * the negative part of a prestress; as blocks and as a dense matrix. */
#ifndef TESTS_LATTICE_H
#define TESTS_LATTICE_H

#include <dem/plugin/objective.h>

enum { LATTICE_SIDE = 12, LATTICE_GRAINS = LATTICE_SIDE * LATTICE_SIDE, LATTICE_N = 2 * LATTICE_GRAINS + 3 };

typedef struct lattice {
  double prestress; /* tension of a spring / (its stiffness * length); < 0 compressed */
  double scale;     /* of all stiffnesses */
  int32_t skip;     /* springs left out at the end, so that the pattern changes */
  int32_t twice;    /* 1: every seventh spring comes as two of half the stiffness */
  int64_t network;
} lattice;

/* Unknowns: two for each grain, then a wall of three, bound to the grains of the lowest row. Grain 5 is bound to nothing. */
dem_status lattice_blocks(void *user, dem_trial_block_fn visit, void *visitor);
/* a: LATTICE_N x LATTICE_N */
void lattice_dense(const lattice *l, double *a);
/* Numbers from -1 to 1, the same at every call with the same state. */
double lattice_random(uint64_t *state);
/* Cholesky's method in place (lower triangle, n x n); 0 if a pivot is not above 0. */
int dense_cholesky(double *a, int n);
/* x = (L L^T)^-1 b */
void dense_solve(const double *l, int n, const double *b, double *x);

#endif
