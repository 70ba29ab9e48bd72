/* The sum of loads: force and torque per particle from the loads per contact (store/loads.h),
 *
 *   F_i += f      T_i += -a_i n x f_t + M      F_j -= f      T_j += -a_j n x f_t - M
 *
 * in ascending order of the contacts of each particle, whatever the number of threads, so that the bits do not depend on it. A pass
 * adds a block right after its evaluation; demi_sum_loads adds all blocks, for whoever has loads of its own. */
#ifndef DEMI_SUM_H
#define DEMI_SUM_H

#include "chunks.h"
#include "context.h"
#include "loads.h"
#include "variant.h"
#include "wide.h"

/* Loads to be summed and the rows of the sums. */
typedef struct demi_load_sum {
  const demi_loads *loads;
  const demi_chunks *chunks; /* one chunk: of all rows; several: of the fine rows */
  const demi_chunks *coarse; /* several chunks and several levels of size: of the coarse rows; else NULL */
  int32_t coarse_row;        /* first row above the finest level */
  double *rows;              /* 8 per particle: force, *, torque, *; sums are added to the present values */
  const int32_t *reach;      /* highest row of the present chunks that each block reaches; set by demi_sum_loads */
} demi_load_sum;

/* Adds the loads of all blocks, with one thread per chunk. */
void demi_sum_loads(dem_context *context, const demi_load_sum *sum);

/* One chunk of it, by instruction set. */
typedef void demi_sum_kernel(const demi_load_sum *sum, int32_t chunk);
DEMI_DECLARE_VARIANTS(demi_sum_kernel, sum_chunk);

/* The rows of a chunk. `mask` folds row numbers before coarse_row into a few places that are used in turn; -1: each row has its own. */
typedef struct demi_sum_window {
  double *base;
  int32_t first_row, last_row, mask, coarse_row;
} demi_sum_window;

static inline demi_sum_window demi_sum_window_of(double *loads, const demi_chunks *chunks, int32_t chunk, int32_t coarse_row) {
  return (demi_sum_window){loads + 8 * (int64_t)chunks->row[chunk], chunks->row[chunk], chunks->row[chunk + 1], -1, coarse_row};
}

static inline double *demi_sum_row(const demi_sum_window *w, int32_t row) {
  const int32_t place = row - w->first_row;
  return w->base + 8 * (int64_t)(row < w->coarse_row ? place & w->mask : place);
}

/* Contacts to look ahead for memory. */
enum { DEMI_SUM_AHEAD = 8 };

static inline void demi_sum_add_load(double *load, demi_wide force, demi_wide turn) {
  demi_store4(load, demi_load4(load) + force);
  demi_store4(load + 4, demi_load4(load + 4) + turn);
}

/* Moment on i in addition to the torque of the force at the contact point; the opposite acts on j. */
static inline demi_wide demi_sum_moment(const demi_loads *l, int64_t c) {
  return demi_load4(l->moment + 4 * (c - l->moment_base));
}

static inline __attribute__((always_inline)) void demi_sum_incoming_section(const demi_loads *l, int32_t section,
                                                                            const demi_sum_window *w, int32_t block,
                                                                            const int moments) {
  const int64_t end = l->first[section][block] + l->count[section][block];
  for (int64_t c = l->first[section][block]; c < end; c++) {
    const int32_t j = l->j[c];
    if (j < w->first_row || j >= w->last_row) continue;
    const demi_wide f = demi_load4(l->rows + 8 * c), m = demi_load4(l->rows + 8 * c + 4);
    demi_wide turn = -(demi_lane3(m) * m);
    if (moments) turn -= demi_sum_moment(l, c);
    demi_sum_add_load(demi_sum_row(w, j), -f, turn);
  }
}

/* Adds to the rows of a chunk the contacts of earlier blocks that reach into it; they come first, as their indices are lower.
 * reach: highest row that each block reaches. */
static inline void demi_sum_incoming(const demi_loads *l, const demi_chunks *chunks, const int32_t *reach,
                                     const demi_sum_window *w, int32_t chunk) {
  for (int32_t b = 0; b < chunks->block[chunk]; b++) {
    if (reach[b] < w->first_row) continue;
    if (l->rolls)
      demi_sum_incoming_section(l, DEMI_SECTION_PAIR, w, b, 1);
    else
      demi_sum_incoming_section(l, DEMI_SECTION_PAIR, w, b, 0);
    demi_sum_incoming_section(l, DEMI_SECTION_GAP, w, b, 0);
    demi_sum_incoming_section(l, DEMI_SECTION_BOND, w, b, 1);
  }
}

/* The rows of partners are scattered in memory: prefetch their load rows. */
static inline void demi_sum_fetch(const demi_loads *l, const demi_sum_window *w, int64_t c) {
  const int32_t j = l->j[c];
  if (j < w->last_row) __builtin_prefetch(demi_sum_row(w, j), 1);
}

static inline __attribute__((always_inline)) void demi_sum_pairs(const demi_loads *l, int32_t section, const demi_sum_window *w,
                                                                 int32_t block, const int moments) {
  const int64_t end = l->first[section][block] + l->count[section][block];
  for (int64_t c = l->first[section][block]; c < end;) {
    const int32_t i = l->i[c];
    double *mine = demi_sum_row(w, i);
    demi_wide force = demi_load4(mine), torque = demi_load4(mine + 4);
    for (; c < end && l->i[c] == i; c++) {
      const demi_wide f = demi_load4(l->rows + 8 * c), m = demi_load4(l->rows + 8 * c + 4);
      const int32_t j = l->j[c];
      demi_sum_fetch(l, w, c + DEMI_SUM_AHEAD < end ? c + DEMI_SUM_AHEAD : c);
      force += f;
      torque -= demi_lane3(f) * m;
      demi_wide turn = -(demi_lane3(m) * m);
      if (moments) {
        torque += demi_sum_moment(l, c);
        turn -= demi_sum_moment(l, c);
      }
      if (j < w->last_row) demi_sum_add_load(demi_sum_row(w, j), -f, turn);
    }
    demi_store4(mine, force);
    demi_store4(mine + 4, torque);
  }
}

static inline __attribute__((always_inline)) void demi_sum_walls(const demi_loads *l, int32_t section, const demi_sum_window *w,
                                                                 int32_t block, const int moments) {
  const int64_t end = l->first[section][block] + l->count[section][block];
  for (int64_t c = l->first[section][block]; c < end; c++) {
    const demi_wide f = demi_load4(l->rows + 8 * c), m = demi_load4(l->rows + 8 * c + 4);
    demi_wide turn = -(demi_lane3(f) * m);
    if (moments) turn += demi_sum_moment(l, c);
    demi_sum_add_load(demi_sum_row(w, l->i[c]), f, turn);
  }
}

/* Adds all contacts of a block, section after section. */
static inline void demi_sum_block(const demi_loads *l, const demi_sum_window *w, int32_t block) {
  if (l->rolls) {
    demi_sum_pairs(l, DEMI_SECTION_PAIR, w, block, 1);
    demi_sum_walls(l, DEMI_SECTION_WALL, w, block, 1);
  } else {
    demi_sum_pairs(l, DEMI_SECTION_PAIR, w, block, 0);
    demi_sum_walls(l, DEMI_SECTION_WALL, w, block, 0);
  }
  demi_sum_pairs(l, DEMI_SECTION_GAP, w, block, 0);
  demi_sum_walls(l, DEMI_SECTION_WALL_GAP, w, block, 0);
  demi_sum_pairs(l, DEMI_SECTION_BOND, w, block, 1);
}

#endif
