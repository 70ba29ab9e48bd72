/* The map of Vyas et al. 2025: a fine sphere in the pocket of two large ones, 101 ratios of their radii times 100 coefficients of friction,
 * under both velocity-Verlet schemes. Plain velocity-Verlet catches it for ever where R/r > 1/(sqrt(1 + mu^2) - 1), the improved
 * scheme next to nowhere. Set-up and parameters: tests/scenes/pocket.h. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "pocket.h"

enum { RATIOS = 101, FRICTIONS = 100, SCHEMES = 2 };

static const char *const schemes[SCHEMES] = {"velocity-verlet", "improved-velocity-verlet"};

/* A job is all ratios at one friction under both schemes, a row of the map; threads take the next one until there are none. */
typedef struct map {
  const options *o;
  double ratio[RATIOS], start;
  int32_t trapped[SCHEMES][FRICTIONS][RATIOS];
  char taken[FRICTIONS], done[FRICTIONS];
  pthread_mutex_t lock;
  int rows, failed; /* rows: done */
} map;

static double friction_of(int row) { return 0.01 * (row + 1); }

/* ---- the file: first the parameters, then the rows that are done; each row anew once it is ---- */

static void parameters_of(const map *m, char *text, size_t size) {
  snprintf(text, size, "# 1: trapped; e = %g, %lld steps per contact time, overlap %g r\n", m->o->restitution, m->o->steps,
           m->o->overlap);
}

static void write_row(const map *m, int row, FILE *csv) {
  for (int k = 0; k < RATIOS; k++)
    fprintf(csv, "%g,%.2f,%d,%d\n", m->ratio[k], friction_of(row), (int)m->trapped[0][row][k], (int)m->trapped[1][row][k]);
}

static int write_map(const map *m) {
  char path[1024], parameters[128];
  parameters_of(m, parameters, sizeof parameters);
  if (snprintf(path, sizeof path, "%s.part", m->o->write) >= (int)sizeof path) return fail(m->o->write, "is too long a name");
  FILE *csv = fopen(path, "w");
  if (!csv) return fail(path, "cannot be written");
  fprintf(csv, "%sratio,friction,standard,improved\n", parameters);
  for (int row = 0; row < FRICTIONS; row++)
    if (m->done[row]) write_row(m, row, csv);
  return fclose(csv) || rename(path, m->o->write) ? fail(m->o->write, "cannot be written") : 0;
}

/* 1: a line of the map, as write_row wrote it. */
static int read_line(map *m, FILE *csv) {
  double ratio, friction;
  int standard, improved;
  if (fscanf(csv, "%lf,%lf,%d,%d\n", &ratio, &friction, &standard, &improved) != 4) return 0;
  const int k = (int)lround(ratio) - 1, row = (int)lround(100 * friction) - 1;
  if (k < 0 || k >= RATIOS || row < 0 || row >= FRICTIONS) return 0;
  m->trapped[0][row][k] = standard != 0;
  m->trapped[1][row][k] = improved != 0;
  m->taken[row] = m->done[row] = 1;
  return 1;
}

/* Takes over what a run with the same parameters left, if there is a file. */
static int resume(map *m) {
  char parameters[128], line[128] = "";
  FILE *csv = m->o->write ? fopen(m->o->write, "r") : NULL;
  if (!csv) return 0;
  parameters_of(m, parameters, sizeof parameters);
  int64_t lines = 0;
  const int same = fgets(line, sizeof line, csv) && strcmp(line, parameters) == 0 && fgets(line, sizeof line, csv);
  while (same && read_line(m, csv)) lines++;
  const int whole = same && feof(csv) && lines % RATIOS == 0;
  fclose(csv);
  for (int row = 0; row < FRICTIONS; row++) m->rows += m->done[row];
  return whole && m->rows == lines / RATIOS ? 0 : fail(m->o->write, "is there and no part of this map: other parameters?");
}

/* ---- the rows ---- */

/* A coarse raster of frictions first, so that what an interrupted run leaves is of use; of each raster the long rows first: the more
 * friction, the more are trapped. */
static int next_row(const map *m) {
  static const int raster[] = {10, 5, 1};
  for (size_t k = 0; k < sizeof raster / sizeof *raster; k++)
    for (int row = FRICTIONS - 1; row >= 0; row--)
      if (!m->taken[row] && (row + 1) % raster[k] == 0) return row;
  return -1;
}

static int take(map *m) {
  pthread_mutex_lock(&m->lock);
  const int row = m->failed ? -1 : next_row(m);
  if (row >= 0) m->taken[row] = 1;
  pthread_mutex_unlock(&m->lock);
  return row;
}

static void finish(map *m, int row, int failed) {
  pthread_mutex_lock(&m->lock);
  m->done[row] = !failed;
  m->rows += !failed;
  m->failed |= failed || (m->o->write && write_map(m));
  fprintf(stderr, "dem-bench: three-sphere-map: %d of %d rows of %d cases, %.0f s\n", m->rows, FRICTIONS, RATIOS,
          seconds() - m->start);
  pthread_mutex_unlock(&m->lock);
}

/* Without the warnings: every pocket is alone with its two large spheres, so the search has nothing to do. */
static dem_context *quiet_context(const options *o) {
  dem_context *context = NULL;
  dem_context_options c;
  dem_context_options_init(&c, sizeof c);
  c.instructions = (int32_t)o->instructions;
  return dem_context_create(&c, &context) ? NULL : context;
}

static int run_row(map *m, int row) {
  dem_context *context = quiet_context(m->o);
  dem_status status = context ? DEM_OK : DEM_NO_MEMORY;
  for (int s = 0; s < SCHEMES && !status; s++) {
    const pocket_map setup = {schemes[s],          friction_of(row), m->o->restitution, m->o->overlap,
                              (double)m->o->steps, RATIOS,           m->ratio};
    pocket_fate fate[RATIOS] = {{0}};
    status = pocket_map_run(context, &setup, fate);
    for (int k = 0; k < RATIOS; k++) m->trapped[s][row][k] = fate[k].trapped;
  }
  dem_context_destroy(context);
  return status ? fail("three-sphere-map", dem_status_text(status)) : 0;
}

static void *work(void *user) {
  map *m = user;
  for (int row = take(m); row >= 0; row = take(m)) finish(m, row, run_row(m, row));
  return NULL;
}

static int run_all(map *m) {
  enum { MOST = 256 };
  pthread_t helper[MOST];
  const long long wanted = m->o->threads < MOST ? m->o->threads : MOST;
  int helpers = 0;
  pthread_mutex_init(&m->lock, NULL);
  while (helpers + 1 < wanted && !pthread_create(helper + helpers, NULL, work, m)) helpers++;
  work(m);
  for (int k = 0; k < helpers; k++) pthread_join(helper[k], NULL);
  pthread_mutex_destroy(&m->lock);
  return m->failed;
}

static void print_map(const map *m) {
  int count[SCHEMES] = {0, 0}, agree = 0;
  double furthest = 0;
  for (int row = 0; row < FRICTIONS; row++)
    for (int k = 0; k < RATIOS; k++) {
      const double beyond = m->ratio[k] / pocket_critical(friction_of(row)) - 1;
      const int same = m->trapped[0][row][k] == (beyond > 0);
      for (int s = 0; s < SCHEMES; s++) count[s] += m->trapped[s][row][k];
      agree += same;
      if (!same) furthest = fmax(furthest, fabs(beyond));
    }
  printf("cases %d\n", RATIOS * FRICTIONS);
  printf("standard_trapped %d\n", count[0]);
  printf("standard_agreement %.6f\n", (double)agree / (RATIOS * FRICTIONS));
  printf("furthest_disagreement %.4f\n", furthest);
  printf("improved_trapped %d\n", count[1]);
  printf("seconds %.1f\n", seconds() - m->start);
}

int run_three_sphere_map(const options *given) {
  options o = *given;
  if (o.steps < 10) return fail("--steps", "takes at least 10 steps per contact time");
  if (!(o.restitution > 0)) o.restitution = 0.8;
  if (!(o.overlap > 0)) o.overlap = 0.005;
  map *m = calloc(1, sizeof *m);
  if (!m) return fail("three-sphere-map", "out of memory");
  m->o = &o;
  m->start = seconds();
  for (int k = 0; k < RATIOS; k++) m->ratio[k] = k + 1;
  const int failed = resume(m) || run_all(m);
  if (!failed) print_map(m);
  free(m);
  return failed;
}
