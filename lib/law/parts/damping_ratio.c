/* Damping ratio from restitution for x'' + 2 zeta x' + x = 0, x(0) = 0, x'(0) = 1.
 *
 * Ends at x = 0: zeta = -ln e / sqrt(pi^2 + ln^2 e).
 * Ends where the force x + 2 zeta x' reaches 0 (never attractive): at w t = atan2(2 zeta w, 2 zeta^2 - 1), w = sqrt(1 -
 * zeta^2), with e = -x' there (Schwager & Poeschel, Granular Matter 9 (2007) 465); overdamped the same with hyperbolic
 * functions. Solved by bisection, as e falls with zeta. Hertz with a dashpot going with d^(1/4) is the same oscillator in y =
 * sqrt(4/5) d^(5/4) (Antypov & Elliott, EPL 94 (2011) 50004), force zero included, so both forms hold for it exactly. */
#include <math.h>

#include "builtin.h"

static const double pi = 3.14159265358979323846;

static double restitution_when_cut(double zeta) {
  if (zeta < 1.0) {
    const double w = sqrt(1.0 - zeta * zeta), t = atan2(2.0 * zeta * w, 2.0 * zeta * zeta - 1.0) / w;
    return -exp(-zeta * t) * (cos(w * t) - zeta / w * sin(w * t));
  }
  const double w = sqrt(zeta - 1.0) * sqrt(zeta + 1.0); /* by factors: zeta^2 may leave the range of numbers */
  if (w < 1e-6) return exp(-2.0);                       /* limit: t = 2, x' = (1 - t) exp(-t) */
  return exp(-2.0 * acosh(zeta) * (zeta / w));          /* with the t above, -x' is exp(-zeta t) */
}

double demi_damping_restitution(double zeta, int cut) {
  if (cut) return zeta > 0.0 ? restitution_when_cut(zeta) : 1.0;
  return zeta < 1.0 ? exp(-pi * zeta / sqrt(1.0 - zeta * zeta)) : 0.0;
}

double demi_damping_ratio(double e, int cut) {
  if (e >= 1.0) return 0.0;
  if (!cut) return -log(e) / sqrt(pi * pi + log(e) * log(e));
  double low = 0.0, high = 1.0;
  while (restitution_when_cut(high) > e && high < 1e170) high *= 2.0;
  for (int k = 0; k < 200 && high - low > 1e-16 * high; k++) {
    const double middle = 0.5 * (low + high);
    if (restitution_when_cut(middle) > e)
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}
