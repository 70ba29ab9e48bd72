/* The step pipeline: (list, pick) -> one pass over the blocks: contacts -> sum -> kicks -> drift -> books. Behind it, the services
 * that integrators call. */
#include "engine.h"

#include <math.h>
#include <string.h>

#include "blame.h"
#include "bond_breaks.h"
#include "books.h"
#include "box_motion.h"
#include "driven_books.h"
#include "places.h"
#include "state.h"

/* ---- passes ---- */

demi_evaluation demi_engine_evaluation(dem_system *s, double history_time) {
  return (demi_evaluation){
      .store = &s->store,
      .list = &s->list,
      .laws = &s->laws,
      .contacts = &s->contacts,
      .bonds = &s->bonds,
      .box = &s->box,
      .dt = history_time,
      .half = demi_system_synchronised(s) ? 0.5 * history_time : 0.0,
      .radius_arms = s->options.arms != DEM_ARMS_CONSERVING,
      .shorter_torques = s->options.arms == DEM_ARMS_MIXED,
      .rotate = s->options.transport == DEM_TRANSPORT_ROTATE,
      .whole_step = s->options.onset == DEM_ONSET_STEP,
      .ask = DEMI_COMPUTE_FORCE | (s->contacts.ledger ? DEMI_COMPUTE_BOOKS : 0),
      .commit = 1,
      .kicks = demi_interval_kicks(&s->interval),
  };
}

/* A pass without evaluation uses the sums of a pass before and keeps them. */
static demi_pass pass_of(dem_system *s, const demi_evaluation *e, int32_t keep_loads) {
  const demi_list *l = &s->list;
  const int several = l->chunks.count > 1;
  demi_pass p = {
      .store = &s->store,
      .motion = &s->list.motion,
      .loads = &s->contacts.loads,
      .chunks = several ? &l->fine : &l->chunks,
      .coarse = several && l->levels > 1 ? &l->coarse : NULL,
      .coarse_row = l->coarse_row,
      .drag = s->options.drag,
      .dimension = s->options.dimension,
      .ledger = s->ledger.on,
      .clear_loads = !keep_loads && demi_interval_evaluates(&s->interval),
      .evaluation = e,
      .count = s->interval.op_count,
      .work = s->work,
  };
  memcpy(p.gravity, s->options.gravity, sizeof p.gravity);
  memcpy(p.op, s->interval.op, sizeof p.op);
  return p;
}

/* Has the list expired, did anything become infinite? */
static dem_status check_motion(dem_system *s) {
  const int holds = demi_list_holds(&s->list, &s->store);
  if (holds < 0) {
    char text[DEMI_BLAME_TEXT];
    demi_system_blame(s, text);
    for (int64_t k = 0; k < s->store.count; k++)
      for (int a = 0; a < 3; a++)
        if (!isfinite(s->store.columns.position[4 * k + a]))
          return demi_system_refuse(s, DEM_FAILED_NOT_FINITE, "particle %llu: position[%d] became %g at time %g (dt %g)%s",
                                    (unsigned long long)s->store.columns.id[k], a, s->store.columns.position[4 * k + a],
                                    s->time, s->options.dt, text);
    return demi_system_refuse(s, DEM_FAILED_NOT_FINITE, "a displacement became infinite at time %g%s", s->time, text);
  }
  if (!holds) s->list_expired = 1;
  return demi_walls_finite(s);
}

/* Kicks that no power was booked for at the evaluation: with accounts of single contacts these kicks were not in the queue then;
 * in a fluid the drag has another mean power in them. The books of the kicks made so far are completed before they run. */
static void book_before_pass(dem_system *s) {
  if (!demi_interval_evaluates(&s->interval) && (s->contacts.shares || s->store.columns.fluid)) demi_books_now(s);
}

static void run_pass(dem_system *s, int32_t keep_loads) {
  const demi_evaluation evaluation = demi_engine_evaluation(s, s->interval.op[0].duration);
  const demi_pass pass = pass_of(s, &evaluation, keep_loads);
  if (demi_interval_evaluates(&s->interval)) demi_contacts_begin(&evaluation);
  demi_pass_run(&pass);
}

/* After a pass with an evaluation: the old forces have done their work, the new ones act on walls and driven particles. */
static void change_interval(dem_system *s, int32_t keep_loads) {
  s->list.fresh = 0;
  if (s->ledger.on) demi_books_evaluation(s);
  if (s->bonds.count > 0) demi_system_break_bonds(s);
  demi_interval_begin(&s->interval, !keep_loads);
  demi_walls_measure(s);
  demi_driven_measure(s);
  demi_box_measure(s);
}

/* Runs the queue: the diagram "One step" of doc/architecture.md from the pass on. Choosing list and pick comes before, in
 * demi_engine_evaluate. */
dem_status demi_engine_flush(dem_system *s, int32_t keep_loads) {
  if (s->interval.op_count == 0) return DEM_OK;
  const double start = demi_seconds();
  const int evaluates = demi_interval_evaluates(&s->interval), drifts = demi_interval_holds(&s->interval, DEMI_OP_DRIFT);
  book_before_pass(s);
  run_pass(s, keep_loads);
  if (evaluates) change_interval(s, keep_loads);
  if (s->ledger.on) demi_books_pass(s);
  demi_walls_advance(s);
  demi_box_advance(s);
  demi_interval_advance(&s->interval);
  const dem_status status = drifts ? check_motion(s) : DEM_OK;
  s->seconds.pass += demi_seconds() - start;
  return status;
}

/* ---- list ---- */

static dem_status reserve_work(dem_system *s) {
  const int64_t wanted = (int64_t)DEMI_WORK_ENTRIES * s->list.motion.blocks;
  if (!s->ledger.on || wanted <= s->work_capacity) return DEM_OK;
  double *fresh = demi_allocate_zero(s->context, (size_t)(wanted + wanted / 4) * sizeof *fresh);
  if (!fresh) return DEM_NO_MEMORY;
  demi_free(s->context, s->work, (size_t)s->work_capacity * sizeof *fresh);
  s->work = fresh;
  s->work_capacity = wanted + wanted / 4;
  return DEM_OK;
}

static dem_status rebuild(dem_system *s) {
  const demi_search search = demi_system_search(s);
  dem_status status = demi_contacts_carry(&s->contacts, &s->list, &s->store);
  if (status) return status;
  s->epoch++;
  demi_interval_drop(&s->interval);
  demi_box_settle(s);
  /* the energy of necks that the host has moved apart is booked as potential_host */
  demi_torn_fn *torn = s->ledger.on && !s->host_change.pending ? demi_books_torn : NULL;
  status = demi_contacts_relist(&s->contacts, &s->list, &s->store, &s->bonds, &s->laws, &search, s->options.ledger, torn, s);
  if (!status) status = reserve_work(s);
  if (!status) demi_bonds_after_change(&s->bonds, &s->store, &s->box);
  if (status) s->list.valid = 0;
  return status;
}

dem_status demi_engine_search(dem_system *s) {
  if (s->list.valid && s->contacts.valid && !s->list_expired) return DEM_OK;
  dem_status status = demi_system_check_places(s);
  if (status) return status;
  demi_books_now(s);
  demi_books_hand_on(s);
  const double start = demi_seconds();
  status = rebuild(s);
  if (!status) s->list_expired = 0;
  s->seconds.search += demi_seconds() - start;
  if (!status) return DEM_OK;
  return demi_system_refuse(s, status, "neighbour search over %lld particles: out of memory, or more than 2^31 pairs",
                            (long long)s->store.count);
}

/* ---- evaluation ---- */

dem_status demi_engine_evaluate(dem_system *s, double history_time) {
  dem_status status = demi_engine_flush(s, 0);
  if (status) return status;
  if (s->store.count == 0) {
    demi_walls_measure(s);
    return DEM_OK;
  }
  if ((status = demi_engine_search(s)) != DEM_OK) return status;
  const double start = demi_seconds();
  demi_list_prune(&s->list, &s->store);
  s->seconds.search += demi_seconds() - start;
  if (s->interval.state != DEMI_FORCES_CLEARED)
    memset(s->store.columns.load, 0, (size_t)s->store.count * 8 * sizeof *s->store.columns.load);
  demi_interval_open(&s->interval, history_time, s->steps + (s->step.length > 0), s->time + s->step.length);
  return DEM_OK;
}

dem_status demi_engine_potentials(dem_system *s) {
  dem_status status = demi_engine_flush(s, 1);
  if (!status) status = demi_engine_search(s);
  return status ? status : demi_engine_potentials_listed(s);
}

dem_status demi_engine_potentials_listed(dem_system *s) {
  const dem_status status = demi_engine_flush(s, 1);
  if (status) return status;
  demi_list_prune(&s->list, &s->store);
  demi_evaluation evaluation = demi_engine_evaluation(s, 0);
  evaluation.ask = DEMI_COMPUTE_ENERGY;
  evaluation.commit = 0;
  demi_contacts_evaluate(&evaluation);
  return DEM_OK;
}

/* ---- services ---- */

static dem_system *system_of(dem_stepper *stepper) { return stepper->system; }

/* 1: the queue holds kicks and then a drift, all under the same forces, and the next operation is a kick. In a fluid
 * velocities are not linear in the total time of these kicks, so the kicks before and after the drift are booked separately. */
static int fluid_divides(const dem_system *s) {
  const demi_interval *v = &s->interval;
  return s->store.columns.fluid && s->ledger.on && demi_interval_holds(v, DEMI_OP_KICK) &&
         v->op[v->op_count - 1].kind != DEMI_OP_KICK;
}

static dem_status queue(dem_system *s, int32_t kind, double duration) {
  if (!isfinite(duration))
    return demi_system_refuse(s, DEM_FAILED_PLUGIN, "integrator '%s': duration %g is not finite", s->integrator->name,
                              duration);
  if (s->interval.op_count == DEMI_MAX_OPS || (kind == DEMI_OP_KICK && fluid_divides(s))) {
    dem_status status = demi_engine_flush(s, 1);
    if (status) return status;
  }
  demi_interval_queue(&s->interval, kind, duration);
  return DEM_OK;
}

static dem_status service_kick(dem_stepper *stepper, double duration) {
  dem_system *s = system_of(stepper);
  if (s->store.count == 0) {
    demi_walls_kick(s, duration);
    return DEM_OK;
  }
  const int primed = (s->integrator->table.capabilities & DEM_INTEGRATOR_FORCES_AT_START) != 0;
  if (!demi_interval_has_forces(&s->interval) && primed) { /* a query in a callback has built a new list between two steps */
    dem_status status = demi_engine_evaluate(s, 0.0);
    if (status) return status;
  }
  if (!demi_interval_has_forces(&s->interval))
    return demi_system_refuse(s, DEM_FAILED_PLUGIN, "integrator '%s': kick before any evaluation; set FORCES_AT_START",
                              s->integrator->name);
  return queue(s, DEMI_OP_KICK, duration);
}

static dem_status service_drift(dem_stepper *stepper, double duration) {
  dem_system *s = system_of(stepper);
  if (s->store.count == 0) {
    demi_walls_drift(s, duration);
    return demi_walls_finite(s);
  }
  if (!s->list.valid) {
    dem_status status = demi_engine_search(s);
    if (status) return status;
  }
  return queue(s, DEMI_OP_DRIFT, duration);
}

static dem_status service_evaluate(dem_stepper *stepper, double history_time) {
  dem_system *s = system_of(stepper);
  if (!(isfinite(history_time) && history_time >= 0))
    return demi_system_refuse(s, DEM_FAILED_PLUGIN, "integrator '%s': history time %g, must be finite and >= 0",
                              s->integrator->name, history_time);
  return demi_engine_evaluate(s, history_time);
}

void demi_engine_connect_stepper(dem_system *s) {
  s->stepper = (dem_stepper){service_kick, service_drift, service_evaluate, s};
}
