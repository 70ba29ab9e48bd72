/* What an impact comes to: largest overlap, contact time, rebound; and stiffness or damping for a wanted one.
 *
 * Hooke is x'' + 2 z x' + x = 0, x(0) = 0, x'(0) = 1, in units of v/omega and 1/omega (laws/damping_ratio.c). With w^2 =
 * |1 - z^2| it turns round at s = acos(z)/w, where x = exp(-z s). Hertz in Tsuji's form is the same oscillator in x = (d/d_0)^(5/4)
 * and ds = 5/4 (v/d_0) x^(1/5) dt, d_0 the largest overlap without damping (Antypov & Elliott, EPL 94 (2011) 50004), so
 *   t = 4/5 d_0/v int x^(-1/5) ds,
 * whose ends are singular: a double-exponential quadrature (Takahasi & Mori 1974). Hertz with a given dashpot: impact_hertz.c. */
#include <math.h>
#include <string.h>

#include "advice_formulas.h"
#include "intake.h"
#include "laws/builtin.h"

#define IMPACT_V1 DEMI_SIZE_TO(dem_impact, rebound)

static const double pi = 3.14159265358979323846;

dem_status demi_impact_defaults(dem_impact *impact, uint32_t struct_size) {
  dem_impact i;
  memset(&i, 0, sizeof i);
  i.normal = DEM_NORMAL_HOOKE;
  i.attraction = 1;
  i.restitution = 1;
  return demi_init(impact, struct_size, &i, sizeof i, IMPACT_V1);
}

/* ---- the oscillator ---- */

static double turn(double z) {
  const double w = sqrt(fabs(1 - z * z));
  if (w < 1e-8) return 1;
  return z < 1 ? atan2(w, z) / w : atanh(w / z) / w;
}

static double end(double z, int cut) {
  const double w = sqrt(fabs(1 - z * z));
  if (!cut) return z < 1 ? pi / w : INFINITY;
  if (w < 1e-8) return 2;
  return z < 1 ? atan2(2 * z * w, 2 * z * z - 1) / w : atanh(2 * z * w / (2 * z * z - 1)) / w;
}

/* x at s; `left` is how far the end is, which near a zero of the sine is known better than s. */
static double displacement(double z, double s, double left, int cut) {
  const double w = sqrt(fabs(1 - z * z));
  if (w < 1e-8) return s * exp(-s);
  if (z > 1) return -0.5 / w * exp((w - z) * s) * expm1(-2 * w * s);
  return exp(-z * s) * sin(w * (cut || s < left ? s : left)) / w;
}

/* int x^(-1/5) ds over the impact. */
static double hertz_integral(double z, int cut) {
  const double length = end(z, cut), h = 1.0 / 32.0;
  double sum = 0;
  if (isinf(length)) return INFINITY;
  for (int k = -128; k <= 128; k++) {
    const double t = k * h, u = pi * sinh(t), s = length / (1 + exp(-u)), left = length / (1 + exp(u));
    const double x = displacement(z, s, left, cut), weight = pi * cosh(t) * s * (left / length);
    if (x > 0) sum += weight * pow(x, -0.2);
  }
  return h * sum;
}

/* ---- predicting ---- */

static int tsuji(const dem_impact *i) {
  return i->damping == DEM_DAMPING_RESTITUTION || i->damping == DEM_DAMPING_RESTITUTION_EXACT;
}

static double coefficient(const dem_impact *i) {
  if (i->damping == DEM_DAMPING_COEFFICIENT) return i->normal_damping;
  return i->damping == DEM_DAMPING_RATE ? i->normal_damping * i->mass : 0;
}

static int cuts(const dem_impact *i) { return !i->attraction; }

/* As binding a law does. */
static double ratio_of(const dem_impact *i) {
  if (i->damping == DEM_DAMPING_RESTITUTION) return demi_damping_ratio(i->restitution, 0);
  if (i->damping == DEM_DAMPING_RESTITUTION_EXACT) return demi_damping_ratio(i->restitution, cuts(i));
  return coefficient(i) / (2 * sqrt(i->stiffness) * sqrt(i->mass)); /* Hooke only, or 0 */
}

/* Largest overlap without damping. */
static double undamped(const dem_impact *i) {
  double overlap = INFINITY;
  if (i->normal == DEM_NORMAL_HERTZ)
    demi_advice_hertz_overlap(i->mass, i->radius, i->speed, i->stiffness, &overlap);
  else
    demi_advice_hooke_overlap(i->mass, i->speed, i->stiffness, &overlap);
  return overlap;
}

static demi_rebound predict_oscillator(const dem_impact *i) {
  const double z = ratio_of(i), x = exp(-z * turn(z));
  const demi_rebound hooke = {x, end(z, cuts(i)), demi_damping_restitution(z, cuts(i))};
  if (i->normal == DEM_NORMAL_HOOKE) return hooke;
  return (demi_rebound){pow(x, 0.8), 0.8 * hertz_integral(z, cuts(i)), hooke.speed};
}

static dem_status predict(dem_impact *i) {
  const double overlap = undamped(i), c = coefficient(i);
  if (!(isfinite(overlap) && overlap > 0 && isfinite(c))) return DEM_BAD_ARGUMENT;
  const int constant = i->normal == DEM_NORMAL_HERTZ && c > 0;
  const double strength = c * overlap / (i->mass * i->speed);
  if (constant && !(strength <= 1e6)) return DEM_BAD_ARGUMENT; /* stops within a millionth of the way */
  const demi_rebound r = constant ? demi_impact_hertz(strength, cuts(i)) : predict_oscillator(i);
  i->overlap = r.overlap * overlap;
  i->contact_time = r.time * overlap / i->speed;
  i->rebound = isinf(r.time) ? 0 : r.speed;
  return DEM_OK;
}

/* ---- checks ---- */

static int positive(double value) { return isfinite(value) && value > 0; }

static dem_status check(const dem_impact *i) {
  if (i->normal != DEM_NORMAL_HOOKE && i->normal != DEM_NORMAL_HERTZ) return DEM_BAD_ARGUMENT;
  if (i->damping < DEM_DAMPING_NONE || i->damping > DEM_DAMPING_RESTITUTION_EXACT) return DEM_BAD_ARGUMENT;
  if (i->attraction != 0 && i->attraction != 1) return DEM_BAD_ARGUMENT;
  if (!positive(i->mass) || !positive(i->speed)) return DEM_BAD_ARGUMENT;
  if (i->normal == DEM_NORMAL_HERTZ && !positive(i->radius)) return DEM_BAD_ARGUMENT;
  return DEM_OK;
}

static dem_status check_damping(const dem_impact *i) {
  if (tsuji(i)) return isgreater(i->restitution, 0) && i->restitution <= 1 ? DEM_OK : DEM_BAD_ARGUMENT;
  return isfinite(i->normal_damping) && i->normal_damping >= 0 ? DEM_OK : DEM_BAD_ARGUMENT;
}

static dem_status take(const dem_impact *theirs, dem_impact *mine) {
  const dem_status status = demi_intake(mine, sizeof *mine, theirs, IMPACT_V1);
  return status ? status : check(mine);
}

static dem_status give(dem_impact *theirs, dem_impact *mine) {
  const dem_status status = predict(mine);
  return status ? status : demi_outgive(theirs, mine, sizeof *mine, IMPACT_V1);
}

dem_status demi_impact_predict(dem_impact *impact) {
  dem_impact i;
  dem_status status = take(impact, &i);
  if (!status) status = check_damping(&i);
  if (!status && !positive(i.stiffness)) status = DEM_BAD_ARGUMENT;
  return status ? status : give(impact, &i);
}

/* ---- fitting ---- */

/* Stiffness of an undamped impact that reaches `overlap`. */
static dem_status stiffness_for(const dem_impact *i, double overlap, double *stiffness) {
  if (i->normal == DEM_NORMAL_HERTZ) return demi_advice_hertz_young(i->mass, i->radius, i->speed, overlap, stiffness);
  return demi_advice_hooke_stiffness(i->mass, i->speed, overlap, stiffness);
}

/* A given dashpot: the overlap falls with the stiffness, from m v/c at none to the wanted one at most at the undamped. */
static dem_status fit_beside_dashpot(dem_impact *i, double wanted) {
  double high;
  dem_status status = stiffness_for(i, wanted, &high);
  if (status || coefficient(i) * wanted >= i->mass * i->speed) return DEM_BAD_ARGUMENT;
  double low = high;
  for (i->overlap = 0; i->overlap < wanted && !status;) {
    i->stiffness = low *= 0.25;
    status = predict(i);
  }
  for (int k = 0; k < 100 && high - low > 1e-15 * high && !status; k++) {
    i->stiffness = 0.5 * (low + high);
    status = predict(i);
    *(i->overlap > wanted ? &low : &high) = i->stiffness;
  }
  return status;
}

dem_status demi_impact_fit_stiffness(dem_impact *impact, double overlap) {
  dem_impact i;
  dem_status status = take(impact, &i);
  if (!status) status = check_damping(&i);
  if (!status && !positive(overlap)) status = DEM_BAD_ARGUMENT;
  if (status) return status;
  if (coefficient(&i) > 0) {
    status = fit_beside_dashpot(&i, overlap);
  } else {
    const double z = tsuji(&i) ? ratio_of(&i) : 0, x = exp(-z * turn(z));
    status = stiffness_for(&i, overlap / (i.normal == DEM_NORMAL_HERTZ ? pow(x, 0.8) : x), &i.stiffness);
  }
  return status ? status : give(impact, &i);
}

/* Hertz with a constant dashpot: the rebound falls with it. */
static double hertz_strength(double rebound, int cut) {
  double low = 0, high = 1;
  if (rebound == 1) return 0;
  while (demi_impact_hertz(high, cut).speed > rebound && high < 1e6) low = high, high *= 2;
  for (int k = 0; k < 60; k++) {
    const double middle = 0.5 * (low + high);
    *(demi_impact_hertz(middle, cut).speed > rebound ? &low : &high) = middle;
  }
  return 0.5 * (low + high);
}

static double fitted_coefficient(const dem_impact *i, double rebound) {
  if (i->normal == DEM_NORMAL_HERTZ) return hertz_strength(rebound, cuts(i)) * i->mass * i->speed / undamped(i);
  return 2 * demi_damping_ratio(rebound, cuts(i)) * sqrt(i->stiffness) * sqrt(i->mass);
}

dem_status demi_impact_fit_damping(dem_impact *impact, double rebound) {
  dem_impact i;
  dem_status status = take(impact, &i);
  if (!status && (!positive(i.stiffness) || !(rebound > 0 && rebound <= 1) || i.damping == DEM_DAMPING_NONE))
    status = DEM_BAD_ARGUMENT;
  if (status) return status;
  if (tsuji(&i)) {
    /* the mode that ignores the cut is given another e, if there is one */
    const int cut_unknown = cuts(&i) && i.damping == DEM_DAMPING_RESTITUTION;
    i.restitution = cut_unknown ? demi_damping_restitution(demi_damping_ratio(rebound, 1), 0) : rebound;
  } else {
    const double c = fitted_coefficient(&i, rebound);
    i.normal_damping = i.damping == DEM_DAMPING_RATE ? c / i.mass : c;
  }
  status = check_damping(&i);
  return status ? status : give(impact, &i);
}
