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

/* Without gaps and bonds their sections are empty. */
static demi_totals totals_of(const dem_system *s, const double *sums) {
  const int32_t sections = s->bonds.count > 0 ? DEMI_SECTIONS : s->laws.gaps ? DEMI_SECTION_BOND : DEMI_SECTION_GAP;
  return demi_contacts_totals(sums, &s->list, sections, s->contacts.loads.rolls);
}

/* Closes the interval of constant forces with the powers of `end_sums`. */
static demi_totals close_interval(dem_system *s) {
  const demi_totals end = totals_of(s, s->contacts.end_sums);
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

/* Slip and hysteresis of all modes; the normal one has no slip. */
static void book_slips(dem_system *s, int32_t section, const double *of) {
  const int32_t modes = s->contacts.loads.rolls ? DEMI_MODES : DEMI_COMMON_MODES;
  for (int32_t mode = DEMI_MODE_NORMAL + 1; mode < modes; mode++) {
    const double *slip = of + DEMI_MODE_ENTRY(mode, DEMI_OF_SLIP);
    demi_ledger_slide(&s->ledger, section, mode, slip[DEMI_SPRING], slip[DEMI_DASHPOT]);
    demi_ledger_take(&s->ledger, section, mode, of[DEMI_MODE_ENTRY(mode, DEMI_OF_HYSTERESIS)]);
  }
  demi_ledger_take(&s->ledger, section, DEMI_MODE_NORMAL, of[DEMI_HYSTERESIS_NORMAL]);
}

void demi_books_evaluation(dem_system *s) {
  demi_walls_book(s, s->unbooked);
  demi_driven_book(s, s->unbooked);
  if (s->unbooked != 0) close_interval(s);
  s->powers = totals_of(s, s->contacts.sums);
  for (int32_t section = 0; section < DEMI_SECTIONS; section++) book_slips(s, section, s->powers.of[section]);
  demi_ledger_relax(&s->ledger, s->powers.of[DEMI_SECTION_BOND][DEMI_RELAXATION]);
}

void demi_books_torn(void *user, int32_t i, int32_t j, const demi_stored *held) {
  dem_system *s = user;
  const int32_t section = j < 0 ? DEMI_SECTION_WALL : DEMI_SECTION_PAIR;
#define TAKE(mode, name) demi_ledger_take(&s->ledger, section, DEMI_MODE_##mode, held->name);
  DEMI_MODE_LIST(TAKE)
#undef TAKE
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
    for (int32_t mode = 0; mode < DEMI_MODES; mode++) p.of[mode][k] = now.of[k][DEMI_MODE_ENTRY(mode, DEMI_OF_ENERGY)];
    p.of[DEMI_MODE_NORMAL][k] += now.of[DEMI_SECTION_GAP + k][DEMI_ENERGY_NORMAL];
  }
  p.bond = now.of[DEMI_SECTION_BOND][DEMI_ENERGY_NORMAL] + now.of[DEMI_SECTION_BOND][DEMI_ENERGY_TANGENTIAL];
  return p;
}

static double all_of(const demi_potentials *p, int32_t walls) {
  double sum = 0;
  for (int32_t mode = 0; mode < DEMI_MODES; mode++) sum += p->of[mode][walls];
  return sum + (walls ? 0.0 : p->bond);
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
#define POTENTIAL(mode, name) memcpy(e.potential_##name, p.of[DEMI_MODE_##mode], sizeof e.potential_##name);
  DEMI_MODE_LIST(POTENTIAL)
#undef POTENTIAL
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
