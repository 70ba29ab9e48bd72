/* Spring with history: u <- u + v_t h, f_t = -k_t u - c_t v_t, |f_t| <= mu F, F = friction_force   (Cundall & Strack
 * 1979), h the time by which the history advances. k_t is constant or 8 G* a, a = sqrt(R* d) or that of the normal part. Potential
 * k_t u^2 / 2. History: u (3) and, where the normal part gives a, a (1).
 *
 * Above the cap the contact slips by s. In series (DEM_SLIDER_SERIES) the slip relieves spring and dashpot together,
 *
 *   f = -k_t (u + v_t h) - c_t v_t,    s = -(1 - cap/|f|) f h/(k_t h + c_t),    u <- u + v_t h - s,    f_t = -k_t u - c_t (v_t - s/h),
 *
 * so that spring work, heat of the dashpot c_t (v_t - s/h)^2 h and heat of the slip -f_t.s >= 0 add up to the work done on the contact.
 * Reset (DEM_SLIDER_RESET) the dashpot keeps -c_t v_t and u is set so that both give the cap, s = -(1 - cap/|f|) f/k_t.
 *
 * Books of the reset form: a slipping contact moves through v_t h = slip + change of u, all of it against f_t. The spring stores less
 * than the second share, being shorter than f_t/k_t by c_t v_t/k_t: that remainder is `hysteresis`, and the dashpot counts only while the
 * contact sticks. Both forms: what a stiffness that changes under a stretched spring takes is `hysteresis`. */
#include <math.h>

#include "coulomb.h"
#include "variant.h"

demi_evaluate DEMI_VARIANT_NAME(tangential_linear);

/* Where the stiffness comes from: constant, of a Hertz contact, of the radius that the normal part gives; constant beside a
 * dashpot that goes with the radius. */
enum { CONSTANT = 0, HERTZ = 1, GIVEN = 2, FOLLOWED = 3 };

static inline double stiffness_of(const demi_tangential_parameters *p, const dem_batch *b, int32_t q) {
  return p->shear > 0 ? p->shear * demi_contact_radius(b, q) : p->stiffness;
}

/* The loop of a run. Constant arguments are folded: without dashpot or with fixed stiffness it is much shorter. */
static inline __attribute__((always_inline)) void loop(const demi_tangential_parameters *p, const dem_batch *b,
                                                       const int source, const int damped, const int slipping) {
  const int32_t lanes = DEMI_LANES(b);
  const int reset = p->reset > 0;
  const double mu = p->friction;
  const double *restrict time = b->history_time;
  const double *restrict overlap = b->overlap, *restrict radius = b->effective_radius, *restrict mass = b->effective_mass;
  const double *restrict vx = b->tangential_velocity[0], *restrict vy = b->tangential_velocity[1];
  const double *restrict vz = b->tangential_velocity[2];
  const double *restrict ux = b->history_in[0], *restrict uy = b->history_in[1], *restrict uz = b->history_in[2];
  double *restrict hx = b->history_out[0], *restrict hy = b->history_out[1], *restrict hz = b->history_out[2];
  double *restrict ex = b->tangential_elastic[0], *restrict ey = b->tangential_elastic[1];
  double *restrict ez = b->tangential_elastic[2];
  double *restrict dx = b->tangential_damping[0], *restrict dy = b->tangential_damping[1];
  double *restrict dz = b->tangential_damping[2];
  double *restrict sx = b->slip[0], *restrict sy = b->slip[1], *restrict sz = b->slip[2];
  const double *restrict normal = b->friction_force;
  const double *restrict given = source == GIVEN ? b->contact_radius : NULL;
  double *restrict ha = source == GIVEN ? b->history_out[3] : NULL;
  DEMI_INDEPENDENT
  for (int32_t q = 0; q < lanes; q++) {
    const double a = source == GIVEN ? given[q] : source == HERTZ ? sqrt(radius[q] * overlap[q]) : 0.0;
    const double k = source == HERTZ || source == GIVEN ? p->shear * a : p->stiffness;
    const double follows = source == FOLLOWED ? demi_following_viscosity(p, demi_contact_radius(b, q), mass[q]) : 0.0;
    const double c = damped ? demi_shear_viscosity(p, k, mass[q]) + follows : 0.0;
    const double gx = damped ? -c * vx[q] : 0.0, gy = damped ? -c * vy[q] : 0.0, gz = damped ? -c * vz[q] : 0.0;
    const double h = time[q], tx = ux[q] + vx[q] * h, ty = uy[q] + vy[q] * h, tz = uz[q] + vz[q] * h;
    const double fx = -k * tx + gx, fy = -k * ty + gy, fz = -k * tz + gz;
    const double size2 = fx * fx + fy * fy + fz * fz;
    const double limit = mu * normal[q];
    const int slips = size2 > limit * limit;
    const double scale = demi_choose(slips, limit / sqrt(size2 + DEMI_TINY), 1.0);
    const demi_slip_division division = demi_divide_slip(1.0 - scale, k, c, h, reset);
    const double rest = division.rest, dash = division.dash;
    const double px = damped ? gx - dash * fx : 0.0, py = damped ? gy - dash * fy : 0.0, pz = damped ? gz - dash * fz : 0.0;
    /* spring force = capped force less dashpot */
    ex[q] = scale * fx - px;
    ey[q] = scale * fy - py;
    ez[q] = scale * fz - pz;
    hx[q] = tx + rest * fx;
    hy[q] = ty + rest * fy;
    hz[q] = tz + rest * fz;
    if (source == GIVEN) ha[q] = a;
    if (damped) {
      dx[q] = px;
      dy[q] = py;
      dz[q] = pz;
    }
    if (slipping) {
      sx[q] = -rest * fx;
      sy[q] = -rest * fy;
      sz[q] = -rest * fz;
    }
  }
}

/* Stiffness at the overlap of the evaluation before; a new contact, which has no radius yet, holds no spring either. */
static inline double stiffness_before(const demi_tangential_parameters *p, const dem_batch *b, int32_t q, const int source) {
  const double old = b->overlap[q] + b->normal_velocity[q] * b->dt;
  if (source == GIVEN) return p->shear * b->history_in[3][q];
  return p->shear * sqrt(b->effective_radius[q] * (old > 0 ? old : 0.0));
}

static inline __attribute__((always_inline)) void books(const demi_tangential_parameters *p, const dem_batch *b,
                                                        const int source, const int damped) {
  const int reset = damped && p->reset > 0;
  const double *const *in = b->history_in;
  double *const *out = b->history_out;
  const int32_t lanes = DEMI_LANES(b);
  DEMI_INDEPENDENT
  for (int32_t q = 0; q < lanes; q++) {
    const double radius = source == GIVEN ? out[3][q] : sqrt(b->effective_radius[q] * b->overlap[q]);
    const double k = source != CONSTANT ? p->shear * radius : p->stiffness;
    const double before = source != CONSTANT ? stiffness_before(p, b, q, source) : k;
    const double stored = 0.5 * k * DEMI_DOT(out, out, q);
    const int slips = DEMI_DOT(b->slip, b->slip, q) > 0;
    /* spring work at the mean of both forces, so that what is left of it falls with the square of dt */
    double taken = source != CONSTANT ? 0.5 * (before - k) * DEMI_DOT(in, out, q) : 0.0, weight = 1;
    if (reset) {
      demi_join_dashpot(b, q, slips);
      const double work = DEMI_DOT(b->tangential_elastic, out, q) - DEMI_DOT(b->tangential_elastic, in, q);
      taken = slips ? 0.5 * before * DEMI_DOT(in, in, q) - stored - work : taken;
    } else if (!damped) {
      weight = demi_slip_weight(DEMI_DOT(b->tangential_elastic, b->tangential_elastic, q),
                                -before * DEMI_DOT(in, b->tangential_elastic, q));
    }
    demi_book_slip(b, q, weight, taken, p->holds > 0 ? 0.0 : demi_left_at_end(b, q, stored, 0.0), !damped);
  }
}

static void tangent(const demi_tangential_parameters *p, const dem_batch *b) {
  for (int32_t q = 0; q < b->count; q++) {
    const double k = stiffness_of(p, b, q);
    const double c = demi_dashpot(p, b, q, k), c_slope = demi_dashpot_slope(p, b, q, k);
    const double k_slope = p->shear > 0 ? p->shear * demi_contact_radius_slope(b, q) : 0.0;
    double trial[3], by_overlap[3];
    for (int a = 0; a < 3; a++) {
      const double v = b->tangential_velocity[a][q], u = b->history_in[a][q] + v * b->history_time[q];
      trial[a] = -k * u - c * v;
      by_overlap[a] = -k_slope * u - c_slope * v;
    }
    demi_coulomb_tangent(b, demi_cap_of(b, p->friction, q), q, trial, k * b->history_time[q] + c, by_overlap);
  }
}

static void energy(const demi_tangential_parameters *p, const dem_batch *b) {
  for (int32_t q = 0; q < b->count; q++) {
    const double k = stiffness_of(p, b, q);
    const double x = b->history_out[0][q], y = b->history_out[1][q], z = b->history_out[2][q];
    b->tangential_energy[q] = 0.5 * k * (x * x + y * y + z * z);
  }
}

static void keep_books(const demi_tangential_parameters *p, const dem_batch *b, int damped) {
  if (p->shear > 0 && b->contact_radius)
    books(p, b, GIVEN, damped);
  else if (p->shear > 0 && damped)
    books(p, b, HERTZ, 1);
  else if (p->shear > 0)
    books(p, b, HERTZ, 0);
  else if (damped)
    books(p, b, CONSTANT, 1);
  else
    books(p, b, CONSTANT, 0);
}

void DEMI_VARIANT_NAME(tangential_linear)(const void *parameters, const dem_batch *b) {
  const demi_tangential_parameters *p = parameters;
  const int damped = demi_is_damped(p), slipping = b->slip[0] != NULL;
  if (p->shear > 0 && b->contact_radius) {
    loop(p, b, GIVEN, 1, slipping);
  } else if (p->shear > 0) {
    if (slipping)
      loop(p, b, HERTZ, 1, 1);
    else if (damped)
      loop(p, b, HERTZ, 1, 0);
    else
      loop(p, b, HERTZ, 0, 0);
  } else {
    if (demi_dashpot_follows(p))
      loop(p, b, FOLLOWED, 1, slipping);
    else if (slipping && damped)
      loop(p, b, CONSTANT, 1, 1);
    else if (slipping)
      loop(p, b, CONSTANT, 0, 1);
    else if (damped)
      loop(p, b, CONSTANT, 1, 0);
    else
      loop(p, b, CONSTANT, 0, 0);
  }
  if (slipping) keep_books(p, b, damped);
  if (b->tangential_energy) energy(p, b);
  if (b->tangential_isotropic) tangent(p, b);
}
