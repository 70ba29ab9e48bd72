/* Conjugate gradients inside a ball: the step of a trust region. */
#ifndef DEMI_STEIHAUG_H
#define DEMI_STEIHAUG_H

#include "long_vectors.h"

/* Why it ended. */
enum {
  DEMI_CG_CONVERGED = 0, /* the residual is small enough */
  DEMI_CG_BOUNDARY = 1,  /* the next iterate would lie outside the ball */
  DEMI_CG_NEGATIVE = 2,  /* negative curvature along a direction: the step follows it to the boundary */
  DEMI_CG_EXHAUSTED = 3  /* `most` iterations */
};

/* The quadratic model g.p + p.Hp/2, and how far to go. */
typedef struct demi_cg {
  const demi_vectors *v;
  dem_status (*apply)(void *user, const double *p, double *product);      /* H p */
  void *apply_user;                                                       /* its first argument */
  dem_status (*solve)(void *user, const double *right, double *solution); /* M^-1 right; NULL: M = 1 */
  void *solve_user;                                                       /* its first argument */
  double *residual, *solved, *direction, *product; /* work arrays of v->n numbers; `solved` may be NULL where `solve` is */
  double radius;    /* > 0, of |p|; INFINITY = no ball, then negative curvature ends it at the present iterate */
  double tolerance; /* ends when sqrt(r.M^-1 r) <= this times its first value */
  int64_t most;     /* iterations */
} demi_cg;

typedef struct demi_cg_end {
  int32_t reason;
  int64_t iterations; /* products with H */
  double slope;       /* g.p */
  double curvature;   /* p.Hp */
  double length;      /* |p| */
} demi_cg_end;

/* p: out. DEM_UNSUPPORTED: M is not positive definite. Otherwise a status of `apply` or `solve`. */
dem_status demi_steihaug(const demi_cg *cg, const double *gradient, double *p, demi_cg_end *end);

#endif
