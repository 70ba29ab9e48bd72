/* Sums over the contacts of a region: fabric, overlaps, forces, friction. */
#ifndef DEMI_MEASURES_H
#define DEMI_MEASURES_H

#include "region.h"

/* Writes the members of `out` that come from contacts, from `fabric` to `sliding`, but for those of coordination and rattlers. */
void demi_measure_contacts(const demi_statics_source *source, int32_t sections, const demi_region *region, dem_statics *out);

#endif
