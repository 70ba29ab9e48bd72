/* Stiffness, dashpot, expected overlap and contact time of a batch of contacts without history, given overlap, m*, R* and
 * speed of approach. */
#ifndef DEMI_SPRINGS_H
#define DEMI_SPRINGS_H

#include "law.h"

/* Lanes of a batch. A law need not tell everything: NaN says that it does not. */
typedef struct demi_springs {
  int32_t count;                                   /* 1 ... DEM_BATCH_CAPACITY */
  _Alignas(64) double overlap[DEM_BATCH_CAPACITY]; /* in: now; <= 0 apart */
  double radius[DEM_BATCH_CAPACITY], mass[DEM_BATCH_CAPACITY];
  double speed[DEM_BATCH_CAPACITY];    /* in: of approach, >= 0 */
  double expected[DEM_BATCH_CAPACITY]; /* out: overlap at which the spring has taken up the energy of the approach */
  double time[DEM_BATCH_CAPACITY];     /* out: duration of an impact that gets there, without damping */
  double normal[DEM_BATCH_CAPACITY], tangential[DEM_BATCH_CAPACITY];                     /* out: stiffness there */
  double normal_viscosity[DEM_BATCH_CAPACITY], tangential_viscosity[DEM_BATCH_CAPACITY]; /* out */
} demi_springs;

void demi_springs_find(const demi_bound *bound, demi_springs *springs);

/* Elastic force and stored energy of the normal part at springs->overlap, into `normal` and `expected`; NaN where it does not
 * offer energy. */
void demi_springs_force(const demi_bound *bound, demi_springs *springs);

/* Friction of the tangential part: 0 without one, NaN where it is a user's. */
double demi_bound_friction(const demi_bound *bound);

/* The same where the limit is mu |f_n| with the normal force in the loads. NaN also for an adhesive law and for one whose tangential part
 * pushes along n: the normal force that limits their friction is another. */
double demi_bound_known_friction(const demi_bound *bound);

#endif
