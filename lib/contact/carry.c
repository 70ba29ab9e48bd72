/* History that waits while rows are sorted and lists are built. */
#include <string.h>

#include "contacts.h"
#include "context.h"

void demi_carry_free(demi_contacts *c) {
  const size_t n = (size_t)c->carry.capacity;
  demi_free(c->context, c->carry.i, n * sizeof *c->carry.i);
  demi_free(c->context, c->carry.j, n * sizeof *c->carry.j);
  demi_free(c->context, c->carry.values, n * DEM_HISTORY_CAPACITY * sizeof *c->carry.values);
  memset(&c->carry, 0, sizeof c->carry);
}

static const demi_bound *bound_of(const demi_laws *laws, int32_t a, int32_t b) {
  const int32_t index = laws->of_pair[a * DEMI_MAX_MATERIALS + b];
  return index < 0 ? NULL : &laws->bound[index];
}

static int64_t find_pair(const demi_list *list, int32_t i, int32_t j) {
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

static int64_t find_wall_pair(const demi_list *list, int32_t i, int32_t face_id) {
  const int32_t b = block_of_row(&list->motion, i);
  for (int32_t s = list->face_start[b]; s < list->face_start[b + 1]; s++)
    if (list->face_row[s] == i && list->faces->face[list->face_index[s]].id == face_id) return list->pairs + s;
  return -1;
}

static int32_t face_index(const demi_faces *faces, int32_t face_id) {
  for (int32_t w = 0; w < faces->count; w++)
    if (faces->face[w].id == face_id) return w;
  return -1;
}

static int32_t face_material(const demi_faces *faces, int32_t face_id) {
  const int32_t w = face_index(faces, face_id);
  return w < 0 ? -1 : faces->face[w].material;
}

int demi_carry_restore(demi_contacts *c, const demi_list *list, const demi_store *store, const demi_laws *laws, int64_t entry) {
  int32_t i = c->carry.i[entry], j = c->carry.j[entry];
  const int32_t *material = store->columns.material;
  const int turned = j >= 0 && i > j;
  if (turned) {
    const int32_t k = i;
    i = j;
    j = k;
  }
  const int64_t pair = j >= 0 ? find_pair(list, i, j) : find_wall_pair(list, i, demi_face_of_partner(j));
  if (pair < 0) return 0;
  const demi_bound *bound =
      bound_of(laws, material[i], j >= 0 ? material[j] : face_material(list->faces, demi_face_of_partner(j)));
  if (!bound) return 1;
  double *row = c->history + pair * c->stride;
  row[0] = c->stamp;
  for (int32_t h = 0; h < bound->history_total; h++) {
    const double sign = turned && bound->kind[h] == DEM_HISTORY_TANGENT ? -1.0 : 1.0;
    row[1 + h] = sign * c->carry.values[entry * DEM_HISTORY_CAPACITY + h];
  }
  return 1;
}

void demi_carry_tear(demi_contacts *c, const demi_list *list, const demi_store *store, const demi_laws *laws, int64_t entry,
                     demi_torn_fn *torn, void *user) {
  const demi_columns *rows = &store->columns;
  const int32_t i = c->carry.i[entry], j = c->carry.j[entry],
                face = j < 0 ? face_index(list->faces, demi_face_of_partner(j)) : -1;
  if (j < 0 && face < 0) return;
  const demi_bound *bound = bound_of(laws, rows->material[i], j >= 0 ? rows->material[j] : list->faces->face[face].material);
  if (!bound || !bound->holds) return;
  const double *p = rows->position + 4 * (int64_t)i;
  double radius = p[3], inverse = demi_store_inverse_mass(store, i), normal[3];
  if (j >= 0) {
    const double other = rows->position[4 * (int64_t)j + 3];
    radius = radius * other / (radius + other);
    inverse += demi_store_inverse_mass(store, j);
  } else {
    demi_face_distance(&list->faces->face[face], p, normal);
    inverse += demi_face_inverse_mass(list->faces, face, normal);
  }
  if (!(inverse > 0)) return;
  const demi_stored held = demi_contacts_stored(&c->workspace[0], bound, -demi_bound_hold(bound, radius), radius, 1.0 / inverse,
                                                c->carry.values + entry * DEM_HISTORY_CAPACITY);
  torn(user, i, j >= 0 ? j : demi_partner_of_face(face), &held);
}

static dem_status reserve_carry(demi_contacts *c, int64_t count) {
  demi_carry *carry = &c->carry;
  if (count <= carry->capacity) return DEM_OK;
  demi_carry_free(c);
  const size_t n = (size_t)(count + count / 4 + 16);
  carry->capacity = (int64_t)n;
  carry->i = demi_allocate(c->context, n * sizeof *carry->i);
  carry->j = demi_allocate(c->context, n * sizeof *carry->j);
  carry->values = demi_allocate(c->context, n * DEM_HISTORY_CAPACITY * sizeof *carry->values);
  if (carry->i && carry->j && carry->values) return DEM_OK;
  demi_carry_free(c);
  return DEM_NO_MEMORY;
}

static void carry_pair(demi_contacts *c, int64_t pair, int32_t i, int32_t j) {
  const double *row = c->history + pair * c->stride;
  if (row[0] != c->stamp) return;
  const int64_t e = c->carry.count++;
  c->carry.i[e] = i;
  c->carry.j[e] = j;
  for (int32_t h = 0; h < DEM_HISTORY_CAPACITY; h++)
    c->carry.values[e * DEM_HISTORY_CAPACITY + h] = h + 1 < c->stride ? row[1 + h] : 0;
}

static int64_t live_slots(const demi_contacts *c, const demi_list *list) {
  int64_t live = 0;
  for (int64_t s = 0; s < list->pairs + list->face_pairs; s++) live += c->history[s * c->stride] == c->stamp;
  return live;
}

dem_status demi_contacts_carry(demi_contacts *c, const demi_list *list) {
  if (!c->valid) return DEM_OK;
  if (c->stride) {
    dem_status status = reserve_carry(c, live_slots(c, list));
    if (status) return status;
    c->carry.count = 0;
    const int32_t rows = list->chunks.row[list->chunks.count];
    for (int32_t i = 0; i < rows; i++)
      for (int32_t s = list->row_start[i]; s < list->row_start[i + 1]; s++)
        carry_pair(c, s, i, (int32_t)(list->code[s] & DEMI_ROW_MASK));
    for (int64_t s = 0; s < list->face_pairs; s++)
      carry_pair(c, list->pairs + s, list->face_row[s], demi_partner_of_face(list->faces->face[list->face_index[s]].id));
  }
  c->valid = 0;
  return DEM_OK;
}

static void keep_if(demi_carry *carry, int64_t *kept, int64_t from, int keep) {
  if (!keep) return;
  const int64_t to = (*kept)++;
  carry->i[to] = carry->i[from];
  carry->j[to] = carry->j[from];
  memmove(carry->values + to * DEM_HISTORY_CAPACITY, carry->values + from * DEM_HISTORY_CAPACITY,
          DEM_HISTORY_CAPACITY * sizeof *carry->values);
}

void demi_carry_renumber(demi_carry *carry, const int32_t *new_row) {
  int64_t kept = 0;
  for (int64_t e = 0; e < carry->count; e++) {
    carry->i[e] = new_row[carry->i[e]];
    if (carry->j[e] >= 0) {
      carry->j[e] = new_row[carry->j[e]];
      if (carry->j[e] < 0) carry->i[e] = -1;
    }
    keep_if(carry, &kept, e, carry->i[e] >= 0);
  }
  carry->count = kept;
}

void demi_carry_drop_face(demi_carry *carry, int32_t face_id) {
  int64_t kept = 0;
  for (int64_t e = 0; e < carry->count; e++) keep_if(carry, &kept, e, carry->j[e] != demi_partner_of_face(face_id));
  carry->count = kept;
}

void demi_carry_drop_pair(demi_carry *carry, const demi_store *store, const demi_faces *faces, int32_t a, int32_t b) {
  int64_t kept = 0;
  for (int64_t e = 0; e < carry->count; e++) {
    const int32_t p = store->columns.material[carry->i[e]];
    const int32_t q =
        carry->j[e] >= 0 ? store->columns.material[carry->j[e]] : face_material(faces, demi_face_of_partner(carry->j[e]));
    keep_if(carry, &kept, e, !((p == a && q == b) || (p == b && q == a)));
  }
  carry->count = kept;
}
