/* Bonds as the host sees them: types, adding, removing, reading. */
#include "bond_check.h"
#include "box_motion.h"
#include "bonds.h"
#include "engine_change.h"
#include "intake.h"
#include "lengths.h"
#include "places.h"
#include "ready.h"

#include <math.h>
#include <string.h>

#define BOND_TYPE_V1 DEMI_SIZE_TO(dem_bond_type, break_shear_stress)
#define BOND_V1 DEMI_SIZE_TO(dem_bond, twisting)
#define BREAK_V1 DEMI_SIZE_TO(dem_bond_break, energy)

/* ---- types ---- */

dem_status demi_bond_type_defaults(dem_bond_type *type, uint32_t struct_size) {
  dem_bond_type t;
  memset(&t, 0, sizeof t);
  t.model = DEM_BOND_BEAM;
  t.radius_factor = 1.0;
  return demi_init(type, struct_size, &t, sizeof t, BOND_TYPE_V1);
}

dem_status demi_system_add_bond_type(dem_system *s, const dem_bond_type *type, int32_t *index) {
  dem_bond_type t;
  dem_status status = demi_intake(&t, sizeof t, type, BOND_TYPE_V1);
  if (status)
    return demi_system_refuse(s, status, "bond type: %s",
                              demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, type, sizeof t, BOND_TYPE_V1));
  if ((status = demi_bond_check_type(s, &t)) != DEM_OK) return status;
  if (demi_bonds_reserve_type(&s->bonds))
    return demi_system_refuse(s, DEM_NO_MEMORY, "bond type %d: out of memory", s->bonds.type_count);
  if (index) *index = s->bonds.type_count;
  s->bonds.type[s->bonds.type_count++] = t;
  return DEM_OK;
}

/* ---- adding ---- */

static dem_status add_bonds(dem_system *s, int64_t count, const dem_bond *bonds, dem_id *ids) {
  dem_status status = demi_bonds_check(s, count, bonds);
  if (!status) status = demi_engine_set_contacts_aside(s);
  if (status) return status;
  for (int64_t k = 0; k < count; k++) {
    const dem_id id = demi_bonds_add(&s->bonds, &bonds[k], &s->store, &s->box);
    if (ids) ids[k] = id;
  }
  return DEM_OK;
}

/* Elements of another size than ours, one after the other into `ours`. */
static dem_status take_bonds(dem_system *s, int64_t count, const dem_bond *bonds, uint32_t struct_size, dem_bond *ours) {
  for (int64_t k = 0; k < count; k++)
    if (demi_row_take(&ours[k], sizeof *ours, bonds, k, struct_size))
      return demi_system_refuse(s, DEM_UNSUPPORTED,
                                "bond %lld: a member beyond the first %zu bytes is not 0, this version does not know it",
                                (long long)k, sizeof *ours);
  return DEM_OK;
}

static dem_status refuse_size(const dem_system *s, const char *what, uint32_t struct_size, size_t v1_size) {
  return demi_system_refuse(s, DEM_BAD_STRUCT, "%s: %s", what, demi_row_flaw(v1_size, struct_size, (char[DEMI_FLAW_TEXT]){""}));
}

dem_status demi_system_add_bonds(dem_system *s, int64_t count, const dem_bond *bonds, uint32_t struct_size, dem_id *ids) {
  if (count < 0 || count > INT32_MAX - s->bonds.count)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bonds: count is %lld beside %lld, allowed 0 to %d in all", (long long)count,
                              (long long)s->bonds.count, INT32_MAX);
  if (demi_row_size(struct_size, BOND_V1)) return refuse_size(s, "bonds", struct_size, BOND_V1);
  if (count == 0) return DEM_OK;
  if (struct_size == sizeof *bonds) return add_bonds(s, count, bonds, ids);
  const size_t bytes = (size_t)count * sizeof *bonds;
  dem_bond *ours = demi_allocate(s->context, bytes);
  if (!ours) return demi_system_refuse(s, DEM_NO_MEMORY, "bonds: out of memory for %lld", (long long)count);
  dem_status status = take_bonds(s, count, bonds, struct_size, ours);
  if (!status) status = add_bonds(s, count, ours, ids);
  demi_free(s->context, ours, bytes);
  return status;
}

/* ---- by a neighbour rule ---- */

static dem_status check_rule(dem_system *s, int32_t type, int32_t a, int32_t b, double gap) {
  if (type < 0 || type >= s->bonds.type_count)
    return demi_system_refuse(s, DEM_NOT_FOUND, "bond neighbours: type is %d, there are %d", type, s->bonds.type_count);
  if (a < 0 || b < 0 || a >= s->materials.count || b >= s->materials.count)
    return demi_system_refuse(s, DEM_NOT_FOUND, "bond neighbours: materials (%d, %d), there are %d", a, b, s->materials.count);
  if (!isfinite(gap) || (s->store.count > 0 && gap > 2.0 * s->largest_radius))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond neighbours: gap is %g, must be finite and at most %g", gap,
                              2.0 * s->largest_radius);
  const double range = 2.0 * s->largest_radius + (gap > 0 ? gap : 0) + demi_system_skin(s);
  for (int axis = 0; axis < 3; axis++)
    if (s->box.periodic[axis] && demi_box_height(&s->box, axis) < 2.0 * range)
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond neighbours: periodic axis %d is %g %s, must be at least %g", axis,
                                demi_box_height(&s->box, axis), demi_ready_width_word(&s->box), 2.0 * range);
  return demi_system_check_places(s);
}

/* A list of its own, of the pairs of these materials; it sorts the rows. */
static dem_status list_neighbours(dem_system *s, int32_t a, int32_t b, double gap) {
  static const demi_faces none;
  const size_t n = (size_t)s->materials.count;
  uint8_t *interacts = demi_allocate_zero(s->context, n * n);
  if (!interacts) return demi_system_refuse(s, DEM_NO_MEMORY, "bond neighbours: out of memory");
  interacts[(size_t)a * n + (size_t)b] = interacts[(size_t)b * n + (size_t)a] = 1;
  demi_search search = demi_system_search(s);
  search.faces = &none;
  search.interacts = interacts;
  search.materials = s->materials.count;
  search.range = gap > 0 ? gap : 0;
  s->epoch++;
  demi_box_settle(s);
  const dem_status status = demi_list_build(&s->list, &s->store, &search);
  s->list.valid = 0;
  demi_free(s->context, interacts, n * n);
  return status ? demi_system_refuse(s, status, "bond neighbours: out of memory") : DEM_OK;
}

/* Bonds of the listed pairs that are near enough into `bonds`, unless NULL; returns how many. */
static int64_t collect(dem_system *s, int32_t type, double gap, dem_bond *bonds) {
  const demi_columns *c = &s->store.columns;
  int64_t count = 0;
  for (int64_t i = 0; i < s->store.count; i++)
    for (int32_t k = s->list.row_start[i]; k < s->list.row_start[i + 1]; k++) {
      const int64_t j = s->list.code[k] & DEMI_ROW_MASK;
      const double sum = c->position[4 * i + 3] + c->position[4 * j + 3];
      if (demi_bond_distance(s, i, j) - sum > gap || demi_bonds_joined(&s->bonds, demi_bond_key(c->id[i], c->id[j]))) continue;
      const int swap = demi_id_slot(c->id[j]) < demi_id_slot(c->id[i]);
      if (bonds) bonds[count] = (dem_bond){.i = c->id[swap ? j : i], .j = c->id[swap ? i : j], .type = type};
      count++;
    }
  return count;
}

static dem_status bond_listed(dem_system *s, int32_t type, double gap, int64_t *count) {
  demi_bonds_sort_keys(&s->bonds);
  *count = collect(s, type, gap, NULL);
  if (*count == 0) return DEM_OK;
  const size_t bytes = (size_t)*count * sizeof(dem_bond);
  dem_bond *bonds = demi_allocate(s->context, bytes);
  if (!bonds) return demi_system_refuse(s, DEM_NO_MEMORY, "bond neighbours: out of memory for %lld", (long long)*count);
  collect(s, type, gap, bonds);
  const dem_status status = demi_system_add_bonds(s, *count, bonds, sizeof *bonds, NULL);
  demi_free(s->context, bonds, bytes);
  return status;
}

dem_status demi_system_bond_neighbours(dem_system *s, int32_t type, int32_t a, int32_t b, double gap, int64_t *count) {
  int64_t made = 0;
  if (count) *count = 0;
  dem_status status = check_rule(s, type, a, b, gap);
  if (status || s->store.count == 0) return status;
  status = demi_engine_set_contacts_aside(s);
  if (!status) status = list_neighbours(s, a, b, gap);
  if (!status) status = bond_listed(s, type, gap, &made);
  if (!status && count) *count = made;
  return status;
}

/* ---- removing ---- */

static dem_status check_ids(dem_system *s, int64_t count, const dem_id *ids, unsigned char *seen) {
  for (int64_t k = 0; k < count; k++) {
    const int64_t index = demi_idpool_row(&s->bonds.ids, ids[k]);
    if (index < 0)
      return demi_system_refuse(s, DEM_NOT_FOUND, "bond id %lld of the list, %llu, is unknown or stale", (long long)k,
                                (unsigned long long)ids[k]);
    if (seen[index])
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond id %lld of the list, %llu, is given twice", (long long)k,
                                (unsigned long long)ids[k]);
    seen[index] = 1;
  }
  return DEM_OK;
}

dem_status demi_system_remove_bonds(dem_system *s, int64_t count, const dem_id *ids) {
  if (count < 0) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "remove bonds: count is %lld, must be >= 0", (long long)count);
  if (count == 0) return DEM_OK;
  const size_t bytes = (size_t)s->bonds.count + 1;
  unsigned char *seen = demi_allocate_zero(s->context, bytes);
  dem_status status = seen ? check_ids(s, count, ids, seen)
                           : demi_system_refuse(s, DEM_NO_MEMORY, "remove bonds: out of memory for %lld", (long long)count);
  demi_free(s->context, seen, bytes);
  if (!status) status = demi_engine_set_contacts_aside(s);
  for (int64_t k = 0; k < count && !status; k++) demi_bonds_remove(&s->bonds, demi_idpool_row(&s->bonds.ids, ids[k]));
  return status;
}

/* ---- reading ---- */

int64_t demi_system_bond_count(const dem_system *s) { return s->bonds.count - s->bonds.dead; }

dem_status demi_system_bonds(const dem_system *s, int64_t capacity, dem_bond *bonds, uint32_t struct_size) {
  if (demi_row_size(struct_size, BOND_V1)) return refuse_size(s, "bonds", struct_size, BOND_V1);
  if (capacity < demi_system_bond_count(s))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bonds: capacity is %lld, needed %lld", (long long)capacity,
                              (long long)demi_system_bond_count(s));
  int64_t n = 0;
  for (int64_t slot = 0; slot < s->bonds.ids.slots; slot++)
    if (s->bonds.ids.row[slot] >= 0) {
      const dem_bond bond = demi_bond_public(&s->bonds.bond[s->bonds.ids.row[slot]]);
      demi_row_give(bonds, n++, struct_size, &bond, sizeof bond);
    }
  return DEM_OK;
}

dem_status demi_system_take_bond_breaks(dem_system *s, int64_t capacity, dem_bond_break *breaks, uint32_t struct_size,
                                        int64_t *count) {
  if (demi_row_size(struct_size, BREAK_V1)) return refuse_size(s, "bond breaks", struct_size, BREAK_V1);
  if (capacity < 0)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond breaks: capacity is %lld, must be >= 0", (long long)capacity);
  demi_bonds *b = &s->bonds;
  const int64_t taken = capacity < b->broken_count ? capacity : b->broken_count;
  *count = taken;
  if (taken == 0) return DEM_OK;
  for (int64_t k = 0; k < taken; k++) demi_row_give(breaks, k, struct_size, &b->broken[k], sizeof *breaks);
  b->broken_count -= taken;
  memmove(b->broken, b->broken + taken, (size_t)b->broken_count * sizeof *b->broken);
  return DEM_OK;
}
