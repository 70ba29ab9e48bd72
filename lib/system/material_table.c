#include "material_table.h"

#include <string.h>

#include "shares.h"

static void free_arrays(dem_context *context, demi_materials *m) {
  demi_free(context, m->material, (size_t)m->capacity * sizeof *m->material);
  demi_free(context, m->law, demi_material_pairs(m->capacity) * sizeof *m->law);
}

/* The pairs of new materials come after those of the others (material_pair.h), so both arrays keep their beginning. */
static dem_status reserve_arrays(dem_system *s, int32_t capacity) {
  const demi_materials *m = &s->materials;
  demi_materials more = {m->count, capacity, NULL, NULL};
  more.material = demi_allocate_zero(s->context, (size_t)capacity * sizeof *more.material);
  more.law = demi_allocate_zero(s->context, demi_material_pairs(capacity) * sizeof *more.law);
  if (!more.material || !more.law) {
    free_arrays(s->context, &more);
    return DEM_NO_MEMORY;
  }
  if (m->count) {
    memcpy(more.material, m->material, (size_t)m->count * sizeof *more.material);
    memcpy(more.law, m->law, demi_material_pairs(m->count) * sizeof *more.law);
  }
  free_arrays(s->context, &s->materials);
  s->materials = more;
  return DEM_OK;
}

/* The tables grow one after the other. If one fails, those before it have more room than they need, which changes nothing else. */
dem_status demi_materials_reserve(dem_system *s) {
  if (s->materials.count < s->materials.capacity) return DEM_OK;
  const int32_t larger = s->materials.capacity + s->materials.capacity / 2 + (s->materials.capacity < 4 ? 4 : 0);
  const int32_t capacity = larger < DEMI_MAX_MATERIALS ? larger : DEMI_MAX_MATERIALS;
  dem_status status = demi_laws_reserve(&s->laws, capacity);
  if (!status && s->shares.pair_capacity) status = demi_shares_reserve_materials(s, capacity);
  if (!status) status = reserve_arrays(s, capacity);
  return status;
}

void demi_materials_free(dem_system *s) {
  const size_t pairs = demi_material_pairs(s->materials.count);
  for (size_t k = 0; k < pairs; k++) demi_law_release(s->materials.law[k]);
  free_arrays(s->context, &s->materials);
}

int64_t demi_materials_bytes(const demi_materials *m) {
  return (int64_t)((size_t)m->capacity * sizeof *m->material + demi_material_pairs(m->capacity) * sizeof *m->law);
}
