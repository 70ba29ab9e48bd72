/* A sphere on a floor, under the law of own_law.c, checked against closed forms:
 *   bounce   no damping: deepest overlap (5 m v^2 / 4 k)^(2/5), duration 2 sqrt(pi) G(7/5)/G(9/10) d_max / v (G: the Gamma
 * function), and it leaves as fast as it came roll     it slides until it rolls, then u = u_0 / (1 + 2/5 R^2/a^2), whatever the
 * friction law (5/7 u_0 for the arm a = R)  */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "own_law.h"

static const double RADIUS = 0.5, DENSITY = 1, STIFFNESS = 1e4, PI = 3.14159265358979323846;

static void die(const char *what, dem_status status, const char *message) {
  fprintf(stderr, "own_law: %s: %s: %s\n", what, dem_status_text(status), message);
  exit(1);
}

static void check(dem_system *system, const char *what, dem_status status) {
  if (status) die(what, status, dem_system_message(system));
}

static double mass(void) { return 4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS * DENSITY; }

/* A sphere at `height` with `velocity` above the plane z = 0, gravity g downwards, step dt. */
static dem_system *create(dem_context *context, const own_smoothed *friction, double height, const double *velocity, double g,
                          double dt) {
  const own_power power = {STIFFNESS, 0};
  dem_law *law = NULL;
  dem_status status = own_law_create(context, &power, friction, &law);
  if (status) die("law", status, dem_context_message(context));
  dem_system_options o;
  dem_system *system = NULL;
  dem_system_options_init(&o, sizeof o);
  o.gravity[2] = -g;
  o.dt = dt;
  o.ledger = 1;
  status = dem_system_create(context, &o, &system);
  if (status) die("system", status, dem_context_message(context));
  check(system, "material", dem_system_add_material(system, NULL, NULL));
  check(system, "law", dem_system_set_law(system, 0, 0, law));
  dem_law_release(law);
  dem_wall floor;
  dem_wall_init(&floor, sizeof floor);
  floor.axis[2] = 1;
  check(system, "plane", dem_system_add_wall(system, &floor, NULL));
  const double position[3] = {0, 0, height};
  dem_particles rows;
  dem_particles_init(&rows, sizeof rows);
  rows.count = 1;
  rows.position = position;
  rows.velocity = velocity;
  rows.radius = &RADIUS;
  rows.density = &DENSITY;
  check(system, "add", dem_system_add_particles(system, &rows, NULL));
  return system;
}

static int report(const char *what, double found, double expected, double tolerance) {
  const double error = fabs(found / expected - 1);
  printf("%-28s %.9g  closed form %.9g  relative error %.1e  %s\n", what, found, expected, error,
         error <= tolerance ? "ok" : "WRONG");
  return error <= tolerance ? 0 : 1;
}

static int report_books(dem_system *system) {
  dem_energy energy;
  dem_energy_init(&energy, sizeof energy);
  check(system, "energy", dem_system_energy(system, &energy));
  printf("%-28s %.1e  %s\n", "energy residual, relative", energy.residual_relative,
         energy.residual_relative < 1e-12 ? "ok" : "WRONG");
  return energy.residual_relative < 1e-12 ? 0 : 1;
}

static int bounce(dem_context *context) {
  const double speed = 1, velocity[3] = {0, 0, -speed};
  const double depth = pow(1.25 * mass() * speed * speed / STIFFNESS, 0.4);
  const double duration = 2 * sqrt(PI) * tgamma(1.4) / tgamma(0.9) * depth / speed, dt = duration / 2000;
  const own_smoothed friction = {0, 1};
  dem_system *system = create(context, &friction, RADIUS, velocity, 0, dt);
  double x[3] = {0, 0, RADIUS}, v[3], deepest = 0, before = 0;
  double time = 0;
  while (x[2] < RADIUS || time < duration / 2) {
    before = x[2];
    check(system, "step", dem_system_step(system, 1));
    check(system, "position", dem_system_get_field(system, DEM_POSITION, 1, NULL, x, 0));
    check(system, "time", dem_system_time(system, &time));
    deepest = fmax(deepest, RADIUS - x[2]);
    if (time > 2 * duration) break;
  }
  check(system, "velocity", dem_system_get_field(system, DEM_VELOCITY, 1, NULL, v, 0));
  time -= dt * (x[2] - RADIUS) / (x[2] - before);
  const int wrong = report("deepest overlap", deepest, depth, 1e-5) + report("duration of the impact", time, duration, 1e-5) +
                    report("speed after the impact", v[2], speed, 1e-6) + report_books(system);
  dem_system_destroy(system);
  return wrong;
}

static int roll(dem_context *context) {
  const double speed = 1, velocity[3] = {speed, 0, 0}, g = 1;
  const double rest = pow(mass() * g / STIFFNESS, 2.0 / 3.0);
  const own_smoothed friction = {0.5, 1e-3};
  dem_system *system = create(context, &friction, RADIUS - rest, velocity, g, 1e-4);
  double v[3], spin[3];
  check(system, "run", dem_system_run_until(system, 2));
  check(system, "velocity", dem_system_get_field(system, DEM_VELOCITY, 1, NULL, v, 0));
  check(system, "spin", dem_system_get_field(system, DEM_SPIN, 1, NULL, spin, 0));
  const double arm = RADIUS - rest, rolling = speed / (1 + 0.4 * RADIUS * RADIUS / (arm * arm));
  const int wrong = report("speed when rolling", v[0], rolling, 1e-6) + report("spin times arm", spin[1] * arm, rolling, 1e-6) +
                    report_books(system);
  dem_system_destroy(system);
  return wrong;
}

int main(void) {
  dem_context *context = NULL;
  if (dem_context_create(NULL, &context)) return fprintf(stderr, "own_law: no context\n"), 1;
  const int wrong = bounce(context) + roll(context);
  dem_context_destroy(context);
  return wrong ? 1 : 0;
}
