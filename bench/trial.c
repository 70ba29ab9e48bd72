/* The case `trial`: time of energies, forces, tangents and products of a packing at trial states, per touching contact; beside it the
 * time of the plain loop (plain.c) over the same pairs, in turns. */
#include "trial.h"

#include <dem/plugin/trial.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- trials of one system ---- */

/* Displacements of two states, far smaller than the overlaps; each evaluation is of the other one. */
typedef struct probe {
  dem_system *system;
  dem_trial *trial;
  dem_trial_rows rows;
  double *u[2], *gradient;
  int64_t contacts;
} probe;

static int shift_rows(probe *p, const scene *s) {
  const size_t n = (size_t)p->rows.unknowns;
  for (int k = 0; k < 2; k++) p->u[k] = calloc(n, sizeof(double));
  p->gradient = calloc(n, sizeof(double));
  if (!p->u[0] || !p->u[1] || !p->gradient) return fail("trial", "out of memory");
  for (int64_t k = 0; k < s->count; k++)
    for (int a = 0; a < s->dimension; a++)
      p->u[1][k * p->rows.width + a] = 1e-6 * s->radius[0] * sin(12.9898 * (double)k + 78.233 * a);
  return 0;
}

static int probe_open(probe *p, const scene *s, const options *o, dem_context *context, const dem_law_options *law,
                      int32_t rotations) {
  dem_trial_options chosen;
  dem_statistics statistics;
  dem_trial_options_init(&chosen, sizeof chosen);
  dem_statistics_init(&statistics, sizeof statistics);
  dem_trial_rows_init(&p->rows, sizeof p->rows);
  chosen.rotations = rotations;
  p->system = scene_system(s, o, context, law);
  if (!p->system) return 1;
  if (dem_system_step(p->system, 1) || dem_trial_open(p->system, &chosen, &p->trial) || dem_trial_get_rows(p->trial, &p->rows))
    return fail("trial", dem_system_message(p->system));
  dem_system_statistics(p->system, &statistics);
  p->contacts = statistics.contacts + statistics.wall_contacts;
  return shift_rows(p, s);
}

static void probe_close(probe *p) {
  dem_trial_close(p->trial);
  dem_system_destroy(p->system);
  free(p->u[0]);
  free(p->u[1]);
  free(p->gradient);
}

/* ---- what is timed ---- */

typedef struct bed {
  probe still, smooth, rough; /* no law, frictionless, friction with history */
  plain plain;
  int flat;
} bed;

static double energy_sink;

static int evaluate(probe *p, int32_t ask, int turn) {
  return dem_trial_evaluate(p->trial, p->u[turn & 1], ask, ask & DEM_TRIAL_ENERGY ? &energy_sink : NULL, p->gradient) != DEM_OK;
}

static int time_plain(bed *b, int turn) {
  (void)turn;
  if (b->flat)
    plain_run_flat(&b->plain);
  else
    plain_run(&b->plain);
  return 0;
}
static int time_placing(bed *b, int turn) { return evaluate(&b->still, DEM_TRIAL_ENERGY, turn); }
static int time_rows(bed *b, int turn) { return evaluate(&b->still, DEM_TRIAL_FORCE, turn); }
static int time_lean(bed *b, int turn) { return evaluate(&b->smooth, DEM_TRIAL_FORCE, turn); }
static int time_energy(bed *b, int turn) { return evaluate(&b->smooth, DEM_TRIAL_FORCE | DEM_TRIAL_ENERGY, turn); }
static int time_energy_alone(bed *b, int turn) { return evaluate(&b->smooth, DEM_TRIAL_ENERGY, turn); }
static int time_force(bed *b, int turn) { return evaluate(&b->rough, DEM_TRIAL_FORCE, turn); }
static int time_tangent(bed *b, int turn) { return evaluate(&b->rough, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, turn); }
static int time_product(bed *b, int turn) {
  return dem_trial_apply(b->rough.trial, b->rough.u[turn & 1], b->rough.gradient) != DEM_OK;
}

/* The product comes behind the tangent, whose rows it reads. */
typedef enum timing { PLAIN, LEAN, ENERGY, ENERGY_ALONE, PLACING, ROWS, FORCE, TANGENT, PRODUCT, TIMINGS } timing;

static const struct {
  const char *name;
  int (*run)(bed *b, int turn);
} timed[TIMINGS] = {
    [PLAIN] = {"plain", time_plain},       [LEAN] = {"lean", time_lean},
    [ENERGY] = {"energy", time_energy},    [ENERGY_ALONE] = {"energy_alone", time_energy_alone},
    [PLACING] = {"placing", time_placing}, [ROWS] = {"rows", time_rows},
    [FORCE] = {"force", time_force},       [TANGENT] = {"tangent", time_tangent},
    [PRODUCT] = {"product", time_product},
};

/* Calls in a row, and one before that fills the caches. */
static int time_one(bed *b, int k, int calls, double *each) {
  if (timed[k].run(b, 0)) return 1;
  const double start = seconds();
  for (int turn = 1; turn <= calls; turn++)
    if (timed[k].run(b, turn)) return 1;
  *each = (seconds() - start) / calls;
  return 0;
}

static double contacts_of(const bed *b, timing k) {
  const int64_t contacts = k == PLAIN ? b->plain.contacts : k < FORCE ? b->smooth.contacts : b->rough.contacts;
  return contacts > 0 ? (double)contacts : 1.0;
}

/* ns: median of each, per contact. Without forces nothing is summed nor written; without contacts nothing is evaluated. */
static void print_split(const double *ns) {
  const double evaluating = ns[ENERGY_ALONE] - ns[PLACING], writing = ns[ROWS] - ns[PLACING];
  printf("split_placing %.4g\n", ns[PLACING]);
  printf("split_evaluating %.4g\n", evaluating);
  printf("split_summing %.4g\n", ns[LEAN] - ns[PLACING] - evaluating - writing);
  printf("split_writing %.4g\n", writing);
  printf("ratio_energy_to_lean %.4g\n", ns[ENERGY] / ns[LEAN]);
  printf("ratio_lean_to_plain %.4g\n", ns[LEAN] / ns[PLAIN]);
}

static void print_times(const bed *b, double *time, int repeats) {
  double ns[TIMINGS];
  for (int k = 0; k < TIMINGS; k++) {
    ns[k] = 1e9 * median(time + k * repeats, repeats) / contacts_of(b, (timing)k); /* sorts them */
    if (k != PLACING && k != ROWS) printf("ns_per_contact_%s %.4g\n", timed[k].name, ns[k]);
  }
  for (int k = 0; k < TIMINGS; k++)
    if (k != PLACING && k != ROWS)
      printf("fastest_%s %.4g\n", timed[k].name, 1e9 * time[k * repeats] / contacts_of(b, (timing)k));
  print_split(ns);
}

/* All of them in turns, so that other load on the machine meets each alike. */
static int time_all(bed *b, const options *o) {
  const int repeats = (int)o->repeat, calls = b->plain.count < 20000 ? 8 : 2;
  double *time = malloc((size_t)repeats * TIMINGS * sizeof *time);
  if (!time) return fail("--repeat", "out of memory");
  int failed = 0;
  for (int n = 0; n < repeats * TIMINGS && !failed; n++)
    failed = time_one(b, n % TIMINGS, calls, &time[n % TIMINGS * repeats + n / TIMINGS]);
  if (failed)
    fail("trial", dem_system_message(b->smooth.system));
  else
    print_times(b, time, repeats);
  free(time);
  return failed;
}

/* ---- all ---- */

static void choose_law(const scene *s, double friction, dem_law_options *law) {
  dem_law_options_init(law, sizeof *law);
  law->normal_stiffness = s->stiffness;
  law->friction = friction;
  if (friction == 0) law->tangential = DEM_TANGENTIAL_NONE;
}

static int open_all(bed *b, const scene *s, const options *o, dem_context *context) {
  dem_statistics statistics;
  dem_law_options smooth, rough, none;
  choose_law(s, 0, &smooth);
  choose_law(s, 0.5, &rough);
  none = smooth;
  none.normal = DEM_NORMAL_NONE;
  none.normal_stiffness = 0;
  memset(b, 0, sizeof *b);
  b->flat = s->dimension == 2;
  dem_statistics_init(&statistics, sizeof statistics);
  if (probe_open(&b->still, s, o, context, &none, 0) || probe_open(&b->smooth, s, o, context, &smooth, 0) ||
      probe_open(&b->rough, s, o, context, &rough, 1))
    return 1;
  dem_system_statistics(b->smooth.system, &statistics);
  return plain_open(&b->plain, s, statistics.skin) ? fail("plain loop", "out of memory") : 0;
}

static void close_all(bed *b) {
  probe_close(&b->still);
  probe_close(&b->smooth);
  probe_close(&b->rough);
  plain_close(&b->plain);
}

static void print_scene(const scene *s, const bed *b) {
  printf("particles %lld\n", (long long)s->count);
  printf("contacts %lld\n", (long long)b->smooth.contacts);
  printf("contacts_plain %lld\n", (long long)b->plain.contacts);
  printf("contacts_per_particle %.4g\n", (double)b->smooth.contacts / (double)s->count);
}

int run_trial(const options *o) {
  scene s;
  bed b;
  dem_context *context = bench_context(o);
  if (!context) return 1;
  int failed = scene_open(&s, o, context);
  if (!failed) {
    failed = open_all(&b, &s, o, context) || time_all(&b, o);
    if (!failed) print_scene(&s, &b);
    close_all(&b);
  }
  scene_close(&s);
  dem_context_destroy(context);
  return failed;
}
