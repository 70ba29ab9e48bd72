/* Carried histories: those of the contacts in a block of spheres on a floor and against a wall, set aside and put back to a new list.
 * History h of the contact of particles a and b is a number of its own, seen in the orientation from the lower row to the higher:
 * three doubles of a tangential vector, which turns sign with the orientation, three of a rolling vector and a scalar, which do
 * not. */
#include "contact_world.h"

enum { HISTORY = 7 };

static void add_law(world *w) {
  static demi_bound bound;
  memset(&bound, 0, sizeof bound);
  bound.history_total = HISTORY;
  for (int h = 0; h < HISTORY; h++)
    bound.kind[h] = h < 3 ? DEM_HISTORY_TANGENT : h < 6 ? DEM_HISTORY_ROLLING : DEM_HISTORY_SCALAR;
  for (int32_t a = 0; a < MATERIALS; a++)
    for (int32_t b = a; b < MATERIALS; b++) set_law(w, a, b, &bound);
}

static world *make(int32_t chunks) {
  world *w = open_world(chunks);
  add_law(w);
  list_again(w);
  return w;
}

/* ---- histories ---- */

/* Of the contact of a (the lower row) with b: one size for the two; of a tangent, the sign tells their order. */
static double history(dem_id a, dem_id b, int h) {
  const dem_id low = a < b ? a : b, high = a < b ? b : a;
  const double size = (double)(low & 0xffff) + 1e3 * (double)(high & 0xffff) + 1e6 * (h + 1);
  return h < 3 && a > b ? -size : size;
}

static double history_against(dem_id a, int64_t face, int h) {
  return -1e9 - (double)(a & 0xffff) - 1e3 * (double)face - 1e6 * h;
}

/* Gives every listed pair its history, as an evaluation does. */
static void write_all(world *w) {
  w->contacts.stamp += 1;
  for (int64_t s = 0; s < w->list.pairs + w->list.face_pairs; s++)
    w->contacts.history[s * w->contacts.stride] = w->contacts.stamp;
  for (int64_t i = 0; i < w->store.count; i++)
    for (int32_t s = w->list.row_start[i]; s < w->list.row_start[i + 1]; s++)
      for (int h = 0; h < HISTORY; h++) row_of(w, s)[1 + h] = history(id_of(w, i), id_of(w, partner_of(w, s)), h);
  for (int64_t k = 0; k < w->list.face_pairs; k++)
    for (int h = 0; h < HISTORY; h++)
      row_of(w, w->list.pairs + k)[1 + h] =
          history_against(id_of(w, w->list.face_row[k]), w->faces.face[w->list.face_index[k]].id, h);
}

typedef struct tally {
  int64_t kept, lost, turned, walls, walls_lost;
} tally;

/* Every history that counts is that of its pair. `turned`: pairs whose lower row has the higher id. */
static tally check_all(const world *w) {
  tally t = {0, 0, 0, 0, 0};
  for (int64_t i = 0; i < w->store.count; i++)
    for (int32_t s = w->list.row_start[i]; s < w->list.row_start[i + 1]; s++) {
      const dem_id a = id_of(w, i), b = id_of(w, partner_of(w, s));
      const double *row = row_of(w, s);
      t.lost += !row;
      if (!row) continue;
      t.kept++;
      t.turned += a > b;
      for (int h = 0; h < HISTORY; h++) assert_true(row[1 + h] == history(a, b, h));
    }
  for (int64_t k = 0; k < w->list.face_pairs; k++) {
    const double *row = row_of(w, w->list.pairs + k);
    t.walls_lost += !row;
    if (!row) continue;
    t.walls++;
    for (int h = 0; h < HISTORY; h++)
      assert_true(row[1 + h] == history_against(id_of(w, w->list.face_row[k]), w->faces.face[w->list.face_index[k]].id, h));
  }
  return t;
}

enum {
  PAIRS = (NX - 1) * NY * NZ + NX * (NY - 1) * NZ + NX * NY * (NZ - 1),
  AGAINST_FACES = NX * NY + NY * NZ /* those that touch the floor, those that touch the wall */
};

/* ---- changes of the world ---- */

/* Removes every `every`-th row, gives their positions and ids, and returns how many they were. */
static int remove_some(world *w, int every, double (*at)[3], dem_id *ids) {
  int32_t order[COUNT] = {0};
  int gone = 0, kept = 0;
  for (int32_t row = 0; row < w->store.count; row++) {
    if (row % every) {
      order[kept++] = row;
      continue;
    }
    for (int a = 0; a < 3; a++) at[gone][a] = w->store.columns.position[4 * (int64_t)row + a];
    ids[gone++] = id_of(w, row);
  }
  demi_store_permute(&w->store, order, kept);
  for (int k = 0; k < gone; k++) demi_idpool_give_back(&w->store.ids, ids[k]);
  demi_store_unlist(&w->store, w->store.count);
  demi_store_swap(&w->store, kept);
  return gone;
}

/* ---- tests ---- */

static void histories_survive_a_rebuild(void **state) {
  (void)state;
  for (int32_t chunks = 1; chunks <= 2; chunks++) {
    world *w = make(chunks);
    write_all(w);
    set_aside(w);
    assert_int_equal(w->contacts.carry.count, PAIRS + AGAINST_FACES);
    list_again(w);
    const tally t = check_all(w);
    assert_true(t.kept == PAIRS && t.lost == 0 && t.walls == AGAINST_FACES && t.walls_lost == 0);
    assert_int_equal(w->contacts.carry.count, 0);
    destroy(w);
  }
}

static void pairs_that_change_places_turn_their_tangents_alone(void **state) {
  (void)state;
  world *w = make(1);
  write_all(w);
  const tally before = check_all(w);
  set_aside(w);
  mirror(w, 1);
  list_again(w);
  const tally t = check_all(w);
  assert_true(t.kept == PAIRS && t.lost == 0 && t.walls == AGAINST_FACES && t.walls_lost == 0);
  assert_true(t.turned != before.turned && t.turned > 10 && t.kept - t.turned > 10);
  destroy(w);
}

/* Rows are sorted twice before the histories are put back. */
static void histories_survive_several_sorts(void **state) {
  (void)state;
  world *w = make(1);
  write_all(w);
  set_aside(w);
  mirror(w, 1);
  assert_int_equal(demi_list_build(&w->list, &w->store, &w->search), DEM_OK);
  mirror(w, 1);
  list_again(w);
  const tally t = check_all(w);
  assert_true(t.kept == PAIRS && t.lost == 0 && t.walls == AGAINST_FACES);
  destroy(w);
}

/* New particles take over the slots and the places of those that went, but not their histories. */
static void others_come_and_go(void **state) {
  (void)state;
  world *w = make(1);
  double at[COUNT][3];
  dem_id ids[COUNT];
  write_all(w);
  set_aside(w);
  const int gone = remove_some(w, 5, at, ids);
  list_again(w);
  const tally fewer = check_all(w);
  assert_true(fewer.kept > PAIRS / 3 && fewer.lost == 0 && fewer.walls_lost == 0);
  set_aside(w);
  int slots = 0;
  for (int k = 0; k < gone; k++) {
    const dem_id id = add_particle(w, at[k], 0);
    for (int q = 0; q < gone; q++) slots += demi_id_slot(id) == demi_id_slot(ids[q]) && id != ids[q];
  }
  assert_int_equal(slots, gone);
  list_again(w);
  const tally t = check_all(w);
  assert_true(t.kept == fewer.kept && t.walls == fewer.walls);
  assert_true(t.kept + t.lost == PAIRS && t.walls + t.walls_lost == AGAINST_FACES);
  destroy(w);
}

/* In one go: the new particles have the slots of the old ones while the histories of these are still carried. */
static void a_reused_slot_gets_no_history(void **state) {
  (void)state;
  world *w = make(1);
  double at[COUNT][3];
  dem_id ids[COUNT];
  write_all(w);
  set_aside(w);
  const int gone = remove_some(w, 4, at, ids);
  for (int k = 0; k < gone; k++) add_particle(w, at[k], 0);
  list_again(w);
  const tally t = check_all(w);
  assert_true(t.kept > PAIRS / 3 && t.lost > 0 && t.walls_lost > 0);
  for (int64_t i = 0; i < w->store.count; i++)
    for (int32_t s = w->list.row_start[i]; s < w->list.row_start[i + 1]; s++) {
      const int fresh = id_of(w, i) >> 32 != 1 || id_of(w, partner_of(w, s)) >> 32 != 1;
      assert_int_equal(row_of(w, s) == NULL, fresh);
    }
  destroy(w);
}

static void contacts_of_earlier_evaluations_are_left_behind(void **state) {
  (void)state;
  world *w = make(1);
  write_all(w);
  for (int64_t s = 0; s < w->list.pairs; s += 2) w->contacts.history[s * w->contacts.stride] -= 1;
  set_aside(w);
  list_again(w);
  const tally t = check_all(w);
  assert_true(t.kept == PAIRS / 2 && t.lost == PAIRS - PAIRS / 2);
  destroy(w);
}

static void pairs_that_part_are_forgotten(void **state) {
  (void)state;
  world *w = make(1);
  write_all(w);
  set_aside(w);
  for (int64_t k = 0; k < w->store.count; k++)
    if (w->store.columns.position[4 * k + 1] > 0.5) w->store.columns.position[4 * k + 1] += 0.1;
  list_again(w);
  const tally t = check_all(w);
  assert_true(t.kept == PAIRS - NX * NZ && t.lost == 0);
  assert_true(t.walls == AGAINST_FACES);
  destroy(w);
}

/* The floor goes: the wall has another place in the table then, and its histories stay. */
static void faces_are_known_by_their_ids(void **state) {
  (void)state;
  for (int drop = 0; drop < 2; drop++) {
    world *w = make(1);
    write_all(w);
    set_aside(w);
    if (drop) demi_carry_drop_face(&w->contacts.carry, FLOOR);
    if (drop) assert_int_equal(w->contacts.carry.count, PAIRS + NY * NZ);
    w->faces.face[0] = w->faces.face[1];
    w->faces.count = 1;
    list_again(w);
    const tally t = check_all(w);
    assert_true(t.kept == PAIRS && t.walls == NY * NZ && t.walls_lost == 0);
    destroy(w);
  }
}

static void marked_rows_are_forgotten(void **state) {
  (void)state;
  world *w = make(1);
  uint8_t marked[COUNT] = {0};
  write_all(w);
  set_aside(w);
  for (int k = 0; k < COUNT; k += 9) marked[k] = 1;
  demi_carry_drop_marked(&w->contacts.carry, &w->store, marked);
  dem_id ids[COUNT];
  for (int k = 0; k < COUNT; k++) ids[k] = id_of(w, k);
  mirror(w, 1);
  list_again(w);
  check_all(w);
  int by_id[COUNT + 1] = {0};
  for (int k = 0; k < COUNT; k++) by_id[demi_id_slot(ids[k])] = marked[k];
  for (int64_t i = 0; i < w->store.count; i++)
    for (int32_t s = w->list.row_start[i]; s < w->list.row_start[i + 1]; s++)
      assert_int_equal(row_of(w, s) == NULL,
                       by_id[demi_id_slot(id_of(w, i))] || by_id[demi_id_slot(id_of(w, partner_of(w, s)))]);
  for (int64_t k = 0; k < w->list.face_pairs; k++)
    assert_int_equal(row_of(w, w->list.pairs + k) == NULL, by_id[demi_id_slot(id_of(w, w->list.face_row[k]))]);
  destroy(w);
}

static void pairs_of_materials_are_forgotten(void **state) {
  (void)state;
  world *w = make(1);
  write_all(w);
  set_aside(w);
  demi_carry_drop_materials(&w->contacts.carry, &w->store, &w->faces, OTHER, 0);
  list_again(w);
  check_all(w);
  const int32_t *material = w->store.columns.material;
  int64_t forgotten = 0;
  for (int64_t i = 0; i < w->store.count; i++)
    for (int32_t s = w->list.row_start[i]; s < w->list.row_start[i + 1]; s++) {
      assert_int_equal(row_of(w, s) == NULL, material[i] != material[partner_of(w, s)]);
      forgotten += row_of(w, s) == NULL;
    }
  for (int64_t k = 0; k < w->list.face_pairs; k++) /* the faces have material 0 */
    assert_int_equal(row_of(w, w->list.pairs + k) == NULL, material[w->list.face_row[k]] == OTHER);
  assert_true(forgotten > 10);
  destroy(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(histories_survive_a_rebuild),     cmocka_unit_test(pairs_that_change_places_turn_their_tangents_alone),
      cmocka_unit_test(histories_survive_several_sorts), cmocka_unit_test(others_come_and_go),
      cmocka_unit_test(a_reused_slot_gets_no_history),   cmocka_unit_test(contacts_of_earlier_evaluations_are_left_behind),
      cmocka_unit_test(pairs_that_part_are_forgotten),   cmocka_unit_test(faces_are_known_by_their_ids),
      cmocka_unit_test(marked_rows_are_forgotten),       cmocka_unit_test(pairs_of_materials_are_forgotten),
  };
  return cmocka_run_group_tests_name("carry", tests, NULL, NULL);
}
