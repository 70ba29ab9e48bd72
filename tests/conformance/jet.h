/* Numbers that carry their derivatives: value, derivatives along two directions a and b, and the mixed second one. Functions written
 * over them give gradient (b) and Hessian times vector (ab) to rounding, with no derivative written by hand. */
#ifndef TESTS_JET_H
#define TESTS_JET_H

#include <math.h>

typedef struct jet {
  double v, a, b, ab;
} jet;

static inline jet jet_of(double v) { return (jet){v, 0, 0, 0}; }
static inline jet jet_add(jet p, jet q) { return (jet){p.v + q.v, p.a + q.a, p.b + q.b, p.ab + q.ab}; }
static inline jet jet_scale(double s, jet p) { return (jet){s * p.v, s * p.a, s * p.b, s * p.ab}; }
static inline jet jet_sub(jet p, jet q) { return jet_add(p, jet_scale(-1, q)); }
static inline jet jet_shift(jet p, double s) { return (jet){p.v + s, p.a, p.b, p.ab}; }
static inline jet jet_mul(jet p, jet q) {
  return (jet){p.v * q.v, p.a * q.v + p.v * q.a, p.b * q.v + p.v * q.b, p.ab * q.v + p.a * q.b + p.b * q.a + p.v * q.ab};
}
/* f(p) with f', f'' at p.v */
static inline jet jet_chain(jet p, double f, double first, double second) {
  return (jet){f, first * p.a, first * p.b, first * p.ab + second * p.a * p.b};
}
static inline jet jet_square(jet p) { return jet_mul(p, p); }
static inline jet jet_inverse(jet p) { return jet_chain(p, 1 / p.v, -1 / (p.v * p.v), 2 / (p.v * p.v * p.v)); }
static inline jet jet_div(jet p, jet q) { return jet_mul(p, jet_inverse(q)); }
static inline jet jet_exp(jet p) { return jet_chain(p, exp(p.v), exp(p.v), exp(p.v)); }
static inline jet jet_sqrt(jet p) {
  const double root = sqrt(p.v);
  return jet_chain(p, root, 0.5 / root, -0.25 / (root * p.v));
}
static inline jet jet_atan(jet p) {
  const double one = 1 + p.v * p.v;
  return jet_chain(p, atan(p.v), 1 / one, -2 * p.v / (one * one));
}

#endif
