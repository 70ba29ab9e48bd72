/* What a bond type and a bond may be. */
#include "bond_check.h"

#include <math.h>
#include <string.h>

#include "bonds.h"
#include "limits.h"
#include "state.h"

/* ---- types ---- */

static dem_status check_not_negative(dem_system *s, const char *field, double value) {
  if (demi_bounded(value) && value >= 0) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: %s is %g, must be finite and >= 0, at most %g",
                            s->bonds.type_count, field, value, DEMI_LARGEST);
}

static dem_status check_positive(dem_system *s, const char *field, double value) {
  if (demi_bounded(value) && value > 0) return DEM_OK;
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: %s is %g, must be finite and > 0, at most %g",
                            s->bonds.type_count, field, value, DEMI_LARGEST);
}

/* Members that only a beam uses must be 0 in other models. */
static dem_status check_beam(dem_system *s, const dem_bond_type *t) {
  const struct {
    const char *field;
    double value;
  } own[] = {{"normal_stiffness", t->normal_stiffness},       {"tangential_stiffness", t->tangential_stiffness},
             {"bending_stiffness", t->bending_stiffness},     {"twisting_stiffness", t->twisting_stiffness},
             {"tangential_damping", t->tangential_damping},   {"relaxation_time", t->relaxation_time},
             {"break_normal_stress", t->break_normal_stress}, {"break_shear_stress", t->break_shear_stress}};
  for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
    const dem_status status = check_not_negative(s, own[k].field, own[k].value);
    if (status) return status;
    if (t->model == DEM_BOND_HARMONIC && own[k].value != 0)
      return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: %s is %g, only beams have it: leave it 0",
                                s->bonds.type_count, own[k].field, own[k].value);
  }
  return DEM_OK;
}

static dem_status check_type_values(dem_system *s, const dem_bond_type *t) {
  dem_status status = check_beam(s, t);
  if (!status) status = check_not_negative(s, "normal_damping", t->normal_damping);
  if (!status) status = check_not_negative(s, "break_strain", t->break_strain);
  if (status) return status;
  if (t->model == DEM_BOND_HARMONIC && t->radius_factor != 0 && t->radius_factor != 1)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: radius_factor is %g, only beams have it: leave it 1",
                              s->bonds.type_count, t->radius_factor);
  if (t->model == DEM_BOND_HARMONIC) return check_positive(s, "stiffness", t->stiffness);
  if (t->stiffness != 0)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: stiffness is %g, beams have normal_stiffness: leave it 0",
                              s->bonds.type_count, t->stiffness);
  if (!(isgreater(t->radius_factor, 0) && t->radius_factor <= 10))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: radius_factor is %g, allowed above 0 to 10",
                              s->bonds.type_count, t->radius_factor);
  return check_positive(s, "normal_stiffness", t->normal_stiffness);
}

dem_status demi_bond_check_type(dem_system *s, const dem_bond_type *t) {
  const int32_t n = s->bonds.type_count;
  if (t->reserved_zero != 0)
    return demi_system_refuse(s, DEM_UNSUPPORTED, "bond type %d: reserved_zero is %d, must be 0", n, t->reserved_zero);
  if (t->model != DEM_BOND_BEAM && t->model != DEM_BOND_HARMONIC)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: model is %d, allowed %d or %d", n, t->model, DEM_BOND_BEAM,
                              DEM_BOND_HARMONIC);
  if (t->contact != 0 && t->contact != 1)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond type %d: contact is %d, allowed 0 or 1", n, t->contact);
  return check_type_values(s, t);
}

/* ---- checks of bonds ---- */

static dem_status check_ends(dem_system *s, int64_t k, const dem_bond *b) {
  const int64_t i = demi_idpool_row(&s->store.ids, b->i), j = demi_idpool_row(&s->store.ids, b->j);
  if (i < 0 || j < 0)
    return demi_system_refuse(s, DEM_NOT_FOUND, "bond %lld: particle %llu is unknown or stale", (long long)k,
                              (unsigned long long)(i < 0 ? b->i : b->j));
  if (i == j)
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond %lld: joins particle %llu to itself", (long long)k,
                              (unsigned long long)b->i);
  if (demi_store_frozen(&s->store, i) && demi_store_frozen(&s->store, j))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond %lld: particles %llu and %llu are both frozen", (long long)k,
                              (unsigned long long)b->i, (unsigned long long)b->j);
  return DEM_OK;
}

/* Distance of the nearest images. */
double demi_bond_distance(const dem_system *s, int64_t i, int64_t j) {
  const double *p = s->store.columns.position + 4 * i, *q = s->store.columns.position + 4 * j;
  double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]}, square = 0;
  demi_box_nearest(&s->box, d);
  for (int a = 0; a < 3; a++) square += d[a] * d[a];
  return sqrt(square);
}

static dem_status check_length(dem_system *s, int64_t k, const dem_bond *b) {
  const int64_t i = demi_idpool_row(&s->store.ids, b->i), j = demi_idpool_row(&s->store.ids, b->j);
  const double sum = s->store.columns.position[4 * i + 3] + s->store.columns.position[4 * j + 3];
  const double distance = demi_bond_distance(s, i, j);
  if (!(distance - sum <= sum))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT,
                              "bond %lld: gap of %g between particles %llu and %llu, at most %g (R_i + R_j)", (long long)k,
                              distance - sum, (unsigned long long)b->i, (unsigned long long)b->j, sum);
  if (!(demi_bounded(b->rest_length) && b->rest_length >= 0) || (b->rest_length == 0 && distance == 0))
    return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond %lld: rest_length is %g at distance %g, must be finite and > 0",
                              (long long)k, b->rest_length, distance);
  return DEM_OK;
}

static dem_status refuse_state(dem_system *s, int64_t k, const char *field, double value, const char *why) {
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond %lld: %s is %g, %s", (long long)k, field, value, why);
}

/* One elastic part: finite, and 0 without a stiffness or in directions that do not exist in 2 dimensions. */
static dem_status check_part(dem_system *s, int64_t k, const char *field, const double *v, int count, int exists,
                             const int *in_plane) {
  for (int a = 0; a < count; a++) {
    if (!demi_bounded(v[a])) return refuse_state(s, k, field, v[a], "must be finite, -1e60 to 1e60");
    if (v[a] != 0 && !exists) return refuse_state(s, k, field, v[a], "must be 0, as its type has no stiffness for it");
    if (v[a] != 0 && s->options.dimension == 2 && !in_plane[a])
      return refuse_state(s, k, field, v[a], "must be 0 in 2 dimensions");
  }
  return DEM_OK;
}

static dem_status check_state(dem_system *s, int64_t k, const dem_bond *b) {
  static const int plane[3] = {1, 1, 0}, turn[3] = {0, 0, 1};
  const dem_bond_type *t = &s->bonds.type[b->type];
  dem_status status = check_part(s, k, "force", b->force, 3, t->tangential_stiffness > 0, plane);
  if (!status) status = check_part(s, k, "bending", b->bending, 3, t->bending_stiffness > 0, turn);
  if (!status) status = check_part(s, k, "twisting", &b->twisting, 1, t->twisting_stiffness > 0, turn);
  return status;
}

static dem_status check_bond(dem_system *s, int64_t k, const dem_bond *b) {
  if (b->reserved_zero != 0)
    return demi_system_refuse(s, DEM_UNSUPPORTED, "bond %lld: reserved_zero is %d, must be 0", (long long)k, b->reserved_zero);
  if (b->type < 0 || b->type >= s->bonds.type_count)
    return demi_system_refuse(s, DEM_NOT_FOUND, "bond %lld: type is %d, there are %d", (long long)k, b->type,
                              s->bonds.type_count);
  dem_status status = check_ends(s, k, b);
  if (!status) status = check_length(s, k, b);
  if (!status) status = check_state(s, k, b);
  return status;
}

static dem_status refuse_twice(dem_system *s, int64_t k, const dem_bond *b) {
  return demi_system_refuse(s, DEM_BAD_ARGUMENT, "bond %lld: particles %llu and %llu are bonded already", (long long)k,
                            (unsigned long long)b->i, (unsigned long long)b->j);
}

/* `key`: room for one per bond. */
static dem_status check_pairs(dem_system *s, int64_t count, const dem_bond *bonds, uint64_t *key) {
  demi_bonds_sort_keys(&s->bonds);
  for (int64_t k = 0; k < count; k++) {
    key[k] = demi_bond_key(bonds[k].i, bonds[k].j);
    if (demi_bonds_joined(&s->bonds, key[k])) return refuse_twice(s, k, &bonds[k]);
  }
  demi_sort_keys(key, count);
  for (int64_t n = 1; n < count; n++)
    for (int64_t k = count - 1; key[n] == key[n - 1] && k >= 0; k--)
      if (demi_bond_key(bonds[k].i, bonds[k].j) == key[n]) return refuse_twice(s, k, &bonds[k]);
  return DEM_OK;
}

dem_status demi_bonds_check(dem_system *s, int64_t count, const dem_bond *bonds) {
  for (int64_t k = 0; k < count; k++) {
    const dem_status status = check_bond(s, k, &bonds[k]);
    if (status) return status;
  }
  const size_t bytes = (size_t)count * sizeof(uint64_t);
  uint64_t *key = demi_allocate(s->context, bytes);
  dem_status status = key && demi_bonds_reserve(&s->bonds, count) == DEM_OK
                          ? check_pairs(s, count, bonds, key)
                          : demi_system_refuse(s, DEM_NO_MEMORY, "bonds: out of memory for %lld more", (long long)count);
  demi_free(s->context, key, bytes);
  return status;
}
