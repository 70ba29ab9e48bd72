/* Laws: intake of parts, binding. */
#include "law.h"

#include <string.h>

#include "context.h"
#include "intake.h"
#include "lanes.h"
#include "parts/builtin.h"

#define LAW_PART_V1 DEMI_SIZE_TO(dem_law_part, stable_dt)
#define LAW_PIECE_V1 DEMI_SIZE_TO(dem_law_piece, user)

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

dem_status demi_law_part_defaults(dem_law_part *part, uint32_t struct_size) {
  const dem_law_part empty = {.struct_size = (uint32_t)sizeof empty, .contract = DEM_LAW_PART_CONTRACT};
  return demi_init(part, struct_size, &empty, sizeof empty, LAW_PART_V1);
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

/* Of the built-in normal parts Hooke without attraction is one of the overlap alone, and none depends on m*. */
static void note_normal(demi_bound *bound, const dem_law *law) {
  const demi_normal_parameters *p = (const demi_normal_parameters *)bound->parameters[DEMI_NORMAL];
  const int hooke = bound->evaluate[DEMI_NORMAL] == demi_builtin_normal(law->context, DEM_NORMAL_HOOKE).evaluate;
  bound->mass_matters = !law->built_in;
  bound->radius_matters = !(hooke && law->built_in && p->cohesion == 0 && p->pull == 0);
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
  note_normal(bound, law);
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
