/* The loop of a host that couples grains to a fluid: every few steps it reads where the grains are and how they move, computes the
 * force of the fluid on each, and hands it over; in between the library steps with constant host forces. Here the fluid is oil that
 * rises at u; grains are dragged by Stokes' force F = 3 pi eta d (u - v) and buoyed up. After a few relaxation times
 * m/(3 pi eta d) each moves at u + v_t with
 *
 *   v_t = -(rho - rho_f) g d^2/(18 eta). */
#include "recipe.h"

enum { SIDE = 6, COUNT = SIDE * SIDE * SIDE };
#define VISCOSITY 0.5
#define FLUID 900.0

/* The fluid solver's: velocity at a height. */
static double fluid_velocity(double z) {
  (void)z; /* uniform here */
  return 0.05;
}

static double fluid_force(double diameter, double u, double v) { return 3 * pi * VISCOSITY * diameter * (u - v); }

int main(void) {
  recipe r;
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = DT;
  o.gravity[2] = -GRAVITY;
  o.ledger = 1;
  for (int a = 0; a < 3; a++) {
    o.periodic[a] = 1;
    o.box_high[a] = SIDE * 2 * DIAMETER;
  }
  open_recipe(&r, &o, 0.3);

  static double x[3 * COUNT], v[3 * COUNT], force[3 * COUNT], radius[COUNT];
  static dem_id ids[COUNT];
  for (int n = 0; n < COUNT; n++) {
    const int at[3] = {n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE};
    for (int a = 0; a < 3; a++) x[3 * n + a] = (at[a] + 0.5) * 2 * DIAMETER;
  }
  add_beads(&r, COUNT, x, ids);
  check(&r, dem_system_get_field(r.system, DEM_RADIUS, COUNT, ids, radius, 0));

  enum { EVERY = 10, ROUNDS = 300 }; /* the coupling interval is far below the relaxation time of 4 ms */
  double on_fluid = 0, gained = 0, weight = 0;
  for (int n = 0; n < ROUNDS; n++) {
    check(&r, dem_system_get_field(r.system, DEM_POSITION, COUNT, ids, x, 0));
    check(&r, dem_system_get_field(r.system, DEM_VELOCITY, COUNT, ids, v, 0));
    for (int k = 0; k < COUNT; k++) {
      const double d = 2 * radius[k], u[3] = {0, 0, fluid_velocity(x[3 * k + 2])};
      for (int a = 0; a < 3; a++) force[3 * k + a] = fluid_force(d, u[a], v[3 * k + a]);
      force[3 * k + 2] += FLUID * pi / 6 * d * d * d * GRAVITY;
      on_fluid -= force[3 * k + 2] * EVERY * DT; /* the reaction, which the fluid solver takes up */
    }
    check(&r, dem_system_set_field(r.system, DEM_HOST_FORCE, COUNT, ids, force, 0));
    check(&r, dem_system_step(r.system, EVERY));
  }

  double worst = 0;
  static double mass[COUNT];
  check(&r, dem_system_get_field(r.system, DEM_VELOCITY, COUNT, ids, v, 0));
  check(&r, dem_system_get_field(r.system, DEM_MASS, COUNT, ids, mass, 0));
  for (int k = 0; k < COUNT; k++) {
    const double d = 2 * radius[k], terminal = 0.05 - (DENSITY - FLUID) * GRAVITY * d * d / (18 * VISCOSITY);
    worst = fmax(worst, fabs(v[3 * k + 2] / terminal - 1));
    gained += mass[k] * v[3 * k + 2];
    weight += mass[k] * GRAVITY * ROUNDS * EVERY * DT;
  }
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  check(&r, dem_system_energy(r.system, &e));
  int bad = holds("largest deviation from the terminal velocity", worst, 0, 1e-3);
  bad |= holds("momentum of grains and fluid, less gravity's, over gravity's", fabs(gained + on_fluid + weight) / weight, 0,
               1e-10);
  bad |= holds("work of the fluid in the books [J]", e.host, 1e-9, 1);
  bad |= holds("residual of the energy books", e.residual_relative, 0, 1e-10);
  close_recipe(&r);
  return bad;
}
