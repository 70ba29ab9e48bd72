/* Systems under the plain and the improved scheme: see synchronised.h. */
#include "assertions.h"

#include "property/synchronised.h"
#include "scenes/context.h"

const char *const synchronised_schemes[2] = {"velocity-verlet", "improved-velocity-verlet"};

dem_energy synchronised_books(dem_system *s) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(s, dem_system_energy(s, &e));
  ASSERT_BELOW(e.residual_relative, 1e-12);
  return e;
}

dem_system *synchronised_create(int scheme, double dt, int32_t arms) {
  dem_system_options o;
  dem_material m;
  dem_system *s;
  dem_system_options_init(&o, sizeof o);
  dem_material_init(&m, sizeof m);
  m.young = 1e6;
  m.poisson = 0.3;
  o.dt = dt;
  o.ledger = 1;
  o.arms = arms;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  ASSERT_OK(s, dem_system_set_integrator_name(s, synchronised_schemes[scheme]));
  ASSERT_OK(s, dem_system_add_material(s, &m, NULL));
  return s;
}
