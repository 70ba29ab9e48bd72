/* Until when a neighbour list holds: after random displacements no pair within range is missing as long as the list says that it holds,
 * and it says so for nearly as long as that is true. */
#include "assertions.h"

#include "build.h"
#include "series.h"
#include "unit/list_world.h"

/* Moves every particle as a drift does: the tile's box of displacements grows by the box of this displacement. */
static void displace(list_world *w, double size, const double common[3]) {
  demi_motion *m = &w->list.motion;
  memset(m->recent, 0, (size_t)m->blocks * 8 * sizeof *m->recent);
  for (int32_t b = 0; b < m->blocks; b++)
    for (int32_t t = m->block_tile[b]; t < m->block_tile[b + 1]; t++)
      for (int a = 0; a < 3; a++) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t row = m->tile_start[t]; row < m->tile_start[t + 1]; row++) {
          const double step = common[a] + dice_uniform(&w->d, -size, size);
          w->store.columns.position[4 * (int64_t)row + a] += step;
          low = fmin(low, step);
          high = fmax(high, step);
        }
        for (int k = 0; k < 2; k++) {
          m->bounds[k].moved[8 * (int64_t)t + a] += low;
          m->bounds[k].moved[8 * (int64_t)t + 4 + a] += high;
        }
        double *recent = m->recent + 8 * (int64_t)b;
        recent[a] = fmin(recent[a], low);
        recent[4 + a] = fmax(recent[4 + a], high);
      }
}

static int is_picked(const list_world *w, int i, int j) {
  for (int32_t b = 0; b < w->list.motion.blocks; b++) {
    const int32_t first = w->list.row_start[demi_block_first(&w->list.motion, b)];
    for (int32_t k = first; k < first + w->list.near_count[b]; k++)
      if (w->list.near_row[k] == i && (int)(w->list.code[w->list.near_pair[k]] & DEMI_ROW_MASK) == j) return 1;
  }
  return 0;
}

/* Returns how many pairs were within range. */
static int64_t check_coverage(const list_world *w) {
  int64_t near = 0;
  for (int i = 0; i < LIST_ROWS; i++) {
    for (int j = i + 1; j < LIST_ROWS; j++) {
      double unused;
      if (!list_world_acts(w, i, j) || list_world_gap(w, i, j) >= w->search.range) continue;
      near++;
      assert_int_equal(list_world_times_listed(w, i, j, &unused), 1);
      assert_true(is_picked(w, i, j));
    }
    const double *p = w->store.columns.position + 4 * i;
    if (w->faces.count && w->store.columns.velocity[8 * i + 3] > 0 && p[2] - 0.5 - p[3] < w->search.range)
      assert_int_equal(list_world_faces_listed(w, i), 1);
  }
  return near;
}

static void no_pair_is_missed_while_the_list_holds(void **state) {
  (void)state;
  int64_t near = 0, survived = 0, expired = 0;
  for (int k = 0; k < LIST_SETUPS + LIST_TILTED / 2; k++)
    for (int flow = 0; flow < 2; flow++) {
      const list_setup s = list_setup_of(k);
      if (!series_takes(2 * k + flow)) continue;
      list_world *w = list_world_make(&s, 300 + (uint64_t)k);
      const double size = 0.06 * s.skin, common[3] = {flow ? 3 * s.skin : 0, 0, 0};
      for (int n = 0; n < 12; n++) {
        demi_list_prune(&w->list, &w->store);
        near += check_coverage(w);
        displace(w, size, common);
        const int holds = demi_list_holds(&w->list, &w->store);
        assert_true(holds >= 0);
        survived += holds;
        if (holds) continue;
        expired++;
        assert_int_equal(demi_list_build(&w->list, &w->store, &w->search), DEM_OK);
      }
      list_world_destroy(w);
    }
  assert_true(near > 5000 && survived > 40 && expired > 5);
}

/* ---- up to the bound ----
 * Tiles that move as rigid bodies make the bound exact: it is the relative displacement of two neighbouring tiles. */

static int32_t tile_of(const list_world *w, int32_t row) {
  int32_t t = 0;
  while (w->list.motion.tile_start[t + 1] <= row) t++;
  return t;
}

/* Moves tile t as a rigid body by `step` + 4 t. */
static void move_tiles(list_world *w, const double *step) {
  demi_motion *m = &w->list.motion;
  memset(m->recent, 0, (size_t)m->blocks * 8 * sizeof *m->recent);
  for (int32_t b = 0; b < m->blocks; b++)
    for (int32_t t = m->block_tile[b]; t < m->block_tile[b + 1]; t++)
      for (int a = 0; a < 3; a++) {
        const double d = step[4 * t + a];
        for (int32_t row = m->tile_start[t]; row < m->tile_start[t + 1]; row++) w->store.columns.position[4 * row + a] += d;
        for (int k = 0; k < 4; k++) m->bounds[k / 2].moved[8 * t + 4 * (k % 2) + a] += d;
        m->recent[8 * b + a] = fmin(m->recent[8 * b + a], d);
        m->recent[8 * b + 4 + a] = fmax(m->recent[8 * b + 4 + a], d);
      }
}

/* All tiles move forth and back, each its own way, until the bound of the moment has been computed anew from where they were. */
static void shake(list_world *w, double size, int32_t moment) {
  const demi_bounds *bounds = &w->list.motion.bounds[moment];
  double *step = test_calloc((size_t)w->list.motion.tiles * 4, sizeof *step);
  double spent;
  int back = 0;
  do {
    for (int32_t k = 0; k < 4 * w->list.motion.tiles; k++) step[k] = back ? -step[k] : dice_uniform(&w->d, -size, size);
    move_tiles(w, step);
    back = !back;
    spent = bounds->spent;
    assert_int_equal(demi_list_holds(&w->list, &w->store), 1);
    assert_true(w->list.pruned);
  } while (back || bounds->spent > spent);
  test_free(step);
}

/* Two rows, and the unit vector from the second to the first; or a row, -1, and the normal of the wall. */
typedef struct approaching {
  int32_t i, j;
  double gap, normal[3];
} approaching;

/* The pair of two tiles, both of the finest level, whose gap beyond the range is closest to `wanted` among those from `least` on. */
static approaching pair_at(const list_world *w, double wanted, double least) {
  approaching n = {-1, -1, INFINITY, {0}};
  for (int i = 0; i < w->list.level[1].first_row; i++)
    for (int j = i + 1; j < w->list.level[1].first_row; j++) {
      const double *p = w->store.columns.position + 4 * i, *q = w->store.columns.position + 4 * j;
      double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
      demi_box_nearest(&w->box, d);
      const double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), gap = distance - p[3] - q[3] - w->search.range;
      if (gap < least || fabs(gap - wanted) >= fabs(n.gap - wanted) || !list_world_acts(w, i, j) ||
          tile_of(w, i) == tile_of(w, j))
        continue;
      n = (approaching){i, j, gap, {d[0] / distance, d[1] / distance, d[2] / distance}};
    }
  return n;
}

/* A list that no pick has shaped, of particles of which two are just far enough apart to be left out of it, or of its pick. */
static approaching part_a_pair(list_world *w, int32_t moment) {
  demi_list_prune(&w->list, &w->store);
  const double skin = w->list.level[0].skin[moment];
  const approaching n = pair_at(w, 1.01 * skin, -INFINITY);
  for (int a = 0; a < 3; a++) w->store.columns.position[4 * n.i + a] += (1.01 * skin - n.gap) * n.normal[a];
  demi_list_free(&w->list);
  demi_list_init(&w->list, w->context);
  assert_int_equal(demi_list_build(&w->list, &w->store, &w->search), DEM_OK);
  demi_list_prune(&w->list, &w->store);
  assert_true(w->list.level[0].skin[moment] == skin);
  return pair_at(w, skin, skin);
}

static approaching nearest_to_the_wall_left_out(list_world *w) {
  approaching n = {-1, -1, INFINITY, {0, 0, 1}};
  demi_list_prune(&w->list, &w->store);
  for (int i = 0; i < LIST_ROWS; i++) {
    const double *p = w->store.columns.position + 4 * i, gap = p[2] - 0.5 - p[3] - w->search.range;
    if (gap < n.gap && gap > 0 && w->store.columns.velocity[8 * i + 3] > 0 && !list_world_faces_listed(w, i)) {
      n.i = i;
      n.gap = gap;
    }
  }
  return n;
}

/* Brings the tiles of the two together by 2 % of `skin` at a time, each going half of the way, until the list no longer holds
 * (or the pick is no longer complete). Returns how far they came, over the skin. */
static double approach_until_told(list_world *w, const approaching *n, double skin, int32_t moment) {
  double *step = test_calloc((size_t)w->list.motion.tiles * 4, sizeof *step), way = 0;
  for (int a = 0; a < 3; a++) {
    step[4 * tile_of(w, n->i) + a] -= (n->j < 0 ? 0.02 : 0.01) * skin * n->normal[a];
    if (n->j >= 0) step[4 * tile_of(w, n->j) + a] += 0.01 * skin * n->normal[a];
  }
  for (;;) {
    move_tiles(w, step);
    const int holds = demi_list_holds(&w->list, &w->store);
    if (!(moment == DEMI_SINCE_PRUNE ? w->list.pruned : holds)) break;
    way += 0.02;
    assert_true(way < 2);
    demi_list_prune(&w->list, &w->store);
    if (way > 0.9) check_coverage(w);
  }
  test_free(step);
  return way;
}

/* A pair that was left out, its gap just larger than range + skin, comes nearer until the list says that it may act: before it is
 * within the range, and not before 95 % of the skin are used up. */
static void the_bound_is_told_in_time(void **state) {
  (void)state;
  enum { PAIR_OF_LIST, PAIR_OF_PICK, WALL, KINDS };
  for (int k = 0; k < LIST_SETUPS; k++)
    for (int kind = 0; kind < KINDS; kind++) {
      if (!series_takes(KINDS * k + kind) || (kind == WALL && (list_setups[k].periodic[2] || list_setups[k].flat))) continue;
      const int32_t moment = kind == PAIR_OF_PICK ? DEMI_SINCE_PRUNE : DEMI_SINCE_BUILD;
      list_world *w = list_world_make(&list_setups[k], 400 + (uint64_t)k);
      const approaching n = kind == WALL ? nearest_to_the_wall_left_out(w) : part_a_pair(w, moment);
      const double skin = w->list.level[0].skin[moment];
      shake(w, 0.1 * w->list.level[0].skin[DEMI_SINCE_PRUNE], moment);
      const double way = approach_until_told(w, &n, skin, moment);
      assert_true(way > 0.95 && way < n.gap / skin);
      list_world_destroy(w);
    }
}

/* ---- between levels ---- */

static double distance(const double *p, const double *q, const double *shift) {
  double square = 0;
  for (int a = 0; a < 3; a++) square += (p[a] - q[a] - shift[a]) * (p[a] - q[a] - shift[a]);
  return sqrt(square);
}

/* The rows of a tile move, each its own way within a box, and so does a coarser particle near it: how much nearer one of them comes to it,
 * at most. `longest`: a bound on their relative displacements. */
static double come_nearer(list_world *w, int32_t tile, const demi_cross_entry *entry, double size, double *longest) {
  double *position = w->store.columns.position, *q = position + 4 * (int64_t)entry->row,
         *moved = w->list.motion.bounds[0].moved + 8 * tile;
  const double *shift = w->list.shift + 4 * (entry->code >> DEMI_SHIFT_BITS), *before = w->before + 4 * (int64_t)entry->row;
  double nearest = -INFINITY, square = 0;
  for (int a = 0; a < 3; a++) q[a] = before[a] + dice_uniform(&w->d, -size, size);
  for (int a = 0; a < 3; a++) {
    const double common = dice_uniform(&w->d, -size, size);
    moved[a] = INFINITY, moved[4 + a] = -INFINITY;
    for (int32_t row = w->list.motion.tile_start[tile]; row < w->list.motion.tile_start[tile + 1]; row++) {
      const double step = common + dice_uniform(&w->d, -0.3 * size, 0.3 * size);
      position[4 * row + a] = w->before[4 * row + a] + step;
      moved[a] = fmin(moved[a], step);
      moved[4 + a] = fmax(moved[4 + a], step);
    }
    const double own = q[a] - before[a], most = fmax(moved[4 + a] - own, own - moved[a]);
    square += most * most;
  }
  for (int32_t row = w->list.motion.tile_start[tile]; row < w->list.motion.tile_start[tile + 1]; row++)
    nearest = fmax(nearest, distance(w->before + 4 * row, before, shift) - distance(position + 4 * row, q, shift));
  *longest = sqrt(square);
  return nearest;
}

/* What is left between one tile and one coarser particle, all others being far apart: no more than what they bear less what they came
 * nearer, and no less than that by the length of their displacements. */
static void check_entries(list_world *w) {
  enum { FAR = 1000000 };
  demi_list *list = &w->list;
  const int32_t tiles = list->level[list->levels - 1].first_tile, entries = list->cross_start[tiles];
  double *gap = test_calloc((size_t)entries, sizeof *gap), longest;
  for (int32_t e = 0; e < entries; e++) gap[e] = list->cross[e].gap, list->cross[e].gap = FAR;
  memcpy(w->before, w->store.columns.position, sizeof w->before);
  for (int n = 0; n < 400; n++) {
    const int32_t e = (int32_t)dice_uniform(&w->d, 0, entries);
    int32_t tile = 0;
    while (list->cross_start[tile + 1] <= e) tile++;
    const double skin = list->level[demi_level_of_tile(list, tile)].skin[DEMI_SINCE_BUILD], bears = fmax(gap[e], skin);
    const double nearer = come_nearer(w, tile, &list->cross[e], 0.1 * skin, &longest);
    list->cross[e].gap = gap[e];
    const double slack = demi_cross_slack(list, w->store.columns.position, DEMI_SINCE_BUILD);
    list->cross[e].gap = FAR;
    assert_true(slack <= bears - nearer + 1e-12 && slack >= bears - longest - 1e-12);
    memcpy(w->store.columns.position, w->before, sizeof w->before);
  }
  test_free(gap);
}

static void what_levels_bear_covers_how_near_they_come(void **state) {
  (void)state;
  int checked = 0;
  for (int k = 0; k < LIST_SETUPS; k++) {
    list_world *w = list_world_make(&list_setups[k], 500 + (uint64_t)k);
    if (w->list.levels > 1) check_entries(w), checked++;
    list_world_destroy(w);
  }
  assert_true(checked > 1);
}

/* ---- rows that are moved to and fro ---- */

static void keep_positions(list_world *w, int32_t moment, double *since) {
  memcpy(since, w->store.columns.position, 4 * LIST_ROWS * sizeof *since);
  w->list.since[moment] = since;
}

/* Each row to `since` + flow + a random displacement up to `size`; recent then holds the boxes of the latest displacements. */
static void move_from(list_world *w, const double *since, double size, double flow) {
  demi_motion *m = &w->list.motion;
  for (int32_t b = 0; b < m->blocks; b++)
    for (int a = 0; a < 3; a++) {
      double *low = m->recent + 8 * (int64_t)b + a, *high = low + 4;
      *low = INFINITY, *high = -INFINITY;
      for (int32_t row = demi_block_first(m, b); row < demi_block_first(m, b + 1); row++) {
        double *x = w->store.columns.position + 4 * (int64_t)row + a;
        const double to = since[4 * row + a] + dice_uniform(&w->d, -size, size) + (a == 0 ? flow : 0);
        *low = fmin(*low, to - *x);
        *high = fmax(*high, to - *x);
        *x = to;
      }
    }
}

/* After a check that had to measure: the boxes of all tiles are those of the differences, to the bit. */
static void check_boxes(const list_world *w, const double *since) {
  const demi_motion *m = &w->list.motion;
  for (int32_t t = 0; t < m->tiles; t++)
    for (int a = 0; a < 3; a++) {
      double low = INFINITY, high = -INFINITY;
      for (int32_t row = m->tile_start[t]; row < m->tile_start[t + 1]; row++) {
        const double moved = w->store.columns.position[4 * (int64_t)row + a] - since[4 * row + a];
        low = fmin(low, moved);
        high = fmax(high, moved);
      }
      assert_true(m->bounds[DEMI_SINCE_BUILD].moved[8 * (int64_t)t + a] == low);
      assert_true(m->bounds[DEMI_SINCE_BUILD].moved[8 * (int64_t)t + 4 + a] == high);
    }
}

/* However far rows went in between, the list holds when they are back, and knows when it does not. */
static void a_list_measures_from_where_rows_were(void **state) {
  (void)state;
  static double since[2][4 * LIST_ROWS];
  int64_t near = 0, held = 0, away = 0;
  for (int k = 0; k < LIST_SETUPS; k++) {
    list_world *w = list_world_make(&list_setups[k], 500 + (uint64_t)k);
    const double skin = w->list.level[0].skin[DEMI_SINCE_BUILD];
    const double sizes[] = {0.02 * skin, 0.1 * skin, 100 * LIST_EDGE, 0, 2 * skin, 0.1 * skin, LIST_EDGE};
    keep_positions(w, DEMI_SINCE_BUILD, since[0]);
    int64_t picks = w->list.prunes;
    for (int n = 0; n < 21; n++) {
      const double size = sizes[n % 7];
      move_from(w, since[0], size, n % 2 && !w->faces.count ? 5 * skin : 0);
      const int holds = demi_list_holds(&w->list, &w->store);
      if (size <= 0.1 * skin) assert_int_equal(holds, 1);
      if (size >= LIST_EDGE) assert_int_equal(holds, 0);
      *(holds ? &held : &away) += 1;
      if (!holds) check_boxes(w, since[0]);
      if (!holds) continue;
      demi_list_prune(&w->list, &w->store);
      if (picks != w->list.prunes) keep_positions(w, DEMI_SINCE_PRUNE, since[1]);
      picks = w->list.prunes;
      near += check_coverage(w);
    }
    list_world_destroy(w);
  }
  assert_true(near > 5000 && held > 60 && away > 40);
}

static void a_displacement_that_is_not_finite_is_told(void **state) {
  (void)state;
  list_world *w = list_world_make(&list_setups[0], 1);
  demi_list_prune(&w->list, &w->store);
  w->list.motion.recent[8 * (int64_t)(w->list.motion.blocks - 1) + 3] = NAN;
  assert_int_equal(demi_list_holds(&w->list, &w->store), -1);
  list_world_destroy(w);
}

/* Picks that serve a few evaluations only get a larger skin, by a quarter at most and up to eight times the usual one; those that
 * serve many get a smaller one again. The skin of the pick is never more than half of the list's. */
static void short_picks_get_a_larger_skin(void **state) {
  (void)state;
  list_world *w = list_world_make(&list_setups[2], 7);
  const demi_level *level = &w->list.level[0];
  demi_list_prune(&w->list, &w->store);
  assert_true(w->list.near_widen == 1);
  for (int n = 0; n < 60; n++) {
    const double before = w->list.near_widen;
    const int shortly = n < 20;
    for (int k = 1; k < (shortly ? 3 : 20); k++) demi_list_prune(&w->list, &w->store);
    w->list.pruned = 0;
    demi_list_prune(&w->list, &w->store);
    const double now = w->list.near_widen;
    assert_true(shortly ? now >= before && now <= 1.25 * before : now <= before && now >= 0.8 * before);
    assert_true(now >= 1 && now <= 8);
    ASSERT_REL(level->skin[DEMI_SINCE_PRUNE], fmin(0.5 * level->skin[DEMI_SINCE_BUILD], now * level->near_gap), 1e-15);
    if (n == 19) assert_true(now == 8);
  }
  assert_true(w->list.near_widen == 1);
  list_world_destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_pair_is_missed_while_the_list_holds),     cmocka_unit_test(the_bound_is_told_in_time),
      cmocka_unit_test(what_levels_bear_covers_how_near_they_come), cmocka_unit_test(short_picks_get_a_larger_skin),
      cmocka_unit_test(a_list_measures_from_where_rows_were),       cmocka_unit_test(a_displacement_that_is_not_finite_is_told),
  };
  return cmocka_run_group_tests_name("list_bounds", tests, NULL, NULL);
}
