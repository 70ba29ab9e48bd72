/* Particle rows: mass from density, freezing. */
#ifndef DEMI_PARTICLES_H
#define DEMI_PARTICLES_H

#include <dem/system.h>

/* Mass and inertia of a row from radius and density. */
void demi_particle_set_mass(dem_system *system, int64_t row);
/* Gives a row its mobilities, which are its inverse mass and inertia too (store.h): it moves. */
void demi_particle_release(dem_system *system, int64_t row);
void demi_particle_freeze(dem_system *system, int64_t row);
/* 1: mass, inertia and their inverses are finite and above 0. */
int demi_particle_mass_fits(const dem_system *system, double radius, double density);
void demi_system_measure_radii(dem_system *system);

#endif
