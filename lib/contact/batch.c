/* One batch: geometry -> history -> laws -> loads. All its contacts share one law. Synchronised, velocities and histories first
 * meet in the frame of the half step, and are then turned into that of the positions (batch_half.c). */
#include <math.h>

#include "batch_kernels.h"
#include "variant.h"
#include "quotient.h"
#include "wide.h"

/* ---- history ---- */

/* `live`: stamp of the evaluation before this one. Returns 1 when some of the contacts are new. */
static int load_history(demi_workspace *w, const demi_candidates *c, const demi_contacts *contacts, const demi_bound *bound,
                        double live) {
  const int32_t total = bound->history_total, stride = contacts->stride;
  if (total == 3) { /* the common case, one spring */
    demi_wide_mask all = {-1, -1, -1, -1};
    for (int32_t k = 0; k < DEMI_ROUND_UP(c->count); k += 4) {
      demi_wide h[4];
      for (int q = 0; q < 4; q++) {
        const double *row = contacts->history + (int64_t)c->pair[k + q < c->count ? k + q : 0] * stride;
        const demi_wide_mask alive = demi_spread(row[0]) == demi_spread(live);
        h[q] = (demi_wide)((demi_wide_mask)demi_load4(row) & alive);
        all &= alive;
      }
      demi_transpose4(&h[0], &h[1], &h[2], &h[3]);
      for (int a = 0; a < 3; a++) demi_store4(w->lanes.history_in[a] + k, h[a + 1]);
    }
    return all[0] == 0;
  }
  int all = 1;
  for (int32_t k = 0; k < DEMI_ROUND_UP(c->count); k++) {
    const double *row = contacts->history + (int64_t)c->pair[k < c->count ? k : 0] * stride;
    const int alive = row[0] == live;
    for (int32_t h = 0; h < total; h++) w->lanes.history_in[h][k] = alive ? row[1 + h] : 0.0;
    all &= alive;
  }
  return !all;
}

/* Carries a vector into the plane across the normal of a frame; with `rotate` its length is kept. A vector of which less than a
 * hundredth lies in the plane is not stretched: its direction there would be chance, and its rounding, stretched along, a part along
 * the normal, whose work only one end of an interval would count. */
static void transport(demi_workspace *w, int32_t count, int32_t first, const demi_frame *f, int rotate) {
  const int32_t lanes = DEMI_ROUND_UP(count);
  const double *restrict nx = f->normal[0], *restrict ny = f->normal[1], *restrict nz = f->normal[2];
  double *restrict hx = w->lanes.history_in[first], *restrict hy = w->lanes.history_in[first + 1],
                   *restrict hz = w->lanes.history_in[first + 2];
  DEMI_INDEPENDENT
  for (int32_t k = 0; k < lanes; k++) {
    const double x = hx[k], y = hy[k], z = hz[k], n = x * nx[k] + y * ny[k] + z * nz[k];
    const double px = x - n * nx[k], py = y - n * ny[k], pz = z - n * nz[k];
    const double before = x * x + y * y + z * z, after = px * px + py * py + pz * pz;
    const int stretched = rotate & (after > 1e-4 * before);
    const double scale = demi_choose(stretched, sqrt(demi_quotient(before, after, 1.0)), 1.0);
    hx[k] = scale * px;
    hy[k] = scale * py;
    hz[k] = scale * pz;
  }
}

/* Synchronised: the short way round, in two halves. What is not across the normal as it was, after a change by the host, is put
 * into the plane on the way. */
static void transport_synchronised(demi_workspace *w, int32_t count, int32_t h) {
  DEMI_VARIANT_NAME(turn_to_half)(w, count, w->lanes.history_in + h);
  transport(w, count, h, &w->half, 1);
  DEMI_VARIANT_NAME(turn_from_half)(w, count, w->lanes.history_in + h);
}

static void transport_all(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c, const demi_bound *bound,
                          int walls) {
  const int halves = e->half > 0;
  if (halves) DEMI_VARIANT_NAME(batch_before)(e, w, c, walls);
  for (int32_t h = 0; h < bound->history_total;) {
    const int vector = bound->kind[h] != DEM_HISTORY_SCALAR;
    if (vector && halves) transport_synchronised(w, c->count, h);
    if (vector && !halves) transport(w, c->count, h, w->lagged ? &w->half : &w->now, e->rotate);
    h += vector ? 3 : 1;
  }
}

static void commit_history(const demi_workspace *w, const demi_candidates *c, demi_contacts *contacts,
                           const demi_bound *bound) {
  const int32_t total = bound->history_total, stride = contacts->stride;
  if (total == 3) {
    const demi_wide stamp = demi_spread(contacts->stamp);
    for (int32_t k = 0; k < c->count; k += 4) {
      demi_wide h[4] = {stamp, demi_load4(w->lanes.history_out[0] + k), demi_load4(w->lanes.history_out[1] + k),
                        demi_load4(w->lanes.history_out[2] + k)};
      demi_transpose4(&h[0], &h[1], &h[2], &h[3]);
      for (int q = 0; q < 4 && k + q < c->count; q++) demi_store4(contacts->history + (int64_t)c->pair[k + q] * stride, h[q]);
    }
    return;
  }
  for (int32_t k = 0; k < c->count; k++) {
    double *row = contacts->history + (int64_t)c->pair[k] * stride;
    row[0] = contacts->stamp;
    for (int32_t h = 0; h < total; h++) row[1 + h] = w->lanes.history_out[h][k];
  }
}

/* Contacts that only lagged friction held are over. */
static void forget_opened(const demi_workspace *w, const demi_candidates *c, demi_contacts *contacts) {
  for (int32_t k = 0; k < c->count; k++)
    if (w->apart[k]) contacts->history[(int64_t)c->pair[k] * contacts->stride] = 0;
}

/* ---- laws ---- */

/* A part that offers no stored energy counts as storing none. */
static void run_parts(demi_workspace *w, const demi_evaluation *e, const demi_bound *bound, int32_t count, int gap) {
  const int tangents = e->ask & DEMI_COMPUTE_TANGENT;
  const uint32_t ask = (tangents ? DEMI_ASK_TANGENT : 0) | (e->ask & DEMI_COMPUTE_BOOKS ? DEMI_ASK_BOOKS : 0) |
                       (e->ask & DEMI_COMPUTE_ENERGY ? DEMI_ASK_ENERGY : 0) | (w->lagged ? DEMI_LANES_LAGGED : 0);
  if (e->ask & DEMI_COMPUTE_ENERGY) demi_lanes_fill(&w->lanes, DEMI_ASK_ENERGY, count, 0);
  if (tangents) demi_lanes_fill(&w->lanes, DEMI_ASK_TANGENT, count, 0);
  if (gap)
    demi_law_run_gap(bound, &w->lanes, ask, count, e->dt);
  else
    demi_law_run(bound, &w->lanes, ask, count, e->dt);
}

/* Torques that act at the middle of the overlap, R - d/2, while the velocities were taken at R. */
static void shorten_arms(demi_workspace *w, int32_t count) {
  const int32_t lanes = DEMI_ROUND_UP(count);
  demi_frame *f = w->lagged ? &w->half : &w->now;
  double *restrict ai = f->arm_i, *restrict aj = f->arm_j;
  const double *restrict overlap = w->lanes.overlap;
  DEMI_INDEPENDENT
  for (int32_t k = 0; k < lanes; k++) {
    ai[k] -= 0.5 * overlap[k];
    aj[k] -= 0.5 * overlap[k];
  }
}

/* Before the arms are shortened: the heat per time of the dashpots, f_damping.v_t. */
static void keep_drag_power(demi_workspace *w, int32_t count) {
  const int32_t lanes = DEMI_ROUND_UP(count);
  for (int32_t k = 0; k < lanes; k++) {
    double power = 0;
    for (int a = 0; a < 3; a++) power += w->lanes.tangential_damping[a][k] * w->lanes.tangential_velocity[a][k];
    w->drag_power[k] = power;
  }
}

/* The power of a force is taken at velocities in the frame of the positions, where it acts; the power of its torque at the
 * arm of the torque. */
static void take_own_velocities(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c, const demi_bound *bound,
                                int walls) {
  const int books = e->ask & DEMI_COMPUTE_BOOKS;
  if (books && e->half > 0) DEMI_VARIANT_NAME(batch_velocities)(e, w, c, walls, &w->now);
  if (!w->shorter) return;
  if (books && bound->damped) keep_drag_power(w, c->count);
  shorten_arms(w, c->count);
  if (books) DEMI_VARIANT_NAME(batch_velocities)(e, w, c, walls, &w->now);
}

/* In an evaluation of no time, as after a change by the host, spring and dashpot cannot give way. Where the cap has fallen below what
 * the spring holds, the dashpot then takes off the rest, and its force may push along v_t: that would be booked as heat below 0. The
 * excess is the spring's, whose work is held against what it stores. Loads, the sum of both, keep their bits. */
static void join_pushing_dashpots(demi_workspace *w, int32_t count) {
  for (int32_t k = 0; k < DEMI_ROUND_UP(count); k++) {
    double power = 0;
    for (int a = 0; a < 3; a++) power += w->lanes.tangential_damping[a][k] * w->lanes.tangential_velocity[a][k];
    for (int a = 0; a < 3 && power > 0; a++) {
      w->lanes.tangential_elastic[a][k] += w->lanes.tangential_damping[a][k];
      w->lanes.tangential_damping[a][k] = 0;
    }
  }
}

void DEMI_VARIANT_NAME(run_batch)(const demi_evaluation *e, demi_workspace *w, demi_candidates *c, const demi_bound *bound,
                                  int32_t section, double *sums) {
  const int gap = section == DEMI_SECTION_GAP || section == DEMI_SECTION_WALL_GAP;
  const int history = !gap && (bound->history_total > 0 || bound->holds), halves = e->half > 0;
  const int walls = section == DEMI_SECTION_WALL || section == DEMI_SECTION_WALL_GAP;
  const int lags = e->lags && !gap;
  w->lagged = lags && !e->lags->taking;
  DEMI_VARIANT_NAME(batch_geometry)(e, w, c, walls);
  DEMI_VARIANT_NAME(batch_velocities)(e, w, c, walls, &w->now);
  if (w->lagged) DEMI_VARIANT_NAME(batch_lag_frame)(e, w, c, bound, walls);
  if (halves) DEMI_VARIANT_NAME(batch_half)(e, w, c, walls);
  if (bound->rolls && !gap) DEMI_VARIANT_NAME(rolling_velocities)(e, w, c, walls, halves || w->lagged ? &w->half : &w->now);
  for (int32_t k = 0; k < DEMI_ROUND_UP(c->count); k++) w->lanes.history_time[k] = e->dt;
  if (history) {
    const int new = load_history(w, c, e->contacts, bound, demi_live_stamp(e));
    if (new && !e->whole_step) DEMI_VARIANT_NAME(batch_age)(e, w, c, walls);
    transport_all(e, w, c, bound, walls);
  }
  if (w->lagged) DEMI_VARIANT_NAME(batch_lag_times)(e, w, c, bound, walls);
  run_parts(w, e, bound, c->count, gap);
  if (w->lagged) DEMI_VARIANT_NAME(batch_lag_end)(e, w, c, bound, walls);
  if (lags && !w->lagged) DEMI_VARIANT_NAME(batch_lag_take)(e, w, c, bound, walls);
  if (history && bound->damped && e->commit && !(e->dt > 0)) join_pushing_dashpots(w, c->count);
  if (history && e->commit) commit_history(w, c, e->contacts, bound);
  if (history && e->commit && w->lagged) forget_opened(w, c, e->contacts);
  w->shorter = e->shorter_torques && !walls && !gap;
  if (e->ask & DEMI_COMPUTE_TANGENT) DEMI_VARIANT_NAME(batch_tangents)(e, w, c, bound, section);
  take_own_velocities(e, w, c, bound, walls);
  if (halves && (e->ask & DEMI_COMPUTE_BOOKS) && bound->rolls && !gap)
    DEMI_VARIANT_NAME(rolling_velocities)(e, w, c, walls, &w->now);
  DEMI_VARIANT_NAME(batch_loads)(e, w, c, bound, section, sums + section * DEMI_SECTION_ENTRIES);
}
