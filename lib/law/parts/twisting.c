/* Twisting spring, dashpot and slider: angle <- angle + w_n h, M_t = -k angle - c w_n, |M_t| <= cap, with the rate w_n = (w_i -
 * w_j).n and h the time by which the history advances. Capped, the slider gives way as that of the linear tangential part does.
 *
 *   Luding 2008                 k = k_tw R*^2,   c = c_tw R*^2,   cap = mu_tw R* F
 *   Marshall 2009               k = k_t a^2/2,   c = c_t a^2/2,   cap = 2/3 a mu F
 *
 * with F = friction_force, a = sqrt(R* d) or that of the normal part. Potential k angle^2/2; slip, dashpot, hysteresis and the end of a
 * contact are booked as by the linear tangential part. History: the angle (1) and, where the normal part gives a,
 * Marshall's a (1). */
#include <math.h>

#include "coulomb.h"
#include "variant.h"

demi_evaluate DEMI_VARIANT_NAME(twisting_spring);
demi_evaluate DEMI_VARIANT_NAME(twisting_marshall);

/* One contact: stiffness, what it was a step ago, dashpot, cap = per_force F. */
typedef struct spring {
  double k, before, c, per_force;
  int reset;
} spring;

/* Derivatives by the overlap. */
typedef struct slopes {
  double k, c, per_force;
} slopes;

typedef spring spring_fn(const void *parameters, const dem_batch *b, int32_t q);
typedef slopes slopes_fn(const void *parameters, const dem_batch *b, int32_t q);

static inline spring luding(const void *parameters, const dem_batch *b, int32_t q) {
  const demi_rolling_parameters *p = parameters;
  const double radius = b->effective_radius[q], k = p->stiffness * radius * radius;
  return (spring){k, k, p->coefficient * radius * radius, radius * p->friction, p->reset > 0};
}

static inline slopes luding_slopes(const void *parameters, const dem_batch *b, int32_t q) {
  (void)parameters;
  (void)b;
  (void)q;
  return (slopes){0, 0, 0};
}

static inline double marshall_stiffness(const demi_tangential_parameters *p, double a) {
  return 0.5 * a * a * (p->shear > 0 ? p->shear * a : p->stiffness);
}

static inline double radius_before(const dem_batch *b, int32_t q) {
  if (b->contact_radius)
    return b->history_in[1][q]; /* a new contact has no stiffness of a step before, and no spring energy either */
  const double old = b->overlap[q] + b->normal_velocity[q] * b->dt;
  return sqrt(b->effective_radius[q] * (old > 0 ? old : 0.0));
}

static inline spring marshall(const void *parameters, const dem_batch *b, int32_t q) {
  const demi_tangential_parameters *p = parameters;
  const double a = demi_contact_radius(b, q), kt = p->shear > 0 ? p->shear * a : p->stiffness;
  spring s;
  s.k = marshall_stiffness(p, a);
  s.before = marshall_stiffness(p, radius_before(b, q));
  s.c = 0.5 * a * a * demi_dashpot(p, b, q, kt);
  s.per_force = 2.0 / 3.0 * a * p->friction;
  s.reset = p->reset > 0;
  return s;
}

static inline slopes marshall_slopes(const void *parameters, const dem_batch *b, int32_t q) {
  const demi_tangential_parameters *p = parameters;
  const double a = demi_contact_radius(b, q), kt = p->shear > 0 ? p->shear * a : p->stiffness;
  const double slope = demi_contact_radius_slope(b, q), power = p->shear > 0 ? 3.0 : 2.0;
  slopes s;
  s.k = power * marshall_stiffness(p, a) * slope / a;
  s.c = a * slope * demi_dashpot(p, b, q, kt) + 0.5 * a * a * demi_dashpot_slope(p, b, q, kt);
  s.per_force = 2.0 / 3.0 * slope * p->friction;
  return s;
}

/* Energy of the spring when the contact opens before the next evaluation, less the work that its torque does until then. */
static inline double left_at_end(const dem_batch *b, int32_t q, double stored) {
  const double dt = b->dt, v = b->normal_velocity[q], f = b->normal_elastic[q] + b->normal_damping[q];
  const double left = 0.5 * dt * b->twisting_rate[q] * b->twisting_elastic[q];
  const int opens = b->overlap[q] <= (v + f / b->effective_mass[q] * dt) * dt;
  return (opens & (stored > left)) ? stored - left : 0.0;
}

/* holds: the engine books the end. */
static inline void books(const dem_batch *b, int32_t q, spring s, double in, double out, double slip, int holds) {
  const double stored = 0.5 * s.k * out * out;
  double taken = 0.5 * (s.before - s.k) * in * out, weight = 1.0;
  if (s.c > 0) {
    /* a slipping contact's dashpot joins the spring */
    if (s.reset && slip != 0) {
      b->twisting_elastic[q] += b->twisting_damping[q];
      b->twisting_damping[q] = 0.0;
      taken = 0.5 * s.before * in * in - stored - b->twisting_elastic[q] * (out - in);
    }
  } else {
    weight = demi_slip_weight(b->twisting_elastic[q] * b->twisting_elastic[q], -s.before * in * b->twisting_elastic[q]);
  }
  const double end = holds ? 0.0 : left_at_end(b, q, stored), e = b->twisting_elastic[q];
  const int slides = !(s.c > 0) && b->normal_damping[q] == 0 && e != 0;
  b->twisting_slip[q] = weight * slip - (slides ? end / e : 0.0);
  b->hysteresis[q] = taken + (slides ? 0.0 : end);
}

static inline void tangent(const dem_batch *b, int32_t q, spring s, slopes slope, double angle, double trial) {
  const double way = trial < 0 ? -1.0 : 1.0, force = b->friction_force[q];
  const int slips = fabs(trial) > s.per_force * force;
  b->twisting_viscosity[q] = slips ? 0.0 : s.k * b->history_time[q] + s.c;
  b->twisting_overlap[q] = slips ? way * (slope.per_force * force + s.per_force * b->friction_overlap[q])
                                 : -slope.k * angle - slope.c * b->twisting_rate[q];
  b->twisting_normal_velocity[q] = slips ? way * s.per_force * b->friction_normal_velocity[q] : 0.0;
}

static inline __attribute__((always_inline)) void evaluate(const void *parameters, const dem_batch *b, spring_fn *spring_of,
                                                           slopes_fn *slopes_of, int holds) {
  const double *in = b->history_in[0], *rate = b->twisting_rate;
  double *out = b->history_out[0];
  const int32_t lanes = DEMI_LANES(b);
  for (int32_t q = 0; q < lanes; q++) {
    const spring s = spring_of(parameters, b, q);
    const double h = b->history_time[q], angle = in[q] + rate[q] * h, trial = -s.k * angle - s.c * rate[q];
    const double size = fabs(trial), cap = s.per_force * b->friction_force[q];
    const int slips = size > cap;
    const double scale = slips ? cap / (size + DEMI_TINY) : 1.0;
    const demi_slip_division division = demi_divide_slip(slips ? 1.0 - scale : 0.0, s.k, s.c, h, s.reset);
    const double rest = division.rest * trial, dashpot = -s.c * rate[q] - division.dash * trial;
    out[q] = angle + rest;
    b->twisting_elastic[q] = scale * trial - dashpot;
    b->twisting_damping[q] = dashpot;
    if (b->twisting_slip) books(b, q, s, in[q], out[q], -rest, holds);
    if (b->twisting_energy) b->twisting_energy[q] = 0.5 * s.k * out[q] * out[q];
    if (b->twisting_viscosity && q < b->count) tangent(b, q, s, slopes_of(parameters, b, q), angle, trial);
  }
}

void DEMI_VARIANT_NAME(twisting_spring)(const void *parameters, const dem_batch *b) {
  const demi_rolling_parameters *p = parameters;
  evaluate(parameters, b, luding, luding_slopes, p->holds > 0);
}

void DEMI_VARIANT_NAME(twisting_marshall)(const void *parameters, const dem_batch *b) {
  const demi_tangential_parameters *p = parameters;
  evaluate(parameters, b, marshall, marshall_slopes, p->holds > 0);
  for (int32_t q = 0; b->contact_radius && q < DEMI_LANES(b); q++) b->history_out[1][q] = b->contact_radius[q];
}
