/* A hopper discharges through a round outlet; its rate follows Beverloo's law (Chem. Eng. Sci. 15, 260, 1961)
 *
 *   W = C rho_b sqrt(g) (D - k d)^(5/2),   C = 0.55 ... 0.65, k = 1.4,
 *
 * with rho_b the density of the bulk, D the diameter of the outlet, d of the grains. A cone steeper than the angle of repose lets
 * out more than a flat floor, for which the constants were found. */
#define STIFFNESS 2000.0
#include "recipe.h"

#ifndef OUTLET
#define OUTLET (7 * DIAMETER) /* D */
#endif
#define WIDE (8 * DIAMETER) /* radius of the cylinder */

static int32_t add_hopper(recipe *r) {
  const double rise = WIDE - 0.5 * OUTLET; /* a cone of 45 degrees */
  const double profile[6] = {0.5 * OUTLET, 0, WIDE, rise, WIDE, rise + 40 * DIAMETER};
  dem_wall hopper, shutter;
  int32_t id;
  dem_wall_init(&hopper, sizeof hopper);
  hopper.shape = DEM_WALL_REVOLVED;
  hopper.axis[2] = 1;
  hopper.profile_points = 3;
  memcpy(hopper.profile, profile, sizeof profile);
  check(r, dem_system_add_wall(r->system, &hopper, NULL));
  dem_wall_init(&shutter, sizeof shutter);
  shutter.shape = DEM_WALL_DISC;
  shutter.axis[2] = 1;
  shutter.radius = 0.5 * OUTLET;
  check(r, dem_system_add_wall(r->system, &shutter, &id));
  return id;
}

/* A loose lattice within the cylinder and the cone. */
static int64_t fill(recipe *r, int64_t most) {
  double *x = malloc((size_t)most * 3 * sizeof *x);
  int64_t count = 0;
  const double step = 1.05 * DIAMETER;
  for (double z = step; count < most; z += step)
    for (double y = -WIDE; y < WIDE; y += step)
      for (double u = -WIDE; u < WIDE && count < most; u += step) {
        const double room = fmin(0.5 * OUTLET + z, WIDE) - 1.5 * DIAMETER; /* inside, clear of the cone */
        if (!x || u * u + y * y > room * room) continue;
        const double at[3] = {u + uniform(0, 0.02) * DIAMETER, y + uniform(0, 0.02) * DIAMETER, z};
        memcpy(x + 3 * count++, at, sizeof at);
      }
  add_beads(r, count, x, NULL);
  free(x);
  return count;
}

/* Takes out what has fallen well below the outlet; their mass. Nothing is lost: what is left is counted in main. */
static double take_out(recipe *r) {
  int64_t count, gone = 0;
  check(r, dem_system_particle_count(r->system, &count));
  dem_id *ids = malloc((size_t)count * sizeof *ids);
  double *x = malloc((size_t)count * 3 * sizeof *x), *m = malloc((size_t)count * sizeof *m), mass = 0;
  if (!ids || !x || !m) exit(1);
  check(r, dem_system_ids(r->system, count, ids));
  check(r, dem_system_get_field(r->system, DEM_POSITION, count, NULL, x, 0));
  check(r, dem_system_get_field(r->system, DEM_MASS, count, NULL, m, 0));
  for (int64_t i = 0; i < count; i++)
    if (x[3 * i + 2] < -3 * DIAMETER) {
      ids[gone++] = ids[i];
      mass += m[i];
    }
  check(r, dem_system_remove_particles(r->system, gone, ids));
  free(ids), free(x), free(m);
  return mass;
}

int main(void) {
  recipe r;
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = DT;
  o.gravity[2] = -GRAVITY;
  open_recipe(&r, &o, 0.5);
  const int32_t shutter = add_hopper(&r);
  const int64_t count = fill(&r, 2600);
  check(&r, dem_system_step(r.system, (int64_t)(0.2 / DT))); /* they come to rest */
  check(&r, dem_system_remove_wall(r.system, shutter));
  double out = 0, first = 0;
  const int64_t steps = (int64_t)(0.004 / DT);
  for (int n = 0; n < 100; n++) {
    check(&r, dem_system_step(r.system, steps));
    out += take_out(&r);
    if (n == 39) first = out; /* by then the flow is steady */
  }
  int64_t left;
  check(&r, dem_system_particle_count(r.system, &left));
  const double rate = (out - first) / (60 * DT * (double)steps), d = 0.95 * DIAMETER, bulk = 0.6 * DENSITY;
  const double C = rate / (bulk * sqrt(GRAVITY) * pow(OUTLET - 1.4 * d, 2.5));
  printf("%lld of %lld grains left; %.4f kg/s\n", (long long)left, (long long)count, rate);
  const int bad = holds("Beverloo's C", C, 0.5, 0.75);
  check(&r, dem_system_step(r.system, 1)); /* contacts and forces are those of a step: taking grains out has dropped them */
  check(&r, dem_system_write_walls_vtp_path(r.system, "hopper_walls.vtp"));
  check(&r, dem_system_write_vtp_path(r.system, "hopper_grains.vtp"));
  check(&r, dem_system_write_contacts_vtp_path(r.system, "hopper_contacts.vtp"));
  close_recipe(&r);
  return bad;
}
