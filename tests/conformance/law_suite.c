/* See law_suite.h. All checks but the last put single contacts through dem_law_probe.
 *
 * Bounds: exact symmetries are held to 1e-12 of the size of the force, a few hundred roundings; derivatives are compared with
 * central differences of relative width h = 1e-5, whose own errors are h^2 f'''/f' = 1e-10 and round-off 1e-16/h = 1e-11, at
 * the 1e-6 of the project. */
#include "law_suite.h"

#include "assertions.h"

#include <stdlib.h>

#include "scenes/scenes.h"

static const double EXACT = 1e-12, DERIVATIVE = 1e-6;

typedef struct suite {
  dem_context *context;
  const dem_law *law;
  const law_facts *facts;
  dem_bind bind;
  double mass, radius, overlap, stiffness; /* stiffness: f/d at the typical overlap */
  double speed;                            /* typical: overlap over a contact time */
  int checked;                             /* derivatives that could be compared */
} suite;

/* ---- vectors ---- */

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static double length(const double *a) { return sqrt(dot(a, a)); }

static void normalise(double *a) {
  const double l = length(a);
  for (int k = 0; k < 3; k++) a[k] /= l;
}

/* Two unit vectors that span the plane normal to n. */
static void plane_of(const double *n, double *s, double *t) {
  const int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
  for (int k = 0; k < 3; k++) s[k] = (k == least) - n[least] * n[k];
  normalise(s);
  for (int k = 0; k < 3; k++) t[k] = n[(k + 1) % 3] * s[(k + 2) % 3] - n[(k + 2) % 3] * s[(k + 1) % 3];
}

/* ---- probing ---- */

static dem_probe contact(const suite *s, double overlap, double dt) {
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

static void evaluate(const suite *s, dem_probe *p) {
  const dem_status status = dem_law_probe(s->law, &s->bind, p);
  if (status) fail_msg("%s: probe refused with %s", s->facts->name, dem_status_name(status));
}

static double normal_force(const dem_probe *p) { return p->normal_elastic + p->normal_damping; }

/* With what a tangential part adds along the normal; Coulomb's limit is without. */
static double force_along_normal(const dem_probe *p) { return normal_force(p) + p->tangential_normal; }

static void tangential_force(const dem_probe *p, double f[3]) {
  for (int k = 0; k < 3; k++) f[k] = p->tangential_elastic[k] + p->tangential_damping[k];
}

static void rolling_force(const dem_probe *p, double f[3]) {
  for (int k = 0; k < 3; k++) f[k] = p->rolling_elastic[k] + p->rolling_damping[k];
}

static double twisting_torque(const dem_probe *p) { return p->twisting_elastic + p->twisting_damping; }

static void rolling_velocity(const dem_probe *p, double v[3]) {
  const double *n = p->normal, *w = p->turning;
  for (int k = 0; k < 3; k++) v[k] = -p->effective_radius * (n[(k + 1) % 3] * w[(k + 2) % 3] - n[(k + 2) % 3] * w[(k + 1) % 3]);
}

static int rolls(const suite *s) { return s->facts->rolling_cap != 0; }
static int twists(const suite *s) { return s->facts->twisting_cap != 0; }

/* A reproducible walk of states of one contact: overlap, velocity, turning and time step of step i. */
static void walk(const suite *s, dem_probe *p, int i, dice *d) {
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

static void print_state(const suite *s, const dem_probe *p) {
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

/* ---- checks ---- */

/* Force, but for adhesion, and energy end with the contact; nothing moves, nothing dissipates. */
static void vanishes_at_touch(const suite *s) {
  dem_probe near = contact(s, s->overlap * 1e-9, 0), at = contact(s, s->overlap, 0), *p = &near;
  evaluate(s, &near);
  evaluate(s, &at);
  HOLDS(at.normal_elastic > 0);
  HOLDS(at.adhesion >= 0 && near.adhesion >= 0);
  HOLDS(s->facts->gap > 0 || fabs(near.normal_elastic + near.adhesion) <= 1e-6 * at.normal_elastic);
  HOLDS(at.normal_damping == 0 && near.normal_damping == 0);
  HOLDS(length(at.tangential_elastic) == 0 && length(at.tangential_damping) == 0 && at.sliding == 0);
  HOLDS(isnan(at.normal_energy) ||
        fabs(near.normal_energy) <= 1e-12 * fabs(at.normal_energy) + 1e-9 * at.adhesion * s->overlap);
  HOLDS(at.history_count >= 0 && at.history_count <= DEM_HISTORY_CAPACITY);
}

/* The same contact seen in another frame: every step of a walk gives the same force, turned. */
static void turns_with_the_frame(const suite *s) {
  static const double m[3][3] = {
      {-20 / 30., 4 / 30., 22 / 30.}, {20 / 30., -10 / 30., 20 / 30.}, {10 / 30., 28 / 30., 4 / 30.}};
  dem_probe here = contact(s, s->overlap, 0), there = here, *p = &there;
  dice d = {1};
  for (int k = 0; k < 3; k++) there.normal[k] = m[k][2];
  for (int i = 0; i < 60; i++) {
    double a[3], b[3], size;
    walk(s, &here, i, &d);
    there.overlap = here.overlap;
    there.dt = here.dt;
    for (int k = 0; k < 3; k++) there.velocity[k] = dot(m[k], here.velocity);
    for (int k = 0; k < 3; k++) there.turning[k] = dot(m[k], here.turning);
    evaluate(s, &here);
    evaluate(s, &there);
    tangential_force(&here, a);
    tangential_force(&there, b);
    size = fabs(normal_force(&here)) + s->stiffness * s->overlap;
    HOLDS(fabs(normal_force(&here) - normal_force(&there)) <= EXACT * size);
    for (int k = 0; k < 3; k++) HOLDS(fabs(dot(m[k], a) - b[k]) <= EXACT * 60 * size);
    HOLDS(fabs(here.sliding - there.sliding) <= EXACT * 60 * size * s->overlap);
    for (int k = 0; k < 3; k++) HOLDS(fabs(dot(m[k], here.moment) - there.moment[k]) <= EXACT * 60 * size * s->radius);
    HOLDS(fabs(here.rolling_sliding - there.rolling_sliding) <= EXACT * 60 * size * s->overlap);
    HOLDS(fabs(here.twisting_sliding - there.twisting_sliding) <= EXACT * 60 * size * s->overlap);
  }
}

/* i and j change places: normal, velocity, turning, force and moment turn sign, sizes stay. */
static void swaps_with_the_bodies(const suite *s) {
  dem_probe ij = contact(s, s->overlap, 0), ji = ij, *p = &ji;
  dice d = {2};
  ji.normal[2] = -1;
  for (int i = 0; i < 60; i++) {
    double a[3], b[3], size;
    walk(s, &ij, i, &d);
    ji.overlap = ij.overlap;
    ji.dt = ij.dt;
    for (int k = 0; k < 3; k++) ji.velocity[k] = -ij.velocity[k];
    for (int k = 0; k < 3; k++) ji.turning[k] = -ij.turning[k];
    evaluate(s, &ij);
    evaluate(s, &ji);
    tangential_force(&ij, a);
    tangential_force(&ji, b);
    size = fabs(normal_force(&ij)) + s->stiffness * s->overlap;
    HOLDS(fabs(normal_force(&ij) - normal_force(&ji)) <= EXACT * size);
    for (int k = 0; k < 3; k++) HOLDS(fabs(a[k] + b[k]) <= EXACT * size);
    for (int k = 0; k < 3; k++) HOLDS(fabs(ij.moment[k] + ji.moment[k]) <= EXACT * size * s->radius);
    /* neither pseudo-force nor torque does: both are products of two that turn */
    for (int k = 0; k < 3; k++) HOLDS(fabs(ij.rolling_elastic[k] - ji.rolling_elastic[k]) <= EXACT * size);
    HOLDS(fabs(ij.twisting_elastic - ji.twisting_elastic) <= EXACT * size * s->radius);
  }
}

/* Bodies that turn alike meet no resistance, however they turn. */
static void rests_when_bodies_turn_alike(const suite *s) {
  dem_probe at = contact(s, s->overlap, 0.01 * s->overlap / s->speed), *p = &at;
  for (int i = 0; i < 5; i++) {
    evaluate(s, &at);
    HOLDS(length(at.moment) == 0 && at.rolling_sliding == 0 && at.twisting_sliding == 0);
  }
}

/* The law keeps nothing for itself: the same contact gives the same bits whatever was evaluated between. */
static void is_a_pure_function(const suite *s) {
  dem_probe start = contact(s, s->overlap, 0), *p = &start;
  dice d = {3};
  for (int i = 0; i < 20; i++) {
    walk(s, &start, i, &d);
    dem_probe once = start, other = contact(s, 2 * s->overlap, 0.1 * s->overlap / s->speed), again = start;
    other.velocity[0] = s->speed;
    evaluate(s, &once);
    evaluate(s, &other);
    evaluate(s, &again);
    HOLDS(memcmp(&once, &again, sizeof once) == 0);
    start = once;
  }
}

/* An evaluation with dt = 0 at the state just reached leaves the history and the force. */
static void rests_when_time_stands(const suite *s) {
  dem_probe moved = contact(s, s->overlap, 0), *p = &moved;
  dice d = {4};
  double largest = 0; /* history so far: what a value near 0 is to be compared with */
  for (int i = 0; i < 40; i++) {
    double a[3], b[3];
    walk(s, &moved, i, &d);
    evaluate(s, &moved);
    for (int k = 0; k < moved.history_count; k++) largest = fmax(largest, fabs(moved.history[k]));
    dem_probe still = moved;
    still.dt = 0;
    evaluate(s, &still);
    tangential_force(&moved, a);
    tangential_force(&still, b);
    double size = s->stiffness * s->overlap + fabs(normal_force(&moved));
    for (int k = 0; k < 3; k++) HOLDS(fabs(a[k] - b[k]) <= EXACT * size);
    for (int k = 0; k < 3; k++) HOLDS(fabs(moved.moment[k] - still.moment[k]) <= EXACT * size * s->radius);
    for (int k = 0; k < moved.history_count; k++) HOLDS(fabs(still.history[k] - moved.history[k]) <= EXACT * largest);
    HOLDS(still.sliding <= EXACT * size * s->overlap);
  }
}

/* The slip behind the heat: along the force, against which it was made. */
static void slip_of(const dem_probe *p, double slip[3]) {
  double f[3];
  tangential_force(p, f);
  const double square = dot(f, f);
  for (int k = 0; k < 3; k++) slip[k] = square > 0 ? -p->sliding / square * f[k] : 0;
}

/* What the dashpot turns into heat in dt: its force times what it moves, which is all but the slip. */
static double dashpot_heat(const dem_probe *p) {
  double slip[3], moved[3];
  slip_of(p, slip);
  const double vn = dot(p->velocity, p->normal);
  for (int k = 0; k < 3; k++) moved[k] = (p->velocity[k] - vn * p->normal[k]) * p->dt - slip[k];
  return -dot(p->tangential_damping, moved);
}

/* Bounds of rolling and twisting, and heats that are never negative. */
static void resists_within_its_caps(const suite *s, const dem_probe *p, double size) {
  const double contact = isnan(p->contact_radius) ? sqrt(s->radius * p->overlap) : p->contact_radius;
  const double fn = fabs(normal_force(p) + p->adhesion), a = s->facts->marshall ? contact : s->radius;
  const double tiny = EXACT * size, t = twisting_torque(p), small = tiny * s->speed * p->dt;
  double f[3], v[3];
  rolling_force(p, f);
  rolling_velocity(p, v);
  if (s->facts->rolling_cap >= 0) HOLDS(length(f) <= s->facts->rolling_cap * fn * (1 + EXACT) + tiny);
  if (s->facts->twisting_cap >= 0) HOLDS(fabs(t) <= s->facts->twisting_cap * a * fn * (1 + EXACT) + tiny * s->radius);
  HOLDS(fabs(dot(f, p->normal)) <= tiny);
  HOLDS(p->rolling_sliding >= 0 && p->twisting_sliding >= 0);
  const double square = dot(f, f), along = square > 0 ? p->rolling_sliding / square * dot(f, p->rolling_damping) : 0;
  if (length(f) > tiny) HOLDS(-dot(p->rolling_damping, v) * p->dt - along >= -small);
  const double turned = t != 0 ? -p->twisting_sliding / t : 0, rate = dot(p->turning, p->normal);
  if (fabs(t) > tiny * s->radius) HOLDS(-p->twisting_damping * (rate * p->dt - turned) >= -small);
  HOLDS(!(p->rolling_energy < 0) && !(p->twisting_energy < 0));
}

/* Coulomb's bound, heat that is never negative, force in the contact plane. */
static void slides_as_coulomb_says(const suite *s) {
  dem_probe moved = contact(s, s->overlap, 0), *p = &moved;
  dice d = {5};
  double heat = 0;
  for (int i = 0; i < 400; i++) {
    double f[3];
    walk(s, &moved, i, &d);
    evaluate(s, &moved);
    tangential_force(&moved, f);
    const double size = fabs(normal_force(&moved)) + s->stiffness * s->overlap;
    if (s->facts->friction >= 0)
      HOLDS(length(f) <= s->facts->friction * fabs(normal_force(&moved) + moved.adhesion) * (1 + EXACT) + EXACT * size);
    HOLDS(fabs(dot(f, moved.normal)) <= EXACT * size);
    HOLDS(moved.sliding >= 0);
    /* where the force is nothing but round-off, it does not tell the slip */
    if (length(f) > EXACT * size) HOLDS(dashpot_heat(&moved) >= -EXACT * size * s->speed * moved.dt);
    HOLDS(!(moved.tangential_energy < 0) && (!(moved.normal_energy < 0) || moved.adhesion > 0));
    resists_within_its_caps(s, &moved, size);
    heat += moved.sliding;
  }
  HOLDS(isfinite(heat));
}

/* Stored energy of the normal part = integral of its elastic force, d = x^2 to tame a square root at touch; Simpson's rule. */
static void normal_energy_is_work(const suite *s) {
  enum { PANELS = 400 };
  dem_probe at = contact(s, s->overlap, 0), *p = &at;
  double sum = 0;
  evaluate(s, &at);
  if (isnan(at.normal_energy)) return;
  for (int i = 1; i <= PANELS; i++) {
    const double x = sqrt(s->overlap) * i / PANELS;
    dem_probe q = contact(s, x * x, 0);
    evaluate(s, &q);
    sum += (i == PANELS ? 1 : i % 2 ? 4 : 2) * q.normal_elastic * 2 * x;
  }
  sum *= sqrt(s->overlap) / PANELS / 3;
  /* Simpson is exact for the cubic of Hooke and leaves (1/400)^4 of a quartic: 4e-11. */
  HOLDS(fabs(sum - at.normal_energy) <= 1e-9 * (fabs(at.normal_energy) + at.adhesion * s->overlap));
}

/* The elastic normal force is the slope of its energy, also across a gap. */
static void normal_force_is_slope(const suite *s) {
  const double h = 1e-5 * s->overlap;
  dem_probe moved = contact(s, s->overlap, 0), *p = &moved;
  dice d = {7};
  for (int i = 0; i < 60; i++) {
    walk(s, &moved, i, &d);
    dem_probe at = contact(s, moved.overlap, 0), up = contact(s, moved.overlap + h, 0), down = contact(s, moved.overlap - h, 0);
    evaluate(s, &at);
    if (isnan(at.normal_energy)) return;
    evaluate(s, &up);
    evaluate(s, &down);
    const double slope = (up.normal_energy - down.normal_energy) / (2 * h);
    HOLDS(fabs(slope - at.normal_elastic) <= DERIVATIVE * (fabs(at.normal_elastic) + at.adhesion));
  }
}

/* At constant overlap and without slip, the stored tangential energy = work done against the elastic force: by the
 * trapezoidal rule, exact for a spring whose stiffness depends on the overlap only. Slow, so that no cap is reached. */
static void tangential_energy_is_work(const suite *s) {
  if (s->facts->friction == 0) return; /* slips at once, without heat to tell */
  dem_probe at = contact(s, s->overlap, 0), *p = &at;
  const double dt = 1e-3 * s->overlap / s->speed;
  double work = 0, before[3] = {0, 0, 0};
  for (int i = 0; i < 50; i++) {
    at.dt = dt;
    at.velocity[0] = 0.2 * s->speed * cos(0.1 * i);
    at.velocity[1] = 0.2 * s->speed * sin(0.1 * i);
    evaluate(s, &at);
    if (isnan(at.tangential_energy) || at.sliding > 0) return;
    for (int k = 0; k < 3; k++) work -= (at.tangential_elastic[k] + before[k]) / 2 * at.velocity[k] * dt;
    memcpy(before, at.tangential_elastic, sizeof before);
  }
  HOLDS(fabs(work - at.tangential_energy) <= 1e-9 * fabs(work));
}

/* A smooth motion through `steps` steps: what the tangential part stored in the end, less what work, slip and hysteresis say, as the
 * engine books them: spring work at the mean of the forces before and after each step. */
static double stored_but_not_booked(const suite *s, int steps, double *turnover) {
  const double duration = 2 * s->overlap / s->speed, dt = duration / steps;
  dem_probe p = contact(s, s->overlap, 0);
  double before[3] = {0, 0, 0}, pushed = 0, booked = 0, slip[3];
  *turnover = 0;
  for (int i = 0; i < steps; i++) {
    const double x = (i + 0.5) / steps, old = p.overlap;
    p.dt = dt;
    p.overlap = s->overlap * (1 + 0.6 * sin(6.0 * (i + 1) / steps));
    if (i == 0) p.overlap = s->overlap;
    p.velocity[0] = 0.5 * s->speed * cos(5 * x);
    p.velocity[1] = 0.3 * s->speed * sin(7 * x);
    p.velocity[2] = i == 0 ? 0 : (old - p.overlap) / dt;
    evaluate(s, &p);
    if (isnan(p.tangential_energy)) return 0;
    slip_of(&p, slip);
    double work = -0.5 * (pushed + p.tangential_normal) * p.velocity[2] * dt;
    for (int k = 0; k < 2; k++) work -= 0.5 * (before[k] + p.tangential_elastic[k]) * p.velocity[k] * dt;
    booked += work + dot(p.tangential_elastic, slip) - p.hysteresis;
    *turnover += fabs(work) + p.sliding + fabs(p.hysteresis);
    memcpy(before, p.tangential_elastic, sizeof before);
    pushed = p.tangential_normal;
  }
  return p.tangential_energy - booked;
}

/* Where the cap is 0 only the rounding of forces that cancel is turned over. */
static double rounding_of(const suite *s) {
  const dem_probe p = contact(s, s->overlap, 0);
  return 1e-15 * p.effective_mass * s->speed * s->speed;
}

/* The difference vanishes with the step, at first order or better; and is small beside what was turned over. */
static void books_what_it_stores(const suite *s) {
  double turnover;
  const dem_probe at = contact(s, s->overlap, 0), *p = &at;
  const double coarse = fabs(stored_but_not_booked(s, 400, &turnover)), fine = fabs(stored_but_not_booked(s, 3200, &turnover));
  if (coarse > 0.02 * turnover + rounding_of(s) || fine > coarse / 4 + 1e-5 * turnover + rounding_of(s))
    print_error("stored but not booked: %g in 400 steps, %g in 3200, of %g\n", coarse, fine, turnover);
  HOLDS(coarse <= 0.02 * turnover + rounding_of(s));
  HOLDS(fine <= coarse / 4 + 1e-5 * turnover + rounding_of(s));
}

/* The same of rolling (0) and twisting (1). */
static double turning_not_booked(const suite *s, int twisting, int steps, double *turnover) {
  const double duration = 2 * s->overlap / s->speed, dt = duration / steps, rate = s->speed / s->radius;
  dem_probe p = contact(s, s->overlap, 0);
  double before[3] = {0, 0, 0}, booked = 0;
  *turnover = 0;
  for (int i = 0; i < steps; i++) {
    const double x = (i + 0.5) / steps, old = p.overlap;
    double f[3], v[3], e[3];
    p.dt = dt;
    p.overlap = s->overlap * (1 + 0.6 * sin(6.0 * (i + 1) / steps));
    if (i == 0) p.overlap = s->overlap;
    p.turning[0] = 0.5 * rate * cos(5 * x);
    p.turning[1] = 0.3 * rate * sin(7 * x);
    p.turning[2] = 0.6 * rate * cos(6 * x);
    p.velocity[2] = i == 0 ? 0 : (old - p.overlap) / dt;
    evaluate(s, &p);
    if (isnan(twisting ? p.twisting_energy : p.rolling_energy)) return 0;
    rolling_velocity(&p, v);
    rolling_force(&p, f);
    memcpy(e, p.rolling_elastic, sizeof e);
    if (twisting) {
      const double along[3] = {0, 0, p.turning[2]}, torque[3] = {0, 0, twisting_torque(&p)};
      memcpy(v, along, sizeof v);
      memcpy(f, torque, sizeof f);
      e[0] = e[1] = 0, e[2] = p.twisting_elastic;
    }
    const double heat = twisting ? p.twisting_sliding : p.rolling_sliding,
                 hysteresis = twisting ? p.twisting_hysteresis : p.rolling_hysteresis;
    const double square = dot(f, f);
    double work = 0;
    for (int k = 0; k < 3; k++) work -= 0.5 * (before[k] + e[k]) * v[k] * dt;
    booked += work - hysteresis - (square > 0 ? heat / square * dot(e, f) : 0);
    *turnover += fabs(work) + heat + fabs(hysteresis);
    memcpy(before, e, sizeof before);
  }
  return (twisting ? p.twisting_energy : p.rolling_energy) - booked;
}

static void books_what_turning_stores(const suite *s) {
  for (int twisting = 0; twisting < 2; twisting++) {
    double turnover;
    const dem_probe at = contact(s, s->overlap, 0), *p = &at;
    const double coarse = fabs(turning_not_booked(s, twisting, 400, &turnover));
    const double fine = fabs(turning_not_booked(s, twisting, 3200, &turnover));
    const double rounding = rounding_of(s);
    if (coarse > 0.02 * turnover + rounding || fine > coarse / 4 + 1e-5 * turnover + rounding)
      print_error("twisting %d, stored but not booked: %g in 400 steps, %g in 3200, of %g\n", twisting, coarse, fine, turnover);
    HOLDS(coarse <= 0.02 * turnover + rounding);
    HOLDS(fine <= coarse / 4 + 1e-5 * turnover + rounding);
  }
}

/* A tangential part whose spring pushes along the normal does so as its energy says, at fixed displacement. */
static void pushes_as_its_energy_says(const suite *s) {
  const double h = 1e-5 * s->overlap;
  dem_probe at = contact(s, s->overlap, 0), *p = &at;
  at.dt = 1e-3 * s->overlap / s->speed;
  at.velocity[0] = 0.2 * s->speed;
  evaluate(s, &at);
  if (at.tangential_normal == 0) return;
  memset(at.velocity, 0, sizeof at.velocity);
  at.dt = 0;
  dem_probe up = at, down = at;
  up.overlap += h;
  down.overlap -= h;
  evaluate(s, &at);
  evaluate(s, &up);
  evaluate(s, &down);
  if (at.sliding > 0 || up.sliding > 0 || down.sliding > 0) return;
  HOLDS(at.tangential_normal > 0);
  HOLDS(fabs((up.tangential_energy - down.tangential_energy) / (2 * h) - at.tangential_normal) <=
        DERIVATIVE * at.tangential_normal);
}

/* ---- derivatives ---- */

typedef double (*measure_fn)(const dem_probe *p, const double *axis);

static double measure_normal(const dem_probe *p, const double *axis) {
  (void)axis;
  return force_along_normal(p);
}

static double measure_tangential(const dem_probe *p, const double *axis) {
  double f[3];
  tangential_force(p, f);
  return dot(f, axis);
}

static double measure_rolling(const dem_probe *p, const double *axis) {
  double f[3];
  rolling_force(p, f);
  return dot(f, axis);
}

static double measure_twisting(const dem_probe *p, const double *axis) {
  (void)axis;
  return twisting_torque(p);
}

/* The same torque, moved by the velocity of the contact point. */
static double measure_twisting_by_approach(const dem_probe *p, const double *axis) { return measure_twisting(p, axis); }

/* What a measure's `velocity` is: of the contact point, or what rolls, or what twists (times R*). */
static void shift_motion(dem_probe *q, measure_fn measure, const double *v, double amount) {
  const double *n = q->normal;
  const double vn = dot(v, n);
  const int turning = measure == measure_rolling || measure == measure_twisting;
  for (int k = 0; k < 3; k++) q->velocity[k] += amount * (turning ? (measure == measure_rolling ? vn * n[k] : 0) : v[k]);
  for (int k = 0; k < 3; k++) {
    const double across = (n[(k + 1) % 3] * v[(k + 2) % 3] - n[(k + 2) % 3] * v[(k + 1) % 3]) / q->effective_radius;
    if (measure == measure_rolling) q->turning[k] += amount * across;
    if (measure == measure_twisting) q->turning[k] += amount * v[k] / q->effective_radius;
  }
}

static double shifted(const suite *s, const dem_probe *at, measure_fn measure, const double *axis, double overlap,
                      const double *velocity, double amount) {
  dem_probe q = *at;
  q.overlap += amount * overlap;
  if (velocity) shift_motion(&q, measure, velocity, amount);
  evaluate(s, &q);
  return measure(&q, axis);
}

/* Compares a derivative along (overlap, velocity), unless the state sits on a kink: where the two one-sided differences
 * disagree by more than a smooth function's could, there is no derivative. */
static void compare(suite *s, const dem_probe *at, double claimed, measure_fn measure, const double *axis, double overlap,
                    const double *velocity, double size) {
  const double h = 1e-5, scale = overlap > 0 ? s->overlap : s->speed;
  double o = overlap * scale, v[3];
  for (int k = 0; velocity && k < 3; k++) v[k] = velocity[k] * scale;
  const double up = shifted(s, at, measure, axis, o, velocity ? v : NULL, h);
  const double down = shifted(s, at, measure, axis, o, velocity ? v : NULL, -h);
  const double middle = shifted(s, at, measure, axis, o, velocity ? v : NULL, 0);
  const double forward = (up - middle) / (h * scale), backward = (middle - down) / (h * scale);
  if (fabs(forward - backward) > 1e-3 * size) return;
  const double central = (up - down) / (2 * h * scale);
  s->checked++;
  if (fabs(central - claimed) <= DERIVATIVE * size) return;
  print_state(s, at);
  fail_msg("%s: derivative %g, differences give %g (size %g; overlap part %g)", s->facts->name, claimed, central, size,
           overlap);
}

/* -d f_t/d v_t = a (1 - nn) + b ss, applied to a direction in the plane. */
static double tangent_along(const dem_probe *at, const double *out, const double *in) {
  double f[3], s[3] = {0, 0, 0};
  tangential_force(at, f);
  const double l = length(f);
  for (int k = 0; k < 3 && l > 0; k++) s[k] = f[k] / l;
  return -(at->tangential_isotropic * dot(out, in) + at->tangential_along * dot(out, s) * dot(s, in));
}

static void compare_rolling(suite *s, const dem_probe *start, const dem_probe *at) {
  double a[3], b[3], f[3], v[3], t[3] = {0, 0, 0};
  plane_of(at->normal, a, b);
  rolling_force(at, f);
  rolling_velocity(start, v);
  /* a force along v_r/|v_r| bends within |v_r|: steps small beside it */
  const double part = fmin(1, fmax(length(v) / s->speed, 1e-3));
  const double *plane[2] = {a, b}, l = length(f);
  for (int k = 0; k < 3 && l > 0; k++) t[k] = f[k] / l;
  const double per_overlap = fabs(at->normal_stiffness) + s->stiffness;
  const double per_speed = fabs(at->normal_viscosity) + fabs(at->rolling_isotropic) + s->stiffness * at->dt;
  for (int out = 0; out < 2; out++) {
    compare(s, start, dot(at->rolling_overlap, plane[out]), measure_rolling, plane[out], 1, NULL, per_overlap);
    compare(s, start, dot(at->rolling_normal_velocity, plane[out]), measure_rolling, plane[out], 0, at->normal, per_speed);
    for (int in = 0; in < 2; in++) {
      const double slope = at->rolling_isotropic * (out == in) + at->rolling_along * dot(plane[out], t) * dot(t, plane[in]);
      double step[3];
      for (int k = 0; k < 3; k++) step[k] = part * plane[in][k];
      compare(s, start, -slope * part, measure_rolling, plane[out], 0, step, per_speed * part);
    }
  }
}

static void compare_twisting(suite *s, const dem_probe *start, const dem_probe *at) {
  const double per_overlap = s->radius * (fabs(at->normal_stiffness) + s->stiffness), r = s->radius;
  const double per_speed = fabs(at->twisting_viscosity) / r + r * (fabs(at->normal_viscosity) + s->stiffness * at->dt);
  compare(s, start, at->twisting_overlap, measure_twisting, NULL, 1, NULL, per_overlap);
  compare(s, start, -at->twisting_viscosity / r, measure_twisting, NULL, 0, at->normal, per_speed);
  compare(s, start, at->twisting_normal_velocity, measure_twisting_by_approach, NULL, 0, at->normal, per_speed);
}

static void compare_all(suite *s, const dem_probe *start, const dem_probe *at) {
  double a[3], b[3];
  plane_of(at->normal, a, b);
  const double per_overlap = fabs(at->normal_stiffness) + s->stiffness;
  const double per_speed = fabs(at->normal_viscosity) + fabs(at->tangential_isotropic) + s->stiffness * at->dt;
  compare(s, start, at->normal_stiffness, measure_normal, NULL, 1, NULL, per_overlap);
  compare(s, start, -at->normal_viscosity, measure_normal, NULL, 0, at->normal, per_speed);
  const double *plane[2] = {a, b};
  for (int out = 0; out < 2; out++) {
    compare(s, start, dot(at->tangential_overlap, plane[out]), measure_tangential, plane[out], 1, NULL, per_overlap);
    compare(s, start, dot(at->tangential_normal_velocity, plane[out]), measure_tangential, plane[out], 0, at->normal,
            per_speed);
    for (int in = 0; in < 2; in++)
      compare(s, start, tangent_along(at, plane[out], plane[in]), measure_tangential, plane[out], 0, plane[in], per_speed);
  }
}

static void derivatives_are_differences(suite *s) {
  dem_probe start = contact(s, s->overlap, 0);
  dice d = {6};
  for (int i = 0; i < 120; i++) {
    walk(s, &start, i, &d);
    /* Now and then slow, so that the spring sticks. */
    if (i % 3 == 0)
      for (int k = 0; k < 3; k++) start.velocity[k] *= 0.02, start.turning[k] *= 0.02;
    dem_probe at = start;
    evaluate(s, &at);
    if (isnan(at.normal_stiffness) && isnan(at.tangential_isotropic)) return;
    compare_all(s, &start, &at);
    if (rolls(s)) compare_rolling(s, &start, &at);
    if (twists(s)) compare_twisting(s, &start, &at);
    memcpy(start.history, at.history, sizeof start.history);
  }
  if (s->checked < 120 * 6) fail_msg("%s: only %d of %d derivatives were comparable", s->facts->name, s->checked, 120 * 8);
}

/* ---- many contacts at once ---- */

enum { PAIRS = 150 };

static void add_pair(rows *r, const suite *s, int i, dice *d) {
  const double radius = 2 * s->radius, x = 20 * radius * i,
               density = 3 * s->mass / (2 * 3.14159265358979 * radius * radius * radius);
  double v[6];
  for (int k = 0; k < 6; k++) v[k] = s->speed * dice_uniform(d, -1, 1);
  const double gap = s->overlap * dice_uniform(d, 0.2, 1.5);
  const int64_t a = rows_put(r, x, 0, 0, radius), b = rows_put(r, x + 2 * radius - gap, 0, 0, radius);
  r->density[a] = r->density[b] = density;
  rows_velocity(r, a, v[0], v[1], v[2]);
  rows_velocity(r, b, v[3], v[4], v[5]);
  rows_spin(r, a, v[3] / radius, v[0] / radius, v[4] / radius);
  rows_spin(r, b, v[1] / radius, v[2] / radius, v[5] / radius);
}

/* Forces after a few steps of the pairs from `first` to `last`, all in one system. */
static void run_pairs(const suite *s, int first, int last, double *force) {
  dem_system_options o;
  dem_material m;
  dem_system *system;
  rows r;
  dem_system_options_init(&o, sizeof o);
  o.dt = 0.01 * s->overlap / s->speed;
  assert_int_equal(dem_system_create(s->context, &o, &system), DEM_OK);
  dem_material_init(&m, sizeof m);
  m.young = s->facts->young;
  if (m.young > 0) m.poisson = s->facts->poisson;
  ASSERT_OK(system, dem_system_add_material(system, &m, NULL));
  ASSERT_OK(system, dem_system_set_law(system, 0, 0, s->law));
  assert_int_equal(rows_create(&r, 2 * (last - first)), 0);
  for (int i = first; i < last; i++) {
    dice d = {1000 + (uint64_t)i};
    add_pair(&r, s, i, &d);
  }
  ASSERT_OK(system, rows_add(&r, system, NULL));
  ASSERT_OK(system, dem_system_step(system, 5));
  ASSERT_OK(system, dem_system_get_field(system, DEM_FORCE, r.count, NULL, force, 0));
  rows_destroy(&r);
  dem_system_destroy(system);
}

/* A contact does not see its neighbours in the batch: alone it gets the same bits. */
static void lanes_are_independent(const suite *s) {
  static double together[6 * PAIRS], alone[6];
  run_pairs(s, 0, PAIRS, together);
  for (int i = 0; i < PAIRS; i += 7) {
    run_pairs(s, i, i + 1, alone);
    for (int k = 0; k < 6; k++)
      if (alone[k] != together[6 * i + k])
        fail_msg("%s: pair %d, component %d: alone %.17g, in a batch %.17g", s->facts->name, i, k, alone[k],
                 together[6 * i + k]);
  }
}

/* ---- */

void law_bind(const law_facts *facts, dem_bind *bind) {
  const double y = facts->young, nu = facts->poisson;
  memset(bind, 0, sizeof *bind);
  bind->struct_size = sizeof *bind;
  if (!(y > 0)) return;
  bind->effective_young = y / (2 * (1 - nu * nu));
  bind->effective_shear = y / (4 * (2 - nu) * (1 + nu));
  bind->shear_ratio = 4 * bind->effective_shear / bind->effective_young;
}

void law_conformance(dem_context *context, const dem_law *law, const law_facts *facts) {
  suite s = {.context = context, .law = law, .facts = facts, .mass = 0.5, .radius = 0.25, .overlap = 0.01};
  if (facts->mass > 0) s.mass = facts->mass;
  if (facts->radius > 0) s.radius = facts->radius;
  if (facts->overlap > 0) s.overlap = facts->overlap;
  law_bind(facts, &s.bind);
  dem_probe p = contact(&s, s.overlap, 0);
  evaluate(&s, &p);
  s.stiffness = p.normal_elastic / s.overlap;
  assert_true(s.stiffness > 0);
  s.speed = s.overlap * sqrt(s.stiffness / s.mass);
  vanishes_at_touch(&s);
  turns_with_the_frame(&s);
  swaps_with_the_bodies(&s);
  is_a_pure_function(&s);
  rests_when_time_stands(&s);
  rests_when_bodies_turn_alike(&s);
  slides_as_coulomb_says(&s);
  normal_energy_is_work(&s);
  normal_force_is_slope(&s);
  books_what_it_stores(&s);
  books_what_turning_stores(&s);
  pushes_as_its_energy_says(&s);
  tangential_energy_is_work(&s);
  derivatives_are_differences(&s);
  lanes_are_independent(&s);
}
