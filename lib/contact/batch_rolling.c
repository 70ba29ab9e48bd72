/* Rolling and twisting of a batch in lanes (Luding 2008):
 *
 *   w = w_i - w_j,   v_r = -R* n x w,   w_n = w.n;       moment on i: R* n x f_r + M_t n, on j the opposite
 *
 * so that its power is f_r.v_r + M_t w_n and both momenta are conserved. Objective: a common rotation of both bodies leaves w as
 * it is. Against a wall w is less the wall's angular velocity. Only where a law rolls or twists. */
#include "batch_kernels.h"
#include "lane_sums.h"
#include "variant.h"
#include "pair_shares.h"

/* ---- velocities ---- */

/* Takes the place of the row of a second particle for a wall at rest: 1/I = 0. */
static const _Alignas(64) double at_rest[4] = {0};

/* Entry 3 of a row of spin is taken as the inverse moment of inertia (store.h): the sum of both is 1/I*. */
static void gather_turning(demi_workspace *w, const demi_candidates *c, const demi_evaluation *e, int walls) {
  const int32_t lanes = DEMI_ROUND_UP(c->count);
  const double *velocity = e->store->columns.velocity;
  const int moving = walls && e->list->faces->moving;
  for (int32_t k = 0; k < lanes; k++) {
    const double *i = velocity + 8 * (int64_t)c->i[k] + 4, *j = at_rest;
    if (!walls)
      j = velocity + 8 * (int64_t)c->j[k] + 4;
    else if (moving)
      j = e->list->faces->velocity[demi_face_of_partner(c->j[k])] + 4;
    for (int a = 0; a < 3; a++) w->turning[a][k] = i[a] - j[a];
    w->lanes.inverse_inertia[k] = walls ? i[3] : i[3] + j[3];
  }
}

static void split_turning(demi_workspace *w, int32_t count, const demi_frame *f) {
  const int32_t lanes = DEMI_ROUND_UP(count);
  const double *restrict nx = f->normal[0], *restrict ny = f->normal[1], *restrict nz = f->normal[2];
  const double *restrict wx = w->turning[0], *restrict wy = w->turning[1], *restrict wz = w->turning[2];
  const double *restrict radius = w->lanes.effective_radius;
  double *restrict vx = w->lanes.rolling_velocity[0], *restrict vy = w->lanes.rolling_velocity[1],
                   *restrict vz = w->lanes.rolling_velocity[2];
  double *restrict rate = w->lanes.twisting_rate;
  DEMI_INDEPENDENT
  for (int32_t k = 0; k < lanes; k++) {
    vx[k] = radius[k] * (nz[k] * wy[k] - ny[k] * wz[k]);
    vy[k] = radius[k] * (nx[k] * wz[k] - nz[k] * wx[k]);
    vz[k] = radius[k] * (ny[k] * wx[k] - nx[k] * wy[k]);
    rate[k] = wx[k] * nx[k] + wy[k] * ny[k] + wz[k] * nz[k];
  }
}

void DEMI_VARIANT_NAME(rolling_velocities)(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c, int walls,
                                           const demi_frame *f) {
  gather_turning(w, c, e, walls);
  split_turning(w, c->count, f);
  if (f == &w->half && e->half > 0) DEMI_VARIANT_NAME(turn_from_half)(w, c->count, w->lanes.rolling_velocity);
}

/* ---- moments ---- */

static void store_nothing(const demi_candidates *c, const demi_loads *l) {
  for (int32_t k = 0; k < c->count; k++) {
    const int64_t row = 4 * (c->contact[k] - l->moment_base);
    demi_store4(l->moment + row, (demi_wide){0});
    if (l->moment_damping) demi_store4(l->moment_damping + row, (demi_wide){0});
  }
}

/* R* n x f + t n and t of four contacts, as rows. */
static void moments_of(const demi_workspace *w, int32_t k, const demi_wide *f, demi_wide t, demi_wide *m) {
  const demi_wide radius = demi_load4(w->lanes.effective_radius + k);
  demi_wide n[3];
  const demi_lanes *normal = w->lagged ? w->half.normal : w->now.normal;
  for (int a = 0; a < 3; a++) n[a] = demi_load4(normal[a] + k);
  for (int a = 0; a < 3; a++) m[a] = radius * (n[(a + 1) % 3] * f[(a + 2) % 3] - n[(a + 2) % 3] * f[(a + 1) % 3]) + t * n[a];
  m[3] = t;
  demi_transpose4(&m[0], &m[1], &m[2], &m[3]);
}

static void store_moments(const demi_workspace *w, const demi_candidates *c, const demi_loads *l) {
  for (int32_t k = 0; k < c->count; k += 4) {
    demi_wide f[3], d[3], moment[4], dashpot[4];
    for (int a = 0; a < 3; a++) {
      d[a] = demi_load4(w->lanes.rolling_damping[a] + k);
      f[a] = demi_load4(w->lanes.rolling_elastic[a] + k) + d[a];
    }
    const demi_wide drag = demi_load4(w->lanes.twisting_damping + k);
    moments_of(w, k, f, demi_load4(w->lanes.twisting_elastic + k) + drag, moment);
    if (l->moment_damping) moments_of(w, k, d, drag, dashpot);
    for (int q = 0; q < 4 && k + q < c->count; q++) {
      const int64_t row = 4 * (c->contact[k + q] - l->moment_base);
      demi_store4(l->moment + row, moment[q]);
      if (l->moment_damping) demi_store4(l->moment_damping + row, dashpot[q]);
    }
  }
}

static void book(demi_workspace *w, int32_t count, double *sums) {
  const double rolling = demi_dot_vectors(w->lanes.rolling_elastic, w->lanes.rolling_velocity, count);
  const double rolling_drag = demi_dot_vectors(w->lanes.rolling_damping, w->lanes.rolling_velocity, count);
  const double twisting = demi_dot_lanes(w->lanes.twisting_elastic, w->lanes.twisting_rate, count);
  const double twisting_drag = demi_dot_lanes(w->lanes.twisting_damping, w->lanes.twisting_rate, count);
  sums[DEMI_POWER_ROLLING_ELASTIC] += rolling;
  sums[DEMI_POWER_ROLLING_DAMPING] += rolling_drag;
  sums[DEMI_POWER_TWISTING_ELASTIC] += twisting;
  sums[DEMI_POWER_TWISTING_DAMPING] += twisting_drag;
  sums[DEMI_POWER_TORQUE_ELASTIC] += rolling + twisting;
  sums[DEMI_POWER_TORQUE_DAMPING] += rolling_drag + twisting_drag;
  sums[DEMI_SLIP_ROLLING_ELASTIC] += demi_dot_vectors(w->lanes.rolling_elastic, w->lanes.rolling_slip, count);
  sums[DEMI_SLIP_ROLLING_DAMPING] += demi_dot_vectors(w->lanes.rolling_damping, w->lanes.rolling_slip, count);
  sums[DEMI_SLIP_TWISTING_ELASTIC] += demi_dot_lanes(w->lanes.twisting_elastic, w->lanes.twisting_slip, count);
  sums[DEMI_SLIP_TWISTING_DAMPING] += demi_dot_lanes(w->lanes.twisting_damping, w->lanes.twisting_slip, count);
  sums[DEMI_HYSTERESIS_ROLLING] += demi_sum_lanes(w->lanes.hysteresis[DEMI_ROLLING], count);
  sums[DEMI_HYSTERESIS_TWISTING] += demi_sum_lanes(w->lanes.hysteresis[DEMI_TWISTING], count);
}

void DEMI_VARIANT_NAME(batch_moments)(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c,
                                      const demi_bound *bound, double *sums) {
  demi_contacts *contacts = e->contacts;
  if (!bound->rolls) {
    store_nothing(c, &contacts->loads);
    return;
  }
  store_moments(w, c, &contacts->loads);
  if (!(e->ask & DEMI_COMPUTE_BOOKS)) return;
  book(w, c->count, sums);
  if (contacts->rolling_shares) DEMI_VARIANT_NAME(book_rolling_shares)(w, c, contacts);
}
