/* Mindlin with force history: the spring FORCE is stored, f <- f - k_t v_t h, h the time by which it advances, with k_t = 8 G* a; when
 * the contact radius a, which is sqrt(R* d) or that of the normal part, shrinks, f is first rescaled by a/a_before
 * (Mindlin & Deresiewicz 1953, Thornton et al. 2013), but for the variant that never rescales. Dashpot, Coulomb cap and slider as for the
 * linear spring. Not derived from a potential; the stored energy reported is that of the equivalent spring, f^2/(2 k_t). History: the
 * force (3), the contact radius (1).
 *
 * Books: what f^2/(2 k_t) loses by rescaling and by a stiffness that changes is `hysteresis`; slip and dashpot as for the linear
 * spring. */
#include <math.h>

#include "coulomb.h"
#include "variant.h"

demi_evaluate DEMI_VARIANT_NAME(tangential_mindlin);

static inline double rescale(double a, double before, int rescales) {
  return demi_quotient_where(rescales & (before > a), a, before, 1.0);
}

static inline __attribute__((always_inline)) void loop(const demi_tangential_parameters *p, const dem_batch *b,
                                                       const int slipping, const int radius_given) {
  const int32_t lanes = DEMI_LANES(b);
  const int reset = p->reset > 0;
  const double mu = p->friction;
  const double *restrict time = b->history_time;
  const double *restrict overlap = b->overlap, *restrict radius = b->effective_radius, *restrict mass = b->effective_mass;
  const double *restrict vx = b->tangential_velocity[0], *restrict vy = b->tangential_velocity[1];
  const double *restrict vz = b->tangential_velocity[2];
  const double *restrict px = b->history_in[0], *restrict py = b->history_in[1], *restrict pz = b->history_in[2];
  const double *restrict before = b->history_in[3];
  double *restrict hx = b->history_out[0], *restrict hy = b->history_out[1], *restrict hz = b->history_out[2];
  double *restrict ha = b->history_out[3];
  double *restrict ex = b->tangential_elastic[0], *restrict ey = b->tangential_elastic[1];
  double *restrict ez = b->tangential_elastic[2];
  double *restrict dx = b->tangential_damping[0], *restrict dy = b->tangential_damping[1];
  double *restrict dz = b->tangential_damping[2];
  double *restrict sx = b->slip[0], *restrict sy = b->slip[1], *restrict sz = b->slip[2];
  const double *restrict normal = b->friction_force;
  const double *restrict given = radius_given ? b->contact_radius : NULL;
  const int rescales = p->rescales > 0;
  DEMI_INDEPENDENT
  for (int32_t q = 0; q < lanes; q++) {
    const double a = radius_given ? given[q] : sqrt(radius[q] * overlap[q]);
    const double k = p->shear * a, c = demi_shear_viscosity(p, k, mass[q]);
    const double keep = rescale(a, before[q], rescales), h = time[q], step = k * h;
    const double gx = -c * vx[q], gy = -c * vy[q], gz = -c * vz[q];
    const double tx = keep * px[q] - step * vx[q], ty = keep * py[q] - step * vy[q], tz = keep * pz[q] - step * vz[q];
    const double fx = tx + gx, fy = ty + gy, fz = tz + gz;
    const double size2 = fx * fx + fy * fy + fz * fz;
    const double limit = mu * normal[q];
    const int slips = size2 > limit * limit;
    const double scale = demi_choose(slips, limit / sqrt(size2 + DEMI_TINY), 1.0);
    const demi_slip_division division = demi_divide_slip(1.0 - scale, k, c, h, reset);
    const double rest = division.rest, dash = division.dash;
    const double qx = gx - dash * fx, qy = gy - dash * fy, qz = gz - dash * fz;
    ex[q] = hx[q] = scale * fx - qx;
    ey[q] = hy[q] = scale * fy - qy;
    ez[q] = hz[q] = scale * fz - qz;
    ha[q] = a;
    dx[q] = qx;
    dy[q] = qy;
    dz[q] = qz;
    if (slipping) {
      sx[q] = -rest * fx;
      sy[q] = -rest * fy;
      sz[q] = -rest * fz;
    }
  }
}

static void books(const demi_tangential_parameters *p, const dem_batch *b) {
  const double *const *in = b->history_in;
  double *const *out = b->history_out;
  const int32_t lanes = DEMI_LANES(b);
  const int reset = p->reset > 0;
  const int rescales = p->rescales > 0;
  DEMI_INDEPENDENT
  for (int32_t q = 0; q < lanes; q++) {
    const double k = p->shear * out[3][q], c = demi_shear_viscosity(p, k, b->effective_mass[q]);
    const double keep = rescale(out[3][q], in[3][q], rescales), per_k = demi_quotient(1.0, k, 0.0);
    const double held = demi_quotient(0.5 * DEMI_DOT(in, in, q), p->shear * in[3][q], 0.0);
    const double stored = 0.5 * per_k * DEMI_DOT(out, out, q);
    const int cut = reset & (DEMI_DOT(b->slip, b->slip, q) > 0) & (c > 0);
    /* f^2/(2 k) before, less what the spring takes over: its work is done at the mean of the forces before and after */
    double taken = held - 0.5 * per_k * (keep * DEMI_DOT(in, in, q) - (1.0 - keep) * DEMI_DOT(in, out, q));
    demi_join_dashpot(b, q, cut);
    const double work = per_k * (keep * DEMI_DOT(b->tangential_elastic, in, q) - DEMI_DOT(b->tangential_elastic, out, q));
    taken = cut ? held - stored - work : taken;
    const double weight =
        demi_slip_weight(DEMI_DOT(b->tangential_elastic, b->tangential_elastic, q), DEMI_DOT(in, b->tangential_elastic, q));
    const double end = p->holds > 0 ? 0.0 : demi_left_at_end(b, q, stored, 0.0);
    demi_book_slip(b, q, c > 0 ? 1.0 : weight, taken, end, !(c > 0));
  }
}

static void tangent(const demi_tangential_parameters *p, const dem_batch *b) {
  for (int32_t q = 0; q < b->count; q++) {
    const double a = demi_contact_radius(b, q), slope = demi_contact_radius_slope(b, q), k = p->shear * a;
    const double m = b->effective_mass[q], c = demi_shear_viscosity(p, k, m), before = b->history_in[3][q];
    const double k_slope = p->shear * slope, c_slope = demi_dashpot_slope(p, b, q, k);
    const int shrinks = p->rescales > 0 && before > a;
    const double keep = shrinks ? a / before : 1.0, keep_slope = shrinks ? slope / before : 0.0;
    const double h = b->history_time[q];
    double trial[3], by_overlap[3];
    for (int x = 0; x < 3; x++) {
      const double v = b->tangential_velocity[x][q], f = b->history_in[x][q];
      trial[x] = keep * f - k * v * h - c * v;
      by_overlap[x] = keep_slope * f - k_slope * v * h - c_slope * v;
    }
    demi_coulomb_tangent(b, demi_cap_of(b, p->friction, q), q, trial, k * h + c, by_overlap);
  }
}

void DEMI_VARIANT_NAME(tangential_mindlin)(const void *parameters, const dem_batch *b) {
  const demi_tangential_parameters *p = parameters;
  if (b->contact_radius && b->hysteresis)
    loop(p, b, 1, 1);
  else if (b->contact_radius)
    loop(p, b, 0, 1);
  else if (b->hysteresis)
    loop(p, b, 1, 0);
  else
    loop(p, b, 0, 0);
  if (b->hysteresis) books(p, b);
  if (b->tangential_energy)
    for (int32_t q = 0; q < b->count; q++) {
      const double x = b->history_out[0][q], y = b->history_out[1][q], z = b->history_out[2][q];
      const double k = p->shear * b->history_out[3][q];
      b->tangential_energy[q] = demi_quotient(0.5 * (x * x + y * y + z * z), k, 0.0);
    }
  if (b->tangential_isotropic) tangent(p, b);
}
