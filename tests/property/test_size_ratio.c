/* No contact is ever missed, whatever the sizes: at every check all pairs of particles, and all particles and walls, are tried, and
 * each that can act has to be listed, and each that touches has to be a contact. Particles drift by parts of the skin per step, in bulk
 * by far more, and roll around large ones, so that most steps rely on the bounds on motion rather than on a new list. */
#include "assertions.h"

#include <stdlib.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"
#include "series.h"
#include "state.h"

/* ---- distributions ---- */

typedef double radius_fn(dice *d, double u);

static double equal(dice *d, double u) {
  (void)d, (void)u;
  return 0.12;
}

static double one_to_ten(dice *d, double u) {
  (void)d;
  return u < 0.02 ? 0.5 : 0.05;
}

static double one_to_fifty(dice *d, double u) {
  (void)d;
  return u < 0.01 ? 1.0 : 0.02;
}

/* Number of particles above r as r^-exponent, from 0.015 to 1.5. */
static double power_law(double u, double exponent) {
  const double ratio = 100, part = pow(ratio, -exponent);
  return 0.015 * pow(1.0 - u * (1.0 - part), -1.0 / exponent);
}

static double power_1(dice *d, double u) {
  (void)d;
  return power_law(u, 1.0);
}

static double power_2(dice *d, double u) {
  (void)d;
  return power_law(u, 2.0);
}

static double power_3(dice *d, double u) {
  (void)d;
  return power_law(u, 3.0);
}

static double log_normal(dice *d, double u) {
  const double gauss = sqrt(-2.0 * log(1.0 - u)) * cos(6.283185307179586 * dice_uniform(d, 0, 1));
  return fmin(1.5, 0.06 * exp(0.9 * gauss));
}

/* The first that is asked for: see `special`. */
static double giant(dice *d, double u) {
  (void)d;
  return 0.03 + 0.01 * u;
}

static double tiny(dice *d, double u) {
  (void)d;
  return 0.3 + 0.1 * u;
}

typedef struct distribution {
  const char *name;
  radius_fn *radius;
  double special; /* radius of the first particle, 0 = as the others */
  int32_t levels; /* at least so many are expected in three dimensions */
} distribution;

static const distribution distributions[] = {
    {"equal", equal, 0, 1},           {"1:10", one_to_ten, 0, 2},   {"1:50", one_to_fifty, 0, 2},
    {"power 1", power_1, 0, 2},       {"power 2", power_2, 0, 2},   {"power 3", power_3, 0, 2},
    {"log-normal", log_normal, 0, 2}, {"one giant", giant, 1.6, 2}, {"one tiny", tiny, 0.01, 1},
};
enum { DISTRIBUTIONS = sizeof distributions / sizeof *distributions };

/* ---- worlds ---- */

static const double BOX = 8;

typedef struct setup {
  int32_t periodic_axes, walls, dimension, threads, gaps, tilted;
  double skin;
  int64_t particles;
} setup;

typedef struct world {
  dem_context *context;
  dem_system *system;
  const setup *is;
  dice d;
  int64_t pairs, touching; /* that were compared */
} world;

static void set_law(world *w) {
  dem_law_options law;
  scene_hooke(&law);
  law.normal_stiffness = law.tangential_stiffness = 1e-4; /* they pass through each other */
  law.damping = law.tangential_damping = DEM_DAMPING_NONE;
  if (w->is->gaps) {
    law.viscosity = 1e-9;
    law.lubrication_outer = 0.05;
  }
  assert_int_equal(scene_set_law(w->context, w->system, 0, 0, &law), DEM_OK);
}

static void world_open(world *w, const setup *is, uint64_t seed) {
  dem_system_options o;
  *w = (world){.is = is, .d = {seed}};
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-3;
  o.skin = is->skin;
  o.dimension = is->dimension;
  o.threads = is->threads;
  for (int k = 0; k < is->periodic_axes; k++) {
    o.periodic[k] = 1;
    o.box_high[k] = BOX;
  }
  for (int k = 0; k < 3 && is->tilted; k++) /* xy, xz, yz: where both axes are periodic */
    if (is->periodic_axes > (k == 0 ? 1 : 2)) o.box_tilt[k] = BOX * (double[]){0.5, -0.3, 0.4}[k];
  assert_int_equal(dem_system_create(w->context, &o, &w->system), DEM_OK);
  ASSERT_OK(w->system, dem_system_add_material(w->system, NULL, NULL));
  set_law(w);
  if (is->walls && is->periodic_axes < 3)
    ASSERT_OK(w->system, scene_add_plane(w->system, 0, (double[3]){0, 0, 3.8}, (double[3]){0, 0, 1}));
  if (is->walls && is->periodic_axes == 0)
    ASSERT_OK(w->system, scene_add_plane(w->system, 0, (double[3]){3.5, 3.5, 0}, (double[3]){0.6, 0.8, 0}));
}

static void world_close(world *w) {
  dem_system_destroy(w->system);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
}

/* All turn about the middle, or drift where an axis is periodic, and stray from that by a few skins in a hundred steps. */
static void put(world *w, rows *r, double radius, double spread, double stray) {
  double x[3], v[3];
  for (int k = 0; k < 3; k++) {
    x[k] = 0.5 * BOX + dice_uniform(&w->d, -spread, spread);
    v[k] = dice_uniform(&w->d, -stray, stray);
  }
  if (w->is->dimension == 2) x[2] = v[2] = 0;
  const int64_t row = rows_put(r, x[0], x[1], x[2], radius);
  r->frozen[row] = row % 20 == 7;
  const double turn = w->is->periodic_axes ? 0 : 8.0 * stray / BOX, drift = w->is->periodic_axes ? 5.0 * stray : 0;
  if (r->frozen[row]) return;
  rows_velocity(r, row, v[0] + drift - turn * (x[1] - 0.5 * BOX), v[1] + turn * (x[0] - 0.5 * BOX), v[2]);
}

/* Half of them crowd around the middle, as dense as a packing; a special one is there as well. */
static void world_fill(world *w, const distribution *sizes, int64_t n, int first) {
  rows r;
  double mean = 0, space = 0;
  assert_int_equal(rows_create(&r, n), 0);
  for (int k = 0; k < 1000; k++) {
    const double radius = sizes->radius(&w->d, dice_uniform(&w->d, 0, 1));
    mean += radius / 1000;
    space += 0.5 * (double)n * (w->is->dimension == 2 ? 4.0 * radius * radius : 8.0 * radius * radius * radius) / 1000;
  }
  const double crowd = fmin(0.5 * BOX, 0.5 * (w->is->dimension == 2 ? sqrt(space) : cbrt(space)));
  const double stray = 0.05 * 0.16 * mean / 1e-3;
  for (int64_t i = 0; i < n; i++) {
    const double radius = sizes->radius(&w->d, dice_uniform(&w->d, 0, 1));
    const int special = first && i == 0 && sizes->special > 0;
    put(w, &r, special ? sizes->special : radius, special ? 0.01 : i % 2 ? crowd : 0.5 * BOX, stray);
  }
  ASSERT_OK(w->system, rows_add(&r, w->system, NULL));
  rows_destroy(&r);
}

static void world_thin(world *w) {
  snapshot s;
  snapshot_take(&s, w->system);
  for (int64_t i = 1; i < s.count; i += 5) ASSERT_OK(w->system, dem_system_remove_particles(w->system, 1, s.ids + i));
  snapshot_free(&s);
}

/* ---- all pairs ---- */

/* Squared distance to the nearest of all images in a tilted box, edges as LAMMPS defines them, unless it is beyond `reach`. Positions may
 * be outside by as much as particles move between two lists. */
static double nearest_of_all(const demi_box *box, const double *p, const double *q, double reach) {
  double least = INFINITY;
  const int n[3] = {box->periodic[0] ? 3 : 0, box->periodic[1] ? 2 : 0, box->periodic[2] ? 2 : 0};
  for (int z = -n[2]; z <= n[2]; z++) {
    const double dz = p[2] - (q[2] + z * BOX);
    for (int y = -n[1]; y <= n[1] && fabs(dz) <= reach; y++) {
      const double dy = p[1] - (q[1] + (y * BOX + z * box->tilt[2]));
      for (int x = -n[0]; x <= n[0] && fabs(dy) <= reach; x++) {
        const double dx = p[0] - (q[0] + (x * BOX + y * box->tilt[0] + z * box->tilt[1]));
        least = fmin(least, dx * dx + dy * dy + dz * dz);
      }
    }
  }
  return least;
}

/* Squared distance to the nearest image, in the very arithmetic of the engine. */
static double nearest_square(const demi_box *box, const double *p, const double *q, double reach) {
  double square[3];
  if (box->tilted) return nearest_of_all(box, p, q, reach);
  for (int a = 0; a < 3; a++) {
    double d = p[a] - q[a];
    const double length = demi_box_length(box, a);
    if (box->periodic[a] && fabs(d) > 0.5 * length) d = p[a] - (q[a] + length * round(d / length));
    square[a] = d * d;
  }
  return square[0] + square[1] + square[2];
}

static int listed(const demi_list *list, int64_t i, int64_t j) {
  for (int32_t s = list->row_start[i]; s < list->row_start[i + 1]; s++)
    if ((int64_t)(list->code[s] & DEMI_ROW_MASK) == j) return 1;
  return 0;
}

static int wall_listed(const demi_list *list, int64_t i, int32_t face) {
  for (int64_t s = 0; s < list->face_pairs; s++)
    if (list->face_row[s] == i && list->face_index[s] == face) return 1;
  return 0;
}

static int64_t check_pairs(world *w) {
  const dem_system *s = w->system;
  const double *x = s->store.columns.position;
  int64_t touching = 0;
  for (int64_t i = 0; i < s->store.count; i++)
    for (int64_t j = i + 1; j < s->store.count; j++) {
      const double sum = x[4 * i + 3] + x[4 * j + 3], reach = sum + s->list.range;
      const double square = nearest_square(&s->box, x + 4 * i, x + 4 * j, reach);
      if (square >= reach * reach || (demi_store_frozen(&s->store, i) && demi_store_frozen(&s->store, j))) continue;
      w->pairs++;
      touching += square < sum * sum;
      if (listed(&s->list, i, j)) continue;
      print_error("rows %d, %d: radii %g, %g, gap %.17g, not listed\n", (int)i, (int)j, x[4 * i + 3], x[4 * j + 3],
                  sqrt(square) - sum);
      fail();
    }
  return touching;
}

static int64_t check_walls(world *w) {
  const dem_system *s = w->system;
  const double *x = s->store.columns.position;
  int64_t touching = 0;
  for (int64_t i = 0; i < s->store.count; i++)
    for (int32_t k = 0; k < s->faces.count; k++) {
      double normal[3];
      const double distance = demi_face_distance(&s->faces.face[k], x + 4 * i, normal), radius = x[4 * i + 3];
      if (distance >= radius + s->list.range || demi_store_frozen(&s->store, i)) continue;
      w->pairs++;
      touching += distance < radius;
      assert_true(wall_listed(&s->list, i, k));
    }
  return touching;
}

/* The list is the one that the latest evaluation used, and positions are those of that evaluation. */
static void check(world *w) {
  int64_t contacts;
  ASSERT_OK(w->system, dem_system_contact_count(w->system, &contacts));
  assert_true(w->system->list.valid && w->system->contacts.valid);
  int64_t touching = check_pairs(w);
  touching += check_walls(w);
  assert_int_equal(contacts, touching);
  w->touching += touching;
}

static void run(world *w, const distribution *sizes) {
  dem_statistics st;
  int32_t levels = 0;
  for (int round = 0; round < 3; round++) {
    world_fill(w, sizes, round ? w->is->particles / 5 : w->is->particles, round == 0);
    for (int k = 0; k < 12; k++) {
      ASSERT_OK(w->system, dem_system_step(w->system, k < 4 ? 1 : 9));
      check(w);
      ASSERT_OK(w->system, dem_system_check(w->system));
      if (w->system->list.levels > levels) levels = w->system->list.levels;
    }
    world_thin(w);
  }
  dem_statistics_init(&st, sizeof st);
  ASSERT_OK(w->system, dem_system_statistics(w->system, &st));
  print_message(
      "# %s, %d periodic axes%s%s, skin %g, %d-D, %d threads: %d levels, %d lists in %d steps, %d pairs, %d touching\n",
      sizes->name, w->is->periodic_axes, w->is->walls ? ", walls" : "", w->is->gaps ? ", gaps" : "", w->is->skin,
      w->is->dimension, w->is->threads, levels, (int)st.rebuilds, (int)st.steps, (int)w->pairs, (int)w->touching);
  assert_true(w->touching > 100);
  if (w->is->skin == 0) assert_true(st.rebuilds < 2 * st.steps / 3);
  if (w->is->dimension == 3 && !w->is->gaps) assert_true(levels >= sizes->levels);
}

static int64_t worlds; /* so far */

static void check_all(const setup *is) {
  for (int k = 0; k < DISTRIBUTIONS; k++) {
    world w;
    if (!series_takes(worlds++)) continue;
    world_open(&w, is, 77 + (uint64_t)k);
    run(&w, &distributions[k]);
    world_close(&w);
  }
}

static void open_space(void **state) {
  (void)state;
  check_all(&(setup){.dimension = 3, .threads = 1, .particles = 700});
  check_all(&(setup){.walls = 1, .dimension = 3, .threads = 2, .particles = 500});
}

static void periodic_box(void **state) {
  (void)state;
  check_all(&(setup){.periodic_axes = 1, .walls = 1, .dimension = 3, .threads = 3, .particles = 500});
  check_all(&(setup){.periodic_axes = 3, .dimension = 3, .threads = 1, .particles = 700});
  check_all(&(setup){.periodic_axes = 3, .dimension = 3, .threads = 4, .skin = 0.04, .particles = 500});
}

static void tilted_box(void **state) {
  (void)state;
  check_all(&(setup){.periodic_axes = 3, .tilted = 1, .dimension = 3, .threads = 2, .particles = 200});
  check_all(&(setup){.periodic_axes = 2, .tilted = 1, .walls = 1, .dimension = 3, .threads = 1, .particles = 160});
  check_all(&(setup){.periodic_axes = 2, .tilted = 1, .dimension = 2, .threads = 1, .gaps = 1, .particles = 140});
}

static void in_a_plane(void **state) {
  (void)state;
  check_all(&(setup){.dimension = 2, .threads = 1, .particles = 400});
  check_all(&(setup){.periodic_axes = 2, .dimension = 2, .threads = 2, .particles = 400});
}

static void across_gaps(void **state) {
  (void)state;
  check_all(&(setup){.periodic_axes = 2, .walls = 1, .dimension = 3, .threads = 2, .gaps = 1, .particles = 400});
}

/* ---- rolling ---- */

/* Fine grains on the surface of a large one that turns: they travel many skins, none comes nearer to it. */
static void fines_carried_around(void **state) {
  (void)state;
  const setup is = {.dimension = 3, .threads = 1};
  world w;
  rows r;
  dem_statistics st;
  world_open(&w, &is, 5);
  assert_int_equal(rows_create(&r, 2001), 0);
  rows_put(&r, 0, 0, 0, 1.0);
  for (int k = 0; k < 2000; k++) {
    const double z = dice_uniform(&w.d, -1, 1), phi = dice_uniform(&w.d, 0, 6.283185307179586), s = sqrt(1 - z * z);
    const double distance = 1.02 + dice_uniform(&w.d, -0.0005, 0.0005), x = distance * s * cos(phi),
                 y = distance * s * sin(phi);
    rows_velocity(&r, rows_put(&r, x, y, distance * z, 0.02), -0.05 * y, 0.05 * x, 0);
  }
  ASSERT_OK(w.system, rows_add(&r, w.system, NULL));
  rows_destroy(&r);
  for (int k = 0; k < 40; k++) {
    ASSERT_OK(w.system, dem_system_step(w.system, 10));
    check(&w);
  }
  dem_statistics_init(&st, sizeof st);
  ASSERT_OK(w.system, dem_system_statistics(w.system, &st));
  print_message("# carried around by %g skins: %d levels, %d lists, %d touching\n", 400 * 1e-3 * 0.05 / st.skin,
                w.system->list.levels, (int)st.rebuilds, (int)w.touching);
  assert_true(w.system->list.levels == 2 && w.touching > 10000);
  assert_true(st.rebuilds <= 10);
  world_close(&w);
}

/* ---- ploughing ---- */

/* A large sphere goes through fines at rest, over the seam of a periodic axis: only the bounds across levels can tell that the list and
 * the pick are too old. */
static void giant_through_fines_at_rest(void **state) {
  (void)state;
  const setup is = {.periodic_axes = 1, .dimension = 3, .threads = 2};
  world w;
  rows r;
  dem_statistics st;
  world_open(&w, &is, 6);
  assert_int_equal(rows_create(&r, 4000), 0);
  rows_velocity(&r, rows_put(&r, 5, 0, 0, 1.0), 1.5, 0.2, 0.1);
  for (int k = 0; k < 2400; k++) {
    const double x = k % 60 * (BOX / 60), y = k / 60 % 40 * 0.12 - 2.4;
    if ((x - 5) * (x - 5) + y * y > 1.1) rows_put(&r, x, y, 0.11 * (k % 7) - 0.3, 0.03);
  }
  ASSERT_OK(w.system, rows_add(&r, w.system, NULL));
  rows_destroy(&r);
  for (int k = 0; k < 300; k++) {
    ASSERT_OK(w.system, dem_system_step(w.system, k % 3 ? 3 : 17));
    if (series_takes(k)) check(&w);
  }
  dem_statistics_init(&st, sizeof st);
  ASSERT_OK(w.system, dem_system_statistics(w.system, &st));
  print_message("# ploughing by %g skins: %d levels, %d lists, %d touching\n", (double)st.steps * 1.5e-3 / st.skin,
                w.system->list.levels, (int)st.rebuilds, (int)w.touching);
  assert_true(w.system->list.levels == 2 && w.touching > 1000);
  world_close(&w);
}

/* ---- threads ---- */

static void run_with_threads(int32_t threads, const distribution *sizes, int32_t periodic_axes, snapshot *end) {
  const setup is = {.periodic_axes = periodic_axes, .dimension = 3, .threads = threads, .walls = 1, .particles = 3000};
  world w;
  world_open(&w, &is, 99);
  world_fill(&w, sizes, is.particles, 1);
  ASSERT_OK(w.system, dem_system_step(w.system, 60));
  snapshot_take(end, w.system);
  world_close(&w);
}

static void same_bits_with_any_threads(void **state) {
  (void)state;
  for (int k = 1; k < DISTRIBUTIONS; k++)
    for (int32_t axes = 0; axes < 4; axes += 3) {
      if (!series_takes(2 * k + axes / 3)) continue;
      snapshot one, other;
      run_with_threads(1, &distributions[k], axes, &one);
      for (int32_t threads = 2; threads <= 4; threads++) {
        run_with_threads(threads, &distributions[k], axes, &other);
        snapshot_assert_same_bits(&one, &other);
        snapshot_free(&other);
      }
      snapshot_free(&one);
    }
}

/* ---- work ---- */

typedef struct work {
  double pairs, tests, levels; /* per particle: pairs listed, distance tests of a build at most */
} work;

static int64_t tests_within(const demi_list *list, const int32_t periodic[3]) {
  int64_t tests = 0;
  for (int32_t l = 0; l < list->levels; l++) {
    const demi_grid *g = &list->level[l].grid;
    for (int32_t z = 0; z < g->cells[2]; z++)
      for (int32_t y = 0; y < g->cells[1]; y++)
        for (int32_t x = 0; x < g->cells[0]; x++) {
          const int32_t cell = demi_grid_cell(g, x, y, z), c[3] = {x, y, z};
          const int64_t own = g->cell_start[cell + 1] - g->cell_start[cell];
          int32_t n[3], near[3][3];
          int64_t around = 0;
          for (int a = 0; a < 3 && own; a++) n[a] = demi_neighbours(c[a], g->cells[a], periodic[a], near[a]);
          for (int32_t k = 0; own && k < n[0] * n[1] * n[2]; k++) {
            const int32_t to = demi_grid_cell(g, near[0][k % n[0]], near[1][k / n[0] % n[1]], near[2][k / n[0] / n[1]]);
            around += g->cell_start[to + 1] - g->cell_start[to];
          }
          tests += own * around / 2;
        }
  }
  return tests;
}

static int64_t tests_across(const demi_list *list) {
  int64_t tests = 0;
  for (int32_t t = 0; list->levels > 1 && t < list->level[list->levels - 1].first_tile; t++)
    tests += (int64_t)(list->cross_start[t + 1] - list->cross_start[t]) *
             (list->motion.tile_start[t + 1] - list->motion.tile_start[t]);
  return tests;
}

/* A large sphere in the middle of a periodic box, fines on a lattice around it. */
static work work_at(double ratio) {
  const int32_t side = 36;
  dem_system_options o;
  work result;
  world w = {0};
  rows r;
  assert_int_equal(dem_context_create(NULL, &w.context), DEM_OK);
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-3;
  for (int a = 0; a < 3; a++) {
    o.periodic[a] = 1;
    o.box_high[a] = side;
  }
  assert_int_equal(dem_system_create(w.context, &o, &w.system), DEM_OK);
  ASSERT_OK(w.system, dem_system_add_material(w.system, NULL, NULL));
  w.is = &(setup){0};
  set_law(&w);
  assert_int_equal(rows_create(&r, side * side * side + 1), 0);
  const double large = 0.5 * ratio, middle = 0.5 * side;
  rows_put(&r, middle, middle, middle, large);
  for (int32_t k = 0; k < side * side * side; k++) {
    const double x = k % side + 0.5, y = k / side % side + 0.5, z = k / side / side + 0.5;
    const double d = sqrt((x - middle) * (x - middle) + (y - middle) * (y - middle) + (z - middle) * (z - middle));
    if (d > large + 0.5) rows_put(&r, x, y, z, 0.5);
  }
  ASSERT_OK(w.system, rows_add(&r, w.system, NULL));
  ASSERT_OK(w.system, dem_system_step(w.system, 1));
  const demi_list *list = &w.system->list;
  const double n = (double)r.count;
  result.levels = list->levels;
  result.pairs = (double)list->pairs / n;
  result.tests = (double)(tests_within(list, o.periodic) + tests_across(list)) / n;
  rows_destroy(&r);
  world_close(&w);
  return result;
}

static void work_stays_bounded(void **state) {
  (void)state;
  const work one = work_at(1.0);
  print_message("# ratio 1: %g pairs, %g distance tests per particle\n", one.pairs, one.tests);
  for (double ratio = 2; ratio < 17; ratio *= 2) {
    const work w = work_at(ratio);
    print_message("# ratio %g: %g levels, %g pairs, at most %g distance tests per particle\n", ratio, w.levels, w.pairs,
                  w.tests);
    ASSERT_BELOW(w.pairs, 1.1 * one.pairs);
    ASSERT_BELOW(w.tests, 1.5 * one.tests);
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(open_space),
      cmocka_unit_test(periodic_box),
      cmocka_unit_test(tilted_box),
      cmocka_unit_test(in_a_plane),
      cmocka_unit_test(across_gaps),
      cmocka_unit_test(fines_carried_around),
      cmocka_unit_test(giant_through_fines_at_rest),
      cmocka_unit_test(same_bits_with_any_threads),
      cmocka_unit_test(work_stays_bounded),
  };
  return cmocka_run_group_tests_name("wide_neighbours", tests, NULL, NULL);
}
