/* Mindlin from a potential: U = 1/2 k_t(d) |u|^2, k_t = 8 G* sqrt(R* d) (numerics section 2). Hence f_t = -k_t u, and the
 * spring also pushes along the normal, with 1/2 k_t'(d) |u|^2 = k_t |u|^2/(4 d).
 *
 * Capped at mu |f_n + adhesion|, f_n that of the normal part, slider and (spring beside dashpot) are in series: the slip s is shared by
 * spring and dashpot, u <- u + v_t dt - s, f_t = -k_t u - c_t (v_t - s/dt). So work, heat and stored energy are those of
 * one model, and nothing is lost on the way. */
#include <math.h>

#include "coulomb.h"
#include "variant.h"

demi_evaluate DEMI_V(tangential_mindlin_conserving);

/* Slip per force that exceeds the cap: 1/(k + c/dt); of the spring alone 1/k, also in no time. */
static inline double slip_per_force(double k, double c, double dt) {
  const double spring = demi_quotient(1.0, k, 0.0);
  return demi_quotient_where(c > 0, dt, k * dt + c, spring);
}

static inline __attribute__((always_inline)) void loop(const demi_tangential_parameters *p, const dem_batch *b,
                                                       const int slipping) {
  const int32_t lanes = DEMI_LANES(b);
  const double dt = b->dt, mu = p->friction;
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
  double *restrict push = b->tangential_normal;
  const double *restrict fe = b->normal_elastic, *restrict fd = b->normal_damping, *restrict fa = b->adhesion;
  DEMI_INDEPENDENT
  for (int32_t q = 0; q < lanes; q++) {
    const double k = p->shear * sqrt(radius[q] * overlap[q]), c = demi_shear_viscosity(p, k, mass[q]);
    const double tx = ux[q] + vx[q] * dt, ty = uy[q] + vy[q] * dt, tz = uz[q] + vz[q] * dt;
    const double fx = -k * tx - c * vx[q], fy = -k * ty - c * vy[q], fz = -k * tz - c * vz[q];
    const double size2 = fx * fx + fy * fy + fz * fz;
    const double limit = mu * fabs(fe[q] + fd[q] + fa[q]);
    const int slips = size2 > limit * limit;
    const double scale = demi_choose(slips, limit / sqrt(size2 + DEMI_TINY), 1.0);
    const double rest = (1.0 - scale) * slip_per_force(k, c, dt);
    const double x = tx + rest * fx, y = ty + rest * fy, z = tz + rest * fz;
    hx[q] = x;
    hy[q] = y;
    hz[q] = z;
    ex[q] = -k * x;
    ey[q] = -k * y;
    ez[q] = -k * z;
    dx[q] = demi_choose(c > 0, scale * fx + k * x, 0.0);
    dy[q] = demi_choose(c > 0, scale * fy + k * y, 0.0);
    dz[q] = demi_choose(c > 0, scale * fz + k * z, 0.0);
    /* a pair whose overlap rounds to 0 has no spring */
    push[q] = demi_quotient(0.25 * k * (x * x + y * y + z * z), overlap[q], 0.0);
    if (slipping) {
      sx[q] = -rest * fx;
      sy[q] = -rest * fy;
      sz[q] = -rest * fz;
    }
  }
}

/* Heat of a step that slips, without dashpot: work done on the spring, at the mean of the forces before and after, less what it
 * stores more. */
static inline double slip_heat(const demi_tangential_parameters *p, const dem_batch *b, int32_t q, double stored) {
  const double d = b->overlap[q] + b->normal_velocity[q] * b->dt, old = d > 0 ? d : 0.0;
  const double k = p->shear * sqrt(b->effective_radius[q] * old), u2 = DEMI_DOT(b->history_in, b->history_in, q);
  const double pushed = demi_quotient(0.25 * k * u2, old, 0.0);
  const double tangential =
      k * DEMI_DOT(b->history_in, b->tangential_velocity, q) - DEMI_DOT(b->tangential_elastic, b->tangential_velocity, q);
  const double normal = -(pushed + b->tangential_normal[q]) * b->normal_velocity[q];
  return 0.5 * b->dt * (tangential + normal) - (stored - 0.5 * k * u2);
}

static void books(const demi_tangential_parameters *p, const dem_batch *b) {
  const int32_t lanes = DEMI_LANES(b);
  DEMI_INDEPENDENT
  for (int32_t q = 0; q < lanes; q++) {
    const double k = p->shear * sqrt(b->effective_radius[q] * b->overlap[q]);
    const double c = demi_shear_viscosity(p, k, b->effective_mass[q]);
    const double stored = 0.5 * k * DEMI_DOT(b->history_out, b->history_out, q);
    const double heat = slip_heat(p, b, q, stored), plain = -DEMI_DOT(b->tangential_elastic, b->slip, q);
    const double exact = demi_quotient_where((heat > 0) & (plain > 0), heat, plain, 0.0);
    demi_book_slip(b, q, demi_choose(c > 0, 1.0, exact), 0.0, demi_left_at_end(b, q, stored, b->tangential_normal[q]),
                   !(c > 0));
  }
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* What the push along the normal adds to d f_n/d overlap and -d f_n/d v_n: -push/(2 d) at fixed u, and k u.u'/(2 d) where the
 * cap moves u = trial + g (1 - limit/|f|) f. There is no lane for d push/d v_t. */
static void tangent_of_push(const demi_tangential_parameters *p, const dem_batch *b, int32_t q, const double f[3],
                            const double f_slope[3], double k, double c, double c_slope) {
  const double d = b->overlap[q], fn = b->normal_elastic[q] + b->normal_damping[q] + b->adhesion[q];
  const double sign = fn < 0 ? -1.0 : 1.0;
  const double u[3] = {b->history_out[0][q], b->history_out[1][q], b->history_out[2][q]};
  const double size = sqrt(dot(f, f)), limit = p->friction * fabs(fn), pull = 0.5 * k / d;
  double by_overlap = -0.5 * b->tangential_normal[q] / d, by_speed = 0;
  if (size > limit) {
    const double g = slip_per_force(k, c, b->dt), k_slope = 0.5 * k / d;
    const double g_slope = c > 0 ? (b->dt > 0 ? -g * g * (k_slope + c_slope / b->dt) : 0.0) : -g * k_slope / k;
    const double cap_slope = demi_limit_slope(b, p->friction, q), along = dot(f, f_slope) / size;
    for (int a = 0; a < 3; a++) {
      const double t = f[a] / size, trial_slope = g_slope * (size - limit) * t + g * f_slope[a];
      const double capped = g * (cap_slope * t + limit / size * (f_slope[a] - along * t));
      by_overlap += pull * u[a] * (trial_slope - capped);
      by_speed += pull * u[a] * g * p->friction * sign * b->normal_viscosity[q] * t;
    }
  }
  b->normal_stiffness[q] += by_overlap;
  b->normal_viscosity[q] -= by_speed;
}

static void tangent(const demi_tangential_parameters *p, const dem_batch *b) {
  for (int32_t q = 0; q < b->count; q++) {
    const double d = b->overlap[q], m = b->effective_mass[q], k = p->shear * sqrt(b->effective_radius[q] * d);
    const double c = demi_shear_viscosity(p, k, m), c_slope = 0.25 * p->ratio * sqrt(k * m) / d;
    double trial[3], by_overlap[3];
    for (int a = 0; a < 3; a++) {
      const double v = b->tangential_velocity[a][q], u = b->history_in[a][q] + v * b->dt;
      trial[a] = -k * u - c * v;
      by_overlap[a] = -0.5 * k / d * u - c_slope * v;
    }
    demi_coulomb_tangent(b, p->friction, q, trial, k * b->dt + c, by_overlap);
    tangent_of_push(p, b, q, trial, by_overlap, k, c, c_slope);
  }
}

void DEMI_V(tangential_mindlin_conserving)(const void *parameters, const dem_batch *b) {
  const demi_tangential_parameters *p = parameters;
  if (b->path) {
    loop(p, b, 1);
    books(p, b);
  } else {
    loop(p, b, 0);
  }
  if (b->tangential_energy)
    for (int32_t q = 0; q < b->count; q++) {
      const double x = b->history_out[0][q], y = b->history_out[1][q], z = b->history_out[2][q];
      b->tangential_energy[q] = 0.5 * p->shear * sqrt(b->effective_radius[q] * b->overlap[q]) * (x * x + y * y + z * z);
    }
  if (b->tangential_isotropic) tangent(p, b);
}
