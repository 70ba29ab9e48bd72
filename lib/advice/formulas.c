/* Formulas of dem/formulas.h, for one pair of bodies.
 *
 *   Hooke   1/2 m v^2 = 1/2 k d^2                          t = pi/sqrt(k/m - (c/2m)^2)            c = 2 z sqrt(k m)
 *   Hertz   1/2 m v^2 = 8/15 Y sqrt(R) d^(5/2)             t = 2 sqrt(pi) G(7/5)/G(9/10) d/v      c = 2 sqrt(5/6) z sqrt(S m)
 *           (H. Hertz, J. reine angew. Math. 92 (1882) 156; L. D. Landau & E. M. Lifshitz, Theory of Elasticity, section 9)
 *   moduli  1/Y* = sum (1-nu^2)/Y, 1/G* = sum 2(2-nu)(1+nu)/Y, k_t/k_n = 4 G* / Y* (R. D. Mindlin, J. Appl. Mech. 16 (1949) 259)
 *   Rayleigh  pi R sqrt(rho/G)/(0.1631 nu + 0.8766)        (Z. Ning & M. Ghadiri, Chem. Eng. Sci. 61 (2006) 5991)
 *   ratio     1/(sqrt(1+mu^2) - 1)                         (Vyas et al. 2025)
 *   step      z^2 - (2 - a - b) z + 1 - b = 0 with a = k dt^2/m, b = c dt/m for velocity-Verlet whose dashpot sees the half-step
 *             velocity; both roots are in the unit circle while a + 2 b <= 4
 *
 * Here m, R, Y are m*, R*, Y*. */
#include "formulas.h"

#include <math.h>

#include "parts/builtin.h"

static const double pi = 3.14159265358979323846;
/* 2 sqrt(pi) Gamma(7/5)/Gamma(9/10) */
static const double hertz_time = 2.9432751843247047;

static int positive(double value) { return isfinite(value) && value > 0; }
static int not_negative(double value) { return isfinite(value) && value >= 0; }
static int poisson_allowed(double nu) { return isgreater(nu, -1) && nu <= 0.5; }

/* A result that left the range of doubles is no advice. */
static dem_status give(double value, double *out) {
  if (!isfinite(value)) return DEM_BAD_ARGUMENT;
  *out = value;
  return DEM_OK;
}

/* ---- a pair of bodies ---- */

dem_status demi_formula_harmonic(double a, double b, double *value) {
  if (!isgreater(a, 0) || !isgreater(b, 0) || (isinf(a) && isinf(b))) return DEM_BAD_ARGUMENT;
  const double less = fmin(a, b), more = fmax(a, b);
  return give(less / (1 + less / more), value);
}

dem_status demi_formula_effective_moduli(double young_i, double nu_i, double young_j, double nu_j, double *young,
                                         double *shear) {
  if (!isgreater(young_i, 0) || !isgreater(young_j, 0) || (isinf(young_i) && isinf(young_j)) || !poisson_allowed(nu_i) ||
      !poisson_allowed(nu_j))
    return DEM_BAD_ARGUMENT;
  const double y = 1 / ((1 - nu_i * nu_i) / young_i + (1 - nu_j * nu_j) / young_j);
  const double g = 1 / (2 * (2 - nu_i) * (1 + nu_i) / young_i + 2 * (2 - nu_j) * (1 + nu_j) / young_j);
  if (!isfinite(y) || !isfinite(g)) return DEM_BAD_ARGUMENT;
  *young = y;
  *shear = g;
  return DEM_OK;
}

dem_status demi_formula_material_young(double effective_young, double nu, double *young) {
  if (!positive(effective_young) || !poisson_allowed(nu)) return DEM_BAD_ARGUMENT;
  return give(2 * (1 - nu * nu) * effective_young, young);
}

/* ---- stiffness and overlap ---- */

dem_status demi_formula_hooke_stiffness(double mass, double speed, double overlap, double *stiffness) {
  if (!positive(mass) || !positive(speed) || !positive(overlap)) return DEM_BAD_ARGUMENT;
  return give(mass * (speed / overlap) * (speed / overlap), stiffness);
}

dem_status demi_formula_hooke_overlap(double mass, double speed, double stiffness, double *overlap) {
  if (!positive(mass) || !not_negative(speed) || !positive(stiffness)) return DEM_BAD_ARGUMENT;
  return give(speed * (sqrt(mass) / sqrt(stiffness)),
              overlap); /* computed apart, because their ratio may leave the range of doubles */
}

dem_status demi_formula_hertz_young(double mass, double radius, double speed, double overlap, double *young) {
  if (!positive(mass) || !positive(radius) || !positive(speed) || !positive(overlap)) return DEM_BAD_ARGUMENT;
  return give(15.0 / 16.0 * mass * (speed / overlap) * (speed / overlap) / sqrt(radius * overlap), young);
}

dem_status demi_formula_hertz_overlap(double mass, double radius, double speed, double young, double *overlap) {
  if (!positive(mass) || !positive(radius) || !not_negative(speed) || !positive(young)) return DEM_BAD_ARGUMENT;
  const double k = 4.0 / 3.0 * young * sqrt(radius), momentum = 1.25 * mass * speed, energy = momentum * speed;
  if (isnormal(k) && isnormal(momentum) && isnormal(energy) && isnormal(energy / k)) return give(pow(energy / k, 0.4), overlap);
  /* factor by factor, because the product may leave the range of doubles */
  return give(pow(15.0 / 16.0, 0.4) * pow(mass, 0.4) * pow(speed, 0.8) / pow(young, 0.4) / pow(radius, 0.2), overlap);
}

dem_status demi_formula_hooke_like_hertz(double mass, double radius, double speed, double young, double *stiffness) {
  double time;
  const dem_status status = demi_formula_hertz_contact_time(mass, radius, speed, young, &time);
  return status ? status : give(mass * (pi / time) * (pi / time), stiffness);
}

/* ---- tangential stiffness ---- */

dem_status demi_formula_tangential_ratio(double nu, double *ratio) {
  return poisson_allowed(nu) ? give(2 * (1 - nu) / (2 - nu), ratio) : DEM_BAD_ARGUMENT;
}

dem_status demi_formula_tangential_ratio_of_moduli(double young, double shear, double *ratio) {
  return positive(young) && positive(shear) ? give(4 * (shear / young), ratio) : DEM_BAD_ARGUMENT;
}

/* ---- damping ---- */

static int either(int32_t value) { return value == 0 || value == 1; }

dem_status demi_formula_damping_ratio(double restitution, int32_t attraction, double *ratio) {
  if (!(isgreater(restitution, 0) && restitution <= 1) || !either(attraction)) return DEM_BAD_ARGUMENT;
  return give(demi_damping_ratio(restitution, !attraction), ratio);
}

dem_status demi_formula_restitution(double ratio, int32_t attraction, double *restitution) {
  if (!not_negative(ratio) || !either(attraction)) return DEM_BAD_ARGUMENT;
  return give(demi_damping_restitution(ratio, !attraction), restitution);
}

dem_status demi_formula_hooke_damping(double mass, double stiffness, double ratio, double *coefficient) {
  if (!positive(mass) || !positive(stiffness) || !not_negative(ratio)) return DEM_BAD_ARGUMENT;
  return give(2 * ratio * (sqrt(stiffness) * sqrt(mass)), coefficient);
}

dem_status demi_formula_hooke_damping_ratio(double mass, double stiffness, double coefficient, double *ratio) {
  if (!positive(mass) || !positive(stiffness) || !not_negative(coefficient)) return DEM_BAD_ARGUMENT;
  return give(coefficient / (2 * (sqrt(stiffness) * sqrt(mass))), ratio);
}

dem_status demi_formula_hertz_damping(double mass, double radius, double young, double overlap, double ratio,
                                      double *coefficient) {
  if (!positive(mass) || !positive(radius) || !positive(young) || !not_negative(overlap) || !not_negative(ratio))
    return DEM_BAD_ARGUMENT;
  return give(2 * sqrt(5.0 / 6.0) * ratio * sqrt(2 * young * sqrt(radius * overlap) * mass), coefficient);
}

dem_status demi_formula_hertz_damping_ratio(double mass, double radius, double young, double overlap, double coefficient,
                                            double *ratio) {
  if (!positive(mass) || !positive(radius) || !positive(young) || !positive(overlap) || !not_negative(coefficient))
    return DEM_BAD_ARGUMENT;
  return give(coefficient / (2 * sqrt(5.0 / 6.0) * sqrt(2 * young * sqrt(radius * overlap) * mass)), ratio);
}

/* ---- times ---- */

dem_status demi_formula_hooke_contact_time(double mass, double stiffness, double damping, double *time) {
  if (!positive(mass) || !positive(stiffness) || !not_negative(damping)) return DEM_BAD_ARGUMENT;
  const double half = 0.5 * damping / mass, square = stiffness / mass - half * half;
  return square > 0 ? give(pi / sqrt(square), time) : DEM_BAD_ARGUMENT;
}

dem_status demi_formula_hertz_contact_time(double mass, double radius, double speed, double young, double *time) {
  double overlap;
  if (!positive(speed)) return DEM_BAD_ARGUMENT;
  const dem_status status = demi_formula_hertz_overlap(mass, radius, speed, young, &overlap);
  return status ? status : give(hertz_time * overlap / speed, time);
}

dem_status demi_formula_stable_dt(double mass, double stiffness, double damping, double *dt) {
  if (!positive(mass) || !not_negative(stiffness) || !not_negative(damping)) return DEM_BAD_ARGUMENT;
  const double rate = damping / mass, square = stiffness / mass;
  if (!isfinite(rate) || !isfinite(square)) return DEM_BAD_ARGUMENT;
  const double sum = rate + sqrt(rate * rate + 4 * square);
  *dt = sum > 0 ? 4 / sum : (double)INFINITY; /* neither spring nor dashpot: no limit */
  return DEM_OK;
}

dem_status demi_formula_rayleigh_dt(double radius, double density, double shear, double nu, double *dt) {
  if (!positive(radius) || !positive(density) || !positive(shear) || !poisson_allowed(nu)) return DEM_BAD_ARGUMENT;
  return give(pi * radius * sqrt(density / shear) / (0.1631 * nu + 0.8766), dt);
}

/* ---- size ratio: both without the difference that loses digits ---- */

dem_status demi_formula_critical_ratio(double friction, double *ratio) {
  if (!positive(friction)) return DEM_BAD_ARGUMENT;
  return give((sqrt(1 + friction * friction) + 1) / friction / friction, ratio);
}

dem_status demi_formula_critical_friction(double ratio, double *friction) {
  if (!positive(ratio)) return DEM_BAD_ARGUMENT;
  return give(sqrt(2 + 1 / ratio) / sqrt(ratio), friction);
}
