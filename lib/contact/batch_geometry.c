/* Geometry of a batch in lanes: n = r/|r|, overlap d = R_i + R_j - |r|, v_n = v.n, v_t = v - v_n n - (a_i w_i + a_j w_j) x n
 * (numerics section 1). Only + - * / sqrt and comparisons, lane by lane: the same bits from every instruction set. */
#include <math.h>
#include <string.h>

#include "batch_kernels.h"
#include "laws/variant.h"
#include "wide.h"

/* Row of a wall in place of a second particle: at rest, infinitely heavy. */
static const _Alignas(64) double at_rest[8] = {0};

/* The lanes behind the last contact repeat the first, so that loops over whole registers meet no rubbish. */
static void pad(demi_candidates *c) {
  for (int32_t k = c->count; k < DEMI_ROUND_UP(c->count); k++) {
    memcpy(c->offset + 4 * k, c->offset, 4 * sizeof(double));
    c->distance2[k] = c->distance2[0];
    c->radii[k] = c->radii[0];
    c->i[k] = c->i[0];
    c->j[k] = c->j[0];
  }
}

static void pair_geometry(demi_workspace *w, const demi_candidates *c, int radius_arms) {
  const int32_t lanes = DEMI_ROUND_UP(c->count);
  _Alignas(64) demi_lanes difference;
  for (int32_t k = 0; k < lanes; k += 4) {
    const double *row = c->offset + 4 * k;
    demi_wide x = demi_load4(row), y = demi_load4(row + 4), z = demi_load4(row + 8), r = demi_load4(row + 12);
    demi_transpose4(&x, &y, &z, &r);
    demi_store4(w->normal[0] + k, x);
    demi_store4(w->normal[1] + k, y);
    demi_store4(w->normal[2] + k, z);
    demi_store4(difference + k, r);
  }
  double *restrict nx = w->normal[0], *restrict ny = w->normal[1], *restrict nz = w->normal[2];
  double *restrict overlap = w->overlap, *restrict ai = w->arm_i, *restrict aj = w->arm_j,
                   *restrict radius = w->effective_radius;
  const double *restrict square = c->distance2, *restrict sum = c->radii;
  DEMI_INDEPENDENT
  for (int32_t k = 0; k < lanes; k++) {
    /* centres that coincide have no normal: any serves, so that they part */
    const double r = sqrt(square[k]), inverse = r > 0 ? 1.0 / r : 0.0, s = sum[k], d = difference[k];
    nx[k] = r > 0 ? nx[k] * inverse : 1.0;
    ny[k] *= inverse;
    nz[k] *= inverse;
    overlap[k] = s - r;
    /* radical plane: a_i = (r^2 + R_i^2 - R_j^2)/(2 r), so a_i + a_j = r */
    const double lean = d * s * inverse;
    ai[k] = radius_arms ? 0.5 * (s + d) : 0.5 * (r + lean);
    aj[k] = radius_arms ? 0.5 * (s - d) : 0.5 * (r - lean);
    radius[k] = 0.25 * (s - d * d / s);
  }
}

static void wall_geometry(demi_workspace *w, const demi_candidates *c, const demi_evaluation *e) {
  const int32_t lanes = DEMI_ROUND_UP(c->count);
  for (int32_t k = 0; k < lanes; k++) {
    const double distance = c->distance2[k], radius = c->radii[k], arm = e->radius_arms ? radius : distance;
    const demi_wide touch =
        demi_load4(e->store->columns.position + 4 * (int64_t)c->i[k]) - demi_spread(arm) * demi_load4(c->offset + 4 * k);
    demi_store4(w->lever + 4 * k, touch - demi_load4(e->list->walls->centre[-1 - c->j[k]]));
    for (int a = 0; a < 3; a++) w->normal[a][k] = c->offset[4 * k + a];
    w->overlap[k] = radius - distance;
    w->arm_i[k] = arm;
    w->arm_j[k] = 0;
    w->effective_radius[k] = radius;
  }
}

/* Rows of velocity and spin of both sides, turned into lanes four contacts at a time. */
static void gather_velocities(demi_workspace *w, const demi_candidates *c, const double *velocity) {
  const int32_t lanes = DEMI_ROUND_UP(c->count);
  for (int32_t k = 0; k < lanes; k += 4) {
    demi_wide v[4], s[4];
    for (int q = 0; q < 4; q++) {
      const double *i = velocity + 8 * (int64_t)c->i[k + q];
      const double *j = c->j[k + q] < 0 ? at_rest : velocity + 8 * (int64_t)c->j[k + q];
      const demi_wide vi = demi_load4(i), vj = demi_load4(j), apart = vi - vj, together = vi + vj;
      v[q] = __builtin_shufflevector(apart, together, 0, 1, 2, 7);
      s[q] = demi_spread(w->arm_i[k + q]) * demi_load4(i + 4) + demi_spread(w->arm_j[k + q]) * demi_load4(j + 4);
    }
    demi_transpose4(&v[0], &v[1], &v[2], &v[3]);
    demi_transpose4(&s[0], &s[1], &s[2], &s[3]);
    for (int a = 0; a < 3; a++) {
      demi_store4(w->velocity[a] + k, v[a]);
      demi_store4(w->spin[a] + k, s[a]);
    }
    demi_store4(w->inverse_mass + k, v[3]);
  }
}

/* The same where walls move: the surface has v + w x lever, and what of the wall gives way along n counts as mass. */
static void gather_against_walls(demi_workspace *w, const demi_candidates *c, const double *velocity, const demi_walls *walls) {
  const int32_t lanes = DEMI_ROUND_UP(c->count);
  for (int32_t k = 0; k < lanes; k++) {
    const double *i = velocity + 8 * (int64_t)c->i[k], *lever = w->lever + 4 * k;
    const double *surface = walls->velocity[-1 - c->j[k]], *turn = surface + 4;
    for (int a = 0; a < 3; a++) {
      const int b = (a + 1) % 3, d = (a + 2) % 3;
      w->velocity[a][k] = i[a] - (surface[a] + (turn[b] * lever[d] - turn[d] * lever[b]));
      w->spin[a][k] = w->arm_i[k] * i[4 + a];
    }
    w->inverse_mass[k] = i[3] + demi_face_mobility(walls, -1 - c->j[k], c->offset + 4 * k);
  }
}

static void split_velocities(demi_workspace *w, int32_t count) {
  const int32_t lanes = DEMI_ROUND_UP(count);
  const double *restrict nx = w->normal[0], *restrict ny = w->normal[1], *restrict nz = w->normal[2];
  const double *restrict vx = w->velocity[0], *restrict vy = w->velocity[1], *restrict vz = w->velocity[2];
  const double *restrict sx = w->spin[0], *restrict sy = w->spin[1], *restrict sz = w->spin[2];
  const double *restrict inverse = w->inverse_mass;
  double *restrict vn = w->normal_velocity, *restrict mass = w->effective_mass;
  double *restrict tx = w->tangential_velocity[0], *restrict ty = w->tangential_velocity[1];
  double *restrict tz = w->tangential_velocity[2];
  DEMI_INDEPENDENT
  for (int32_t k = 0; k < lanes; k++) {
    const double n = vx[k] * nx[k] + vy[k] * ny[k] + vz[k] * nz[k];
    vn[k] = n;
    tx[k] = vx[k] - n * nx[k] - (sy[k] * nz[k] - sz[k] * ny[k]);
    ty[k] = vy[k] - n * ny[k] - (sz[k] * nx[k] - sx[k] * nz[k]);
    tz[k] = vz[k] - n * nz[k] - (sx[k] * ny[k] - sy[k] * nx[k]);
    mass[k] = 1.0 / inverse[k];
  }
}

void DEMI_V(batch_geometry)(const demi_evaluation *e, demi_workspace *w, demi_candidates *c, int walls) {
  pad(c);
  if (walls)
    wall_geometry(w, c, e);
  else
    pair_geometry(w, c, e->radius_arms);
  if (walls && e->list->walls->moving)
    gather_against_walls(w, c, e->store->columns.velocity, e->list->walls);
  else
    gather_velocities(w, c, e->store->columns.velocity);
  split_velocities(w, c->count);
}
