#include "levels.h"

#include <math.h>
#include <string.h>

/* Cost of a level in distance tests: a constant, and a number for each particle of a finer level. Several levels are chosen
 * only if their cost is below this fraction of the cost of one level. */
static const double LEVEL_COST = 500, VISITOR_COST = 2, WORTH_IT = 0.8;

/* ---- counting ---- */

/* Quarters of octaves below 2^exponent of the largest, from the bits of the number: no logarithm. */
static int32_t quarter(double radius) {
  union {
    double value;
    uint64_t bits;
  } r = {radius};
  return (int32_t)(r.bits >> 50 & 0x1fff);
}

void demi_sizes_start(demi_sizes *sizes, double largest_radius) {
  memset(sizes, 0, sizeof *sizes);
  sizes->largest_of_all = largest_radius;
}

int32_t demi_size_bin(const demi_sizes *sizes, double radius) {
  const int32_t below = quarter(sizes->largest_of_all) - quarter(radius);
  return below >= DEMI_SIZE_BINS ? 0 : DEMI_SIZE_BINS - 1 - (below > 0 ? below : 0);
}

void demi_sizes_add(demi_sizes *sizes, double radius) {
  const int32_t bin = demi_size_bin(sizes, radius);
  sizes->count[bin]++;
  sizes->sum[bin] += radius;
  if (radius > sizes->largest[bin]) sizes->largest[bin] = radius;
}

int demi_sizes_alike(const demi_sizes *sizes) {
  int32_t occupied = 0;
  for (int32_t b = 0; b < DEMI_SIZE_BINS; b++) occupied += sizes->count[b] > 0;
  return occupied < 2;
}

/* ---- cost ---- */

typedef struct model {
  const demi_sizes *sizes;
  double extent[3], margin, crowding; /* crowding: density over that of the same particles spread over the extent */
  double finer[DEMI_SIZE_BINS + 1];   /* particles in the bins below */
} model;

static double part_of_space(const model *m, double edge) {
  double part = m->crowding;
  for (int a = 0; a < 3; a++) part *= m->extent[a] > edge ? edge / m->extent[a] : 1.0;
  return part < 1 ? part : 1.0;
}

/* No packing is denser than about that of spheres in cubes. */
static void measure_crowding(model *m) {
  double packed = 0, space = 1;
  for (int32_t b = 0; b < DEMI_SIZE_BINS; b++) {
    const double r = m->sizes->count[b] > 0 ? m->sizes->sum[b] / (double)m->sizes->count[b] : 0;
    packed += 8.0 * r * r * r * (double)m->sizes->count[b];
  }
  for (int a = 0; a < 3; a++) space *= fmax(m->extent[a], 2.0 * m->sizes->largest_of_all);
  m->crowding = packed > 0 ? fmax(1.0, space / packed) : 1.0;
}

static double cost_with_coarser(const model *m, int32_t last, double edge) {
  double near = 0;
  for (int32_t c = last + 1; c < DEMI_SIZE_BINS; c++)
    if (m->sizes->count[c] > 0)
      near += (double)m->sizes->count[c] * part_of_space(m, 2.0 * m->sizes->largest[c] + m->margin + 2.0 * edge);
  return near;
}

/* Bins first ... last as a level. */
static double cost_of_level(const model *m, int32_t first, double largest, double coarser, int32_t last) {
  const double n = m->finer[last + 1] - m->finer[first], edge = 2.0 * largest + m->margin;
  return n * (0.5 * n * part_of_space(m, 3.0 * edge) + coarser) + LEVEL_COST + VISITOR_COST * m->finer[first];
}

/* ---- choice ---- */

/* best[b + 1]: least cost of the bins up to b, whose last level starts with bin from[b + 1]. */
static void minimise(const model *m, double best[DEMI_SIZE_BINS + 1], int32_t from[DEMI_SIZE_BINS + 1]) {
  best[0] = 0;
  for (int32_t last = 0; last < DEMI_SIZE_BINS; last++) {
    best[last + 1] = best[last];
    from[last + 1] = -1; /* an empty bin belongs to nothing */
    if (m->sizes->count[last] == 0) continue;
    const double largest = m->sizes->largest[last], coarser = cost_with_coarser(m, last, 2.0 * largest + m->margin);
    best[last + 1] = INFINITY;
    for (int32_t first = last; first >= 0; first--) {
      const double cost = best[first] + cost_of_level(m, first, largest, coarser, last);
      if (m->sizes->count[first] == 0 || cost >= best[last + 1]) continue;
      best[last + 1] = cost;
      from[last + 1] = first;
    }
  }
}

/* Ends of the levels from coarse to fine. If there are too many levels, the remaining bins join the last one. */
static int32_t trace(const int32_t from[DEMI_SIZE_BINS + 1], int32_t first_bin[DEMI_MAX_LEVELS]) {
  int32_t count = 0;
  for (int32_t end = DEMI_SIZE_BINS; end > 0;) {
    if (from[end] < 0) {
      end--;
      continue;
    }
    first_bin[count++] = from[end];
    end = from[end];
    if (count == DEMI_MAX_LEVELS) break;
  }
  if (count > 0) first_bin[count - 1] = 0;
  return count;
}

static void describe(const demi_sizes *sizes, const int32_t *first_bin, int32_t count, demi_size_levels *levels) {
  levels->count = count;
  int32_t level = 0;
  double sum[DEMI_MAX_LEVELS] = {0};
  for (int32_t b = 0; b < DEMI_SIZE_BINS; b++) {
    while (level + 1 < count && b >= first_bin[count - 2 - level]) level++;
    levels->of_bin[b] = level;
    levels->members[level] += sizes->count[b];
    levels->largest[level] = fmax(levels->largest[level], sizes->largest[b]);
    sum[level] += sizes->sum[b];
  }
  for (level = 0; level < count; level++)
    levels->mean[level] =
        levels->members[level] > 0 ? fmin(levels->largest[level], sum[level] / (double)levels->members[level]) : 0;
}

static void prepare(model *m, const demi_sizes *sizes, const double extent[3], double margin) {
  m->sizes = sizes;
  m->margin = margin;
  memcpy(m->extent, extent, sizeof m->extent);
  m->finer[0] = 0;
  for (int32_t b = 0; b < DEMI_SIZE_BINS; b++) m->finer[b + 1] = m->finer[b] + (double)sizes->count[b];
  measure_crowding(m);
}

void demi_levels_choose(const demi_sizes *sizes, const double extent[3], double margin, demi_size_levels *levels) {
  model m;
  double best[DEMI_SIZE_BINS + 1];
  int32_t from[DEMI_SIZE_BINS + 1], first_bin[DEMI_MAX_LEVELS] = {0};
  memset(levels, 0, sizeof *levels);
  prepare(&m, sizes, extent, margin);
  minimise(&m, best, from);
  int32_t count = trace(from, first_bin);
  levels->cost = best[DEMI_SIZE_BINS];
  levels->cost_of_one = cost_of_level(&m, 0, sizes->largest_of_all, 0, DEMI_SIZE_BINS - 1);
  if (count < 1 || levels->cost > WORTH_IT * levels->cost_of_one) {
    count = 1;
    first_bin[0] = 0;
    levels->cost = levels->cost_of_one;
  }
  describe(sizes, first_bin, count, levels);
}
