/* The smallest host: something from every layer, so that an archive with missing parts does not link. */
#include <dem/dem.h>
#include <stdio.h>

int main(void) {
  dem_context *context = NULL;
  if (dem_context_create(NULL, &context)) return 1;
  dem_system_options options;
  dem_system *system = NULL;
  if (dem_system_options_init(&options, sizeof options)) return 2;
  options.dt = 1e-3;
  if (dem_system_create(context, &options, &system)) return 3;
  if (dem_system_step(system, 10)) return 4;
  if (dem_system_write_data_path(system, "") == DEM_OK) return 5;
  dem_system_destroy(system);
  if (dem_context_destroy(context)) return 6;
  printf("libdem %u\n", dem_version());
  return 0;
}
