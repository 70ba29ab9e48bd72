/* One block of contacts: filter -> geometry -> laws -> loads.
 *
 * Filter: rows of the block in order, each with its listed pairs; touching ones are gathered until a batch is full. Geometry
 * works on lanes: n = r/|r|, overlap d = R_i + R_j - |r|, v_n = v.n, v_t = v - v_n n - (a_i w_i + a_j w_j) x n (numerics
 * section 1). Only + - * / sqrt and comparisons, lane by lane: the same bits from every instruction set. */
#include "kernels.h"

#include <math.h>
#include <string.h>

#include "laws/variant.h"
#include "shares.h"
#include "wide.h"

/* Contacts to look ahead for memory. */
enum { AHEAD = 16 };

#define ROUND_UP(n) (((n) + 7) & ~7)

/* Row of a wall in place of a second particle: at rest, infinitely heavy. */
static const _Alignas(64) double at_rest[8] = {0};

/* ---- geometry ---- */

/* The lanes behind the last contact repeat the first, so that loops over whole registers meet no rubbish. */
static void pad(demi_candidates *c) {
  for (int32_t k = c->count; k < ROUND_UP(c->count); k++) {
    memcpy(c->offset + 4 * k, c->offset, 4 * sizeof(double));
    c->distance2[k] = c->distance2[0];
    c->radii[k] = c->radii[0];
    c->i[k] = c->i[0];
    c->j[k] = c->j[0];
  }
}

static void pair_geometry(demi_workspace *w, const demi_candidates *c, int radius_arms) {
  const int32_t lanes = ROUND_UP(c->count);
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
  const int32_t lanes = ROUND_UP(c->count);
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
  const int32_t lanes = ROUND_UP(c->count);
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
  const int32_t lanes = ROUND_UP(c->count);
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
  const int32_t lanes = ROUND_UP(count);
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

/* ---- history ---- */

/* `live`: stamp of the evaluation before this one. */
static void load_history(demi_workspace *w, const demi_candidates *c, const demi_contacts *contacts, const demi_bound *bound,
                         double live) {
  const int32_t total = bound->history_total, stride = contacts->stride;
  if (total == 3) { /* the common case, one spring */
    for (int32_t k = 0; k < ROUND_UP(c->count); k += 4) {
      demi_wide h[4];
      for (int q = 0; q < 4; q++) {
        const double *row = contacts->history + (int64_t)c->slot[k + q < c->count ? k + q : 0] * stride;
        const demi_wide_mask alive = demi_spread(row[0]) == demi_spread(live);
        h[q] = (demi_wide)((demi_wide_mask)demi_load4(row) & alive);
      }
      demi_transpose4(&h[0], &h[1], &h[2], &h[3]);
      for (int a = 0; a < 3; a++) demi_store4(w->history_in[a] + k, h[a + 1]);
    }
    return;
  }
  for (int32_t k = 0; k < ROUND_UP(c->count); k++) {
    const double *row = contacts->history + (int64_t)c->slot[k < c->count ? k : 0] * stride;
    const int alive = row[0] == live;
    for (int32_t h = 0; h < total; h++) w->history_in[h][k] = alive ? row[1 + h] : 0.0;
  }
}

/* Carries a vector into the plane of the present normal; with `rotate` its length is kept. */
static void transport(demi_workspace *w, int32_t count, int32_t first, int rotate) {
  const int32_t lanes = ROUND_UP(count);
  const double *restrict nx = w->normal[0], *restrict ny = w->normal[1], *restrict nz = w->normal[2];
  double *restrict hx = w->history_in[first], *restrict hy = w->history_in[first + 1], *restrict hz = w->history_in[first + 2];
  DEMI_INDEPENDENT
  for (int32_t k = 0; k < lanes; k++) {
    const double x = hx[k], y = hy[k], z = hz[k], n = x * nx[k] + y * ny[k] + z * nz[k];
    const double px = x - n * nx[k], py = y - n * ny[k], pz = z - n * nz[k];
    const double before = x * x + y * y + z * z, after = px * px + py * py + pz * pz;
    const double scale = rotate && after > 0 ? sqrt(before / after) : 1.0;
    hx[k] = scale * px;
    hy[k] = scale * py;
    hz[k] = scale * pz;
  }
}

static void transport_all(demi_workspace *w, int32_t count, const demi_bound *bound, int rotate) {
  for (int32_t h = 0; h < bound->history_total;) {
    const int vector = bound->kind[h] != DEM_HISTORY_SCALAR;
    if (vector) transport(w, count, h, rotate);
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
      for (int q = 0; q < 4 && k + q < c->count; q++) demi_store4(contacts->history + (int64_t)c->slot[k + q] * stride, h[q]);
    }
    return;
  }
  for (int32_t k = 0; k < c->count; k++) {
    double *row = contacts->history + (int64_t)c->slot[k] * stride;
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
  for (int a = 0; a < 3; a++) {
    b->normal[a] = w->normal[a];
    b->tangential_velocity[a] = w->tangential_velocity[a];
    b->tangential_elastic[a] = w->tangential_elastic[a];
    b->tangential_damping[a] = w->tangential_damping[a];
    b->slip[a] = e->contacts->ledger ? w->slip[a] : NULL;
  }
}

static void clear_tangential(demi_workspace *w, int32_t count, int ledger, int all) {
  const size_t bytes = (size_t)ROUND_UP(count) * sizeof(double);
  for (int a = 0; a < 3; a++) {
    if (all) memset(w->tangential_elastic[a], 0, bytes);
    memset(w->tangential_damping[a], 0, bytes);
    if (ledger) memset(w->slip[a], 0, bytes);
  }
}

/* The lanes that few laws write. */
static void offer_rare(demi_workspace *w, dem_batch *b, const demi_bound *bound, int ledger) {
  const size_t bytes = (size_t)ROUND_UP(b->count) * sizeof(double);
  if (bound->coupled) {
    memset(w->tangential_normal, 0, bytes);
    b->tangential_normal = w->tangential_normal;
  }
  if (ledger) {
    memset(w->path, 0, bytes);
    b->path = w->path;
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
  b.history_in = w->in;
  b.history_out = w->out;
  bound->evaluate[0](bound->parameters[0], &b);
  clear_tangential(w, count, e->contacts->ledger, !bound->evaluate[1]);
  if (!bound->evaluate[1]) return;
  b.history_in = w->in + bound->history[0];
  b.history_out = w->out + bound->history[0];
  offer_rare(w, &b, bound, e->contacts->ledger);
  bound->evaluate[1](bound->parameters[1], &b);
}

/* Surfaces that do not touch: forces along the normal only, no history. */
static void run_gap(demi_workspace *w, const demi_evaluation *e, const demi_bound *bound, int32_t count) {
  dem_batch b;
  fill_batch(&b, w, e, count);
  if (e->energies) ask_energies(&b, w, bound, DEMI_GAP);
  clear_tangential(w, count, e->contacts->ledger, 1);
  bound->evaluate[DEMI_GAP](bound->parameters[DEMI_GAP], &b);
}

/* ---- loads ---- */

static void store_loads(const demi_workspace *w, const demi_candidates *c, const demi_loads *loads, int coupled) {
  double *rows = loads->rows;
  for (int32_t k = 0; k < c->count; k++) {
    loads->i[c->contact[k]] = c->i[k];
    loads->j[c->contact[k]] = c->j[k];
  }
  for (int32_t k = 0; k < c->count; k += 4) {
    demi_wide n[3], t[3], f[4], m[4];
    demi_wide fn = demi_load4(w->normal_elastic + k) + demi_load4(w->normal_damping + k);
    if (coupled) fn += demi_load4(w->tangential_normal + k);
    for (int a = 0; a < 3; a++) {
      n[a] = demi_load4(w->normal[a] + k);
      t[a] = demi_load4(w->tangential_elastic[a] + k) + demi_load4(w->tangential_damping[a] + k);
      f[a] = fn * n[a] + t[a];
    }
    for (int a = 0; a < 3; a++) m[a] = n[(a + 1) % 3] * t[(a + 2) % 3] - n[(a + 2) % 3] * t[(a + 1) % 3];
    f[3] = demi_load4(w->arm_i + k);
    m[3] = demi_load4(w->arm_j + k);
    demi_transpose4(&f[0], &f[1], &f[2], &f[3]);
    demi_transpose4(&m[0], &m[1], &m[2], &m[3]);
    for (int q = 0; q < 4 && k + q < c->count; q++) {
      double *row = rows + 8 * c->contact[k + q];
      demi_store4(row, f[q]);
      demi_store4(row + 4, m[q]);
    }
  }
}

static void store_levers(const demi_workspace *w, const demi_candidates *c, const demi_loads *loads) {
  for (int32_t k = 0; k < c->count; k++)
    demi_store4(loads->lever + 4 * (c->contact[k] - loads->wall_base), demi_load4(w->lever + 4 * k));
}

static void store_books(const demi_workspace *w, const demi_candidates *c, const demi_loads *loads) {
  const int32_t width = loads->books_width;
  for (int32_t k = 0; k < c->count; k += 4) {
    demi_wide n[4], d[4] = {{0}};
    for (int a = 0; a < 3; a++) {
      n[a] = demi_load4(w->normal[a] + k);
      if (width == 8) d[a] = demi_load4(w->tangential_damping[a] + k);
    }
    n[3] = demi_load4(w->normal_elastic + k);
    demi_transpose4(&n[0], &n[1], &n[2], &n[3]);
    if (width == 8) demi_transpose4(&d[0], &d[1], &d[2], &d[3]);
    for (int q = 0; q < 4 && k + q < c->count; q++) {
      double *row = loads->books + width * c->contact[k + q];
      loads->damping[c->contact[k + q]] = w->normal_damping[k + q];
      demi_store4(row, n[q]);
      if (width == 8) demi_store4(row + 4, d[q]);
    }
  }
}

/* Sum over lanes of a * b, four sums side by side: the order is the same for every instruction set. */
static double dot_lanes(const double *a, const double *b, int32_t count) {
  demi_wide sum = {0};
  int32_t k = 0;
  for (; k + 4 <= count; k += 4) sum += demi_load4(a + k) * demi_load4(b + k);
  double rest = 0;
  for (; k < count; k++) rest += a[k] * b[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
}

static double dot_vectors(demi_lanes *a, demi_lanes *b, int32_t count) {
  return dot_lanes(a[0], b[0], count) + dot_lanes(a[1], b[1], count) + dot_lanes(a[2], b[2], count);
}

/* Sum of lanes in the same way. */
static double sum_lanes(const double *a, int32_t count) {
  demi_wide sum = {0};
  int32_t k = 0;
  for (; k + 4 <= count; k += 4) sum += demi_load4(a + k);
  double rest = 0;
  for (; k < count; k++) rest += a[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
}

/* Power of each class at the velocities the forces were computed with, what slip took, what the law itself took. */
static void book_normal(demi_workspace *w, int32_t count, double *sums) {
  sums[DEMI_POWER_NORMAL_ELASTIC] += dot_lanes(w->normal_elastic, w->normal_velocity, count);
  sums[DEMI_POWER_NORMAL_DAMPING] += dot_lanes(w->normal_damping, w->normal_velocity, count);
}

static void book_tangential(demi_workspace *w, int32_t count, const demi_bound *bound, double *sums) {
  const double elastic = dot_vectors(w->tangential_elastic, w->tangential_velocity, count);
  sums[DEMI_POWER_TANGENTIAL_ELASTIC] += elastic;
  sums[DEMI_POWER_TORQUE_ELASTIC] += elastic - dot_vectors(w->tangential_elastic, w->velocity, count);
  sums[DEMI_SLIDING_ELASTIC] += dot_vectors(w->tangential_elastic, w->slip, count);
  if (bound->coupled) sums[DEMI_POWER_TANGENTIAL_ELASTIC] += dot_lanes(w->tangential_normal, w->normal_velocity, count);
  sums[DEMI_PATH] += sum_lanes(w->path, count);
  if (!bound->damped) return;
  const double damping = dot_vectors(w->tangential_damping, w->tangential_velocity, count);
  sums[DEMI_POWER_TANGENTIAL_DAMPING] += damping;
  sums[DEMI_POWER_TORQUE_DAMPING] += damping - dot_vectors(w->tangential_damping, w->velocity, count);
  sums[DEMI_SLIDING_DAMPING] += dot_vectors(w->tangential_damping, w->slip, count);
}

static void add_energies(const demi_workspace *w, int32_t count, double *sums) {
  for (int32_t k = 0; k < count; k++) {
    sums[DEMI_ENERGY_NORMAL] += w->normal_energy[k];
    sums[DEMI_ENERGY_TANGENTIAL] += w->tangential_energy[k];
  }
}

/* ---- one batch ---- */

static void run_batch(const demi_evaluation *e, demi_workspace *w, demi_candidates *c, const demi_bound *bound, double *sums,
                      int32_t section) {
  demi_contacts *contacts = e->contacts;
  const int gap = section == DEMI_SECTION_GAP || section == DEMI_SECTION_WALL_GAP;
  const int history = !gap && bound->history_total > 0;
  sums += section * DEMI_SECTION_ENTRIES;
  const int walls = section == DEMI_SECTION_WALL || section == DEMI_SECTION_WALL_GAP;
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
  if (history) {
    load_history(w, c, contacts, bound, e->trial ? contacts->stamp : contacts->stamp - 1);
    transport_all(w, c->count, bound, e->rotate);
  }
  if (gap)
    run_gap(w, e, bound, c->count);
  else
    run_laws(w, e, bound, c->count);
  if (e->energies) add_energies(w, c->count, sums);
  if (history && !e->trial) commit_history(w, c, contacts, bound);
  if (e->trial) return;
  const int rubs = bound->evaluate[DEMI_TANGENTIAL] && section <= DEMI_SECTION_WALL;
  store_loads(w, c, &contacts->loads, rubs && bound->coupled);
  if (walls) store_levers(w, c, &contacts->loads);
  if (!contacts->ledger) return;
  store_books(w, c, &contacts->loads);
  book_normal(w, c->count, sums);
  if (rubs) book_tangential(w, c->count, bound, sums);
  if (contacts->shares) DEMI_V(book_shares)(w, c, contacts, bound, section);
}

static void copy_candidate(demi_candidates *to, const demi_candidates *from, int32_t k) {
  const int32_t n = to->count++;
  memcpy(to->offset + 4 * n, from->offset + 4 * k, 4 * sizeof(double));
  to->distance2[n] = from->distance2[k];
  to->radii[n] = from->radii[k];
  to->i[n] = from->i[k];
  to->j[n] = from->j[k];
  to->slot[n] = from->slot[k];
  to->contact[n] = from->contact[k];
}

/* All contacts of a batch share one law: with several, they are taken law by law. Each contact's load goes to its own place, so
 * the order of summation does not change. */
static void flush(const demi_evaluation *e, demi_workspace *w, double *sums, int32_t section) {
  demi_candidates *found = &w->found;
  if (found->count == 0) return;
  if (e->laws->count == 1) {
    run_batch(e, w, found, &e->laws->bound[0], sums, section);
    found->count = 0;
    return;
  }
  for (int32_t law = 0; law < e->laws->count; law++) {
    w->sorted.count = 0;
    for (int32_t k = 0; k < found->count; k++)
      if (found->law[k] == law) copy_candidate(&w->sorted, found, k);
    if (w->sorted.count > 0) run_batch(e, w, &w->sorted, &e->laws->bound[law], sums, section);
  }
  found->count = 0;
}

/* ---- filter ---- */

static int32_t law_index(const demi_evaluation *e, int32_t a, int32_t b) {
  return e->laws->count == 1 ? 0 : e->laws->of_pair[a * DEMI_MAX_MATERIALS + b];
}

/* Fills what the filter left out: which rows, which slot, which law. */
static void name_candidates(const demi_evaluation *e, demi_candidates *c, int64_t contact) {
  const demi_list *list = e->list;
  const int32_t *material = e->store->columns.material;
  for (int32_t n = 0; n < c->count; n++) {
    const int32_t k = c->slot[n], s = list->near_slot[k];
    c->i[n] = list->near_row[k];
    c->j[n] = (int32_t)(list->code[s] & DEMI_ROW_MASK);
    c->slot[n] = s;
    c->contact[n] = contact + n;
    if (e->laws->count > 1) c->law[n] = law_index(e, material[c->i[n]], material[c->j[n]]);
  }
}

/* Partners of later rows lie scattered: ask for their memory early. */
static inline void fetch_ahead(const demi_evaluation *e, int64_t k) {
  const int64_t j = e->list->code[e->list->near_slot[k]] & DEMI_ROW_MASK;
  __builtin_prefetch(e->store->columns.position + 4 * j);
  __builtin_prefetch(e->store->columns.velocity + 8 * j);
}

/* Nearly touching pairs k = first ... end-1, until the batch is full; returns where it stopped. */
static int64_t filter_batch(const demi_evaluation *e, demi_candidates *c, int64_t first, int64_t end) {
  const double *position = e->store->columns.position, *shift = e->list->shift;
  const int32_t *slot = e->list->near_slot, *row = e->list->near_row;
  const uint32_t *code = e->list->code;
  int32_t n = 0;
  int64_t k = first;
  for (; k < end && n < DEMI_BATCH; k++) {
    fetch_ahead(e, k + AHEAD < end ? k + AHEAD : k);
    const uint32_t pair = code[slot[k]];
    const demi_wide p = demi_load4(position + 4 * (int64_t)row[k]);
    const demi_wide q = demi_load4(position + 4 * (int64_t)(pair & DEMI_ROW_MASK));
    const demi_wide d = p - (q + demi_load4(shift + 4 * (pair >> DEMI_SHIFT_BITS)));
    const demi_wide square = d * d;
    const double r2 = square[0] + square[1] + square[2], sum = p[3] + q[3];
    demi_store4(c->offset + 4 * n, d);
    c->distance2[n] = r2;
    c->radii[n] = sum;
    c->slot[n] = (int32_t)k;
    n += r2 < sum * sum; /* no branch: it would be mispredicted */
  }
  c->count = n;
  return k;
}

static int32_t filter_pairs(const demi_evaluation *e, demi_workspace *w, int32_t block, double *sums) {
  const int64_t first = e->list->row_start[demi_block_first(&e->list->motion, block)];
  const int64_t end = first + e->list->near_count[block];
  int64_t contact = e->contacts->loads.first[DEMI_SECTION_PAIR][block];
  for (int64_t k = first; k < end;) {
    k = filter_batch(e, &w->found, k, end);
    name_candidates(e, &w->found, contact);
    contact += w->found.count;
    flush(e, w, sums, DEMI_SECTION_PAIR);
  }
  return (int32_t)(contact - e->contacts->loads.first[DEMI_SECTION_PAIR][block]);
}

/* ---- gaps ---- */

static int acts_in_gap(const demi_evaluation *e, int32_t law) { return e->laws->bound[law].evaluate[DEMI_GAP] != NULL; }

/* Pairs that do not touch but are within the range, from k on until the batch is full. */
static int64_t filter_gap_batch(const demi_evaluation *e, demi_candidates *c, int64_t k, int64_t end) {
  const double *position = e->store->columns.position, *shift = e->list->shift;
  int32_t n = 0;
  for (; k < end && n < DEMI_BATCH; k++) {
    const uint32_t pair = e->list->code[e->list->near_slot[k]];
    const demi_wide p = demi_load4(position + 4 * (int64_t)e->list->near_row[k]);
    const demi_wide q = demi_load4(position + 4 * (int64_t)(pair & DEMI_ROW_MASK));
    const demi_wide d = p - (q + demi_load4(shift + 4 * (pair >> DEMI_SHIFT_BITS))), square = d * d;
    const double r2 = square[0] + square[1] + square[2], sum = p[3] + q[3], far = sum + e->list->range;
    demi_store4(c->offset + 4 * n, d);
    c->distance2[n] = r2;
    c->radii[n] = sum;
    c->slot[n] = (int32_t)k;
    n += (r2 >= sum * sum) & (r2 < far * far);
  }
  c->count = n;
  return k;
}

/* Keeps those whose law acts in gaps; their loads go below place `contact`. */
static void keep_gaps(const demi_evaluation *e, demi_candidates *c, int64_t contact) {
  const int32_t found = c->count;
  c->count = 0;
  for (int32_t k = 0; k < found; k++) {
    const int32_t law = e->laws->count == 1 ? 0 : c->law[k], n = c->count;
    if (!acts_in_gap(e, law)) continue;
    if (n < k)
      copy_candidate(c, c, k);
    else
      c->count++;
    c->law[n] = law;
    c->contact[n] = contact - 1 - n;
  }
}

/* A listed pair is either touching or in its gap, so that both kinds of load share the block's places: those of gaps fill them
 * from the end. Returns the number of gaps. */
static int32_t filter_gaps(const demi_evaluation *e, demi_workspace *w, int32_t block, double *sums) {
  const demi_motion *m = &e->list->motion;
  const int64_t first = e->list->row_start[demi_block_first(m, block)], end = first + e->list->near_count[block];
  const int64_t last = e->list->row_start[demi_block_first(m, block + 1)];
  int64_t contact = last;
  for (int64_t k = first; k < end;) {
    k = filter_gap_batch(e, &w->found, k, end);
    name_candidates(e, &w->found, 0);
    keep_gaps(e, &w->found, contact);
    contact -= w->found.count;
    flush(e, w, sums, DEMI_SECTION_GAP);
  }
  return (int32_t)(last - contact);
}

/* ---- walls ---- */

/* Of a frozen particle and a wall, the wall may be free to move, but not along this normal. */
static inline int gives_way(const demi_evaluation *e, int32_t i, int32_t face, const double *normal) {
  return !demi_store_frozen(e->store, i) || demi_face_mobility(e->list->walls, face, normal) > 0;
}

/* The pair s of the wall list as the next candidate, its normal being in place already. */
static void add_wall_candidate(const demi_evaluation *e, demi_candidates *c, int32_t s, double distance, int64_t contact) {
  const int32_t i = e->list->wall_row[s], k = e->list->wall_index[s], n = c->count++;
  c->distance2[n] = distance;
  c->radii[n] = e->store->columns.position[4 * (int64_t)i + 3];
  c->i[n] = i;
  c->j[n] = -1 - k;
  c->slot[n] = (int32_t)e->list->pairs + s;
  c->contact[n] = contact;
  c->law[n] = law_index(e, e->store->columns.material[i], e->list->walls->face[k].material);
}

static int32_t filter_walls(const demi_evaluation *e, demi_workspace *w, int32_t block, double *sums) {
  const demi_list *list = e->list;
  const demi_loads *loads = &e->contacts->loads;
  demi_candidates *c = &w->found;
  int64_t contact = loads->first[DEMI_SECTION_WALL][block];
  c->count = 0;
  for (int32_t s = list->wall_start[block]; s < list->wall_start[block + 1]; s++) {
    const int32_t i = list->wall_row[s], k = list->wall_index[s];
    const double *p = e->store->columns.position + 4 * (int64_t)i;
    double *normal = c->offset + 4 * c->count;
    const double distance = demi_face_distance(&list->walls->face[k], p, normal);
    if (distance >= p[3] || !gives_way(e, i, k, normal)) continue;
    add_wall_candidate(e, c, s, distance, contact++);
    if (c->count == DEMI_BATCH) flush(e, w, sums, DEMI_SECTION_WALL);
  }
  flush(e, w, sums, DEMI_SECTION_WALL);
  return (int32_t)(contact - loads->first[DEMI_SECTION_WALL][block]);
}

static int32_t filter_wall_gaps(const demi_evaluation *e, demi_workspace *w, int32_t block, double *sums) {
  const demi_list *list = e->list;
  demi_candidates *c = &w->found;
  const int64_t last = list->pairs + list->wall_start[block + 1];
  int64_t contact = last;
  c->count = 0;
  for (int32_t s = list->wall_start[block]; s < list->wall_start[block + 1]; s++) {
    const int32_t i = list->wall_row[s], k = list->wall_index[s];
    const double *p = e->store->columns.position + 4 * (int64_t)i;
    double *normal = c->offset + 4 * c->count;
    const double distance = demi_face_distance(&list->walls->face[k], p, normal);
    if (distance < p[3] || distance >= p[3] + list->range || !gives_way(e, i, k, normal)) continue;
    if (!acts_in_gap(e, law_index(e, e->store->columns.material[i], list->walls->face[k].material))) continue;
    add_wall_candidate(e, c, s, distance, --contact);
    if (c->count == DEMI_BATCH) flush(e, w, sums, DEMI_SECTION_WALL_GAP);
  }
  flush(e, w, sums, DEMI_SECTION_WALL_GAP);
  return (int32_t)(last - contact);
}

static void place(const demi_evaluation *e, int32_t section, int32_t block, int64_t first, int32_t count) {
  e->contacts->loads.first[section][block] = first;
  e->contacts->loads.count[section][block] = count;
}

static void evaluate_gaps(const demi_evaluation *e, demi_workspace *w, int32_t block, double *sums) {
  const demi_list *list = e->list;
  const int32_t pairs = filter_gaps(e, w, block, sums), walls = filter_wall_gaps(e, w, block, sums);
  if (e->trial) return;
  place(e, DEMI_SECTION_GAP, block, list->row_start[demi_block_first(&list->motion, block + 1)] - pairs, pairs);
  place(e, DEMI_SECTION_WALL_GAP, block, list->pairs + list->wall_start[block + 1] - walls, walls);
}

void DEMI_JOIN(evaluate_block, DEMI_VARIANT)(const demi_evaluation *e, demi_workspace *w, int32_t block) {
  double *sums = e->contacts->sums + (int64_t)DEMI_BOOK_ENTRIES * block;
  memset(sums, 0, DEMI_BOOK_ENTRIES * sizeof *sums);
  const int32_t pairs = filter_pairs(e, w, block, sums);
  const int32_t walls = filter_walls(e, w, block, sums);
  if (e->list->range > 0) evaluate_gaps(e, w, block, sums);
  if (e->trial) return;
  e->contacts->loads.count[DEMI_SECTION_PAIR][block] = pairs;
  e->contacts->loads.count[DEMI_SECTION_WALL][block] = walls;
}
