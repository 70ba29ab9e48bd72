/* Exported: bonds. Only NULL, poison and reentry are checked here; the layers below check values. */
#include <dem/bond.h>

#include "check.h"
#include "system.h"

dem_status dem_bond_type_init(dem_bond_type *type, uint32_t struct_size) {
  return type ? demi_bond_type_defaults(type, struct_size) : DEM_BAD_ARGUMENT;
}

/* An array may be NULL when its count is 0. */
static dem_status needs_rows(const dem_system *system, const char *function, const char *name, int64_t count,
                             const void *rows) {
  return count == 0 ? DEM_OK : demi_api_argument(system, function, name, rows);
}

dem_status dem_system_add_bond_type(dem_system *system, const dem_bond_type *type, int32_t *index) {
  DEMI_MAY_CHANGE();
  DEMI_NEEDS(type);
  return DEMI_INSIDE(demi_system_add_bond_type(system, type, index));
}

dem_status dem_system_add_bonds(dem_system *system, int64_t count, const dem_bond *bonds, uint32_t struct_size, dem_id *ids) {
  DEMI_MAY_CHANGE();
  const dem_status status = needs_rows(system, __func__, "bonds", count, bonds);
  return status ? status : DEMI_INSIDE(demi_system_add_bonds(system, count, bonds, struct_size, ids));
}

dem_status dem_system_bond_neighbours(dem_system *system, int32_t type, int32_t a, int32_t b, double gap, int64_t *count) {
  DEMI_MAY_CHANGE();
  return DEMI_INSIDE(demi_system_bond_neighbours(system, type, a, b, gap, count));
}

dem_status dem_system_remove_bonds(dem_system *system, int64_t count, const dem_id *ids) {
  DEMI_MAY_CHANGE();
  const dem_status status = needs_rows(system, __func__, "ids", count, ids);
  return status ? status : DEMI_INSIDE(demi_system_remove_bonds(system, count, ids));
}

dem_status dem_system_bond_count(const dem_system *system, int64_t *count) {
  DEMI_MAY_READ();
  DEMI_NEEDS(count);
  *count = demi_system_bond_count(system);
  return DEM_OK;
}

dem_status dem_system_bonds(const dem_system *system, int64_t capacity, dem_bond *bonds, uint32_t struct_size) {
  DEMI_MAY_READ();
  const dem_status status = needs_rows(system, __func__, "bonds", capacity, bonds);
  return status ? status : demi_system_bonds(system, capacity, bonds, struct_size);
}

dem_status dem_system_take_bond_breaks(dem_system *system, int64_t capacity, dem_bond_break *breaks, uint32_t struct_size,
                                       int64_t *count) {
  DEMI_MAY_USE();
  DEMI_NEEDS(count);
  const dem_status status = needs_rows(system, __func__, "breaks", capacity, breaks);
  return status ? status : DEMI_INSIDE(demi_system_take_bond_breaks(system, capacity, breaks, struct_size, count));
}
