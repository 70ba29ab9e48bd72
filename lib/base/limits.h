/* How large and how small numbers from a host may be. With 1e60 on either side products of a few of them (kinetic energies m v^2,
 * torques, squares of distances) stay finite, and no unit of length, mass or time comes near it. */
#ifndef DEMI_LIMITS_H
#define DEMI_LIMITS_H

#include <math.h>

#define DEMI_LARGEST 1e60

/* Neither NaN nor beyond the limit. isfinite raises no exception for a NaN, which a host may trap. */
static inline int demi_bounded(double value) { return isfinite(value) && fabs(value) <= DEMI_LARGEST; }
/* Above 0, and neither it nor its inverse beyond the limit. */
static inline int demi_bounded_above_zero(double value) { return demi_bounded(value) && value >= 1.0 / DEMI_LARGEST; }

#endif
