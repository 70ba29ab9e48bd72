/* Position Verlet, an integrator that libdem does not have, for dem_integrator_create:
 *
 *   x' = x + dt/2 v,   v' = v + dt F(x', v)/m,   x'' = x' + dt/2 v'
 *
 * Second order and symplectic for conservative forces; the forces are evaluated in the middle of the step, so it needs none
 * at its start. Dashpots see the velocity of the start of the step, so with damping it is of first order. */
#ifndef OWN_INTEGRATOR_H
#define OWN_INTEGRATOR_H

#include <dem/plugin/integrator.h>

/* Fills the table. */
void own_position_verlet(dem_integrator_table *table);

#endif
