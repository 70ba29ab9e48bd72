/* Length, mass and time in units of grain diameter d = 1, density 1 and gravity 1.
 *
 *   growth    the inserted grains grow to full size within one unit of time
 *   settling  until the kinetic energy per grain is below CALM
 *
 * Both under gravity, with the springs of the flow (k_n = 2e5) but strong damping and a background drag. Grown in the volume
 * that they will fill, the grains need not fall far, which saves most of the steps that pouring would take. */
#include "packing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "insertion.h"
#include "progress.h"

static const double PI = 3.14159265358979323846;
static const double CALM = 1e-3; /* kinetic energy per grain in units of m g d */
enum { GROWTH_STAGES = 100, STAGE_STEPS = 50, SETTLE_CHUNK = 250 };

/* Springs with restitution 0.3, on all pairs of the two materials. */
static dem_status set_law(dem_context *context, dem_system *system) {
  dem_law_options o;
  dem_law *law = NULL;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 200000;
  o.damping = o.tangential_damping = DEM_DAMPING_RESTITUTION;
  o.restitution = 0.3;
  o.friction = 0.5;
  dem_status status = dem_law_create(context, &o, &law);
  for (int32_t a = 0; a < 2 && !status; a++)
    for (int32_t b = 0; b <= a && !status; b++) status = dem_system_set_law(system, a, b, law);
  dem_law_release(law);
  return status;
}

static dem_status create_system(dem_context *context, const packing_options *o, const grains *g, dem_system **system) {
  dem_system_options s;
  dem_system_options_init(&s, sizeof s);
  s.threads = o->threads;
  s.periodic[0] = s.periodic[1] = 1;
  memcpy(s.box_low, g->low, sizeof s.box_low);
  memcpy(s.box_high, g->high, sizeof s.box_high);
  s.gravity[2] = -1;
  s.dt = 2e-4;
  s.drag = 0.3;
  dem_status status = dem_system_create(context, &s, system);
  if (!status) status = dem_system_add_material(*system, NULL, NULL);
  if (!status) status = dem_system_add_material(*system, NULL, NULL);
  if (!status) status = set_law(context, *system);
  if (!status) status = grains_add(g, *system);
  return status;
}

static int64_t moving_count(const grains *g) {
  int64_t n = 0;
  for (int64_t i = 0; i < g->count; i++) n += !g->frozen[i];
  return n;
}

/* Kinetic energy per moving grain in units of m g d. */
static double agitation(const dem_system *system, const grains *g) {
  dem_statistics now;
  dem_statistics_init(&now, sizeof now);
  if (dem_system_statistics(system, &now)) return 0;
  return (now.kinetic_energy + now.rotational_energy) / ((double)moving_count(g) * PI / 6);
}

/* The moving grains at `size` times their final radius, through the scratch array `radius`. */
static dem_status resize(dem_system *system, const grains *g, double size, double *radius) {
  for (int64_t i = 0; i < g->count; i++) radius[i] = g->frozen[i] ? g->radius[i] : size * g->radius[i];
  return dem_system_set(system, DEM_RADIUS, g->count, NULL, radius, 0);
}

static dem_status grow(dem_system *system, const grains *g, double *radius) {
  progress p;
  dem_status status = progress_begin(&p, "growing", system, GROWTH_STAGES * STAGE_STEPS);
  for (int stage = 0; stage < GROWTH_STAGES && !status; stage++) {
    status = resize(system, g, SHRUNK + (1 - SHRUNK) * stage / (GROWTH_STAGES - 1), radius);
    if (!status) status = dem_system_step(system, STAGE_STEPS);
    if (!status) progress_advance(&p, STAGE_STEPS);
  }
  progress_end(&p);
  return status;
}

static dem_status settle(dem_system *system, const grains *g, int64_t most) {
  progress p;
  dem_status status = progress_begin(&p, "settling", system, most);
  p.at_most = 1;
  for (int64_t done = 0; done < most && agitation(system, g) > CALM && !status; done += SETTLE_CHUNK) {
    const int64_t steps = SETTLE_CHUNK < most - done ? SETTLE_CHUNK : most - done;
    status = dem_system_step(system, steps);
    if (!status) progress_advance(&p, steps);
  }
  progress_end(&p);
  if (!status) fprintf(stderr, "kinetic energy per grain %.1e m g d, calm below %.0e\n", agitation(system, g), CALM);
  return status;
}

static dem_status grow_and_settle(dem_system *system, const packing_options *o, const grains *g) {
  double *radius = malloc((size_t)g->count * sizeof *radius);
  if (!radius) return DEM_NO_MEMORY;
  dem_status status = grow(system, g, radius);
  if (!status) status = settle(system, g, o->settle_steps);
  free(radius);
  return status;
}

/* The box ends a diameter above the highest grain: on the open axis that is a hint for the search grid only. */
static void fit_box(grains *g) {
  double top = 0;
  for (int64_t i = 0; i < g->count; i++) top = fmax(top, g->position[3 * i + 2]);
  g->high[2] = top + 1;
}

/* No grain may have fallen through the bed. */
static int check_bed(const grains *g) {
  for (int64_t i = 0; i < g->count; i++)
    if (g->position[3 * i + 2] < -1) {
      fprintf(stderr, "chute: grain %lld fell through the bed (z = %g); try another --seed\n", (long long)i,
              g->position[3 * i + 2]);
      return -1;
    }
  return 0;
}

int packing_make(dem_context *context, const packing_options *options, grains *g) {
  dem_system *system = NULL;
  if (insert_grains(options, g)) return 1;
  fprintf(stderr, "inserted %lld grains at random above a frozen bed of %lld\n", (long long)moving_count(g),
          (long long)(g->count - moving_count(g)));
  dem_status status = create_system(context, options, g, &system);
  if (!status) status = grow_and_settle(system, options, g);
  if (!status) status = grains_take(g, system);
  if (status && status != DEM_CANCELLED)
    fprintf(stderr, "chute: making the packing: %s: %s\n", dem_status_text(status),
            system ? dem_system_message(system) : dem_context_message(context));
  dem_system_destroy(system);
  if (status) return status == DEM_CANCELLED ? 2 : 1;
  fit_box(g);
  return check_bed(g) ? 1 : 0;
}
