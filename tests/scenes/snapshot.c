#include "snapshot.h"

#include "assertions.h"

#include <stdlib.h>

static double *field(const dem_system *system, int32_t which, int64_t n, int64_t components) {
  double *values = calloc((size_t)(n * components) + 1, sizeof *values);
  assert_non_null(values);
  ASSERT_OK(system, dem_system_get_field(system, which, n, NULL, values, 0));
  return values;
}

void snapshot_take(snapshot *s, const dem_system *system) {
  ASSERT_OK(system, dem_system_particle_count(system, &s->count));
  s->ids = calloc((size_t)s->count + 1, sizeof *s->ids);
  assert_non_null(s->ids);
  ASSERT_OK(system, dem_system_ids(system, s->count, s->ids));
  s->x = field(system, DEM_POSITION, s->count, 3);
  s->v = field(system, DEM_VELOCITY, s->count, 3);
  s->w = field(system, DEM_SPIN, s->count, 3);
  s->f = field(system, DEM_FORCE, s->count, 3);
  s->t = field(system, DEM_TORQUE, s->count, 3);
  s->radius = field(system, DEM_RADIUS, s->count, 1);
}

void snapshot_free(snapshot *s) {
  free(s->ids);
  free(s->x);
  free(s->v);
  free(s->w);
  free(s->f);
  free(s->t);
  free(s->radius);
  *s = (snapshot){0};
}

double snapshot_distance(const snapshot *a, const snapshot *b, const double *period) {
  double worst = 0;
  assert_int_equal(a->count, b->count);
  for (int64_t i = 0; i < 3 * a->count; i++) {
    double d = a->x[i] - b->x[i];
    if (period && period[i % 3] > 0) d -= period[i % 3] * nearbyint(d / period[i % 3]);
    worst = fmax(worst, fabs(d));
  }
  return worst;
}

double snapshot_speed_difference(const snapshot *a, const snapshot *b) {
  double worst = 0;
  assert_int_equal(a->count, b->count);
  for (int64_t i = 0; i < 3 * a->count; i++) {
    worst = fmax(worst, fabs(a->v[i] - b->v[i]));
    worst = fmax(worst, fabs(a->w[i] - b->w[i]) * a->radius[i / 3]);
  }
  return worst;
}

void snapshot_assert_same_bits(const snapshot *a, const snapshot *b) {
  const size_t bytes = (size_t)a->count * 3 * sizeof(double);
  assert_int_equal(a->count, b->count);
  ASSERT_BITS(a->x, b->x, bytes);
  ASSERT_BITS(a->v, b->v, bytes);
  ASSERT_BITS(a->w, b->w, bytes);
  ASSERT_BITS(a->f, b->f, bytes);
  ASSERT_BITS(a->t, b->t, bytes);
}

static void reverse(double *values, int64_t n, int components) {
  for (int64_t i = 0, j = n - 1; i < j; i++, j--)
    for (int k = 0; k < components; k++) {
      const double keep = values[components * i + k];
      values[components * i + k] = values[components * j + k];
      values[components * j + k] = keep;
    }
}

void snapshot_reverse(snapshot *s) {
  double *const vectors[] = {s->x, s->v, s->w, s->f, s->t};
  for (int k = 0; k < 5; k++) reverse(vectors[k], s->count, 3);
  reverse(s->radius, s->count, 1);
}

/* ---- hash ---- */

/* FNV-1a */
static uint64_t mix(uint64_t hash, const void *data, size_t bytes) {
  const unsigned char *c = data;
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ c[i]) * 0x100000001B3u;
  return hash;
}

static uint64_t mix_fields(uint64_t hash, const dem_system *system, int64_t n) {
  static const int components[] = {0, 3, 3, 3, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3};
  for (int32_t which = DEM_POSITION; which <= DEM_HALF_SPIN; which++) {
    double *values = field(system, which, n, components[which]);
    hash = mix(hash, values, (size_t)(n * components[which]) * sizeof *values);
    free(values);
  }
  int32_t *numbers = calloc((size_t)(3 * n) + 1, sizeof *numbers);
  assert_non_null(numbers);
  for (int32_t which = DEM_MATERIAL; which <= DEM_IMAGE; which++) {
    ASSERT_OK(system, dem_system_get_field_int(system, which, n, NULL, numbers, 0));
    hash = mix(hash, numbers, (size_t)(n * (which == DEM_IMAGE ? 3 : 1)) * sizeof *numbers);
  }
  free(numbers);
  return hash;
}

static uint64_t mix_numbers(uint64_t hash, dem_system *system) {
  double time, dt;
  dem_energy energy;
  dem_statistics st;
  ASSERT_OK(system, dem_system_time(system, &time));
  ASSERT_OK(system, dem_system_stable_dt(system, &dt));
  dem_energy_init(&energy, sizeof energy);
  /* The potentials of a system that lacks a law are not defined. */
  const dem_status status = dem_system_energy(system, &energy);
  if (status != DEM_INCOMPLETE) ASSERT_OK(system, status);
  dem_statistics_init(&st, sizeof st);
  ASSERT_OK(system, dem_system_statistics(system, &st));
  hash = mix(hash, &time, sizeof time);
  hash = mix(hash, &dt, sizeof dt);
  hash = mix(hash, &energy, sizeof energy);
  return mix(hash, &st.steps, sizeof st.steps);
}

uint64_t system_hash(dem_system *system) {
  int64_t n;
  ASSERT_OK(system, dem_system_particle_count(system, &n));
  dem_id *ids = calloc((size_t)n + 1, sizeof *ids);
  assert_non_null(ids);
  ASSERT_OK(system, dem_system_ids(system, n, ids));
  uint64_t hash = mix(0xCBF29CE484222325u, ids, (size_t)n * sizeof *ids);
  free(ids);
  hash = mix_fields(hash, system, n);
  return mix_numbers(hash, system);
}
