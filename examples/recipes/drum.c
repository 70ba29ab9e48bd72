/* A drum turns about a level axis, y, along which the box is periodic. In the steady state the grains lie at the dynamic angle of
 * repose: their centre of mass is that angle off the vertical, 20 to 45 degrees for grains of friction 0.5. */
#include "recipe.h"

#define RADIUS (14 * DIAMETER)
#define DEPTH (6 * DIAMETER)

int main(void) {
  recipe r;
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = DT;
  o.gravity[2] = -GRAVITY;
  o.periodic[1] = 1;
  o.box_high[1] = DEPTH;
  o.ledger = 1;
  open_recipe(&r, &o, 0.5);

  dem_wall drum;
  int32_t id;
  dem_wall_init(&drum, sizeof drum);
  drum.shape = DEM_WALL_CYLINDER; /* endless, particles inside */
  drum.axis[1] = 1;
  drum.radius = RADIUS;
  drum.motion = DEM_WALL_PRESCRIBED;
  const double froude = 0.03, rate = sqrt(froude * GRAVITY / RADIUS); /* of the surface: w^2 R/g */
  drum.spin[1] = rate;
  check(&r, dem_system_add_wall(r.system, &drum, &id));

  enum { MOST = 1200 };
  static double x[3 * MOST];
  int64_t count = 0;
  const double step = 1.05 * DIAMETER;
  for (double z = -RADIUS; z < 0.3 * RADIUS; z += step)
    for (double u = -RADIUS; u < RADIUS; u += step)
      for (double y = 0.5 * step; y < DEPTH - 0.4 * step && count < MOST; y += step) {
        if (u * u + z * z > pow(RADIUS - 0.6 * DIAMETER, 2)) continue;
        const double at[3] = {u + uniform(0, 0.02) * DIAMETER, y, z + uniform(0, 0.02) * DIAMETER};
        memcpy(x + 3 * count++, at, sizeof at);
      }
  add_beads(&r, count, x, NULL);

  /* a quarter of a turn to begin with, then the mean over a quarter more */
  const int64_t quarter = (int64_t)(0.5 * pi / rate / DT), samples = 50;
  check(&r, dem_system_step(r.system, quarter + quarter / 2));
  double angle = 0;
  for (int64_t n = 0; n < samples; n++) {
    check(&r, dem_system_step(r.system, quarter / samples));
    check(&r, dem_system_get_field(r.system, DEM_POSITION, count, NULL, x, 0));
    double mean[3] = {0, 0, 0};
    for (int64_t k = 0; k < 3 * count; k++) mean[k % 3] += x[k] / (double)count;
    angle += atan2(fabs(mean[0]), -mean[2]) * 180 / pi / (double)samples;
  }

  /* What turns the drum has supplied what friction and dashpots took; nothing else has. */
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  check(&r, dem_system_energy(r.system, &e));
  printf("%lld grains, %.2f rad/s; the drive has done %.3g J\n", (long long)count, rate, e.walls);
  int bad = holds("dynamic angle of repose, degrees", angle, 20, 45);
  bad |= holds("residual of the energy books", e.residual_relative, 0, 1e-12);
  close_recipe(&r);
  return bad;
}
