/* The system goes to the state of a trial. The replica evaluates that state once more and keeps it: its histories and bonds are those of
 * the end. They are handed to the system together with positions, walls and box. Then forces are evaluated there as before any step. The
 * books count all of it as a change by the host. */
#include <string.h>

#include "bond_breaks.h"
#include "engine.h"
#include "engine_change.h"
#include "kinetic.h"
#include "limits.h"
#include "stored_energy.h"
#include "trial.h"

/* ---- what the system takes over ---- */

/* The strain moves the image in which the system holds the particle, which may be another one than the replica's. */
static void move_rows(dem_trial *t) {
  demi_columns *c = &t->system->store.columns;
  for (int64_t k = 0; k < t->particles; k++) {
    const int64_t row = demi_idpool_row(&t->system->store.ids, t->id[k]);
    const double *start = t->start + 4 * k, *u = t->u + k * t->width;
    double strained[3];
    demi_trial_strain_at(t, t->u, start, strained);
    for (int a = 0; a < t->dimension; a++) c->position[4 * row + a] = start[a] + t->options.alpha * (u[a] + strained[a]);
  }
}

static void move_walls(const dem_trial *t) {
  const double alpha = t->options.alpha, *v = t->u + t->particles * t->width;
  const int flat = t->dimension == 2;
  for (int32_t w = 0; w < t->walls; w++, v += t->wall_width) {
    demi_wall *wall = &t->system->walls.wall[w];
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

/* Both tables hold the same bonds, in orders of their own. */
static void take_bonds(dem_trial *t) {
  const demi_bonds *from = &t->replica.bonds;
  demi_bonds *to = &t->system->bonds;
  for (int64_t k = 0; k < from->count; k++) {
    if (!from->bond[k].id) continue;
    demi_bond *bond = &to->bond[demi_idpool_row(&to->ids, from->bond[k].id)];
    bond->state = from->bond[k].state;
    bond->forces = from->bond[k].forces;
    bond->reason = from->bond[k].reason;
    memcpy(bond->span, from->bond[k].span, sizeof bond->span);
  }
}

/* The trial keeps the memory of those that the system had. */
static void take_histories(dem_trial *t) {
  demi_carry *carry = &t->system->contacts.carry, before = *carry;
  *carry = t->handed;
  t->handed = before;
}

/* ---- velocities ---- */

static dem_status check_velocities(const dem_trial *t, const double *velocity) {
  for (int64_t k = 0; k < t->particles * t->width; k++)
    if (!t->frozen[k / t->width] && !demi_bounded(velocity[k]))
      return demi_system_refuse(t->system, DEM_BAD_ARGUMENT, "trial: velocity[%lld] is %g, must be finite, -%g to %g",
                                (long long)k, velocity[k], DEMI_LARGEST, DEMI_LARGEST);
  return DEM_OK;
}

/* Those of frozen particles stay, and spins without rotations. */
static void take_velocities(dem_trial *t, const double *velocity) {
  demi_store *store = &t->system->store;
  const demi_kinetic_sums before = demi_kinetic_all(t->system);
  for (int64_t k = 0; k < t->particles; k++) {
    double *row = store->columns.velocity + 8 * demi_idpool_row(&store->ids, t->id[k]);
    const double *v = velocity + k * t->width;
    if (t->frozen[k]) continue;
    for (int a = 0; a < t->dimension; a++) row[a] = v[a];
    if (t->options.rotations && t->dimension == 2) row[6] = v[2];
    for (int a = 0; a < 3 && t->options.rotations && t->dimension == 3; a++) row[4 + a] = v[3 + a];
  }
  if (t->system->ledger.on) demi_kinetic_book_all(t->system, &before);
}

/* ---- bonds and memory ---- */

/* The elastic energy that bonds hold goes to breakage, and that of contacts that take their place comes from hysteresis, after the host has
 * brought it: the change of stored energy that is booked for the host is the one before the bonds break. */
static void break_bonds(dem_system *s) {
  const demi_sum *breakage = &s->ledger.breakage, *hysteresis = &s->ledger.section[DEMI_SECTION_PAIR].hysteresis;
  const double before = demi_sum_get(breakage) + demi_sum_get(hysteresis);
  demi_system_break_marked_bonds(s);
  s->host_change.stored[0] -= demi_sum_get(breakage) + demi_sum_get(hysteresis) - before;
}

/* Without memory the system is as it was, and the replica begins anew. */
static dem_status refuse_memory(dem_trial *t) {
  demi_trial_drop_replica(t);
  return demi_system_refuse(t->system, DEM_NO_MEMORY, "trial: out of memory for the histories of %lld particles",
                            (long long)t->particles);
}

/* ---- at rest ---- */

static void stop_wall(dem_system *s, demi_wall *wall) {
  if (wall->given.motion != DEM_WALL_FREE && wall->given.motion != DEM_WALL_SERVO) return;
  memset(wall->velocity, 0, sizeof wall->velocity);
  memset(wall->booked_velocity, 0, sizeof wall->booked_velocity);
  wall->speed = 0;
  demi_wall_place(&s->faces, wall);
}

/* Velocities and spins of particles that are not frozen and velocities of free and servo walls become 0; the host took the energy. */
static void stop_all(dem_system *s) {
  demi_columns *c = &s->store.columns;
  const demi_kinetic_sums before = demi_kinetic_all(s);
  const double walls = demi_walls_kinetic(s);
  for (int64_t row = 0; row < s->store.count; row++)
    if (!demi_store_frozen(&s->store, row))
      for (int a = 0; a < 3; a++) c->velocity[8 * row + a] = c->velocity[8 * row + 4 + a] = 0;
  for (int32_t w = 0; w < s->walls.count; w++) stop_wall(s, &s->walls.wall[w]);
  if (!s->ledger.on) return;
  demi_kinetic_book_all(s, &before);
  demi_ledger_add(&s->ledger, &s->ledger.host, demi_walls_kinetic(s));
  demi_ledger_add(&s->ledger, &s->ledger.host, -walls);
}

/* ---- all ---- */

static void move_system(dem_trial *t, const double *velocity, int rest) {
  dem_system *s = t->system;
  move_rows(t);
  move_walls(t);
  take_bonds(t);
  take_histories(t);
  if (t->box_width > 0) s->box = t->replica.box;
  if (velocity) take_velocities(t, velocity);
  if (rest) stop_all(s);
}

static dem_status accept(dem_trial *t, const double *velocity, int rest) {
  dem_system *s = t->system;
  if (!t->evaluated) return demi_system_refuse(s, DEM_INCOMPLETE, "trial: nothing was evaluated that could be accepted");
  if (t->accepted != s->guards.accepted)
    return demi_system_refuse(s, DEM_BUSY, "trial: %lld trials of this system were accepted since this one began, must be 0",
                              (long long)(s->guards.accepted - t->accepted));
  dem_status status = velocity ? check_velocities(t, velocity) : DEM_OK;
  if (status) return status;
  if (t->particles > 0 && (status = demi_trial_keep_evaluation(t)) != DEM_OK) return status;
  if (demi_contacts_copy_histories(&t->replica.contacts, &t->replica.list, &t->replica.store, &t->handed))
    return refuse_memory(t);
  if (demi_engine_set_contacts_aside(s)) return refuse_memory(t);
  s->guards.accepted++;
  move_system(t, velocity, rest);
  demi_trial_drop_replica(t);
  /* what is left only prepares the next step, which does it itself where there is no memory now */
  status = demi_engine_search(s);
  if (!status && s->bonds.count > 0) break_bonds(s);
  if (!status) status = demi_stored_after_change(s);
  if (!status) status = demi_engine_evaluate(s, 0.0);
  if (!status) status = demi_engine_flush(s, 1);
  demi_trial_note_start(t);
  return status < 0 ? status : DEM_OK;
}

dem_status demi_trial_accept(dem_trial *t, const double *velocity) { return accept(t, velocity, 0); }

dem_status demi_trial_settle(dem_trial *t) { return accept(t, NULL, 1); }
