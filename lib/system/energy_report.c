/* Reading of all energy accounts by the host, at any moment or as samples. */
#include "energy_report.h"

#include <string.h>

#include "books.h"
#include "box_motion.h"
#include "intake.h"
#include "kinetic.h"
#include "shares.h"
#include "stored_energy.h"

#define ENERGY_V1 DEMI_SIZE_TO(dem_energy, residual_relative)

dem_status demi_energy_defaults(dem_energy *energy, uint32_t struct_size) {
  dem_energy e;
  memset(&e, 0, sizeof e);
  return demi_init(energy, struct_size, &e, sizeof e, ENERGY_V1);
}

/* ---- reading ---- */

static int32_t any_unstored(const dem_system *s) {
  for (int32_t k = 0; k < s->laws.count; k++)
    for (int32_t part = 0; part < DEMI_PARTS; part++)
      if (s->laws.entry[k].bound->evaluate[part] && !s->laws.entry[k].bound->stores_energy[part]) return 1;
  return 0;
}

/* Kinetic energy is that of the velocities that the host reads (box_motion.h); the box gives the difference, when the rows are wrapped. */
static void read_ledger(dem_system *s, dem_energy *e) {
  demi_ledger read = s->ledger;
  const double kinetic = demi_box_wrapped_kinetic(s);
  e->kinetic_linear += kinetic;
  if (kinetic != 0) demi_ledger_add(&read, &read.box, kinetic);
  demi_ledger_read(&read, e);
  s->ledger.largest = read.largest;
}

dem_status demi_system_energy(dem_system *s, dem_energy *energy) {
  dem_energy e;
  demi_potentials p;
  memset(&e, 0, sizeof e);
  if (energy->struct_size < ENERGY_V1 || energy->struct_size > 4096)
    return demi_system_refuse(s, DEM_BAD_STRUCT, "energy: struct_size %u is not usable", energy->struct_size);
  demi_books_now(s);
  const dem_status status = demi_stored_find(s, &p);
  if (status) return status;
  if (s->ledger.on) demi_stored_book_change(s, &p);
#define POTENTIAL(mode, name) memcpy(e.potential_##name, p.of[DEMI_MODE_##mode], sizeof e.potential_##name);
  DEMI_MODE_LIST(POTENTIAL)
#undef POTENTIAL
  e.potential_bond = p.bond;
  e.unstored = any_unstored(s);
  demi_system_kinetic(s, &e.kinetic_linear, &e.kinetic_angular);
  e.kinetic_walls = demi_walls_kinetic(s);
  if (s->ledger.on) read_ledger(s, &e);
  return demi_outgive(energy, &e, sizeof e, ENERGY_V1);
}

/* ---- shares ---- */

static dem_status open_tables(dem_system *s) {
  if (s->options.ledger < 2)
    return demi_system_refuse(s, DEM_INCOMPLETE, "energy share: the system was created with ledger %d, needed 2",
                              s->options.ledger);
  demi_books_hand_on(s);
  return DEM_OK;
}

dem_status demi_system_energy_of_law(dem_system *s, const dem_law *law, dem_energy_share *share) {
  const dem_status status = open_tables(s);
  if (status) return status;
  demi_law_share *entry = demi_shares_find_law(s, law);
  if (!entry) return demi_system_refuse(s, DEM_NOT_FOUND, "energy share: this law was never set in this system");
  return demi_shares_give(s, &entry->share, share);
}

dem_status demi_system_energy_of_materials(dem_system *s, int32_t a, int32_t b, dem_energy_share *share) {
  const dem_status status = open_tables(s);
  if (status) return status;
  if (a < 0 || b < 0 || a >= s->materials.count || b >= s->materials.count)
    return demi_system_refuse(s, DEM_NOT_FOUND, "energy share of materials (%d, %d): there are %d materials", a, b,
                              s->materials.count);
  demi_share none = {{{{0}}}};
  const size_t pair = demi_material_pair(a, b);
  return demi_shares_give(s, pair < s->shares.pair_capacity ? &s->shares.materials[pair] : &none, share);
}

dem_status demi_system_energy_of_wall(dem_system *s, int32_t wall, dem_energy_share *share) {
  const dem_status status = open_tables(s);
  if (status) return status;
  for (int32_t k = 0; k < s->walls.count; k++)
    if (s->walls.wall[k].id == wall) return demi_shares_give(s, &s->shares.wall[k], share);
  return demi_system_refuse(s, DEM_NOT_FOUND, "energy share: wall %d does not exist", wall);
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

dem_status demi_energy_sample(dem_system *s) {
  if (!s->hooks.sample) return DEM_OK;
  if (s->hooks.sample_start < 0) {
    const dem_status status = sample_now(s);
    if (!status || status == DEM_CANCELLED) s->hooks.sample_start = s->steps; /* if it fails, it must be done later */
    return status;
  }
  return (s->steps - s->hooks.sample_start) % s->hooks.sample_every == 0 ? sample_now(s) : DEM_OK;
}
