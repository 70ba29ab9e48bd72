/* The minimiser that a program of one page would have: L-BFGS of five pairs in two loops, a list of pairs with a skin, rows sorted along
 * cells at the start, one pair after the other. Nothing of the library. The yardstick of dem-bench relax.
 *
 *   E = sum over contacts of d^2/2,  d = R_i + R_j - |r| > 0,  r = x_i - x_j to the nearest image
 *
 * A step is at most a tenth of the least radius along each axis. It is taken by the rule of Armijo; where the change of the energy drowns in
 * rounding, when the gradient does not double. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "relax.h"

enum { PAIRS = 5 };

typedef struct work {
  int dims;
  int64_t count, n, pairs, capacity;
  double length[3], skin, largest, least;
  double *radius, *x, *g, *before, *g_before, *d, *listed, *s[PAIRS], *y[PAIRS], sy[PAIRS];
  int64_t *first;
  int32_t *partner, *order;
  long long gradients;
} work;

/* ---- the list ---- */

static int cells_along(const work *w, int a) {
  const int k = (int)(w->length[a] / (2 * w->largest + w->skin));
  return a >= w->dims || k < 3 ? 1 : k;
}

static int cell_along(const work *w, int a, int64_t i, int cells) {
  if (cells == 1) return 0;
  const double s = w->x[i * w->dims + a] / w->length[a], f = s - floor(s);
  const int k = (int)(f * cells);
  return k < cells ? k : cells - 1;
}

static double nearest(double d, double length) {
  if (d > 0.5 * length) return d - length;
  if (d < -0.5 * length) return d + length;
  return d;
}

static int add_near(work *w, int64_t i, int32_t j) {
  double square = 0;
  const double reach = w->radius[i] + w->radius[j] + w->skin;
  for (int a = 0; a < w->dims; a++) {
    const double d = w->x[i * w->dims + a] - w->x[(int64_t)j * w->dims + a];
    const double r = d - w->length[a] * nearbyint(d / w->length[a]);
    square += r * r;
  }
  if (square >= reach * reach) return 0;
  if (w->pairs == w->capacity) {
    w->capacity = 2 * w->capacity + 1024;
    int32_t *partner = realloc(w->partner, (size_t)w->capacity * sizeof *partner);
    if (!partner) return 1;
    w->partner = partner;
  }
  w->partner[w->pairs++] = j;
  return 0;
}

static int add_around(work *w, const int32_t *start, const int32_t *member, int64_t i, const int n[3]) {
  int at[3], from[3], to[3];
  for (int a = 0; a < 3; a++) {
    at[a] = a < w->dims ? cell_along(w, a, i, n[a]) : 0;
    from[a] = n[a] > 1 ? at[a] - 1 : 0;
    to[a] = n[a] > 1 ? at[a] + 1 : 0;
  }
  for (int z = from[2]; z <= to[2]; z++)
    for (int y = from[1]; y <= to[1]; y++)
      for (int x = from[0]; x <= to[0]; x++) {
        const int cell = ((z + n[2]) % n[2] * n[1] + (y + n[1]) % n[1]) * n[0] + (x + n[0]) % n[0];
        for (int32_t k = start[cell]; k < start[cell + 1]; k++)
          if (member[k] > i && add_near(w, i, member[k])) return 1;
      }
  return 0;
}

/* Members of each cell, one cell after the other. */
static int sort_cells(const work *w, const int n[3], int32_t **start, int32_t **member) {
  const int64_t cells = (int64_t)n[0] * n[1] * n[2];
  *start = calloc((size_t)cells + 2, sizeof **start);
  *member = malloc((size_t)w->count * sizeof **member);
  if (!*start || !*member) return 1;
  for (int turn = 0; turn < 2; turn++) {
    for (int64_t i = 0; i < w->count; i++) {
      int cell = 0;
      for (int a = w->dims - 1; a >= 0; a--) cell = cell * n[a] + cell_along(w, a, i, n[a]);
      if (turn == 0)
        (*start)[cell + 2]++;
      else
        (*member)[(*start)[cell + 1]++] = (int32_t)i;
    }
    for (int64_t k = 2; k <= cells && turn == 0; k++) (*start)[k + 1] += (*start)[k];
  }
  return 0;
}

static int build_list(work *w) {
  const int n[3] = {cells_along(w, 0), cells_along(w, 1), cells_along(w, 2)};
  int32_t *start = NULL, *member = NULL;
  int failed = sort_cells(w, n, &start, &member);
  w->pairs = 0;
  for (int64_t i = 0; i < w->count && !failed; i++) {
    w->first[i] = w->pairs;
    failed = add_around(w, start, member, i, n);
  }
  w->first[w->count] = w->pairs;
  memcpy(w->listed, w->x, (size_t)w->n * sizeof *w->x);
  free(start);
  free(member);
  return failed;
}

static int list_holds(const work *w) {
  const double most = 0.25 * w->skin * w->skin;
  for (int64_t i = 0; i < w->count; i++) {
    double square = 0;
    for (int a = 0; a < w->dims; a++) {
      const double d = w->x[i * w->dims + a] - w->listed[i * w->dims + a];
      square += d * d;
    }
    if (square > most) return 0;
  }
  return 1;
}

/* ---- energy and gradient ---- */

static inline __attribute__((always_inline)) double add_pairs(const work *w, const int dims) {
  const double *x = w->x, *radius = w->radius;
  double *g = w->g, energy = 0;
  memset(g, 0, (size_t)w->n * sizeof *g);
  for (int64_t i = 0; i < w->count; i++)
    for (int64_t k = w->first[i]; k < w->first[i + 1]; k++) {
      const int64_t j = w->partner[k];
      double d[3], square = 0;
      for (int a = 0; a < dims; a++) {
        d[a] = nearest(x[dims * i + a] - x[dims * j + a], w->length[a]);
        square += d[a] * d[a];
      }
      const double reach = radius[i] + radius[j];
      if (square >= reach * reach) continue;
      const double r = sqrt(square), overlap = reach - r, f = overlap / r;
      energy += 0.5 * overlap * overlap;
      for (int a = 0; a < dims; a++) {
        g[dims * i + a] -= f * d[a];
        g[dims * j + a] += f * d[a];
      }
    }
  return energy;
}

/* Back into the box, so that at most one length brings any pair to its nearest image. */
static void wrap(work *w) {
  for (int64_t k = 0; k < w->n; k++) {
    const double length = w->length[k % w->dims], shift = floor(w->x[k] / length) * length;
    w->x[k] -= shift;
    w->before[k] -= shift;
  }
}

static int evaluate(work *w, double *energy) {
  if (!list_holds(w)) {
    wrap(w);
    if (build_list(w)) return 1;
  }
  w->gradients++;
  *energy = w->dims == 2 ? add_pairs(w, 2) : add_pairs(w, 3);
  return 0;
}

/* ---- vectors ---- */

static double dot(const double *a, const double *b, int64_t n) {
  double sum = 0;
  for (int64_t k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

static void add(double *a, double factor, const double *b, int64_t n) {
  for (int64_t k = 0; k < n; k++) a[k] += factor * b[k];
}

/* d = -H g, in two loops over the pairs, the newest of which is `newest`. */
static void find_direction(work *w, int kept, int newest) {
  double alpha[PAIRS];
  for (int64_t k = 0; k < w->n; k++) w->d[k] = -w->g[k];
  if (kept == 0) return;
  for (int q = 0; q < kept; q++) {
    const int p = (newest - q + PAIRS) % PAIRS;
    alpha[p] = dot(w->s[p], w->d, w->n) / w->sy[p];
    add(w->d, -alpha[p], w->y[p], w->n);
  }
  const double scale = w->sy[newest] / dot(w->y[newest], w->y[newest], w->n);
  for (int64_t k = 0; k < w->n; k++) w->d[k] *= scale;
  for (int q = kept - 1; q >= 0; q--) {
    const int p = (newest - q + PAIRS) % PAIRS;
    const double beta = dot(w->y[p], w->d, w->n) / w->sy[p];
    add(w->d, alpha[p] - beta, w->s[p], w->n);
  }
}

static double longest(const double *d, int64_t n) {
  double most = 0;
  for (int64_t k = 0; k < n; k++) most = fabs(d[k]) > most ? fabs(d[k]) : most;
  return most;
}

/* ---- the iteration ---- */

/* Tries steps of factor 1, 1/2, ... along d. On success x, g and *energy are those of the new point; *step its factor. 0: none. */
static int search_line(work *w, double *energy, double *norm, double *step) {
  const double slope = dot(w->g, w->d, w->n), old = *energy;
  memcpy(w->before, w->x, (size_t)w->n * sizeof *w->x);
  memcpy(w->g_before, w->g, (size_t)w->n * sizeof *w->g);
  for (double t = 1; t > 1e-10; t *= 0.5) {
    for (int64_t k = 0; k < w->n; k++) w->x[k] = w->before[k] + t * w->d[k];
    if (evaluate(w, energy)) return 0;
    const double now = sqrt(dot(w->g, w->g, w->n));
    const int drowned = fabs(t * slope) < 1e-9 * old;
    if (drowned ? now < 2 * *norm : *energy <= old + 1e-4 * t * slope) {
      *norm = now;
      *step = t;
      return 1;
    }
  }
  return 0;
}

static void keep_pair(work *w, int *kept, int *newest, double step) {
  const int p = (*newest + 1) % PAIRS;
  for (int64_t k = 0; k < w->n; k++) {
    w->s[p][k] = step * w->d[k];
    w->y[p][k] = w->g[k] - w->g_before[k];
  }
  w->sy[p] = dot(w->s[p], w->y[p], w->n);
  if (!(w->sy[p] > 0)) return;
  *newest = p;
  if (*kept < PAIRS) ++*kept;
}

static int minimise(work *w, double tolerance, relax_result *r) {
  int kept = 0, newest = 0;
  double energy, step;
  if (evaluate(w, &energy)) return fail("plain", "out of memory");
  double norm = sqrt(dot(w->g, w->g, w->n));
  const double first = norm;
  while (norm > tolerance * first) {
    find_direction(w, kept, newest);
    if (dot(w->g, w->d, w->n) >= 0) {
      kept = 0;
      find_direction(w, kept, newest);
    }
    const double cap = 0.1 * w->least / longest(w->d, w->n);
    for (int64_t k = 0; k < w->n && cap < 1; k++) w->d[k] *= cap;
    if (!search_line(w, &energy, &norm, &step)) {
      if (kept == 0) return fail("plain", "no step lessens the energy");
      kept = 0;
      continue;
    }
    keep_pair(w, &kept, &newest, step);
    r->iterations++;
  }
  r->reason = DEM_MINIMISE_GRADIENT;
  r->gradient_relative = first > 0 ? norm / first : 0;
  r->gradients = w->gradients;
  return 0;
}

/* ---- all ---- */

static double *numbers(int64_t n) { return calloc((size_t)n + 1, sizeof(double)); }

/* Rows in the order of cells two diameters long. */
static int fill(work *w, const packing *p) {
  const int n[3] = {cells_along(w, 0), cells_along(w, 1), cells_along(w, 2)};
  int32_t *start = NULL, *member = NULL;
  for (int64_t i = 0; i < w->count; i++)
    for (int a = 0; a < w->dims; a++) w->x[i * w->dims + a] = p->position[3 * i + a];
  const int failed = sort_cells(w, n, &start, &member);
  for (int64_t i = 0; i < w->count && !failed; i++) {
    w->order[i] = member[i];
    w->radius[i] = p->radius[member[i]];
    for (int a = 0; a < w->dims; a++) w->x[i * w->dims + a] = p->position[3 * (int64_t)member[i] + a];
  }
  free(start);
  free(member);
  return failed;
}

static int open_work(work *w, const packing *p) {
  memset(w, 0, sizeof *w);
  w->dims = p->dimension;
  w->count = p->count;
  w->n = p->count * p->dimension;
  memcpy(w->length, p->length, sizeof w->length);
  w->least = p->radius[0];
  for (int64_t i = 0; i < p->count; i++) {
    w->least = fmin(w->least, p->radius[i]);
    w->largest = fmax(w->largest, p->radius[i]);
  }
  w->skin = 0.3 * w->largest;
  double **const vectors[] = {&w->x, &w->g, &w->before, &w->g_before, &w->d, &w->listed};
  int failed = 0;
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) failed |= !(*vectors[k] = numbers(w->n));
  for (int q = 0; q < PAIRS; q++) failed |= !(w->s[q] = numbers(w->n)) || !(w->y[q] = numbers(w->n));
  failed |= !(w->order = calloc((size_t)w->count + 1, sizeof *w->order)) || !(w->radius = numbers(w->count)) ||
            !(w->first = calloc((size_t)w->count + 1, sizeof *w->first));
  return failed || fill(w, p) || build_list(w);
}

static void close_work(work *w) {
  void *const all[] = {w->radius, w->x, w->g, w->before, w->g_before, w->d, w->listed, w->first, w->partner, w->order};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
  for (int q = 0; q < PAIRS; q++) {
    free(w->s[q]);
    free(w->y[q]);
  }
}

/* Of the contacts: their number, the sum of d |r|, which is 2 or 3 V p, and the largest net force over the mean of d. */
static void measure(const work *w, relax_result *r) {
  double volume = 1, virial = 0, forces = 0, worst = 0;
  long long contacts = 0;
  for (int a = 0; a < w->dims; a++) volume *= w->length[a];
  for (int64_t i = 0; i < w->count; i++)
    for (int64_t k = w->first[i]; k < w->first[i + 1]; k++) {
      double square = 0;
      for (int a = 0; a < w->dims; a++) {
        const double d = nearest(w->x[i * w->dims + a] - w->x[(int64_t)w->partner[k] * w->dims + a], w->length[a]);
        square += d * d;
      }
      const double overlap = w->radius[i] + w->radius[w->partner[k]] - sqrt(square);
      if (overlap <= 0) continue;
      contacts++;
      forces += overlap;
      virial += overlap * sqrt(square);
    }
  for (int64_t i = 0; i < w->count; i++) {
    double square = 0;
    for (int a = 0; a < w->dims; a++) square += w->g[i * w->dims + a] * w->g[i * w->dims + a];
    worst = fmax(worst, sqrt(square));
  }
  r->pressure = virial / (w->dims * volume);
  r->coordination = 2.0 * (double)contacts / (double)w->count;
  r->unbalanced_force = contacts > 0 ? worst / (forces / (double)contacts) : 0;
}

/* Back in the order of the packing, within the box. */
static void give_places(const work *w, packing *p) {
  for (int64_t i = 0; i < w->count; i++)
    for (int a = 0; a < w->dims; a++) p->position[3 * (int64_t)w->order[i] + a] = w->x[i * w->dims + a];
}

int plain_relax(packing *p, double tolerance, relax_result *result) {
  work w;
  memset(result, 0, sizeof *result);
  const double start = seconds();
  int failed = open_work(&w, p) && fail("plain", "out of memory");
  failed = failed || minimise(&w, tolerance, result);
  result->seconds = seconds() - start;
  if (!failed) give_places(&w, p);
  close_work(&w);
  return failed;
}

int plain_measure(const packing *p, relax_result *result) {
  work w;
  int failed = open_work(&w, p) || evaluate(&w, &result->energy);
  if (!failed) measure(&w, result);
  close_work(&w);
  return failed ? fail("plain", "out of memory") : 0;
}
