/* Solids for the tests of libdem-linalg: lattices and random packings of smooth spheres with springs of stiffness STIFFNESS, and a trial
 * over them without rotations. Rough spheres have tangential springs of stiffness ROUGH, and turn. Spheres of radius 1/2 have mass 1. */
#ifndef TESTS_SOLIDS_H
#define TESTS_SOLIDS_H

#include <dem/linalg.h>

#include "scenes/world.h"

/* Of the spring between two spheres. */
#define STIFFNESS 100.0
#define ROUGH 40.0

typedef struct solid {
  world w;
  dem_linalg *linalg;
  dem_trial *trial;
  dem_trial_rows rows;
  double *u, *gradient, *product; /* of the unknowns */
} solid;

enum { SOLID_CHAIN, SOLID_SQUARE, SOLID_TRIANGLE, SOLID_ROUGH_TRIANGLE };

/* nx x ny spheres of radius 1/2 at the distance 1 - overlap in a plane; TRIANGLES: ny is even. A chain is open along y and has one sphere
 * besides which touches nothing. */
void solid_open_lattice(solid *s, int kind, int nx, int ny, double overlap, int box);
/* side^dimension spheres of random radii, pressed together in a periodic box and at rest. */
void solid_open_packing(solid *s, int dimension, int side, int box);
void solid_close(solid *s);

/* Newton's method for the particles, the strain in s->u stays: until the largest force is below 1e-11. s->gradient is that of s->u. */
void solid_relax(solid *s);

#endif
