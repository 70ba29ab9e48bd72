/* Two spheres that meet obliquely and spin, or one that meets a wall: prints id, position, velocity and spin every so many steps,
 * for check_mapping.py, which has a peer do the same.
 * usage: mapping-peer pair|wall|disc STEPS EVERY [NAME=VALUE ...]; names are those of dem_law_options, dem_material, arms, transport,
 * ledger and scheme. With a ledger the residual goes to stderr. */
#include <dem/dem.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int complain(const char *what, const char *text) {
  fprintf(stderr, "%s: %s\n", what, text);
  return 1;
}

/* ---- options by name ---- */

typedef struct setup {
  dem_system_options system;
  dem_law_options law;
  dem_material material;
  const char *scheme;
} setup;

typedef struct option {
  const char *name;
  size_t offset;
  int whole; /* int32_t, else double */
} option;

#define WHOLE(part, name) \
  { #name, offsetof(setup, part.name), 1 }
#define REAL(part, name) \
  { #name, offsetof(setup, part.name), 0 }

static const option options[] = {
    WHOLE(law, normal),
    WHOLE(law, tangential),
    WHOLE(law, damping),
    WHOLE(law, tangential_damping),
    WHOLE(law, attraction),
    WHOLE(law, rolling),
    WHOLE(law, twisting),
    REAL(law, normal_stiffness),
    REAL(law, tangential_stiffness),
    REAL(law, normal_damping),
    REAL(law, shear_damping),
    REAL(law, restitution),
    REAL(law, friction),
    REAL(law, surface_energy),
    REAL(law, rolling_stiffness),
    REAL(law, rolling_damping),
    REAL(law, rolling_friction),
    REAL(law, twisting_stiffness),
    REAL(law, twisting_damping),
    REAL(law, twisting_friction),
    REAL(law, tangential_modulus),
    REAL(material, young),
    REAL(material, poisson),
    WHOLE(system, arms),
    WHOLE(system, transport),
    WHOLE(system, ledger),
};

static int take_option(setup *s, const char *text) {
  const char *value = strchr(text, '=');
  if (!value) return complain(text, "not NAME=VALUE");
  const size_t length = (size_t)(value - text);
  if (length == 6 && strncmp(text, "scheme", 6) == 0) return (s->scheme = value + 1), 0;
  for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
    const option *o = &options[k];
    if (strlen(o->name) != length || strncmp(o->name, text, length) != 0) continue;
    const double number = strtod(value + 1, NULL);
    const int32_t whole = (int32_t)number;
    if (o->whole)
      memcpy((char *)s + o->offset, &whole, sizeof whole);
    else
      memcpy((char *)s + o->offset, &number, sizeof number);
    return 0;
  }
  return complain(text, "no such option");
}

/* ---- scenes ---- */

static const double RADIUS[2] = {0.5, 0.4}, DENSITY[2] = {1.9, 2.1}, SPIN[6] = {3, -7, 5, -1, 9, 2};

/* The normal is (2, 1, 2)/3, of discs (0.8, 0.6, 0); they meet at 3.6, and slide. */
static void place_pair(double x[6], double v[6], double w[6], int flat) {
  const double round_n[3] = {2. / 3, 1. / 3, 2. / 3}, flat_n[3] = {0.8, 0.6, 0}, *n = flat ? flat_n : round_n;
  const double across[3] = {0.9, -1.2, flat ? 0 : -0.3};
  for (int a = 0; a < 3; a++) {
    x[3 + a] = (0.9 + 1e-3) * n[a];
    v[a] = 2 * n[a] + across[a];
    v[3 + a] = -1.6 * n[a];
    w[a] = flat && a < 2 ? 0 : SPIN[a];
    w[3 + a] = flat && a < 2 ? 0 : SPIN[3 + a];
  }
}

static void place_at_wall(double x[3], double v[3], double w[3]) {
  const double start[3] = {0, 0, 0.5 + 1e-3}, speed[3] = {0.9, -1.2, -3};
  memcpy(x, start, sizeof start);
  memcpy(v, speed, sizeof speed);
  memcpy(w, SPIN, 3 * sizeof *w);
}

static dem_status place(dem_system *s, const char *scene) {
  const int wall = strcmp(scene, "wall") == 0;
  double x[6] = {0}, v[6], w[6];
  if (wall)
    place_at_wall(x, v, w);
  else
    place_pair(x, v, w, strcmp(scene, "disc") == 0);
  dem_particles p;
  dem_particles_init(&p, sizeof p);
  p.count = wall ? 1 : 2;
  p.position = x;
  p.velocity = v;
  p.spin = w;
  p.radius = RADIUS;
  p.density = DENSITY;
  dem_wall plane;
  dem_wall_init(&plane, sizeof plane);
  plane.axis[2] = 1;
  const dem_status status = dem_system_add_particles(s, &p, NULL);
  return status || !wall ? status : dem_system_add_wall(s, &plane, NULL);
}

/* ---- output ---- */

static dem_status print_state(const dem_system *s, int count) {
  double x[6], v[6], w[6];
  dem_status status = dem_system_get_field(s, DEM_POSITION, count, NULL, x, 0);
  if (!status) status = dem_system_get_field(s, DEM_VELOCITY, count, NULL, v, 0);
  if (!status) status = dem_system_get_field(s, DEM_SPIN, count, NULL, w, 0);
  for (int k = 0; k < count && !status; k++) {
    const double *const of[3] = {x + 3 * k, v + 3 * k, w + 3 * k};
    printf("%d", k + 1);
    for (int a = 0; a < 9; a++) printf(" %.17g", of[a / 3][a % 3]);
    printf("\n");
  }
  return status;
}

static dem_status print_books(dem_system *s) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  const dem_status status = dem_system_energy(s, &e);
  const double heat = e.damping_normal[0] + e.damping_normal[1] + e.damping_tangential[0] + e.damping_tangential[1];
  fprintf(stderr, "residual %.3g heat %.6g numerical %.3g\n", e.residual_relative, heat + e.sliding[0] + e.sliding[1],
          e.numerical[0] + e.numerical[1]);
  return status;
}

static int run(dem_system *s, const char *scene, long steps, long every, int books) {
  const int count = strcmp(scene, "wall") == 0 ? 1 : 2;
  if (place(s, scene) || print_state(s, count)) return complain("set up", dem_system_message(s));
  for (long done = 0; done < steps; done += every)
    if (dem_system_step(s, every) || print_state(s, count)) return complain("run", dem_system_message(s));
  return books && print_books(s) ? complain("books", dem_system_message(s)) : 0;
}

/* LAMMPS takes options that mean nothing beside others; here they are refused. */
static void drop_unread(dem_law_options *o) {
  const int spring = o->tangential >= DEM_TANGENTIAL_LINEAR || o->rolling == DEM_ROLLING_SPRING || o->twisting;
  if (!spring) o->slider = DEM_SLIDER_SERIES;
  if (o->tangential == DEM_TANGENTIAL_NONE) o->friction = 0.5;
}

int main(int count, char **argument) {
  if (count < 4) return complain("usage", "mapping-peer pair|wall|disc STEPS EVERY [NAME=VALUE ...]");
  setup o = {.scheme = "velocity-verlet"};
  dem_context *context;
  dem_system *s = NULL;
  dem_law *law = NULL;
  dem_system_options_init(&o.system, sizeof o.system);
  dem_law_options_init(&o.law, sizeof o.law);
  o.system.onset = DEM_ONSET_STEP;
  o.law.slider = DEM_SLIDER_RESET;
  dem_material_init(&o.material, sizeof o.material);
  o.system.dt = 1e-5;
  if (strcmp(argument[1], "disc") == 0) o.system.dimension = 2, o.system.shape = DEM_SHAPE_DISC;
  for (int k = 4; k < count; k++)
    if (take_option(&o, argument[k])) return 1;
  drop_unread(&o.law);
  if (dem_context_create(NULL, &context)) return complain("context", "no memory");
  if (dem_system_create(context, &o.system, &s) || dem_law_create(context, &o.law, &law))
    return complain("create", dem_context_message(context));
  if (dem_system_set_integrator_name(s, o.scheme) || dem_system_add_material(s, &o.material, NULL) ||
      dem_system_set_law(s, 0, 0, law))
    return complain("set up", dem_system_message(s));
  const long steps = strtol(argument[2], NULL, 10), every = strtol(argument[3], NULL, 10);
  const int failed = run(s, argument[1], steps, every, o.system.ledger);
  dem_law_release(law);
  dem_system_destroy(s);
  return failed || dem_context_destroy(context) != DEM_OK;
}
