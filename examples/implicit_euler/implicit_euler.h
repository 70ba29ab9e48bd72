/* Backward Euler steps of a host's own, over the trials of dem/plugin/trial.h. */
#ifndef IMPLICIT_EULER_H
#define IMPLICIT_EULER_H

#include <dem/dem.h>
#include <dem/plugin/trial.h>

typedef struct implicit_euler {
  dem_system *system;
  dem_trial *trial;
  dem_trial_rows rows;
  double h, phi; /* length of the step; Phi of implicit_euler.c at the latest u */
  double *mass;  /* of each unknown; 0: it does not move */
  double *velocity, *u, *residual, *p, *direction, *product, *before;
  int64_t newton, products; /* iterations and products K p so far */
} implicit_euler;

/* Opens a trial of the system, which belongs to the scheme until it is closed. Spheres move and do not turn; walls stay. */
dem_status implicit_euler_open(implicit_euler *s, dem_system *system, double h);
/* One step of length h: the forces that remain unbalanced are below `tolerance` [force]. DEM_UNSUPPORTED: it did not converge. */
dem_status implicit_euler_step(implicit_euler *s, double tolerance);
void implicit_euler_close(implicit_euler *s);

#endif
