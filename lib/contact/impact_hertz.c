/* Hertz impact with a constant dashpot c: no closed form, and with c alone none of its numbers is independent of the speed.
 *
 * In units of the undamped impact (x = d/d_0, s = t v/d_0, d_0 its largest overlap):
 *   x'' = -(5/4) x^(3/2) - B x',  B = c d_0/(m* v),  x(0) = 0, x'(0) = 1.
 * Classical Runge-Kutta with steps far below 1 and 1/B; the only rough spot, x^(3/2) at the first touch, costs step^(7/2).
 *
 * With the plain dashpot a strongly damped sphere never comes out. On the way back, u = -x', the line u = B x/2 cannot be
 * crossed upwards where x <= B^4/25, since there (u - B x/2)' = -B u/2 + (5/4) x^(3/2) <= 0: below it u goes to 0 with x. */
#include <math.h>

#include "advice_formulas.h"

typedef struct state {
  double x, v;
} state;

static double spring(double x) { return x > 0 ? 1.25 * x * sqrt(x) : 0; }

static state slope(state s, double damping) { return (state){s.v, -spring(s.x) - damping * s.v}; }

static state moved(state s, double h, state k) { return (state){s.x + h * k.x, s.v + h * k.v}; }

static state advance(state s, double damping, double h) {
  const state a = slope(s, damping), b = slope(moved(s, h / 2, a), damping), c = slope(moved(s, h / 2, b), damping),
              d = slope(moved(s, h, c), damping);
  return (state){s.x + h / 6 * (a.x + 2 * b.x + 2 * c.x + d.x), s.v + h / 6 * (a.v + 2 * b.v + 2 * c.v + d.v)};
}

/* What falls through 0 at the largest overlap, and at the end. */
static double event(state s, double damping, int returning, int cut) {
  if (!returning) return s.v;
  return cut ? spring(s.x) + damping * s.v : s.x;
}

/* The part of a step up to the event, which happens in it. */
static double until(state s, double damping, double h, int returning, int cut) {
  double low = 0, high = h;
  for (int k = 0; k < 60; k++) {
    const double middle = 0.5 * (low + high);
    if (event(advance(s, damping, middle), damping, returning, cut) > 0)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

static int never_ends(state s, double damping) {
  const double square = damping * damping;
  return -s.v <= 0.5 * damping * s.x && s.x <= square * square / 25;
}

demi_rebound demi_impact_hertz(double damping, int cut) {
  const double h = 2e-3 / (1 + damping);
  demi_rebound out = {0, 0, 0};
  state s = {0, 1};
  for (int returning = 0; returning < 2; returning++) {
    for (;;) {
      if (returning && !cut && s.v < 0 && never_ends(s, damping)) {
        out.time = INFINITY;
        return out;
      }
      const state next = advance(s, damping, h);
      if (event(next, damping, returning, cut) <= 0) break;
      s = next;
      out.time += h;
    }
    const double part = until(s, damping, h, returning, cut);
    s = advance(s, damping, part);
    out.time += part;
    if (!returning) out.overlap = s.x;
  }
  out.speed = -s.v;
  return out;
}
