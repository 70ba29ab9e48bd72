/* The system goes to the state of a trial: rows, walls and box move; one evaluation from the old histories advances histories and bonds; then
 * the forces at the new state are evaluated as before any step. The books count all of it as a change by the host. */
#include <string.h>

#include "bond_breaks.h"
#include "engine.h"
#include "engine_change.h"
#include "kinetic.h"
#include "limits.h"
#include "stored_energy.h"
#include "trial.h"

/* ---- positions ---- */

static void move_rows(const dem_trial *t, double alpha) {
  demi_columns *c = &t->system->store.columns;
  for (int64_t k = 0; k < t->particles; k++) {
    const int64_t row = demi_idpool_row(&t->system->store.ids, t->id[k]);
    for (int a = 0; a < t->dimension; a++) c->position[4 * row + a] = t->start[4 * k + a] + alpha * t->u[k * t->width + a];
  }
}

static void move_walls(const dem_trial *t, double alpha) {
  const double *v = t->u + t->particles * t->width;
  for (int32_t w = 0; w < t->walls; w++, v += t->wall_width) {
    demi_wall *wall = &t->system->walls.wall[w];
    const int flat = t->dimension == 2;
    const double turn[3] = {flat ? 0 : alpha * v[3], flat ? 0 : alpha * v[4], alpha * (flat ? v[2] : v[5])};
    *wall = t->wall[w];
    for (int a = 0; a < t->dimension; a++) {
      wall->position[a] += alpha * v[a];
      wall->start[a] += alpha * v[a];
    }
    demi_wall_rotate(wall, turn);
    if (turn[0] != 0 || turn[1] != 0 || turn[2] != 0) memcpy(wall->start_rotation, wall->rotation, sizeof wall->rotation);
    demi_wall_place(&t->system->faces, wall);
  }
}

/* A list at the new state. Without memory for one, everything goes back. */
static dem_status move_system(dem_trial *t) {
  move_rows(t, t->options.alpha);
  move_walls(t, t->options.alpha);
  const dem_status status = demi_engine_search(t->system);
  if (!status) return DEM_OK;
  move_rows(t, 0);
  move_walls(t, 0);
  return status;
}

/* ---- histories ---- */

/* The velocities of the trial, u/h. */
static void set_velocities(const dem_trial *t, const double *u, double rate) {
  demi_store *store = &t->system->store;
  for (int64_t k = 0; k < t->particles; k++) {
    double *row = store->columns.velocity + 8 * demi_idpool_row(&store->ids, t->id[k]);
    const double *v = u + k * t->width;
    const int flat = t->dimension == 2, turns = t->options.rotations;
    for (int a = 0; a < t->dimension; a++) row[a] = rate * v[a];
    for (int a = 0; a < 3 && turns; a++) row[4 + a] = !flat ? rate * v[3 + a] : a == 2 ? rate * v[2] : 0.0;
    for (int a = 0; a < 3 && !turns; a++) row[4 + a] = 0;
  }
}

static void set_wall_velocities(dem_trial *t, double rate) {
  const double *v = t->u + t->particles * t->width;
  for (int32_t w = 0; w < t->walls; w++, v += t->wall_width) {
    demi_wall wall = t->system->walls.wall[w];
    for (int a = 0; a < 3; a++) {
      wall.velocity[a] = a < t->dimension ? rate * v[a] : 0;
      wall.spin[a] = t->dimension == 3 ? rate * v[3 + a] : a == 2 ? rate * v[2] : 0;
    }
    demi_wall_place(&t->system->faces, &wall);
  }
}

static void restore_wall_velocities(dem_trial *t) {
  for (int32_t w = 0; w < t->walls; w++) demi_wall_place(&t->system->faces, &t->system->walls.wall[w]);
}

/* The elastic energy that bonds hold goes to breakage, and that of contacts that take their place comes from hysteresis, after the host has
 * brought it: the change of stored energy that is booked for the host is the one before the bonds break. */
static void break_bonds(dem_system *s) {
  const demi_sum *breakage = &s->ledger.breakage, *hysteresis = &s->ledger.section[DEMI_SECTION_PAIR].hysteresis;
  const double before = demi_sum_get(breakage) + demi_sum_get(hysteresis);
  demi_system_break_bonds(s);
  s->host_change.stored[0] -= demi_sum_get(breakage) + demi_sum_get(hysteresis) - before;
}

/* The evaluation that is kept. Between sorts the spare rows are free: they hold the velocities meanwhile. */
static void advance_histories(dem_trial *t) {
  dem_system *s = t->system;
  const size_t bytes = (size_t)s->store.count * 8 * sizeof(double);
  const int32_t moving = s->faces.moving;
  demi_evaluation e = demi_engine_evaluation(s, t->time);
  e.half = 0;
  e.ask = DEMI_COMPUTE_FORCE | (t->options.dt > 0 ? 0 : DEMI_COMPUTE_STATIC);
  memcpy(s->store.spare.velocity, s->store.columns.velocity, bytes);
  set_velocities(t, t->u, t->rate);
  set_wall_velocities(t, t->rate);
  s->faces.moving = 1; /* fixed walls, too, move from the old state to the new one */
  demi_list_prune(&s->list, &s->store);
  if (s->ledger.on) demi_bonds_before_change(&s->bonds, &s->store, &s->box);
  demi_contacts_evaluate(&e);
  if (s->ledger.on) demi_bonds_after_change(&s->bonds, &s->store, &s->box);
  memcpy(s->store.columns.velocity, s->store.spare.velocity, bytes);
  restore_wall_velocities(t);
  s->faces.moving = moving;
  if (s->bonds.count > 0) break_bonds(s);
  /* its loads are not those of a step */
  for (int32_t section = 0; section < DEMI_SECTIONS; section++)
    memset(s->contacts.loads.count[section], 0, (size_t)s->list.motion.blocks * sizeof **s->contacts.loads.count);
}

/* ---- velocities ---- */

static dem_status check_velocities(const dem_trial *t, const double *velocity) {
  for (int64_t k = 0; k < t->particles * t->width; k++)
    if (!t->frozen[k / t->width] && !demi_bounded(velocity[k]))
      return demi_system_refuse(t->system, DEM_BAD_ARGUMENT, "trial: velocity[%lld] is %g, must be finite, -%g to %g",
                                (long long)k, velocity[k], DEMI_LARGEST, DEMI_LARGEST);
  return DEM_OK;
}

/* Those of frozen particles stay. */
static void take_velocities(dem_trial *t, const double *velocity) {
  dem_system *s = t->system;
  const demi_kinetic_sums before = demi_kinetic_all(s);
  double *const rows = s->store.columns.velocity, *const kept = s->store.spare.velocity;
  memcpy(kept, rows, (size_t)s->store.count * 8 * sizeof *rows);
  set_velocities(t, velocity, 1.0);
  for (int64_t k = 0; k < s->store.count; k++) {
    if (demi_store_frozen(&s->store, k)) memcpy(rows + 8 * k, kept + 8 * k, 8 * sizeof *rows);
    if (!t->options.rotations) memcpy(rows + 8 * k + 4, kept + 8 * k + 4, 3 * sizeof *rows);
  }
  if (s->ledger.on) demi_kinetic_book_all(s, &before);
}

/* ---- all ---- */

dem_status demi_trial_accept(dem_trial *t, const double *velocity) {
  dem_system *s = t->system;
  if (!t->evaluated) return demi_system_refuse(s, DEM_INCOMPLETE, "trial: nothing was evaluated that could be accepted");
  if (t->accepted != s->guards.accepted)
    return demi_system_refuse(s, DEM_BUSY, "trial: %lld trials of this system were accepted since this one began, must be 0",
                              (long long)(s->guards.accepted - t->accepted));
  dem_status status = velocity ? check_velocities(t, velocity) : DEM_OK;
  if (!status) status = demi_engine_before_change(s);
  if (!status && t->particles > 0) status = move_system(t);
  if (status) return status;
  s->guards.accepted++;
  if (t->particles > 0) advance_histories(t);
  if (velocity) take_velocities(t, velocity);
  demi_replica_close(&t->replica);
  t->copied = t->evaluated = t->tangents = 0;
  demi_trial_note_start(t);
  status = demi_stored_after_change(s);
  if (!status) status = demi_engine_evaluate(s, 0.0);
  return status ? status : demi_engine_flush(s, 1);
}
