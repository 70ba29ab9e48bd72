/* Bulk read of fields. */
#include <string.h>

#include "box_motion.h"
#include "field_rows.h"
#include "field_rules.h"

/* ---- fields that are computed ---- */

static inline void wrap_position(const dem_system *s, int64_t row, double *out) {
  demi_box room;
  int32_t unused[3] = {0, 0, 0};
  memcpy(out, s->store.columns.position + 4 * row, 3 * sizeof *out);
  demi_box_wrap(demi_box_shown(&s->box, &room), out, unused);
}

void demi_derive_position(const dem_system *s, const demi_field *f, int64_t row, double *out) {
  (void)f;
  wrap_position(s, row, out);
}

void demi_derive_image(const dem_system *s, const demi_field *f, int64_t row, int32_t *out) {
  (void)f;
  double position[3];
  demi_box_read_place(s, row, position, out);
}

void demi_derive_frozen(const dem_system *s, const demi_field *f, int64_t row, int32_t *out) {
  (void)f;
  *out = demi_store_frozen(&s->store, row);
}

void demi_derive_total(const dem_system *s, const demi_field *f, int64_t row, double *out) {
  const demi_columns *c = &s->store.columns;
  const int64_t at = 8 * row + f->first;
  const double inertia = f->first ? c->inertia[row] : c->mass[row];
  for (int a = 0; a < 3; a++) {
    out[a] = c->load[at + a] + c->host[at + a];
    if (s->options.drag > 0) out[a] += -s->options.drag * inertia * c->seen[at + a];
    if (c->fluid) out[a] += c->fluid[at + 3] * inertia * (c->fluid[at + a] - c->velocity[at + a]);
  }
}

/* The velocity that the evaluation used. If it is not stored, it is the present one less the kicks since then. */
void demi_derive_half(const dem_system *s, const demi_field *f, int64_t row, double *out) {
  const demi_columns *c = &s->store.columns;
  const int angular = f->first > 0;
  const int64_t at = 8 * row + f->first;
  const int known = s->interval.state == DEMI_FORCES_SUMMED && demi_store_mobility(&s->store, row) > 0;
  for (int a = 0; a < 3; a++) {
    const int fixed = s->options.dimension == 2 && (angular ? a < 2 : a == 2);
    const double g = angular ? 0 : s->options.gravity[a], force = c->load[at + a] + c->host[at + a];
    out[a] = c->velocity[at + a];
    if (known && !fixed) out[a] = c->seen ? c->seen[at + a] : out[a] - s->interval.kicked * (force * c->velocity[at + 3] + g);
  }
}

static const double *heat_of(const dem_system *s, int64_t row) {
  return s->shares.heat + DEMI_HEAT_CLASSES * demi_id_slot(s->store.columns.id[row]);
}

void demi_derive_heat(const dem_system *s, const demi_field *f, int64_t row, double *out) {
  (void)f;
  *out = 0;
  for (int k = 0; k < DEMI_HEAT_CLASSES; k++) *out += heat_of(s, row)[k];
}

void demi_derive_heat_classes(const dem_system *s, const demi_field *f, int64_t row, double *out) {
  (void)f;
  memcpy(out, heat_of(s, row), DEMI_HEAT_PACKED * sizeof *out);
}

/* ---- reading ---- */

static dem_status check_field(const dem_system *s, const demi_field *f, const char *call, int32_t number, int32_t type) {
  if (!f) return demi_system_refuse(s, DEM_NOT_FOUND, "%s: field %d is unknown", call, number);
  if (f->type != type)
    return demi_system_refuse(
        s, DEM_NOT_FOUND, "%s: %s has %s", call, f->symbol,
        type == DEMI_FIELD_REAL ? "integers, see dem_system_get_field_int" : "doubles, see dem_system_get_field");
  if (s->options.ledger < f->needs_ledger)
    return demi_system_refuse(s, DEM_INCOMPLETE, "%s: the system was created with ledger %d, needed %d", f->symbol,
                              s->options.ledger, f->needs_ledger);
  return DEM_OK;
}

/* Zeros for a column that does not exist. */
static void put_zeros(int32_t components, int64_t count, double *values, int64_t stride) {
  const int64_t rows = stride == components ? 1 : count;
  const size_t bytes = (size_t)(stride == components ? components * count : components) * sizeof *values;
  for (int64_t k = 0; k < rows; k++) memset(values + k * stride, 0, bytes);
}

/* Rows of a column as they are. Three numbers of eight are the common case. */
static void copy_reals(const dem_system *s, const demi_field *f, int64_t count, const dem_id *ids, double *values,
                       int64_t stride) {
  const double *from = demi_field_reals(s, f);
  const int64_t width = f->width;
  const size_t bytes = (size_t)f->components * sizeof *values;
  if (!from)
    put_zeros(f->components, count, values, stride);
  else if (f->components == 3 && width == 8)
    for (int64_t k = 0; k < count; k++) memcpy(values + k * stride, from + 8 * demi_row_of(s, ids, k), 3 * sizeof *from);
  else if (f->components == 1)
    for (int64_t k = 0; k < count; k++) values[k * stride] = from[width * demi_row_of(s, ids, k)];
  else
    for (int64_t k = 0; k < count; k++) memcpy(values + k * stride, from + width * demi_row_of(s, ids, k), bytes);
}

/* Hosts read positions most often: without calls through a pointer. */
static void derive_reals(const dem_system *s, const demi_field *f, int64_t count, const dem_id *ids, double *values,
                         int64_t stride) {
  if (f->derive == demi_derive_position)
    for (int64_t k = 0; k < count; k++) wrap_position(s, demi_row_of(s, ids, k), values + k * stride);
  else
    for (int64_t k = 0; k < count; k++) f->derive(s, f, demi_row_of(s, ids, k), values + k * stride);
}

/* Rows of all particles, of which those asked for are copied. */
static dem_status gather(const dem_system *s, const demi_field *f, int64_t count, const dem_id *ids, void *values,
                         int64_t stride) {
  const size_t number = f->type == DEMI_FIELD_REAL ? sizeof(double) : sizeof(int32_t), row = (size_t)f->components * number;
  if (count == 0) return DEM_OK;
  char *rows = demi_allocate(s->context, (size_t)s->store.count * row);
  if (!rows)
    return demi_system_refuse(s, DEM_NO_MEMORY, "%s: out of memory for %lld particles", f->symbol, (long long)s->store.count);
  const dem_status status = f->whole ? f->whole(s, f, (void *)rows) : f->whole_integer(s, f, (void *)rows);
  for (int64_t k = 0; k < count && !status; k++)
    memcpy((char *)values + (size_t)(k * stride) * number, rows + (size_t)demi_row_of(s, ids, k) * row, row);
  demi_free(s->context, rows, (size_t)s->store.count * row);
  return status;
}

dem_status demi_system_get_field(const dem_system *s, int32_t number, int64_t count, const dem_id *ids, double *values,
                                 int64_t stride) {
  demi_field room;
  const demi_field *f = demi_field_find(s, number, &room);
  dem_status status = check_field(s, f, "get", number, DEMI_FIELD_REAL);
  if (!status) status = demi_rows_check(s, f->symbol, count, ids);
  if (!status) status = demi_rows_stride(s, f->symbol, f->components, count, sizeof *values, &stride);
  if (status) return status;
  if (f->whole) return gather(s, f, count, ids, values, stride);
  if (f->derive)
    derive_reals(s, f, count, ids, values, stride);
  else
    copy_reals(s, f, count, ids, values, stride);
  const int moves = demi_box_moves(s) && (number == DEM_VELOCITY || number == DEM_HALF_VELOCITY);
  for (int64_t k = 0; k < count && moves; k++) demi_box_wrapped_velocity(s, demi_row_of(s, ids, k), values + k * stride);
  return DEM_OK;
}

dem_status demi_system_get_field_int(const dem_system *s, int32_t number, int64_t count, const dem_id *ids, int32_t *values,
                                     int64_t stride) {
  demi_field room;
  const demi_field *f = demi_field_find(s, number, &room);
  dem_status status = check_field(s, f, "get_int", number, DEMI_FIELD_INTEGER);
  if (!status) status = demi_rows_check(s, f->symbol, count, ids);
  if (!status) status = demi_rows_stride(s, f->symbol, f->components, count, sizeof *values, &stride);
  if (status) return status;
  if (f->whole_integer) return gather(s, f, count, ids, values, stride);
  const int32_t *from = demi_field_integers(s, f);
  const size_t bytes = (size_t)f->components * sizeof *values;
  for (int64_t k = 0; k < count; k++)
    if (f->derive_integer)
      f->derive_integer(s, f, demi_row_of(s, ids, k), values + k * stride);
    else
      memcpy(values + k * stride, from + f->width * demi_row_of(s, ids, k), bytes);
  return DEM_OK;
}
