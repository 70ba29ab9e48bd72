/* Random packings of discs relax to a minimum of their energy: the way there, and the work against size and area fraction. See
 * doc/relaxation.md.
 *
 * usage: relax [--quick] [--only curves|count|phi] FOLDER
 * Writes FOLDER/relax_curves.csv (energy and gradient along the way, all strategies), relax_count.csv (one row for each run, against the
 * number of discs) and relax_phi.csv (against the area fraction). --quick: few small packings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "discs.h"

static const char *const STRATEGIES[] = {"trust-region-steihaug", "quasi-newton", "fire", "automatic"};
static const char *const MEASURED[] = {"trust-region-steihaug", "automatic"}; /* in the studies of count and phi */

/* Sizes of the studies. */
typedef struct plan {
  int64_t curve_count, phi_count, count_least, count_most;
  int64_t discs_of_size; /* discs of all seeds of one size together, within SEEDS_LEAST and SEEDS_MOST */
  int seeds_least, seeds_most, phi_seeds, phi_steps;
  double phi_ratio; /* of the distances from jamming, from one area fraction to the next */
} plan;

static const plan WHOLE = {2048, 1024, 64, 4096, 16384, 4, 32, 8, 7, 2};
static const plan QUICK = {128, 128, 32, 256, 512, 2, 8, 3, 2, 32};

typedef struct run {
  const char *strategy;
  int64_t count;
  double phi;
  int seed;
  dem_minimise_report report;
} run;

/* ---- one run ---- */

static void write_point(FILE *curves, const run *r) {
  const dem_minimise_report *p = &r->report;
  fprintf(curves, "%s,%lld,%.6g,%lld,%lld,%.17g,%.17g\n", r->strategy, (long long)p->iterations, p->seconds,
          (long long)p->gradients, (long long)p->products, p->value, p->gradient);
}

/* A row for each of the first 400 iterations, then for each 400th part of those made. */
static dem_status follow(dem_minimiser *m, run *r, FILE *curves) {
  dem_status status = dem_minimiser_iterate(m, 0);
  for (;;) {
    if (!status) status = dem_minimiser_get_report(m, &r->report);
    if (status) return status;
    write_point(curves, r);
    if (r->report.reason) return DEM_OK;
    status = dem_minimiser_iterate(m, 1 + r->report.iterations / 400);
  }
}

static dem_status minimise(const discs *d, run *r, FILE *curves) {
  dem_minimise_options o;
  dem_minimiser *m = NULL;
  dem_minimise_options_init(&o, sizeof o);
  o.strategy = r->strategy;
  o.gradient_relative = 1e-10;
  o.gradients_most = 10000000;
  dem_status status = dem_system_minimiser(d->system, NULL, &o, &m);
  if (!status) status = curves ? follow(m, r, curves) : dem_minimiser_run(m);
  if (!status) status = dem_minimiser_get_report(m, &r->report);
  if (status) printf("%s: %s; %s\n", r->strategy, dem_status_name(status), dem_system_message(d->system));
  dem_minimiser_destroy(m);
  return status;
}

/* 0, or 1 after saying why. The report has no minimum where gradients_most were not enough. */
static int relax(run *r, FILE *curves) {
  discs d;
  dem_minimise_report_init(&r->report, sizeof r->report);
  dem_status status = discs_open(&d, r->count, r->phi, (uint64_t)r->seed);
  if (!status) status = minimise(&d, r, curves);
  discs_close(&d);
  return status != 0;
}

/* ---- along the way ---- */

/* Iterations of a relaxation to |g| = 1e-10 of the start, and how many of them it had made at 1e-2 and at 1e-6. */
typedef struct regimes {
  int64_t early, late, all;
} regimes;

/* Reads the rows of the trust region back: its energy must never rise. */
static int find_regimes(const char *folder, regimes *g, int *falls) {
  char path[1024], line[512];
  double energy, gradient, first = 0, previous = INFINITY;
  long long iterations;
  snprintf(path, sizeof path, "%s/relax_curves.csv", folder);
  FILE *file = fopen(path, "r");
  if (!file) return 1;
  *g = (regimes){-1, -1, 0};
  *falls = 1;
  while (fgets(line, sizeof line, file)) {
    if (strncmp(line, STRATEGIES[0], strlen(STRATEGIES[0])) != 0) continue;
    if (sscanf(strchr(line, ','), ",%lld,%*f,%*d,%*d,%lf,%lf", &iterations, &energy, &gradient) != 3) continue;
    if (first == 0) first = gradient;
    if (energy > previous * (1 + 1e-12)) *falls = 0;
    if (g->early < 0 && gradient < 1e-2 * first) g->early = iterations;
    if (g->late < 0 && gradient < 1e-6 * first) g->late = iterations;
    g->all = iterations;
    previous = energy;
  }
  fclose(file);
  return 0;
}

static int study_curves(const plan *p, const char *folder) {
  int minima = 1, falls;
  regimes g;
  FILE *curves = discs_csv(folder, "relax_curves.csv", "strategy,iterations,seconds,gradients,products,energy,gradient");
  if (!curves) return 1;
  for (int k = 0; k < 4; k++) {
    run r = {STRATEGIES[k], p->curve_count, 0.86, 1, {0}};
    if (relax(&r, curves)) return fclose(curves), 1;
    minima &= r.report.reason > 0;
    printf("%-22s %lld discs: %lld iterations, %lld gradients, %lld products, %.3g s, energy %.6g\n", r.strategy,
           (long long)r.count, (long long)r.report.iterations, (long long)r.report.gradients, (long long)r.report.products,
           r.report.seconds, r.report.value);
  }
  if (fclose(curves) || find_regimes(folder, &g, &falls)) return 1;
  printf("trust region: %lld iterations to 1e-2 of the gradient, %lld from there to 1e-6, %lld to 1e-10\n", (long long)g.early,
         (long long)(g.late - g.early), (long long)(g.all - g.late));
  int wrong = discs_say(minima, "every strategy comes to a minimum");
  wrong |= discs_say(falls, "the energy of the trust region never rises");
  return wrong | discs_say(g.late - g.early > g.early && g.late - g.early > g.all - g.late,
                           "rearrangements in the middle take more iterations than the beginning, and than the end");
}

/* ---- the work ---- */

typedef struct study {
  FILE *runs;
  double mean[2];      /* of the latest size and area fraction, geometric, of the iterations of each strategy */
  int64_t all, missed; /* runs; those that did not end in a minimum, which are not in `mean` */
} study;

static void write_run(FILE *runs, const run *r) {
  const dem_minimise_report *p = &r->report;
  fprintf(runs, "%s,%lld,%.17g,%d,%d,%lld,%lld,%lld,%.6g,%.17g\n", r->strategy, (long long)r->count, r->phi, r->seed, p->reason,
          (long long)p->iterations, (long long)p->gradients, (long long)p->products, p->seconds, p->value);
}

/* All seeds of one size and area fraction. */
static int measure(study *s, int64_t count, double phi, int seeds) {
  for (int k = 0; k < 2; k++) {
    double sum = 0;
    int64_t minima = 0;
    for (int seed = 1; seed <= seeds; seed++) {
      run r = {MEASURED[k], count, phi, seed, {0}};
      if (relax(&r, NULL)) return 1;
      write_run(s->runs, &r);
      s->all++;
      if (r.report.reason > 0) sum += log((double)r.report.iterations), minima++;
    }
    s->missed += seeds - minima;
    s->mean[k] = minima ? exp(sum / (double)minima) : 0;
    printf("%-22s %lld discs, phi %.5g: %.4g iterations (mean of %lld; %lld without a minimum)\n", MEASURED[k],
           (long long)count, phi, s->mean[k], (long long)minima, (long long)(seeds - minima));
  }
  fflush(s->runs);
  return 0;
}

static int end_study(study *s, int failed, const double *reference, const char *fact) {
  if (s->runs) failed |= fclose(s->runs) != 0;
  if (failed) return 1;
  failed = discs_say(20 * s->missed <= s->all, "all runs, or 19 of 20, end in a minimum");
  return failed | discs_say(s->mean[0] > 1.5 * reference[0] && s->mean[1] > 1.5 * reference[1], fact);
}

static const char RUNS[] = "strategy,count,phi,seed,reason,iterations,gradients,products,seconds,energy";

static int study_count(const plan *p, const char *folder) {
  study s = {.runs = discs_csv(folder, "relax_count.csv", RUNS)};
  double least[2] = {0, 0};
  int failed = !s.runs;
  for (int64_t n = p->count_least; n <= p->count_most && !failed; n *= 2) {
    int64_t seeds = p->discs_of_size / n;
    if (seeds < p->seeds_least) seeds = p->seeds_least;
    if (seeds > p->seeds_most) seeds = p->seeds_most;
    failed = measure(&s, n, 0.86, (int)seeds);
    if (n == p->count_least) memcpy(least, s.mean, sizeof least);
  }
  return end_study(&s, failed, least, "more discs take more iterations");
}

static int study_phi(const plan *p, const char *folder) {
  study s = {.runs = discs_csv(folder, "relax_phi.csv", RUNS)};
  double far[2] = {0, 0}, above = 0.32; /* area fraction less that of jamming */
  int failed = !s.runs;
  for (int k = 0; k < p->phi_steps && !failed; k++, above /= p->phi_ratio) {
    failed = measure(&s, p->phi_count, DISCS_JAM + above, p->phi_seeds);
    if (k == 0) memcpy(far, s.mean, sizeof far);
  }
  return end_study(&s, failed, far, "near jamming it takes more iterations than far above");
}

int main(int argc, char **argv) {
  const char *folder = NULL, *only = NULL;
  const plan *p = &WHOLE;
  for (int k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--quick") == 0)
      p = &QUICK;
    else if (strcmp(argv[k], "--only") == 0 && k + 1 < argc)
      only = argv[++k];
    else
      folder = argv[k];
  }
  if (!folder || folder[0] == '-') return puts("usage: relax [--quick] [--only curves|count|phi] FOLDER"), 2;
  int wrong = 0;
  if (!only || strcmp(only, "curves") == 0) wrong |= study_curves(p, folder);
  if (!only || strcmp(only, "count") == 0) wrong |= study_count(p, folder);
  if (!only || strcmp(only, "phi") == 0) wrong |= study_phi(p, folder);
  return wrong;
}
