/* Stepping: loops around the integrator, progress, exact end times. */
#include <math.h>

#include "books.h"
#include "box_motion.h"
#include "energy_report.h"
#include "engine.h"
#include "ready.h"
#include "state.h"
#include "status.h"
#include "stored_energy.h"
#include "warnings.h"

static dem_status prime(dem_system *s) {
  if (demi_interval_has_forces(&s->interval) || !(s->integrator->table.capabilities & DEM_INTEGRATOR_FORCES_AT_START))
    return DEM_OK;
  return demi_engine_evaluate(s, 0.0);
}

/* In the middle of a step a failure leaves positions and velocities of different times. */
static dem_status failed(dem_system *s, dem_status status) {
  if (status == DEM_NO_MEMORY) status = DEM_FAILED_MEMORY;
  if (status > 0) status = DEM_FAILED_PLUGIN;
  s->interval.op_count = 0;
  if (atomic_load(&s->message.refusals) ==
      s->step.refusals_before) /* a service that refuses has set the message; a plug-in that fails may have set none */
    demi_system_refuse(s, status, "integrator '%s' failed with %s at time %g", s->integrator->name, demi_status_name(status),
                       s->time);
  return demi_system_poison(s, status);
}

typedef struct run {
  int64_t steps, done;
  double dt, started;
} run;

static dem_progress progress_of(const dem_system *s, const run *r) {
  const dem_progress p = {
      (uint32_t)sizeof p,         0, r->done, r->steps, s->store.count, demi_system_contact_count(s), s->time,
      demi_seconds() - r->started};
  return p;
}

static int32_t report(dem_system *s, const run *r) {
  const dem_progress p = progress_of(s, r);
  s->guards.callbacks++;
  const int32_t stops = s->hooks.progress(s->hooks.progress_user, &p);
  s->guards.callbacks--;
  return stops;
}

/* The host sets its forces for the next step. Before that, the forces of the present positions are summed, as between two
 * calls. */
static dem_status ask_host(dem_system *s, const run *r) {
  dem_status status = demi_engine_flush(s, 1);
  if (status) return failed(s, status);
  const dem_progress p = progress_of(s, r);
  s->guards.callbacks++;
  s->guards.in_before_step = 1;
  const int32_t stops = s->hooks.before_step(s->hooks.before_step_user, s, &p);
  s->guards.in_before_step = 0;
  s->guards.callbacks--;
  if (s->poisoned) return s->poisoned; /* a bad value that was written into a view has poisoned the system */
  if (demi_system_views(s) > 0)
    return demi_system_refuse(s, DEM_BUSY, "the callback before step %lld of %lld left %d views open, must be 0",
                              (long long)r->done + 1, (long long)r->steps, demi_system_views(s));
  if (!stops) return DEM_OK;
  return demi_system_refuse(s, DEM_CANCELLED, "stopped by the callback before step %lld of %lld", (long long)r->done + 1,
                            (long long)r->steps);
}

static int sample_due(const dem_system *s) {
  return s->hooks.sample && (s->steps - s->hooks.sample_start) % s->hooks.sample_every == 0;
}

static dem_status call_back(dem_system *s, const run *r) {
  const int progress = s->hooks.progress && r->done % s->hooks.progress_every == 0, sample = sample_due(s);
  if (!progress && !sample) return DEM_OK;
  dem_status status = demi_engine_flush(s, 1);
  if (status) return failed(s, status);
  demi_books_hand_on(s);
  if (sample && (status = demi_energy_sample(s)) != DEM_OK) return status == DEM_CANCELLED ? status : failed(s, status);
  if (progress && report(s, r))
    return demi_system_refuse(s, DEM_CANCELLED, "stopped by the progress callback after step %lld of %lld", (long long)r->done,
                              (long long)r->steps);
  return DEM_OK;
}

static dem_status step_loop(dem_system *s, run *r) {
  const dem_integrator *integrator = s->integrator;
  while (r->done < r->steps) {
    dem_status status = s->hooks.before_step ? ask_host(s, r) : DEM_OK;
    if (!status) status = demi_box_check_step(s, r->dt);
    if (status) return status;
    s->step.refusals_before = atomic_load(&s->message.refusals);
    s->step.length = r->dt;
    status = integrator->table.step(integrator->user, &s->stepper, r->dt);
    s->step.length = 0;
    if (!status && s->guards.trials > 0)
      status = demi_system_refuse(s, DEM_FAILED_PLUGIN, "integrator '%s': its step left %d trials open", integrator->name,
                                  s->guards.trials);
    if (status) return failed(s, status);
    s->time += r->dt;
    s->steps++;
    r->done++;
    if (s->steps >= s->warnings.next_survey) demi_warnings_survey(s);
    if ((status = call_back(s, r)) != DEM_OK) return status;
  }
  return DEM_OK;
}

static dem_status advance(dem_system *s, int64_t steps, double dt) {
  run r = {steps, 0, dt, demi_seconds()};
  if (steps == 0) return DEM_OK;
  dem_status status = demi_stored_after_change(s);
  if (!status && s->hooks.sample && s->hooks.sample_start < 0) status = demi_energy_sample(s);
  if (!status) status = prime(s);
  if (status) return status;
  status = step_loop(s, &r);
  if (status && status != DEM_CANCELLED && status != DEM_BUSY && status != DEM_BAD_ARGUMENT) return status;
  const dem_status flushed = demi_engine_flush(s, 1);
  if (flushed) return failed(s, flushed);
  demi_books_hand_on(s);
  return status;
}

dem_status demi_system_step(dem_system *s, int64_t steps) {
  if (steps < 0) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "steps is %lld, must be >= 0", (long long)steps);
  dem_status status = demi_system_ready(s);
  return status ? status : advance(s, steps, s->options.dt);
}

dem_status demi_system_run_until(dem_system *s, double time) {
  if (!isfinite(time) || time < s->time)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "time is %.17g, must be finite and not before the present %.17g", time,
                              s->time);
  dem_status status = demi_system_ready(s);
  if (status) return status;
  const double span = time - s->time;
  /* a remainder of the size of round-off does not make another step */
  const double wanted = ceil(span / s->options.dt - 1e-9);
  if (wanted > 9e15)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "time %g is %g steps of dt %g away, at most 9e15", time, wanted,
                              s->options.dt);
  const int64_t steps = wanted > 0 ? (int64_t)wanted : (span > 0);
  status = advance(s, steps, steps > 0 ? span / (double)steps : 0);
  if (!status) s->time = time;
  return status;
}

dem_status demi_system_set_progress(dem_system *s, int64_t every, dem_progress_fn progress, void *user) {
  if (every < 1) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "progress: every is %lld, must be >= 1", (long long)every);
  s->hooks.progress_every = every;
  s->hooks.progress = progress;
  s->hooks.progress_user = user;
  return DEM_OK;
}

dem_status demi_system_set_before_step(dem_system *s, dem_before_step_fn before_step, void *user) {
  s->hooks.before_step = before_step;
  s->hooks.before_step_user = user;
  return DEM_OK;
}
