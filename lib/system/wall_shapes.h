/* The shapes of walls: a table row for each, with the members of dem_wall that it reads, the limits of its sizes and its faces.
 *
 * A new shape: its constant and members in dem/wall.h, a row in wall_shapes.c, its picture in io/vtk_walls.c; and where its faces
 * are of no present kind, a kind in search/face.h with its distance in search/face.c. */
#ifndef DEMI_WALL_SHAPES_H
#define DEMI_WALL_SHAPES_H

#include "state.h"

/* Traits of a shape, or-ed: members of dem_wall that it reads beside position and rotation; others. */
enum {
  DEMI_SHAPE_AXIS = 1,
  DEMI_SHAPE_SIZE = 2,
  DEMI_SHAPE_RADIUS = 4,
  DEMI_SHAPE_LENGTH = 8,
  DEMI_SHAPE_END_RADIUS = 16,
  DEMI_SHAPE_PROFILE = 32,
  DEMI_SHAPE_SIDES = 64,         /* `side`: it may be used from inside or outside */
  DEMI_SHAPE_ENDLESS_SIZE = 128, /* a size may be infinite */
  DEMI_SHAPE_ENDS = 256          /* always ends along its axis: not for 2 dimensions, nor where an axis is periodic */
};

/* The faces of one wall, before it is turned and moved. */
typedef struct demi_wall_faces {
  int32_t count;
  demi_face face[7]; /* a profile of eight points; a box has six */
} demi_wall_faces;

typedef struct demi_wall_shape {
  const char *name;
  int32_t traits;
  dem_status (*check_sizes)(dem_system *system, const dem_wall *wall); /* NULL: it has none */
  void (*make)(demi_wall_faces *faces, const dem_wall *wall, int32_t dimension);
} demi_wall_shape;

/* Rows by DEM_WALL_..., and the highest. */
extern const demi_wall_shape demi_wall_shapes[];
extern const int32_t demi_last_wall_shape;

void demi_wall_make_faces(const dem_wall *wall, int32_t dimension, demi_wall_faces *faces);

/* Refuse a member of this name that is not > 0, or < 0. */
dem_status demi_wall_check_above(dem_system *system, const char *name, double value);
dem_status demi_wall_check_not_below(dem_system *system, const char *name, double value);

#endif
