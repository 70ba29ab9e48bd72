/* Quasi-static pure shear of discs at constant area: a random packing is relaxed without friction, then sheared in load steps, each of
 * them an affine strain and a minimisation (dem/relax.h). See doc/benchmarks.md. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "relax.h"

typedef struct shear {
  const options *o;
  dem_context *context;
  dem_system *system;
  packing packing;
  dem_minimise_options method;
} shear;

static int refused(const shear *s, const char *what) { return fail(what, dem_system_message(s->system)); }

/* ---- the system ---- */

static int set_law(shear *s, double friction) {
  dem_law_options l;
  dem_law *law = NULL;
  dem_law_options_init(&l, sizeof l);
  l.normal_stiffness = 1;
  l.tangential = friction > 0 ? DEM_TANGENTIAL_LINEAR : DEM_TANGENTIAL_NONE;
  if (friction > 0) l.friction = friction, l.tangential_stiffness = 2.0 / 7.0;
  dem_status status = dem_law_create(s->context, &l, &law);
  if (!status) status = dem_system_set_law(s->system, 0, 0, law);
  dem_law_release(law);
  return status ? refused(s, "law") : 0;
}

static int add_discs(shear *s) {
  dem_particles p;
  dem_particles_init(&p, sizeof p);
  p.count = s->packing.count;
  p.position = s->packing.position;
  p.radius = p.density = s->packing.radius;
  return dem_system_add_particles(s->system, &p, NULL) ? refused(s, "discs") : 0;
}

static int make_system(shear *s) {
  dem_system_options c;
  dem_system_options_init(&c, sizeof c);
  c.dimension = 2;
  c.shape = DEM_SHAPE_DISC;
  c.dt = 0.01;
  c.threads = (int32_t)s->o->threads;
  c.skin = s->o->skin;
  for (int a = 0; a < 2; a++) {
    c.periodic[a] = 1;
    c.box_high[a] = s->packing.length[a];
  }
  if (dem_system_create(s->context, &c, &s->system)) return fail("system", dem_context_message(s->context));
  if (dem_system_add_material(s->system, NULL, NULL)) return refused(s, "material");
  return set_law(s, 0) || add_discs(s);
}

/* ---- the experiment ---- */

static int relax_start(shear *s) {
  dem_minimise_report report = {.struct_size = (uint32_t)sizeof report};
  const double start = seconds();
  if (dem_system_minimise(s->system, NULL, &s->method, &report)) return refused(s, "start");
  printf("seconds_start %.3f\niterations_start %lld\n", seconds() - start, (long long)report.iterations);
  if (report.reason <= 0) fprintf(stderr, "dem-bench: start: no minimum, reason %d\n", report.reason);
  return 0;
}

static int deform(shear *s) {
  dem_minimise_report report = {.struct_size = (uint32_t)sizeof report};
  dem_deformation d;
  dem_deformation_init(&d, sizeof d);
  d.steps = s->o->steps;
  d.strain[DEM_BOX_XX] = s->o->strain;
  d.strain[DEM_BOX_YY] = -s->o->strain;
  const double start = seconds(), processor = (double)clock();
  if (dem_system_deform(s->system, &d, NULL, &s->method, &report)) return refused(s, "deformation");
  printf("processor_seconds %.3f\n", ((double)clock() - processor) / CLOCKS_PER_SEC);
  printf("seconds %.3f\niterations %lld\ngradients %lld\nproducts %lld\nouter %lld\nreason %d\nstrategy %s\n",
         seconds() - start, (long long)report.iterations, (long long)report.gradients, (long long)report.products,
         (long long)report.outer, report.reason, report.strategy);
  return 0;
}

static int print_state(shear *s) {
  dem_statics t;
  dem_principal stress, fabric;
  dem_statics_init(&t, sizeof t);
  dem_principal_init(&stress, sizeof stress);
  dem_principal_init(&fabric, sizeof fabric);
  if (dem_system_statics(s->system, NULL, &t)) return refused(s, "statics");
  dem_tensor_principal(t.stress, 2, &stress);
  dem_tensor_principal(t.fabric, 2, &fabric);
  printf("shear_stress %.9g\npressure %.9g\ndeviatoric_fabric %.6g\ncoordination %.4f\n", stress.deviator, t.pressure,
         fabric.deviator, t.coordination);
  return 0;
}

int run_quasistatic(const options *given) {
  options o = *given;
  shear s;
  memset(&s, 0, sizeof s);
  s.o = &o;
  o.make = "discs";
  if (!(o.strain > 0)) o.strain = 0.04;
  dem_minimise_options_init(&s.method, sizeof s.method);
  s.method.strategy = o.strategy;
  s.method.gradient_relative = o.tolerance >= 0 ? o.tolerance : 1e-8;
  s.context = bench_context(&o);
  int failed = !s.context || packing_open(&s.packing, &o) || make_system(&s);
  failed = failed || relax_start(&s) || set_law(&s, o.friction) || deform(&s) || print_state(&s);
  packing_close(&s.packing);
  if (s.system) dem_system_destroy(s.system);
  if (s.context) dem_context_destroy(s.context);
  return failed;
}
