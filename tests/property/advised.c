/* Systems that advice is asked of: see advised.h. */
#include "assertions.h"

#include "property/advised.h"

#include "scenes/context.h"
#include "scenes/scenes.h"

static const double RADIUS = 0.5;

dem_system *advised_system(const dem_law_options *law, double young, double dt) {
  dem_system_options o;
  dem_material m;
  dem_system *s;
  dem_system_options_init(&o, sizeof o);
  o.dt = dt;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  dem_material_init(&m, sizeof m);
  m.young = young;
  m.poisson = 0.3;
  ASSERT_OK(s, dem_system_add_material(s, &m, NULL));
  ASSERT_OK(s, scene_set_law(context, s, 0, 0, law));
  return s;
}

dem_advice advised(dem_system *s) {
  dem_advice a;
  assert_int_equal(dem_advice_init(&a, sizeof a), DEM_OK);
  ASSERT_OK(s, dem_system_advise(s, &a));
  return a;
}

void advised_hooke(dem_law_options *o, double stiffness) {
  dem_law_options_init(o, sizeof *o);
  o->normal_stiffness = stiffness;
  o->tangential = DEM_TANGENTIAL_NONE;
}

void advised_hertz(dem_law_options *o) {
  dem_law_options_init(o, sizeof *o);
  o->normal = DEM_NORMAL_HERTZ;
  o->tangential = DEM_TANGENTIAL_NONE;
}

/* A periodic chain, compressed, with the highest mode excited: 4 k/m. */
dem_system *advised_chain(void) {
  dem_system_options o;
  dem_law_options law;
  dem_system *s;
  rows r;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  o.periodic[0] = 1;
  o.box_high[0] = ADVISED_LINKS * 1.98 * RADIUS;
  advised_hooke(&law, 1e4);
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  ASSERT_OK(s, dem_system_add_material(s, NULL, NULL));
  ASSERT_OK(s, scene_set_law(context, s, 0, 0, &law));
  assert_int_equal(rows_create(&r, ADVISED_LINKS), 0);
  for (int k = 0; k < ADVISED_LINKS; k++)
    rows_velocity(&r, rows_put(&r, (k + 0.5) * 1.98 * RADIUS, 0, 0, RADIUS), k % 2 ? 1e-7 : -1e-7, 0, 0);
  ASSERT_OK(s, rows_add(&r, s, NULL));
  rows_destroy(&r);
  return s;
}
