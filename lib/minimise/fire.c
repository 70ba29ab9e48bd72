/* FIRE 2.0: a fast inertial relaxation.
 *
 * J. Guenole, W. G. Noehring, A. Vaid, F. Houlle, Z. Xie, A. Prakash, E. Bitzek, Computational Materials Science 175 (2020) 109584,
 * with the semi-implicit Euler scheme and the parameters given there. All unknowns have mass 1. With F = -gradient and power P = F.v:
 *
 *   P > 0:   after DELAY such steps in a row: dt = min(F_INC dt, dt_most), alpha = F_ALPHA alpha
 *   P <= 0:  dt = max(F_DEC dt, dt_least) unless fewer than DELAY steps were made, alpha = ALPHA; x = x - v dt/2; v = 0
 *   then     v = v + F dt;  v = (1 - alpha) v + alpha F |v|/|F|;  x = x + v dt
 *
 * The unit of time is the objective's own: dt_most = 1/sqrt(k) with k the largest curvature at the start, from POWERS more
 * gradients; semi-implicit Euler is stable below 2/sqrt(k). dt starts at dt_most/10 (T_MAX = 10) and is at least
 * T_MIN = 0.02 of that. A step in which one unknown would move farther than `longest_step` is made shorter by a
 * smaller dt of its own.
 *
 * In exact dynamics from rest no value exceeds that of the start. A point with a larger one, where dt is unstable, or one that the
 * objective refuses, is taken back with v = 0 and half the dt, then without a least one; the end is where dt has become DT_NONE
 * of dt_most. */
#include <math.h>

#include "strategies.h"

enum { DELAY = 20, NEGATIVE_MOST = 2000, FRUITLESS_MOST = 100000, POWERS = 12 };

static const double F_INC = 1.1, F_DEC = 0.5, F_ALPHA = 0.99, ALPHA = 0.25, T_MAX = 10, T_MIN = 0.02, DT_NONE = 1e-12;

typedef struct room {
  double *v, *x, *gradient; /* velocity; a tried point and its gradient */
  double dt, dt_most, dt_least, alpha;
  double dt_used;             /* of the latest step, shorter than dt where longest_step made it so */
  int64_t steps;              /* made */
  int32_t positive, negative; /* steps in a row with P > 0, P <= 0 */
  int64_t fruitless;          /* steps since value or gradient was least */
  double least_value, least_norm;
} room;

static void close_room(dem_minimiser *m) {
  room *r = m->room;
  demi_vectors_delete(&m->vectors, r->v);
  demi_vectors_delete(&m->vectors, r->x);
  demi_vectors_delete(&m->vectors, r->gradient);
  demi_free(m->context, r, sizeof *r);
  m->room = NULL;
}

static void stop_motion(dem_minimiser *m, room *r) {
  demi_combine(&m->vectors, 0, m->x, 0, m->x, r->v);
  r->dt_used = 0;
}

/* Estimate of the largest |curvature| at the start: power iterations d <- (gradient(x + s d) - gradient(x))/s from d = gradient, with s d
 * short. 0 where it cannot be had. */
static dem_status stiffness(dem_minimiser *m, room *r, double *k) {
  const demi_vectors *v = &m->vectors;
  const double way = isfinite(m->longest_step) ? 1e-3 * m->longest_step : 1e-6 * fmax(demi_largest(v, m->x), 1);
  const double *d = m->gradient;
  double value, norm;
  *k = 0;
  for (int i = 0; i < POWERS; i++) {
    const double s = way / demi_largest(v, d), length = s * demi_norm(v, d);
    demi_combine(v, -s, d, 1, m->x, r->x);
    const dem_status status = demi_minimiser_try(m, r->x, &value, r->gradient, &norm);
    if (status) return status == DEM_BAD_ARGUMENT ? DEM_OK : status;
    demi_combine(v, 1, m->gradient, -1, r->gradient, r->v);
    const double change = demi_norm(v, r->v);
    if (!(change > 0 && length > 0)) return DEM_OK;
    *k = fmax(*k, change / length);
    d = r->v;
  }
  return DEM_OK;
}

static dem_status open_room(dem_minimiser *m) {
  room *r = m->room = demi_allocate_zero(m->context, sizeof *r);
  if (!r) return DEM_NO_MEMORY;
  r->v = demi_vectors_new(&m->vectors);
  r->x = demi_vectors_new(&m->vectors);
  r->gradient = demi_vectors_new(&m->vectors);
  double k = 0;
  dem_status status = r->v && r->x && r->gradient ? stiffness(m, r, &k) : DEM_NO_MEMORY;
  if (status) {
    close_room(m);
    return status;
  }
  stop_motion(m, r);
  /* without a curvature the first steps are such that the gradient alone moves an unknown by 1, or by a tenth of the longest */
  const double way = isfinite(m->longest_step) ? 0.1 * m->longest_step : 1;
  r->dt_most = k > 0 ? 1 / sqrt(k) : sqrt(way / demi_largest(&m->vectors, m->gradient));
  r->dt = r->dt_most / T_MAX;
  r->dt_least = T_MIN * r->dt;
  r->alpha = ALPHA;
  r->least_value = m->value;
  r->least_norm = m->norm;
  return DEM_OK;
}

/* Adapts dt and alpha to the power; `back` is the part of v dt by which x goes back. */
static double adapt(room *r, double power) {
  if (r->dt_used <= 0) return 0; /* at rest */
  if (power > 0) {
    r->negative = 0;
    if (++r->positive > DELAY) {
      r->dt = fmin(r->dt * F_INC, r->dt_most);
      r->alpha *= F_ALPHA;
    }
    return 0;
  }
  r->positive = 0;
  r->negative++;
  if (r->steps >= DELAY && r->dt * F_DEC >= r->dt_least) r->dt *= F_DEC;
  r->alpha = ALPHA;
  return 0.5 * fmin(r->dt, r->dt_used);
}

/* v and the tried point from the velocity so far, `back` being the time by which x goes back first. No unknown moves farther than the
 * longest step from where it was. Answers the length of the step forward. */
static double advance(dem_minimiser *m, room *r, double back) {
  const demi_vectors *v = &m->vectors;
  demi_combine(v, -back, r->v, 1, m->x, r->x);
  const double room_left = back > 0 ? m->longest_step - back * demi_largest(v, r->v) : m->longest_step;
  if (back > 0) stop_motion(m, r);
  demi_axpy(v, -r->dt, m->gradient, r->v);
  const double speed = demi_norm(v, r->v);
  demi_combine(v, 1 - r->alpha, r->v, -r->alpha * speed / m->norm, m->gradient, r->v);
  const double fastest = demi_largest(v, r->v);
  r->dt_used = r->dt * fastest > room_left ? room_left / fastest : r->dt;
  demi_axpy(v, r->dt_used, r->v, r->x);
  return r->dt_used * demi_norm(v, r->v);
}

/* Value and gradient go up and down: the end is where neither has been less for very many steps. */
static void watch(dem_minimiser *m, room *r) {
  r->fruitless++;
  if (m->value < r->least_value || m->norm < r->least_norm) r->fruitless = 0;
  r->least_value = fmin(r->least_value, m->value);
  r->least_norm = fmin(r->least_norm, m->norm);
  if (r->negative > NEGATIVE_MOST || r->fruitless > FRUITLESS_MOST) m->report.reason = DEM_MINIMISE_STALLED;
}

static void take_back(dem_minimiser *m, room *r) {
  m->report.rejected++;
  stop_motion(m, r);
  r->dt *= F_DEC;
  r->alpha = ALPHA;
  r->positive = 0;
  r->negative++;
  watch(m, r);
  if (r->dt < DT_NONE * r->dt_most) m->report.reason = DEM_MINIMISE_STALLED;
}

static dem_status iterate(dem_minimiser *m) {
  room *r = m->room;
  double value, norm;
  const double power = -demi_dot(&m->vectors, m->gradient, r->v);
  const double step = advance(m, r, adapt(r, power));
  r->steps++;
  const dem_status status = demi_minimiser_try(m, r->x, &value, r->gradient, &norm);
  if (status == DEM_BAD_ARGUMENT || (!status && value > m->report.value_first)) {
    take_back(m, r);
    return DEM_OK;
  }
  if (status) {
    stop_motion(m, r); /* tried again from rest */
    return status;
  }
  demi_minimiser_move(m, &r->x, &r->gradient, value, norm, step);
  watch(m, r);
  return DEM_OK;
}

const demi_strategy demi_fire = {
    .name = "fire", .needs = DEM_OBJECTIVE_GRADIENT, .open = open_room, .iterate = iterate, .close = close_room};
