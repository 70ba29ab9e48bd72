/* Faces of walls, where they are now: the distance of a point, the unit normal from the surface to it, and how the surface
 * moves. A wall of the host is one face or several (a box from inside is six planes); what moves it is the system's business.
 *
 *   plane          distance = n.(x - p)
 *   cylinder bore  q = x - p less its part along the axis; distance = R - |q|, normal -q/|q|
 *   solid cylinder, solid box: the closest point of the surface; a centre inside belongs to the nearest face */
#ifndef DEMI_WALL_H
#define DEMI_WALL_H

#include <stdint.h>

enum { DEMI_MAX_FACES = 128 };

enum { DEMI_FACE_PLANE = 0, DEMI_FACE_BORE = 1, DEMI_FACE_CYLINDER = 2, DEMI_FACE_BOX = 3 };

typedef struct demi_face {
  int32_t kind, material;
  int32_t id;         /* never used again: contacts are known by it */
  int32_t wall, body; /* the host's id of the wall it belongs to; its index among the present ones */
  double point[3];    /* of the plane; centre of cylinder or box */
  double frame[9];    /* plane: the normal; cylinder: its axis; box: the directions of its edges; unused ones 0 */
  double radius;
  double half[3];       /* box: half edges; solid cylinder: [0] half length; both may be infinite */
  double home_point[3]; /* point less centre, and frame, before the wall turned */
  double home_frame[9];
} demi_face;

typedef struct demi_walls {
  int32_t count;
  int32_t moving; /* some wall is not fixed */
  demi_face face[DEMI_MAX_FACES];
  _Alignas(64) double velocity[DEMI_MAX_FACES][8]; /* of the centre, 0, angular velocity, 0 */
  double centre[DEMI_MAX_FACES][4];                /* the wall's reference point, about which it turns; 0 */
  double mobility[DEMI_MAX_FACES][4];              /* 1/mass along each axis, 0 where no force moves it; 0 */
} demi_walls;

/* Distance of a point from a solid or from a bore, positive on the particles' side, and the normal there. */
double demi_curved_distance(const demi_face *face, const double *point, double *normal);

static inline double demi_face_distance(const demi_face *face, const double *point, double *normal) {
  if (face->kind != DEMI_FACE_PLANE) return demi_curved_distance(face, point, normal);
  double distance = 0;
  for (int a = 0; a < 3; a++) {
    distance += face->frame[a] * (point[a] - face->point[a]);
    normal[a] = face->frame[a];
  }
  return distance;
}

/* Inverse mass with which a face gives way along n; 0 = not at all. */
static inline double demi_face_mobility(const demi_walls *walls, int32_t face, const double *n) {
  const double *m = walls->mobility[face];
  return m[0] * n[0] * n[0] + m[1] * n[1] * n[1] + m[2] * n[2] * n[2];
}

/* Particles that cannot move meet only walls that forces can move. */
static inline int demi_face_movable(const demi_walls *walls, int32_t face) {
  const double *m = walls->mobility[face];
  return m[0] + m[1] + m[2] > 0;
}

static inline int demi_face_turns(const demi_walls *walls, int32_t face) {
  const double *w = walls->velocity[face] + 4;
  return w[0] != 0 || w[1] != 0 || w[2] != 0;
}

#endif
