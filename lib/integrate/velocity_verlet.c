/* Velocity-Verlet [EN 21-23]: half kick, drift, forces at (x_{n+1}, v_{n+1/2}), half kick. Second order. */
#include "schemes.h"
#include "stepper.h"

dem_status demi_velocity_verlet_step(void *user, dem_stepper *s, double dt) {
  (void)user;
  dem_status status = s->kick(s, 0.5 * dt);
  if (!status) status = s->drift(s, dt);
  if (!status) status = s->evaluate(s, dt);
  if (!status) status = s->kick(s, 0.5 * dt);
  return status;
}
