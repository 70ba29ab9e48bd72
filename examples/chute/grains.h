/* The rows that a system starts from, held by the host, with the box they lie in. Material 0 flows, material 1 is the bed. */
#ifndef GRAINS_H
#define GRAINS_H

#include <dem/dem.h>

typedef struct grains {
  int64_t count;
  double low[3], high[3]; /* corners of the box; x and y are periodic */
  double *position, *velocity, *spin, *radius, *density;
  int32_t *material, *frozen;
} grains;

/* Allocates zeroed rows; 0, or -1 when memory runs out. */
int grains_allocate(grains *g, int64_t count);
void grains_free(grains *g);

/* Rows that are not frozen. */
int64_t grains_moving(const grains *g);

/* Reads a LAMMPS data file; type 2 is the frozen bed, as in LAMMPS's bench/in.chute. */
dem_status grains_read(dem_context *context, const char *path, grains *g);

/* Adds all rows to a system that has two materials. */
dem_status grains_add(const grains *g, dem_system *system);

/* Copies the present positions back, in the order in which grains_add gave them. */
dem_status grains_positions(grains *g, const dem_system *system);

#endif
