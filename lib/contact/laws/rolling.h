/* What the rolling and twisting parts share beside the Coulomb cap. */
#ifndef DEMI_ROLLING_LAWS_H
#define DEMI_ROLLING_LAWS_H

#include "coulomb.h"

/* The normal force that the caps are a part of. */
static inline double demi_capping_force(const dem_batch *b, int32_t q) { return b->normal_elastic[q] + b->normal_damping[q]; }

#endif
