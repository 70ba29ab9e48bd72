/* Views: pointers into the rows, under a count of readers and one writer. */
#include <math.h>
#include <string.h>

#include "intake.h"
#include "state.h"

#define VIEW_V1 DEMI_SIZE_TO(dem_view, ids)

static int writable(int32_t field) {
  return field == DEM_POSITION || field == DEM_VELOCITY || field == DEM_SPIN || field == DEM_HOST_FORCE ||
         field == DEM_HOST_TORQUE;
}

/* First row, doubles from row to row and components of a field; NULL when it has no row form. */
static double *locate(const dem_system *s, int32_t field, int64_t *stride, int32_t *components) {
  const demi_columns *c = &s->store.columns;
  *components = field == DEM_RADIUS ? 1 : 3;
  *stride = field == DEM_POSITION || field == DEM_RADIUS ? 4 : 8;
  switch (field) {
    case DEM_POSITION: return c->position;
    case DEM_RADIUS: return c->position + 3;
    case DEM_VELOCITY: return c->velocity;
    case DEM_SPIN: return c->velocity + 4;
    case DEM_FORCE: return c->load;
    case DEM_TORQUE: return c->load + 4;
    case DEM_HOST_FORCE: return c->host;
    case DEM_HOST_TORQUE: return c->host + 4;
    default: return NULL;
  }
}

static dem_status check_request(dem_system *s, int32_t field, int32_t mode) {
  if (s->stepping) return demi_system_refuse(s, DEM_BUSY, "view: not from inside a step or its callbacks");
  if (field < DEM_POSITION || field > DEM_HOST_TORQUE || field == DEM_DENSITY || field == DEM_MASS || field == DEM_INERTIA)
    return demi_system_refuse(s, DEM_NOT_FOUND, "view: field %d has no view", field);
  if (mode != DEM_READ && mode != DEM_WRITE)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "view: mode is %d, allowed %d or %d", mode, DEM_READ, DEM_WRITE);
  if (mode == DEM_WRITE && !writable(field))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "view: field %d is read only", field);
  if (s->writer || (mode == DEM_WRITE && s->readers > 0))
    return demi_system_refuse(s, DEM_BUSY, "view: %d readers and %d writer open; one writer or many readers", s->readers,
                              s->writer);
  return DEM_OK;
}

dem_status demi_view_acquire(dem_system *s, int32_t field, int32_t mode, dem_view *view) {
  dem_view v;
  dem_status status = check_request(s, field, mode);
  if (status) return status;
  memset(&v, 0, sizeof v);
  v.field = field;
  v.mode = mode;
  v.count = s->store.count;
  v.epoch = s->epoch;
  v.data = locate(s, field, &v.stride, &v.components);
  v.ids = s->store.columns.id;
  status = demi_outgive(view, &v, sizeof v, VIEW_V1);
  if (status) return demi_system_refuse(s, status, "view: struct_size %u is not usable", view->struct_size);
  if (mode == DEM_WRITE) {
    /* what the writer is about to change must be in the books, and be booked after */
    status = demi_engine_open(s);
    if (status) return status;
    s->writer = 1;
    s->kinetic_before = s->ledger.on ? demi_system_kinetic_total(s) : 0;
    if (field == DEM_HOST_FORCE || field == DEM_HOST_TORQUE) s->store.host_used = 1;
  } else {
    s->readers++;
  }
  return DEM_OK;
}

static dem_status check_written(dem_system *s, const dem_view *v) {
  for (int64_t k = 0; k < v->count; k++)
    for (int32_t a = 0; a < v->components; a++)
      if (!isfinite(v->data[k * v->stride + a])) {
        demi_system_poison(s, DEM_FAILED_NOT_FINITE);
        return demi_system_refuse(s, DEM_FAILED_NOT_FINITE, "view of field %d: row %lld, component %d was left at %g", v->field,
                                  (long long)k, a, v->data[k * v->stride + a]);
      }
  return DEM_OK;
}

/* Frozen particles do not move, whatever was written. */
static dem_status check_frozen(dem_system *s, const dem_view *v) {
  if (v->field != DEM_VELOCITY && v->field != DEM_SPIN) return DEM_OK;
  for (int64_t k = 0; k < v->count; k++) {
    const double *x = v->data + k * v->stride;
    if (demi_store_frozen(&s->store, k) && (x[0] != 0 || x[1] != 0 || x[2] != 0)) {
      demi_system_poison(s, DEM_FAILED_PLUGIN);
      return demi_system_refuse(s, DEM_FAILED_PLUGIN, "view of field %d: row %lld is frozen but was given (%g, %g, %g)",
                                v->field, (long long)k, x[0], x[1], x[2]);
    }
  }
  return DEM_OK;
}

dem_status demi_view_release(dem_system *s, dem_view *view) {
  dem_view v;
  dem_status status = demi_intake(&v, sizeof v, view, VIEW_V1);
  if (status) return demi_system_refuse(s, status, "view: struct_size %u is not usable", view->struct_size);
  if (!v.data && v.count > 0) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "view: it is not open");
  if ((v.mode == DEM_WRITE && !s->writer) || (v.mode == DEM_READ && s->readers == 0) ||
      (v.mode != DEM_READ && v.mode != DEM_WRITE))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "view: it is not open (mode %d)", v.mode);
  if (v.mode == DEM_WRITE) {
    s->writer = 0;
    status = check_written(s, &v);
    if (!status) status = check_frozen(s, &v);
    if (!status) demi_system_book_host(s, s->kinetic_before);
  } else {
    s->readers--;
  }
  const dem_view empty = {0};
  demi_outgive(view, &empty, sizeof empty, VIEW_V1);
  return status;
}
