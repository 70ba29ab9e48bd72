/* Accounts of single contacts (see lib/ledger/accounts.h); compiled once per instruction set, same bits from each. */
#include "pair_shares.h"

#include "variant.h"
#include "relative.h"

/* Contacts to look ahead for memory. */
enum { AHEAD = 16 };

static int in_gap(int32_t section) { return section == DEMI_SECTION_GAP || section == DEMI_SECTION_WALL_GAP; }
static int with_wall(int32_t section) { return section == DEMI_SECTION_WALL || section == DEMI_SECTION_WALL_GAP; }

/* ---- at the evaluation ---- */

static inline void add_work(double *row, demi_wide work, int gap) {
  if (!gap) {
    demi_store4(row, demi_load4(row) - work);
    return;
  }
  row[DEMI_SHARE_NORMAL_ELASTIC] -= work[0];
  row[DEMI_SHARE_FLUID] -= work[1];
}

static double dot3(const demi_lanes *a, const demi_lanes *b, int32_t k) {
  return a[0][k] * b[0][k] + a[1][k] * b[1][k] + a[2][k] * b[2][k];
}

void DEMI_VARIANT_NAME(book_shares)(const demi_workspace *w, const demi_candidates *c, demi_contacts *contacts,
                                    const demi_bound *bound, int32_t section) {
  const int gap = in_gap(section), tangential = !gap && bound->evaluate[DEMI_TANGENTIAL];
  const demi_wide h = demi_spread(0.5 * contacts->kicks.opening);
  for (int32_t k = 0; k < c->count; k++) {
    const double vn = w->lanes.normal_velocity[k];
    demi_wide start = {w->lanes.normal_elastic[k] * vn, w->lanes.normal_damping[k] * vn, 0, 0}, moved = {0}, taken = {0};
    if (tangential) {
      const double spring = dot3(w->lanes.tangential_elastic, w->lanes.slip, k),
                   dashpot = dot3(w->lanes.tangential_damping, w->lanes.slip, k);
      const double hysteresis = w->lanes.hysteresis[DEMI_TANGENTIAL][k],
                   coupled = bound->coupled ? w->lanes.tangential_normal[k] : 0.0;
      start[2] = dot3(w->lanes.tangential_elastic, w->lanes.tangential_velocity, k) + coupled * vn;
      start[3] = dot3(w->lanes.tangential_damping, w->lanes.tangential_velocity, k);
      if (w->shorter && bound->damped) {
        start[2] += start[3] - w->drag_power[k];
        start[3] = w->drag_power[k];
      }
      moved = (demi_wide){0, 0, spring - hysteresis, dashpot};
      taken = (demi_wide){-(spring + dashpot), hysteresis, 0, 0};
    }
    double *row = contacts->shares + DEMI_SHARE_ENTRIES * (int64_t)c->pair[k];
    demi_store4(row, demi_load4(row) + moved);
    demi_store4(row + 4, demi_load4(row + 4) + taken);
    add_work(row, h * start, gap);
    contacts->loads.pair[c->contact[k]] = c->pair[k];
  }
}

/* ---- at the end of the interval ---- */

/* Sums of the xyz lanes of each. */
static demi_wide lanes_of(demi_wide a, demi_wide b, demi_wide c, demi_wide d) {
  demi_transpose4(&a, &b, &c, &d);
  return a + b + c;
}

/* Powers of one contact: normal elastic, normal damping, tangential elastic, tangential damping; and torque elastic, torque
 * damping. */
typedef struct powers {
  demi_wide classes, torques;
} powers;

static inline powers powers_of(const double *velocity, const demi_loads *l, int64_t c, const demi_relative *r, demi_wide f,
                               demi_wide m, const int walls, const int32_t width) {
  const demi_wide n = demi_load4(l->books + width * c), along = n * r->v, turning = m * r->s;
  const demi_wide elastic = demi_lane3(n) * along, damping = demi_spread(l->damping[c]) * along;
  const demi_wide rest = f * r->v - turning - elastic - damping;
  if (width == 4) {
    const demi_wide sums = lanes_of(elastic, damping, rest, -turning);
    return (powers){{sums[0], sums[1], sums[2], 0}, {sums[3], 0, 0, 0}};
  }
  const demi_wide d = demi_load4(l->books + 8 * c + 4);
  const demi_wide s = walls ? r->s : r->s + demi_lane3(d) * demi_both_spins(velocity, l, c);
  const demi_wide spun = -(d * demi_cross(s, n)), dashpot = d * r->v + spun;
  return (powers){lanes_of(elastic, damping, rest - dashpot, dashpot), lanes_of(-turning - spun, spun, spun, spun)};
}

static inline void fetch_ahead(const double *velocity, const demi_contacts *contacts, int64_t c) {
  const demi_loads *l = &contacts->loads;
  __builtin_prefetch(velocity + 8 * (int64_t)l->i[c]);
  __builtin_prefetch(velocity + 8 * (int64_t)(l->j[c] < 0 ? 0 : l->j[c]));
  __builtin_prefetch(contacts->shares + DEMI_SHARE_ENTRIES * (int64_t)l->pair[c], 1);
}

static inline __attribute__((always_inline)) void section_of(const double *velocity, demi_contacts *contacts, int32_t section,
                                                             int32_t block, int mark, const int walls, const int32_t width) {
  const demi_loads *l = &contacts->loads;
  const demi_wide h = demi_spread(0.5 * contacts->kicks.closing);
  const int gap = in_gap(section);
  const int64_t first = l->first[section][block], end = first + l->count[section][block];
  demi_wide classes = {0}, torques = {0};
  for (int64_t c = first; c < end; c++) {
    fetch_ahead(velocity, contacts, c + AHEAD < end ? c + AHEAD : c);
    const demi_wide f = demi_load4(l->rows + 8 * c), m = demi_load4(l->rows + 8 * c + 4);
    const demi_relative r = walls ? demi_against_wall(velocity, l, c, f) : demi_between_particles(velocity, l, c, f, m);
    const powers now = powers_of(velocity, l, c, &r, f, m, walls, width);
    classes += now.classes;
    torques += now.torques;
    const demi_wide start = contacts->kicks.marked ? demi_load4(l->start + 4 * c) : (demi_wide){0};
    add_work(contacts->shares + DEMI_SHARE_ENTRIES * (int64_t)l->pair[c], h * (start + now.classes), gap);
    if (mark) demi_store4(l->start + 4 * c, now.classes);
  }
  double *sums = contacts->end_sums + (int64_t)DEMI_BOOK_ENTRIES * block + section * DEMI_SECTION_ENTRIES;
  sums[DEMI_POWER_NORMAL_ELASTIC] = classes[0];
  sums[DEMI_POWER_NORMAL_DAMPING] = classes[1];
  sums[DEMI_POWER_TANGENTIAL_ELASTIC] = classes[2];
  sums[DEMI_POWER_TANGENTIAL_DAMPING] = classes[3];
  sums[DEMI_POWER_TORQUE_ELASTIC] = torques[0];
  sums[DEMI_POWER_TORQUE_DAMPING] = torques[1];
}

void DEMI_VARIANT_NAME(power_shares)(const demi_store *store, demi_contacts *contacts, int32_t section, int32_t block,
                                     int mark) {
  const double *velocity = store->columns.velocity;
  const int full = contacts->loads.books_width == 8;
  if (with_wall(section) && full)
    section_of(velocity, contacts, section, block, mark, 1, 8);
  else if (with_wall(section))
    section_of(velocity, contacts, section, block, mark, 1, 4);
  else if (full)
    section_of(velocity, contacts, section, block, mark, 0, 8);
  else
    section_of(velocity, contacts, section, block, mark, 0, 4);
}
