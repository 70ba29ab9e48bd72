/* Quasi-static pure shear of a relaxed packing of discs at constant area, in few and in many load steps. See doc/shear.md.
 *
 * usage: shear [--count N] [--steps N1,N2,...] [--seeds K] FOLDER
 *   --count N    discs; default 1024
 *   --steps      numbers of load steps, each a shear of its own from the same relaxed packing; default 3,10,32,100,316,1000
 *   --seeds K    packings; default 3
 * Writes FOLDER/shear_curves.csv (one row for each load step) and FOLDER/shear_totals.csv (one row for each shear). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../relax/discs.h"

enum { RUNS_MOST = 16 };

static const double STRAIN = 0.04; /* logarithmic; the box grows along x and shrinks along y */
static const char *const STRATEGIES[] = {"trust-region-steihaug", "automatic"};

typedef struct shear {
  const char *strategy;
  int64_t count, steps;
  int seed;
  discs discs;
  FILE *curves;
  double volume, drift;        /* area of the box at the start; largest relative change */
  double stress, stress_first; /* shear stress now, and before the first load step */
  double fabric, fabric_first; /* deviatoric fabric */
  dem_minimise_report report;  /* of all load steps */
  int64_t missed;              /* load steps that did not end in a minimum */
} shear;

/* ---- what is measured in each state of rest ---- */

/* y is the direction of compression: both are > 0 where more force, or more contacts, run along y than along x. */
static dem_status measure(shear *s, int64_t step, const dem_minimise_report *report) {
  dem_statics t;
  dem_statics_init(&t, sizeof t);
  const dem_status status = dem_system_statics(s->discs.system, NULL, &t);
  if (status) return status;
  s->stress = 0.5 * (t.stress[4] - t.stress[0]);
  s->fabric = 0.5 * (t.fabric[4] - t.fabric[0]);
  if (step == 0) s->volume = t.volume, s->stress_first = s->stress, s->fabric_first = s->fabric;
  s->drift = fmax(s->drift, fabs(t.volume / s->volume - 1));
  fprintf(s->curves, "%s,%lld,%d,%lld,%lld,%.10g,%.10g,%.10g,%.10g,%.10g,%lld,%d\n", s->strategy, (long long)s->count, s->seed,
          (long long)s->steps, (long long)step, STRAIN * (double)step / (double)s->steps, s->stress, s->fabric, t.pressure,
          t.coordination, (long long)report->iterations, report->reason);
  return DEM_OK;
}

/* ---- one shear ---- */

static int32_t after_step(void *user, int64_t step, const dem_minimise_report *report) {
  shear *s = user;
  s->missed += report->reason <= 0;
  return measure(s, step, report) != DEM_OK;
}

static dem_status deform(shear *s, const dem_minimise_options *method) {
  dem_deformation d;
  dem_deformation_init(&d, sizeof d);
  d.steps = s->steps;
  d.strain[DEM_BOX_XX] = STRAIN;
  d.strain[DEM_BOX_YY] = -STRAIN;
  d.after_step = after_step;
  d.user = s;
  return dem_system_deform(s->discs.system, &d, NULL, method, &s->report);
}

/* All shears of one seed begin in the same relaxed packing. Every load step goes on to the same |gradient|, 1e-8 of the random start. */
static dem_status relax_and_deform(shear *s) {
  dem_minimise_options method;
  dem_minimise_report_init(&s->report, sizeof s->report);
  dem_minimise_options_init(&method, sizeof method);
  dem_status status = discs_open(&s->discs, s->count, 0.86, (uint64_t)s->seed);
  if (!status) status = dem_system_minimise(s->discs.system, NULL, &method, &s->report);
  if (!status) status = measure(s, 0, &s->report);
  method.strategy = s->strategy;
  method.gradient_absolute = 1e-8 * s->report.gradient_first;
  method.gradient_relative = 0;
  return status ? status : deform(s, &method);
}

static int run(shear *s, FILE *totals) {
  const dem_status status = relax_and_deform(s);
  if (status) printf("%s: %s; reason %d\n", dem_status_name(status), dem_system_message(s->discs.system), s->report.reason);
  discs_close(&s->discs);
  if (status) return 1;
  fprintf(totals, "%s,%lld,%d,%lld,%lld,%lld,%lld,%.6g,%lld\n", s->strategy, (long long)s->count, s->seed, (long long)s->steps,
          (long long)s->report.iterations, (long long)s->report.gradients, (long long)s->report.products, s->report.seconds,
          (long long)s->missed);
  fflush(totals);
  printf("%-22s packing %d, %5lld load steps: %lld iterations, shear stress %.4g, fabric %.4g, %.3g s%s\n", s->strategy,
         s->seed, (long long)s->steps, (long long)s->report.iterations, s->stress, s->fabric, s->report.seconds,
         s->missed ? ", some load steps without a minimum" : "");
  return 0;
}

/* ---- all of them ---- */

typedef struct plan {
  int64_t count, steps[RUNS_MOST];
  int runs, seeds;
} plan;

/* Sums over all shears. */
typedef struct facts {
  double drift, stress, fabric; /* largest change of the area; gains */
  int64_t steps, missed;        /* load steps; those without a minimum */
  double few, many;             /* iterations with fewest and most load steps */
} facts;

static void note(facts *f, const shear *s, const plan *p, int run) {
  f->steps += s->steps;
  f->missed += s->missed;
  f->drift = fmax(f->drift, s->drift);
  f->stress += s->stress - s->stress_first;
  f->fabric += s->fabric - s->fabric_first;
  if (run == 0) f->few += (double)s->report.iterations;
  if (run == p->runs - 1) f->many += (double)s->report.iterations;
}

static int run_all(const plan *p, FILE *curves, FILE *totals) {
  facts f = {0};
  for (int seed = 1; seed <= p->seeds; seed++)
    for (int k = 0; k < 2; k++)
      for (int n = 0; n < p->runs; n++) {
        shear s = {.strategy = STRATEGIES[k], .count = p->count, .steps = p->steps[n], .seed = seed, .curves = curves};
        if (run(&s, totals)) return 1;
        note(&f, &s, p, n);
      }
  const double ratio = (double)p->steps[p->runs - 1] / (double)p->steps[0];
  int wrong = discs_say(100 * f.missed <= f.steps, "all load steps, or 99 of 100, end in a minimum");
  wrong |= discs_say(f.drift < 1e-12, "the area stays, to 1e-12");
  wrong |= discs_say(f.stress > 0, "in the mean the stress becomes larger along the compression");
  wrong |= discs_say(f.fabric > 0, "in the mean more contacts than before run along it");
  return wrong | discs_say(f.many > f.few && f.many < ratio * f.few, "many load steps cost more in all, but each of them less");
}

static int read_steps(plan *p, const char *text) {
  char *end;
  for (p->runs = 0; p->runs < RUNS_MOST; text = end + 1) {
    p->steps[p->runs] = strtoll(text, &end, 10);
    if (end == text || p->steps[p->runs] < 1) return 0;
    p->runs++;
    if (*end != ',') return *end == 0 && p->steps[p->runs - 1] > p->steps[0];
  }
  return 0;
}

int main(int argc, char **argv) {
  plan p = {1024, {3, 10, 32, 100, 316, 1000}, 6, 3};
  const char *folder = NULL;
  int good = 1;
  for (int k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--count") == 0 && k + 1 < argc)
      p.count = strtoll(argv[++k], NULL, 10);
    else if (strcmp(argv[k], "--seeds") == 0 && k + 1 < argc)
      p.seeds = atoi(argv[++k]);
    else if (strcmp(argv[k], "--steps") == 0 && k + 1 < argc)
      good = read_steps(&p, argv[++k]);
    else
      folder = argv[k];
  }
  if (!good || !folder || p.count < 64 || p.seeds < 1)
    return puts("usage: shear [--count N] [--steps N1,N2,...] [--seeds K] FOLDER, N at least 64, steps rising"), 2;
  FILE *curves = discs_csv(folder, "shear_curves.csv",
                           "strategy,count,seed,steps,step,strain,stress,fabric,pressure,coordination,iterations,reason");
  FILE *totals =
      discs_csv(folder, "shear_totals.csv", "strategy,count,seed,steps,iterations,gradients,products,seconds,missed");
  int wrong = !curves || !totals || run_all(&p, curves, totals);
  if (curves) wrong |= fclose(curves) != 0;
  if (totals) wrong |= fclose(totals) != 0;
  return wrong;
}
