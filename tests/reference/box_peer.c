/* Elastic spheres in a tilted periodic box, for check_box.py, which has a peer read the files and run the same.
 * usage: box-peer run FOLDER STEPS   writes start.data, start.dump, end.data, end.dump
 *        box-peer read FILE          prints the box of a data file: low, high, tilt */
#include <dem/dem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW = 8, PARTICLES = ROW * ROW * ROW };

static int complain(const char *what, const char *text) {
  fprintf(stderr, "%s: %s\n", what, text);
  return 1;
}

static double uniform(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) / 9007199254740992.0;
}

static dem_status make(dem_context *context, dem_system **system) {
  dem_system_options o;
  dem_law_options law;
  dem_law *hooke = NULL;
  dem_system_options_init(&o, sizeof o);
  const double low[3] = {-1.1, 0.3, 2.7}, length[3] = {7.3, 6.1, 6.7}, part[3] = {0.47, -0.31, 0.44};
  for (int a = 0; a < 3; a++) {
    o.periodic[a] = 1;
    o.box_low[a] = low[a];
    o.box_high[a] = low[a] + length[a];
    o.box_tilt[a] = part[a] * length[a == 2];
  }
  o.dt = 1e-4;
  dem_status status = dem_system_create(context, &o, system);
  if (!status) status = dem_system_add_material(*system, NULL, NULL);
  dem_law_options_init(&law, sizeof law);
  law.normal_stiffness = 1e5;
  law.tangential = DEM_TANGENTIAL_NONE;
  if (!status) status = dem_law_create(context, &law, &hooke);
  if (!status) status = dem_system_set_law(*system, 0, 0, hooke);
  dem_law_release(hooke);
  return status;
}

/* On a disturbed grid over several box lengths, so that most are wrapped, and many touch. */
static dem_status fill(dem_system *system) {
  static double x[3 * PARTICLES], v[3 * PARTICLES], radius[PARTICLES], density[PARTICLES];
  uint64_t state = 7;
  dem_particles p;
  dem_box b;
  dem_box_init(&b, sizeof b);
  dem_system_get_box(system, &b);
  for (int k = 0; k < PARTICLES; k++) {
    const int cell[3] = {k % ROW, k / ROW % ROW, k / ROW / ROW};
    double part[3];
    for (int a = 0; a < 3; a++) part[a] = (cell[a] + 0.1 * uniform(&state)) / ROW + (k * (a + 1) % 5) - 2;
    for (int a = 0; a < 3; a++) x[3 * k + a] = b.low[a] + part[a] * (b.high[a] - b.low[a]);
    x[3 * k] += part[1] * b.tilt[0] + part[2] * b.tilt[1];
    x[3 * k + 1] += part[2] * b.tilt[2];
    for (int a = 0; a < 3; a++) v[3 * k + a] = 4 * uniform(&state) - 2;
    radius[k] = 0.41 + 0.04 * uniform(&state);
    density[k] = 2;
  }
  dem_particles_init(&p, sizeof p);
  p.count = PARTICLES;
  p.position = x;
  p.velocity = v;
  p.radius = radius;
  p.density = density;
  return dem_system_add_particles(system, &p, NULL);
}

static dem_status write(const dem_system *system, const char *folder, const char *moment) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s.data", folder, moment);
  const dem_status status = dem_system_write_data_path(system, path);
  snprintf(path, sizeof path, "%s/%s.dump", folder, moment);
  return status ? status : dem_system_write_dump_path(system, path, 0);
}

static int run(dem_context *context, const char *folder, long steps) {
  dem_system *system = NULL;
  dem_status status = make(context, &system);
  if (!status) status = fill(system);
  if (!status) status = write(system, folder, "start");
  if (!status) status = dem_system_step(system, steps);
  if (!status) status = write(system, folder, "end");
  if (status) complain(dem_system_message(system), dem_context_message(context));
  dem_system_destroy(system);
  return status != DEM_OK;
}

static int read(dem_context *context, const char *path) {
  dem_data *data;
  double low[3], high[3], tilt[3];
  if (dem_data_read_path(context, path, &data)) return complain("read", dem_context_message(context));
  dem_data_box(data, low, high);
  dem_data_tilt(data, tilt);
  for (int a = 0; a < 3; a++) printf("%.17g %.17g %.17g\n", low[a], high[a], tilt[a]);
  dem_data_destroy(data);
  return 0;
}

int main(int count, char **arguments) {
  dem_context *context;
  int failed = 1;
  if (dem_context_create(NULL, &context)) return 1;
  if (count == 4 && strcmp(arguments[1], "run") == 0)
    failed = run(context, arguments[2], strtol(arguments[3], NULL, 10));
  else if (count == 3 && strcmp(arguments[1], "read") == 0)
    failed = read(context, arguments[2]);
  else
    complain("usage", "box-peer run FOLDER STEPS | box-peer read FILE");
  dem_context_destroy(context);
  return failed;
}
