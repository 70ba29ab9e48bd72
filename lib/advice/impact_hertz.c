/* Hertz impact with a constant dashpot c: no closed form, and with c alone none of its numbers is independent of the speed.
 *
 * In units of the undamped impact (x = d/d_0, s = t v/d_0, d_0 its largest overlap):
 *   x'' = -f,  f = (5/4) x^(3/2) + B x',  B = c d_0/(m* v),  x(0) = 0, x'(0) = 1.
 * Classical Runge-Kutta with steps far below 1 and 1/B. The rough spots, x^(3/2) at the first touch and at the end, are met with
 * steps that grow from there and shrink towards there in proportion to the distance.
 *
 * With the plain dashpot a strongly damped sphere never comes out. On the way back, u = -x', the line u = B x/2 cannot be
 * crossed upwards where x <= B^4/25, since there (u - B x/2)' = -B u/2 + (5/4) x^(3/2) <= 0: below it u goes to 0 with x.
 *
 * Without attraction it ends where f falls to 0, after a time of a few ln(B)/B on the way back: there spring and dashpot cancel to
 * a part B^(-5/2) of each, which their sum no longer shows. So for B >= 1 the force itself is integrated on the way back,
 *   f' = (15/8) x^(1/2) x' - B f.
 *
 * For B above OVERDAMPED the leading order in e = (5/4) B^(-5/2) is the answer; the next one is smaller by e ln(e)^2. In y = B x,
 * w = x', T = B s it is w = exp(-T) - e (y = 1 but for the first moment), which turns at T = ln(1/e); then f goes as
 * e exp(-T) - (3/2) e^2, which ends after another ln(2/(3 e)) with the speed e. */
#include <math.h>

#include "formulas.h"

static const double OVERDAMPED = 1e5;
static const int64_t MOST_STEPS = 200000; /* never reached: an impact takes less than 50,000 */

typedef struct state {
  double x, v, f;
} state;

typedef struct impact {
  double damping;
  int returning, cut, by_force;
} impact;

static double spring(double x) { return x > 0 ? 1.25 * x * sqrt(x) : 0; }

static state slope(const impact *m, state s) {
  if (m->by_force) return (state){s.v, -s.f, 1.875 * sqrt(s.x > 0 ? s.x : 0) * s.v - m->damping * s.f};
  return (state){s.v, -spring(s.x) - m->damping * s.v, 0};
}

static state moved(state s, double h, state k) { return (state){s.x + h * k.x, s.v + h * k.v, s.f + h * k.f}; }

static state advance(const impact *m, state s, double h) {
  const state a = slope(m, s), b = slope(m, moved(s, h / 2, a)), c = slope(m, moved(s, h / 2, b)), d = slope(m, moved(s, h, c));
  const state sum = {a.x + 2 * b.x + 2 * c.x + d.x, a.v + 2 * b.v + 2 * c.v + d.v, a.f + 2 * b.f + 2 * c.f + d.f};
  return moved(s, h / 6, sum);
}

/* What falls through 0 at the largest overlap, and at the end. */
static double event(const impact *m, state s) {
  if (!m->returning) return s.v;
  if (m->by_force) return s.f;
  return m->cut ? spring(s.x) + m->damping * s.v : s.x;
}

static int never_ends(const impact *m, state s) {
  const double square = m->damping * m->damping;
  return m->returning && !m->cut && s.v < 0 && -s.v <= 0.5 * m->damping * s.x && s.x <= square * square / 25;
}

/* Goes on to the event, from a first step on. Once a step goes beyond it the event is less than that step ahead: each further step
 * is half as long. 0: there is no event. */
static int run(const impact *m, state *s, double first, demi_rebound *out) {
  const double full = 2e-3 / (1 + m->damping);
  double h = first;
  for (int near = 0; near<60; near += near> 0) {
    if (never_ends(m, *s)) return 0;
    const state next = advance(m, *s, h);
    if (++out->steps > MOST_STEPS) return 0;
    if (event(m, next) > 0) {
      *s = next;
      out->time += h;
    } else if (near == 0) {
      near = 1;
    }
    h = near ? h / 2 : fmin(1.125 * h, full);
  }
  return 1;
}

static demi_rebound overdamped(double damping, int cut) {
  const double small = log(1.25) - 2.5 * log(damping); /* ln e */
  if (!cut) return (demi_rebound){1 / damping, INFINITY, 0, 0};
  return (demi_rebound){1 / damping, (-2 * small - log(1.5)) / damping, exp(small), 0};
}

demi_rebound demi_impact_hertz(double damping, int cut) {
  const double full = 2e-3 / (1 + damping);
  demi_rebound out = {0, 0, 0, 0};
  state s = {0, 1, 0};
  impact m = {damping, 0, cut, 0};
  if (damping > OVERDAMPED) return overdamped(damping, cut);
  run(&m, &s, full / 4096, &out);
  out.overlap = s.x;
  m.returning = 1;
  m.by_force = cut && damping >= 1;
  s.f = spring(s.x) + damping * s.v;
  if (!run(&m, &s, full, &out)) {
    out.time = INFINITY;
    return out;
  }
  out.speed = -s.v;
  return out;
}
