/* Four bonded spheres, three on the floor and one on top of them, are struck from above by a heavy wall that moves freely up and
 * down. It presses the top one down, the lower three are spread, their bonds tear, and the rest is impacts, friction and bounces.
 * The kinetic energy of the wall and the work of its weight are in the books like everything else. */
#include <math.h>

#include "demo.h"

static const double RADIUS = 5e-3, DENSITY = 2500, GRAVITY = 9.81, WALL_MASS = 0.05, WALL_SPEED = 1;
static const double SPREAD = 8e-3, HEIGHT = 6e-3; /* of the lower spheres about the axis; of the upper above the lower ones */

/* Hertz, damped, with friction. */
static void set_contacts(demo *d) {
  dem_law_options law;
  dem_law_options_init(&law, sizeof law);
  law.normal = DEM_NORMAL_HERTZ;
  law.tangential = DEM_TANGENTIAL_MINDLIN_CONSERVING;
  law.damping = law.tangential_damping = DEM_DAMPING_RESTITUTION;
  law.restitution = 0.7;
  law.friction = 0.2;
  law.attraction = 0;
  demo_law(d, &law);
}

/* A flat tetrahedron: three spheres on the floor with gaps between them, one on top that touches the first. The others stand a
 * little further out, so that not all bonds break at once. */
static void add_tetrahedron(demo *d) {
  double position[12], velocity[12] = {0};
  for (int k = 0; k < 3; k++) {
    const double angle = 0.3 + 2 * 3.14159265358979323846 / 3 * k, out = SPREAD * (1 + 0.03 * k);
    position[3 * k] = out * cos(angle);
    position[3 * k + 1] = out * sin(angle);
    position[3 * k + 2] = RADIUS;
  }
  position[9] = position[10] = 0;
  position[11] = RADIUS + HEIGHT;
  demo_spheres(d, 4, position, velocity, RADIUS, DENSITY, NULL);
}

static void bond_all(demo *d) {
  int32_t beam;
  int64_t made;
  dem_bond_type type;
  dem_bond_type_init(&type, sizeof type);
  type.radius_factor = 0.5;
  type.normal_stiffness = 4e8;
  type.tangential_stiffness = 2e8;
  type.normal_damping = 200;
  type.tangential_damping = 200;
  type.break_strain = 0.02;
  demo_check(d, "bond type", dem_system_add_bond_type(d->system, &type, &beam));
  demo_check(d, "bonds", dem_system_bond_neighbours(d->system, beam, 0, 0, RADIUS, &made));
  printf("%d bonds\n", (int)made);
}

static void add_walls(demo *d) {
  dem_wall floor, hammer;
  dem_wall_init(&floor, sizeof floor);
  floor.axis[2] = 1;
  demo_check(d, "floor", dem_system_add_wall(d->system, &floor, NULL));
  dem_wall_init(&hammer, sizeof hammer);
  hammer.axis[2] = -1;
  hammer.position[2] = 2.1 * RADIUS + HEIGHT;
  hammer.motion = DEM_WALL_FREE;
  hammer.free_axis[2] = 1;
  hammer.mass = WALL_MASS;
  hammer.velocity[2] = -WALL_SPEED;
  demo_check(d, "hammer", dem_system_add_wall(d->system, &hammer, NULL));
}

int main(int count, char **arguments) {
  demo d;
  dem_system_options o;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-6;
  o.gravity[2] = -GRAVITY;
  o.ledger = 1;
  demo_open(&d, "energy_wall_impact", count, arguments, &o);
  set_contacts(&d);
  add_tetrahedron(&d);
  bond_all(&d);
  add_walls(&d);
  demo_run(&d, 0.02, 20);
  return demo_close(&d);
}
