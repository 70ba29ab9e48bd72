/* Bulk read and write of per-particle fields. */
#include <math.h>
#include <string.h>

#include "books.h"
#include "engine_change.h"
#include "field_rules.h"
#include "kinetic.h"
#include "limits.h"
#include "particles.h"
#include "places.h"
#include "state.h"

/* Largest drag rate [1/time]: far above any use, and its product with a time step is still finite. */
static const double LARGEST_RATE = DEMI_LARGEST;

typedef struct field {
  int32_t id, components, writable;
  const char *name;
} field;

static const field fields[] = {
    {DEM_POSITION, 3, 1, "position"},
    {DEM_VELOCITY, 3, 1, "velocity"},
    {DEM_SPIN, 3, 1, "spin"},
    {DEM_RADIUS, 1, 1, "radius"},
    {DEM_DENSITY, 1, 1, "density"},
    {DEM_MASS, 1, 0, "mass"},
    {DEM_INERTIA, 1, 0, "inertia"},
    {DEM_FORCE, 3, 0, "force"},
    {DEM_TORQUE, 3, 0, "torque"},
    {DEM_HOST_FORCE, 3, 1, "host_force"},
    {DEM_HOST_TORQUE, 3, 1, "host_torque"},
    {DEM_HALF_VELOCITY, 3, 0, "half_velocity"},
    {DEM_HALF_SPIN, 3, 0, "half_spin"},
    {DEM_HEAT, 1, 0, "heat"},
    {DEM_HEAT_CLASSES, DEMI_HEAT_PACKED, 0, "heat_classes"},
    {DEM_CONTACT_FORCE, 3, 0, "contact_force"},
    {DEM_CONTACT_TORQUE, 3, 0, "contact_torque"},
    {DEM_DRAG_RATE, 1, 1, "drag_rate"},
    {DEM_FLUID_VELOCITY, 3, 1, "fluid_velocity"},
    {DEM_SPIN_DRAG_RATE, 1, 1, "spin_drag_rate"},
    {DEM_FLUID_SPIN, 3, 1, "fluid_spin"},
    {DEM_DRAG_IMPULSE, 3, 1, "drag_impulse"},
    {DEM_DRAG_ANGULAR_IMPULSE, 3, 1, "drag_angular_impulse"},
};

static const field *find_field(int32_t id) {
  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
    if (fields[k].id == id) return &fields[k];
  return NULL;
}

/* ---- which rows ---- */

/* Of the k-th particle in listing order. */
static int64_t listed_row(const dem_system *s, int64_t k) { return s->store.ids.row[s->store.listed[k]]; }

static int64_t row_of(const dem_system *s, const dem_id *ids, int64_t k) {
  return ids ? demi_idpool_row(&s->store.ids, ids[k]) : listed_row(s, k);
}

static dem_status check_rows(const dem_system *s, const char *what, int64_t count, const dem_id *ids) {
  if (count < 0 || (!ids && count != s->store.count))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s: count is %lld, must be %s%lld", what, (long long)count,
                              ids ? ">= " : "the particle count ", ids ? 0LL : (long long)s->store.count);
  for (int64_t k = 0; ids && k < count; k++)
    if (demi_idpool_row(&s->store.ids, ids[k]) < 0)
      return demi_system_refuse(s, DEM_NOT_FOUND, "%s: id %lld of the list, %llu, is unknown or stale", what, (long long)k,
                                (unsigned long long)ids[k]);
  return DEM_OK;
}

/* All rows together must fit into memory as a pointer can reach it. */
static dem_status check_stride(const dem_system *s, const char *what, int64_t components, int64_t count, size_t size,
                               int64_t *stride) {
  const int64_t most = PTRDIFF_MAX / (int64_t)size / (count > 0 ? count : 1);
  if (*stride == 0) *stride = components;
  if (*stride >= components && *stride <= most) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s: stride is %lld, must be 0 or %lld to %lld for %lld rows", what,
                            (long long)*stride, (long long)components, (long long)most, (long long)count);
}

int64_t demi_system_count(const dem_system *s) { return s->store.count; }

dem_status demi_system_ids(const dem_system *s, int64_t capacity, dem_id *ids) {
  if (capacity < s->store.count)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "ids: capacity is %lld, needed %lld", (long long)capacity,
                              (long long)s->store.count);
  for (int64_t k = 0; k < s->store.count; k++) ids[k] = s->store.columns.id[listed_row(s, k)];
  return DEM_OK;
}

dem_status demi_system_index_of(const dem_system *s, int64_t count, const dem_id *ids, int64_t *indices) {
  if (count < 0) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "index_of: count is %lld, must be >= 0", (long long)count);
  if (count == 0) return DEM_OK;
  const dem_status status = check_rows(s, "index_of", count, ids);
  for (int64_t k = 0; k < count && !status; k++) indices[k] = s->store.place[demi_id_slot(ids[k])];
  return status;
}

dem_status demi_system_id_at(const dem_system *s, int64_t count, const int64_t *indices, dem_id *ids) {
  if (count < 0) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "id_at: count is %lld, must be >= 0", (long long)count);
  for (int64_t k = 0; k < count; k++)
    if (indices[k] < 0 || indices[k] >= s->store.count)
      return demi_system_refuse(s, DEM_NOT_FOUND, "id_at: index %lld of the list is %lld, there are %lld particles",
                                (long long)k, (long long)indices[k], (long long)s->store.count);
  for (int64_t k = 0; k < count; k++) ids[k] = s->store.columns.id[listed_row(s, indices[k])];
  return DEM_OK;
}

/* ---- reading ---- */

static void read_position(const dem_system *s, int64_t row, double *out) {
  for (int a = 0; a < 3; a++) {
    int32_t unused = 0;
    out[a] = demi_box_wrap(&s->box, a, s->store.columns.position[4 * row + a], &unused);
  }
}

/* Contacts, host and drag. */
void demi_field_total(const dem_system *s, int64_t row, int angular, double *out) {
  const demi_columns *c = &s->store.columns;
  const int64_t at = 8 * row + 4 * angular;
  const double inertia = angular ? c->inertia[row] : c->mass[row];
  for (int a = 0; a < 3; a++) {
    out[a] = c->load[at + a] + c->host[at + a];
    if (s->options.drag > 0) out[a] += -s->options.drag * inertia * c->seen[at + a];
    if (c->fluid) out[a] += c->fluid[at + 3] * inertia * (c->fluid[at + a] - c->velocity[at + a]);
  }
}

/* The velocity that the evaluation used. If it is not stored, it is the present one less the kicks since then. */
void demi_field_half(const dem_system *s, int64_t row, int angular, double *out) {
  const demi_columns *c = &s->store.columns;
  const int64_t at = 8 * row + 4 * angular;
  const int known = s->interval.state == DEMI_FORCES_SUMMED && demi_store_mobility(&s->store, row) > 0;
  for (int a = 0; a < 3; a++) {
    const int fixed = s->options.dimension == 2 && (angular ? a < 2 : a == 2);
    const double g = angular ? 0 : s->options.gravity[a], f = c->load[at + a] + c->host[at + a];
    out[a] = c->velocity[at + a];
    if (known && !fixed) out[a] = c->seen ? c->seen[at + a] : out[a] - s->interval.kicked * (f * c->velocity[at + 3] + g);
  }
}

/* A row of an optional column; 0 when the column does not exist. */
static void read_optional(const double *column, int64_t at, int32_t components, double *out) {
  for (int32_t a = 0; a < components; a++) out[a] = column ? column[at + a] : 0.0;
}

static void read_heat(const dem_system *s, int64_t row, int32_t id, double *out) {
  const double *heat = s->shares.heat + DEMI_HEAT_CLASSES * demi_id_slot(s->store.columns.id[row]);
  if (id == DEM_HEAT_CLASSES) {
    memcpy(out, heat, DEMI_HEAT_PACKED * sizeof *out);
    return;
  }
  *out = 0;
  for (int k = 0; k < DEMI_HEAT_CLASSES; k++) *out += heat[k];
}

static void read_field(const dem_system *s, int32_t id, int64_t row, double *out) {
  const demi_columns *c = &s->store.columns;
  switch (id) {
    case DEM_POSITION: read_position(s, row, out); break;
    case DEM_VELOCITY: memcpy(out, c->velocity + 8 * row, 3 * sizeof *out); break;
    case DEM_SPIN: memcpy(out, c->velocity + 8 * row + 4, 3 * sizeof *out); break;
    case DEM_RADIUS: *out = c->position[4 * row + 3]; break;
    case DEM_DENSITY: *out = c->density[row]; break;
    case DEM_MASS: *out = c->mass[row]; break;
    case DEM_INERTIA: *out = c->inertia[row]; break;
    case DEM_FORCE: demi_field_total(s, row, 0, out); break;
    case DEM_TORQUE: demi_field_total(s, row, 1, out); break;
    case DEM_CONTACT_FORCE: memcpy(out, c->load + 8 * row, 3 * sizeof *out); break;
    case DEM_CONTACT_TORQUE: memcpy(out, c->load + 8 * row + 4, 3 * sizeof *out); break;
    case DEM_FLUID_VELOCITY: read_optional(c->fluid, 8 * row, 3, out); break;
    case DEM_DRAG_RATE: read_optional(c->fluid, 8 * row + 3, 1, out); break;
    case DEM_FLUID_SPIN: read_optional(c->fluid, 8 * row + 4, 3, out); break;
    case DEM_SPIN_DRAG_RATE: read_optional(c->fluid, 8 * row + 7, 1, out); break;
    case DEM_DRAG_IMPULSE: read_optional(c->impulse, 8 * row, 3, out); break;
    case DEM_DRAG_ANGULAR_IMPULSE: read_optional(c->impulse, 8 * row + 4, 3, out); break;
    case DEM_HOST_FORCE: memcpy(out, c->host + 8 * row, 3 * sizeof *out); break;
    case DEM_HOST_TORQUE: memcpy(out, c->host + 8 * row + 4, 3 * sizeof *out); break;
    case DEM_HALF_VELOCITY: demi_field_half(s, row, 0, out); break;
    case DEM_HEAT:
    case DEM_HEAT_CLASSES: read_heat(s, row, id, out); break;
    default: demi_field_half(s, row, 1, out); break;
  }
}

dem_status demi_system_get(const dem_system *s, int32_t id, int64_t count, const dem_id *ids, double *values, int64_t stride) {
  const field *f = find_field(id);
  if (!f) return demi_system_refuse(s, DEM_NOT_FOUND, "get: field %d is unknown or not floating-point", id);
  if ((id == DEM_HEAT || id == DEM_HEAT_CLASSES) && s->options.ledger < 2)
    return demi_system_refuse(s, DEM_INCOMPLETE, "%s: the system was created with ledger %d, needed 2", f->name,
                              s->options.ledger);
  dem_status status = check_rows(s, f->name, count, ids);
  if (!status) status = check_stride(s, f->name, f->components, count, sizeof *values, &stride);
  if (status) return status;
  for (int64_t k = 0; k < count; k++) read_field(s, id, row_of(s, ids, k), values + k * stride);
  return DEM_OK;
}

static int32_t int_components(int32_t id) { return id == DEM_IMAGE ? 3 : 1; }

static void read_int_field(const dem_system *s, int32_t id, int64_t row, int32_t *out) {
  if (id == DEM_MATERIAL) {
    *out = s->store.columns.material[row];
  } else if (id == DEM_FROZEN) {
    *out = demi_store_frozen(&s->store, row);
  } else {
    for (int a = 0; a < 3; a++) {
      out[a] = s->store.columns.image[3 * row + a];
      demi_box_wrap(&s->box, a, s->store.columns.position[4 * row + a], &out[a]);
    }
  }
}

dem_status demi_system_get_int(const dem_system *s, int32_t id, int64_t count, const dem_id *ids, int32_t *values,
                               int64_t stride) {
  if (id != DEM_MATERIAL && id != DEM_FROZEN && id != DEM_IMAGE)
    return demi_system_refuse(s, DEM_NOT_FOUND, "get_int: field %d is unknown or not integer", id);
  dem_status status = check_rows(s, "get_int", count, ids);
  if (!status) status = check_stride(s, "get_int", int_components(id), count, sizeof *values, &stride);
  if (status) return status;
  for (int64_t k = 0; k < count; k++) read_int_field(s, id, row_of(s, ids, k), values + k * stride);
  return DEM_OK;
}

/* ---- writing ---- */

int demi_field_of_host(int32_t id) {
  return id == DEM_HOST_FORCE || id == DEM_HOST_TORQUE || (id >= DEM_DRAG_RATE && id <= DEM_DRAG_ANGULAR_IMPULSE);
}

/* A frozen particle may be given rest, and where it is driven the velocity or spin that it has. */
static int may_keep(const dem_system *s, int32_t id, int64_t row, const double *v) {
  const double *has = s->store.columns.velocity + 8 * row + (id == DEM_SPIN ? 4 : 0);
  const int same = s->driven && v[0] == has[0] && v[1] == has[1] && v[2] == has[2];
  return same || (v[0] == 0 && v[1] == 0 && v[2] == 0);
}

dem_status demi_field_check(const dem_system *s, int32_t id, int64_t k, int64_t row, const double *v) {
  const field *f = find_field(id);
  for (int32_t a = 0; a < f->components; a++)
    if (!demi_bounded(v[a]))
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s of row %lld: value [%d] is %g, must be finite, -%g to %g", f->name,
                                (long long)k, a, v[a], DEMI_LARGEST, DEMI_LARGEST);
  char text[DEMI_PLACE_TEXT];
  for (int a = 0; f->id == DEM_POSITION && a < 3; a++)
    if (demi_place_flaw(&s->box, demi_place_limit(s->smallest_radius), a, v[a], 0, text))
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "row %lld: %s", (long long)k, text);
  if ((f->id == DEM_RADIUS || f->id == DEM_DENSITY) && !(*v > 0))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s of row %lld: value is %g, must be > 0", f->name, (long long)k, *v);
  if ((f->id == DEM_DRAG_RATE || f->id == DEM_SPIN_DRAG_RATE) && !(*v >= 0 && *v <= LARGEST_RATE))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s of row %lld: value is %g, allowed 0 to %g", f->name, (long long)k, *v,
                              LARGEST_RATE);
  const double *old = s->store.columns.position + 4 * row;
  const double radius = f->id == DEM_RADIUS ? *v : old[3], density = f->id == DEM_DENSITY ? *v : s->store.columns.density[row];
  if ((f->id == DEM_RADIUS || f->id == DEM_DENSITY) && !demi_particle_mass_fits(s, radius, density))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s of row %lld: with %g the mass or inertia is outside of %g to %g",
                              f->name, (long long)k, *v, 1 / DEMI_LARGEST, DEMI_LARGEST);
  if ((f->id == DEM_VELOCITY || f->id == DEM_SPIN) && demi_store_frozen(&s->store, row) && !may_keep(s, f->id, row, v))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s of row %lld: (%g, %g, %g), must be 0 as the particle is frozen", f->name,
                              (long long)k, v[0], v[1], v[2]);
  if (s->options.dimension == 2) {
    const int linear = f->id == DEM_VELOCITY || f->id == DEM_POSITION || f->id == DEM_HOST_FORCE ||
                       f->id == DEM_FLUID_VELOCITY || f->id == DEM_DRAG_IMPULSE;
    const int angular =
        f->id == DEM_SPIN || f->id == DEM_HOST_TORQUE || f->id == DEM_FLUID_SPIN || f->id == DEM_DRAG_ANGULAR_IMPULSE;
    if ((linear && v[2] != 0) || (angular && (v[0] != 0 || v[1] != 0)))
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s of row %lld: (%g, %g, %g) leaves the plane of a 2-dimensional system",
                                f->name, (long long)k, v[0], v[1], v[2]);
  }
  return DEM_OK;
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
int demi_field_only_bounded(const dem_system *s, int32_t id, int64_t count, const double *values, int64_t stride) {
  const int vector = id == DEM_HOST_FORCE || id == DEM_HOST_TORQUE || id == DEM_FLUID_VELOCITY || id == DEM_FLUID_SPIN ||
                     id == DEM_DRAG_IMPULSE || id == DEM_DRAG_ANGULAR_IMPULSE;
  return vector && s->options.dimension == 3 && all_bounded(count, values, stride);
}

static dem_status check_values(const dem_system *s, const field *f, int64_t count, const dem_id *ids, const double *values,
                               int64_t stride) {
  if (demi_field_only_bounded(s, f->id, count, values, stride)) return DEM_OK;
  for (int64_t k = 0; k < count; k++) {
    dem_status status = demi_field_check(s, f->id, k, row_of(s, ids, k), values + k * stride);
    if (status) return status;
  }
  return DEM_OK;
}

static void write_position(dem_system *s, int64_t row, const double *v) {
  for (int a = 0; a < 3; a++) {
    int32_t unused = 0;
    s->store.columns.position[4 * row + a] = demi_box_wrap(&s->box, a, v[a], &unused);
    s->store.columns.image[3 * row + a] = 0;
  }
}

static void write_mass(dem_system *s, double *to, int64_t row, double value) {
  const demi_kinetic before = demi_kinetic_of(s, row);
  *to = value;
  demi_particle_set_mass(s, row);
  demi_kinetic_book(s, row, before);
}

static void write_motion(dem_system *s, double *to, int64_t row, const double *v) {
  const demi_kinetic before = demi_kinetic_of(s, row);
  memcpy(to, v, 3 * sizeof *v);
  demi_kinetic_book(s, row, before);
}

/* The rate for which the factors of the drag were computed has changed. */
static void write_rate(dem_system *s, int64_t row, int angular, double rate) {
  s->store.columns.fluid[8 * row + 4 * angular + 3] = rate;
  s->store.columns.lag[8 * row] = NAN;
}

static void write_field(dem_system *s, int32_t id, int64_t row, const double *v) {
  demi_columns *c = &s->store.columns;
  switch (id) {
    case DEM_POSITION: write_position(s, row, v); break;
    case DEM_VELOCITY: write_motion(s, c->velocity + 8 * row, row, v); break;
    case DEM_SPIN: write_motion(s, c->velocity + 8 * row + 4, row, v); break;
    case DEM_RADIUS: write_mass(s, c->position + 4 * row + 3, row, *v); break;
    case DEM_DENSITY: write_mass(s, c->density + row, row, *v); break;
    case DEM_DRAG_RATE: write_rate(s, row, 0, *v); break;
    case DEM_SPIN_DRAG_RATE: write_rate(s, row, 1, *v); break;
    default: break;
  }
}

void demi_field_rates_changed(dem_system *s) {
  for (int64_t row = 0; row < s->store.count; row++) s->store.columns.lag[8 * row] = NAN;
}

/* Rows of the fields that are three doubles of an array of eights, and nothing else: hosts set these every step. */
static double *eights_of(dem_system *s, int32_t id) {
  if (s->store.count == 0) return NULL; /* no rows are there yet */
  const demi_columns *c = &s->store.columns;
  switch (id) {
    case DEM_HOST_FORCE: return c->host;
    case DEM_HOST_TORQUE: return c->host + 4;
    case DEM_FLUID_VELOCITY: return c->fluid;
    case DEM_FLUID_SPIN: return c->fluid + 4;
    case DEM_DRAG_IMPULSE: return c->impulse;
    case DEM_DRAG_ANGULAR_IMPULSE: return c->impulse + 4;
    default: return NULL;
  }
}

static void write_eights(const dem_system *s, double *to, int64_t count, const dem_id *ids, const double *values,
                         int64_t stride) {
  for (int64_t k = 0; k < count; k++) memcpy(to + 8 * row_of(s, ids, k), values + k * stride, 3 * sizeof *to);
}

/* The rows of the fluid, from the first field of it that is set on. */
static dem_status keep_fluid(dem_system *s) {
  const int seen = s->store.columns.seen != NULL;
  if (demi_store_keep(&s->store, DEMI_KEEP_FLUID | DEMI_KEEP_SEEN))
    return demi_system_refuse(s, DEM_NO_MEMORY, "fluid: out of memory for %lld particles", (long long)s->store.count);
  if (!seen) demi_interval_alter(&s->interval);
  return DEM_OK;
}

/* Marks the data that a change of a field makes invalid. */
dem_status demi_field_open(dem_system *s, int32_t id) {
  if (id == DEM_POSITION || id == DEM_RADIUS || id == DEM_DENSITY) return demi_engine_before_change(s);
  if (id == DEM_HOST_FORCE || id == DEM_HOST_TORQUE) {
    demi_engine_forces_changed(s);
    s->store.host_used = 1;
    return DEM_OK;
  }
  if (id >= DEM_DRAG_RATE && id <= DEM_DRAG_ANGULAR_IMPULSE) {
    const dem_status status = keep_fluid(s);
    if (!status && id <= DEM_FLUID_SPIN) demi_engine_forces_changed(s);
    return status;
  }
  demi_books_now(s);
  demi_interval_drop(&s->interval);
  return DEM_OK;
}

dem_status demi_system_set(dem_system *s, int32_t id, int64_t count, const dem_id *ids, const double *values, int64_t stride) {
  const field *f = find_field(id);
  if (!f || !f->writable) return demi_system_refuse(s, DEM_NOT_FOUND, "set: field %d is unknown or read only", id);
  dem_status status = check_rows(s, f->name, count, ids);
  if (!status) status = check_stride(s, f->name, f->components, count, sizeof *values, &stride);
  if (!status) status = check_values(s, f, count, ids, values, stride);
  if (!status) status = demi_field_open(s, id);
  if (status) return status;
  double *eights = eights_of(s, id);
  if (eights) write_eights(s, eights, count, ids, values, stride);
  for (int64_t k = 0; k < count && !eights; k++) write_field(s, id, row_of(s, ids, k), values + k * stride);
  if (id == DEM_RADIUS) demi_system_measure_radii(s);
  if (id == DEM_POSITION) demi_bonds_reattach(&s->bonds, &s->store, &s->box);
  return DEM_OK;
}

/* A particle with a new material has another law, in which the old histories have no meaning: they are dropped for the rows
 * that change. */
static dem_status change_materials(dem_system *s, int64_t count, const dem_id *ids, const int32_t *values, int64_t stride) {
  const size_t bytes = (size_t)s->store.count;
  uint8_t *changed = demi_allocate_zero(s->context, bytes);
  dem_status status = changed ? demi_engine_before_change(s) : demi_system_refuse(s, DEM_NO_MEMORY, "material: out of memory");
  if (!status) {
    for (int64_t k = 0; k < count; k++) {
      const int64_t row = row_of(s, ids, k);
      if (s->store.columns.material[row] != values[k * stride]) changed[row] = 1;
      s->store.columns.material[row] = values[k * stride];
    }
    demi_carry_drop_marked(&s->contacts.carry, &s->store, changed);
  }
  demi_free(s->context, changed, bytes);
  return status;
}

dem_status demi_system_set_int(dem_system *s, int32_t id, int64_t count, const dem_id *ids, const int32_t *values,
                               int64_t stride) {
  if (id != DEM_MATERIAL) return demi_system_refuse(s, DEM_NOT_FOUND, "set_int: field %d is unknown or read only", id);
  dem_status status = check_rows(s, "material", count, ids);
  if (!status) status = check_stride(s, "material", 1, count, sizeof *values, &stride);
  for (int64_t k = 0; k < count && !status; k++)
    if (values[k * stride] < 0 || values[k * stride] >= s->material_count)
      status = demi_system_refuse(s, DEM_NOT_FOUND, "material of row %lld: value is %d, there are %d", (long long)k,
                                  values[k * stride], s->material_count);
  return status || count == 0 ? status : change_materials(s, count, ids, values, stride);
}
