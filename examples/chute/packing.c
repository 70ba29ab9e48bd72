/* Length, mass and time in units of grain diameter d = 1, density 1 and gravity 1.
 *
 *   insertion  centres at random, no overlap, solid fraction 0.28 (random sequential addition jams at 0.38)
 *   pouring    soft springs (k_n = 2e4), so that a step of 3e-4 is 1/38 of a contact; strong damping, slight drag
 *   calming    the springs of the flow (k_n = 2e5, step 1e-4), still strongly damped, until the kinetic energy per grain
 *              is below CALM; without this the harder springs would throw the grains apart */
#include "packing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"

static const double BOX_X = 40, BOX_Y = 20, PI = 3.14159265358979323846;
static const double INSERTED_FRACTION = 0.28;
static const double BED_SPACING =
    0.82; /* least horizontal distance in the bed; below R_i + R_j everywhere, so nothing falls through */
static const double BED_DEPTH = 1.2; /* heights of the bed's centres are uniform in this range; they do not act on each other */
static const double CALM = 1e-3;     /* kinetic energy per grain in units of m g d */
enum { TRIES = 2000000, BED_TRIES = 50000, BED_MOST = 900, CHUNK = 500 };

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

/* In the first `axes` axes. */
static double distance(const grains *g, const double *a, const double *b, int axes) {
  double sum = 0;
  for (int k = 0; k < axes; k++) {
    double r = a[k] - b[k];
    if (k < 2) r -= (g->high[k] - g->low[k]) * round(r / (g->high[k] - g->low[k]));
    sum += r * r;
  }
  return sqrt(sum);
}

/* 1 when row i overlaps no row inserted before; in the bed, when it is far enough from each in x and y. */
static int is_free(const cells *c, const grains *g, int64_t i) {
  const int axes = g->frozen[i] ? 2 : 3;
  int at[3];
  cell_of(c, g, g->position + 3 * i, at);
  for (int k = 0; k < 27; k++) {
    const int32_t *head = chain(c, at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1);
    for (int32_t j = head ? *head : -1; j >= 0; j = c->next[j])
      if (distance(g, g->position + 3 * i, g->position + 3 * j, axes) < (axes == 2 ? BED_SPACING : g->radius[i] + g->radius[j]))
        return 0;
  }
  return 1;
}

static void link_row(cells *c, const grains *g, int64_t i) {
  int at[3];
  cell_of(c, g, g->position + 3 * i, at);
  int32_t *head = chain(c, at[0], at[1], at[2]);
  c->next[i] = *head;
  *head = (int32_t)i;
}

/* Tries random places between the heights z0 and z1 until row i finds room; -1 when it does not. */
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
  const double floor = BED_DEPTH + 1 + spread;
  for (int64_t i = insert_bed(g, c, &seed); i < g->count; i++) {
    set_row(g, i, 0.5 * (1 + spread * (2 * uniform(&seed) - 1)), 0);
    if (!insert(c, g, i, floor, g->high[2], TRIES, &seed)) continue;
    fprintf(stderr, "chute: no room for grain %lld of %lld after %d tries\n", (long long)i + 1, (long long)g->count, TRIES);
    return -1;
  }
  return 0;
}

static int insert_grains(const packing_options *o, grains *g) {
  cells c;
  if (grains_allocate(g, o->grains)) {
    fprintf(stderr, "chute: out of memory for %lld grains\n", (long long)o->grains);
    return -1;
  }
  const double height = (double)(o->grains - BED_MOST / 2) * PI / 6 / (BOX_X * BOX_Y * INSERTED_FRACTION);
  g->high[0] = BOX_X;
  g->high[1] = BOX_Y;
  g->high[2] = BED_DEPTH + 1 + o->spread + (height > 2 ? height : 2);
  int failed = cells_create(&c, g, 1 + o->spread);
  if (failed) fprintf(stderr, "chute: out of memory for the insertion grid\n");
  if (!failed) failed = insert_all(g, &c, o->spread, o->seed);
  cells_destroy(&c);
  return failed;
}

/* Springs of stiffness k_n with restitution 0.3, on all pairs of the two materials. */
static dem_status set_settling_law(dem_context *context, dem_system *system, double stiffness) {
  dem_law_options o;
  dem_law *law = NULL;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = stiffness;
  o.damping = o.tangential_damping = DEM_DAMPING_RESTITUTION;
  o.restitution = 0.3;
  o.friction = 0.5;
  dem_status status = dem_law_create(context, &o, &law);
  for (int32_t a = 0; a < 2 && !status; a++)
    for (int32_t b = 0; b <= a && !status; b++) status = dem_system_set_law(system, a, b, law);
  dem_law_release(law);
  return status;
}

static dem_status create_system(dem_context *context, const packing_options *o, const grains *g, dem_system **system) {
  dem_system_options s;
  dem_system_options_init(&s, sizeof s);
  s.threads = o->threads;
  s.periodic[0] = s.periodic[1] = 1;
  memcpy(s.box_low, g->low, sizeof s.box_low);
  memcpy(s.box_high, g->high, sizeof s.box_high);
  s.gravity[2] = -1;
  s.dt = 3e-4;
  s.drag = 0.05;
  dem_status status = dem_system_create(context, &s, system);
  if (!status) status = dem_system_add_material(*system, NULL, NULL);
  if (!status) status = dem_system_add_material(*system, NULL, NULL);
  if (!status) status = grains_add(g, *system);
  return status;
}

static int64_t moving_count(const grains *g) {
  int64_t n = 0;
  for (int64_t i = 0; i < g->count; i++) n += !g->frozen[i];
  return n;
}

/* Kinetic energy per moving grain in units of m g d. */
static double agitation(const dem_system *system, const grains *g) {
  dem_statistics now;
  dem_statistics_init(&now, sizeof now);
  if (dem_system_statistics(system, &now)) return 0;
  return (now.kinetic_energy + now.rotational_energy) / ((double)moving_count(g) * PI / 6);
}

/* Steps in chunks until calm, after at least `least` steps. */
static dem_status settle(dem_system *system, const grains *g, const char *label, int64_t least, int64_t most) {
  progress p;
  dem_status status = progress_begin(&p, label, system, most);
  p.at_most = 1;
  for (int64_t done = 0; done < most && !status; done += CHUNK) {
    if (done >= least && agitation(system, g) < CALM) break;
    const int64_t steps = CHUNK < most - done ? CHUNK : most - done;
    status = dem_system_step(system, steps);
    if (!status) progress_advance(&p, steps);
  }
  progress_end(&p);
  return status;
}

static dem_status pour_and_calm(dem_context *context, const packing_options *o, const grains *g, dem_system *system) {
  dem_status status = set_settling_law(context, system, 2e4);
  if (!status) status = settle(system, g, "pouring", o->settle_steps / 4, o->settle_steps);
  if (!status) status = set_settling_law(context, system, 2e5);
  if (!status) status = dem_system_set_dt(system, 1e-4);
  if (!status) status = settle(system, g, "calming", o->settle_steps / 20, o->settle_steps / 2);
  return status;
}

/* The box ends a diameter above the highest grain: on the open axis that is a hint for the search grid only. */
static void fit_box(grains *g) {
  double top = 0;
  for (int64_t i = 0; i < g->count; i++) top = fmax(top, g->position[3 * i + 2]);
  g->high[2] = top + 1;
}

/* No grain may have fallen through the bed. */
static int check_bed(const grains *g) {
  for (int64_t i = 0; i < g->count; i++)
    if (g->position[3 * i + 2] < -1) {
      fprintf(stderr, "chute: grain %lld fell through the bed (z = %g); try another --seed\n", (long long)i,
              g->position[3 * i + 2]);
      return -1;
    }
  return 0;
}

int packing_make(dem_context *context, const packing_options *options, grains *g) {
  dem_system *system = NULL;
  if (insert_grains(options, g)) return 1;
  fprintf(stderr, "inserted %lld grains at random above a frozen bed of %lld\n", (long long)moving_count(g),
          (long long)(g->count - moving_count(g)));
  dem_status status = create_system(context, options, g, &system);
  if (!status) status = pour_and_calm(context, options, g, system);
  if (!status) fprintf(stderr, "kinetic energy per grain %.1e m g d\n", agitation(system, g));
  if (!status) status = grains_take(g, system);
  if (status && status != DEM_CANCELLED)
    fprintf(stderr, "chute: making the packing: %s: %s\n", dem_status_text(status),
            system ? dem_system_message(system) : dem_context_message(context));
  dem_system_destroy(system);
  if (status) return status == DEM_CANCELLED ? 2 : 1;
  fit_box(g);
  return check_bed(g) ? 1 : 0;
}
