/* The built-in parts as tables: the same form a user's own part has. */
#include "builtin.h"

#include <math.h>
#include <string.h>

#include "jkr.h"

static const double pi = 3.14159265358979323846;

/* ---- binding: from choices and materials to kernel parameters ---- */

static double choice_ratio(int32_t mode, int32_t attraction, double restitution) {
  if (mode == DEM_DAMPING_RESTITUTION) return demi_damping_ratio(restitution, 0);
  if (mode == DEM_DAMPING_RESTITUTION_EXACT) return demi_damping_ratio(restitution, !attraction);
  return 0.0;
}

static void resolve_normal(const demi_normal_choice *c, double factor, demi_normal_parameters *p) {
  memset(p, 0, sizeof *p);
  p->coefficient = c->mode == DEM_DAMPING_COEFFICIENT ? c->damping : 0.0;
  p->rate = c->mode == DEM_DAMPING_RATE ? c->damping : 0.0;
  p->viscous = c->mode == DEM_DAMPING_VISCOELASTIC ? c->damping : 0.0;
  p->ratio = factor * choice_ratio(c->mode, c->attraction, c->restitution);
  p->clamp = c->attraction ? 0.0 : 1.0;
  p->cohesion = 2.0 * pi * c->cohesion;
}

static int32_t bind_hooke(const void *user, const dem_bind *materials, void *parameters) {
  const demi_normal_choice *c = user;
  demi_normal_parameters *p = parameters;
  (void)materials;
  resolve_normal(c, 2.0, p);
  p->stiffness = c->stiffness;
  return DEM_OK;
}

static int32_t bind_hertz(const void *user, const dem_bind *materials, void *parameters) {
  demi_normal_parameters *p = parameters;
  resolve_normal(user, 2.0 * sqrt(5.0 / 6.0), p);
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

/* The part of a dashpot that goes with the contact radius a, gamma m* a, where k_t does too or does not. */
static void follow_radius(demi_tangential_parameters *p, double gamma) {
  if (p->shear > 0)
    p->by_stiffness = gamma / p->shear;
  else
    p->by_radius = gamma;
}

/* c_t = fraction c, with c = ratio sqrt(S m*) of the normal part in terms of k_t or, where k_t is constant, of a. */
static void take_from_normal(const demi_tangential_choice *c, const dem_bind *materials, demi_tangential_parameters *p) {
  const demi_normal_choice choice = {
      .mode = c->normal_mode, .damping = c->normal_damping, .restitution = c->restitution, .attraction = c->attraction};
  const int hertzian = demi_is_hertzian(c->normal);
  const double fraction = c->damping;
  demi_normal_parameters n;
  resolve_normal(&choice, hertzian ? 2.0 * sqrt(5.0 / 6.0) : 2.0, &n);
  p->coefficient = fraction * n.coefficient;
  p->rate = fraction * n.rate;
  follow_radius(p, fraction * n.viscous);
  if (!hertzian)
    p->ratio = fraction * n.ratio * sqrt(c->normal_stiffness / p->stiffness);
  else if (p->shear > 0)
    p->ratio = fraction * n.ratio * sqrt(2.0 * materials->effective_young / p->shear);
  else
    p->by_root = fraction * n.ratio * sqrt(2.0 * materials->effective_young);
}

static double shear_of(const demi_tangential_choice *c, const dem_bind *materials) {
  if (!demi_is_hertzian(c->normal) || c->stiffness > 0) return 0.0;
  return c->modulus > 0 ? c->modulus : 8.0 * materials->effective_shear;
}

static int32_t bind_tangential(const void *user, const dem_bind *materials, void *parameters) {
  const demi_tangential_choice *c = user;
  demi_tangential_parameters *p = parameters;
  memset(p, 0, sizeof *p);
  p->friction = c->friction;
  p->shear = shear_of(c, materials);
  p->holds = c->normal == DEM_NORMAL_JKR ? 1.0 : 0.0;
  p->reset = c->slider == DEM_SLIDER_RESET ? 1.0 : 0.0;
  p->rescales = c->keeps_force ? 0.0 : 1.0;
  p->stiffness = c->stiffness > 0 ? c->stiffness : 2.0 / 7.0 * c->normal_stiffness;
  const int32_t form = c->normal_mode == DEM_DAMPING_RESTITUTION_EXACT ? c->normal_mode : DEM_DAMPING_RESTITUTION;
  switch (c->mode) {
    case DEM_DAMPING_COEFFICIENT: p->coefficient = c->damping; break;
    case DEM_DAMPING_RATE: p->rate = c->damping; break;
    case DEM_DAMPING_VISCOELASTIC: follow_radius(p, c->damping); break;
    case DEM_DAMPING_OF_NORMAL: take_from_normal(c, materials, p); break;
    case DEM_DAMPING_RESTITUTION:
      /* a constant spring makes a linear oscillator, also beside Hertz */
      p->ratio = (p->shear > 0 ? 2.0 * sqrt(5.0 / 6.0) : 2.0) * choice_ratio(form, c->attraction, c->restitution);
      break;
    default: break;
  }
  return DEM_OK;
}

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
  p->holds = c->normal == DEM_NORMAL_JKR ? 1.0 : 0.0;
  p->reset = c->slider == DEM_SLIDER_RESET ? 1.0 : 0.0;
  return DEM_OK;
}

/* ---- time step limits: of the oscillator of stiffness k on mass m*, 2 sqrt(m/k) is the limit of velocity-Verlet; a dashpot c,
 * which sees the half-step velocity, shortens it to where k dt^2/m + 2 c dt/m = 4 ---- */

static double limit(double k, double c, double mass) {
  const double rate = c / mass;
  return 4.0 / (rate + sqrt(rate * rate + 4.0 * k / mass));
}

/* Contact radius of an impact at `speed`, at the overlap v sqrt(m/k_n) or a thousandth of the radius. */
static double hooke_radius(const demi_normal_parameters *p, double mass, double radius, double speed) {
  const double overlap = speed * sqrt(mass / p->stiffness), least = 1e-3 * radius;
  return sqrt(radius * (overlap > least ? overlap : least));
}

static double hooke_dt(const void *parameters, double mass, double radius, double speed) {
  const demi_normal_parameters *p = parameters;
  const double viscous = p->viscous > 0 ? p->viscous * mass * hooke_radius(p, mass, radius, speed) : 0.0;
  return limit(p->stiffness, p->coefficient + p->rate * mass + p->ratio * sqrt(p->stiffness * mass) + viscous, mass);
}

/* Where the contact radius is a: the stiffness is 2 Y* a at most. */
static double limit_at(const demi_normal_parameters *p, double contact_radius, double mass) {
  const double slope = 2.0 * p->stiffness * contact_radius;
  const double viscous = p->viscous * mass * contact_radius;
  return limit(slope, p->coefficient + p->rate * mass + p->ratio * sqrt(slope * mass) + viscous, mass);
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

/* The dashpot is strongest at the inner cut-off, h = inner 2a: 6 pi eta a/(2 inner). */
static double lubrication_dt(const void *parameters, double mass, double radius, double speed) {
  const demi_lubrication_parameters *p = parameters;
  (void)speed;
  return limit(0.0, p->drag * p->scale * radius / (2.0 * p->inner), mass);
}

/* R*^2 (1/I_i + 1/I_j) is at most 5/2 /m*, spheres being the lightest to turn and R* at most the smaller radius. */
static double rolling_dt(const void *parameters, double mass, double radius, double speed) {
  const demi_rolling_parameters *p = parameters;
  (void)radius;
  (void)speed;
  return limit(2.5 * p->stiffness, 2.5 * p->coefficient, mass);
}

static double lubrication_range(const void *parameters, double radius) {
  const demi_lubrication_parameters *p = parameters;
  return 2.0 * p->outer * p->scale * radius;
}

/* ---- kernels by instruction set ---- */

static demi_evaluate *normal_kernel(const dem_context *context, int32_t kind) {
  switch (kind) {
    case DEM_NORMAL_HOOKE: return DEMI_SELECT(context, demi_normal_hooke);
    case DEM_NORMAL_HERTZ: return DEMI_SELECT(context, demi_normal_hertz);
    case DEM_NORMAL_DMT: return DEMI_SELECT(context, demi_normal_hertz);
    case DEM_NORMAL_JKR: return DEMI_SELECT(context, demi_normal_jkr);
    default: return DEMI_SELECT(context, demi_normal_none);
  }
}

static demi_evaluate *tangential_kernel(const dem_context *context, int32_t kind) {
  switch (kind) {
    case DEM_TANGENTIAL_VISCOUS: return DEMI_SELECT(context, demi_tangential_viscous);
    case DEM_TANGENTIAL_LINEAR: return DEMI_SELECT(context, demi_tangential_linear);
    case DEM_TANGENTIAL_MINDLIN:
    case DEM_TANGENTIAL_MINDLIN_FORCE: return DEMI_SELECT(context, demi_tangential_mindlin);
    case DEM_TANGENTIAL_MINDLIN_RESCALED: return DEMI_SELECT(context, demi_tangential_mindlin_rescaled);
    default: return DEMI_SELECT(context, demi_tangential_mindlin_conserving);
  }
}

static dem_law_part part(int32_t kind, const char *name, demi_evaluate *evaluate, uint32_t capabilities) {
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

dem_law_part demi_builtin_normal(const dem_context *context, int32_t kind) {
  static const char *const names[] = {"none", "hooke", "hertz", "dmt", "jkr"};
  dem_law_part p =
      part(DEM_PART_NORMAL, names[kind], normal_kernel(context, kind), demi_is_hertzian(kind) ? DEM_PART_NEEDS_YOUNG : 0);
  p.parameter_bytes = (int32_t)sizeof(demi_normal_parameters);
  switch (kind) {
    case DEM_NORMAL_HOOKE:
      p.bind = bind_hooke;
      p.stable_dt = hooke_dt;
      break;
    case DEM_NORMAL_HERTZ:
    case DEM_NORMAL_DMT:
      p.bind = kind == DEM_NORMAL_DMT ? bind_dmt : bind_hertz;
      p.stable_dt = hertz_dt;
      if (kind == DEM_NORMAL_DMT) p.capabilities |= DEM_PART_ADHESIVE;
      break;
    case DEM_NORMAL_JKR:
      p.parameter_bytes = (int32_t)sizeof(demi_jkr_parameters);
      p.bind = bind_jkr;
      p.stable_dt = jkr_dt;
      p.range = jkr_range;
      p.capabilities |= DEM_PART_ADHESIVE | DEM_PART_CONTACT_RADIUS;
      break;
    default: p.parameter_bytes = 0;
  }
  return p;
}

dem_law_part demi_builtin_tangential(const dem_context *context, int32_t kind) {
  static const char *const names[] = {"none",          "viscous",         "linear", "mindlin", "mindlin-conserving",
                                      "mindlin-force", "mindlin-rescaled"};
  dem_law_part p = part(DEM_PART_TANGENTIAL, names[kind], tangential_kernel(context, kind), 0);
  p.parameter_bytes = (int32_t)sizeof(demi_tangential_parameters);
  p.bind = bind_tangential;
  if (kind == DEM_TANGENTIAL_VISCOUS) return p;
  p.history_items = 1;
  p.history[0] = DEM_HISTORY_TANGENT;
  if (kind == DEM_TANGENTIAL_LINEAR) return p;
  p.capabilities |= DEM_PART_NEEDS_YOUNG;
  if (kind == DEM_TANGENTIAL_MINDLIN_CONSERVING) {
    p.capabilities |= DEM_PART_COUPLED;
    return p;
  }
  p.history_items = 2;
  p.history[1] = DEM_HISTORY_SCALAR;
  p.capabilities |= DEM_PART_NOT_POTENTIAL;
  return p;
}

double demi_builtin_friction(const dem_law_part *part, const void *parameters) {
  const demi_tangential_parameters *p = parameters;
  return part->bind == bind_tangential ? p->friction : NAN;
}

dem_law_part demi_builtin_lubrication(const dem_context *context) {
  dem_law_part p = part(DEM_PART_GAP, "lubrication", DEMI_SELECT(context, demi_gap_lubrication), 0);
  p.parameter_bytes = (int32_t)sizeof(demi_lubrication_parameters);
  p.bind = bind_lubrication;
  p.range = lubrication_range;
  p.stable_dt = lubrication_dt;
  return p;
}

dem_law_part demi_builtin_rolling(const dem_context *context, int32_t kind) {
  const int spring = kind == DEM_ROLLING_SPRING;
  demi_evaluate *kernel = spring ? DEMI_SELECT(context, demi_rolling_spring) : DEMI_SELECT(context, demi_rolling_constant);
  dem_law_part p = part(DEM_PART_ROLLING, spring ? "rolling-spring" : "rolling-constant", kernel, 0);
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
  dem_law_part p = part(DEM_PART_TWISTING, spring ? "twisting-spring" : "twisting-marshall", kernel, 0);
  p.parameter_bytes = (int32_t)(spring ? sizeof(demi_rolling_parameters) : sizeof(demi_tangential_parameters));
  p.bind = spring ? bind_rolling : bind_tangential;
  p.history_items = 1;
  p.history[0] = DEM_HISTORY_SCALAR;
  if (spring)
    p.stable_dt = rolling_dt;
  else
    p.capabilities |= DEM_PART_NOT_POTENTIAL; /* its stiffness grows with the overlap */
  return p;
}
