/* A load step: the system moves to a minimum.
 *
 * Where loads depend on the state (relax.h), a minimum for given loads is found first. Then the loads are computed anew there, and the
 * minimisation goes on from there, until it finds the tolerance met at once: the loads are then those of the final state. The gradient at
 * the start to which the tolerance refers is that of the first minimisation. */
#include <string.h>

#include "box_motion.h"
#include "lean.h"
#include "minimiser.h"
#include "ready.h"
#include "relax.h"

/* ---- strain without histories ---- */

/* Nothing remembers how particles came to where they are: particles and box can be strained before the trial begins, which then takes the
 * short way (contact/lean.h). */
static int forgets(const dem_system *s) { return demi_laws_lean(&s->laws) && s->bonds.count == s->bonds.dead; }

static int is_strained(const dem_relax_options *o) { return demi_relax_has_box(o) && !demi_relax_has_free_box(o); }

/* Strains the system and takes the strain off the options, where that can be done. */
static dem_status strain_first(dem_system *s, dem_relax_options *o, int *done) {
  *done = 0;
  if (!is_strained(o)) return DEM_OK;
  dem_status status = demi_system_ready(s);
  if (status || !forgets(s)) return status;
  const demi_box to = demi_trial_strained(&s->box, o->strain, 1.0);
  if ((status = demi_system_strain_box(s, &to)) != DEM_OK) return status;
  memset(o->strain, 0, sizeof o->strain);
  *done = 1;
  return DEM_OK;
}

/* ---- one minimisation ---- */

static void add(const dem_minimise_report *from, dem_minimise_report *to) {
  to->iterations += from->iterations;
  to->rejected += from->rejected;
  to->gradients += from->gradients;
  to->values += from->values;
  to->products += from->products;
  to->factorisations += from->factorisations;
  to->network_changes += from->network_changes;
  to->seconds += from->seconds;
}

void demi_relax_join(const dem_minimise_report *next, dem_minimise_report *all) {
  dem_minimise_report sum = *next;
  if (all->strategy) {
    add(all, &sum);
    sum.value_first = all->value_first;
    sum.gradient_first = all->gradient_first;
    sum.outer += all->outer;
  }
  *all = sum;
}

static dem_status evaluate(void *user, const double *x, int32_t ask, double *value, double *gradient) {
  return demi_relax_evaluate(user, x, ask, value, gradient);
}
static dem_status apply(void *user, const double *p, double *product) { return demi_relax_apply(user, p, product); }
static dem_status blocks(void *user, dem_trial_block_fn visit, void *visitor) { return demi_relax_visit(user, visit, visitor); }
static dem_status measure(void *user, const double *x, const double *gradient, dem_objective_measure *m) {
  return demi_relax_measure(user, x, gradient, m);
}

/* Runs a minimiser from x and leaves its point there. */
static dem_status run_from(demi_relax *r, double *x, const dem_minimise_options *o, dem_minimise_report *report) {
  const dem_objective_table functions = {.evaluate = evaluate, .apply = apply, .blocks = blocks, .measure = measure};
  dem_minimiser *m = NULL;
  dem_status status = demi_relax_minimiser(r, &functions, x, o, &m);
  if (status) return status;
  status = demi_minimiser_run(m);
  report->struct_size = (uint32_t)sizeof *report;
  if (!status) status = demi_minimiser_get_report(m, report);
  if (!status) status = demi_minimiser_get_point(m, r->unknowns, x);
  demi_minimiser_destroy(m);
  return status;
}

/* ---- outer iterations ---- */

/* Each minimisation lessens the gradient that it begins with to a part only: its loads are not yet those of the end. Caps of friction
 * change by much from one to the next, stresses and pressures by little. Measured (2,000 discs, mu = 0.5, load steps of 4e-4): iterations
 * per load step 1,630 with 0.1, 1,010 with 0.3, 770 with 0.5. */
#define INNER_CAPS 0.5
#define INNER_LOADS 0.01

static double larger(double a, double b) { return a > b ? a : b; }

/* Tolerances of the first minimisation. */
static dem_minimise_options loosened(const demi_relax *r, const dem_minimise_options *given) {
  dem_minimise_options o = *given;
  o.gradient_relative = larger(demi_trial_lags(r->trial) ? INNER_CAPS : INNER_LOADS, given->gradient_relative);
  return o;
}

/* Of later ones: the tolerance of the whole, and what is left of its budget. */
static void go_on(dem_minimise_options *o, const dem_minimise_options *given, const dem_minimise_report *all) {
  o->gradient_absolute = larger(given->gradient_absolute, given->gradient_relative * all->gradient_first);
  if (all->radius > 0) o->radius_first = all->radius;
  if (given->iterations_most > 0) o->iterations_most = given->iterations_most - all->iterations;
  if (given->gradients_most > 0) o->gradients_most = given->gradients_most - all->gradients;
  if (given->seconds_most > 0) o->seconds_most = given->seconds_most - all->seconds;
}

static int is_spent(const dem_minimise_options *o, const dem_minimise_options *given) {
  return (given->iterations_most > 0 && o->iterations_most <= 0) || (given->gradients_most > 0 && o->gradients_most <= 0) ||
         (given->seconds_most > 0 && o->seconds_most <= 0);
}

/* The tolerance holds with the loads of the point itself when a minimisation from there makes no step. */
static dem_status follow_loads(demi_relax *r, double *x, const dem_minimise_options *given, dem_minimise_report *all) {
  dem_minimise_options o = loosened(r, given);
  dem_minimise_report one;
  dem_status status = run_from(r, x, &o, all);
  while (!status && all->reason > 0) {
    if ((status = demi_relax_renew(r, x)) != DEM_OK) break;
    go_on(&o, given, all);
    if (all->outer >= r->options.outer_most || is_spent(&o, given)) {
      all->reason = DEM_MINIMISE_STOPPED_ITERATIONS;
      break;
    }
    if ((status = run_from(r, x, &o, &one)) != DEM_OK) break;
    one.outer = 1;
    demi_relax_join(&one, all);
    if (one.iterations == 0) break;
  }
  return status;
}

static dem_status iterate(demi_relax *r, double *x, const dem_minimise_options *given, dem_minimise_report *report) {
  return demi_relax_follows(r) ? follow_loads(r, x, given, report) : run_from(r, x, given, report);
}

static int is_lost(int32_t reason) { return reason == DEM_MINIMISE_NOT_FINITE || reason == DEM_MINIMISE_UNBOUNDED; }

static dem_status relax_opened(demi_relax *r, const dem_minimise_options *o, dem_minimise_report *report) {
  const size_t bytes = (size_t)r->unknowns * sizeof(double);
  double *x = demi_allocate_zero(r->system->context, bytes);
  if (!x) return demi_system_refuse(r->system, DEM_NO_MEMORY, "relax: out of memory for %lld unknowns", (long long)r->unknowns);
  dem_status status = iterate(r, x, o, report);
  if (!status && !is_lost(report->reason)) status = demi_relax_accept(r, x);
  demi_free(r->system->context, x, bytes);
  return status;
}

static dem_status relax_once(dem_system *s, const dem_relax_options *o, const dem_minimise_options *minimise,
                             dem_minimise_report *report) {
  dem_minimise_options m;
  demi_relax *r;
  dem_status status = demi_relax_take_method(s, minimise, &m);
  if (!status) status = demi_relax_open(s, o, &r);
  if (status) return status;
  status = relax_opened(r, &m, report);
  demi_relax_close(r);
  return status;
}

dem_status demi_relax_load_step(dem_system *s, const dem_relax_options *given, const dem_minimise_options *minimise,
                                dem_minimise_report *report) {
  dem_relax_options o;
  int strained = 0;
  memset(report, 0, sizeof *report);
  report->struct_size = (uint32_t)sizeof *report;
  const demi_box before = s->box;
  dem_status status = demi_relax_take_options(s, given, &o);
  if (!status) status = strain_first(s, &o, &strained);
  if (!status) status = relax_once(s, &o, minimise, report);
  if (strained && (status > 0 || is_lost(report->reason))) demi_system_strain_box(s, &before);
  return status;
}
