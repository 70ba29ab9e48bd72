/* Power of the contact forces at new velocities: the second end of an interval of constant forces (see ledger.h). One block;
 * compiled once per instruction set, same bits from each. */
#include <string.h>

#include "kernels.h"
#include "variant.h"
#include "relative.h"
#include "pair_shares.h"

/* Contacts to look ahead for memory. */
enum { AHEAD = 16 };

static double xyz_sum(demi_wide v) { return v[0] + v[1] + v[2]; }

static inline void fetch_velocities(const double *velocity, const demi_loads *loads, int64_t c) {
  __builtin_prefetch(velocity + 8 * (int64_t)loads->i[c]);
  __builtin_prefetch(velocity + 8 * (int64_t)(loads->j[c] < 0 ? 0 : loads->j[c]));
}

/* Kinds of load: with particles, with walls, with moments of their own between particles. */
enum { PAIRS = 0, WALLS = 1, MOMENTS = 2 };

static inline demi_wide moment_power(const double *velocity, const demi_loads *l, int64_t c) {
  const double *i = velocity + 8 * (int64_t)l->i[c], *j = velocity + 8 * (int64_t)l->j[c];
  return demi_load4(l->moment + 4 * (c - l->moment_base)) * (demi_load4(i + 4) - demi_load4(j + 4));
}

/* Total, elastic normal, damping normal and damping tangential power are summed lane by lane. The total less the other three
 * is the elastic tangential power. */
static inline __attribute__((always_inline)) void power(const double *velocity, const demi_loads *loads, int64_t first,
                                                        int32_t count, const int kind, const int32_t width, double *sums) {
  const int walls = kind == WALLS;
  demi_wide total = {0}, turning = {0}, ne = {0}, nd = {0}, td = {0}, td_turning = {0};
  const int64_t end = first + count;
  for (int64_t c = first; c < end; c++) {
    if (!walls) fetch_velocities(velocity, loads, c + AHEAD < end ? c + AHEAD : c);
    const demi_wide f = demi_load4(loads->rows + 8 * c), m = demi_load4(loads->rows + 8 * c + 4);
    const demi_wide n = demi_load4(loads->books + width * c);
    const demi_relative r = walls ? demi_against_wall(velocity, loads, c, f) : demi_between_particles(velocity, loads, c, f, m);
    const demi_wide along = n * r.v;
    total += f * r.v;
    turning -= m * r.s;
    if (kind == MOMENTS) turning += moment_power(velocity, loads, c);
    ne += demi_lane3(n) * along;
    nd += demi_spread(loads->damping[c]) * along;
    if (width == 8) {
      /* d.(v - s x n), the normal part of v being orthogonal to d; s with the arms of the velocity */
      const demi_wide d = demi_load4(loads->books + 8 * c + 4);
      const demi_wide s = kind == PAIRS ? r.s + demi_lane3(d) * demi_both_spins(velocity, loads, c) : r.s;
      td += d * r.v;
      td_turning -= d * demi_cross(s, n);
    }
  }
  const double td_torque = xyz_sum(td_turning), torque = xyz_sum(turning);
  sums[DEMI_POWER_NORMAL_ELASTIC] = xyz_sum(ne);
  sums[DEMI_POWER_NORMAL_DAMPING] = xyz_sum(nd);
  sums[DEMI_POWER_TANGENTIAL_DAMPING] = xyz_sum(td) + td_torque;
  sums[DEMI_POWER_TORQUE_DAMPING] = td_torque;
  sums[DEMI_POWER_TORQUE_ELASTIC] = torque - td_torque;
  sums[DEMI_POWER_TANGENTIAL_ELASTIC] =
      xyz_sum(total) + torque - xyz_sum(ne) - xyz_sum(nd) - sums[DEMI_POWER_TANGENTIAL_DAMPING];
}

static void power_of(const double *velocity, const demi_loads *loads, int32_t section, int32_t block, double *sums) {
  const int64_t first = loads->first[section][block];
  const int32_t count = loads->count[section][block], full = loads->books_width == 8;
  sums += section * DEMI_SECTION_ENTRIES;
  if (section == DEMI_SECTION_BOND)
    full ? power(velocity, loads, first, count, MOMENTS, 8, sums) : power(velocity, loads, first, count, MOMENTS, 4, sums);
  else if (section == DEMI_SECTION_WALL || section == DEMI_SECTION_WALL_GAP)
    full ? power(velocity, loads, first, count, WALLS, 8, sums) : power(velocity, loads, first, count, WALLS, 4, sums);
  else
    full ? power(velocity, loads, first, count, PAIRS, 8, sums) : power(velocity, loads, first, count, PAIRS, 4, sums);
}

void DEMI_VARIANT_NAME(power_block)(const demi_store *store, demi_contacts *contacts, int32_t block, int mark) {
  double *sums = contacts->end_sums + (int64_t)DEMI_BOOK_ENTRIES * block;
  for (int32_t k = 0; k < DEMI_SECTIONS; k++) {
    if (contacts->loads.count[k][block] == 0)
      memset(sums + k * DEMI_SECTION_ENTRIES, 0, DEMI_SECTION_ENTRIES * sizeof *sums);
    else if (contacts->shares && k != DEMI_SECTION_BOND)
      DEMI_VARIANT_NAME(power_shares)(store, contacts, k, block, mark);
    else
      power_of(store->columns.velocity, &contacts->loads, k, block, sums);
    const int moments = contacts->loads.rolls && k <= DEMI_SECTION_WALL;
    if (moments && contacts->loads.count[k][block] > 0) DEMI_VARIANT_NAME(power_rolling)(store, contacts, k, block, mark);
  }
}
