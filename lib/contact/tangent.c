/* Memory of tangents; see tangent.h. */
#include "tangent.h"

#include <string.h>

void demi_tangents_free(demi_tangents *t) {
  const size_t n = (size_t)t->capacity, m = (size_t)t->moment_capacity;
  demi_free(t->context, t->rows, n * DEMI_TANGENT_ROW * sizeof(double));
  demi_free(t->context, t->product, n * 8 * sizeof(double));
  demi_free(t->context, t->moments, m * DEMI_TANGENT_MOMENT_ROW * sizeof(double));
  demi_free(t->context, t->product_moment, m * 4 * sizeof(double));
  demi_free(t->context, t->bonds, (size_t)t->bond_capacity * DEMI_BOND_TANGENT * sizeof(double));
  *t = (demi_tangents){.context = t->context};
}

dem_status demi_tangents_reserve(demi_tangents *t, int64_t loads, int64_t moments, int64_t bonds) {
  if (loads <= t->capacity && moments <= t->moment_capacity && bonds <= t->bond_capacity) return DEM_OK;
  demi_tangents_free(t);
  const size_t n = (size_t)(loads + loads / 4 + 64), m = (size_t)(moments + moments / 4 + 1);
  t->capacity = (int64_t)n;
  t->moment_capacity = (int64_t)m;
  t->bond_capacity = bonds > 0 ? bonds : 1;
  t->bonds = demi_allocate_zero(t->context, (size_t)t->bond_capacity * DEMI_BOND_TANGENT * sizeof(double));
  t->rows = demi_allocate_zero(t->context, n * DEMI_TANGENT_ROW * sizeof(double));
  t->product = demi_allocate_zero(t->context, n * 8 * sizeof(double));
  t->moments = demi_allocate_zero(t->context, m * DEMI_TANGENT_MOMENT_ROW * sizeof(double));
  t->product_moment = demi_allocate_zero(t->context, m * 4 * sizeof(double));
  if (t->rows && t->product && t->bonds && t->moments && t->product_moment) return DEM_OK;
  demi_tangents_free(t);
  return DEM_NO_MEMORY;
}

demi_loads demi_tangents_loads(const demi_tangents *t, const demi_loads *loads) {
  demi_loads product = *loads;
  product.rows = t->product;
  product.moment = t->product_moment;
  return product;
}
