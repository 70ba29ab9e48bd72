/* Evaluations of a trial.
 *
 * An evaluation at u puts the rows of the replica to x + alpha u with velocities v, lets histories advance by a time t, and asks for
 * forces without keeping anything:
 *
 *   step h > 0   v = u/h,  t = alpha h (h where alpha = 0)
 *   statics      v = u/T,  t = T alpha, with T = 2^200: springs follow the displacement v t = alpha u exactly, as T is a power of two, and
 *                the force c v of a dashpot is below the last bit of any other force */
#include <string.h>

#include "engine.h"
#include "potential.h"
#include "trial.h"

enum { KNOWN_ASKS = DEM_TRIAL_ENERGY | DEM_TRIAL_FORCE | DEM_TRIAL_TANGENT };

/* Of all laws that are set, the first whose forces are not the gradient of an energy is named. */
static dem_status check_potential(const dem_trial *t) {
  const demi_laws *laws = &t->system->laws;
  char text[DEMI_POTENTIAL_TEXT];
  for (int32_t k = 0; k < laws->count; k++)
    if (demi_bound_potential(laws->entry[k].bound, text) == DEMI_POTENTIAL_NONE)
      return demi_system_refuse(t->system, DEM_UNSUPPORTED, "trial: no energy: %s", text);
  return DEM_OK;
}

static dem_status check_asks(const dem_trial *t, int32_t ask, const double *energy, const double *gradient) {
  dem_system *s = t->system;
  if (ask & ~KNOWN_ASKS || ask == 0)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: ask is %d, allowed DEM_TRIAL_ENERGY, _FORCE, _TANGENT or-ed", ask);
  if ((ask & DEM_TRIAL_ENERGY) && !energy)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: energy is asked for and NULL");
  if ((ask & DEM_TRIAL_FORCE) && !gradient)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: gradient is asked for and NULL");
  return ask & DEM_TRIAL_ENERGY ? check_potential(t) : DEM_OK;
}

static dem_status reserve_tangents(dem_trial *t) {
  const demi_contacts *c = &t->replica.contacts;
  t->tangent.context = t->system->context;
  return demi_tangents_reserve(&t->tangent, c->load_capacity, c->load_capacity - c->loads.moment_base, t->replica.bonds.count);
}

/* Places everything at u. On failure the latest evaluation still counts; its tangents do not where the list may be new, or the box. */
static dem_status go_to(dem_trial *t, const double *given, int32_t ask) {
  double *const before = t->u;
  if (given)
    memcpy(t->tried, given, (size_t)t->unknowns * sizeof *t->tried);
  else
    memset(t->tried, 0, (size_t)t->unknowns * sizeof *t->tried);
  t->lean = demi_trial_is_lean(t, ask);
  demi_trial_hide_contacts(t);
  dem_status status = demi_trial_place(t, t->tried);
  if (!status && (ask & DEM_TRIAL_TANGENT) && reserve_tangents(t) != DEM_OK) status = demi_trial_refuse_memory(t);
  if (!status && t->lean && demi_trial_reserve_lean(t) != DEM_OK) status = demi_trial_refuse_memory(t);
  t->astray = status != DEM_OK;
  if (status == DEM_NO_MEMORY || (status && t->box_width > 0)) t->has_tangents = 0;
  if (status) return status;
  t->u = t->tried;
  t->tried = before;
  return DEM_OK;
}

static demi_evaluation evaluation_of(dem_trial *t, int32_t ask) {
  demi_evaluation e = demi_engine_evaluation(t->system, t->time);
  demi_replica *r = &t->replica;
  e.store = &r->store;
  e.list = &r->list;
  e.contacts = &r->contacts;
  e.bonds = &r->bonds;
  e.box = &r->box;
  e.tangents = &t->tangent;
  e.half = 0;
  e.lags = demi_trial_lags(t) ? &t->lags : NULL;
  e.commit = 0;
  e.ask = DEMI_COMPUTE_FORCE | (ask & DEM_TRIAL_ENERGY ? DEMI_COMPUTE_ENERGY : 0) |
          (ask & DEM_TRIAL_TANGENT ? DEMI_COMPUTE_TANGENT : 0) | (t->options.dt > 0 ? 0 : DEMI_COMPUTE_STATIC);
  return e;
}

/* Contacts, bonds and gradient in the general way. */
static void run_general(dem_trial *t, int32_t ask, double *gradient) {
  const demi_evaluation e = evaluation_of(t, ask);
  if (t->particles > 0) demi_trial_evaluate_contacts(t, &e);
  if (!(ask & DEM_TRIAL_FORCE)) return;
  if (t->particles > 0) demi_replica_sum(&t->replica, &t->replica.contacts.loads);
  demi_trial_write_loads(t, &t->replica.contacts.loads, gradient);
  demi_trial_add_pulls(t, gradient);
  demi_trial_write_strain(t, &t->replica.contacts.loads, gradient);
}

/* The same without anything that laws without friction do not need. */
static void run_lean(dem_trial *t, int32_t ask, double *gradient) {
  const int forces = (ask & DEM_TRIAL_FORCE) != 0;
  demi_evaluation e = evaluation_of(t, ask);
  if (!forces) e.ask &= ~DEMI_COMPUTE_FORCE;
  demi_trial_run_lean(t, &e, forces ? gradient : NULL);
  if (!forces) return;
  demi_trial_write_walls(t, &t->replica.contacts.loads, gradient);
  demi_trial_add_wall_pulls(t, gradient);
}

/* To the state of the latest evaluation, after another one was refused. */
static dem_status go_back(dem_trial *t) {
  if (!t->astray) return DEM_OK;
  t->has_tangents = 0;
  demi_trial_hide_contacts(t);
  const dem_status status = demi_trial_place(t, t->u);
  if (status) return status;
  const demi_evaluation e = evaluation_of(t, 0);
  if (t->particles > 0) demi_trial_evaluate_contacts(t, &e);
  t->astray = 0;
  return DEM_OK;
}

dem_status demi_trial_keep_evaluation(dem_trial *t) {
  const dem_status status = go_back(t);
  if (status) return status;
  demi_evaluation e = evaluation_of(t, 0);
  e.commit = 1;
  demi_contacts_evaluate(&e);
  return DEM_OK;
}

dem_status demi_trial_find_loads(dem_trial *t) {
  const int astray = t->astray;
  const dem_status status = go_back(t);
  if (status || astray || t->particles == 0 || !t->lean) return status;
  const demi_evaluation e = evaluation_of(t, DEM_TRIAL_FORCE);
  demi_contacts_evaluate(&e);
  return DEM_OK;
}

/* ---- caps of friction ---- */

/* Caps of the state in which the rows are. Nothing but the laws' parts runs: loads and tangents stay. */
static dem_status take_lags(dem_trial *t) {
  dem_context *context = t->system->context;
  demi_replica *r = &t->replica;
  if (t->particles == 0) return DEM_OK;
  dem_status status = demi_lags_reserve(&t->lags, context, &r->list);
  if (status) return status;
  demi_evaluation e = evaluation_of(t, 0);
  e.ask = 0;
  t->lags.taking = 1;
  demi_contacts_evaluate(&e);
  t->lags.taking = 0;
  status = demi_lags_keep(&t->lags, context, &r->list, &r->store);
  t->lagged = status == DEM_OK;
  return status;
}

static dem_status start_lags(dem_trial *t) {
  if (!demi_trial_lags(t) || t->lagged) return DEM_OK;
  t->astray = 1;
  t->has_tangents = 0; /* the list may become another one */
  demi_trial_hide_contacts(t);
  memset(t->tried, 0, (size_t)t->unknowns * sizeof *t->tried);
  const dem_status status = demi_trial_place(t, t->tried);
  if (status) return status;
  return take_lags(t) ? demi_trial_refuse_memory(t) : DEM_OK;
}

/* ---- the calls ---- */

dem_status demi_trial_evaluate(dem_trial *t, const double *given, int32_t ask, double *energy, double *gradient) {
  dem_status status = check_asks(t, ask, energy, gradient);
  if (!status && given) status = demi_trial_check_numbers(t, given);
  if (!status && demi_trial_copy_system(t) != DEM_OK) status = demi_trial_refuse_memory(t);
  if (!status) status = start_lags(t);
  if (!status) status = go_to(t, given, ask);
  if (status) return status;
  if (t->lean)
    run_lean(t, ask, gradient);
  else
    run_general(t, ask, gradient);
  if (ask & DEM_TRIAL_ENERGY) *energy = demi_trial_stored_energy(t) + demi_trial_linear_energy(t, demi_trial_total(t));
  t->evaluated = 1;
  t->has_tangents = (ask & DEM_TRIAL_TANGENT) != 0;
  return DEM_OK;
}

dem_status demi_trial_lag(dem_trial *t) {
  dem_system *s = t->system;
  if (t->options.friction != DEM_TRIAL_FRICTION_LAGGED)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "trial: friction is %d, must be DEM_TRIAL_FRICTION_LAGGED (%d)",
                              t->options.friction, DEM_TRIAL_FRICTION_LAGGED);
  if (!t->evaluated)
    return demi_system_refuse(s, DEM_INCOMPLETE, "trial: nothing was evaluated whose normal forces could be caps");
  const dem_status status = go_back(t);
  if (status) return status;
  t->evaluated = 0;
  if (!demi_trial_lags(t)) return DEM_OK;
  return take_lags(t) ? demi_trial_refuse_memory(t) : DEM_OK;
}
