/* One contact through a law, outside of any system. */
#include <math.h>

#include "context.h"
#include "intake.h"
#include "lanes.h"
#include "variant.h"

#define PROBE_V1 DEMI_SIZE_TO(dem_probe, twisting_normal_velocity)
#define BIND_V1 DEMI_SIZE_TO(dem_bind, shear_ratio)

/* ---- inputs; the lanes of a batch of one up to a whole vector hold the same contact ---- */

static void spread(double *lane, double value) {
  for (int k = 0; k < DEMI_ROUND_UP(1); k++) lane[k] = value;
}

/* Of the two particles against each other: v_n, v_t, v_r = -R* n x w, w_n = w.n. */
static void set_velocities(demi_law_lanes *l, const dem_probe *p) {
  double vn = 0;
  for (int a = 0; a < 3; a++) vn += p->velocity[a] * p->normal[a];
  spread(l->normal_velocity, vn);
  spread(l->twisting_rate, p->turning[0] * p->normal[0] + p->turning[1] * p->normal[1] + p->turning[2] * p->normal[2]);
  for (int a = 0; a < 3; a++) {
    const int u = (a + 1) % 3, v = (a + 2) % 3;
    spread(l->tangential_velocity[a], p->velocity[a] - vn * p->normal[a]);
    spread(l->rolling_velocity[a], -p->effective_radius * (p->normal[u] * p->turning[v] - p->normal[v] * p->turning[u]));
  }
}

static void set_inputs(demi_law_lanes *l, const dem_probe *p, const demi_bound *bound) {
  spread(l->overlap, p->overlap);
  spread(l->effective_radius, p->effective_radius);
  spread(l->effective_mass, p->effective_mass);
  spread(l->inverse_inertia, p->inverse_inertia);
  spread(l->history_time, p->dt);
  for (int a = 0; a < 3; a++) spread(l->normal[a], p->normal[a]);
  for (int h = 0; h < bound->history_total; h++) spread(l->history_in[h], p->history[h]);
  if (p->friction_lagged) {
    spread(l->friction_force, p->friction_force);
    spread(l->turning_friction_force, p->turning_friction_force);
  }
  set_velocities(l, p);
}

/* As the engine does with DEM_TRANSPORT_ROTATE. */
static void transport(demi_law_lanes *l, const dem_probe *p, int32_t h) {
  double dot = 0, before = 0, after = 0, v[3];
  for (int a = 0; a < 3; a++) dot += l->history_in[h + a][0] * p->normal[a];
  for (int a = 0; a < 3; a++) {
    v[a] = l->history_in[h + a][0] - dot * p->normal[a];
    before += l->history_in[h + a][0] * l->history_in[h + a][0];
    after += v[a] * v[a];
  }
  for (int a = 0; a < 3; a++) spread(l->history_in[h + a], after > 0 ? v[a] * sqrt(before / after) : 0);
}

static void transport_all(demi_law_lanes *l, const dem_probe *p, const demi_bound *bound) {
  for (int32_t h = 0; h < bound->history_total;) {
    const int vector = bound->kind[h] != DEM_HISTORY_SCALAR;
    if (vector) transport(l, p, h);
    h += vector ? 3 : 1;
  }
}

/* ---- running ---- */

/* Across a gap only the gap part acts, where there is one. */
static int across(const dem_law *law, const dem_probe *p) { return p->overlap < 0 && law->part[DEMI_GAP].table.evaluate; }

/* Optional outputs of a part that may leave them out come back as NaN, those of a part that the law does not have as 0. */
static void expect_nothing(demi_law_lanes *l, const demi_bound *bound, int gap) {
  demi_lanes_fill(l, DEMI_LANES_ENERGY_OF(DEMI_NORMAL) | DEMI_LANES_TANGENT_OF(DEMI_NORMAL) | DEMI_LANES_RADIUS, 1, NAN);
  for (int32_t k = DEMI_TANGENTIAL; k < DEMI_PARTS && !gap; k++)
    if (bound->evaluate[k] && k != DEMI_GAP) demi_lanes_fill(l, DEMI_LANES_ENERGY_OF(k) | DEMI_LANES_TANGENT_OF(k), 1, NAN);
}

static void run(demi_law_lanes *l, const dem_probe *p, const demi_bound *bound) {
  const uint32_t lagged = p->friction_lagged ? DEMI_LANES_LAGGED : 0;
  const uint32_t ask = DEMI_ASK_ENERGY | DEMI_ASK_BOOKS | DEMI_ASK_TANGENT | lagged;
  if (across(bound->law, p))
    demi_law_run_gap(bound, l, ask, 1, p->dt);
  else
    demi_law_run(bound, l, ask, 1, p->dt);
}

/* ---- outputs ---- */

static void get_normal(const demi_law_lanes *l, dem_probe *p) {
  p->normal_elastic = l->normal_elastic[0];
  p->normal_damping = l->normal_damping[0];
  p->adhesion = l->adhesion[0];
  p->contact_radius = l->contact_radius[0];
  p->adhesion_slope = l->adhesion_slope[0];
  p->contact_radius_slope = l->contact_radius_slope[0];
  p->normal_energy = l->normal_energy[0];
  p->normal_stiffness = l->normal_stiffness[0];
  p->normal_viscosity = l->normal_viscosity[0];
}

static void get_tangential(const demi_law_lanes *l, dem_probe *p) {
  p->hysteresis = l->hysteresis[DEMI_TANGENTIAL][0];
  p->tangential_normal = l->tangential_normal[0];
  p->tangential_energy = l->tangential_energy[0];
  p->tangential_isotropic = l->tangential_isotropic[0];
  p->tangential_along = l->tangential_along[0];
  p->sliding = 0;
  for (int a = 0; a < 3; a++) {
    p->tangential_elastic[a] = l->tangential_elastic[a][0];
    p->tangential_damping[a] = l->tangential_damping[a][0];
    p->tangential_overlap[a] = l->tangential_overlap[a][0];
    p->tangential_normal_velocity[a] = l->tangential_normal_velocity[a][0];
    p->sliding -= (l->tangential_elastic[a][0] + l->tangential_damping[a][0]) * l->slip[a][0];
  }
}

static void get_friction(const demi_law_lanes *l, const demi_bound *bound, int gap, dem_probe *p) {
  const int rubs = bound->evaluate[DEMI_TANGENTIAL] && !gap, pushes = rubs && bound->coupled;
  const int turns = bound->rolls && !gap;
  p->friction_force = rubs ? l->friction_force[0] : 0;
  p->friction_overlap = rubs ? l->friction_overlap[0] : 0;
  p->friction_normal_velocity = rubs ? l->friction_normal_velocity[0] : 0;
  p->turning_friction_force = turns ? l->turning_friction_force[0] : 0;
  p->turning_friction_overlap = turns ? l->turning_friction_overlap[0] : 0;
  p->turning_friction_normal_velocity = turns ? l->turning_friction_normal_velocity[0] : 0;
  for (int a = 0; a < 3; a++) p->normal_tangential_velocity[a] = pushes ? l->normal_tangential_velocity[a][0] : 0;
}

static void get_rolling(const demi_law_lanes *l, dem_probe *p) {
  p->rolling_hysteresis = l->hysteresis[DEMI_ROLLING][0];
  p->rolling_energy = l->rolling_energy[0];
  p->rolling_isotropic = l->rolling_isotropic[0];
  p->rolling_along = l->rolling_along[0];
  p->rolling_sliding = 0;
  for (int a = 0; a < 3; a++) {
    p->rolling_elastic[a] = l->rolling_elastic[a][0];
    p->rolling_damping[a] = l->rolling_damping[a][0];
    p->rolling_overlap[a] = l->rolling_overlap[a][0];
    p->rolling_normal_velocity[a] = l->rolling_normal_velocity[a][0];
    p->rolling_sliding -= (p->rolling_elastic[a] + p->rolling_damping[a]) * l->rolling_slip[a][0];
  }
}

static void get_twisting(const demi_law_lanes *l, dem_probe *p) {
  p->twisting_elastic = l->twisting_elastic[0];
  p->twisting_damping = l->twisting_damping[0];
  p->twisting_hysteresis = l->hysteresis[DEMI_TWISTING][0];
  p->twisting_energy = l->twisting_energy[0];
  p->twisting_viscosity = l->twisting_viscosity[0];
  p->twisting_overlap = l->twisting_overlap[0];
  p->twisting_normal_velocity = l->twisting_normal_velocity[0];
  p->twisting_sliding = -(p->twisting_elastic + p->twisting_damping) * l->twisting_slip[0];
}

static void get_outputs(const demi_law_lanes *l, dem_probe *p, const demi_bound *bound) {
  get_normal(l, p);
  get_tangential(l, p);
  get_rolling(l, p);
  get_twisting(l, p);
  get_friction(l, bound, across(bound->law, p), p);
  const double *n = p->normal, torque = p->twisting_elastic + p->twisting_damping;
  double f[3];
  for (int a = 0; a < 3; a++) f[a] = p->rolling_elastic[a] + p->rolling_damping[a];
  for (int a = 0; a < 3; a++) {
    const int u = (a + 1) % 3, v = (a + 2) % 3;
    p->moment[a] = p->effective_radius * (n[u] * f[v] - n[v] * f[u]) + torque * n[a];
  }
  p->history_count = across(bound->law, p) ? 0 : bound->history_total;
  for (int h = 0; h < DEM_PROBE_HISTORY; h++) p->history[h] = h < p->history_count ? l->history_out[h][0] : 0;
}

/* ---- the call ---- */

static dem_status check_friction(dem_context *context, const dem_probe *p) {
  if (p->friction_lagged != 0 && p->friction_lagged != 1)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "probe: friction_lagged is %d, must be 0 or 1", p->friction_lagged);
  if (p->friction_lagged && !(p->friction_force >= 0 && p->turning_friction_force >= 0))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "probe: friction_force is %g and turning_friction_force %g, both must be >= 0 where lagged",
                               p->friction_force, p->turning_friction_force);
  return DEM_OK;
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
  return check_friction(context, p);
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
  demi_law_lanes l;
  _Alignas(64) demi_lanes normal[3];
  demi_lanes_init(&l, normal);
  demi_lanes_clear(&l, 1);
  expect_nothing(&l, &bound, across(law, &p));
  set_inputs(&l, &p, &bound);
  transport_all(&l, &p, &bound);
  run(&l, &p, &bound);
  get_outputs(&l, &p, &bound);
  return demi_outgive(probe, &p, sizeof p, PROBE_V1);
}

dem_status demi_bind_defaults(dem_bind *bind, uint32_t struct_size) {
  const dem_bind empty = {.struct_size = (uint32_t)sizeof empty};
  return demi_init(bind, struct_size, &empty, sizeof empty, BIND_V1);
}

dem_status demi_probe_defaults(dem_probe *probe, uint32_t struct_size) {
  const dem_probe empty = {.struct_size = (uint32_t)sizeof empty};
  return demi_init(probe, struct_size, &empty, sizeof empty, PROBE_V1);
}
