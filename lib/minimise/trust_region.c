/* The trust region with steps by Steihaug's conjugate gradients (lib/linalg/steihaug.c).
 *
 *   model    m(p) = E(x) + g.p + p.Hp/2 in |p| <= radius;  CG ends at |r|_M <= min(1/2, sqrt(|g|/|g first|)) |g|_M
 *   quality  rho = (E(x) - E(x + p))/(m(0) - m(p)); the step is accepted if rho > 0
 *   radius   |p|/4 if rho < 1/4; doubled if rho > 3/4 and |p| = radius
 *
 * The published tolerance of CG, min(1/2, sqrt|g|) |g|, has a unit; here |g| is compared with that of the start.
 *
 * M = 1 as published, |r|_M = sqrt(r.M^-1 r). A step in which one unknown would move farther than `longest_step` is shortened as a whole;
 * it then does not count as one on the boundary.
 *
 * Near round-off: a value is a sum with an error of a few eps |E|, so that rho is right to a tenth only where m(0) - m(p) > 100 eps |E|.
 * Below this bound the difference of the values is taken from the gradients, E(x) - E(x + p) = -(g(x) + g(x + p)).p/2 + O(|p|^3), which
 * does not cancel, and a step is also accepted where |g(x + p)| < |g(x)|. It is the end (DEM_MINIMISE_STALLED) when
 * FRUITLESS_MOST such steps in a row, of which those without a gain count WITHOUT_GAIN times, have not lessened the least |g|, or when p
 * is too short to change x.
 *
 * M is used while the network holds from one point to the next, or where it is unknown. While contacts come and go CG with M = 1 is
 * better: M leads far along soft directions, which are those that change contacts (1,000 discs at random: 10,085 steps with incomplete
 * Cholesky, 1,256 to 5,744 without). M is made anew when the network has changed since, is unknown, or when CG takes 10 more than twice the
 * iterations that it took with M new. */
#include <float.h>
#include <math.h>

#include "limits.h"
#include "steihaug.h"
#include "strategies.h"

/* Steps in a row that have not lessened the least |g|: a step with a gain, and one without, which counts for many. */
enum { FRUITLESS_MOST = 5000, WITHOUT_GAIN = 50 };

typedef struct room {
  double *p, *x, *gradient;    /* step, tried point and its gradient */
  double *work[4];             /* of the conjugate gradients */
  int32_t tangent;             /* H is that at x */
  int32_t with_m;              /* M is in use */
  int32_t made;                /* there is an M of this network */
  int64_t cg_latest, cg_fresh; /* iterations of CG: latest; first one with the present M, -1 = not yet known */
  double radius;               /* 0: not yet chosen */
  double least;                /* least |g| so far */
  int32_t fruitless;           /* steps below round-off since then, weighted */
} room;

static void close_room(dem_minimiser *m) {
  room *r = m->room;
  double *arrays[] = {r->p, r->x, r->gradient, r->work[0], r->work[1], r->work[2], r->work[3]};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) demi_vectors_delete(&m->vectors, arrays[k]);
  demi_free(m->context, r, sizeof *r);
  m->room = NULL;
}

static dem_status open_room(dem_minimiser *m) {
  room *r = m->room = demi_allocate_zero(m->context, sizeof *r);
  if (!r) return DEM_NO_MEMORY;
  double **arrays[] = {&r->p, &r->x, &r->gradient, &r->work[0], &r->work[1], &r->work[2], &r->work[3]};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    *arrays[k] = demi_vectors_new(&m->vectors);
    if (*arrays[k]) continue;
    close_room(m);
    return DEM_NO_MEMORY;
  }
  r->least = INFINITY;
  return DEM_OK;
}

/* ---- the model ---- */

static dem_status make_preconditioner(dem_minimiser *m, room *r) {
  const dem_preconditioner *pre = m->options.preconditioner;
  dem_matrix_source source = {.struct_size = (uint32_t)sizeof source, .unknowns = m->n, .network = m->network};
  source.blocks = m->table.blocks;
  source.blocks_user = m->user;
  const dem_status status = pre->table.update(pre->user, &source);
  m->report.factorisations++;
  r->with_m = r->made = status == DEM_OK;
  r->cg_fresh = -1;
  if (status >= 0 && status != DEM_NO_MEMORY) return DEM_OK;
  return demi_refuse_alone(&m->message, m->context, status, "preconditioner '%s': its function 'update' %s", pre->name,
                           status < 0 ? "failed" : "lacks memory");
}

/* Whether this step uses M, and one that fits. */
static dem_status choose_preconditioner(dem_minimiser *m, room *r) {
  if (!m->options.preconditioner) return DEM_OK;
  const int holds = demi_minimiser_network_holds(m), rearranges = !holds && m->network != 0;
  const int worn = r->cg_fresh >= 0 && r->cg_latest > 2 * r->cg_fresh + 10;
  r->made = r->made && holds && !worn;
  r->with_m = r->made;
  return r->made || rearranges ? DEM_OK : make_preconditioner(m, r);
}

/* The Hessian at x. The gradient comes with it, and may differ from the one before by rounding. */
static dem_status make_model(dem_minimiser *m, room *r) {
  double value = 0;
  if (r->tangent) return DEM_OK;
  dem_status status = demi_minimiser_evaluate(m, m->x, DEM_OBJECTIVE_GRADIENT | DEM_OBJECTIVE_TANGENT, &value, m->gradient);
  if (status) return status;
  m->norm = demi_norm(&m->vectors, m->gradient);
  status = choose_preconditioner(m, r);
  r->tangent = status == DEM_OK;
  return status;
}

static dem_status apply(void *user, const double *p, double *product) { return demi_minimiser_apply(user, p, product); }

/* An M that does not answer is as good as one that is not positive definite. */
static dem_status solve(void *user, const double *right, double *solution) {
  const dem_preconditioner *pre = user;
  const dem_status status = pre->table.apply(pre->user, right, solution);
  return status > 0 && status != DEM_NO_MEMORY ? DEM_UNSUPPORTED : status;
}

static demi_cg conjugate_gradients(dem_minimiser *m, room *r) {
  const double eta = fmin(0.5, sqrt(m->norm / m->report.gradient_first));
  demi_cg cg = {
      .v = &m->vectors, .apply = apply, .apply_user = m, .radius = r->radius, .tolerance = eta, .most = 2 * m->n + 10};
  if (m->products_most > 0 && m->products_most < cg.most) cg.most = m->products_most;
  cg.residual = r->work[0];
  cg.direction = r->work[1];
  cg.product = r->work[2];
  cg.solved = r->work[3];
  if (!r->with_m) return cg;
  cg.solve = solve;
  cg.solve_user = (void *)(uintptr_t)m->options.preconditioner;
  return cg;
}

/* ---- the radius ---- */

/* Steps longer than this would be cut by `longest_step` in any case. */
static double largest_radius(const dem_minimiser *m) { return m->longest_step * sqrt((double)m->n); }

/* The length of the first step of CG without a ball, |z| (g.z)/(z.Hz), z = M^-1 g. Where the curvature is not positive: the largest
 * radius, else the length of x, else 1. */
static dem_status first_radius(dem_minimiser *m, room *r) {
  demi_cg_end end;
  demi_cg cg = conjugate_gradients(m, r);
  cg.radius = INFINITY;
  cg.most = 1;
  const double chosen = m->options.radius_first;
  dem_status status = DEM_OK;
  if (r->radius > 0) return DEM_OK;
  if (chosen <= 0) status = demi_steihaug(&cg, m->gradient, r->p, &end);
  if (status) return status;
  r->radius = chosen > 0 ? chosen : end.length;
  if (r->radius <= 0) r->radius = isfinite(largest_radius(m)) ? largest_radius(m) : demi_norm(&m->vectors, m->x);
  if (r->radius <= 0) r->radius = 1;
  r->radius = fmin(r->radius, largest_radius(m));
  return DEM_OK;
}

static void adapt_radius(dem_minimiser *m, room *r, double quality, double length, int boundary) {
  if (quality < 0.25) r->radius = length / 4;
  if (quality > 0.75 && boundary) r->radius = fmin(2 * r->radius, largest_radius(m));
  if (r->radius > DEMI_LARGEST) m->report.reason = DEM_MINIMISE_UNBOUNDED;
  m->report.radius = r->radius;
  m->report.quality = quality;
}

/* ---- the step ---- */

/* The step in r->p, shortened to the longest. */
static dem_status find_step(dem_minimiser *m, room *r, demi_cg_end *end) {
  const demi_cg cg = conjugate_gradients(m, r);
  const dem_status status = demi_steihaug(&cg, m->gradient, r->p, end);
  if (status) return status;
  if (r->with_m) r->cg_latest = end->iterations;
  if (r->with_m && r->cg_fresh < 0) r->cg_fresh = end->iterations;
  const double farthest = demi_largest(&m->vectors, r->p);
  if (farthest <= m->longest_step) return DEM_OK;
  const double s = m->longest_step / farthest;
  demi_combine(&m->vectors, s, r->p, 0, r->p, r->p);
  end->reason = DEMI_CG_CONVERGED;
  end->slope *= s;
  end->curvature *= s * s;
  end->length *= s;
  return DEM_OK;
}

static int moves(const dem_minimiser *m, const room *r) {
  for (int64_t i = 0; i < m->n; i++)
    if (r->x[i] != m->x[i]) return 1;
  return 0;
}

/* Quality of a step that the objective did not refuse; > 0: accepted. */
static double judge(const dem_minimiser *m, room *r, const demi_cg_end *end, double value, double norm) {
  const double expected = -(end->slope + 0.5 * end->curvature);
  if (!(expected > 100 * DBL_EPSILON * fmax(fabs(m->value), fabs(value)))) {
    const double gained = -0.5 * (end->slope + demi_dot(&m->vectors, r->gradient, r->p));
    const double quality = expected > 0 ? gained / expected : -1;
    r->fruitless += quality > 0 ? 1 : WITHOUT_GAIN;
    if (quality > 0) return quality;
    return norm <= 0.5 * m->norm ? 0.5 : norm < m->norm ? DBL_MIN : quality;
  }
  return (m->value - value) / expected;
}

static void accept(dem_minimiser *m, room *r, double value, double norm) {
  demi_minimiser_move(m, &r->x, &r->gradient, value, norm, demi_norm(&m->vectors, r->p));
  r->tangent = 0;
}

/* One step with the model at x. */
static dem_status take_step(dem_minimiser *m, room *r) {
  demi_cg_end end;
  double value, norm = INFINITY, quality = -1;
  dem_status status = find_step(m, r, &end);
  if (status) return status;
  demi_combine(&m->vectors, 1, m->x, 1, r->p, r->x);
  if (!moves(m, r)) {
    m->report.reason = DEM_MINIMISE_STALLED;
    m->report.rejected++;
    return DEM_OK;
  }
  status = demi_minimiser_try(m, r->x, &value, r->gradient, &norm);
  if (status && status != DEM_BAD_ARGUMENT) return status;
  if (!status) quality = judge(m, r, &end, value, norm);
  adapt_radius(m, r, quality, end.length, end.reason == DEMI_CG_BOUNDARY || end.reason == DEMI_CG_NEGATIVE);
  if (quality > 0)
    accept(m, r, value, norm);
  else
    m->report.rejected++;
  if (m->norm < r->least) r->fruitless = 0;
  r->least = fmin(r->least, m->norm);
  if (r->fruitless > FRUITLESS_MOST) m->report.reason = DEM_MINIMISE_STALLED;
  return DEM_OK;
}

static dem_status iterate(dem_minimiser *m) {
  room *r = m->room;
  dem_status status = make_model(m, r);
  if (!status) status = first_radius(m, r);
  if (!status) status = take_step(m, r);
  if (status == DEM_UNSUPPORTED && r->with_m) { /* M is not positive definite: without it */
    r->with_m = r->made = 0;
    status = first_radius(m, r);
    if (!status) status = take_step(m, r);
  }
  if (status != DEM_BAD_ARGUMENT) return status;
  m->report.reason = DEM_MINIMISE_STALLED; /* the Hessian at x, or its product, is refused */
  m->report.rejected++;
  return DEM_OK;
}

const demi_strategy demi_trust_region = {.name = "trust-region-steihaug",
                                         .needs = DEM_OBJECTIVE_TANGENT,
                                         .open = open_room,
                                         .iterate = iterate,
                                         .close = close_room};
