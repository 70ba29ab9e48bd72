/* From what is known of a problem to the numbers of a law and a time step: "I tolerate an overlap of 1 % of the radius at this
 * speed, the restitution is 0.8, Poisson's ratio 0.3". Prints what was chosen, drops a bead on a floor with it, and asks the
 * system what it thinks. SI units. */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double radius = 1e-3, density = 2500, speed = 1.5, tolerated = 0.01, restitution = 0.8, poisson = 0.3;

static void check(dem_status status, const char *what) {
  if (status == DEM_OK) return;
  fprintf(stderr, "%s: %s\n", what, dem_status_name(status));
  exit(1);
}

/* The worst impact: a bead on the floor. Finds the effective modulus, overlap and contact time. */
static dem_impact choose(double mass) {
  dem_impact impact;
  dem_impact_init(&impact, sizeof impact);
  impact.normal = DEM_NORMAL_HERTZ, impact.damping = DEM_DAMPING_RESTITUTION_EXACT, impact.attraction = 0;
  impact.mass = mass, impact.radius = radius, impact.speed = speed, impact.restitution = restitution;
  check(dem_impact_fit_stiffness(&impact, tolerated * radius), "stiffness");
  return impact;
}

static void print_choice(const dem_impact *impact, double young, double mass) {
  double k, z, c, ratio, critical, rayleigh;
  check(dem_formula_hooke_like_hertz(mass, radius, speed, impact->stiffness, &k), "hooke");
  check(dem_formula_damping_ratio(restitution, 0, &z), "damping");
  check(dem_formula_hooke_damping(mass, k, z, &c), "damping");
  check(dem_formula_tangential_ratio(poisson, &ratio), "tangential");
  check(dem_formula_critical_ratio(0.5, &critical), "size ratio");
  check(dem_formula_rayleigh_dt(radius, density, young / (2 * (1 + poisson)), poisson, &rayleigh), "Rayleigh");
  printf("Hertz: Young's modulus       %10.4g Pa\n", young);
  printf("  contact time               %10.4g s   (dt: a fiftieth, %.3g s; Rayleigh time step %.3g s)\n", impact->contact_time,
         impact->contact_time / 50, rayleigh);
  printf("Hooke of the same duration   %10.4g N/m, k_t/k_n = %.3f (Mindlin) or %.3f (equal periods)\n", k, ratio, 2.0 / 7);
  printf("  damping ratio, coefficient %10.4g, %.3g N s/m\n", z, c);
  printf("size ratio for mu = 0.5      %10.4g at most with velocity-Verlet\n", critical);
}

static dem_system *set_up(dem_context *context, const dem_impact *impact, double young) {
  dem_system_options options;
  dem_law_options hertz;
  dem_material material;
  dem_wall floor;
  dem_system *system;
  dem_law *law;
  dem_system_options_init(&options, sizeof options);
  options.dt = impact->contact_time / 50;
  check(dem_system_create(context, &options, &system), "system");
  dem_material_init(&material, sizeof material);
  /* bead and floor are of one material */
  material.young = young, material.poisson = poisson;
  check(dem_system_add_material(system, &material, NULL), "material");
  dem_law_options_init(&hertz, sizeof hertz);
  hertz.normal = DEM_NORMAL_HERTZ, hertz.tangential = DEM_TANGENTIAL_MINDLIN;
  hertz.damping = DEM_DAMPING_RESTITUTION_EXACT, hertz.attraction = 0, hertz.restitution = restitution;
  check(dem_law_create(context, &hertz, &law), "law");
  check(dem_system_set_law(system, 0, 0, law), "law");
  dem_law_release(law);
  dem_wall_init(&floor, sizeof floor);
  floor.axis[2] = 1;
  check(dem_system_add_wall(system, &floor, NULL), "floor");
  return system;
}

/* Drops the bead; returns the largest overlap over the radius, and how fast it comes back. */
static double drop(dem_system *system, const dem_impact *impact, double *rebound) {
  double x[3] = {0, 0, radius + 1e-5}, v[3] = {0, 0, -speed}, overlap = 0;
  dem_particles bead = {
      .struct_size = sizeof bead, .count = 1, .position = x, .velocity = v, .radius = &radius, .density = &density};
  dem_advice advice;
  check(dem_system_add_particles(system, &bead, NULL), "bead");
  dem_advice_init(&advice, sizeof advice);
  check(dem_system_advise(system, &advice), "advice");
  printf("the system before the impact: overlap to expect %.4f of the radius, contact time %.4g s, dt %.3g s (in use %.3g s)\n",
         advice.impact, advice.contact_time, advice.dt, impact->contact_time / 50);
  for (int k = 0; k < 100; k++) {
    check(dem_system_step(system, 1), "step");
    check(dem_system_get_field(system, DEM_POSITION, 1, NULL, x, 0), "position");
    overlap = fmax(overlap, radius - x[2]);
  }
  check(dem_system_get_field(system, DEM_VELOCITY, 1, NULL, v, 0), "velocity");
  *rebound = v[2] / speed;
  return overlap / radius;
}

int main(void) {
  dem_context *context;
  const double mass = 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius * density;
  double young, rebound;
  check(dem_context_create(NULL, &context), "context");
  const dem_impact impact = choose(mass);
  check(dem_formula_material_young(impact.stiffness, poisson, &young), "modulus");
  print_choice(&impact, young, mass);
  dem_system *system = set_up(context, &impact, young);
  const double overlap = drop(system, &impact, &rebound);
  printf("the impact: overlap %.4f of the radius (asked %.4f), restitution %.4f (asked %.4f)\n", overlap, tolerated, rebound,
         restitution);
  dem_system_destroy(system);
  check(dem_context_destroy(context), "context");
  /* at a fiftieth of the contact time */
  return fabs(overlap - tolerated) < 0.01 * tolerated && fabs(rebound - restitution) < 0.02 ? 0 : 1;
}
