/* Random sequential addition: places are drawn until one is free. Length in grain diameters.
 *
 *   bed     centres at random heights, so far apart in x and y that no more fit but nothing falls through between them
 *   grains  shrunk, in the volume that the packing will fill: solid fraction 0.29, where jamming of the addition is at 0.38 */
#include "insertion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double BOX_X = 40, BOX_Y = 20, PI = 3.14159265358979323846;
static const double FRACTION = 0.56;    /* solid fraction of the packing to come */
static const double BED_SPACING = 0.82; /* least horizontal distance of the bed's centres */
static const double BED_DEPTH = 1.2;    /* their heights are uniform in this range */
enum { TRIES = 2000000, BED_TRIES = 50000, BED_MOST = 900 };

/* splitmix64: a few lines, the same numbers everywhere. */
static double uniform(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Cells of at least one largest diameter, each a chain of rows; periodic in x and y. */
typedef struct cells {
  int n[3];
  double edge[3];
  int32_t *head, *next;
} cells;

static int cells_create(cells *c, const grains *g, double diameter) {
  for (int a = 0; a < 3; a++) {
    c->n[a] = (int)((g->high[a] - g->low[a]) / diameter);
    if (c->n[a] < 1) c->n[a] = 1;
    c->edge[a] = (g->high[a] - g->low[a]) / c->n[a];
  }
  const size_t total = (size_t)c->n[0] * (size_t)c->n[1] * (size_t)c->n[2];
  c->head = malloc(total * sizeof *c->head);
  c->next = malloc((size_t)g->count * sizeof *c->next);
  for (size_t k = 0; c->head && k < total; k++) c->head[k] = -1;
  return c->head && c->next ? 0 : -1;
}

static void cells_destroy(cells *c) {
  free(c->head);
  free(c->next);
}

/* Chain of the cell (x, y, z), x and y wrapped; NULL above and below. */
static int32_t *chain(const cells *c, int x, int y, int z) {
  if (z < 0 || z >= c->n[2]) return NULL;
  x = (x + c->n[0]) % c->n[0];
  y = (y + c->n[1]) % c->n[1];
  return c->head + ((size_t)z * (size_t)c->n[1] + (size_t)y) * (size_t)c->n[0] + (size_t)x;
}

static void cell_of(const cells *c, const grains *g, const double *x, int *cell) {
  for (int a = 0; a < 3; a++) {
    const int k = (int)((x[a] - g->low[a]) / c->edge[a]);
    cell[a] = k < 0 ? 0 : k >= c->n[a] ? c->n[a] - 1 : k;
  }
}

static void link_row(cells *c, const grains *g, int64_t i) {
  int at[3];
  cell_of(c, g, g->position + 3 * i, at);
  int32_t *head = chain(c, at[0], at[1], at[2]);
  c->next[i] = *head;
  *head = (int32_t)i;
}

/* Distance of rows i and j in the first `axes` axes. */
static double distance(const grains *g, int64_t i, int64_t j, int axes) {
  double sum = 0;
  for (int k = 0; k < axes; k++) {
    const double length = g->high[k] - g->low[k];
    double r = g->position[3 * i + k] - g->position[3 * j + k];
    if (k < 2) r -= length * round(r / length);
    sum += r * r;
  }
  return sqrt(sum);
}

static int clash(const grains *g, int64_t i, int64_t j) {
  if (g->frozen[i]) return distance(g, i, j, 2) < BED_SPACING;
  return distance(g, i, j, 3) < SHRUNK * g->radius[i] + (g->frozen[j] ? 1 : SHRUNK) * g->radius[j];
}

/* Does row i clash with none of the rows inserted before? */
static int is_free(const cells *c, const grains *g, int64_t i) {
  int at[3];
  cell_of(c, g, g->position + 3 * i, at);
  for (int k = 0; k < 27; k++) {
    const int32_t *head = chain(c, at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1);
    for (int32_t j = head ? *head : -1; j >= 0; j = c->next[j])
      if (clash(g, i, j)) return 0;
  }
  return 1;
}

/* Draws places between the heights z0 and z1 until row i is free; -1 when it finds no room. */
static int insert(cells *c, grains *g, int64_t i, double z0, double z1, int64_t tries, uint64_t *random) {
  double *x = g->position + 3 * i;
  for (int64_t k = 0; k < tries; k++) {
    x[0] = BOX_X * uniform(random);
    x[1] = BOX_Y * uniform(random);
    x[2] = z0 + (z1 - z0) * uniform(random);
    if (!is_free(c, g, i)) continue;
    link_row(c, g, i);
    return 0;
  }
  return -1;
}

static void set_row(grains *g, int64_t i, double radius, int32_t bed) {
  g->radius[i] = radius;
  g->density[i] = 1;
  g->material[i] = g->frozen[i] = bed;
}

/* The bed is full when many tries in a row fail. Returns its number of grains. */
static int64_t insert_bed(grains *g, cells *c, uint64_t *random) {
  int64_t i = 0;
  for (; i < BED_MOST; i++) {
    set_row(g, i, 0.5, 1);
    if (insert(c, g, i, 0, BED_DEPTH, BED_TRIES, random)) break;
  }
  return i;
}

static int insert_all(grains *g, cells *c, double spread, uint64_t seed) {
  for (int64_t i = insert_bed(g, c, &seed); i < g->count; i++) {
    set_row(g, i, 0.5 * (1 + spread * (2 * uniform(&seed) - 1)), 0);
    if (!insert(c, g, i, BED_DEPTH / 2, g->high[2], TRIES, &seed)) continue;
    fprintf(stderr, "chute: no room for grain %lld of %lld after %d tries\n", (long long)i + 1, (long long)g->count, TRIES);
    return -1;
  }
  return 0;
}

int insert_grains(const packing_options *o, grains *g) {
  cells c;
  if (grains_allocate(g, o->grains)) {
    fprintf(stderr, "chute: out of memory for %lld grains\n", (long long)o->grains);
    return -1;
  }
  const double volume = (double)(o->grains - BED_MOST / 2) * PI / 6 * (1 + o->spread * o->spread);
  g->high[0] = BOX_X;
  g->high[1] = BOX_Y;
  g->high[2] = BED_DEPTH + volume / (BOX_X * BOX_Y * FRACTION);
  int failed = cells_create(&c, g, 1 + o->spread);
  if (failed) fprintf(stderr, "chute: out of memory for the insertion grid\n");
  if (!failed) failed = insert_all(g, &c, o->spread, (uint64_t)o->seed);
  cells_destroy(&c);
  return failed;
}
