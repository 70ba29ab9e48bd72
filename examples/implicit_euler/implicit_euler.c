/* With the displacements u of a step of length h, backward Euler is
 *
 *   v' = u/h,   M (v' - v)/h = F(x + u):     r(u) = M (u/h - v)/h - F(x + u) = 0,    r = dPhi/du,  Phi = M (u/h - v)^2/2 + E(x + u)
 *
 * Newton's method solves (M/h^2 + K) p = -r for a correction p of u, K = d^2 E/du^2. No matrix is formed: conjugate gradients need only
 * products, and dem_trial_apply gives K p. A step must lower Phi, for contacts come and go on the way. */
#include "implicit_euler.h"

#include <math.h>
#include <string.h>

static double dot(const implicit_euler *s, const double *a, const double *b) {
  double sum = 0;
  for (int64_t k = 0; k < s->rows.unknowns; k++) sum += a[k] * b[k];
  return sum;
}

/* r(u) into s->residual, its length, and Phi(u) into s->phi. The trial gives E and -F; what does not move has no equation. */
static dem_status find_residual(implicit_euler *s, double *length) {
  const dem_status status =
      dem_trial_evaluate(s->trial, s->u, DEM_TRIAL_ENERGY | DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT, &s->phi, s->residual);
  for (int64_t k = 0; k < s->rows.unknowns; k++) {
    const double change = s->u[k] / s->h - s->velocity[k]; /* of the velocity */
    s->residual[k] = s->mass[k] > 0 ? s->residual[k] + s->mass[k] * change / s->h : 0;
    s->phi += 0.5 * s->mass[k] * change * change;
  }
  *length = sqrt(dot(s, s->residual, s->residual));
  return status;
}

/* (M/h^2 + K) d into s->product. */
static dem_status multiply(implicit_euler *s) {
  const dem_status status = dem_trial_apply(s->trial, s->direction, s->product);
  for (int64_t k = 0; k < s->rows.unknowns; k++)
    s->product[k] = s->mass[k] > 0 ? s->product[k] + s->mass[k] / (s->h * s->h) * s->direction[k] : 0;
  return status;
}

/* Conjugate gradients for p, from p = 0, until what is left of r has fallen to a thousandth. */
static dem_status solve(implicit_euler *s) {
  const int64_t n = s->rows.unknowns;
  double square = dot(s, s->residual, s->residual);
  const double enough = 1e-6 * square;
  memset(s->p, 0, (size_t)n * sizeof *s->p);
  for (int64_t k = 0; k < n; k++) s->direction[k] = -s->residual[k];
  for (int64_t i = 0; i < 10 * n && square > enough; i++, s->products++) {
    const dem_status status = multiply(s);
    const double curvature = dot(s, s->direction, s->product), a = square / curvature, old = square;
    if (status || !(curvature > 0)) return status; /* what was found so far is a way down */
    for (int64_t k = 0; k < n; k++) s->p[k] += a * s->direction[k], s->residual[k] += a * s->product[k];
    square = dot(s, s->residual, s->residual);
    for (int64_t k = 0; k < n; k++) s->direction[k] = square / old * s->direction[k] - s->residual[k];
  }
  return DEM_OK;
}

/* Newton's step, halved until Phi falls; near the end, where differences of Phi drown in rounding, until |r| does. */
static dem_status improve(implicit_euler *s, double *length) {
  const double old = *length, phi = s->phi;
  dem_status status = solve(s);
  memcpy(s->before, s->u, (size_t)s->rows.unknowns * sizeof *s->u);
  for (double part = 1; !status && part > 1e-3; part *= 0.5) {
    for (int64_t k = 0; k < s->rows.unknowns; k++) s->u[k] = s->before[k] + part * s->p[k];
    status = find_residual(s, length);
    if (s->phi < phi || *length < old) break;
  }
  s->newton++;
  return status;
}

dem_status implicit_euler_step(implicit_euler *s, double tolerance) {
  double length = 0;
  dem_status status = dem_system_get_field(s->system, DEM_VELOCITY, s->rows.particles, s->rows.ids, s->velocity, 0);
  for (int64_t k = 0; k < s->rows.unknowns; k++) s->u[k] = s->mass[k] > 0 ? s->h * s->velocity[k] : 0;
  if (!status) status = find_residual(s, &length);
  for (int i = 0; !status && length > tolerance; i++) status = i < 50 ? improve(s, &length) : DEM_UNSUPPORTED;
  for (int64_t k = 0; k < s->rows.unknowns; k++) s->velocity[k] = s->u[k] / s->h;
  return status ? status : dem_trial_accept(s->trial, s->velocity);
}
