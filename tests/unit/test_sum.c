/* The sum of loads against a plain loop over all contacts in their order: the same bits, for any number of chunks, with coarse rows
 * apart, in every instruction set. */
#include "assertions.h"

#include <stdlib.h>

#include "context.h"
#include "scenes/scenes.h"
#include "sum.h"

enum { ROWS = 240, BLOCKS = 12, CONTACTS = 4000, COARSE_BLOCK = 9 };

/* Loads of a made-up world. Block b holds the rows from ROWS / BLOCKS b on. */
typedef struct world {
  demi_loads loads;
  int32_t i[CONTACTS], j[CONTACTS];
  double *rows, *moment; /* 8 and 4 per contact, aligned */
  int64_t first[DEMI_SECTIONS][BLOCKS];
  int32_t count[DEMI_SECTIONS][BLOCKS], reach[BLOCKS], fine_reach[BLOCKS];
  int32_t contacts, coarse_row;
  dice d;
} world;

static int32_t whole(dice *d, int32_t low, int32_t high) { return low + (int32_t)dice_uniform(d, 0, high - low); }
static int with_wall(int32_t section) { return section == DEMI_SECTION_WALL || section == DEMI_SECTION_WALL_GAP; }
static int32_t first_row(int32_t block) { return ROWS / BLOCKS * block; }

static void add_contact(world *w, int32_t section, int32_t block, int32_t i) {
  const int32_t c = w->contacts++;
  assert_true(c < CONTACTS);
  w->i[c] = i;
  w->j[c] = with_wall(section) ? demi_partner_of_face(whole(&w->d, 0, 5)) : whole(&w->d, i + 1, ROWS);
  for (int k = 0; k < 8; k++) w->rows[8 * c + k] = dice_uniform(&w->d, -1, 1);
  for (int k = 0; k < 4; k++) w->moment[4 * c + k] = dice_uniform(&w->d, -1, 1);
  w->count[section][block]++;
  if (w->j[c] > w->reach[block]) w->reach[block] = w->j[c];
  if (w->j[c] < w->coarse_row && w->j[c] > w->fine_reach[block]) w->fine_reach[block] = w->j[c];
}

static world *make(int32_t rolls, int32_t coarse_row, uint64_t seed) {
  static _Alignas(64) double load_rows[8 * CONTACTS], moment[4 * CONTACTS]; /* of one world at a time */
  world *w = test_calloc(1, sizeof *w);
  w->rows = load_rows;
  w->moment = moment;
  w->d = (dice){seed};
  w->coarse_row = coarse_row;
  for (int32_t s = 0; s < DEMI_SECTIONS; s++) {
    for (int32_t b = 0; b < BLOCKS; b++) {
      w->first[s][b] = w->contacts;
      for (int32_t i = first_row(b); i < first_row(b + 1); i++)
        for (int32_t n = whole(&w->d, 0, 4); n > 0 && i + 1 < ROWS; n--) add_contact(w, s, b, i);
    }
    w->loads.first[s] = w->first[s];
    w->loads.count[s] = w->count[s];
  }
  w->loads.i = w->i;
  w->loads.j = w->j;
  w->loads.rows = w->rows;
  w->loads.moment = w->moment;
  w->loads.rolls = rolls;
  w->loads.reach = w->reach;
  w->loads.fine_reach = w->fine_reach;
  return w;
}

/* F_i += f, T_i += -a_i m + M, F_j -= f, T_j += -a_j m - M; entries 3 and 7 hold the arms and are not compared. */
static void add_plainly(const world *w, int32_t section, int32_t c, double *sums) {
  const double *row = w->rows + 8 * c;
  const int moments = section == DEMI_SECTION_BOND || (w->loads.rolls && section <= DEMI_SECTION_WALL);
  double *mine = sums + 8 * w->i[c], *theirs = w->j[c] >= 0 ? sums + 8 * w->j[c] : NULL;
  for (int a = 0; a < 3; a++) {
    const double m = row[4 + a], moment = w->moment[4 * c + a];
    double turn = -(row[3] * m), back = -(row[7] * m);
    if (moments && theirs) {
      mine[4 + a] = (mine[4 + a] - row[3] * m) + moment;
      back -= moment;
    } else {
      if (moments) turn += moment;
      mine[4 + a] += turn;
    }
    mine[a] += row[a];
    if (!theirs) continue;
    theirs[a] -= row[a];
    theirs[4 + a] += back;
  }
}

/* Block by block, section by section. */
static void sum_plainly(const world *w, double *sums) {
  static const int32_t order[] = {DEMI_SECTION_PAIR, DEMI_SECTION_WALL, DEMI_SECTION_GAP, DEMI_SECTION_WALL_GAP,
                                  DEMI_SECTION_BOND};
  for (int32_t b = 0; b < BLOCKS; b++)
    for (int k = 0; k < DEMI_SECTIONS; k++)
      for (int32_t n = 0; n < w->count[order[k]][b]; n++) add_plainly(w, order[k], (int32_t)w->first[order[k]][b] + n, sums);
}

static demi_chunks cut(int32_t first, int32_t end, int32_t count) {
  demi_chunks chunks = {.count = count};
  for (int32_t k = 0; k <= count; k++) {
    chunks.block[k] = first + (end - first) * k / count;
    chunks.row[k] = first_row(chunks.block[k]);
  }
  return chunks;
}

/* Chunks one after the other, the last first: their order must not matter. */
static void run_backwards(void *user, int32_t count, dem_task_fn task, void *argument) {
  (void)user;
  while (count > 0) task(argument, --count);
}

static dem_context *open_context(int32_t instructions) {
  dem_context *context;
  dem_context_options o;
  assert_int_equal(dem_context_options_init(&o, sizeof o), DEM_OK);
  o.instructions = instructions;
  o.parallel = run_backwards;
  return dem_context_create(&o, &context) == DEM_OK ? context : NULL; /* this CPU lacks them */
}

static void compare(dem_context *context, const world *w, int32_t chunks, int levels) {
  static _Alignas(64) double ours[8 * ROWS], plain[8 * ROWS];
  const int32_t fine_end = levels && chunks > 1 ? COARSE_BLOCK : BLOCKS;
  const demi_chunks fine = cut(0, fine_end, chunks), coarse = cut(fine_end, BLOCKS, chunks > 3 ? 3 : chunks);
  const demi_load_sum sum = {&w->loads, &fine, fine_end < BLOCKS ? &coarse : NULL, levels ? w->coarse_row : ROWS, ours, NULL};
  for (int k = 0; k < 8 * ROWS; k++) ours[k] = plain[k] = 0.25 * (k % 7); /* sums are added to the present values */
  demi_sum_loads(context, &sum);
  sum_plainly(w, plain);
  for (int r = 0; r < ROWS; r++) {
    ASSERT_BITS(ours + 8 * r, plain + 8 * r, 3 * sizeof(double));
    ASSERT_BITS(ours + 8 * r + 4, plain + 8 * r + 4, 3 * sizeof(double));
  }
}

static void sums_run_in_the_order_of_contacts(void **state) {
  (void)state;
  for (int32_t set = DEM_INSTRUCTIONS_PLAIN; set <= DEM_INSTRUCTIONS_AVX512; set++) {
    dem_context *context = open_context(set);
    if (!context) continue;
    for (int levels = 0; levels < 2; levels++)
      for (int32_t rolls = 0; rolls < 2; rolls++) {
        world *w = make(rolls, levels ? first_row(COARSE_BLOCK) : ROWS, 7 + 2 * (uint64_t)levels + (uint64_t)rolls);
        assert_true(w->contacts > 1000);
        for (int32_t chunks = 1; chunks <= 6; chunks++) compare(context, w, chunks, levels);
        test_free(w);
      }
    assert_int_equal(dem_context_destroy(context), DEM_OK);
  }
}

/* Forces between particles cancel; those of walls remain. */
static void what_walls_do_not_give_cancels(void **state) {
  (void)state;
  dem_context *context = open_context(DEM_INSTRUCTIONS_PLAIN);
  assert_non_null(context);
  world *w = make(1, ROWS, 99);
  static _Alignas(64) double sums[8 * ROWS];
  const demi_chunks chunks = cut(0, BLOCKS, 4);
  const demi_load_sum sum = {&w->loads, &chunks, NULL, ROWS, sums, NULL};
  demi_sum_loads(context, &sum);
  for (int a = 0; a < 3; a++) {
    double total = 0, walls = 0;
    for (int r = 0; r < ROWS; r++) total += sums[8 * r + a];
    for (int c = 0; c < w->contacts; c++)
      if (w->j[c] < 0) walls += w->rows[8 * c + a];
    ASSERT_ABS(total, walls, 1e-11);
    assert_true(fabs(walls) > 1e-3);
  }
  test_free(w);
  assert_int_equal(dem_context_destroy(context), DEM_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_run_in_the_order_of_contacts),
      cmocka_unit_test(what_walls_do_not_give_cancels),
  };
  return cmocka_run_group_tests_name("sum", tests, NULL, NULL);
}
