/* Two spheres that meet, roll on each other and twist: prints id, position, velocity and spin every so many steps, for
 * check_rolling.py, which has a peer do the same.
 * usage: rolling-peer sds|marshall STEPS EVERY */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int complain(const char *what, const char *text) {
  fprintf(stderr, "%s: %s\n", what, text);
  return 1;
}

static void choose_law(dem_law_options *o, int marshall) {
  dem_law_options_init(o, sizeof *o);
  o->slider = DEM_SLIDER_RESET;
  o->normal_stiffness = 1e5;
  o->damping = DEM_DAMPING_COEFFICIENT;
  o->normal_damping = 20;
  o->tangential = DEM_TANGENTIAL_NONE;
  o->rolling = DEM_ROLLING_SPRING;
  o->rolling_stiffness = 4e4;
  o->rolling_damping = 15;
  o->rolling_friction = 0.3;
  if (marshall) {
    o->tangential = DEM_TANGENTIAL_LINEAR;
    o->tangential_stiffness = 8e4;
    o->tangential_damping = DEM_DAMPING_COEFFICIENT;
    o->shear_damping = 150;
    o->friction = 0.4;
    o->twisting = DEM_TWISTING_MARSHALL;
    return;
  }
  o->twisting = DEM_TWISTING_SPRING;
  o->twisting_stiffness = 3e4;
  o->twisting_damping = 10;
  o->twisting_friction = 0.2;
}

/* The normal is (2, 1, 2)/3. With Marshall's part they only twist, so that the arms of friction do not matter. */
static dem_status place(dem_system *s, int marshall) {
  const double radius[2] = {0.5, 0.4}, density[2] = {1.9, 2.1}, gap = 0.9 - 1e-3;
  const double n[3] = {2. / 3, 1. / 3, 2. / 3}, free_spin[6] = {3, -2, 5, -1, 4, 2};
  double x[6] = {0}, v[6], w[6];
  for (int a = 0; a < 3; a++) {
    x[3 + a] = gap * n[a];
    v[a] = 2 * n[a];
    v[3 + a] = -1.6 * n[a];
    w[a] = marshall ? 30 * n[a] : free_spin[a];
    w[3 + a] = marshall ? -20 * n[a] : free_spin[3 + a];
  }
  dem_particles p;
  dem_particles_init(&p, sizeof p);
  p.count = 2;
  p.position = x;
  p.velocity = v;
  p.spin = w;
  p.radius = radius;
  p.density = density;
  return dem_system_add_particles(s, &p, NULL);
}

static dem_status print_state(const dem_system *s) {
  double x[6], v[6], w[6];
  dem_status status = dem_system_get_field(s, DEM_POSITION, 2, NULL, x, 0);
  if (!status) status = dem_system_get_field(s, DEM_VELOCITY, 2, NULL, v, 0);
  if (!status) status = dem_system_get_field(s, DEM_SPIN, 2, NULL, w, 0);
  for (int k = 0; k < 2 && !status; k++) {
    const double *const of[3] = {x + 3 * k, v + 3 * k, w + 3 * k};
    printf("%d", k + 1);
    for (int a = 0; a < 9; a++) printf(" %.17g", of[a / 3][a % 3]);
    printf("\n");
  }
  return status;
}

int main(int count, char **argument) {
  if (count != 4) return complain("usage", "rolling-peer sds|marshall STEPS EVERY");
  const int marshall = strcmp(argument[1], "marshall") == 0;
  const long steps = strtol(argument[2], NULL, 10), every = strtol(argument[3], NULL, 10);
  dem_context *context;
  dem_system *s;
  dem_system_options so;
  dem_law_options lo;
  dem_law *law;
  dem_system_options_init(&so, sizeof so);
  so.onset = DEM_ONSET_STEP;
  so.dt = 1e-5;
  choose_law(&lo, marshall);
  if (dem_context_create(NULL, &context)) return complain("context", "no memory");
  if (dem_system_create(context, &so, &s) || dem_law_create(context, &lo, &law))
    return complain("create", dem_context_message(context));
  if (dem_system_add_material(s, NULL, NULL) || dem_system_set_law(s, 0, 0, law) || place(s, marshall) || print_state(s))
    return complain("set up", dem_system_message(s));
  for (long done = 0; done < steps; done += every)
    if (dem_system_step(s, every) || print_state(s)) return complain("run", dem_system_message(s));
  dem_law_release(law);
  dem_system_destroy(s);
  return dem_context_destroy(context) != DEM_OK;
}
