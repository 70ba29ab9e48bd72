/* The table of bonds: room, ids, order, images. */
#include "bonds.h"

#include <string.h>

#include "exponential.h"
#include "memory.h"

void demi_bonds_init(demi_bonds *b, dem_context *context) {
  memset(b, 0, sizeof *b);
  b->context = context;
  demi_idpool_init(&b->ids, context);
}

void demi_bonds_free(demi_bonds *b) {
  dem_context *c = b->context;
  demi_free(c, b->type, (size_t)b->type_capacity * sizeof *b->type);
  demi_free(c, b->kept, (size_t)b->type_capacity * sizeof *b->kept);
  demi_free(c, b->bond, (size_t)b->capacity * sizeof *b->bond);
  demi_free(c, b->spare, (size_t)b->capacity * sizeof *b->spare);
  demi_free(c, b->start, (size_t)b->row_capacity * sizeof *b->start);
  demi_free(c, b->key, (size_t)b->key_capacity * sizeof *b->key);
  demi_free(c, b->broken, (size_t)b->broken_capacity * sizeof *b->broken);
  demi_idpool_free(&b->ids);
  demi_bonds_init(b, c);
}

/* ---- room ---- */

static int64_t grown(int64_t capacity, int64_t wanted) {
  const int64_t larger = capacity + capacity / 2;
  return wanted > larger ? wanted : larger;
}

dem_status demi_bonds_reserve_type(demi_bonds *b) {
  if (b->type_count < b->type_capacity) return DEM_OK;
  const int64_t n = grown(b->type_capacity, b->type_count + INT64_C(4));
  if (n > INT32_MAX) return DEM_NO_MEMORY;
  const size_t used = (size_t)b->type_capacity, wanted = (size_t)n;
  dem_bond_type *type = demi_allocate_zero(b->context, wanted * sizeof *type);
  double *kept = demi_allocate_zero(b->context, wanted * sizeof *kept);
  if (!type || !kept) {
    demi_free(b->context, type, wanted * sizeof *type);
    demi_free(b->context, kept, wanted * sizeof *kept);
    return DEM_NO_MEMORY;
  }
  if (used) memcpy(type, b->type, used * sizeof *type), memcpy(kept, b->kept, used * sizeof *kept);
  demi_free(b->context, b->type, used * sizeof *type);
  demi_free(b->context, b->kept, used * sizeof *kept);
  b->type = type;
  b->kept = kept;
  b->type_capacity = (int32_t)n;
  return DEM_OK;
}

static dem_status reserve_table(demi_bonds *b, int64_t wanted) {
  if (wanted <= b->capacity) return DEM_OK;
  const int64_t n = grown(b->capacity, wanted);
  const size_t bytes = (size_t)n * sizeof *b->bond;
  demi_bond *bond = demi_allocate(b->context, bytes), *spare = demi_allocate(b->context, bytes);
  if (!bond || !spare) {
    demi_free(b->context, bond, bytes);
    demi_free(b->context, spare, bytes);
    return DEM_NO_MEMORY;
  }
  if (b->count) memcpy(bond, b->bond, (size_t)b->count * sizeof *bond);
  demi_free(b->context, b->bond, (size_t)b->capacity * sizeof *bond);
  demi_free(b->context, b->spare, (size_t)b->capacity * sizeof *bond);
  b->bond = bond;
  b->spare = spare;
  b->capacity = n;
  return DEM_OK;
}

static dem_status reserve_events(demi_bonds *b, int64_t wanted) {
  if (wanted <= b->broken_capacity) return DEM_OK;
  const int64_t n = grown(b->broken_capacity, wanted);
  dem_bond_break *fresh = demi_allocate(b->context, (size_t)n * sizeof *fresh);
  if (!fresh) return DEM_NO_MEMORY;
  if (b->broken_count) memcpy(fresh, b->broken, (size_t)b->broken_count * sizeof *fresh);
  demi_free(b->context, b->broken, (size_t)b->broken_capacity * sizeof *fresh);
  b->broken = fresh;
  b->broken_capacity = n;
  return DEM_OK;
}

static dem_status reserve_keys(demi_bonds *b, int64_t wanted) {
  if (wanted <= b->key_capacity) return DEM_OK;
  const int64_t n = grown(b->key_capacity, wanted);
  uint64_t *fresh = demi_allocate(b->context, (size_t)n * sizeof *fresh);
  if (!fresh) return DEM_NO_MEMORY;
  if (b->sorted && b->count > b->dead) memcpy(fresh, b->key, (size_t)(b->count - b->dead) * sizeof *fresh);
  demi_free(b->context, b->key, (size_t)b->key_capacity * sizeof *fresh);
  b->key = fresh;
  b->key_capacity = n;
  return DEM_OK;
}

/* All existing bonds may break before the host takes an event. */
dem_status demi_bonds_reserve(demi_bonds *b, int64_t count) {
  dem_status status = reserve_table(b, b->count + count);
  if (!status) status = reserve_events(b, b->broken_count + b->count + count);
  if (!status) status = reserve_keys(b, b->count + count);
  if (!status) status = demi_idpool_reserve(&b->ids, count);
  return status;
}

/* ---- pairs that are bonded ---- */

uint64_t demi_bond_key(dem_id i, dem_id j) {
  const uint64_t a = (uint64_t)demi_id_slot(i), c = (uint64_t)demi_id_slot(j);
  return a < c ? a << 32 | c : c << 32 | a;
}

static void sift(uint64_t *key, int64_t at, int64_t count) {
  const uint64_t value = key[at];
  for (int64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && key[child + 1] > key[child]) child++;
    if (key[child] <= value) break;
    key[at] = key[child];
    at = child;
  }
  key[at] = value;
}

/* Heap sort: the C library's may allocate. */
void demi_sort_keys(uint64_t *key, int64_t count) {
  for (int64_t k = count / 2 - 1; k >= 0; k--) sift(key, k, count);
  for (int64_t last = count - 1; last > 0; last--) {
    const uint64_t top = key[0];
    key[0] = key[last];
    key[last] = top;
    sift(key, 0, last);
  }
}

void demi_bonds_sort_keys(demi_bonds *b) {
  if (b->sorted) return;
  int64_t n = 0;
  for (int64_t k = 0; k < b->count; k++)
    if (b->bond[k].id) b->key[n++] = demi_bond_key(b->bond[k].i, b->bond[k].j);
  demi_sort_keys(b->key, n);
  b->sorted = 1;
}

/* Index of the first key that is not below `key`. */
static int64_t find_key(const demi_bonds *b, uint64_t key) {
  int64_t low = 0, high = b->count - b->dead;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (b->key[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int demi_bonds_joined(const demi_bonds *b, uint64_t key) {
  const int64_t at = find_key(b, key);
  return at < b->count - b->dead && b->key[at] == key;
}

static void insert_key(demi_bonds *b, uint64_t key) {
  if (!b->sorted) return;
  const int64_t at = find_key(b, key), live = b->count - b->dead;
  memmove(b->key + at + 1, b->key + at, (size_t)(live - at) * sizeof *b->key);
  b->key[at] = key;
}

/* ---- images ---- */

void demi_bond_turns(const demi_bond *bond, const demi_store *store, const int64_t row[2], double turns[3]) {
  const int32_t *m = store->columns.image + 3 * row[0], *n = store->columns.image + 3 * row[1];
  for (int a = 0; a < 3; a++) turns[a] = (double)((int64_t)m[a] - n[a] + bond->offset[a]);
}

void demi_bond_span(const demi_bond *bond, const demi_store *store, const demi_box *box, const int64_t row[2], double r[3]) {
  const double *p = store->columns.position + 4 * row[0], *q = store->columns.position + 4 * row[1];
  double turns[3], image[3];
  demi_bond_turns(bond, store, row, turns);
  demi_box_image(box, turns, image);
  for (int a = 0; a < 3; a++) {
    r[a] = p[a] - q[a];
    if (image[a] != 0) r[a] += image[a];
  }
}

static void find_rows(const demi_bond *bond, const demi_store *store, int64_t row[2]) {
  row[0] = demi_idpool_row(&store->ids, bond->i);
  row[1] = demi_idpool_row(&store->ids, bond->j);
}

/* The image of j for which r comes nearest to `span`. */
static void attach(demi_bond *bond, const demi_store *store, const demi_box *box, const double span[3]) {
  int64_t row[2];
  double apart[3], turns[3];
  find_rows(bond, store, row);
  for (int a = 0; a < 3; a++)
    apart[a] = span[a] - (store->columns.position[4 * row[0] + a] - store->columns.position[4 * row[1] + a]);
  demi_box_nearest_turns(box, apart, turns);
  for (int a = 0; a < 3; a++) {
    const double offset = turns[a] - store->columns.image[3 * row[0] + a] + store->columns.image[3 * row[1] + a];
    bond->offset[a] = (int32_t)fmax(
        fmin(offset, INT32_MAX),
        INT32_MIN); /* image counts are at most 2^29, so this happens only for a bond that was torn very far apart */
  }
}

void demi_bonds_reattach(demi_bonds *b, const demi_store *store, const demi_box *box) {
  for (int64_t k = 0; k < b->count; k++)
    if (b->bond[k].id) attach(&b->bond[k], store, box, b->bond[k].span);
}

void demi_bonds_renumber(demi_bonds *b, const demi_box *from, const demi_box *to) {
  for (int64_t k = 0; k < b->count; k++)
    if (b->bond[k].id) demi_box_renumber(from, to, b->bond[k].offset);
}

void demi_bonds_find_spans(demi_bonds *b, const demi_store *store, const demi_box *box) {
  for (int64_t k = 0; k < b->count; k++) {
    int64_t row[2];
    if (!b->bond[k].id) continue;
    find_rows(&b->bond[k], store, row);
    demi_bond_span(&b->bond[k], store, box, row, b->bond[k].span);
  }
}

/* ---- adding, removing ---- */

static demi_bond_state state_of(const dem_bond *given) {
  demi_bond_state s;
  s.rest_length = given->rest_length;
  memcpy(s.force, given->force, sizeof s.force);
  memcpy(s.bending, given->bending, sizeof s.bending);
  s.twisting = given->twisting;
  return s;
}

dem_bond demi_bond_public(const demi_bond *bond) {
  dem_bond out;
  memset(&out, 0, sizeof out);
  out.id = bond->id;
  out.i = bond->i;
  out.j = bond->j;
  out.type = bond->type;
  out.rest_length = bond->state.rest_length;
  memcpy(out.force, bond->state.force, sizeof out.force);
  memcpy(out.bending, bond->state.bending, sizeof out.bending);
  out.twisting = bond->state.twisting;
  return out;
}

dem_id demi_bonds_add(demi_bonds *b, const dem_bond *given, const demi_store *store, const demi_box *box) {
  const double nearest[3] = {0, 0, 0};
  int64_t row[2];
  demi_bond *bond = &b->bond[b->count];
  memset(bond, 0, sizeof *bond);
  bond->i = given->i;
  bond->j = given->j;
  bond->type = given->type;
  bond->pair = -1;
  bond->state = state_of(given);
  attach(bond, store, box, nearest);
  find_rows(bond, store, row);
  demi_bond_span(bond, store, box, row, bond->span);
  const double *r = bond->span;
  if (bond->state.rest_length == 0) bond->state.rest_length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  bond->id = demi_idpool_take(&b->ids, b->count);
  insert_key(b, demi_bond_key(bond->i, bond->j));
  b->count++;
  return bond->id;
}

void demi_bonds_remove(demi_bonds *b, int64_t index) {
  demi_idpool_give_back(&b->ids, b->bond[index].id);
  b->bond[index].id = 0;
  b->dead++;
  b->sorted = 0;
}

void demi_bonds_drop_gone(demi_bonds *b, const demi_store *store) {
  for (int64_t k = 0; k < b->count; k++) {
    int64_t row[2];
    if (!b->bond[k].id) continue;
    find_rows(&b->bond[k], store, row);
    if (row[0] < 0 || row[1] < 0) demi_bonds_remove(b, k);
  }
}

/* ---- order ---- */

static int32_t lower_row(const demi_bond *bond) { return bond->row[0] < bond->row[1] ? bond->row[0] : bond->row[1]; }
static int32_t upper_row(const demi_bond *bond) { return bond->row[0] < bond->row[1] ? bond->row[1] : bond->row[0]; }

static dem_status reserve_rows(demi_bonds *b, int64_t rows) {
  if (rows + 1 <= b->row_capacity) return DEM_OK;
  const int64_t n = rows + rows / 4 + 64;
  int32_t *fresh = demi_allocate(b->context, (size_t)n * sizeof *fresh);
  if (!fresh) return DEM_NO_MEMORY;
  demi_free(b->context, b->start, (size_t)b->row_capacity * sizeof *fresh);
  b->start = fresh;
  b->row_capacity = n;
  return DEM_OK;
}

static void drop_dead(demi_bonds *b) {
  int64_t kept = 0;
  for (int64_t k = 0; k < b->count; k++) {
    if (!b->bond[k].id) continue;
    if (kept < k) b->bond[kept] = b->bond[k];
    kept++;
  }
  b->count = kept;
  b->dead = 0;
}

/* Within a row by the partner's row; there are few. */
static void sort_partners(demi_bond *bond, int64_t count) {
  for (int64_t k = 1; k < count; k++) {
    const demi_bond moving = bond[k];
    int64_t at = k;
    for (; at > 0 && upper_row(&bond[at - 1]) > upper_row(&moving); at--) bond[at] = bond[at - 1];
    bond[at] = moving;
  }
}

/* Counting sort by the lower row. */
static void sort_by_row(demi_bonds *b, int64_t rows) {
  int32_t *start = b->start;
  memset(start, 0, (size_t)(rows + 1) * sizeof *start);
  for (int64_t k = 0; k < b->count; k++) start[lower_row(&b->bond[k]) + 1]++;
  for (int64_t r = 0; r < rows; r++) start[r + 1] += start[r];
  for (int64_t k = 0; k < b->count; k++) b->spare[start[lower_row(&b->bond[k])]++] = b->bond[k];
  /* each entry now holds the end of its row: shift back */
  memmove(start + 1, start, (size_t)rows * sizeof *start);
  start[0] = 0;
  demi_bond *old = b->bond;
  b->bond = b->spare;
  b->spare = old;
  for (int64_t r = 0; r < rows; r++) sort_partners(b->bond + start[r], start[r + 1] - start[r]);
}

dem_status demi_bonds_order(demi_bonds *b, const demi_store *store) {
  drop_dead(b);
  if (b->count == 0) return DEM_OK;
  if (reserve_rows(b, store->count)) return DEM_NO_MEMORY;
  for (int64_t k = 0; k < b->count; k++) {
    int64_t row[2];
    find_rows(&b->bond[k], store, row);
    b->bond[k].row[0] = (int32_t)row[0];
    b->bond[k].row[1] = (int32_t)row[1];
  }
  sort_by_row(b, store->count);
  for (int64_t k = 0; k < b->count; k++) b->ids.row[demi_id_slot(b->bond[k].id)] = (int32_t)k;
  return DEM_OK;
}

/* ---- evaluation ---- */

void demi_bonds_begin(demi_bonds *b, double dt) {
  for (int32_t t = 0; t < b->type_count; t++)
    b->kept[t] = b->type[t].relaxation_time > 0 && dt > 0 ? demi_decay(dt / b->type[t].relaxation_time) : 1.0;
}
