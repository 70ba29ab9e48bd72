/* Two parts of a contact law that libdem does not have, for dem_law_create_from_parts.
 *
 *   power      normal      f_n = k d^(3/2) - c d^(1/2) v_n
 *   smoothed   tangential  f_t = -mu max(f_n, 0) v_t / sqrt(|v_t|^2 + v_0^2)
 *
 * `power` is Hertz's law with the stiffness given directly instead of through materials, and a dashpot that grows with the
 * contact radius. `smoothed` is Coulomb friction without memory: below the speed v_0 it is a dashpot, so it creeps on a
 * slope where a spring would hold. */
#ifndef OWN_LAW_H
#define OWN_LAW_H

#include <dem/plugin/law.h>

typedef struct own_power {
  double stiffness; /* k [force/length^(3/2)] > 0 */
  double viscosity; /* c [force*time/length^(3/2)] >= 0 */
} own_power;

typedef struct own_smoothed {
  double friction; /* mu >= 0 */
  double speed;    /* v_0 [length/time] > 0 */
} own_smoothed;

/* Fill the tables. */
void own_power_part(dem_law_part *part);
void own_smoothed_part(dem_law_part *part);

/* A law of both parts. */
dem_status own_law_create(dem_context *context, const own_power *power, const own_smoothed *smoothed, dem_law **law);

#endif
