/* A normal that turns by nearly half a turn within a step, under every scheme: whatever the spring of the contact then is, it lies in
 * the plane of the contact, and its force is booked at both ends. */
#include "assertions.h"

#include "scenes/context.h"
#include "scenes/scenes.h"
#include "series.h"

/* Two spheres of radius 1/2; spin NULL: none. */
static dem_system *pair(const char *scheme, const dem_law_options *law, double dt, const double *x, const double *v,
                        const double *w) {
  const double radius[2] = {0.5, 0.5}, density[2] = {1, 1};
  dem_system_options o;
  dem_particles p;
  dem_system *s;
  dem_system_options_init(&o, sizeof o);
  o.dt = dt;
  o.ledger = 1;
  assert_int_equal(dem_system_create(context, &o, &s), DEM_OK);
  ASSERT_OK(s, dem_system_add_material(s, NULL, NULL));
  assert_int_equal(scene_set_law(context, s, 0, 0, law), DEM_OK);
  ASSERT_OK(s, dem_system_set_integrator_name(s, scheme));
  dem_particles_init(&p, sizeof p);
  p.count = 2, p.position = x, p.velocity = v, p.spin = w, p.radius = radius, p.density = density;
  ASSERT_OK(s, dem_system_add_particles(s, &p, NULL));
  return s;
}

/* Two soft spheres fly through each other, the centres passing at `offset`: the largest residual of twenty steps. */
static double through_each_other(const char *scheme, double offset, double start, const dem_law_options *law) {
  const double x[6] = {-0.6 - start, offset, 0, 0.6, 0, 0}, v[6] = {10, 0, 0, -10, 0, 0}, w[6] = {0, 0, 30, 0, 0, 30};
  dem_system *s = pair(scheme, law, 0.01, x, v, w);
  double worst = 0;
  for (int k = 0; k < 20; k++) {
    dem_energy e;
    dem_energy_init(&e, sizeof e);
    ASSERT_OK(s, dem_system_step(s, 1));
    ASSERT_OK(s, dem_system_energy(s, &e));
    worst = fmax(worst, e.residual_relative);
  }
  dem_system_destroy(s);
  return worst;
}

static void books_close_through_half_turns(void **state) {
  (void)state;
  static const char *const all[3] = {"euler", "velocity-verlet", "improved-velocity-verlet"};
  for (int rolls = 0; rolls < 2; rolls++)
    for (int k = 0; k < 3; k++) {
      dem_law_options law;
      double worst = 0;
      dem_law_options_init(&law, sizeof law);
      law.normal_stiffness = 10;
      law.friction = 0.5;
      if (rolls) scene_add_rolling(&law, DEM_ROLLING_SPRING, DEM_TWISTING_SPRING);
      for (int a = -4000; a < 4000; a += rolls || k < 2 ? 10 : 1)
        for (int b = 1; b < 4 && series_takes(a + 4000); b++)
          worst = fmax(worst, through_each_other(all[k], 2.5e-5 * a, 0.05 * b, &law));
      print_message("# half turns, %s%s: residual %.1e\n", all[k], rolls ? ", rolling" : "", worst);
      ASSERT_BELOW(worst, 1e-12);
    }
}

/* A host swings a pair that rubs round until its normal lies nearly along the spring of the contact, off by `off`. */
static double along_the_spring(const char *scheme, double off, const dem_law_options *law) {
  const double x[6] = {-0.475, 0, 0, 0.475, 0, 0}, v[6] = {0, 1, 0, 0, -1, 0};
  dem_system *s = pair(scheme, law, 1e-3, x, v, NULL);
  dem_energy e;
  double worst = 0;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(s, dem_system_step(s, 20));
  double now[6], turned[6] = {0};
  ASSERT_OK(s, dem_system_get_field(s, DEM_POSITION, 2, NULL, now, 0));
  for (int k = 0; k < 2; k++) {
    turned[3 * k] = -now[3 * k + 1] + off * now[3 * k];
    turned[3 * k + 1] = now[3 * k] + off * now[3 * k + 1];
  }
  ASSERT_OK(s, dem_system_set_field(s, DEM_POSITION, 2, NULL, turned, 0));
  for (int k = 0; k < 10; k++) {
    ASSERT_OK(s, dem_system_step(s, 1));
    ASSERT_OK(s, dem_system_energy(s, &e));
    assert_true(e.potential_tangential[0] >= 0);
    worst = fmax(worst, e.residual_relative);
  }
  dem_system_destroy(s);
  return worst;
}

static void books_close_along_the_spring(void **state) {
  (void)state;
  static const char *const all[3] = {"euler", "velocity-verlet", "improved-velocity-verlet"};
  for (int k = 0; k < 3; k++) {
    dem_law_options law;
    double worst = 0;
    dem_law_options_init(&law, sizeof law);
    law.normal_stiffness = 1e3;
    law.tangential = DEM_TANGENTIAL_LINEAR;
    law.tangential_stiffness = 800;
    law.friction = 10;
    for (double off = 0.3; off > 1e-18; off *= 0.3) worst = fmax(worst, along_the_spring(all[k], off, &law));
    print_message("# along the spring, %s: residual %.1e\n", all[k], worst);
    ASSERT_BELOW(worst, 1e-12);
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(books_close_through_half_turns),
      TEST(books_close_along_the_spring),
  };
  return cmocka_run_group_tests_name("half_turns", tests, NULL, NULL);
}
