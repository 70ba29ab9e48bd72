/* The region that the statics are of: a weight for each particle, and a volume. */
#ifndef DEMI_REGION_H
#define DEMI_REGION_H

#include "source.h"

typedef struct demi_region {
  double *weight; /* per row */
  double sum, volume;
  int64_t particles; /* with a weight above 0 */
} demi_region;

/* Checks what the options say of the region and finds it. Close it in any case. */
dem_status demi_region_open(const demi_statics_source *source, const dem_statics_options *options, demi_region *region);
void demi_region_close(const demi_statics_source *source, demi_region *region);

#endif
