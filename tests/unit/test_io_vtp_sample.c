/* Writes sample.vtp (100 particles of known values), empty.vtp and sample.pvd into the folder given, for check_vtp.py. */
#include <dem/dem.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COUNT = 100, PATH_SIZE = 1000 };

static const char *in_folder(char path[PATH_SIZE], const char *folder, const char *name) {
  snprintf(path, PATH_SIZE, "%s/%s", folder, name);
  return path;
}

static dem_system *create(dem_context *context) {
  dem_system_options options;
  dem_system *system = NULL;
  dem_system_options_init(&options, sizeof options);
  options.dt = 1e-3;
  if (dem_system_create(context, &options, &system)) return NULL;
  for (int i = 0; i < 3; i++) dem_system_add_material(system, NULL, NULL);
  return system;
}

static dem_status fill(dem_system *system) {
  double position[3 * COUNT], velocity[3 * COUNT] = {0}, spin[3 * COUNT] = {0}, radius[COUNT], density[COUNT];
  int32_t material[COUNT], frozen[COUNT];
  for (int i = 0; i < COUNT; i++) {
    frozen[i] = i % 10 == 9;
    material[i] = i % 3;
    radius[i] = 0.01 * (i % 7 + 1);
    density[i] = 2500;
    for (int k = 0; k < 3; k++) {
      position[3 * i + k] = i + 0.1 * k;
      velocity[3 * i + k] = frozen[i] ? 0 : -0.5 * k + i;
      spin[3 * i + k] = frozen[i] ? 0 : 0.25 * k - i;
    }
  }
  dem_particles particles;
  dem_particles_init(&particles, sizeof particles);
  particles.count = COUNT;
  particles.position = position;
  particles.velocity = velocity;
  particles.spin = spin;
  particles.radius = radius;
  particles.density = density;
  particles.material = material;
  particles.frozen = frozen;
  return dem_system_add_particles(system, &particles, NULL);
}

static int write_samples(const char *folder) {
  char path[PATH_SIZE];
  const double time = 0;
  const char *const file = "sample.vtp";
  dem_context *context = NULL;
  if (dem_context_create(NULL, &context)) return 1;
  dem_system *system = create(context);
  int failed = !system;
  failed = failed || dem_system_write_vtp_path(system, in_folder(path, folder, "empty.vtp"));
  failed = failed || fill(system);
  failed = failed || dem_system_write_vtp_path(system, in_folder(path, folder, file));
  failed = failed || dem_pvd_write_path(in_folder(path, folder, "sample.pvd"), 1, &time, &file);
  if (failed) fprintf(stderr, "%s\n", dem_system_message(system));
  dem_system_destroy(system);
  return dem_context_destroy(context) || failed;
}

/* Without a folder it is a test of its own: the files are written, and can be taken away. */
static int run_as_test(void) {
  static const char *const names[] = {"empty.vtp", "sample.vtp", "sample.pvd"};
  char folder[] = "test_io_vtp_XXXXXX", path[PATH_SIZE];
  int failed = !mkdtemp(folder) || write_samples(folder);
  for (int i = 0; i < 3; i++) failed = unlink(in_folder(path, folder, names[i])) || failed;
  failed = rmdir(folder) || failed;
  printf("1..1\n%s 1 - vtp sample is written\n", failed ? "not ok" : "ok");
  return failed;
}

int main(int count, char **arguments) { return count > 1 ? write_samples(arguments[1]) : run_as_test(); }
