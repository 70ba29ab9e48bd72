/* Geometry of a batch in lanes: n = r/|r|, overlap d = R_i + R_j - |r|, arms. Only + - * / sqrt and
 * comparisons, lane by lane: the same bits from every instruction set. */
#include <math.h>
#include <string.h>

#include "batch_kernels.h"
#include "variant.h"
#include "quotient.h"
#include "wide.h"

/* The lanes behind the last contact repeat the first one, so that loops over whole registers find valid numbers. */
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
    demi_store4(w->now.normal[0] + k, x);
    demi_store4(w->now.normal[1] + k, y);
    demi_store4(w->now.normal[2] + k, z);
    demi_store4(difference + k, r);
  }
  double *restrict nx = w->now.normal[0], *restrict ny = w->now.normal[1], *restrict nz = w->now.normal[2];
  double *restrict overlap = w->lanes.overlap, *restrict ai = w->now.arm_i, *restrict aj = w->now.arm_j,
                   *restrict radius = w->lanes.effective_radius;
  const double *restrict square = c->distance2, *restrict sum = c->radii;
  DEMI_INDEPENDENT
  for (int32_t k = 0; k < lanes; k++) {
    /* two centres at the same place have no normal: take an arbitrary one, so that they separate */
    const double r = sqrt(square[k]), inverse = demi_quotient(1.0, r, 0.0), s = sum[k], d = difference[k];
    nx[k] = demi_choose(r > 0, nx[k] * inverse, 1.0);
    ny[k] *= inverse;
    nz[k] *= inverse;
    overlap[k] = s - r;
    /* radical plane: a_i = (r^2 + R_i^2 - R_j^2)/(2 r), so a_i + a_j = r */
    const double lean = d * s * inverse;
    ai[k] = demi_choose(radius_arms, 0.5 * (s + d), 0.5 * (r + lean));
    aj[k] = demi_choose(radius_arms, 0.5 * (s - d), 0.5 * (r - lean));
    radius[k] = 0.25 * (s - d * d / s);
  }
}

static void wall_geometry(demi_workspace *w, const demi_candidates *c, const demi_evaluation *e) {
  const int32_t lanes = DEMI_ROUND_UP(c->count);
  for (int32_t k = 0; k < lanes; k++) {
    const double distance = c->distance2[k], radius = c->radii[k], arm = e->radius_arms ? radius : distance;
    const demi_wide touch =
        demi_load4(e->store->columns.position + 4 * (int64_t)c->i[k]) - demi_spread(arm) * demi_load4(c->offset + 4 * k);
    demi_store4(w->now.lever + 4 * k, touch - demi_load4(e->list->faces->centre[demi_face_of_partner(c->j[k])]));
    for (int a = 0; a < 3; a++) w->now.normal[a][k] = c->offset[4 * k + a];
    w->lanes.overlap[k] = radius - distance;
    w->now.arm_i[k] = arm;
    w->now.arm_j[k] = 0;
    w->lanes.effective_radius[k] = radius;
  }
}

void DEMI_VARIANT_NAME(batch_geometry)(const demi_evaluation *e, demi_workspace *w, demi_candidates *c, int walls) {
  pad(c);
  if (walls)
    wall_geometry(w, c, e);
  else
    pair_geometry(w, c, e->radius_arms);
}
