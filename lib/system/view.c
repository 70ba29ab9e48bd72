/* Views: pointers into the rows, under a count of readers and one writer. */
#include <math.h>
#include <string.h>

#include "field_rules.h"
#include "intake.h"
#include "state.h"

#define VIEW_V1 DEMI_SIZE_TO(dem_view, ids)

static int writable(int32_t field) {
  return field == DEM_POSITION || field == DEM_VELOCITY || field == DEM_SPIN || field == DEM_HOST_FORCE ||
         field == DEM_HOST_TORQUE;
}

/* From a column of the first rows, which a system without particles has not. */
static double *column(double *rows, int k) { return rows ? rows + k : NULL; }

/* First row, doubles from row to row and components of a field; NULL when it has no row form. */
static double *locate(const dem_system *s, int32_t field, int64_t *stride, int32_t *components) {
  const demi_columns *c = &s->store.columns;
  *components = field == DEM_RADIUS ? 1 : 3;
  *stride = field == DEM_POSITION || field == DEM_RADIUS ? 4 : 8;
  switch (field) {
    case DEM_POSITION: return c->position;
    case DEM_RADIUS: return column(c->position, 3);
    case DEM_VELOCITY: return c->velocity;
    case DEM_SPIN: return column(c->velocity, 4);
    case DEM_FORCE: return c->load;
    case DEM_TORQUE: return column(c->load, 4);
    case DEM_HOST_FORCE: return c->host;
    case DEM_HOST_TORQUE: return column(c->host, 4);
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
  s->writer = 1;
  s->kinetic_before = s->ledger.on ? demi_system_kinetic_total(s) : 0;
  if (field == DEM_HOST_FORCE || field == DEM_HOST_TORQUE) s->store.host_used = 1;
  add_host_to_sums(s, field, -1.0);
  return DEM_OK;
}

dem_status demi_view_acquire(dem_system *s, int32_t field, int32_t mode, dem_view *view) {
  dem_view v;
  dem_status status = check_request(s, field, mode);
  if (status) return status;
  if (view->struct_size < VIEW_V1 || view->struct_size > 4096)
    return demi_system_refuse(s, DEM_BAD_STRUCT, "view: struct_size %u is not usable", view->struct_size);
  if (mode == DEM_WRITE && (status = let_writer_in(s, field)) != DEM_OK) return status;
  if (mode == DEM_READ) s->readers++;
  memset(&v, 0, sizeof v);
  v.field = field;
  v.mode = mode;
  v.count = s->store.count;
  v.epoch = s->epoch;
  v.data = locate(s, field, &v.stride, &v.components);
  v.ids = s->store.columns.id;
  return demi_outgive(view, &v, sizeof v, VIEW_V1);
}

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
    add_host_to_sums(s, v.field, 1.0);
    if (v.field == DEM_POSITION) demi_bonds_reattach(&s->bonds, &s->store, &s->box);
    if (!status) demi_system_book_host(s, s->kinetic_before);
  } else {
    s->readers--;
  }
  const dem_view empty = {0};
  demi_outgive(view, &empty, sizeof empty, VIEW_V1);
  return status;
}
