/* How old the contacts of a batch are, and so by how much their histories advance in this evaluation.
 *
 * A contact that was there in the evaluation before is one step older: dt. A new one came about during the step, when the surfaces
 * met. Particles drift in straight lines, so with r = x_i - x_j and v = v_i - v_j now, S = R_i + R_j,
 *
 *   |r - v s|^2 = S^2     =>     s = (S^2 - r^2)/(w - r.v) = (w + r.v)/v^2,     w = sqrt((r.v)^2 + v^2 (S^2 - r^2)),
 *
 * of which the first form is exact in floating point for r.v < 0, the second for r.v > 0 (the closest approach is over). Against
 * a wall s = d/-v_n. The age is min(dt, s): also for contacts that did not come about by approach (placed there by the host).
 *
 * Without it the first touch adds v_t dt to a spring that has moved by v_t s: an error of first order in dt, and with the overlap
 * d = -v_n s near 0 the displacement is out of all proportion to d. */
#include <math.h>

#include "batch_kernels.h"
#include "variant.h"

static double since_pairs_met(const demi_workspace *w, const demi_candidates *c, int32_t k, double dt) {
  const double r = sqrt(c->distance2[k]), gap = w->lanes.overlap[k] * (c->radii[k] + r);
  double rv = 0, v2 = 0;
  for (int a = 0; a < 3; a++) {
    rv += r * w->now.normal[a][k] * w->velocity[a][k];
    v2 += w->velocity[a][k] * w->velocity[a][k];
  }
  const double root = sqrt(rv * rv + v2 * gap);
  if (rv < 0) return gap < dt * (root - rv) ? gap / (root - rv) : dt;
  return root + rv < dt * v2 ? (root + rv) / v2 : dt;
}

static double since_wall_met(const demi_workspace *w, int32_t k, double dt) {
  double speed = 0;
  for (int a = 0; a < 3; a++) speed -= w->now.normal[a][k] * w->velocity[a][k];
  return w->lanes.overlap[k] < dt * speed ? w->lanes.overlap[k] / speed : dt;
}

void DEMI_VARIANT_NAME(batch_age)(const demi_evaluation *e, demi_workspace *w, const demi_candidates *c, int walls) {
  const demi_contacts *contacts = e->contacts;
  const double live = demi_live_stamp(e), dt = e->dt;
  for (int32_t k = 0; k < c->count; k++) {
    if (contacts->history[(int64_t)c->pair[k] * contacts->stride] == live) continue;
    /* an overlap below 0 by rounding: the contact has just begun, age 0 */
    const double age = walls ? since_wall_met(w, k, dt) : since_pairs_met(w, c, k, dt);
    w->lanes.history_time[k] = age > 0 ? age : 0.0;
  }
}
