/* Two Hertz spheres, 2.2 radii apart, fly at each other and bounce without loss (e = 1): kinetic energy becomes elastic energy
 * and kinetic energy again. What the finite time step makes of it is an account of its own. */
#include "demo.h"

static const double RADIUS = 5e-3, DENSITY = 2500, SPEED = 0.2; /* of each */

int main(int count, char **arguments) {
  const double contact_time = demo_contact_time(RADIUS, DENSITY, 2 * SPEED);
  demo d;
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = contact_time / 1451;
  o.ledger = 1;
  demo_open(&d, "energy_impact", count, arguments, &o);

  dem_law_options law;
  dem_law_options_init(&law, sizeof law);
  law.normal = DEM_NORMAL_HERTZ;
  law.tangential = DEM_TANGENTIAL_NONE;
  demo_law(&d, &law);

  const double position[6] = {-1.1 * RADIUS, 0, 0, 1.1 * RADIUS, 0, 0}, velocity[6] = {SPEED, 0, 0, -SPEED, 0, 0};
  demo_spheres(&d, 2, position, velocity, RADIUS, DENSITY, NULL);

  /* The way to the contact, the contact, and as long again. */
  const double approach = 0.2 * RADIUS / (2 * SPEED);
  demo_run(&d, 2 * approach + contact_time, 10);
  return demo_close(&d);
}
