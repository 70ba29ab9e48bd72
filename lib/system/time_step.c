/* Largest stable time step and shortest contact time of all pairs of particles that may meet, from their materials. */
#include "time_step.h"

#include <math.h>

#include "box_motion.h"
#include "material_sizes.h"
#include "springs.h"

/* ---- stability ---- */

static double square_of(const double v[3]) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

static double fastest_wall(const dem_system *s) {
  double speed = 0;
  for (int32_t w = 0; w < s->walls.count; w++) speed = fmax(speed, sqrt(square_of(s->walls.wall[w].velocity)));
  return speed;
}

/* In a box that moves, image n of j approaches i with v_i - v_j - L H n. With the velocities w = v - L (x - c) relative to the flow of the
 * box this is w_i - w_j + L r, r = x_i - x_j - H n, whatever n; and |r| is at most 2 R where they touch. */
static double approach_across_faces(const dem_system *s) {
  const double *rate = s->box_motion.given.rate;
  double most[2] = {0, 0}, square = 0, w[3]; /* of particles that move, and of frozen ones */
  for (int64_t k = 0; k < s->store.count; k++) {
    double *of = &most[demi_store_frozen(&s->store, k)];
    demi_box_relative_velocity(s, k, w);
    *of = fmax(*of, sqrt(square_of(w)));
  }
  for (int k = 0; k < DEMI_RATES; k++) square += rate[k] * rate[k];
  return most[0] + fmax(most[0], most[1]) + sqrt(square) * 2 * s->largest_radius;
}

/* Speed at which two particles, or a particle and a wall, can approach at most [length/time]. */
static double approach_speed(const dem_system *s) {
  double square = 0, driven = 0;
  for (int64_t k = 0; k < s->store.count; k++) {
    double *most = demi_store_frozen(&s->store, k) ? &driven : &square; /* a frozen particle moves like a wall */
    *most = fmax(*most, square_of(s->store.columns.velocity + 8 * k));
  }
  const double speed = sqrt(square), wall = fastest_wall(s);
  if (!demi_box_moves(s)) return speed + fmax(speed, fmax(sqrt(driven), wall));
  return fmax(approach_across_faces(s), s->walls.count > 0 ? speed + wall : 0);
}

/* Harmonic combination; an infinite partner leaves the other. */
static double effective(double a, double b) { return isinf(a) ? b : (isinf(b) ? a : a * b / (a + b)); }

/* Of one contact between materials a and b. */
static double contact_limit(const dem_system *s, int32_t a, int32_t b, double mass, double radius, double speed) {
  const demi_bound *bound = demi_laws_of(&s->laws, a, b);
  double least = INFINITY;
  if (!bound || isinf(mass)) return least;
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

/* A walk over pairs of materials. */
typedef struct pair_walk {
  const dem_system *s;
  double speed, least;
} pair_walk;

static void take_pair(void *user, int32_t a, int32_t b, const demi_material_sizes *p, const demi_material_sizes *q) {
  pair_walk *walk = user;
  const double mass = effective(p->least_mass, q->least_mass), radius = effective(p->least_radius, q->least_radius);
  if (a <= b) walk->least = fmin(walk->least, contact_limit(walk->s, a, b, mass, radius, walk->speed));
}

static int64_t touching(const dem_system *s, int32_t wall) {
  const demi_loads *l = &s->contacts.loads;
  int64_t count = 0;
  for (int32_t b = 0; b < s->list.motion.blocks && s->contacts.valid; b++)
    for (int64_t c = l->first[DEMI_SECTION_WALL][b]; c < l->first[DEMI_SECTION_WALL][b] + l->count[DEMI_SECTION_WALL][b]; c++)
      count += s->faces.face[demi_face_of_partner(l->j[c])].wall == wall;
  return count;
}

/* A free wall that rests on n particles shares its mass among n springs. Its contacts with materials first ... of these sizes. */
static double free_wall_limit(const dem_system *s, int32_t wall, int32_t first, const demi_material_sizes *sizes,
                              double speed) {
  const dem_wall *w = &s->walls.wall[wall].given;
  const double sprung = w->mass / fmax(1.0, (double)touching(s, wall));
  double least = INFINITY;
  for (int32_t k = 0; k < DEMI_SIZES_AT_ONCE; k++)
    if (!isinf(sizes[k].least_mass))
      least = fmin(least, contact_limit(s, first + k, w->material, effective(sizes[k].least_mass, sprung),
                                        sizes[k].least_radius, speed));
  return least;
}

static double free_walls_limit(const dem_system *s, double speed) {
  demi_material_sizes sizes[DEMI_SIZES_AT_ONCE];
  double least = INFINITY;
  for (int32_t first = 0; first < s->materials.count && s->walls.count > 0; first += DEMI_SIZES_AT_ONCE) {
    demi_material_sizes_find(s, first, sizes);
    for (int32_t w = 0; w < s->walls.count; w++)
      if (s->walls.wall[w].given.motion == DEM_WALL_FREE) least = fmin(least, free_wall_limit(s, w, first, sizes, speed));
  }
  return least;
}

double demi_system_stable_dt(const dem_system *s) {
  pair_walk walk = {s, approach_speed(s), bonds_limit(s)};
  demi_material_pairs_visit(s, take_pair, &walk);
  const double least = fmin(walk.least, free_walls_limit(s, walk.speed));
  /* laws answer for velocity-Verlet, omega dt = 2 */
  return s->integrator->table.stability > 0 ? 0.5 * s->integrator->table.stability * least : INFINITY;
}

/* ---- contact time ---- */

/* Of the lightest particles of two materials, at the largest speed of approach, and an overlap of at least a thousandth of R*. */
static void take_possible_time(void *user, int32_t a, int32_t b, const demi_material_sizes *of_a,
                               const demi_material_sizes *of_b) {
  pair_walk *walk = user;
  const demi_bound *law = demi_laws_of(&walk->s->laws, a, b);
  const double mass = effective(of_a->least_mass, of_b->least_mass);
  demi_springs p;
  if (a > b || !law || isinf(mass)) return;
  p.count = 1;
  p.mass[0] = mass;
  p.radius[0] = effective(of_a->least_radius, of_b->least_radius);
  p.overlap[0] = 1e-3 * p.radius[0];
  p.speed[0] = walk->speed;
  demi_springs_find(law, &p);
  if (isgreater(p.time[0], 0)) walk->least = fmin(walk->least, p.time[0]); /* it may be NaN, which no trap may meet */
}

double demi_system_possible_time(const dem_system *s) {
  pair_walk walk = {s, approach_speed(s), INFINITY};
  demi_material_pairs_visit(s, take_possible_time, &walk);
  return walk.least;
}
