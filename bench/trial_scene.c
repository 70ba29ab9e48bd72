/* The scenes of the case `trial`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trial.h"

/* ---- rows ---- */

static int reserve(scene *s, int64_t count) {
  const size_t n = (size_t)count + 1;
  s->position = realloc(s->position, n * 3 * sizeof(double));
  s->radius = realloc(s->radius, n * sizeof(double));
  s->density = realloc(s->density, n * sizeof(double));
  s->material = realloc(s->material, n * sizeof(int32_t));
  s->frozen = realloc(s->frozen, n * sizeof(int32_t));
  return !s->position || !s->radius || !s->density || !s->material || !s->frozen;
}

void scene_close(scene *s) {
  free(s->position);
  free(s->radius);
  free(s->density);
  free(s->material);
  free(s->frozen);
}

static void set_disc(scene *s, int64_t k, double x, double y, double radius) {
  s->position[3 * k] = x;
  s->position[3 * k + 1] = y;
  s->position[3 * k + 2] = 0;
  s->radius[k] = radius;
  s->density[k] = 1;
  s->material[k] = s->frozen[k] = 0;
}

/* ---- LAMMPS data: the chute, whose second type is frozen, or the bed on a floor ---- */

static int read_data(scene *s, const options *o, dem_context *context) {
  dem_data *data = NULL;
  dem_particles p;
  int32_t types = 1;
  dem_particles_init(&p, sizeof p);
  if (dem_data_read_path(context, o->data, &data)) return fail(o->data, dem_context_message(context));
  dem_data_box(data, s->low, s->high);
  dem_data_types(data, &types);
  dem_data_particles(data, &p);
  s->dimension = 3;
  s->periodic[0] = s->periodic[1] = 1;
  s->floor = types == 1;
  s->stiffness = 200000.0;
  s->count = p.count;
  if (reserve(s, p.count)) return fail(o->data, "out of memory");
  memcpy(s->position, p.position, (size_t)p.count * 3 * sizeof(double));
  memcpy(s->radius, p.radius, (size_t)p.count * sizeof(double));
  memcpy(s->density, p.density, (size_t)p.count * sizeof(double));
  memcpy(s->material, p.material, (size_t)p.count * sizeof(int32_t));
  for (int64_t k = 0; k < p.count; k++) s->frozen[k] = p.material[k] == 1;
  dem_data_destroy(data);
  return 0;
}

/* ---- discs ---- */

static void lay_square(scene *s, double length) {
  s->dimension = 2;
  s->stiffness = 1;
  s->low[2] = 0;
  s->high[2] = 1;
  for (int a = 0; a < 2; a++) {
    s->periodic[a] = 1;
    s->low[a] = 0;
    s->high[a] = length;
  }
}

/* "# periodic box L=...", a heading, then id,type,x,y,r. */
static int read_discs(scene *s, FILE *file) {
  char line[512];
  double x, y, r, length = 0;
  int64_t room = 0;
  if (!fgets(line, sizeof line, file) || !strstr(line, "L=")) return fail("CSV", "line 1 must give the box as L=LENGTH");
  length = strtod(strstr(line, "L=") + 2, NULL);
  if (!(length > 0)) return fail("CSV", "line 1: L must be above 0");
  if (!fgets(line, sizeof line, file)) return fail("CSV", "line 2 must be the heading id,type,x,y,r");
  for (s->count = 0; fgets(line, sizeof line, file); s->count++) {
    if (sscanf(line, "%*d,%*d,%lf,%lf,%lf", &x, &y, &r) != 3) return fail("CSV", "a line is not id,type,x,y,r");
    if (s->count == room && reserve(s, room = 2 * room + 1024)) return fail("CSV", "out of memory");
    set_disc(s, s->count, x, y, r);
  }
  lay_square(s, length);
  return s->count > 0 ? 0 : fail("CSV", "no discs");
}

static double next_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) * 0x1p-53;
}

/* Half of the radii 0.7, half 1, anywhere. */
static int make_discs(scene *s, const options *o) {
  const double pi = 3.14159265358979323846;
  const int64_t n = o->discs;
  double area = 0;
  uint64_t state = 86;
  if (reserve(s, n)) return fail("--discs", "out of memory");
  for (int64_t k = 0; k < n; k++) area += pi * (k % 2 ? 0.49 : 1.0);
  const double length = sqrt(area / o->phi);
  s->count = n;
  for (int64_t k = 0; k < n; k++) {
    const double x = length * next_random(&state), y = length * next_random(&state);
    set_disc(s, k, x, y, k % 2 ? 0.7 : 1.0);
  }
  lay_square(s, length);
  return 0;
}

/* The discs push each other apart, in a thick fluid: the forces balance but for a small part afterwards. */
static int relax(scene *s, const options *o, dem_context *context) {
  dem_law_options law;
  dem_law_options_init(&law, sizeof law);
  law.normal_stiffness = s->stiffness;
  law.tangential = DEM_TANGENTIAL_NONE;
  dem_system *system = scene_system(s, o, context, &law);
  if (!system) return 1;
  int failed = dem_system_step(system, 3000) != DEM_OK;
  failed = failed || dem_system_get_field(system, DEM_POSITION, s->count, NULL, s->position, 0) != DEM_OK;
  if (failed) fail("discs", dem_system_message(system));
  dem_system_destroy(system);
  return failed;
}

/* ---- all ---- */

int scene_open(scene *s, const options *o, dem_context *context) {
  memset(s, 0, sizeof *s);
  if (!o->data) return make_discs(s, o) || relax(s, o, context);
  const size_t length = strlen(o->data);
  if (length < 4 || strcmp(o->data + length - 4, ".csv") != 0) return read_data(s, o, context);
  FILE *file = fopen(o->data, "r");
  if (!file) return fail(o->data, "cannot be opened");
  const int failed = read_discs(s, file);
  fclose(file);
  return failed || relax(s, o, context);
}

static int fill_system(const scene *s, dem_context *context, dem_system *system, const dem_law_options *parameters) {
  dem_law *law;
  dem_particles p;
  dem_wall floor_plane;
  dem_particles_init(&p, sizeof p);
  p.count = s->count;
  p.position = s->position;
  p.radius = s->radius;
  p.density = s->density;
  p.material = s->material;
  p.frozen = s->frozen;
  dem_wall_init(&floor_plane, sizeof floor_plane);
  floor_plane.axis[2] = 1.0;
  if (dem_law_create(context, parameters, &law)) return 1;
  int failed = 0;
  for (int k = 0; k < 2; k++) failed = failed || dem_system_add_material(system, NULL, NULL) != DEM_OK;
  for (int k = 0; k < 3; k++) failed = failed || dem_system_set_law(system, k == 2, k > 0, law) != DEM_OK;
  dem_law_release(law);
  failed = failed || dem_system_add_particles(system, &p, NULL) != DEM_OK;
  return failed || (s->floor && dem_system_add_wall(system, &floor_plane, NULL) != DEM_OK);
}

dem_system *scene_system(const scene *s, const options *o, dem_context *context, const dem_law_options *law) {
  dem_system_options chosen;
  dem_system *system = NULL;
  dem_system_options_init(&chosen, sizeof chosen);
  chosen.dimension = s->dimension;
  chosen.shape = s->dimension == 2 ? DEM_SHAPE_DISC : DEM_SHAPE_SPHERE;
  memcpy(chosen.periodic, s->periodic, sizeof chosen.periodic);
  memcpy(chosen.box_low, s->low, sizeof chosen.box_low);
  memcpy(chosen.box_high, s->high, sizeof chosen.box_high);
  chosen.dt = s->dimension == 2 ? 0.1 : 1e-4;
  chosen.drag = s->dimension == 2 ? 0.5 : 0.0;
  chosen.threads = (int32_t)o->threads;
  chosen.skin = o->skin;
  if (dem_system_create(context, &chosen, &system)) {
    fail("system", dem_context_message(context));
  } else if (fill_system(s, context, system, law)) {
    fail("system", dem_system_message(system));
    dem_system_destroy(system);
    system = NULL;
  }
  return system;
}
