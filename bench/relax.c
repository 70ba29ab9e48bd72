/* The case `relax`: the time from a packing's start to its energy minimum. */
#include "relax.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the system ---- */

typedef struct bed {
  dem_system *system;
  dem_id *id;
  double *density;
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
  return failed || dem_system_add_particles(b->system, &rows, b->id);
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

/* ---- its minimum ---- */

static double tolerance_of(const options *o) { return o->tolerance >= 0 ? o->tolerance : o->force > 0 ? 0 : 1e-10; }

static int run_minimiser(bed *b, packing *p, const options *o, relax_result *r) {
  dem_minimise_report report;
  dem_minimise_options minimise;
  dem_relax_options relax;
  dem_minimise_report_init(&report, sizeof report);
  dem_minimise_options_init(&minimise, sizeof minimise);
  dem_relax_options_init(&relax, sizeof relax);
  minimise.strategy = o->strategy;
  minimise.gradient_relative = tolerance_of(o);
  minimise.force_relative = o->force;
  if (o->memory > 0) minimise.memory = (int32_t)o->memory;
  relax.reach = o->reach;
  if (dem_system_minimise(b->system, &relax, &minimise, &report)) return fail("relax", dem_system_message(b->system));
  r->iterations = report.iterations;
  r->gradients = report.gradients;
  r->products = report.products;
  r->reason = report.reason;
  r->gradient_relative = report.gradient_first > 0 ? report.gradient / report.gradient_first : 0;
  return dem_system_get_field(b->system, DEM_POSITION, p->count, b->id, p->position, 0)
             ? fail("relax", dem_system_message(b->system))
             : 0;
}

/* Moves the packing to a minimum. */
static int library_relax(packing *p, const options *o, relax_result *result) {
  bed b = {NULL, NULL, NULL};
  const size_t n = (size_t)p->count + 1;
  dem_context *context = bench_context(o);
  if (!context) return 1;
  memset(result, 0, sizeof *result);
  b.id = malloc(n * sizeof *b.id);
  b.density = malloc(n * sizeof *b.density);
  const double start = seconds();
  int failed = (!b.id || !b.density) && fail("relax", "out of memory");
  failed = failed || open_system(&b, p, o, context) || run_minimiser(&b, p, o, result);
  result->seconds = seconds() - start;
  dem_system_destroy(b.system);
  dem_context_destroy(context);
  free(b.id);
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
    failed = plain_relax(&p, tolerance_of(o), &r);
  else if (!failed)
    failed = library_relax(&p, o, &r);
  failed = failed || plain_measure(&p, &r);
  if (!failed) print_result(&r);
  packing_close(&p);
  return failed;
}
