#include "walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- solid ---- */

static dem_wall standard(void) {
  dem_wall wall;
  if (dem_wall_init(&wall, sizeof wall)) abort(); /* a mistake in the test itself */
  return wall;
}

dem_wall wall_plane(double x, double y, double z, double nx, double ny, double nz) {
  dem_wall wall = standard();
  const double p[3] = {x, y, z}, n[3] = {nx, ny, nz};
  memcpy(wall.position, p, sizeof p);
  memcpy(wall.axis, n, sizeof n);
  return wall;
}

dem_wall wall_box(int32_t side, double x, double y, double z) {
  dem_wall wall = wall_shape(DEM_WALL_BOX);
  const double size[3] = {x, y, z};
  wall.side = side;
  memcpy(wall.size, size, sizeof size);
  return wall;
}

dem_wall wall_drum(int32_t side, double radius, double length) {
  dem_wall wall = standard();
  wall.shape = DEM_WALL_CYLINDER;
  wall.side = side;
  wall.axis[1] = 1;
  wall.radius = radius;
  wall.length = length;
  return wall;
}

dem_wall wall_press(double z, double target) {
  dem_wall wall = wall_plane(0, 0, z, 0, 0, -1);
  wall.motion = DEM_WALL_SERVO;
  wall.direction[2] = -1;
  wall.target = target;
  wall.gain = 1e-3;
  wall.velocity_limit = 1;
  return wall;
}

/* ---- thin ---- */

dem_wall wall_shape(int32_t shape) {
  dem_wall wall = standard();
  wall.shape = shape;
  if (shape != DEM_WALL_BOX && shape != DEM_WALL_PLATE) wall.axis[2] = 1;
  return wall;
}

dem_wall wall_plate(double x, double y, double z) {
  dem_wall wall = wall_shape(DEM_WALL_PLATE);
  const double size[3] = {x, y, z};
  memcpy(wall.size, size, sizeof size);
  return wall;
}

dem_wall wall_disc(double radius) {
  dem_wall wall = wall_shape(DEM_WALL_DISC);
  wall.radius = radius;
  return wall;
}

dem_wall wall_cone(double radius, double end_radius, double length) {
  dem_wall wall = wall_shape(DEM_WALL_CONE);
  wall.radius = radius;
  wall.end_radius = end_radius;
  wall.length = length;
  return wall;
}

dem_wall wall_pipe(double radius, double length) {
  dem_wall wall = wall_shape(DEM_WALL_CYLINDER);
  wall.radius = radius;
  wall.length = length;
  wall.open = 1;
  return wall;
}

dem_wall wall_revolved(int32_t points, const double *profile) {
  dem_wall wall = wall_shape(DEM_WALL_REVOLVED);
  wall.profile_points = points;
  memcpy(wall.profile, profile, 2 * (size_t)points * sizeof *profile);
  return wall;
}

dem_wall wall_hopper(void) {
  static const double profile[] = {0.8, -3, 0.8, -2, 2.6, 0, 2.6, 3};
  return wall_revolved(4, profile);
}

static dem_wall random_thin(dice *d, int k) {
  const double a = dice_uniform(d, 0.5, 2), b = dice_uniform(d, 0.5, 2), c = dice_uniform(d, 0.5, 2);
  switch (k % 6) {
    case 0: return k % 4 ? wall_plate(a, b, 0) : wall_plate(a, 0, c);
    case 1: return wall_disc(a);
    case 2: return wall_cone(a, b, c);
    case 3: return k % 4 ? wall_cone(0, b, c) : wall_cone(a, 0, c);
    case 4: return wall_pipe(a, c);
    default: return wall_hopper();
  }
}

dem_wall wall_random(dice *d, int k) {
  dem_wall wall = random_thin(d, k);
  double axis[3];
  for (int a = 0; a < 3; a++) wall.position[a] = dice_uniform(d, -1, 1);
  for (int a = 2; a >= 0; a--) axis[a] = dice_uniform(d, a == 2 ? 0.1 : -1, 1);
  quaternion_about(dice_uniform(d, -3, 3), axis[0], axis[1], axis[2], wall.rotation);
  return wall;
}

/* ---- motion ---- */

void wall_drive(dem_wall *wall, double x, double y, double z) {
  const double spin[3] = {x, y, z};
  wall->motion = DEM_WALL_PRESCRIBED;
  memcpy(wall->spin, spin, sizeof spin);
}

void quaternion_about(double angle, double x, double y, double z, double q[4]) {
  const double s = sin(0.5 * angle) / sqrt(x * x + y * y + z * z), parts[4] = {cos(0.5 * angle), s * x, s * y, s * z};
  memcpy(q, parts, sizeof parts);
}

/* With u the vector of q and c = 2 u x v: v + q_0 c + u x c. */
void quaternion_turn(const double q[4], const double v[3], int back, double out[3]) {
  const double s = back ? -1.0 : 1.0, u[3] = {s * q[1], s * q[2], s * q[3]};
  double c[3];
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, e = (a + 2) % 3;
    c[a] = 2 * (u[b] * v[e] - u[e] * v[b]);
  }
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, e = (a + 2) % 3;
    out[a] = v[a] + q[0] * c[a] + u[b] * c[e] - u[e] * c[b];
  }
}
