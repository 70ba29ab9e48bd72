/* The default: quasi-newton, and the trust region where it is the faster of the two.
 *
 * Measured (discs at phi = 0.844 to 0.86 from random places): most of the work is done while contacts come and go, where models of second
 * order are worth nothing; once the network of contacts holds, quasi-newton needs 200 to 600 more gradients to |g|/|g first| = 1e-10. The
 * trust region, preconditioned by incomplete Cholesky, needs 100 to 300 products of the Hessian, of which each takes with its
 * preconditioner about as long as PRODUCT_COST gradients. So it begins only where far more than that is left to do:
 *
 *   left   gradients that quasi-newton would still need at the rate of the latest WINDOW iterations; to switch, more than LEFT_LEAST,
 *          and the network has not changed HELD_LEAST times in a row from look to look, or the objective has none. Also where
 *          quasi-newton finds no step any more
 *   back   when the trust region has taken back a step (a contact has opened or closed, as a rule), or has cost more than a tenth of all
 *          gradients, in all times together, and is not faster than quasi-newton was; the next time twice as much must be left
 *
 * The network is looked at every WINDOW iterations, after a look at which it had changed less often, to 1 in SELDOM: a look takes as
 * long as several gradients. */
#include <math.h>

#include "preconditioners.h"
#include "strategies.h"

enum { WINDOW = 100, SELDOM = 16, HELD_LEAST = 2, LEFT_LEAST = 1000, ALLOWANCE_LEAST = 100, PRODUCT_COST = 4 };

static const double SHARE = 0.1, ROUNDED = 1e-8;

typedef struct room {
  const demi_strategy *now; /* NULL: memory was short */
  void *inner;              /* its room */
  dem_preconditioner *own;  /* of the trust region, where the host gave none */
  int32_t steps;            /* iterations since the latest look */
  int32_t looks, pause;     /* windows to pass over before the network is looked at; their present number */
  int32_t held;             /* looks in a row at which the network was the same */
  int32_t last_resort;      /* quasi-newton has found no step */
  double norm;              /* |gradient| at the latest look */
  double left_least;        /* gradients left from which on the trust region is tried */
  double rate;              /* of quasi-newton: decrease of log |gradient| per gradient, in the latest window */
  double may_spend, spent;  /* by the trust region, in gradients: now; in all times before */
  int64_t rejected;         /* steps taken back, when it began */
  int64_t products;         /* products, when it began */
} room;

static dem_status enter(dem_minimiser *m, room *r, const demi_strategy *next) {
  m->room = NULL;
  const dem_status status = next->open(m);
  r->inner = m->room;
  m->room = r;
  if (status) return status;
  r->now = next;
  m->report.strategy = next->name;
  r->steps = r->held = r->looks = 0;
  r->norm = m->norm;
  return DEM_OK;
}

static void quit(dem_minimiser *m, room *r) {
  if (!r->now) return;
  m->room = r->inner;
  r->now->close(m);
  m->room = r;
  r->now = NULL;
  m->report.radius = m->report.quality = 0;
}

static void close_room(dem_minimiser *m) {
  room *r = m->room;
  quit(m, r);
  if (r->own) demi_preconditioner_release(r->own);
  demi_free(m->context, r, sizeof *r);
  m->room = NULL;
}

static dem_status open_room(dem_minimiser *m) {
  room *r = m->room = demi_allocate_zero(m->context, sizeof *r);
  if (!r) return DEM_NO_MEMORY;
  r->left_least = LEFT_LEAST;
  const dem_status status = enter(m, r, &demi_quasi_newton);
  if (status) close_room(m);
  return status;
}

/* ---- when to change ---- */

static double gradients_left(const dem_minimiser *m, const room *r) {
  const double goal = fmax(m->options.gradient_relative * m->report.gradient_first, m->options.gradient_absolute);
  if (!(r->rate > 0)) return INFINITY;
  return goal > 0 ? log(m->norm / goal) / r->rate : WINDOW;
}

/* What the trust region may still cost. */
static double allowance(const dem_minimiser *m, const room *r) { return SHARE * (double)m->report.gradients - r->spent; }

/* 1: the trust region shall begin. */
static int look(dem_minimiser *m, room *r) {
  if (++r->steps < WINDOW || !m->table.apply) return 0;
  r->rate = log(r->norm / m->norm) / r->steps;
  const double left = gradients_left(m, r);
  r->steps = 0;
  r->norm = m->norm;
  if (!(left > r->left_least) || allowance(m, r) < ALLOWANCE_LEAST || r->looks++ < r->pause) return 0;
  r->looks = 0;
  r->held = !m->table.measure || demi_minimiser_network_holds(m) ? r->held + 1 : 0;
  r->pause = r->held > 0 ? 0 : r->pause < SELDOM ? 2 * r->pause + 1 : SELDOM;
  return r->held >= HELD_LEAST && isfinite(left);
}

static dem_status begin_trust(dem_minimiser *m, room *r) {
  r->may_spend = r->last_resort ? INFINITY : allowance(m, r);
  quit(m, r);
  if (!r->own && !m->options.preconditioner && m->table.blocks) {
    const dem_status status = demi_preconditioner_find(m->context, "incomplete-cholesky", &r->own);
    if (status) return status;
  }
  const dem_status status = enter(m, r, &demi_trust_region);
  r->rejected = m->report.rejected;
  r->products = m->report.products;
  return status;
}

/* Its cost so far, in gradients. */
static double cost_of_trust(const dem_minimiser *m, const room *r) {
  return PRODUCT_COST * (double)(m->report.products - r->products);
}

/* While it is the faster of the two it may spend as much again. */
static int ends_trust(const dem_minimiser *m, room *r) {
  const double cost = cost_of_trust(m, r);
  if (m->report.rejected > r->rejected) return 1;
  if (cost < r->may_spend) return 0;
  if (log(r->norm / m->norm) < cost * r->rate) return 1;
  r->may_spend = 2 * cost;
  return 0;
}

/* ---- the iteration ---- */

static dem_status iterate_inner(dem_minimiser *m, room *r) {
  const dem_preconditioner *given = m->options.preconditioner;
  m->room = r->inner;
  if (!given) m->options.preconditioner = r->own;
  if (r->now == &demi_trust_region && isfinite(r->may_spend))
    m->products_most = 10 + (int64_t)((r->may_spend - cost_of_trust(m, r)) / PRODUCT_COST);
  const dem_status status = r->now->iterate(m);
  m->options.preconditioner = given;
  m->products_most = 0;
  r->inner = m->room;
  m->room = r;
  return status;
}

static dem_status end_trust(dem_minimiser *m, room *r) {
  m->report.reason = DEM_MINIMISE_RUNNING;
  r->spent += cost_of_trust(m, r);
  r->left_least *= 2;
  quit(m, r);
  return enter(m, r, &demi_quasi_newton);
}

/* Where quasi-newton finds no step any more the trust region is the last resort, unless the gradient is small already: then neither of
 * them gets beyond rounding. */
static dem_status change(dem_minimiser *m, room *r) {
  const int stalled = m->report.reason == DEM_MINIMISE_STALLED;
  if (r->last_resort || (m->report.reason && !stalled)) return DEM_OK;
  if (r->now == &demi_trust_region) return stalled || ends_trust(m, r) ? end_trust(m, r) : DEM_OK;
  r->last_resort = stalled && m->table.apply && m->norm > ROUNDED * m->report.gradient_first;
  if (r->last_resort) m->report.reason = DEM_MINIMISE_RUNNING;
  return r->last_resort || look(m, r) ? begin_trust(m, r) : DEM_OK;
}

static dem_status iterate(dem_minimiser *m) {
  room *r = m->room;
  dem_status status = DEM_OK;
  if (!r->now) status = enter(m, r, r->last_resort ? &demi_trust_region : &demi_quasi_newton);
  if (!status) status = iterate_inner(m, r);
  return status ? status : change(m, r);
}

const demi_strategy demi_automatic = {
    .name = "automatic", .needs = DEM_OBJECTIVE_GRADIENT, .open = open_room, .iterate = iterate, .close = close_room};
