/* Largest stable time step and shortest contact time of all pairs of particles that may meet, from their materials. */
#include "time_step.h"

#include <math.h>

#include "springs.h"

/* ---- stability ---- */

typedef struct extremes {
  double mass[DEMI_MAX_MATERIALS], radius[DEMI_MAX_MATERIALS]; /* smallest of particles that move; 0 = none */
  double speed;
} extremes;

static void find_extremes(const dem_system *s, extremes *e) {
  double square = 0, driven = 0;
  for (int32_t m = 0; m < DEMI_MAX_MATERIALS; m++) e->mass[m] = e->radius[m] = INFINITY;
  for (int64_t k = 0; k < s->store.count; k++) {
    const int32_t m = s->store.columns.material[k];
    const double *v = s->store.columns.velocity + 8 * k;
    if (demi_store_frozen(&s->store, k)) { /* moves like a wall */
      driven = fmax(driven, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      continue;
    }
    e->mass[m] = fmin(e->mass[m], s->store.columns.mass[k]);
    e->radius[m] = fmin(e->radius[m], s->store.columns.position[4 * k + 3]);
    square = fmax(square, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  double speed = sqrt(square), wall = sqrt(driven);
  for (int32_t w = 0; w < s->walls.count; w++) {
    const double *v = s->walls.wall[w].velocity;
    wall = fmax(wall, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
  }
  e->speed = speed + fmax(speed, wall);
}

/* Harmonic combination; an infinite partner leaves the other. */
static double effective(double a, double b) { return isinf(a) ? b : (isinf(b) ? a : a * b / (a + b)); }

/* Of one contact between materials a and b. */
static double contact_limit(const dem_system *s, int32_t a, int32_t b, double mass, double radius, double speed) {
  const int32_t index = s->laws.of_pair[a * DEMI_MAX_MATERIALS + b];
  double least = INFINITY;
  if (index < 0 || isinf(mass)) return least;
  const demi_bound *bound = &s->laws.bound[index];
  for (int32_t k = 0; k < DEMI_PARTS; k++) {
    const dem_law_part *part = &bound->law->part[k].table;
    const double dt = part->stable_dt ? part->stable_dt(bound->parameters[k], mass, radius, speed) : 0;
    if (dt > 0) least = fmin(least, dt);
  }
  return least;
}

/* Of one bond alone, each spring by itself: 2/omega, omega^2 = stiffness times what its ends yield. Across, the arms turn too. */
double demi_bond_stable_dt(const dem_system *s, const demi_bond *bond) {
  const demi_columns *c = &s->store.columns;
  const int64_t i = demi_idpool_row(&s->store.ids, bond->i), j = demi_idpool_row(&s->store.ids, bond->j);
  const double ri = c->position[4 * i + 3], rj = c->position[4 * j + 3], length = bond->state.rest_length;
  const double ai = length * ri / (ri + rj), aj = length - ai;
  const double moves = demi_store_mobility(&s->store, i) + demi_store_mobility(&s->store, j);
  const double turns_i = demi_store_turning_mobility(&s->store, i), turns_j = demi_store_turning_mobility(&s->store, j);
  const demi_bond_springs k = demi_bond_springs_of(&s->bonds.type[bond->type], ri, rj);
  const double square = fmax(fmax(k.normal * moves, k.tangential * (moves + ai * ai * turns_i + aj * aj * turns_j)),
                             fmax(k.bending, k.twisting) * (turns_i + turns_j));
  return square > 0 ? 2.0 / sqrt(square) : INFINITY;
}

static double bonds_limit(const dem_system *s) {
  double least = INFINITY;
  for (int64_t k = 0; k < s->bonds.count; k++)
    if (s->bonds.bond[k].id) least = fmin(least, demi_bond_stable_dt(s, &s->bonds.bond[k]));
  return least;
}

static double pair_limit(const dem_system *s, const extremes *e, int32_t a, int32_t b) {
  return contact_limit(s, a, b, effective(e->mass[a], e->mass[b]), effective(e->radius[a], e->radius[b]), e->speed);
}

static int64_t touching(const dem_system *s, int32_t wall) {
  const demi_loads *l = &s->contacts.loads;
  int64_t count = 0;
  for (int32_t b = 0; b < s->list.motion.blocks && s->contacts.valid; b++)
    for (int64_t c = l->first[DEMI_SECTION_WALL][b]; c < l->first[DEMI_SECTION_WALL][b] + l->count[DEMI_SECTION_WALL][b]; c++)
      count += s->faces.face[demi_face_of_partner(l->j[c])].wall == wall;
  return count;
}

/* A free wall that rests on n particles shares its mass among n springs. */
static double free_wall_limit(const dem_system *s, const extremes *e, int32_t wall) {
  const dem_wall *w = &s->walls.wall[wall].given;
  double least = INFINITY;
  if (w->motion != DEM_WALL_FREE) return least;
  const double sprung = w->mass / fmax(1.0, (double)touching(s, wall));
  for (int32_t a = 0; a < s->material_count; a++)
    if (!isinf(e->mass[a]))
      least = fmin(least, contact_limit(s, a, w->material, effective(e->mass[a], sprung), e->radius[a], e->speed));
  return least;
}

double demi_system_stable_dt(const dem_system *s) {
  extremes e;
  double least = bonds_limit(s);
  find_extremes(s, &e);
  for (int32_t a = 0; a < s->material_count; a++)
    for (int32_t b = a; b < s->material_count; b++) least = fmin(least, pair_limit(s, &e, a, b));
  for (int32_t w = 0; w < s->walls.count; w++) least = fmin(least, free_wall_limit(s, &e, w));
  /* laws answer for velocity-Verlet, omega dt = 2 */
  return s->integrator->table.stability > 0 ? 0.5 * s->integrator->table.stability * least : INFINITY;
}

/* ---- contact time ---- */

/* Of the lightest particles of two materials, at the largest speed of approach, and an overlap of at least a thousandth of R*. */
static double possible_time(const dem_system *s, const extremes *e, int32_t a, int32_t b) {
  const int32_t law = s->laws.of_pair[a * DEMI_MAX_MATERIALS + b];
  const double mass = effective(e->mass[a], e->mass[b]);
  demi_springs p;
  if (law < 0 || isinf(mass)) return INFINITY;
  p.count = 1;
  p.mass[0] = mass;
  p.radius[0] = effective(e->radius[a], e->radius[b]);
  p.overlap[0] = 1e-3 * p.radius[0];
  p.speed[0] = e->speed;
  demi_springs_find(&s->laws.bound[law], &p);
  return isgreater(p.time[0], 0) ? p.time[0] : INFINITY; /* it may be NaN, which no trap may meet */
}

double demi_system_possible_time(const dem_system *s) {
  extremes e;
  double least = INFINITY;
  find_extremes(s, &e);
  for (int32_t a = 0; a < s->material_count; a++)
    for (int32_t b = a; b < s->material_count; b++) least = fmin(least, possible_time(s, &e, a, b));
  return least;
}
