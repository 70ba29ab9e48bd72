/* Views: pointers into the rows, under a count of readers and one writer. */
#include <math.h>
#include <string.h>

#include "field_rules.h"
#include "intake.h"
#include "state.h"

#define VIEW_V1 DEMI_SIZE_TO(dem_view, ids)

static int of_fluid(int32_t field) { return field >= DEM_DRAG_RATE && field <= DEM_DRAG_ANGULAR_IMPULSE; }

static int writable(int32_t field) {
  return field == DEM_POSITION || field == DEM_VELOCITY || field == DEM_SPIN || field == DEM_HOST_FORCE ||
         field == DEM_HOST_TORQUE || of_fluid(field);
}

static int one_component(int32_t field) { return field == DEM_RADIUS || field == DEM_DRAG_RATE || field == DEM_SPIN_DRAG_RATE; }

/* Total forces have no column of their own: their rows are made where the next sorting writes to. */
static double *totals(const dem_system *s) {
  double *out = s->store.spare.load;
  if (!s->store.host_used && !(s->options.drag > 0) && !s->store.columns.fluid) return s->store.columns.load;
  for (int64_t row = 0; row < s->store.count; row++)
    for (int angular = 0; angular < 2; angular++) demi_field_total(s, row, angular, out + 8 * row + 4 * angular);
  return out;
}

/* From a column of the first rows, which a system without particles has not. */
static double *column(double *rows, int k) { return rows ? rows + k : NULL; }

/* First row, doubles from row to row and components of a field; NULL when it has no row form. */
static double *locate(const dem_system *s, int32_t field, int64_t *stride, int32_t *components) {
  const demi_columns *c = &s->store.columns;
  *components = one_component(field) ? 1 : 3;
  *stride = field == DEM_POSITION || field == DEM_RADIUS ? 4 : 8;
  switch (field) {
    case DEM_POSITION: return c->position;
    case DEM_RADIUS: return column(c->position, 3);
    case DEM_VELOCITY: return c->velocity;
    case DEM_SPIN: return column(c->velocity, 4);
    case DEM_FORCE: return totals(s);
    case DEM_TORQUE: return column(totals(s), 4);
    case DEM_CONTACT_FORCE: return c->load;
    case DEM_CONTACT_TORQUE: return column(c->load, 4);
    case DEM_FLUID_VELOCITY: return c->fluid;
    case DEM_DRAG_RATE: return column(c->fluid, 3);
    case DEM_FLUID_SPIN: return column(c->fluid, 4);
    case DEM_SPIN_DRAG_RATE: return column(c->fluid, 7);
    case DEM_DRAG_IMPULSE: return c->impulse;
    case DEM_DRAG_ANGULAR_IMPULSE: return column(c->impulse, 4);
    case DEM_HOST_FORCE: return c->host;
    case DEM_HOST_TORQUE: return column(c->host, 4);
    default: return NULL;
  }
}

static dem_status check_request(dem_system *s, int32_t field, int32_t mode) {
  if (s->stepping) return demi_system_refuse(s, DEM_BUSY, "view: not from inside a step or its callbacks");
  const int newer = field == DEM_CONTACT_FORCE || field == DEM_CONTACT_TORQUE || of_fluid(field);
  if (!newer &&
      (field < DEM_POSITION || field > DEM_HOST_TORQUE || field == DEM_DENSITY || field == DEM_MASS || field == DEM_INERTIA))
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

static dem_status let_writer_in(dem_system *s, int32_t field) {
  dem_status status = demi_field_open(s, field);
  if (status) return status;
  s->writer = 1;
  if (s->ledger.on && (field == DEM_VELOCITY || field == DEM_SPIN)) s->kinetic_before = demi_kinetic_all(s);
  return DEM_OK;
}

dem_status demi_view_acquire(dem_system *s, int32_t field, int32_t mode, dem_view *view) {
  dem_view v;
  dem_status status = check_request(s, field, mode);
  if (status) return status;
  if (view->struct_size < VIEW_V1 || view->struct_size > 4096)
    return demi_system_refuse(s, DEM_BAD_STRUCT, "view: struct_size %u is not usable", view->struct_size);
  if (of_fluid(field) && (status = demi_field_open(s, field)) != DEM_OK) return status; /* rows that may not be there yet */
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
  if (demi_field_only_finite(s, v->field, v->count, v->data, v->stride)) return DEM_OK;
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
    if (v.field == DEM_DRAG_RATE || v.field == DEM_SPIN_DRAG_RATE) demi_field_rates_changed(s);
    if (v.field == DEM_POSITION) demi_bonds_reattach(&s->bonds, &s->store, &s->box);
    if (!status && (v.field == DEM_VELOCITY || v.field == DEM_SPIN)) demi_kinetic_book_all(s, &s->kinetic_before);
  } else {
    s->readers--;
  }
  const dem_view empty = {0};
  demi_outgive(view, &empty, sizeof empty, VIEW_V1);
  return status;
}
