/* The JKR contact without units (Johnson, Kendall & Roberts 1971; Thornton & Ning 1998), gamma the surface energy, w = 2 gamma:
 *
 *   d = a^2/R* - c sqrt(a),   c = 2 sqrt(pi gamma/Y*);   f = 4 Y* a^3/(3 R*) - 4 sqrt(pi gamma Y* a^3)
 *
 * With a = (t y)^2, t^3 = c/4 R*, and the length l = t^4/R* = t c/4:
 *
 *   d = l (y^4 - 4 y),   f = pi/3 gamma R* (y^6 - 6 y^3),   U = 4 pi/3 gamma R* l [y^4 (y^6/10 - y^3 + 3/2) + 9/10 4^(4/3)]
 *
 * U = -(integral of f from first touch, d = 0, y^3 = 4). f is least, -3 pi gamma R*, at y^3 = 3; d is least at y = 1, d = -3 l:
 * there the contact tears, with f = -5/3 pi gamma R* and U = 4 pi/3 gamma R* l (6/10 + 9/10 4^(4/3)) = 7.0922 (w^5 R^4/Y^2)^(1/3).
 *
 * y from D = d/l >= -3 by Ferrari: m^3 + D m - 2 = 0, s = sqrt(2 m), y = (s + sqrt(8/s - s^2))/2. m is found by Newton's steps
 * from above, which fall to the root as the cubic is convex; at the tear-off m = 2 and the cubic still rises with slope 9. Four
 * steps leave round-off for every D, and the start is written for it: it touches m(D) at D = 0 and lies above it elsewhere. */
#ifndef DEMI_JKR_H
#define DEMI_JKR_H

#include <math.h>

#include "cube_root.h"
#include "laws.h"
#include "quotient.h"

/* 9/10 4^(4/3): U of first touch. */
#define DEMI_JKR_TOUCH 5.714643787085518

/* t of a pair of effective radius R*. */
static inline double demi_jkr_scale(const demi_jkr_parameters *p, double radius) { return p->root * demi_cube_root(radius); }

/* y at d/l = D. */
static inline double demi_jkr_solve(double depth) {
  const double above = 1.2599210498948732 - 0.2646 * depth; /* D < 0 */
  const double flat = 1.2599210498948732 / (1.0 + 0.21 * depth), far = demi_quotient(2.0, depth, 0.0);
  const double right = flat < far ? flat : far;
  double m = demi_choose(depth > 0, right, above);
  for (int k = 0; k < 4; k++) m = (2.0 * m * m * m + 2.0) / (3.0 * m * m + depth);
  const double s = sqrt(2.0 * m), rest = 8.0 / s - s * s;
  return 0.5 * (s + sqrt(rest > 0 ? rest : 0.0));
}

#endif
