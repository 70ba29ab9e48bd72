/* The pairs of a chunk in the lean way (lean.h), once per instruction set, with the same bits from each. Per block:
 *
 *   filter   8 picked pairs side by side: r = x_i - x_j in columns, |r|^2 < (R_i + R_j)^2; those that touch are moved together
 *   batch    of up to 64: overlap d = R_i + R_j - |r|, n = r/|r|, where needed R*; then the normal part of the law, f n
 *   sum      f n to the row of i, whose sums a block has in a few rows of its own, and -f n to the row of j
 *
 * A batch is full from 57 contacts on, whatever the instruction set: so the sums of energies have the same order. */
#include <string.h>

#include "kernels.h"
#include "lane_sums.h"
#include "lean.h"
#include "lean_filter.h"
#include "variant.h"
#include "wide.h"

enum { OWN_ROWS = 256 };

typedef double lane_column[DEMI_BATCH + TOGETHER];
typedef uint32_t index_column[DEMI_BATCH + TOGETHER];

typedef struct worker {
  const demi_evaluation *e;
  demi_lean *lean;
  demi_workspace *w;
  uint32_t end;         /* 4 times the first row behind the chunk */
  int64_t place, aside; /* where forces on such rows go, and how many did */
  uint32_t own_first;   /* 4 times the row of own[0] */
  int32_t forces, energies;
  double energy;
  columns found, lanes; /* as the filter finds them; those of one law, in its lanes. With one law, the same */
  _Alignas(64) lane_column found_lanes[5];
  _Alignas(64) lane_column square;                         /* |r|^2, until the geometry is done */
  _Alignas(64) double offset[4 * (DEMI_BATCH + TOGETHER)]; /* r, R_i - R_j in rows, until then */
  _Alignas(64) index_column found_rows[2];
  _Alignas(64) index_column law_rows[2];
  _Alignas(64) double own[4 * OWN_ROWS]; /* sums of the rows own_first ... of the pairs that they come first in */
} worker;

/* ---- sums ---- */

static inline __attribute__((always_inline)) void add_force(worker *s, uint32_t i, uint32_t j, demi_wide f, double *force,
                                                            const int several) {
  double *own = s->own + (i - s->own_first);
  demi_store4(own, demi_load4(own) + f);
  if (several && j >= s->end) {
    demi_loads *l = &s->e->contacts->loads;
    demi_store4(l->rows + 8 * s->place + 4 * s->aside, f);
    l->j[s->place + s->aside++] = (int32_t)(j / 4);
    return;
  }
  demi_store4(force + j, demi_load4(force + j) - f);
}

static inline __attribute__((always_inline)) void add_forces(worker *s, const columns *c, const int several) {
  const demi_law_lanes *l = &s->w->lanes;
  const double *nx = c->normal[0], *ny = c->normal[1], *nz = c->normal[2];
  const uint32_t *i = c->i, *j = c->j;
  double *force = s->lean->force;
  const int32_t count = c->count;
  for (int32_t k = 0; k < count; k += 4) {
    const demi_wide fn = demi_load4(l->normal_elastic + k) + demi_load4(l->normal_damping + k);
    demi_wide f[4] = {fn * demi_load4(nx + k), fn * demi_load4(ny + k), fn * demi_load4(nz + k), {0}};
    demi_transpose4(&f[0], &f[1], &f[2], &f[3]);
    if (k + 4 <= count)
      for (int q = 0; q < 4; q++) add_force(s, i[k + q], j[k + q], f[q], force, several);
    else
      for (int q = 0; k + q < count; q++) add_force(s, i[k + q], j[k + q], f[q], force, several);
  }
}

/* ---- batches ---- */

static void find_masses(const columns *c, demi_workspace *w, const demi_store *store) {
  for (int32_t k = 0; k < c->count; k++)
    w->lanes.effective_mass[k] = 1.0 / demi_store_inverse_mass_of(store, c->i[k] / 4, c->j[k] / 4);
}

/* The lanes behind the last contact repeat the first one. */
static inline void pad(const columns *c, demi_law_lanes *l) {
  for (int32_t k = c->count; k < DEMI_ROUND_UP(c->count); k++) {
    for (int a = 0; a < 3; a++) c->normal[a][k] = c->normal[a][0];
    c->overlap[k] = c->overlap[0];
    c->radius[k] = c->radius[0];
    l->effective_mass[k] = l->effective_mass[0];
  }
}

/* The contacts are in the lanes of the law. */
static void run_law(worker *s, columns *c, const demi_bound *bound) {
  demi_workspace *w = s->w;
  if (s->lean->needs_mass) find_masses(c, w, s->e->store);
  pad(c, &w->lanes);
  demi_batch_offer(&w->lanes, bound->offers, s->energies ? DEMI_ASK_ENERGY : 0, c->count, s->e->dt);
  demi_law_run_part(bound, DEMI_NORMAL, &w->lanes);
  if (s->energies && bound->stores_energy[DEMI_NORMAL]) s->energy += demi_sum_lanes(w->lanes.normal_energy, c->count);
  if (!s->forces) return;
  if (s->e->list->chunks.count > 1)
    add_forces(s, c, 1);
  else
    add_forces(s, c, 0);
}

static void copy_contact(columns *to, const columns *from, int32_t k) {
  const int32_t n = to->count++;
  for (int a = 0; a < 3; a++) to->normal[a][n] = from->normal[a][k];
  to->overlap[n] = from->overlap[k];
  to->radius[n] = from->radius[k];
  to->i[n] = from->i[k];
  to->j[n] = from->j[k];
}

static int32_t law_of(const worker *s, const columns *c, int32_t k) {
  const int32_t *material = s->e->store->columns.material;
  return demi_laws_index(s->e->laws, material[c->i[k] / 4], material[c->j[k] / 4]);
}

/* With several laws, the contacts are taken law by law, and laws that none of them has are passed over. */
static void run_laws(worker *s, const columns *found) {
  const demi_laws *laws = s->e->laws;
  for (int32_t law = 0, next; law < laws->count; law = next) {
    s->lanes.count = 0;
    next = laws->count;
    for (int32_t k = 0; k < found->count; k++) {
      const int32_t here = law_of(s, found, k);
      if (here == law) copy_contact(&s->lanes, found, k);
      if (here > law && here < next) next = here;
    }
    if (s->lanes.count > 0) run_law(s, &s->lanes, laws->entry[law].bound);
  }
}

static void run_batch(worker *s, const memory *m, int32_t count) {
  columns *found = &s->found;
  if (count == 0) return;
  found->count = count;
  finish_geometry(m, found);
  if (s->e->laws->count == 1)
    run_law(s, found, s->e->laws->entry[0].bound);
  else
    run_laws(s, found);
}

/* ---- blocks ---- */

static void add_own(worker *s, int32_t rows) {
  double *force = s->lean->force + s->own_first;
  for (int32_t k = 0; k < 4 * rows; k += 4) demi_store4(force + k, demi_load4(force + k) + demi_load4(s->own + k));
}

/* The last pairs, fewer than a group. The others of the group are the first of all rows, which no list holds in this way. */
static inline __attribute__((always_inline)) void filter_rest(const demi_lean *l, const memory *m, columns *found,
                                                              int64_t first, int32_t count) {
  _Alignas(32) uint32_t i[TOGETHER] = {0}, j[TOGETHER] = {0};
  uint8_t image[TOGETHER];
  memset(image, DEMI_LEAN_HOME, sizeof image);
  memcpy(i, l->first + first, (size_t)count * sizeof *i);
  memcpy(j, l->second + first, (size_t)count * sizeof *j);
  memcpy(image, l->image + first, (size_t)count * sizeof *image);
  filter_group(m, found, i, j, image, count);
}

/* Picked pairs first ... end - 1, whose rows are at most OWN_ROWS from `row` on. */
static void run_pairs(worker *s, int64_t first, int64_t end, int32_t row, int32_t rows) {
  const demi_lean *l = s->lean;
  const uint32_t *i = l->first, *j = l->second;
  const uint8_t *image = l->image;
  const memory m = {s->e->store->columns.position, s->e->list->shift, s->offset, s->square, l->needs_radius};
  columns found = s->found;
  int64_t k = first;
  s->own_first = 4 * (uint32_t)row;
  if (s->forces) memset(s->own, 0, (size_t)rows * 4 * sizeof *s->own);
  found.count = 0;
  for (; k + TOGETHER <= end; k += TOGETHER) {
    filter_group(&m, &found, i + k, j + k, image + k, TOGETHER);
    if (found.count <= FULL) continue;
    run_batch(s, &m, found.count);
    found.count = 0;
  }
  if (k < end) filter_rest(l, &m, &found, k, (int32_t)(end - k));
  run_batch(s, &m, found.count);
  if (s->forces) add_own(s, rows);
}

static void run_rows(worker *s, int32_t block) {
  const demi_list *list = s->e->list;
  const int32_t first = demi_block_first(&list->motion, block), last = demi_block_first(&list->motion, block + 1);
  const int64_t end = (int64_t)list->row_start[first] + list->near_count[block];
  int64_t k = list->row_start[first];
  for (int32_t row = first; row < last; row += OWN_ROWS) {
    const int32_t rows = last - row < OWN_ROWS ? last - row : OWN_ROWS;
    int64_t to = row + rows == last ? end : k;
    while (to < end && list->near_row[to] < row + rows) to++;
    run_pairs(s, k, to, row, rows);
    k = to;
  }
}

/* Statics: nothing moves, and where no law reads m* it is any. */
static void still_lanes(demi_law_lanes *l, double time) {
  for (int32_t k = 0; k < DEMI_BATCH; k++) {
    l->normal_velocity[k] = 0;
    for (int a = 0; a < 3; a++) l->tangential_velocity[a][k] = 0;
    l->effective_mass[k] = l->effective_radius[k] = 1.0;
    l->history_time[k] = time;
  }
}

/* Wall contacts are few: they go through the general evaluation. */
static void run_walls(worker *s, int32_t block, double *sums) {
  const demi_loads *l = &s->e->contacts->loads;
  l->count[DEMI_SECTION_WALL][block] = 0;
  memset(sums + DEMI_SECTION_WALL * DEMI_SECTION_ENTRIES, 0, DEMI_SECTION_ENTRIES * sizeof *sums);
  if (s->e->list->face_start[block] == s->e->list->face_start[block + 1]) return;
  DEMI_VARIANT_NAME(evaluate_walls)(s->e, s->w, block);
  still_lanes(&s->w->lanes, s->e->dt);
  const int64_t first = l->first[DEMI_SECTION_WALL][block], end = first + l->count[DEMI_SECTION_WALL][block];
  for (int64_t c = first; c < end && s->forces; c++) {
    double *sum = s->lean->force + 4 * (int64_t)l->i[c];
    demi_store4(sum, demi_load4(sum) + demi_load4(l->rows + 8 * c));
  }
}

/* Where the filter and the law find the columns. */
static void lay_columns(worker *s) {
  demi_workspace *w = s->w;
  columns *const f = &s->found, *const l = &s->lanes;
  *l = (columns){{w->now.normal[0], w->now.normal[1], w->now.normal[2]},
                 w->lanes.overlap,
                 w->lanes.effective_radius,
                 s->law_rows[0],
                 s->law_rows[1],
                 0};
  *f = *l;
  if (s->e->laws->count == 1) return;
  *f = (columns){{s->found_lanes[0], s->found_lanes[1], s->found_lanes[2]},
                 s->found_lanes[3],
                 s->found_lanes[4],
                 s->found_rows[0],
                 s->found_rows[1],
                 0};
}

void DEMI_VARIANT_NAME(lean_chunk)(const demi_evaluation *e, demi_lean *lean, int32_t chunk) {
  const demi_chunks *chunks = &e->list->chunks;
  worker s;
  s.e = e;
  s.lean = lean;
  s.w = &e->contacts->workspace[chunk];
  s.end = 4 * (uint32_t)chunks->row[chunk + 1];
  s.place = e->list->row_start[chunks->row[chunk]];
  s.aside = 0;
  s.forces = (e->ask & DEMI_COMPUTE_FORCE) != 0;
  s.energies = (e->ask & DEMI_COMPUTE_ENERGY) != 0;
  lay_columns(&s);
  still_lanes(&s.w->lanes, e->dt);
  for (int32_t b = chunks->block[chunk + 1] - 1; b >= chunks->block[chunk]; b--) {
    double *sums = e->contacts->sums + (int64_t)DEMI_BOOK_ENTRIES * b;
    s.energy = 0;
    run_rows(&s, b);
    sums[DEMI_SECTION_PAIR * DEMI_SECTION_ENTRIES + DEMI_ENERGY_NORMAL] = s.energy;
    e->contacts->loads.count[DEMI_SECTION_PAIR][b] = 0;
    run_walls(&s, b, sums);
  }
  lean->aside[chunk] = s.aside;
}
