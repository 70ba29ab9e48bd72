/* Random calls on particles; see calls.h. */
#include "assertions.h"

#include "fault/calls.h"

double draw_coordinate(host *h, int axis) {
  const double side = h->options.box_high[axis] > 0 ? fmin(h->options.box_high[axis], 6) : 4;
  if (axis == 2 && h->options.dimension == 2) return 0;
  return host_uniform(h, -0.1 * side, 1.1 * side);
}

double draw_component(host *h, int axis, double size) { return axis < h->options.dimension ? host_uniform(h, -size, size) : 0; }

double draw_turning(host *h, int axis, double size) {
  return h->options.dimension == 3 || axis == 2 ? host_uniform(h, -size, size) : 0;
}

static double draw_size(host *h) {
  static const double low[] = {0.01, 0.01, 0.03, 0.1, 0.2, 0.2, 0.4, 1.0};
  const int k = host_pick(h, 8);
  return h->wide ? host_uniform(h, low[k], 1.5 * low[k]) : host_uniform(h, 0.2, 0.4);
}

/* Such that masses are those of radii of about 1/2, and fine particles no stiffer than others. */
static double density_of(double radius) { return 0.3 / (radius * radius * radius); }

void draw_field(host *h, int32_t field, double *v, int64_t count) {
  for (int64_t k = 0; k < count; k++)
    for (int a = 0; a < 3; a++) {
      double *x = v + 3 * k + a;
      *x = 0;
      if (field == DEM_POSITION) *x = draw_coordinate(h, a);
      if (field == DEM_VELOCITY || field == DEM_HOST_FORCE || field == DEM_FLUID_VELOCITY) *x = draw_component(h, a, 2);
      if (field == DEM_SPIN || field == DEM_HOST_TORQUE || field == DEM_FLUID_SPIN) *x = draw_turning(h, a, 1);
      if (field == DEM_DRAG_RATE || field == DEM_SPIN_DRAG_RATE) *x = host_pick(h, 3) ? exp(host_uniform(h, -5, 12)) : 0;
      if (field == DEM_VELOCITY && !h->gentle && host_pick(h, 40) == 0) *x *= 500;
      if (field == DEM_RADIUS) *x = host_uniform(h, 0.2, 0.4);
      if (field == DEM_DENSITY) *x = host_uniform(h, 1, 3) * (h->wide ? 1e3 : 1);
    }
}

/* ---- number of particles ---- */

dem_status call_add(host *h) {
  rows r;
  const int64_t room = MOST - host_count(h);
  int64_t n = host_pick(h, 6) ? host_pick(h, 40) : 1;
  if (n > room) n = room;
  const double away = host_pick(h, 10) ? 1 : 1000; /* far outside of the box */
  assert_int_equal(rows_create(&r, n + 1), 0);
  for (int64_t k = 0; k < n; k++) {
    const double far = k == 0 ? away : 1;
    rows_put(&r, far * draw_coordinate(h, 0), far * draw_coordinate(h, 1), far * draw_coordinate(h, 2), draw_size(h));
    if (h->wide) r.density[k] = density_of(r.radius[k]);
    r.material[k] = host_pick(h, MATERIALS);
    r.frozen[k] = host_pick(h, 8) == 0;
    if (r.frozen[k]) continue;
    rows_velocity(&r, k, draw_component(h, 0, 3), draw_component(h, 1, 3), draw_component(h, 2, 3));
    rows_spin(&r, k, draw_turning(h, 0, 5), draw_turning(h, 1, 5), draw_turning(h, 2, 5));
  }
  EVERY(rows_add(&r, system, NULL))
  rows_destroy(&r);
  return status;
}

/* A row that hangs together, for bonds that last. */
dem_status call_chain(host *h) {
  rows r;
  const int64_t room = MOST - host_count(h), n = room < 8 ? room : 8;
  const int axis = host_pick(h, h->options.dimension);
  double at[3] = {draw_coordinate(h, 0), draw_coordinate(h, 1), draw_coordinate(h, 2)};
  const double radius = h->wide ? 0.02 : host_uniform(h, 0.2, 0.4),
               step = radius * (host_pick(h, 2) ? host_uniform(h, 1.9, 2.1) : 1.999);
  assert_int_equal(rows_create(&r, n + 1), 0);
  for (int64_t k = 0; k < n; k++, at[axis] += step) {
    rows_put(&r, at[0], at[1], at[2], radius);
    if (h->wide) r.density[k] = density_of(radius);
  }
  EVERY(rows_add(&r, system, NULL))
  rows_destroy(&r);
  return status;
}

static int64_t some(host *h, dem_id *ids) {
  const int64_t n = host_count(h), step = 1 + host_pick(h, 5);
  int64_t kept = 0;
  ASSERT_OK(host_first(h), dem_system_ids(host_first(h), MOST, ids));
  for (int64_t k = host_pick(h, 3); k < n; k += step) ids[kept++] = ids[k];
  return kept;
}

dem_status call_remove(host *h) {
  dem_id ids[MOST];
  double heat[CLASSES] = {0};
  const int64_t n = some(h, ids);
  heat_add(host_first(h), n, ids, heat);
  EVERY(dem_system_remove_particles(system, n, ids))
  for (int c = 0; c < CLASSES && !status; c++) h->gone.heat[c] += heat[c];
  return status;
}

/* All of one kind of size: a level of sizes goes, or all but one do. */
dem_status call_thin(host *h) {
  dem_id ids[MOST], out[MOST];
  double radius[MOST], heat[CLASSES] = {0};
  const int64_t n = host_count(h);
  int64_t kept = 0;
  const double limit = host_pick(h, 2) ? 0.1 : 0.35;
  const int kind = host_pick(h, 3);
  ASSERT_OK(host_first(h), dem_system_ids(host_first(h), MOST, ids));
  ASSERT_OK(host_first(h), dem_system_get_field(host_first(h), DEM_RADIUS, n, ids, radius, 0));
  for (int64_t k = 0; k < n; k++)
    if (kind == 0 ? radius[k] < limit : kind == 1 ? radius[k] >= limit : k != n / 2) out[kept++] = ids[k];
  if (n > 12 && kind == 2 && host_pick(h, 3)) return DEM_OK;
  heat_add(host_first(h), kept, out, heat);
  EVERY(dem_system_remove_particles(system, kept, out))
  for (int c = 0; c < CLASSES && !status; c++) h->gone.heat[c] += heat[c];
  return status;
}

/* ---- fields ---- */

/* Sizes change, masses do not in the end; what they are in between counts among the largest accounts met. */
dem_status call_grow(host *h) {
  dem_id ids[MOST];
  double radius[MOST], density[MOST];
  const int64_t n = some(h, ids);
  if (h->gentle) return DEM_OK;
  for (int64_t k = 0; k < n; k++) radius[k] = draw_size(h), density[k] = density_of(radius[k]);
  {
    EVERY(dem_system_set_field(system, DEM_RADIUS, n, ids, radius, 0))
    if (status) return status;
  }
  const int fail = h->memory.one_in;
  h->memory.one_in = 0;
  for (int k = 0; k < h->count; k++) twin_energy(h->twin[k].system);
  h->memory.one_in = fail;
  EVERY(dem_system_set_field(system, DEM_DENSITY, n, ids, density, 0))
  return status == DEM_NO_MEMORY ? DEM_OK : status; /* half of it is done */
}

/* All move apart a little, so that contacts end, or become necks. */
dem_status call_stretch(host *h) {
  double v[3 * MOST];
  const int64_t n = host_count(h);
  const double factor = host_pick(h, 2) ? 1.002 : host_uniform(h, 0.999, 1.02);
  ASSERT_OK(host_first(h), dem_system_get_field(host_first(h), DEM_POSITION, n, NULL, v, 0));
  for (int64_t k = 0; k < 3 * n; k++) v[k] *= factor;
  EVERY(dem_system_set_field(system, DEM_POSITION, n, NULL, v, 0))
  return status;
}

dem_status call_set(host *h) {
  static const int32_t fields[] = {DEM_POSITION,  DEM_VELOCITY,       DEM_SPIN,        DEM_RADIUS,
                                   DEM_DENSITY,   DEM_HOST_FORCE,     DEM_HOST_TORQUE, DEM_DRAG_RATE,
                                   DEM_DRAG_RATE, DEM_FLUID_VELOCITY, DEM_FLUID_SPIN,  DEM_SPIN_DRAG_RATE};
  const int32_t field = fields[h->gentle + host_pick(h, 12 - h->gentle)];
  dem_id ids[MOST];
  double v[3 * MOST];
  const int64_t n = some(h, ids);
  draw_field(h, field, v, n);
  EVERY(dem_system_set_field(system, field, n, ids, v, 3))
  return status;
}

/* A little off, so that bonds and contacts last. */
dem_status call_shift(host *h) {
  dem_id ids[MOST];
  double v[3 * MOST];
  const int64_t n = some(h, ids);
  ASSERT_OK(host_first(h), dem_system_get_field(host_first(h), DEM_POSITION, n, ids, v, 0));
  for (int64_t k = 0; k < 3 * n; k++) v[k] += draw_component(h, (int)(k % 3), 0.01);
  EVERY(dem_system_set_field(system, DEM_POSITION, n, ids, v, 0))
  return status;
}

dem_status call_material(host *h) {
  dem_id ids[MOST];
  int32_t m[MOST];
  const int64_t n = some(h, ids);
  for (int64_t k = 0; k < n; k++) m[k] = host_pick(h, MATERIALS);
  EVERY(dem_system_set_field_int(system, DEM_MATERIAL, n, ids, m, 0))
  return status;
}

dem_status call_freeze(host *h) {
  dem_id ids[MOST];
  int64_t n = some(h, ids);
  const int frozen = host_pick(h, 2), all = host_pick(h, 5) == 0;
  if (all) {
    n = host_count(h);
    ASSERT_OK(host_first(h), dem_system_ids(host_first(h), MOST, ids));
  }
  EVERY(dem_system_set_frozen(system, n, ids, frozen))
  return status;
}
