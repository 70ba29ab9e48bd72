/* Two spheres joined by an elastic beam start with opposite velocities across it. The beam shears, the spheres begin to spin and
 * the pair turns. With k_tb = 2/7 k_nb shear and stretch swing at the same frequency, so the centrifugal pull of every swing
 * stretches the beam a little further, until it breaks at 1 %: what it held becomes breakage within one step. */
#include "demo.h"

static const double RADIUS = 5e-3, DENSITY = 2500, SPEED = 0.2; /* of each */

static int32_t add_beam_type(demo *d) {
  int32_t beam;
  dem_bond_type type;
  dem_bond_type_init(&type, sizeof type);
  type.radius_factor = 0.5;
  type.normal_stiffness = 6e7;
  type.tangential_stiffness = 2.0 / 7 * type.normal_stiffness;
  type.break_strain = 0.01;
  demo_check(d, "bond type", dem_system_add_bond_type(d->system, &type, &beam));
  return beam;
}

static void report_breaks(demo *d) {
  dem_bond_break broken;
  int64_t count;
  for (;;) {
    demo_check(d, "breaks", dem_system_take_bond_breaks(d->system, 1, &broken, sizeof broken, &count));
    if (count == 0) return;
    printf("broke at %.4g ms with %.4g J in it\n", 1e3 * broken.time, broken.energy);
  }
}

int main(int count, char **arguments) {
  demo d;
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = 5e-6; /* about 1/900 of a swing */
  o.ledger = 1;
  demo_open(&d, "energy_bond", count, arguments, &o);

  dem_law_options law;
  dem_law_options_init(&law, sizeof law);
  law.normal = DEM_NORMAL_HERTZ;
  law.tangential = DEM_TANGENTIAL_NONE;
  demo_law(&d, &law);

  const double position[6] = {-RADIUS, 0, 0, RADIUS, 0, 0}, velocity[6] = {0, -SPEED, 0, 0, SPEED, 0};
  dem_bond bond = {.type = add_beam_type(&d)};
  dem_id ids[2];
  demo_spheres(&d, 2, position, velocity, RADIUS, DENSITY, ids);
  bond.i = ids[0];
  bond.j = ids[1];
  demo_check(&d, "bond", dem_system_add_bonds(d.system, 1, &bond, sizeof bond, NULL));

  demo_run(&d, 0.06, 20);
  report_breaks(&d);
  return demo_close(&d);
}
