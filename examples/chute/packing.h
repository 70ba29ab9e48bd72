/* A packing made by the program itself: a rough frozen bed, and grains that are inserted at random, grown to contact under
 * gravity and left until they are calm. */
#ifndef PACKING_H
#define PACKING_H

#include "grains.h"

typedef struct packing_options {
  int64_t grains;       /* in all, bed included */
  int64_t settle_steps; /* stop waiting for calm after this many */
  double spread;        /* diameters are uniform in [1 - spread, 1 + spread] */
  int64_t seed;
} packing_options;

/* Inserts the rows; they overlap at full size. Says on stderr what went wrong. 0 or -1. */
int packing_insert(const packing_options *options, grains *g);

/* Grows and settles the rows of `g`, which are all that `system` holds. Leaves its time step changed. */
dem_status packing_settle(dem_system *system, const packing_options *options, grains *g);

#endif
