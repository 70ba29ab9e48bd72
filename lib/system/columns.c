/* Columns that the host adds for numbers of its own. The store carries them through sorting, adding and removing; the table of
 * fields describes them, so that get, set, views and writers take them as fields. */
#include <string.h>

#include "state.h"

/* Printable ASCII without the space. */
static int is_printable(char c) { return c > ' ' && c <= '~'; }

static dem_status check_name(const dem_system *s, const char *name) {
  const size_t length = strlen(name);
  if (length == 0 || length > DEMI_ADDED_NAME)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "column: the name has %zu characters, allowed 1 to %d", length,
                              DEMI_ADDED_NAME);
  for (size_t k = 0; k < length; k++)
    if (!is_printable(name[k]))
      return demi_system_refuse(s, DEM_BAD_ARGUMENT,
                                "column: character %zu of the name is %d, allowed are 33 to 126 (printable ASCII, no space)", k,
                                (unsigned char)name[k]);
  for (int32_t k = 0; k < s->store.added_count; k++)
    if (strcmp(name, s->store.added[k].name) == 0)
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "column: the name %s is that of column %d", name, DEM_COLUMN_FIRST + k);
  if (demi_field_name_taken(name))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "column: the name %s is that of a field or an array in files", name);
  return DEM_OK;
}

dem_status demi_system_add_column(dem_system *s, const char *name, int32_t components, int32_t *column) {
  if (components < 1 || components > DEMI_ADDED_WIDTH)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "column: components is %d, allowed 1 to %d", components, DEMI_ADDED_WIDTH);
  if (s->store.added_count == DEMI_MAX_ADDED)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "column: there are %d already, allowed are %d", s->store.added_count,
                              DEMI_MAX_ADDED);
  const dem_status status = check_name(s, name);
  if (status) return status;
  if (demi_store_add_column(&s->store, name, components))
    return demi_system_refuse(s, DEM_NO_MEMORY, "column: out of memory for %d numbers of %lld particles", components,
                              (long long)s->store.capacity);
  *column = DEM_COLUMN_FIRST + s->store.added_count - 1;
  return DEM_OK;
}
