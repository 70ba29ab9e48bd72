/* Intake of the options. */
#ifndef DEMI_STATICS_OPTIONS_H
#define DEMI_STATICS_OPTIONS_H

#include "source.h"

__typeof__(dem_statics_options_init) demi_statics_options_defaults;
/* Copies the host's options (NULL: the defaults) and checks all that does not concern the region; `least_contacts` 0 becomes
 * dimension + 1. */
dem_status demi_statics_take_options(const demi_statics_source *source, const dem_statics_options *theirs,
                                     dem_statics_options *ours);

#endif
