/* Mindlin from a potential: U = 1/2 k_t(d) |u|^2, k_t = 8 G* sqrt(R* d). Hence f_t = -k_t u, and the
 * spring also pushes along the normal, with 1/2 k_t'(d) |u|^2 = k_t |u|^2/(4 d).
 *
 * Capped at mu |f_n + adhesion|, f_n that of the normal part, slider and (spring beside dashpot) are in series: the slip s is shared by
 * spring and dashpot, u <- u + v_t h - s, f_t = -k_t u - c_t (v_t - s/h), h the time by which the history advances. So work,
 * heat and stored energy are those of one model, and nothing is lost on the way.
 *
 * A normal dashpot that attracts (f_n + adhesion < 0, towards the end of a contact) keeps |f_n| finite while d goes to 0. A cap of
 * mu |f_n| would let the spring keep its force there, and the push k_t u^2/(4 d) grow without bound. Under attraction the cap is therefore
 * at most mu f_e, f_e the elastic part of the normal force without its adhesion: push/f_e <= mu^2 f_e/(4 d k_t) = mu^2 Y* / (24 G*).
 * This force is written into friction_force, but for a lagged one. */
#include <math.h>

#include "coulomb.h"
#include "variant.h"

demi_evaluate DEMI_VARIANT_NAME(tangential_mindlin_conserving);

/* Elastic part of the normal force, without its adhesion. */
static inline double elastic_force(const dem_batch *b, int32_t q) { return b->normal_elastic[q] + b->adhesion[q]; }

/* Writes the normal force that limits friction, see above. */
static void limit_friction(const dem_batch *b) {
  const int32_t lanes = DEMI_LANES(b);
  const double *restrict fe = b->normal_elastic, *restrict fd = b->normal_damping, *restrict fa = b->adhesion;
  double *restrict grip = b->friction_force;
  DEMI_INDEPENDENT
  for (int32_t q = 0; q < lanes; q++) {
    const double elastic = fe[q] + fa[q], all = elastic + fd[q], least = elastic < -all ? elastic : -all;
    grip[q] = all > least ? all : least;
  }
}

static inline __attribute__((always_inline)) void loop(const demi_tangential_parameters *p, const dem_batch *b,
                                                       const int slipping) {
  const int32_t lanes = DEMI_LANES(b);
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
  double *restrict push = b->tangential_normal;
  const double *restrict grip = b->friction_force;
  DEMI_INDEPENDENT
  for (int32_t q = 0; q < lanes; q++) {
    const double k = p->shear * sqrt(radius[q] * overlap[q]), c = demi_shear_viscosity(p, k, mass[q]);
    const double h = time[q], tx = ux[q] + vx[q] * h, ty = uy[q] + vy[q] * h, tz = uz[q] + vz[q] * h;
    const double fx = -k * tx - c * vx[q], fy = -k * ty - c * vy[q], fz = -k * tz - c * vz[q];
    const double size2 = fx * fx + fy * fy + fz * fz;
    const double limit = mu * grip[q];
    const int slips = size2 > limit * limit;
    const double scale = demi_choose(slips, limit / sqrt(size2 + DEMI_TINY), 1.0);
    const double rest = demi_divide_slip(1.0 - scale, k, c, h, 0).rest;
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

/* Derivatives of the force that limits friction, where it is f_e, which goes with d^(3/2). */
static void limit_friction_slopes(const dem_batch *b) {
  for (int32_t q = 0; q < b->count; q++) {
    const double elastic = elastic_force(b, q), all = elastic + b->normal_damping[q];
    if (!(all < 0 && elastic < -all)) continue;
    b->friction_overlap[q] = 1.5 * elastic / b->overlap[q];
    b->friction_normal_velocity[q] = 0;
  }
}

/* One contact: the uncapped force f and its d/d overlap, stiffness and dashpot, d c_t/d overlap. */
typedef struct spring {
  double f[3], by_overlap[3], k, c, c_slope;
} spring;

/* What the push P = k u^2/(4 d) along the normal adds to the derivatives of f_n. At fixed u dP/dd = -P/(2 d). Below the cap
 * u = u_in + v_t h moves with v_t alone, dP/dv_t = k h u/(2 d). Above it u = u_in + v_t h + g (1 - limit/|f|) f, g = h/(k h + c), so that
 *   du/dd   = g' (1 - limit/|f|) f + g (f' - (limit' t + limit/|f| (1 - tt) f')),   t = f/|f|, a dash for d/dd
 *   du/dv_n = -g dlimit/dv_n t,       du/dv_t = h limit/|f| (1 - tt). */
static void tangent_of_push(const dem_batch *b, int32_t q, demi_cap cap, const spring *s) {
  const double d = b->overlap[q], h = b->history_time[q], pull = 0.5 * s->k / d;
  const double u[3] = {b->history_out[0][q], b->history_out[1][q], b->history_out[2][q]};
  const double size = sqrt(dot(s->f, s->f));
  const int slips = size > cap.limit;
  const double scale = slips ? cap.limit / size : 1.0, across = slips ? dot(u, s->f) / size : 0.0;
  double by_overlap = -0.5 * b->tangential_normal[q] / d, by_speed = 0;
  for (int a = 0; a < 3; a++)
    b->normal_tangential_velocity[a][q] = pull * h * scale * (u[a] - (slips ? across * s->f[a] / size : 0.0));
  if (slips) {
    const double g = demi_divide_slip(1.0, s->k, s->c, h, 0).rest, k_slope = 0.5 * s->k / d;
    const double g_slope = s->c > 0 ? (h > 0 ? -g * g * (k_slope + s->c_slope / h) : 0.0) : -g * k_slope / s->k;
    const double along = dot(s->f, s->by_overlap) / size;
    for (int a = 0; a < 3; a++) {
      const double t = s->f[a] / size, trial_slope = g_slope * (size - cap.limit) * t + g * s->by_overlap[a];
      const double capped = g * (cap.by_overlap * t + scale * (s->by_overlap[a] - along * t));
      by_overlap += pull * u[a] * (trial_slope - capped);
      by_speed -= pull * u[a] * g * cap.by_speed * t;
    }
  }
  b->normal_stiffness[q] += by_overlap;
  b->normal_viscosity[q] -= by_speed;
}

static void tangent(const demi_tangential_parameters *p, const dem_batch *b) {
  if (!b->friction_lagged) limit_friction_slopes(b);
  for (int32_t q = 0; q < b->count; q++) {
    const double d = b->overlap[q], m = b->effective_mass[q];
    spring s = {.k = p->shear * sqrt(b->effective_radius[q] * d)};
    s.c = demi_shear_viscosity(p, s.k, m);
    s.c_slope = demi_dashpot_slope(p, b, q, s.k);
    for (int a = 0; a < 3; a++) {
      const double v = b->tangential_velocity[a][q], u = b->history_in[a][q] + v * b->history_time[q];
      s.f[a] = -s.k * u - s.c * v;
      s.by_overlap[a] = -0.5 * s.k / d * u - s.c_slope * v;
    }
    const demi_cap cap = demi_cap_of(b, p->friction, q);
    demi_coulomb_tangent(b, cap, q, s.f, s.k * b->history_time[q] + s.c, s.by_overlap);
    tangent_of_push(b, q, cap, &s);
  }
}

void DEMI_VARIANT_NAME(tangential_mindlin_conserving)(const void *parameters, const dem_batch *b) {
  const demi_tangential_parameters *p = parameters;
  if (!b->friction_lagged) limit_friction(b);
  if (b->hysteresis) {
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
