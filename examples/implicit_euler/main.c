/* The steps of implicit_euler.c against closed forms.
 *
 * A sphere between a floor and a lid that both press on it is an oscillator, w^2 = 2 k/m. Backward Euler damps it at every step by
 * 1/sqrt(1 + (w h)^2), whatever the step; explicit schemes explode beyond w h = 2.
 *
 * A column of spheres that falls on the floor comes to rest, with steps of 20 times the stable one. Each contact then carries the weight
 * of the spheres above it, so that sphere k = 0, 1, ... of n rests at  R + 2 R k - sum_{i <= k} (n - i) m g/k_n. */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "implicit_euler.h"

static const double RADIUS = 0.5, MASS = 1, STIFFNESS = 1e5, GRAVITY = 10, PI = 3.14159265358979323846;
enum { SPHERES = 20 };

static void check(dem_system *system, const char *what, dem_status status) {
  if (!status) return;
  fprintf(stderr, "implicit_euler: %s: %s: %s\n", what, dem_status_text(status), dem_system_message(system));
  exit(1);
}

/* Elastic springs alone: the steps dissipate by themselves. The force of a dashpot jumps at the first touch, which makes Newton's method slow. */
static dem_system *open_system(dem_context *context, double gravity) {
  dem_system *system = NULL;
  dem_system_options o;
  dem_law_options l;
  dem_law *law = NULL;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4; /* of steps of the library, which are not made here */
  o.gravity[2] = -gravity;
  check(NULL, "system", dem_system_create(context, &o, &system));
  dem_law_options_init(&l, sizeof l);
  l.normal_stiffness = STIFFNESS;
  l.tangential = DEM_TANGENTIAL_NONE;
  check(system, "law", dem_law_create(context, &l, &law));
  check(system, "material", dem_system_add_material(system, NULL, NULL));
  check(system, "law", dem_system_set_law(system, 0, 0, law));
  dem_law_release(law);
  return system;
}

static void add_wall(dem_system *system, double x, double y, double z, double place) {
  dem_wall wall;
  dem_wall_init(&wall, sizeof wall);
  wall.axis[0] = x, wall.axis[1] = y, wall.axis[2] = z;
  for (int a = 0; a < 3; a++) wall.position[a] = fabs(wall.axis[a]) * place;
  check(system, "wall", dem_system_add_wall(system, &wall, NULL));
}

static void add_sphere(dem_system *system, double x, double y, double z) {
  const double position[3] = {x, y, z}, density = MASS / (4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS);
  dem_particles rows;
  dem_particles_init(&rows, sizeof rows);
  rows.count = 1;
  rows.position = position;
  rows.radius = &RADIUS;
  rows.density = &density;
  check(system, "sphere", dem_system_add_particles(system, &rows, NULL));
}

/* Largest error of position, over the amplitude, in three steps; w h is given. */
static double error_of_oscillator(dem_context *context, double wh) {
  const double press = 1e-2, amplitude = 5e-3, w = sqrt(2 * STIFFNESS / MASS), h = wh / w, middle = RADIUS - press;
  dem_system *system = open_system(context, 0);
  implicit_euler s;
  double at[3], x = amplitude, v = 0, worst = 0;
  add_wall(system, 0, 0, 1, 0);
  add_wall(system, 0, 0, -1, 2 * middle);
  add_sphere(system, 0, 0, middle + amplitude);
  check(system, "open", implicit_euler_open(&s, system, h));
  for (int k = 0; k < 3; k++) {
    const double factor = 1 / (1 + wh * wh), old = x;
    x = (old + h * v) * factor; /* |(v, w x)| falls by sqrt(factor) */
    v = (x - old) / h;
    check(system, "step", implicit_euler_step(&s, 1e-12 * STIFFNESS * press));
    check(system, "read", dem_system_get_field(system, DEM_POSITION, 1, NULL, at, 0));
    worst = fmax(worst, fabs(at[2] - middle - x) / amplitude);
  }
  implicit_euler_close(&s);
  dem_system_destroy(system);
  return worst;
}

/* Largest distance of a sphere from where it should rest, over the largest overlap. */
static double error_of_column(dem_context *context) {
  dem_system *system = open_system(context, GRAVITY);
  implicit_euler s;
  double stable = 0, x[3 * SPHERES], rest = RADIUS, worst = 0;
  const double weight = MASS * GRAVITY, largest = SPHERES * weight / STIFFNESS;
  int steps = 0;
  add_wall(system, 0, 0, 1, 0);
  for (int k = 0; k < SPHERES; k++) add_sphere(system, 0, 0, 1.1 * k + 0.7);
  check(system, "stable step", dem_system_stable_dt(system, &stable));
  check(system, "open", implicit_euler_open(&s, system, 20 * stable));
  for (; steps < 600; steps++) check(system, "step", implicit_euler_step(&s, 1e-9 * weight));
  check(system, "read", dem_system_get_field(system, DEM_POSITION, SPHERES, NULL, x, 0));
  for (int k = 0; k < SPHERES; k++) {
    rest += (k > 0 ? 2 * RADIUS : 0) - (SPHERES - k) * weight / STIFFNESS;
    worst = fmax(worst, fabs(x[3 * k + 2] - rest) / largest);
  }
  printf("%d spheres, %d steps of 20 stable ones: %.2f iterations of Newton and %.1f products a step\n", SPHERES, steps,
         (double)s.newton / steps, (double)s.products / steps);
  implicit_euler_close(&s);
  dem_system_destroy(system);
  return worst;
}

int main(void) {
  dem_context *context = NULL;
  if (dem_context_create(NULL, &context)) return fprintf(stderr, "implicit_euler: no context\n"), 1;
  double worst = 0;
  for (double wh = 0.1; wh < 200; wh *= 10) {
    const double error = error_of_oscillator(context, wh);
    printf("w h = %5.1f: damped by %.6f a step, error %.1e of the amplitude\n", wh, 1 / sqrt(1 + wh * wh), error);
    worst = fmax(worst, error);
  }
  const double column = error_of_column(context);
  const int right = worst < 1e-11 && column < 1e-9;
  printf("oscillator to %.1e, column at rest to %.1e of the largest overlap: %s\n", worst, column, right ? "ok" : "WRONG");
  dem_context_destroy(context);
  return right ? 0 : 1;
}
