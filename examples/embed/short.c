#include <dem/dem.h>
#include <stdio.h>

static void listen(void *user, int32_t level, const char *text) {
  (void)user;
  if (level == DEM_LOG_WARNING) printf("warning: %s\n", text);
}

int main(void) {
  dem_context_options hooks;
  dem_context *context;
  dem_system *system;
  dem_law *law;
  dem_system_options options;
  dem_law_options hooke;
  double x[6] = {-0.6, 0, 0, 0.6, 0, 0}, v[6] = {1, 0, 0, -1, 0, 0}, radius[2] = {0.5, 0.5}, density[2] = {1, 1};
  dem_particles rows = {
      .struct_size = sizeof rows, .count = 2, .position = x, .velocity = v, .radius = radius, .density = density};

  dem_context_options_init(&hooks, sizeof hooks);
  dem_system_options_init(&options, sizeof options);
  dem_law_options_init(&hooke, sizeof hooke);
  hooks.log = listen;
  options.dt = 1e-4;
  hooke.normal_stiffness = 1e4, hooke.damping = DEM_DAMPING_RESTITUTION, hooke.restitution = 0.8;
  if (dem_context_create(&hooks, &context) || dem_system_create(context, &options, &system) ||
      dem_law_create(context, &hooke, &law))
    return 1;
  dem_system_add_material(system, NULL, NULL);
  dem_system_set_law(system, 0, 0, law);
  if (dem_system_add_particles(system, &rows, NULL) || dem_system_run_until(system, 1))
    return puts(dem_system_message(system)), 1;
  dem_system_get_field(system, DEM_VELOCITY, 2, NULL, v, 0);
  printf("two spheres met at speed 1 each and left at %.3f and %.3f\n", v[0], v[3]);
  dem_law_release(law), dem_system_destroy(system), dem_context_destroy(context);
}
