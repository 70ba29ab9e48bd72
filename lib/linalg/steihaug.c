/* T. Steihaug, SIAM Journal on Numerical Analysis 20 (1983) 626: conjugate gradients on H p = -g from p = 0, preconditioned by M, in
 * the ball |p| <= radius.
 *
 *   r = g + H p, z = M^-1 r, d = -z at the start; in each iteration, with k = d.Hd:
 *   k <= 0:                      p + t d on the boundary, t > 0; end
 *   a = (r.z)/k; |p + a d| >= radius:  the same
 *   p = p + a d; r = r + a Hd; z = M^-1 r; end if sqrt(r.z) is small;  b = (r.z)/(r.z before); d = -z + b d
 *
 * The norm of the ball is the plain one also with M, where the book has sqrt(p.Mp): how far a model holds is a matter of lengths (contacts
 * open and close), and soft directions, which M stretches, are those along which contacts change. Without M the length grows from one
 * iteration to the next; with M it need not, and the first crossing ends it. In both cases the model falls all along the way. */
#include "steihaug.h"

#include <math.h>

/* Scalars of one iteration. */
typedef struct walk {
  double rz;         /* r . M^-1 r */
  double k;          /* d.Hd */
  double pp, pd, dd; /* p.p, p.d, d.d */
} walk;

/* t > 0 with |p + t d| = radius; the root without cancellation. */
static double to_boundary(const walk *w, double radius) {
  const double rest = fmax(radius * radius - w->pp, 0);
  const double root = sqrt(w->pd * w->pd + w->dd * rest);
  return w->pd > 0 ? rest / (w->pd + root) : (root - w->pd) / w->dd;
}

static void advance(const demi_cg *cg, walk *w, double t, double *p) {
  demi_axpy(cg->v, t, cg->direction, p);
  demi_axpy(cg->v, t, cg->product, cg->residual);
  w->pp += t * (2 * w->pd + t * w->dd);
}

/* Products with the direction: its curvature, and where it leads from p. */
static dem_status look(const demi_cg *cg, walk *w, const double *p) {
  const double *const a[4] = {cg->direction, cg->direction, cg->direction, p}, *const b[4] = {cg->product, cg->direction, p, p};
  double products[4];
  const dem_status status = cg->apply(cg->apply_user, cg->direction, cg->product);
  if (status) return status;
  demi_dots(cg->v, 4, a, b, products);
  *w = (walk){.rz = w->rz, .k = products[0], .dd = products[1], .pd = products[2], .pp = products[3]};
  return DEM_OK;
}

/* z = M^-1 r and r.z */
static dem_status precondition(const demi_cg *cg, const double **z, double *rz) {
  dem_status status = DEM_OK;
  *z = cg->residual;
  if (cg->solve) {
    status = cg->solve(cg->solve_user, cg->residual, cg->solved);
    *z = cg->solved;
  }
  if (status) return status;
  *rz = demi_dot(cg->v, cg->residual, *z);
  return *rz >= 0 && isfinite(*rz) ? DEM_OK : DEM_UNSUPPORTED;
}

/* Slope and curvature of the model along p from the residual r = g + H p. */
static dem_status finish(const demi_cg *cg, const double *g, const double *p, const walk *w, int32_t reason, demi_cg_end *end) {
  const double *a[2] = {g, cg->residual}, *b[2] = {p, p};
  double products[2];
  demi_dots(cg->v, 2, a, b, products);
  end->reason = reason;
  end->slope = products[0];
  end->curvature = products[1] - products[0];
  end->length = sqrt(w->pp);
  return DEM_OK;
}

/* One iteration: 1 if it is the last, which has then been finished. */
static dem_status iterate(const demi_cg *cg, const double *g, walk *w, double *p, demi_cg_end *end, int *last) {
  const dem_status status = look(cg, w, p);
  if (status) return status;
  end->iterations++;
  const double a = w->k > 0 ? w->rz / w->k : INFINITY;
  *last = !(w->pp + a * (2 * w->pd + a * w->dd) < cg->radius * cg->radius);
  if (!*last) {
    advance(cg, w, a, p);
    return DEM_OK;
  }
  if (isfinite(cg->radius)) advance(cg, w, to_boundary(w, cg->radius), p);
  return finish(cg, g, p, w, w->k > 0 ? DEMI_CG_BOUNDARY : DEMI_CG_NEGATIVE, end);
}

dem_status demi_steihaug(const demi_cg *cg, const double *gradient, double *p, demi_cg_end *end) {
  const demi_vectors *v = cg->v;
  const double *z;
  walk w = {0, 0, 0, 0, 0};
  int last = 0;
  end->iterations = 0;
  demi_copy(v, gradient, cg->residual);
  demi_combine(v, 0, gradient, 0, gradient, p);
  dem_status status = precondition(cg, &z, &w.rz);
  if (status) return status;
  const double enough = cg->tolerance * sqrt(w.rz);
  demi_combine(v, -1, z, 0, z, cg->direction);
  while (sqrt(w.rz) > enough) {
    if (end->iterations == cg->most) return finish(cg, gradient, p, &w, DEMI_CG_EXHAUSTED, end);
    status = iterate(cg, gradient, &w, p, end, &last);
    if (status || last) return status;
    const double rz_before = w.rz;
    status = precondition(cg, &z, &w.rz);
    if (status) return status;
    demi_combine(v, -1, z, w.rz / rz_before, cg->direction, cg->direction);
  }
  return finish(cg, gradient, p, &w, DEMI_CG_CONVERGED, end);
}
