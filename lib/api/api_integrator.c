/* Exported: integrators and the services they are written over. */
#include "integrator.h"

#include "context.h"
#include "stepper.h"

dem_status dem_integrator_table_init(dem_integrator_table *table, uint32_t struct_size) {
  return table ? demi_integrator_table_defaults(table, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_integrator_create(dem_context *context, const dem_integrator_table *table, void *user,
                                 dem_integrator **integrator) {
  if (integrator) *integrator = NULL;
  if (!context) return DEM_BAD_ARGUMENT;
  if (!table || !integrator)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "dem_integrator_create: %s is NULL", table ? "integrator" : "table");
  return demi_integrator_create(context, table, user, integrator);
}

void dem_integrator_release(dem_integrator *integrator) { demi_integrator_release(integrator); }

dem_status dem_stepper_kick(dem_stepper *stepper, double duration) {
  return stepper ? stepper->kick(stepper, duration) : DEM_BAD_ARGUMENT;
}

dem_status dem_stepper_drift(dem_stepper *stepper, double duration) {
  return stepper ? stepper->drift(stepper, duration) : DEM_BAD_ARGUMENT;
}

dem_status dem_stepper_evaluate(dem_stepper *stepper, double history_time) {
  return stepper ? stepper->evaluate(stepper, history_time) : DEM_BAD_ARGUMENT;
}
