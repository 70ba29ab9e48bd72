/* Views: pointers into the rows, of each field under a count of readers or one writer.
 *
 * Fields that follow from others are closed together with them: forces contain the host's, half-step velocities come from the
 * velocities. Half-step velocities have no array: their view is a copy, made when it opens, in the rows that the next sort will
 * write over; nothing sorts while views are open. */
#include <math.h>
#include <string.h>

#include "field_rules.h"
#include "intake.h"
#include "state.h"

#define VIEW_V1 DEMI_SIZE_TO(dem_view, ids)

/* ---- fields ---- */

typedef struct rule {
  int32_t components, stride;
  int32_t writable;
  int32_t follows; /* the field it is computed from as it is written; 0: none */
} rule;

static const rule rules[DEMI_VIEW_FIELDS] = {
    [DEM_POSITION] = {3, 4, 1, 0},
    [DEM_VELOCITY] = {3, 8, 1, 0},
    [DEM_SPIN] = {3, 8, 1, 0},
    [DEM_RADIUS] = {1, 4, 0, 0},
    [DEM_DENSITY] = {1, 1, 0, 0},
    [DEM_MASS] = {1, 1, 0, 0},
    [DEM_INERTIA] = {1, 1, 0, 0},
    [DEM_FORCE] = {3, 8, 0, DEM_HOST_FORCE},
    [DEM_TORQUE] = {3, 8, 0, DEM_HOST_TORQUE},
    [DEM_HOST_FORCE] = {3, 8, 1, 0},
    [DEM_HOST_TORQUE] = {3, 8, 1, 0},
    [DEM_HALF_VELOCITY] = {3, 8, 0, DEM_VELOCITY},
    [DEM_HALF_SPIN] = {3, 8, 0, DEM_SPIN},
    [DEM_MATERIAL] = {1, 1, 0, 0},
    [DEM_IMAGE] = {3, 3, 0, 0},
};

static int known(int32_t field) { return field > 0 && field < DEMI_VIEW_FIELDS && rules[field].components > 0; }

/* A part of rows that are there only once particles were added. */
static double *part(double *rows, int32_t first) { return rows ? rows + first : NULL; }

static double *reals(const dem_system *s, int32_t field) {
  const demi_columns *c = &s->store.columns;
  switch (field) {
    case DEM_POSITION: return c->position;
    case DEM_RADIUS: return part(c->position, 3);
    case DEM_VELOCITY: return c->velocity;
    case DEM_SPIN: return part(c->velocity, 4);
    case DEM_DENSITY: return c->density;
    case DEM_MASS: return c->mass;
    case DEM_INERTIA: return c->inertia;
    case DEM_FORCE: return c->load;
    case DEM_TORQUE: return part(c->load, 4);
    case DEM_HOST_FORCE: return c->host;
    case DEM_HOST_TORQUE: return part(c->host, 4);
    case DEM_HALF_VELOCITY: return s->store.spare.velocity;
    case DEM_HALF_SPIN: return part(s->store.spare.velocity, 4);
    default: return NULL;
  }
}

static int32_t *integers(const dem_system *s, int32_t field) {
  return field == DEM_MATERIAL ? s->store.columns.material : field == DEM_IMAGE ? s->store.columns.image : NULL;
}

static int is_integer(int32_t field) { return field == DEM_MATERIAL || field == DEM_IMAGE; }

static void copy_half(dem_system *s, int32_t field) {
  const int angular = field == DEM_HALF_SPIN;
  double *to = reals(s, field);
  for (int64_t k = 0; k < s->store.count; k++) demi_field_half(s, k, angular, to + 8 * k);
}

/* ---- opening ---- */

static dem_status busy(dem_system *s, int32_t field, int32_t other) {
  const int32_t open = s->readers[other];
  if (open < 0) return demi_system_refuse(s, DEM_BUSY, "view of field %d: a view that writes field %d is open", field, other);
  return demi_system_refuse(s, DEM_BUSY, "view of field %d: %d views that read field %d are open; one writer or many readers",
                            field, open, other);
}

/* A field has many readers or one writer; what follows from it counts as the same field. */
static dem_status check_others(dem_system *s, int32_t field, int32_t mode) {
  for (int32_t other = 1; other < DEMI_VIEW_FIELDS; other++) {
    const int meets = other == field || rules[other].follows == field || rules[field].follows == other;
    const int bars = mode == DEM_WRITE ? s->readers[other] != 0 : s->readers[other] < 0;
    if (known(other) && meets && bars) return busy(s, field, other);
  }
  return DEM_OK;
}

static dem_status check_stage(dem_system *s, int32_t field, int32_t mode) {
  if (s->callbacks == 0) return DEM_OK;
  if (!s->before_stepping) return demi_system_refuse(s, DEM_BUSY, "view: not from inside a step or its callbacks");
  if (mode == DEM_READ || demi_field_of_host(field)) return DEM_OK;
  return demi_system_refuse(s, DEM_BUSY, "view: field %d may not be written before a step, only what the host sets may", field);
}

static dem_status check_request(dem_system *s, int32_t field, int32_t mode) {
  if (!known(field)) return demi_system_refuse(s, DEM_NOT_FOUND, "view: field %d has no view", field);
  if (mode != DEM_READ && mode != DEM_WRITE)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "view: mode is %d, allowed %d or %d", mode, DEM_READ, DEM_WRITE);
  if (mode == DEM_WRITE && !rules[field].writable)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "view: field %d is read only", field);
  const dem_status status = check_stage(s, field, mode);
  return status ? status : check_others(s, field, mode);
}

static dem_status check_size(dem_system *s, int32_t field, const dem_view *view) {
  const size_t least = is_integer(field) ? DEMI_SIZE_TO(dem_view, integers) : VIEW_V1;
  if (view->struct_size >= least && view->struct_size <= 4096) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_STRUCT, "view: struct_size %u is not usable, field %d needs %zu to 4096",
                            view->struct_size, field, least);
}

/* While a writer holds the host's forces they are taken out of the sums, and put back after. */
static void add_host_to_sums(dem_system *s, int32_t field, double sign) {
  const int angular = field == DEM_HOST_TORQUE;
  if (s->forces != DEMI_FORCES_SUMMED || (field != DEM_HOST_FORCE && !angular)) return;
  for (int64_t k = 0; k < s->store.count; k++)
    for (int a = 4 * angular; a < 4 * angular + 3; a++)
      s->store.columns.load[8 * k + a] += sign * s->store.columns.host[8 * k + a];
}

static dem_status let_writer_in(dem_system *s, int32_t field) {
  dem_status status = demi_field_open(s, field);
  if (status) return status;
  if (s->writers++ == 0) s->kinetic_before = s->ledger.on ? demi_system_kinetic_total(s) : 0;
  s->readers[field] = -1;
  if (field == DEM_HOST_FORCE || field == DEM_HOST_TORQUE) s->store.host_used = 1;
  add_host_to_sums(s, field, -1.0);
  return DEM_OK;
}

static void let_reader_in(dem_system *s, int32_t field) {
  if (s->readers[field]++ == 0 && (field == DEM_HALF_VELOCITY || field == DEM_HALF_SPIN)) copy_half(s, field);
}

dem_status demi_view_acquire(dem_system *s, int32_t field, int32_t mode, dem_view *view) {
  dem_view v;
  dem_status status = check_request(s, field, mode);
  if (!status) status = check_size(s, field, view);
  if (!status && mode == DEM_WRITE) status = let_writer_in(s, field);
  if (status) return status;
  if (mode == DEM_READ) let_reader_in(s, field);
  s->views++;
  memset(&v, 0, sizeof v);
  v.field = field;
  v.mode = mode;
  v.count = s->store.count;
  v.epoch = s->epoch;
  v.components = rules[field].components;
  v.stride = rules[field].stride;
  v.data = reals(s, field);
  v.integers = integers(s, field);
  v.ids = s->store.columns.id;
  return demi_outgive(view, &v, sizeof v, VIEW_V1);
}

/* ---- closing ---- */

/* The same rules as for set, but the values are there already: what breaks them poisons. */
static dem_status check_written(dem_system *s, const dem_view *v) {
  for (int64_t k = 0; k < v->count; k++)
    if (demi_field_check(s, v->field, k, k, v->data + k * v->stride)) {
      const double *x = v->data + k * v->stride;
      const int finite = isfinite(x[0]) && isfinite(x[v->components / 2]) && isfinite(x[v->components - 1]);
      return demi_system_poison(s, finite ? DEM_FAILED_PLUGIN : DEM_FAILED_NOT_FINITE);
    }
  return DEM_OK;
}

/* The last writer to leave books what all of them brought: only then nobody is writing. */
static dem_status let_writer_out(dem_system *s, const dem_view *v) {
  const dem_status status = check_written(s, v);
  s->readers[v->field] = 0;
  add_host_to_sums(s, v->field, 1.0);
  if (v->field == DEM_POSITION) demi_bonds_reattach(&s->bonds, &s->store, &s->box);
  if (--s->writers == 0 && !status) demi_system_book_host(s, s->kinetic_before);
  return status;
}

static int is_open(const dem_system *s, const dem_view *v) {
  if (!known(v->field) || v->count != s->store.count) return 0;
  if (v->data != reals(s, v->field)) return 0;
  return v->mode == DEM_WRITE ? s->readers[v->field] < 0 : v->mode == DEM_READ && s->readers[v->field] > 0;
}

dem_status demi_view_release(dem_system *s, dem_view *view) {
  dem_view v;
  dem_status status = demi_intake(&v, sizeof v, view, VIEW_V1);
  if (status) return demi_system_refuse(s, status, "view: struct_size %u is not usable", view->struct_size);
  if (!is_open(s, &v))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "view: it is not open (field %d, mode %d)", v.field, v.mode);
  if (v.mode == DEM_WRITE)
    status = let_writer_out(s, &v);
  else
    s->readers[v.field]--;
  s->views--;
  const dem_view empty = {0};
  demi_outgive(view, &empty, sizeof empty, VIEW_V1);
  return status;
}
