/* The last step of a contact whose tangential spring is loaded: the contact opens before the next evaluation, so the law must account
 * for all that the spring held before the step, U = k_t u^2/2. Nothing moves along the contact plane, so no work is done on it there.
 * If no dashpot acts, the slider makes heat of what the spring still holds; otherwise that is hysteresis. What it lost before, because
 * k_t = 8 G* a falls with the overlap, is hysteresis.
 *
 * The conserving law loses nothing so: its spring pushes along the normal with k_t u^2/(4 d), and in the rest of the contact the push
 * is counted to do the work v_n dt/2 times itself. */
#include "assertions.h"

#include <dem/plugin/law.h>

#include "scenes/scenes.h"

static const double K = 4e4, KT = 9e3, YOUNG = 2e6, SHEAR = 7e5; /* Y*, G* */
static const double D = 1e-4, BEFORE = 4e-4;                     /* overlap now and a step ago */
static const double R = 0.05, M = 0.2, SPEED = 0.3, DT = 1e-3, U = 2e-6;

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

/* The history of a displacement U along y, a step ago: of force-history Mindlin it is the force. */
static void load(dem_probe *p, const dem_law_options *o) {
  const int force = o->tangential == DEM_TANGENTIAL_MINDLIN;
  p->history[1] = force ? -stiffness_of(1, BEFORE) * U : U;
  if (force || o->tangential == DEM_TANGENTIAL_MINDLIN_RESCALED) p->history[3] = sqrt(R * BEFORE);
}

static dem_probe opening(const dem_law_options *o) {
  dem_probe p;
  dem_bind materials;
  dem_law *law;
  dem_bind_init(&materials, sizeof materials);
  materials.effective_young = YOUNG;
  materials.effective_shear = SHEAR;
  materials.shear_ratio = 4 * SHEAR / YOUNG;
  assert_int_equal(dem_law_create(context, o, &law), DEM_OK);
  dem_probe_init(&p, sizeof p);
  p.dt = DT;
  p.overlap = D;
  p.effective_radius = R;
  p.effective_mass = M;
  p.normal[0] = 1;
  p.velocity[0] = SPEED; /* i moves away from j: the overlap is gone in a third of the step */
  load(&p, o);
  assert_int_equal(dem_law_probe(law, &materials, &p), DEM_OK);
  dem_law_release(law);
  return p;
}

static void check(int32_t tangential, int32_t hertz, int32_t damping, int32_t shear_damping, int32_t slider) {
  const dem_law_options o = options_of(tangential, hertz, damping, shear_damping, slider);
  const double shrinks = tangential == DEM_TANGENTIAL_MINDLIN_RESCALED ? sqrt(D / BEFORE) : 1;
  const double now = 0.5 * stiffness_of(hertz, D) * pow(shrinks * U, 2), before = 0.5 * stiffness_of(hertz, BEFORE) * U * U;
  const int slides = damping == DEM_DAMPING_NONE && shear_damping == DEM_DAMPING_NONE;
  const dem_probe p = opening(&o);
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
  static const int32_t of_hertz[] = {DEM_TANGENTIAL_LINEAR, DEM_TANGENTIAL_MINDLIN, DEM_TANGENTIAL_MINDLIN_CONSERVING,
                                     DEM_TANGENTIAL_MINDLIN_RESCALED};
  for (int damped = 0; damped < 4; damped++) {
    const int32_t damping = damped & 1 ? DEM_DAMPING_COEFFICIENT : DEM_DAMPING_NONE;
    const int32_t shear = damped & 2 ? DEM_DAMPING_COEFFICIENT : DEM_DAMPING_NONE;
    for (int32_t slider = DEM_SLIDER_SERIES; slider <= DEM_SLIDER_RESET; slider++) {
      check(DEM_TANGENTIAL_LINEAR, 0, damping, shear, slider);
      for (int k = 0; k < 4; k++) check(of_hertz[k], 1, damping, shear, slider);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_last_step_accounts_for_the_spring),
  };
  return cmocka_run_group_tests_name("contact ends", tests, open_context, close_context);
}
