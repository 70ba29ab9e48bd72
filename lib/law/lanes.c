/* Lanes and the batch made of them: see lanes.h. */
#include "lanes.h"

#include <math.h>
#include <string.h>

#include "variant.h"

/* Every pointer of dem_batch is in the list, or is set for each part (normal, history_in, history_out, hysteresis). */
#define ONE(name, needed, cleared) +1
#define THREE(name, needed, cleared) +3
enum { LANES = 0 DEMI_LAW_LANES(ONE, THREE), OTHERS = 3 + 3 };
#undef ONE
#undef THREE
_Static_assert(sizeof(dem_batch) == 4 * sizeof(uint32_t) + sizeof(double) + (LANES + OTHERS) * sizeof(void *),
               "a lane of dem_batch is not in DEMI_LAW_LANES");

void demi_lanes_init(demi_law_lanes *l, demi_lanes *normal) {
  memset(&l->batch, 0, sizeof l->batch);
  l->granted = 0;
  l->normal = normal;
  for (int32_t h = 0; h < DEM_HISTORY_CAPACITY; h++) {
    l->in[h] = l->history_in[h];
    l->out[h] = l->history_out[h];
  }
}

static void fill(demi_lanes *lanes, int32_t vectors, int32_t count, double value) {
  for (int32_t a = 0; a < vectors; a++)
    for (int32_t k = 0; k < DEMI_ROUND_UP(count); k++) lanes[a][k] = value;
}

void demi_lanes_clear(demi_law_lanes *l, int32_t count) {
#define ONE(name, needed, cleared) fill(&l->name, 1, count, 0);
#define THREE(name, needed, cleared) fill(l->name, 3, count, 0);
  DEMI_LAW_LANES(ONE, THREE)
#undef ONE
#undef THREE
  fill(l->history_in, DEM_HISTORY_CAPACITY, count, 0);
  fill(l->history_out, DEM_HISTORY_CAPACITY, count, 0);
  fill(l->hysteresis, DEMI_PARTS, count, 0);
  fill(&l->turning_friction_force, 1, count, 0);
  fill(&l->turning_friction_overlap, 1, count, 0);
  fill(&l->turning_friction_normal_velocity, 1, count, 0);
}

void demi_lanes_fill(demi_law_lanes *l, uint32_t groups, int32_t count, double value) {
#define ONE(name, needed, cleared) \
  if (groups & (needed)) fill(&l->name, 1, count, value);
#define THREE(name, needed, cleared) \
  if (groups & (needed)) fill(l->name, 3, count, value);
  DEMI_LAW_LANES(ONE, THREE)
#undef ONE
#undef THREE
}

static void make_batch(demi_law_lanes *l, uint32_t granted) {
  dem_batch *b = &l->batch;
  memset(b, 0, sizeof *b);
  b->struct_size = (uint32_t)sizeof *b;
  for (int a = 0; a < 3; a++) b->normal[a] = l->normal[a];
#define ONE(name, needed, cleared) b->name = (granted & (needed)) == (needed) ? l->name : NULL;
#define THREE(name, needed, cleared) \
  for (int a = 0; a < 3; a++) b->name[a] = (granted & (needed)) == (needed) ? l->name[a] : NULL;
  DEMI_LAW_LANES(ONE, THREE)
#undef ONE
#undef THREE
  l->granted = granted;
}

/* Batch after batch is the same offer: it is made anew only where it differs. */
void demi_batch_offer(demi_law_lanes *l, uint32_t offers, uint32_t ask, int32_t count, double dt) {
  const uint32_t granted = offers & (ask | DEMI_LANES_RADIUS | DEMI_LANES_COUPLED | DEMI_LANES_TURN);
  if (granted != l->granted || l->batch.struct_size == 0 || (granted & DEMI_LANES_SLOPES)) make_batch(l, granted);
  l->batch.count = count;
  l->batch.dt = dt;
  l->batch.friction_lagged = (ask & DEMI_LANES_LAGGED) != 0;
}

/* ---- running ---- */

static inline __attribute__((always_inline)) void clear_before(demi_law_lanes *l, const int32_t part, size_t bytes) {
#define ONE(name, needed, cleared) \
  if ((cleared) == part && (l->granted & (needed)) == (needed)) memset(l->name, 0, bytes);
#define THREE(name, needed, cleared) \
  for (int a = 0; a < 3 && (cleared) == part && (l->granted & (needed)) == (needed); a++) memset(l->name[a], 0, bytes);
  DEMI_LAW_LANES(ONE, THREE)
#undef ONE
#undef THREE
}

static void clear_lanes(demi_law_lanes *l, int32_t part, int absent) {
  const size_t bytes = (size_t)DEMI_ROUND_UP(l->batch.count) * sizeof(double);
  if (part == DEMI_NORMAL || part == DEMI_GAP) clear_before(l, DEMI_NORMAL, bytes);
  if (part == DEMI_TANGENTIAL) {
    clear_before(l, DEMI_TANGENTIAL, bytes);
    for (int a = 0; a < 3 && absent; a++) memset(l->tangential_elastic[a], 0, bytes);
  }
  if (part == DEMI_ROLLING) clear_before(l, DEMI_ROLLING, bytes);
  if (l->granted & DEMI_LANES_BOOKS) memset(l->hysteresis[part], 0, bytes);
}

static void limit_friction(const demi_law_lanes *l, double *restrict force) {
  const int32_t lanes = DEMI_LANES(&l->batch);
  DEMI_INDEPENDENT
  for (int32_t q = 0; q < lanes; q++) force[q] = fabs(l->normal_elastic[q] + l->normal_damping[q] + l->adhesion[q]);
}

static void limit_friction_slopes(const demi_law_lanes *l, double *by_overlap, double *by_speed) {
  for (int32_t q = 0; q < DEMI_LANES(&l->batch); q++) {
    const double sign = l->normal_elastic[q] + l->normal_damping[q] + l->adhesion[q] < 0 ? -1.0 : 1.0;
    by_overlap[q] = l->batch.friction_lagged ? 0.0 : sign * (l->own_stiffness[q] + l->adhesion_slope[q]);
    by_speed[q] = l->batch.friction_lagged ? 0.0 : -sign * l->own_viscosity[q];
  }
}

/* The force that limits friction, for a part behind the normal one. */
static void hand_friction(demi_law_lanes *l, int32_t part) {
  const int rubs = part == DEMI_TANGENTIAL;
  dem_batch *b = &l->batch;
  b->friction_force = rubs ? l->friction_force : l->turning_friction_force;
  if (!b->friction_lagged) limit_friction(l, b->friction_force);
  if (!(l->granted & DEMI_LANES_SLOPES)) return;
  b->friction_overlap = rubs ? l->friction_overlap : l->turning_friction_overlap;
  b->friction_normal_velocity = rubs ? l->friction_normal_velocity : l->turning_friction_normal_velocity;
  limit_friction_slopes(l, b->friction_overlap, b->friction_normal_velocity);
}

/* Parts after the normal one may multiply by its derivatives; where it has none these are as the caller filled them. */
static void hand_slopes(demi_law_lanes *l, int32_t part) {
  const int rubs = part == DEMI_TANGENTIAL;
  if (part == DEMI_NORMAL || part == DEMI_GAP) return;
  l->batch.normal_stiffness = rubs ? l->normal_stiffness : l->own_stiffness;
  l->batch.normal_viscosity = rubs ? l->normal_viscosity : l->own_viscosity;
}

static void keep_own_slopes(demi_law_lanes *l) {
  memcpy(l->own_stiffness, l->normal_stiffness, sizeof l->own_stiffness);
  memcpy(l->own_viscosity, l->normal_viscosity, sizeof l->own_viscosity);
}

void demi_law_run_part(const demi_bound *bound, int32_t part, demi_law_lanes *l) {
  const int moves = part != DEMI_NORMAL && part != DEMI_GAP, first = demi_bound_history(bound, part);
  clear_lanes(l, part, !bound->evaluate[part]);
  if (!bound->evaluate[part]) return;
  l->batch.history_in = l->in + first;
  l->batch.history_out = l->out + first;
  l->batch.hysteresis = moves && (l->granted & DEMI_LANES_BOOKS) ? l->hysteresis[part] : NULL;
  if (l->granted & DEMI_LANES_SLOPES) hand_slopes(l, part);
  if (moves) hand_friction(l, part);
  bound->evaluate[part](bound->parameters[part], &l->batch);
  if (part == DEMI_NORMAL && (l->granted & DEMI_LANES_SLOPES)) keep_own_slopes(l);
}

void demi_law_run(const demi_bound *bound, demi_law_lanes *l, uint32_t ask, int32_t count, double dt) {
  demi_batch_offer(l, bound->offers, ask, count, dt);
  demi_law_run_part(bound, DEMI_NORMAL, l);
  demi_law_run_part(bound, DEMI_TANGENTIAL, l);
  if (!bound->rolls) return;
  demi_law_run_part(bound, DEMI_ROLLING, l);
  demi_law_run_part(bound, DEMI_TWISTING, l);
}

void demi_law_run_gap(const demi_bound *bound, demi_law_lanes *l, uint32_t ask, int32_t count, double dt) {
  const size_t bytes = (size_t)DEMI_ROUND_UP(count) * sizeof(double);
  demi_batch_offer(l, bound->gap_offers, ask, count, dt);
  for (int a = 0; a < 3; a++) {
    memset(l->tangential_elastic[a], 0, bytes);
    memset(l->tangential_damping[a], 0, bytes);
  }
  demi_law_run_part(bound, DEMI_GAP, l);
}
