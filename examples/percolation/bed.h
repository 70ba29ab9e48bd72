/* A static random bed of equal spheres, made by the library: poured, settled, taken out of the system that settled them. SI units. */
#ifndef BED_H
#define BED_H

#include <dem/dem.h>

/* Periodic in x and y; on z = 0. */
typedef struct bed {
  int64_t count;
  double radius, side, top; /* top: of the highest sphere */
  double *position;         /* 3 per sphere */
} bed;

/* Settles a bed of about `depth` in a square column of the given side. 0, or 1 after saying why on stderr. */
int bed_make(dem_context *context, double radius, double side, double depth, bed *b);
void bed_free(bed *b);

#endif
