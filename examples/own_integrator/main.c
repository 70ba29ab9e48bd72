/* The order of the integrator of own_integrator.c: a sphere pressed into a floor is a harmonic oscillator as long as it
 * touches, d(t) = d_0 cos wt + (v/w) sin wt,   w^2 = k/m, and its error at wt = 1 falls by 2^order when the step is halved. */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "own_integrator.h"

static const double RADIUS = 0.5, DENSITY = 1, STIFFNESS = 1e4, DEPTH = 1e-3, SPEED = 0.2, PI = 3.14159265358979323846;

static void die(const char *what, dem_status status, const char *message) {
  fprintf(stderr, "own_integrator: %s: %s: %s\n", what, dem_status_text(status), message);
  exit(1);
}

static void check(dem_system *system, const char *what, dem_status status) {
  if (status) die(what, status, dem_system_message(system));
}

static void set_spring(dem_context *context, dem_system *system) {
  dem_law *law = NULL;
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = STIFFNESS;
  o.tangential = DEM_TANGENTIAL_NONE;
  const dem_status status = dem_law_create(context, &o, &law);
  if (status) die("law", status, dem_context_message(context));
  check(system, "material", dem_system_add_material(system, NULL, NULL));
  check(system, "law", dem_system_set_law(system, 0, 0, law));
  dem_law_release(law);
}

static void add_floor_and_sphere(dem_system *system) {
  const double position[3] = {0, 0, RADIUS - DEPTH}, velocity[3] = {0, 0, -SPEED};
  dem_wall floor;
  dem_wall_init(&floor, sizeof floor);
  floor.axis[2] = 1;
  check(system, "plane", dem_system_add_wall(system, &floor, NULL));
  dem_particles rows;
  dem_particles_init(&rows, sizeof rows);
  rows.count = 1;
  rows.position = position;
  rows.velocity = velocity;
  rows.radius = &RADIUS;
  rows.density = &DENSITY;
  check(system, "add", dem_system_add_particles(system, &rows, NULL));
}

static void set_own_integrator(dem_context *context, dem_system *system) {
  dem_integrator_table table;
  dem_integrator *integrator = NULL;
  own_position_verlet(&table);
  const dem_status status = dem_integrator_create(context, &table, NULL, &integrator);
  if (status) die("integrator", status, dem_context_message(context));
  check(system, "integrator", dem_system_set_integrator(system, integrator));
  dem_integrator_release(integrator);
}

/* Error of the overlap at wt = 1 after `steps` steps. */
static double error_of(dem_context *context, int64_t steps) {
  const double w = sqrt(STIFFNESS / (4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS * DENSITY));
  dem_system_options o;
  dem_system *system = NULL;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1 / w / (double)steps;
  const dem_status status = dem_system_create(context, &o, &system);
  if (status) die("system", status, dem_context_message(context));
  set_spring(context, system);
  add_floor_and_sphere(system);
  set_own_integrator(context, system);
  double x[3];
  check(system, "step", dem_system_step(system, steps));
  check(system, "position", dem_system_get_field(system, DEM_POSITION, 1, NULL, x, 0));
  dem_system_destroy(system);
  return fabs(RADIUS - x[2] - (DEPTH * cos(1) + SPEED / w * sin(1)));
}

int main(void) {
  dem_context *context = NULL;
  if (dem_context_create(NULL, &context)) return fprintf(stderr, "own_integrator: no context\n"), 1;
  double order = 0, before = 0;
  for (int64_t steps = 25; steps <= 400; steps *= 2) {
    const double error = error_of(context, steps);
    if (before > 0) order = log2(before / error);
    printf("%4d steps  error of the overlap %.3e", (int)steps, error);
    if (before > 0) printf("  order %.3f", order);
    printf("\n");
    before = error;
  }
  dem_context_destroy(context);
  const int right = fabs(order - 2) < 0.05;
  printf("observed order %.3f, expected 2: %s\n", order, right ? "ok" : "WRONG");
  return right ? 0 : 1;
}
