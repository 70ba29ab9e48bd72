/* The map of [IVV]: a fine sphere in the pocket of two large ones, 101 ratios of their radii times 100 coefficients of friction,
 * under both velocity-Verlet schemes. Plain velocity-Verlet catches it for ever where R/r > 1/(sqrt(1 + mu^2) - 1), the improved
 * scheme nowhere. Set-up and parameters: tests/scenes/pocket.h. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "pocket.h"

enum { RATIOS = 101, FRICTIONS = 100, SCHEMES = 2, JOBS = FRICTIONS * SCHEMES };

static const char *const schemes[SCHEMES] = {"velocity-verlet", "improved-velocity-verlet"};
static const double OVERLAP = 0.002;

/* A job is all ratios at one friction under one scheme; threads take the next one until there are none. */
typedef struct map {
  const options *o;
  double ratio[RATIOS], start;
  int32_t trapped[SCHEMES][FRICTIONS][RATIOS];
  pthread_mutex_t lock;
  int next, done, failed;
} map;

static double friction_of(int row) { return 0.01 * (row + 1); }

static int take(map *m) {
  pthread_mutex_lock(&m->lock);
  const int job = m->failed ? JOBS : m->next++;
  pthread_mutex_unlock(&m->lock);
  return job;
}

static void finish(map *m, int failed) {
  pthread_mutex_lock(&m->lock);
  m->done++;
  m->failed |= failed;
  fprintf(stderr, "dem-bench: three-sphere-map: %d of %d runs of %d spheres, %.0f s\n", m->done, JOBS, RATIOS,
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

/* Long runs first: the more friction, the more are trapped. */
static int run_job(map *m, int job) {
  const int scheme = job % SCHEMES, row = FRICTIONS - 1 - job / SCHEMES;
  const pocket_map setup = {schemes[scheme], friction_of(row), OVERLAP, (double)m->o->steps, RATIOS, m->ratio};
  dem_context *context = quiet_context(m->o);
  const dem_status status = context ? pocket_map_run(context, &setup, m->trapped[scheme][row]) : DEM_NO_MEMORY;
  dem_context_destroy(context);
  return status ? fail("three-sphere-map", dem_status_text(status)) : 0;
}

static void *work(void *user) {
  map *m = user;
  for (int job = take(m); job < JOBS; job = take(m)) finish(m, run_job(m, job));
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

static int write_map(const map *m) {
  FILE *csv = fopen(m->o->write, "w");
  if (!csv) return fail(m->o->write, "cannot be written");
  fprintf(csv, "# 1: trapped; %lld steps per contact time\nratio,friction,standard,improved\n", m->o->steps);
  for (int row = 0; row < FRICTIONS; row++)
    for (int k = 0; k < RATIOS; k++)
      fprintf(csv, "%g,%.2f,%d,%d\n", m->ratio[k], friction_of(row), (int)m->trapped[0][row][k], (int)m->trapped[1][row][k]);
  return fclose(csv) ? fail(m->o->write, "cannot be written") : 0;
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

int run_three_sphere_map(const options *o) {
  if (o->steps < 10) return fail("--steps", "takes at least 10 steps per contact time");
  map *m = calloc(1, sizeof *m);
  if (!m) return fail("three-sphere-map", "out of memory");
  m->o = o;
  m->start = seconds();
  for (int k = 0; k < RATIOS; k++) m->ratio[k] = k + 1;
  const int failed = run_all(m) || (o->write && write_map(m));
  if (!failed) print_map(m);
  free(m);
  return failed;
}
