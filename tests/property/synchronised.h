/* The plain and the improved velocity-Verlet scheme beside each other, for the tests that compare them. */
#ifndef TESTS_SYNCHRONISED_H
#define TESTS_SYNCHRONISED_H

#include <dem/dem.h>

enum { STANDARD = 0, IMPROVED = 1 };
/* Names of the two. */
extern const char *const synchronised_schemes[2];

/* In `context` (scenes/context.h), with books and one material, E = 1e6 and Poisson's ratio 0.3; no law yet. */
dem_system *synchronised_create(int scheme, double dt, int32_t arms);
/* The energies now; they balance to 1e-12. */
dem_energy synchronised_books(dem_system *s);

#endif
