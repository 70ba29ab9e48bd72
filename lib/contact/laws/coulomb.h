/* What the tangential, rolling and twisting parts share: the Coulomb cap, |f_t| <= mu |f_n + adhesion|, and its derivatives; the
 * contact radius. */
#ifndef DEMI_COULOMB_H
#define DEMI_COULOMB_H

#include <math.h>

#include "laws.h"
#include "quotient.h"

/* Squared lengths below this count as zero; keeps 0/0 out of the lanes without a branch. */
#define DEMI_TINY 1e-300

/* The normal force that caps are a part of. */
static inline double demi_capping_force(const dem_batch *b, int32_t q) {
  return b->normal_elastic[q] + b->normal_damping[q] + b->adhesion[q];
}

static inline double demi_friction_limit(const dem_batch *b, double friction, int32_t q) {
  return friction * fabs(demi_capping_force(b, q));
}

/* Radius of the contact: the normal part's own, or that of Hertz. */
static inline double demi_contact_radius(const dem_batch *b, int32_t q) {
  return b->contact_radius ? b->contact_radius[q] : sqrt(b->effective_radius[q] * b->overlap[q]);
}

/* Its derivative by the overlap, with the other derivatives only. */
static inline double demi_contact_radius_slope(const dem_batch *b, int32_t q) {
  return b->contact_radius ? b->contact_radius_slope[q] : 0.5 * demi_contact_radius(b, q) / b->overlap[q];
}

/* Dashpot coefficient c_t at tangential stiffness k. */
static inline double demi_shear_viscosity(const demi_tangential_parameters *p, double k, double mass) {
  return p->coefficient + p->rate * mass + p->ratio * sqrt(k * mass);
}

/* ---- books of one lane, filled after the forces; see dem/energy.h. Without && and ||, which keep a loop from being vectorised
 * ---- */

#define DEMI_DOT(a, b, q) ((a)[0][q] * (b)[0][q] + (a)[1][q] * (b)[1][q] + (a)[2][q] * (b)[2][q])

/* Slip heat is -force.slip at the force after the step; weighing the slip makes it the mean of the forces before and after, and
 * so exact to second order in dt. ff: |force|^2; bf: before.force. */
static inline double demi_slip_weight(double ff, double bf) {
  const double ratio = demi_quotient(bf, ff, 1.0);
  return 0.5 + 0.5 * (ratio > 0 ? ratio : 0.0);
}

/* A slipping contact's dashpot lane joins the spring's: the same bits as the sum of both that makes the load. */
static inline void demi_join_dashpot(const dem_batch *b, int32_t q, int slips) {
  for (int a = 0; a < 3; a++) {
    const double e = b->tangential_elastic[a][q], d = b->tangential_damping[a][q];
    b->tangential_elastic[a][q] = slips ? e + d : e;
    b->tangential_damping[a][q] = slips ? 0.0 : d;
  }
}

/* What the spring still holds when the contact opens before the next evaluation, less the work that the present forces go on
 * doing; the speed then is exact where nothing else pushes. */
static inline double demi_left_at_end(const dem_batch *b, int32_t q, double stored, double push) {
  const double dt = b->dt, v = b->normal_velocity[q], f = b->normal_elastic[q] + b->normal_damping[q] + push;
  const double left = 0.5 * dt * (DEMI_DOT(b->tangential_velocity, b->tangential_elastic, q) + v * push);
  const int opens = b->overlap[q] <= (v + f / b->effective_mass[q] * dt) * dt;
  return demi_choose(opens & (stored > left), stored - left, 0.0);
}

/* Weighs the slip and books the end of a contact: where the cap falls to 0 with the overlap, the spring slips all it holds;
 * where a dashpot keeps the cap up, the law drops it. `taken`: path otherwise. */
static inline void demi_book_slip(const dem_batch *b, int32_t q, double weight, double taken, double end, int undamped) {
  const double ff = DEMI_DOT(b->tangential_elastic, b->tangential_elastic, q);
  const int slides = undamped & (b->normal_damping[q] == 0) & (ff > 0);
  const double more = demi_quotient_where(slides, end, ff, 0.0);
  for (int a = 0; a < 3; a++) b->slip[a][q] = weight * b->slip[a][q] - more * b->tangential_elastic[a][q];
  b->path[q] = taken + demi_choose(slides, 0.0, end);
}

/* d limit/d overlap, and d limit/d v_n. */
static inline double demi_limit_slope(const dem_batch *b, double friction, int32_t q) {
  return friction * (demi_capping_force(b, q) < 0 ? -1.0 : 1.0) * (b->normal_stiffness[q] + b->adhesion_slope[q]);
}
static inline double demi_limit_by_speed(const dem_batch *b, double friction, int32_t q) {
  return -friction * (demi_capping_force(b, q) < 0 ? -1.0 : 1.0) * b->normal_viscosity[q];
}

/* Derivatives of one lane. trial: uncapped force; by_velocity: a of -d trial/d v_t = a 1; by_overlap: d trial/d overlap. */
static inline void demi_coulomb_tangent(const dem_batch *b, double friction, int32_t q, const double trial[3],
                                        double by_velocity, const double by_overlap[3]) {
  const double size = sqrt(trial[0] * trial[0] + trial[1] * trial[1] + trial[2] * trial[2]);
  const double limit = demi_friction_limit(b, friction, q);
  const int slips = size > limit;
  const double scale = slips ? limit / size : 1.0;
  double along = 0;
  for (int a = 0; a < 3; a++) along += slips ? trial[a] / size * by_overlap[a] : 0.0;
  b->tangential_isotropic[q] = scale * by_velocity;
  b->tangential_along[q] = slips ? -scale * by_velocity : 0.0;
  for (int a = 0; a < 3; a++) {
    const double s = slips ? trial[a] / size : 0.0;
    b->tangential_overlap[a][q] = scale * (by_overlap[a] - along * s) + demi_limit_slope(b, friction, q) * s;
    b->tangential_normal_velocity[a][q] = demi_limit_by_speed(b, friction, q) * s;
  }
}

#endif
