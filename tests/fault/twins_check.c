/* Twins: what must hold after every call; see twins.h. */
#include "assertions.h"

#include <stdlib.h>

#include "fault/twins.h"
#include "scenes/snapshot.h"

enum { SHARE_DOUBLES = 2 * SHARED_ACCOUNTS };

/* ---- books ---- */

dem_energy twin_energy(dem_system *s) {
  dem_energy e;
  dem_energy_init(&e, sizeof e);
  ASSERT_OK(s, dem_system_energy(s, &e));
  return e;
}

static void check_sink(const char *name, int side, double account, double least) {
  if (!(account >= least)) fail_msg("%s[%d] is %g, least %g", name, side, account, least);
}

/* A dashpot whose velocity turns round within a step has a mean power of the wrong sign: an error of the time step. */
static void check_sinks(const dem_energy *e) {
  const double none = -1e-12 * e->largest, step = -1e-6 * e->largest;
  for (int k = 0; k < 2; k++) {
    check_sink("sliding", k, e->sliding[k], none);
    check_sink("lubrication", k, e->lubrication[k], none);
    check_sink("damping_normal", k, e->damping_normal[k], step);
    check_sink("damping_tangential", k, e->damping_tangential[k], step);
    check_sink("rolling", k, e->rolling[k], step);
    check_sink("twisting", k, e->twisting[k], step);
  }
  check_sink("damping_bond", 0, e->damping_bond, step);
  check_sink("breakage", 0, e->breakage, none);
}

void host_check_books(const host *h, const dem_energy *e) {
  if (!(e->residual_relative <= 1e-12))
    fail_msg("residual %g of %g, relative %g", e->residual, e->largest, e->residual_relative);
  if (h->gentle && !h->wide) check_sinks(e); /* a fine grain deep inside a coarse one or a wall has long arms */
}

/* ---- shares ---- */

/* Account k / 2, side k % 2. */
void share_add(double *sum, const dem_energy_share *share) {
  double of[2][SHARED_ACCOUNTS];
  for (int side = 0; side < 2; side++) accounts_of_share(share, side, of[side]);
  for (int k = 0; k < SHARE_DOUBLES; k++) sum[k] += of[k % 2][k / 2];
}

static void read_totals(const dem_energy *e, double *v) {
  double of[2][SHARED_ACCOUNTS];
  for (int side = 0; side < 2; side++) accounts_of_energy(e, side, of[side]);
  for (int k = 0; k < SHARE_DOUBLES; k++) v[k] = of[k % 2][k / 2];
}

dem_energy_share share_fresh(void) {
  dem_energy_share share;
  dem_energy_share_init(&share, sizeof share);
  return share;
}

static void expect_sum(const char *what, const double *sum, const double *total, int step, double scale) {
  for (int k = step - 1; k < SHARE_DOUBLES; k += step)
    if (!(fabs(sum[k] - total[k]) <= 1e-9 * scale))
      fail_msg("shares by %s: account %d, side %d sums up to %.17g, not %.17g", what, k / 2, k % 2, sum[k], total[k]);
}

static void check_shares(host *h, const twin *t, const dem_energy *e) {
  double total[SHARE_DOUBLES], laws[SHARE_DOUBLES] = {0}, materials[SHARE_DOUBLES] = {0}, walls[SHARE_DOUBLES] = {0};
  read_totals(e, total);
  for (int k = 0; k < LAWS; k++) {
    dem_energy_share share = share_fresh();
    const dem_status status = dem_system_energy_of_law(t->system, t->law[k], &share);
    if (status != DEM_NOT_FOUND) ASSERT_OK(t->system, status);
    share_add(laws, &share);
  }
  for (int a = 0; a < MATERIALS; a++)
    for (int b = a; b < MATERIALS; b++) {
      dem_energy_share share = share_fresh();
      ASSERT_OK(t->system, dem_system_energy_of_materials(t->system, b, a, &share));
      share_add(materials, &share);
    }
  for (int w = 0; w < WALLS; w++) {
    dem_energy_share share = share_fresh();
    if (h->wall[w] < 0) continue;
    ASSERT_OK(t->system, dem_system_energy_of_wall(t->system, h->wall[w], &share));
    share_add(walls, &share);
  }
  for (int k = 0; k < SHARE_DOUBLES; k++) walls[k] += h->gone.walls[k];
  expect_sum("law", laws, total, 1, e->largest);
  expect_sum("materials", materials, total, 1, e->largest);
  expect_sum("wall", walls, total, 2, e->largest);
}

void heat_add(const dem_system *s, int64_t n, const dem_id *ids, double *sum) {
  double heat[MOST], classes[CLASSES * MOST];
  ASSERT_OK(s, dem_system_get_field(s, DEM_HEAT, n, ids, heat, 0));
  ASSERT_OK(s, dem_system_get_field(s, DEM_HEAT_CLASSES, n, ids, classes, 0));
  for (int64_t k = 0; k < n; k++) {
    double all = 0;
    for (int c = 0; c < CLASSES; c++) {
      all += classes[CLASSES * k + c];
      sum[c] += classes[CLASSES * k + c];
    }
    ASSERT_REL(heat[k], all, 1e-12);
  }
}

static void check_heat(host *h, const twin *t, const dem_energy *e) {
  double sum[CLASSES];
  memcpy(sum, h->gone.heat, sizeof sum);
  heat_add(t->system, host_count(h), NULL, sum);
  double total[CLASSES];
  accounts_of_heat(e, total);
  for (int c = 0; c < CLASSES; c++)
    if (!(fabs(sum[c] - total[c]) <= 1e-9 * e->largest)) fail_msg("heat of class %d: %.17g, not %.17g", c, sum[c], total[c]);
}

static void check_walls(host *h, int k, const dem_energy *e) {
  const twin *t = &h->twin[k];
  double work = h->gone.work[k];
  for (int w = 0; w < WALLS; w++) {
    dem_wall_state s;
    if (h->wall[w] < 0) continue;
    dem_wall_state_init(&s, sizeof s);
    ASSERT_OK(t->system, dem_system_wall_state(t->system, h->wall[w], &s));
    work += s.work;
  }
  ASSERT_ABS(work, e->walls, 1e-11 * e->largest);
}

/* ---- twins ---- */

/* Forces, too, of all that is told of walls, bonds and breaks but energies. */
static void same_walls(const host *h, const twin *a, const twin *b) {
  for (int w = 0; w < WALLS; w++) {
    dem_wall_state s, t;
    if (h->wall[w] < 0) continue;
    dem_wall_state_init(&s, sizeof s);
    dem_wall_state_init(&t, sizeof t);
    ASSERT_OK(a->system, dem_system_wall_state(a->system, h->wall[w], &s));
    ASSERT_OK(b->system, dem_system_wall_state(b->system, h->wall[w], &t));
    s.work = t.work = 0;
    ASSERT_BITS(&s, &t, sizeof s);
  }
}

static void same_bonds(const twin *a, const twin *b) {
  int64_t n, m;
  ASSERT_OK(a->system, dem_system_bond_count(a->system, &n));
  ASSERT_OK(b->system, dem_system_bond_count(b->system, &m));
  assert_int_equal(n, m);
  dem_bond *s = calloc((size_t)n + 1, sizeof *s), *t = calloc((size_t)n + 1, sizeof *t);
  assert_true(s && t);
  ASSERT_OK(a->system, dem_system_bonds(a->system, n, s, sizeof *s));
  ASSERT_OK(b->system, dem_system_bonds(b->system, n, t, sizeof *t));
  ASSERT_BITS(s, t, (size_t)n * sizeof *s);
  free(s);
  free(t);
}

static void check_same(const host *h) {
  snapshot right;
  snapshot_take(&right, host_first(h));
  for (int k = 1; k < h->count; k++) {
    snapshot other;
    snapshot_take(&other, h->twin[k].system);
    snapshot_assert_same_bits(&right, &other);
    snapshot_free(&other);
    same_walls(h, &h->twin[0], &h->twin[k]);
    same_bonds(&h->twin[0], &h->twin[k]);
  }
  snapshot_free(&right);
}

/* Whether books are kept by contact makes no difference to the totals but round-off, as long as what moves the walls does so at
 * constant acceleration: then it does not matter where an interval of constant forces is cut for a reading. */
static void check_totals(const dem_energy *a, const dem_energy *b) {
  const size_t first = offsetof(dem_energy, kinetic_linear), end = offsetof(dem_energy, residual);
  for (size_t at = first; at < end; at += sizeof(double)) {
    double p, q;
    memcpy(&p, (const char *)a + at, sizeof p);
    memcpy(&q, (const char *)b + at, sizeof q);
    if (!(fabs(p - q) <= 1e-11 * a->largest)) fail_msg("account at byte %zu: %.17g with ledger 2, %.17g with 1", at, p, q);
  }
}

void host_check(host *h) {
  dem_energy e[TWINS];
  const int fail = h->memory.one_in;
  h->memory.one_in = 0;
  check_same(h);
  for (int k = 0; k < h->count; k++) {
    const twin *t = &h->twin[k];
    ASSERT_OK(t->system, dem_system_check(t->system));
    e[k] = twin_energy(t->system);
    if (twin_kinds[k].ledger) host_check_books(h, &e[k]);
    if (twin_kinds[k].ledger) check_walls(h, k, &e[k]);
    if (twin_kinds[k].ledger == 2) check_shares(h, t, &e[k]), check_heat(h, t, &e[k]);
  }
  if (h->count == TWINS && h->plain_walls) check_totals(&e[0], &e[2]);
  if (h->count == TWINS) ASSERT_BITS(&e[0], &e[TWINS - 1], sizeof e[0]);
  check_same(h);
  h->memory.one_in = fail;
}
