/* Twisting spring, dashpot and slider: angle <- angle + w_n dt, M_t = -k angle - c w_n, |M_t| <= cap, with the rate w_n = (w_i -
 * w_j).n. Capped, the angle is reset so that spring and dashpot give the capped torque.
 *
 *   Luding 2008                 k = k_tw R*^2,   c = c_tw R*^2,   cap = mu_tw R* |f_n|
 *   Marshall 2009               k = k_t a^2/2,   c = c_t a^2/2,   cap = 2/3 a mu |f_n|,   a = sqrt(R* d)
 *
 * Potential k angle^2/2; slip, dashpot, path and the end of a contact are booked as by the linear tangential part. */
#include <math.h>

#include "rolling.h"
#include "variant.h"

demi_evaluate DEMI_V(twisting_spring);
demi_evaluate DEMI_V(twisting_marshall);

/* One contact: stiffness, what it was at the overlap a step ago, dashpot, cap, and their derivatives by overlap. */
typedef struct spring {
  double k, before, c, cap;
  double k_slope, c_slope, cap_slope; /* cap_slope: at constant normal force */
} spring;

typedef spring spring_fn(const void *parameters, const dem_batch *b, int32_t q);

static inline spring luding(const void *parameters, const dem_batch *b, int32_t q) {
  const demi_rolling_parameters *p = parameters;
  const double radius = b->effective_radius[q], k = p->stiffness * radius * radius;
  return (spring){k, k, p->coefficient * radius * radius, radius * demi_friction_limit(b, p->friction, q), 0, 0, 0};
}

static inline double marshall_stiffness(const demi_tangential_parameters *p, double square) {
  return 0.5 * square * (p->shear > 0 ? p->shear * sqrt(square) : p->stiffness);
}

static inline spring marshall(const void *parameters, const dem_batch *b, int32_t q) {
  const demi_tangential_parameters *p = parameters;
  const double d = b->overlap[q], old = d + b->normal_velocity[q] * b->dt, radius = b->effective_radius[q];
  const double square = radius * d, a = sqrt(square), m = b->effective_mass[q];
  const double kt = p->shear > 0 ? p->shear * a : p->stiffness, root = p->ratio * sqrt(kt * m);
  const double power = p->shear > 0 ? 1.5 : 1.0, root_power = p->shear > 0 ? 1.25 : 1.0, per = d > 0 ? 1.0 / d : 0.0;
  spring s;
  s.k = marshall_stiffness(p, square);
  s.before = marshall_stiffness(p, old > 0 ? radius * old : 0.0);
  s.c = 0.5 * square * (p->coefficient + p->rate * m + root);
  s.cap = 2.0 / 3.0 * a * demi_friction_limit(b, p->friction, q);
  s.k_slope = power * s.k * per;
  s.c_slope = 0.5 * radius * (p->coefficient + p->rate * m + root_power * root);
  s.cap_slope = 0.5 * s.cap * per;
  return s;
}

/* What the spring holds when the contact opens before the next evaluation, less the work its torque goes on doing. */
static inline double left_at_end(const dem_batch *b, int32_t q, double stored) {
  const double dt = b->dt, v = b->normal_velocity[q], f = b->normal_elastic[q] + b->normal_damping[q];
  const double left = 0.5 * dt * b->twisting_rate[q] * b->twisting_elastic[q];
  const int opens = b->overlap[q] <= (v + f / b->effective_mass[q] * dt) * dt;
  return (opens & (stored > left)) ? stored - left : 0.0;
}

static inline void books(const dem_batch *b, int32_t q, spring s, double in, double out, double slip) {
  const double stored = 0.5 * s.k * out * out;
  double taken = 0.5 * (s.before - s.k) * in * out, weight = 1.0;
  if (s.c > 0) {
    /* a slipping contact's dashpot joins the spring */
    if (slip != 0) {
      b->twisting_elastic[q] += b->twisting_damping[q];
      b->twisting_damping[q] = 0.0;
      taken = 0.5 * s.before * in * in - stored - b->twisting_elastic[q] * (out - in);
    }
  } else {
    weight = demi_slip_weight(b->twisting_elastic[q] * b->twisting_elastic[q], -s.before * in * b->twisting_elastic[q]);
  }
  const double end = left_at_end(b, q, stored), e = b->twisting_elastic[q];
  const int slides = !(s.c > 0) && b->normal_damping[q] == 0 && e != 0;
  b->twisting_slip[q] = weight * slip - (slides ? end / e : 0.0);
  b->path[q] = taken + (slides ? 0.0 : end);
}

static inline void tangent(const dem_batch *b, int32_t q, spring s, double friction_slope, double angle, double trial) {
  const double fn = demi_capping_force(b, q), sign = fn < 0 ? -1.0 : 1.0, way = trial < 0 ? -1.0 : 1.0;
  const int slips = fabs(trial) > s.cap;
  const double per_force = way * friction_slope * sign;
  b->twisting_viscosity[q] = slips ? 0.0 : s.k * b->dt + s.c;
  b->twisting_overlap[q] =
      slips ? way * s.cap_slope + per_force * b->normal_stiffness[q] : -s.k_slope * angle - s.c_slope * b->twisting_rate[q];
  b->twisting_normal_velocity[q] = slips ? -per_force * b->normal_viscosity[q] : 0.0;
}

/* per_force: d cap/d |f_n| of a lane. */
static inline __attribute__((always_inline)) void evaluate(const void *parameters, const dem_batch *b, spring_fn *spring_of) {
  const double *in = b->history_in[0], *rate = b->twisting_rate;
  double *out = b->history_out[0];
  const int32_t lanes = DEMI_LANES(b);
  for (int32_t q = 0; q < lanes; q++) {
    const spring s = spring_of(parameters, b, q);
    const double angle = in[q] + rate[q] * b->dt, dashpot = -s.c * rate[q], trial = -s.k * angle + dashpot;
    const double size = fabs(trial);
    const int slips = size > s.cap;
    const double scale = slips ? s.cap / (size + DEMI_TINY) : 1.0, rest = slips && s.k > 0 ? (1.0 - scale) / s.k * trial : 0.0;
    const double before = in[q];
    out[q] = angle + rest;
    b->twisting_elastic[q] = scale * trial - dashpot;
    b->twisting_damping[q] = dashpot;
    if (b->twisting_slip) books(b, q, s, before, out[q], -rest);
    if (b->twisting_energy) b->twisting_energy[q] = 0.5 * s.k * out[q] * out[q];
    if (b->twisting_viscosity && q < b->count) {
      const double fn = fabs(demi_capping_force(b, q));
      tangent(b, q, s, fn > 0 ? s.cap / fn : 0.0, angle, trial);
    }
  }
}

void DEMI_V(twisting_spring)(const void *parameters, const dem_batch *b) { evaluate(parameters, b, luding); }

void DEMI_V(twisting_marshall)(const void *parameters, const dem_batch *b) { evaluate(parameters, b, marshall); }
