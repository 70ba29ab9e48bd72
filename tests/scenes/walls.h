/* Walls in one line each, for tests and scenes. All of them are of material 0, at the origin unless a position is an argument, not
 * turned and fixed; the caller changes any member of what is returned. `side` is DEM_WALL_INSIDE or DEM_WALL_OUTSIDE. */
#ifndef TESTS_WALLS_H
#define TESTS_WALLS_H

#include <dem/dem.h>

#include "scenes.h"

/* Through (x, y, z), with the normal (nx, ny, nz) towards the particles. */
dem_wall wall_plane(double x, double y, double z, double nx, double ny, double nz);
/* With edges x, y, z. */
dem_wall wall_box(int32_t side, double x, double y, double z);
/* A cylinder about the y axis; length 0: without ends. */
dem_wall wall_drum(int32_t side, double radius, double length);

/* A servo: the plane at height z that presses downwards with the force `target`, or the pressure where an area is set. */
dem_wall wall_press(double z, double target);

/* A wall of any shape (DEM_WALL_...) with nothing set but, where the shape has one, the axis: z. */
dem_wall wall_shape(int32_t shape);
dem_wall wall_plate(double x, double y, double z);
dem_wall wall_disc(double radius);
dem_wall wall_cone(double radius, double end_radius, double length);
/* A cylinder about z that is open at both ends. */
dem_wall wall_pipe(double radius, double length);
/* `points` pairs (radius, height) on the axis z. */
dem_wall wall_revolved(int32_t points, const double *profile);
/* A cylinder of radius 2.6, a cone below it and an outlet of radius 0.8: z from 3 to -3. */
dem_wall wall_hopper(void);
/* A thin wall, k = 0, 1, ...: plate, disc, cone, cone with a tip, pipe, hopper and so on again; sizes, position and rotation are
 * random. */
dem_wall wall_random(dice *d, int k);

/* Turns steadily with the spin (x, y, z). */
void wall_drive(dem_wall *wall, double x, double y, double z);

/* The rotation by `angle` about (x, y, z), which may have any length. */
void quaternion_about(double angle, double x, double y, double z, double q[4]);
/* out = q v q*, or q* v q (the turn back) when `back` is 1. */
void quaternion_turn(const double q[4], const double v[3], int back, double out[3]);

#endif
