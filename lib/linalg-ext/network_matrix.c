#include "network_matrix.h"

#include <math.h>
#include <string.h>

/* An unknown whose row of K is below this part of the mean diagonal is loose: rounding of a spring across its own normal. */
static const double LOOSE = 1e-13;
/* A translation t costs no force when |K t| is below this part of |K| |t|. */
static const double RIGID = 1e-11;

/* ---- unknowns ---- */

static int64_t mobile_unknowns(const demi_la_network *w) { return w->rows.particles * w->rows.width; }

/* Every unknown of a particle that is not frozen gets a row. */
static void place_mobile(demi_la_network *w) {
  w->n = 0;
  for (int64_t u = 0; u < w->rows.unknowns; u++) {
    const int takes_part = u < mobile_unknowns(w) && !w->rows.frozen[u / w->rows.width];
    w->place[u] = takes_part ? w->n++ : -1;
  }
}

/* Largest number of each row of the matrix. */
static void find_largest(const demi_la_triangle *t, double *largest) {
  memset(largest, 0, (size_t)t->n * sizeof *largest);
  for (int64_t c = 0; c < t->n; c++)
    for (int64_t k = t->first[c]; k < t->first[c + 1]; k++) {
      const double value = fabs(t->value[k]);
      largest[c] = fmax(largest[c], value);
      largest[t->row[k]] = fmax(largest[t->row[k]], value);
    }
}

/* Loose rows leave the matrix. `kept`: room of the matrix's rows. */
static void drop_loose(demi_la_network *w, const double *largest, int64_t *kept) {
  const double limit = LOOSE * w->mean;
  int64_t n = 0;
  for (int64_t c = 0; c < w->n; c++) kept[c] = largest[c] > limit ? n++ : -1;
  w->loose = w->n - n;
  for (int64_t u = 0; u < mobile_unknowns(w); u++)
    if (w->place[u] >= 0) w->place[u] = kept[w->place[u]];
  demi_la_triangle_drop(&w->a, kept, n);
  w->n = n;
}

/* Particles in A, rattlers, and the particle of each row. */
static void count_particles(demi_la_network *w) {
  for (int64_t p = 0; p < w->rows.particles; p++) {
    int displaced = 0;
    for (int32_t a = 0; a < w->rows.width; a++) {
      const int64_t row = w->place[p * w->rows.width + a];
      if (row < 0) continue;
      w->particle[row] = p;
      displaced |= a < w->dimension;
    }
    w->particles += displaced;
    w->rattlers += !displaced && !w->rows.frozen[p];
  }
}

/* ---- entries ---- */

typedef struct collector {
  dem_linalg *linalg;
  const demi_la_network *network;
  demi_la_entries entries;
} collector;

static int32_t collect(void *user, int64_t count, const dem_trial_block *blocks) {
  collector *c = user;
  return demi_la_entries_add_blocks(c->linalg, &c->entries, count, blocks, c->network->place, mobile_unknowns(c->network));
}

static dem_status collect_entries(dem_linalg *l, dem_trial *trial, demi_la_network *w) {
  collector c = {.linalg = l, .network = w};
  dem_status status = dem_trial_blocks(trial, sizeof(dem_trial_block), collect, &c);
  if (status == DEM_CANCELLED) status = demi_la_no_memory(l, "the entries of a sparse matrix");
  if (!status) status = demi_la_triangle_make(l, &c.entries, w->n, &w->a);
  w->mean = demi_la_triangle_mean(&w->a);
  w->asymmetry = w->mean > 0 ? c.entries.asymmetry / w->mean : 0;
  demi_la_entries_free(l, &c.entries);
  return status;
}

static dem_status drop_rows(dem_linalg *l, demi_la_network *w) {
  double *largest = demi_la_allocate(l, w->n, sizeof *largest);
  int64_t *kept = demi_la_allocate(l, w->n, sizeof *kept);
  const dem_status status = largest && kept ? DEM_OK : demi_la_no_memory(l, "rows of a sparse matrix");
  if (!status) {
    find_largest(&w->a, largest);
    drop_loose(w, largest, kept);
  }
  demi_la_free(l, largest);
  demi_la_free(l, kept);
  return status;
}

/* ---- scale ---- */

static double scale_of(const demi_la_network *w, int32_t scale, int64_t unknown, int64_t row) {
  const int64_t p = unknown / w->rows.width;
  const int turns = unknown % w->rows.width >= w->dimension;
  if (scale == DEMI_LA_SCALE_ONE) return 1;
  if (scale == DEMI_LA_SCALE_MASS) return sqrt(turns ? w->rows.inverse_inertia[p] : w->rows.inverse_mass[p]);
  return 1 / sqrt(fmax(fabs(w->a.value[w->a.first[row]]), 1e-6 * w->mean));
}

static void scale_matrix(demi_la_network *w, int32_t scale) {
  for (int64_t u = 0; u < mobile_unknowns(w); u++)
    if (w->place[u] >= 0) w->scale[w->place[u]] = scale_of(w, scale, u, w->place[u]);
  demi_la_triangle_scale(&w->a, w->scale);
}

/* ---- translations: t = S^-1 e for a unit displacement e of all particles along an axis ---- */

static int costs_no_force(const demi_la_network *w, const double *t, double *force) {
  double most = 0, sum = 0, square = 0;
  demi_la_triangle_multiply(&w->a, t, force);
  for (int64_t c = 0; c < w->n; c++) {
    sum += force[c] * force[c];
    square += t[c] * t[c];
    most = fmax(most, fabs(w->a.value[w->a.first[c]]));
  }
  return square > 0 && sqrt(sum) <= RIGID * most * sqrt(square);
}

static void find_translations(demi_la_network *w, double *force) {
  for (int32_t axis = 0; axis < w->dimension; axis++) {
    double *t = w->translation + w->rigid * w->n, square = 0;
    for (int64_t c = 0; c < w->n; c++) t[c] = 0;
    for (int64_t p = 0; p < w->rows.particles; p++) {
      const int64_t row = w->place[p * w->rows.width + axis];
      if (row >= 0) t[row] = 1 / w->scale[row];
    }
    if (!costs_no_force(w, t, force)) continue;
    for (int64_t c = 0; c < w->n; c++) square += t[c] * t[c];
    for (int64_t c = 0; c < w->n; c++) t[c] /= sqrt(square);
    w->rigid++;
  }
}

void demi_la_network_project(const demi_la_network *w, double *x) {
  for (int32_t k = 0; k < w->rigid; k++) {
    const double *t = w->translation + k * w->n;
    double along = 0;
    for (int64_t c = 0; c < w->n; c++) along += t[c] * x[c];
    for (int64_t c = 0; c < w->n; c++) x[c] -= along * t[c];
  }
}

/* ---- all ---- */

static dem_status evaluate(dem_linalg *l, dem_trial *trial, demi_la_network *w) {
  double *gradient = demi_la_allocate(l, w->rows.unknowns, sizeof *gradient);
  if (!gradient) return demi_la_no_memory(l, "a gradient");
  const dem_status status = dem_trial_evaluate(trial, NULL, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, gradient);
  if (status) demi_la_refuse(l, status, "the trial could not be evaluated; see dem_system_message");
  for (int64_t u = 0; u < mobile_unknowns(w) && !status; u++)
    if (!w->rows.frozen[u / w->rows.width]) w->unrest = fmax(w->unrest, fabs(gradient[u]));
  demi_la_free(l, gradient);
  return status;
}

static dem_status describe(dem_linalg *l, dem_trial *trial, demi_la_network *w) {
  dem_trial_rows_init(&w->rows, sizeof w->rows);
  const dem_status status = dem_trial_get_rows(trial, &w->rows);
  if (status) return demi_la_refuse(l, status, "the rows of the trial could not be read");
  w->dimension = w->rows.wall_width == 6 ? 3 : 2;
  w->place = demi_la_allocate(l, w->rows.unknowns, sizeof *w->place);
  if (!w->place) return demi_la_no_memory(l, "places of unknowns");
  place_mobile(w);
  return DEM_OK;
}

static dem_status complete(dem_linalg *l, int32_t scale, demi_la_network *w) {
  double *force = demi_la_allocate(l, w->n, sizeof *force);
  w->particle = demi_la_allocate(l, w->n, sizeof *w->particle);
  w->scale = demi_la_allocate(l, w->n, sizeof *w->scale);
  w->translation = demi_la_allocate(l, w->dimension * w->n, sizeof *w->translation);
  const int done = force && w->particle && w->scale && w->translation;
  if (done) {
    count_particles(w);
    scale_matrix(w, scale);
    find_translations(w, force);
  }
  demi_la_free(l, force);
  return done ? DEM_OK : demi_la_no_memory(l, "rows of a sparse matrix");
}

dem_status demi_la_network_make(dem_linalg *l, dem_trial *trial, int32_t scale, demi_la_network *w) {
  dem_status status = describe(l, trial, w);
  if (!status) status = evaluate(l, trial, w);
  if (!status) status = collect_entries(l, trial, w);
  if (!status) status = drop_rows(l, w);
  if (!status) status = complete(l, scale, w);
  if (status) demi_la_network_free(l, w);
  return status;
}

void demi_la_network_free(dem_linalg *l, demi_la_network *w) {
  demi_la_triangle_free(l, &w->a);
  demi_la_free(l, w->place);
  demi_la_free(l, w->particle);
  demi_la_free(l, w->scale);
  demi_la_free(l, w->translation);
  memset(w, 0, sizeof *w);
}
