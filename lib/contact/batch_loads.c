/* Stores the loads of a batch, and the sums that the ledger needs. */
#include <string.h>

#include "batch_kernels.h"
#include "lane_sums.h"
#include "variant.h"
#include "pair_shares.h"
#include "wide.h"

/* Tangential forces and their torques belong to the frame in which the contact slides. */
static void store_loads(const demi_workspace *w, const demi_candidates *c, const demi_loads *loads, int coupled) {
  const demi_frame *slide = w->lagged ? &w->half : &w->now;
  double *rows = loads->rows;
  for (int32_t k = 0; k < c->count; k++) {
    loads->i[c->contact[k]] = c->i[k];
    loads->j[c->contact[k]] = c->j[k];
  }
  for (int32_t k = 0; k < c->count; k += 4) {
    demi_wide n[3], t[3], f[4], m[4];
    demi_wide fn = demi_load4(w->lanes.normal_elastic + k) + demi_load4(w->lanes.normal_damping + k);
    if (coupled) fn += demi_load4(w->lanes.tangential_normal + k);
    for (int a = 0; a < 3; a++) {
      n[a] = demi_load4(w->now.normal[a] + k);
      t[a] = demi_load4(w->lanes.tangential_elastic[a] + k) + demi_load4(w->lanes.tangential_damping[a] + k);
      f[a] = fn * n[a] + t[a];
    }
    for (int a = 0; a < 3 && w->lagged; a++) n[a] = demi_load4(slide->normal[a] + k);
    for (int a = 0; a < 3; a++) m[a] = n[(a + 1) % 3] * t[(a + 2) % 3] - n[(a + 2) % 3] * t[(a + 1) % 3];
    f[3] = demi_load4(slide->arm_i + k);
    m[3] = demi_load4(slide->arm_j + k);
    demi_transpose4(&f[0], &f[1], &f[2], &f[3]);
    demi_transpose4(&m[0], &m[1], &m[2], &m[3]);
    for (int q = 0; q < 4 && k + q < c->count; q++) {
      double *row = rows + 8 * c->contact[k + q];
      demi_store4(row, f[q]);
      demi_store4(row + 4, m[q]);
    }
  }
}

/* Of pairs, where images move. */
static void store_images(const demi_candidates *c, const demi_loads *loads, const demi_list *list) {
  for (int32_t k = 0; k < c->count; k++) loads->image[c->contact[k]] = (uint8_t)(list->code[c->pair[k]] >> DEMI_SHIFT_BITS);
}

static void store_levers(const demi_workspace *w, const demi_candidates *c, const demi_loads *loads) {
  for (int32_t k = 0; k < c->count; k++)
    demi_store4(loads->lever + 4 * (c->contact[k] - loads->wall_base), demi_load4(w->now.lever + 4 * k));
}

static void store_books(const demi_workspace *w, const demi_candidates *c, const demi_loads *loads) {
  const int32_t width = loads->books_width;
  for (int32_t k = 0; k < c->count; k += 4) {
    demi_wide n[4], d[4] = {{0}};
    for (int a = 0; a < 3; a++) {
      n[a] = demi_load4(w->now.normal[a] + k);
      if (width == 8) d[a] = demi_load4(w->lanes.tangential_damping[a] + k);
    }
    n[3] = demi_load4(w->lanes.normal_elastic + k);
    if (w->shorter) d[3] = demi_spread(0.5) * demi_load4(w->lanes.overlap + k);
    demi_transpose4(&n[0], &n[1], &n[2], &n[3]);
    if (width == 8) demi_transpose4(&d[0], &d[1], &d[2], &d[3]);
    for (int q = 0; q < 4 && k + q < c->count; q++) {
      double *row = loads->books + width * c->contact[k + q];
      loads->damping[c->contact[k + q]] = w->lanes.normal_damping[k + q];
      demi_store4(row, n[q]);
      if (width == 8) demi_store4(row + 4, d[q]);
    }
  }
}

/* Per class: the power at the velocities with which the forces were computed, the energy of slip, and the hysteresis. */
static void book_normal(demi_workspace *w, int32_t count, double *sums) {
  sums[DEMI_POWER_NORMAL_ELASTIC] += demi_dot_lanes(w->lanes.normal_elastic, w->lanes.normal_velocity, count);
  sums[DEMI_POWER_NORMAL_DAMPING] += demi_dot_lanes(w->lanes.normal_damping, w->lanes.normal_velocity, count);
}

static void book_tangential(demi_workspace *w, int32_t count, const demi_bound *bound, double *sums) {
  const double elastic = demi_dot_vectors(w->lanes.tangential_elastic, w->lanes.tangential_velocity, count);
  sums[DEMI_POWER_TANGENTIAL_ELASTIC] += elastic;
  sums[DEMI_POWER_TORQUE_ELASTIC] += elastic - demi_dot_vectors(w->lanes.tangential_elastic, w->velocity, count);
  sums[DEMI_SLIP_TANGENTIAL_ELASTIC] += demi_dot_vectors(w->lanes.tangential_elastic, w->lanes.slip, count);
  if (bound->coupled)
    sums[DEMI_POWER_TANGENTIAL_ELASTIC] += demi_dot_lanes(w->lanes.tangential_normal, w->lanes.normal_velocity, count);
  sums[DEMI_HYSTERESIS_TANGENTIAL] += demi_sum_lanes(w->lanes.hysteresis[DEMI_TANGENTIAL], count);
  if (!bound->damped) return;
  double damping = demi_dot_vectors(w->lanes.tangential_damping, w->lanes.tangential_velocity, count);
  if (w->shorter) {
    const double heat = demi_sum_lanes(w->drag_power, count), rest = damping - heat;
    sums[DEMI_POWER_TANGENTIAL_ELASTIC] += rest;
    sums[DEMI_POWER_TORQUE_ELASTIC] += rest;
    damping = heat;
  }
  sums[DEMI_POWER_TANGENTIAL_DAMPING] += damping;
  sums[DEMI_POWER_TORQUE_DAMPING] += damping - demi_dot_vectors(w->lanes.tangential_damping, w->velocity, count);
  sums[DEMI_SLIP_TANGENTIAL_DAMPING] += demi_dot_vectors(w->lanes.tangential_damping, w->lanes.slip, count);
}

static void add_energies(const demi_workspace *w, int32_t count, int rolls, double *sums) {
  for (int32_t k = 0; k < count; k++) {
    sums[DEMI_ENERGY_NORMAL] += w->lanes.normal_energy[k];
    sums[DEMI_ENERGY_TANGENTIAL] += w->lanes.tangential_energy[k];
  }
  for (int32_t k = 0; rolls && k < count; k++) {
    sums[DEMI_ENERGY_ROLLING] += w->lanes.rolling_energy[k];
    sums[DEMI_ENERGY_TWISTING] += w->lanes.twisting_energy[k];
  }
}

void DEMI_VARIANT_NAME(batch_loads)(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c,
                                    const demi_bound *bound, int32_t section, double *sums) {
  demi_contacts *contacts = e->contacts;
  const int rubs = bound->evaluate[DEMI_TANGENTIAL] && section <= DEMI_SECTION_WALL;
  if (e->ask & DEMI_COMPUTE_ENERGY) add_energies(w, c->count, bound->rolls && section <= DEMI_SECTION_WALL, sums);
  if (!(e->ask & DEMI_COMPUTE_FORCE)) return;
  store_loads(w, c, &contacts->loads, rubs && bound->coupled);
  if (contacts->loads.rolls && section <= DEMI_SECTION_WALL) DEMI_VARIANT_NAME(batch_moments)(e, w, c, bound, sums);
  if (section == DEMI_SECTION_WALL || section == DEMI_SECTION_WALL_GAP)
    store_levers(w, c, &contacts->loads);
  else if (e->list->images_move)
    store_images(c, &contacts->loads, e->list);
  if (!(e->ask & DEMI_COMPUTE_BOOKS)) return;
  store_books(w, c, &contacts->loads);
  book_normal(w, c->count, sums);
  if (rubs) book_tangential(w, c->count, bound, sums);
  if (contacts->shares) DEMI_VARIANT_NAME(book_shares)(w, c, contacts, bound, section);
}
