/* Histories that wait while rows are sorted and lists are built. */
#include "carry.h"

#include <string.h>

#include "contacts.h"
#include "context.h"

void demi_carry_free(demi_carry *carry, dem_context *context) {
  demi_free(context, carry->entry, (size_t)carry->capacity * sizeof *carry->entry);
  demi_free(context, carry->values, (size_t)carry->value_capacity * sizeof *carry->values);
  memset(carry, 0, sizeof *carry);
}

int64_t demi_carry_bytes(const demi_carry *carry) {
  return carry->capacity * (int64_t)sizeof *carry->entry + carry->value_capacity * (int64_t)sizeof *carry->values;
}

dem_status demi_carry_open(demi_carry *carry, dem_context *context, int64_t count, int32_t width) {
  carry->count = 0;
  carry->width = width;
  if (count <= carry->capacity && count * width <= carry->value_capacity) return DEM_OK;
  demi_carry_free(carry, context);
  carry->width = width;
  carry->capacity = count + count / 4 + 16;
  carry->value_capacity = carry->capacity * width;
  carry->entry = demi_allocate(context, (size_t)carry->capacity * sizeof *carry->entry);
  carry->values = demi_allocate(context, (size_t)carry->value_capacity * sizeof *carry->values);
  if (carry->entry && carry->values) return DEM_OK;
  demi_carry_free(carry, context);
  return DEM_NO_MEMORY;
}

/* ---- from the table into the carry ---- */

static int is_live(const demi_contacts *c, int64_t pair) { return c->history[pair * c->stride] == c->stamp; }

static int64_t live_pairs(const demi_contacts *c, const demi_list *list) {
  int64_t live = 0;
  for (int64_t s = 0; s < list->pairs + list->face_pairs; s++) live += is_live(c, s);
  return live;
}

static void carry_pair(const demi_contacts *c, demi_carry *carry, int64_t pair, dem_id i, dem_id j, int64_t face) {
  const int64_t e = carry->count++;
  carry->entry[e] = (demi_carried){i, j, face};
  memcpy(carry->values + e * carry->width, c->history + pair * c->stride + 1, (size_t)carry->width * sizeof *carry->values);
}

/* Of a valid table with histories. */
static dem_status fill_carry(const demi_contacts *c, const demi_list *list, const demi_store *store, demi_carry *carry) {
  const dem_status status = demi_carry_open(carry, c->context, live_pairs(c, list), c->stride - 1);
  if (status) return status;
  const dem_id *id = store->columns.id;
  const int32_t rows = list->chunks.row[list->chunks.count];
  for (int32_t i = 0; i < rows; i++)
    for (int32_t s = list->row_start[i]; s < list->row_start[i + 1]; s++)
      if (is_live(c, s)) carry_pair(c, carry, s, id[i], id[list->code[s] & DEMI_ROW_MASK], -1);
  for (int64_t s = 0; s < list->face_pairs; s++)
    if (is_live(c, list->pairs + s))
      carry_pair(c, carry, list->pairs + s, id[list->face_row[s]], 0, list->faces->face[list->face_index[s]].id);
  return DEM_OK;
}

dem_status demi_contacts_carry(demi_contacts *c, const demi_list *list, const demi_store *store) {
  if (!c->valid) return DEM_OK;
  const dem_status status = c->stride ? fill_carry(c, list, store, &c->carry) : DEM_OK;
  if (!status) c->valid = 0;
  return status;
}

dem_status demi_carry_copy(const demi_carry *from, demi_carry *to, dem_context *context) {
  const dem_status status = demi_carry_open(to, context, from->count, from->width);
  if (status || from->count == 0) return status;
  memcpy(to->entry, from->entry, (size_t)from->count * sizeof *to->entry);
  memcpy(to->values, from->values, (size_t)(from->count * from->width) * sizeof *to->values);
  to->count = from->count;
  return DEM_OK;
}

dem_status demi_contacts_copy_histories(const demi_contacts *c, const demi_list *list, const demi_store *store,
                                        demi_carry *to) {
  to->count = 0;
  if (!c->valid) return demi_carry_copy(&c->carry, to, c->context);
  return c->stride ? fill_carry(c, list, store, to) : DEM_OK;
}

/* ---- back into the table ---- */

/* The two sides of an entry, where they are now. */
typedef struct sides {
  int32_t i, j; /* rows; partner.h */
  const demi_bound *bound;
} sides;

static int32_t face_index(const demi_faces *faces, int64_t face_id) {
  for (int32_t w = 0; w < faces->count; w++)
    if (faces->face[w].id == face_id) return w;
  return -1;
}

/* Returns 0 when one of them is gone. */
static int find_sides(const demi_carried *e, const demi_store *store, const demi_faces *faces, const demi_laws *laws,
                      sides *found) {
  const int32_t *material = store->columns.material;
  const int32_t i = (int32_t)demi_idpool_row(&store->ids, e->i);
  const int32_t other = e->j ? (int32_t)demi_idpool_row(&store->ids, e->j) : face_index(faces, e->face);
  if (i < 0 || other < 0) return 0;
  *found = e->j ? (sides){i, other, demi_laws_of(laws, material[i], material[other])}
                : (sides){i, demi_partner_of_face(other), demi_laws_of(laws, material[i], faces->face[other].material)};
  return 1;
}

static int64_t find_row_pair(const demi_list *list, int32_t i, int32_t j) {
  for (int32_t s = list->row_start[i]; s < list->row_start[i + 1]; s++)
    if ((int32_t)(list->code[s] & DEMI_ROW_MASK) == j) return s;
  return -1;
}

static int32_t block_of_row(const demi_motion *m, int32_t row) {
  int32_t low = 0, high = m->blocks;
  while (high - low > 1) {
    const int32_t middle = (low + high) / 2;
    if (demi_block_first(m, middle) <= row)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static int64_t find_wall_pair(const demi_list *list, int32_t i, int32_t face) {
  const int32_t b = block_of_row(&list->motion, i);
  for (int32_t s = list->face_start[b]; s < list->face_start[b + 1]; s++)
    if (list->face_row[s] == i && list->face_index[s] == face) return list->pairs + s;
  return -1;
}

static int64_t find_pair(const demi_list *list, const sides *s) {
  if (s->j < 0) return find_wall_pair(list, s->i, demi_face_of_partner(s->j));
  return s->i < s->j ? find_row_pair(list, s->i, s->j) : find_row_pair(list, s->j, s->i);
}

int64_t demi_carried_pair(const demi_carried *e, const demi_list *list, const demi_store *store, int *turned) {
  const int32_t i = (int32_t)demi_idpool_row(&store->ids, e->i);
  const int32_t other = e->j ? (int32_t)demi_idpool_row(&store->ids, e->j) : face_index(list->faces, e->face);
  *turned = e->j && i > other;
  if (i < 0 || other < 0) return -1;
  return find_pair(list, &(sides){i, e->j ? other : demi_partner_of_face(other), NULL});
}

const double *demi_contacts_history(const demi_contacts *c, const demi_list *list, int32_t i, int32_t j) {
  if (!c->stride) return NULL;
  const int64_t pair = find_pair(list, &(sides){i, j, NULL});
  return pair >= 0 && is_live(c, pair) ? c->history + pair * c->stride + 1 : NULL;
}

/* The table holds a history in the orientation from the lower row to the higher: where i and j have changed places, vectors such as
 * tangential springs turn sign, rolling vectors and scalars stay. */
static void put_back(demi_contacts *c, const sides *s, int64_t pair, const double *values) {
  double *row = c->history + pair * c->stride;
  const int turned = s->j >= 0 && s->i > s->j;
  row[0] = c->stamp;
  for (int32_t h = 0; h < s->bound->history_total; h++)
    row[1 + h] = turned && s->bound->kind[h] == DEM_HISTORY_TANGENT ? -values[h] : values[h];
}

/* Of a contact across a gap that is no longer listed: its stored energies. */
static void tear(demi_contacts *c, const sides *s, const demi_list *list, const demi_store *store, const double *values,
                 demi_torn_fn *torn, void *user) {
  const double *p = store->columns.position + 4 * (int64_t)s->i;
  double radius = p[3], inverse = demi_store_inverse_mass(store, s->i), normal[3];
  if (s->j >= 0) {
    const double other = store->columns.position[4 * (int64_t)s->j + 3];
    radius = radius * other / (radius + other);
    inverse += demi_store_inverse_mass(store, s->j);
  } else {
    const int32_t face = demi_face_of_partner(s->j);
    demi_face_distance(&list->faces->face[face], p, normal);
    inverse += demi_face_inverse_mass(list->faces, face, normal);
  }
  if (!(inverse > 0)) return;
  const demi_stored held =
      demi_contacts_stored(&c->workspace[0], s->bound, -demi_bound_hold(s->bound, radius), radius, 1.0 / inverse, values);
  torn(user, s->i, s->j, &held);
}

void demi_contacts_restore(demi_contacts *c, const demi_list *list, const demi_store *store, const demi_laws *laws,
                           demi_torn_fn *torn, void *user) {
  demi_carry *carry = &c->carry;
  for (int64_t e = 0; e < carry->count && c->stride; e++) {
    const double *values = carry->values + e * carry->width;
    sides s;
    if (!find_sides(&carry->entry[e], store, list->faces, laws, &s) || !s.bound) continue;
    const int64_t pair = find_pair(list, &s);
    if (pair >= 0)
      put_back(c, &s, pair, values);
    else if (torn && s.bound->holds)
      tear(c, &s, list, store, values, torn, user);
  }
  carry->count = 0;
}

/* ---- forgetting ---- */

static void keep_if(demi_carry *carry, int64_t *kept, int64_t from, int keep) {
  if (!keep) return;
  const int64_t to = (*kept)++;
  if (to == from) return;
  carry->entry[to] = carry->entry[from];
  memcpy(carry->values + to * carry->width, carry->values + from * carry->width, (size_t)carry->width * sizeof *carry->values);
}

void demi_carry_drop_face(demi_carry *carry, int32_t face_id) {
  int64_t kept = 0;
  for (int64_t e = 0; e < carry->count; e++) keep_if(carry, &kept, e, carry->entry[e].face != face_id);
  carry->count = kept;
}

static int is_marked(const demi_store *store, dem_id id, const uint8_t *marked) {
  const int64_t row = id ? demi_idpool_row(&store->ids, id) : -1;
  return row >= 0 && marked[row];
}

void demi_carry_drop_marked(demi_carry *carry, const demi_store *store, const uint8_t *marked) {
  int64_t kept = 0;
  for (int64_t e = 0; e < carry->count; e++)
    keep_if(carry, &kept, e, !is_marked(store, carry->entry[e].i, marked) && !is_marked(store, carry->entry[e].j, marked));
  carry->count = kept;
}

/* -1: it is gone. */
static int32_t material_of(const demi_store *store, dem_id id) {
  const int64_t row = demi_idpool_row(&store->ids, id);
  return row < 0 ? -1 : store->columns.material[row];
}

static int32_t face_material(const demi_faces *faces, int64_t face_id) {
  const int32_t w = face_index(faces, face_id);
  return w < 0 ? -1 : faces->face[w].material;
}

void demi_carry_drop_materials(demi_carry *carry, const demi_store *store, const demi_faces *faces, int32_t a, int32_t b) {
  int64_t kept = 0;
  for (int64_t e = 0; e < carry->count; e++) {
    const demi_carried *k = &carry->entry[e];
    const int32_t p = material_of(store, k->i), q = k->j ? material_of(store, k->j) : face_material(faces, k->face);
    keep_if(carry, &kept, e, !((p == a && q == b) || (p == b && q == a)));
  }
  carry->count = kept;
}
