/* Views: pointers into the rows, of each field under a count of readers or one writer.
 *
 * Fields that follow from others are closed together with them: forces contain the host's and the drag, half-step velocities
 * come from the velocities. These have no array: their view is a copy, made when the first one opens, in the rows
 * that the next sort will write
 * over; nothing sorts while views are open. */
#include <math.h>
#include <string.h>

#include "field_rows.h"
#include "field_rules.h"
#include "intake.h"
#include "kinetic.h"

#define VIEW_V1 DEMI_SIZE_TO(dem_view, ids)

dem_status demi_view_defaults(dem_view *view, uint32_t struct_size) {
  dem_view v;
  memset(&v, 0, sizeof v);
  return demi_init(view, struct_size, &v, sizeof v, VIEW_V1);
}

static int has_view(const demi_field *f) { return f && f->column != DEMI_NO_COLUMN; }
/* A writer of the field changes kinetic energy. */
static int moves(const demi_field *f) { return f->stale == DEMI_STALE_FORCES; }
static int32_t *readers_of(dem_system *s, const demi_field *f) { return &s->guards.readers[demi_field_index(f)]; }

/* Fields that no column holds. */
static void copy_rows(dem_system *s, const demi_field *f) {
  double *to = demi_field_reals(s, f);
  for (int64_t k = 0; k < s->store.count; k++) f->derive(s, f, k, to + k * f->width);
}

/* ---- opening ---- */

static dem_status busy(dem_system *s, const demi_field *f, const demi_field *other) {
  const int32_t open = *readers_of(s, other);
  if (open < 0) return demi_system_refuse(s, DEM_BUSY, "view of %s: a view that writes %s is open", f->symbol, other->symbol);
  return demi_system_refuse(s, DEM_BUSY, "view of %s: %d views that read %s are open; one writer or many readers", f->symbol,
                            open, other->symbol);
}

/* Forces follow from velocities only by the drag of the fluid. */
static int follows(const dem_system *s, const demi_field *f, const demi_field *from) {
  const uint32_t all = f->follows | (s->store.columns.fluid ? f->fluid_follows : 0);
  return from->number < DEMI_FIELD_ROWS && (all >> from->number & 1);
}

/* A field has many readers or one writer; what follows from it counts as the same field. */
static dem_status check_others(dem_system *s, const demi_field *f, int32_t mode) {
  demi_field room;
  for (int32_t k = 0; k < DEMI_FIELD_INDICES; k++) {
    const demi_field *other = demi_field_at(s, k, &room);
    if (!other || (other->number != f->number && !follows(s, other, f) && !follows(s, f, other))) continue;
    const int32_t open = *readers_of(s, other);
    if (mode == DEM_WRITE ? open != 0 : open < 0) return busy(s, f, other);
  }
  return DEM_OK;
}

static dem_status check_stage(dem_system *s, const demi_field *f, int32_t mode) {
  if (s->guards.callbacks == 0) return DEM_OK;
  if (!s->guards.in_before_step) return demi_system_refuse(s, DEM_BUSY, "view: not from inside a step or its callbacks");
  if (mode == DEM_READ || (f->may & DEMI_MAY_BEFORE_STEP)) return DEM_OK;
  return demi_system_refuse(s, DEM_BUSY, "view: %s may not be written before a step, only what the host sets may", f->symbol);
}

static dem_status check_request(dem_system *s, const demi_field *f, int32_t field, int32_t mode) {
  if (!f) return demi_system_refuse(s, DEM_NOT_FOUND, "view: field %d is unknown", field);
  if (!has_view(f)) return demi_system_refuse(s, DEM_NOT_FOUND, "view: %s has no view", f->symbol);
  if (mode != DEM_READ && mode != DEM_WRITE)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "view: mode is %d, allowed %d or %d", mode, DEM_READ, DEM_WRITE);
  if (mode == DEM_WRITE && !(f->may & DEMI_MAY_WRITE_VIEW))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "view: %s is read only in a view", f->symbol);
  const dem_status status = check_stage(s, f, mode);
  return status ? status : check_others(s, f, mode);
}

static dem_status check_size(dem_system *s, const demi_field *f, const dem_view *view) {
  const size_t least = f->type == DEMI_FIELD_INTEGER ? DEMI_SIZE_TO(dem_view, integers) : VIEW_V1;
  if (view->struct_size >= least && view->struct_size <= 4096) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_STRUCT, "view: struct_size %u is not usable, %s needs %zu to 4096", view->struct_size,
                            f->symbol, least);
}

static dem_status let_writer_in(dem_system *s, const demi_field *f) {
  dem_status status = demi_field_open(s, f);
  if (status) return status;
  if (moves(f) && s->guards.velocity_writers++ == 0 && s->ledger.on) s->guards.kinetic_before_writers = demi_kinetic_all(s);
  *readers_of(s, f) = -1;
  return DEM_OK;
}

/* A view of optional columns makes them, also to be read. */
static dem_status let_reader_in(dem_system *s, const demi_field *f) {
  const dem_status status = f->keeps ? demi_field_open(s, f) : DEM_OK;
  if (!status && (*readers_of(s, f))++ == 0 && f->copied) copy_rows(s, f);
  return status;
}

static dem_view describe(const dem_system *s, const demi_field *f, int32_t mode) {
  dem_view v;
  memset(&v, 0, sizeof v);
  v.field = f->number;
  v.mode = mode;
  v.count = s->store.count;
  v.epoch = s->epoch;
  v.components = f->components;
  v.stride = f->width;
  v.data = demi_field_reals(s, f);
  v.integers = demi_field_integers(s, f);
  v.ids = s->store.columns.id;
  return v;
}

dem_status demi_view_acquire(dem_system *s, int32_t field, int32_t mode, dem_view *view) {
  demi_field room;
  const demi_field *f = demi_field_find(s, field, &room);
  dem_status status = check_request(s, f, field, mode);
  if (!status) status = check_size(s, f, view);
  if (!status) status = mode == DEM_WRITE ? let_writer_in(s, f) : let_reader_in(s, f);
  if (status) return status;
  s->guards.views++;
  const dem_view v = describe(s, f, mode);
  return demi_outgive(view, &v, sizeof v, VIEW_V1);
}

/* ---- closing ---- */

/* The same rules as for set, but the values are there already: what breaks them poisons. */
static dem_status check_written(dem_system *s, const demi_field *f, const dem_view *v) {
  if (demi_field_only_bounded(s, f, v->count, v->data, v->stride)) return DEM_OK;
  for (int64_t k = 0; k < v->count; k++)
    if (demi_field_check(s, f, k, k, v->data + k * v->stride)) {
      const double *x = v->data + k * v->stride;
      const int finite = isfinite(x[0]) && isfinite(x[v->components / 2]) && isfinite(x[v->components - 1]);
      return demi_system_poison(s, finite ? DEM_FAILED_PLUGIN : DEM_FAILED_NOT_FINITE);
    }
  return DEM_OK;
}

/* The last writer of motion to leave books what all of them brought: only then nobody is writing. */
static dem_status let_writer_out(dem_system *s, const demi_field *f, const dem_view *v) {
  const dem_status status = check_written(s, f, v);
  *readers_of(s, f) = 0;
  if (f->after_view) f->after_view(s);
  if (moves(f) && --s->guards.velocity_writers == 0 && !status) demi_kinetic_book_all(s, &s->guards.kinetic_before_writers);
  return status;
}

static int is_open(dem_system *s, const demi_field *f, const dem_view *v) {
  if (!has_view(f) || v->count != s->store.count || v->data != demi_field_reals(s, f)) return 0;
  return v->mode == DEM_WRITE ? *readers_of(s, f) < 0 : v->mode == DEM_READ && *readers_of(s, f) > 0;
}

dem_status demi_view_release(dem_system *s, dem_view *view) {
  dem_view v;
  demi_field room;
  dem_status status = demi_intake(&v, sizeof v, view, VIEW_V1);
  if (status) return demi_system_refuse(s, status, "view: struct_size %u is not usable", view->struct_size);
  const demi_field *f = demi_field_find(s, v.field, &room);
  if (!is_open(s, f, &v))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "view: it is not open (field %d, mode %d)", v.field, v.mode);
  if (v.mode == DEM_WRITE)
    status = let_writer_out(s, f, &v);
  else
    --*readers_of(s, f);
  s->guards.views--;
  const dem_view empty = {0};
  demi_outgive(view, &empty, sizeof empty, VIEW_V1);
  return status;
}
