/* The rows of bulk calls, and the listing order of the particles. */
#include "field_rows.h"

/* Strides up to this fit with UINT32_MAX rows of doubles: 2^16 2^32 2^3 bytes. */
enum { USUAL = 65536 };

dem_status demi_rows_check(const dem_system *s, const char *what, int64_t count, const dem_id *ids) {
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
dem_status demi_rows_stride(const dem_system *s, const char *what, int64_t components, int64_t count, size_t size,
                            int64_t *stride) {
  if (*stride == 0) *stride = components;
  if (*stride >= components && *stride <= USUAL && count <= UINT32_MAX) return DEM_OK; /* spares the divisions */
  const int64_t most = PTRDIFF_MAX / (int64_t)size / (count > 0 ? count : 1);
  if (*stride >= components && *stride <= most) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "%s: stride is %lld, must be 0 or %lld to %lld for %lld rows", what,
                            (long long)*stride, (long long)components, (long long)most, (long long)count);
}

int64_t demi_system_particle_count(const dem_system *s) { return s->store.count; }

dem_status demi_system_ids(const dem_system *s, int64_t capacity, dem_id *ids) {
  if (capacity < s->store.count)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "ids: capacity is %lld, needed %lld", (long long)capacity,
                              (long long)s->store.count);
  for (int64_t k = 0; k < s->store.count; k++) ids[k] = s->store.columns.id[demi_listed_row(s, k)];
  return DEM_OK;
}

dem_status demi_system_index_of(const dem_system *s, int64_t count, const dem_id *ids, int64_t *indices) {
  if (count < 0) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "index_of: count is %lld, must be >= 0", (long long)count);
  if (count == 0) return DEM_OK;
  const dem_status status = demi_rows_check(s, "index_of", count, ids);
  for (int64_t k = 0; k < count && !status; k++) indices[k] = s->store.place[demi_id_slot(ids[k])];
  return status;
}

dem_status demi_system_id_at(const dem_system *s, int64_t count, const int64_t *indices, dem_id *ids) {
  if (count < 0) return demi_system_refuse(s, DEM_BAD_ARGUMENT, "id_at: count is %lld, must be >= 0", (long long)count);
  for (int64_t k = 0; k < count; k++)
    if (indices[k] < 0 || indices[k] >= s->store.count)
      return demi_system_refuse(s, DEM_NOT_FOUND, "id_at: index %lld of the list is %lld, there are %lld particles",
                                (long long)k, (long long)indices[k], (long long)s->store.count);
  for (int64_t k = 0; k < count; k++) ids[k] = s->store.columns.id[demi_listed_row(s, indices[k])];
  return DEM_OK;
}
