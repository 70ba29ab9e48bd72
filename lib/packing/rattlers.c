/* Removal of the particles that carry nothing. Who they are is found by taking them and their contacts away again and again
 * (dem_system_rattlers), so that none is left when all are removed. */
#include <string.h>

#include "packing.h"
#include "state.h"
#include "system.h"

/* Ids of the rattlers, in listing order, at the front of `ids`. */
static int64_t collect(const int32_t *rattler, int64_t count, dem_id *ids) {
  int64_t found = 0;
  for (int64_t k = 0; k < count; k++)
    if (rattler[k]) ids[found++] = ids[k];
  return found;
}

static dem_status find(dem_system *s, int32_t least_contacts, int64_t count, int32_t *rattler, dem_id *ids, int64_t *found) {
  dem_statics_options o = {.struct_size = (uint32_t)sizeof o, .sections = DEM_SECTIONS_ALL, .least_contacts = least_contacts};
  dem_status status = demi_system_rattlers(s, &o, count, NULL, NULL, rattler);
  if (!status) status = demi_system_ids(s, count, ids);
  if (!status) *found = collect(rattler, count, ids);
  return status;
}

static dem_status remove_found(dem_system *s, int64_t found, const dem_id *rattlers, int64_t capacity, dem_id *ids) {
  if (ids && found > capacity)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "rattlers: capacity is %lld, must be at least %lld", (long long)capacity,
                              (long long)found);
  const dem_status status = found > 0 ? demi_system_remove_particles(s, found, rattlers) : DEM_OK;
  if (!status && ids && found > 0) memcpy(ids, rattlers, (size_t)found * sizeof *ids);
  return status;
}

dem_status demi_system_remove_rattlers(dem_system *s, int32_t least_contacts, int64_t capacity, dem_id *ids, int64_t *count) {
  const int64_t all = demi_system_particle_count(s);
  const size_t bytes = (size_t)all * (sizeof(dem_id) + sizeof(int32_t));
  int64_t found = 0;
  if (count) *count = 0;
  if (all == 0) return DEM_OK;
  dem_id *room = demi_allocate(s->context, bytes);
  if (!room) return demi_system_refuse(s, DEM_NO_MEMORY, "rattlers: out of memory");
  dem_status status = find(s, least_contacts, all, (int32_t *)(room + all), room, &found);
  if (!status) {
    if (count) *count = found;
    status = remove_found(s, found, room, capacity, ids);
  }
  demi_free(s->context, room, bytes);
  return status;
}
