/* Bookings around the ledger: work, stored energies and their changes by the host, reading of all accounts, sampling. */
#include <math.h>
#include <string.h>

#include "intake.h"
#include "state.h"

#define ENERGY_V1 DEMI_SIZE_TO(dem_energy, residual_relative)

dem_status demi_energy_defaults(dem_energy *energy, uint32_t struct_size) {
  dem_energy e;
  memset(&e, 0, sizeof e);
  return demi_init(energy, struct_size, &e, sizeof e, ENERGY_V1);
}

/* ---- work ---- */

_Static_assert((int)DEMI_GROUPS == (int)DEMI_SECTIONS && (int)DEMI_ROLLING_ELASTIC == (int)DEMI_SLIDING_ELASTIC &&
                   DEMI_CLASSES - DEMI_ROLLING_ELASTIC == DEMI_ROLLING_SLIP_ELASTIC - DEMI_POWER_ROLLING_ELASTIC,
               "the ledger's groups are the sections of the loads, its classes the powers");

/* Without gaps and bonds their sections are empty. */
static demi_totals totals_of(const dem_system *s, const double *sums) {
  const int32_t sections = s->bonds.count > 0 ? DEMI_SECTIONS : s->laws.gaps ? DEMI_SECTION_BOND : DEMI_SECTION_GAP;
  return demi_contacts_totals(sums, &s->list, sections, s->contacts.loads.rolls);
}

static demi_powers powers_in(const demi_totals *totals) {
  demi_powers p;
  for (int32_t g = 0; g < DEMI_GROUPS; g++) {
    const double *from = totals->of[g];
    memcpy(p.of[g], from, DEMI_ROLLING_ELASTIC * sizeof *from);
    memcpy(p.of[g] + DEMI_ROLLING_ELASTIC, from + DEMI_POWER_ROLLING_ELASTIC,
           (DEMI_CLASSES - DEMI_ROLLING_ELASTIC) * sizeof *from);
  }
  return p;
}

/* Closes the interval of constant forces with the powers of `end_sums`. */
static demi_powers close_interval(dem_system *s) {
  const demi_totals totals = totals_of(s, s->contacts.end_sums);
  const demi_powers end = powers_in(&totals);
  demi_ledger_book(&s->ledger, &s->powers, &end, s->unbooked);
  s->unbooked = 0;
  return end;
}

void demi_books_now(dem_system *s) {
  if (!s->ledger.on) return;
  demi_walls_book(s, s->unbooked);
  demi_driven_book(s, s->unbooked);
  const int due = s->unbooked != 0 || (s->contacts.shares && !s->contacts.split);
  if (!due || !s->contacts.valid) return;
  const double start = demi_seconds();
  s->contacts.interval = s->unbooked;
  demi_contacts_power(&s->store, &s->list, &s->contacts);
  demi_bonds_book(&s->bonds, &s->store, 0, s->bonds.count, s->unbooked);
  s->powers = close_interval(s);
  s->seconds.ledger += demi_seconds() - start;
}

void demi_books_evaluation(dem_system *s) {
  demi_walls_book(s, s->unbooked);
  demi_driven_book(s, s->unbooked);
  if (s->unbooked != 0) close_interval(s);
  const demi_totals now = totals_of(s, s->contacts.sums);
  s->powers = powers_in(&now);
  for (int32_t g = 0; g < DEMI_GROUPS; g++) {
    const double *of = now.of[g];
    demi_ledger_slide(&s->ledger, g, DEMI_SLIP_SLIDING, of[DEMI_SLIDING_ELASTIC], of[DEMI_SLIDING_DAMPING]);
    demi_ledger_take(&s->ledger, g, DEMI_SLIP_SLIDING, of[DEMI_HYSTERESIS]);
    if (!s->contacts.loads.rolls) continue;
    demi_ledger_slide(&s->ledger, g, DEMI_SLIP_ROLLING, of[DEMI_ROLLING_SLIP_ELASTIC], of[DEMI_ROLLING_SLIP_DAMPING]);
    demi_ledger_slide(&s->ledger, g, DEMI_SLIP_TWISTING, of[DEMI_TWISTING_SLIP_ELASTIC], of[DEMI_TWISTING_SLIP_DAMPING]);
    demi_ledger_take(&s->ledger, g, DEMI_SLIP_ROLLING, of[DEMI_ROLLING_HYSTERESIS]);
    demi_ledger_take(&s->ledger, g, DEMI_SLIP_TWISTING, of[DEMI_TWISTING_HYSTERESIS]);
  }
  for (int32_t g = DEMI_SECTION_PAIR; g <= DEMI_SECTION_WALL; g++) demi_ledger_tear(&s->ledger, g, now.of[g][DEMI_TORN]);
  demi_ledger_relax(&s->ledger, now.of[DEMI_SECTION_BOND][DEMI_RELAXATION]);
}

void demi_books_torn(void *user, int32_t i, int32_t j, const demi_stored *held) {
  dem_system *s = user;
  const int32_t group = j < 0 ? DEMI_SECTION_WALL : DEMI_SECTION_PAIR;
  demi_ledger_tear(&s->ledger, group, held->normal);
  demi_ledger_take(&s->ledger, group, DEMI_SLIP_SLIDING, held->tangential);
  demi_ledger_take(&s->ledger, group, DEMI_SLIP_ROLLING, held->rolling);
  demi_ledger_take(&s->ledger, group, DEMI_SLIP_TWISTING, held->twisting);
  demi_shares_torn(s, i, j, held);
}

static double sum_work(const dem_system *s, int32_t entry) {
  demi_sum sum = {0, 0};
  for (int32_t b = 0; b < s->list.motion.blocks; b++) demi_sum_add(&sum, s->work[DEMI_WORK_ENTRIES * (int64_t)b + entry]);
  return demi_sum_get(&sum);
}

void demi_books_pass(dem_system *s) {
  demi_ledger_add(&s->ledger, &s->ledger.gravity, -sum_work(s, DEMI_WORK_GRAVITY));
  if (s->store.host_used) {
    const double torque = sum_work(s, DEMI_WORK_HOST_TORQUE);
    demi_ledger_add(&s->ledger, &s->ledger.host, sum_work(s, DEMI_WORK_HOST));
    demi_ledger_add(&s->ledger, &s->ledger.host, torque);
    demi_ledger_add(&s->ledger, &s->ledger.host_torque, torque);
  }
  if (s->options.drag > 0 || s->store.columns.fluid) {
    const double torque = sum_work(s, DEMI_WORK_DRAG_TORQUE);
    demi_ledger_add(&s->ledger, &s->ledger.drag, -sum_work(s, DEMI_WORK_DRAG));
    demi_ledger_add(&s->ledger, &s->ledger.drag, -torque);
    demi_ledger_add(&s->ledger, &s->ledger.drag_torque, -torque);
  }
}

/* ---- stored energies ---- */

/* As the latest trial evaluation found them. */
static demi_potentials read_potentials(const dem_system *s) {
  const demi_totals now = totals_of(s, s->contacts.sums);
  demi_potentials p;
  for (int32_t k = 0; k < 2; k++) {
    p.normal[k] = now.of[k][DEMI_ENERGY_NORMAL] + now.of[DEMI_SECTION_GAP + k][DEMI_ENERGY_NORMAL];
    p.tangential[k] = now.of[k][DEMI_ENERGY_TANGENTIAL];
    p.rolling[k] = now.of[k][DEMI_ENERGY_ROLLING];
    p.twisting[k] = now.of[k][DEMI_ENERGY_TWISTING];
  }
  p.bond = now.of[DEMI_SECTION_BOND][DEMI_ENERGY_NORMAL] + now.of[DEMI_SECTION_BOND][DEMI_ENERGY_TANGENTIAL];
  return p;
}

static double all_of(const demi_potentials *p, int32_t walls) {
  return p->normal[walls] + p->tangential[walls] + p->rolling[walls] + p->twisting[walls] + (walls ? 0.0 : p->bond);
}

/* Needs laws for all that may meet. */
static dem_status find_potentials(dem_system *s, demi_potentials *p) {
  memset(p, 0, sizeof *p);
  const int alone = s->laws.count == 0 && s->bonds.count == 0;
  if (s->store.count == 0 || alone) return DEM_OK;
  dem_status status = demi_system_ready(s);
  if (!status) status = demi_engine_potentials(s);
  if (!status) *p = read_potentials(s);
  return status;
}

/* Uses the present list, even when it has just expired: a search would sort the rows, and a run with a ledger would then
 * differ from one without. Contacts that began since the last evaluation may be missing; this is within the error of one
 * step. */
dem_status demi_books_before_change(dem_system *s) {
  if (!s->ledger.on || s->host_change.pending) return DEM_OK;
  demi_potentials p;
  memset(&p, 0, sizeof p);
  if (s->contacts.valid && s->list.valid) {
    const dem_status status = demi_engine_potentials_listed(s);
    if (status) return status;
    p = read_potentials(s);
  }
  for (int32_t k = 0; k < 2; k++) s->host_change.stored[k] = all_of(&p, k);
  s->host_change.pending = 1;
  return DEM_OK;
}

static void take_up_changes(dem_system *s, const demi_potentials *p) {
  if (!s->host_change.pending) return;
  for (int32_t k = 0; k < 2; k++) {
    demi_sum_add(&s->ledger.potential_host[k], all_of(p, k));
    demi_sum_add(&s->ledger.potential_host[k], -s->host_change.stored[k]);
  }
  s->host_change.pending = 0;
}

dem_status demi_books_after_change(dem_system *s) {
  if (!s->ledger.on || !s->host_change.pending) return DEM_OK;
  demi_potentials p;
  const dem_status status = find_potentials(s, &p);
  if (!status) take_up_changes(s, &p);
  return status;
}

/* ---- reading ---- */

static int32_t any_unstored(const dem_system *s) {
  for (int32_t k = 0; k < s->laws.count; k++)
    for (int32_t part = 0; part < DEMI_PARTS; part++)
      if (s->laws.bound[k].evaluate[part] && !s->laws.bound[k].stores_energy[part]) return 1;
  return 0;
}

dem_status demi_system_energy(dem_system *s, dem_energy *energy) {
  dem_energy e;
  demi_potentials p;
  memset(&e, 0, sizeof e);
  if (energy->struct_size < ENERGY_V1 || energy->struct_size > 4096)
    return demi_system_refuse(s, DEM_BAD_STRUCT, "energy: struct_size %u is not usable", energy->struct_size);
  demi_books_now(s);
  const dem_status status = find_potentials(s, &p);
  if (status) return status;
  if (s->ledger.on) take_up_changes(s, &p);
  memcpy(e.potential_normal, p.normal, sizeof p.normal);
  memcpy(e.potential_tangential, p.tangential, sizeof p.tangential);
  memcpy(e.potential_rolling, p.rolling, sizeof p.rolling);
  memcpy(e.potential_twisting, p.twisting, sizeof p.twisting);
  e.potential_bond = p.bond;
  e.unstored = any_unstored(s);
  demi_system_kinetic(s, &e.kinetic_linear, &e.kinetic_angular);
  e.kinetic_walls = demi_walls_kinetic(s);
  if (s->ledger.on) demi_ledger_read(&s->ledger, &e);
  return demi_outgive(energy, &e, sizeof e, ENERGY_V1);
}

/* ---- sampling ---- */

dem_status demi_system_set_energy_sampling(dem_system *s, int64_t every, dem_energy_fn sample, void *user) {
  if (every < 1)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "energy sampling: every is %lld, must be >= 1", (long long)every);
  s->hooks.sample_every = every;
  s->hooks.sample = sample;
  s->hooks.sample_user = user;
  s->hooks.sample_start = -1;
  return DEM_OK;
}

static dem_status sample_now(dem_system *s) {
  dem_energy e;
  demi_energy_defaults(&e, (uint32_t)sizeof e);
  const dem_status status = demi_system_energy(s, &e);
  if (status) return status;
  s->guards.callbacks++;
  const int32_t stops = s->hooks.sample(s->hooks.sample_user, s->steps, s->time, &e);
  s->guards.callbacks--;
  if (!stops) return DEM_OK;
  return demi_system_refuse(s, DEM_CANCELLED, "stopped by the energy sampling at step %lld, time %g", (long long)s->steps,
                            s->time);
}

dem_status demi_books_sample(dem_system *s) {
  if (!s->hooks.sample) return DEM_OK;
  if (s->hooks.sample_start < 0) {
    const dem_status status = sample_now(s);
    if (!status || status == DEM_CANCELLED) s->hooks.sample_start = s->steps; /* if it fails, it must be done later */
    return status;
  }
  return (s->steps - s->hooks.sample_start) % s->hooks.sample_every == 0 ? sample_now(s) : DEM_OK;
}
