/* Particles and their neighbour list, for the tests of the list: sizes alike and up to 1:12, open and periodic axes, a wall; and random
 * tilted boxes, in a plane and in space. And which pairs there are, by a search over all of them. */
#ifndef TESTS_LIST_WORLD_H
#define TESTS_LIST_WORLD_H

#include "list.h"
#include "scenes/scenes.h"

enum {
  LIST_ROWS = 1200,
  LIST_MATERIALS = 2,
  LIST_EDGE = 6,
  LIST_SETUPS = 7,
  LIST_TILTED = 24,
  LIST_ALL_SETUPS = LIST_SETUPS + LIST_TILTED
};

typedef struct list_world {
  dem_context *context;
  demi_store store;
  demi_list list;
  demi_box box;
  demi_faces faces;
  demi_search search;
  uint8_t interacts[LIST_MATERIALS * LIST_MATERIALS];
  double before[4 * LIST_ROWS]; /* positions */
  dice d;
} list_world;

typedef struct list_setup {
  int32_t periodic[3];
  double ratio, range, skin; /* of the sizes; gap across which PAIRSACT; skin */
  int32_t chunks;
  double edge[3], tilt[3]; /* of a tilted box: lengths; xy, xz, yz over the length that limits each */
  int32_t flat;            /* 1: in the plane z = 0 */
} list_setup;

/* Boxes with edges along the axes, and sizes alike and not. */
extern const list_setup list_setups[LIST_SETUPS];
/* The first are those above; then tilted boxes by the dice: which axes are periodic, tilts up to half, one in four at half. */
list_setup list_setup_of(int k);

/* The list has been built. Material 1 does not act on itself, and every tenth particle is frozen. */
list_world *list_world_make(const list_setup *s, uint64_t seed);
void list_world_destroy(list_world *w);

/* 1: the two rows may act on each other. */
int list_world_acts(const list_world *w, int i, int j);
/* Gap between the surfaces of the nearest images. */
double list_world_gap(const list_world *w, int i, int j);
/* How often the pair is listed; `gap` of the image that the list names. */
int list_world_times_listed(const list_world *w, int i, int j, double *gap);
/* Skin of the pair: that of its finer level. */
double list_world_skin(const list_world *w, int i, int j);
/* How many walls the list has for the row. */
int list_world_faces_listed(const list_world *w, int i);

#endif
