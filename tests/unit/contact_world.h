/* A block of touching spheres on two planes with a list and a contact table, for tests of the contact layer. The laws are the test's. */
#ifndef TESTS_CONTACT_WORLD_H
#define TESTS_CONTACT_WORLD_H

#include "assertions.h"

#include "contacts.h"
#include "context.h"

enum { NX = 6, NY = 5, NZ = 4, COUNT = NX * NY * NZ, FLOOR = 11, WALL = 23, OTHER = 1, MATERIALS = 2 };
static const double RADIUS = 0.1, APART = 0.19;

typedef struct world {
  dem_context *context;
  demi_store store;
  demi_list list;
  demi_box box;
  demi_faces faces;
  demi_search search;
  demi_laws laws;
  demi_bonds bonds;
  demi_contacts contacts;
  uint8_t interacts[MATERIALS * MATERIALS];
} world;

static inline dem_id add_particle(world *w, const double x[3], int32_t material) {
  demi_store *s = &w->store;
  assert_int_equal(demi_store_reserve(s, s->count + 1), DEM_OK);
  assert_int_equal(demi_idpool_reserve(&s->ids, 1), DEM_OK);
  const int64_t row = s->count;
  for (int a = 0; a < 3; a++) s->columns.position[4 * row + a] = x[a];
  s->columns.position[4 * row + 3] = RADIUS;
  for (int a = 0; a < 8; a++) s->columns.velocity[8 * row + a] = a % 4 == 3;
  s->columns.material[row] = material;
  s->columns.id[row] = demi_idpool_take(&s->ids, row);
  demi_store_list(s, s->columns.id[row], row);
  s->count++;
  return s->columns.id[row];
}

static inline void add_plane(world *w, int32_t id, int axis) {
  assert_int_equal(demi_faces_reserve(&w->faces, w->context, w->faces.count + 1), DEM_OK);
  demi_face *f = &w->faces.face[w->faces.count++];
  f->kind = DEMI_FACE_PLANE;
  f->id = id;
  f->frame[axis] = 1;
}

/* The law of two materials; a bound law that was given before is not stored again. */
static inline void set_law(world *w, int32_t a, int32_t b, const demi_bound *bound) {
  demi_law_change change;
  assert_int_equal(demi_laws_prepare(&w->laws, bound, &change), DEM_OK);
  demi_laws_commit(&w->laws, a, b, &change);
}

static inline void list_again(world *w) {
  assert_int_equal(demi_list_build(&w->list, &w->store, &w->search), DEM_OK);
  assert_int_equal(demi_contacts_match_list(&w->contacts, &w->list, &w->store, &w->laws, &w->bonds, 0, NULL, NULL), DEM_OK);
}

/* COUNT spheres, each touching its neighbours along the axes; the lowest touch the floor z = 0, the first the wall x = 0. Laws and
 * list_again come next. */
static inline world *open_world(int32_t chunks) {
  world *w = test_calloc(1, sizeof *w);
  assert_int_equal(dem_context_create(NULL, &w->context), DEM_OK);
  demi_store_init(&w->store, w->context);
  demi_list_init(&w->list, w->context);
  demi_contacts_init(&w->contacts, w->context);
  demi_bonds_init(&w->bonds, w->context);
  demi_laws_init(&w->laws, w->context);
  assert_int_equal(demi_laws_reserve(&w->laws, MATERIALS), DEM_OK);
  for (int a = 0; a < 3; a++) w->box.high[a] = 2;
  memset(w->interacts, 1, sizeof w->interacts);
  add_plane(w, FLOOR, 2);
  add_plane(w, WALL, 0);
  for (int k = 0; k < COUNT; k++) {
    const int at[3] = {k % NX, k / NX % NY, k / NX / NY};
    const double x[3] = {0.095 + APART * at[0], 0.3 + APART * at[1], 0.095 + APART * at[2]};
    add_particle(w, x, k % 7 == 2 ? OTHER : 0);
  }
  w->search = (demi_search){.box = &w->box,
                            .faces = &w->faces,
                            .interacts = w->interacts,
                            .materials = MATERIALS,
                            .largest_radius = RADIUS,
                            .typical_radius = RADIUS,
                            .skin = 0.02,
                            .furthest = 1e6,
                            .chunks = chunks};
  return w;
}

static inline void destroy(world *w) {
  demi_laws_free(&w->laws);
  demi_contacts_free(&w->contacts);
  demi_bonds_free(&w->bonds);
  demi_list_free(&w->list);
  demi_faces_free(&w->faces, w->context);
  demi_store_free(&w->store);
  assert_int_equal(dem_context_destroy(w->context), DEM_OK);
  test_free(w);
}

/* ---- rows ---- */

static inline dem_id id_of(const world *w, int64_t row) { return w->store.columns.id[row]; }
static inline int64_t partner_of(const world *w, int64_t pair) { return w->list.code[pair] & DEMI_ROW_MASK; }

/* The history row of a pair of the table, NULL: the pair's history does not count. */
static inline double *row_of(const world *w, int64_t pair) {
  double *row = w->contacts.history + pair * w->contacts.stride;
  return row[0] == w->contacts.stamp ? row : NULL;
}

/* Moves the histories out of the table, before the list is built anew. */
static inline void set_aside(world *w) { assert_int_equal(demi_contacts_carry(&w->contacts, &w->list, &w->store), DEM_OK); }

/* The block seen in a mirror: neighbours stay neighbours, and their rows change places. */
static inline void mirror(world *w, int axis) {
  double low = INFINITY, high = -INFINITY;
  for (int64_t k = 0; k < w->store.count; k++) {
    low = fmin(low, w->store.columns.position[4 * k + axis]);
    high = fmax(high, w->store.columns.position[4 * k + axis]);
  }
  for (int64_t k = 0; k < w->store.count; k++) {
    double *x = &w->store.columns.position[4 * k + axis];
    *x = low + high - *x;
  }
}

#endif
