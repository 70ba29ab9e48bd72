/* A minimisation from its start to its end: which iteration is the last, and why. */
#include "minimiser.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "limits.h"
#include "minimise_options.h"
#include "strategies.h"

static double clock_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double spent(const dem_minimiser *m) { return m->report.seconds + (m->inside ? clock_now() - m->since : 0); }

/* ---- made and destroyed ---- */

static dem_status choose_strategy(dem_minimiser *m) {
  char names[DEMI_NAMES_TEXT];
  const dem_minimise_options *o = &m->options;
  m->strategy = demi_strategy_find(o->strategy);
  if (!m->strategy)
    return demi_refuse_context(m->context, DEM_NOT_FOUND, "minimise: no strategy '%.63s'; there are %s", o->strategy,
                               demi_strategy_names(names));
  m->options.strategy = m->report.strategy = m->strategy->name;
  if (m->strategy->needs & DEM_OBJECTIVE_TANGENT && !m->table.apply)
    return demi_refuse_context(m->context, DEM_UNSUPPORTED, "minimise: '%s' needs 'apply', which objective '%s' lacks",
                               m->strategy->name, m->name);
  if (o->preconditioner && !m->table.blocks)
    return demi_refuse_context(m->context, DEM_UNSUPPORTED,
                               "minimise: a preconditioner needs 'blocks', which objective '%s' lacks", m->name);
  if (o->force_relative > 0 && !m->table.measure)
    return demi_refuse_context(m->context, DEM_UNSUPPORTED,
                               "minimise: force_relative %g needs 'measure', which objective '%s' lacks", o->force_relative,
                               m->name);
  return DEM_OK;
}

static dem_status take_start(dem_minimiser *m, const double *start) {
  dem_status status = demi_vectors_open(&m->vectors, m->context, m->n, m->options.threads);
  m->x = status ? NULL : demi_vectors_new(&m->vectors);
  m->gradient = m->x ? demi_vectors_new(&m->vectors) : NULL;
  if (!m->gradient)
    return demi_refuse_context(m->context, DEM_NO_MEMORY, "minimise: out of memory for %lld unknowns", (long long)m->n);
  for (int64_t i = 0; start && i < m->n; i++)
    if (!demi_bounded(start[i]))
      return demi_refuse_context(m->context, DEM_BAD_ARGUMENT, "minimise: start[%lld] is %g, must be within %g", (long long)i,
                                 start[i], DEMI_LARGEST);
  if (start) demi_copy(&m->vectors, start, m->x);
  return DEM_OK;
}

static dem_status claim_preconditioner(dem_minimiser *m) {
  const dem_preconditioner *p = m->options.preconditioner;
  if (!p || demi_preconditioner_claim(p) == DEM_OK) return DEM_OK;
  m->options.preconditioner = NULL;
  return demi_refuse_context(m->context, DEM_BUSY,
                             "minimise: preconditioner '%s' belongs to another minimiser, create one for each", p->name);
}

static void discard(dem_minimiser *m) {
  dem_context *context = m->context;
  if (m->opened) m->strategy->close(m);
  demi_vectors_delete(&m->vectors, m->gradient);
  demi_vectors_delete(&m->vectors, m->x);
  demi_vectors_close(&m->vectors);
  demi_message_free(&m->message, context);
  demi_free(context, m, sizeof *m);
}

static dem_status prepare(dem_minimiser *m, const double *start) {
  m->n = m->table.unknowns;
  strncpy(m->name, m->table.name, sizeof m->name - 1);
  m->table.name = m->name;
  m->longest_step = m->options.longest_step > 0 ? m->options.longest_step : m->table.longest_step;
  if (m->longest_step <= 0) m->longest_step = INFINITY;
  m->report.struct_size = (uint32_t)sizeof m->report;
  m->report.force_relative = m->force_mean = -1;
  dem_status status = choose_strategy(m);
  if (!status) status = take_start(m, start);
  return status ? status : claim_preconditioner(m);
}

dem_status demi_minimiser_create(dem_context *context, const dem_objective_table *table, void *user, const double *start,
                                 const dem_minimise_options *options, dem_minimiser **minimiser) {
  dem_objective_table t;
  dem_minimise_options o;
  dem_status status = demi_objective_take(context, table, &t);
  if (!status) status = demi_minimise_take_options(context, options, &o);
  if (status) return status;
  dem_minimiser *m = demi_allocate_zero(context, sizeof *m);
  if (!m) return demi_refuse_context(context, DEM_NO_MEMORY, "minimise: out of memory (%zu bytes)", sizeof *m);
  m->context = context;
  m->table = t;
  m->user = user;
  m->options = o;
  status = prepare(m, start);
  if (status) {
    discard(m);
    return status;
  }
  atomic_fetch_add(&context->objects, 1);
  *minimiser = m;
  return DEM_OK;
}

static dem_status refuse_inside(const dem_minimiser *m, const char *function) {
  return demi_refuse((demi_message *)(uintptr_t)&m->message, m->context, DEM_BUSY,
                     "%s: not from inside a call on the minimiser", function);
}

dem_status demi_minimiser_destroy(dem_minimiser *m) {
  if (m->inside) return refuse_inside(m, "dem_minimiser_destroy");
  dem_context *context = m->context;
  if (m->table.destroy) m->table.destroy(m->user);
  demi_preconditioner_yield(m->options.preconditioner);
  discard(m);
  atomic_fetch_sub(&context->objects, 1);
  return DEM_OK;
}

/* ---- the end ---- */

/* At a minimum, as the tolerances say? */
static int32_t reached(dem_minimiser *m) {
  const dem_minimise_options *o = &m->options;
  if (o->value_least > 0 && m->value <= o->value_least) return DEM_MINIMISE_VALUE;
  if (m->norm <= o->gradient_absolute || m->norm <= o->gradient_relative * m->report.gradient_first)
    return DEM_MINIMISE_GRADIENT;
  return demi_minimiser_forces_balance(m) ? DEM_MINIMISE_FORCE : DEM_MINIMISE_RUNNING;
}

static int32_t exhausted(const dem_minimiser *m) {
  const dem_minimise_options *o = &m->options;
  if (m->value < -DEMI_LARGEST) return DEM_MINIMISE_UNBOUNDED;
  if (o->iterations_most > 0 && m->report.iterations >= o->iterations_most) return DEM_MINIMISE_STOPPED_ITERATIONS;
  if (o->gradients_most > 0 && m->report.gradients >= o->gradients_most) return DEM_MINIMISE_STOPPED_GRADIENTS;
  if (o->seconds_most > 0 && spent(m) >= o->seconds_most) return DEM_MINIMISE_STOPPED_SECONDS;
  return DEM_MINIMISE_RUNNING;
}

static int32_t cancelled(const dem_minimiser *m) {
  const dem_minimise_options *o = &m->options;
  if (!o->progress || m->report.iterations % o->progress_interval != 0) return 0;
  dem_minimise_report now;
  now.struct_size = (uint32_t)sizeof now;
  demi_minimiser_get_report(m, &now);
  return o->progress(o->progress_user, &now) != 0;
}

static void decide(dem_minimiser *m) {
  int32_t *reason = &m->report.reason;
  const int32_t minimum = reached(m);
  if (minimum) *reason = minimum;
  if (!*reason) *reason = exhausted(m);
  if (!*reason && m->report.iterations > 0 && cancelled(m)) *reason = DEM_MINIMISE_CANCELLED;
}

/* ---- the calls ---- */

static dem_status enter(dem_minimiser *m, const char *function) {
  if (m->inside) return refuse_inside(m, function);
  if (m->failed) return DEM_POISONED;
  m->inside = 1;
  m->since = clock_now();
  return DEM_OK;
}

static dem_status leave(dem_minimiser *m, dem_status status) {
  m->report.seconds = spent(m);
  m->inside = 0;
  return m->failed ? m->failed : status;
}

static dem_status start(dem_minimiser *m) {
  const dem_status status =
      demi_minimiser_evaluate(m, m->x, DEM_OBJECTIVE_VALUE | DEM_OBJECTIVE_GRADIENT, &m->value, m->gradient);
  if (status && status != DEM_BAD_ARGUMENT) return status;
  m->norm = demi_norm(&m->vectors, m->gradient);
  m->report.value_first = m->value;
  m->report.gradient_first = m->norm;
  m->started = 1;
  if (status || !isfinite(m->norm))
    m->report.reason = DEM_MINIMISE_NOT_FINITE;
  else
    decide(m);
  return DEM_OK;
}

/* The room of the strategy; where the objective lacked memory, that has been said. */
static dem_status open_strategy(dem_minimiser *m) {
  const unsigned long long refusals = atomic_load(&m->message.refusals);
  const dem_status status = m->opened ? DEM_OK : m->strategy->open(m);
  m->opened = status == DEM_OK;
  if (status == DEM_NO_MEMORY && refusals == atomic_load(&m->message.refusals))
    demi_refuse_alone(&m->message, m->context, status, "minimise: out of memory for '%s'", m->strategy->name);
  return status;
}

static dem_status iterate_once(dem_minimiser *m) {
  const dem_status opened = open_strategy(m);
  if (opened) return opened;
  const dem_status status = m->strategy->iterate(m);
  if (status < 0) m->failed = status;
  if (status) return status;
  m->report.iterations++;
  decide(m);
  return DEM_OK;
}

dem_status demi_minimiser_iterate(dem_minimiser *m, int64_t count) {
  dem_status status = enter(m, "dem_minimiser_iterate");
  if (status) return status;
  if (!m->started) status = start(m);
  for (int64_t k = 0; k < count && !status && !m->failed && !m->report.reason; k++) status = iterate_once(m);
  return leave(m, status);
}

dem_status demi_minimiser_run(dem_minimiser *m) { return demi_minimiser_iterate(m, INT64_MAX); }

dem_status demi_minimiser_accept(dem_minimiser *m) {
  if (!m->table.accept)
    return demi_refuse_alone(&m->message, m->context, DEM_UNSUPPORTED, "minimise: objective '%s' has no function 'accept'",
                             m->name);
  dem_status status = enter(m, "dem_minimiser_accept");
  if (status) return status;
  status = m->table.accept(m->user, m->x);
  if (status < 0) m->failed = status;
  if (status)
    demi_refuse_alone(&m->message, m->context, status, "minimise: 'accept' of objective '%s' answered %d", m->name, status);
  return leave(m, status);
}

dem_status demi_minimiser_get_report(const dem_minimiser *m, dem_minimise_report *report) {
  dem_minimise_report now = m->report;
  now.value = m->value;
  now.gradient = m->norm;
  now.gradient_largest = m->started ? demi_largest(&m->vectors, m->gradient) : 0;
  now.seconds = spent(m);
  return demi_minimise_report_give(report, &now);
}

dem_status demi_minimiser_get_point(const dem_minimiser *m, int64_t count, double *x) {
  if (count != m->n)
    return demi_refuse((demi_message *)(uintptr_t)&m->message, m->context, DEM_BAD_ARGUMENT,
                       "dem_minimiser_get_point: count is %lld, must be %lld", (long long)count, (long long)m->n);
  demi_copy(&m->vectors, m->x, x);
  return DEM_OK;
}
