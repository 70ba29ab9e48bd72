/* One contact put through a law, for the checks of law_suite.c: states, walks through them, the forces of a probe. */
#ifndef TESTS_LAW_STATES_H
#define TESTS_LAW_STATES_H

#include "assertions.h"

#include "conformance/law_suite.h"
#include "scenes/scenes.h"
#include "vectors.h"

typedef struct suite {
  dem_context *context;
  const dem_law *law;
  const law_facts *facts;
  dem_bind bind;
  double mass, radius, overlap, stiffness; /* stiffness: f/d at the typical overlap */
  double speed;                            /* typical: overlap over a contact time */
} suite;

/* ---- vectors ---- */

static inline double length(const double *a) { return sqrt(dot(a, a)); }

static inline void normalise(double *a) {
  const double l = length(a);
  for (int k = 0; k < 3; k++) a[k] /= l;
}

/* Two unit vectors that span the plane normal to n. */
static inline void plane_of(const double *n, double *s, double *t) {
  const int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
  for (int k = 0; k < 3; k++) s[k] = (k == least) - n[least] * n[k];
  normalise(s);
  for (int k = 0; k < 3; k++) t[k] = n[(k + 1) % 3] * s[(k + 2) % 3] - n[(k + 2) % 3] * s[(k + 1) % 3];
}

/* ---- probing ---- */

static inline dem_probe contact(const suite *s, double overlap, double dt) {
  dem_probe p;
  memset(&p, 0, sizeof p);
  p.struct_size = sizeof p;
  p.dt = dt;
  p.overlap = overlap;
  p.effective_radius = s->radius;
  p.effective_mass = s->mass;
  p.normal[2] = 1;
  /* equal spheres: R*^2 2/I = R^2/4 2/(2/5 m R^2), m* = m/2 */
  p.inverse_inertia = 0.625 / (s->mass * s->radius * s->radius);
  return p;
}

static inline void evaluate(const suite *s, dem_probe *p) {
  const dem_status status = dem_law_probe(s->law, &s->bind, p);
  if (status) fail_msg("%s: probe refused with %s", s->facts->name, dem_status_name(status));
}

static inline double normal_force(const dem_probe *p) { return p->normal_elastic + p->normal_damping; }

/* With what a tangential part adds along the normal; Coulomb's limit is without. */
static inline double force_along_normal(const dem_probe *p) { return normal_force(p) + p->tangential_normal; }

static inline void tangential_force(const dem_probe *p, double f[3]) {
  for (int k = 0; k < 3; k++) f[k] = p->tangential_elastic[k] + p->tangential_damping[k];
}

static inline void rolling_force(const dem_probe *p, double f[3]) {
  for (int k = 0; k < 3; k++) f[k] = p->rolling_elastic[k] + p->rolling_damping[k];
}

static inline double twisting_torque(const dem_probe *p) { return p->twisting_elastic + p->twisting_damping; }

static inline void rolling_velocity(const dem_probe *p, double v[3]) {
  const double *n = p->normal, *w = p->turning;
  for (int k = 0; k < 3; k++) v[k] = -p->effective_radius * (n[(k + 1) % 3] * w[(k + 2) % 3] - n[(k + 2) % 3] * w[(k + 1) % 3]);
}

/* A reproducible walk of states of one contact: overlap, velocity, turning and time step of step i. */
static inline void walk(const suite *s, dem_probe *p, int i, dice *d) {
  double a[3], b[3];
  plane_of(p->normal, a, b);
  const double angle = dice_uniform(d, 0, 1) + 0.3 * i, vt = s->speed * dice_uniform(d, 0, 2);
  p->overlap = s->overlap * (1.2 + sin(0.4 * i)) * dice_uniform(d, 0.9, 1);
  /* where contacts hold across a gap, into it, but not to where derivatives have no bound */
  if (s->facts->gap > 0 && i % 4 == 3) p->overlap = s->facts->gap * dice_uniform(d, -0.8, 0.2);
  p->dt = dice_uniform(d, 0.005, 0.02) * s->overlap / s->speed;
  for (int k = 0; k < 3; k++)
    p->velocity[k] = s->speed * dice_uniform(d, -1, 1) * p->normal[k] + vt * (cos(angle) * a[k] + sin(angle) * b[k]);
  dice own = {500 + (uint64_t)i};
  const double turn = dice_uniform(&own, 0, 6) + 0.2 * i, rate = s->speed / s->radius;
  const double across = rate * dice_uniform(&own, 0, 1), along = rate * dice_uniform(&own, -1, 1);
  for (int k = 0; k < 3; k++) p->turning[k] = along * p->normal[k] + across * (cos(turn) * a[k] + sin(turn) * b[k]);
}

static inline void print_state(const suite *s, const dem_probe *p) {
  print_error("%s: overlap %g, velocity %g %g %g, normal %g %g %g, dt %g\n", s->facts->name, p->overlap, p->velocity[0],
              p->velocity[1], p->velocity[2], p->normal[0], p->normal[1], p->normal[2], p->dt);
}

#define HOLDS(condition)                                      \
  do {                                                        \
    if (!(condition)) {                                       \
      print_state(s, p);                                      \
      fail_msg("%s: not so: %s", s->facts->name, #condition); \
    }                                                         \
  } while (0)

/* ---- the checks, one file for each group ---- */

/* law_symmetries.c: frames, exchange of the bodies, rest, purity. */
void law_symmetries(const suite *s);

/* law_books.c: stored energies, slip and heat. */
void law_books(const suite *s);

/* law_derivatives.c: every derivative by differences. */
void law_derivatives(const suite *s);

#endif
