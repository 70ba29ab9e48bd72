/* One batch: geometry -> history -> laws -> loads. All its contacts share one law. Synchronised, velocities and histories first
 * meet in the frame of the half step, and are then turned into that of the positions (batch_half.c). */
#include <math.h>
#include <string.h>

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
      for (int a = 0; a < 3; a++) demi_store4(w->history_in[a] + k, h[a + 1]);
    }
    return all[0] == 0;
  }
  int all = 1;
  for (int32_t k = 0; k < DEMI_ROUND_UP(c->count); k++) {
    const double *row = contacts->history + (int64_t)c->pair[k < c->count ? k : 0] * stride;
    const int alive = row[0] == live;
    for (int32_t h = 0; h < total; h++) w->history_in[h][k] = alive ? row[1 + h] : 0.0;
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
  double *restrict hx = w->history_in[first], *restrict hy = w->history_in[first + 1], *restrict hz = w->history_in[first + 2];
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
  DEMI_VARIANT_NAME(turn_to_half)(w, count, w->history_in + h);
  transport(w, count, h, &w->half, 1);
  DEMI_VARIANT_NAME(turn_from_half)(w, count, w->history_in + h);
}

static void transport_all(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c, const demi_bound *bound,
                          int walls) {
  const int halves = e->half > 0;
  if (halves) DEMI_VARIANT_NAME(batch_before)(e, w, c, walls);
  for (int32_t h = 0; h < bound->history_total;) {
    const int vector = bound->kind[h] != DEM_HISTORY_SCALAR;
    if (vector && halves) transport_synchronised(w, c->count, h);
    if (vector && !halves) transport(w, c->count, h, &w->now, e->rotate);
    h += vector ? 3 : 1;
  }
}

static void commit_history(const demi_workspace *w, const demi_candidates *c, demi_contacts *contacts,
                           const demi_bound *bound) {
  const int32_t total = bound->history_total, stride = contacts->stride;
  if (total == 3) {
    const demi_wide stamp = demi_spread(contacts->stamp);
    for (int32_t k = 0; k < c->count; k += 4) {
      demi_wide h[4] = {stamp, demi_load4(w->history_out[0] + k), demi_load4(w->history_out[1] + k),
                        demi_load4(w->history_out[2] + k)};
      demi_transpose4(&h[0], &h[1], &h[2], &h[3]);
      for (int q = 0; q < 4 && k + q < c->count; q++) demi_store4(contacts->history + (int64_t)c->pair[k + q] * stride, h[q]);
    }
    return;
  }
  for (int32_t k = 0; k < c->count; k++) {
    double *row = contacts->history + (int64_t)c->pair[k] * stride;
    row[0] = contacts->stamp;
    for (int32_t h = 0; h < total; h++) row[1 + h] = w->history_out[h][k];
  }
}

/* ---- laws ---- */

static void fill_batch(dem_batch *b, demi_workspace *w, const demi_evaluation *e, int32_t count) {
  memset(b, 0, sizeof *b);
  b->struct_size = (uint32_t)sizeof *b;
  b->count = count;
  b->dt = e->dt;
  b->overlap = w->overlap;
  b->effective_radius = w->effective_radius;
  b->effective_mass = w->effective_mass;
  b->normal_velocity = w->normal_velocity;
  b->normal_elastic = w->normal_elastic;
  b->normal_damping = w->normal_damping;
  b->adhesion = w->adhesion;
  b->history_time = w->history_time;
  for (int a = 0; a < 3; a++) {
    b->normal[a] = w->now.normal[a];
    b->tangential_velocity[a] = w->tangential_velocity[a];
    b->tangential_elastic[a] = w->tangential_elastic[a];
    b->tangential_damping[a] = w->tangential_damping[a];
    b->slip[a] = e->contacts->ledger ? w->slip[a] : NULL;
  }
}

static void clear_tangential(demi_workspace *w, int32_t count, int ledger, int all) {
  const size_t bytes = (size_t)DEMI_ROUND_UP(count) * sizeof(double);
  for (int a = 0; a < 3; a++) {
    if (all) memset(w->tangential_elastic[a], 0, bytes);
    memset(w->tangential_damping[a], 0, bytes);
    if (ledger) memset(w->slip[a], 0, bytes);
  }
}

/* The lanes that few laws write. */
static void offer_rare(demi_workspace *w, dem_batch *b, const demi_bound *bound, int ledger) {
  const size_t bytes = (size_t)DEMI_ROUND_UP(b->count) * sizeof(double);
  if (bound->coupled) {
    memset(w->tangential_normal, 0, bytes);
    b->tangential_normal = w->tangential_normal;
  }
  if (ledger) {
    memset(w->hysteresis, 0, bytes);
    b->hysteresis = w->hysteresis;
  }
}

/* A part that offers no stored energy is not asked, and counts as storing none. */
static void ask_energies(dem_batch *b, demi_workspace *w, const demi_bound *bound, int32_t part) {
  memset(w->normal_energy, 0, sizeof w->normal_energy);
  memset(w->tangential_energy, 0, sizeof w->tangential_energy);
  b->normal_energy = bound->stores_energy[part] ? w->normal_energy : NULL;
  b->tangential_energy = part == DEMI_NORMAL && bound->stores_energy[DEMI_TANGENTIAL] ? w->tangential_energy : NULL;
}

static void run_laws(demi_workspace *w, const demi_evaluation *e, const demi_bound *bound, int32_t count) {
  dem_batch b;
  fill_batch(&b, w, e, count);
  if (e->energies) ask_energies(&b, w, bound, DEMI_NORMAL);
  b.contact_radius = bound->gives_radius ? w->contact_radius : NULL;
  b.history_in = w->in;
  b.history_out = w->out;
  bound->evaluate[0](bound->parameters[0], &b);
  clear_tangential(w, count, e->contacts->ledger, !bound->evaluate[1]);
  if (bound->evaluate[1]) {
    b.history_in = w->in + bound->history[0];
    b.history_out = w->out + bound->history[0];
    offer_rare(w, &b, bound, e->contacts->ledger);
    bound->evaluate[1](bound->parameters[1], &b);
  }
  if (bound->rolls) DEMI_VARIANT_NAME(run_rolling)(e, w, bound, &b);
}

/* Surfaces that do not touch: forces along the normal only, no history. */
static void run_gap(demi_workspace *w, const demi_evaluation *e, const demi_bound *bound, int32_t count) {
  dem_batch b;
  fill_batch(&b, w, e, count);
  if (e->energies) ask_energies(&b, w, bound, DEMI_GAP);
  clear_tangential(w, count, e->contacts->ledger, 1);
  bound->evaluate[DEMI_GAP](bound->parameters[DEMI_GAP], &b);
}

/* Torques that act at the middle of the overlap, R - d/2, while the velocities were taken at R. */
static void shorten_arms(demi_workspace *w, int32_t count) {
  const int32_t lanes = DEMI_ROUND_UP(count);
  double *restrict ai = w->now.arm_i, *restrict aj = w->now.arm_j;
  const double *restrict overlap = w->overlap;
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
    for (int a = 0; a < 3; a++) power += w->tangential_damping[a][k] * w->tangential_velocity[a][k];
    w->drag_power[k] = power;
  }
}

/* The power of a force is taken at velocities in the frame of the positions, where it acts; the power of its torque at the
 * arm of the torque. */
static void take_own_velocities(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c, const demi_bound *bound,
                                int walls) {
  const int books = e->contacts->ledger != 0;
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
    for (int a = 0; a < 3; a++) power += w->tangential_damping[a][k] * w->tangential_velocity[a][k];
    for (int a = 0; a < 3 && power > 0; a++) {
      w->tangential_elastic[a][k] += w->tangential_damping[a][k];
      w->tangential_damping[a][k] = 0;
    }
  }
}

void DEMI_VARIANT_NAME(run_batch)(const demi_evaluation *e, demi_workspace *w, demi_candidates *c, const demi_bound *bound,
                                  int32_t section, double *sums) {
  const int gap = section == DEMI_SECTION_GAP || section == DEMI_SECTION_WALL_GAP;
  const int history = !gap && (bound->history_total > 0 || bound->holds), halves = e->half > 0;
  const int walls = section == DEMI_SECTION_WALL || section == DEMI_SECTION_WALL_GAP;
  DEMI_VARIANT_NAME(batch_geometry)(e, w, c, walls);
  DEMI_VARIANT_NAME(batch_velocities)(e, w, c, walls, &w->now);
  if (halves) DEMI_VARIANT_NAME(batch_half)(e, w, c, walls);
  if (bound->rolls && !gap) DEMI_VARIANT_NAME(rolling_velocities)(e, w, c, walls, halves ? &w->half : &w->now);
  for (int32_t k = 0; k < DEMI_ROUND_UP(c->count); k++) w->history_time[k] = e->dt;
  if (history) {
    const int new = load_history(w, c, e->contacts, bound, demi_live_stamp(e));
    if (new && !e->whole_step) DEMI_VARIANT_NAME(batch_age)(e, w, c, walls);
    transport_all(e, w, c, bound, walls);
  }
  if (gap)
    run_gap(w, e, bound, c->count);
  else
    run_laws(w, e, bound, c->count);
  if (history && bound->damped && !e->trial && !(e->dt > 0)) join_pushing_dashpots(w, c->count);
  if (history && !e->trial) commit_history(w, c, e->contacts, bound);
  w->shorter = e->shorter_torques && !walls && !gap;
  take_own_velocities(e, w, c, bound, walls);
  if (halves && e->contacts->ledger && bound->rolls && !gap) DEMI_VARIANT_NAME(rolling_velocities)(e, w, c, walls, &w->now);
  DEMI_VARIANT_NAME(batch_loads)(e, w, c, bound, section, sums + section * DEMI_SECTION_ENTRIES);
  if (bound->adhesive) memset(w->adhesion, 0, sizeof w->adhesion);
}
