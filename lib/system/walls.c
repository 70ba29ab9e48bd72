/* Adding, changing, removing and reading walls. */
#include <math.h>
#include <string.h>

#include "engine_change.h"
#include "intake.h"
#include "shares.h"
#include "state.h"
#include "wall_shapes.h"

#define WALL_V1 DEMI_SIZE_TO(dem_wall, travel_limit)
#define STATE_V1 DEMI_SIZE_TO(dem_wall_state, limited_steps)

dem_status demi_wall_defaults(dem_wall *wall, uint32_t struct_size) {
  dem_wall w;
  memset(&w, 0, sizeof w);
  return demi_init(wall, struct_size, &w, sizeof w, WALL_V1);
}

dem_status demi_wall_state_defaults(dem_wall_state *state, uint32_t struct_size) {
  dem_wall_state t;
  memset(&t, 0, sizeof t);
  return demi_init(state, struct_size, &t, sizeof t, STATE_V1);
}

/* ---- memory ---- */

static void free_walls(demi_walls *w, dem_context *context) {
  demi_free(context, w->wall, (size_t)w->capacity * sizeof *w->wall);
  demi_free(context, w->load, (size_t)w->capacity * sizeof *w->load);
}

void demi_walls_free(dem_system *s) {
  free_walls(&s->walls, s->context);
  memset(&s->walls, 0, sizeof s->walls);
}

dem_status demi_walls_reserve(dem_system *s, int32_t capacity) {
  if (capacity <= s->walls.capacity) return DEM_OK;
  if (demi_shares_reserve_walls(s, capacity + capacity / 2 + 4)) return DEM_NO_MEMORY;
  demi_walls fresh = s->walls;
  fresh.capacity = capacity + capacity / 2 + 4;
  fresh.wall = demi_allocate_zero(s->context, (size_t)fresh.capacity * sizeof *fresh.wall);
  fresh.load = demi_allocate_zero(s->context, (size_t)fresh.capacity * sizeof *fresh.load);
  if (!fresh.wall || !fresh.load) {
    free_walls(&fresh, s->context);
    return DEM_NO_MEMORY;
  }
  if (s->walls.count > 0) memcpy(fresh.wall, s->walls.wall, (size_t)s->walls.count * sizeof *fresh.wall);
  free_walls(&s->walls, s->context);
  s->walls = fresh;
  return DEM_OK;
}

/* ---- adding ---- */

static void note_moving(dem_system *s) {
  s->faces.moving = 0;
  for (int32_t k = 0; k < s->walls.count; k++) s->faces.moving |= s->walls.wall[k].given.motion != DEM_WALL_FIXED;
}

/* Kinetic energy that a change by the host brought. */
static void book_change(dem_system *s, double before, double after) {
  demi_ledger_add(&s->ledger, &s->ledger.host, after);
  demi_ledger_add(&s->ledger, &s->ledger.host, -before);
}

static void enter(dem_system *s, const dem_wall *w, const demi_wall_faces *f) {
  demi_wall *wall = &s->walls.wall[s->walls.count];
  memset(wall, 0, sizeof *wall);
  wall->id = s->walls.next_id++;
  wall->first = s->faces.count;
  wall->faces = f->count;
  wall->given = *w;
  memcpy(wall->position, w->position, sizeof wall->position);
  demi_wall_turn_of(w, wall->rotation);
  for (int32_t k = 0; k < f->count; k++) {
    demi_face *face = &s->faces.face[s->faces.count++];
    *face = f->face[k];
    face->material = w->material;
    face->id = s->walls.next_face++;
    face->wall_id = wall->id;
    face->wall = s->walls.count;
  }
  s->walls.count++;
  demi_wall_start(s, wall);
  note_moving(s);
  book_change(s, 0, demi_wall_kinetic(wall));
}

static dem_status add(dem_system *s, const dem_wall *w, int32_t *id) {
  dem_status status = demi_wall_check_shape(s, w);
  if (!status) status = demi_wall_check_motion(s, w);
  if (status) return status;
  demi_wall_faces f;
  demi_wall_make_faces(w, s->options.dimension, &f);
  status = demi_walls_reserve(s, s->walls.count + 1);
  if (!status) status = demi_faces_reserve(&s->faces, s->context, s->faces.count + f.count);
  if (status)
    return demi_system_refuse(s, status, "wall: out of memory, with %d walls and %d faces there", s->walls.count,
                              s->faces.count);
  if ((status = demi_engine_set_contacts_aside(s)) != DEM_OK) return status;
  enter(s, w, &f);
  if (id) *id = s->walls.wall[s->walls.count - 1].id;
  return DEM_OK;
}

dem_status demi_system_add_wall(dem_system *s, const dem_wall *wall, int32_t *id) {
  dem_wall w;
  const dem_status status = demi_intake(&w, sizeof w, wall, WALL_V1);
  if (status)
    return demi_system_refuse(s, status, "wall: %s", demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, wall, sizeof w, WALL_V1));
  return add(s, &w, id);
}

/* ---- changing ---- */

static dem_status unknown(const dem_system *s, int32_t id) {
  return demi_system_refuse(s, DEM_NOT_FOUND, "wall %d does not exist", id);
}

/* The members of motion of `w`, all else of the wall as it is. */
static dem_wall with_motion(const demi_wall *wall, const dem_wall *w) {
  dem_wall merged = wall->given;
  merged.motion = w->motion;
  memcpy(merged.free_axis, w->free_axis, sizeof merged.free_axis);
  const size_t first = offsetof(dem_wall, velocity), end = offsetof(dem_wall, rotation);
  memcpy((char *)&merged + first, (const char *)w + first, end - first);
  merged.area_walls = w->area_walls;
  memcpy(merged.area_wall, w->area_wall, sizeof merged.area_wall);
  return merged;
}

dem_status demi_system_set_wall_motion(dem_system *s, int32_t id, const dem_wall *motion) {
  const int32_t index = demi_wall_find(s, id);
  if (index < 0) return unknown(s, id);
  dem_wall w;
  dem_status status = demi_intake(&w, sizeof w, motion, WALL_V1);
  if (status)
    return demi_system_refuse(s, status, "wall: %s", demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, motion, sizeof w, WALL_V1));
  demi_wall *wall = &s->walls.wall[index];
  w = with_motion(wall, &w);
  if ((status = demi_wall_check_motion(s, &w)) != DEM_OK || (status = demi_engine_set_contacts_aside(s)) != DEM_OK)
    return status;
  const double before = demi_wall_kinetic(wall);
  wall->given = w;
  demi_wall_start(s, wall);
  note_moving(s);
  book_change(s, before, demi_wall_kinetic(wall));
  return DEM_OK;
}

static void close_gap(dem_system *s, int32_t index) {
  const demi_wall *gone = &s->walls.wall[index];
  const int32_t first = gone->first, faces = gone->faces;
  const size_t after = (size_t)(s->faces.count - first - faces), walls = (size_t)(s->walls.count - index - 1);
  memmove(&s->faces.face[first], &s->faces.face[first + faces], after * sizeof s->faces.face[0]);
  memmove(s->faces.velocity[first], s->faces.velocity[first + faces], after * sizeof s->faces.velocity[0]);
  memmove(s->faces.centre[first], s->faces.centre[first + faces], after * sizeof s->faces.centre[0]);
  memmove(s->faces.mobility[first], s->faces.mobility[first + faces], after * sizeof s->faces.mobility[0]);
  memmove(&s->walls.wall[index], &s->walls.wall[index + 1], walls * sizeof s->walls.wall[0]);
  s->faces.count -= faces;
  s->walls.count--;
  for (int32_t k = index; k < s->walls.count; k++) s->walls.wall[k].first -= faces;
  for (int32_t k = first; k < s->faces.count; k++) s->faces.face[k].wall--;
}

/* An area that a servo follows needs its walls. */
static dem_status check_unnamed(dem_system *s, int32_t wall) {
  for (int32_t k = 0; k < s->walls.count; k++) {
    const demi_wall *other = &s->walls.wall[k];
    for (int32_t n = 0; n < other->given.area_walls && other->id != wall; n++)
      if (other->given.area_wall[n] == wall)
        return demi_system_refuse(s, DEM_BAD_ARGUMENT, "remove wall: area_wall[%d] of wall %d is %d", n, other->id, wall);
  }
  return DEM_OK;
}

dem_status demi_system_remove_wall(dem_system *s, int32_t wall) {
  const int32_t index = demi_wall_find(s, wall);
  if (index < 0) return unknown(s, wall);
  dem_status status = check_unnamed(s, wall);
  if (!status) status = demi_engine_set_contacts_aside(s);
  if (status) return status;
  const demi_wall *gone = &s->walls.wall[index];
  for (int32_t k = gone->first; k < gone->first + gone->faces; k++)
    demi_carry_drop_face(&s->contacts.carry, s->faces.face[k].id);
  book_change(s, demi_wall_kinetic(gone), 0);
  demi_shares_drop_wall(s, index);
  close_gap(s, index);
  note_moving(s);
  return DEM_OK;
}

/* ---- reading ---- */

int32_t demi_system_wall_count(const dem_system *s) { return s->walls.count; }

int32_t demi_system_wall_at(const dem_system *s, int32_t index, dem_wall *given) {
  *given = s->walls.wall[index].given;
  return s->walls.wall[index].id;
}

int32_t demi_system_wall_material(const dem_system *s, int32_t id) {
  const int32_t index = demi_wall_find(s, id);
  return index < 0 ? -1 : s->walls.wall[index].given.material;
}

int32_t demi_system_dimension(const dem_system *s) { return s->options.dimension; }

dem_status demi_system_wall_state(const dem_system *s, int32_t id, dem_wall_state *state) {
  const int32_t index = demi_wall_find(s, id);
  if (index < 0) return unknown(s, id);
  const demi_wall *wall = &s->walls.wall[index];
  double load[6];
  demi_wall_sum_load(s, index, load);
  dem_wall_state t;
  memset(&t, 0, sizeof t);
  t.limited = wall->limited;
  memcpy(t.position, wall->position, sizeof t.position);
  memcpy(t.velocity, wall->velocity, sizeof t.velocity);
  memcpy(t.rotation, wall->rotation, sizeof t.rotation);
  memcpy(t.force, load, sizeof t.force);
  memcpy(t.torque, load + 3, sizeof t.torque);
  t.servo_error = wall->servo_error;
  t.work = demi_sum_get(&wall->work);
  t.limited_steps = wall->limited_steps;
  t.area = wall->given.motion == DEM_WALL_SERVO ? wall->area : 0;
  const dem_status status = demi_outgive(state, &t, sizeof t, STATE_V1);
  return status ? demi_system_refuse(s, status, "wall state: struct_size %u is not usable", state->struct_size) : DEM_OK;
}
