/* Stored energies, slip, heats and the limits of friction. Derivatives of energies are compared with central differences of relative
 * width h = 1e-5, whose own errors are h^2 f'''/f' = 1e-10 and round-off 1e-16/h = 1e-11, at 1e-6. */
#include "law_states.h"

static const double EXACT = 1e-12, DERIVATIVE = 1e-6;

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

/* The same of rolling (0) and twisting (1). `stuck`: the largest difference of a single step without slip. There the books are exact for a
 * step of any length, since a spring's stiffness depends on the overlap alone: 0.5 (k' a' + k a)(a - a') = (k a^2 - k' a'^2)/2 +
 * 0.5 (k' - k) a' a, with ' for the step before; the last term is hysteresis. */
static double turning_not_booked(const suite *s, int twisting, int steps, double *turnover, double *stuck) {
  const double duration = 2 * s->overlap / s->speed, dt = duration / steps, rate = s->speed / s->radius;
  dem_probe p = contact(s, s->overlap, 0);
  double before[3] = {0, 0, 0}, booked = 0, stored_before = 0;
  *turnover = *stuck = 0;
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
    const double energy = twisting ? p.twisting_energy : p.rolling_energy;
    booked += work - hysteresis - (square > 0 ? heat / square * dot(e, f) : 0);
    *turnover += fabs(work) + heat + fabs(hysteresis);
    if (i > 0 && heat == 0) *stuck = fmax(*stuck, fabs(energy - stored_before - (work - hysteresis)));
    stored_before = energy;
    memcpy(before, e, sizeof before);
  }
  return stored_before - booked;
}

static void books_what_turning_stores(const suite *s) {
  for (int twisting = 0; twisting < 2; twisting++) {
    double turnover, stuck;
    const dem_probe at = contact(s, s->overlap, 0), *p = &at;
    const double coarse = fabs(turning_not_booked(s, twisting, 400, &turnover, &stuck));
    HOLDS(stuck <= 1e-12 * turnover + rounding_of(s));
    const double fine = fabs(turning_not_booked(s, twisting, 3200, &turnover, &stuck));
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

/* ---- potentials ---- */

/* Stored energy of the springs across the normal. */
static double stored(const dem_probe *p) { return p->tangential_energy + p->rolling_energy + p->twisting_energy; }

static int slips(const dem_probe *p) { return p->sliding > 0 || p->rolling_sliding > 0 || p->twisting_sliding > 0; }

/* Minus the derivative of the stored energy as the elastic forces have it, by overlap (0), by the velocity of the contact point (1 to 3),
 * which moves it by v dt, and by the turning (4 to 6). */
static double force_along(const dem_probe *p, int coordinate) {
  const double *n = p->normal, *f = p->rolling_elastic;
  if (coordinate == 0) return -p->tangential_normal;
  if (coordinate < 4) return p->dt * p->tangential_elastic[coordinate - 1];
  const int a = coordinate - 4, u = (a + 1) % 3, v = (a + 2) % 3;
  return p->dt * (p->effective_radius * (n[u] * f[v] - n[v] * f[u]) + p->twisting_elastic * n[a]);
}

/* Largest misfit between these forces and the gradient of the energy, relative to the energy; NaN where a slider slips. */
static double misfit(const suite *s, const dem_probe *at) {
  const double h = 1e-4;
  double worst = 0;
  dem_probe here = *at;
  evaluate(s, &here);
  if (slips(&here)) return NAN;
  for (int k = 0; k < 7; k++) {
    const double scale = k == 0 ? s->overlap : k < 4 ? s->speed : s->speed / s->radius;
    const double claimed = -force_along(&here, k) * scale;
    double energy[2];
    for (int side = 0; side < 2; side++) {
      dem_probe q = *at;
      *(k == 0 ? &q.overlap : k < 4 ? &q.velocity[k - 1] : &q.turning[k - 4]) += (side ? h : -h) * scale;
      evaluate(s, &q);
      if (slips(&q)) return NAN;
      energy[side] = stored(&q);
    }
    const double size = fmax(stored(&here), fabs(claimed)), off = fabs((energy[1] - energy[0]) / (2 * h) - claimed);
    if (size > 0) worst = fmax(worst, off / size);
    if (!(size > 0) && off > 0) return INFINITY;
  }
  return worst;
}

/* A law that says it has a potential has it, while nothing slips; one that says it has none has none. */
static void has_the_potential_that_it_says(const suite *s) {
  dem_probe moved = contact(s, s->overlap, 0), *p = &moved;
  dice d = {8};
  double worst = 0;
  int seen = 0;
  if (s->facts->potential == 0) return;
  for (int i = 0; i < 200; i++) {
    walk(s, &moved, i, &d);
    for (int k = 0; k < 3; k++) moved.velocity[k] *= 0.02, moved.turning[k] *= 0.02;
    const double found = misfit(s, &moved);
    evaluate(s, &moved);
    if (!(stored(&moved) > 1e-12 * s->stiffness * s->overlap * s->overlap)) continue; /* round-off: the cap is 0 */
    seen += !isnan(found);
    if (s->facts->potential > 0 && found > 1e-6) {
      print_state(s, &moved);
      fail_msg("%s: elastic forces differ from the gradient of the stored energy by %g of it", s->facts->name, found);
    }
    worst = fmax(worst, found);
  }
  if (s->facts->potential < 0 && seen > 20) HOLDS(worst > 1e-3);
}

void law_books(const suite *s) {
  slides_as_coulomb_says(s);
  normal_energy_is_work(s);
  normal_force_is_slope(s);
  books_what_it_stores(s);
  books_what_turning_stores(s);
  pushes_as_its_energy_says(s);
  tangential_energy_is_work(s);
  has_the_potential_that_it_says(s);
}
