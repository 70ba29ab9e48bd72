/* Quasi-Newton with limited memory: x + t d with d = -H g of quasi_memory.c, from t = 1 on.
 *
 * A step is taken where the value falls as it should (L. Armijo): f(x + s) <= f(x) + c s.g, c = 1e-4. Where s.g is so small that the
 * difference of the values is rounding, its place is taken by s.(g + g')/2, the change of f for a gradient that is linear along s (as in
 * W. W. Hager, H. Zhang, SIAM Journal on Optimization 16 (2005) 170-192), or the norm of the gradient must not grow. A step that is not
 * taken is tried again, shortened to where the gradient along it vanishes, to between a tenth and a half. If that does not help the
 * pairs are given up. One unknown moves by at most `longest_step`.
 *
 * Each iteration is one evaluation of value and gradient, and two passes over the vectors. */
#include "quasi_memory.h"

#include <math.h>

#include "strategies.h"

enum { SHORTER_MOST = 40, FRUITLESS_MOST = 5000 };

static const double ARMIJO = 1e-4, DROWNED = 1e-9, RISE_MOST = 1e-6, GROWTH = 4, FACTOR_MOST = 1e100;

typedef struct room {
  demi_quasi_memory memory;
  demi_quasi_direction direction;
  demi_quasi_trial trial;
  double *x, *gradient; /* a tried point and its gradient */
  double factor;        /* t of the next trial; 0: a direction is to be found */
  double first_factor;  /* of the gradient where there are no pairs */
  int32_t shorter;      /* times that t was made smaller */
  int64_t fruitless;    /* steps since value or gradient was least */
  double least_value, least_norm;
} room;

static void close_room(dem_minimiser *m) {
  room *r = m->room;
  demi_quasi_close(m, &r->memory);
  demi_vectors_delete(&m->vectors, r->x);
  demi_vectors_delete(&m->vectors, r->gradient);
  demi_free(m->context, r, sizeof *r);
  m->room = NULL;
}

/* Without a longest step the first one has the length 1 at most. */
static dem_status open_room(dem_minimiser *m) {
  room *r = m->room = demi_allocate_zero(m->context, sizeof *r);
  if (!r) return DEM_NO_MEMORY;
  r->x = demi_vectors_new(&m->vectors);
  r->gradient = demi_vectors_new(&m->vectors);
  if (!r->x || !r->gradient || demi_quasi_open(m, &r->memory) != DEM_OK) {
    close_room(m);
    return DEM_NO_MEMORY;
  }
  r->first_factor = isfinite(m->longest_step) ? 1 : fmin(1, 1 / m->norm);
  r->least_value = m->value;
  r->least_norm = m->norm;
  return DEM_OK;
}

/* Nothing but the gradient is left to go along, and it does not help either. */
static void give_up_pairs(dem_minimiser *m, room *r) {
  if (r->memory.kept == 0) m->report.reason = DEM_MINIMISE_STALLED;
  r->memory.kept = 0;
  r->factor = 0;
}

static void find_direction(const dem_minimiser *m, room *r) {
  const double square = m->norm * m->norm;
  demi_quasi_find_direction(&r->memory, square, r->first_factor, &r->direction);
  if (!(r->direction.slope < 0)) {
    r->memory.kept = 0;
    demi_quasi_find_direction(&r->memory, square, r->first_factor, &r->direction);
  }
  r->factor = 1;
  r->shorter = 0;
}

/* The tried point, no farther than the longest step. */
static void try_step(const dem_minimiser *m, room *r) {
  demi_quasi_step(m, &r->memory, &r->direction, r->factor, r->x, &r->trial);
  if (!(r->trial.largest > m->longest_step)) return;
  r->factor *= m->longest_step / r->trial.largest;
  demi_quasi_step(m, &r->memory, &r->direction, r->factor, r->x, &r->trial);
}

static int is_enough(const dem_minimiser *m, const room *r, double value, double norm) {
  const double slope = r->factor * r->direction.slope, slope_there = demi_quasi_slope(&r->memory, &r->trial);
  if (value <= m->value + ARMIJO * slope) return 1;
  if (fabs(slope) > DROWNED * fabs(m->value) || value > m->value + RISE_MOST * fabs(m->value)) return 0;
  return 0.5 * (slope + slope_there) <= ARMIJO * slope || norm <= m->norm;
}

/* By the part to which the gradient along the step tells. */
static void shorten(dem_minimiser *m, room *r, double part) {
  m->report.rejected++;
  r->factor *= fmin(fmax(part, 0.1), 0.5);
  if (++r->shorter > SHORTER_MOST) give_up_pairs(m, r);
}

/* Near round-off value and gradient go up and down: the end is where neither has been less for very many steps. */
static void watch(dem_minimiser *m, room *r) {
  r->fruitless++;
  if (m->value < r->least_value || m->norm < r->least_norm) r->fruitless = 0;
  r->least_value = fmin(r->least_value, m->value);
  r->least_norm = fmin(r->least_norm, m->norm);
  if (r->fruitless > FRUITLESS_MOST) m->report.reason = DEM_MINIMISE_STALLED;
}

static void take_step(dem_minimiser *m, room *r, double value, double norm) {
  demi_quasi_keep(&r->memory, &r->trial);
  demi_minimiser_move(m, &r->x, &r->gradient, value, norm, sqrt(r->trial.square));
  r->factor = 0;
  r->first_factor = r->memory.kept > 0 ? demi_quasi_scale(&r->memory) : fmin(GROWTH * r->first_factor, FACTOR_MOST);
  watch(m, r);
}

static dem_status iterate(dem_minimiser *m) {
  room *r = m->room;
  double value;
  if (r->factor == 0) find_direction(m, r);
  try_step(m, r);
  if (!(r->trial.square > 0)) { /* below the last bit of every unknown */
    give_up_pairs(m, r);
    return DEM_OK;
  }
  dem_status status = demi_minimiser_evaluate(m, r->x, DEM_OBJECTIVE_VALUE | DEM_OBJECTIVE_GRADIENT, &value, r->gradient);
  if (status && status != DEM_BAD_ARGUMENT) return status;
  if (!status) demi_quasi_note(m, &r->memory, r->gradient, &r->trial);
  const double norm = status ? INFINITY : sqrt(r->trial.gradient_square);
  const double slope = r->factor * r->direction.slope;
  if (!isfinite(norm))
    shorten(m, r, 0);
  else if (is_enough(m, r, value, norm))
    take_step(m, r, value, norm);
  else
    shorten(m, r, slope / (slope - demi_quasi_slope(&r->memory, &r->trial)));
  return DEM_OK;
}

const demi_strategy demi_quasi_newton = {
    .name = "quasi-newton", .needs = DEM_OBJECTIVE_GRADIENT, .open = open_room, .iterate = iterate, .close = close_room};
