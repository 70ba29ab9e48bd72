/* The copy of the state that a trial works on; see replica.h. */
#include "replica.h"

#include <math.h>
#include <string.h>

#include "places.h"
#include "sum.h"

/* ---- copying ---- */

static dem_status copy_ids(demi_idpool *to, const demi_idpool *from) {
  const dem_status status = demi_idpool_reserve(to, from->slots);
  if (status || from->slots == 0) return status;
  memcpy(to->row, from->row, (size_t)from->slots * sizeof *to->row);
  memcpy(to->generation, from->generation, (size_t)from->slots * sizeof *to->generation);
  to->slots = from->slots;
  return DEM_OK;
}

/* Not the listing, nor columns that forces do not depend on. */
static dem_status copy_store(demi_store *to, const demi_store *from) {
  dem_status status = demi_store_reserve(to, from->count);
  if (!status) status = copy_ids(&to->ids, &from->ids);
  if (status || from->count == 0) return status;
#define COPY(type, name, width) memcpy(to->columns.name, from->columns.name, (size_t)from->count *(width) * sizeof(type));
  DEMI_COLUMNS(COPY)
#undef COPY
  to->count = from->count;
  to->host_used = from->host_used;
  return DEM_OK;
}

static dem_status copy_bonds(demi_bonds *to, const demi_bonds *from) {
  dem_status status = demi_bonds_reserve(to, from->count);
  if (!status) status = copy_ids(&to->ids, &from->ids);
  if (status) return status;
  for (int32_t k = 0; k < from->type_count; k++) {
    if ((status = demi_bonds_reserve_type(to)) != DEM_OK) return status;
    to->type[to->type_count++] = from->type[k];
  }
  if (from->count > 0) memcpy(to->bond, from->bond, (size_t)from->count * sizeof *to->bond);
  to->count = from->count;
  to->dead = from->dead;
  return DEM_OK;
}

static dem_status copy_faces(demi_replica *r, const demi_faces *from) {
  const size_t n = (size_t)from->count;
  const dem_status status = demi_faces_reserve(&r->faces, r->context, from->count);
  if (status || n == 0) return status;
  memcpy(r->faces.face, from->face, n * sizeof *from->face);
  memcpy(r->faces.velocity, from->velocity, n * sizeof *from->velocity);
  memcpy(r->faces.centre, from->centre, n * sizeof *from->centre);
  memcpy(r->faces.mobility, from->mobility, n * sizeof *from->mobility);
  r->faces.count = from->count;
  r->faces.moving = r->faces.placed = 1;
  return DEM_OK;
}

static void free_since(demi_replica *r) {
  for (int k = 0; k < 2; k++) demi_free(r->context, r->since[k], (size_t)r->since_capacity * 4 * sizeof(double));
  r->since[0] = r->since[1] = NULL;
  r->since_capacity = 0;
}

static dem_status reserve_since(demi_replica *r) {
  const int64_t n = r->store.count + r->store.count / 4 + 1;
  if (r->store.count < r->since_capacity && r->since[0] && r->since[1]) return DEM_OK;
  free_since(r);
  for (int k = 0; k < 2; k++) r->since[k] = demi_allocate_zero(r->context, (size_t)n * 4 * sizeof(double));
  r->since_capacity = n;
  return r->since[0] && r->since[1] ? DEM_OK : DEM_NO_MEMORY;
}

static dem_status copy_state(demi_replica *r, const dem_system *s) {
  dem_status status = copy_store(&r->store, &s->store);
  if (!status) status = copy_bonds(&r->bonds, &s->bonds);
  if (!status) status = copy_faces(r, &s->faces);
  if (!status) status = demi_contacts_copy_histories(&s->contacts, &s->list, &s->store, &r->histories);
  return status ? status : reserve_since(r);
}

static void init(demi_replica *r, dem_context *context) {
  memset(r, 0, sizeof *r);
  r->context = context;
  demi_store_init(&r->store, context);
  demi_bonds_init(&r->bonds, context);
  demi_list_init(&r->list, context);
  demi_contacts_init(&r->contacts, context);
}

/* Nothing is in it, and its memory stays. */
static void clear(demi_replica *r) {
  r->store.count = r->store.ids.slots = r->store.ids.free_count = 0;
  r->bonds.count = r->bonds.dead = r->bonds.broken_count = r->bonds.ids.slots = r->bonds.ids.free_count = 0;
  r->bonds.type_count = r->bonds.sorted = r->bonds.changing = 0;
  r->contacts.valid = r->list.valid = r->faces.count = 0;
  r->contacts.carry.count = r->histories.count = 0;
}

dem_status demi_replica_open(demi_replica *r, const dem_system *s, double reach) {
  if (!r->context) init(r, s->context);
  clear(r);
  r->box = s->box;
  r->laws = &s->laws;
  r->search = demi_system_search(s);
  r->search.box = &r->box;
  r->search.faces = &r->faces;
  r->search.rate = NULL; /* in a trial the box is at rest */
  r->search.lasting = 1;
  if (reach > 0) r->search.skin = reach;
  return copy_state(r, s);
}

void demi_replica_close(demi_replica *r) {
  if (!r->context) return;
  free_since(r);
  demi_faces_free(&r->faces, r->context);
  demi_contacts_free(&r->contacts);
  demi_carry_free(&r->histories, r->context);
  demi_bonds_free(&r->bonds);
  demi_list_free(&r->list);
  demi_store_free(&r->store);
}

/* ---- search ---- */

static void keep_positions(demi_replica *r, int32_t moment) {
  memcpy(r->since[moment], r->store.columns.position, (size_t)r->store.count * 4 * sizeof(double));
}

/* The first row that is too far away for a list, or -1. */
static int64_t find_lost(const demi_replica *r) {
  char text[DEMI_PLACE_TEXT];
  const demi_columns *c = &r->store.columns;
  for (int64_t k = 0; k < r->store.count; k++)
    if (demi_place_flaw(&r->box, r->search.furthest, c->position + 4 * k, c->image + 3 * k, text)) return k;
  return -1;
}

static dem_status search(demi_replica *r, int64_t *row) {
  *row = find_lost(r);
  if (*row >= 0) return DEM_BAD_ARGUMENT;
  dem_status status = demi_carry_copy(&r->histories, &r->contacts.carry, r->context);
  if (status) return status;
  r->contacts.valid = 0;
  r->list.since[0] = r->list.since[1] = NULL;
  status = demi_contacts_relist(&r->contacts, &r->list, &r->store, &r->bonds, r->laws, &r->search, 0, NULL, NULL);
  if (status) return status;
  keep_positions(r, DEMI_SINCE_BUILD);
  for (int k = 0; k < 2; k++) r->list.since[k] = r->since[k];
  return DEM_OK;
}

void demi_replica_pick(demi_replica *r) {
  demi_list_prune(&r->list, &r->store);
  if (r->picks != r->list.prunes) keep_positions(r, DEMI_SINCE_PRUNE);
  r->picks = r->list.prunes;
}

dem_status demi_replica_cover(demi_replica *r, int32_t *sorted, int64_t *row) {
  *sorted = 0;
  *row = -1;
  if (r->store.count == 0) return DEM_OK;
  if (!r->list.valid || demi_list_holds(&r->list, &r->store) != 1) {
    const dem_status status = search(r, row);
    if (status) return status;
    *sorted = 1;
  }
  demi_replica_pick(r);
  return DEM_OK;
}

/* ---- sums ---- */

void demi_replica_sum(demi_replica *r, const demi_loads *loads) {
  const demi_list *l = &r->list;
  const int several = l->chunks.count > 1;
  double *rows = r->store.columns.load;
  memset(rows, 0, (size_t)r->store.count * 8 * sizeof *rows);
  const demi_load_sum sum = {.loads = loads,
                             .chunks = several ? &l->fine : &l->chunks,
                             .coarse = several && l->levels > 1 ? &l->coarse : NULL,
                             .coarse_row = l->coarse_row,
                             .rows = rows};
  demi_sum_loads(r->context, &sum);
}
