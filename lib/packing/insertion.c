/* Positions of a random start, in a periodic box that begins at 0.
 *
 * Without overlaps (random sequential addition, Feder 1980, doi:10.1016/0022-5193(80)90358-6): particles are placed one after the other,
 * the largest first and in the order of the rows among equals, each at random until it touches none of those before. Those are kept in
 * cells with edges of at least the largest diameter, so that only a cell and its neighbours have to be asked. */
#include <math.h>
#include <string.h>

#include "packing.h"
#include "random.h"

static void draw_place(demi_random *random, int32_t dimension, const double edges[3], double x[3]) {
  for (int a = 0; a < 3; a++) {
    x[a] = a < dimension ? edges[a] * demi_random_unit(random) : 0;
    if (a < dimension && x[a] >= edges[a]) x[a] = 0; /* the product may be rounded up */
  }
}

void demi_insert_anywhere(const dem_packing_options *o, const double edges[3], double *position) {
  demi_random random = demi_random_stream(o->seed, DEMI_STREAM_POSITIONS);
  for (int64_t k = 0; k < o->count; k++) draw_place(&random, o->dimension, edges, position + 3 * k);
}

/* ---- order by size: a heap sort of rows, the largest radius first ---- */

static int comes_before(const double *radius, int32_t i, int32_t j) {
  return radius[i] > radius[j] || (radius[i] == radius[j] && i < j);
}

/* Moves the entry at `root` down until no child comes after it. */
static void sift(const double *radius, int32_t *order, int64_t root, int64_t count) {
  for (;;) {
    int64_t last = root;
    for (int64_t child = 2 * root + 1; child <= 2 * root + 2 && child < count; child++)
      if (comes_before(radius, order[last], order[child])) last = child;
    if (last == root) return;
    const int32_t moved = order[root];
    order[root] = order[last];
    order[last] = moved;
    root = last;
  }
}

static void sort_by_size(const double *radius, int32_t *order, int64_t count) {
  for (int64_t k = 0; k < count; k++) order[k] = (int32_t)k;
  for (int64_t k = count / 2; k-- > 0;) sift(radius, order, k, count);
  for (int64_t k = count; k-- > 1;) {
    const int32_t last = order[0];
    order[0] = order[k];
    order[k] = last;
    sift(radius, order, 0, k);
  }
}

/* ---- cells ---- */

typedef struct cells {
  dem_context *context;
  int32_t dimension;
  int64_t count;     /* particles */
  int64_t number[3]; /* cells along each axis, at least 1 */
  int64_t total;     /* cells */
  int32_t *order;    /* rows, the largest first: `count` */
  int32_t *next;     /* row behind this one in its cell, -1: none: `count` */
  int32_t *first;    /* first row of each cell, -1: none: `total` */
  const double *edges, *radius;
  double *position;
} cells;

static void choose_cells(cells *c, double largest) {
  /* no more cells than particles, about */
  const double most = ceil(demi_packing_root(c->dimension, (double)c->count)) + 1;
  c->total = 1;
  for (int a = 0; a < 3; a++) {
    c->number[a] = a < c->dimension ? (int64_t)fmax(1, fmin(floor(c->edges[a] / (2 * largest)), most)) : 1;
    c->total *= c->number[a];
  }
}

static size_t rows_size(const cells *c) { return (size_t)c->count * sizeof *c->order; }
static size_t cells_size(const cells *c) { return (size_t)c->total * sizeof *c->first; }

static void close_cells(cells *c) {
  if (c->order) demi_free(c->context, c->order, rows_size(c));
  if (c->next) demi_free(c->context, c->next, rows_size(c));
  if (c->first) demi_free(c->context, c->first, cells_size(c));
}

static dem_status open_cells(cells *c) {
  double largest = 0;
  for (int64_t k = 0; k < c->count; k++) largest = fmax(largest, c->radius[k]);
  choose_cells(c, largest);
  c->order = demi_allocate(c->context, rows_size(c));
  c->next = demi_allocate(c->context, rows_size(c));
  c->first = demi_allocate(c->context, cells_size(c));
  if (!c->order || !c->next || !c->first) return demi_refuse_context(c->context, DEM_NO_MEMORY, "packing: out of memory");
  memset(c->first, 0xff, cells_size(c));
  sort_by_size(c->radius, c->order, c->count);
  return DEM_OK;
}

static int64_t cell_along(const cells *c, int a, double x) {
  if (a >= c->dimension) return 0;
  const int64_t k = (int64_t)(x / c->edges[a] * (double)c->number[a]);
  return k < c->number[a] ? k : c->number[a] - 1;
}

static int64_t cell_of(const int64_t number[3], const int64_t place[3]) {
  return (place[2] * number[1] + place[1]) * number[0] + place[0];
}

/* ---- placing ---- */

static int touches(const cells *c, int32_t i, int32_t j, const double x[3]) {
  const double reach = c->radius[i] + c->radius[j];
  double square = 0;
  for (int a = 0; a < c->dimension; a++) {
    double d = fabs(x[a] - c->position[3 * (int64_t)j + a]);
    d = fmin(d, c->edges[a] - d);
    square += d * d;
  }
  return square < reach * reach;
}

static int cell_is_free(const cells *c, int64_t cell, int32_t i, const double x[3]) {
  for (int32_t j = c->first[cell]; j >= 0; j = c->next[j])
    if (touches(c, i, j, x)) return 0;
  return 1;
}

/* Cells along an axis that have to be asked: its own and both neighbours, each once. */
static int neighbours(const cells *c, int a, int64_t own, int64_t list[3]) {
  const int64_t n = c->number[a];
  int count = 0;
  list[count++] = own;
  if (n > 1) list[count++] = (own + 1) % n;
  if (n > 2) list[count++] = (own + n - 1) % n;
  return count;
}

static int place_is_free(const cells *c, int32_t i, const double x[3]) {
  int64_t list[3][3], place[3];
  int count[3];
  for (int a = 0; a < 3; a++) count[a] = neighbours(c, a, cell_along(c, a, x[a]), list[a]);
  for (int k = 0; k < count[0] * count[1] * count[2]; k++) {
    place[0] = list[0][k % count[0]];
    place[1] = list[1][k / count[0] % count[1]];
    place[2] = list[2][k / (count[0] * count[1])];
    if (!cell_is_free(c, cell_of(c->number, place), i, x)) return 0;
  }
  return 1;
}

static void take_place(cells *c, int32_t i, const double x[3]) {
  int64_t place[3];
  for (int a = 0; a < 3; a++) place[a] = cell_along(c, a, x[a]);
  const int64_t cell = cell_of(c->number, place);
  memcpy(c->position + 3 * (int64_t)i, x, 3 * sizeof *x);
  c->next[i] = c->first[cell];
  c->first[cell] = i;
}

static int insert(cells *c, demi_random *random, int32_t i, int32_t attempts) {
  double x[3];
  for (int32_t k = 0; k < attempts; k++) {
    draw_place(random, c->dimension, c->edges, x);
    if (!place_is_free(c, i, x)) continue;
    take_place(c, i, x);
    return 1;
  }
  return 0;
}

dem_status demi_insert_apart(dem_context *context, const dem_packing_options *o, const double *radius, const double edges[3],
                             double *position) {
  cells c = {.context = context, .dimension = o->dimension, .count = o->count};
  demi_random random = demi_random_stream(o->seed, DEMI_STREAM_POSITIONS);
  c.edges = edges;
  c.radius = radius;
  c.position = position;
  dem_status status = open_cells(&c);
  for (int64_t k = 0; k < o->count && !status; k++)
    if (!insert(&c, &random, c.order[k], o->attempts))
      status =
          demi_refuse_context(context, DEM_NOT_FOUND,
                              "packing: no free place for particle %lld of %lld in %d attempts: packing_fraction %g is too "
                              "much for particles that are `apart`",
                              (long long)k + 1, (long long)o->count, o->attempts, o->packing_fraction);
  close_cells(&c);
  return status;
}
