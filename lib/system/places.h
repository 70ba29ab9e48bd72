/* The neighbour search of a system: what it needs, and checks that positions are within its reach. */
#ifndef DEMI_PLACES_H
#define DEMI_PLACES_H

#include "state.h"

enum { DEMI_PLACE_TEXT = 192 };
/* Largest |coordinate|. */
double demi_place_limit(double smallest_radius);
/* What is wrong with a position or its image (NULL: none), in `text`; NULL when nothing is. */
const char *demi_place_flaw(const demi_box *box, double limit, const double position[3], const int32_t image[3],
                            char text[DEMI_PLACE_TEXT]);
/* Refuses the first particle that is too far away for a list. */
dem_status demi_system_check_places(const dem_system *system);
/* All that a search needs, from the particles, laws and faces as they are now. */
demi_search demi_system_search(const dem_system *system);

#endif
