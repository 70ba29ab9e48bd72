/* The neighbour list against a search over all pairs: which pairs it holds when it is built. Until when it holds:
 * test_list_bounds.c. */
#include "assertions.h"

#include "build.h"
#include "unit/list_world.h"

/* A pair stands once when it is nearer than range + skin, and not at all when it is further or cannot act. */
static void a_new_list_holds_the_near_pairs_once(void **state) {
  (void)state;
  int64_t found = 0, levels = 0;
  for (int k = 0; k < LIST_ALL_SETUPS; k++) {
    const list_setup s = list_setup_of(k);
    list_world *w = list_world_make(&s, 100 + (uint64_t)k);
    for (int a = 0; a < 3; a++) /* or there would be pairs with two images within reach */
      assert_true(!s.periodic[a] || demi_box_height(&w->box, a) >= 2 * (2 * w->search.largest_radius + s.range + s.skin));
    levels += w->list.levels > 1;
    for (int i = 0; i < LIST_ROWS; i++)
      for (int j = i + 1; j < LIST_ROWS; j++) {
        double listed_gap = 0;
        const double gap = list_world_gap(w, i, j), reach = w->search.range + list_world_skin(w, i, j);
        const int times = list_world_times_listed(w, i, j, &listed_gap), wanted = list_world_acts(w, i, j) && gap < reach;
        assert_int_equal(times, wanted);
        if (times) ASSERT_ABS(listed_gap, gap, 1e-12);
        found += times;
      }
    list_world_destroy(w);
  }
  assert_true(found > 1000 && levels > 0);
}

/* An entry of the tile for this image of row j. */
static int has_entry(const list_world *w, int32_t tile, int32_t j, const double shift[3]) {
  for (int32_t e = w->list.cross_start[tile]; e < w->list.cross_start[tile + 1]; e++) {
    const double *of = w->list.shift + 4 * (w->list.cross[e].code >> DEMI_SHIFT_BITS);
    if (w->list.cross[e].row == j && fabs(of[0] - shift[0]) + fabs(of[1] - shift[1]) + fabs(of[2] - shift[2]) < 1e-9) return 1;
  }
  return 0;
}

/* All images of a coarser particle: those within range + margin of a particle of the tile have an entry. Returns how many. */
static int64_t check_entries(const list_world *w, int32_t tile, int32_t i, int32_t j) {
  const double *p = w->store.columns.position + 4 * i, *q = w->store.columns.position + 4 * j;
  const double reach = p[3] + q[3] + w->search.range + w->list.far_margin;
  int64_t found = 0;
  for (int k = 0; k < 27; k++) {
    const double turns[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    double shift[3], square = 0;
    int outside = 0;
    for (int a = 0; a < 3; a++) outside = outside || (turns[a] != 0 && !w->box.periodic[a]);
    demi_box_image(&w->box, turns, shift);
    for (int a = 0; a < 3; a++) square += (p[a] - q[a] - shift[a]) * (p[a] - q[a] - shift[a]);
    if (outside || square >= reach * reach) continue;
    found++;
    assert_true(has_entry(w, tile, j, shift));
  }
  return found;
}

/* Pairs of two levels without an entry are allowed to move by the margin: see motion_check.c. */
static void every_coarser_particle_near_a_tile_has_an_entry(void **state) {
  (void)state;
  int64_t found = 0;
  for (int k = 0; k < LIST_ALL_SETUPS; k++) {
    const list_setup s = list_setup_of(k);
    list_world *w = list_world_make(&s, 400 + (uint64_t)k);
    const int32_t tiles = w->list.levels > 1 ? w->list.level[w->list.levels - 1].first_tile : 0;
    for (int32_t tile = 0; tile < tiles; tile++)
      for (int32_t i = w->list.motion.tile_start[tile]; i < w->list.motion.tile_start[tile + 1]; i++)
        for (int32_t j = w->list.level[demi_level_of_row(&w->list, i) + 1].first_row; j < LIST_ROWS; j++)
          found += check_entries(w, tile, i, j);
    list_world_destroy(w);
  }
  assert_true(found > 10000);
}

static void a_new_list_holds_the_particles_near_the_wall(void **state) {
  (void)state;
  int64_t found = 0;
  for (int k = 0; k < LIST_SETUPS; k++) {
    if (list_setups[k].periodic[2]) continue;
    list_world *w = list_world_make(&list_setups[k], 200 + (uint64_t)k);
    for (int i = 0; i < LIST_ROWS; i++) {
      const double *p = w->store.columns.position + 4 * i, gap = p[2] - 0.5 - p[3];
      const double skin = w->list.level[demi_level_of_row(&w->list, i)].skin[DEMI_SINCE_BUILD];
      const int moves = w->store.columns.velocity[8 * i + 3] > 0;
      if (fabs(gap - w->search.range - skin) > 1e-12)
        assert_int_equal(list_world_faces_listed(w, i), moves && gap < w->search.range + skin);
      found += list_world_faces_listed(w, i);
    }
    list_world_destroy(w);
  }
  assert_true(found > 50);
}

/* The table of tiles and coarser particles leaves out those that are further apart than its margin, which is that of tiles of the finest
 * level that are no neighbours: two diameters and ranges, and three skins. Otherwise each tile would have all coarse particles. */
static void the_table_of_coarse_particles_is_short(void **state) {
  (void)state;
  int64_t entries = 0, levels = 0;
  for (int k = 0; k < LIST_SETUPS; k++) {
    list_world *w = list_world_make(&list_setups[k], 260 + (uint64_t)k);
    const demi_list *l = &w->list;
    const double most = 2 * (2 * l->level[0].largest + l->range) + 3 * l->level[0].skin[DEMI_SINCE_BUILD];
    for (int32_t e = 0; l->levels > 1 && e < l->cross_start[l->level[l->levels - 1].first_tile]; e++, entries++)
      assert_true(l->cross[e].gap < most);
    if (l->levels > 1) assert_true(l->far_margin <= most);
    levels += l->levels > 1;
    list_world_destroy(w);
  }
  assert_true(levels > 1 && entries > 100);
}

/* Where the large particles have shrunk there is one level, and nothing is left of the other. */
static void a_list_forgets_levels(void **state) {
  (void)state;
  list_world *w = list_world_make(&list_setups[3], 250);
  assert_true(w->list.levels > 1);
  for (int i = 0; i < LIST_ROWS; i++) w->store.columns.position[4 * i + 3] = 0.1;
  w->search.largest_radius = 0.1;
  assert_int_equal(demi_list_build(&w->list, &w->store, &w->search), DEM_OK);
  assert_int_equal(w->list.levels, 1);
  const demi_motion *m = &w->list.motion;
  assert_true(m->tile_start[0] == 0 && m->tile_start[m->tiles] == LIST_ROWS);
  for (int32_t t = 0; t < m->tiles; t++) assert_true(m->tile_start[t] < m->tile_start[t + 1]);
  for (int i = 0; i < LIST_ROWS; i++)
    for (int j = i + 1; j < LIST_ROWS; j++) {
      double unused;
      assert_int_equal(list_world_times_listed(w, i, j, &unused),
                       list_world_acts(w, i, j) && list_world_gap(w, i, j) < list_world_skin(w, i, j));
    }
  list_world_destroy(w);
}

/* A box just wider than two ranges: pairs meet half a box away, over either side. */
static void a_small_box_has_the_nearest_images(void **state) {
  (void)state;
  list_world *w = list_world_make(&list_setups[1], 270);
  int64_t far = 0;
  for (int i = 0; i < LIST_ROWS; i++) w->store.columns.position[4 * i + 3] = 1.4;
  w->search.largest_radius = w->search.typical_radius = 1.4;
  w->search.skin = 0.18; /* pairs are listed up to 2.98 of 6 */
  assert_int_equal(demi_list_build(&w->list, &w->store, &w->search), DEM_OK);
  for (int i = 0; i < LIST_ROWS; i++)
    for (int j = i + 1; j < LIST_ROWS; j++) {
      double listed_gap = 0;
      const double gap = list_world_gap(w, i, j);
      const int times = list_world_times_listed(w, i, j, &listed_gap);
      assert_int_equal(times, list_world_acts(w, i, j) && gap < list_world_skin(w, i, j));
      if (times) ASSERT_ABS(listed_gap, gap, 1e-12);
      far += times && gap > 0.1;
    }
  assert_true(far > 100);
  list_world_destroy(w);
}

/* Images of row j within the skin of the pair, counted over the box and its 26 neighbours. */
static int images_within_skin(const list_world *w, int i, int j) {
  const double *p = w->store.columns.position + 4 * i, *q = w->store.columns.position + 4 * j;
  const double reach = p[3] + q[3] + w->search.range + list_world_skin(w, i, j);
  int found = 0;
  for (int k = 0; k < 27; k++) {
    const double turns[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    double square = 0;
    for (int a = 0; a < 3; a++) square += pow(p[a] - q[a] - LIST_EDGE * turns[a], 2);
    found += square < reach * reach;
  }
  return found;
}

/* All large particles act on each other, and two of them are 3 + 0.01 apart over one side of the box, 3 - 0.01 over the other. */
static void part_large_particles(list_world *w) {
  const double *first = NULL;
  int large = 0;
  for (int i = 0; i < LIST_ROWS; i++) {
    double *x = w->store.columns.position + 4 * i;
    if (x[3] < 1) continue;
    w->store.columns.material[i] = 0;
    if (large == 0) first = x;
    for (int a = 0; a < 3 && large == 1; a++) x[a] = first[a] + (a == 0 ? 0.5 * LIST_EDGE + 0.01 : 0);
    large++;
  }
  assert_true(large > 2);
}

/* In a box just over two ranges wide, large particles do not get a skin as many times larger as they are: two of them would reach each
 * other over both sides of the box, and a list has only one image of a pair. A skin of 14 x 0.1 would go with the radius, and
 * 6/2 - 2 x 1.4 = 0.2 is allowed. */
static void the_skin_of_large_particles_is_for_one_image(void **state) {
  (void)state;
  const list_setup s = {.periodic = {1, 1, 1}, .ratio = 14, .range = 0, .skin = 0.1, .chunks = 2};
  list_world *w = list_world_make(&s, 280);
  int64_t close = 0;
  part_large_particles(w);
  assert_int_equal(demi_list_build(&w->list, &w->store, &w->search), DEM_OK);
  assert_true(w->list.levels > 1);
  const demi_level *coarse = &w->list.level[w->list.levels - 1];
  ASSERT_ABS(2 * coarse->largest + w->search.range + coarse->skin[DEMI_SINCE_BUILD], 0.5 * LIST_EDGE, 1e-12);
  for (int i = coarse->first_row; i < LIST_ROWS; i++)
    for (int j = i + 1; j < LIST_ROWS; j++) {
      double listed_gap;
      const int images = images_within_skin(w, i, j), times = list_world_times_listed(w, i, j, &listed_gap);
      assert_true(images <= 1);
      assert_int_equal(times, list_world_acts(w, i, j) ? images : 0);
      close += times && fabs(listed_gap - 0.19) < 1e-9;
    }
  assert_int_equal(close, 1);
  list_world_destroy(w);
}

/* Rows and twice the pairs of blocks first ... end - 1. */
static double work_of(const list_world *w, int32_t first, int32_t end) {
  const int32_t from = demi_block_first(&w->list.motion, first), to = demi_block_first(&w->list.motion, end);
  return to - from + 2.0 * (w->list.row_start[to] - w->list.row_start[from]);
}

/* Chunks share rows and pairs evenly, up to a block: of all blocks, and of those from any block on. */
static void chunks_share_the_work(void **state) {
  (void)state;
  list_world *w = list_world_make(&list_setups[2], 8);
  const int32_t blocks = w->list.motion.blocks;
  assert_true(blocks > 5);
  for (int32_t first = 0; first < blocks - 1; first++)
    for (int32_t count = 1; count <= 4; count++) {
      demi_chunks chunks;
      double largest = 0;
      demi_chunks_lay(&w->list, &chunks, first, blocks, count);
      for (int32_t b = first; b < blocks; b++) largest = fmax(largest, work_of(w, b, b + 1));
      assert_true(chunks.count == count && chunks.block[0] == first && chunks.block[count] == blocks);
      for (int32_t k = 0; k < count; k++) {
        const double work = work_of(w, chunks.block[k], chunks.block[k + 1]);
        assert_int_equal(chunks.row[k], demi_block_first(&w->list.motion, chunks.block[k]));
        ASSERT_ABS(work, work_of(w, first, blocks) / count, largest);
      }
    }
  list_world_destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_new_list_holds_the_near_pairs_once),
      cmocka_unit_test(every_coarser_particle_near_a_tile_has_an_entry),
      cmocka_unit_test(a_new_list_holds_the_particles_near_the_wall),
      cmocka_unit_test(the_table_of_coarse_particles_is_short),
      cmocka_unit_test(a_list_forgets_levels),
      cmocka_unit_test(a_small_box_has_the_nearest_images),
      cmocka_unit_test(the_skin_of_large_particles_is_for_one_image),
      cmocka_unit_test(chunks_share_the_work),
  };
  return cmocka_run_group_tests_name("list", tests, NULL, NULL);
}
