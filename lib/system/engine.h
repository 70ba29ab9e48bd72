/* The step pipeline: queue of operations, evaluation, list. */
#ifndef DEMI_ENGINE_H
#define DEMI_ENGINE_H

#include "state.h"

/* An evaluation of this system as a step makes it: forces, books where they are kept, histories advancing by `history_time`. */
demi_evaluation demi_engine_evaluation(dem_system *system, double history_time);
/* Queues an evaluation at the present positions, after the queue has run. `history_time`: time over which histories advance. */
dem_status demi_engine_evaluate(dem_system *system, double history_time);
/* Runs a trial evaluation that only adds up stored energies. */
dem_status demi_engine_potentials(dem_system *system);
/* The same with the list as it stands. */
dem_status demi_engine_potentials_listed(dem_system *system);
/* Runs the queue. keep_loads: 1: the sums of loads per particle can be read afterwards, and kicks may follow. */
dem_status demi_engine_flush(dem_system *system, int32_t keep_loads);
/* Gives the integrator its three services. */
void demi_engine_connect_stepper(dem_system *system);
/* Makes the list fit the present positions. */
dem_status demi_engine_search(dem_system *system);

#endif
