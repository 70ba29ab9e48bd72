#include "own_integrator.h"

static dem_status step(void *user, dem_stepper *stepper, double dt) {
  (void)user;
  dem_status status = dem_stepper_drift(stepper, dt / 2);
  if (!status) status = dem_stepper_evaluate(stepper, dt);
  if (!status) status = dem_stepper_kick(stepper, dt);
  if (!status) status = dem_stepper_drift(stepper, dt / 2);
  return status;
}

void own_position_verlet(dem_integrator_table *table) {
  dem_integrator_table_init(table, sizeof *table);
  table->contract = DEM_INTEGRATOR_CONTRACT;
  table->name = "position-verlet";
  table->order = 2;
  table->stability = 2;
  table->step = step;
}
