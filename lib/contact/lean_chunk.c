/* The pairs of a chunk in the lean way (lean.h), once per instruction set, with the same bits from each. Per block:
 *
 *   filter   8 picked pairs side by side: r = x_i - x_j in columns, |r|^2 < (R_i + R_j)^2; those that touch are moved together
 *   batch    of up to 64: overlap d = R_i + R_j - |r|, n = r/|r|, where needed R*; then the normal part of the law, f n
 *   sum      f n to the row of i, whose sums a block has in a few rows of its own, and -f n to the row of j
 *
 * A batch is full from 57 contacts on, whatever the instruction set: so the sums of energies have the same order. */
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "lane_sums.h"
#include "lean.h"
#include "quotient.h"
#include "variant.h"
#include "wide.h"

enum { TOGETHER = 8, FULL = DEMI_BATCH - TOGETHER, OWN_ROWS = 256 };

/* Touching pairs of a batch, in columns. */
typedef struct columns {
  double *normal[3]; /* n */
  double *overlap;   /* d; until then, R_i + R_j */
  double *radius;    /* R*; until then, R_i - R_j */
  uint32_t *i, *j;   /* 4 times the rows */
  int32_t count;
} columns;

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

/* ---- filter ---- */

#if defined(__AVX512F__)

/* Rows q and q + 4 of a group, as the halves of a register. */
static inline __attribute__((always_inline)) __m512d two_rows(const double *base, const uint32_t *place, int q) {
  return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(base + place[q])), _mm256_load_pd(base + place[q + 4]), 1);
}

static inline __attribute__((always_inline)) __m512d two_images(const double *shift, const uint8_t *image, int q) {
  return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(shift + image[q])), _mm256_load_pd(shift + image[q + 4]), 1);
}

/* 4 columns of 8 rows, whose halves are side by side. */
static inline __attribute__((always_inline)) void turn_rows(const __m512d in[4], __m512d out[4]) {
  const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  const __m512d ab = _mm512_unpacklo_pd(in[0], in[1]), ab_odd = _mm512_unpackhi_pd(in[0], in[1]);
  const __m512d cd = _mm512_unpacklo_pd(in[2], in[3]), cd_odd = _mm512_unpackhi_pd(in[2], in[3]);
  out[0] = _mm512_permutex2var_pd(ab, low, cd);
  out[1] = _mm512_permutex2var_pd(ab_odd, low, cd_odd);
  out[2] = _mm512_permutex2var_pd(ab, high, cd);
  out[3] = _mm512_permutex2var_pd(ab_odd, high, cd_odd);
}

static inline int all_at_home(const uint8_t *image) {
  uint64_t all;
  memcpy(&all, image, sizeof all);
  return all == DEMI_LEAN_HOME * UINT64_C(0x0101010101010101);
}

/* Columns of r with R_i - R_j behind them, and R_i + R_j. */
static inline __attribute__((always_inline)) __m512d find_offsets(const worker *s, const uint32_t *i, const uint32_t *j,
                                                                  const uint8_t *image, __m512d r[4]) {
  const double *position = s->e->store->columns.position, *shift = s->e->list->shift;
  __m512d d[4], both[4], sums[4];
  for (int q = 0; q < 4; q++) {
    const __m512d a = two_rows(position, i, q), b = two_rows(position, j, q);
    d[q] = _mm512_sub_pd(a, b);
    both[q] = _mm512_add_pd(a, b);
  }
  if (!all_at_home(image))
    for (int q = 0; q < 4; q++)
      d[q] = _mm512_sub_pd(two_rows(position, i, q), _mm512_add_pd(two_rows(position, j, q), two_images(shift, image, q)));
  turn_rows(d, r);
  turn_rows(both, sums);
  return sums[3];
}

/* The first `count` of 8 pairs, with their geometry: the square root and the division of the next ones run meanwhile. */
static inline __attribute__((always_inline)) void filter_group(worker *s, columns *c, const uint32_t *i, const uint32_t *j,
                                                               const uint8_t *image, int32_t count) {
  __m512d r[4];
  const __m512d sum = find_offsets(s, i, j, image, r);
  const __m512d square =
      _mm512_add_pd(_mm512_add_pd(_mm512_mul_pd(r[0], r[0]), _mm512_mul_pd(r[1], r[1])), _mm512_mul_pd(r[2], r[2]));
  const __mmask8 touch = _mm512_mask_cmp_pd_mask((__mmask8)((1u << count) - 1u), square, _mm512_mul_pd(sum, sum), _CMP_LT_OQ);
  const __m512d one = _mm512_set1_pd(1.0), length = _mm512_sqrt_pd(square);
  const __mmask8 apart = _mm512_cmp_pd_mask(length, _mm512_setzero_pd(), _CMP_GT_OQ);
  const __m512d inverse = _mm512_maskz_div_pd(apart, one, length);
  const int32_t n = c->count;
  _mm512_storeu_pd(c->normal[0] + n, _mm512_maskz_compress_pd(touch, _mm512_mask_mul_pd(one, apart, r[0], inverse)));
  _mm512_storeu_pd(c->normal[1] + n, _mm512_maskz_compress_pd(touch, _mm512_mul_pd(r[1], inverse)));
  _mm512_storeu_pd(c->normal[2] + n, _mm512_maskz_compress_pd(touch, _mm512_mul_pd(r[2], inverse)));
  _mm512_storeu_pd(c->overlap + n, _mm512_maskz_compress_pd(touch, _mm512_sub_pd(sum, length)));
  if (s->lean->needs_radius) {
    const __m512d lean = _mm512_div_pd(_mm512_mul_pd(r[3], r[3]), sum);
    const __m512d radius = _mm512_mul_pd(_mm512_set1_pd(0.25), _mm512_sub_pd(sum, lean));
    _mm512_storeu_pd(c->radius + n, _mm512_maskz_compress_pd(touch, radius));
  }
  _mm256_storeu_si256((__m256i *)(c->i + n), _mm256_maskz_compress_epi32(touch, _mm256_loadu_si256((const __m256i *)i)));
  _mm256_storeu_si256((__m256i *)(c->j + n), _mm256_maskz_compress_epi32(touch, _mm256_loadu_si256((const __m256i *)j)));
  c->count = n + __builtin_popcount(touch);
}

static inline void finish_geometry(worker *s, columns *c) {
  (void)s;
  (void)c;
}

#else

static inline __attribute__((always_inline)) void filter_group(worker *s, columns *c, const uint32_t *i, const uint32_t *j,
                                                               const uint8_t *image, int32_t count) {
  const double *position = s->e->store->columns.position, *shift = s->e->list->shift;
  int32_t n = c->count;
  for (int32_t k = 0; k < count; k++) {
    const demi_wide p = demi_load4(position + i[k]), q = demi_load4(position + j[k]);
    const demi_wide d = p - (q + demi_load4(shift + image[k])), square = d * d;
    const double r2 = square[0] + square[1] + square[2], sum = p[3] + q[3];
    demi_store4(s->offset + 4 * n, d);
    c->overlap[n] = sum;
    s->square[n] = r2;
    c->i[n] = i[k];
    c->j[n] = j[k];
    n += r2 < sum * sum; /* no branch: it would be mispredicted */
  }
  c->count = n;
}

static inline void finish_geometry(worker *s, columns *c) {
  double *restrict nx = c->normal[0], *restrict ny = c->normal[1], *restrict nz = c->normal[2];
  double *restrict overlap = c->overlap, *restrict radius = c->radius;
  const double *restrict square = s->square;
  const int needed = s->lean->needs_radius;
  for (int32_t k = c->count; k < DEMI_ROUND_UP(c->count); k++) {
    demi_store4(s->offset + 4 * k, demi_spread(0.0));
    overlap[k] = s->square[k] = 1;
  }
  for (int32_t k = 0; k < DEMI_ROUND_UP(c->count); k += 4) {
    const double *row = s->offset + 4 * k;
    demi_wide x = demi_load4(row), y = demi_load4(row + 4), z = demi_load4(row + 8), d = demi_load4(row + 12);
    demi_transpose4(&x, &y, &z, &d);
    demi_store4(nx + k, x);
    demi_store4(ny + k, y);
    demi_store4(nz + k, z);
    demi_store4(radius + k, d);
  }
  DEMI_INDEPENDENT
  for (int32_t k = 0; k < DEMI_ROUND_UP(c->count); k++) {
    /* two centres at the same place have no normal: take an arbitrary one, so that they separate */
    const double r = sqrt(square[k]), inverse = demi_quotient(1.0, r, 0.0), sum = overlap[k];
    nx[k] = demi_choose(r > 0, nx[k] * inverse, 1.0);
    ny[k] *= inverse;
    nz[k] *= inverse;
    overlap[k] = sum - r;
    radius[k] = demi_choose(needed, 0.25 * (sum - radius[k] * radius[k] / sum), 1.0);
  }
}

#endif

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

static void run_batch(worker *s) {
  columns *found = &s->found;
  if (found->count == 0) return;
  finish_geometry(s, found);
  if (s->e->laws->count == 1)
    run_law(s, found, s->e->laws->entry[0].bound);
  else
    run_laws(s, found);
  found->count = 0;
}

/* ---- blocks ---- */

static void add_own(worker *s, int32_t rows) {
  double *force = s->lean->force + s->own_first;
  for (int32_t k = 0; k < 4 * rows; k += 4) demi_store4(force + k, demi_load4(force + k) + demi_load4(s->own + k));
}

/* The last pairs, fewer than a group. The others of the group are the first of all rows, which no list holds in this way. */
static void filter_rest(worker *s, int64_t first, int32_t count) {
  _Alignas(32) uint32_t i[TOGETHER] = {0}, j[TOGETHER] = {0};
  uint8_t image[TOGETHER];
  memset(image, DEMI_LEAN_HOME, sizeof image);
  memcpy(i, s->lean->first + first, (size_t)count * sizeof *i);
  memcpy(j, s->lean->second + first, (size_t)count * sizeof *j);
  memcpy(image, s->lean->image + first, (size_t)count * sizeof *image);
  filter_group(s, &s->found, i, j, image, count);
}

/* Picked pairs first ... end - 1, whose rows are at most OWN_ROWS from `row` on. */
static void run_pairs(worker *s, int64_t first, int64_t end, int32_t row, int32_t rows) {
  const demi_lean *l = s->lean;
  int64_t k = first;
  s->own_first = 4 * (uint32_t)row;
  if (s->forces) memset(s->own, 0, (size_t)rows * 4 * sizeof *s->own);
  s->found.count = 0;
  for (; k + TOGETHER <= end; k += TOGETHER) {
    filter_group(s, &s->found, l->first + k, l->second + k, l->image + k, TOGETHER);
    if (s->found.count > FULL) run_batch(s);
  }
  if (k < end) filter_rest(s, k, (int32_t)(end - k));
  run_batch(s);
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
