#include "material_sizes.h"

#include <math.h>

static void add_particle(const dem_system *s, int64_t k, demi_material_sizes *sizes) {
  const double radius = s->store.columns.position[4 * k + 3];
  sizes->largest_radius = fmax(sizes->largest_radius, radius);
  if (demi_store_frozen(&s->store, k)) return;
  sizes->least_mass = fmin(sizes->least_mass, s->store.columns.mass[k]);
  sizes->least_radius = fmin(sizes->least_radius, radius);
}

void demi_material_sizes_find(const dem_system *s, int32_t first, demi_material_sizes sizes[DEMI_SIZES_AT_ONCE]) {
  for (int32_t m = 0; m < DEMI_SIZES_AT_ONCE; m++) sizes[m] = (demi_material_sizes){INFINITY, INFINITY, 0, 0};
  for (int64_t k = 0; k < s->store.count; k++) {
    const int32_t m = s->store.columns.material[k] - first;
    if (m >= 0 && m < DEMI_SIZES_AT_ONCE) add_particle(s, k, &sizes[m]);
  }
  for (int32_t w = 0; w < s->faces.count; w++) {
    const int32_t m = s->faces.face[w].material - first;
    if (m >= 0 && m < DEMI_SIZES_AT_ONCE) sizes[m].on_wall = 1;
  }
}

void demi_material_pairs_visit(const dem_system *s, demi_material_visit_fn *visit, void *user) {
  const int32_t n = s->materials.count;
  demi_material_sizes rows[DEMI_SIZES_AT_ONCE], columns[DEMI_SIZES_AT_ONCE];
  for (int32_t p = 0; p < n; p += DEMI_SIZES_AT_ONCE) {
    demi_material_sizes_find(s, p, rows);
    for (int32_t q = 0; q < n; q += DEMI_SIZES_AT_ONCE) {
      const demi_material_sizes *others = q == p ? rows : columns;
      if (q != p) demi_material_sizes_find(s, q, columns);
      for (int32_t a = p; a < n && a < p + DEMI_SIZES_AT_ONCE; a++)
        for (int32_t b = q; b < n && b < q + DEMI_SIZES_AT_ONCE; b++) visit(user, a, b, &rows[a - p], &others[b - q]);
    }
  }
}
