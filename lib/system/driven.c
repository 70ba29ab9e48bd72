/* Frozen particles that move as the host says: rough walls made of particles.
 *
 * Such a particle has no mass that forces could move, 1/m = 1/I = 0: kicks leave its velocity v and spin w as they are, drifts carry
 * it along. The classes of force book f.(v_i - v_j) and so on, the work on both sides. What they do on a driven particle, with F and
 * T the contact force and torque on it,
 *
 *   P = sum F.v + T.w,
 *
 * changes no kinetic energy: over a time H of kicks whatever drives it supplies -P H, as for a wall. */
#include "field_rules.h"
#include "limits.h"
#include "state.h"

/* ---- books ---- */

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Of load c on its driven ends; rows as in store/loads.h. */
static double power_of(const dem_system *s, int64_t c, int walls, int moments) {
  const demi_loads *l = &s->contacts.loads;
  const double *f = l->rows + 8 * c, *turn = f + 4, *velocity = s->store.columns.velocity;
  const double *moment = moments ? l->moment + 4 * (c - l->moment_base) : NULL;
  double power = 0;
  if (demi_store_frozen(&s->store, l->i[c])) {
    const double *v = velocity + 8 * (int64_t)l->i[c];
    power += dot(f, v) - f[3] * dot(turn, v + 4) + (moment ? dot(moment, v + 4) : 0.0);
  }
  if (!walls && demi_store_frozen(&s->store, l->j[c])) {
    const double *v = velocity + 8 * (int64_t)l->j[c];
    power -= dot(f, v) + turn[3] * dot(turn, v + 4) + (moment ? dot(moment, v + 4) : 0.0);
  }
  return power;
}

/* In the order of the loads, whatever the number of threads. */
void demi_driven_measure(dem_system *s) {
  if (!s->driven || !s->ledger.on) return;
  const demi_loads *l = &s->contacts.loads;
  demi_sum sum = {0, 0};
  const int32_t sections = s->bonds.count > 0 ? DEMI_SECTIONS : DEMI_SECTION_BOND;
  for (int32_t k = 0; k < sections && s->contacts.valid; k++) {
    const int walls = k == DEMI_SECTION_WALL || k == DEMI_SECTION_WALL_GAP;
    const int moments = k == DEMI_SECTION_BOND || (l->rolls && k <= DEMI_SECTION_WALL);
    for (int32_t b = 0; b < s->list.motion.blocks; b++)
      for (int64_t c = l->first[k][b]; c < l->first[k][b] + l->count[k][b]; c++)
        demi_sum_add(&sum, power_of(s, c, walls, moments));
  }
  s->driven_power = demi_sum_get(&sum);
}

void demi_driven_book(dem_system *s, double duration) {
  if (s->driven) demi_ledger_add(&s->ledger, &s->ledger.walls, -duration * s->driven_power);
}

/* ---- motion ---- */

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
