/* Power of the moments of rolling and twisting at new velocities, and the shares of single contacts in it. The part along n is
 * kept beside each moment, so that a law without one of the two has none of its power, to the last bit. Compiled once per
 * instruction set, same bits from each. */
#include "variant.h"
#include "relative.h"
#include "pair_shares.h"

static double xyz_sum(demi_wide v) { return v[0] + v[1] + v[2]; }

/* Rolling elastic, rolling damping, twisting elastic, twisting damping. */
static inline demi_wide powers_of(const demi_loads *l, int64_t c, const double *velocity) {
  const double *i = velocity + 8 * (int64_t)l->i[c], *j = velocity + 8 * (int64_t)l->j[c];
  if (l->j[c] < 0) j = (*l->wall_velocity)[demi_face_of_partner(l->j[c])];
  const demi_wide w = demi_load4(i + 4) - demi_load4(j + 4), n = demi_load4(l->books + l->books_width * c);
  const demi_wide m = demi_load4(l->moment + 4 * (c - l->moment_base)),
                  d = demi_load4(l->moment_damping + 4 * (c - l->moment_base));
  const double rate = xyz_sum(w * n), twisting = m[3] * rate, drag = d[3] * rate;
  const double rolling = xyz_sum((m - demi_lane3(m) * n) * w), rolling_drag = xyz_sum((d - demi_lane3(d) * n) * w);
  return (demi_wide){rolling - rolling_drag, rolling_drag, twisting - drag, drag};
}

static void book_share(demi_contacts *contacts, int64_t c, demi_wide now, int mark) {
  const demi_loads *l = &contacts->loads;
  const demi_wide h = demi_spread(0.5 * contacts->kicks.closing);
  double *start = l->moment_start + 4 * (c - l->moment_base);
  double *row = contacts->rolling_shares + DEMI_SHARE_ENTRIES * (int64_t)l->pair[c];
  const demi_wide before = contacts->kicks.marked ? demi_load4(start) : (demi_wide){0};
  demi_store4(row, demi_load4(row) - h * (before + now));
  if (mark) demi_store4(start, now);
}

void DEMI_VARIANT_NAME(power_rolling)(const demi_store *store, demi_contacts *contacts, int32_t section, int32_t block,
                                      int mark) {
  const demi_loads *l = &contacts->loads;
  const int64_t first = l->first[section][block], end = first + l->count[section][block];
  demi_wide sum = {0};
  for (int64_t c = first; c < end; c++) {
    const demi_wide now = powers_of(l, c, store->columns.velocity);
    sum += now;
    if (contacts->rolling_shares) book_share(contacts, c, now, mark);
  }
  double *sums = contacts->end_sums + (int64_t)DEMI_BOOK_ENTRIES * block + section * DEMI_SECTION_ENTRIES;
  sums[DEMI_POWER_ROLLING_ELASTIC] = sum[0];
  sums[DEMI_POWER_ROLLING_DAMPING] = sum[1];
  sums[DEMI_POWER_TWISTING_ELASTIC] = sum[2];
  sums[DEMI_POWER_TWISTING_DAMPING] = sum[3];
  sums[DEMI_POWER_TORQUE_ELASTIC] += sum[0] + sum[2];
  sums[DEMI_POWER_TORQUE_DAMPING] += sum[1] + sum[3];
}

static double dot3(const demi_lanes *a, const demi_lanes *b, int32_t k) {
  return a[0][k] * b[0][k] + a[1][k] * b[1][k] + a[2][k] * b[2][k];
}

void DEMI_VARIANT_NAME(book_rolling_shares)(const demi_workspace *w, const demi_candidates *c, demi_contacts *contacts) {
  const demi_wide h = demi_spread(0.5 * contacts->kicks.opening);
  for (int32_t k = 0; k < c->count; k++) {
    const double e = w->lanes.twisting_elastic[k], d = w->lanes.twisting_damping[k], rate = w->lanes.twisting_rate[k];
    const double spring = dot3(w->lanes.rolling_elastic, w->lanes.rolling_slip, k),
                 dashpot = dot3(w->lanes.rolling_damping, w->lanes.rolling_slip, k);
    const double turned = e * w->lanes.twisting_slip[k], dragged = d * w->lanes.twisting_slip[k];
    const demi_wide start = {dot3(w->lanes.rolling_elastic, w->lanes.rolling_velocity, k),
                             dot3(w->lanes.rolling_damping, w->lanes.rolling_velocity, k), e * rate, d * rate};
    const demi_wide moved = {spring - w->lanes.hysteresis[DEMI_ROLLING][k], dashpot,
                             turned - w->lanes.hysteresis[DEMI_TWISTING][k], dragged};
    double *row = contacts->rolling_shares + DEMI_SHARE_ENTRIES * (int64_t)c->pair[k];
    demi_store4(row, demi_load4(row) + moved - h * start);
    row[DEMI_SHARE_ROLLING] -= spring + dashpot;
    row[DEMI_SHARE_TWISTING] -= turned + dragged;
    contacts->shares[DEMI_SHARE_ENTRIES * (int64_t)c->pair[k] + DEMI_SHARE_HYSTERESIS] +=
        w->lanes.hysteresis[DEMI_ROLLING][k] + w->lanes.hysteresis[DEMI_TWISTING][k];
  }
}
