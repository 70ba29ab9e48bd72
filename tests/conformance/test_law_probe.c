/* Forces and torques of single contacts by dem_law_probe, computed by hand from the formulas of doc/laws. */
#include "assertions.h"

#include "conformance/law_suite.h"
#include "scenes/context.h"
#include "scenes/scenes.h"

static const double YOUNG = 1e6, POISSON = 0.25;

static dem_probe probe(const dem_law_options *options, double overlap, double vn, double vt, double dt) {
  const law_facts facts = {.young = YOUNG, .poisson = POISSON};
  dem_bind bind;
  dem_law *law;
  dem_probe p;
  law_bind(&facts, &bind);
  memset(&p, 0, sizeof p);
  p.struct_size = sizeof p;
  p.dt = dt;
  p.overlap = overlap;
  p.effective_radius = 0.25;
  p.effective_mass = 0.5;
  p.normal[0] = 1;
  p.velocity[0] = vn;
  p.velocity[1] = vt;
  assert_int_equal(scene_create_law(context, options, &law), DEM_OK);
  assert_int_equal(dem_law_probe(law, &bind, &p), DEM_OK);
  dem_law_release(law);
  return p;
}

static void hooke_by_hand(void **state) {
  (void)state;
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1e5;
  o.damping = DEM_DAMPING_RATE;
  o.normal_damping = 30;
  o.tangential_damping = DEM_DAMPING_COEFFICIENT;
  o.shear_damping = 7;
  o.friction = 10;
  const dem_probe p = probe(&o, 0.01, -0.3, 0.2, 1e-4);
  ASSERT_REL(p.normal_elastic, 1e3, 1e-15);
  ASSERT_REL(p.normal_damping, 30 * 0.5 * 0.3, 1e-15);
  ASSERT_REL(p.tangential_elastic[1], -2e5 / 7 * 0.2e-4, 1e-14); /* k_t = 2/7 k_n by default */
  ASSERT_REL(p.tangential_damping[1], -7 * 0.2, 1e-14);
  ASSERT_REL(p.normal_energy, 5, 1e-15);
  ASSERT_REL(p.tangential_energy, 1e5 / 7 * 0.2e-4 * 0.2e-4, 1e-14);
  ASSERT_REL(p.normal_stiffness, 1e5, 1e-15);
  ASSERT_REL(p.normal_viscosity, 15, 1e-15);
  ASSERT_REL(p.tangential_isotropic, 7 + 2e5 / 7 * 1e-4, 1e-14);
}

/* Tangential damping by rate: c_t = gamma_t m*; VISCOUS has nothing else. */
static void viscous_by_hand(void **state) {
  (void)state;
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1e5;
  o.tangential = DEM_TANGENTIAL_VISCOUS;
  o.tangential_damping = DEM_DAMPING_RATE;
  o.shear_damping = 60;
  const dem_probe p = probe(&o, 0.01, -0.3, 0.2, 1e-4);
  ASSERT_ABS(p.tangential_elastic[1], 0, 0);
  ASSERT_REL(p.tangential_damping[1], -60 * 0.5 * 0.2, 1e-14);
  o.friction = 1e-3; /* mu f_n = 1 < 6 */
  const dem_probe capped = probe(&o, 0.01, 0, 0.2, 1e-4);
  ASSERT_REL(capped.tangential_damping[1], -1.0, 1e-14);
  ASSERT_REL(capped.sliding, 1.0 * (1 - 1.0 / 6) * 0.2e-4,
             1e-13); /* force times the part of v_t dt not taken up by the dashpot */
  o.tangential = DEM_TANGENTIAL_LINEAR;
  o.friction = 10;
  ASSERT_REL(probe(&o, 0.01, 0, 0.2, 0).tangential_damping[1], -60 * 0.5 * 0.2, 1e-14);
}

static void restitution_by_hand(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846, e = 0.6, z = -log(e) / sqrt(pi * pi + log(e) * log(e));
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1e5;
  o.damping = DEM_DAMPING_RESTITUTION;
  o.restitution = e;
  dem_probe p = probe(&o, 0.01, -0.3, 0, 0);
  ASSERT_REL(p.normal_damping, 2 * z * sqrt(1e5 * 0.5) * 0.3, 1e-14);
  /* Hertz: c = 2 sqrt(5/6) b sqrt(S_n m*), S_n = 2 Y* sqrt(R* d). */
  o.normal = DEM_NORMAL_HERTZ;
  o.normal_stiffness = 0;
  o.tangential = DEM_TANGENTIAL_MINDLIN;
  o.tangential_damping = DEM_DAMPING_RESTITUTION;
  o.friction = 100;
  p = probe(&o, 0.01, -0.3, 0.2, 1e-4);
  const double y = YOUNG / (2 * (1 - POISSON * POISSON)), g = YOUNG / (4 * (2 - POISSON) * (1 + POISSON)),
               a = sqrt(0.25 * 0.01);
  ASSERT_REL(p.normal_elastic, 4.0 / 3 * y * a * 0.01, 1e-14);
  ASSERT_REL(p.normal_damping, 2 * sqrt(5.0 / 6) * z * sqrt(2 * y * a * 0.5) * 0.3, 1e-14);
  ASSERT_REL(p.tangential_elastic[1], -8 * g * a * 0.2e-4, 1e-14);
  ASSERT_REL(p.tangential_damping[1], -2 * sqrt(5.0 / 6) * z * sqrt(8 * g * a * 0.5) * 0.2, 1e-14);
  ASSERT_REL(p.normal_energy, 8.0 / 15 * y * 0.5 * 0.01 * 0.01 * sqrt(0.01), 1e-14);
}

/* f_n = max(f_n, 0) where the dashpot may not attract. */
static void attraction_by_hand(void **state) {
  (void)state;
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1e5;
  o.damping = DEM_DAMPING_COEFFICIENT;
  o.normal_damping = 100;
  for (o.attraction = 0; o.attraction < 2; o.attraction++) {
    const dem_probe p = probe(&o, 0.01, 20, 0, 1e-4); /* 1000 against 2000 */
    ASSERT_ABS(p.normal_elastic + p.normal_damping, o.attraction ? -1000 : 0, 1e-12);
    ASSERT_REL(p.normal_elastic, 1000, 1e-15); /* the spring stays what its energy says */
  }
}

/* On unloading the Mindlin force shrinks with the contact radius before it is incremented. */
static void mindlin_by_hand(void **state) {
  (void)state;
  const law_facts facts = {.young = YOUNG, .poisson = POISSON};
  dem_law_options o;
  dem_bind bind;
  dem_law *law;
  law_bind(&facts, &bind);
  scene_hertz(&o);
  o.damping = o.tangential_damping = DEM_DAMPING_NONE;
  o.friction = 100;
  assert_int_equal(scene_create_law(context, &o, &law), DEM_OK);
  dem_probe p;
  memset(&p, 0, sizeof p);
  p.struct_size = sizeof p;
  p.dt = 1e-4;
  p.effective_radius = 0.25;
  p.effective_mass = 0.5;
  p.normal[0] = 1;
  const double overlaps[] = {0.010, 0.014, 0.009, 0.004}, v = 0.3, g = 8 * YOUNG / (4 * (2 - POISSON) * (1 + POISSON));
  double force = 0, last = 0;
  for (int i = 0; i < 4; i++) {
    const double a = sqrt(0.25 * overlaps[i]);
    p.overlap = overlaps[i];
    p.velocity[2] = v;
    assert_int_equal(dem_law_probe(law, &bind, &p), DEM_OK);
    if (a < last) force *= a / last;
    force -= g * a * v * 1e-4;
    last = a;
    ASSERT_REL(p.tangential_elastic[2], force, 1e-13);
  }
  dem_law_release(law);
}

/* friction_force of 1000, given as 60: the limit is 24 instead of 400. A force below 0 and a flag that is none are refused. */
static void lagged_friction_by_hand(void **state) {
  (void)state;
  const dem_bind none = {.struct_size = sizeof none};
  dem_law_options o;
  dem_law *law;
  dem_law_options_init(&o, sizeof o);
  o.normal_stiffness = 1e5;
  o.friction = 0.4;
  assert_int_equal(scene_create_law(context, &o, &law), DEM_OK);
  dem_probe p = {.struct_size = sizeof p, .dt = 1e-3, .overlap = 0.01, .effective_radius = 1, .effective_mass = 1};
  p.normal[2] = 1;
  p.velocity[0] = 100;
  dem_probe now = p, lagged = p;
  assert_int_equal(dem_law_probe(law, &none, &now), DEM_OK);
  ASSERT_REL(now.friction_force, 1000, 1e-15);
  ASSERT_REL(now.tangential_elastic[0], -400, 1e-14);
  ASSERT_REL(now.tangential_overlap[0], -0.4 * 1e5, 1e-14);
  lagged.friction_lagged = 1;
  lagged.friction_force = 60;
  dem_probe bad = lagged;
  assert_int_equal(dem_law_probe(law, &none, &lagged), DEM_OK);
  ASSERT_REL(lagged.tangential_elastic[0], -24, 1e-14);
  assert_true(lagged.tangential_overlap[0] == 0 && lagged.friction_overlap == 0 && lagged.friction_force == 60);
  bad.friction_force = -60;
  assert_int_equal(dem_law_probe(law, &none, &bad), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(context), "friction_force is -60"));
  bad.friction_lagged = 2;
  assert_int_equal(dem_law_probe(law, &none, &bad), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(context), "friction_lagged is 2"));
  dem_law_release(law);
}

/* The spring that pushes: f_t = -k_t u, f_n' = k_t u^2/(4 d); stiffer by d^(1/2) as the contact deepens, without loss. */
static void conserving_by_hand(void **state) {
  (void)state;
  dem_law_options o;
  scene_hertz(&o);
  o.tangential = DEM_TANGENTIAL_MINDLIN_CONSERVING;
  o.damping = o.tangential_damping = DEM_DAMPING_NONE;
  o.friction = 100;
  const double g = YOUNG / (4 * (2 - POISSON) * (1 + POISSON)), k = 8 * g * sqrt(0.25 * 0.01), u = 0.2e-4;
  const dem_probe p = probe(&o, 0.01, 0, 0.2, 1e-4);
  ASSERT_REL(p.tangential_elastic[1], -k * u, 1e-14);
  ASSERT_REL(p.tangential_normal, k * u * u / 0.04, 1e-14);
  ASSERT_REL(p.tangential_energy, k * u * u / 2, 1e-14);
  ASSERT_REL(p.normal_tangential_velocity[1], k * u * 1e-4 / 0.02, 1e-14);
  assert_true(p.hysteresis == 0 && p.sliding == 0 && p.tangential_damping[1] == 0);
}

/* ---- lubrication ---- */

static void fluid(dem_law_options *o) {
  dem_law_options_init(o, sizeof *o);
  o->normal_stiffness = 1e5;
  o->viscosity = 2;
  o->lubrication_scale = 1.5;
  o->lubrication_inner = 0.01;
  o->lubrication_outer = 0.5;
}

/* -6 pi eta a^2/h v_n between the cut-offs, with R* = 1/4: a = 3/8, from h = 0.0075 to 0.375. */
static void lubrication_by_hand(void **state) {
  (void)state;
  dem_law_options o;
  fluid(&o);
  const double a = 1.5 * 0.25, drag = 6 * 3.14159265358979323846 * 2 * a * a;
  for (int none = 0; none < 2; none++) {
    if (none) {
      o.normal = DEM_NORMAL_NONE;
      o.tangential = DEM_TANGENTIAL_NONE;
    }
    const double gaps[] = {0.0076, 0.1, 0.374};
    for (int i = 0; i < 3; i++) {
      const dem_probe p = probe(&o, -gaps[i], -0.3, 0.2, 1e-4);
      ASSERT_REL(p.normal_damping, drag / gaps[i] * 0.3, 1e-14);
      ASSERT_REL(p.normal_viscosity, drag / gaps[i], 1e-14);
      ASSERT_REL(p.normal_stiffness, drag / (gaps[i] * gaps[i]) * 0.3, 1e-13);
      assert_true(p.normal_elastic == 0 && p.normal_energy == 0 && p.tangential_damping[1] == 0 && p.history_count == 0);
    }
    assert_true(probe(&o, -0.0074, -0.3, 0, 0).normal_damping == 0 && probe(&o, -0.376, -0.3, 0, 0).normal_damping == 0);
  }
}

static void fluid_refused(const dem_law_options *o, const char *word) {
  dem_law *law;
  assert_int_equal(dem_law_create(context, o, &law), DEM_BAD_ARGUMENT);
  assert_null(law);
  if (!strstr(dem_context_message(context), word)) fail_msg("no \"%s\" in: %s", word, dem_context_message(context));
}

static void bad_fluids_are_refused(void **state) {
  (void)state;
  dem_law_options o;
  fluid(&o);
  o.viscosity = -1;
  fluid_refused(&o, "viscosity is -1");
  fluid(&o);
  o.lubrication_scale = 0;
  fluid_refused(&o, "lubrication_scale is 0");
  fluid(&o);
  o.lubrication_inner = 0;
  fluid_refused(&o, "lubrication_inner is 0");
  fluid(&o);
  o.lubrication_outer = 0.01;
  fluid_refused(&o, "lubrication_outer is 0.01");
  o.lubrication_outer = 11;
  fluid_refused(&o, "lubrication_outer is 11");
}

/* ---- gaps ---- */

/* Without a gap part an overlap below 0 is refused by name. */
static void no_overlap_no_probe(void **state) {
  (void)state;
  dem_law_options o;
  dem_law *law;
  scene_hooke(&o);
  assert_int_equal(scene_create_law(context, &o, &law), DEM_OK);
  dem_probe p = {.struct_size = sizeof p, .overlap = -0.1, .effective_radius = 1, .effective_mass = 1, .normal = {1, 0, 0}};
  assert_int_equal(dem_law_probe(law, NULL, &p), DEM_BAD_ARGUMENT);
  assert_non_null(strstr(dem_context_message(context), "overlap -0.1"));
  dem_law_release(law);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(hooke_by_hand),           TEST(viscous_by_hand),     TEST(restitution_by_hand),    TEST(attraction_by_hand),
      TEST(mindlin_by_hand),         TEST(lubrication_by_hand), TEST(bad_fluids_are_refused), TEST(no_overlap_no_probe),
      TEST(lagged_friction_by_hand), TEST(conserving_by_hand),
  };
  return cmocka_run_group_tests_name("law_probe", tests, NULL, NULL);
}
