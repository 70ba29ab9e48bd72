/* The packing fraction of a system and the box that belongs to one. */
#ifndef DEMI_COMPRESS_H
#define DEMI_COMPRESS_H

#include "packing.h"
#include "relax.h"

/* Refuses systems whose box cannot be compressed: an open axis, fewer than two particles. `what` begins the message. */
dem_status demi_compress_check(const dem_system *system, const char *what);
/* Checks the options of the minimisations, which must leave the box alone. */
dem_status demi_compress_take_relax(dem_system *system, const dem_relax_options *given, dem_relax_options *options,
                                    const char *what);
/* Sum of the volumes of all particles. */
dem_status demi_compress_volume(const dem_system *system, double *volume);
double demi_compress_fraction(const dem_system *system, double volume);
/* Brings box and particles to a packing fraction; the volume of all particles is given. */
dem_status demi_compress_box(dem_system *system, double volume, double packing_fraction);

#endif
