/* A normal that turns by nearly half a turn within a step, under every scheme: whatever the spring of the contact then is, it lies in
 * the plane of the contact, and its force is booked at both ends. A pair that turns as one body turns its spring and leaves it as long. */
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

static double spring_energy(dem_system *s) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(s, dem_system_energy(s, &e));
  return e.potential_tangential[0];
}

/* A pair too heavy for its forces, whose spring is loaded while its centres come to lie along x, and which then turns by `angle` in each of
 * two steps: the length of the spring after that, over the length before. */
static double length_after_turn(const char *scheme, const dem_law_options *law, double angle) {
  const double apart = 0.9, dt = 1e-3, heavy[2] = {1e15, 1e15}, x[6] = {-0.5 * apart, -0.01, 0, 0.5 * apart, 0.01, 0};
  const double loading[6] = {0, 0.5, 0, 0, -0.5, 0}, speed = 0.5 * apart * angle / dt, spin = angle / dt;
  const double turning[6] = {0, -speed, 0, 0, speed, 0}, spins[6] = {0, 0, spin, 0, 0, spin};
  dem_system *s = pair(scheme, law, dt, x, loading, NULL);
  ASSERT_OK(s, dem_system_set_field(s, DEM_DENSITY, 2, NULL, heavy, 0));
  ASSERT_OK(s, dem_system_step(s, 20));
  ASSERT_OK(s, dem_system_set_field(s, DEM_VELOCITY, 2, NULL, turning, 0));
  ASSERT_OK(s, dem_system_set_field(s, DEM_SPIN, 2, NULL, spins, 0));
  const double before = spring_energy(s);
  ASSERT_OK(s, dem_system_step(s, 2));
  const double after = spring_energy(s);
  assert_true(before > 0);
  dem_system_destroy(s);
  return sqrt(after / before);
}

/* The centres go straight on, so that the surfaces slide a little, of the third order in the angle: by as much in a turn one way as in one
 * the other way. */
static void a_spring_turns_with_its_pair(void **state) {
  (void)state;
  static const char *const all[3] = {"euler", "velocity-verlet", "improved-velocity-verlet"};
  dem_law_options law;
  dem_law_options_init(&law, sizeof law);
  law.normal_stiffness = 1e3;
  law.tangential = DEM_TANGENTIAL_LINEAR;
  law.tangential_stiffness = 800;
  law.friction = 1e6;
  for (int k = 0; k < 3; k++)
    for (double angle = 0.02; angle < 0.2; angle *= 2) {
      const double mean = 0.5 * (length_after_turn(all[k], &law, angle) + length_after_turn(all[k], &law, -angle));
      print_message("# turned by %g, %s: %.3e\n", angle, all[k], mean - 1);
      ASSERT_REL(mean, 1, 1e-13);
    }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      TEST(books_close_through_half_turns),
      TEST(books_close_along_the_spring),
      TEST(a_spring_turns_with_its_pair),
  };
  return cmocka_run_group_tests_name("half_turns", tests, NULL, NULL);
}
