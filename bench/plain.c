/* The loop that a program of one page would have: rows sorted along cells, a list of pairs with a skin, and for each pair that touches
 * f = k d n, added to one particle and taken from the other. Nothing else: no walls, no history, no check of the list. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trial.h"

/* ---- cells ---- */

typedef struct cells {
  int32_t n[3];
  int32_t *first, *member;
} cells;

static int32_t cell_along(const scene *s, const cells *c, int a, double x) {
  const int32_t k = (int32_t)((x - s->low[a]) / (s->high[a] - s->low[a]) * c->n[a]);
  return k < 0 ? 0 : k >= c->n[a] ? c->n[a] - 1 : k;
}

static int32_t cell_of(const scene *s, const cells *c, const double *x) {
  return (cell_along(s, c, 2, x[2]) * c->n[1] + cell_along(s, c, 1, x[1])) * c->n[0] + cell_along(s, c, 0, x[0]);
}

/* Cells at least `edge` long; particles outside of the box count to the cells at its sides. */
static int fill_cells(cells *c, const scene *s, double edge) {
  int64_t all = 1;
  for (int a = 0; a < 3; a++) {
    const double k = floor((s->high[a] - s->low[a]) / edge);
    c->n[a] = a >= s->dimension || !(k > 1) ? 1 : k > 1000 ? 1000 : (int32_t)k;
    all *= c->n[a];
  }
  c->first = calloc((size_t)all + 2, sizeof *c->first);
  c->member = malloc((size_t)(s->count + 1) * sizeof *c->member);
  if (!c->first || !c->member) return 1;
  for (int64_t k = 0; k < s->count; k++) c->first[cell_of(s, c, s->position + 3 * k) + 2]++;
  for (int64_t k = 1; k <= all; k++) c->first[k + 1] += c->first[k];
  for (int64_t k = 0; k < s->count; k++) c->member[c->first[cell_of(s, c, s->position + 3 * k) + 1]++] = (int32_t)k;
  return 0;
}

/* ---- pairs ---- */

typedef struct room {
  int64_t pairs, capacity;
} room;

static int add_pair(plain *p, room *r, int32_t j, const double image[3]) {
  if (r->pairs == r->capacity) {
    r->capacity = 2 * r->capacity + 1024;
    int32_t *partner = realloc(p->partner, (size_t)r->capacity * sizeof *partner);
    if (partner) p->partner = partner;
    double *images = realloc(p->image, (size_t)r->capacity * 3 * sizeof *images);
    if (images) p->image = images;
    if (!partner || !images) return 1;
  }
  p->partner[r->pairs] = j;
  memcpy(p->image + 3 * r->pairs, image, 3 * sizeof *image);
  r->pairs++;
  return 0;
}

static int add_near(plain *p, room *r, int32_t i, int32_t j, const double image[3], double skin) {
  double square = 0;
  const double reach = p->radius[i] + p->radius[j] + skin;
  for (int a = 0; a < 3; a++) {
    const double d = p->position[3 * (int64_t)i + a] - (p->position[3 * (int64_t)j + a] + image[a]);
    square += d * d;
  }
  return square < reach * reach ? add_pair(p, r, j, image) : 0;
}

/* The cell k along an axis, brought back into the box; image: by how far. -1: there is none. */
static int32_t fold(const scene *s, const cells *c, int a, int32_t k, double *image) {
  *image = 0;
  if (k >= 0 && k < c->n[a]) return k;
  if (!s->periodic[a] || c->n[a] < 3) return -1;
  *image = (k < 0 ? -1 : 1) * (s->high[a] - s->low[a]);
  return k < 0 ? c->n[a] - 1 : 0;
}

/* Rows lie cell by cell, so that the members of a cell are the rows first ... */
static int add_cell(plain *p, room *r, const cells *c, int32_t i, int32_t cell, const double image[3], double skin) {
  for (int32_t j = c->first[cell]; j < c->first[cell + 1]; j++)
    if (j > i && add_near(p, r, i, j, image, skin)) return 1;
  return 0;
}

static int add_around(plain *p, room *r, const scene *s, const cells *c, int32_t i, double skin) {
  const double *x = p->position + 3 * (int64_t)i;
  int32_t at[3], k[3];
  double image[3];
  for (int a = 0; a < 3; a++) at[a] = cell_along(s, c, a, x[a]);
  for (int d = 0; d < 27; d++) {
    const int32_t to[3] = {at[0] + d % 3 - 1, at[1] + d / 3 % 3 - 1, at[2] + d / 9 - 1};
    for (int a = 0; a < 3; a++) k[a] = fold(s, c, a, to[a], &image[a]);
    if (k[0] < 0 || k[1] < 0 || k[2] < 0) continue;
    if (add_cell(p, r, c, i, (k[2] * c->n[1] + k[1]) * c->n[0] + k[0], image, skin)) return 1;
  }
  return 0;
}

static double largest(const scene *s) {
  double most = 0;
  for (int64_t k = 0; k < s->count; k++) most = fmax(most, s->radius[k]);
  return most;
}

static int list_pairs(plain *p, const scene *s, const cells *c, double skin) {
  room r = {0, 0};
  for (int64_t k = 0; k < p->count; k++) {
    const int32_t from = p->order[k] = c->member[k];
    memcpy(p->position + 3 * k, s->position + 3 * (int64_t)from, 3 * sizeof(double));
    p->radius[k] = s->radius[from];
  }
  for (int64_t i = 0; i < p->count; i++) {
    p->first[i] = (int32_t)r.pairs;
    if (add_around(p, &r, s, c, (int32_t)i, skin)) return 1;
  }
  p->first[p->count] = (int32_t)r.pairs;
  return 0;
}

int plain_open(plain *p, const scene *s, double skin) {
  cells c = {.n = {1, 1, 1}};
  const size_t n = (size_t)s->count + 1;
  memset(p, 0, sizeof *p);
  p->count = s->count;
  p->stiffness = s->stiffness;
  p->first = malloc(n * sizeof *p->first);
  p->order = malloc(n * sizeof *p->order);
  p->position = malloc(n * 3 * sizeof(double));
  p->radius = malloc(n * sizeof(double));
  p->force = malloc(n * 3 * sizeof(double));
  int failed = !p->first || !p->order || !p->position || !p->radius || !p->force;
  failed = failed || fill_cells(&c, s, 2 * largest(s) + skin) || list_pairs(p, s, &c, skin);
  free(c.first);
  free(c.member);
  return failed;
}

void plain_close(plain *p) {
  void *const all[] = {p->first, p->partner, p->order, p->position, p->radius, p->force, p->image};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

/* ---- the loop ---- */

static inline __attribute__((always_inline)) void run(plain *p, const int dims) {
  const double *x = p->position, *radius = p->radius;
  double *force = p->force;
  int64_t contacts = 0;
  memset(force, 0, (size_t)p->count * 3 * sizeof *force);
  for (int64_t i = 0; i < p->count; i++) {
    for (int32_t k = p->first[i]; k < p->first[i + 1]; k++) {
      const int64_t j = p->partner[k];
      double d[3], square = 0;
      for (int a = 0; a < dims; a++) {
        d[a] = x[3 * i + a] - x[3 * j + a] - p->image[3 * (int64_t)k + a];
        square += d[a] * d[a];
      }
      const double reach = radius[i] + radius[j];
      if (square >= reach * reach) continue;
      const double r = sqrt(square), f = p->stiffness * (reach - r) / r;
      for (int a = 0; a < dims; a++) {
        force[3 * i + a] += f * d[a];
        force[3 * j + a] -= f * d[a];
      }
      contacts++;
    }
  }
  p->contacts = contacts;
}

void plain_run(plain *p) { run(p, 3); }
void plain_run_flat(plain *p) { run(p, 2); }
