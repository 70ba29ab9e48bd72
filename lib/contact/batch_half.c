/* The half-step frame of the improved velocity-Verlet scheme (Vyas et al. 2025). After x_{n+1} = x_n + dt v the contact
 * moved with v while its normal turned from n_n to n_{n+1}; seen in the frame of n_{n+1} alone, v has a false normal part.
 * Therefore
 *
 *   r_h = r_{n+1} - dt/2 (v_i - v_j),   n_h = r_h/|r_h|,   arms from |r_h|,
 *   v_n and v_t with n_h; the spring is turned from the plane across n_n, found in the same way, into that across n_h, grows by v_t dt,
 *   and is turned into that across n_{n+1}: each time by the rotation that takes one normal to the other the short way.
 *
 * The rotation is linear and keeps lengths, so that turning the spring u and v_t before the law adds u + v_t dt is the same as
 * turning what it adds up to: laws need not know of the scheme. Projecting and stretching instead would tilt the spring towards
 * the axis about which the contact turns, by an angle of first order in dt. */
#include <math.h>

#include "batch_kernels.h"
#include "variant.h"
#include "quotient.h"
#include "wide.h"

static void pair_frame(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c) {
  const int32_t lanes = DEMI_ROUND_UP(c->count);
  const double half = e->half;
  const int radius_arms = e->radius_arms;
  const double *restrict nx = w->now.normal[0], *restrict ny = w->now.normal[1], *restrict nz = w->now.normal[2];
  const double *restrict vx = w->velocity[0], *restrict vy = w->velocity[1], *restrict vz = w->velocity[2];
  const double *restrict ai = w->now.arm_i, *restrict aj = w->now.arm_j, *restrict square = c->distance2;
  double *restrict hx = w->half.normal[0], *restrict hy = w->half.normal[1], *restrict hz = w->half.normal[2];
  double *restrict bi = w->half.arm_i, *restrict bj = w->half.arm_j;
  DEMI_INDEPENDENT
  for (int32_t k = 0; k < lanes; k++) {
    const double r = sqrt(square[k]);
    const double x = r * nx[k] - half * vx[k], y = r * ny[k] - half * vy[k], z = r * nz[k] - half * vz[k];
    const double h = sqrt(x * x + y * y + z * z), inverse = demi_quotient(1.0, h, 0.0);
    hx[k] = demi_choose(h > 0, x * inverse, nx[k]);
    hy[k] = demi_choose(h > 0, y * inverse, ny[k]);
    hz[k] = demi_choose(h > 0, z * inverse, nz[k]);
    /* radical plane: a_i + a_j = r, and (a_i - a_j) r = R_i^2 - R_j^2 at any distance */
    const double lean = (ai[k] - aj[k]) * r * inverse;
    bi[k] = demi_choose(radius_arms, ai[k], 0.5 * (h + lean));
    bj[k] = demi_choose(radius_arms, aj[k], 0.5 * (h - lean));
  }
}

static void pair_before(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c) {
  const int32_t lanes = DEMI_ROUND_UP(c->count);
  const double ago = 2.0 * e->half;
  const double *restrict nx = w->now.normal[0], *restrict ny = w->now.normal[1], *restrict nz = w->now.normal[2];
  const double *restrict vx = w->velocity[0], *restrict vy = w->velocity[1], *restrict vz = w->velocity[2];
  const double *restrict square = c->distance2;
  double *restrict bx = w->before.normal[0], *restrict by = w->before.normal[1], *restrict bz = w->before.normal[2];
  DEMI_INDEPENDENT
  for (int32_t k = 0; k < lanes; k++) {
    const double r = sqrt(square[k]);
    const double x = r * nx[k] - ago * vx[k], y = r * ny[k] - ago * vy[k], z = r * nz[k] - ago * vz[k];
    const double b = sqrt(x * x + y * y + z * z), inverse = demi_quotient(1.0, b, 0.0);
    bx[k] = demi_choose(b > 0, x * inverse, nx[k]);
    by[k] = demi_choose(b > 0, y * inverse, ny[k]);
    bz[k] = demi_choose(b > 0, z * inverse, nz[k]);
  }
}

/* v rotated about the direction of q by the angle 2 atan|q|. */
static void turned(const double *v, const double *q, double *out) {
  const double scale = 2.0 / (1.0 + q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  double c[3], cc[3];
  for (int a = 0; a < 3; a++) c[a] = q[(a + 1) % 3] * v[(a + 2) % 3] - q[(a + 2) % 3] * v[(a + 1) % 3];
  for (int a = 0; a < 3; a++) cc[a] = q[(a + 1) % 3] * c[(a + 2) % 3] - q[(a + 2) % 3] * c[(a + 1) % 3];
  for (int a = 0; a < 3; a++) out[a] = v[a] + scale * (c[a] + cc[a]);
}

/* Positions of particle and face some time ago, expressed in the present frame of the face; the normal found there is rotated
 * back. Angles to second order. */
static double face_ago(const demi_faces *faces, int32_t k, const double *p, const double *v, double ago, double *normal,
                       double *lever) {
  double q[3], back[3], from[3], moved[3], at[3], seen[3];
  for (int a = 0; a < 3; a++) {
    q[a] = 0.5 * ago * faces->velocity[k][4 + a];
    back[a] = -q[a];
    from[a] = p[a] - faces->centre[k][a] - ago * (v[a] - faces->velocity[k][a]);
  }
  turned(from, q, moved);
  for (int a = 0; a < 3; a++) at[a] = faces->centre[k][a] + moved[a];
  const double distance = demi_face_distance(&faces->face[k], at, seen);
  turned(seen, back, normal);
  for (int a = 0; a < 3; a++) lever[a] = from[a];
  return distance;
}

static void wall_before(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c) {
  const int32_t lanes = DEMI_ROUND_UP(c->count);
  for (int32_t k = 0; k < lanes; k++) {
    const double *p = e->store->columns.position + 4 * (int64_t)c->i[k];
    const double *v = e->store->columns.velocity + 8 * (int64_t)c->i[k];
    double normal[3], lever[3];
    face_ago(e->list->faces, demi_face_of_partner(c->j[k]), p, v, 2.0 * e->half, normal, lever);
    for (int a = 0; a < 3; a++) w->before.normal[a][k] = normal[a];
  }
}

static void wall_frame(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c) {
  const int32_t lanes = DEMI_ROUND_UP(c->count);
  for (int32_t k = 0; k < lanes; k++) {
    const double *p = e->store->columns.position + 4 * (int64_t)c->i[k];
    const double *v = e->store->columns.velocity + 8 * (int64_t)c->i[k];
    double normal[3], *lever = w->half.lever + 4 * k;
    const double distance = face_ago(e->list->faces, demi_face_of_partner(c->j[k]), p, v, e->half, normal, lever);
    const double arm = e->radius_arms ? c->radii[k] : distance;
    for (int a = 0; a < 3; a++) {
      w->half.normal[a][k] = normal[a];
      lever[a] -= arm * normal[a];
    }
    lever[3] = 0;
    w->half.arm_i[k] = arm;
    w->half.arm_j[k] = 0;
  }
}

/* R x = x - (x.b)/(1 + a.b) (a + b) for x across a, R a = b. Between normals that are nearly opposite there is no short way, and
 * close to that the division makes errors of rounding large: with `flat` what then stays along b is taken off, so that a force across
 * the normal is across it, and its power in the books is that of its tangential part alone. */
static inline __attribute__((always_inline)) void turn(const demi_frame *from, const demi_frame *to, int32_t count,
                                                       demi_lanes *vector, const int flat) {
  const int32_t lanes = DEMI_ROUND_UP(count);
  const double *restrict ax = from->normal[0], *restrict ay = from->normal[1], *restrict az = from->normal[2];
  const double *restrict bx = to->normal[0], *restrict by = to->normal[1], *restrict bz = to->normal[2];
  double *restrict x = vector[0], *restrict y = vector[1], *restrict z = vector[2];
  DEMI_INDEPENDENT
  for (int32_t k = 0; k < lanes; k++) {
    const double both = 1.0 + (ax[k] * bx[k] + ay[k] * by[k] + az[k] * bz[k]);
    const double out = (x[k] * bx[k] + y[k] * by[k] + z[k] * bz[k]) / demi_choose(both > 1e-6, both, 1.0);
    const double tx = x[k] - out * (ax[k] + bx[k]), ty = y[k] - out * (ay[k] + by[k]), tz = z[k] - out * (az[k] + bz[k]);
    const double left = demi_choose(flat, tx * bx[k] + ty * by[k] + tz * bz[k], 0.0);
    x[k] = flat ? tx - left * bx[k] : tx;
    y[k] = flat ? ty - left * by[k] : ty;
    z[k] = flat ? tz - left * bz[k] : tz;
  }
}

void DEMI_VARIANT_NAME(turn_to_half)(const demi_workspace *w, int32_t count, demi_lanes *vector) {
  turn(&w->before, &w->half, count, vector, 0); /* the caller projects it into the plane */
}

void DEMI_VARIANT_NAME(turn_from_half)(const demi_workspace *w, int32_t count, demi_lanes *vector) {
  turn(&w->half, &w->now, count, vector, 1);
}

void DEMI_VARIANT_NAME(batch_before)(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c, int walls) {
  if (walls)
    wall_before(e, w, c);
  else
    pair_before(e, w, c);
}

void DEMI_VARIANT_NAME(batch_half)(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c, int walls) {
  if (walls)
    wall_frame(e, w, c);
  else
    pair_frame(e, w, c);
  DEMI_VARIANT_NAME(batch_velocities)(e, w, c, walls, &w->half);
  DEMI_VARIANT_NAME(turn_from_half)(w, c->count, w->lanes.tangential_velocity);
}
