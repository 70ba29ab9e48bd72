#include "packing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static double next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

static double diameter(int64_t k) { return k % 2 ? 7.0 / 6 : 5.0 / 6; }

static double length_of(int64_t count, double phi) {
  double area = 0;
  for (int64_t k = 0; k < count; k++) area += PI / 4 * diameter(k) * diameter(k);
  return sqrt(area / phi);
}

static dem_status add_discs(packing *p, int64_t count, double length, uint64_t seed) {
  double *x = calloc((size_t)count * 5, sizeof *x), *radius = x + 3 * count, *density = radius + count;
  dem_particles rows;
  dem_particles_init(&rows, sizeof rows);
  if (!x) return DEM_NO_MEMORY;
  for (int64_t k = 0; k < count; k++) {
    x[3 * k] = length * next_random(&seed);
    x[3 * k + 1] = length * next_random(&seed);
    radius[k] = diameter(k) / 2;
    density[k] = 4 / PI;
  }
  rows.count = count;
  rows.position = x;
  rows.radius = radius;
  rows.density = density;
  const dem_status status = dem_system_add_particles(p->system, &rows, NULL);
  free(x);
  return status;
}

static dem_status set_law(packing *p) {
  dem_law_options o;
  dem_law *law;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1;
  o.tangential = DEM_TANGENTIAL_NONE;
  dem_status status = dem_law_create(p->context, &o, &law);
  if (!status) status = dem_system_add_material(p->system, NULL, NULL);
  if (!status) status = dem_system_set_law(p->system, 0, 0, law);
  dem_law_release(law);
  return status;
}

dem_status packing_create(packing *p, int64_t count, double phi, uint64_t seed) {
  const double length = length_of(count, phi);
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dimension = 2;
  o.shape = DEM_SHAPE_DISC;
  o.dt = 0.1;
  for (int a = 0; a < 2; a++) o.periodic[a] = 1, o.box_high[a] = length;
  *p = (packing){NULL, NULL, NULL};
  dem_status status = dem_context_create(NULL, &p->context);
  if (!status) status = dem_linalg_create(NULL, &p->linalg);
  if (!status) status = dem_system_create(p->context, &o, &p->system);
  if (!status) status = set_law(p);
  return status ? status : add_discs(p, count, length, seed);
}

dem_status packing_expand(packing *p, double phi) {
  int64_t count;
  dem_box box;
  dem_box_init(&box, sizeof box);
  dem_status status = dem_system_particle_count(p->system, &count);
  if (!status) status = dem_system_get_box(p->system, &box);
  if (status) return status;
  for (int a = 0; a < 2; a++) box.high[a] = box.low[a] + length_of(count, phi);
  return dem_system_set_box(p->system, &box, 1);
}

/* ---- the energy of the discs as an objective, by a trial ---- */

typedef struct discs {
  dem_trial *trial;
  int64_t unknowns;
  double *at, *gradient; /* where the Hessian is wanted; room */
  int missing;           /* 1: the trial has been elsewhere since, and has no tangents now */
} discs;

static dem_status evaluate(void *user, const double *x, int32_t ask, double *value, double *gradient) {
  discs *d = user;
  d->missing = !(ask & DEM_OBJECTIVE_TANGENT);
  if (!d->missing) memcpy(d->at, x, (size_t)d->unknowns * sizeof *x);
  return dem_trial_evaluate(d->trial, x, ask, value, gradient);
}

static dem_status want_tangents(discs *d) {
  if (!d->missing) return DEM_OK;
  d->missing = 0;
  return dem_trial_evaluate(d->trial, d->at, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, d->gradient);
}

static dem_status multiply(void *user, const double *p, double *product) {
  discs *d = user;
  const dem_status status = want_tangents(d);
  return status ? status : dem_trial_apply(d->trial, p, product);
}

static dem_status visit_blocks(void *user, dem_trial_block_fn visit, void *visitor) {
  discs *d = user;
  const dem_status status = want_tangents(d);
  return status ? status : dem_trial_blocks(d->trial, sizeof(dem_trial_block), visit, visitor);
}

static void fill_table(dem_objective_table *table, int64_t unknowns) {
  dem_objective_table_init(table, sizeof *table);
  table->contract = DEM_OBJECTIVE_CONTRACT;
  table->name = "discs";
  table->unknowns = unknowns;
  table->longest_step = 0.2;
  table->evaluate = evaluate;
  table->apply = multiply;
  table->blocks = visit_blocks;
}

/* The system moves to the point of the minimiser. */
static dem_status move_there(discs *d, dem_minimiser *m) {
  double energy;
  dem_status status = dem_minimiser_get_point(m, d->unknowns, d->at);
  if (!status) status = dem_trial_evaluate(d->trial, d->at, DEM_TRIAL_ENERGY, &energy, NULL);
  return status ? status : dem_trial_accept(d->trial, NULL);
}

static dem_status minimise(packing *p, discs *d, const dem_preconditioner *cholesky, dem_minimise_report *report) {
  dem_objective_table table;
  dem_minimise_options o;
  dem_minimiser *m;
  fill_table(&table, d->unknowns);
  dem_minimise_options_init(&o, sizeof o);
  o.strategy = "trust-region-steihaug";
  o.preconditioner = cholesky;
  o.gradient_relative = 0;
  o.gradient_absolute = 1e-12;
  dem_status status = dem_minimiser_create(p->context, &table, d, NULL, &o, &m);
  if (!status) status = dem_minimiser_run(m);
  if (!status) status = dem_minimiser_get_report(m, report);
  if (!status) status = move_there(d, m);
  dem_minimiser_destroy(m);
  return status;
}

static dem_status open_discs(packing *p, discs *d) {
  dem_trial_options o;
  dem_trial_rows rows;
  dem_trial_options_init(&o, sizeof o);
  dem_trial_rows_init(&rows, sizeof rows);
  o.rotations = 0;
  dem_status status = dem_trial_open(p->system, &o, &d->trial);
  if (!status) status = dem_trial_get_rows(d->trial, &rows);
  if (status) return status;
  d->unknowns = rows.unknowns;
  d->at = calloc((size_t)rows.unknowns * 2, sizeof *d->at);
  d->gradient = d->at + rows.unknowns;
  return d->at ? DEM_OK : DEM_NO_MEMORY;
}

dem_status packing_relax(packing *p, dem_minimise_report *report) {
  discs d = {NULL, 0, NULL, NULL, 0};
  dem_preconditioner *cholesky = NULL;
  dem_status status = open_discs(p, &d);
  if (!status) status = dem_linalg_cholesky(p->linalg, p->context, NULL, &cholesky);
  if (!status) status = minimise(p, &d, cholesky, report);
  dem_preconditioner_release(cholesky);
  dem_trial_close(d.trial);
  free(d.at);
  return status;
}

void packing_destroy(packing *p) {
  dem_linalg_destroy(p->linalg);
  dem_system_destroy(p->system);
  dem_context_destroy(p->context);
}
