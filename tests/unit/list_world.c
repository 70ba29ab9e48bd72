/* Particles and their neighbour list: see list_world.h. */
#include "assertions.h"

#include "unit/list_world.h"

#include "context.h"

static void set_box(demi_box *box, const list_setup *s) {
  const double along[3] = {s->edge[0], s->edge[0], s->edge[1]};
  double tilt[3];
  for (int a = 0; a < 3; a++) {
    box->low[a] = s->edge[a] > 0 ? -2 : 0;
    box->high[a] = s->edge[a] > 0 ? box->low[a] + s->edge[a] : LIST_EDGE;
    box->periodic[a] = s->periodic[a];
    tilt[a] = s->tilt[a] * along[a];
  }
  demi_box_set_tilt(box, tilt);
}

/* Somewhere in the box; one in twenty is a little outside, as particles are between two lists. */
static void place(list_world *w, const list_setup *s, double *position) {
  double edge[3];
  for (int a = 0; a < 3 && s->edge[0] == 0; a++) position[a] = dice_uniform(&w->d, 0, LIST_EDGE);
  if (s->edge[0] == 0) return;
  memcpy(position, w->box.low, 3 * sizeof *position);
  for (int a = 0; a < 3; a++) {
    const double part = dice_uniform(&w->d, 0, 1), out = dice_uniform(&w->d, 0, 1) < 0.05 ? dice_uniform(&w->d, -2, 2) : 0;
    demi_box_edge(&w->box, a, edge);
    for (int k = 0; k < 3; k++) position[k] += (part + (w->box.periodic[a] ? out : 0)) * edge[k];
  }
  if (s->flat) position[2] = 0;
}

static void add_particles(list_world *w, const list_setup *s) {
  demi_columns *c = &w->store.columns;
  assert_int_equal(demi_store_reserve(&w->store, LIST_ROWS), DEM_OK);
  assert_int_equal(demi_idpool_reserve(&w->store.ids, LIST_ROWS), DEM_OK);
  for (int k = 0; k < LIST_ROWS; k++) {
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
static void add_floor(list_world *w) {
  assert_int_equal(demi_faces_reserve(&w->faces, w->context, 1), DEM_OK);
  demi_face *f = &w->faces.face[0];
  w->faces.count = 1;
  f->kind = DEMI_FACE_PLANE;
  f->point[2] = 0.5;
  f->frame[2] = 1;
}

list_world *list_world_make(const list_setup *s, uint64_t seed) {
  list_world *w = test_calloc(1, sizeof *w);
  w->d = (dice){seed};
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  demi_store_init(&w->store, w->context);
  demi_list_init(&w->list, w->context);
  set_box(&w->box, s);
  memset(w->interacts, 1, sizeof w->interacts);
  w->interacts[1 * LIST_MATERIALS + 1] = 0; /* material 1 does not act on itself */
  add_particles(w, s);
  if (!s->periodic[2] && !s->flat) add_floor(w);
  w->search.box = &w->box;
  w->search.faces = &w->faces;
  w->search.interacts = w->interacts;
  w->search.materials = LIST_MATERIALS;
  w->search.typical_radius = 0.1;
  w->search.skin = s->skin;
  w->search.furthest = 1e6;
  w->search.range = s->range;
  w->search.chunks = s->chunks;
  assert_int_equal(demi_list_build(&w->list, &w->store, &w->search), DEM_OK);
  return w;
}

void list_world_destroy(list_world *w) {
  demi_list_free(&w->list);
  demi_faces_free(&w->faces, w->context);
  demi_store_free(&w->store);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
  test_free(w);
}

/* ---- all pairs ---- */

int list_world_acts(const list_world *w, int i, int j) {
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

double list_world_gap(const list_world *w, int i, int j) {
  const double *p = w->store.columns.position + 4 * i, *q = w->store.columns.position + 4 * j;
  double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]}, square = 0;
  if (w->box.tilted) return distance_of_all(&w->box, p, q, p[3] + q[3] + w->search.range + 0.5) - p[3] - q[3];
  demi_box_nearest(&w->box, d);
  for (int a = 0; a < 3; a++) square += d[a] * d[a];
  return sqrt(square) - p[3] - q[3];
}

int list_world_times_listed(const list_world *w, int i, int j, double *gap) {
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

double list_world_skin(const list_world *w, int i, int j) {
  return w->list.level[demi_level_of_row(&w->list, i < j ? i : j)].skin[DEMI_SINCE_BUILD];
}

int list_world_faces_listed(const list_world *w, int i) {
  int times = 0;
  for (int64_t k = 0; k < w->list.face_pairs; k++) times += w->list.face_row[k] == i;
  return times;
}

const list_setup list_setups[LIST_SETUPS] = {
    {.periodic = {0, 0, 0}, .ratio = 1, .range = 0, .skin = 0.05, .chunks = 1},
    {.periodic = {1, 1, 1}, .ratio = 1, .range = 0, .skin = 0.05, .chunks = 1},
    {.periodic = {1, 0, 0}, .ratio = 1, .range = 0.02, .skin = 0.2, .chunks = 3},
    {.periodic = {1, 1, 0}, .ratio = 12, .range = 0, .skin = 0.05, .chunks = 1},
    {.periodic = {1, 1, 1}, .ratio = 12, .range = 0.03, .skin = 0.1, .chunks = 4},
    {.periodic = {0, 0, 0}, .ratio = 12, .range = 0, .skin = 0.3, .chunks = 2},
    {.periodic = {0, 1, 0}, .ratio = 4, .range = 0, .skin = 0.02, .chunks = 4},
};

list_setup list_setup_of(int k) {
  if (k < LIST_SETUPS) return list_setups[k];
  static const int32_t axes[6][3] = {{1, 1, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {1, 1, 0}};
  dice d = {900 + (uint64_t)k};
  const int32_t *periodic = axes[k % 6], flat = k % 6 == 5;
  list_setup s = {{periodic[0], periodic[1], periodic[2]},
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
