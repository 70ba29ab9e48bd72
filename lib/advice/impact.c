/* What an impact comes to: largest overlap, contact time, rebound; and stiffness or damping for a wanted one.
 *
 * Hooke is x'' + 2 z x' + x = 0, x(0) = 0, x'(0) = 1, in units of v/omega and 1/omega (law/parts/damping_ratio.c). With w^2 =
 * |1 - z^2| it turns round at s = acos(z)/w, where x = exp(-z s). Hertz in Tsuji's form is the same oscillator in x = (d/d_0)^(5/4)
 * and ds = 5/4 (v/d_0) x^(1/5) dt, d_0 the largest overlap without damping (Antypov & Elliott, EPL 94 (2011) 50004), so
 *   t = 4/5 d_0/v int x^(-1/5) ds,
 * whose ends are singular: a double-exponential quadrature (Takahasi & Mori 1974). Hertz with a given dashpot: impact_hertz.c. */
#include <math.h>
#include <string.h>

#include "formulas.h"
#include "intake.h"
#include "parts/builtin.h"

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

/* (z - 1)(z + 1) instead of z^2 - 1: the square of a large z leaves the range of doubles, and that of a z near 1 loses
 * digits. */
static double frequency(double z) { return sqrt(fabs(1 - z)) * sqrt(1 + z); }

static double turn(double z) {
  const double w = frequency(z);
  if (w < 1e-8) return 1;
  return z < 1 ? atan2(w, z) / w : acosh(z) / w;
}

/* The force falls to 0 after twice the time to turn: its sine is as far from its zero as the speed's was from the start. */
static double end(double z, int cut) {
  if (cut) return 2 * turn(z);
  return z < 1 ? pi / frequency(z) : INFINITY;
}

/* x at s; `left` is how far the end is, which near a zero of the sine is known better than s. */
static double displacement(double z, double s, double left, int cut) {
  const double w = frequency(z);
  if (w < 1e-8) return s * exp(-s);
  if (z > 1) return -0.5 / w * exp(-s / (w + z)) * expm1(-2 * w * s); /* w - z = -1/(w + z) */
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

/* Of the dashpot, as a rate c/m*. */
static double rate(const dem_impact *i) {
  if (i->damping == DEM_DAMPING_COEFFICIENT) return i->normal_damping / i->mass;
  return i->damping == DEM_DAMPING_RATE ? i->normal_damping : 0;
}

static int cuts(const dem_impact *i) { return !i->attraction; }

/* As binding a law does. */
static double ratio_of(const dem_impact *i) {
  if (i->damping == DEM_DAMPING_RESTITUTION) return demi_damping_ratio(i->restitution, 0);
  if (i->damping == DEM_DAMPING_RESTITUTION_EXACT) return demi_damping_ratio(i->restitution, cuts(i));
  return rate(i) / 2 * sqrt(i->mass) / sqrt(i->stiffness); /* Hooke only, or 0 */
}

/* Largest overlap without damping. */
static double undamped(const dem_impact *i) {
  double overlap = INFINITY;
  if (i->normal == DEM_NORMAL_HERTZ)
    demi_formula_hertz_overlap(i->mass, i->radius, i->speed, i->stiffness, &overlap);
  else
    demi_formula_hooke_overlap(i->mass, i->speed, i->stiffness, &overlap);
  return overlap;
}

static demi_rebound predict_oscillator(const dem_impact *i) {
  const double z = ratio_of(i), x = exp(-z * turn(z));
  const demi_rebound hooke = {x, end(z, cuts(i)), demi_damping_restitution(z, cuts(i)), 0};
  if (i->normal == DEM_NORMAL_HOOKE) return hooke;
  return (demi_rebound){pow(x, 0.8), 0.8 * hertz_integral(z, cuts(i)), hooke.speed, 0};
}

static int positive(double value) { return isfinite(value) && value > 0; }

/* A number may leave the range of doubles on the way though all inputs are in it; then there is no answer. */
static dem_status predict(dem_impact *i) {
  const double overlap = undamped(i), time = overlap / i->speed, strength = rate(i) * time;
  const int damped = !tsuji(i) && i->damping != DEM_DAMPING_NONE && i->normal_damping > 0;
  if (!positive(overlap) || !positive(time) || (damped && !positive(strength))) return DEM_BAD_ARGUMENT;
  const int constant = i->normal == DEM_NORMAL_HERTZ && damped;
  const demi_rebound r = constant ? demi_impact_hertz(strength, cuts(i)) : predict_oscillator(i);
  i->overlap = r.overlap * overlap;
  i->contact_time = r.time * time;
  i->rebound = isinf(r.time) ? 0 : r.speed;
  if (!positive(i->overlap) || !isgreater(i->contact_time, 0) || isinf(i->contact_time) != isinf(r.time))
    return DEM_BAD_ARGUMENT;
  return DEM_OK;
}

/* ---- checks ---- */

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
  if (i->normal == DEM_NORMAL_HERTZ) return demi_formula_hertz_young(i->mass, i->radius, i->speed, overlap, stiffness);
  return demi_formula_hooke_stiffness(i->mass, i->speed, overlap, stiffness);
}

/* A falling function of a logarithm, between two values of it. */
typedef struct bracket {
  double low, high;     /* above 0 at low, below at high */
  double f_low, f_high; /* made smaller where an end stays: the Illinois rule */
  int side;             /* which end moved: -1, 1; 0 at first */
} bracket;

/* The next point of the search: the zero of the chord, or the middle when this zero lies at an end. */
static double between(const bracket *b) {
  const double x = b->low + (b->high - b->low) * (b->f_low / (b->f_low - b->f_high)),
               middle = b->low + 0.5 * (b->high - b->low);
  return x > b->low && x < b->high ? x : middle;
}

static void narrow(bracket *b, double x, double f) {
  const int side = f > 0 ? -1 : 1;
  double *end = f > 0 ? &b->low : &b->high, *value = f > 0 ? &b->f_low : &b->f_high, *other = f > 0 ? &b->f_high : &b->f_low;
  if (b->side == side) *other *= 0.5;
  *end = x;
  *value = f;
  b->side = side;
}

enum { TRIALS = 100 };

/* Every third trial is in the middle, so that the bracket at least halves in three. */
static double next_trial(const bracket *b, int k) { return k % 3 == 2 ? b->low + 0.5 * (b->high - b->low) : between(b); }

static int is_narrow(const bracket *b) { return !(b->high - b->low > 1e-15 * (1 + fabs(b->low))); }

/* How far the overlap at exp(logarithm) of stiffness is above the wanted one, as a logarithm. */
static dem_status excess(dem_impact *i, double logarithm, double wanted, double *f) {
  i->stiffness = exp(logarithm);
  const dem_status status = positive(i->stiffness) ? predict(i) : DEM_BAD_ARGUMENT;
  *f = status ? 0 : log(i->overlap / wanted);
  return status;
}

/* The overlap falls with the stiffness, from m v/c at none to the wanted one at most at the undamped. */
static dem_status bracket_stiffness(dem_impact *i, double wanted, bracket *b) {
  double stiffness, f;
  dem_status status = stiffness_for(i, wanted, &stiffness);
  if (status || !positive(stiffness) || !(rate(i) * (wanted / i->speed) < 1)) return DEM_BAD_ARGUMENT;
  *b = (bracket){log(stiffness), log(stiffness), 0, -1e-15, 0};
  for (double step = 1; !status; step *= 2) {
    status = excess(i, b->low, wanted, &f);
    if (status || f >= 0) break;
    *b = (bracket){b->low - step, b->low, 0, f, 0};
  }
  b->f_low = f;
  return status;
}

static dem_status fit_beside_dashpot(dem_impact *i, double wanted) {
  bracket b;
  double f = 1;
  dem_status status = bracket_stiffness(i, wanted, &b);
  for (int k = 0; k < TRIALS && !status && fabs(f) > 1e-14 && !is_narrow(&b); k++) {
    const double x = next_trial(&b, k);
    status = excess(i, x, wanted, &f);
    narrow(&b, x, f);
  }
  return status;
}

dem_status demi_impact_fit_stiffness(dem_impact *impact, double overlap) {
  dem_impact i;
  dem_status status = take(impact, &i);
  if (!status) status = check_damping(&i);
  if (!status && !positive(overlap)) status = DEM_BAD_ARGUMENT;
  if (status) return status;
  if (rate(&i) > 0) {
    status = fit_beside_dashpot(&i, overlap);
  } else {
    const double z = tsuji(&i) ? ratio_of(&i) : 0, x = exp(-z * turn(z));
    status = stiffness_for(&i, overlap / (i.normal == DEM_NORMAL_HERTZ ? pow(x, 0.8) : x), &i.stiffness);
  }
  return status ? status : give(impact, &i);
}

/* ln(rebound speed at this dashpot/wanted rebound speed). Without rebound it is -infinity, replaced by the lowest number. */
static double livelier(double logarithm, int cut, double wanted) {
  const demi_rebound r = demi_impact_hertz(exp(logarithm), cut);
  return r.speed > 0 && isfinite(r.time) ? log(r.speed / wanted) : -1000;
}

/* Hertz with a constant dashpot: the rebound falls with it, from 1. */
static double hertz_strength(double rebound, int cut) {
  bracket b = {0, 0, 0, 0, 0};
  double f = livelier(0, cut, rebound), x = 0;
  b.f_low = b.f_high = f;
  for (double step = 1; b.f_high > 0; step *= 2) {
    b = (bracket){b.high, b.high + step, b.f_high, 0, 0};
    b.f_high = livelier(b.high, cut, rebound);
  }
  for (double step = 1; b.f_low <= 0 && b.low > -45; step *= 2) { /* exp(-45) is below the rounding of any rebound speed */
    b = (bracket){b.low - step, b.low, 0, b.f_low, 0};
    b.f_low = livelier(b.low, cut, rebound);
  }
  for (int k = 0; k < TRIALS && fabs(f) > 1e-14 && !is_narrow(&b); k++) {
    x = next_trial(&b, k);
    f = livelier(x, cut, rebound);
    narrow(&b, x, f);
  }
  return exp(x);
}

/* c of the mode, or c/m* with RATE. */
static double fitted_damping(const dem_impact *i, double rebound) {
  const double per_mass = i->damping == DEM_DAMPING_RATE ? 1 : i->mass;
  if (rebound == 1) return 0;
  if (i->normal == DEM_NORMAL_HERTZ) return hertz_strength(rebound, cuts(i)) * (i->speed / undamped(i)) * per_mass;
  return 2 * demi_damping_ratio(rebound, cuts(i)) * (sqrt(i->stiffness) / sqrt(i->mass)) * per_mass;
}

dem_status demi_impact_fit_damping(dem_impact *impact, double rebound) {
  dem_impact i;
  dem_status status = take(impact, &i);
  if (!status && (!positive(i.stiffness) || !(rebound > 0 && rebound <= 1) || i.damping == DEM_DAMPING_NONE))
    status = DEM_BAD_ARGUMENT;
  if (status) return status;
  if (tsuji(&i)) {
    /* the mode that ignores the cut needs another e, if one exists */
    const int cut_unknown = cuts(&i) && i.damping == DEM_DAMPING_RESTITUTION;
    i.restitution = cut_unknown ? demi_damping_restitution(demi_damping_ratio(rebound, 1), 0) : rebound;
  } else {
    i.normal_damping = fitted_damping(&i, rebound);
  }
  status = check_damping(&i);
  return status ? status : give(impact, &i);
}
