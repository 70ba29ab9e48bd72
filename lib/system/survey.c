/* One walk over the listed pairs: contact times, overlaps, stability.
 *
 * Stability of velocity-Verlet over all pairs: dt^2 A + 2 dt B must not exceed 4 (advice/formulas.c), A and B the
 * matrices of springs and dashpots over the masses. In coordinates x and sqrt(I/m) theta a contact enters with the block norm
 * kappa = max(k_n, (1 + m R^2/I) k_t): 3.5 k_t for spheres, 3 k_t for discs. By Gershgorin's theorem for blocks, scaled by s > 0,
 *   A <= max_i sum_c kappa/m_i (1 + s_j/s_i),
 * the second term only where j can move. Three scalings are tried: s = 1, m^(-1/2), 1/m. The last gives sum kappa (1/m_i + 1/m_j),
 * exact for a pair alone; the first is the better one for a large sphere among small ones. A chain of equal springs has 4 k/m by
 * any, which is exact. Sums are over contacts that touch and over bonds; pairs that approach count one by one. */
#include "survey.h"

#include <math.h>
#include <string.h>

#include "material_sizes.h"
#include "springs.h"
#include "time_step.h"

/* What gathers at a particle or wall; by entry: of springs (kappa), of dashpots. */
enum { SUM_ALL = 0, SUM_MOBILE = 1, SUM_HALF = 2, SUM_FULL = 3, SUMS = 4 };
typedef struct sums {
  double of[2][SUMS];
} sums;

typedef struct gather {
  dem_system *s;
  demi_survey *survey;
  int32_t law;
  demi_springs springs;
  int32_t i[DEM_BATCH_CAPACITY], j[DEM_BATCH_CAPACITY]; /* see partner.h */
  double smaller[DEM_BATCH_CAPACITY], mobility_i[DEM_BATCH_CAPACITY], mobility_j[DEM_BATCH_CAPACITY];
  double spin; /* 1 + m R^2/I */
  sums *row;   /* of particles: rows of 8 that the next sort will write over */
  sums *wall;  /* of walls: scratch of theirs */
} gather;

/* ---- extremes ---- */

static void name_pair(const dem_system *s, int32_t i, int32_t j, demi_extreme *e) {
  e->i = s->store.columns.id[i];
  e->j = j >= 0 ? s->store.columns.id[j] : 0;
  e->wall = j >= 0 ? -1 : s->faces.face[demi_face_of_partner(j)].wall_id;
}

/* A value that is not known is NaN, which is neither, and which no trap may meet. */
static void least(const gather *g, double value, int32_t i, int32_t j, demi_extreme *e) {
  if (!isless(value, e->value)) return;
  e->value = value;
  name_pair(g->s, i, j, e);
}

static void largest(const gather *g, double value, int32_t i, int32_t j, demi_extreme *e) {
  if (!isgreater(value, e->value)) return;
  e->value = value;
  name_pair(g->s, i, j, e);
}

/* a dt^2 + 2 b dt = 4 */
static double limit(double a, double b) { return a > 0 || b > 0 ? 4 / (b + sqrt(b * b + 4 * a)) : INFINITY; }

/* ---- sums ---- */

static void add(sums *to, double kappa, double chi, double partner_mobility) {
  const double values[2] = {kappa, chi};
  for (int k = 0; k < 2; k++) {
    to->of[k][SUM_ALL] += values[k];
    if (partner_mobility > 0) to->of[k][SUM_MOBILE] += values[k];
    to->of[k][SUM_HALF] += values[k] * sqrt(partner_mobility);
    to->of[k][SUM_FULL] += values[k] * partner_mobility;
  }
}

static void add_pair(gather *g, int32_t i, int32_t j, double kappa, double chi, double mobility_i, double mobility_j) {
  add(&g->row[i], kappa, chi, mobility_j);
  add(j >= 0 ? &g->row[j] : &g->wall[g->s->faces.face[demi_face_of_partner(j)].wall], kappa, chi, mobility_i);
}

/* The limit by each of the scalings. */
static void row_limits(const sums *sum, double mobility, double limits[3]) {
  double value[2][3];
  for (int k = 0; k < 2; k++) {
    value[k][0] = mobility * (sum->of[k][SUM_ALL] + sum->of[k][SUM_MOBILE]);
    value[k][1] = mobility * sum->of[k][SUM_ALL] + sqrt(mobility) * sum->of[k][SUM_HALF];
    value[k][2] = mobility * sum->of[k][SUM_ALL] + sum->of[k][SUM_FULL];
  }
  for (int c = 0; c < 3; c++) limits[c] = limit(value[0][c], value[1][c]);
}

static void take_limits(const double limits[3], dem_id id, int32_t wall, demi_extreme best[3]) {
  for (int c = 0; c < 3; c++)
    if (limits[c] < best[c].value) best[c] = (demi_extreme){limits[c], id, 0, wall};
}

/* Of all particles and walls by each scaling; the scaling that allows most holds. */
static demi_extreme joint_limit(const gather *g) {
  const dem_system *s = g->s;
  demi_extreme best[3];
  double limits[3];
  for (int c = 0; c < 3; c++) best[c] = (demi_extreme){INFINITY, 0, 0, -1};
  for (int64_t k = 0; k < s->store.count; k++) {
    const double mobility = demi_store_mobility(&s->store, k);
    if (!(mobility > 0)) continue;
    row_limits(&g->row[k], mobility, limits);
    take_limits(limits, s->store.columns.id[k], -1, best);
  }
  for (int32_t f = 0; f < s->faces.count; f++) {
    const double *m = s->faces.mobility[f];
    const double mobility = fmax(m[0], fmax(m[1], m[2]));
    if (!(mobility > 0)) continue;
    row_limits(&g->wall[s->faces.face[f].wall], mobility, limits);
    take_limits(limits, 0, s->faces.face[f].wall_id, best);
  }
  const int c =
      best[0].value >= best[1].value ? (best[0].value >= best[2].value ? 0 : 2) : (best[1].value >= best[2].value ? 1 : 2);
  return best[c];
}

/* ---- batches ---- */

static void take_lane(gather *g, int32_t q) {
  const demi_springs *p = &g->springs;
  const int32_t i = g->i[q], j = g->j[q];
  const int touches = p->overlap[q] > 0;
  if (touches)
    g->survey->contacts++, largest(g, p->overlap[q] / g->smaller[q], i, j, &g->survey->overlap);
  else
    g->survey->approaching++;
  if (isnan(p->normal[q])) {
    g->survey->unknown++;
    return;
  }
  least(g, p->time[q], i, j, &g->survey->time);
  largest(g, p->expected[q] / g->smaller[q], i, j, &g->survey->impact);
  const double kappa = fmax(fmax(p->normal[q], 0), g->spin * p->tangential[q]);
  const double chi = fmax(p->normal_viscosity[q], g->spin * p->tangential_viscosity[q]);
  const double mobility = g->mobility_i[q] + g->mobility_j[q];
  least(g, limit(kappa * mobility, chi * mobility), i, j, &g->survey->stable);
  if (touches) add_pair(g, i, j, kappa, chi, g->mobility_i[q], g->mobility_j[q]);
}

static void flush(gather *g) {
  if (g->springs.count == 0) return;
  demi_springs_find(g->s->laws.entry[g->law].bound, &g->springs);
  for (int32_t q = 0; q < g->springs.count; q++) take_lane(g, q);
  g->springs.count = 0;
}

/* Fluid in a gap: the part itself says what it bears. */
static void take_gap(gather *g, const demi_bound *bound, int32_t i, int32_t j, double gap, double mass, double radius,
                     double speed) {
  const dem_law_part *part = &bound->law->part[DEMI_GAP].table;
  if (!bound->evaluate[DEMI_GAP] || !part->stable_dt || gap > demi_bound_range(bound, radius)) return;
  const double dt = part->stable_dt(bound->parameters[DEMI_GAP], mass, radius, speed);
  if (dt > 0) least(g, dt, i, j, &g->survey->stable);
}

typedef struct pair {
  int32_t i, j, law;
  double overlap, speed;                                        /* of approach */
  double radius, smaller, mobility_i, mobility_j, inverse_mass; /* 1/m* */
} pair;

static void take_behind(gather *g, const pair *p) {
  g->survey->behind_count++;
  g->survey->contacts++;
  largest(g, p->overlap / p->radius - 1, p->i, p->j, &g->survey->behind);
}

static void take_pair(gather *g, const pair *p) {
  const double speed = fmax(p->speed, 0);
  if (p->law < 0 || !(p->mobility_i + p->mobility_j > 0)) return;
  if (p->j < 0 && p->overlap > p->radius) { /* no overlap that a spring is meant for */
    take_behind(g, p);
    return;
  }
  take_gap(g, g->s->laws.entry[p->law].bound, p->i, p->j, -p->overlap, 1 / p->inverse_mass, p->radius, speed);
  if (!(p->overlap > 0) && !(speed > 0)) return;
  if (p->law != g->law || g->springs.count == DEM_BATCH_CAPACITY) flush(g);
  g->law = p->law;
  const int32_t q = g->springs.count++;
  g->i[q] = p->i;
  g->j[q] = p->j;
  g->smaller[q] = p->smaller;
  g->mobility_i[q] = p->mobility_i;
  g->mobility_j[q] = p->mobility_j;
  g->springs.overlap[q] = p->overlap;
  g->springs.radius[q] = p->radius;
  g->springs.mass[q] = 1 / p->inverse_mass;
  g->springs.speed[q] = speed;
}

/* ---- the walk ---- */

static int32_t law_of(const dem_system *s, int32_t a, int32_t b) { return demi_laws_index(&s->laws, a, b); }

static void walk_row(gather *g, int32_t i) {
  const dem_system *s = g->s;
  const demi_columns *c = &s->store.columns;
  const double *p = c->position + 4 * (int64_t)i, *v = c->velocity + 8 * (int64_t)i;
  for (int32_t k = s->list.row_start[i]; k < s->list.row_start[i + 1]; k++) {
    const uint32_t code = s->list.code[k];
    const int32_t j = (int32_t)(code & DEMI_ROW_MASK);
    const double *q = c->position + 4 * (int64_t)j, *u = c->velocity + 8 * (int64_t)j;
    const double *shift = s->list.shift + 4 * (code >> DEMI_SHIFT_BITS);
    const double *flow = s->list.shift_velocity + 4 * (code >> DEMI_SHIFT_BITS); /* the image moves with u + flow */
    double square = 0, along = 0;
    if (demi_list_is_put_off(&s->list, k)) continue; /* a bond stands for it */
    for (int a = 0; a < 3; a++) {
      const double r = p[a] - (q[a] + shift[a]);
      square += r * r;
      along += r * (v[a] - u[a] - flow[a]);
    }
    const double distance = sqrt(square);
    const pair found = {i,
                        j,
                        law_of(s, c->material[i], c->material[j]),
                        p[3] + q[3] - distance,
                        distance > 0 ? -along / distance : 0,
                        p[3] * q[3] / (p[3] + q[3]),
                        fmin(p[3], q[3]),
                        demi_store_mobility(&s->store, i),
                        demi_store_mobility(&s->store, j),
                        demi_store_inverse_mass_of(&s->store, i, j)};
    take_pair(g, &found);
  }
}

/* Speed at which the surface comes towards the particle, at the point under its centre. */
static double wall_approach(const demi_faces *faces, int32_t face, const double *x, double distance, const double *n,
                            const double *v) {
  const double *w = faces->velocity[face], *centre = faces->centre[face];
  double lever[3], speed = 0;
  for (int a = 0; a < 3; a++) lever[a] = x[a] - distance * n[a] - centre[a];
  const double turn[3] = {w[5] * lever[2] - w[6] * lever[1], w[6] * lever[0] - w[4] * lever[2],
                          w[4] * lever[1] - w[5] * lever[0]};
  for (int a = 0; a < 3; a++) speed -= (v[a] - w[a] - turn[a]) * n[a];
  return speed;
}

static void walk_walls(gather *g) {
  const dem_system *s = g->s;
  const demi_columns *c = &s->store.columns;
  for (int64_t k = 0; k < s->list.face_pairs; k++) {
    const int32_t i = s->list.face_row[k], f = s->list.face_index[k];
    const double *p = c->position + 4 * (int64_t)i, *v = c->velocity + 8 * (int64_t)i;
    double n[3];
    const double distance = demi_face_meets(&s->faces.face[f], p, n);
    if (isinf(distance)) continue; /* its neighbour across a joint acts */
    const pair found = {i,
                        demi_partner_of_face(f),
                        law_of(s, c->material[i], s->faces.face[f].material),
                        p[3] - distance,
                        wall_approach(&s->faces, f, p, distance, n, v),
                        p[3],
                        p[3],
                        demi_store_mobility(&s->store, i),
                        demi_face_mobility(&s->faces, f, n),
                        demi_store_inverse_mass(&s->store, i) + demi_face_inverse_mass(&s->faces, f, n)};
    take_pair(g, &found);
  }
}

static void walk_bonds(gather *g) {
  dem_system *s = g->s;
  for (int64_t k = 0; k < s->bonds.count; k++) {
    const demi_bond *bond = &s->bonds.bond[k];
    if (!bond->id) continue;
    const double dt = demi_bond_stable_dt(s, bond);
    const int32_t i = (int32_t)demi_idpool_row(&s->store.ids, bond->i);
    const int32_t j = (int32_t)demi_idpool_row(&s->store.ids, bond->j);
    const double a = demi_store_mobility(&s->store, i), b = demi_store_mobility(&s->store, j);
    if (!isfinite(dt) || !(a + b > 0)) continue;
    least(g, dt, i, j, &g->survey->stable);
    add_pair(g, i, j, 4 / (dt * dt) / (a + b), 0, a, b);
  }
}

void demi_survey_pairs(dem_system *s, demi_survey *survey) {
  gather g;
  memset(&g, 0, sizeof g);
  memset(survey, 0, sizeof *survey);
  survey->time = survey->stable = (demi_extreme){INFINITY, 0, 0, -1};
  survey->overlap.wall = survey->impact.wall = survey->behind.wall = -1;
  g.s = s;
  g.survey = survey;
  g.spin = s->options.shape == DEM_SHAPE_DISC ? 3.0 : 3.5;
  g.row = (sums *)(void *)s->store.spare.load;
  _Static_assert(sizeof(sums) == 8 * sizeof(double), "a row of loads holds the sums of a particle");
  g.wall = (sums *)(void *)s->walls.load;
  _Static_assert(sizeof(sums) <= sizeof(demi_wall_load), "the scratch of a wall holds its sums");
  if (s->store.count == 0) return;
  if (s->walls.count > 0) memset(g.wall, 0, (size_t)s->walls.count * sizeof *g.wall);
  memset(g.row, 0, (size_t)s->store.count * sizeof *g.row);
  for (int32_t i = 0; i < s->store.count; i++) walk_row(&g, i);
  walk_walls(&g);
  flush(&g);
  walk_bonds(&g);
  const demi_extreme joint = joint_limit(&g);
  if (joint.value < survey->stable.value * (1 - 1e-9)) survey->stable = joint;
}

/* ---- the particles by themselves ---- */

double demi_survey_speed(const dem_system *s) {
  double square = 0;
  for (int64_t k = 0; k < s->store.count; k++) {
    const double *v = s->store.columns.velocity + 8 * k;
    square = fmax(square, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  return sqrt(square);
}

typedef struct ratio_walk {
  const dem_system *s;
  demi_size_ratio worst;
} ratio_walk;

/* The largest particle of a beside the smallest of b that moves. */
static void take_ratio(void *user, int32_t a, int32_t b, const demi_material_sizes *of_a, const demi_material_sizes *of_b) {
  ratio_walk *walk = user;
  demi_size_ratio *worst = &walk->worst;
  const demi_bound *law = demi_laws_of(&walk->s->laws, a, b);
  if (!law || !(of_a->largest_radius > 0) || isinf(of_b->least_radius)) return;
  const double mu = demi_bound_friction(law), ratio = of_a->largest_radius / of_b->least_radius;
  const double critical = mu > 0 ? (sqrt(1 + mu * mu) + 1) / (mu * mu) : INFINITY;
  if (isnan(mu)) worst->unknown = 1;
  if (mu > 0 && (worst->materials[0] < 0 || ratio * worst->critical > worst->ratio * critical))
    *worst = (demi_size_ratio){{a, b}, worst->unknown, ratio, critical};
}

demi_size_ratio demi_survey_ratio(const dem_system *s) {
  ratio_walk walk = {s, {{-1, -1}, 0, 0, INFINITY}};
  demi_material_pairs_visit(s, take_ratio, &walk);
  return walk.worst;
}
