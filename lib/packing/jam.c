/* The search for a jammed state: to a pressure, or to the packing fraction phi_J where the pressure vanishes.
 *
 * After O'Hern, Silbert, Liu & Nagel 2003, doi:10.1103/PhysRevE.68.011306: change phi, minimise, look at the pressure. There phi changes in
 * fixed steps that are halved whenever the pressure comes or goes. Here the step follows from the latest two states that carry a pressure,
 * (phi, p, d) and (phi', p', d') with d the mean overlap:
 *
 *   to a pressure  phi + (t - p)/slope,  slope = (p - p')/(phi - phi'),  where t is the goal, but at least `fall` p: for harmonic
 *                  contacts p is nearly linear in phi - phi_J, for others it is convex, and the secant ends above the goal
 *   to phi_J       phi - (1 - fall)(phi - phi_J),  phi - phi_J = d (phi - phi')/(d - d'): d is linear in phi - phi_J for every law
 *
 * With one state alone, and as a bound on every step, phi - phi_J is taken to be D = dimension phi d/diameter, which an affine
 * compression of contacts that just touch would give. It is smaller than the true distance, by a factor of about 2, because contacts share
 * the compression with new ones: a decompression by a secant is at most 4 D long.
 *
 * A decompression that ends without pressure is taken back, and half of it is tried (bisection). The network that carries survives, so that
 * the end does not depend on how a loose state would be compressed again. A compression that ends without pressure has found a denser
 * arrangement: compression goes on from there by `first_step`. */
#include "jam.h"

#include <math.h>

static const double LONGEST = 4;          /* longest decompression, in D */
static const double LEAST_CHANGE = 1e-14; /* of phi, relative */

/* ---- the next step ---- */

static double distance_guess(const demi_jam *j) {
  return j->system->options.dimension * j->held.fraction * j->held.overlap / j->diameter;
}

/* Slope of a quantity over phi by the secant; 0: unknown. */
static double slope(const demi_jam *j, double held, double before) {
  const double run = j->held.fraction - j->before.fraction;
  if (j->before.fraction == 0 || run == 0) return 0;
  const double secant = (held - before) / run;
  return secant > 0 ? secant : 0;
}

static double distance_to_point(const demi_jam *j) {
  const double secant = slope(j, j->held.overlap, j->before.overlap);
  return secant > 0 ? j->held.overlap / secant : 0;
}

static double bounded(const demi_jam *j, double step) {
  return fmax(-LONGEST * distance_guess(j), fmin(step, j->options.first_step));
}

static double step_to_pressure(const demi_jam *j) {
  const double p = j->held.pressure, fall = j->options.fall;
  const double target = fmin(fmax(j->options.pressure, fall * p), p / fall);
  double secant = slope(j, p, j->before.pressure);
  if (!(secant > 0)) secant = p / distance_guess(j);
  return bounded(j, (target - p) / secant);
}

static double step_to_point(const demi_jam *j) {
  double distance = distance_to_point(j);
  if (!(distance > 0)) distance = distance_guess(j);
  return bounded(j, -(1 - j->options.fall) * distance);
}

static double next_step(const demi_jam *j) {
  return j->options.goal == DEM_JAM_PRESSURE ? step_to_pressure(j) : step_to_point(j);
}

/* ---- the end ---- */

static int is_reached(const demi_jam *j) {
  const dem_jam_options *o = &j->options;
  if (o->goal == DEM_JAM_PRESSURE) return fabs(j->held.pressure - o->pressure) <= o->pressure_tolerance * o->pressure;
  const double distance = distance_to_point(j);
  return distance > 0 && distance <= o->fraction_tolerance;
}

/* The minimiser may find that rounding allows no better state. */
static int is_relaxed(const demi_jam *j) {
  return j->report.minimise_reason > 0 || j->report.minimise_reason == DEM_MINIMISE_STALLED;
}

static int32_t reason_now(const demi_jam *j, double step) {
  if (j->report.minimise_reason == DEM_MINIMISE_CANCELLED) return DEM_JAM_CANCELLED;
  if (!is_relaxed(j)) return DEM_JAM_NOT_RELAXED;
  if (j->held.fraction > 0 && j->now.fraction == j->held.fraction && is_reached(j)) return DEM_JAM_REACHED;
  if (fabs(step) < LEAST_CHANGE * j->now.fraction) return DEM_JAM_STUCK;
  return j->report.steps >= j->options.steps_most ? DEM_JAM_STEPS : 0;
}

static int is_cancelled(const demi_jam *j) {
  if (!j->options.progress) return 0;
  j->system->guards.callbacks++; /* the host may measure the system here */
  const int32_t stops = j->options.progress(j->options.progress_user, &j->report);
  j->system->guards.callbacks--;
  return stops != 0;
}

/* ---- one step ---- */

/* What follows from the state after a minimisation, and the next change of phi. *step in: the change that led here. */
static dem_status judge(demi_jam *j, double *step) {
  dem_status status = DEM_OK;
  if (demi_jam_carries(j)) {
    status = demi_jam_hold(j);
    const double distance = distance_to_point(j);
    if (distance > 0) j->report.fraction_point = j->held.fraction - distance;
    *step = next_step(j);
    return status;
  }
  j->report.fraction_unjammed = j->now.fraction;
  if (!(*step < 0)) { /* also a compression may end so, where the particles find a denser arrangement */
    j->held = j->before = (demi_jam_point){0};
    *step = j->options.first_step;
    return DEM_OK;
  }
  *step *= 0.5;
  return demi_jam_take_back(j);
}

static dem_status search(demi_jam *j) {
  double step = 0, fraction = 0;
  while (!j->report.reason) {
    dem_status status = demi_jam_relax(j, fraction);
    if (status) return status;
    const int cancelled = is_cancelled(j);
    if (is_relaxed(j)) status = judge(j, &step);
    if (status) return status;
    j->report.reason = cancelled ? DEM_JAM_CANCELLED : reason_now(j, step);
    fraction = j->now.fraction + step;
  }
  return DEM_OK;
}

dem_status demi_system_jam(dem_system *s, const dem_jam_options *options, const dem_minimise_options *minimise,
                           dem_jam_report *report) {
  demi_jam jam;
  dem_status status = demi_jam_report_give(s, report, &(dem_jam_report){0});
  if (status) return status;
  status = demi_jam_open(&jam, s, options, minimise);
  if (!status) status = search(&jam);
  if (!status) status = demi_jam_report_give(s, report, &jam.report);
  demi_jam_close(&jam);
  return status;
}
