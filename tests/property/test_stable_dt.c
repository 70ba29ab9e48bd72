/* The largest stable time step of a pair with stiffness k, dashpot c and effective mass m is where k dt^2/m + 2 c dt/m = 4.
 *
 * What attraction does to that of Hertz contacts: a pair at rest is drawn in until the energy of the spring is
 * that of the attraction,
 *
 *   8/15 Y* sqrt(R*) d^(5/2) = 4 pi gamma R* d  (DMT),     = pi k_c R* d^2  (energy density of cohesion),
 *
 * d_0 found here by bisection. The stiffness at an overlap d is 2 Y* sqrt(R* d) and the step goes with its inverse root. The library
 * allows for an overlap of 0.001 R* even at rest, so that with attraction dt/dt_without = (d_1/(d_1 + d_0))^(1/4), d_1 = 0.001 R*. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/world.h"

static const double PI = 3.14159265358979323846, YOUNG = 3e5, POISSON = 0.2, RADIUS = 0.4, DENSITY = 2;
static const double MASS = 4 / 3. * 3.14159265358979323846 * 0.4 * 0.4 * 0.4 * 2;

/* Two equal spheres at rest, apart. */
static double stable_dt(dem_law_options law) {
  const double x[6] = {0, 0, 0, 3, 0, 0}, radius[2] = {RADIUS, RADIUS}, density[2] = {DENSITY, DENSITY};
  world w;
  world_options o = world_defaults();
  dem_particles p;
  double dt;
  o.system.dt = 1e-6;
  o.material.young = YOUNG;
  o.material.poisson = POISSON;
  o.law = law;
  o.law.tangential = DEM_TANGENTIAL_NONE;
  world_open(&w, &o);
  dem_particles_init(&p, sizeof p);
  p.count = 2, p.position = x, p.radius = radius, p.density = density;
  ASSERT_OK(w.system, dem_system_add_particles(w.system, &p, NULL));
  ASSERT_OK(w.system, dem_system_stable_dt(w.system, &dt));
  world_close(&w);
  return dt;
}

static dem_law_options hertz(double surface_energy, double energy_density) {
  dem_law_options law;
  dem_law_options_init(&law, sizeof law);
  law.normal = surface_energy > 0 ? DEM_NORMAL_DMT : DEM_NORMAL_HERTZ;
  law.surface_energy = surface_energy;
  law.cohesion_energy_density = energy_density;
  return law;
}

/* k dt^2/m + 2 c dt/m = 4 */
static double limit(double k, double c) {
  const double m = MASS / 2;
  return (sqrt(c * c + 4 * k * m) - c) / k;
}

/* Fraction of critical damping of a linear oscillator with restitution 0.6. */
static double ratio_of_critical(void) { return -log(0.6) / sqrt(PI * PI + log(0.6) * log(0.6)); }

static void check_mode(dem_law_options law, int32_t mode, double k, double c) {
  law.damping = mode;
  if (mode == DEM_DAMPING_RESTITUTION)
    law.restitution = 0.6;
  else if (mode != DEM_DAMPING_NONE)
    law.normal_damping = 30;
  ASSERT_REL(stable_dt(law), limit(k, c), 1e-12);
}

/* Every way in which a dashpot can be given; a the contact radius. */
static void check_modes(dem_law_options law, double k, double a, double critical) {
  check_mode(law, DEM_DAMPING_NONE, k, 0);
  check_mode(law, DEM_DAMPING_COEFFICIENT, k, 30);
  check_mode(law, DEM_DAMPING_RATE, k, 30 * MASS / 2);
  check_mode(law, DEM_DAMPING_VISCOELASTIC, k, 30 * MASS / 2 * a);
  check_mode(law, DEM_DAMPING_RESTITUTION, k, critical * ratio_of_critical() * sqrt(k * MASS / 2));
}

static void dashpots_shorten_the_step(void **state) {
  (void)state;
  const double a = sqrt(RADIUS / 2 * RADIUS / 2 / 1000);
  dem_law_options law;
  dem_law_options_init(&law, sizeof law);
  law.normal_stiffness = 700;
  check_modes(law, 700, a, 2);
  check_modes(hertz(0, 0), 2 * YOUNG / (2 * (1 - POISSON * POISSON)) * a, a, 2 * sqrt(5 / 6.));
}

/* Where the energies are equal, above 0. */
static double drawn_in(double surface_energy, double energy_density) {
  const double young = YOUNG / (2 * (1 - POISSON * POISSON)), radius = RADIUS / 2;
  double low = 1e-12, high = RADIUS;
  for (int k = 0; k < 200; k++) {
    const double d = 0.5 * (low + high), spring = 8 / 15. * young * sqrt(radius) * pow(d, 2.5);
    const double attraction = 4 * PI * surface_energy * radius * d + PI * energy_density * radius * d * d;
    *(spring < attraction ? &low : &high) = d;
  }
  return low;
}

static void check(double surface_energy, double energy_density) {
  const double rest = RADIUS / 2 / 1000, d = drawn_in(surface_energy, energy_density);
  const dem_law_options law = hertz(surface_energy, energy_density);
  ASSERT_REL(stable_dt(law), stable_dt(hertz(0, 0)) * pow(rest / (rest + d), 0.25), 1e-9);
}

static void attraction_shortens_the_step(void **state) {
  (void)state;
  check(0.5, 0);
  check(20, 0);
  check(0, 1e3);
  check(0, 3e4);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dashpots_shorten_the_step),
      cmocka_unit_test(attraction_shortens_the_step),
  };
  return cmocka_run_group_tests_name("stable_dt", tests, NULL, NULL);
}
