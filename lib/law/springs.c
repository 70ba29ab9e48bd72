/* What a law makes of a contact, asked through its parts' kernels, so that a user's part answers like a built-in one.
 *
 * Where the spring has taken up the energy E of an approach: U(x) = E, by Newton's method on logarithms, x <- x (E/U)^(1/p) with
 * p = x f/U, which for a power law, Hooke (p = 2) and Hertz (p = 5/2) among them, is there after one step; within a bracket, for
 * springs that attract before they repel. An impact on a
 * spring f ~ d^(p-1) from speed v to overlap x takes 2 x/v int_0^1 (1 - y^p)^(-1/2) dy = 2 sqrt(pi) Gamma(1 + 1/p)/Gamma(1/2 + 1/p)
 * x/v: pi sqrt(m/k) and 2.943 x/v.
 *
 * The tangential part's stiffness and dashpot come from -df_t/dv_t = c_t + k_t dt, asked at dt = 0 and dt = 1. */
#include "springs.h"

#include <math.h>
#include <string.h>

#include "lanes.h"
#include "parts/builtin.h"

static uint32_t offers(const demi_bound *bound, int32_t part) {
  return bound->evaluate[part] ? bound->law->part[part].table.capabilities : 0;
}

/* Lanes from `count` up to a whole vector are computed too: they repeat the first. */
static void fill(double *lane, int32_t count) {
  for (int32_t k = count; k < DEM_BATCH_CAPACITY; k++) lane[k] = lane[0];
}

/* Contacts at rest in which no time passes. */
static void set_up(demi_law_lanes *l, demi_lanes *normal, demi_springs *s) {
  demi_lanes_init(l, normal);
  demi_lanes_clear(l, s->count);
  memset(normal, 0, 3 * sizeof *normal);
  for (int32_t k = 0; k < DEM_BATCH_CAPACITY; k++) normal[0][k] = 1;
  fill(s->radius, s->count);
  fill(s->mass, s->count);
  memcpy(l->effective_radius, s->radius, sizeof s->radius);
  memcpy(l->effective_mass, s->mass, sizeof s->mass);
}

/* ---- normal ---- */

static void run_normal(const demi_bound *bound, demi_law_lanes *l, int32_t count, uint32_t ask) {
  fill(l->overlap, count);
  demi_batch_offer(l, bound->offers, ask, count, 0);
  demi_law_run_part(bound, DEMI_NORMAL, l);
}

/* Where to look for an overlap: the root of U = E lies between low and high, beyond the well of a spring that attracts at first. */
typedef struct bracket {
  double low, high, energy, base; /* base: U at first touch, as potentials may be counted from anywhere */
  int done;
} bracket;

/* One step towards the root; done when it is small, or the root is a thousand radii away. */
static void approach(bracket *k, double *x, double radius, double stored, double force) {
  const double held = stored - k->base, sought = k->energy - k->base;
  k->done = force > 0 && fabs(stored - k->energy) <= 1e-11 * fabs(held);
  if (k->done) return;
  *(stored > k->energy && force > 0 ? &k->high : &k->low) = *x;
  double next = held > 0 && sought > 0 && force > 0 ? *x * pow(sought / held, held / (*x * force)) : -1;
  if (!(next > k->low && next < k->high)) next = isinf(k->high) ? 2 * *x : 0.5 * (k->low + k->high);
  next = fmin(next, 1e3 * radius);
  k->done = fabs(next - *x) <= 1e-10 * *x;
  *x = next;
}

/* Brackets, and the first overlaps to try. A contact without approach stays where it is. */
static void begin(const demi_bound *bound, const demi_springs *s, demi_law_lanes *l, bracket *k) {
  for (int32_t q = 0; q < s->count; q++) l->overlap[q] = 1e-9 * s->radius[q];
  run_normal(bound, l, s->count, DEMI_ASK_ENERGY);
  for (int32_t q = 0; q < s->count; q++) {
    k[q] = (bracket){fmax(s->overlap[q], 0), INFINITY, l->normal_energy[q], l->normal_energy[q], 0};
    if (s->overlap[q] > 0) l->overlap[q] = s->overlap[q];
  }
  run_normal(bound, l, s->count, DEMI_ASK_ENERGY);
  for (int32_t q = 0; q < s->count; q++) {
    const int touches = s->overlap[q] > 0;
    k[q].done = touches && !(s->speed[q] > 0) && l->normal_elastic[q] >= 0;
    k[q].energy = (touches ? l->normal_energy[q] : k[q].base) + 0.5 * s->mass[q] * s->speed[q] * s->speed[q];
    if (!k[q].done) l->overlap[q] = fmax(l->overlap[q], 1e-3 * s->radius[q]);
  }
}

/* Duration over x/v on a power law, remembered: most contacts of a law have the same exponent. */
typedef struct shape {
  double exponent, factor;
} shape;

/* Duration of an impact to overlap x, if the spring is like a power law; else half a period of its stiffness there. */
static double duration(double x, double mass, double held, double force, shape *last) {
  const double p = x * force / held;
  if (!(held > 0 && p > 1 && p < 4)) return NAN;
  if (!(fabs(p - last->exponent) <= 1e-11 * p))
    *last = (shape){p, 2 * sqrt(3.14159265358979323846) * tgamma(1 + 1 / p) / tgamma(0.5 + 1 / p)};
  return last->factor * x * sqrt(0.5 * mass / held);
}

/* Leaves the expected overlaps in l->overlap; NaN where there is none. */
static void find_expected(const demi_bound *bound, demi_springs *s, demi_law_lanes *l) {
  bracket k[DEM_BATCH_CAPACITY];
  shape last = {0, 0};
  int going = 1;
  begin(bound, s, l, k);
  for (int round = 0; round < 100 && going; round++) {
    run_normal(bound, l, s->count, DEMI_ASK_ENERGY);
    going = 0;
    for (int32_t q = 0; q < s->count; q++) {
      if (!k[q].done) approach(&k[q], &l->overlap[q], s->radius[q], l->normal_energy[q], l->normal_elastic[q]);
      going |= !k[q].done;
    }
  }
  run_normal(bound, l, s->count, DEMI_ASK_ENERGY);
  for (int32_t q = 0; q < s->count; q++) {
    const int found = l->normal_elastic[q] != 0;
    s->expected[q] = found ? l->overlap[q] : NAN;
    s->time[q] =
        found ? duration(l->overlap[q], s->mass[q], l->normal_energy[q] - k[q].base, l->normal_elastic[q], &last) : NAN;
  }
}

/* For a law without stored energy: the stiffness at the present overlap. */
static void take_present(demi_springs *s, demi_law_lanes *l) {
  for (int32_t q = 0; q < s->count; q++) {
    l->overlap[q] = s->overlap[q] > 0 ? s->overlap[q] : 1e-3 * s->radius[q];
    s->expected[q] = s->overlap[q] > 0 ? s->overlap[q] : NAN;
    s->time[q] = NAN;
  }
}

static void find_normal(const demi_bound *bound, demi_springs *s, demi_law_lanes *l) {
  if (offers(bound, DEMI_NORMAL) & DEM_PART_ENERGY) {
    find_expected(bound, s, l);
  } else {
    take_present(s, l);
  }
  run_normal(bound, l, s->count, DEMI_ASK_ENERGY | DEMI_ASK_TANGENT);
  for (int32_t q = 0; q < s->count; q++) {
    s->normal[q] = l->batch.normal_stiffness ? l->normal_stiffness[q] : NAN;
    s->normal_viscosity[q] = l->batch.normal_viscosity ? l->normal_viscosity[q] : 0;
  }
}

/* If the part offers neither, the stiffness follows from its stable step, 2 sqrt(m/k). */
static void fall_back(const demi_bound *bound, demi_springs *s) {
  const dem_law_part *part = &bound->law->part[DEMI_NORMAL].table;
  for (int32_t q = 0; q < s->count; q++) {
    if (isnan(s->normal[q]) && part->stable_dt) {
      const double dt = part->stable_dt(bound->parameters[DEMI_NORMAL], s->mass[q], s->radius[q], s->speed[q]);
      if (dt > 0) s->normal[q] = 4 * s->mass[q] / (dt * dt);
    }
    if (isnan(s->time[q]) && isgreater(s->normal[q], 0)) s->time[q] = 3.14159265358979323846 * sqrt(s->mass[q] / s->normal[q]);
  }
}

/* ---- tangential ---- */

static void run_tangential(const demi_bound *bound, demi_law_lanes *l, int32_t count, double dt) {
  for (int32_t k = 0; k < DEM_BATCH_CAPACITY; k++) l->history_time[k] = dt;
  demi_batch_offer(l, bound->offers, DEMI_ASK_TANGENT, count, dt);
  demi_law_run_part(bound, DEMI_TANGENTIAL, l);
  fill(l->tangential_isotropic, count);
}

static void find_tangential(const demi_bound *bound, demi_springs *s, demi_law_lanes *l) {
  memset(s->tangential, 0, sizeof s->tangential);
  memset(s->tangential_viscosity, 0, sizeof s->tangential_viscosity);
  if (!(offers(bound, DEMI_TANGENTIAL) & DEM_PART_TANGENT) || demi_bound_friction(bound) == 0) return;
  run_tangential(bound, l, s->count, 0);
  memcpy(s->tangential_viscosity, l->tangential_isotropic, sizeof s->tangential_viscosity);
  run_tangential(bound, l, s->count, 1);
  for (int32_t q = 0; q < s->count; q++) s->tangential[q] = fmax(l->tangential_isotropic[q] - s->tangential_viscosity[q], 0);
}

/* ---- both ---- */

void demi_springs_find(const demi_bound *bound, demi_springs *s) {
  demi_law_lanes l;
  _Alignas(64) demi_lanes normal[3];
  set_up(&l, normal, s);
  find_normal(bound, s, &l);
  fall_back(bound, s);
  find_tangential(bound, s, &l);
}

void demi_springs_force(const demi_bound *bound, demi_springs *s) {
  demi_law_lanes l;
  _Alignas(64) demi_lanes normal[3];
  set_up(&l, normal, s);
  memcpy(l.overlap, s->overlap, sizeof l.overlap);
  run_normal(bound, &l, s->count, DEMI_ASK_ENERGY);
  for (int32_t q = 0; q < s->count; q++) {
    s->normal[q] = l.normal_elastic[q];
    s->expected[q] = l.batch.normal_energy ? l.normal_energy[q] : NAN;
  }
}

double demi_bound_friction(const demi_bound *bound) {
  if (!bound->evaluate[DEMI_TANGENTIAL]) return 0;
  return demi_builtin_friction(&bound->law->part[DEMI_TANGENTIAL].table, bound->parameters[DEMI_TANGENTIAL]);
}

double demi_bound_known_friction(const demi_bound *bound) {
  const double friction = demi_bound_friction(bound);
  return friction != 0 && (bound->adhesive || bound->coupled) ? (double)NAN : friction;
}
