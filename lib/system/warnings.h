/* Warnings: when the system is surveyed for reasons, and what is logged. */
#ifndef DEMI_WARNINGS_H
#define DEMI_WARNINGS_H

#include "state.h"

/* Logs all that lies outside the advice; with `again` also those warnings that were given before. There must be a list. */
void demi_system_warn(dem_system *system, int again);
/* Survey before stepping, where the set-up or the number of particles has changed enough. Builds the list if there is none. */
dem_status demi_warnings_survey_set_up(dem_system *system);
/* Survey while steps run: due when s->steps has come to s->warnings.next_survey. */
void demi_warnings_survey(dem_system *system);
/* The host has changed laws, integrator, dt or gravity: all warnings may be given again. */
void demi_warnings_forget(dem_system *system);

#endif
