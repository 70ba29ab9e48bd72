/* A packing made by the program itself: a rough frozen bed, and grains that are inserted at random, grown to contact under
 * gravity and left until they are calm. */
#ifndef PACKING_H
#define PACKING_H

#include "grains.h"

typedef struct packing_options {
  int64_t grains;       /* in all, bed included */
  int64_t settle_steps; /* give up waiting for calm after this many */
  double spread;        /* diameters are uniform in [1 - spread, 1 + spread] */
  uint64_t seed;
  int32_t threads;
} packing_options;

/* Fills `g` (free it when done). Says on stderr what went wrong. 0, 1 on failure, 2 when interrupted. */
int packing_make(dem_context *context, const packing_options *options, grains *g);

#endif
