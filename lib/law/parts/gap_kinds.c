/* The gap part, lubrication, as a table: the same form a user's own part has. */
#include "kinds.h"

static const double pi = 3.14159265358979323846;

DEMI_DECLARE_VARIANTS(demi_evaluate, gap_lubrication);

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

/* The dashpot is strongest at the inner cut-off, h = inner 2a: 6 pi eta a/(2 inner). */
static double lubrication_dt(const void *parameters, double mass, double radius, double speed) {
  const demi_lubrication_parameters *p = parameters;
  (void)speed;
  return demi_oscillator_limit(0.0, p->drag * p->scale * radius / (2.0 * p->inner), mass);
}

static double lubrication_range(const void *parameters, double radius) {
  const demi_lubrication_parameters *p = parameters;
  return 2.0 * p->outer * p->scale * radius;
}

dem_law_part demi_builtin_lubrication(const dem_context *context) {
  dem_law_part p = demi_builtin_part(DEM_PART_GAP, "lubrication", DEMI_SELECT(context, demi_gap_lubrication), 0);
  p.parameter_bytes = (int32_t)sizeof(demi_lubrication_parameters);
  p.bind = bind_lubrication;
  p.range = lubrication_range;
  p.stable_dt = lubrication_dt;
  return p;
}
