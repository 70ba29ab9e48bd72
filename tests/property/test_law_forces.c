/* The built-in parts in closed form, one contact at a time, with equal spheres: from an unloaded contact, velocity v and turning w for a
 * time h, a the contact radius sqrt(R* d), k_t the tangential stiffness.
 *
 *   normal      Hooke k d;  Hertz 4/3 Y* sqrt(R* d) d;  DMT Hertz - 4 pi gamma R*;  dashpot -c v_n
 *   tangential  -k_t v_t h - c_t v_t;  linear k_t as given, or 2/7 k_n;  Mindlin 8 G* a
 *   rolling     v_r = -R* n x w:  -k_r v_r h - c_r v_r
 *   twisting    Luding -R*^2 (k_tw h + c_tw) w_n;  Marshall -(k_t h + c_t) a^2/2 w_n
 *
 * and, sliding: mu |f_n|, mu_r |f_n|, mu_tw R* |f_n|, 2/3 a mu |f_n|.
 *
 * And the moduli of two materials that a part is given: 1/Y* = sum of (1 - nu^2)/Y, 1/G* = sum of 2 (2 - nu)(1 + nu)/Y, and 4 G* over Y*; 0
 * where one of the two has no Young's modulus. */
#include "assertions.h"

#include <dem/plugin/law.h>

#include "scenes/context.h"
#include "scenes/scenes.h"

static const double PI = 3.14159265358979323846, EXACT = 1e-13;
static const double RADIUS = 0.3, MASS = 0.7, OVERLAP = 0.02, YOUNG = 2e4, SHEAR = 5e3, STEP = 1e-5;

static dem_probe contact(double speed, const double *turning) {
  dem_probe p;
  memset(&p, 0, sizeof p);
  p.struct_size = sizeof p;
  p.dt = STEP;
  p.overlap = OVERLAP;
  p.effective_radius = RADIUS;
  p.effective_mass = MASS;
  p.normal[2] = 1;
  p.velocity[0] = speed;
  p.velocity[2] = -0.4;
  p.inverse_inertia = 10;
  for (int a = 0; turning && a < 3; a++) p.turning[a] = turning[a];
  return p;
}

static void probe(const dem_law_options *options, dem_probe *p) {
  const dem_bind bind = {
      .struct_size = sizeof bind, .effective_young = YOUNG, .effective_shear = SHEAR, .shear_ratio = 4 * SHEAR / YOUNG};
  dem_law *law;
  dem_law_options o = *options;
  scene_drop_unread(&o);
  const dem_status status = dem_law_create(context, &o, &law);
  if (status) fail_msg("%s", dem_context_message(context));
  assert_int_equal(dem_law_probe(law, &bind, p), DEM_OK);
  dem_law_release(law);
}

static dem_law_options base(int32_t normal, int32_t tangential) {
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal = normal;
  o.tangential = tangential;
  o.normal_stiffness = normal == DEM_NORMAL_HOOKE ? 900 : 0;
  o.surface_energy = normal == DEM_NORMAL_DMT ? 0.3 : 0;
  o.friction = 0.5;
  return o;
}

static double normal_of(int32_t normal) {
  const double hertz = 4 / 3. * YOUNG * sqrt(RADIUS * OVERLAP) * OVERLAP;
  return normal == DEM_NORMAL_HOOKE ? 900 * OVERLAP : normal == DEM_NORMAL_DMT ? hertz - 4 * PI * 0.3 * RADIUS : hertz;
}

static void normal_parts(void **state) {
  (void)state;
  for (int32_t normal = DEM_NORMAL_HOOKE; normal <= DEM_NORMAL_DMT; normal++) {
    dem_law_options o = base(normal, DEM_TANGENTIAL_NONE);
    dem_probe p = contact(0, NULL);
    o.damping = DEM_DAMPING_COEFFICIENT;
    o.normal_damping = 3;
    probe(&o, &p);
    ASSERT_REL(p.normal_elastic, normal_of(normal), EXACT);
    ASSERT_REL(p.normal_damping, 3 * 0.4, EXACT);
    o.damping = DEM_DAMPING_RATE;
    probe(&o, &p);
    ASSERT_REL(p.normal_damping, 3 * MASS * 0.4, EXACT);
    o.damping = DEM_DAMPING_VISCOELASTIC;
    probe(&o, &p);
    ASSERT_REL(p.normal_damping, 3 * MASS * sqrt(RADIUS * OVERLAP) * 0.4, EXACT);
  }
}

static double shear_of(const dem_law_options *o) {
  if (o->tangential_stiffness > 0) return o->tangential_stiffness;
  return o->normal == DEM_NORMAL_HOOKE ? 2 / 7. * 900 : 8 * SHEAR * sqrt(RADIUS * OVERLAP);
}

/* Without dashpot of the normal part, so that |f_n| is its elastic force; DMT counts its attraction as pressing. */
static double pressing(int32_t normal) { return normal_of(normal == DEM_NORMAL_DMT ? DEM_NORMAL_HERTZ : normal); }

static void check_tangential(dem_law_options o) {
  const double speed = 0.2, k = shear_of(&o);
  dem_probe sticks = contact(speed, NULL), slides = contact(1e9, NULL);
  o.tangential_damping = DEM_DAMPING_COEFFICIENT;
  o.shear_damping = 0.7;
  probe(&o, &sticks);
  ASSERT_REL(sticks.tangential_elastic[0], -k * speed * STEP, EXACT);
  ASSERT_REL(sticks.tangential_damping[0], -0.7 * speed, EXACT);
  probe(&o, &slides);
  ASSERT_REL(slides.tangential_elastic[0] + slides.tangential_damping[0], -0.5 * pressing(o.normal), 1e-9);
}

static void tangential_parts(void **state) {
  (void)state;
  dem_law_options o = base(DEM_NORMAL_HOOKE, DEM_TANGENTIAL_LINEAR);
  check_tangential(o);
  o.tangential_stiffness = 123;
  check_tangential(o);
  for (int32_t part = DEM_TANGENTIAL_LINEAR; part <= DEM_TANGENTIAL_MINDLIN_RESCALED; part++)
    if (part != DEM_TANGENTIAL_MINDLIN_CONSERVING) check_tangential(base(DEM_NORMAL_HERTZ, part));
  check_tangential(base(DEM_NORMAL_DMT, DEM_TANGENTIAL_MINDLIN));
}

static const double TURNING[3] = {0.3, -0.2, 0.5}, SPINNING[3] = {3e8, -2e8, 5e8};

static void rolling_parts(void **state) {
  (void)state;
  dem_law_options o = base(DEM_NORMAL_HOOKE, DEM_TANGENTIAL_NONE);
  dem_probe sticks = contact(0, TURNING), slides = contact(0, SPINNING);
  o.rolling = DEM_ROLLING_SPRING;
  o.rolling_stiffness = 50;
  o.rolling_damping = 0.6;
  o.rolling_friction = 0.2;
  probe(&o, &sticks);
  probe(&o, &slides);
  const double v[3] = {RADIUS * TURNING[1], -RADIUS * TURNING[0], 0};
  for (int a = 0; a < 3; a++) {
    ASSERT_ABS(sticks.rolling_elastic[a], -50 * v[a] * STEP, 1e-15);
    ASSERT_ABS(sticks.rolling_damping[a], -0.6 * v[a], 1e-15);
    const double slid = slides.rolling_elastic[a] + slides.rolling_damping[a];
    ASSERT_ABS(slid, -0.2 * normal_of(o.normal) * v[a] / sqrt(v[0] * v[0] + v[1] * v[1]), 1e-8);
  }
}

/* Luding's with constants of its own, Marshall's from the tangential part. */
static void twisting_parts(void **state) {
  (void)state;
  const double a2 = RADIUS * OVERLAP, w = TURNING[2];
  for (int k = 0; k < 3; k++) {
    dem_law_options o =
        base(k < 2 ? DEM_NORMAL_HOOKE : DEM_NORMAL_HERTZ, k < 2 ? DEM_TANGENTIAL_LINEAR : DEM_TANGENTIAL_MINDLIN);
    dem_probe sticks = contact(0, TURNING), slides = contact(0, SPINNING);
    o.twisting = k == 0 ? DEM_TWISTING_SPRING : DEM_TWISTING_MARSHALL;
    o.tangential_damping = DEM_DAMPING_COEFFICIENT;
    o.shear_damping = 0.7;
    o.twisting_stiffness = k == 0 ? 50 : 0;
    o.twisting_damping = k == 0 ? 0.6 : 0;
    o.twisting_friction = k == 0 ? 0.2 : o.twisting_friction;
    const double stiffness = k == 0 ? RADIUS * RADIUS * 50 : 0.5 * a2 * shear_of(&o);
    const double dashpot = k == 0 ? RADIUS * RADIUS * 0.6 : 0.5 * a2 * 0.7;
    const double cap = k == 0 ? 0.2 * RADIUS : 2 / 3. * sqrt(a2) * 0.5;
    probe(&o, &sticks);
    probe(&o, &slides);
    ASSERT_REL(sticks.twisting_elastic, -stiffness * w * STEP, 1e-12);
    ASSERT_REL(sticks.twisting_damping, -dashpot * w, 1e-12);
    ASSERT_REL(slides.twisting_elastic + slides.twisting_damping, -cap * normal_of(o.normal), 1e-8);
  }
}

/* ---- materials ---- */

static void no_force(const void *parameters, const dem_batch *b) {
  (void)parameters;
  for (int32_t k = 0; k < b->count; k++) b->normal_elastic[k] = b->normal_damping[k] = 0;
}

/* `user`: where to copy the values to. */
static int32_t note_materials(const void *user, const dem_bind *materials, void *parameters) {
  (void)parameters;
  **(dem_bind *const *)user = *materials;
  return 0;
}

static dem_law *create_note(dem_bind **seen) {
  dem_law_part part;
  dem_law_piece piece;
  dem_law *law;
  dem_law_part_init(&part, sizeof part);
  dem_law_piece_init(&piece, sizeof piece);
  part.name = "notes materials";
  part.kind = DEM_PART_NORMAL;
  part.evaluate = no_force;
  part.bind = note_materials;
  piece.part = &part;
  piece.user = seen;
  piece.user_bytes = sizeof *seen;
  assert_int_equal(dem_law_create_from_parts(context, 1, &piece, &law), DEM_OK);
  return law;
}

static void moduli_of_two_materials(void **state) {
  (void)state;
  static const double young[] = {2e5, 7e5, 0, 3e9}, poisson[] = {0.3, -0.4, 0.2, 0.5};
  enum { MANY = sizeof young / sizeof *young };
  dem_bind v, *seen = &v;
  dem_system_options o;
  dem_system *s;
  dem_system_options_init(&o, sizeof o);
  o.dt = STEP;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  for (int k = 0; k < MANY; k++) {
    dem_material m;
    dem_material_init(&m, sizeof m);
    m.young = young[k];
    m.poisson = poisson[k];
    ASSERT_OK(s, dem_system_add_material(s, &m, NULL));
  }
  dem_law *law = create_note(&seen);
  for (int a = 0; a < MANY; a++)
    for (int b = 0; b < MANY; b++) {
      const double na = poisson[a], nb = poisson[b];
      memset(&v, -1, sizeof v);
      ASSERT_OK(s, dem_system_set_law(s, a, b, law));
      if (young[a] == 0 || young[b] == 0) {
        assert_true(v.effective_young == 0 && v.effective_shear == 0 && v.shear_ratio == 0);
        continue;
      }
      const double y = 1 / ((1 - na * na) / young[a] + (1 - nb * nb) / young[b]);
      const double g = 0.5 / ((2 - na) * (1 + na) / young[a] + (2 - nb) * (1 + nb) / young[b]);
      ASSERT_REL(v.effective_young, y, 1e-14);
      ASSERT_REL(v.effective_shear, g, 1e-14);
      ASSERT_REL(v.shear_ratio, 4 * g / y, 1e-14);
    }
  dem_law_release(law);
  dem_system_destroy(s);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(normal_parts),   cmocka_unit_test(tangential_parts),        cmocka_unit_test(rolling_parts),
      cmocka_unit_test(twisting_parts), cmocka_unit_test(moduli_of_two_materials),
  };
  return cmocka_run_group_tests_name("law_forces", tests, context_open, context_close);
}
