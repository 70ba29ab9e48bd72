/* Explicit Euler [EN 2-3]: v' = v + dt F(x, v)/m, x' = x + dt v with the old velocity. First order, gains energy: the
 * reference. */
#include "schemes.h"
#include "stepper.h"

dem_status demi_euler_step(void *user, dem_stepper *s, double dt) {
  (void)user;
  dem_status status = s->evaluate(s, dt);
  if (!status) status = s->drift(s, dt);
  if (!status) status = s->kick(s, dt);
  return status;
}
