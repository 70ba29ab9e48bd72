/* The tangent of one contact against its closed form, for Hooke with a tangential spring and dashpots. Particle j is frozen at the
 * origin, i at distance L along a normal n; R = 1/2, k_n and k_t the stiffnesses, c_n and c_t the dashpots, f_n = k_n d.
 *
 *   displacement along n            k_n + c_n/(alpha h)
 *   displacement along t            K = k_t + c_t/(alpha h) less the prestress f_n/L of the turning normal
 *   rotation w about n x t, by t    force K' a along t per radian, K' = k_t + c_t/(alpha h), a the arm; moment K' a^2
 *
 * In statics no dashpot acts. Terms of the order of overlap/radius are left out of the tangent by promise (dem/plugin/trial.h): the
 * overlap is 1e-9 R here, so that the closed form holds to 1e-7. */
#include "assertions.h"

#include <dem/plugin/trial.h>
#include <math.h>

#include "scenes/scenes.h"
#include "scenes/world.h"

static const double R = 0.5, OVERLAP = 1e-9 * 0.5, KN = 1e5, KT = 3e4, CN = 7, CT = 11, EXACT = 1e-7;

/* An orthonormal frame whose first vector is no axis. */
static const double frame[3][3] = {{2 / 3.0, 1 / 3.0, 2 / 3.0}, {-2 / 3.0, 2 / 3.0, 1 / 3.0}, {-1 / 3.0, -2 / 3.0, 2 / 3.0}};

/* K p for a p of particle i alone, of which the first three numbers are a displacement and the others a rotation. */
static void product_of(dem_trial *trial, int64_t first, const double displacement[3], const double rotation[3], double kp[6]) {
  double p[12] = {0}, product[12];
  for (int a = 0; a < 3; a++) p[first + a] = displacement[a], p[first + 3 + a] = rotation[a];
  assert_int_equal(dem_trial_apply(trial, p, product), DEM_OK);
  for (int a = 0; a < 6; a++) kp[a] = product[first + a];
}

static double along(const double *v, int axis) { return v[0] * frame[axis][0] + v[1] * frame[axis][1] + v[2] * frame[axis][2]; }

/* `h` = 0: statics. */
static void check(double h, double alpha) {
  const double zero[3] = {0}, cn = h > 0 ? CN / (alpha * h) : 0, ct = h > 0 ? CT / (alpha * h) : 0;
  const double kn = KN + cn, kt = KT + ct;
  world_options o = world_defaults();
  dem_trial_options t;
  dem_trial_rows unknown;
  dem_trial *trial;
  world w;
  o.law.normal_stiffness = KN, o.law.tangential_stiffness = KT;
  o.law.damping = o.law.tangential_damping = DEM_DAMPING_COEFFICIENT;
  o.law.normal_damping = CN, o.law.shear_damping = CT;
  o.law.friction = 1e6; /* far from slip */
  world_open(&w, &o);
  double x[3];
  for (int a = 0; a < 3; a++) x[a] = (2 * R - OVERLAP) * frame[0][a];
  world_add_frozen(&w, R, zero);
  const dem_id id = world_add_sphere(&w, R, x, NULL, NULL);
  dem_trial_options_init(&t, sizeof t);
  dem_trial_rows_init(&unknown, sizeof unknown);
  t.dt = h, t.alpha = alpha;
  ASSERT_OK(w.system, dem_trial_open(w.system, &t, &trial));
  ASSERT_OK(w.system, dem_trial_get_rows(trial, &unknown));
  assert_int_equal(unknown.unknowns, 12);
  const int64_t i = unknown.ids[0] == id ? 0 : 6;
  double g[12], kp[6];
  ASSERT_OK(w.system, dem_trial_evaluate(trial, NULL, DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, NULL, g));

  product_of(trial, i, frame[0], zero, kp);
  ASSERT_REL(along(kp, 0), kn, EXACT);
  for (int axis = 1; axis < 3; axis++) {
    /* t, and n x t, which is the other axis up to its sign */
    const int other = 3 - axis;
    const double sign = axis == 1 ? 1 : -1;
    product_of(trial, i, frame[axis], zero, kp);
    ASSERT_REL(along(kp, axis), kt - KN * OVERLAP / (2 * R), EXACT);
    ASSERT_ABS(along(kp, 0), 0, EXACT * kn);
    ASSERT_ABS(along(kp, other), 0, EXACT * kt);
    /* The contact point is at -a n from i: a rotation w moves it by -a w x n, which for w = n x t is -a t; the moment on i of a force
     * -f t there is a f n x t, against the rotation. */
    ASSERT_REL(along(kp + 3, other) * sign, -kt * R, EXACT);
    double w_axis[3];
    for (int a = 0; a < 3; a++) w_axis[a] = sign * frame[other][a];
    product_of(trial, i, zero, w_axis, kp);
    ASSERT_REL(along(kp, axis), -kt * R, EXACT);
    ASSERT_REL(along(kp + 3, other) * sign, kt * R * R, EXACT);
  }
  assert_int_equal(dem_trial_close(trial), DEM_OK);
  world_close(&w);
}

static void statics_has_springs_alone(void **state) {
  (void)state;
  check(0, 1);
}

static void a_step_has_dashpots_too(void **state) {
  (void)state;
  check(1e-3, 1);
  check(1e-4, 0.5);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {cmocka_unit_test(statics_has_springs_alone), cmocka_unit_test(a_step_has_dashpots_too)};
  return cmocka_run_group_tests_name("trial_pair", tests, NULL, NULL);
}
