/* What the parts of the case `relax` share. */
#ifndef RELAX_H
#define RELAX_H

#include "bench.h"

/* Discs or spheres in a periodic box with corner 0; energy k d^2/2 per contact of overlap d, with k = 1. */
typedef struct packing {
  int32_t dimension;
  int64_t count;
  double length[3];
  double *position, *radius; /* 3 (z = 0 in a plane), 1 per particle */
} packing;

typedef struct relax_result {
  double seconds, energy, pressure, coordination, gradient_relative, unbalanced_force;
  long long iterations, gradients, products;
  int reason; /* DEM_MINIMISE_... */
} relax_result;

/* Reads a CSV of discs (box in line 1), or makes a packing at random places, radii uniform in 0.5 to 1. 0, or 1 after saying why. */
int packing_open(packing *p, const options *o);
void packing_close(packing *p);

double packing_least_radius(const packing *p);

/* The minimiser that a program of one page would have (plain_lbfgs.c); it moves the packing. 0, or 1 after saying why. */
int plain_relax(packing *p, double tolerance, relax_result *result);

/* Energy, pressure, coordination and unbalanced force of a packing, with the plain loop. */
int plain_measure(const packing *p, relax_result *result);

#endif
