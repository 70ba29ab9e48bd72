/* See law_suite.h. All checks but the last put single contacts through dem_law_probe. */
#include "law_states.h"

#include <stdlib.h>

/* ---- many contacts at once ---- */

enum { PAIRS = 150 };

static void add_pair(rows *r, const suite *s, int i, dice *d) {
  const double radius = 2 * s->radius, x = 20 * radius * i,
               density = 3 * s->mass / (2 * 3.14159265358979 * radius * radius * radius);
  double v[6];
  for (int k = 0; k < 6; k++) v[k] = s->speed * dice_uniform(d, -1, 1);
  const double gap = s->overlap * dice_uniform(d, 0.2, 1.5);
  const int64_t a = rows_put(r, x, 0, 0, radius), b = rows_put(r, x + 2 * radius - gap, 0, 0, radius);
  r->density[a] = r->density[b] = density;
  rows_velocity(r, a, v[0], v[1], v[2]);
  rows_velocity(r, b, v[3], v[4], v[5]);
  rows_spin(r, a, v[3] / radius, v[0] / radius, v[4] / radius);
  rows_spin(r, b, v[1] / radius, v[2] / radius, v[5] / radius);
}

/* Forces after a few steps of the pairs from `first` to `last`, all in one system. */
static void run_pairs(const suite *s, int first, int last, double *force) {
  dem_system_options o;
  dem_material m;
  dem_system *system;
  rows r;
  dem_system_options_init(&o, sizeof o);
  o.dt = 0.01 * s->overlap / s->speed;
  assert_int_equal(dem_system_create(s->context, &o, &system), DEM_OK);
  dem_material_init(&m, sizeof m);
  m.young = s->facts->young;
  if (m.young > 0) m.poisson = s->facts->poisson;
  ASSERT_OK(system, dem_system_add_material(system, &m, NULL));
  ASSERT_OK(system, dem_system_set_law(system, 0, 0, s->law));
  assert_int_equal(rows_create(&r, 2 * (last - first)), 0);
  for (int i = first; i < last; i++) {
    dice d = {1000 + (uint64_t)i};
    add_pair(&r, s, i, &d);
  }
  ASSERT_OK(system, rows_add(&r, system, NULL));
  ASSERT_OK(system, dem_system_step(system, 5));
  ASSERT_OK(system, dem_system_get_field(system, DEM_FORCE, r.count, NULL, force, 0));
  rows_destroy(&r);
  dem_system_destroy(system);
}

/* A contact does not see its neighbours in the batch: alone it gets the same bits. */
static void lanes_are_independent(const suite *s) {
  static double together[6 * PAIRS], alone[6];
  run_pairs(s, 0, PAIRS, together);
  for (int i = 0; i < PAIRS; i += 7) {
    run_pairs(s, i, i + 1, alone);
    for (int k = 0; k < 6; k++)
      if (alone[k] != together[6 * i + k])
        fail_msg("%s: pair %d, component %d: alone %.17g, in a batch %.17g", s->facts->name, i, k, alone[k],
                 together[6 * i + k]);
  }
}

/* ---- */

void law_bind(const law_facts *facts, dem_bind *bind) {
  const double y = facts->young, nu = facts->poisson;
  memset(bind, 0, sizeof *bind);
  bind->struct_size = sizeof *bind;
  if (!(y > 0)) return;
  bind->effective_young = y / (2 * (1 - nu * nu));
  bind->effective_shear = y / (4 * (2 - nu) * (1 + nu));
  bind->shear_ratio = 4 * bind->effective_shear / bind->effective_young;
}

void law_conformance(dem_context *context, const dem_law *law, const law_facts *facts) {
  suite s = {.context = context, .law = law, .facts = facts, .mass = 0.5, .radius = 0.25, .overlap = 0.01};
  if (facts->mass > 0) s.mass = facts->mass;
  if (facts->radius > 0) s.radius = facts->radius;
  if (facts->overlap > 0) s.overlap = facts->overlap;
  law_bind(facts, &s.bind);
  dem_probe p = contact(&s, s.overlap, 0);
  evaluate(&s, &p);
  s.stiffness = p.normal_elastic / s.overlap;
  assert_true(s.stiffness > 0);
  s.speed = s.overlap * sqrt(s.stiffness / s.mass);
  law_symmetries(&s);
  law_books(&s);
  law_derivatives(&s);
  lanes_are_independent(&s);
}
