/* Frozen particles that move as the host says: rough walls made of particles. Their books are in driven_books.c. */
#include "field_rules.h"
#include "limits.h"
#include "state.h"

static dem_status check_row(const dem_system *s, int64_t k, const demi_field *f, dem_id id, const double *v) {
  const int64_t row = demi_idpool_row(&s->store.ids, id);
  if (row < 0)
    return demi_system_refuse(s, DEM_NOT_FOUND, "set_frozen_motion: id %llu of row %lld does not exist", (unsigned long long)id,
                              (long long)k);
  if (!demi_store_frozen(&s->store, row))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "set_frozen_motion: particle %llu of row %lld is not frozen",
                              (unsigned long long)id, (long long)k);
  for (int a = 0; a < 3 && v; a++) {
    if (!demi_bounded(v[a]))
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "set_frozen_motion: %s[%d] of row %lld is %g, must be finite, -%g to %g",
                                f->name, a, (long long)k, v[a], DEMI_LARGEST, DEMI_LARGEST);
    if (v[a] != 0 && s->options.dimension == 2 && (f->flat >> a & 1))
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "set_frozen_motion: %s[%d] of row %lld is %g, must be 0 in 2 dimensions",
                                f->name, a, (long long)k, v[a]);
  }
  return DEM_OK;
}

/* In two dimensions nothing moves along z or turns about x or y. */
static dem_status check_rows(const dem_system *s, int64_t count, const dem_id *ids, const double *velocity,
                             const double *spin) {
  const demi_field *linear = demi_field_at(s, DEM_VELOCITY, NULL), *angular = demi_field_at(s, DEM_SPIN, NULL);
  dem_status status = DEM_OK;
  if (count < 0)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "set_frozen_motion: count is %lld, must be >= 0", (long long)count);
  for (int64_t k = 0; k < count && !status; k++) {
    status = check_row(s, k, linear, ids[k], velocity ? velocity + 3 * k : NULL);
    if (!status) status = check_row(s, k, angular, ids[k], spin ? spin + 3 * k : NULL);
  }
  return status;
}

dem_status demi_system_set_frozen_motion(dem_system *s, int64_t count, const dem_id *ids, const double *velocity,
                                         const double *spin) {
  dem_status status = check_rows(s, count, ids, velocity, spin);
  if (!status) status = demi_field_open(s, demi_field_at(s, DEM_VELOCITY, NULL));
  if (status) return status;
  for (int64_t k = 0; k < count; k++) {
    double *v = s->store.columns.velocity + 8 * demi_idpool_row(&s->store.ids, ids[k]);
    for (int a = 0; a < 3; a++) {
      v[a] = velocity ? velocity[3 * k + a] : 0.0;
      v[4 + a] = spin ? spin[3 * k + a] : 0.0;
    }
  }
  s->driven = s->driven || count > 0;
  return DEM_OK;
}
