/* The neighbour list against a search over all pairs: which pairs it holds when it is built, and that after random displacements no
 * pair within range is missing as long as the list says that it holds. Sizes alike and 1:12, open and periodic axes, a wall; and random
 * tilted boxes, in a plane and in space, against all images of all pairs. */
#include "assertions.h"

#include <stdlib.h>

#include "build.h"
#include "context.h"
#include "scenes/scenes.h"

enum { COUNT = 1200, MATERIALS = 2 };

typedef struct world {
  dem_context *context;
  demi_store store;
  demi_list list;
  demi_box box;
  demi_faces faces;
  demi_search search;
  uint8_t interacts[MATERIALS * MATERIALS];
  double before[4 * COUNT]; /* positions */
  dice d;
} world;

typedef struct setup {
  int32_t periodic[3];
  double ratio, range, skin; /* of the sizes; gap across which pairs act; skin */
  int32_t chunks;
  double edge[3], tilt[3]; /* of a tilted box: lengths; xy, xz, yz over the length that limits each */
  int32_t flat;            /* 1: in the plane z = 0 */
} setup;

static const double EDGE = 6;

static void set_box(demi_box *box, const setup *s) {
  const double along[3] = {s->edge[0], s->edge[0], s->edge[1]};
  double tilt[3];
  for (int a = 0; a < 3; a++) {
    box->low[a] = s->edge[a] > 0 ? -2 : 0;
    box->high[a] = s->edge[a] > 0 ? box->low[a] + s->edge[a] : EDGE;
    box->periodic[a] = s->periodic[a];
    tilt[a] = s->tilt[a] * along[a];
  }
  demi_box_set_tilt(box, tilt);
}

/* Somewhere in the box; one in twenty is a little outside, as particles are between two lists. */
static void place(world *w, const setup *s, double *position) {
  double edge[3];
  for (int a = 0; a < 3 && s->edge[0] == 0; a++) position[a] = dice_uniform(&w->d, 0, EDGE);
  if (s->edge[0] == 0) return;
  memcpy(position, w->box.low, 3 * sizeof *position);
  for (int a = 0; a < 3; a++) {
    const double part = dice_uniform(&w->d, 0, 1), out = dice_uniform(&w->d, 0, 1) < 0.05 ? dice_uniform(&w->d, -2, 2) : 0;
    demi_box_edge(&w->box, a, edge);
    for (int k = 0; k < 3; k++) position[k] += (part + (w->box.periodic[a] ? out : 0)) * edge[k];
  }
  if (s->flat) position[2] = 0;
}

static void add_particles(world *w, const setup *s) {
  demi_columns *c = &w->store.columns;
  assert_int_equal(demi_store_reserve(&w->store, COUNT), DEM_OK);
  assert_int_equal(demi_idpool_reserve(&w->store.ids, COUNT), DEM_OK);
  for (int k = 0; k < COUNT; k++) {
    const double radius = k % (s->edge[0] > 0 ? 10 : 100) == 3 ? 0.1 * s->ratio : 0.1 * dice_uniform(&w->d, 0.9, 1.1);
    place(w, s, c->position + 4 * k);
    c->position[4 * k + 3] = radius;
    c->velocity[8 * k + 3] = c->velocity[8 * k + 7] = k % 10 == 7 ? 0 : 1; /* every tenth is frozen */
    c->material[k] = k % 2;
    c->id[k] = demi_idpool_take(&w->store.ids, k);
    w->search.largest_radius = fmax(w->search.largest_radius, radius);
    w->store.count = k + 1;
  }
}

/* A floor at z = 0.5, the normal up. */
static void add_floor(world *w) {
  assert_int_equal(demi_faces_reserve(&w->faces, w->context, 1), DEM_OK);
  demi_face *f = &w->faces.face[0];
  w->faces.count = 1;
  f->kind = DEMI_FACE_PLANE;
  f->point[2] = 0.5;
  f->frame[2] = 1;
}

static world *make(const setup *s, uint64_t seed) {
  world *w = test_calloc(1, sizeof *w);
  w->d = (dice){seed};
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  demi_store_init(&w->store, w->context);
  demi_list_init(&w->list, w->context);
  set_box(&w->box, s);
  memset(w->interacts, 1, sizeof w->interacts);
  w->interacts[1 * MATERIALS + 1] = 0; /* material 1 does not act on itself */
  add_particles(w, s);
  if (!s->periodic[2] && !s->flat) add_floor(w);
  w->search.box = &w->box;
  w->search.faces = &w->faces;
  w->search.interacts = w->interacts;
  w->search.materials = MATERIALS;
  w->search.typical_radius = 0.1;
  w->search.skin = s->skin;
  w->search.furthest = 1e6;
  w->search.range = s->range;
  w->search.chunks = s->chunks;
  assert_int_equal(demi_list_build(&w->list, &w->store, &w->search), DEM_OK);
  return w;
}

static void destroy(world *w) {
  demi_list_free(&w->list);
  demi_faces_free(&w->faces, w->context);
  demi_store_free(&w->store);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
  test_free(w);
}

/* ---- all pairs ---- */

static int acts(const world *w, int i, int j) {
  const demi_columns *c = &w->store.columns;
  if (c->material[i] == 1 && c->material[j] == 1) return 0;
  return c->velocity[8 * i + 3] > 0 || c->velocity[8 * j + 3] > 0;
}

/* Distance of the nearest of all images of a pair, infinite when it is beyond `reach`. Edges as the definition of the box has them. */
static double distance_of_all(const demi_box *b, const double *p, const double *q, double reach) {
  const double l[3] = {b->high[0] - b->low[0], b->high[1] - b->low[1], b->high[2] - b->low[2]}, *t = b->tilt;
  double least = reach * reach;
  const int n[3] = {b->periodic[0] ? 3 : 0, b->periodic[1] ? 3 : 0, b->periodic[2] ? 3 : 0};
  for (int z = -n[2]; z <= n[2]; z++) {
    const double dz = p[2] - q[2] - z * l[2];
    if (fabs(dz) > reach) continue;
    for (int y = -n[1]; y <= n[1]; y++) {
      const double dy = p[1] - q[1] - y * l[1] - z * t[2];
      if (fabs(dy) > reach) continue;
      for (int x = -n[0]; x <= n[0]; x++) {
        const double dx = p[0] - q[0] - x * l[0] - y * t[0] - z * t[1];
        least = fmin(least, dx * dx + dy * dy + dz * dz);
      }
    }
  }
  return least < reach * reach ? sqrt(least) : INFINITY;
}

/* Gap between the surfaces of the nearest images. */
static double gap_of(const world *w, int i, int j) {
  const double *p = w->store.columns.position + 4 * i, *q = w->store.columns.position + 4 * j;
  double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]}, square = 0;
  if (w->box.tilted) return distance_of_all(&w->box, p, q, p[3] + q[3] + w->search.range + 0.5) - p[3] - q[3];
  demi_box_nearest(&w->box, d);
  for (int a = 0; a < 3; a++) square += d[a] * d[a];
  return sqrt(square) - p[3] - q[3];
}

/* How often the pair is listed; `gap` of the image that the list names. */
static int times_listed(const world *w, int i, int j, double *gap) {
  const double *p = w->store.columns.position + 4 * i, *q = w->store.columns.position + 4 * j;
  int times = 0;
  for (int32_t s = w->list.row_start[i]; s < w->list.row_start[i + 1]; s++) {
    if ((int)(w->list.code[s] & DEMI_ROW_MASK) != j) continue;
    double square = 0;
    for (int a = 0; a < 3; a++) {
      const double d = p[a] - q[a] - w->list.shift[4 * (w->list.code[s] >> DEMI_SHIFT_BITS) + a];
      square += d * d;
    }
    *gap = sqrt(square) - p[3] - q[3];
    times++;
  }
  return times;
}

static double skin_of(const world *w, int i, int j) {
  return w->list.level[demi_level_of_row(&w->list, i < j ? i : j)].skin[DEMI_SINCE_BUILD];
}

static int faces_listed(const world *w, int i) {
  int times = 0;
  for (int64_t k = 0; k < w->list.face_pairs; k++) times += w->list.face_row[k] == i;
  return times;
}

/* ---- tests ---- */

static const setup setups[] = {
    {.periodic = {0, 0, 0}, .ratio = 1, .range = 0, .skin = 0.05, .chunks = 1},
    {.periodic = {1, 1, 1}, .ratio = 1, .range = 0, .skin = 0.05, .chunks = 1},
    {.periodic = {1, 0, 0}, .ratio = 1, .range = 0.02, .skin = 0.2, .chunks = 3},
    {.periodic = {1, 1, 0}, .ratio = 12, .range = 0, .skin = 0.05, .chunks = 1},
    {.periodic = {1, 1, 1}, .ratio = 12, .range = 0.03, .skin = 0.1, .chunks = 4},
    {.periodic = {0, 0, 0}, .ratio = 12, .range = 0, .skin = 0.3, .chunks = 2},
    {.periodic = {0, 1, 0}, .ratio = 4, .range = 0, .skin = 0.02, .chunks = 4},
};
enum { SETUPS = sizeof setups / sizeof *setups, TILTED = 24, ALL = SETUPS + TILTED };

/* The first are those above; then tilted boxes by the dice: which axes are periodic, tilts up to half, one in four at half. */
static setup setup_of(int k) {
  if (k < SETUPS) return setups[k];
  static const int32_t axes[6][3] = {{1, 1, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {1, 1, 0}};
  dice d = {900 + (uint64_t)k};
  const int32_t *periodic = axes[k % 6], flat = k % 6 == 5;
  setup s = {{periodic[0], periodic[1], periodic[2]},
             k % 3 == 0 ? 1 : (k % 3 == 1 ? 8 : 4),
             k % 4 == 2 ? 0.02 : 0,
             0.1,
             1 + k % 4,
             {0},
             {0},
             flat};
  for (int a = 0; a < 3; a++) s.edge[a] = flat || s.ratio == 4 ? dice_uniform(&d, 9, 16) : dice_uniform(&d, 4.2, 7);
  const int both[3] = {periodic[0] && periodic[1], periodic[0] && periodic[2], periodic[1] && periodic[2]};
  for (int a = 0; a < 3; a++) {
    const double tilt = dice_uniform(&d, -0.5, 0.5);
    s.tilt[a] = !both[a] ? 0 : (k % 4 == 3 ? copysign(0.5, tilt) : tilt);
  }
  return s;
}

/* A pair stands once when it is nearer than range + skin, and not at all when it is further or cannot act. */
static void a_new_list_holds_the_near_pairs_once(void **state) {
  (void)state;
  int64_t found = 0, levels = 0;
  for (int k = 0; k < ALL; k++) {
    const setup s = setup_of(k);
    world *w = make(&s, 100 + (uint64_t)k);
    for (int a = 0; a < 3; a++) /* or there would be pairs with two images within reach */
      assert_true(!s.periodic[a] || demi_box_height(&w->box, a) >= 2 * (2 * w->search.largest_radius + s.range + s.skin));
    levels += w->list.levels > 1;
    for (int i = 0; i < COUNT; i++)
      for (int j = i + 1; j < COUNT; j++) {
        double listed_gap = 0;
        const double gap = gap_of(w, i, j), reach = w->search.range + skin_of(w, i, j);
        const int times = times_listed(w, i, j, &listed_gap), wanted = acts(w, i, j) && gap < reach;
        assert_int_equal(times, wanted);
        if (times) ASSERT_ABS(listed_gap, gap, 1e-12);
        found += times;
      }
    destroy(w);
  }
  assert_true(found > 1000 && levels > 0);
}

/* An entry of the tile for this image of row j. */
static int has_entry(const world *w, int32_t tile, int32_t j, const double shift[3]) {
  for (int32_t e = w->list.cross_start[tile]; e < w->list.cross_start[tile + 1]; e++) {
    const double *of = w->list.shift + 4 * (w->list.cross[e].code >> DEMI_SHIFT_BITS);
    if (w->list.cross[e].row == j && fabs(of[0] - shift[0]) + fabs(of[1] - shift[1]) + fabs(of[2] - shift[2]) < 1e-9) return 1;
  }
  return 0;
}

/* All images of a coarser particle: those within range + margin of a particle of the tile have an entry. Returns how many. */
static int64_t check_entries(const world *w, int32_t tile, int32_t i, int32_t j) {
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
  for (int k = 0; k < ALL; k++) {
    const setup s = setup_of(k);
    world *w = make(&s, 400 + (uint64_t)k);
    const int32_t tiles = w->list.levels > 1 ? w->list.level[w->list.levels - 1].first_tile : 0;
    for (int32_t tile = 0; tile < tiles; tile++)
      for (int32_t i = w->list.motion.tile_start[tile]; i < w->list.motion.tile_start[tile + 1]; i++)
        for (int32_t j = w->list.level[demi_level_of_row(&w->list, i) + 1].first_row; j < COUNT; j++)
          found += check_entries(w, tile, i, j);
    destroy(w);
  }
  assert_true(found > 10000);
}

static void a_new_list_holds_the_particles_near_the_wall(void **state) {
  (void)state;
  int64_t found = 0;
  for (int k = 0; k < SETUPS; k++) {
    if (setups[k].periodic[2]) continue;
    world *w = make(&setups[k], 200 + (uint64_t)k);
    for (int i = 0; i < COUNT; i++) {
      const double *p = w->store.columns.position + 4 * i, gap = p[2] - 0.5 - p[3];
      const double skin = w->list.level[demi_level_of_row(&w->list, i)].skin[DEMI_SINCE_BUILD];
      const int moves = w->store.columns.velocity[8 * i + 3] > 0;
      if (fabs(gap - w->search.range - skin) > 1e-12)
        assert_int_equal(faces_listed(w, i), moves && gap < w->search.range + skin);
      found += faces_listed(w, i);
    }
    destroy(w);
  }
  assert_true(found > 50);
}

/* The table of tiles and coarser particles leaves out those that are further apart than its margin, which is that of tiles of the finest
 * level that are no neighbours: two diameters and ranges, and three skins. Otherwise each tile would have all coarse particles. */
static void the_table_of_coarse_particles_is_short(void **state) {
  (void)state;
  int64_t entries = 0, levels = 0;
  for (int k = 0; k < SETUPS; k++) {
    world *w = make(&setups[k], 260 + (uint64_t)k);
    const demi_list *l = &w->list;
    const double most = 2 * (2 * l->level[0].largest + l->range) + 3 * l->level[0].skin[DEMI_SINCE_BUILD];
    for (int32_t e = 0; l->levels > 1 && e < l->cross_start[l->level[l->levels - 1].first_tile]; e++, entries++)
      assert_true(l->cross[e].gap < most);
    if (l->levels > 1) assert_true(l->far_margin <= most);
    levels += l->levels > 1;
    destroy(w);
  }
  assert_true(levels > 1 && entries > 100);
}

/* Where the large particles have shrunk there is one level, and nothing is left of the other. */
static void a_list_forgets_levels(void **state) {
  (void)state;
  world *w = make(&setups[3], 250);
  assert_true(w->list.levels > 1);
  for (int i = 0; i < COUNT; i++) w->store.columns.position[4 * i + 3] = 0.1;
  w->search.largest_radius = 0.1;
  assert_int_equal(demi_list_build(&w->list, &w->store, &w->search), DEM_OK);
  assert_int_equal(w->list.levels, 1);
  const demi_motion *m = &w->list.motion;
  assert_true(m->tile_start[0] == 0 && m->tile_start[m->tiles] == COUNT);
  for (int32_t t = 0; t < m->tiles; t++) assert_true(m->tile_start[t] < m->tile_start[t + 1]);
  for (int i = 0; i < COUNT; i++)
    for (int j = i + 1; j < COUNT; j++) {
      double unused;
      assert_int_equal(times_listed(w, i, j, &unused), acts(w, i, j) && gap_of(w, i, j) < skin_of(w, i, j));
    }
  destroy(w);
}

/* A box just wider than two ranges: pairs meet half a box away, over either side. */
static void a_small_box_has_the_nearest_images(void **state) {
  (void)state;
  world *w = make(&setups[1], 270);
  int64_t far = 0;
  for (int i = 0; i < COUNT; i++) w->store.columns.position[4 * i + 3] = 1.4;
  w->search.largest_radius = w->search.typical_radius = 1.4;
  w->search.skin = 0.18; /* pairs are listed up to 2.98 of 6 */
  assert_int_equal(demi_list_build(&w->list, &w->store, &w->search), DEM_OK);
  for (int i = 0; i < COUNT; i++)
    for (int j = i + 1; j < COUNT; j++) {
      double listed_gap = 0;
      const double gap = gap_of(w, i, j);
      const int times = times_listed(w, i, j, &listed_gap);
      assert_int_equal(times, acts(w, i, j) && gap < skin_of(w, i, j));
      if (times) ASSERT_ABS(listed_gap, gap, 1e-12);
      far += times && gap > 0.1;
    }
  assert_true(far > 100);
  destroy(w);
}

/* Moves every particle as a drift does: the tile's box of displacements grows by the box of this displacement. */
static void displace(world *w, double size, const double common[3]) {
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

static int is_picked(const world *w, int i, int j) {
  for (int32_t b = 0; b < w->list.motion.blocks; b++) {
    const int32_t first = w->list.row_start[demi_block_first(&w->list.motion, b)];
    for (int32_t k = first; k < first + w->list.near_count[b]; k++)
      if (w->list.near_row[k] == i && (int)(w->list.code[w->list.near_pair[k]] & DEMI_ROW_MASK) == j) return 1;
  }
  return 0;
}

/* Returns how many pairs were within range. */
static int64_t check_coverage(const world *w) {
  int64_t near = 0;
  for (int i = 0; i < COUNT; i++) {
    for (int j = i + 1; j < COUNT; j++) {
      double unused;
      if (!acts(w, i, j) || gap_of(w, i, j) >= w->search.range) continue;
      near++;
      assert_int_equal(times_listed(w, i, j, &unused), 1);
      assert_true(is_picked(w, i, j));
    }
    const double *p = w->store.columns.position + 4 * i;
    if (w->faces.count && w->store.columns.velocity[8 * i + 3] > 0 && p[2] - 0.5 - p[3] < w->search.range)
      assert_int_equal(faces_listed(w, i), 1);
  }
  return near;
}

static void no_pair_is_missed_while_the_list_holds(void **state) {
  (void)state;
  int64_t near = 0, survived = 0, expired = 0;
  for (int k = 0; k < SETUPS + TILTED / 2; k++)
    for (int flow = 0; flow < 2; flow++) {
      const setup s = setup_of(k);
      world *w = make(&s, 300 + (uint64_t)k);
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
      destroy(w);
    }
  assert_true(near > 5000 && survived > 40 && expired > 5);
}

/* ---- up to the bound ----
 * Tiles that move as rigid bodies make the bound exact: it is the relative displacement of two neighbouring tiles. */

static int32_t tile_of(const world *w, int32_t row) {
  int32_t t = 0;
  while (w->list.motion.tile_start[t + 1] <= row) t++;
  return t;
}

/* Moves tile t as a rigid body by `step` + 4 t. */
static void move_tiles(world *w, const double *step) {
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
static void shake(world *w, double size, int32_t moment) {
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
static approaching pair_at(const world *w, double wanted, double least) {
  approaching n = {-1, -1, INFINITY, {0}};
  for (int i = 0; i < w->list.level[1].first_row; i++)
    for (int j = i + 1; j < w->list.level[1].first_row; j++) {
      const double *p = w->store.columns.position + 4 * i, *q = w->store.columns.position + 4 * j;
      double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
      demi_box_nearest(&w->box, d);
      const double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), gap = distance - p[3] - q[3] - w->search.range;
      if (gap < least || fabs(gap - wanted) >= fabs(n.gap - wanted) || !acts(w, i, j) || tile_of(w, i) == tile_of(w, j))
        continue;
      n = (approaching){i, j, gap, {d[0] / distance, d[1] / distance, d[2] / distance}};
    }
  return n;
}

/* A list that no pick has shaped, of particles of which two are just far enough apart to be left out of it, or of its pick. */
static approaching part_a_pair(world *w, int32_t moment) {
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

static approaching nearest_to_the_wall_left_out(world *w) {
  approaching n = {-1, -1, INFINITY, {0, 0, 1}};
  demi_list_prune(&w->list, &w->store);
  for (int i = 0; i < COUNT; i++) {
    const double *p = w->store.columns.position + 4 * i, gap = p[2] - 0.5 - p[3] - w->search.range;
    if (gap < n.gap && gap > 0 && w->store.columns.velocity[8 * i + 3] > 0 && !faces_listed(w, i)) {
      n.i = i;
      n.gap = gap;
    }
  }
  return n;
}

/* Brings the tiles of the two together by 2 % of `skin` at a time, each going half of the way, until the list no longer holds
 * (or the pick is no longer complete). Returns how far they came, over the skin. */
static double approach_until_told(world *w, const approaching *n, double skin, int32_t moment) {
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
  for (int k = 0; k < SETUPS; k++)
    for (int kind = 0; kind < KINDS; kind++) {
      if (kind == WALL && (setups[k].periodic[2] || setups[k].flat)) continue;
      const int32_t moment = kind == PAIR_OF_PICK ? DEMI_SINCE_PRUNE : DEMI_SINCE_BUILD;
      world *w = make(&setups[k], 400 + (uint64_t)k);
      const approaching n = kind == WALL ? nearest_to_the_wall_left_out(w) : part_a_pair(w, moment);
      const double skin = w->list.level[0].skin[moment];
      shake(w, 0.1 * w->list.level[0].skin[DEMI_SINCE_PRUNE], moment);
      const double way = approach_until_told(w, &n, skin, moment);
      assert_true(way > 0.95 && way < n.gap / skin);
      destroy(w);
    }
}

/* ---- rows that are moved to and fro ---- */

static void keep_positions(world *w, int32_t moment, double *since) {
  memcpy(since, w->store.columns.position, 4 * COUNT * sizeof *since);
  w->list.since[moment] = since;
}

/* Each row to `since` + flow + a random displacement up to `size`; recent then holds the boxes of the latest displacements. */
static void move_from(world *w, const double *since, double size, double flow) {
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
static void check_boxes(const world *w, const double *since) {
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
  static double since[2][4 * COUNT];
  int64_t near = 0, held = 0, away = 0;
  for (int k = 0; k < SETUPS; k++) {
    world *w = make(&setups[k], 500 + (uint64_t)k);
    const double skin = w->list.level[0].skin[DEMI_SINCE_BUILD];
    const double sizes[] = {0.02 * skin, 0.1 * skin, 100 * EDGE, 0, 2 * skin, 0.1 * skin, EDGE};
    keep_positions(w, DEMI_SINCE_BUILD, since[0]);
    int64_t picks = w->list.prunes;
    for (int n = 0; n < 21; n++) {
      const double size = sizes[n % 7];
      move_from(w, since[0], size, n % 2 && !w->faces.count ? 5 * skin : 0);
      const int holds = demi_list_holds(&w->list, &w->store);
      if (size <= 0.1 * skin) assert_int_equal(holds, 1);
      if (size >= EDGE) assert_int_equal(holds, 0);
      *(holds ? &held : &away) += 1;
      if (!holds) check_boxes(w, since[0]);
      if (!holds) continue;
      demi_list_prune(&w->list, &w->store);
      if (picks != w->list.prunes) keep_positions(w, DEMI_SINCE_PRUNE, since[1]);
      picks = w->list.prunes;
      near += check_coverage(w);
    }
    destroy(w);
  }
  assert_true(near > 5000 && held > 60 && away > 40);
}

static void a_displacement_that_is_not_finite_is_told(void **state) {
  (void)state;
  world *w = make(&setups[0], 1);
  demi_list_prune(&w->list, &w->store);
  w->list.motion.recent[8 * (int64_t)(w->list.motion.blocks - 1) + 3] = NAN;
  assert_int_equal(demi_list_holds(&w->list, &w->store), -1);
  destroy(w);
}

/* Picks that serve a few evaluations only get a larger skin, by a quarter at most and up to eight times the usual one; those that
 * serve many get a smaller one again. The skin of the pick is never more than half of the list's. */
static void short_picks_get_a_larger_skin(void **state) {
  (void)state;
  world *w = make(&setups[2], 7);
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
  destroy(w);
}

/* Rows and twice the pairs of blocks first ... end - 1. */
static double work_of(const world *w, int32_t first, int32_t end) {
  const int32_t from = demi_block_first(&w->list.motion, first), to = demi_block_first(&w->list.motion, end);
  return to - from + 2.0 * (w->list.row_start[to] - w->list.row_start[from]);
}

/* Chunks share rows and pairs evenly, up to a block: of all blocks, and of those from any block on. */
static void chunks_share_the_work(void **state) {
  (void)state;
  world *w = make(&setups[2], 8);
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
  destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_new_list_holds_the_near_pairs_once),
      cmocka_unit_test(every_coarser_particle_near_a_tile_has_an_entry),
      cmocka_unit_test(a_new_list_holds_the_particles_near_the_wall),
      cmocka_unit_test(the_table_of_coarse_particles_is_short),
      cmocka_unit_test(a_list_forgets_levels),
      cmocka_unit_test(a_small_box_has_the_nearest_images),
      cmocka_unit_test(no_pair_is_missed_while_the_list_holds),
      cmocka_unit_test(the_bound_is_told_in_time),
      cmocka_unit_test(short_picks_get_a_larger_skin),
      cmocka_unit_test(chunks_share_the_work),
      cmocka_unit_test(a_list_measures_from_where_rows_were),
      cmocka_unit_test(a_displacement_that_is_not_finite_is_told),
  };
  return cmocka_run_group_tests_name("list", tests, NULL, NULL);
}
