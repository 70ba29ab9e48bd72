/* The rolling and twisting parts as tables: the same form a user's own part has. */
#include "kinds.h"

DEMI_DECLARE_VARIANTS(demi_evaluate, rolling_spring);
DEMI_DECLARE_VARIANTS(demi_evaluate, rolling_constant);
DEMI_DECLARE_VARIANTS(demi_evaluate, twisting_spring);
DEMI_DECLARE_VARIANTS(demi_evaluate, twisting_marshall);

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

/* R*^2 (1/I_i + 1/I_j) is at most 5/2 /m*, spheres being the lightest to turn and R* at most the smaller radius. */
static double rolling_dt(const void *parameters, double mass, double radius, double speed) {
  const demi_rolling_parameters *p = parameters;
  (void)radius;
  (void)speed;
  return demi_oscillator_limit(2.5 * p->stiffness, 2.5 * p->coefficient, mass);
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
