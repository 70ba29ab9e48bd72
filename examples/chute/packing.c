/* Length, mass and time in units of grain diameter d = 1, density 1 and gravity 1.
 *
 *   growth    the inserted grains grow to full size within one unit of time
 *   settling  until the kinetic energy per grain is below CALM
 *
 * Grown in the volume that they will fill, the grains need not fall far, which saves most of the steps that pouring would take.
 * Between stages of a few steps velocities are scaled down by exp(-drag dt steps): the host's own background drag, which,
 * unlike that of dem_system_options, can be taken away later. The same system goes on to flow, with all its contact histories.
 */
#include "packing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "insertion.h"
#include "progress.h"

static const double PI = 3.14159265358979323846, STEP = 2e-4;
static const double FALL_DRAG = 0.3, REST_DRAG = 5; /* while grains fall; while they grow and once they rest on each other */
static const double CALM = 1e-3;                    /* kinetic energy per grain in units of m g d */
enum { GROWTH_STAGES = 100, STAGE_STEPS = 50, CALM_STAGES = 5 };

static dem_statistics statistics_of(const dem_system *system) {
  dem_statistics now;
  dem_statistics_init(&now, sizeof now);
  dem_system_statistics(system, &now);
  return now;
}

/* Kinetic energy per moving grain in units of m g d. */
static double agitation(const dem_system *system, const grains *g) {
  const dem_statistics now = statistics_of(system);
  return (now.kinetic_energy + now.rotational_energy) / ((double)grains_moving(g) * PI / 6);
}

static dem_status scale_field(dem_system *system, int32_t field, int64_t count, double factor, double *rows) {
  dem_status status = dem_system_get_field(system, field, count, NULL, rows, 0);
  for (int64_t k = 0; k < 3 * count; k++) rows[k] *= factor;
  return status ? status : dem_system_set_field(system, field, count, NULL, rows, 0);
}

/* STAGE_STEPS steps, then as much drag as belongs to them. `rows` is scratch, 3 doubles a row. */
static dem_status stage(dem_system *system, const grains *g, int64_t steps, double drag, progress *p, double *rows) {
  const double factor = exp(-drag * STEP * (double)steps);
  dem_status status = dem_system_step(system, steps);
  if (!status) status = scale_field(system, DEM_VELOCITY, g->count, factor, rows);
  if (!status) status = scale_field(system, DEM_SPIN, g->count, factor, rows);
  if (!status) progress_advance(p, steps);
  return status;
}

/* The moving grains at `size` times their final radius. */
static dem_status resize(dem_system *system, const grains *g, double size, double *rows) {
  for (int64_t i = 0; i < g->count; i++) rows[i] = g->frozen[i] ? g->radius[i] : size * g->radius[i];
  return dem_system_set_field(system, DEM_RADIUS, g->count, NULL, rows, 0);
}

static dem_status grow(dem_system *system, const grains *g, double *rows) {
  progress p;
  dem_status status = progress_begin(&p, "growing", system, GROWTH_STAGES * STAGE_STEPS);
  for (int k = 0; k < GROWTH_STAGES && !status; k++) {
    status = resize(system, g, SHRUNK + (1 - SHRUNK) * k / (GROWTH_STAGES - 1), rows);
    if (!status) status = stage(system, g, STAGE_STEPS, REST_DRAG, &p, rows);
  }
  progress_end(&p);
  return status;
}

static dem_status settle(dem_system *system, const grains *g, int64_t most, double *rows) {
  progress p;
  dem_status status = progress_begin(&p, "settling", system, most);
  p.at_most = 1;
  for (int64_t done = 0, k = 0; done < most && !status; done += STAGE_STEPS, k++) {
    if (k % CALM_STAGES == 0 && agitation(system, g) < CALM) break;
    const double drag = statistics_of(system).coordination < 3.8 ? FALL_DRAG : REST_DRAG;
    status = stage(system, g, STAGE_STEPS < most - done ? STAGE_STEPS : most - done, drag, &p, rows);
  }
  progress_end(&p);
  if (!status) fprintf(stderr, "kinetic energy per grain %.1e m g d, calm below %.0e\n", agitation(system, g), CALM);
  return status;
}

/* The bed has no holes, but a system that was set up wrongly would show here. */
static dem_status check_bed(grains *g, const dem_system *system) {
  const dem_status status = grains_positions(g, system);
  for (int64_t i = 0; i < g->count && !status; i++)
    if (g->position[3 * i + 2] < -1)
      fprintf(stderr, "warning: grain %lld fell through the bed (z = %g)\n", (long long)i, g->position[3 * i + 2]);
  return status;
}

int packing_insert(const packing_options *options, grains *g) {
  if (insert_grains(options, g)) return -1;
  fprintf(stderr, "inserted %lld grains at random above a frozen bed of %lld\n", (long long)grains_moving(g),
          (long long)(g->count - grains_moving(g)));
  return 0;
}

dem_status packing_settle(dem_system *system, const packing_options *options, grains *g) {
  double *rows = malloc(3 * (size_t)g->count * sizeof *rows);
  if (!rows) return DEM_NO_MEMORY;
  dem_status status = dem_system_set_dt(system, STEP);
  if (!status) status = grow(system, g, rows);
  if (!status) status = settle(system, g, options->settle_steps, rows);
  if (!status) status = check_bed(g, system);
  free(rows);
  return status;
}
