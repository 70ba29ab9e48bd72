/* Adding, removing, freezing particles. */
#include <math.h>
#include <string.h>

#include "box_motion.h"
#include "engine_change.h"
#include "intake.h"
#include "kinetic.h"
#include "limits.h"
#include "places.h"
#include "shares.h"
#include "state.h"
#include "particles.h"

#define PARTICLES_V1 DEMI_SIZE_TO(dem_particles, image)

dem_status demi_particles_defaults(dem_particles *particles, uint32_t struct_size) {
  dem_particles p;
  memset(&p, 0, sizeof p);
  return demi_init(particles, struct_size, &p, sizeof p, PARTICLES_V1);
}

/* ---- mass ---- */

static const double pi = 3.14159265358979323846;

static double mass_of(const dem_system *s, double r, double density) {
  return s->options.shape == DEM_SHAPE_DISC ? pi * r * r * density : 4.0 / 3.0 * pi * r * r * r * density;
}

static double inertia_of(const dem_system *s, double r, double mass) {
  return (s->options.shape == DEM_SHAPE_DISC ? 0.5 : 0.4) * mass * r * r;
}

int demi_particle_mass_fits(const dem_system *s, double radius, double density) {
  const double mass = mass_of(s, radius, density), inertia = inertia_of(s, radius, mass);
  return demi_bounded_above_zero(mass) && demi_bounded_above_zero(inertia);
}

void demi_particle_set_mass(dem_system *s, int64_t row) {
  demi_columns *c = &s->store.columns;
  const double r = c->position[4 * row + 3];
  const int frozen = demi_store_frozen(&s->store, row);
  c->mass[row] = mass_of(s, r, c->density[row]);
  c->inertia[row] = inertia_of(s, r, c->mass[row]);
  if (!frozen) demi_particle_release(s, row);
}

void demi_particle_release(dem_system *s, int64_t row) {
  s->store.columns.velocity[8 * row + 3] = 1.0 / s->store.columns.mass[row];
  s->store.columns.velocity[8 * row + 7] = 1.0 / s->store.columns.inertia[row];
}

void demi_particle_freeze(dem_system *s, int64_t row) { memset(s->store.columns.velocity + 8 * row, 0, 8 * sizeof(double)); }

static void note_radius(dem_system *s, double radius) {
  s->largest_radius = fmax(s->largest_radius, radius);
  if (s->smallest_radius == 0 || radius < s->smallest_radius) s->smallest_radius = radius;
  s->radius_sum += radius;
}

void demi_system_measure_radii(dem_system *s) {
  s->largest_radius = s->smallest_radius = s->radius_sum = 0;
  for (int64_t k = 0; k < s->store.count; k++) note_radius(s, s->store.columns.position[4 * k + 3]);
}

/* ---- checks ---- */

static dem_status check_vector(dem_system *s, const char *name, const double *values, int64_t row) {
  for (int a = 0; values && a < 3; a++)
    if (!demi_bounded(values[3 * row + a]))
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "particle %lld: %s[%d] is %g, must be finite, -%g to %g", (long long)row,
                                name, a, values[3 * row + a], DEMI_LARGEST, DEMI_LARGEST);
  return DEM_OK;
}

static dem_status check_positive(dem_system *s, const char *name, double value, int64_t row) {
  if (demi_bounded_above_zero(value)) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "particle %lld: %s is %g, must be finite and > 0, %g to %g", (long long)row,
                            name, value, 1 / DEMI_LARGEST, DEMI_LARGEST);
}

static int is_zero(const double *values, int64_t row) {
  return !values || (values[3 * row] == 0 && values[3 * row + 1] == 0 && values[3 * row + 2] == 0);
}

static dem_status check_plane_motion(dem_system *s, const dem_particles *p, int64_t row) {
  if (s->options.dimension != 2) return DEM_OK;
  if (p->position[3 * row + 2] != 0)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "particle %lld: position[2] is %g, must be 0 in 2 dimensions",
                              (long long)row, p->position[3 * row + 2]);
  if (p->velocity && p->velocity[3 * row + 2] != 0)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "particle %lld: velocity[2] is %g, must be 0 in 2 dimensions",
                              (long long)row, p->velocity[3 * row + 2]);
  if (p->spin && (p->spin[3 * row] != 0 || p->spin[3 * row + 1] != 0))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "particle %lld: spin is (%g, %g, .), x and y must be 0 in 2 dimensions",
                              (long long)row, p->spin[3 * row], p->spin[3 * row + 1]);
  return DEM_OK;
}

static dem_status check_kind(dem_system *s, const dem_particles *p, int64_t row) {
  const int32_t material = p->material ? p->material[row] : 0, frozen = p->frozen ? p->frozen[row] : 0;
  if (material < 0 || material >= s->materials.count)
    return demi_system_refuse(s, DEM_NOT_FOUND, "particle %lld: material is %d, there are %d", (long long)row, material,
                              s->materials.count);
  if (frozen != 0 && frozen != 1)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "particle %lld: frozen is %d, allowed 0 or 1", (long long)row, frozen);
  if (frozen && (!is_zero(p->velocity, row) || !is_zero(p->spin, row)))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "particle %lld: frozen with velocity or spin, must be 0", (long long)row);
  return DEM_OK;
}

/* With the smallest radius as it will be. */
static double new_place_limit(const dem_system *s, const dem_particles *p) {
  double smallest = s->smallest_radius > 0 ? s->smallest_radius : INFINITY;
  for (int64_t k = 0; k < p->count; k++) smallest = fmin(smallest, p->radius[k]);
  return demi_place_limit(smallest);
}

static dem_status check_place(dem_system *s, const dem_particles *p, int64_t row, double limit) {
  char text[DEMI_PLACE_TEXT];
  if (demi_place_flaw(&s->box, limit, p->position + 3 * row, p->image ? p->image + 3 * row : NULL, text))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "particle %lld: %s", (long long)row, text);
  return DEM_OK;
}

static dem_status check_row(dem_system *s, const dem_particles *p, int64_t row) {
  dem_status status = check_vector(s, "position", p->position, row);
  if (!status) status = check_vector(s, "velocity", p->velocity, row);
  if (!status) status = check_vector(s, "spin", p->spin, row);
  if (!status) status = check_positive(s, "radius", p->radius[row], row);
  if (!status) status = check_positive(s, "density", p->density[row], row);
  if (!status && !demi_particle_mass_fits(s, p->radius[row], p->density[row]))
    status = demi_system_refuse(s, DEM_BAD_ARGUMENT,
                                "particle %lld: radius %g and density %g give a mass or inertia outside of %g to %g",
                                (long long)row, p->radius[row], p->density[row], 1 / DEMI_LARGEST, DEMI_LARGEST);
  if (!status) status = check_kind(s, p, row);
  if (!status) status = check_plane_motion(s, p, row);
  return status;
}

static dem_status check_rows(dem_system *s, const dem_particles *p) {
  if (p->reserved_zero != 0)
    return demi_system_refuse(s, DEM_UNSUPPORTED, "particles: reserved_zero is %d, must be 0", p->reserved_zero);
  if (p->count < 0 || p->count > (int64_t)DEMI_ROW_MASK - s->store.count)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "particles: count is %lld beside %lld, allowed 0 to %lld in all",
                              (long long)p->count, (long long)s->store.count, (long long)DEMI_ROW_MASK);
  if (p->count > 0 && (!p->position || !p->radius || !p->density))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "particles: %s is NULL, it is required",
                              !p->position ? "position" : (!p->radius ? "radius" : "density"));
  for (int64_t k = 0; k < p->count; k++) {
    dem_status status = check_row(s, p, k);
    if (status) return status;
  }
  const double limit = p->count > 0 ? new_place_limit(s, p) : 0;
  for (int64_t k = 0; k < p->count; k++) {
    dem_status status = check_place(s, p, k, limit);
    if (status) return status;
  }
  return DEM_OK;
}

/* ---- adding ---- */

static void add_row(dem_system *s, const dem_particles *p, int64_t k, int64_t row) {
  demi_columns *c = &s->store.columns;
  memset(c->velocity + 8 * row, 0, 8 * sizeof(double));
  memset(c->load + 8 * row, 0, 8 * sizeof(double));
  memset(c->host + 8 * row, 0, 8 * sizeof(double));
  demi_store_clear_optional(&s->store, row);
  for (int a = 0; a < 3; a++) {
    c->image[3 * row + a] = p->image ? p->image[3 * k + a] : 0;
    c->position[4 * row + a] = p->position[3 * k + a];
    if (p->velocity) c->velocity[8 * row + a] = p->velocity[3 * k + a];
    if (p->spin) c->velocity[8 * row + 4 + a] = p->spin[3 * k + a];
  }
  c->position[4 * row + 3] = p->radius[k];
  c->density[row] = p->density[k];
  c->material[row] = p->material ? p->material[k] : 0;
  demi_particle_set_mass(s, row);
  if (!(p->frozen && p->frozen[k])) demi_particle_release(s, row);
  demi_box_take_in(s, row);
  note_radius(s, p->radius[k]);
}

dem_status demi_system_add_particles(dem_system *s, const dem_particles *particles, dem_id *ids) {
  dem_particles p;
  dem_status status = demi_intake(&p, sizeof p, particles, PARTICLES_V1);
  if (status)
    return demi_system_refuse(s, status, "particles: %s",
                              demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, particles, sizeof p, PARTICLES_V1));
  if ((status = check_rows(s, &p)) != DEM_OK || p.count == 0) return status;
  status = demi_store_reserve(&s->store, s->store.count + p.count);
  if (!status) status = demi_idpool_reserve(&s->store.ids, p.count);
  if (!status) status = demi_shares_reserve_heat(s);
  if (status) return demi_system_refuse(s, status, "particles: out of memory for %lld more", (long long)p.count);
  if ((status = demi_engine_set_contacts_aside(s)) != DEM_OK) return status;
  demi_box_flip(s); /* to the box whose edges the host counts */
  for (int64_t k = 0; k < p.count; k++) {
    const int64_t row = s->store.count + k;
    add_row(s, &p, k, row);
    demi_kinetic_bring(s, row);
    s->store.columns.id[row] = demi_idpool_take(&s->store.ids, row);
    demi_store_list(&s->store, s->store.columns.id[row], row);
    demi_shares_clear_heat(s, s->store.columns.id[row]);
    if (ids) ids[k] = s->store.columns.id[row];
  }
  s->store.count += p.count;
  s->epoch++;
  return DEM_OK;
}

/* ---- removing ---- */

static dem_status refuse_id(const dem_system *s, int64_t k, dem_id id) {
  return demi_system_refuse(s, DEM_NOT_FOUND, "id %lld of the list, %llu, is unknown or stale", (long long)k,
                            (unsigned long long)id);
}

/* Marks the rows to go in `gone`, which is all 0; `order` gets the rows that stay. */
static dem_status plan_removal(dem_system *s, int64_t count, const dem_id *ids, uint8_t *gone, int32_t *order) {
  for (int64_t k = 0; k < count; k++) {
    const int64_t row = demi_idpool_row(&s->store.ids, ids[k]);
    if (row < 0) return refuse_id(s, k, ids[k]);
    if (gone[row])
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "id %lld of the list, %llu, is given twice", (long long)k,
                                (unsigned long long)ids[k]);
    gone[row] = 1;
  }
  int32_t kept = 0;
  for (int64_t row = 0; row < s->store.count; row++)
    if (!gone[row]) order[kept++] = (int32_t)row;
  return DEM_OK;
}

static void carry_out_removal(dem_system *s, int64_t count, const dem_id *ids, const int32_t *order) {
  const int64_t kept = s->store.count - count;
  for (int64_t k = 0; k < count; k++) demi_kinetic_take(s, demi_idpool_row(&s->store.ids, ids[k]));
  demi_store_permute(&s->store, order, kept);
  for (int64_t k = 0; k < count; k++) demi_idpool_give_back(&s->store.ids, ids[k]);
  demi_store_unlist(&s->store, s->store.count);
  demi_store_swap(&s->store, kept);
  demi_bonds_drop_gone(&s->bonds, &s->store);
  demi_system_measure_radii(s);
  s->epoch++;
}

dem_status demi_system_remove_particles(dem_system *s, int64_t count, const dem_id *ids) {
  if (count < 0) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "remove: count is %lld, must be >= 0", (long long)count);
  if (count == 0) return DEM_OK;
  if (s->store.count == 0) return refuse_id(s, 0, ids[0]);
  const size_t rows = (size_t)s->store.count;
  uint8_t *gone = demi_allocate_zero(s->context, rows);
  int32_t *order = demi_allocate(s->context, rows * sizeof *order);
  dem_status status = gone && order
                          ? plan_removal(s, count, ids, gone, order)
                          : demi_system_refuse(s, DEM_NO_MEMORY, "remove: out of memory for %lld ids", (long long)count);
  if (!status) status = demi_engine_set_contacts_aside(s);
  if (!status) carry_out_removal(s, count, ids, order);
  demi_free(s->context, gone, rows);
  demi_free(s->context, order, rows * sizeof *order);
  return status;
}

/* ---- freezing ---- */

dem_status demi_system_set_frozen(dem_system *s, int64_t count, const dem_id *ids, int32_t frozen) {
  if (frozen != 0 && frozen != 1)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "set_frozen: frozen is %d, allowed 0 or 1", frozen);
  if (count < 0) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "set_frozen: count is %lld, must be >= 0", (long long)count);
  for (int64_t k = 0; k < count; k++)
    if (demi_idpool_row(&s->store.ids, ids[k]) < 0) return refuse_id(s, k, ids[k]);
  dem_status status = demi_engine_set_contacts_aside(s);
  if (status) return status;
  for (int64_t k = 0; k < count; k++) {
    const int64_t row = demi_idpool_row(&s->store.ids, ids[k]);
    const demi_kinetic before = demi_kinetic_of(s, row);
    if (frozen)
      demi_particle_freeze(s, row);
    else if (demi_store_frozen(&s->store, row))
      demi_particle_release(s, row);
    demi_kinetic_book(s, row, before);
  }
  return DEM_OK;
}
