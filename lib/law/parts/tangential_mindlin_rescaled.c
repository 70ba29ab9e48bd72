/* Mindlin with displacement history, rescaled: u <- keep u + v_t h with h the time by which it advances and keep = a/a_before
 * where the contact radius a shrinks, else 1; f_t = -k_t u - c_t v_t, k_t = 8 G* a (LAMMPS mindlin_rescale). On unloading
 * without slip the force falls with a^2, where the incremental theory has a (see tangential_mindlin.c). Coulomb cap and slider
 * as for the linear spring. The stored energy reported is k_t u^2/2. History: u (3), the contact radius (1).
 *
 * Books: the work of the spring over a step is that of the mean of the forces before and after, over u' - keep u; what k_t u^2/2
 * differs from that is `hysteresis`:
 *   stuck     ((k - k' keep) u.u' + k (1 - keep) u^2)/2        k, u before, k', u' after
 *   slipping, spring reset under a dashpot, all of the force: k u^2/2 - k' u'^2/2 - f.(u' - keep u) */
#include <math.h>

#include "coulomb.h"
#include "variant.h"

demi_evaluate DEMI_VARIANT_NAME(tangential_mindlin_rescaled);

static inline double rescale(double a, double before) { return demi_quotient_where(before > a, a, before, 1.0); }

static void loop(const demi_tangential_parameters *p, const dem_batch *b) {
  const int32_t lanes = DEMI_LANES(b);
  const int slipping = b->slip[0] != NULL, reset = p->reset > 0;
  DEMI_INDEPENDENT
  for (int32_t q = 0; q < lanes; q++) {
    const double a = demi_contact_radius(b, q), k = p->shear * a, keep = rescale(a, b->history_in[3][q]);
    const double c = demi_shear_viscosity(p, k, b->effective_mass[q]), limit = p->friction * b->friction_force[q];
    const double h = b->history_time[q];
    double u[3], g[3], f[3];
    for (int x = 0; x < 3; x++) {
      const double v = b->tangential_velocity[x][q];
      u[x] = keep * b->history_in[x][q] + v * h;
      g[x] = -c * v;
      f[x] = -k * u[x] + g[x];
    }
    const double size2 = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    const int slips = size2 > limit * limit;
    const double scale = demi_choose(slips, limit / sqrt(size2 + DEMI_TINY), 1.0);
    const demi_slip_division division = demi_divide_slip(1.0 - scale, k, c, h, reset);
    for (int x = 0; x < 3; x++) {
      const double dashpot = g[x] - division.dash * f[x];
      b->tangential_elastic[x][q] = scale * f[x] - dashpot;
      b->tangential_damping[x][q] = dashpot;
      b->history_out[x][q] = u[x] + division.rest * f[x];
      if (slipping) b->slip[x][q] = -division.rest * f[x];
    }
    b->history_out[3][q] = a;
  }
}

static void books(const demi_tangential_parameters *p, const dem_batch *b) {
  const double *const *in = b->history_in;
  double *const *out = b->history_out;
  const int32_t lanes = DEMI_LANES(b);
  const int damped = demi_is_damped(p), reset = p->reset > 0;
  for (int32_t q = 0; q < lanes; q++) {
    const double k = p->shear * out[3][q], before = p->shear * in[3][q], keep = rescale(out[3][q], in[3][q]);
    const double held = 0.5 * before * DEMI_DOT(in, in, q), stored = 0.5 * k * DEMI_DOT(out, out, q);
    const int cut = reset & damped & (DEMI_DOT(b->slip, b->slip, q) > 0);
    demi_join_dashpot(b, q, cut);
    const double work = DEMI_DOT(b->tangential_elastic, out, q) - keep * DEMI_DOT(b->tangential_elastic, in, q);
    const double stuck = 0.5 * (before - k * keep) * DEMI_DOT(in, out, q) + (1.0 - keep) * held;
    const double ff = DEMI_DOT(b->tangential_elastic, b->tangential_elastic, q);
    const double weight = demi_slip_weight(ff, -before * DEMI_DOT(in, b->tangential_elastic, q));
    const double end = p->holds > 0 ? 0.0 : demi_left_at_end(b, q, stored, 0.0);
    demi_book_slip(b, q, damped ? 1.0 : weight, cut ? held - stored - work : stuck, end, !damped);
  }
}

static void tangent(const demi_tangential_parameters *p, const dem_batch *b) {
  for (int32_t q = 0; q < b->count; q++) {
    const double a = demi_contact_radius(b, q), slope = demi_contact_radius_slope(b, q), before = b->history_in[3][q];
    const double k = p->shear * a, c = demi_dashpot(p, b, q, k), c_slope = demi_dashpot_slope(p, b, q, k);
    const double keep = rescale(a, before), keep_slope = before > a ? slope / before : 0.0;
    const double h = b->history_time[q];
    double trial[3], by_overlap[3];
    for (int x = 0; x < 3; x++) {
      const double v = b->tangential_velocity[x][q], u = keep * b->history_in[x][q] + v * h;
      trial[x] = -k * u - c * v;
      by_overlap[x] = -p->shear * slope * u - k * keep_slope * b->history_in[x][q] - c_slope * v;
    }
    demi_coulomb_tangent(b, demi_cap_of(b, p->friction, q), q, trial, k * h + c, by_overlap);
  }
}

void DEMI_VARIANT_NAME(tangential_mindlin_rescaled)(const void *parameters, const dem_batch *b) {
  const demi_tangential_parameters *p = parameters;
  loop(p, b);
  if (b->hysteresis) books(p, b);
  for (int32_t q = 0; b->tangential_energy && q < b->count; q++)
    b->tangential_energy[q] = 0.5 * p->shear * b->history_out[3][q] * DEMI_DOT(b->history_out, b->history_out, q);
  if (b->tangential_isotropic) tangent(p, b);
}
