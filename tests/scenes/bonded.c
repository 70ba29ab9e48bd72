/* Bonded spheres: see bonded.h. */
#include "assertions.h"

#include "bonded.h"

#include "scenes.h"
#include "world.h"

void bonded_set_law(bonded *w, int32_t hertz) {
  dem_law_options o;
  dem_law *law;
  dem_law_options_init(&o, sizeof o);
  if (hertz) {
    o.normal = DEM_NORMAL_HERTZ;
    o.tangential = DEM_TANGENTIAL_NONE;
  } else {
    o.normal_stiffness = 1e4;
    o.damping = DEM_DAMPING_RESTITUTION;
    o.restitution = 0.8;
  }
  assert_int_equal(scene_create_law(w->context, &o, &law), DEM_OK);
  ASSERT_OK(w->system, dem_system_set_law(w->system, 0, 0, law));
  dem_law_release(law);
}

bonded bonded_open(const bonded_setup *u) {
  bonded w;
  dem_system_options o;
  dem_material m;
  assert_int_equal(dem_context_create(NULL, &w.context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = u->dt;
  o.ledger = u->ledger;
  o.threads = u->threads ? u->threads : 1;
  for (int a = 0; a < 3 && u->period > 0; a++) {
    o.periodic[a] = 1;
    o.box_high[a] = u->period;
  }
  assert_int_equal(dem_system_create(w.context, &o, &w.system), DEM_OK);
  if (u->integrator) ASSERT_OK(w.system, dem_system_set_integrator_name(w.system, u->integrator));
  dem_material_init(&m, sizeof m);
  m.young = 1e5;
  ASSERT_OK(w.system, dem_system_add_material(w.system, &m, NULL));
  bonded_set_law(&w, u->hertz);
  return w;
}

void bonded_close(bonded *w) {
  dem_system_destroy(w->system);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

/* Density such that a sphere of radius 1/2 has mass 1 and inertia 1/10. */
dem_id bonded_put(bonded *w, double x, double y, double z) {
  dem_particles p;
  dem_id id;
  const double position[3] = {x, y, z}, radius = 0.5, density = 6 / 3.14159265358979323846;
  dem_particles_init(&p, sizeof p);
  p.count = 1;
  p.position = position;
  p.radius = &radius;
  p.density = &density;
  ASSERT_OK(w->system, dem_system_add_particles(w->system, &p, &id));
  return id;
}

void bonded_set(bonded *w, int32_t field, dem_id id, double x, double y, double z) {
  const double v[3] = {x, y, z};
  ASSERT_OK(w->system, dem_system_set_field(w->system, field, 1, &id, v, 0));
}

void bonded_get(const bonded *w, int32_t field, dem_id id, double v[3]) {
  ASSERT_OK(w->system, dem_system_get_field(w->system, field, 1, &id, v, 0));
}

void bonded_read(const bonded *w, const dem_id *id, int64_t n, double *out) {
  for (int64_t k = 0; k < n; k++) {
    bonded_get(w, DEM_POSITION, id[k], out + 9 * k);
    bonded_get(w, DEM_VELOCITY, id[k], out + 9 * k + 3);
    bonded_get(w, DEM_SPIN, id[k], out + 9 * k + 6);
  }
}

double bonded_distance(const bonded *w, dem_id i, dem_id j) {
  double a[3], b[3];
  bonded_get(w, DEM_POSITION, i, a);
  bonded_get(w, DEM_POSITION, j, b);
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

int32_t bonded_add_type(bonded *w, const dem_bond_type *t) {
  int32_t index;
  ASSERT_OK(w->system, dem_system_add_bond_type(w->system, t, &index));
  return index;
}

const double BOND_AREA = 3.14159265358979323846 / 4, BOND_INERTIA = 3.14159265358979323846 / 64;

dem_bond_type bond_harmonic(double k) {
  dem_bond_type t;
  dem_bond_type_init(&t, sizeof t);
  t.model = DEM_BOND_HARMONIC;
  t.stiffness = k;
  return t;
}

/* Stiffnesses per area; A = pi/4, I = pi/64 at radius 1/2. */
dem_bond_type bond_beam(double normal, double tangential) {
  dem_bond_type t;
  dem_bond_type_init(&t, sizeof t);
  t.normal_stiffness = normal;
  t.tangential_stiffness = tangential;
  return t;
}

dem_bond_type bond_brittle(void) {
  dem_bond_type t = bond_beam(4e3, 2e3);
  t.bending_stiffness = t.twisting_stiffness = 1e3;
  t.normal_damping = 1;
  t.tangential_damping = 0.5;
  t.relaxation_time = 2;
  t.break_strain = 0.01;
  t.break_normal_stress = 60;
  t.break_shear_stress = 40;
  return t;
}

dem_id bonded_join(bonded *w, int32_t type, dem_id i, dem_id j, double rest) {
  dem_bond b;
  dem_id id;
  memset(&b, 0, sizeof b);
  b.i = i;
  b.j = j;
  b.type = type;
  b.rest_length = rest;
  ASSERT_OK(w->system, dem_system_add_bonds(w->system, 1, &b, sizeof b, &id));
  return id;
}

dem_bond bonded_only_bond(const bonded *w) {
  dem_bond b;
  int64_t count;
  ASSERT_OK(w->system, dem_system_bond_count(w->system, &count));
  assert_int_equal(count, 1);
  ASSERT_OK(w->system, dem_system_bonds(w->system, 1, &b, sizeof b));
  return b;
}

void bonded_step(bonded *w, int64_t n) { ASSERT_OK(w->system, dem_system_step(w->system, n)); }

dem_energy bonded_books(const bonded *w) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(w->system, dem_system_energy(w->system, &e));
  return e;
}

void bonded_assert_closes(const dem_energy *e) { energy_assert_closed(e, 1e-12, "bonds"); }

/* Events come in the order of their steps, name bonds that are gone, and stay until taken. */
bonded_breaks bonded_take_breaks(bonded *w, double dt) {
  bonded_breaks sum = {0, 0};
  dem_bond_break b[16];
  int64_t n, step_before = 0;
  do {
    ASSERT_OK(w->system, dem_system_take_bond_breaks(w->system, 16, b, sizeof *b, &n));
    for (int64_t k = 0; k < n; k++) {
      assert_true(b[k].step >= step_before && b[k].energy >= 0);
      assert_true(b[k].reason >= DEM_BREAK_STRAIN && b[k].reason <= DEM_BREAK_SHEAR_STRESS);
      ASSERT_REL(b[k].time, (double)b[k].step * dt, 1e-12);
      ASSERT_STATUS(w->system, dem_system_remove_bonds(w->system, 1, &b[k].id), DEM_NOT_FOUND);
      step_before = b[k].step;
      sum.energy += b[k].energy;
    }
    sum.count += n;
  } while (n > 0);
  return sum;
}
