#include "grains.h"

#include <stdlib.h>
#include <string.h>

int grains_allocate(grains *g, int64_t count) {
  const size_t n = (size_t)count;
  memset(g, 0, sizeof *g);
  g->count = count;
  g->position = calloc(3 * n, sizeof(double));
  g->velocity = calloc(3 * n, sizeof(double));
  g->spin = calloc(3 * n, sizeof(double));
  g->radius = calloc(n, sizeof(double));
  g->density = calloc(n, sizeof(double));
  g->material = calloc(n, sizeof(int32_t));
  g->frozen = calloc(n, sizeof(int32_t));
  if (g->position && g->velocity && g->spin && g->radius && g->density && g->material && g->frozen) return 0;
  grains_free(g);
  return -1;
}

void grains_free(grains *g) {
  free(g->position);
  free(g->velocity);
  free(g->spin);
  free(g->radius);
  free(g->density);
  free(g->material);
  free(g->frozen);
  memset(g, 0, sizeof *g);
}

int64_t grains_moving(const grains *g) {
  int64_t n = 0;
  for (int64_t i = 0; i < g->count; i++) n += !g->frozen[i];
  return n;
}

static void copy_rows(grains *g, const dem_particles *rows) {
  const size_t n = (size_t)rows->count;
  memcpy(g->position, rows->position, 3 * n * sizeof(double));
  if (rows->velocity) memcpy(g->velocity, rows->velocity, 3 * n * sizeof(double));
  if (rows->spin) memcpy(g->spin, rows->spin, 3 * n * sizeof(double));
  memcpy(g->radius, rows->radius, n * sizeof(double));
  memcpy(g->density, rows->density, n * sizeof(double));
  if (rows->material) memcpy(g->material, rows->material, n * sizeof(int32_t));
}

static dem_status copy_data(const dem_data *data, grains *g) {
  dem_particles rows;
  dem_particles_init(&rows, sizeof rows);
  dem_status status = dem_data_particles(data, &rows);
  if (status) return status;
  if (grains_allocate(g, rows.count)) return DEM_NO_MEMORY;
  copy_rows(g, &rows);
  for (int64_t i = 0; i < g->count; i++) {
    g->frozen[i] = g->material[i] == 1;
    if (!g->frozen[i]) continue;
    memset(g->velocity + 3 * i, 0, 3 * sizeof(double));
    memset(g->spin + 3 * i, 0, 3 * sizeof(double));
  }
  return dem_data_box(data, g->low, g->high);
}

dem_status grains_read(dem_context *context, const char *path, grains *g) {
  dem_data *data = NULL;
  dem_status status = dem_data_read_path(context, path, &data);
  if (!status) status = copy_data(data, g);
  dem_data_destroy(data);
  return status;
}

dem_status grains_add(const grains *g, dem_system *system) {
  dem_particles rows;
  dem_status status = dem_particles_init(&rows, sizeof rows);
  if (status) return status;
  rows.count = g->count;
  rows.position = g->position;
  rows.velocity = g->velocity;
  rows.spin = g->spin;
  rows.radius = g->radius;
  rows.density = g->density;
  rows.material = g->material;
  rows.frozen = g->frozen;
  return dem_system_add_particles(system, &rows, NULL);
}

dem_status grains_positions(grains *g, const dem_system *system) {
  return dem_system_get_field(system, DEM_POSITION, g->count, NULL, g->position, 0);
}
