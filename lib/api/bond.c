/* Exported: bonds. Only NULL, poison and reentry are checked here; the layers below check values. */
#include <dem/bond.h>

#include "check.h"
#include "system.h"

dem_status dem_bond_type_init(dem_bond_type *type, uint32_t struct_size) {
  return type ? demi_bond_type_defaults(type, struct_size) : DEM_BAD_ARGUMENT;
}

/* May the system be changed, and is the argument there? */
static dem_status change(dem_system *system, const char *function, const char *name, const void *argument) {
  const dem_status status = demi_api_change(system, function);
  return status ? status : demi_api_argument(system, function, name, argument);
}

static dem_status read(const dem_system *system, const char *function, const char *name, const void *argument) {
  const dem_status status = demi_api_check(system, function);
  return status ? status : demi_api_argument(system, function, name, argument);
}

dem_status dem_system_add_bond_type(dem_system *system, const dem_bond_type *type, int32_t *index) {
  const dem_status status = change(system, __func__, "type", type);
  return status ? status : demi_system_add_bond_type(system, type, index);
}

dem_status dem_system_add_bonds(dem_system *system, int64_t count, const dem_bond *bonds, dem_id *ids) {
  const dem_status status = change(system, __func__, "bonds", count == 0 ? (const void *)system : bonds);
  return status ? status : demi_system_add_bonds(system, count, bonds, ids);
}

dem_status dem_system_bond_neighbours(dem_system *system, int32_t type, int32_t a, int32_t b, double gap, int64_t *count) {
  const dem_status status = demi_api_change(system, __func__);
  return status ? status : demi_system_bond_neighbours(system, type, a, b, gap, count);
}

dem_status dem_system_remove_bonds(dem_system *system, int64_t count, const dem_id *ids) {
  const dem_status status = change(system, __func__, "ids", count == 0 ? (const void *)system : ids);
  return status ? status : demi_system_remove_bonds(system, count, ids);
}

dem_status dem_system_bond_count(const dem_system *system, int64_t *count) {
  const dem_status status = read(system, __func__, "count", count);
  if (!status) *count = demi_system_bond_count(system);
  return status;
}

dem_status dem_system_bonds(const dem_system *system, int64_t capacity, dem_bond *bonds) {
  const dem_status status = read(system, __func__, "bonds", capacity == 0 ? (const void *)system : bonds);
  return status ? status : demi_system_bonds(system, capacity, bonds);
}

dem_status dem_system_take_bond_breaks(dem_system *system, int64_t capacity, dem_bond_break *breaks, int64_t *count) {
  dem_status status = read(system, __func__, "count", count);
  if (!status) status = read(system, __func__, "breaks", capacity == 0 ? (const void *)system : breaks);
  return status ? status : demi_system_take_bond_breaks(system, capacity, breaks, count);
}
