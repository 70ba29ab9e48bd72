/* Faces of walls, where they are now: the distance of a point, the unit normal from the surface to it, and how the surface
 * moves. A wall of the host is one face or several (a box from inside is six planes); what moves it is the system's business.
 *
 *   plane          distance = n.(x - p)
 *   cylinder bore  q = x - p less its part along the axis; distance = R - |q|, normal -q/|q|
 *   solid cylinder, solid box: the closest point of the surface; a centre inside belongs to the nearest face
 *   plate          thin rectangle: the closest point, normal to the side on which x is
 *   shell          thin surface of revolution of a straight line from A to B in the half plane of (distance from the axis, height):
 *                  the closest point, normal to the side on which x is. Disc, cone and open cylinder are one shell each.
 *
 * Shells of one wall join at the points of its profile. What lies before a joint must be met once: see demi_face_meets. */
#ifndef DEMI_FACE_H
#define DEMI_FACE_H

#include <math.h>
#include <dem/context.h>
#include <stdint.h>

enum {
  DEMI_FACE_PLANE = 0,
  DEMI_FACE_BORE = 1,
  DEMI_FACE_CYLINDER = 2,
  DEMI_FACE_BOX = 3,
  DEMI_FACE_PLATE = 4,
  DEMI_FACE_SHELL = 5
};

typedef struct demi_face {
  int32_t kind, material;
  int32_t id;            /* never used again: contacts are known by it */
  int32_t wall_id, wall; /* the wall that it belongs to: the id that the host knows, the index among the present walls */
  double point[3];       /* of the plane; centre of cylinder, box, plate; on the axis of a shell, at height 0 */
  double frame[9]; /* plane: the normal; cylinder, shell: its axis; box: the directions of its edges; plate: of its edges, and
                         the normal; unused ones 0 */
  double radius;
  double half[3];            /* box, plate: half edges; solid cylinder: [0] half length; they may be infinite */
  double from[2], to[2];     /* shell: radius and height of its ends A and B */
  double slope[2], next[2];  /* shell: unit vector from A to B; that of the shell that begins at B, 0 0 = B is a rim */
  int32_t follows, reserved; /* shell: 1 = another ends at A */
  double home_point[3];      /* point less centre, and frame, before the wall turned */
  double home_frame[9];
} demi_face;

typedef struct demi_faces {
  int32_t count, capacity;
  int32_t moving; /* some wall is not fixed */
  int32_t placed; /* 1: a caller places the faces to and fro: each may have turned since any moment, whatever its spin is now */
  demi_face *face;
  double (*velocity)[8]; /* of the centre, 0, angular velocity, 0 */
  double (*centre)[4];   /* the wall's reference point, about which it turns; 0 */
  double (*mobility)[4]; /* 1/mass along each axis, 0 where no force moves it; 0 */
} demi_faces;

/* Makes room for `capacity` faces in all, new ones zero; DEM_NO_MEMORY leaves everything as it was. */
dem_status demi_faces_reserve(demi_faces *faces, dem_context *context, int32_t capacity);
void demi_faces_free(demi_faces *faces, dem_context *context);

/* Distance of a point from a face that is no plane, positive on the particles' side, and the normal there. */
double demi_curved_distance(const demi_face *face, const double *point, double *normal);
/* Of the shells of one wall that meet at a joint V, with slopes t and t': the one that ends there acts on x when (x - V).t <= 0
 * or (x - V).t' <= 0, the other when (x - V).t' > 0. So on the side where the joint is an edge exactly one acts, and where it is a
 * corner both do, each where it has a foot. */
int demi_shell_acts(const demi_face *face, const double *point);

static inline double demi_face_distance(const demi_face *face, const double *point, double *normal) {
  if (face->kind != DEMI_FACE_PLANE) return demi_curved_distance(face, point, normal);
  double distance = 0;
  for (int a = 0; a < 3; a++) {
    distance += face->frame[a] * (point[a] - face->point[a]);
    normal[a] = face->frame[a];
  }
  return distance;
}

/* The distance at which a face acts: infinite where its neighbour across a joint acts instead. It jumps there; bounds on how near
 * something came, and frames of contacts, take demi_face_distance. */
static inline double demi_face_meets(const demi_face *face, const double *point, double *normal) {
  const double distance = demi_face_distance(face, point, normal);
  return face->kind != DEMI_FACE_SHELL || demi_shell_acts(face, point) ? distance : (double)INFINITY;
}

/* Mobility along n, a = F/M of its wall: sum_a n_a^2/M over the axes that a force moves; 0 = it does not give way. */
static inline double demi_face_mobility(const demi_faces *faces, int32_t face, const double *n) {
  const double *m = faces->mobility[face];
  return m[0] * n[0] * n[0] + m[1] * n[1] * n[1] + m[2] * n[2] * n[2];
}

/* 1/M that the wall brings into m* of a contact with normal n, 0 = infinite: up to now the same number. */
static inline double demi_face_inverse_mass(const demi_faces *faces, int32_t face, const double *n) {
  return demi_face_mobility(faces, face, n);
}

/* Particles that cannot move meet only walls that forces can move. */
static inline int demi_face_movable(const demi_faces *faces, int32_t face) {
  const double *m = faces->mobility[face];
  return m[0] + m[1] + m[2] > 0;
}

static inline int demi_face_turns(const demi_faces *faces, int32_t face) {
  const double *w = faces->velocity[face] + 4;
  return faces->placed || w[0] != 0 || w[1] != 0 || w[2] != 0;
}

#endif
