/* Limits of the time step from what may meet; demi_system_stable_dt of system.h is defined in time_step.c too. */
#ifndef DEMI_TIME_STEP_H
#define DEMI_TIME_STEP_H

#include "state.h"

/* Stability limit of velocity-Verlet for a bond alone [time]. */
double demi_bond_stable_dt(const dem_system *system, const demi_bond *bond);
/* Shortest contact time of the pairs that may meet [time]; infinite when no law tells. */
double demi_system_possible_time(const dem_system *system);

#endif
