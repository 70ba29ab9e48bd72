/* The engine's touching pairs are exactly those that a search over all pairs finds, in random systems of very different
 * sizes, periodic or open, with walls, after many steps, additions and removals. */
#include "assertions.h"

#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"
#include "scenes/world.h"

static const double BOX = 8;

typedef struct cloud {
  world world;
  int32_t periodic[3];
  int walls; /* planes z = 0 and x = 0 */
  dice d;
} cloud;

/* Soft and weak: the spheres pass through each other, so that pairs come and go. */
static void cloud_open(cloud *w, int periodic_axes, int walls, double skin, int32_t dimension) {
  world_options o = world_defaults();
  *w = (cloud){.walls = walls, .d = {(uint64_t)(10 + periodic_axes)}};
  o.system.dt = 2e-3;
  o.system.ledger = 0;
  o.system.skin = skin;
  o.system.dimension = dimension;
  for (int k = 0; k < periodic_axes; k++) {
    o.system.periodic[k] = w->periodic[k] = 1;
    o.system.box_high[k] = BOX;
  }
  o.law.normal_stiffness = o.law.tangential_stiffness = 0.1;
  o.law.damping = o.law.tangential_damping = DEM_DAMPING_NONE;
  world_open(&w->world, &o);
  dem_system *s = w->world.system;
  if (!walls) return;
  ASSERT_OK(s, scene_add_plane(s, 0, (double[3]){0, 0, 0.2}, (double[3]){0, 0, 1}));
  ASSERT_OK(s, scene_add_plane(s, 0, (double[3]){0.3, 0.3, 0}, (double[3]){0.6, 0.8, 0}));
}

/* Radii over a range of 1:8, many small ones; a few frozen. */
static void cloud_fill(cloud *w, int64_t n, int32_t dimension) {
  rows r;
  assert_int_equal(rows_create(&r, n), 0);
  for (int64_t i = 0; i < n; i++) {
    double x[3], v[3];
    for (int k = 0; k < 3; k++) {
      x[k] = dice_uniform(&w->d, 0, BOX);
      v[k] = dice_uniform(&w->d, -4, 4);
    }
    const double u = dice_uniform(&w->d, 0, 1);
    const int64_t row = rows_put(&r, x[0], x[1], dimension == 2 ? 0 : x[2], 0.1 + 0.7 * u * u * u);
    r.frozen[row] = i % 10 == 3;
    if (!r.frozen[row]) rows_velocity(&r, row, v[0], v[1], dimension == 2 ? 0 : v[2]);
  }
  world_add_rows(&w->world, &r, NULL);
}

/* Every 6th goes. */
static void cloud_thin(cloud *w) {
  snapshot s;
  snapshot_take(&s, w->world.system);
  for (int64_t i = 0; i < s.count; i += 6)
    ASSERT_OK(w->world.system, dem_system_remove_particles(w->world.system, 1, s.ids + i));
  snapshot_free(&s);
}

/* ---- all pairs ---- */

typedef struct touch {
  dem_id low, high; /* low = 0: a wall, then `wall` counts */
  int32_t wall;
  double overlap, normal[3]; /* towards the one named high */
} touch;

static int compare(const void *a, const void *b) {
  const touch *s = a, *t = b;
  if (s->low != t->low) return s->low < t->low ? -1 : 1;
  if (s->high != t->high) return s->high < t->high ? -1 : 1;
  return (s->wall > t->wall) - (s->wall < t->wall);
}

static double separation(const cloud *w, const double *a, const double *b, double d[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    d[k] = a[k] - b[k];
    if (w->periodic[k]) d[k] -= BOX * nearbyint(d[k] / BOX);
    sum += d[k] * d[k];
  }
  return sqrt(sum);
}

static int64_t brute_pairs(const cloud *w, const snapshot *s, const int32_t *frozen, touch *out) {
  int64_t n = 0;
  for (int64_t i = 0; i < s->count; i++)
    for (int64_t j = 0; j < i; j++) {
      double d[3];
      const double l = separation(w, s->x + 3 * i, s->x + 3 * j, d), overlap = s->radius[i] + s->radius[j] - l;
      if (overlap <= 0 || (frozen[i] && frozen[j])) continue;
      const int first_low = s->ids[i] < s->ids[j];
      touch *t = out + n++;
      *t = (touch){first_low ? s->ids[i] : s->ids[j], first_low ? s->ids[j] : s->ids[i], -1, overlap, {0}};
      for (int k = 0; k < 3; k++) t->normal[k] = (first_low ? -d[k] : d[k]) / l;
    }
  return n;
}

static int64_t brute_walls(const cloud *w, const snapshot *s, const int32_t *frozen, touch *out) {
  static const double normals[2][3] = {{0, 0, 1}, {0.6, 0.8, 0}}, points[2][3] = {{0, 0, 0.2}, {0.3, 0.3, 0}};
  int64_t n = 0;
  for (int64_t i = 0; w->walls && i < s->count; i++)
    for (int32_t k = 0; k < 2; k++) {
      double height = 0;
      for (int c = 0; c < 3; c++) height += (s->x[3 * i + c] - points[k][c]) * normals[k][c];
      if (frozen[i] || s->radius[i] - height <= 0) continue;
      out[n] = (touch){0, s->ids[i], k, s->radius[i] - height, {0}};
      memcpy(out[n++].normal, normals[k], sizeof out->normal);
    }
  return n;
}

static int64_t ours(const cloud *w, touch *out, int64_t capacity) {
  int64_t n;
  ASSERT_OK(w->world.system, dem_system_contact_count(w->world.system, &n));
  assert_true(n <= capacity);
  dem_contact *c = calloc((size_t)n + 1, sizeof *c);
  ASSERT_OK(w->world.system, dem_system_contacts(w->world.system, n, c, sizeof *c));
  for (int64_t i = 0; i < n; i++) {
    const int low_is_i = c[i].j && c[i].i < c[i].j;
    out[i] = (touch){low_is_i ? c[i].i : c[i].j, low_is_i ? c[i].j : c[i].i, c[i].wall, c[i].overlap, {0}};
    for (int k = 0; k < 3; k++) out[i].normal[k] = low_is_i ? -c[i].normal[k] : c[i].normal[k];
  }
  free(c);
  return n;
}

/* Wall ids count up from what the first add returned; the search names walls by their order. */
static void number_walls(touch *t, int64_t n) {
  int32_t lowest = INT32_MAX;
  for (int64_t i = 0; i < n; i++)
    if (t[i].low == 0 && t[i].wall < lowest) lowest = t[i].wall;
  for (int64_t i = 0; i < n; i++)
    if (t[i].low == 0) t[i].wall -= lowest;
}

/* Overlaps agree to round-off of the coordinates (size 8, or more for open axes); a pair that touches by less may be missing on
 * either side. */
static int64_t assert_same_pairs(const touch *a, int64_t na, const touch *b, int64_t nb) {
  const double round_off = 1e-13;
  int64_t i = 0, j = 0, same = 0;
  while (i < na || j < nb) {
    const int order = i == na ? 1 : j == nb ? -1 : compare(a + i, b + j);
    if (order == 0) {
      ASSERT_ABS(a[i].overlap, b[j].overlap, round_off);
      for (int k = 0; k < 3; k++) ASSERT_ABS(a[i].normal[k], b[j].normal[k], 1e-10);
      i++, j++, same++;
    } else if (order < 0) {
      ASSERT_BELOW(a[i++].overlap, round_off); /* a touch that only the search over all pairs found */
    } else {
      ASSERT_BELOW(b[j++].overlap, round_off); /* a touch that only the engine found */
    }
  }
  return same;
}

static int64_t check(const cloud *w) {
  enum { CAPACITY = 60000 };
  snapshot s;
  snapshot_take(&s, w->world.system);
  int32_t *frozen = calloc((size_t)s.count, sizeof *frozen);
  touch *brute = calloc(CAPACITY, sizeof *brute), *engine = calloc(CAPACITY, sizeof *engine);
  ASSERT_OK(w->world.system, dem_system_get_field_int(w->world.system, DEM_FROZEN, s.count, NULL, frozen, 0));
  int64_t nb = brute_pairs(w, &s, frozen, brute);
  nb += brute_walls(w, &s, frozen, brute + nb);
  const int64_t ne = ours(w, engine, CAPACITY);
  number_walls(engine, ne);
  qsort(brute, (size_t)nb, sizeof *brute, compare);
  qsort(engine, (size_t)ne, sizeof *engine, compare);
  const int64_t same = assert_same_pairs(brute, nb, engine, ne);
  free(frozen);
  free(brute);
  free(engine);
  snapshot_free(&s);
  return same;
}

static void check_cloud(int periodic_axes, int walls, double skin, int32_t dimension) {
  cloud w;
  int64_t pairs = 0;
  cloud_open(&w, periodic_axes, walls, skin, dimension);
  for (int round = 0; round < 4; round++) {
    cloud_fill(&w, dimension == 2 ? 60 : 120, dimension);
    for (int k = 0; k < 6; k++) {
      ASSERT_OK(w.world.system, dem_system_step(w.world.system, k < 2 ? 1 : 13));
      pairs += check(&w);
      ASSERT_OK(w.world.system, dem_system_check(w.world.system));
    }
    cloud_thin(&w);
  }
  print_message("# %d periodic axes, %s, skin %g, %d-D: %d touching pairs compared\n", periodic_axes,
                walls ? "walls" : "no walls", skin, dimension, (int)pairs);
  assert_true(pairs > 1000);
  world_close(&w.world);
}

static void open_space(void **state) {
  (void)state;
  check_cloud(0, 0, 0, 3);
  check_cloud(0, 1, 0.3, 3);
}

static void periodic_box(void **state) {
  (void)state;
  check_cloud(1, 0, 0, 3);
  check_cloud(2, 0, 0.02, 3);
  check_cloud(3, 0, 0, 3);
  check_cloud(3, 0, 0.5, 3);
}

static void plane_box(void **state) {
  (void)state;
  check_cloud(2, 0, 0.1, 2);
  check_cloud(0, 0, 0.1, 2);
}

/* Clouds far apart that meet, and a bullet through both: pairs that were out of each other's sight when the list was built. */
static void two_clouds(cloud *w) {
  rows r;
  assert_int_equal(rows_create(&r, 121), 0);
  for (int64_t i = 0; i < 120; i++) {
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = dice_uniform(&w->d, 0, 5);
    const int64_t row = rows_put(&r, x[0] + (i < 60 ? 0 : 40), x[1], x[2], dice_uniform(&w->d, 0.1, 0.5));
    if (i >= 60) rows_velocity(&r, row, -30, dice_uniform(&w->d, -1, 1), 0);
  }
  rows_velocity(&r, rows_put(&r, -20, 2.5, 2.5, 0.3), 120, 0, 0);
  world_add_rows(&w->world, &r, NULL);
}

static void check_clouds(double skin) {
  cloud w;
  int64_t pairs = 0;
  cloud_open(&w, 0, 0, skin, 3);
  two_clouds(&w);
  for (int k = 0; k < 150; k++) {
    ASSERT_OK(w.world.system, dem_system_step(w.world.system, 7));
    pairs += check(&w);
  }
  const dem_statistics st = world_statistics(&w.world);
  print_message("# clouds, skin %g: %d touching pairs compared, %d rebuilds\n", skin, (int)pairs, (int)st.rebuilds);
  world_close(&w.world);
  assert_true(pairs > 1000);
}

static void clouds_that_meet(void **state) {
  (void)state;
  check_clouds(0);
  check_clouds(0.5);
}

/* One fast sphere and a wall far away: alone in its tile, so that only the wall can tell that the list is too old. */
static void a_bullet_meets_a_wall(void **state) {
  (void)state;
  cloud w;
  rows r;
  int64_t pairs = 0;
  cloud_open(&w, 0, 1, 0, 3);
  assert_int_equal(rows_create(&r, 2), 0);
  rows_velocity(&r, rows_put(&r, 30, 30, 40, 0.3), 0, 0, -50);
  rows_velocity(&r, rows_put(&r, 60, 30, 40, 0.2), -50, 0, 0);
  world_add_rows(&w.world, &r, NULL);
  for (int k = 0; k < 900; k++) {
    ASSERT_OK(w.world.system, dem_system_step(w.world.system, 1));
    pairs += check(&w);
  }
  world_close(&w.world);
  assert_true(pairs > 4);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(open_space),       cmocka_unit_test(periodic_box),          cmocka_unit_test(plane_box),
      cmocka_unit_test(clouds_that_meet), cmocka_unit_test(a_bullet_meets_a_wall),
  };
  return cmocka_run_group_tests_name("neighbours", tests, NULL, NULL);
}
