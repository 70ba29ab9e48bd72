/* Kinetic energies, and their changes by the host. */
#ifndef DEMI_KINETIC_H
#define DEMI_KINETIC_H

#include "state.h"

void demi_system_kinetic(const dem_system *system, double *linear, double *angular);
demi_kinetic demi_kinetic_of(const dem_system *system, int64_t row);
demi_kinetic_sums demi_kinetic_all(const dem_system *system);
/* Kinetic energy that the host's change of a row brought: call with what the row had before. */
void demi_kinetic_book(dem_system *system, int64_t row, demi_kinetic before);
/* Of a row that has come, of one that is about to go. */
void demi_kinetic_bring(dem_system *system, int64_t row);
void demi_kinetic_take(dem_system *system, int64_t row);
/* The same where any row may have changed. */
void demi_kinetic_book_all(dem_system *system, const demi_kinetic_sums *before);

#endif
