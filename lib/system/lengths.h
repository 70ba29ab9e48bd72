/* Lengths that the neighbour search needs, from the particles and laws there are. */
#ifndef DEMI_LENGTHS_H
#define DEMI_LENGTHS_H

#include "state.h"

/* Largest gap across which any law set may act on the particles there are [length]. */
double demi_system_range(const dem_system *system);
/* Radius of a particle of usual size: the mean over all particles [length]. */
double demi_system_typical_radius(const dem_system *system);
/* Extra reach of the neighbour list: that of the options, or a part of the typical diameter [length]. */
double demi_system_skin(const dem_system *system);

#endif
