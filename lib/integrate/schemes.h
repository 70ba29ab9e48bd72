/* Steps of the built-in integrators. */
#ifndef DEMI_SCHEMES_H
#define DEMI_SCHEMES_H

#include <dem/plugin/integrator.h>

dem_status demi_euler_step(void *user, dem_stepper *stepper, double dt);
dem_status demi_velocity_verlet_step(void *user, dem_stepper *stepper, double dt);

#endif
