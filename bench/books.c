/* dem-bench books: do the books close? Every scene under both integrators, the laws, and with attraction on and off; for each the
 * largest residual at a sampled step, over the largest account. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "books.h"

static const char *const integrators[2] = {"velocity-verlet", "euler"}, *const short_names[2] = {"vv", "euler"};
static const char *const law_names[BOOKS_LAWS] = {"hooke", "hertz", "mindlin", "rolling"};
enum { SAMPLES = 1000, LONG_RUN = 50000 };

/* ---- one run ---- */

typedef struct readings {
  double residual_max;
  int64_t samples;
  dem_energy last;
} readings;

static int32_t on_sample(void *user, int64_t step, double time, const dem_energy *e) {
  readings *r = user;
  (void)step;
  (void)time;
  /* Not a number counts as the worst. */
  if (!(e->residual_relative <= r->residual_max))
    r->residual_max = isnan(e->residual_relative) ? HUGE_VAL : e->residual_relative;
  r->samples++;
  r->last = *e;
  return 0;
}

static int32_t on_progress(void *user, const dem_progress *p) {
  fprintf(stderr, "dem-bench: %s: %lld of %lld steps, %.0f s\n", (const char *)user, (long long)p->step, (long long)p->steps,
          p->seconds);
  return 0;
}

static dem_status run_scene(dem_system *system, char *name, int64_t steps, readings *r) {
  const int64_t every = steps > SAMPLES ? steps / SAMPLES : 1;
  memset(r, 0, sizeof *r);
  dem_status status = dem_system_set_energy_sampling(system, every, on_sample, r);
  if (!status && steps >= LONG_RUN) status = dem_system_set_progress(system, steps / 10, on_progress, name);
  return status ? status : dem_system_step(system, steps);
}

/* Bonds that broke, for the record. */
static int64_t count_breaks(dem_system *system) {
  enum { ROOM = 256 };
  dem_bond_break room[ROOM];
  int64_t sum = 0, count = ROOM;
  while (count == ROOM && !dem_system_take_bond_breaks(system, ROOM, room, sizeof *room, &count)) sum += count;
  return sum;
}

static void print_run(const char *name, const readings *r, double wall, dem_system *system, int details) {
  const dem_energy *e = &r->last;
  printf("residual_%s %.6g\n", name, r->residual_max);
  if (!details) return;
  printf("samples %lld\nseconds %.3f\n", (long long)r->samples, wall);
  printf("kinetic %.6g\ngravity %.6g\n", e->kinetic_linear + e->kinetic_angular + e->kinetic_walls, e->gravity);
  printf("potential %.6g\n", e->potential_normal[0] + e->potential_normal[1] + e->potential_tangential[0] +
                                 e->potential_tangential[1] + e->potential_rolling[0] + e->potential_rolling[1] +
                                 e->potential_twisting[0] + e->potential_twisting[1] + e->potential_bond);
  printf("rolling %.6g\ntwisting %.6g\n", e->rolling[0] + e->rolling[1], e->twisting[0] + e->twisting[1]);
  printf("sliding %.6g\nbreakage %.6g\n", e->sliding[0] + e->sliding[1], e->breakage);
  printf("hysteresis %.6g\nnumerical %.6g\nwalls %.6g\n", e->hysteresis[0] + e->hysteresis[1],
         e->numerical[0] + e->numerical[1], e->walls);
  printf("bonds_broken %lld\n", (long long)count_breaks(system));
}

/* Runs one combination and raises `worst`. */
static int run_combination(dem_context *context, const options *o, const books_scene *s, const books_setup *setup,
                           double *worst) {
  char name[96];
  readings r;
  dem_system *system = NULL;
  snprintf(name, sizeof name, "%s_%s_%s_a%d", s->name, short_names[strcmp(setup->integrator, integrators[0]) != 0],
           law_names[setup->law], (int)setup->attraction);
  dem_status status = s->build(context, setup, &system);
  if (!status && o->write) status = dem_system_write_data_path(system, o->write);
  const int64_t steps = o->steps >= 0 ? o->steps : o->quick ? s->quick_steps : s->steps;
  const double start = seconds();
  if (!status) status = run_scene(system, name, steps, &r);
  if (status) {
    fail(name, system ? dem_system_message(system) : dem_context_message(context));
  } else {
    print_run(name, &r, seconds() - start, system, o->scene != NULL);
    *worst = fmax(*worst, r.residual_max);
  }
  dem_system_destroy(system);
  return status != DEM_OK;
}

/* ---- all of them ---- */

/* Whether a combination is wanted. Half of them still show every pair of choices together. */
static int wanted(const options *o, const books_scene *s, int32_t integrator, int32_t law, int32_t attraction) {
  if (s->half && (integrator + law + attraction) % 2) return 0;
  return !o->integrator || strcmp(o->integrator, integrators[integrator]) == 0;
}

static int run_all_of(dem_context *context, const options *o, const books_scene *s, double *worst) {
  int failed = 0;
  for (int32_t integrator = 0; integrator < 2; integrator++)
    for (int32_t law = 0; law < s->laws; law++)
      for (int32_t attraction = s->damped ? 0 : 1; attraction < 2; attraction++) {
        const books_setup setup = {integrators[integrator], law, attraction, (int32_t)o->threads};
        if (wanted(o, s, integrator, law, attraction)) failed |= run_combination(context, o, s, &setup, worst);
      }
  return failed;
}

int run_books(const options *o) {
  int failed = 0, found = 0;
  double worst = 0;
  dem_context *context = bench_context(o);
  if (!context) return 1;
  for (int k = 0; k < books_scene_count; k++) {
    const books_scene *s = &books_scenes[k];
    if (o->scene ? strcmp(o->scene, s->name) != 0 : s->alone) continue;
    double of_scene = 0;
    found = 1;
    failed |= run_all_of(context, o, s, &of_scene);
    printf("residual_%s %.6g\n", s->name, of_scene);
    fflush(stdout);
    worst = fmax(worst, of_scene);
  }
  dem_context_destroy(context);
  if (!found) return fail("--scene", "no scene of that name; doc/benchmarks.md lists them");
  printf("residual_max %.6g\n", worst);
  return failed;
}
