/* The normal parts: binding, limits of the time step, and a row for each kind. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "jkr.h"
#include "kinds.h"

static const double pi = 3.14159265358979323846;

/* ---- binding: from choices and materials to kernel parameters ---- */

double demi_choice_ratio(int32_t mode, int32_t attraction, double restitution) {
  if (mode == DEM_DAMPING_RESTITUTION) return demi_damping_ratio(restitution, 0);
  if (mode == DEM_DAMPING_RESTITUTION_EXACT) return demi_damping_ratio(restitution, !attraction);
  return 0.0;
}

void demi_resolve_normal(const demi_normal_choice *c, double factor, demi_normal_parameters *p) {
  memset(p, 0, sizeof *p);
  p->coefficient = c->mode == DEM_DAMPING_COEFFICIENT ? c->damping : 0.0;
  p->rate = c->mode == DEM_DAMPING_RATE ? c->damping : 0.0;
  p->viscous = c->mode == DEM_DAMPING_VISCOELASTIC ? c->damping : 0.0;
  p->ratio = factor * demi_choice_ratio(c->mode, c->attraction, c->restitution);
  p->clamp = c->attraction ? 0.0 : 1.0;
  p->cohesion = 2.0 * pi * c->cohesion;
}

static int32_t bind_hooke(const void *user, const dem_bind *materials, void *parameters) {
  const demi_normal_choice *c = user;
  demi_normal_parameters *p = parameters;
  (void)materials;
  demi_resolve_normal(c, 2.0, p);
  p->stiffness = c->stiffness;
  return DEM_OK;
}

static int32_t bind_hertz(const void *user, const dem_bind *materials, void *parameters) {
  demi_normal_parameters *p = parameters;
  demi_resolve_normal(user, 2.0 * sqrt(5.0 / 6.0), p);
  p->stiffness = materials->effective_young;
  return DEM_OK;
}

static int32_t bind_dmt(const void *user, const dem_bind *materials, void *parameters) {
  const demi_normal_choice *c = user;
  demi_normal_parameters *p = parameters;
  bind_hertz(user, materials, parameters);
  p->pull = 4.0 * pi * c->surface_energy;
  return DEM_OK;
}

static int32_t bind_jkr(const void *user, const dem_bind *materials, void *parameters) {
  const demi_normal_choice *c = user;
  demi_jkr_parameters *p = parameters;
  bind_hertz(user, materials, &p->plain);
  p->quarter = 0.5 * sqrt(pi * c->surface_energy / materials->effective_young);
  p->root = demi_cube_root(p->quarter);
  p->force = pi * c->surface_energy / 3.0;
  return DEM_OK;
}

/* ---- time step limits ---- */

/* Contact radius of an impact at `speed`, at the overlap v sqrt(m/k_n) or a thousandth of the radius. */
static double hooke_radius(const demi_normal_parameters *p, double mass, double radius, double speed) {
  const double overlap = speed * sqrt(mass / p->stiffness), least = 1e-3 * radius;
  return sqrt(radius * (overlap > least ? overlap : least));
}

static double hooke_dt(const void *parameters, double mass, double radius, double speed) {
  const demi_normal_parameters *p = parameters;
  const double viscous = p->viscous > 0 ? p->viscous * mass * hooke_radius(p, mass, radius, speed) : 0.0;
  return demi_oscillator_limit(p->stiffness, p->coefficient + p->rate * mass + p->ratio * sqrt(p->stiffness * mass) + viscous,
                               mass);
}

/* Where the contact radius is a: the stiffness is 2 Y* a at most. */
static double limit_at(const demi_normal_parameters *p, double contact_radius, double mass) {
  const double slope = 2.0 * p->stiffness * contact_radius;
  const double viscous = p->viscous * mass * contact_radius;
  return demi_oscillator_limit(slope, p->coefficient + p->rate * mass + p->ratio * sqrt(slope * mass) + viscous, mass);
}

/* The overlap that an impact at `speed` reaches, at least a thousandth of the radius. */
static double impact_overlap(const demi_normal_parameters *p, double mass, double radius, double speed) {
  const double k = 4.0 / 3.0 * p->stiffness * sqrt(radius), impact = pow(1.25 * mass * speed * speed / k, 0.4);
  return impact > 1e-3 * radius ? impact : 1e-3 * radius;
}

/* Attraction pulls a contact that begins at rest to the overlap d with 8/15 Y* sqrt(R*) d^(5/2) = 4 pi gamma R* d + pi k_c R*
 * d^2. */
static double hertz_dt(const void *parameters, double mass, double radius, double speed) {
  const demi_normal_parameters *p = parameters;
  const double per_young = 1.875 * sqrt(radius) / p->stiffness, cohesion = 0.5 * p->cohesion * per_young;
  const double drawn_in = cbrt(p->pull * per_young * p->pull * per_young) + cohesion * cohesion;
  return limit_at(p, sqrt(radius * (impact_overlap(p, mass, radius, speed) + drawn_in)), mass);
}

/* Attraction pulls a contact that begins at rest to the overlap where U = 0 again, d = 6.5 l. */
static double jkr_dt(const void *parameters, double mass, double radius, double speed) {
  const demi_jkr_parameters *p = parameters;
  const double t = demi_jkr_scale(p, radius), l = t * p->quarter;
  const double y = demi_jkr_solve(impact_overlap(&p->plain, mass, radius, speed) / l + 6.5);
  return limit_at(&p->plain, t * t * y * y, mass);
}

/* The contact tears at d = -3 l. */
static double jkr_range(const void *parameters, double radius) {
  const demi_jkr_parameters *p = parameters;
  return 3.0 * p->quarter * demi_jkr_scale(p, radius);
}

/* ---- the kinds ---- */

DEMI_DECLARE_VARIANTS(demi_evaluate, normal_none);
DEMI_DECLARE_VARIANTS(demi_evaluate, normal_hooke);
DEMI_DECLARE_VARIANTS(demi_evaluate, normal_hertz);
DEMI_DECLARE_VARIANTS(demi_evaluate, normal_jkr);

enum { PLAIN = (int32_t)sizeof(demi_normal_parameters), JKR = (int32_t)sizeof(demi_jkr_parameters) };

const demi_normal_kind demi_normal_kinds[] = {
    [DEM_NORMAL_NONE] = {"none", "none", DEMI_KERNELS(normal_none), NULL, NULL, NULL, 0, 0, 0},
    [DEM_NORMAL_HOOKE] = {"hooke", "Hooke", DEMI_KERNELS(normal_hooke), bind_hooke, hooke_dt, NULL, PLAIN, 0,
                          DEMI_READS_STIFFNESS | DEMI_READS_COHESION | DEMI_READS_DAMPING},
    [DEM_NORMAL_HERTZ] = {"hertz", "Hertz", DEMI_KERNELS(normal_hertz), bind_hertz, hertz_dt, NULL, PLAIN, DEM_PART_NEEDS_YOUNG,
                          DEMI_HERTZIAN | DEMI_READS_COHESION | DEMI_READS_DAMPING},
    [DEM_NORMAL_DMT] = {"dmt", "DMT", DEMI_KERNELS(normal_hertz), bind_dmt, hertz_dt, NULL, PLAIN,
                        DEM_PART_NEEDS_YOUNG | DEM_PART_ADHESIVE, DEMI_HERTZIAN | DEMI_READS_SURFACE | DEMI_READS_DAMPING},
    [DEM_NORMAL_JKR] = {"jkr", "JKR", DEMI_KERNELS(normal_jkr), bind_jkr, jkr_dt, jkr_range, JKR,
                        DEM_PART_NEEDS_YOUNG | DEM_PART_ADHESIVE | DEM_PART_CONTACT_RADIUS,
                        DEMI_HERTZIAN | DEMI_READS_SURFACE | DEMI_READS_DAMPING},
};
const int32_t demi_last_normal_kind = (int32_t)(sizeof demi_normal_kinds / sizeof *demi_normal_kinds) - 1;

const char *demi_normal_kinds_with(uint32_t trait, char text[DEMI_KINDS_TEXT]) {
  int32_t left = 0;
  size_t at = 0;
  for (int32_t k = 0; k <= demi_last_normal_kind; k++) left += (demi_normal_kinds[k].traits & trait) != 0;
  text[0] = 0;
  for (int32_t k = 0; k <= demi_last_normal_kind && at < DEMI_KINDS_TEXT; k++) {
    if (!(demi_normal_kinds[k].traits & trait)) continue;
    left--;
    at += (size_t)snprintf(text + at, DEMI_KINDS_TEXT - at, "%s (%d)%s", demi_normal_kinds[k].title, k,
                           left > 1    ? ", "
                           : left == 1 ? " and "
                                       : "");
  }
  return text;
}

dem_law_part demi_builtin_normal(const dem_context *context, int32_t kind) {
  const demi_normal_kind *row = &demi_normal_kinds[kind];
  dem_law_part p = demi_builtin_part(DEM_PART_NORMAL, row->name, DEMI_SELECT(context, row->kernel), row->capabilities);
  p.parameter_bytes = row->parameter_bytes;
  p.bind = row->bind;
  p.stable_dt = row->stable_dt;
  p.range = row->range;
  return p;
}
