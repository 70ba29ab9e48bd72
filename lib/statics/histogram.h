/* The distribution of the normal forces. */
#ifndef DEMI_HISTOGRAM_H
#define DEMI_HISTOGRAM_H

#include "region.h"

__typeof__(dem_force_histogram_init) demi_histogram_defaults;
/* Takes the host's struct in and checks it. */
dem_status demi_histogram_take(const demi_statics_source *source, const dem_force_histogram *theirs, dem_force_histogram *ours);
/* Counts into ours->counts and ours->density and sets the members that are out. */
void demi_histogram_fill(const demi_statics_source *source, int32_t sections, const demi_region *region,
                         dem_force_histogram *ours);
/* Gives ours back to the host. */
dem_status demi_histogram_give(dem_force_histogram *theirs, const dem_force_histogram *ours);

#endif
