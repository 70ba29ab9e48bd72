/* Views: pointers into the rows, of each field under a count of readers or one writer.
 *
 * Fields that follow from others are closed together with them: forces contain the host's and the drag, half-step velocities
 * come from the velocities. These have no array: their view is a copy, made when the first one opens, in the rows
 * that the next sort will write
 * over; nothing sorts while views are open. */
#include <math.h>
#include <string.h>

#include "field_rules.h"
#include "intake.h"
#include "kinetic.h"
#include "state.h"

#define VIEW_V1 DEMI_SIZE_TO(dem_view, ids)

dem_status demi_view_defaults(dem_view *view, uint32_t struct_size) {
  dem_view v;
  memset(&v, 0, sizeof v);
  return demi_init(view, struct_size, &v, sizeof v, VIEW_V1);
}

/* ---- fields ---- */

typedef struct rule {
  int32_t components, stride;
  int32_t writable;
  uint32_t follows; /* BIT() of the fields it is computed from as they are written */
} rule;

#define BIT(field) (UINT32_C(1) << (field))

static const rule rules[DEMI_VIEW_FIELDS] = {
    [DEM_POSITION] = {3, 4, 1, 0},
    [DEM_VELOCITY] = {3, 8, 1, 0},
    [DEM_SPIN] = {3, 8, 1, 0},
    [DEM_RADIUS] = {1, 4, 0, 0},
    [DEM_DENSITY] = {1, 1, 0, 0},
    [DEM_MASS] = {1, 1, 0, 0},
    [DEM_INERTIA] = {1, 1, 0, 0},
    [DEM_FORCE] = {3, 8, 0, BIT(DEM_HOST_FORCE) | BIT(DEM_DRAG_RATE) | BIT(DEM_FLUID_VELOCITY) | BIT(DEM_VELOCITY)},
    [DEM_TORQUE] = {3, 8, 0, BIT(DEM_HOST_TORQUE) | BIT(DEM_SPIN_DRAG_RATE) | BIT(DEM_FLUID_SPIN) | BIT(DEM_SPIN)},
    [DEM_HOST_FORCE] = {3, 8, 1, 0},
    [DEM_HOST_TORQUE] = {3, 8, 1, 0},
    [DEM_HALF_VELOCITY] = {3, 8, 0, BIT(DEM_VELOCITY)},
    [DEM_HALF_SPIN] = {3, 8, 0, BIT(DEM_SPIN)},
    [DEM_CONTACT_FORCE] = {3, 8, 0, 0},
    [DEM_CONTACT_TORQUE] = {3, 8, 0, 0},
    [DEM_DRAG_RATE] = {1, 8, 1, 0},
    [DEM_FLUID_VELOCITY] = {3, 8, 1, 0},
    [DEM_SPIN_DRAG_RATE] = {1, 8, 1, 0},
    [DEM_FLUID_SPIN] = {3, 8, 1, 0},
    [DEM_DRAG_IMPULSE] = {3, 8, 1, 0},
    [DEM_DRAG_ANGULAR_IMPULSE] = {3, 8, 1, 0},
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
    case DEM_FORCE: return s->store.spare.load;
    case DEM_TORQUE: return part(s->store.spare.load, 4);
    case DEM_CONTACT_FORCE: return c->load;
    case DEM_CONTACT_TORQUE: return part(c->load, 4);
    case DEM_FLUID_VELOCITY: return c->fluid;
    case DEM_DRAG_RATE: return part(c->fluid, 3);
    case DEM_FLUID_SPIN: return part(c->fluid, 4);
    case DEM_SPIN_DRAG_RATE: return part(c->fluid, 7);
    case DEM_DRAG_IMPULSE: return c->impulse;
    case DEM_DRAG_ANGULAR_IMPULSE: return part(c->impulse, 4);
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

static int of_fluid(int32_t field) { return field >= DEM_DRAG_RATE && field <= DEM_DRAG_ANGULAR_IMPULSE; }
static int moves(int32_t field) { return field == DEM_VELOCITY || field == DEM_SPIN; }

/* Fields that no column holds. */
static void copy_rows(dem_system *s, int32_t field) {
  double *to = reals(s, field);
  for (int64_t k = 0; k < s->store.count; k++) switch (field) {
      case DEM_FORCE:
      case DEM_TORQUE: demi_field_total(s, k, field == DEM_TORQUE, to + 8 * k); break;
      case DEM_HALF_VELOCITY:
      case DEM_HALF_SPIN: demi_field_half(s, k, field == DEM_HALF_SPIN, to + 8 * k); break;
      default: return;
    }
}

/* ---- opening ---- */

static dem_status busy(dem_system *s, int32_t field, int32_t other) {
  const int32_t open = s->guards.readers[other];
  if (open < 0) return demi_system_refuse(s, DEM_BUSY, "view of field %d: a view that writes field %d is open", field, other);
  return demi_system_refuse(s, DEM_BUSY, "view of field %d: %d views that read field %d are open; one writer or many readers",
                            field, open, other);
}

/* Forces follow from velocities only by the drag of the fluid. */
static int follows(const dem_system *s, int32_t field, int32_t from) {
  const int total = field == DEM_FORCE || field == DEM_TORQUE;
  if (total && moves(from) && !s->store.columns.fluid) return 0;
  return (rules[field].follows & BIT(from)) != 0;
}

/* A field has many readers or one writer; what follows from it counts as the same field. */
static dem_status check_others(dem_system *s, int32_t field, int32_t mode) {
  for (int32_t other = 1; other < DEMI_VIEW_FIELDS; other++) {
    const int meets = other == field || follows(s, other, field) || follows(s, field, other);
    const int bars = mode == DEM_WRITE ? s->guards.readers[other] != 0 : s->guards.readers[other] < 0;
    if (known(other) && meets && bars) return busy(s, field, other);
  }
  return DEM_OK;
}

static dem_status check_stage(dem_system *s, int32_t field, int32_t mode) {
  if (s->guards.callbacks == 0) return DEM_OK;
  if (!s->guards.in_before_step) return demi_system_refuse(s, DEM_BUSY, "view: not from inside a step or its callbacks");
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

static dem_status let_writer_in(dem_system *s, int32_t field) {
  dem_status status = demi_field_open(s, field);
  if (status) return status;
  if (moves(field) && s->guards.velocity_writers++ == 0 && s->ledger.on) s->guards.kinetic_before_writers = demi_kinetic_all(s);
  s->guards.readers[field] = -1;
  return DEM_OK;
}

static void let_reader_in(dem_system *s, int32_t field) {
  if (s->guards.readers[field]++ == 0) copy_rows(s, field);
}

dem_status demi_view_acquire(dem_system *s, int32_t field, int32_t mode, dem_view *view) {
  dem_view v;
  dem_status status = check_request(s, field, mode);
  if (!status) status = check_size(s, field, view);
  if (!status && mode == DEM_READ && of_fluid(field)) status = demi_field_open(s, field); /* rows that may not be there yet */
  if (!status && mode == DEM_WRITE) status = let_writer_in(s, field);
  if (status) return status;
  if (mode == DEM_READ) let_reader_in(s, field);
  s->guards.views++;
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
  if (demi_field_only_bounded(s, v->field, v->count, v->data, v->stride)) return DEM_OK;
  for (int64_t k = 0; k < v->count; k++)
    if (demi_field_check(s, v->field, k, k, v->data + k * v->stride)) {
      const double *x = v->data + k * v->stride;
      const int finite = isfinite(x[0]) && isfinite(x[v->components / 2]) && isfinite(x[v->components - 1]);
      return demi_system_poison(s, finite ? DEM_FAILED_PLUGIN : DEM_FAILED_NOT_FINITE);
    }
  return DEM_OK;
}

/* The last writer of motion to leave books what all of them brought: only then nobody is writing. */
static dem_status let_writer_out(dem_system *s, const dem_view *v) {
  const dem_status status = check_written(s, v);
  s->guards.readers[v->field] = 0;
  if (v->field == DEM_DRAG_RATE || v->field == DEM_SPIN_DRAG_RATE) demi_field_rates_changed(s);
  if (v->field == DEM_POSITION) demi_bonds_reattach(&s->bonds, &s->store, &s->box);
  if (moves(v->field) && --s->guards.velocity_writers == 0 && !status)
    demi_kinetic_book_all(s, &s->guards.kinetic_before_writers);
  return status;
}

static int is_open(const dem_system *s, const dem_view *v) {
  if (!known(v->field) || v->count != s->store.count) return 0;
  if (v->data != reals(s, v->field)) return 0;
  return v->mode == DEM_WRITE ? s->guards.readers[v->field] < 0 : v->mode == DEM_READ && s->guards.readers[v->field] > 0;
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
    s->guards.readers[v.field]--;
  s->guards.views--;
  const dem_view empty = {0};
  demi_outgive(view, &empty, sizeof empty, VIEW_V1);
  return status;
}
