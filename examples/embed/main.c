/* A thousand glass beads fall on a floor and come to rest; SI units. The whole of what a host program needs. */
#include <dem/dem.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 10, COUNT = SIDE * SIDE * SIDE };

/* Every call returns a status; the text of a refusal is kept by the system, or by the context while there is none. */
static void check(dem_status status, const dem_context *context, const dem_system *system) {
  if (status == DEM_OK) return;
  fprintf(stderr, "%s: %s\n", dem_status_name(status), system ? dem_system_message(system) : dem_context_message(context));
  exit(1);
}

/* What the library warns of: a time step too long, springs too soft, grains behind a wall. Refusals come back as statuses too. */
static void listen(void *user, int32_t level, const char *text) {
  (void)user;
  if (level == DEM_LOG_WARNING) fprintf(stderr, "warning: %s\n", text);
}

int main(void) {
  dem_context *context = NULL;
  dem_system *system = NULL;
  dem_law *law = NULL;
  dem_context_options hooks;
  dem_context_options_init(&hooks, sizeof hooks);
  hooks.log = listen;
  check(dem_context_create(&hooks, &context), NULL, NULL);

  dem_system_options options; /* a column of 21 mm, periodic in x and y */
  dem_system_options_init(&options, sizeof options);
  options.periodic[0] = options.periodic[1] = 1;
  options.box_high[0] = options.box_high[1] = 0.021, options.box_high[2] = 0.03;
  options.gravity[2] = -9.81;
  options.dt = 5e-6;
  options.ledger = 1;
  check(dem_system_create(context, &options, &system), context, NULL);

  dem_material glass; /* softened a thousandfold, which is usual: impacts stay short against everything else */
  dem_material_init(&glass, sizeof glass);
  glass.young = 6e7, glass.poisson = 0.22;
  check(dem_system_add_material(system, &glass, NULL), context, system);

  dem_law_options hertz;
  dem_law_options_init(&hertz, sizeof hertz);
  hertz.normal = DEM_NORMAL_HERTZ, hertz.tangential = DEM_TANGENTIAL_MINDLIN;
  hertz.damping = hertz.tangential_damping = DEM_DAMPING_RESTITUTION;
  hertz.restitution = 0.6, hertz.friction = 0.4;
  check(dem_law_create(context, &hertz, &law), context, NULL);
  check(dem_system_set_law(system, 0, 0, law), context, system);
  dem_law_release(law); /* the system keeps its own reference */

  dem_wall floor;
  dem_wall_init(&floor, sizeof floor);
  floor.axis[2] = 1;
  check(dem_system_add_wall(system, &floor, NULL), context, system);

  static double position[3 * COUNT], radius[COUNT], density[COUNT];
  for (int i = 0; i < COUNT; i++) {
    const int cell[3] = {i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)};
    for (int k = 0; k < 3; k++) position[3 * i + k] = 0.0021 * (cell[k] + 0.5 + 0.008 * ((i * (k + 1)) % 7 - 3));
    radius[i] = 0.0009 + 0.00001 * (i % 10), density[i] = 2500;
  }
  dem_particles beads;
  dem_particles_init(&beads, sizeof beads);
  beads.count = COUNT, beads.position = position, beads.radius = radius, beads.density = density;
  check(dem_system_add_particles(system, &beads, NULL), context, system);

  for (int k = 1; k <= 5; k++) {
    dem_energy energy;
    dem_energy_init(&energy, sizeof energy);
    check(dem_system_run_until(system, 0.012 * k), context, system);
    check(dem_system_energy(system, &energy), context, system);
    printf("t = %.3f s  kinetic energy %.3e J  residual %.1e\n", 0.012 * k, energy.kinetic_linear, energy.residual_relative);
  }
  check(dem_system_get_field(system, DEM_POSITION, COUNT, NULL, position, 0), context, system);
  printf("first bead at (%.4f, %.4f, %.4f) m\n", position[0], position[1], position[2]);
  dem_system_destroy(system);
  return dem_context_destroy(context) == DEM_OK ? 0 : 1;
}
