/* Closest points of faces that are not planes; see wall.h. */
#include "face.h"

#include <math.h>

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* A unit vector at right angles to a unit vector. */
static void any_normal(const double *axis, double *normal) {
  const int a = fabs(axis[0]) < 0.6 ? 0 : 1;
  double length = sqrt(1.0 - axis[a] * axis[a]);
  for (int k = 0; k < 3; k++) normal[k] = ((k == a) - axis[a] * axis[k]) / length;
}

/* Splits the vector from the centre into the height along the axis, and a unit vector and length across it. */
static double radial(const demi_face *f, const double *x, double *height, double *out) {
  const double d[3] = {x[0] - f->point[0], x[1] - f->point[1], x[2] - f->point[2]};
  *height = dot(d, f->frame);
  for (int a = 0; a < 3; a++) out[a] = d[a] - *height * f->frame[a];
  const double length = sqrt(dot(out, out));
  if (!(length > 0)) any_normal(f->frame, out); /* on the axis every direction serves */
  for (int a = 0; a < 3 && length > 0; a++) out[a] /= length;
  return length;
}

static double bore(const demi_face *f, const double *x, double *normal) {
  double height, out[3];
  const double length = radial(f, x, &height, out);
  for (int a = 0; a < 3; a++) normal[a] = -out[a];
  return f->radius - length;
}

static double cylinder(const demi_face *f, const double *x, double *normal) {
  double height, out[3];
  const double over = radial(f, x, &height, out) - f->radius, side = height < 0 ? -1.0 : 1.0;
  const double above = side * height - f->half[0];
  if (over > 0 && above > 0) { /* the edge is nearest */
    const double distance = sqrt(over * over + above * above);
    for (int a = 0; a < 3; a++) normal[a] = (over * out[a] + above * side * f->frame[a]) / distance;
    return distance;
  }
  const int end = above > over;
  for (int a = 0; a < 3; a++) normal[a] = end ? side * f->frame[a] : out[a];
  return end ? above : over;
}

static double box(const demi_face *f, const double *x, double *normal) {
  const double d[3] = {x[0] - f->point[0], x[1] - f->point[1], x[2] - f->point[2]};
  double excess[3], side[3], square = 0;
  int nearest = 0, beyond = 0;
  for (int k = 0; k < 3; k++) {
    const double along = dot(d, f->frame + 3 * k);
    side[k] = along < 0 ? -1.0 : 1.0;
    excess[k] = side[k] * along - f->half[k];
    if (excess[k] > excess[nearest]) nearest = k;
    if (excess[k] > 0) square += excess[k] * excess[k];
    beyond += excess[k] > 0;
  }
  const double distance = beyond > 1 ? sqrt(square) : excess[nearest];
  for (int a = 0; a < 3; a++) normal[a] = 0;
  for (int k = 0; k < 3; k++) {
    const double weight = beyond > 1 ? (excess[k] > 0 ? excess[k] / distance : 0.0) : k == nearest;
    for (int a = 0; a < 3; a++) normal[a] += weight * side[k] * f->frame[3 * k + a];
  }
  return distance;
}

static double plate(const demi_face *f, const double *x, double *normal) {
  const double d[3] = {x[0] - f->point[0], x[1] - f->point[1], x[2] - f->point[2]};
  const double *n = f->frame + 6, above = dot(d, n);
  double away[3] = {0, 0, 0}, square = above * above;
  int beyond = 0;
  for (int k = 0; k < 2; k++) {
    const double along = dot(d, f->frame + 3 * k), excess = fabs(along) - f->half[k];
    if (!(excess > 0)) continue;
    beyond = 1;
    square += excess * excess;
    for (int a = 0; a < 3; a++) away[a] += copysign(excess, along) * f->frame[3 * k + a];
  }
  const double distance = beyond ? sqrt(square) : fabs(above);
  const int edge = beyond && distance > 0;
  for (int a = 0; a < 3; a++) normal[a] = edge ? (away[a] + above * n[a]) / distance : copysign(1.0, above) * n[a];
  return distance;
}

/* ---- shells, in the half plane of distance from the axis and height ---- */

typedef struct place {
  double a[2], b[2];     /* from the ends to the point */
  double past_a, past_b; /* along the slope */
} place;

static place place_of(const demi_face *f, double radius, double height) {
  place p = {{radius - f->from[0], height - f->from[1]}, {radius - f->to[0], height - f->to[1]}, 0, 0};
  p.past_a = p.a[0] * f->slope[0] + p.a[1] * f->slope[1];
  p.past_b = p.b[0] * f->slope[0] + p.b[1] * f->slope[1];
  return p;
}

static double shell(const demi_face *f, const double *x, double *normal) {
  double height, out[3];
  const double radius = radial(f, x, &height, out);
  const place p = place_of(f, radius, height);
  const double *end = p.past_b > 0 ? p.b : p.a;
  const double above = p.a[1] * f->slope[0] - p.a[0] * f->slope[1], side = copysign(1.0, above);
  double distance = fabs(above), n[2] = {-side * f->slope[1], side * f->slope[0]};
  if (p.past_b > 0 || p.past_a <= 0) { /* a rim is nearest */
    distance = sqrt(end[0] * end[0] + end[1] * end[1]);
    for (int a = 0; a < 2 && distance > 0; a++) n[a] = end[a] / distance;
  }
  for (int a = 0; a < 3; a++) normal[a] = n[0] * out[a] + n[1] * f->frame[a];
  return distance;
}

int demi_shell_acts(const demi_face *f, const double *x) {
  double height, out[3];
  const double radius = radial(f, x, &height, out);
  const place p = place_of(f, radius, height);
  if (f->follows && !(p.past_a > 0)) return 0;
  return !(p.past_b > 0) || !(p.b[0] * f->next[0] + p.b[1] * f->next[1] > 0);
}

double demi_curved_distance(const demi_face *face, const double *point, double *normal) {
  switch (face->kind) {
    case DEMI_FACE_BORE: return bore(face, point, normal);
    case DEMI_FACE_CYLINDER: return cylinder(face, point, normal);
    case DEMI_FACE_BOX: return box(face, point, normal);
    case DEMI_FACE_PLATE: return plate(face, point, normal);
    default: return shell(face, point, normal);
  }
}
