/* What a run leaves in its folder: energies.csv, frames/ and grains.pvd for ParaView, grains.dump for OVITO, and the packing it
 * started from when it made one itself. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <dem/dem.h>
#include <stdio.h>

enum { MOST_FRAMES = 1001 };

typedef struct output {
  const char *folder;
  FILE *energies;
  int64_t frames, capacity;
  double *times;
  char (*names)[32];
} output;

/* Makes the folder and opens the files; says on stderr what went wrong. 0 or -1, as all below. */
int output_open(output *out, const char *folder, int64_t frames);
int output_energies(output *out, dem_system *system);
int output_frame(output *out, dem_system *system);

/* The state as packing.data, to start from again with --data. */
int output_packing(const output *out, const dem_system *system);

/* Closes the files and tells on stdout where they are. */
int output_close(output *out);

#endif
