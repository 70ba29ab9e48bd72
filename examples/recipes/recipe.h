/* What the recipes share: errors, log, and a system of glass beads of 4 mm in SI units.
 *
 * Contacts are Hooke's with history. With k = 500 N/m the overlap under 0.1 m of fill is about 1 % of the diameter and the time of
 * contact is pi sqrt(m/(2 k)) = 0.9 ms; the time step is a thirtieth of that. Where grains fall, k = 2000 N/m is taken. */
#ifndef RECIPE_H
#define RECIPE_H

#include <dem/dem.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIAMETER 0.004
#define DENSITY 2500.0
#define GRAVITY 9.81
#ifndef STIFFNESS
#define STIFFNESS 500.0
#endif
#define DT (3e-5 * sqrt(500.0 / STIFFNESS))

static const double pi = 3.14159265358979323846;

typedef struct recipe {
  dem_context *context;
  dem_system *system;
} recipe;

/* Where warnings and notes of the library go; it prints nothing itself. */
static void log_line(void *user, int32_t level, const char *text) {
  (void)user;
  fprintf(stderr, "%s: %s\n", level == DEM_LOG_WARNING ? "warning" : "note", text);
}

/* Every call returns a status; the text of a refusal is kept by the system, or by the context while there is none. */
static void check(const recipe *r, dem_status status) {
  if (status == DEM_OK) return;
  fprintf(stderr, "%s: %s\n", dem_status_name(status),
          r->system ? dem_system_message(r->system) : dem_context_message(r->context));
  exit(1);
}

static void open_recipe(recipe *r, const dem_system_options *options, double friction) {
  dem_context_options c;
  dem_law_options hooke;
  dem_law *law = NULL;
  memset(r, 0, sizeof *r);
  dem_context_options_init(&c, sizeof c);
  c.log = log_line;
  check(r, dem_context_create(&c, &r->context));
  check(r, dem_system_create(r->context, options, &r->system));
  check(r, dem_system_add_material(r->system, NULL, NULL));
  dem_law_options_init(&hooke, sizeof hooke);
  hooke.normal_stiffness = STIFFNESS;
  hooke.damping = hooke.tangential_damping = DEM_DAMPING_RESTITUTION;
  hooke.restitution = 0.6;
  hooke.friction = friction;
  check(r, dem_law_create(r->context, &hooke, &law));
  check(r, dem_system_set_law(r->system, 0, 0, law));
  dem_law_release(law); /* the system keeps its own reference */
}

static void close_recipe(recipe *r) {
  dem_system_destroy(r->system);
  if (dem_context_destroy(r->context)) exit(1);
}

static double uniform(double low, double high) { return low + (high - low) * rand() / RAND_MAX; }

/* Beads at `position` (3 each), at rest, radii 0.9 to 1.0 of the nominal one. */
static inline void add_beads(recipe *r, int64_t count, const double *position, dem_id *ids) {
  double *radius = malloc((size_t)count * sizeof *radius), *density = malloc((size_t)count * sizeof *density);
  if (!radius || !density) exit(1);
  for (int64_t i = 0; i < count; i++) radius[i] = 0.5 * DIAMETER * uniform(0.9, 1.0), density[i] = DENSITY;
  dem_particles beads;
  dem_particles_init(&beads, sizeof beads);
  beads.count = count, beads.position = position, beads.radius = radius, beads.density = density;
  check(r, dem_system_add_particles(r->system, &beads, ids));
  free(radius), free(density);
}

/* The verdict: prints the statement and its range; 0 when it holds. */
static inline int holds(const char *what, double value, double low, double high) {
  const int good = value >= low && value <= high;
  printf("%s: %.4g, expected %.4g to %.4g: %s\n", what, value, low, high, good ? "holds" : "DOES NOT HOLD");
  return !good;
}

#endif
