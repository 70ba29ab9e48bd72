#include "wall_shapes.h"

#include <math.h>
#include <string.h>

#define REFUSE(...) return demi_system_refuse(s, DEM_BAD_ARGUMENT, __VA_ARGS__)

/* ---- sizes ---- */

dem_status demi_wall_check_above(dem_system *s, const char *name, double value) {
  if (!(value > 0)) REFUSE("wall: %s is %g, must be > 0", name, value);
  return DEM_OK;
}

dem_status demi_wall_check_not_below(dem_system *s, const char *name, double value) {
  if (!(value >= 0)) REFUSE("wall: %s is %g, must be >= 0", name, value);
  return DEM_OK;
}

static dem_status check_box_sizes(dem_system *s, const dem_wall *w) {
  static const char *const edge[] = {"size[0]", "size[1]", "size[2]"};
  dem_status status = DEM_OK;
  for (int a = 0; a < 3 && !status; a++) status = demi_wall_check_above(s, edge[a], w->size[a]);
  return status;
}

static dem_status check_plate_sizes(dem_system *s, const dem_wall *w) {
  int32_t zero = 0;
  for (int a = 0; a < 3; a++) {
    if (w->size[a] < 0) REFUSE("wall: size[%d] is %g, must be >= 0", a, w->size[a]);
    zero += w->size[a] == 0;
  }
  if (zero != 1) REFUSE("wall: size of the plate is %g %g %g, 1 of them must be 0", w->size[0], w->size[1], w->size[2]);
  if (s->options.dimension == 2 && w->size[2] == 0) REFUSE("wall: size[2] of the plate is 0, must be > 0 in 2 dimensions");
  return DEM_OK;
}

static dem_status check_cone_sizes(dem_system *s, const dem_wall *w) {
  dem_status status = demi_wall_check_not_below(s, "radius", w->radius);
  if (!status) status = demi_wall_check_not_below(s, "end_radius", w->end_radius);
  if (!status) status = demi_wall_check_above(s, "length", w->length);
  if (!status && w->radius == 0 && w->end_radius == 0) REFUSE("wall: radius and end_radius are 0, one must be > 0");
  return status;
}

static dem_status check_profile(dem_system *s, const dem_wall *w) {
  const int32_t count = w->profile_points;
  if (count < 2 || count > 8) REFUSE("wall: profile_points is %d, allowed 2 to 8", count);
  for (int32_t k = 0; k < 16; k++) {
    const double *p = w->profile + k;
    if (k >= 2 * count && *p != 0) REFUSE("wall: profile[%d] is %g, must be 0 behind the last of %d points", k, *p, count);
    if (k >= 2 * count || k % 2) continue;
    if (!(*p >= 0)) REFUSE("wall: profile[%d] is %g, must be >= 0 as it is a radius", k, *p);
    if (k >= 2 && p[0] == p[-2] && p[1] == p[-1]) REFUSE("wall: profile[%d] and [%d] repeat the point before", k, k + 1);
    if (k >= 2 && p[0] == 0 && p[-2] == 0) REFUSE("wall: profile[%d] and [%d] are 0, no surface is along the axis", k - 2, k);
  }
  return DEM_OK;
}

static dem_status check_disc_sizes(dem_system *s, const dem_wall *w) { return demi_wall_check_above(s, "radius", w->radius); }

static dem_status check_cylinder_sizes(dem_system *s, const dem_wall *w) {
  const dem_status status = demi_wall_check_above(s, "radius", w->radius);
  return status ? status : demi_wall_check_not_below(s, "length", w->length);
}

/* ---- faces ---- */

static demi_face *add_face(demi_wall_faces *f, int32_t kind) {
  demi_face *face = &f->face[f->count++];
  memset(face, 0, sizeof *face);
  face->kind = kind;
  return face;
}

/* A plane with the unit normal `sign` times `axis`, `distance` behind the wall's position. */
static void add_plane(demi_wall_faces *f, const double *axis, double sign, double distance) {
  demi_face *face = add_face(f, DEMI_FACE_PLANE);
  for (int a = 0; a < 3; a++) {
    face->home_frame[a] = sign * axis[a];
    face->home_point[a] = -sign * axis[a] * distance;
  }
}

static const double along[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* In two dimensions nothing limits a box or a cylinder along z. */
static void make_box(demi_wall_faces *f, const dem_wall *w, int32_t dimension) {
  if (w->side == DEM_WALL_INSIDE) {
    for (int k = 0; k < dimension; k++)
      for (int side = 0; side < 2; side++) add_plane(f, along + 3 * k, side ? -1.0 : 1.0, 0.5 * w->size[k]);
    return;
  }
  demi_face *face = add_face(f, DEMI_FACE_BOX);
  memcpy(face->home_frame, along, sizeof along);
  for (int k = 0; k < 3; k++) face->half[k] = k < dimension ? 0.5 * w->size[k] : (double)INFINITY;
}

static void make_lidded_cylinder(demi_wall_faces *f, const dem_wall *w, int32_t dimension) {
  const int endless = dimension == 2 || w->length == 0;
  demi_face *face = add_face(f, w->side == DEM_WALL_INSIDE ? DEMI_FACE_BORE : DEMI_FACE_CYLINDER);
  memcpy(face->home_frame, w->axis, sizeof w->axis);
  face->radius = w->radius;
  face->half[0] = endless ? (double)INFINITY : 0.5 * w->length;
  for (int side = 0; side < 2 && w->side == DEM_WALL_INSIDE && !endless; side++)
    add_plane(f, w->axis, side ? -1.0 : 1.0, 0.5 * w->length);
}

/* Edges along the two axes whose size is not 0; in two dimensions nothing limits the one along z. */
static void make_plate(demi_wall_faces *f, const dem_wall *w, int32_t dimension) {
  demi_face *face = add_face(f, DEMI_FACE_PLATE);
  int edge = 0;
  for (int k = 0; k < 3; k++) {
    const int row = w->size[k] > 0 ? edge++ : 2;
    memcpy(face->home_frame + 3 * row, along + 3 * k, 3 * sizeof *along);
    if (row < 2) face->half[row] = k < dimension ? 0.5 * w->size[k] : (double)INFINITY;
  }
}

/* The line through the points (radius, height), each part a shell that knows the next. */
static void make_shells(demi_wall_faces *f, const dem_wall *w, const double *points, int32_t count) {
  const int32_t first = f->count;
  for (int32_t k = 0; k + 1 < count; k++) {
    demi_face *face = add_face(f, DEMI_FACE_SHELL);
    const double *p = points + 2 * k, d[2] = {p[2] - p[0], p[3] - p[1]}, length = sqrt(d[0] * d[0] + d[1] * d[1]);
    memcpy(face->home_frame, w->axis, sizeof w->axis);
    for (int a = 0; a < 2; a++) {
      face->from[a] = p[a];
      face->to[a] = p[2 + a];
      face->slope[a] = d[a] / length;
    }
    face->follows = k > 0;
    if (k > 0) memcpy(face[-1].next, face->slope, sizeof face->slope);
  }
  demi_face *head = &f->face[first], *tail = &f->face[f->count - 1];
  if (head == tail || memcmp(tail->to, head->from, sizeof tail->to) != 0) return;
  head->follows = 1; /* a ring */
  memcpy(tail->next, head->slope, sizeof tail->next);
}

static void make_plane(demi_wall_faces *f, const dem_wall *w, int32_t dimension) {
  (void)dimension;
  add_plane(f, w->axis, 1.0, 0.0);
}

static void make_disc(demi_wall_faces *f, const dem_wall *w, int32_t dimension) {
  const double points[4] = {0, 0, w->radius, 0};
  (void)dimension;
  make_shells(f, w, points, 2);
}

static void make_cone(demi_wall_faces *f, const dem_wall *w, int32_t dimension) {
  const double points[4] = {w->radius, -0.5 * w->length, w->end_radius, 0.5 * w->length};
  (void)dimension;
  make_shells(f, w, points, 2);
}

static void make_cylinder(demi_wall_faces *f, const dem_wall *w, int32_t dimension) {
  const double points[4] = {w->radius, -0.5 * w->length, w->radius, 0.5 * w->length};
  if (w->open)
    make_shells(f, w, points, 2);
  else
    make_lidded_cylinder(f, w, dimension);
}

static void make_revolved(demi_wall_faces *f, const dem_wall *w, int32_t dimension) {
  (void)dimension;
  make_shells(f, w, w->profile, w->profile_points);
}

void demi_wall_make_faces(const dem_wall *w, int32_t dimension, demi_wall_faces *f) {
  f->count = 0;
  demi_wall_shapes[w->shape].make(f, w, dimension);
}

/* ---- the shapes ---- */

enum { CYLINDER = DEMI_SHAPE_AXIS | DEMI_SHAPE_RADIUS | DEMI_SHAPE_LENGTH };

const demi_wall_shape demi_wall_shapes[] = {
    [DEM_WALL_PLANE] = {"plane", DEMI_SHAPE_AXIS, NULL, make_plane},
    [DEM_WALL_BOX] = {"box", DEMI_SHAPE_SIZE | DEMI_SHAPE_SIDES, check_box_sizes, make_box},
    [DEM_WALL_CYLINDER] = {"cylinder", CYLINDER | DEMI_SHAPE_SIDES, check_cylinder_sizes, make_cylinder},
    [DEM_WALL_PLATE] = {"plate", DEMI_SHAPE_SIZE | DEMI_SHAPE_ENDLESS_SIZE, check_plate_sizes, make_plate},
    [DEM_WALL_DISC] = {"disc", DEMI_SHAPE_AXIS | DEMI_SHAPE_RADIUS | DEMI_SHAPE_ENDS, check_disc_sizes, make_disc},
    [DEM_WALL_CONE] = {"cone", CYLINDER | DEMI_SHAPE_END_RADIUS | DEMI_SHAPE_ENDS, check_cone_sizes, make_cone},
    [DEM_WALL_REVOLVED] = {"revolved", DEMI_SHAPE_AXIS | DEMI_SHAPE_PROFILE | DEMI_SHAPE_ENDS, check_profile, make_revolved},
};
const int32_t demi_last_wall_shape = (int32_t)(sizeof demi_wall_shapes / sizeof *demi_wall_shapes) - 1;
