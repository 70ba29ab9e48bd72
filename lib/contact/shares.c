/* Accounts of single contacts (see shares.h); compiled once per instruction set, same bits from each. */
#include "shares.h"

#include "laws/variant.h"
#include "relative.h"

static int in_gap(int32_t section) { return section == DEMI_SECTION_GAP || section == DEMI_SECTION_WALL_GAP; }
static int with_wall(int32_t section) { return section == DEMI_SECTION_WALL || section == DEMI_SECTION_WALL_GAP; }

/* ---- at the evaluation ---- */

static double dot3(const demi_lanes *a, const demi_lanes *b, int32_t k) {
  return a[0][k] * b[0][k] + a[1][k] * b[1][k] + a[2][k] * b[2][k];
}

void DEMI_V(book_shares)(const demi_workspace *w, const demi_candidates *c, demi_contacts *contacts, int32_t section) {
  const int tangential = !in_gap(section);
  for (int32_t k = 0; k < c->count; k++) {
    const double vn = w->normal_velocity[k];
    demi_wide start = {w->normal_elastic[k] * vn, w->normal_damping[k] * vn, 0, 0}, moved = {0}, taken = {0};
    if (tangential) {
      const double spring = dot3(w->tangential_elastic, w->slip, k), dashpot = dot3(w->tangential_damping, w->slip, k);
      start[2] = dot3(w->tangential_elastic, w->tangential_velocity, k) + w->tangential_normal[k] * vn;
      start[3] = dot3(w->tangential_damping, w->tangential_velocity, k);
      moved = (demi_wide){0, 0, spring - w->path[k], dashpot};
      taken = (demi_wide){-(spring + dashpot), w->path[k], 0, 0};
    }
    double *row = contacts->shares + DEMI_SHARE_ENTRIES * (int64_t)c->slot[k];
    demi_store4(row, demi_load4(row) + moved);
    demi_store4(row + 4, demi_load4(row + 4) + taken);
    demi_store4(contacts->loads.start + 4 * c->contact[k], start);
    contacts->loads.slot[c->contact[k]] = c->slot[k];
  }
}

/* ---- at the end of the interval ---- */

static demi_wide lanes_of(demi_wide a, demi_wide b, demi_wide c, demi_wide d) {
  demi_transpose4(&a, &b, &c, &d);
  return a + b + c;
}

/* Normal elastic, normal damping, tangential elastic, tangential damping power of one contact. */
static inline demi_wide powers_of(const demi_loads *l, int64_t c, const demi_relative *r, demi_wide f, demi_wide m) {
  const int32_t width = l->books_width;
  const demi_wide n = demi_load4(l->books + width * c), along = n * r->v;
  const demi_wide elastic = demi_lane3(n) * along, damping = demi_spread(l->damping[c]) * along;
  const demi_wide d = width == 8 ? demi_load4(l->books + 8 * c + 4) : (demi_wide){0};
  const demi_wide dashpot = d * (r->v - demi_cross(r->s, n));
  return lanes_of(elastic, damping, f * r->v - m * r->s - elastic - damping - dashpot, dashpot);
}

void DEMI_V(power_shares)(const demi_store *store, demi_contacts *contacts, int32_t section, int32_t block) {
  const demi_loads *l = &contacts->loads;
  const double *velocity = store->columns.velocity;
  const demi_wide h = demi_spread(0.5 * contacts->interval);
  const int walls = with_wall(section), gap = in_gap(section);
  const int64_t first = l->first[section][block], end = first + l->count[section][block];
  for (int64_t c = first; c < end; c++) {
    const demi_wide f = demi_load4(l->rows + 8 * c), m = demi_load4(l->rows + 8 * c + 4);
    const demi_relative r = walls ? demi_against_wall(velocity, l, c, f) : demi_between_particles(velocity, l, c, f, m);
    const demi_wide now = powers_of(l, c, &r, f, m), work = h * (demi_load4(l->start + 4 * c) + now);
    double *row = contacts->shares + DEMI_SHARE_ENTRIES * (int64_t)l->slot[c];
    if (gap) {
      row[DEMI_SHARE_NORMAL_ELASTIC] -= work[0];
      row[DEMI_SHARE_FLUID] -= work[1];
    } else {
      demi_store4(row, demi_load4(row) - work);
    }
    demi_store4(l->start + 4 * c, now);
  }
}
