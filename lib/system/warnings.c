/* What is said before stepping and now and then in a run, through the log hook: never a refusal. Each warning names item, value and
 * limit; it is said once for a set-up (laws, integrator, dt, gravity), and again when it has got twice as bad.
 *
 *   dt         above the stability limit: of the stiffest pair that is possible, or of the pairs there are (survey.c);
 *              above 1/15 of the contact time: fields and manuals ask for 1/10 to 1/50
 *   overlap    above 1 % of the smaller radius
 *   behind     the centre of a particle is beyond the surface of a wall
 *   stiffness  too soft: more than 1 % of the diameter is to be expected
 *              of a pair that touches or approaches (survey.c); while there is none, of a particle that meets a wall or a heavier
 *              one at its present speed, in a box that moves relative to the flow of the box;
 *              under the weight of a column of its like over the height that is filled, m g (1 + H/(2R)).
 *              From force f and energy U at that overlap, x ~ (E/U)^(1/p) and (W/f)^(1/(p-1)), p = x f/U.
 *   sizes      ratio above 1/(sqrt(1+mu^2)-1) with an integrator that is not synchronised (Vyas et al. 2025) */
#include "warnings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "box_motion.h"
#include "engine.h"
#include "material_sizes.h"
#include "springs.h"
#include "survey.h"
#include "time_step.h"

static const double steps_at_least = 15, overlap_at_most = 0.01, softness_at_most = 0.02;

/* Whether to say it: `severity` is the value over its limit, or the other way round, above 1 when outside. */
static int due(dem_system *s, int32_t kind, double severity, int again) {
  if (!(severity > 1)) return 0;
  if (!again && !(severity > 2 * s->warnings.severity[kind])) return 0;
  s->warnings.severity[kind] = severity;
  return 1;
}

/* " of particles 1 and 2", " of particle 1 and wall 0", " of particle 1 by all its contacts" */
static const char *whose(const demi_extreme *e, char *text, size_t room) {
  if (e->i && e->j)
    snprintf(text, room, "particles %llu and %llu", (unsigned long long)e->i, (unsigned long long)e->j);
  else if (e->i && e->wall >= 0)
    snprintf(text, room, "particle %llu and wall %d", (unsigned long long)e->i, e->wall);
  else if (e->i)
    snprintf(text, room, "particle %llu by all its contacts", (unsigned long long)e->i);
  else
    snprintf(text, room, "wall %d by all its contacts", e->wall);
  return text;
}

/* ---- time step ---- */

static int warn_stability(dem_system *s, const demi_survey *v, int again) {
  char text[96];
  const double possible = demi_system_stable_dt(s), dt = s->options.dt, part = 0.5 * s->integrator->table.stability;
  const double present = part > 0 ? part * v->stable.value : INFINITY;
  if (dt > possible) {
    if (due(s, DEMI_WARNING_STABILITY, dt / possible, again))
      demi_system_warning(s, "dt %g is above the stability limit %g of integrator '%s'", dt, possible, s->integrator->name);
    return 1;
  }
  if (due(s, DEMI_WARNING_STABILITY, dt / present, again))
    demi_system_warning(s, "dt %g is above the stability limit %g of %s, with integrator '%s'", dt, present,
                        whose(&v->stable, text, sizeof text), s->integrator->name);
  return dt > present;
}

static void warn_contact_time(dem_system *s, const demi_survey *v, int again) {
  char text[96];
  const double possible = demi_system_possible_time(s), dt = s->options.dt,
               limit = fmin(possible, v->time.value) / steps_at_least;
  if (!due(s, DEMI_WARNING_CONTACT_TIME, dt / limit, again)) return;
  if (v->time.value <= possible)
    demi_system_warning(s, "dt %g is above 1/%g of the contact time %g of %s, which is %g", dt, steps_at_least, v->time.value,
                        whose(&v->time, text, sizeof text), limit);
  else
    demi_system_warning(s, "dt %g is above 1/%g of the contact time %g of the stiffest possible pair, which is %g", dt,
                        steps_at_least, possible, limit);
}

/* ---- overlaps ---- */

/* Where the centre has passed the surface. A wall pushes it back with the force of such an overlap, or it was meant to be there. */
static void warn_behind(dem_system *s, const demi_survey *v, int again) {
  const demi_extreme *e = &v->behind;
  if (!e->i || !due(s, DEMI_WARNING_BEHIND, 1 + e->value, again)) return;
  const double radius = s->store.columns.position[4 * demi_idpool_row(&s->store.ids, e->i) + 3];
  demi_system_warning(s, "particle %llu is behind wall %d by %g (its centre, of radius %g): %lld in all",
                      (unsigned long long)e->i, e->wall, e->value * radius, radius, (long long)v->behind_count);
}

static void warn_overlap(dem_system *s, const demi_survey *v, int again) {
  char text[96];
  if (due(s, DEMI_WARNING_OVERLAP, v->overlap.value / overlap_at_most, again))
    demi_system_warning(s, "the overlap of %s is %g of the smaller radius, above %g", whose(&v->overlap, text, sizeof text),
                        v->overlap.value, overlap_at_most);
}

/* ---- stiffness ---- */

/* The overlap that speed or weight would bring, over the radius. */
typedef struct softness {
  demi_extreme speed, weight;
  double height[3]; /* filled, along the open axes that gravity acts on; else -1 */
} softness;

static int supported(const dem_system *s) {
  if (s->faces.count > 0) return 1;
  for (int64_t k = 0; k < s->store.count; k++)
    if (demi_store_frozen(&s->store, k)) return 1;
  return 0;
}

static void find_heights(const dem_system *s, double height[3]) {
  const int rests = supported(s);
  for (int a = 0; a < 3; a++) {
    double low = INFINITY, high = -INFINITY;
    height[a] = -1;
    if (!rests || s->options.gravity[a] == 0 || s->box.periodic[a]) continue;
    for (int64_t k = 0; k < s->store.count; k++) {
      if (demi_store_frozen(&s->store, k)) continue;
      low = fmin(low, s->store.columns.position[4 * k + a]);
      high = fmax(high, s->store.columns.position[4 * k + a]);
    }
    height[a] = fmax(high - low, 0);
  }
}

static double weight(const dem_system *s, const softness *o, int64_t k) {
  double most = 0;
  for (int a = 0; a < 3; a++)
    if (o->height[a] >= 0)
      most = fmax(most, s->store.columns.mass[k] * fabs(s->options.gravity[a]) *
                            (1 + 0.5 * o->height[a] / s->store.columns.position[4 * k + 3]));
  return most;
}

static void take_particle(const dem_system *s, const demi_springs *p, int32_t q, int64_t k, softness *o) {
  const double force = p->normal[q], energy = p->expected[q];
  if (!isgreater(energy, 0)) return; /* it may be NaN, which no trap may meet */
  const double exponent = p->overlap[q] * force / energy;
  double v[3];
  demi_box_relative_velocity(s, k, v);
  const double kinetic = 0.5 * p->mass[q] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  if (!(exponent > 1)) return;
  const demi_extreme speed = {softness_at_most * pow(kinetic / energy, 1 / exponent), s->store.columns.id[k], 0, -1};
  const demi_extreme load = {softness_at_most * pow(weight(s, o, k) / force, 1 / (exponent - 1)), speed.i, 0, -1};
  if (speed.value > o->speed.value) o->speed = speed;
  if (load.value > o->weight.value) o->weight = load;
}

/* The gathered particles, all of one material, against the materials first ... of these sizes. A law that stands for materials in
 * a row is tried once. */
static void soften_batch(const dem_system *s, int32_t material, int32_t first, const demi_material_sizes *sizes,
                         demi_springs *p, const int64_t *row, softness *o) {
  const demi_bound *before = NULL;
  for (int32_t b = 0; b < DEMI_SIZES_AT_ONCE && p->count > 0; b++) {
    if (!(sizes[b].largest_radius > 0) && !sizes[b].on_wall) continue;
    const demi_bound *bound = demi_laws_of(&s->laws, material, first + b);
    if (!bound || bound == before) continue;
    demi_springs_force(bound, p);
    for (int32_t q = 0; q < p->count; q++) take_particle(s, p, q, row[q], o);
    before = bound;
  }
  p->count = 0;
}

/* All moving particles of a material. */
static void soften(const dem_system *s, int32_t material, int32_t first, const demi_material_sizes *sizes, softness *o) {
  demi_springs p;
  int64_t row[DEM_BATCH_CAPACITY];
  p.count = 0;
  for (int64_t k = 0; k < s->store.count; k++) {
    if (s->store.columns.material[k] != material || demi_store_frozen(&s->store, k)) continue;
    const double radius = s->store.columns.position[4 * k + 3];
    row[p.count] = k;
    p.radius[p.count] = radius;
    p.mass[p.count] = s->store.columns.mass[k];
    p.overlap[p.count++] = softness_at_most * radius;
    if (p.count == DEM_BATCH_CAPACITY) soften_batch(s, material, first, sizes, &p, row, o);
  }
  soften_batch(s, material, first, sizes, &p, row, o);
}

static void warn_speed(dem_system *s, const demi_survey *v, const demi_extreme *alone, int again) {
  char text[96];
  const int pairs = v->contacts + v->approaching > 0;
  const double overlap = pairs ? v->impact.value : alone->value;
  if (pairs && overlap <= 1.1 * v->overlap.value) return; /* no speed is needed for it: warn_overlap has said so */
  if (!due(s, DEMI_WARNING_SPEED, overlap / softness_at_most, again)) return;
  if (pairs)
    demi_system_warning(s, "stiffness: %s are to overlap by %g of the smaller radius at their speed, above %g: too soft",
                        whose(&v->impact, text, sizeof text), overlap, softness_at_most);
  else
    demi_system_warning(s, "stiffness: particle %llu at its speed may overlap by %g of its radius, above %g: too soft",
                        (unsigned long long)alone->i, overlap, softness_at_most);
}

static void warn_softness(dem_system *s, const demi_survey *v, int again) {
  softness o;
  demi_material_sizes sizes[DEMI_SIZES_AT_ONCE];
  memset(&o, 0, sizeof o);
  find_heights(s, o.height);
  for (int32_t first = 0; first < s->materials.count; first += DEMI_SIZES_AT_ONCE) {
    demi_material_sizes_find(s, first, sizes);
    for (int32_t a = 0; a < s->materials.count; a++) soften(s, a, first, sizes, &o);
  }
  warn_speed(s, v, &o.speed, again);
  if (due(s, DEMI_WARNING_WEIGHT, o.weight.value / softness_at_most, again))
    demi_system_warning(
        s, "stiffness: particle %llu under the weight of a column may overlap by %g of its radius, above %g: too soft",
        (unsigned long long)o.weight.i, o.weight.value, softness_at_most);
}

/* ---- sizes ---- */

static void warn_ratio(dem_system *s, int again) {
  if (demi_system_synchronised(s)) return;
  const demi_size_ratio r = demi_survey_ratio(s);
  if (due(s, DEMI_WARNING_RATIO, r.ratio / r.critical, again))
    demi_system_warning(
        s,
        "size ratio %g of materials (%d, %d) is above the critical one %g of their friction: integrator '%s' may hold small "
        "particles fast between large ones",
        r.ratio, r.materials[0], r.materials[1], r.critical, s->integrator->name);
}

void demi_system_warn(dem_system *s, int again) {
  demi_survey survey;
  if (s->store.count == 0) return;
  demi_survey_pairs(s, &survey);
  if (!warn_stability(s, &survey, again)) warn_contact_time(s, &survey, again);
  warn_behind(s, &survey, again);
  warn_overlap(s, &survey, again);
  warn_softness(s, &survey, again);
  warn_ratio(s, again);
}

/* ---- when to survey ---- */

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
dem_status demi_warnings_survey_set_up(dem_system *s) {
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

void demi_warnings_forget(dem_system *s) {
  s->set_up_checked = 0;
  s->warnings.surveyed_particles = 0;
  memset(s->warnings.severity, 0, sizeof s->warnings.severity);
}
