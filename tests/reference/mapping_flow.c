/* The chute and the bed of doc/benchmarks.md with Hertz and Mindlin as LAMMPS's pair granular has them: prints the kinetic and the
 * rotational energy after so many steps, for check_flows.py.
 * usage: mapping-flow chute|bed DATA RESTITUTION STEPS */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int complain(const char *what, const char *text) {
  fprintf(stderr, "%s: %s\n", what, text);
  return 1;
}

static void choose_law(dem_law_options *o, double restitution) {
  dem_law_options_init(o, sizeof *o);
  o->slider = DEM_SLIDER_RESET;
  o->normal = DEM_NORMAL_HERTZ;
  o->damping = DEM_DAMPING_RESTITUTION;
  o->restitution = restitution;
  o->friction = 0.5;
}

static dem_system *create(dem_context *context, const dem_data *data, int chute) {
  const double angle = 26.0 * 3.14159265358979323846 / 180.0;
  dem_system *s;
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.onset = DEM_ONSET_STEP;
  dem_data_box(data, o.box_low, o.box_high);
  o.periodic[0] = o.periodic[1] = 1;
  o.gravity[0] = chute ? sin(angle) : 0;
  o.gravity[2] = chute ? -cos(angle) : -1;
  o.dt = 1e-4;
  o.arms = DEM_ARMS_MIXED;
  o.skin = 0.1;
  o.ledger = 1;
  return dem_system_create(context, &o, &s) ? NULL : s;
}

/* Type 2 of the chute is frozen; the bed lies on a floor. */
static dem_status fill(dem_system *s, const dem_data *data, int chute) {
  dem_particles p;
  dem_wall floor;
  dem_particles_init(&p, sizeof p);
  dem_data_particles(data, &p);
  int32_t *frozen = malloc((size_t)p.count * sizeof *frozen);
  if (!frozen) return DEM_NO_MEMORY;
  for (int64_t k = 0; k < p.count; k++) frozen[k] = chute && p.material[k] == 1;
  p.frozen = frozen;
  dem_wall_init(&floor, sizeof floor);
  floor.axis[2] = 1;
  dem_status status = dem_system_add_particles(s, &p, NULL);
  if (!status && !chute) status = dem_system_add_wall(s, &floor, NULL);
  free(frozen);
  return status;
}

static dem_status set_laws(dem_system *s, const dem_law *law) {
  dem_material m;
  dem_material_init(&m, sizeof m);
  m.young = 1e7;
  m.poisson = 0.3;
  dem_status status = DEM_OK;
  for (int k = 0; k < 2 && !status; k++) status = dem_system_add_material(s, &m, NULL);
  for (int k = 0; k < 3 && !status; k++) status = dem_system_set_law(s, k / 2, (k + 1) / 2, law);
  return status;
}

static dem_status print_energies(dem_system *s) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  const dem_status status = dem_system_energy(s, &e);
  printf("%.17g %.17g %.3g\n", e.kinetic_linear, e.kinetic_angular, e.residual_relative);
  return status;
}

int main(int count, char **argument) {
  if (count != 5) return complain("usage", "mapping-flow chute|bed DATA RESTITUTION STEPS");
  const int chute = strcmp(argument[1], "chute") == 0;
  dem_context *context;
  dem_data *data;
  dem_law *law;
  dem_law_options options;
  choose_law(&options, strtod(argument[3], NULL));
  if (dem_context_create(NULL, &context)) return complain("context", "no memory");
  if (dem_data_read_path(context, argument[2], &data) || dem_law_create(context, &options, &law))
    return complain(argument[2], dem_context_message(context));
  dem_system *s = create(context, data, chute);
  if (!s) return complain("system", dem_context_message(context));
  if (set_laws(s, law) || fill(s, data, chute) || dem_system_step(s, strtol(argument[4], NULL, 10)) || print_energies(s))
    return complain("run", dem_system_message(s));
  dem_law_release(law);
  dem_data_destroy(data);
  dem_system_destroy(s);
  return dem_context_destroy(context) != DEM_OK;
}
