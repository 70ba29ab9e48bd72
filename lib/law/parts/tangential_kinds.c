/* The tangential parts: binding, and a row for each kind. */
#include <math.h>
#include <string.h>

#include "kinds.h"

/* ---- binding: from choices and materials to kernel parameters ---- */

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
  const double fraction = c->damping;
  demi_normal_parameters n;
  demi_resolve_normal(&choice, c->hertzian ? 2.0 * sqrt(5.0 / 6.0) : 2.0, &n);
  p->coefficient = fraction * n.coefficient;
  p->rate = fraction * n.rate;
  follow_radius(p, fraction * n.viscous);
  if (!c->hertzian)
    p->ratio = fraction * n.ratio * sqrt(c->normal_stiffness / p->stiffness);
  else if (p->shear > 0)
    p->ratio = fraction * n.ratio * sqrt(2.0 * materials->effective_young / p->shear);
  else
    p->by_root = fraction * n.ratio * sqrt(2.0 * materials->effective_young);
}

static double shear_of(const demi_tangential_choice *c, const dem_bind *materials) {
  if (!c->hertzian || c->stiffness > 0) return 0.0;
  return c->modulus > 0 ? c->modulus : 8.0 * materials->effective_shear;
}

int32_t demi_bind_tangential(const void *user, const dem_bind *materials, void *parameters) {
  const demi_tangential_choice *c = user;
  demi_tangential_parameters *p = parameters;
  memset(p, 0, sizeof *p);
  p->friction = c->friction;
  p->shear = shear_of(c, materials);
  p->holds = c->holds ? 1.0 : 0.0;
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
      p->ratio = (p->shear > 0 ? 2.0 * sqrt(5.0 / 6.0) : 2.0) * demi_choice_ratio(form, c->attraction, c->restitution);
      break;
    default: break;
  }
  return DEM_OK;
}

/* ---- the kinds ---- */

DEMI_DECLARE_VARIANTS(demi_evaluate, tangential_viscous);
DEMI_DECLARE_VARIANTS(demi_evaluate, tangential_linear);
DEMI_DECLARE_VARIANTS(demi_evaluate, tangential_mindlin);
DEMI_DECLARE_VARIANTS(demi_evaluate, tangential_mindlin_conserving);
DEMI_DECLARE_VARIANTS(demi_evaluate, tangential_mindlin_rescaled);

enum {
  /* what a force or a displacement that is rescaled with the contact radius has */
  WITH_YOUNG = DEM_PART_NEEDS_YOUNG | DEM_PART_NOT_POTENTIAL,
  MINDLIN = DEMI_SPRING | DEMI_MINDLIN | DEMI_SLIDER
};

const demi_tangential_kind demi_tangential_kinds[] = {
    [DEM_TANGENTIAL_NONE] = {"none", NULL, NULL, NULL, {0, 0}, 0, 0},
    [DEM_TANGENTIAL_VISCOUS] = {"viscous", DEMI_KERNELS(tangential_viscous), {0, 0}, 0, 0},
    [DEM_TANGENTIAL_LINEAR] =
        {"linear", DEMI_KERNELS(tangential_linear), {DEM_HISTORY_TANGENT, 0}, 0, DEMI_SPRING | DEMI_SLIDER},
    [DEM_TANGENTIAL_MINDLIN] =
        {"mindlin", DEMI_KERNELS(tangential_mindlin), {DEM_HISTORY_TANGENT, DEM_HISTORY_SCALAR}, WITH_YOUNG, MINDLIN},
    [DEM_TANGENTIAL_MINDLIN_CONSERVING] = {"mindlin-conserving",
                                           DEMI_KERNELS(tangential_mindlin_conserving),
                                           {DEM_HISTORY_TANGENT, 0},
                                           DEM_PART_NEEDS_YOUNG | DEM_PART_COUPLED,
                                           DEMI_SPRING | DEMI_MINDLIN},
    [DEM_TANGENTIAL_MINDLIN_FORCE] = {"mindlin-force",
                                      DEMI_KERNELS(tangential_mindlin),
                                      {DEM_HISTORY_TANGENT, DEM_HISTORY_SCALAR},
                                      WITH_YOUNG,
                                      MINDLIN | DEMI_KEEPS_FORCE},
    [DEM_TANGENTIAL_MINDLIN_RESCALED] = {"mindlin-rescaled",
                                         DEMI_KERNELS(tangential_mindlin_rescaled),
                                         {DEM_HISTORY_TANGENT, DEM_HISTORY_SCALAR},
                                         WITH_YOUNG,
                                         MINDLIN},
};
const int32_t demi_last_tangential_kind = (int32_t)(sizeof demi_tangential_kinds / sizeof *demi_tangential_kinds) - 1;

dem_law_part demi_builtin_tangential(const dem_context *context, int32_t kind) {
  const demi_tangential_kind *row = &demi_tangential_kinds[kind];
  dem_law_part p = demi_builtin_part(DEM_PART_TANGENTIAL, row->name, DEMI_SELECT(context, row->kernel), row->capabilities);
  p.parameter_bytes = (int32_t)sizeof(demi_tangential_parameters);
  p.bind = demi_bind_tangential;
  for (int32_t k = 0; k < 2; k++) {
    p.history[k] = row->history[k];
    p.history_items += row->history[k] != 0;
  }
  return p;
}

double demi_builtin_friction(const dem_law_part *part, const void *parameters) {
  const demi_tangential_parameters *p = parameters;
  return part->bind == demi_bind_tangential ? p->friction : NAN;
}
