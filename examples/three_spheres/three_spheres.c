/* A fine sphere rolls out of the pocket between two fixed touching spheres 20 times as large, for three coefficients of friction,
 * under plain velocity-Verlet and under the improved scheme. Plain velocity-Verlet never lets it go: the sphere swings round the
 * large ones like a pendulum, upside down too. tools/plot_three_spheres.py draws it beside the motion of a rigid sphere.
 *
 * usage: three_spheres [FOLDER]     leaves three_spheres.csv there: scheme, friction, time [s], angle from the top [rad], gap/r */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double LARGE = 5e-3, FINE = 2.5e-4, DENSITY = 2500, GRAVITY = 9.81, PI = 3.14159265358979323846;
static const double STIFFNESS = 1e4, RESTITUTION = 0.5, TIME_STEP = 1e-6, END = 0.3; /* 1/13 of the contact time */

static void check(const dem_context *context, const dem_system *system, dem_status status) {
  if (!status) return;
  fprintf(stderr, "three_spheres: %s\n", system ? dem_system_message(system) : dem_context_message(context));
  exit(1);
}

static dem_system *create(dem_context *context, const char *scheme, double friction) {
  dem_system *system = NULL;
  dem_law *law = NULL;
  dem_system_options o;
  dem_law_options hooke;
  dem_system_options_init(&o, sizeof o);
  dem_law_options_init(&hooke, sizeof hooke);
  o.dt = TIME_STEP;
  o.gravity[2] = -GRAVITY;
  hooke.normal_stiffness = STIFFNESS;
  hooke.tangential_stiffness = 0.82 * STIFFNESS;
  hooke.damping = DEM_DAMPING_RESTITUTION;
  hooke.restitution = RESTITUTION;
  hooke.friction = friction;
  check(context, NULL, dem_system_create(context, &o, &system));
  check(context, system, dem_system_set_integrator_name(system, scheme));
  check(context, system, dem_system_add_material(system, NULL, NULL));
  check(context, NULL, dem_law_create(context, &hooke, &law));
  check(context, system, dem_system_set_law(system, 0, 0, law));
  dem_law_release(law);
  return system;
}

/* The large ones along x, the fine one on both, a degree from the top. */
static dem_id add_spheres(dem_context *context, dem_system *system) {
  const double path = sqrt((LARGE + FINE) * (LARGE + FINE) - LARGE * LARGE), start = PI / 180;
  const double position[9] = {-LARGE, 0, 0, LARGE, 0, 0, 0, path * sin(start), path * cos(start)};
  const double radius[3] = {LARGE, LARGE, FINE}, density[3] = {DENSITY, DENSITY, DENSITY};
  const int32_t frozen[3] = {1, 1, 0};
  dem_particles p;
  dem_id ids[3];
  dem_particles_init(&p, sizeof p);
  p.count = 3;
  p.position = position;
  p.radius = radius;
  p.density = density;
  p.frozen = frozen;
  check(context, system, dem_system_add_particles(system, &p, ids));
  return ids[2];
}

/* The angle goes on past the bottom. */
static double turned_to(double angle, const double x[3]) {
  const double now = atan2(x[1], x[2]);
  return now + 2 * PI * floor((angle - now) / (2 * PI) + 0.5);
}

/* One motion, a row each tenth of a millisecond; returns the angle at which it left for good, or 0. */
static double roll(dem_context *context, FILE *csv, const char *scheme, double friction) {
  dem_system *system = create(context, scheme, friction);
  const dem_id fine = add_spheres(context, system);
  double angle = 0, left = 0;
  for (int row = 0; row <= 1e4 * END + 0.5; row++) {
    double x[3];
    check(context, system, dem_system_run_until(system, 1e-4 * row));
    check(context, system, dem_system_get_field(system, DEM_POSITION, 1, &fine, x, 0));
    const double gap = sqrt((fabs(x[0]) - LARGE) * (fabs(x[0]) - LARGE) + x[1] * x[1] + x[2] * x[2]) - LARGE - FINE;
    angle = turned_to(angle, x);
    if (gap <= 0)
      left = 0;
    else if (left == 0)
      left = angle;
    fprintf(csv, "%s,%g,%.4f,%.7f,%.6g\n", scheme, friction, 1e-4 * row, angle, gap / FINE);
  }
  dem_system_destroy(system);
  return left;
}

int main(int count, char **arguments) {
  static const char *const schemes[] = {"velocity-verlet", "improved-velocity-verlet"};
  static const double friction[] = {0.35, 0.5, 0.8};
  char path[1024];
  dem_context *context = NULL;
  int wrong = 0;
  snprintf(path, sizeof path, "%s/three_spheres.csv", count == 2 ? arguments[1] : ".");
  FILE *csv = fopen(path, "w");
  if (!csv || dem_context_create(NULL, &context)) return fprintf(stderr, "three_spheres: cannot write %s\n", path), 1;
  fprintf(csv, "scheme,friction,time,angle,gap\n");
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < 3; k++) {
      const double left = roll(context, csv, schemes[s], friction[k]);
      printf("%-24s mu = %.2f: %s", schemes[s], friction[k], left > 0 ? "" : "never leaves\n");
      if (left > 0) printf("leaves at %.2f rad\n", left);
      wrong += (left > 0) != (s == 1);
    }
  dem_context_destroy(context);
  return fclose(csv) || wrong;
}
