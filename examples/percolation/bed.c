/* Spheres on a loose lattice, shaken a little out of their places, fall on a floor and dissipate until they rest. */
#include "bed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846, GRAVITY = 9.81, DENSITY = 2500;
static const double FRICTION = 0.1, RESTITUTION = 0.5, OVERLAP = 1e-2; /* of the radius, after a fall of `depth` */

static int refused(const char *what, const char *message) {
  fprintf(stderr, "bed: %s: %s\n", what, message);
  return 1;
}

/* The same everywhere: Lehmer's generator of Park and Miller (Commun. ACM 31 (1988) 1192). */
static double random_in(uint64_t *state, double low, double high) {
  *state = *state * 48271 % 2147483647;
  return low + (high - low) * (double)*state / 2147483647;
}

static double stiffness_for(double mass, double radius, double depth) {
  const double speed2 = 2 * GRAVITY * depth, overlap = OVERLAP * radius;
  return 0.5 * mass * speed2 / (overlap * overlap);
}

static dem_status create(dem_context *context, const bed *b, double depth, dem_system **system) {
  const double mass = 4.0 / 3 * PI * b->radius * b->radius * b->radius * DENSITY;
  dem_system_options o;
  dem_law_options law;
  dem_wall ground;
  dem_law *made = NULL;
  dem_system_options_init(&o, sizeof o);
  dem_law_options_init(&law, sizeof law);
  dem_wall_init(&ground, sizeof ground);
  law.normal_stiffness = stiffness_for(mass, b->radius, depth);
  law.damping = DEM_DAMPING_RESTITUTION;
  law.restitution = RESTITUTION;
  law.friction = FRICTION;
  o.dt = PI * sqrt(mass / law.normal_stiffness) / 30;
  o.gravity[2] = -GRAVITY;
  o.periodic[0] = o.periodic[1] = 1;
  o.box_high[0] = o.box_high[1] = b->side;
  ground.axis[2] = 1;
  dem_status status = dem_system_create(context, &o, system);
  if (!status) status = dem_system_add_material(*system, NULL, NULL);
  if (!status) status = dem_law_create(context, &law, &made);
  if (!status) status = dem_system_set_law(*system, 0, 0, made);
  if (!status) status = dem_system_add_wall(*system, &ground, NULL);
  dem_law_release(made);
  return status;
}

/* A cubic lattice of edge 2.4 R, everything moved by up to 0.19 R. */
static dem_status pour(const bed *b, dem_system *system) {
  const int32_t across = (int32_t)floor(b->side / (2.4 * b->radius));
  const double edge = b->side / across, play = 0.19 * b->radius;
  double *radius = malloc(2 * (size_t)b->count * sizeof *radius);
  uint64_t state = 1;
  dem_particles p;
  if (!radius) return DEM_NO_MEMORY;
  for (int64_t k = 0; k < b->count; k++) {
    const int64_t at[3] = {k % across, k / across % across, k / across / across};
    for (int a = 0; a < 3; a++)
      b->position[3 * k + a] = ((double)at[a] + 0.5) * (a < 2 ? edge : 2.4 * b->radius) + random_in(&state, -play, play);
    radius[k] = b->radius;
    radius[b->count + k] = DENSITY;
  }
  dem_particles_init(&p, sizeof p);
  p.count = b->count;
  p.position = b->position;
  p.radius = radius;
  p.density = radius + b->count;
  const dem_status status = dem_system_add_particles(system, &p, NULL);
  free(radius);
  return status;
}

/* Until nothing moves any more: 1e-4 of the speed of a fall of one radius. */
static dem_status settle(const bed *b, dem_system *system) {
  const double speed = 1e-4 * sqrt(2 * GRAVITY * b->radius), still = 0.5 * speed * speed, wait = sqrt(b->radius / GRAVITY);
  const double mass = 4.0 / 3 * PI * b->radius * b->radius * b->radius * DENSITY;
  dem_statistics s;
  dem_statistics_init(&s, sizeof s);
  dem_status status = dem_system_run_until(system, 20 * wait);
  for (int k = 0; !status && k < 400; k++) {
    status = dem_system_statistics(system, &s);
    if (s.kinetic_energy < still * mass * (double)b->count) break;
    double time;
    dem_system_time(system, &time);
    if (!status) status = dem_system_run_until(system, time + wait);
  }
  return status ? status : dem_system_get_field(system, DEM_POSITION, b->count, NULL, b->position, 0);
}

int bed_make(dem_context *context, double radius, double side, double depth, bed *b) {
  const double volume = 4.0 / 3 * PI * radius * radius * radius;
  *b = (bed){.count = (int64_t)(0.6 * side * side * depth / volume), .radius = radius, .side = side};
  b->position = malloc(3 * (size_t)b->count * sizeof *b->position);
  if (!b->position) return refused("make", "out of memory");
  dem_system *system = NULL;
  dem_status status = create(context, b, depth, &system);
  if (!status) status = pour(b, system);
  if (!status) status = settle(b, system);
  if (status) refused(dem_status_text(status), system ? dem_system_message(system) : dem_context_message(context));
  dem_system_destroy(system);
  for (int64_t k = 0; k < b->count; k++) b->top = fmax(b->top, b->position[3 * k + 2] + radius);
  if (status) bed_free(b);
  return status != DEM_OK;
}

void bed_free(bed *b) {
  free(b->position);
  memset(b, 0, sizeof *b);
}
