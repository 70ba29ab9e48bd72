/* Contacts that bonds replace: they are put off in the list while the bond lasts (dem_bond_type.contact = 0). */
#include "contacts.h"

/* The listed pair of two rows, or -1. */
static int32_t find_pair(const demi_list *list, const int32_t row[2]) {
  const int turned = row[0] > row[1];
  const int32_t i = row[turned];
  const uint32_t j = (uint32_t)row[!turned];
  for (int32_t pair = list->row_start[i]; pair < list->row_start[i + 1]; pair++)
    if ((list->code[pair] & DEMI_ROW_MASK) == j) return pair;
  return -1;
}

dem_status demi_contacts_put_off(demi_bonds *bonds, demi_list *list) {
  for (int64_t k = 0; k < bonds->count; k++) {
    demi_bond *bond = &bonds->bond[k];
    bond->pair = bonds->type[bond->type].contact ? -1 : find_pair(list, bond->row);
    if (bond->pair >= 0 && demi_list_put_off(list, bond->pair) != DEM_OK) return DEM_NO_MEMORY;
  }
  return DEM_OK;
}
