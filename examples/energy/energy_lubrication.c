/* The impact of energy_impact.c in a viscous fluid: lubrication takes energy while the gap h is between its cut-offs,
 *   f = -6 pi eta a^2/h v_n,   inner 2a < h < outer 2a,   a = R* = RADIUS/2.
 * Above, below, and during the brief overlap it takes none: the plateaus of its account. Cut-offs wider apart from 0 than usual
 * make them long enough to be seen. */
#include "demo.h"

static const double RADIUS = 5e-3, DENSITY = 2500, SPEED = 0.2; /* of each */
static const double VISCOSITY = 0.3, INNER = 0.02, OUTER = 0.17;

int main(int count, char **arguments) {
  const double contact_time = demo_contact_time(RADIUS, DENSITY, 2 * SPEED);
  demo d;
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = contact_time / 1451;
  o.ledger = 1;
  demo_open(&d, "energy_lubrication", count, arguments, &o);

  dem_law_options law;
  dem_law_options_init(&law, sizeof law);
  law.normal = DEM_NORMAL_HERTZ;
  law.tangential = DEM_TANGENTIAL_NONE;
  law.viscosity = VISCOSITY;
  law.lubrication_inner = INNER;
  law.lubrication_outer = OUTER;
  demo_law(&d, &law);

  const double position[6] = {-1.1 * RADIUS, 0, 0, 1.1 * RADIUS, 0, 0}, velocity[6] = {SPEED, 0, 0, -SPEED, 0, 0};
  demo_spheres(&d, 2, position, velocity, RADIUS, DENSITY, NULL);

  demo_run(&d, 4 * 0.2 * RADIUS / (2 * SPEED), 10);
  return demo_close(&d);
}
