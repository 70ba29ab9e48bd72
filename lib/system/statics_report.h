/* Statics of a system: where they come from. */
#ifndef DEMI_STATICS_REPORT_H
#define DEMI_STATICS_REPORT_H

#include "source.h"
#include "state.h"

/* The latest evaluation as a source of statics. */
demi_statics_source demi_statics_source_of(const dem_system *system);
/* Refuses where that evaluation does not belong to the present state; `what` begins the message. */
dem_status demi_statics_known(const dem_system *system, const char *what);

#endif
