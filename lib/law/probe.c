/* One contact through a law, outside of any system. */
#include <math.h>
#include <string.h>

#include "context.h"
#include "intake.h"
#include "law.h"

#define PROBE_V1 DEMI_SIZE_TO(dem_probe, twisting_normal_velocity)
#define BIND_V1 DEMI_SIZE_TO(dem_bind, shear_ratio)

/* A batch of one: eight lanes of everything. */
enum { LANES = 8 };
typedef double lanes[LANES];

typedef struct bench {
  _Alignas(64) lanes overlap, radius, mass, speed, normal[3],
      tangential[3], in[DEM_HISTORY_CAPACITY], out[DEM_HISTORY_CAPACITY];
  lanes elastic, damping, shear_elastic[3], shear_damping[3], slip[3], hysteresis, shear_normal, energy, shear_energy;
  lanes stiffness, viscosity, isotropic, along, by_overlap[3], by_speed[3];
  lanes adhesion, adhesion_slope, contact_radius, contact_radius_slope;
  lanes history_time;
  lanes own_stiffness, own_viscosity; /* of the normal part alone */
  lanes rolling[3], rate, inverse_inertia, rolling_elastic[3], rolling_damping[3], rolling_slip[3], rolling_energy;
  lanes twisting_elastic, twisting_damping, twisting_slip, twisting_energy, rolling_hysteresis, twisting_hysteresis;
  lanes rolling_isotropic, rolling_along, rolling_by_overlap[3], rolling_by_speed[3];
  lanes twisting_viscosity, twisting_by_overlap, twisting_by_speed;
  const double *history_in[DEM_HISTORY_CAPACITY];
  double *history_out[DEM_HISTORY_CAPACITY];
} bench;

static void spread(double *lane, double value) {
  for (int k = 0; k < LANES; k++) lane[k] = value;
}

static void set_inputs(bench *b, const dem_probe *p, const demi_bound *bound) {
  double vn = 0;
  for (int a = 0; a < 3; a++) vn += p->velocity[a] * p->normal[a];
  spread(b->overlap, p->overlap);
  spread(b->radius, p->effective_radius);
  spread(b->mass, p->effective_mass);
  spread(b->speed, vn);
  spread(b->history_time, p->dt);
  for (int a = 0; a < 3; a++) {
    spread(b->normal[a], p->normal[a]);
    spread(b->tangential[a], p->velocity[a] - vn * p->normal[a]);
  }
  spread(b->inverse_inertia, p->inverse_inertia);
  spread(b->rate, p->turning[0] * p->normal[0] + p->turning[1] * p->normal[1] + p->turning[2] * p->normal[2]);
  for (int a = 0; a < 3; a++) {
    const int u = (a + 1) % 3, v = (a + 2) % 3;
    spread(b->rolling[a], -p->effective_radius * (p->normal[u] * p->turning[v] - p->normal[v] * p->turning[u]));
  }
  for (int h = 0; h < DEM_HISTORY_CAPACITY; h++) {
    b->history_in[h] = b->in[h];
    b->history_out[h] = b->out[h];
    spread(b->in[h], h < bound->history_total ? p->history[h] : 0);
  }
}

/* As the engine does with DEM_TRANSPORT_ROTATE. */
static void transport(bench *b, const dem_probe *p, int32_t h) {
  double dot = 0, before = 0, after = 0, v[3];
  for (int a = 0; a < 3; a++) dot += b->in[h + a][0] * p->normal[a];
  for (int a = 0; a < 3; a++) {
    v[a] = b->in[h + a][0] - dot * p->normal[a];
    before += b->in[h + a][0] * b->in[h + a][0];
    after += v[a] * v[a];
  }
  for (int a = 0; a < 3; a++) spread(b->in[h + a], after > 0 ? v[a] * sqrt(before / after) : 0);
}

static void fill(dem_batch *batch, bench *b, double dt) {
  memset(batch, 0, sizeof *batch);
  batch->struct_size = (uint32_t)sizeof *batch;
  batch->count = 1;
  batch->dt = dt;
  batch->history_time = b->history_time;
  batch->overlap = b->overlap;
  batch->effective_radius = b->radius;
  batch->effective_mass = b->mass;
  batch->normal_velocity = b->speed;
  batch->normal_elastic = b->elastic;
  batch->normal_damping = b->damping;
  batch->hysteresis = b->hysteresis;
  batch->tangential_normal = b->shear_normal;
  batch->normal_energy = b->energy;
  batch->tangential_energy = b->shear_energy;
  batch->normal_stiffness = b->stiffness;
  batch->normal_viscosity = b->viscosity;
  batch->tangential_isotropic = b->isotropic;
  batch->tangential_along = b->along;
  batch->adhesion = b->adhesion;
  batch->adhesion_slope = b->adhesion_slope;
  batch->contact_radius = b->contact_radius;
  batch->contact_radius_slope = b->contact_radius_slope;
  for (int a = 0; a < 3; a++) {
    batch->normal[a] = b->normal[a];
    batch->tangential_velocity[a] = b->tangential[a];
    batch->tangential_elastic[a] = b->shear_elastic[a];
    batch->tangential_damping[a] = b->shear_damping[a];
    batch->slip[a] = b->slip[a];
    batch->tangential_overlap[a] = b->by_overlap[a];
    batch->tangential_normal_velocity[a] = b->by_speed[a];
  }
}

static void fill_rolling(dem_batch *batch, bench *b) {
  batch->twisting_rate = b->rate;
  batch->inverse_inertia = b->inverse_inertia;
  batch->rolling_energy = b->rolling_energy;
  batch->rolling_isotropic = b->rolling_isotropic;
  batch->rolling_along = b->rolling_along;
  batch->twisting_elastic = b->twisting_elastic;
  batch->twisting_damping = b->twisting_damping;
  batch->twisting_slip = b->twisting_slip;
  batch->twisting_energy = b->twisting_energy;
  batch->twisting_viscosity = b->twisting_viscosity;
  batch->twisting_overlap = b->twisting_by_overlap;
  batch->twisting_normal_velocity = b->twisting_by_speed;
  for (int a = 0; a < 3; a++) {
    batch->rolling_velocity[a] = b->rolling[a];
    batch->rolling_elastic[a] = b->rolling_elastic[a];
    batch->rolling_damping[a] = b->rolling_damping[a];
    batch->rolling_slip[a] = b->rolling_slip[a];
    batch->rolling_overlap[a] = b->rolling_by_overlap[a];
    batch->rolling_normal_velocity[a] = b->rolling_by_speed[a];
  }
}

/* Outputs that a part does not offer are not asked for, and come back as NaN. */
static void ask_normal(dem_batch *batch, uint32_t offers) {
  if (!(offers & DEM_PART_ENERGY)) batch->normal_energy = NULL;
  if (!(offers & DEM_PART_TANGENT)) batch->normal_stiffness = batch->normal_viscosity = NULL;
}

static void ask_tangential(dem_batch *batch, uint32_t offers) {
  if (!(offers & DEM_PART_ENERGY)) batch->tangential_energy = NULL;
  if (!(offers & DEM_PART_COUPLED)) batch->tangential_normal = NULL;
  if (offers & DEM_PART_TANGENT) return;
  batch->tangential_isotropic = batch->tangential_along = NULL;
  for (int a = 0; a < 3; a++) batch->tangential_overlap[a] = batch->tangential_normal_velocity[a] = NULL;
}

static void ask_rolling(dem_batch *batch, uint32_t offers) {
  if (!(offers & DEM_PART_ENERGY)) batch->rolling_energy = NULL;
  if (offers & DEM_PART_TANGENT) return;
  batch->rolling_isotropic = batch->rolling_along = NULL;
  for (int a = 0; a < 3; a++) batch->rolling_overlap[a] = batch->rolling_normal_velocity[a] = NULL;
}

static void ask_twisting(dem_batch *batch, uint32_t offers) {
  if (!(offers & DEM_PART_ENERGY)) batch->twisting_energy = NULL;
  if (!(offers & DEM_PART_TANGENT))
    batch->twisting_viscosity = batch->twisting_overlap = batch->twisting_normal_velocity = NULL;
}

static int gives_radius(const dem_law *law) {
  return (law->part[DEMI_NORMAL].table.capabilities & DEM_PART_CONTACT_RADIUS) != 0;
}

/* Across a gap only the gap part acts, ... */
static int across(const dem_law *law, const dem_probe *p) { return p->overlap < 0 && law->part[DEMI_GAP].table.evaluate; }

static void run_gap(dem_batch *batch, const demi_bound *bound) {
  ask_normal(batch, bound->law->part[DEMI_GAP].table.capabilities);
  bound->evaluate[DEMI_GAP](bound->parameters[DEMI_GAP], batch);
}

static void run_part(bench *b, dem_batch *batch, const demi_bound *bound, int32_t part) {
  batch->history_in = b->history_in + demi_bound_history(bound, part);
  batch->history_out = b->history_out + demi_bound_history(bound, part);
  bound->evaluate[part](bound->parameters[part], batch);
}

static void run_rolling(bench *b, dem_batch *batch, const demi_bound *bound) {
  fill_rolling(batch, b);
  if (batch->normal_stiffness) batch->normal_stiffness = b->own_stiffness;
  if (batch->normal_viscosity) batch->normal_viscosity = b->own_viscosity;
  ask_rolling(batch, bound->law->part[DEMI_ROLLING].table.capabilities);
  ask_twisting(batch, bound->law->part[DEMI_TWISTING].table.capabilities);
  batch->hysteresis = b->rolling_hysteresis;
  if (bound->evaluate[DEMI_ROLLING]) run_part(b, batch, bound, DEMI_ROLLING);
  batch->hysteresis = b->twisting_hysteresis;
  if (bound->evaluate[DEMI_TWISTING]) run_part(b, batch, bound, DEMI_TWISTING);
}

static void run(bench *b, const dem_probe *p, const demi_bound *bound) {
  dem_batch batch;
  fill(&batch, b, p->dt);
  if (across(bound->law, p)) {
    run_gap(&batch, bound);
    return;
  }
  if (!gives_radius(bound->law)) batch.contact_radius = batch.contact_radius_slope = NULL;
  ask_normal(&batch, bound->law->part[DEMI_NORMAL].table.capabilities);
  run_part(b, &batch, bound, DEMI_NORMAL);
  memcpy(b->own_stiffness, b->stiffness, sizeof b->stiffness);
  memcpy(b->own_viscosity, b->viscosity, sizeof b->viscosity);
  if (bound->evaluate[DEMI_TANGENTIAL]) {
    ask_tangential(&batch, bound->law->part[DEMI_TANGENTIAL].table.capabilities);
    run_part(b, &batch, bound, DEMI_TANGENTIAL);
  }
  if (bound->rolls) run_rolling(b, &batch, bound);
}

static void get_rolling(const bench *b, dem_probe *p) {
  const double *n = p->normal;
  p->twisting_elastic = b->twisting_elastic[0];
  p->twisting_damping = b->twisting_damping[0];
  p->rolling_hysteresis = b->rolling_hysteresis[0];
  p->twisting_hysteresis = b->twisting_hysteresis[0];
  p->rolling_energy = b->rolling_energy[0];
  p->twisting_energy = b->twisting_energy[0];
  p->rolling_isotropic = b->rolling_isotropic[0];
  p->rolling_along = b->rolling_along[0];
  p->twisting_viscosity = b->twisting_viscosity[0];
  p->twisting_overlap = b->twisting_by_overlap[0];
  p->twisting_normal_velocity = b->twisting_by_speed[0];
  p->rolling_sliding = 0;
  double f[3];
  for (int a = 0; a < 3; a++) {
    p->rolling_elastic[a] = b->rolling_elastic[a][0];
    p->rolling_damping[a] = b->rolling_damping[a][0];
    p->rolling_overlap[a] = b->rolling_by_overlap[a][0];
    p->rolling_normal_velocity[a] = b->rolling_by_speed[a][0];
    f[a] = p->rolling_elastic[a] + p->rolling_damping[a];
    p->rolling_sliding -= f[a] * b->rolling_slip[a][0];
  }
  const double torque = p->twisting_elastic + p->twisting_damping;
  p->twisting_sliding = -torque * b->twisting_slip[0];
  for (int a = 0; a < 3; a++) {
    const int u = (a + 1) % 3, v = (a + 2) % 3;
    p->moment[a] = p->effective_radius * (n[u] * f[v] - n[v] * f[u]) + torque * n[a];
  }
}

static void get_outputs(const bench *b, dem_probe *p, const demi_bound *bound) {
  p->history_count = across(bound->law, p) ? 0 : bound->history_total;
  p->normal_elastic = b->elastic[0];
  p->normal_damping = b->damping[0];
  p->normal_energy = b->energy[0];
  p->tangential_energy = b->shear_energy[0];
  p->normal_stiffness = b->stiffness[0];
  p->normal_viscosity = b->viscosity[0];
  p->tangential_isotropic = b->isotropic[0];
  p->tangential_along = b->along[0];
  p->hysteresis = b->hysteresis[0];
  p->tangential_normal = b->shear_normal[0];
  p->adhesion = b->adhesion[0];
  p->contact_radius = b->contact_radius[0];
  p->sliding = 0;
  for (int a = 0; a < 3; a++) {
    p->tangential_elastic[a] = b->shear_elastic[a][0];
    p->tangential_damping[a] = b->shear_damping[a][0];
    p->tangential_overlap[a] = b->by_overlap[a][0];
    p->tangential_normal_velocity[a] = b->by_speed[a][0];
    p->sliding -= (b->shear_elastic[a][0] + b->shear_damping[a][0]) * b->slip[a][0];
  }
  for (int h = 0; h < DEM_PROBE_HISTORY; h++) p->history[h] = h < p->history_count ? b->out[h][0] : 0;
}

/* Optional outputs: NaN where a part exists that may leave them out, else 0. */
static void clear_rolling(bench *b, int has_rolling, int has_twisting) {
  const double rolling = has_rolling ? NAN : 0, twisting = has_twisting ? NAN : 0;
  spread(b->rolling_energy, rolling);
  spread(b->rolling_isotropic, rolling);
  spread(b->rolling_along, rolling);
  for (int a = 0; a < 3; a++) {
    spread(b->rolling_by_overlap[a], rolling);
    spread(b->rolling_by_speed[a], rolling);
  }
  spread(b->twisting_energy, twisting);
  spread(b->twisting_viscosity, twisting);
  spread(b->twisting_by_overlap, twisting);
  spread(b->twisting_by_speed, twisting);
}

static void clear(bench *b, int has_tangential) {
  memset(b, 0, sizeof *b);
  double *const optional[] = {b->energy,    b->shear_energy, b->stiffness,     b->viscosity,
                              b->isotropic, b->along,        b->contact_radius};
  for (size_t k = 0; k < sizeof optional / sizeof *optional; k++) spread(optional[k], NAN);
  for (int a = 0; a < 3; a++) {
    spread(b->by_overlap[a], NAN);
    spread(b->by_speed[a], NAN);
  }
  if (has_tangential) return;
  spread(b->shear_energy, 0);
  spread(b->isotropic, 0);
  spread(b->along, 0);
  for (int a = 0; a < 3; a++) {
    spread(b->by_overlap[a], 0);
    spread(b->by_speed[a], 0);
  }
}

static dem_status check(dem_context *context, const dem_law *law, const dem_probe *p) {
  const int apart = across(law, p) || (p->overlap <= 0 && law->part[DEMI_NORMAL].table.range);
  double square = 0;
  for (int a = 0; a < 3; a++) square += p->normal[a] * p->normal[a];
  if (!(fabs(square - 1) < 1e-9))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "probe: normal has length %g, must be 1", sqrt(square));
  if (!(p->overlap > 0 || apart) || !(p->effective_radius > 0) || !(p->effective_mass > 0) || !(p->dt >= 0))
    return demi_refuse_context(
        context, DEM_BAD_ARGUMENT,
        "probe: overlap %g (or < 0 with a part that has a range), effective_radius %g, effective_mass %g must be > 0 and dt %g "
        ">= 0",
        p->overlap, p->effective_radius, p->effective_mass, p->dt);
  if (!(p->inverse_inertia >= 0))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "probe: inverse_inertia is %g, must be >= 0", p->inverse_inertia);
  return DEM_OK;
}

dem_status demi_law_probe(const dem_law *law, const dem_bind *materials, dem_probe *probe) {
  dem_context *context = law->context;
  dem_probe p;
  dem_bind m = {.struct_size = sizeof m};
  dem_status status = demi_intake(&p, sizeof p, probe, PROBE_V1);
  if (!status && materials) status = demi_intake(&m, sizeof m, materials, BIND_V1);
  if (status) return demi_refuse_context(context, status, "probe: a struct_size is not usable");
  if ((status = check(context, law, &p)) != DEM_OK) return status;
  demi_bound bound;
  if ((status = demi_law_bind(law, &m, &context->message, &bound)) != DEM_OK) return status;
  if (bound.holds && !(-p.overlap < demi_bound_hold(&bound, p.effective_radius)))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "probe: overlap is %g, a contact of effective_radius %g tears at %g",
                               p.overlap, p.effective_radius, -demi_bound_hold(&bound, p.effective_radius));
  bench b;
  clear(&b, bound.evaluate[1] && !across(law, &p));
  clear_rolling(&b, bound.evaluate[DEMI_ROLLING] && !across(law, &p), bound.evaluate[DEMI_TWISTING] && !across(law, &p));
  set_inputs(&b, &p, &bound);
  for (int32_t h = 0; h < bound.history_total;) {
    const int vector = bound.kind[h] != DEM_HISTORY_SCALAR;
    if (vector) transport(&b, &p, h);
    h += vector ? 3 : 1;
  }
  run(&b, &p, &bound);
  get_outputs(&b, &p, &bound);
  get_rolling(&b, &p);
  return demi_outgive(probe, &p, sizeof p, PROBE_V1);
}
