/* Laws: intake of parts, the options front end, binding. */
#include "law.h"

#include <math.h>
#include <string.h>

#include "context.h"
#include "intake.h"
#include "lanes.h"
#include "parts/builtin.h"
#include "limits.h"

#define LAW_PART_V1 DEMI_SIZE_TO(dem_law_part, stable_dt)
#define LAW_PIECE_V1 DEMI_SIZE_TO(dem_law_piece, user)
#define LAW_OPTIONS_V1 DEMI_SIZE_TO(dem_law_options, reserved_zero)

void demi_law_retain(const dem_law *law) { atomic_fetch_add(&((dem_law *)(uintptr_t)law)->references, 1); }

void demi_law_release(const dem_law *law) {
  dem_law *mine = (dem_law *)(uintptr_t)law;
  if (!mine || atomic_fetch_sub(&mine->references, 1) > 1) return;
  dem_context *context = mine->context;
  demi_free(context, mine, sizeof *mine);
  atomic_fetch_sub(&context->objects, 1);
}

/* ---- intake of a part ---- */

static int32_t doubles_of(int32_t kind) { return kind == DEM_HISTORY_SCALAR ? 1 : 3; }

static dem_status check_history(dem_context *context, const dem_law_part *p) {
  if (p->history_items < 0 || p->history_items > 4)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law part '%s': history_items %d, allowed 0 to 4", p->name,
                               p->history_items);
  for (int32_t k = 0; k < p->history_items; k++)
    if (p->history[k] < DEM_HISTORY_SCALAR || p->history[k] > DEM_HISTORY_ROLLING)
      return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law part '%s': history[%d] is %d, allowed 1 to 3", p->name, k,
                                 p->history[k]);
  if (p->kind == DEM_PART_GAP && (p->history_items > 0 || !p->range))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "law part '%s': a gap part needs range, which is %s, and no history, of which it has %d items",
                               p->name, p->range ? "set" : "NULL", p->history_items);
  if (p->kind == DEM_PART_TANGENTIAL && p->range)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law part '%s': range is set, which tangential parts do not have",
                               p->name);
  return DEM_OK;
}

static dem_status check_part(dem_context *context, const dem_law_part *p, uint32_t user_bytes) {
  const char *name = p->name ? p->name : "(no name)";
  if (!p->name) return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law part: name is NULL");
  if (p->contract != DEM_LAW_PART_CONTRACT)
    return demi_refuse_context(context, DEM_UNSUPPORTED, "law part '%s': contract %u, this library has %u", name, p->contract,
                               DEM_LAW_PART_CONTRACT);
  if (p->kind < DEM_PART_NORMAL || p->kind > DEM_PART_TWISTING)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law part '%s': kind %d, allowed %d to %d", name, p->kind,
                               DEM_PART_NORMAL, DEM_PART_TWISTING);
  const uint32_t known = DEM_PART_ENERGY | DEM_PART_TANGENT | DEM_PART_NEEDS_YOUNG | DEM_PART_NOT_POTENTIAL |
                         DEM_PART_UNDAMPED | DEM_PART_COUPLED | DEM_PART_ADHESIVE | DEM_PART_CONTACT_RADIUS;
  if (p->capabilities & ~known)
    return demi_refuse_context(context, DEM_UNSUPPORTED, "law part '%s': capabilities 0x%x, this library knows 0x%x", name,
                               p->capabilities, known);
  if (!p->evaluate) return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law part '%s': evaluate is NULL", name);
  if (p->parameter_bytes < 0 || p->parameter_bytes > DEMI_PARAMETER_BYTES)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law part '%s': parameter_bytes %d, allowed 0 to %d", name,
                               p->parameter_bytes, DEMI_PARAMETER_BYTES);
  if (user_bytes > DEMI_PARAMETER_BYTES || (!p->bind && user_bytes < (uint32_t)p->parameter_bytes))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law part '%s': user block of %u bytes, needed %d, at most %d", name,
                               user_bytes, p->bind ? 0 : p->parameter_bytes, DEMI_PARAMETER_BYTES);
  return check_history(context, p);
}

static dem_status take_part(dem_context *context, const dem_law_part *theirs, const void *user, uint32_t user_bytes,
                            demi_law_part *mine) {
  memset(mine, 0, sizeof *mine);
  dem_status status = demi_intake(&mine->table, sizeof mine->table, theirs, LAW_PART_V1);
  if (status)
    return demi_refuse_context(context, status, "law part: %s",
                               demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, theirs, sizeof mine->table, LAW_PART_V1));
  status = check_part(context, &mine->table, user_bytes);
  if (status) return status;
  if (user_bytes > 0 && !user)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law part '%s': user block is NULL, %u bytes announced",
                               mine->table.name, user_bytes);
  strncpy(mine->name, mine->table.name, DEMI_NAME_BYTES - 1);
  mine->table.name = mine->name;
  for (int32_t k = 0; k < mine->table.history_items; k++) mine->history += doubles_of(mine->table.history[k]);
  mine->user_bytes = user_bytes;
  if (user_bytes) memcpy(mine->user, user, user_bytes);
  return DEM_OK;
}

dem_status demi_law_piece_defaults(dem_law_piece *piece, uint32_t struct_size) {
  const dem_law_piece empty = {.struct_size = (uint32_t)sizeof empty};
  return demi_init(piece, struct_size, &empty, sizeof empty, LAW_PIECE_V1);
}

/* The piece of place k. The caller's pieces are as long as the first says. */
static dem_status take_piece(dem_context *context, const dem_law_piece *pieces, int32_t k, dem_law_piece *mine) {
  const uint32_t size = pieces->struct_size;
  const void *theirs = (const unsigned char *)pieces + (size_t)k * size;
  const dem_status status = demi_intake(mine, sizeof *mine, theirs, LAW_PIECE_V1);
  if (status)
    return demi_refuse_context(context, status, "law: piece %d: %s", k,
                               demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, theirs, sizeof *mine, LAW_PIECE_V1));
  uint32_t own;
  memcpy(&own, theirs, sizeof own);
  if (own != size)
    return demi_refuse_context(context, DEM_BAD_STRUCT, "law: piece %d: struct_size is %u, that of piece 0 is %u", k, own,
                               size);
  if (!mine->part) return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: piece %d has no part", k);
  return DEM_OK;
}

/* Each piece into the place of its kind. */
static dem_status take_pieces(dem_context *context, int32_t count, const dem_law_piece *pieces,
                              demi_law_part taken[DEMI_PARTS]) {
  for (int32_t k = 0; k < count; k++) {
    demi_law_part part;
    dem_law_piece piece;
    dem_status status = take_piece(context, pieces, k, &piece);
    if (!status) status = take_part(context, piece.part, piece.user, piece.user_bytes, &part);
    if (status) return status;
    demi_law_part *place = &taken[part.table.kind - DEM_PART_NORMAL];
    if (place->table.evaluate)
      return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: parts '%s' and '%s' are both of kind %d", place->name,
                                 part.name, part.table.kind);
    *place = part;
  }
  if (!taken[DEMI_NORMAL].table.evaluate)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: none of its %d parts is normal, one is required", count);
  if (taken[DEMI_NORMAL].table.range && taken[DEMI_GAP].table.evaluate)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "law: normal part '%s' has a range, in which contacts hold, and gap part '%s' acts there too: "
                               "at most one of both",
                               taken[DEMI_NORMAL].name, taken[DEMI_GAP].name);
  return DEM_OK;
}

dem_status demi_law_create_from_parts(dem_context *context, int32_t count, const dem_law_piece *pieces, dem_law **law) {
  demi_law_part taken[DEMI_PARTS];
  memset(taken, 0, sizeof taken);
  dem_status status = take_pieces(context, count, pieces, taken);
  if (status) return status;
  int32_t history = 0;
  for (int32_t k = 0; k < DEMI_PARTS; k++) history += taken[k].history;
  if (history > DEM_HISTORY_CAPACITY)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law '%s': %d history doubles, at most %d", taken[0].name, history,
                               DEM_HISTORY_CAPACITY);
  dem_law *mine = demi_allocate_zero(context, sizeof *mine);
  if (!mine) return demi_refuse_context(context, DEM_NO_MEMORY, "law: out of memory (%zu bytes)", sizeof *mine);
  mine->context = context;
  atomic_init(&mine->references, 1);
  for (int32_t k = 0; k < DEMI_PARTS; k++) {
    mine->part[k] = taken[k];
    mine->part[k].table.name = mine->part[k].name;
  }
  atomic_fetch_add(&context->objects, 1);
  *law = mine;
  return DEM_OK;
}

/* ---- built-in parts by options ---- */

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
  dem_status status = check_choice(context, "normal", o->normal, DEM_NORMAL_NONE, DEM_NORMAL_JKR);
  if (!status)
    status = check_choice(context, "tangential", o->tangential, DEM_TANGENTIAL_NONE, DEM_TANGENTIAL_MINDLIN_RESCALED);
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
  if (o->normal == DEM_NORMAL_HOOKE && !(o->normal_stiffness > 0))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: normal_stiffness is %g, Hooke needs > 0", o->normal_stiffness);
  return DEM_OK;
}

/* Each adhesion has its own parameter, and no other law one. */
static dem_status check_adhesion(dem_context *context, const dem_law_options *o) {
  dem_status status = check_not_negative(context, "surface_energy", o->surface_energy);
  if (!status) status = check_not_negative(context, "cohesion_energy_density", o->cohesion_energy_density);
  if (status) return status;
  const int from_surface = o->normal == DEM_NORMAL_DMT || o->normal == DEM_NORMAL_JKR;
  if (from_surface && !(o->surface_energy > 0))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: surface_energy is %g, %s needs > 0", o->surface_energy,
                               o->normal == DEM_NORMAL_DMT ? "DMT" : "JKR");
  if (!from_surface && o->surface_energy > 0)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "law: surface_energy is %g, but normal is %d: only DMT (%d) and JKR (%d) have one",
                               o->surface_energy, o->normal, DEM_NORMAL_DMT, DEM_NORMAL_JKR);
  if (o->cohesion_energy_density > 0 && o->normal != DEM_NORMAL_HOOKE && o->normal != DEM_NORMAL_HERTZ)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "law: cohesion_energy_density is %g, but normal is %d: it goes with Hooke (%d) and Hertz (%d)",
                               o->cohesion_energy_density, o->normal, DEM_NORMAL_HOOKE, DEM_NORMAL_HERTZ);
  if (o->normal == DEM_NORMAL_JKR && isgreater(o->viscosity, 0))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "law: viscosity is %g, but a JKR contact (normal %d) holds across the gap where the fluid would "
                               "act: leave it 0",
                               o->viscosity, o->normal);
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
  if (o->twisting == DEM_TWISTING_MARSHALL && o->tangential < DEM_TANGENTIAL_LINEAR)
    return demi_refuse_context(
        context, DEM_BAD_ARGUMENT,
        "law: twisting is %d (Marshall), which follows from a tangential spring (%d to %d); tangential is %d", o->twisting,
        DEM_TANGENTIAL_LINEAR, DEM_TANGENTIAL_MINDLIN_RESCALED, o->tangential);
  return DEM_OK;
}

/* Combinations that mean nothing are refused rather than guessed. */
static dem_status check_combination(dem_context *context, const dem_law_options *o) {
  if (o->normal == DEM_NORMAL_NONE && o->tangential != DEM_TANGENTIAL_NONE)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "law: tangential is %d without a normal part; friction needs a normal force", o->tangential);
  if (o->tangential >= DEM_TANGENTIAL_MINDLIN && !demi_is_hertzian(o->normal))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "law: tangential is Mindlin (%d), which goes with normal Hertz (%d), DMT (%d) and JKR (%d) only",
                               o->tangential, DEM_NORMAL_HERTZ, DEM_NORMAL_DMT, DEM_NORMAL_JKR);
  if (o->tangential == DEM_TANGENTIAL_MINDLIN_CONSERVING && o->normal == DEM_NORMAL_JKR)
    return demi_refuse_context(
        context, DEM_BAD_ARGUMENT,
        "law: tangential is the conserving Mindlin (%d), which does not go with JKR (%d): its force along "
        "the normal has no bound where a JKR contact tears; Mindlin (%d) does",
        o->tangential, o->normal, DEM_TANGENTIAL_MINDLIN);
  if (o->tangential == DEM_TANGENTIAL_VISCOUS && o->tangential_damping == DEM_DAMPING_NONE)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "law: tangential is viscous, but tangential_damping is none (0)");
  if (o->tangential_damping == DEM_DAMPING_OF_NORMAL && o->damping == DEM_DAMPING_NONE)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT,
                               "law: tangential_damping is %d, a share of the normal dashpot, but damping is none (0)",
                               o->tangential_damping);
  return DEM_OK;
}

/* A stiffness of its own belongs to the linear spring, a modulus of its own to a contact radius. */
static dem_status check_shear(dem_context *context, const dem_law_options *o) {
  const int hertzian = demi_is_hertzian(o->normal);
  if (hertzian && o->tangential != DEM_TANGENTIAL_LINEAR && o->tangential_stiffness > 0)
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
  const int slides = (rubs && o->tangential != DEM_TANGENTIAL_VISCOUS && o->tangential != DEM_TANGENTIAL_MINDLIN_CONSERVING) ||
                     rolling_spring || twisting_spring;
  /* the dashpot of VISCOUS that follows the restitution goes with the root of k_t */
  const int shear_stiffness = o->tangential >= DEM_TANGENTIAL_LINEAR || (rubs && gives_restitution(o->tangential_damping));
  const int shear_constant = shear_stiffness && o->tangential <= DEM_TANGENTIAL_LINEAR;
  const unread list[] = {
      {"damping", o->damping, DEM_DAMPING_NONE, o->normal != DEM_NORMAL_NONE, "normal is NONE (0), which has no damping"},
      {"tangential_damping", o->tangential_damping, DEM_DAMPING_NONE, rubs, "tangential is NONE (0), which has no damping"},
      {"normal_stiffness", o->normal_stiffness, 0, o->normal == DEM_NORMAL_HOOKE,
       "only normal Hooke (1) reads it; with the others stiffness comes from Young's modulus of the materials"},
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
  const demi_tangential_choice tangential = {o->tangential_stiffness,
                                             o->normal_stiffness,
                                             o->shear_damping,
                                             o->restitution,
                                             o->friction,
                                             o->tangential_damping,
                                             o->damping,
                                             o->attraction,
                                             o->normal,
                                             o->normal_damping,
                                             o->tangential_modulus,
                                             o->tangential == DEM_TANGENTIAL_MINDLIN_FORCE,
                                             o->slider};
  const demi_lubrication_choice fluid = {o->viscosity, o->lubrication_scale, o->lubrication_inner, o->lubrication_outer};
  const dem_law_part gap = demi_builtin_lubrication(context);
  dem_law_part n = demi_builtin_normal(context, o->normal), t = demi_builtin_tangential(context, o->tangential);
  if (o->cohesion_energy_density > 0) n.capabilities |= DEM_PART_ADHESIVE;
  if (o->tangential_damping == DEM_DAMPING_NONE && o->tangential >= DEM_TANGENTIAL_LINEAR) t.capabilities |= DEM_PART_UNDAMPED;
  /* a constant spring has a potential, one that stiffens with the overlap has not */
  const int follows = demi_is_hertzian(o->normal) && !(o->tangential_stiffness > 0);
  if (o->tangential == DEM_TANGENTIAL_LINEAR && follows) t.capabilities |= DEM_PART_NOT_POTENTIAL;
  /* ... and remembers the radius where it cannot be told from the overlap before */
  if (o->tangential == DEM_TANGENTIAL_LINEAR && follows && o->normal == DEM_NORMAL_JKR) {
    t.history_items = 2;
    t.history[1] = DEM_HISTORY_SCALAR;
  }
  const demi_rolling_choice rolling = {o->rolling_stiffness, o->rolling_damping, o->rolling_friction, o->normal, o->slider};
  const demi_rolling_choice twisting = {o->twisting_stiffness, o->twisting_damping, o->twisting_friction, o->normal, o->slider};
  const dem_law_part r = demi_builtin_rolling(context, o->rolling);
  dem_law_part w = demi_builtin_twisting(context, o->twisting);
  if (o->twisting == DEM_TWISTING_MARSHALL && o->normal == DEM_NORMAL_JKR) w.history[w.history_items++] = DEM_HISTORY_SCALAR;
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

/* ---- binding ---- */

static void list_kinds(demi_bound *bound, const dem_law *law) {
  int32_t h = 0;
  for (int32_t k = 0; k < DEMI_PARTS; k++) {
    const dem_law_part *t = &law->part[k].table;
    bound->history[k] = law->part[k].history;
    for (int32_t item = 0; item < t->history_items; item++)
      for (int32_t d = 0; d < doubles_of(t->history[item]); d++) bound->kind[h++] = (int8_t)t->history[item];
  }
  bound->history_total = h;
}

static dem_status bind_part(const demi_law_part *part, const dem_bind *materials, demi_message *message, dem_context *context,
                            unsigned char *parameters) {
  if ((part->table.capabilities & DEM_PART_NEEDS_YOUNG) && !(materials->effective_young > 0))
    return demi_refuse(message, context, DEM_INCOMPLETE, "law part '%s' needs materials with Young's modulus, it is 0",
                       part->name);
  if (!part->table.bind) {
    memcpy(parameters, part->user, (size_t)part->table.parameter_bytes);
    return DEM_OK;
  }
  const int32_t status = part->table.bind(part->user, materials, parameters);
  if (status == DEM_OK) return DEM_OK;
  return demi_refuse(message, context, status > 0 ? status : DEM_BAD_ARGUMENT, "law part '%s' refused the materials: status %d",
                     part->name, status);
}

static uint32_t offers_of(const dem_law *law, int32_t part, int32_t lanes_of) {
  const uint32_t can = law->part[part].table.evaluate ? law->part[part].table.capabilities : 0;
  return (can & DEM_PART_ENERGY ? DEMI_LANES_ENERGY_OF(lanes_of) : 0) |
         (can & DEM_PART_TANGENT ? DEMI_LANES_TANGENT_OF(lanes_of) : 0);
}

/* Of the parts that act in a contact, and of the gap part, which writes the lanes of the normal one. */
static void list_offers(demi_bound *bound, const dem_law *law) {
  bound->offers = DEMI_LANES_BOOKS | DEMI_LANES_SLOPES;
  bound->gap_offers = DEMI_LANES_SLOPES | offers_of(law, DEMI_GAP, DEMI_NORMAL);
  for (int32_t k = 0; k < DEMI_PARTS; k++) bound->offers |= k != DEMI_GAP ? offers_of(law, k, k) : 0;
  if (law->part[DEMI_NORMAL].table.capabilities & DEM_PART_CONTACT_RADIUS) bound->offers |= DEMI_LANES_RADIUS;
  if (bound->coupled) bound->offers |= DEMI_LANES_COUPLED;
  if (bound->rolls) bound->offers |= DEMI_LANES_TURN;
}

dem_status demi_law_bind(const dem_law *law, const dem_bind *materials, demi_message *message, demi_bound *bound) {
  memset(bound, 0, sizeof *bound);
  bound->law = law;
  for (int32_t k = 0; k < DEMI_PARTS; k++) {
    if (!law->part[k].table.evaluate) continue;
    dem_status status = bind_part(&law->part[k], materials, message, law->context, bound->parameters[k]);
    if (status) return status;
    bound->evaluate[k] = law->part[k].table.evaluate;
    bound->stores_energy[k] = (law->part[k].table.capabilities & DEM_PART_ENERGY) != 0;
  }
  list_kinds(bound, law);
  const uint32_t tangential = law->part[DEMI_TANGENTIAL].table.capabilities;
  bound->damped = bound->evaluate[DEMI_TANGENTIAL] && !(tangential & DEM_PART_UNDAMPED);
  bound->coupled = (tangential & DEM_PART_COUPLED) != 0;
  bound->adhesive = (law->part[DEMI_NORMAL].table.capabilities & DEM_PART_ADHESIVE) != 0;
  bound->holds = law->part[DEMI_NORMAL].table.range != NULL;
  bound->rolls = bound->evaluate[DEMI_ROLLING] || bound->evaluate[DEMI_TWISTING];
  list_offers(bound, law);
  bound->inert = !bound->evaluate[DEMI_TANGENTIAL] && !bound->evaluate[DEMI_GAP] && !bound->rolls &&
                 bound->evaluate[0] == demi_builtin_normal(law->context, DEM_NORMAL_NONE).evaluate;
  return DEM_OK;
}

double demi_bound_range(const demi_bound *bound, double effective_radius) {
  if (bound->holds) return demi_bound_hold(bound, effective_radius);
  if (!bound->evaluate[DEMI_GAP]) return 0;
  return bound->law->part[DEMI_GAP].table.range(bound->parameters[DEMI_GAP], effective_radius);
}

double demi_bound_hold(const demi_bound *bound, double effective_radius) {
  return bound->law->part[DEMI_NORMAL].table.range(bound->parameters[DEMI_NORMAL], effective_radius);
}
