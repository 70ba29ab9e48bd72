/* The matrix of a trial at u = 0: A = S K S over the unknowns that take part, with a diagonal S.
 *
 * Unknowns take part when their particle is not frozen and K has something in their row: a particle without contacts, and the rotation of a
 * smooth sphere, are loose. Walls and the box stand still. K is made symmetric, (K + K^T)/2. */
#ifndef DEMI_LA_NETWORK_MATRIX_H
#define DEMI_LA_NETWORK_MATRIX_H

#include "triangle.h"

/* S: */
enum {
  DEMI_LA_SCALE_ONE = 0,     /* 1 */
  DEMI_LA_SCALE_MASS = 1,    /* m^-1/2, of rotations I^-1/2 */
  DEMI_LA_SCALE_DIAGONAL = 2 /* |K_aa|^-1/2, of small ones that of 1e-6 times the mean */
};

typedef struct demi_la_network {
  dem_trial_rows rows;
  int32_t dimension;
  int64_t n;         /* unknowns that take part */
  int64_t *place;    /* of each unknown of the trial: its row in A, or -1 */
  int64_t *particle; /* of each row of A: its particle */
  double *scale;     /* of each row of A: S */
  demi_la_triangle a;
  int64_t particles, rattlers, loose; /* as in dem_linalg_modes_report */
  double mean, asymmetry, unrest;     /* mean: of |K_aa| */
  int32_t rigid;                      /* translations that cost no force */
  double *translation;                /* rigid rows of n: orthonormal, in the space of A */
} demi_la_network;

/* Evaluates the trial and makes the matrix; `network` must be empty. On failure it is empty again. */
dem_status demi_la_network_make(dem_linalg *l, dem_trial *trial, int32_t scale, demi_la_network *network);
/* x less its part along the translations. */
void demi_la_network_project(const demi_la_network *network, double *x);
void demi_la_network_free(dem_linalg *l, demi_la_network *network);

#endif
