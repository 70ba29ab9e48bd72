/* One packing: a random start, compressed, then decompressed along a ladder of pressures. */
#ifndef DECOMPRESS_H
#define DECOMPRESS_H

#include <dem/dem.h>
#include <stdio.h>

typedef struct jam_options {
  int32_t dimension, threads;
  int64_t count;
  double ratio;         /* large radius / small radius; half of the particles are large */
  double start;         /* phi of the start */
  double first, last;   /* pressures at the ends of the ladder, in stiffnesses (discs) or stiffnesses / diameter (spheres) */
  int rungs;            /* pressures per decade */
  const char *strategy; /* of the minimiser; NULL = its default */
  const char *folder;
} jam_options;

/* States on the ladder, of all packings. */
typedef struct ladder {
  int count;
  dem_jam_report *state;
  double *point; /* phi_J of the packing that the state belongs to */
} ladder;

/* Makes the packing of a seed and appends its states. The last one of the first packing is written to files. Ends the program with a
 * message when the library refuses. */
void decompress(const jam_options *options, uint64_t seed, int write_files, ladder *states);

#endif
