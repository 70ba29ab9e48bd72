/* What the tangential, rolling and twisting parts share: the Coulomb cap, |f_t| <= mu F, F = friction_force, and its derivatives;
 * the contact radius. */
#ifndef DEMI_COULOMB_H
#define DEMI_COULOMB_H

#include <math.h>

#include "laws.h"
#include "quotient.h"

/* Squared lengths below this count as zero; keeps 0/0 out of the lanes without a branch. */
#define DEMI_TINY 1e-300

/* Radius of the contact: the normal part's own, or that of Hertz. */
static inline double demi_contact_radius(const dem_batch *b, int32_t q) {
  return b->contact_radius ? b->contact_radius[q] : sqrt(b->effective_radius[q] * b->overlap[q]);
}

/* Its derivative by the overlap, with the other derivatives only. */
static inline double demi_contact_radius_slope(const dem_batch *b, int32_t q) {
  return b->contact_radius ? b->contact_radius_slope[q] : 0.5 * demi_contact_radius(b, q) / b->overlap[q];
}

/* Dashpot coefficient c_t at tangential stiffness k, where k goes with the contact radius or nothing else does. */
static inline double demi_shear_viscosity(const demi_tangential_parameters *p, double k, double mass) {
  return p->coefficient + (p->rate + p->by_stiffness * k) * mass + p->ratio * sqrt(k * mass);
}

/* Its derivative by k. */
static inline double demi_shear_viscosity_slope(const demi_tangential_parameters *p, double k, double mass) {
  return p->by_stiffness * mass + 0.5 * p->ratio * sqrt(k * mass) / k;
}

/* The dashpot coefficient is proportional to the contact radius, k is constant. */
static inline int demi_dashpot_follows(const demi_tangential_parameters *p) { return p->by_radius > 0 || p->by_root > 0; }

/* That part of it at contact radius a, and its derivative by a. */
static inline double demi_following_viscosity(const demi_tangential_parameters *p, double a, double mass) {
  return p->by_radius * mass * a + p->by_root * sqrt(a * mass);
}
static inline double demi_following_slope(const demi_tangential_parameters *p, double a, double mass) {
  return p->by_radius * mass + 0.5 * p->by_root * sqrt(a * mass) / a;
}

/* Dashpot coefficient of a lane, and its derivative by the overlap. */
static inline double demi_dashpot(const demi_tangential_parameters *p, const dem_batch *b, int32_t q, double k) {
  const double m = b->effective_mass[q], plain = demi_shear_viscosity(p, k, m);
  return demi_dashpot_follows(p) ? plain + demi_following_viscosity(p, demi_contact_radius(b, q), m) : plain;
}
static inline double demi_dashpot_slope(const demi_tangential_parameters *p, const dem_batch *b, int32_t q, double k) {
  const double m = b->effective_mass[q];
  if (p->shear > 0) return p->shear * demi_shear_viscosity_slope(p, k, m) * demi_contact_radius_slope(b, q);
  if (!demi_dashpot_follows(p)) return 0.0;
  return demi_following_slope(p, demi_contact_radius(b, q), m) * demi_contact_radius_slope(b, q);
}

static inline int demi_is_damped(const demi_tangential_parameters *p) {
  return p->coefficient > 0 || p->rate > 0 || p->ratio > 0 || p->by_stiffness > 0 || demi_dashpot_follows(p);
}

/* What a slip of (1 - scale) of the uncapped force f = -k u - c v does to the spring and to the dashpot beside it: u grows by rest
 * f, the dashpot's force loses dash f. In series (DEM_SLIDER_SERIES) both give way together by the slip s = -rest f: u + v h - s,
 * -k u - c (v - s/h) is the capped force. Reset: the dashpot keeps its force, the spring takes up the rest. h: history_time. */
typedef struct demi_slip_division {
  double rest, dash;
} demi_slip_division;

static inline demi_slip_division demi_divide_slip(double excess, double k, double c, double h, int reset) {
  const int spring_alone = reset | !(c > 0);
  const double time = demi_choose(spring_alone, 1.0, h), viscous = demi_choose(spring_alone, 0.0, c);
  const double ratio = demi_quotient(excess, k * time + viscous, 0.0);
  return (demi_slip_division){ratio * time, ratio * viscous};
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

/* Adds the dashpot lane of a slipping contact to the spring lane. The sum has the bits of the load. */
static inline void demi_join_dashpot(const dem_batch *b, int32_t q, int slips) {
  for (int a = 0; a < 3; a++) {
    const double e = b->tangential_elastic[a][q], d = b->tangential_damping[a][q];
    b->tangential_elastic[a][q] = slips ? e + d : e;
    b->tangential_damping[a][q] = slips ? 0.0 : d;
  }
}

/* Energy of the spring when the contact opens before the next evaluation, less the work that the present forces do until
 * then. The speed at the opening is exact if no other force acts. */
static inline double demi_left_at_end(const dem_batch *b, int32_t q, double stored, double push) {
  const double dt = b->dt, v = b->normal_velocity[q], f = b->normal_elastic[q] + b->normal_damping[q] + push;
  const double left = 0.5 * dt * (DEMI_DOT(b->tangential_velocity, b->tangential_elastic, q) + v * push);
  const int opens = b->overlap[q] <= (v + f / b->effective_mass[q] * dt) * dt;
  return demi_choose(opens & (stored > left), stored - left, 0.0);
}

/* Weighs the slip and books the end of a contact: where the cap falls to 0 with the overlap, the spring slips all it holds;
 * where a dashpot keeps the cap up, the law drops it. `taken`: hysteresis otherwise. */
static inline void demi_book_slip(const dem_batch *b, int32_t q, double weight, double taken, double end, int undamped) {
  const double ff = DEMI_DOT(b->tangential_elastic, b->tangential_elastic, q);
  const int slides = undamped & (b->normal_damping[q] == 0) & (ff > 0);
  const double more = demi_quotient_where(slides, end, ff, 0.0);
  for (int a = 0; a < 3; a++) b->slip[a][q] = weight * b->slip[a][q] - more * b->tangential_elastic[a][q];
  b->hysteresis[q] = taken + demi_choose(slides, 0.0, end);
}

/* The cap of one lane, its d/d overlap and d/d v_n. */
typedef struct demi_cap {
  double limit, by_overlap, by_speed;
} demi_cap;

static inline demi_cap demi_cap_of(const dem_batch *b, double friction, int32_t q) {
  return (demi_cap){friction * b->friction_force[q], friction * b->friction_overlap[q],
                    friction * b->friction_normal_velocity[q]};
}

/* Derivatives of one lane. trial: uncapped force; by_velocity: a of -d trial/d v_t = a 1; by_overlap: d trial/d overlap. */
static inline void demi_coulomb_tangent(const dem_batch *b, demi_cap cap, int32_t q, const double trial[3], double by_velocity,
                                        const double by_overlap[3]) {
  const double size = sqrt(trial[0] * trial[0] + trial[1] * trial[1] + trial[2] * trial[2]);
  const int slips = size > cap.limit;
  const double scale = slips ? cap.limit / size : 1.0;
  double along = 0;
  for (int a = 0; a < 3; a++) along += slips ? trial[a] / size * by_overlap[a] : 0.0;
  b->tangential_isotropic[q] = scale * by_velocity;
  b->tangential_along[q] = slips ? -scale * by_velocity : 0.0;
  for (int a = 0; a < 3; a++) {
    const double s = slips ? trial[a] / size : 0.0;
    b->tangential_overlap[a][q] = scale * (by_overlap[a] - along * s) + cap.by_overlap * s;
    b->tangential_normal_velocity[a][q] = cap.by_speed * s;
  }
}

#endif
