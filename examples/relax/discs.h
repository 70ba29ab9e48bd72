/* Periodic packings of smooth discs at random places, for examples/relax and examples/shear. */
#ifndef EXAMPLES_DISCS_H
#define EXAMPLES_DISCS_H

#include <dem/dem.h>
#include <stdio.h>

/* The area fraction at which these discs jam. */
#define DISCS_JAM 0.8425

typedef struct discs {
  dem_context *context;
  dem_system *system;
} discs;

/* `count` discs at random places in a square periodic box of area fraction phi. Radii are uniform in r to 2r, the energy of a contact of
 * overlap d is k d^2/2; r = 1 and k = 1 are the units. On failure it prints why; close it in any case. */
dem_status discs_open(discs *d, int64_t count, double phi, uint64_t seed);
void discs_close(discs *d);

/* Prints "ok" or "WRONG" and the fact. 1 if it is wrong. */
int discs_say(int right, const char *fact);

/* Opens FOLDER/NAME for writing, with its heading. NULL after saying so. */
FILE *discs_csv(const char *folder, const char *name, const char *heading);

#endif
