/* The built-in gap, rolling and twisting parts as tables, the same form a user's own part has; and what all built-in parts share. */
#include "kinds.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

double demi_oscillator_limit(double k, double c, double mass) {
  const double rate = c / mass;
  return 4.0 / (rate + sqrt(rate * rate + 4.0 * k / mass));
}

dem_law_part demi_builtin_part(int32_t kind, const char *name, demi_evaluate *evaluate, uint32_t capabilities) {
  dem_law_part p;
  memset(&p, 0, sizeof p);
  p.struct_size = (uint32_t)sizeof p;
  p.contract = DEM_LAW_PART_CONTRACT;
  p.name = name;
  p.kind = kind;
  p.evaluate = evaluate;
  p.capabilities = DEM_PART_ENERGY | DEM_PART_TANGENT | capabilities;
  return p;
}

/* ---- binding: from choices to kernel parameters ---- */

static int32_t bind_lubrication(const void *user, const dem_bind *materials, void *parameters) {
  const demi_lubrication_choice *c = user;
  demi_lubrication_parameters *p = parameters;
  (void)materials;
  p->drag = 6.0 * pi * c->viscosity;
  p->scale = c->scale;
  p->inner = c->inner;
  p->outer = c->outer;
  return DEM_OK;
}

static int32_t bind_rolling(const void *user, const dem_bind *materials, void *parameters) {
  const demi_rolling_choice *c = user;
  demi_rolling_parameters *p = parameters;
  (void)materials;
  p->stiffness = c->stiffness;
  p->coefficient = c->damping;
  p->friction = c->friction;
  p->holds = c->holds ? 1.0 : 0.0;
  p->reset = c->slider == DEM_SLIDER_RESET ? 1.0 : 0.0;
  return DEM_OK;
}

/* ---- time step limits and ranges ---- */

/* The dashpot is strongest at the inner cut-off, h = inner 2a: 6 pi eta a/(2 inner). */
static double lubrication_dt(const void *parameters, double mass, double radius, double speed) {
  const demi_lubrication_parameters *p = parameters;
  (void)speed;
  return demi_oscillator_limit(0.0, p->drag * p->scale * radius / (2.0 * p->inner), mass);
}

/* R*^2 (1/I_i + 1/I_j) is at most 5/2 /m*, spheres being the lightest to turn and R* at most the smaller radius. */
static double rolling_dt(const void *parameters, double mass, double radius, double speed) {
  const demi_rolling_parameters *p = parameters;
  (void)radius;
  (void)speed;
  return demi_oscillator_limit(2.5 * p->stiffness, 2.5 * p->coefficient, mass);
}

static double lubrication_range(const void *parameters, double radius) {
  const demi_lubrication_parameters *p = parameters;
  return 2.0 * p->outer * p->scale * radius;
}

/* ---- the parts ---- */

DEMI_DECLARE_VARIANTS(demi_evaluate, gap_lubrication);
DEMI_DECLARE_VARIANTS(demi_evaluate, rolling_spring);
DEMI_DECLARE_VARIANTS(demi_evaluate, rolling_constant);
DEMI_DECLARE_VARIANTS(demi_evaluate, twisting_spring);
DEMI_DECLARE_VARIANTS(demi_evaluate, twisting_marshall);

dem_law_part demi_builtin_lubrication(const dem_context *context) {
  dem_law_part p = demi_builtin_part(DEM_PART_GAP, "lubrication", DEMI_SELECT(context, demi_gap_lubrication), 0);
  p.parameter_bytes = (int32_t)sizeof(demi_lubrication_parameters);
  p.bind = bind_lubrication;
  p.range = lubrication_range;
  p.stable_dt = lubrication_dt;
  return p;
}

dem_law_part demi_builtin_rolling(const dem_context *context, int32_t kind) {
  const int spring = kind == DEM_ROLLING_SPRING;
  demi_evaluate *kernel = spring ? DEMI_SELECT(context, demi_rolling_spring) : DEMI_SELECT(context, demi_rolling_constant);
  dem_law_part p = demi_builtin_part(DEM_PART_ROLLING, spring ? "rolling-spring" : "rolling-constant", kernel, 0);
  p.parameter_bytes = (int32_t)sizeof(demi_rolling_parameters);
  p.bind = bind_rolling;
  p.history_items = 1;
  p.history[0] = spring ? DEM_HISTORY_ROLLING : DEM_HISTORY_SCALAR;
  if (spring) p.stable_dt = rolling_dt;
  return p;
}

dem_law_part demi_builtin_twisting(const dem_context *context, int32_t kind) {
  const int spring = kind == DEM_TWISTING_SPRING;
  demi_evaluate *kernel = spring ? DEMI_SELECT(context, demi_twisting_spring) : DEMI_SELECT(context, demi_twisting_marshall);
  dem_law_part p = demi_builtin_part(DEM_PART_TWISTING, spring ? "twisting-spring" : "twisting-marshall", kernel, 0);
  p.parameter_bytes = (int32_t)(spring ? sizeof(demi_rolling_parameters) : sizeof(demi_tangential_parameters));
  p.bind = spring ? bind_rolling : demi_bind_tangential;
  p.history_items = 1;
  p.history[0] = DEM_HISTORY_SCALAR;
  if (spring)
    p.stable_dt = rolling_dt;
  else
    p.capabilities |= DEM_PART_NOT_POTENTIAL; /* its stiffness grows with the overlap */
  return p;
}
