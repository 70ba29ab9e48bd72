/* Checks before stepping: laws, box, skin. Also the largest stable time step of all possible pairs. */
#include <math.h>

#include "springs.h"
#include "survey.h"

/* ---- laws for all that may meet ---- */

static void mark_materials(const dem_system *s, uint8_t present[DEMI_MAX_MATERIALS]) {
  for (int64_t k = 0; k < s->store.count; k++) present[s->store.columns.material[k]] = 1;
}

/* Finds two materials without a law that may touch: of two particles (wall -1), or of a particle and a wall. Two walls never
 * touch. */
typedef struct hole {
  int32_t a, b, wall;
} hole;

static int lacks_law(const dem_system *s, hole *g) {
  uint8_t present[DEMI_MAX_MATERIALS] = {0};
  mark_materials(s, present);
  for (int32_t a = 0; a < s->material_count; a++)
    for (int32_t b = a; b < s->material_count; b++)
      if (present[a] && present[b] && !s->law[a][b]) {
        *g = (hole){a, b, -1};
        return 1;
      }
  for (int32_t w = 0; w < s->faces.count; w++)
    for (int32_t a = 0; a < s->material_count; a++) {
      const int32_t m = s->faces.face[w].material;
      if (present[a] && !s->law[a < m ? a : m][a < m ? m : a]) {
        *g = (hole){a, m, s->faces.face[w].wall_id};
        return 1;
      }
    }
  return 0;
}

static dem_status check_laws(dem_system *s) {
  hole g;
  if (!lacks_law(s, &g)) return DEM_OK;
  if (g.wall < 0)
    return demi_system_refuse(s, DEM_INCOMPLETE, "materials (%d, %d) have no law, particles of both are present", g.a, g.b);
  return demi_system_refuse(s, DEM_INCOMPLETE, "materials (%d, %d) have no law, wall %d is of material %d", g.a, g.b, g.wall,
                            g.b);
}

int demi_system_complete(const dem_system *s) {
  hole unused;
  return !lacks_law(s, &unused);
}

/* ---- box and skin ---- */

static dem_status check_box(dem_system *s) {
  const double skin = demi_system_skin(s), gap = demi_system_range(s), range = 2.0 * s->largest_radius + gap + skin;
  if (!isfinite(gap)) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "a law acts across gaps up to %g, must be finite", gap);
  if (s->store.count == 0) return DEM_OK;
  const dem_status status = demi_system_check_places(s);
  if (status) return status;
  if (skin > 20.0 * s->largest_radius)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT,
                              "skin is %g, at most 10 largest diameters (%g): nearly every pair would be listed", skin,
                              20.0 * s->largest_radius);
  for (int a = 0; a < 3; a++)
    if (s->box.periodic[a] && demi_box_length(&s->box, a) < 2.0 * range)
      return demi_system_refuse(
          s, DEM_BAD_ARGUMENT,
          "box: periodic axis %d is %g long, must be at least %g (twice the range: diameter %g + gap %g + skin %g)", a,
          demi_box_length(&s->box, a), 2.0 * range, 2.0 * s->largest_radius, gap, skin);
  return DEM_OK;
}

int demi_system_fits(const dem_system *s) {
  const double skin = demi_system_skin(s), gap = demi_system_range(s), range = 2.0 * s->largest_radius + gap + skin;
  int fits = isfinite(gap) && skin <= 20.0 * s->largest_radius;
  for (int a = 0; a < 3; a++) fits = fits && (!s->box.periodic[a] || demi_box_length(&s->box, a) >= 2.0 * range);
  return fits;
}

/* ---- time step ---- */

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
  const int64_t i = demi_idpool_row(&s->store.ids, bond->is.i), j = demi_idpool_row(&s->store.ids, bond->is.j);
  const double ri = c->position[4 * i + 3], rj = c->position[4 * j + 3], length = bond->is.rest_length;
  const double ai = length * ri / (ri + rj), aj = length - ai;
  const double moves = c->velocity[8 * i + 3] + c->velocity[8 * j + 3], turns_i = c->velocity[8 * i + 7],
               turns_j = c->velocity[8 * j + 7];
  const demi_bond_springs k = demi_bond_springs_of(&s->bonds.type[bond->is.type], ri, rj);
  const double square = fmax(fmax(k.normal * moves, k.tangential * (moves + ai * ai * turns_i + aj * aj * turns_j)),
                             fmax(k.bending, k.twisting) * (turns_i + turns_j));
  return square > 0 ? 2.0 / sqrt(square) : INFINITY;
}

static double bonds_limit(const dem_system *s) {
  double least = INFINITY;
  for (int64_t k = 0; k < s->bonds.count; k++)
    if (s->bonds.bond[k].is.id) least = fmin(least, demi_bond_stable_dt(s, &s->bonds.bond[k]));
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
  return p.time[0] > 0 ? p.time[0] : INFINITY;
}

double demi_system_possible_time(const dem_system *s) {
  extremes e;
  double least = INFINITY;
  find_extremes(s, &e);
  for (int32_t a = 0; a < s->material_count; a++)
    for (int32_t b = a; b < s->material_count; b++) least = fmin(least, possible_time(s, &e, a, b));
  return least;
}

/* ---- when to look for what to warn of ---- */

/* A survey costs four to six steps. It is taken where the set-up is new, and while running after FIRST_STEPS, then twice as many,
 * and so on to STEPS_PER_SURVEY. However often a host changes the set-up, there are no more surveys than SPARE_SURVEYS and one in
 * STEPS_PER_SURVEY steps: about a thousandth of the work. */
enum { FIRST_STEPS = 1024, STEPS_PER_SURVEY = 4096, SPARE_SURVEYS = 16 };

static int may_survey(const dem_system *s) {
  return s->store.count > 0 && s->warnings.surveys < SPARE_SURVEYS + s->steps / STEPS_PER_SURVEY;
}

static void survey_now(dem_system *s, int64_t interval) {
  s->warnings.surveys++;
  s->warnings.surveyed_particles = s->store.count;
  s->warnings.survey_interval = interval;
  s->warnings.next_survey = s->steps + interval;
  demi_system_warn(s, 0);
}

/* If only the number of particles has changed, the next survey comes when a tenth of them was added or removed. An existing
 * list is used even if it must be rebuilt in the next step: the results must not depend on the surveys. */
static dem_status survey_set_up(dem_system *s) {
  const int64_t change = s->store.count > s->warnings.surveyed_particles ? s->store.count - s->warnings.surveyed_particles
                                                                         : s->warnings.surveyed_particles - s->store.count;
  if (!may_survey(s) || 10 * change <= s->warnings.surveyed_particles) return DEM_OK;
  const dem_status status = s->list.valid && s->contacts.valid ? DEM_OK : demi_engine_search(s);
  if (!status) survey_now(s, FIRST_STEPS);
  return status;
}

void demi_warnings_survey(dem_system *s) {
  if (!may_survey(s) || !s->list.valid || !s->contacts.valid) return;
  survey_now(s, 2 * s->warnings.survey_interval < STEPS_PER_SURVEY ? 2 * s->warnings.survey_interval : STEPS_PER_SURVEY);
}

/* ---- all ---- */

dem_status demi_system_ready(dem_system *s) {
  if (s->guards.views > 0) return demi_system_refuse(s, DEM_BUSY, "stepping: %d views are open, must be 0", s->guards.views);
  if (s->set_up_checked) return DEM_OK;
  dem_status status = check_laws(s);
  if (!status) status = check_box(s);
  if (status) return status;
  if ((status = survey_set_up(s)) != DEM_OK) return status;
  s->set_up_checked = 1;
  return DEM_OK;
}
