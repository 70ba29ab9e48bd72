/* How far the spring of a new contact has come in its first evaluation, where the overlap is tiny beside the radii: with S = R_i + R_j,
 * d = S - r and rv = r.v < 0, the surfaces met before the time
 *
 *   s = d (S + r)/(sqrt(rv^2 + v^2 d (S + r)) - rv),
 *
 * and the spring holds v_t s. Of the two forms of the root this one loses no digits. The force tells both: f_n = k_n d,
 * f_t = -k_t v_t s. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/world.h"

static const double RADIUS = 0.5, DT = 1e-3, STIFFNESS = 700, SHEAR = 200;

static void check(double overlap, const double *v) {
  world_options o = world_defaults();
  world w;
  double f[3], x[2][3], n[3];
  o.system.dt = DT;
  dem_law_options_init(&o.law, sizeof o.law);
  o.law.normal_stiffness = STIFFNESS;
  o.law.tangential_stiffness = SHEAR;
  world_open(&w, &o);
  /* after a step of flight, at x = (2 R - overlap, 0, 0) */
  world_add_sphere(&w, RADIUS, (double[3]){0, 0, 0}, NULL, NULL);
  const dem_id second =
      world_add_sphere(&w, RADIUS, (double[3]){2 * RADIUS - overlap - DT * v[0], -DT * v[1], -DT * v[2]}, v, NULL);
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  world_read_one(&w, second, DEM_FORCE, f);
  world_read(&w, DEM_POSITION, x[0]);
  double square = 0, rv = 0, v2 = 0, fn = 0;
  for (int a = 0; a < 3; a++) square += (x[1][a] - x[0][a]) * (x[1][a] - x[0][a]);
  const double distance = sqrt(square);
  for (int a = 0; a < 3; a++) {
    n[a] = (x[1][a] - x[0][a]) / distance;
    rv += distance * n[a] * v[a];
    v2 += v[a] * v[a];
    fn += f[a] * n[a];
  }
  const double d = fn / STIFFNESS, gap = d * (2 * RADIUS + distance), age = gap / (sqrt(rv * rv + v2 * gap) - rv);
  assert_true(d > 0.5 * overlap && d < 2 * overlap && age < DT);
  for (int a = 0; a < 3; a++) {
    const double slide = v[a] - rv / distance * n[a];
    ASSERT_ABS(f[a] - fn * n[a], -SHEAR * slide * age, 1e-8 * fn);
  }
  world_close(&w);
}

static void in_tiny_overlaps(void **state) {
  (void)state;
  for (double overlap = 1e-12; overlap < 2e-4; overlap *= 10) {
    check(overlap, (double[3]){-0.5, 0.2, 0.1});
    check(overlap, (double[3]){-2.5, 0.7, -0.3});
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_tiny_overlaps),
  };
  return cmocka_run_group_tests_name("touch_age", tests, NULL, NULL);
}
