/* The case `relax`: the time from a packing's start to its energy minimum. */
#include "relax.h"

#include <dem/plugin/objective.h>
#include <dem/plugin/trial.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the system ---- */

typedef struct bed {
  dem_system *system;
  dem_trial *trial;
  dem_minimiser *minimiser;
  double *u, *density;
} bed;

static int fill_system(bed *b, const packing *p, dem_context *context) {
  dem_law_options spring;
  dem_law *law;
  dem_particles rows;
  dem_law_options_init(&spring, sizeof spring);
  dem_particles_init(&rows, sizeof rows);
  spring.normal_stiffness = 1;
  spring.tangential = DEM_TANGENTIAL_NONE;
  if (dem_law_create(context, &spring, &law)) return 1;
  for (int64_t k = 0; k < p->count; k++) b->density[k] = 1;
  rows.count = p->count;
  rows.position = p->position;
  rows.radius = p->radius;
  rows.density = b->density;
  int failed = dem_system_add_material(b->system, NULL, NULL) || dem_system_set_law(b->system, 0, 0, law);
  dem_law_release(law);
  return failed || dem_system_add_particles(b->system, &rows, NULL);
}

static int open_system(bed *b, const packing *p, const options *o, dem_context *context) {
  dem_system_options chosen;
  dem_system_options_init(&chosen, sizeof chosen);
  chosen.dimension = p->dimension;
  chosen.shape = p->dimension == 2 ? DEM_SHAPE_DISC : DEM_SHAPE_SPHERE;
  for (int a = 0; a < p->dimension; a++) chosen.periodic[a] = 1;
  memcpy(chosen.box_high, p->length, sizeof chosen.box_high);
  chosen.threads = (int32_t)o->threads;
  chosen.dt = 1;
  chosen.skin = o->skin;
  if (dem_system_create(context, &chosen, &b->system)) return fail("system", dem_context_message(context));
  return fill_system(b, p, context) ? fail("system", dem_system_message(b->system)) : 0;
}

/* ---- its energy as an objective ---- */

static dem_status evaluate(void *user, const double *x, int32_t ask, double *value, double *gradient) {
  return dem_trial_evaluate(user, x, ask, value, gradient);
}
static dem_status apply(void *user, const double *p, double *product) { return dem_trial_apply(user, p, product); }
static dem_status blocks(void *user, dem_trial_block_fn visit, void *visitor) {
  return dem_trial_blocks(user, sizeof(dem_trial_block), visit, visitor);
}

static int open_minimiser(bed *b, const packing *p, const options *o, dem_context *context) {
  dem_trial_options chosen;
  dem_objective_table table;
  dem_minimise_options minimise;
  dem_trial_options_init(&chosen, sizeof chosen);
  dem_objective_table_init(&table, sizeof table);
  dem_minimise_options_init(&minimise, sizeof minimise);
  chosen.rotations = 0;
  chosen.reach = o->reach;
  if (dem_trial_open(b->system, &chosen, &b->trial)) return fail("trial", dem_system_message(b->system));
  table.contract = DEM_OBJECTIVE_CONTRACT;
  table.name = "packing";
  table.unknowns = p->count * p->dimension;
  table.longest_step = 0.1 * packing_least_radius(p);
  table.evaluate = evaluate;
  table.apply = apply;
  table.blocks = blocks;
  minimise.threads = (int32_t)o->threads;
  minimise.strategy = o->strategy;
  minimise.gradient_relative = o->tolerance;
  if (o->memory > 0) minimise.memory = (int32_t)o->memory;
  return dem_minimiser_create(context, &table, b->trial, NULL, &minimise, &b->minimiser)
             ? fail("minimiser", dem_context_message(context))
             : 0;
}

static int run_minimiser(bed *b, packing *p, relax_result *r) {
  dem_minimise_report report;
  dem_minimise_report_init(&report, sizeof report);
  if (dem_minimiser_run(b->minimiser) || dem_minimiser_get_report(b->minimiser, &report) ||
      dem_minimiser_get_point(b->minimiser, p->count * p->dimension, b->u))
    return fail("minimiser", dem_minimiser_message(b->minimiser));
  for (int64_t i = 0; i < p->count; i++)
    for (int a = 0; a < p->dimension; a++) p->position[3 * i + a] += b->u[i * p->dimension + a];
  r->iterations = report.iterations;
  r->gradients = report.gradients;
  r->products = report.products;
  r->reason = report.reason;
  r->gradient_relative = report.gradient / report.gradient_first;
  return 0;
}

/* Moves the packing to a minimum. */
static int library_relax(packing *p, const options *o, relax_result *result) {
  bed b = {NULL, NULL, NULL, NULL, NULL};
  const size_t n = (size_t)p->count + 1;
  dem_context *context = bench_context(o);
  if (!context) return 1;
  memset(result, 0, sizeof *result);
  b.u = malloc(3 * n * sizeof *b.u);
  b.density = malloc(n * sizeof *b.density);
  const double start = seconds();
  int failed = (!b.u || !b.density) && fail("relax", "out of memory");
  failed = failed || open_system(&b, p, o, context) || open_minimiser(&b, p, o, context);
  failed = failed || run_minimiser(&b, p, result);
  result->seconds = seconds() - start;
  dem_minimiser_destroy(b.minimiser);
  dem_trial_close(b.trial);
  dem_system_destroy(b.system);
  dem_context_destroy(context);
  free(b.u);
  free(b.density);
  return failed;
}

/* ---- the case ---- */

static void print_result(const relax_result *r) {
  printf("seconds %.4g\n", r->seconds);
  printf("reason %d\n", r->reason);
  printf("iterations %lld\n", r->iterations);
  printf("gradients %lld\n", r->gradients);
  printf("products %lld\n", r->products);
  printf("energy %.12g\n", r->energy);
  printf("pressure %.6g\n", r->pressure);
  printf("coordination %.6g\n", r->coordination);
  printf("gradient_relative %.4g\n", r->gradient_relative);
  printf("unbalanced_force %.4g\n", r->unbalanced_force);
}

int run_relax(const options *given) {
  options chosen = *given;
  const options *o = &chosen;
  packing p;
  if (o->tolerance < 0) chosen.tolerance = 1e-10;
  relax_result r;
  const char *name = o->strategy ? o->strategy : "automatic";
  if (!o->data && !o->make) return fail("relax", "needs --data FILE or --make discs|spheres");
  int failed = packing_open(&p, o);
  if (!failed && strcmp(name, "plain") == 0)
    failed = plain_relax(&p, o->tolerance, &r);
  else if (!failed)
    failed = library_relax(&p, o, &r);
  failed = failed || plain_measure(&p, &r);
  if (!failed) print_result(&r);
  packing_close(&p);
  return failed;
}
