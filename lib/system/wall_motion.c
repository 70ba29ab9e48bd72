/* What moves the walls.
 *
 *   prescribed  x = x0 + v t + A (sin(2 pi f t + p) - sin p), turning by |w| t about w, with t the time drifted;
 *               velocity v + 2 pi f A cos(2 pi f t + p) with t the time kicked
 *   free        kick v += h (F/M + g + f/M) along the free axes, drift x += h v
 *   servo       after an evaluation v = gain (target - measured) along its direction, within limits; drift x += h v
 *
 * A servo is a dashpot of coefficient 1/gain with a delay of one step. Against contacts of stiffness K and dashpots C in all, with
 * e the error and particles at rest, x' = x + dt v' and v' = -gain (K x + C v), so that it settles while
 * gain (C + K dt/2) < 1 and swings from step to step above. */
#include <math.h>
#include <string.h>

#include "state.h"

static const double TURN = 6.283185307179586; /* 2 pi */

/* Consecutive steps at the velocity limit, or back and forth, after which a servo is reported. */
enum { PATIENCE = 1000 };

int32_t demi_wall_find(const dem_system *s, int32_t id) {
  for (int32_t k = 0; k < s->walls.count; k++)
    if (s->walls.wall[k].id == id) return k;
  return -1;
}

/* ---- poses ---- */

/* Rotation by `angle` about the direction of `axis` (not 0), after the rotation q. */
static void turn_by(const double *axis, double angle, const double *q, double *out) {
  const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const double w = cos(0.5 * angle), s = sin(0.5 * angle) / length;
  const double x = s * axis[0], y = s * axis[1], z = s * axis[2];
  out[0] = w * q[0] - x * q[1] - y * q[2] - z * q[3];
  out[1] = w * q[1] + x * q[0] + y * q[3] - z * q[2];
  out[2] = w * q[2] - x * q[3] + y * q[0] + z * q[1];
  out[3] = w * q[3] + x * q[2] - y * q[1] + z * q[0];
}

static void matrix_of(const double *q, double r[9]) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double rows[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  memcpy(r, rows, sizeof rows);
}

static void turn_vector(const double r[9], const double *v, double *out) {
  for (int a = 0; a < 3; a++) out[a] = r[3 * a] * v[0] + r[3 * a + 1] * v[1] + r[3 * a + 2] * v[2];
}

void demi_wall_turn_of(const dem_wall *w, double q[4]) {
  const double none[4] = {1, 0, 0, 0}, *r = w->rotation;
  const int turned = r[0] != 0 || r[1] != 0 || r[2] != 0 || r[3] != 0;
  memcpy(q, turned ? r : none, sizeof none);
}

void demi_wall_turn(const double q[4], const double v[3], double out[3]) {
  double r[9];
  matrix_of(q, r);
  turn_vector(r, v, out);
}

/* Brings the faces of a wall to where it is. */
static void place(demi_faces *faces, const demi_wall *wall) {
  double r[9], arm[3];
  matrix_of(wall->rotation, r);
  for (int32_t k = wall->first; k < wall->first + wall->faces; k++) {
    demi_face *f = &faces->face[k];
    turn_vector(r, f->home_point, arm);
    memcpy(faces->centre[k], wall->position, sizeof wall->position);
    for (int a = 0; a < 3; a++) {
      f->point[a] = wall->position[a] + arm[a];
      turn_vector(r, f->home_frame + 3 * a, f->frame + 3 * a);
    }
  }
}

static void spread_velocity(demi_faces *faces, const demi_wall *wall) {
  for (int32_t k = wall->first; k < wall->first + wall->faces; k++) {
    memcpy(faces->velocity[k], wall->velocity, sizeof wall->velocity);
    memcpy(faces->velocity[k] + 4, wall->spin, sizeof wall->spin);
  }
}

void demi_wall_place(demi_faces *faces, const demi_wall *wall) {
  place(faces, wall);
  spread_velocity(faces, wall);
}

void demi_wall_rotate(demi_wall *wall, const double t[3]) {
  const double angle = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]), *r = wall->rotation, before[4] = {r[0], r[1], r[2], r[3]};
  if (angle > 0) turn_by(t, angle, before, wall->rotation);
}

/* ---- prescribed ---- */

static double phase_at(const dem_wall *w, double time) { return TURN * w->frequency * time + w->phase; }

static void drive(demi_wall *wall) {
  const dem_wall *w = &wall->given;
  const double swing = w->frequency > 0 ? TURN * w->frequency * cos(phase_at(w, demi_sum_get(&wall->drive_clock))) : 0;
  for (int a = 0; a < 3; a++) wall->velocity[a] = w->velocity[a] + w->amplitude[a] * swing;
}

static void carry_along(demi_wall *wall) {
  const dem_wall *w = &wall->given;
  const double t = demi_sum_get(&wall->position_clock);
  const double swing = w->frequency > 0 ? sin(phase_at(w, t)) - sin(w->phase) : 0;
  for (int a = 0; a < 3; a++) wall->position[a] = wall->start[a] + w->velocity[a] * t + w->amplitude[a] * swing;
  const double rate = sqrt(w->spin[0] * w->spin[0] + w->spin[1] * w->spin[1] + w->spin[2] * w->spin[2]);
  if (rate > 0) turn_by(w->spin, rate * t, wall->start_rotation, wall->rotation);
}

/* ---- free ---- */

/* Gravity and the host's force are booked as they were applied, like gravity on particles. */
static void book_kick(dem_system *s, const demi_wall *wall, double h, const double *before) {
  const dem_wall *w = &wall->given;
  double gravity = 0, host = 0;
  for (int a = 0; a < 3; a++) {
    const double mean = 0.5 * (before[a] + wall->velocity[a]), impulse = w->mass * (wall->velocity[a] - before[a]);
    const double rest = impulse - h * wall->force[a], pulls = s->options.gravity[a] != 0;
    if (!w->free_axis[a]) continue;
    if (w->force[a] != 0) host += mean * (pulls ? h * w->force[a] : rest);
    if (pulls) gravity += mean * (rest - h * w->force[a]);
  }
  demi_ledger_add(&s->ledger, &s->ledger.gravity, -gravity);
  demi_ledger_add(&s->ledger, &s->ledger.host, host);
}

static void push(dem_system *s, demi_wall *wall, double h) {
  const dem_wall *w = &wall->given;
  const double before[3] = {wall->velocity[0], wall->velocity[1], wall->velocity[2]};
  for (int a = 0; a < 3; a++)
    if (w->free_axis[a]) wall->velocity[a] += h * ((wall->force[a] + w->force[a]) / w->mass + s->options.gravity[a]);
  if (s->ledger.on) book_kick(s, wall, h, before);
}

/* ---- servo ---- */

static void set_speed(demi_wall *wall, double speed) {
  for (int a = 0; a < 3; a++) wall->velocity[a] = speed * wall->given.direction[a];
}

static double speed_of(const demi_wall *wall) {
  const double *v = wall->velocity, *d = wall->given.direction;
  return v[0] * d[0] + v[1] * d[1] + v[2] * d[2];
}

static int at_end(const dem_wall *w, double travel) { return w->travel_limit > 0 && fabs(travel) >= w->travel_limit; }

static void answer(demi_wall *wall) {
  const dem_wall *w = &wall->given;
  const double wanted = w->gain * wall->servo_error;
  double speed = fmax(-w->velocity_limit, fmin(w->velocity_limit, wanted));
  wall->limited = fabs(wanted) > w->velocity_limit;
  if (at_end(w, wall->travel) && speed * wall->travel > 0) {
    wall->limited = 2;
    speed = 0;
  }
  set_speed(wall, speed);
}

static void warn(dem_system *s, demi_wall *wall) {
  if (wall->warned || !(wall->limited == 2 || wall->limited_run > PATIENCE || wall->swing_run > PATIENCE)) return;
  wall->warned = 1;
  if (wall->limited != 2 && wall->swing_run > PATIENCE / 2) { /* at its limit to and fro */
    demi_system_warning(s,
                        "wall %d: its velocity turns round at every step: gain %g is too large, it must be below "
                        "1/(C + K dt/2) with the dashpots C and the stiffness K of all contacts on the wall",
                        wall->id, wall->given.gain);
    return;
  }
  const char *limit = wall->limited == 2 ? "travel" : "velocity";
  demi_system_warning(s, "wall %d: target out of reach at its %s_limit %g: short of the target force by %g", wall->id, limit,
                      wall->limited == 2 ? wall->given.travel_limit : wall->given.velocity_limit, wall->servo_error);
}

static void travel(dem_system *s, demi_wall *wall, double h) {
  const dem_wall *w = &wall->given;
  const double speed = speed_of(wall), to = wall->travel + h * speed;
  const int stops = w->travel_limit > 0 && fabs(to) > w->travel_limit;
  wall->travel = stops ? copysign(w->travel_limit, to) : to;
  if (stops) {
    wall->limited = 2;
    set_speed(wall, 0);
  }
  for (int a = 0; a < 3; a++) wall->position[a] = wall->start[a] + wall->travel * w->direction[a];
  wall->limited_steps += wall->limited != 0;
  wall->limited_run = wall->limited != 0 ? wall->limited_run + 1 : 0;
  wall->swing_run = speed * wall->speed < 0 ? wall->swing_run + 1 : 0;
  wall->speed = speed;
  warn(s, wall);
}

/* ---- all ---- */

void demi_wall_start(dem_system *s, demi_wall *wall) {
  memcpy(wall->start, wall->position, sizeof wall->start);
  memcpy(wall->start_rotation, wall->rotation, sizeof wall->start_rotation);
  wall->position_clock = wall->drive_clock = (demi_sum){0, 0};
  wall->travel = wall->speed = wall->servo_error = 0;
  wall->area = 1;
  wall->limited = wall->warned = 0;
  wall->limited_run = wall->swing_run = 0;
  memcpy(wall->velocity, wall->given.velocity, sizeof wall->velocity);
  memcpy(wall->spin, wall->given.spin, sizeof wall->spin);
  if (wall->given.motion == DEM_WALL_PRESCRIBED) drive(wall);
  memcpy(wall->booked_velocity, wall->velocity, sizeof wall->velocity);
  memcpy(wall->booked_spin, wall->spin, sizeof wall->spin);
  for (int32_t k = wall->first; k < wall->first + wall->faces; k++)
    for (int a = 0; a < 3; a++)
      s->faces.mobility[k][a] = wall->given.motion == DEM_WALL_FREE && wall->given.free_axis[a] ? 1.0 / wall->given.mass : 0.0;
  spread_velocity(&s->faces, wall);
  place(&s->faces, wall);
}

void demi_walls_kick(dem_system *s, double h) {
  for (int32_t k = 0; k < s->walls.count; k++) {
    demi_wall *wall = &s->walls.wall[k];
    if (wall->given.motion == DEM_WALL_FIXED) continue;
    demi_sum_add(&wall->drive_clock, h);
    if (wall->given.motion == DEM_WALL_PRESCRIBED) drive(wall);
    if (wall->given.motion == DEM_WALL_FREE) push(s, wall, h);
    if (wall->given.motion == DEM_WALL_SERVO) answer(wall);
    spread_velocity(&s->faces, wall);
  }
}

void demi_walls_drift(dem_system *s, double h) {
  for (int32_t k = 0; k < s->walls.count; k++) {
    demi_wall *wall = &s->walls.wall[k];
    if (wall->given.motion == DEM_WALL_FIXED) continue;
    demi_sum_add(&wall->position_clock, h);
    if (wall->given.motion == DEM_WALL_PRESCRIBED) carry_along(wall);
    for (int a = 0; a < 3 && wall->given.motion == DEM_WALL_FREE; a++) wall->position[a] += h * wall->velocity[a];
    if (wall->given.motion == DEM_WALL_SERVO) travel(s, wall, h);
    spread_velocity(&s->faces, wall);
    place(&s->faces, wall);
  }
}

void demi_walls_advance(dem_system *s) {
  for (int32_t k = 0; k < s->interval.op_count && s->faces.moving; k++) {
    if (s->interval.op[k].kind == DEMI_OP_KICK) demi_walls_kick(s, s->interval.op[k].duration);
    if (s->interval.op[k].kind == DEMI_OP_DRIFT) demi_walls_drift(s, s->interval.op[k].duration);
  }
}

dem_status demi_walls_finite(dem_system *s) {
  for (int32_t k = 0; k < s->walls.count; k++) {
    const demi_wall *wall = &s->walls.wall[k];
    for (int a = 0; a < 3; a++)
      if (!isfinite(wall->position[a]) || !isfinite(wall->velocity[a]))
        return demi_system_refuse(s, DEM_FAILED_NOT_FINITE,
                                  "wall %d: position[%d] became %g, velocity[%d] %g at time %g (dt %g)", wall->id, a,
                                  wall->position[a], a, wall->velocity[a], s->time, s->options.dt);
  }
  return DEM_OK;
}
