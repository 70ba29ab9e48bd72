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
static void place(demi_faces *faces, const demi_wall *b) {
  double r[9], arm[3];
  matrix_of(b->rotation, r);
  for (int32_t k = b->first; k < b->first + b->faces; k++) {
    demi_face *f = &faces->face[k];
    turn_vector(r, f->home_point, arm);
    memcpy(faces->centre[k], b->position, sizeof b->position);
    for (int a = 0; a < 3; a++) {
      f->point[a] = b->position[a] + arm[a];
      turn_vector(r, f->home_frame + 3 * a, f->frame + 3 * a);
    }
  }
}

static void spread_velocity(demi_faces *faces, const demi_wall *b) {
  for (int32_t k = b->first; k < b->first + b->faces; k++) {
    memcpy(faces->velocity[k], b->velocity, sizeof b->velocity);
    memcpy(faces->velocity[k] + 4, b->spin, sizeof b->spin);
  }
}

void demi_wall_place(demi_faces *faces, const demi_wall *b) {
  place(faces, b);
  spread_velocity(faces, b);
}

void demi_wall_rotate(demi_wall *b, const double t[3]) {
  const double angle = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]),
               before[4] = {b->rotation[0], b->rotation[1], b->rotation[2], b->rotation[3]};
  if (angle > 0) turn_by(t, angle, before, b->rotation);
}

/* ---- prescribed ---- */

static double phase_at(const dem_wall *w, double time) { return TURN * w->frequency * time + w->phase; }

static void drive(demi_wall *b) {
  const dem_wall *w = &b->given;
  const double swing = w->frequency > 0 ? TURN * w->frequency * cos(phase_at(w, demi_sum_get(&b->drive_clock))) : 0;
  for (int a = 0; a < 3; a++) b->velocity[a] = w->velocity[a] + w->amplitude[a] * swing;
}

static void carry_along(demi_wall *b) {
  const dem_wall *w = &b->given;
  const double t = demi_sum_get(&b->position_clock);
  const double swing = w->frequency > 0 ? sin(phase_at(w, t)) - sin(w->phase) : 0;
  for (int a = 0; a < 3; a++) b->position[a] = b->start[a] + w->velocity[a] * t + w->amplitude[a] * swing;
  const double rate = sqrt(w->spin[0] * w->spin[0] + w->spin[1] * w->spin[1] + w->spin[2] * w->spin[2]);
  if (rate > 0) turn_by(w->spin, rate * t, b->start_rotation, b->rotation);
}

/* ---- free ---- */

/* Gravity and the host's force are booked as they were applied, like gravity on particles. */
static void book_kick(dem_system *s, const demi_wall *b, double h, const double *before) {
  const dem_wall *w = &b->given;
  double gravity = 0, host = 0;
  for (int a = 0; a < 3; a++) {
    const double mean = 0.5 * (before[a] + b->velocity[a]), impulse = w->mass * (b->velocity[a] - before[a]);
    const double rest = impulse - h * b->force[a], pulls = s->options.gravity[a] != 0;
    if (!w->free_axis[a]) continue;
    if (w->force[a] != 0) host += mean * (pulls ? h * w->force[a] : rest);
    if (pulls) gravity += mean * (rest - h * w->force[a]);
  }
  demi_ledger_add(&s->ledger, &s->ledger.gravity, -gravity);
  demi_ledger_add(&s->ledger, &s->ledger.host, host);
}

static void push(dem_system *s, demi_wall *b, double h) {
  const dem_wall *w = &b->given;
  const double before[3] = {b->velocity[0], b->velocity[1], b->velocity[2]};
  for (int a = 0; a < 3; a++)
    if (w->free_axis[a]) b->velocity[a] += h * ((b->force[a] + w->force[a]) / w->mass + s->options.gravity[a]);
  if (s->ledger.on) book_kick(s, b, h, before);
}

/* ---- servo ---- */

static void set_speed(demi_wall *b, double speed) {
  for (int a = 0; a < 3; a++) b->velocity[a] = speed * b->given.direction[a];
}

static double speed_of(const demi_wall *b) {
  const double *v = b->velocity, *d = b->given.direction;
  return v[0] * d[0] + v[1] * d[1] + v[2] * d[2];
}

static int at_end(const dem_wall *w, double travel) { return w->travel_limit > 0 && fabs(travel) >= w->travel_limit; }

static void answer(demi_wall *b) {
  const dem_wall *w = &b->given;
  const double wanted = w->gain * b->servo_error;
  double speed = fmax(-w->velocity_limit, fmin(w->velocity_limit, wanted));
  b->limited = fabs(wanted) > w->velocity_limit;
  if (at_end(w, b->travel) && speed * b->travel > 0) {
    b->limited = 2;
    speed = 0;
  }
  set_speed(b, speed);
}

static void warn(dem_system *s, demi_wall *b) {
  if (b->warned || !(b->limited == 2 || b->limited_run > PATIENCE || b->swing_run > PATIENCE)) return;
  b->warned = 1;
  if (b->limited != 2 && b->swing_run > PATIENCE / 2) { /* at its limit to and fro */
    demi_system_warning(s,
                        "wall %d: its velocity turns round at every step: gain %g is too large, it must be below "
                        "1/(C + K dt/2) with the dashpots C and the stiffness K of all contacts on the wall",
                        b->id, b->given.gain);
    return;
  }
  const char *limit = b->limited == 2 ? "travel" : "velocity";
  demi_system_warning(s, "wall %d: target out of reach at its %s_limit %g: short of the target force by %g", b->id, limit,
                      b->limited == 2 ? b->given.travel_limit : b->given.velocity_limit, b->servo_error);
}

static void travel(dem_system *s, demi_wall *b, double h) {
  const dem_wall *w = &b->given;
  const double speed = speed_of(b), to = b->travel + h * speed;
  const int stops = w->travel_limit > 0 && fabs(to) > w->travel_limit;
  b->travel = stops ? copysign(w->travel_limit, to) : to;
  if (stops) {
    b->limited = 2;
    set_speed(b, 0);
  }
  for (int a = 0; a < 3; a++) b->position[a] = b->start[a] + b->travel * w->direction[a];
  b->limited_steps += b->limited != 0;
  b->limited_run = b->limited != 0 ? b->limited_run + 1 : 0;
  b->swing_run = speed * b->speed < 0 ? b->swing_run + 1 : 0;
  b->speed = speed;
  warn(s, b);
}

/* ---- all ---- */

void demi_wall_start(dem_system *s, demi_wall *b) {
  memcpy(b->start, b->position, sizeof b->start);
  memcpy(b->start_rotation, b->rotation, sizeof b->start_rotation);
  b->position_clock = b->drive_clock = (demi_sum){0, 0};
  b->travel = b->speed = b->servo_error = 0;
  b->area = 1;
  b->limited = b->warned = 0;
  b->limited_run = b->swing_run = 0;
  memcpy(b->velocity, b->given.velocity, sizeof b->velocity);
  memcpy(b->spin, b->given.spin, sizeof b->spin);
  if (b->given.motion == DEM_WALL_PRESCRIBED) drive(b);
  memcpy(b->booked_velocity, b->velocity, sizeof b->velocity);
  memcpy(b->booked_spin, b->spin, sizeof b->spin);
  for (int32_t k = b->first; k < b->first + b->faces; k++)
    for (int a = 0; a < 3; a++)
      s->faces.mobility[k][a] = b->given.motion == DEM_WALL_FREE && b->given.free_axis[a] ? 1.0 / b->given.mass : 0.0;
  spread_velocity(&s->faces, b);
  place(&s->faces, b);
}

void demi_walls_kick(dem_system *s, double h) {
  for (int32_t k = 0; k < s->walls.count; k++) {
    demi_wall *b = &s->walls.wall[k];
    if (b->given.motion == DEM_WALL_FIXED) continue;
    demi_sum_add(&b->drive_clock, h);
    if (b->given.motion == DEM_WALL_PRESCRIBED) drive(b);
    if (b->given.motion == DEM_WALL_FREE) push(s, b, h);
    if (b->given.motion == DEM_WALL_SERVO) answer(b);
    spread_velocity(&s->faces, b);
  }
}

void demi_walls_drift(dem_system *s, double h) {
  for (int32_t k = 0; k < s->walls.count; k++) {
    demi_wall *b = &s->walls.wall[k];
    if (b->given.motion == DEM_WALL_FIXED) continue;
    demi_sum_add(&b->position_clock, h);
    if (b->given.motion == DEM_WALL_PRESCRIBED) carry_along(b);
    for (int a = 0; a < 3 && b->given.motion == DEM_WALL_FREE; a++) b->position[a] += h * b->velocity[a];
    if (b->given.motion == DEM_WALL_SERVO) travel(s, b, h);
    spread_velocity(&s->faces, b);
    place(&s->faces, b);
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
    const demi_wall *b = &s->walls.wall[k];
    for (int a = 0; a < 3; a++)
      if (!isfinite(b->position[a]) || !isfinite(b->velocity[a]))
        return demi_system_refuse(s, DEM_FAILED_NOT_FINITE,
                                  "wall %d: position[%d] became %g, velocity[%d] %g at time %g (dt %g)", b->id, a,
                                  b->position[a], a, b->velocity[a], s->time, s->options.dt);
  }
  return DEM_OK;
}
