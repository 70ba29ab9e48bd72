/* Two bodies that come together are a contact at the first step in which they overlap, however little earlier the list of neighbours
 * was made. Each trial is a system of its own with two particles, or one and a wall, that fly straight at each other, and gaps
 * are drawn around the skin, where the list must be made anew just in time: with a skin that counts as a tenth more than it is, they
 * would pass by unseen. Steps are a small part of the skin. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/world.h"

static const double DT = 1e-3, SPEED = 1;

/* Lowest and highest. */
typedef struct range {
  double low, high;
} range;

enum { SWARM = 200, MOST = SWARM + 4 };

typedef struct trial {
  world world;
  double x[MOST][3], v[MOST][3], radius[MOST]; /* those that meet come first */
  double skin;
  int32_t count;  /* particles */
  double fastest; /* no two move faster than this relative to each other */
  int32_t slows;  /* step after which the last one flies no faster than the others */
} trial;

static double draw(dice *d, range r) { return dice_uniform(d, r.low, r.high); }

static void unit_vector(dice *d, double *out) {
  double square = 0;
  while (square < 0.05 || square > 1) {
    square = 0;
    for (int k = 0; k < 3; k++) {
      out[k] = dice_uniform(d, -1, 1);
      square += out[k] * out[k];
    }
  }
  for (int k = 0; k < 3; k++) out[k] /= sqrt(square);
}

/* Soft, so that the flight stays straight. */
static void trial_open(trial *t) {
  world_options o = world_defaults();
  o.system.dt = DT;
  o.system.ledger = 0;
  o.system.skin = t->skin;
  dem_law_options_init(&o.law, sizeof o.law);
  o.law.tangential = DEM_TANGENTIAL_NONE;
  o.law.normal_stiffness = 1e-9;
  world_open(&t->world, &o);
}

static void trial_fill(const trial *t) {
  rows r;
  assert_int_equal(rows_create(&r, t->count), 0);
  for (int32_t i = 0; i < t->count; i++) {
    rows_put(&r, t->x[i][0], t->x[i][1], t->x[i][2], t->radius[i]);
    rows_velocity(&r, i, t->v[i][0], t->v[i][1], t->v[i][2]);
  }
  world_add_rows(&t->world, &r, NULL);
}

static void trial_close(trial *t) { world_close(&t->world); }

static int64_t rebuilds(const trial *t) { return world_statistics(&t->world).rebuilds; }

static void slow_down(const trial *t) {
  double v[MOST][3];
  world_read(&t->world, DEM_VELOCITY, v[0]);
  memcpy(v[t->count - 1], v[0], sizeof v[0]);
  world_write(&t->world, DEM_VELOCITY, v[0]);
}

static double overlap_of_pair(const trial *t) {
  double x[MOST][3], square = 0;
  world_read(&t->world, DEM_POSITION, x[0]);
  for (int k = 0; k < 3; k++) square += (x[0][k] - x[1][k]) * (x[0][k] - x[1][k]);
  return t->radius[0] + t->radius[1] - sqrt(square);
}

/* Steps until the bodies overlap by more than rounding; the contact has to be there at once. Returns how often a list was built. */
static int64_t fly(const trial *t, double overlap_of(const trial *t), const char *what) {
  for (int k = 0; k < 20000; k++) {
    if (k > 0 && k == t->slows) slow_down(t);
    ASSERT_OK(t->world.system, dem_system_step(t->world.system, 1));
    const double overlap = overlap_of(t);
    if (overlap > 1e-12 && world_contacts(&t->world) < 1)
      fail_msg("%s, radii %g and %g, skin %g: overlap %g in step %d and no contact", what, t->radius[0], t->radius[1], t->skin,
               overlap, k);
    if (overlap <= 0.2 * t->skin) continue;
    /* nor is the list made more often than once in a skin of relative motion */
    const int64_t most = 2 + (int64_t)((k + 1) * DT * t->fastest / t->skin);
    if (rebuilds(t) > most)
      fail_msg("%s: %d lists in %d steps, at most %d are needed", what, (int)rebuilds(t), k + 1, (int)most);
    return rebuilds(t);
  }
  fail_msg("%s: they never met", what);
  return 0;
}

/* Particle 0 at x, 1 where the gap along `way` is as given; each moves by its share of the approach. */
static void face(trial *t, dice *d, const double *way, double gap, double share) {
  for (int k = 0; k < 3; k++) {
    t->x[0][k] = dice_uniform(d, -3, 3);
    t->x[1][k] = t->x[0][k] + (t->radius[0] + t->radius[1] + gap) * way[k];
    t->v[0][k] = SPEED * share * way[k];
    t->v[1][k] = -SPEED * (1 - share) * way[k];
  }
}

/* A third particle that flies elsewhere, faster, for a while or for ever: the list cannot go by the largest displacement alone. */
static void add_bystander(trial *t, dice *d) {
  double way[3];
  unit_vector(d, way);
  const int32_t k = t->count++;
  t->fastest = 4 * SPEED;
  t->radius[k] = t->radius[1];
  for (int a = 0; a < 3; a++) {
    t->x[k][a] = t->x[0][a] + 40 * way[a];
    t->v[k][a] = SPEED * dice_uniform(d, 1, 3) * way[a];
  }
  t->slows = dice_uniform(d, 0, 1) < 0.5 ? (int32_t)dice_uniform(d, 5, 60) : 0;
}

/* A vector of length 0.2 to 0.4 across the way. */
static void draw_across(dice *d, const double *way, double *out) {
  double any[3], square = 0;
  unit_vector(d, any);
  for (int k = 0; k < 3; k++) out[k] = way[(k + 1) % 3] * any[(k + 2) % 3] - way[(k + 2) % 3] * any[(k + 1) % 3];
  for (int k = 0; k < 3; k++) square += out[k] * out[k];
  const double length = dice_uniform(d, 0.2, 0.4) / sqrt(square + 1e-30);
  for (int k = 0; k < 3; k++) out[k] *= length;
}

/* Two hundred that fly along with particle 1: enough for a level of their size in the search. Four are beside it, the others far
 * behind. */
static void add_swarm(trial *t, dice *d, const double *way) {
  for (int k = 0; k < SWARM; k++) {
    double beside[3];
    draw_across(d, way, beside);
    const int32_t i = t->count++;
    t->radius[i] = t->radius[1];
    for (int a = 0; a < 3; a++) {
      t->x[i][a] = t->x[1][a] + (k < 4 ? beside[a] : 30 * way[a] + dice_uniform(d, -2, 2));
      t->v[i][a] = t->v[1][a];
    }
  }
}

/* Speed 1, so that a step is 1e-3: about 1/100 of the skin. */
static void check_pairs(const char *what, int trials, range first, range second, range gap_over_skin, int swarm) {
  dice d = {21};
  int64_t late = 0;
  for (int i = 0; i < trials; i++) {
    trial t = {.count = 2, .fastest = SPEED, .skin = dice_uniform(&d, 0.08, 0.12)};
    double way[3];
    t.radius[0] = draw(&d, first);
    t.radius[1] = draw(&d, second);
    unit_vector(&d, way);
    if (i % 3 == 0) memcpy(way, (double[3]){i % 2 ? 1 : -1, 0, 0}, sizeof way);
    const double share = i % 5 == 0 ? 1 : i % 5 == 1 ? 0 : dice_uniform(&d, 0, 1);
    face(&t, &d, way, t.skin * draw(&d, gap_over_skin), share);
    if (swarm)
      add_swarm(&t, &d, way);
    else if (i % 2)
      add_bystander(&t, &d);
    trial_open(&t);
    trial_fill(&t);
    late += fly(&t, overlap_of_pair, what) > 1;
    trial_close(&t);
  }
  print_message("# %s: list made again in flight in %d of %d\n", what, (int)late, trials);
}

static const range ALIKE = {0.45, 0.5}, LARGE = {4, 5}, TINY = {0.05, 0.06};
static const range NEAR_THE_SKIN = {0.9, 1.1}, WITHIN = {0.05, 1}, HALF = {0.1, 0.6}, FAR = {1, 60}, SOME = {1, 5},
                   BEYOND = {4.8, 6};

static void of_one_size(void **state) {
  (void)state;
  check_pairs("a gap of one skin", 200, ALIKE, ALIKE, NEAR_THE_SKIN, 0);
  check_pairs("gaps within the skin", 200, ALIKE, ALIKE, WITHIN, 0);
  check_pairs("gaps of half a skin, where pairs are picked", 600, ALIKE, ALIKE, HALF, 0);
  check_pairs("gaps of many skins", 60, ALIKE, ALIKE, FAR, 0);
}

static void of_two_sizes(void **state) {
  (void)state;
  check_pairs("large and tiny, a gap of one skin", 200, LARGE, TINY, NEAR_THE_SKIN, 0);
  check_pairs("large and tiny, gaps within the skin", 200, TINY, LARGE, WITHIN, 0);
  check_pairs("large and tiny, gaps of many skins", 60, LARGE, TINY, FAR, 0);
}

/* Beyond 4 radii of the tiny ones and 3 skins a pair of two levels is in no table. */
static void of_two_levels(void **state) {
  (void)state;
  check_pairs("two levels, a gap of one skin", 40, LARGE, TINY, NEAR_THE_SKIN, 1);
  check_pairs("two levels, gaps within the skin", 40, LARGE, TINY, WITHIN, 1);
  check_pairs("two levels, gaps of some skins", 40, LARGE, TINY, SOME, 1);
  check_pairs("two levels, in no table", 40, LARGE, TINY, BEYOND, 1);
  check_pairs("1:10, a gap of one skin", 80, ALIKE, TINY, NEAR_THE_SKIN, 1);
  check_pairs("1:10, gaps of some skins", 80, ALIKE, TINY, SOME, 1);
}

/* The grid has tiles of three cells, each at least a diameter and a skin wide. With particles in the corners of a row of three tiles,
 * and two beside the middle one, which is empty: those two are no neighbours, and what parts them is one tile less a diameter. */
static void from_tiles_that_are_no_neighbours(void **state) {
  (void)state;
  dice d = {23};
  for (int i = 0; i < 40; i++) {
    const double radius = draw(&d, ALIKE), skin = dice_uniform(&d, 0.08, 0.12), tile = 3.1 * (2 * radius + skin);
    const double inside = tile * dice_uniform(&d, 0, 0.01), places[4] = {tile - inside, 2 * tile + inside, 0, 3 * tile};
    trial t = {.count = 4, .fastest = 20 * SPEED, .skin = skin};
    for (int k = 0; k < 4; k++) {
      t.radius[k] = radius;
      t.x[k][i % 3] = places[k];
      t.v[k][i % 3] = k % 2 ? -10 * SPEED : 10 * SPEED;
    }
    trial_open(&t);
    trial_fill(&t);
    fly(&t, overlap_of_pair, "two tiles with one between");
    trial_close(&t);
  }
}

/* A particle that flies past a bed at rest, far from it, moves by many skins; what parts it from the bed is at least a tile, of three
 * diameters, less a diameter, and only after that distance is a new list needed. */
static void a_flight_far_away_costs_few_lists(void **state) {
  (void)state;
  const double radius = 0.5;
  trial t = {.count = 101, .skin = 0.1};
  for (int k = 0; k < 100; k++) {
    t.radius[k] = radius;
    t.x[k][0] = 1.02 * (k % 10);
    t.x[k][1] = 1.02 * (k / 10);
  }
  t.radius[100] = radius;
  t.x[100][2] = 30;
  t.v[100][0] = 10 * SPEED;
  trial_open(&t);
  trial_fill(&t);
  ASSERT_OK(t.world.system, dem_system_step(t.world.system, 2000));
  print_message("# %d lists in a flight of 20\n", (int)rebuilds(&t));
  assert_true(rebuilds(&t) <= 1 + (int64_t)(2000 * DT * 10 / (4 * radius)));
  trial_close(&t);
}

/* ---- walls ---- */

static double overlap_with_plane(const trial *t) {
  double x[MOST][3];
  world_read(&t->world, DEM_POSITION, x[0]);
  return t->radius[0] - (0.6 * x[0][0] + 0.8 * x[0][2]);
}

static void check_walls(const char *what, int trials, range gap_over_skin) {
  dice d = {22};
  static const double n[3] = {0.6, 0, 0.8};
  for (int i = 0; i < trials; i++) {
    trial t = {.count = 1, .fastest = SPEED, .skin = dice_uniform(&d, 0.08, 0.12), .radius = {draw(&d, ALIKE), 0}};
    const double height = t.radius[0] + t.skin * draw(&d, gap_over_skin), along = dice_uniform(&d, -3, 3);
    for (int k = 0; k < 3; k++) {
      t.x[0][k] = height * n[k] + along * (double[3]){0.8, 0, -0.6}[k];
      t.v[0][k] = -SPEED * n[k];
    }
    trial_open(&t);
    ASSERT_OK(t.world.system, scene_add_plane(t.world.system, 0, (double[3]){0, 0, 0}, n));
    trial_fill(&t);
    fly(&t, overlap_with_plane, what);
    trial_close(&t);
  }
}

static void of_a_plane(void **state) {
  (void)state;
  check_walls("a plane at a gap of one skin", 200, NEAR_THE_SKIN);
  check_walls("a plane at gaps within the skin", 100, WITHIN);
  check_walls("a plane at gaps of many skins", 60, FAR);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_one_size),
      cmocka_unit_test(of_two_sizes),
      cmocka_unit_test(of_two_levels),
      cmocka_unit_test(from_tiles_that_are_no_neighbours),
      cmocka_unit_test(a_flight_far_away_costs_few_lists),
      cmocka_unit_test(of_a_plane),
  };
  return cmocka_run_group_tests_name("approach", tests, NULL, NULL);
}
