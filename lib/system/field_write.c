/* Bulk write of fields: the rules for new values, what a change makes invalid, and the rows. */
#include <math.h>
#include <string.h>

#include "books.h"
#include "box_motion.h"
#include "engine_change.h"
#include "field_rows.h"
#include "field_rules.h"
#include "kinetic.h"
#include "limits.h"
#include "particles.h"
#include "places.h"

/* ---- rules of single fields ---- */

dem_status demi_check_place(const dem_system *s, const demi_field *f, int64_t k, int64_t row, const double *v) {
  char text[DEMI_PLACE_TEXT];
  (void)row;
  if (demi_place_flaw(&s->box, demi_place_limit(s->smallest_radius), v, NULL, text))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s of row %lld: %s", f->symbol, (long long)k, text);
  return DEM_OK;
}

dem_status demi_check_mass(const dem_system *s, const demi_field *f, int64_t k, int64_t row, const double *v) {
  const double radius = f->number == DEM_RADIUS ? *v : s->store.columns.position[4 * row + 3];
  const double density = f->number == DEM_DENSITY ? *v : s->store.columns.density[row];
  if (demi_particle_mass_fits(s, radius, density)) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s of row %lld: with %g the mass or inertia is outside of %g to %g",
                            f->symbol, (long long)k, *v, 1 / DEMI_LARGEST, DEMI_LARGEST);
}

/* A frozen particle may be given rest, and where it is driven the velocity or spin that it has. */
dem_status demi_check_motion(const dem_system *s, const demi_field *f, int64_t k, int64_t row, const double *v) {
  if (!demi_store_frozen(&s->store, row)) return DEM_OK;
  const double *has = s->store.columns.velocity + 8 * row + f->first;
  if (s->driven && v[0] == has[0] && v[1] == has[1] && v[2] == has[2]) return DEM_OK;
  if (v[0] == 0 && v[1] == 0 && v[2] == 0) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s of row %lld: (%g, %g, %g), must be 0 as the particle is frozen", f->symbol,
                            (long long)k, v[0], v[1], v[2]);
}

/* ---- rules of all fields ---- */

static dem_status check_range(const dem_system *s, const demi_field *f, int64_t k, const double *v) {
  for (int32_t a = 0; a < f->components && f->range != DEMI_RANGE_ANY; a++)
    if (!demi_bounded(v[a]))
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s of row %lld: value [%d] is %g, must be finite, -%g to %g [%s]",
                                f->symbol, (long long)k, a, v[a], DEMI_LARGEST, DEMI_LARGEST, f->unit);
  if (f->range == DEMI_RANGE_POSITIVE && !(*v > 0))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s of row %lld: value is %g, must be > 0 [%s]", f->symbol, (long long)k, *v,
                              f->unit);
  if (f->range == DEMI_RANGE_RATE && !(*v >= 0))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s of row %lld: value is %g, allowed 0 to %g [%s]", f->symbol, (long long)k,
                              *v, DEMI_LARGEST, f->unit);
  return DEM_OK;
}

static dem_status check_plane(const dem_system *s, const demi_field *f, int64_t k, const double *v) {
  int off = 0;
  for (int a = 0; a < 3 && f->flat && s->options.dimension == 2; a++) off = off || ((f->flat >> a & 1) && v[a] != 0);
  if (!off) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s of row %lld: (%g, %g, %g) leaves the plane of a 2-dimensional system",
                            f->symbol, (long long)k, v[0], v[1], v[2]);
}

dem_status demi_field_check(const dem_system *s, const demi_field *f, int64_t k, int64_t row, const double *v) {
  dem_status status = check_range(s, f, k, v);
  if (!status && f->check) status = f->check(s, f, k, row, v);
  return status ? status : check_plane(s, f, k, v);
}

/* Without their sign numbers are in the order of their bits, with infinity and NaN above all: beyond the limit the difference
 * carries into the sign. */
static inline uint64_t mark_beyond(const double *value, uint64_t limit) {
  uint64_t bits;
  memcpy(&bits, value, sizeof bits);
  return limit - (bits & UINT64_C(0x7fffffffffffffff));
}

/* 1: rows of three are all within the limit. */
static int all_bounded(int64_t count, const double *values, int64_t stride) {
  const double largest = DEMI_LARGEST;
  uint64_t bad = 0, limit;
  memcpy(&limit, &largest, sizeof limit);
  for (int64_t k = 0; k < 3 * count && stride == 3; k++) bad |= mark_beyond(values + k, limit);
  for (int64_t k = 0; k < count && stride != 3; k++)
    for (int a = 0; a < 3; a++) bad |= mark_beyond(values + k * stride + a, limit);
  return !(bad >> 63);
}

/* Hosts set these every step. */
int demi_field_only_bounded(const dem_system *s, const demi_field *f, int64_t count, const double *values, int64_t stride) {
  if (f->range == DEMI_RANGE_ANY) return 1;
  return f->range == DEMI_RANGE_BOUNDED && !f->check && f->components == 3 && s->options.dimension == 3 &&
         all_bounded(count, values, stride);
}

static dem_status check_values(const dem_system *s, const demi_field *f, int64_t count, const dem_id *ids, const double *values,
                               int64_t stride) {
  if (demi_field_only_bounded(s, f, count, values, stride)) return DEM_OK;
  for (int64_t k = 0; k < count; k++) {
    dem_status status = demi_field_check(s, f, k, demi_row_of(s, ids, k), values + k * stride);
    if (status) return status;
  }
  return DEM_OK;
}

/* ---- rows of single fields ---- */

void demi_write_position(dem_system *s, const demi_field *f, int64_t row, const double *v) {
  (void)f;
  const demi_kinetic before = demi_kinetic_of(s, row);
  memcpy(s->store.columns.position + 4 * row, v, 3 * sizeof *v);
  demi_box_take_in(s, row);
  memset(s->store.columns.image + 3 * row, 0, 3 * sizeof(int32_t));
  if (demi_box_moves(s)) demi_kinetic_book(s, row, before);
}

void demi_write_mass(dem_system *s, const demi_field *f, int64_t row, const double *v) {
  const demi_kinetic before = demi_kinetic_of(s, row);
  demi_field_reals(s, f)[f->width * row] = *v;
  demi_particle_set_mass(s, row);
  demi_kinetic_book(s, row, before);
}

void demi_write_motion(dem_system *s, const demi_field *f, int64_t row, const double *v) {
  const demi_kinetic before = demi_kinetic_of(s, row);
  memcpy(s->store.columns.velocity + 8 * row + f->first, v, 3 * sizeof *v);
  if (f->first == 0) demi_box_unwrapped_velocity(s, row);
  demi_kinetic_book(s, row, before);
}

/* The rate for which the factors of the drag were computed has changed. */
void demi_write_rate(dem_system *s, const demi_field *f, int64_t row, const double *v) {
  s->store.columns.fluid[8 * row + f->first] = *v;
  s->store.columns.lag[8 * row] = NAN;
}

void demi_after_rates(dem_system *s) {
  for (int64_t row = 0; row < s->store.count; row++) s->store.columns.lag[8 * row] = NAN;
}

void demi_after_positions(dem_system *s) { demi_bonds_reattach(&s->bonds, &s->store, &s->box); }

/* ---- writing ---- */

/* Rows that are copied as they are. Three numbers of eight are the common case, which hosts set every step. */
static void copy_reals(const dem_system *s, const demi_field *f, int64_t count, const dem_id *ids, const double *values,
                       int64_t stride) {
  double *to = demi_field_reals(s, f);
  const int64_t width = f->width;
  const size_t bytes = (size_t)f->components * sizeof *values;
  if (f->components == 3 && width == 8)
    for (int64_t k = 0; k < count; k++) memcpy(to + 8 * demi_row_of(s, ids, k), values + k * stride, 3 * sizeof *to);
  else if (f->components == 1)
    for (int64_t k = 0; k < count; k++) to[width * demi_row_of(s, ids, k)] = values[k * stride];
  else
    for (int64_t k = 0; k < count; k++) memcpy(to + width * demi_row_of(s, ids, k), values + k * stride, bytes);
}

/* Optional columns, from the first use of a field in them on. */
static dem_status keep(dem_system *s, const demi_field *f) {
  const int seen = s->store.columns.seen != NULL;
  if (demi_store_keep(&s->store, f->keeps))
    return demi_system_refuse(s, DEM_NO_MEMORY, "%s: out of memory for %lld particles", f->symbol, (long long)s->store.count);
  if (!seen) demi_interval_alter(&s->interval);
  return DEM_OK;
}

dem_status demi_field_open(dem_system *s, const demi_field *f) {
  const dem_status status = f->keeps ? keep(s, f) : DEM_OK;
  if (status) return status;
  switch (f->stale) {
    case DEMI_STALE_PARTICLES: return demi_engine_set_contacts_aside(s);
    case DEMI_STALE_FORCES:
      demi_books_now(s);
      demi_interval_drop(&s->interval);
      break;
    case DEMI_STALE_BOOKS: demi_engine_book_old_forces(s); break;
    default: break;
  }
  if (f->column == offsetof(demi_columns, host)) s->store.host_used = 1;
  return DEM_OK;
}

static dem_status check_field(const dem_system *s, const demi_field *f, const char *call, int32_t number, int32_t type) {
  if (!f) return demi_system_refuse(s, DEM_NOT_FOUND, "%s: field %d is unknown", call, number);
  if (!(f->may & DEMI_MAY_SET)) return demi_system_refuse(s, DEM_NOT_FOUND, "%s: %s is read only", call, f->symbol);
  if (f->type == type) return DEM_OK;
  return demi_system_refuse(
      s, DEM_NOT_FOUND, "%s: %s has %s", call, f->symbol,
      type == DEMI_FIELD_REAL ? "integers, see dem_system_set_field_int" : "doubles, see dem_system_set_field");
}

dem_status demi_system_set_field(dem_system *s, int32_t number, int64_t count, const dem_id *ids, const double *values,
                                 int64_t stride) {
  demi_field room;
  const demi_field *f = demi_field_find(s, number, &room);
  dem_status status = check_field(s, f, "set", number, DEMI_FIELD_REAL);
  if (!status) status = demi_rows_check(s, f->symbol, count, ids);
  if (!status) status = demi_rows_stride(s, f->symbol, f->components, count, sizeof *values, &stride);
  if (!status) status = check_values(s, f, count, ids, values, stride);
  if (!status) status = demi_field_open(s, f);
  if (status) return status;
  if (number == DEM_POSITION) demi_box_flip(s);
  if (number == DEM_POSITION && demi_box_moves(s)) demi_box_wrap_rows(s); /* so that velocities are those that are read */
  if (!f->write) copy_reals(s, f, count, ids, values, stride);
  for (int64_t k = 0; k < count && f->write; k++) f->write(s, f, demi_row_of(s, ids, k), values + k * stride);
  if (f->after_set) f->after_set(s);
  return DEM_OK;
}

/* A particle with a new material has another law, in which the old histories have no meaning: they are dropped for the rows
 * that change. */
static dem_status change_materials(dem_system *s, int64_t count, const dem_id *ids, const int32_t *values, int64_t stride) {
  const size_t bytes = (size_t)s->store.count;
  uint8_t *changed = demi_allocate_zero(s->context, bytes);
  dem_status status =
      changed ? demi_engine_set_contacts_aside(s) : demi_system_refuse(s, DEM_NO_MEMORY, "DEM_MATERIAL: out of memory");
  if (!status) {
    for (int64_t k = 0; k < count; k++) {
      const int64_t row = demi_row_of(s, ids, k);
      if (s->store.columns.material[row] != values[k * stride]) changed[row] = 1;
      s->store.columns.material[row] = values[k * stride];
    }
    demi_carry_drop_marked(&s->contacts.carry, &s->store, changed);
  }
  demi_free(s->context, changed, bytes);
  return status;
}

/* The only field of integers that may be set is the material. */
dem_status demi_system_set_field_int(dem_system *s, int32_t number, int64_t count, const dem_id *ids, const int32_t *values,
                                     int64_t stride) {
  demi_field room;
  const demi_field *f = demi_field_find(s, number, &room);
  dem_status status = check_field(s, f, "set_int", number, DEMI_FIELD_INTEGER);
  if (!status) status = demi_rows_check(s, f->symbol, count, ids);
  if (!status) status = demi_rows_stride(s, f->symbol, f->components, count, sizeof *values, &stride);
  for (int64_t k = 0; k < count && !status; k++)
    if (values[k * stride] < 0 || values[k * stride] >= s->materials.count)
      status = demi_system_refuse(s, DEM_NOT_FOUND, "%s of row %lld: value is %d, there are %d", f->symbol, (long long)k,
                                  values[k * stride], s->materials.count);
  return status || count == 0 ? status : change_materials(s, count, ids, values, stride);
}
