/* Mindlin with force history: the spring FORCE is stored, f <- f - k_t v_t dt with k_t = 8 G* sqrt(R* d); when the contact
 * radius a = sqrt(R* d) shrinks, f is first rescaled by a/a_before (numerics section 2; Mindlin & Deresiewicz 1953, Thornton et
 * al. 2013). Dashpot and Coulomb cap as for the linear spring. Not derived from a potential; the stored energy reported is that
 * of the equivalent spring, f^2/(2 k_t). History: the force (3), the contact radius (1).
 *
 * Books: what f^2/(2 k_t) loses by rescaling and by a stiffness that changes is `path`; slip and dashpot as for the linear
 * spring. */
#include <math.h>

#include "coulomb.h"
#include "variant.h"

demi_evaluate DEMI_V(tangential_mindlin);

static inline double rescale(double a, double before) { return before > a ? a / before : 1.0; }

static inline __attribute__((always_inline)) void loop(const demi_tangential_parameters *p, const dem_batch *b,
                                                       const int slipping) {
  const int32_t lanes = DEMI_LANES(b);
  const double dt = b->dt, mu = p->friction;
  const double *restrict overlap = b->overlap, *restrict radius = b->effective_radius, *restrict mass = b->effective_mass;
  const double *restrict vx = b->tangential_velocity[0], *restrict vy = b->tangential_velocity[1];
  const double *restrict vz = b->tangential_velocity[2], *restrict vn = b->normal_velocity;
  const double *restrict px = b->history_in[0], *restrict py = b->history_in[1], *restrict pz = b->history_in[2];
  const double *restrict before = b->history_in[3];
  double *restrict hx = b->history_out[0], *restrict hy = b->history_out[1], *restrict hz = b->history_out[2];
  double *restrict ha = b->history_out[3];
  double *restrict ex = b->tangential_elastic[0], *restrict ey = b->tangential_elastic[1];
  double *restrict ez = b->tangential_elastic[2];
  double *restrict dx = b->tangential_damping[0], *restrict dy = b->tangential_damping[1];
  double *restrict dz = b->tangential_damping[2];
  double *restrict sx = b->slip[0], *restrict sy = b->slip[1], *restrict sz = b->slip[2], *restrict path = b->path;
  const double *restrict fe = b->normal_elastic, *restrict fd = b->normal_damping;
  DEMI_INDEPENDENT
  for (int32_t q = 0; q < lanes; q++) {
    const double a = sqrt(radius[q] * overlap[q]), k = p->shear * a, c = demi_shear_viscosity(p, k, mass[q]);
    const double keep = rescale(a, before[q]), step = k * dt;
    const double gx = -c * vx[q], gy = -c * vy[q], gz = -c * vz[q];
    const double tx = keep * px[q] - step * vx[q], ty = keep * py[q] - step * vy[q], tz = keep * pz[q] - step * vz[q];
    const double fx = tx + gx, fy = ty + gy, fz = tz + gz;
    const double size2 = fx * fx + fy * fy + fz * fz;
    const double limit = mu * fabs(fe[q] + fd[q]);
    const int slips = size2 > limit * limit;
    const double scale = slips ? limit / sqrt(size2 + DEMI_TINY) : 1.0;
    /* k is 0 where an overlap rounds to 0 */
    const double rest = slips && k > 0 ? (scale - 1.0) / k : 0.0;
    ex[q] = hx[q] = scale * fx - gx;
    ey[q] = hy[q] = scale * fy - gy;
    ez[q] = hz[q] = scale * fz - gz;
    ha[q] = a;
    dx[q] = gx;
    dy[q] = gy;
    dz[q] = gz;
    if (slipping) {
      const double ff = scale * scale * size2, bf = scale * (px[q] * fx + py[q] * fy + pz[q] * fz);
      const double stored = k > 0 ? 0.5 * (hx[q] * hx[q] + hy[q] * hy[q] + hz[q] * hz[q]) / k : 0.0;
      const double left = 0.5 * dt * scale * (vx[q] * fx + vy[q] * fy + vz[q] * fz);
      const double separation = vn[q] + (fe[q] + fd[q]) / mass[q] * dt;
      const double opening = demi_slip_at_end(stored, left, overlap[q], separation, dt, ff);
      const double given = (c > 0 ? rest : rest * demi_slip_weight(ff, bf)) - scale * opening;
      sx[q] = given * fx;
      sy[q] = given * fy;
      sz[q] = given * fz;
      /* f^2/(2 k) before, less what the spring takes over: its work is done at the mean of the forces before and after */
      const double in2 = px[q] * px[q] + py[q] * py[q] + pz[q] * pz[q], mixed = px[q] * hx[q] + py[q] * hy[q] + pz[q] * hz[q];
      const double had = before[q] > 0 ? in2 / (p->shear * before[q]) : 0.0;
      path[q] = 0.5 * (had - (k > 0 ? (keep * in2 - (1.0 - keep) * mixed) / k : 0.0));
      const int cut = slips && c > 0 && k > 0;
      const double per_k = k > 0 ? 1.0 / k : 0.0;
      const double x = (keep * px[q] - hx[q]) * per_k, y = (keep * py[q] - hy[q]) * per_k, z = (keep * pz[q] - hz[q]) * per_k;
      path[q] += cut ? x * (0.5 * k * x - gx) + y * (0.5 * k * y - gy) + z * (0.5 * k * z - gz) : 0.0;
      /* the same bits as the sum of both that makes the load */
      ex[q] = cut ? ex[q] + gx : ex[q];
      ey[q] = cut ? ey[q] + gy : ey[q];
      ez[q] = cut ? ez[q] + gz : ez[q];
      dx[q] = cut ? 0.0 : gx;
      dy[q] = cut ? 0.0 : gy;
      dz[q] = cut ? 0.0 : gz;
    }
  }
}

static void tangent(const demi_tangential_parameters *p, const dem_batch *b) {
  for (int32_t q = 0; q < b->count; q++) {
    const double d = b->overlap[q], a = sqrt(b->effective_radius[q] * d), k = p->shear * a, m = b->effective_mass[q];
    const double c = demi_shear_viscosity(p, k, m), before = b->history_in[3][q];
    const double k_slope = 0.5 * k / d, c_slope = 0.25 * p->ratio * sqrt(k * m) / d;
    const double keep = rescale(a, before), keep_slope = before > a ? 0.5 * a / d / before : 0.0;
    double trial[3], by_overlap[3];
    for (int x = 0; x < 3; x++) {
      const double v = b->tangential_velocity[x][q], f = b->history_in[x][q];
      trial[x] = keep * f - k * v * b->dt - c * v;
      by_overlap[x] = keep_slope * f - k_slope * v * b->dt - c_slope * v;
    }
    demi_coulomb_tangent(b, p->friction, q, trial, k * b->dt + c, by_overlap);
  }
}

void DEMI_V(tangential_mindlin)(const void *parameters, const dem_batch *b) {
  const demi_tangential_parameters *p = parameters;
  if (b->path)
    loop(p, b, 1);
  else
    loop(p, b, 0);
  if (b->tangential_energy)
    for (int32_t q = 0; q < b->count; q++) {
      const double x = b->history_out[0][q], y = b->history_out[1][q], z = b->history_out[2][q];
      const double k = p->shear * b->history_out[3][q];
      b->tangential_energy[q] = k > 0 ? 0.5 * (x * x + y * y + z * z) / k : 0.0;
    }
  if (b->tangential_isotropic) tangent(p, b);
}
