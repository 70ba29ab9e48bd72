/* The fall of fine spheres through a bed of large ones; set-up and parameters: examples/percolation. */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "fall.h"

static const double RADIUS = 5e-3, SIDE = 10, DEPTH = 20; /* [m]; in radii */

static const char *scheme_of(const options *o) {
  if (strcmp(o->scheme, "standard") == 0) return "velocity-verlet";
  if (strcmp(o->scheme, "improved") == 0) return "improved-velocity-verlet";
  return NULL;
}

static int fall_and_print(dem_context *context, const bed *b, const fall_options *o) {
  fall f;
  const double start = seconds();
  int failed = fall_open(context, b, o, &f);
  for (double t = 1; t <= o->time && !failed; t += 1) {
    failed = fall_until(&f, t);
    if ((int)t % 10 == 0)
      fprintf(stderr, "dem-bench: percolation: time %g of %g, %lld through, %lld trapped, %.0f s\n", t, o->time,
              (long long)f.through, (long long)f.trapped, seconds() - start);
  }
  if (!failed) {
    const double wall = seconds() - start, fines = (double)o->fines;
    printf("trapped_fraction %.6g\n", (double)f.trapped / fines);
    printf("through_fraction %.6g\n", (double)f.through / fines);
    printf("fines %lld\nlarge %lld\n", (long long)o->fines, (long long)b->count);
    printf("time %.6g\nsteps %lld\n", o->time, (long long)f.steps);
    printf("steps_per_second %.6g\nseconds %.6g\n", (double)f.steps / wall, wall);
  }
  fall_close(&f);
  return failed;
}

int run_percolation(const options *o) {
  fall_options f = fall_defaults();
  bed b;
  f.scheme = scheme_of(o);
  if (!f.scheme) return fail(o->scheme, "--scheme takes standard or improved");
  if (o->ratio > 0) f.ratio = o->ratio;
  if (o->restitution > 0) f.restitution = o->restitution;
  if (!(f.ratio > 1)) return fail("--ratio", "takes R/r > 1");
  if (o->quick) f.fines = 250;
  dem_context *context = bench_context(o);
  const int failed = !context || bed_make(context, RADIUS, SIDE * RADIUS, DEPTH * RADIUS, &b);
  const int wrong = failed || fall_and_print(context, &b, &f);
  if (!failed) bed_free(&b);
  dem_context_destroy(context);
  return wrong;
}
