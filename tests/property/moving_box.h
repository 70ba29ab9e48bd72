/* Periodic boxes full of spheres for the tests of the box that deforms while the system steps (dem/box_motion.h). */
#ifndef TESTS_MOVING_BOX_H
#define TESTS_MOVING_BOX_H

#include <dem/dem.h>

#include "scenes/world.h"

typedef struct moving_box {
  int32_t dimension, side;  /* 2 or 3; side^dimension spheres */
  double spacing;           /* of the lattice; the box is side * spacing long, from 0, along each axis */
  double radius[2], jitter; /* radii within these, places off the lattice by up to `jitter` along each axis */
  double speed;             /* components of velocities and spins within +-speed */
  int32_t ledger, threads;
  const char *integrator; /* NULL: the default of the library */
  double dt, skin;        /* skin 0: the default of the library */
} moving_box;

/* 3 dimensions, 5 spheres a side that overlap with some of their neighbours, dt = 2e-4, ledger 1. */
moving_box moving_box_defaults(void);
/* Opens the world and fills it; the law is that of the options of world.h unless one is given. */
void moving_box_open(world *w, const moving_box *b, const dem_law_options *law);
/* Joins all spheres that touch by beams with dashpots. */
void moving_box_bond(const world *w);
/* Constant rates, in the order of DEM_BOX_XX ... */
void moving_box_drive(const world *w, const double rate[DEM_BOX_COMPONENTS]);
/* Gives all particles the velocities L x. */
void moving_box_flow(const world *w, const double rate[DEM_BOX_COMPONENTS], const double centre[3]);

#endif
