/* A random crowd of spheres that overlap and move in a periodic box: writes it as a LAMMPS data file, steps, and prints volume,
 * contacts, the stress of contacts and the kinetic one (9 numbers each), then for each particle the stress times its volume, for
 * check_statics.py, which has a peer compute the same.
 * usage: statics-peer FILE STEPS */
#include <dem/dem.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenes/scenes.h"

enum { SIDE = 6, COUNT = SIDE * SIDE * SIDE };

static int complain(const char *what, const char *text) {
  fprintf(stderr, "%s: %s\n", what, text);
  return 1;
}

static dem_status add_crowd(dem_system *s) {
  dice d = {2024};
  rows r;
  if (rows_create(&r, COUNT)) return DEM_NO_MEMORY;
  for (int n = 0; n < COUNT; n++) {
    double x[3], v[6];
    for (int a = 0, m = n; a < 3; a++, m /= SIDE) x[a] = 0.75 * (0.5 + m % SIDE + dice_uniform(&d, -0.15, 0.15));
    for (int a = 0; a < 6; a++) v[a] = dice_uniform(&d, -3, 3);
    const int64_t row = rows_put(&r, x[0], x[1], x[2], dice_uniform(&d, 0.3, 0.5));
    rows_velocity(&r, row, v[0], v[1], v[2]);
    rows_spin(&r, row, v[3], v[4], v[5]);
  }
  const dem_status status = rows_add(&r, s, NULL);
  rows_destroy(&r);
  return status;
}

static dem_status set_law(dem_context *context, dem_system *s) {
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.slider = DEM_SLIDER_RESET;
  o.normal_stiffness = 1e5;
  o.damping = DEM_DAMPING_COEFFICIENT;
  o.normal_damping = 20;
  o.tangential = DEM_TANGENTIAL_LINEAR;
  o.tangential_stiffness = 8e4;
  o.tangential_damping = DEM_DAMPING_COEFFICIENT;
  o.shear_damping = 150;
  o.friction = 50; /* never reached: where a spring is still 0, the peer has no friction at its limit */
  return scene_set_law(context, s, 0, 0, &o);
}

static dem_status print_stress(dem_system *s) {
  const double unit[COUNT] = {0};
  double volume[COUNT], rows_of[COUNT * 9];
  dem_statics t;
  dem_statics_options o;
  dem_status status = dem_statics_options_init(&o, sizeof o);
  if (!status) status = dem_statics_init(&t, sizeof t);
  o.kinetic = DEM_KINETIC_FULL;
  if (!status) status = dem_system_statics(s, &o, &t);
  o.split = DEM_SPLIT_HALF;
  o.kinetic = DEM_KINETIC_NONE;
  for (int k = 0; k < COUNT; k++) volume[k] = unit[k] + 1;
  if (!status) status = dem_system_particle_stress(s, &o, COUNT, NULL, volume, rows_of, 0);
  if (status) return status;
  printf("%.17g %.17g\n", t.volume, t.contacts);
  for (int a = 0; a < 9; a++) printf("%.17g%c", t.stress[a], a < 8 ? ' ' : '\n');
  for (int a = 0; a < 9; a++) printf("%.17g%c", t.stress_kinetic[a], a < 8 ? ' ' : '\n');
  for (int k = 0; k < COUNT; k++)
    for (int a = 0; a < 9; a++) printf("%.17g%c", rows_of[9 * k + a], a < 8 ? ' ' : '\n');
  return DEM_OK;
}

int main(int count, char **argument) {
  if (count != 3) return complain("usage", "statics-peer FILE STEPS");
  dem_context *context;
  dem_system *s;
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-5;
  o.onset = DEM_ONSET_STEP;
  o.arms = DEM_ARMS_MIXED;
  for (int a = 0; a < 3; a++) o.periodic[a] = 1, o.box_high[a] = 0.75 * SIDE;
  if (dem_context_create(NULL, &context)) return complain("context", "no memory");
  if (dem_system_create(context, &o, &s)) return complain("create", dem_context_message(context));
  if (dem_system_add_material(s, NULL, NULL) || set_law(context, s) || add_crowd(s) ||
      dem_system_write_data_path(s, argument[1]) || dem_system_step(s, strtol(argument[2], NULL, 10)) || print_stress(s))
    return complain("run", dem_system_message(s));
  dem_system_destroy(s);
  return dem_context_destroy(context) != DEM_OK;
}
