/* The services that integrators are written over, as a table that the system fills: this layer sees no contacts. */
#ifndef DEMI_STEPPER_H
#define DEMI_STEPPER_H

#include <dem/plugin/integrator.h>

struct dem_stepper {
  dem_status (*kick)(dem_stepper *stepper, double duration);
  dem_status (*drift)(dem_stepper *stepper, double duration);
  dem_status (*evaluate)(dem_stepper *stepper, double history_time);
  void *system;
};

#endif
