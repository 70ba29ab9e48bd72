#include <dem/dem.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"

static const double DENSITY = 1.9098593171027440; /* 6/pi */

static int have_all(const rows *r) {
  return r->position && r->velocity && r->spin && r->radius && r->density && r->material && r->frozen;
}

int rows_create(rows *r, int64_t capacity) {
  const size_t n = (size_t)capacity;
  *r = (rows){.capacity = capacity};
  r->position = calloc(n, 3 * sizeof(double));
  r->velocity = calloc(n, 3 * sizeof(double));
  r->spin = calloc(n, 3 * sizeof(double));
  r->radius = calloc(n, sizeof(double));
  r->density = calloc(n, sizeof(double));
  r->material = calloc(n, sizeof(int32_t));
  r->frozen = calloc(n, sizeof(int32_t));
  if (have_all(r)) return 0;
  rows_destroy(r);
  return 1;
}

void rows_destroy(rows *r) {
  free(r->position);
  free(r->velocity);
  free(r->spin);
  free(r->radius);
  free(r->density);
  free(r->material);
  free(r->frozen);
  *r = (rows){0};
}

static void put3(double *v, double x, double y, double z) {
  v[0] = x;
  v[1] = y;
  v[2] = z;
}

int64_t rows_put(rows *r, double x, double y, double z, double radius) {
  if (r->count == r->capacity) abort(); /* a mistake in the test itself */
  const int64_t i = r->count++;
  put3(r->position + 3 * i, x, y, z);
  r->radius[i] = radius;
  r->density[i] = DENSITY;
  return i;
}

void rows_velocity(rows *r, int64_t row, double x, double y, double z) { put3(r->velocity + 3 * row, x, y, z); }

void rows_spin(rows *r, int64_t row, double x, double y, double z) { put3(r->spin + 3 * row, x, y, z); }

static void swap(void *a, void *b, size_t bytes) {
  char keep[3 * sizeof(double)];
  memcpy(keep, a, bytes);
  memcpy(a, b, bytes);
  memcpy(b, keep, bytes);
}

void rows_reverse(rows *r) {
  for (int64_t i = 0, j = r->count - 1; i < j; i++, j--) {
    swap(r->position + 3 * i, r->position + 3 * j, 3 * sizeof(double));
    swap(r->velocity + 3 * i, r->velocity + 3 * j, 3 * sizeof(double));
    swap(r->spin + 3 * i, r->spin + 3 * j, 3 * sizeof(double));
    swap(r->radius + i, r->radius + j, sizeof(double));
    swap(r->density + i, r->density + j, sizeof(double));
    swap(r->material + i, r->material + j, sizeof(int32_t));
    swap(r->frozen + i, r->frozen + j, sizeof(int32_t));
  }
}

dem_status rows_add(const rows *r, dem_system *system, dem_id *ids) {
  dem_particles p;
  const dem_status status = dem_particles_init(&p, sizeof p);
  if (status) return status;
  p.count = r->count;
  p.position = r->position;
  p.velocity = r->velocity;
  p.spin = r->spin;
  p.radius = r->radius;
  p.density = r->density;
  p.material = r->material;
  p.frozen = r->frozen;
  return dem_system_add_particles(system, &p, ids);
}

/* splitmix64 */
static uint64_t next(dice *d) {
  uint64_t z = (d->state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

double dice_uniform(dice *d, double low, double high) { return low + (high - low) * ((double)(next(d) >> 11) * 0x1p-53); }
