/* The step pipeline: (list, pick) -> one pass over the blocks: contacts -> sum -> kicks -> drift -> books. Behind it, the services
 * that integrators call. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "state.h"

double demi_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

dem_status demi_system_poison(dem_system *s, dem_status status) {
  s->poisoned = status;
  return status;
}

/* Walls count as infinite radius, so that R* is the radius itself against them and at most half of it between particles. */
double demi_system_range(const dem_system *s) {
  const double radius = s->faces.count > 0 ? s->largest_radius : 0.5 * s->largest_radius;
  double range = 0;
  for (int32_t k = 0; k < s->laws.count && radius > 0; k++) range = fmax(range, demi_bound_range(&s->laws.bound[k], radius));
  return range;
}

/* The mean over all particles: a few large ones among many small ones do not make it large, nor does a small one among many large
 * ones make it small. */
double demi_system_typical_radius(const dem_system *s) {
  if (!(s->smallest_radius < s->largest_radius)) return s->largest_radius;
  return fmin(fmax(s->radius_sum / (double)s->store.count, s->smallest_radius), s->largest_radius);
}

double demi_system_skin(const dem_system *s) {
  return s->options.skin > 0 ? s->options.skin : 0.08 * 2.0 * demi_system_typical_radius(s);
}

/* ---- passes ---- */

static int queued(const dem_system *s, int32_t kind) {
  for (int32_t k = 0; k < s->op_count; k++)
    if (s->op[k].kind == kind) return 1;
  return 0;
}

int demi_system_synchronised(const dem_system *s) {
  return (s->integrator->table.capabilities & DEM_INTEGRATOR_SYNCHRONISED) != 0;
}

static demi_evaluation evaluation_of(dem_system *s, double history_time, int32_t energies_only) {
  const demi_evaluation e = {&s->store,
                             &s->list,
                             &s->laws,
                             &s->contacts,
                             history_time,
                             s->options.arms != DEM_ARMS_CONSERVING,
                             s->options.transport == DEM_TRANSPORT_ROTATE,
                             energies_only,
                             energies_only,
                             &s->bonds,
                             &s->box,
                             demi_system_synchronised(s) ? 0.5 * history_time : 0.0,
                             s->options.onset == DEM_ONSET_STEP,
                             s->options.arms == DEM_ARMS_MIXED};
  return e;
}

static void prepare_pass(dem_system *s, demi_pass *p, const demi_evaluation *e, int32_t keep_loads) {
  memset(p, 0, sizeof *p);
  p->store = &s->store;
  p->motion = &s->list.motion;
  p->loads = &s->contacts.loads;
  p->chunks = s->list.chunks.count > 1 ? &s->list.fine : &s->list.chunks;
  p->coarse = s->list.chunks.count > 1 && s->list.levels > 1 ? &s->list.coarse : NULL;
  p->coarse_row = s->list.coarse_row;
  memcpy(p->gravity, s->options.gravity, sizeof p->gravity);
  p->drag = s->options.drag;
  p->dimension = s->options.dimension;
  p->ledger = s->ledger.on;
  p->clear_loads = !keep_loads;
  p->window = s->window;
  p->evaluation = e;
  p->count = s->op_count;
  memcpy(p->op, s->op, sizeof p->op);
  p->work = s->work;
}

/* After drifts: has the list expired, did anything become infinite? */
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

static double kicked_by_queue(const dem_system *s) {
  double time = 0;
  for (int32_t k = 0; k < s->op_count; k++)
    if (s->op[k].kind == DEMI_OP_KICK) time += s->op[k].duration;
  return time;
}

static void note_kicks(dem_system *s) {
  const double time = kicked_by_queue(s);
  s->kicked += time;
  s->unbooked += time;
}

/* Only the first operation of a queue can be an evaluation: evaluating flushes what is queued. */
dem_status demi_engine_flush(dem_system *s, int32_t keep_loads) {
  if (s->op_count == 0) return DEM_OK;
  const double start = demi_seconds();
  const int evaluates = s->op[0].kind == DEMI_OP_EVALUATE;
  demi_evaluation evaluation = evaluation_of(s, s->op[0].duration, 0);
  demi_pass pass;
  /* a pass without evaluation uses the sums of the pass before, which kept them */
  prepare_pass(s, &pass, &evaluation, keep_loads || !evaluates);
  if (evaluates) {
    if (!s->loads_clear) memset(s->store.columns.load, 0, (size_t)s->store.count * 8 * sizeof(double));
    demi_contacts_begin(&evaluation);
    s->contacts.interval = s->unbooked;
    s->contacts.ahead = kicked_by_queue(s);
  } else if (s->contacts.shares || s->store.columns.fluid) {
    /* completes the books of the kicks made so far: these new kicks were not in the queue when the evaluation booked its
     * start powers, or the drag has another mean power in them */
    demi_books_now(s);
  }
  demi_pass_run(&pass);
  if (evaluates) {
    s->contacts.split = s->list.fresh = 0;
    if (s->ledger.on) demi_books_evaluation(s);
    if (s->bonds.count > 0) demi_system_break_bonds(s);
    s->kicked = s->unbooked = 0;
    s->half_known = 1;
    s->forces = pass.clear_loads ? DEMI_FORCES_STALE : DEMI_FORCES_SUMMED;
    s->loads_clear = pass.clear_loads;
    demi_walls_measure(s);
    demi_driven_measure(s);
  }
  if (s->ledger.on) demi_books_pass(s);
  note_kicks(s);
  demi_walls_advance(s);
  const int drifted = queued(s, DEMI_OP_DRIFT);
  s->op_count = 0;
  dem_status status = drifted ? check_motion(s) : DEM_OK;
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
  const demi_search search = {&s->box,
                              &s->faces,
                              s->interacts,
                              s->largest_radius,
                              demi_system_typical_radius(s),
                              demi_system_skin(s),
                              demi_place_limit(s->smallest_radius),
                              demi_system_range(s),
                              s->options.threads};
  dem_status status = demi_contacts_carry(&s->contacts, &s->list);
  if (status) return status;
  s->epoch++;
  s->forces = DEMI_FORCES_STALE;
  status = demi_list_build(&s->list, &s->store, &search);
  if (s->list.sorted) demi_carry_renumber(&s->contacts.carry, s->list.new_row);
  if (!status) status = demi_bonds_order(&s->bonds, &s->list, &s->store);
  /* the energy of necks that the host has moved apart is booked as potential_host */
  demi_torn_fn *torn = s->ledger.on && !s->host_change.pending ? demi_books_torn : NULL;
  if (!status)
    status = demi_contacts_match_list(&s->contacts, &s->list, &s->store, &s->laws, &s->bonds, s->options.ledger, torn, s);
  if (!status) status = reserve_work(s);
  if (!status) demi_bonds_after_change(&s->bonds, &s->store, &s->box);
  if (!status) s->window = demi_contacts_window(&s->contacts, &s->list);
  if (status) s->list.valid = 0;
  return status;
}

dem_status demi_engine_search(dem_system *s) {
  if (s->list.valid && s->contacts.valid && !s->list_expired) return DEM_OK;
  dem_status status = demi_system_check_places(s);
  if (status) return status;
  demi_books_now(s);
  demi_shares_hand_on(s);
  const double start = demi_seconds();
  status = rebuild(s);
  if (!status) s->list_expired = 0;
  s->seconds.search += demi_seconds() - start;
  if (!status) return DEM_OK;
  return demi_system_refuse(s, status, "neighbour search over %lld particles: out of memory, or more than 2^31 pairs",
                            (long long)s->store.count);
}

void demi_engine_forces_changed(dem_system *s) {
  demi_books_now(s);
  if (!s->store.columns.seen) s->half_known = 0;
}

dem_status demi_engine_before_change(dem_system *s) {
  demi_books_now(s);
  demi_shares_hand_on(s);
  dem_status status = demi_books_before_change(s);
  if (status) return status;
  status = demi_contacts_carry(&s->contacts, &s->list);
  if (status) return demi_system_refuse(s, status, "setting contact histories aside: out of memory");
  if (s->ledger.on) demi_bonds_before_change(&s->bonds, &s->store, &s->box);
  s->list.valid = 0;
  s->forces = DEMI_FORCES_STALE;
  s->kicked = s->unbooked = 0;
  s->set_up_checked = 0;
  return DEM_OK;
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
  s->forces = DEMI_FORCES_QUEUED;
  s->evaluation_step = s->steps + (s->step.length > 0);
  s->evaluation_time = s->time + s->step.length;
  s->op[s->op_count++] = (demi_op){DEMI_OP_EVALUATE, history_time};
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
  const demi_evaluation evaluation = evaluation_of(s, 0, 1);
  demi_contacts_evaluate(&evaluation);
  return DEM_OK;
}

/* ---- services ---- */

static dem_system *system_of(dem_stepper *stepper) { return stepper->system; }

/* 1: the queue holds kicks and then a drift, all under the same forces, and the next operation is a kick. In a fluid
 * velocities are not linear in the total time of these kicks, so the kicks before and after the drift are booked separately. */
static int fluid_divides(const dem_system *s) {
  return s->store.columns.fluid && s->ledger.on && queued(s, DEMI_OP_KICK) && s->op[s->op_count - 1].kind != DEMI_OP_KICK;
}

static dem_status queue(dem_system *s, int32_t kind, double duration) {
  if (!isfinite(duration))
    return demi_system_refuse(s, DEM_FAILED_PLUGIN, "integrator '%s': duration %g is not finite", s->integrator->name,
                              duration);
  if (s->op_count == DEMI_MAX_OPS || (kind == DEMI_OP_KICK && fluid_divides(s))) {
    dem_status status = demi_engine_flush(s, 1);
    if (status) return status;
  }
  s->op[s->op_count++] = (demi_op){kind, duration};
  return DEM_OK;
}

static dem_status service_kick(dem_stepper *stepper, double duration) {
  dem_system *s = system_of(stepper);
  if (s->store.count == 0) {
    demi_walls_kick(s, duration);
    return DEM_OK;
  }
  const int primed = (s->integrator->table.capabilities & DEM_INTEGRATOR_FORCES_AT_START) != 0;
  if (s->forces == DEMI_FORCES_STALE && primed) { /* a query in a callback has built a new list between two steps */
    dem_status status = demi_engine_evaluate(s, 0.0);
    if (status) return status;
  }
  if (s->forces == DEMI_FORCES_STALE)
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
