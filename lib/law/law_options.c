/* Laws from options: checks of every number, choice and combination, then the built-in parts that they name. What a choice of normal
 * or tangential part reads, needs and forbids comes from the rows of parts/kinds.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "context.h"
#include "intake.h"
#include "law.h"
#include "limits.h"
#include "parts/kinds.h"

#define LAW_OPTIONS_V1 DEMI_SIZE_TO(dem_law_options, reserved_zero)

/* ---- traits of the choices, which are checked to be of the tables first ---- */

static int normal_has(const dem_law_options *o, uint32_t trait) { return (demi_normal_kinds[o->normal].traits & trait) != 0; }
static int rub_has(const dem_law_options *o, uint32_t trait) {
  return (demi_tangential_kinds[o->tangential].traits & trait) != 0;
}
static const char *title_of(const dem_law_options *o) { return demi_normal_kinds[o->normal].title; }

/* Contacts hold across a gap. */
static int holds(const dem_law_options *o) { return demi_normal_kinds[o->normal].range != NULL; }

/* A tangential spring whose stiffness is constant or goes with the contact radius. */
static int may_be_constant(const dem_law_options *o) { return rub_has(o, DEMI_SPRING) && !rub_has(o, DEMI_MINDLIN); }

/* ---- checks ---- */

dem_status demi_law_options_defaults(dem_law_options *options, uint32_t struct_size) {
  dem_law_options o;
  memset(&o, 0, sizeof o);
  o.normal = DEM_NORMAL_HOOKE;
  o.tangential = DEM_TANGENTIAL_LINEAR;
  o.attraction = 1;
  o.restitution = 1.0;
  o.friction = 0.5;
  o.lubrication_scale = 1.0;
  o.lubrication_inner = 0.001;
  o.lubrication_outer = 1.0;
  o.rolling_friction = 0.1;
  o.twisting_friction = 0.1;
  return demi_init(options, struct_size, &o, sizeof o, LAW_OPTIONS_V1);
}

static dem_status check_choice(dem_context *context, const char *field, int32_t value, int32_t low, int32_t high) {
  if (value >= low && value <= high) return DEM_OK;
  return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: %s is %d, allowed %d to %d", field, value, low, high);
}

/* Comparisons by < and > raise INVALID for a NaN, which kills a host that traps; isfinite and isgreater do not. */

static dem_status check_not_negative(dem_context *context, const char *field, double value) {
  if (demi_bounded(value) && value >= 0) return DEM_OK;
  return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: %s is %g, must be finite and >= 0, at most %g", field, value,
                             DEMI_LARGEST);
}

static dem_status check_choices(dem_context *context, const dem_law_options *o) {
  dem_status status = check_choice(context, "normal", o->normal, DEM_NORMAL_NONE, demi_last_normal_kind);
  if (!status) status = check_choice(context, "tangential", o->tangential, DEM_TANGENTIAL_NONE, demi_last_tangential_kind);
  if (!status) status = check_choice(context, "damping", o->damping, DEM_DAMPING_NONE, DEM_DAMPING_VISCOELASTIC);
  if (!status)
    status = check_choice(context, "tangential_damping", o->tangential_damping, DEM_DAMPING_NONE, DEM_DAMPING_OF_NORMAL);
  if (!status && o->tangential_damping == DEM_DAMPING_RESTITUTION_EXACT)
    return demi_refuse_context(
        context, DEM_BAD_ARGUMENT,
        "law: tangential_damping is %d, which is a mode of the normal part only: %d (RESTITUTION) follows it",
        o->tangential_damping, DEM_DAMPING_RESTITUTION);
  if (!status) status = check_choice(context, "attraction", o->attraction, 0, 1);
  if (!status) status = check_choice(context, "rolling", o->rolling, DEM_ROLLING_NONE, DEM_ROLLING_CONSTANT);
  if (!status) status = check_choice(context, "twisting", o->twisting, DEM_TWISTING_NONE, DEM_TWISTING_MARSHALL);
  if (!status) status = check_choice(context, "slider", o->slider, DEM_SLIDER_SERIES, DEM_SLIDER_RESET);
  if (!status && o->reserved_zero != 0)
    return demi_refuse_context(context, DEM_UNSUPPORTED, "law: reserved_zero is %d, must be 0", o->reserved_zero);
  return status;
}

static dem_status check_values(dem_context *context, const dem_law_options *o) {
  dem_status status = check_not_negative(context, "normal_stiffness", o->normal_stiffness);
  if (!status) status = check_not_negative(context, "tangential_stiffness", o->tangential_stiffness);
  if (!status) status = check_not_negative(context, "normal_damping", o->normal_damping);
  if (!status) status = check_not_negative(context, "shear_damping", o->shear_damping);
  if (!status) status = check_not_negative(context, "friction", o->friction);
  if (status) return status;
  if (!(isgreater(o->restitution, 0) && o->restitution <= 1))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: restitution is %g, allowed above 0 to 1", o->restitution);
  if (normal_has(o, DEMI_READS_STIFFNESS) && !(o->normal_stiffness > 0))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: normal_stiffness is %g, %s needs > 0", o->normal_stiffness,
                               title_of(o));
  return DEM_OK;
}

/* Each adhesion has its own parameter, and no other law one. */
static dem_status check_adhesion(dem_context *context, const dem_law_options *o) {
  dem_status status = check_not_negative(context, "surface_energy", o->surface_energy);
  if (!status) status = check_not_negative(context, "cohesion_energy_density", o->cohesion_energy_density);
  if (status) return status;
  const int from_surface = normal_has(o, DEMI_READS_SURFACE);
  char kinds[DEMI_KINDS_TEXT];
  if (from_surface && !(o->surface_energy > 0))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: surface_energy is %g, %s needs > 0", o->surface_energy,
                               title_of(o));
  if (!from_surface && o->surface_energy > 0)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: surface_energy is %g, but normal is %d: only %s have one",
                               o->surface_energy, o->normal, demi_normal_kinds_with(DEMI_READS_SURFACE, kinds));
  if (o->cohesion_energy_density > 0 && !normal_has(o, DEMI_READS_COHESION))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "law: cohesion_energy_density is %g, but normal is %d: it goes with %s",
                               o->cohesion_energy_density, o->normal, demi_normal_kinds_with(DEMI_READS_COHESION, kinds));
  if (holds(o) && isgreater(o->viscosity, 0))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "law: viscosity is %g, but a %s contact (normal %d) holds across the gap where the fluid would "
                               "act: leave it 0",
                               o->viscosity, title_of(o), o->normal);
  return DEM_OK;
}

/* The cut-offs mean nothing without a fluid: check_unread sees to them then. */
static dem_status check_lubrication(dem_context *context, const dem_law_options *o) {
  dem_status status = check_not_negative(context, "viscosity", o->viscosity);
  if (status || o->viscosity == 0) return status;
  if (!(demi_bounded(o->lubrication_scale) && o->lubrication_scale > 0))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: lubrication_scale is %g, must be finite and > 0",
                               o->lubrication_scale);
  if (!isgreater(o->lubrication_inner, 0))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: lubrication_inner is %g, must be > 0", o->lubrication_inner);
  if (!(isgreater(o->lubrication_outer, o->lubrication_inner) && o->lubrication_outer <= 10))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "law: lubrication_outer is %g, allowed above lubrication_inner, which is %g, to 10",
                               o->lubrication_outer, o->lubrication_inner);
  return DEM_OK;
}

static dem_status check_positive(dem_context *context, const char *field, double value, const char *needed_by) {
  if (demi_bounded(value) && value > 0) return DEM_OK;
  return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: %s is %g, %s needs it finite and > 0, at most %g", field, value,
                             needed_by, DEMI_LARGEST);
}

/* Values that belong to parts which the law does not have: see check_unread. */
static dem_status check_turning(dem_context *context, const dem_law_options *o) {
  const int rolls = o->rolling == DEM_ROLLING_SPRING, twists = o->twisting == DEM_TWISTING_SPRING;
  dem_status status = DEM_OK;
  if (rolls) status = check_positive(context, "rolling_stiffness", o->rolling_stiffness, "a rolling spring");
  if (!status && rolls) status = check_not_negative(context, "rolling_damping", o->rolling_damping);
  if (!status && o->rolling) status = check_not_negative(context, "rolling_friction", o->rolling_friction);
  if (!status && twists) status = check_positive(context, "twisting_stiffness", o->twisting_stiffness, "a twisting spring");
  if (!status && twists) status = check_not_negative(context, "twisting_damping", o->twisting_damping);
  if (!status && twists) status = check_not_negative(context, "twisting_friction", o->twisting_friction);
  if (status) return status;
  if (o->normal == DEM_NORMAL_NONE && (o->rolling || o->twisting))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "law: rolling is %d and twisting %d without a normal part; both need a normal force", o->rolling,
                               o->twisting);
  if (o->twisting == DEM_TWISTING_MARSHALL && !rub_has(o, DEMI_SPRING))
    return demi_refuse_context(
        context, DEM_BAD_ARGUMENT,
        "law: twisting is %d (Marshall), which follows from a tangential spring, such as LINEAR (%d); tangential %d has none",
        o->twisting, DEM_TANGENTIAL_LINEAR, o->tangential);
  return DEM_OK;
}

/* Combinations that mean nothing are refused rather than guessed. */
static dem_status check_combination(dem_context *context, const dem_law_options *o) {
  if (o->normal == DEM_NORMAL_NONE && o->tangential != DEM_TANGENTIAL_NONE)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "law: tangential is %d without a normal part; friction needs a normal force", o->tangential);
  char kinds[DEMI_KINDS_TEXT];
  if (rub_has(o, DEMI_MINDLIN) && !normal_has(o, DEMI_HERTZIAN))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: tangential is Mindlin (%d), which goes with normal %s only",
                               o->tangential, demi_normal_kinds_with(DEMI_HERTZIAN, kinds));
  if ((demi_tangential_kinds[o->tangential].capabilities & DEM_PART_COUPLED) && holds(o))
    return demi_refuse_context(
        context, DEM_BAD_ARGUMENT,
        "law: tangential is the conserving Mindlin (%d), which does not go with %s (%d): its force along "
        "the normal has no bound where a %s contact tears; Mindlin (%d) does",
        o->tangential, title_of(o), o->normal, title_of(o), DEM_TANGENTIAL_MINDLIN);
  if (o->tangential != DEM_TANGENTIAL_NONE && !rub_has(o, DEMI_SPRING) && o->tangential_damping == DEM_DAMPING_NONE)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: tangential is viscous, but tangential_damping is none (0)");
  if (o->tangential_damping == DEM_DAMPING_OF_NORMAL && o->damping == DEM_DAMPING_NONE)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "law: tangential_damping is %d, a share of the normal dashpot, but damping is none (0)",
                               o->tangential_damping);
  return DEM_OK;
}

/* A stiffness of its own belongs to the linear spring, a modulus of its own to a contact radius. */
static dem_status check_shear(dem_context *context, const dem_law_options *o) {
  const int hertzian = normal_has(o, DEMI_HERTZIAN);
  if (hertzian && !may_be_constant(o) && o->tangential_stiffness > 0)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "law: tangential_stiffness is %g, but beside a Hertzian normal part only the linear spring "
                               "(tangential %d) has a constant "
                               "one, tangential is %d: leave it 0",
                               o->tangential_stiffness, DEM_TANGENTIAL_LINEAR, o->tangential);
  const dem_status status = check_not_negative(context, "tangential_modulus", o->tangential_modulus);
  if (status || o->tangential_modulus == 0) return status;
  if (!hertzian || o->tangential == DEM_TANGENTIAL_NONE)
    return demi_refuse_context(
        context, DEM_BAD_ARGUMENT,
        "law: tangential_modulus is %g, but normal is %d and tangential %d: it takes the place of 8 G* in k_t "
        "= 8 G* a of Hertz, DMT and JKR",
        o->tangential_modulus, o->normal, o->tangential);
  if (o->tangential_stiffness > 0)
    return demi_refuse_context(
        context, DEM_BAD_ARGUMENT,
        "law: tangential_modulus is %g beside tangential_stiffness %g: k_t is either constant or goes with "
        "the contact radius",
        o->tangential_modulus, o->tangential_stiffness);
  return DEM_OK;
}

/* An option that no chosen part reads must have its default, or 0 for none: a host that set it expects it to act. */
typedef struct unread {
  const char *field;
  double value, standard;
  int read; /* some part does */
  const char *remedy;
} unread;

static int gives_number(int32_t damping) {
  return damping == DEM_DAMPING_COEFFICIENT || damping == DEM_DAMPING_RATE || damping == DEM_DAMPING_VISCOELASTIC ||
         damping == DEM_DAMPING_OF_NORMAL;
}

static int gives_restitution(int32_t damping) {
  return damping == DEM_DAMPING_RESTITUTION || damping == DEM_DAMPING_RESTITUTION_EXACT;
}

static dem_status check_unread(dem_context *context, const dem_law_options *o) {
  const int rubs = o->tangential != DEM_TANGENTIAL_NONE, rolls = o->rolling != DEM_ROLLING_NONE;
  const int rolling_spring = o->rolling == DEM_ROLLING_SPRING, twisting_spring = o->twisting == DEM_TWISTING_SPRING;
  const int normal_given = gives_number(o->damping), shear_given = gives_number(o->tangential_damping);
  const int from_restitution = gives_restitution(o->damping) || gives_restitution(o->tangential_damping);
  const int slides = rub_has(o, DEMI_SLIDER) || rolling_spring || twisting_spring;
  /* the dashpot of VISCOUS that follows the restitution goes with the root of k_t */
  const int shear_stiffness = rub_has(o, DEMI_SPRING) || (rubs && gives_restitution(o->tangential_damping));
  const int shear_constant = shear_stiffness && !rub_has(o, DEMI_MINDLIN);
  char kinds[DEMI_KINDS_TEXT], reads_stiffness[DEMI_KINDS_TEXT + 128];
  snprintf(reads_stiffness, sizeof reads_stiffness,
           "only normal %s reads it; with the others stiffness comes from Young's modulus of the materials",
           demi_normal_kinds_with(DEMI_READS_STIFFNESS, kinds));
  const unread list[] = {
      {"damping", o->damping, DEM_DAMPING_NONE, normal_has(o, DEMI_READS_DAMPING), "normal is NONE (0), which has no damping"},
      {"tangential_damping", o->tangential_damping, DEM_DAMPING_NONE, rubs, "tangential is NONE (0), which has no damping"},
      {"normal_stiffness", o->normal_stiffness, 0, normal_has(o, DEMI_READS_STIFFNESS), reads_stiffness},
      {"tangential_stiffness", o->tangential_stiffness, 0, shear_constant,
       "only tangential LINEAR (2), and VISCOUS (1) with tangential_damping RESTITUTION (3), read it"},
      {"tangential_modulus", o->tangential_modulus, 0, shear_stiffness,
       "tangential VISCOUS (1) reads it with tangential_damping RESTITUTION (3) only"},
      {"normal_damping", o->normal_damping, 0, normal_given,
       "only damping COEFFICIENT (1), RATE (2) and VISCOELASTIC (5) read it"},
      {"shear_damping", o->shear_damping, 0, shear_given,
       "only tangential_damping COEFFICIENT (1), RATE (2), VISCOELASTIC (5) and OF_NORMAL (6) read it"},
      {"restitution", o->restitution, 1, from_restitution, "only damping RESTITUTION (3) and RESTITUTION_EXACT (4) read it"},
      {"friction", o->friction, 0.5, rubs, "tangential is NONE (0), which is frictionless"},
      {"slider", o->slider, DEM_SLIDER_SERIES, slides, "no part has a spring that a cap may reset"},
      {"lubrication_scale", o->lubrication_scale, 1, o->viscosity > 0, "viscosity is 0, so there is no fluid"},
      {"lubrication_inner", o->lubrication_inner, 0.001, o->viscosity > 0, "viscosity is 0, so there is no fluid"},
      {"lubrication_outer", o->lubrication_outer, 1, o->viscosity > 0, "viscosity is 0, so there is no fluid"},
      {"rolling_stiffness", o->rolling_stiffness, 0, rolling_spring, "only rolling SPRING (1) reads it"},
      {"rolling_damping", o->rolling_damping, 0, rolling_spring, "only rolling SPRING (1) reads it"},
      {"rolling_friction", o->rolling_friction, 0.1, rolls, "rolling is NONE (0)"},
      {"twisting_stiffness", o->twisting_stiffness, 0, twisting_spring, "only twisting SPRING (1) reads it"},
      {"twisting_damping", o->twisting_damping, 0, twisting_spring, "only twisting SPRING (1) reads it"},
      {"twisting_friction", o->twisting_friction, 0.1, twisting_spring, "only twisting SPRING (1) reads it"},
  };
  for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    if (!list[k].read && list[k].value != list[k].standard && list[k].value != 0)
      return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: %s is %g, but %s: leave it %g", list[k].field, list[k].value,
                                 list[k].remedy, list[k].standard);
  return DEM_OK;
}

static dem_law_piece piece_of(const dem_law_part *part, const void *user, size_t bytes) {
  return (dem_law_piece){
      .struct_size = (uint32_t)sizeof(dem_law_piece), .user_bytes = (uint32_t)bytes, .part = part, .user = user};
}

static dem_status create_from_choices(dem_context *context, const dem_law_options *o, dem_law **law) {
  const demi_normal_choice normal = {o->normal_stiffness,        o->normal_damping, o->restitution, o->surface_energy,
                                     o->cohesion_energy_density, o->damping,        o->attraction};
  const demi_tangential_choice tangential = {.stiffness = o->tangential_stiffness,
                                             .normal_stiffness = o->normal_stiffness,
                                             .damping = o->shear_damping,
                                             .restitution = o->restitution,
                                             .friction = o->friction,
                                             .mode = o->tangential_damping,
                                             .normal_mode = o->damping,
                                             .attraction = o->attraction,
                                             .hertzian = normal_has(o, DEMI_HERTZIAN),
                                             .holds = holds(o),
                                             .normal_damping = o->normal_damping,
                                             .modulus = o->tangential_modulus,
                                             .keeps_force = rub_has(o, DEMI_KEEPS_FORCE),
                                             .slider = o->slider};
  const demi_lubrication_choice fluid = {o->viscosity, o->lubrication_scale, o->lubrication_inner, o->lubrication_outer};
  const dem_law_part gap = demi_builtin_lubrication(context);
  dem_law_part n = demi_builtin_normal(context, o->normal), t = demi_builtin_tangential(context, o->tangential);
  if (o->cohesion_energy_density > 0) n.capabilities |= DEM_PART_ADHESIVE;
  if (o->tangential_damping == DEM_DAMPING_NONE && rub_has(o, DEMI_SPRING)) t.capabilities |= DEM_PART_UNDAMPED;
  /* a constant spring has a potential, one that stiffens with the overlap has not */
  const int follows = may_be_constant(o) && normal_has(o, DEMI_HERTZIAN) && !(o->tangential_stiffness > 0);
  if (follows) t.capabilities |= DEM_PART_NOT_POTENTIAL;
  /* ... and remembers the radius where it cannot be told from the overlap before */
  if (follows && holds(o)) {
    t.history_items = 2;
    t.history[1] = DEM_HISTORY_SCALAR;
  }
  const demi_rolling_choice rolling = {o->rolling_stiffness, o->rolling_damping, o->rolling_friction, holds(o), o->slider};
  const demi_rolling_choice twisting = {o->twisting_stiffness, o->twisting_damping, o->twisting_friction, holds(o), o->slider};
  const dem_law_part r = demi_builtin_rolling(context, o->rolling);
  dem_law_part w = demi_builtin_twisting(context, o->twisting);
  if (o->twisting == DEM_TWISTING_MARSHALL && holds(o)) w.history[w.history_items++] = DEM_HISTORY_SCALAR;
  dem_law_piece pieces[DEMI_PARTS] = {piece_of(&n, &normal, sizeof normal)};
  int32_t count = 1;
  if (o->tangential != DEM_TANGENTIAL_NONE) pieces[count++] = piece_of(&t, &tangential, sizeof tangential);
  if (o->viscosity > 0) pieces[count++] = piece_of(&gap, &fluid, sizeof fluid);
  if (o->rolling) pieces[count++] = piece_of(&r, &rolling, sizeof rolling);
  if (o->twisting == DEM_TWISTING_SPRING) pieces[count++] = piece_of(&w, &twisting, sizeof twisting);
  if (o->twisting == DEM_TWISTING_MARSHALL) pieces[count++] = piece_of(&w, &tangential, sizeof tangential);
  return demi_law_create_from_parts(context, count, pieces, law);
}

dem_status demi_law_create(dem_context *context, const dem_law_options *options, dem_law **law) {
  dem_law_options o;
  dem_status status = demi_intake(&o, sizeof o, options, LAW_OPTIONS_V1);
  if (status)
    return demi_refuse_context(context, status, "law options: %s",
                               demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, options, sizeof o, LAW_OPTIONS_V1));
  if ((status = check_choices(context, &o)) != DEM_OK || (status = check_values(context, &o)) != DEM_OK ||
      (status = check_adhesion(context, &o)) != DEM_OK || (status = check_lubrication(context, &o)) != DEM_OK ||
      (status = check_combination(context, &o)) != DEM_OK || (status = check_shear(context, &o)) != DEM_OK ||
      (status = check_turning(context, &o)) != DEM_OK || (status = check_unread(context, &o)) != DEM_OK)
    return status;
  status = create_from_choices(context, &o, law);
  if (status == DEM_OK) (*law)->built_in = 1;
  return status;
}
