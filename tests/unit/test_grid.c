/* The cell grid against a search over all pairs: particles nearer than a cell's edge lie in neighbouring cells, and the sorted order
 * is a permutation that runs through the cells. */
#include "assertions.h"

#include <stdlib.h>

#include "grid.h"
#include "scenes/scenes.h"

enum { COUNT = 600 };

typedef struct world {
  dem_context *context;
  demi_store store;
  demi_grid grid;
  demi_box box;
  int32_t rows[COUNT], cell[COUNT], order[COUNT];
} world;

static world *make(const int32_t periodic[3], double flatness, uint64_t seed) {
  world *w = test_calloc(1, sizeof *w);
  dice d = {seed};
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  demi_store_init(&w->store, w->context);
  demi_grid_init(&w->grid);
  assert_int_equal(demi_store_reserve(&w->store, COUNT), DEM_OK);
  for (int a = 0; a < 3; a++) {
    w->box.low[a] = -1;
    w->box.high[a] = a == 2 ? -1 + flatness : 9;
    w->box.periodic[a] = periodic[a];
  }
  for (int k = 0; k < COUNT; k++) {
    w->rows[k] = k;
    for (int a = 0; a < 3; a++) w->store.columns.position[4 * k + a] = dice_uniform(&d, w->box.low[a], w->box.high[a]);
  }
  /* on open axes some are outside of the box */
  for (int a = 0; a < 3; a++)
    if (!periodic[a]) w->store.columns.position[4 * 5 + a] = 40;
  w->store.count = COUNT;
  return w;
}

static void destroy(world *w) {
  demi_grid_free(&w->grid, w->context);
  w->store.count = 0;
  demi_store_free(&w->store);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
  test_free(w);
}

static void cell_of(const world *w, int32_t row, int32_t c[3]) {
  for (int a = 0; a < 3; a++) c[a] = demi_grid_coordinate(&w->grid, a, w->store.columns.position[4 * (int64_t)row + a]);
}

static int are_neighbours(const world *w, const int32_t p[3], const int32_t q[3]) {
  for (int a = 0; a < 3; a++) {
    int32_t near[3], found = 0;
    const int32_t n = demi_neighbours(p[a], w->grid.cells[a], w->box.periodic[a], near);
    for (int32_t k = 0; k < n; k++) found = found || near[k] == q[a];
    if (!found) return 0;
  }
  return 1;
}

static void check_order(const world *w, int32_t first) {
  int seen[COUNT] = {0};
  for (int k = 0; k < COUNT; k++) seen[w->order[k]]++;
  for (int k = 0; k < COUNT; k++) assert_int_equal(seen[k], 1);
  assert_int_equal(w->grid.cell_start[0], first);
  assert_int_equal(w->grid.cell_start[w->grid.cell_total], first + COUNT);
  for (int32_t cell = 0; cell < w->grid.cell_total; cell++)
    for (int32_t k = w->grid.cell_start[cell]; k < w->grid.cell_start[cell + 1]; k++) {
      int32_t c[3];
      cell_of(w, w->order[k - first], c);
      assert_int_equal(demi_grid_cell(&w->grid, c[0], c[1], c[2]), cell);
    }
}

static int64_t check_pairs(const world *w, double reach) {
  int64_t near = 0;
  for (int32_t i = 0; i < COUNT; i++)
    for (int32_t j = i + 1; j < COUNT; j++) {
      const double *x = w->store.columns.position;
      double d[3], square = 0;
      int32_t p[3], q[3];
      for (int a = 0; a < 3; a++) d[a] = x[4 * i + a] - x[4 * j + a];
      demi_box_nearest(&w->box, d);
      for (int a = 0; a < 3; a++) square += d[a] * d[a];
      if (square >= reach * reach) continue;
      near++;
      cell_of(w, i, p);
      cell_of(w, j, q);
      assert_true(are_neighbours(w, p, q));
    }
  return near;
}

static void near_particles_lie_in_neighbouring_cells(void **state) {
  (void)state;
  static const int32_t axes[][3] = {{1, 1, 1}, {0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
  for (int k = 0; k < 4; k++)
    for (int flat = 0; flat < 2; flat++)
      for (int by_length = 0; by_length < 2; by_length++) {
        world *w = make(axes[k], flat ? 3.3 : 10, 11 + (uint64_t)k);
        const double reach = 0.8;
        const demi_members members = {w->rows, COUNT, 0, by_length, w->cell, w->order};
        assert_int_equal(demi_grid_sort(&w->grid, &w->store, &w->box, &members, reach), DEM_OK);
        for (int a = 0; a < 3; a++) assert_true(w->grid.inverse_edge[a] <= 1 / reach);
        check_order(w, 0);
        assert_true(check_pairs(w, reach) > 100);
        destroy(w);
      }
}

/* A level of coarse particles begins at a later row. */
static void the_first_row_is_kept(void **state) {
  (void)state;
  static const int32_t open[3] = {0, 0, 0};
  world *w = make(open, 10, 5);
  static int32_t order[1000 + COUNT];
  const demi_members members = {w->rows, COUNT, 1000, 0, w->cell, order};
  assert_int_equal(demi_grid_sort(&w->grid, &w->store, &w->box, &members, 0.5), DEM_OK);
  memcpy(w->order, order + 1000, sizeof w->order);
  check_order(w, 1000);
  destroy(w);
}

static void neighbours_do_not_repeat(void **state) {
  (void)state;
  for (int32_t n = 1; n <= 5; n++)
    for (int32_t c = 0; c < n; c++)
      for (int32_t periodic = 0; periodic < 2; periodic++) {
        int32_t out[3];
        const int32_t count = demi_neighbours(c, n, periodic, out);
        const int32_t all = n < 3 ? n : 3, ends = (c == 0) + (c == n - 1);
        assert_int_equal(count, periodic ? all : (n == 1 ? 1 : 3 - ends));
        for (int32_t k = 0; k < count; k++) {
          assert_true(out[k] >= 0 && out[k] < n);
          for (int32_t m = 0; m < k; m++) assert_true(out[m] != out[k]);
        }
      }
}

/* The cells grow with the empty space: memory goes with the particles. */
static void far_particles_cost_no_cells(void **state) {
  (void)state;
  static const int32_t open[3] = {0, 0, 0};
  world *w = make(open, 10, 6);
  w->box.low[0] = w->box.high[0] = w->box.low[1] = w->box.high[1] = w->box.low[2] = w->box.high[2] = 0; /* no box declared */
  for (int a = 0; a < 3; a++) w->store.columns.position[4 * 7 + a] = 1e9;
  const demi_members members = {w->rows, COUNT, 0, 0, w->cell, w->order};
  assert_int_equal(demi_grid_sort(&w->grid, &w->store, &w->box, &members, 0.1), DEM_OK);
  assert_true(w->grid.cell_total <= 8 * COUNT + 4096);
  check_order(w, 0);
  destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(near_particles_lie_in_neighbouring_cells),
      cmocka_unit_test(the_first_row_is_kept),
      cmocka_unit_test(neighbours_do_not_repeat),
      cmocka_unit_test(far_particles_cost_no_cells),
  };
  return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
