/* Vibrations of a packing of discs, far from jamming and near it: density of states, elastic moduli. See doc/linalg.md.
 *
 * usage: modes [--count N] [--lowest K] FOLDER
 *   --count N    discs; default 1000
 *   --lowest K   only the K lowest modes, by the Lanczos method; default all, by LAPACK
 * Writes FOLDER/modes.csv (one row for each mode) and FOLDER/modes_states.csv (one row for each packing). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "packing.h"

enum { STATES = 5 };
/* Area fractions; these discs jam at about 0.84. */
static const double PHI[STATES] = {1.0, 0.95, 0.9, 0.87, 0.85};

/* A frequency well below the largest, about 2.3. */
static const double SOFT = 0.3;

typedef struct run {
  int64_t count, lowest;
  FILE *modes, *states;
  double soft[STATES];                          /* part of all modes that is below SOFT */
  double bulk_kept[STATES], shear_kept[STATES]; /* modulus over its affine part */
} run;

static dem_status open_trial(packing *p, int box, dem_trial **trial) {
  dem_trial_options o;
  dem_trial_options_init(&o, sizeof o);
  o.rotations = 0;
  o.box = box;
  return dem_trial_open(p->system, &o, trial);
}

/* ---- modes ---- */

static double soft_part(const double *w, int64_t count, int64_t all) {
  int64_t soft = 0;
  while (soft < count && w[soft] < SOFT) soft++;
  return (double)soft / (double)all;
}

static dem_status find_modes(run *r, packing *p, int state) {
  const int64_t room = 2 * r->count;
  double *w = calloc((size_t)room * 2, sizeof *w), *participation = w + room;
  dem_linalg_modes_options o;
  dem_linalg_modes_report report;
  dem_trial *trial = NULL;
  dem_linalg_modes_options_init(&o, sizeof o);
  dem_linalg_modes_report_init(&report, sizeof report);
  o.dense_most = r->lowest ? 0 : room;
  o.count = r->lowest;
  dem_status status = w ? open_trial(p, 0, &trial) : DEM_NO_MEMORY;
  if (!status) status = dem_linalg_find_modes(p->linalg, trial, &o, room, w, participation, NULL, &report);
  for (int64_t k = 0; k < report.count && !status; k++)
    fprintf(r->modes, "%.17g,%lld,%.17g,%.17g\n", PHI[state], (long long)(report.unknowns - report.rigid), w[k],
            participation[k]);
  if (!status) {
    r->soft[state] = soft_part(w, report.count, report.unknowns - report.rigid);
    printf("  %lld modes of %lld discs (%lld rattlers): part below %g is %.4g, %lld zero, %lld unstable, residual %.1e\n",
           (long long)report.count, (long long)report.particles, (long long)report.rattlers, SOFT, r->soft[state],
           (long long)report.zero, (long long)report.unstable, report.residual);
  }
  dem_trial_close(trial);
  free(w);
  return status;
}

/* ---- moduli ---- */

static dem_status find_moduli(run *r, packing *p, int state, int64_t iterations) {
  dem_linalg_moduli m;
  dem_statics s;
  dem_trial *trial = NULL;
  dem_linalg_moduli_init(&m, sizeof m);
  dem_statics_init(&s, sizeof s);
  dem_status status = dem_system_statics(p->system, NULL, &s);
  if (!status) status = open_trial(p, 1, &trial);
  if (!status) status = dem_linalg_find_moduli(p->linalg, trial, &m);
  dem_trial_close(trial);
  if (status) return status;
  r->bulk_kept[state] = m.bulk / m.bulk_affine;
  r->shear_kept[state] = m.shear / m.shear_affine;
  printf(
      "phi %.4g: %lld iterations, pressure %.4g, contacts per disc %.4g, bulk %.4g (affine %.4g), shear %.4g (affine %.4g)\n",
      PHI[state], (long long)iterations, m.pressure, s.coordination_carrying, m.bulk, m.bulk_affine, m.shear, m.shear_affine);
  fprintf(r->states, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", PHI[state], m.pressure, s.coordination_carrying, m.bulk,
          m.shear, m.bulk_affine, m.shear_affine);
  return DEM_OK;
}

/* ---- the whole ---- */

static dem_status run_states(run *r) {
  packing p;
  dem_status status = packing_create(&p, r->count, PHI[0], 1);
  for (int state = 0; state < STATES && !status; state++) {
    dem_minimise_report report;
    dem_minimise_report_init(&report, sizeof report);
    if (state > 0) status = packing_expand(&p, PHI[state]);
    if (!status) status = packing_relax(&p, &report);
    if (!status && report.reason <= 0) printf("phi %g: no minimum was found, reason %d\n", PHI[state], report.reason);
    if (!status) status = find_moduli(r, &p, state, report.iterations);
    if (!status) status = find_modes(r, &p, state);
  }
  if (status) printf("%s: %s; %s\n", dem_status_name(status), dem_linalg_message(p.linalg), dem_system_message(p.system));
  packing_destroy(&p);
  return status;
}

static int say(int right, const char *fact) {
  printf("%s %s\n", right ? "ok    " : "WRONG ", fact);
  return !right;
}

static FILE *open_csv(const char *folder, const char *name, const char *head) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  if (file) fprintf(file, "%s\n", head);
  return file;
}

int main(int argc, char **argv) {
  run r = {.count = 1000};
  const char *folder = NULL;
  for (int k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--count") == 0 && k + 1 < argc)
      r.count = strtoll(argv[++k], NULL, 10);
    else if (strcmp(argv[k], "--lowest") == 0 && k + 1 < argc)
      r.lowest = strtoll(argv[++k], NULL, 10);
    else
      folder = argv[k];
  }
  if (!folder || r.count < 64 || r.lowest < 0) return puts("usage: modes [--count N] [--lowest K] FOLDER, N at least 64"), 2;
  r.modes = open_csv(folder, "modes.csv", "phi,all,frequency,participation");
  r.states = open_csv(folder, "modes_states.csv", "phi,pressure,coordination,bulk,shear,bulk_affine,shear_affine");
  if (!r.modes || !r.states) return printf("cannot write to %s\n", folder), 2;
  const dem_status status = run_states(&r);
  fclose(r.modes);
  fclose(r.states);
  if (status) return 1;
  int wrong = say(r.soft[STATES - 1] > 2 * r.soft[0], "near jamming more than twice as many modes are soft");
  wrong += say(r.shear_kept[STATES - 1] < 1.0 / 3,
               "there the response of the discs takes away more than two thirds of the shear modulus");
  wrong += say(r.bulk_kept[STATES - 1] > 0.5, "and less than half of the bulk modulus");
  return wrong != 0;
}
