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

#include "parts/builtin.h"

typedef double lanes[DEM_BATCH_CAPACITY];

/* Lanes that a part reads or writes beside those of demi_springs. */
typedef struct bench {
  _Alignas(64) lanes overlap, zero, one, elastic, damping, energy, stiffness, viscosity;
  lanes isotropic, along, rubbish, shear[3], shear_damping[3], coupled;
  lanes adhesion, adhesion_slope, contact, contact_slope;
  const double *history_in[DEM_HISTORY_CAPACITY];
  double *history_out[DEM_HISTORY_CAPACITY];
} bench;

static uint32_t offers(const demi_bound *bound, int32_t part) {
  return bound->evaluate[part] ? bound->law->part[part].table.capabilities : 0;
}

/* Lanes from `count` up to a whole vector are computed too: they repeat the first. */
static void fill(lanes lane, int32_t count) {
  for (int32_t k = count; k < DEM_BATCH_CAPACITY; k++) lane[k] = lane[0];
}

static void set_up(const demi_bound *bound, bench *b, dem_batch *batch, demi_springs *s) {
  memset(b, 0, sizeof *b);
  memset(batch, 0, sizeof *batch);
  for (int32_t k = 0; k < DEM_BATCH_CAPACITY; k++) b->one[k] = 1;
  for (int32_t h = 0; h < DEM_HISTORY_CAPACITY; h++) {
    b->history_in[h] = b->zero;
    b->history_out[h] = b->rubbish;
  }
  fill(s->radius, s->count);
  fill(s->mass, s->count);
  batch->struct_size = (uint32_t)sizeof *batch;
  batch->count = s->count;
  batch->overlap = b->overlap;
  batch->effective_radius = s->radius;
  batch->effective_mass = s->mass;
  batch->normal_velocity = b->zero;
  batch->history_time = b->zero;
  batch->history_in = b->history_in;
  batch->history_out = b->history_out;
  batch->normal_elastic = b->elastic;
  batch->normal_damping = b->damping;
  batch->adhesion = b->adhesion;
  batch->adhesion_slope = b->adhesion_slope;
  if (bound->gives_radius) {
    batch->contact_radius = b->contact;
    batch->contact_radius_slope = b->contact_slope;
  }
  for (int a = 0; a < 3; a++) {
    batch->normal[a] = a == 0 ? b->one : b->zero;
    batch->tangential_velocity[a] = b->zero;
    batch->tangential_elastic[a] = b->shear[a];
    batch->tangential_damping[a] = b->shear_damping[a];
  }
}

/* ---- normal ---- */

static void run_normal(const demi_bound *bound, bench *b, dem_batch *batch, uint32_t asked) {
  const uint32_t can = offers(bound, DEMI_NORMAL) & asked;
  fill(b->overlap, batch->count);
  batch->normal_energy = can & DEM_PART_ENERGY ? b->energy : NULL;
  batch->normal_stiffness = can & DEM_PART_TANGENT ? b->stiffness : NULL;
  batch->normal_viscosity = can & DEM_PART_TANGENT ? b->viscosity : NULL;
  bound->evaluate[DEMI_NORMAL](bound->parameters[DEMI_NORMAL], batch);
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
static void begin(const demi_bound *bound, const demi_springs *s, bench *b, dem_batch *batch, bracket *k) {
  for (int32_t q = 0; q < s->count; q++) b->overlap[q] = 1e-9 * s->radius[q];
  run_normal(bound, b, batch, DEM_PART_ENERGY);
  for (int32_t q = 0; q < s->count; q++) {
    k[q] = (bracket){fmax(s->overlap[q], 0), INFINITY, b->energy[q], b->energy[q], 0};
    if (s->overlap[q] > 0) b->overlap[q] = s->overlap[q];
  }
  run_normal(bound, b, batch, DEM_PART_ENERGY);
  for (int32_t q = 0; q < s->count; q++) {
    const int touches = s->overlap[q] > 0;
    k[q].done = touches && !(s->speed[q] > 0) && b->elastic[q] >= 0;
    k[q].energy = (touches ? b->energy[q] : k[q].base) + 0.5 * s->mass[q] * s->speed[q] * s->speed[q];
    if (!k[q].done) b->overlap[q] = fmax(b->overlap[q], 1e-3 * s->radius[q]);
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

/* Leaves the expected overlaps in b->overlap; NaN where there is none. */
static void find_expected(const demi_bound *bound, demi_springs *s, bench *b, dem_batch *batch) {
  bracket k[DEM_BATCH_CAPACITY];
  shape last = {0, 0};
  int going = 1;
  begin(bound, s, b, batch, k);
  for (int round = 0; round < 100 && going; round++) {
    run_normal(bound, b, batch, DEM_PART_ENERGY);
    going = 0;
    for (int32_t q = 0; q < s->count; q++) {
      if (!k[q].done) approach(&k[q], &b->overlap[q], s->radius[q], b->energy[q], b->elastic[q]);
      going |= !k[q].done;
    }
  }
  run_normal(bound, b, batch, DEM_PART_ENERGY);
  for (int32_t q = 0; q < s->count; q++) {
    const int found = b->elastic[q] != 0;
    s->expected[q] = found ? b->overlap[q] : NAN;
    s->time[q] = found ? duration(b->overlap[q], s->mass[q], b->energy[q] - k[q].base, b->elastic[q], &last) : NAN;
  }
}

/* For a law without stored energy: the stiffness at the present overlap. */
static void take_present(demi_springs *s, bench *b) {
  for (int32_t q = 0; q < s->count; q++) {
    b->overlap[q] = s->overlap[q] > 0 ? s->overlap[q] : 1e-3 * s->radius[q];
    s->expected[q] = s->overlap[q] > 0 ? s->overlap[q] : NAN;
    s->time[q] = NAN;
  }
}

static void find_normal(const demi_bound *bound, demi_springs *s, bench *b, dem_batch *batch) {
  if (offers(bound, DEMI_NORMAL) & DEM_PART_ENERGY) {
    find_expected(bound, s, b, batch);
  } else {
    take_present(s, b);
  }
  run_normal(bound, b, batch, DEM_PART_ENERGY | DEM_PART_TANGENT);
  for (int32_t q = 0; q < s->count; q++) {
    s->normal[q] = batch->normal_stiffness ? b->stiffness[q] : NAN;
    s->normal_viscosity[q] = batch->normal_viscosity ? b->viscosity[q] : 0;
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

static void run_tangential(const demi_bound *bound, bench *b, dem_batch *batch, double dt) {
  batch->dt = dt;
  batch->history_time = dt > 0 ? b->one : b->zero;
  bound->evaluate[DEMI_TANGENTIAL](bound->parameters[DEMI_TANGENTIAL], batch);
  fill(b->isotropic, batch->count);
}

static void find_tangential(const demi_bound *bound, demi_springs *s, bench *b, dem_batch *batch) {
  memset(s->tangential, 0, sizeof s->tangential);
  memset(s->tangential_viscosity, 0, sizeof s->tangential_viscosity);
  if (!(offers(bound, DEMI_TANGENTIAL) & DEM_PART_TANGENT) || demi_bound_friction(bound) == 0) return;
  batch->history_in += bound->history[DEMI_NORMAL];
  batch->history_out += bound->history[DEMI_NORMAL];
  batch->normal_stiffness = b->stiffness;
  batch->normal_viscosity = b->viscosity;
  batch->tangential_isotropic = b->isotropic;
  batch->tangential_along = b->along;
  batch->tangential_normal = bound->coupled ? b->coupled : NULL;
  for (int a = 0; a < 3; a++) batch->tangential_overlap[a] = batch->tangential_normal_velocity[a] = b->rubbish;
  run_tangential(bound, b, batch, 0);
  memcpy(s->tangential_viscosity, b->isotropic, sizeof s->tangential_viscosity);
  run_tangential(bound, b, batch, 1);
  for (int32_t q = 0; q < s->count; q++) s->tangential[q] = fmax(b->isotropic[q] - s->tangential_viscosity[q], 0);
}

/* ---- both ---- */

void demi_springs_find(const demi_bound *bound, demi_springs *s) {
  bench b;
  dem_batch batch;
  set_up(bound, &b, &batch, s);
  find_normal(bound, s, &b, &batch);
  fall_back(bound, s);
  find_tangential(bound, s, &b, &batch);
}

void demi_springs_force(const demi_bound *bound, demi_springs *s) {
  bench b;
  dem_batch batch;
  set_up(bound, &b, &batch, s);
  memcpy(b.overlap, s->overlap, sizeof b.overlap);
  run_normal(bound, &b, &batch, DEM_PART_ENERGY);
  for (int32_t q = 0; q < s->count; q++) {
    s->normal[q] = b.elastic[q];
    s->expected[q] = batch.normal_energy ? b.energy[q] : NAN;
  }
}

double demi_bound_friction(const demi_bound *bound) {
  if (!bound->evaluate[DEMI_TANGENTIAL]) return 0;
  return demi_builtin_friction(&bound->law->part[DEMI_TANGENTIAL].table, bound->parameters[DEMI_TANGENTIAL]);
}
