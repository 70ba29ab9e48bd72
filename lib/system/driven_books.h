/* Work of the agent that moves driven frozen particles. */
#ifndef DEMI_DRIVEN_BOOKS_H
#define DEMI_DRIVEN_BOOKS_H

#include "state.h"

/* After an evaluation: the power of its forces on frozen particles that move. */
void demi_driven_measure(dem_system *system);
/* Books the work of the agent that moves them, over `duration` [time] of kicks under the forces measured. */
void demi_driven_book(dem_system *system, double duration);

#endif
