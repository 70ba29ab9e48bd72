/* Which walls and motions of walls are refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "limits.h"
#include "state.h"
#include "wall_shapes.h"

#define REFUSE(...) return demi_system_refuse(s, DEM_BAD_ARGUMENT, __VA_ARGS__)

/* ---- members that belong to some shapes or motions only ---- */

enum { FIXED = 1 << DEM_WALL_FIXED, DRIVEN = 1 << DEM_WALL_PRESCRIBED, FREE = 1 << DEM_WALL_FREE, SERVO = 1 << DEM_WALL_SERVO };

typedef struct member {
  const char *name;
  size_t offset;
  int32_t count, readers; /* doubles; traits of shapes that read it (0: all do), or motions */
} member;

#define MEMBER(name, count, readers) \
  { #name, offsetof(dem_wall, name), count, readers }

static const member of_shape[] = {
    MEMBER(position, 3, 0),
    MEMBER(rotation, 4, 0),
    MEMBER(axis, 3, DEMI_SHAPE_AXIS),
    MEMBER(size, 3, DEMI_SHAPE_SIZE),
    MEMBER(radius, 1, DEMI_SHAPE_RADIUS),
    MEMBER(length, 1, DEMI_SHAPE_LENGTH),
    MEMBER(end_radius, 1, DEMI_SHAPE_END_RADIUS),
    MEMBER(profile, 16, DEMI_SHAPE_PROFILE),
};
static const member of_motion[] = {
    MEMBER(velocity, 3, DRIVEN | FREE),
    MEMBER(spin, 3, DRIVEN),
    MEMBER(amplitude, 3, DRIVEN),
    MEMBER(frequency, 1, DRIVEN),
    MEMBER(phase, 1, DRIVEN),
    MEMBER(mass, 1, FIXED | DRIVEN | FREE | SERVO),
    MEMBER(force, 3, FREE),
    MEMBER(direction, 3, SERVO),
    MEMBER(target, 1, SERVO),
    MEMBER(area, 1, SERVO),
    MEMBER(gain, 1, SERVO),
    MEMBER(velocity_limit, 1, SERVO),
    MEMBER(travel_limit, 1, SERVO),
};

static const char *const motion_names[] = {"fixed", "prescribed", "free", "servo"};

static int may_be_endless(const member *m, int32_t traits) {
  return m->offset == offsetof(dem_wall, size) && (traits & DEMI_SHAPE_ENDLESS_SIZE);
}

static dem_status check_members(dem_system *s, const dem_wall *w, const member *list, size_t count, int32_t traits,
                                const char *kind_name) {
  for (const member *m = list; m < list + count; m++) {
    const double *value = (const double *)(const void *)((const char *)w + m->offset);
    for (int32_t a = 0; a < m->count; a++) {
      char place[16] = "";
      if (m->count > 1) snprintf(place, sizeof place, "[%d]", a);
      if (!demi_bounded(value[a]) && !(isinf(value[a]) && value[a] > 0 && may_be_endless(m, traits)))
        REFUSE("wall: %s%s is %g, must be finite, -%g to %g", m->name, place, value[a], DEMI_LARGEST, DEMI_LARGEST);
      if (value[a] != 0 && m->readers && !(m->readers & traits))
        REFUSE("wall: %s%s is %g, must be 0 for a %s wall", m->name, place, value[a], kind_name);
    }
  }
  return DEM_OK;
}

static dem_status check_unit(dem_system *s, const char *name, const double *v) {
  const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (!(fabs(length - 1.0) <= 1e-12)) REFUSE("wall: %s has length %.17g, must be 1 within 1e-12", name, length);
  return DEM_OK;
}

/* ---- shape ---- */

static const demi_wall_shape *shape_of(const dem_wall *w) { return &demi_wall_shapes[w->shape]; }

static dem_status check_rotation(dem_system *s, const dem_wall *w) {
  const double *q = w->rotation, length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (length != 0 && !(fabs(length - 1.0) <= 1e-12))
    REFUSE("wall: rotation has length %.17g, must be 1 within 1e-12, or 0 0 0 0", length);
  for (int k = 1; k < 3 && s->options.dimension == 2; k++)
    if (q[k] != 0) REFUSE("wall: rotation[%d] is %g, must be 0 in 2 dimensions", k, q[k]);
  return DEM_OK;
}

static dem_status check_open(dem_system *s, const dem_wall *w) {
  const int32_t most = w->shape == DEM_WALL_CYLINDER && w->side == DEM_WALL_INSIDE && w->length > 0;
  if (w->open < 0 || w->open > most)
    REFUSE("wall: open is %d, must be 0%s: 1 is for a cylinder with a length, inside", w->open, most ? " or 1" : "");
  if (w->profile_points != 0 && !(shape_of(w)->traits & DEMI_SHAPE_PROFILE))
    REFUSE("wall: profile_points is %d, must be 0 for a %s wall", w->profile_points, shape_of(w)->name);
  if (w->reserved_zero != 0) REFUSE("wall: reserved_zero is %d, must be 0", w->reserved_zero);
  return DEM_OK;
}

/* The direction `v` of the shape as it lies. */
static void laid(const dem_wall *w, const double *v, double *out) {
  double q[4];
  demi_wall_turn_of(w, q);
  demi_wall_turn(q, v, out);
}

/* Whether a plate has an endless edge along this axis. */
static int plate_runs_along(const dem_wall *w, int axis) {
  for (int k = 0; k < 3; k++) {
    const double unit[3] = {k == 0, k == 1, k == 2};
    double edge[3];
    laid(w, unit, edge);
    if (isinf(w->size[k]) && fabs(edge[axis]) == 1.0) return 1;
  }
  return 0;
}

/* A cylinder may end too: where it has a length. */
static int ends(const dem_wall *w) { return (shape_of(w)->traits & DEMI_SHAPE_ENDS) != 0; }

/* A shift by the box must leave the surface as it is. */
static dem_status check_periodic(dem_system *s, const dem_wall *w) {
  double axis[3];
  laid(w, w->axis, axis);
  for (int a = 0; a < 3; a++) {
    if (!s->box.periodic[a]) continue;
    if (w->shape == DEM_WALL_PLANE && axis[a] != 0)
      REFUSE("wall: axis[%d] is %g, must be 0 as axis %d is periodic", a, axis[a], a);
    if (w->shape == DEM_WALL_BOX) REFUSE("wall: a box of size[%d] %g, but axis %d is periodic", a, w->size[a], a);
    if (w->shape == DEM_WALL_CYLINDER && fabs(axis[a]) != 1.0)
      REFUSE("wall: axis[%d] of the cylinder is %g, must be 1 or -1 as axis %d is periodic", a, axis[a], a);
    if (w->shape == DEM_WALL_CYLINDER && w->length > 0)
      REFUSE("wall: length is %g, must be 0 as axis %d is periodic", w->length, a);
    if (w->shape == DEM_WALL_PLATE && !plate_runs_along(w, a))
      REFUSE("wall: size %g %g %g of the plate: an infinite edge must lie along axis %d as that is periodic", w->size[0],
             w->size[1], w->size[2], a);
    if (ends(w)) REFUSE("wall: a %s wall has ends, but axis %d is periodic", shape_of(w)->name, a);
  }
  return DEM_OK;
}

static dem_status check_flat_shape(dem_system *s, const dem_wall *w) {
  if (s->options.dimension != 2) return DEM_OK;
  if (w->shape == DEM_WALL_PLANE && w->axis[2] != 0) REFUSE("wall: axis[2] is %g, must be 0 in 2 dimensions", w->axis[2]);
  if (w->shape == DEM_WALL_CYLINDER && fabs(w->axis[2]) != 1.0)
    REFUSE("wall: axis[2] is %g, must be 1 or -1 for a cylinder in 2 dimensions", w->axis[2]);
  if (ends(w)) REFUSE("wall: shape is %d, a %s wall is not for 2 dimensions", w->shape, shape_of(w)->name);
  if (w->open) REFUSE("wall: open is 1, must be 0 in 2 dimensions: a circle has no lids");
  return DEM_OK;
}

dem_status demi_wall_check_shape(dem_system *s, const dem_wall *w) {
  if (w->shape < 0 || w->shape > demi_last_wall_shape)
    REFUSE("wall: shape is %d, allowed 0 to %d", w->shape, demi_last_wall_shape);
  const demi_wall_shape *shape = shape_of(w);
  const int32_t sides = (shape->traits & DEMI_SHAPE_SIDES) != 0;
  if (w->side < 0 || w->side > sides) REFUSE("wall: side is %d, allowed 0 to %d for a %s", w->side, sides, shape->name);
  if (w->material < 0 || w->material >= s->materials.count)
    return demi_system_refuse(s, DEM_NOT_FOUND, "wall: material %d, there are %d", w->material, s->materials.count);
  dem_status status = check_members(s, w, of_shape, sizeof of_shape / sizeof *of_shape, shape->traits, shape->name);
  if (!status && (shape->traits & DEMI_SHAPE_AXIS)) status = check_unit(s, "axis", w->axis);
  if (!status) status = check_rotation(s, w);
  if (!status) status = check_open(s, w);
  if (!status && shape->check_sizes) status = shape->check_sizes(s, w);
  if (!status) status = check_periodic(s, w);
  return status ? status : check_flat_shape(s, w);
}

/* ---- motion ---- */

static dem_status check_swing(dem_system *s, const dem_wall *w) {
  const int swings = w->amplitude[0] != 0 || w->amplitude[1] != 0 || w->amplitude[2] != 0;
  if (swings && !(w->frequency > 0)) REFUSE("wall: frequency is %g, must be > 0 with an amplitude", w->frequency);
  if (!swings && w->frequency != 0) REFUSE("wall: amplitude is 0, must not be with frequency %g", w->frequency);
  if (!swings && w->phase != 0) REFUSE("wall: amplitude is 0, must not be with phase %g", w->phase);
  return DEM_OK;
}

static dem_status check_spin(dem_system *s, const dem_wall *w) {
  int32_t periodic = 0;
  for (int a = 0; a < 3; a++) periodic += s->box.periodic[a];
  for (int a = 0; a < 3; a++) {
    if (w->spin[a] == 0 || periodic == 0) continue;
    if (periodic > 1) REFUSE("wall: spin[%d] is %g, must be 0 as %d axes are periodic, at most 1", a, w->spin[a], periodic);
    if (!s->box.periodic[a]) REFUSE("wall: spin[%d] is %g, must be 0: only about the periodic axis may it turn", a, w->spin[a]);
  }
  return DEM_OK;
}

static dem_status check_free(dem_system *s, const dem_wall *w) {
  int32_t axes = 0;
  for (int a = 0; a < 3; a++) {
    axes += w->free_axis[a];
    if (!w->free_axis[a] && w->velocity[a] != 0)
      REFUSE("wall: velocity[%d] is %g, must be 0 as free_axis[%d] is 0", a, w->velocity[a], a);
    if (!w->free_axis[a] && w->force[a] != 0)
      REFUSE("wall: force[%d] is %g, must be 0 as free_axis[%d] is 0", a, w->force[a], a);
  }
  if (axes == 0) REFUSE("wall: free_axis is 0 0 0, a free wall needs at least 1");
  if (!(w->mass > 0 && isfinite(1.0 / w->mass)))
    REFUSE("wall: mass is %g, must be > 0 for a free wall, and 1/mass finite", w->mass);
  return DEM_OK;
}

/* The normal of a wall that is named in an area; NULL when it is no plane. */
static const double *normal_of(const dem_system *s, int32_t id) {
  const int32_t index = demi_wall_find(s, id);
  if (index < 0 || s->walls.wall[index].given.shape != DEM_WALL_PLANE) return NULL;
  return s->faces.face[s->walls.wall[index].first].frame;
}

static dem_status check_area_walls(dem_system *s, const dem_wall *w) {
  const int32_t count = w->area_walls, most = w->motion == DEM_WALL_SERVO ? 4 : 0;
  if (count < 0 || count > most || count % 2)
    REFUSE("wall: area_walls is %d, allowed 0%s for a %s wall", count, most ? ", 2 or 4" : "", motion_names[w->motion]);
  for (int32_t k = 0; k < 4; k++)
    if (k >= count && w->area_wall[k] != 0)
      REFUSE("wall: area_wall[%d] is %d, must be 0 as area_walls is %d", k, w->area_wall[k], count);
  for (int32_t k = 0; k < count; k++)
    if (!normal_of(s, w->area_wall[k]))
      return demi_system_refuse(s, DEM_NOT_FOUND, "wall: area_wall[%d] is %d, no plane has this id", k, w->area_wall[k]);
  for (int32_t k = 0; k < count; k += 2) {
    const double *m = normal_of(s, w->area_wall[k]), *n = normal_of(s, w->area_wall[k + 1]);
    for (int a = 0; a < 3; a++)
      if (!(fabs(m[a] + n[a]) <= 1e-9))
        REFUSE("wall: area_wall[%d] and [%d], walls %d and %d, must face each other: normals (%g %g %g) and (%g %g %g)", k,
               k + 1, w->area_wall[k], w->area_wall[k + 1], m[0], m[1], m[2], n[0], n[1], n[2]);
  }
  return DEM_OK;
}

static dem_status check_servo(dem_system *s, const dem_wall *w) {
  dem_status status = check_unit(s, "direction", w->direction);
  if (!status) status = demi_wall_check_above(s, "gain", w->gain);
  if (!status) status = demi_wall_check_above(s, "velocity_limit", w->velocity_limit);
  if (!status) status = demi_wall_check_not_below(s, "travel_limit", w->travel_limit);
  if (!status) status = demi_wall_check_not_below(s, "area", w->area);
  if (!status && w->area > 0 && !isfinite(w->target * w->area))
    REFUSE("wall: target %g times area %g is not finite", w->target, w->area);
  return status;
}

/* Nothing moves along z or turns about x or y. */
static dem_status check_flat_motion(dem_system *s, const dem_wall *w) {
  if (s->options.dimension != 2) return DEM_OK;
  const struct {
    const char *name;
    double value;
  } still[] = {{"velocity[2]", w->velocity[2]},   {"amplitude[2]", w->amplitude[2]}, {"force[2]", w->force[2]},
               {"direction[2]", w->direction[2]}, {"spin[0]", w->spin[0]},           {"spin[1]", w->spin[1]},
               {"free_axis[2]", w->free_axis[2]}};
  for (size_t k = 0; k < sizeof still / sizeof *still; k++)
    if (still[k].value != 0) REFUSE("wall: %s is %g, must be 0 in 2 dimensions", still[k].name, still[k].value);
  return DEM_OK;
}

static dem_status check_axes(dem_system *s, const dem_wall *w) {
  const int32_t most = w->motion == DEM_WALL_FREE;
  for (int a = 0; a < 3; a++)
    if (w->free_axis[a] < 0 || w->free_axis[a] > most)
      REFUSE("wall: free_axis[%d] is %d, allowed 0 to %d for a %s wall", a, w->free_axis[a], most, motion_names[w->motion]);
  return DEM_OK;
}

dem_status demi_wall_check_motion(dem_system *s, const dem_wall *w) {
  if (w->motion < DEM_WALL_FIXED || w->motion > DEM_WALL_SERVO) REFUSE("wall: motion is %d, allowed 0 to 3", w->motion);
  dem_status status = check_axes(s, w);
  if (!status)
    status = check_members(s, w, of_motion, sizeof of_motion / sizeof *of_motion, 1 << w->motion, motion_names[w->motion]);
  if (!status) status = check_area_walls(s, w);
  if (!status) status = demi_wall_check_not_below(s, "mass", w->mass);
  if (!status) status = check_flat_motion(s, w);
  if (!status && w->motion == DEM_WALL_PRESCRIBED) status = check_swing(s, w);
  if (!status && w->motion == DEM_WALL_PRESCRIBED) status = check_spin(s, w);
  if (!status && w->motion == DEM_WALL_FREE) status = check_free(s, w);
  if (!status && w->motion == DEM_WALL_SERVO) status = check_servo(s, w);
  return status;
}
