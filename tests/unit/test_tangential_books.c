/* The energy of one step of a contact with a tangential spring.
 *
 * A step that slips, at constant overlap and without dashpots: the work of the mean of the forces before and after, -dt/2 (f + f').v, is
 * the heat of the slider and what the spring, k_t u^2/2, holds more than before.
 *
 * The last step: the contact opens before the next evaluation, so the law must account for all that the spring held before it. Nothing
 * moves along the contact plane, so no work is done on it there. If no dashpot acts, the slider makes heat of what the spring still
 * holds; otherwise that is hysteresis. What it lost before, because k_t = 8 G* a falls with the overlap, is hysteresis. The conserving
 * law loses nothing so: its spring pushes along the normal with k_t u^2/(4 d), and in the rest of the contact the push is counted to do
 * the work v_n dt/2 times itself. */
#include "assertions.h"

#include <dem/plugin/law.h>

#include "scenes/scenes.h"

static const double K = 4e4, KT = 9e3, YOUNG = 2e6, SHEAR = 7e5; /* Y*, G* */
static const double D = 1e-4, BEFORE = 4e-4;                     /* overlap now and a step ago */
static const double R = 0.05, M = 0.2, SPEED = 0.3, DT = 1e-3, U = 2e-6;

static const int32_t of_hertz[] = {DEM_TANGENTIAL_LINEAR, DEM_TANGENTIAL_MINDLIN, DEM_TANGENTIAL_MINDLIN_CONSERVING,
                                   DEM_TANGENTIAL_MINDLIN_RESCALED};

static dem_context *context;

static int open_context(void **state) {
  (void)state;
  return dem_context_create(NULL, &context);
}

static int close_context(void **state) {
  (void)state;
  return dem_context_destroy(context);
}

static dem_law_options options_of(int32_t tangential, int32_t hertz, int32_t damping, int32_t shear_damping, int32_t slider) {
  dem_law_options o;
  dem_law_options_init(&o, sizeof o);
  o.normal = hertz ? DEM_NORMAL_HERTZ : DEM_NORMAL_HOOKE;
  o.tangential = tangential;
  o.damping = damping;
  o.tangential_damping = shear_damping;
  o.normal_damping = 0.01;
  o.shear_damping = 0.02;
  o.normal_stiffness = K;
  o.tangential_stiffness = hertz ? 0 : KT;
  o.slider = slider;
  o.friction = 10;
  scene_drop_unread(&o);
  return o;
}

static double stiffness_of(int32_t hertz, double overlap) { return hertz ? 8 * SHEAR * sqrt(R * overlap) : KT; }

/* The history of a displacement u along y, a step ago, at the overlap then: of force-history Mindlin it is the force. */
static void load(dem_probe *p, const dem_law_options *o, double u, double overlap) {
  const int force = o->tangential == DEM_TANGENTIAL_MINDLIN;
  p->history[1] = force ? -stiffness_of(1, overlap) * u : u;
  if (force || o->tangential == DEM_TANGENTIAL_MINDLIN_RESCALED) p->history[3] = sqrt(R * overlap);
}

/* Fills `p` with the answer of a law. */
static void ask(const dem_law_options *o, dem_probe *p) {
  dem_bind materials;
  dem_law *law;
  dem_bind_init(&materials, sizeof materials);
  materials.effective_young = YOUNG;
  materials.effective_shear = SHEAR;
  materials.shear_ratio = 4 * SHEAR / YOUNG;
  assert_int_equal(dem_law_create(context, o, &law), DEM_OK);
  p->dt = DT;
  p->overlap = D;
  p->effective_radius = R;
  p->effective_mass = M;
  p->normal[0] = 1;
  assert_int_equal(dem_law_probe(law, &materials, p), DEM_OK);
  dem_law_release(law);
}

/* ---- the last step ---- */

static void check(int32_t tangential, int32_t hertz, int32_t damping, int32_t shear_damping, int32_t slider) {
  const dem_law_options o = options_of(tangential, hertz, damping, shear_damping, slider);
  const double shrinks = tangential == DEM_TANGENTIAL_MINDLIN_RESCALED ? sqrt(D / BEFORE) : 1;
  const double now = 0.5 * stiffness_of(hertz, D) * pow(shrinks * U, 2), before = 0.5 * stiffness_of(hertz, BEFORE) * U * U;
  const int slides = damping == DEM_DAMPING_NONE && shear_damping == DEM_DAMPING_NONE;
  dem_probe p;
  dem_probe_init(&p, sizeof p);
  p.velocity[0] = SPEED; /* i moves away from j: the overlap is gone in a third of the step */
  load(&p, &o, U, BEFORE);
  ask(&o, &p);
  ASSERT_REL(p.tangential_energy, now, 1e-12); /* no slip before the end */
  if (tangential == DEM_TANGENTIAL_MINDLIN_CONSERVING) {
    const double push = 0.5 * now / D, left = now - 0.5 * DT * SPEED * push;
    ASSERT_REL(p.tangential_normal, push, 1e-12);
    ASSERT_REL(slides ? p.sliding : p.hysteresis, left, 1e-12);
    ASSERT_ABS(slides ? p.hysteresis : p.sliding, 0, 1e-12 * left);
  } else {
    ASSERT_REL(p.sliding + p.hysteresis, before, 1e-12);
    ASSERT_ABS(p.sliding, slides ? now : 0, 1e-12 * before);
  }
}

static void the_last_step_accounts_for_the_spring(void **state) {
  (void)state;
  for (int damped = 0; damped < 4; damped++) {
    const int32_t damping = damped & 1 ? DEM_DAMPING_COEFFICIENT : DEM_DAMPING_NONE;
    const int32_t shear = damped & 2 ? DEM_DAMPING_COEFFICIENT : DEM_DAMPING_NONE;
    for (int32_t slider = DEM_SLIDER_SERIES; slider <= DEM_SLIDER_RESET; slider++) {
      check(DEM_TANGENTIAL_LINEAR, 0, damping, shear, slider);
      for (int k = 0; k < 4; k++) check(of_hertz[k], 1, damping, shear, slider);
    }
  }
}

/* ---- a step that slips ---- */

static void check_slip(int32_t tangential, int32_t hertz, double along, double across) {
  dem_law_options o = options_of(tangential, hertz, DEM_DAMPING_NONE, DEM_DAMPING_NONE, DEM_SLIDER_SERIES);
  const double k = stiffness_of(hertz, D), v[3] = {0, along, across};
  dem_probe p;
  double work = 0, size = 0;
  o.friction = 0.1;
  dem_probe_init(&p, sizeof p);
  memcpy(p.velocity, v, sizeof v);
  load(&p, &o, U, D);
  ask(&o, &p);
  const double before[3] = {0, -k * U, 0};
  for (int a = 0; a < 3; a++) {
    work -= 0.5 * DT * (before[a] + p.tangential_elastic[a]) * v[a];
    size += p.tangential_elastic[a] * p.tangential_elastic[a];
  }
  ASSERT_REL(sqrt(size), 0.1 * p.normal_elastic, 1e-12);
  assert_true(p.sliding > 0 && p.hysteresis == 0);
  ASSERT_REL(p.sliding, work - (0.5 * size / k - 0.5 * k * U * U), 1e-10);
}

static void the_work_of_a_slip_is_heat_or_stored(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    const double along = k ? 0.2 : 0.05, across = 0.1 * k;
    check_slip(DEM_TANGENTIAL_LINEAR, 0, along, across);
    for (int law = 0; law < 4; law++) check_slip(of_hertz[law], 1, along, across);
  }
}

/* The conserving law in a step before which the spheres did not overlap: nothing was held and nothing acted then. */
static void a_slip_after_no_overlap(void **state) {
  (void)state;
  dem_law_options o = options_of(DEM_TANGENTIAL_MINDLIN_CONSERVING, 1, DEM_DAMPING_NONE, DEM_DAMPING_NONE, DEM_SLIDER_SERIES);
  const double v[3] = {-SPEED, 0.2, 0.1};
  dem_probe p;
  o.friction = 0.1;
  dem_probe_init(&p, sizeof p);
  memcpy(p.velocity, v, sizeof v);
  load(&p, &o, U, D);
  ask(&o, &p);
  const double work =
      -0.5 * DT * (p.tangential_elastic[1] * v[1] + p.tangential_elastic[2] * v[2] + p.tangential_normal * v[0]);
  assert_true(p.sliding > 0);
  ASSERT_REL(p.sliding, work - p.tangential_energy, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_last_step_accounts_for_the_spring),
      cmocka_unit_test(the_work_of_a_slip_is_heat_or_stored),
      cmocka_unit_test(a_slip_after_no_overlap),
  };
  return cmocka_run_group_tests_name("tangential_books", tests, open_context, close_context);
}
