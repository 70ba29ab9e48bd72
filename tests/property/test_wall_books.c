/* Scenes with moving walls: the books close whatever moves, and threads, books and instruction sets change no bit. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/walls.h"
#include "scenes/world.h"
#include "scenes/snapshot.h"

#include <stdio.h>

typedef void scene_fn(world *w);

static void turning_drum(world *w) {
  dem_wall wall = wall_drum(DEM_WALL_INSIDE, 2.6, 4.2);
  wall.motion = DEM_WALL_PRESCRIBED;
  wall.spin[1] = 4;
  world_add_cloud(w, 4, 1.9, 3);
  world_add_wall(w, &wall);
}

static void shaken_box(world *w) {
  dem_wall wall = wall_box(DEM_WALL_INSIDE, 4.1, 4.1, 4.1);
  wall.motion = DEM_WALL_PRESCRIBED;
  wall.amplitude[0] = 0.05;
  wall.amplitude[2] = 0.1;
  wall.frequency = 8;
  wall.mass = 20; /* shows in kinetic_walls only */
  world_add_cloud(w, 4, 1.9, 3);
  world_add_wall(w, &wall);
}

static void free_lid(world *w) {
  const dem_wall wall = wall_box(DEM_WALL_INSIDE, 4.1, 4.1, 4.1);
  dem_wall lid = wall_plane(0, 0, 2, 0, 0, -1), block = wall_box(DEM_WALL_OUTSIDE, 1, 1.1, 1.2);
  lid.motion = block.motion = DEM_WALL_FREE;
  lid.free_axis[2] = block.free_axis[0] = block.free_axis[1] = block.free_axis[2] = 1;
  lid.mass = 30;
  lid.force[2] = -200;
  block.mass = 4;
  block.position[0] = 5;
  block.velocity[0] = -10;
  world_add_cloud(w, 4, 1.9, 3);
  world_add_wall(w, &wall);
  world_add_wall(w, &lid);
  world_add_wall(w, &block);
}

static void servo_box(world *w) {
  const dem_wall wall = wall_box(DEM_WALL_INSIDE, 4.1, 4.1, 4.1);
  dem_wall top = wall_press(2, 60), side = wall_press(0, 3);
  side.area = 16;
  side.position[0] = side.axis[0] = side.direction[0] = 0;
  side.position[0] = 2.0;
  side.axis[0] = side.direction[0] = -1;
  side.axis[2] = side.direction[2] = 0;
  side.mass = 5;
  world_add_cloud(w, 4, 1.9, 3);
  world_add_wall(w, &wall);
  world_add_wall(w, &top);
  world_add_wall(w, &side);
}

/* A box that turns about a skew axis, and a rod, stir what is in a larger cylinder. */
static void stirred(world *w) {
  const dem_wall wall = wall_drum(DEM_WALL_INSIDE, 3.5, 6);
  dem_wall blade = wall_box(DEM_WALL_OUTSIDE, 3.8, 0.5, 0.7), rod = wall_drum(DEM_WALL_OUTSIDE, 0.4, 3);
  blade.motion = rod.motion = DEM_WALL_PRESCRIBED;
  blade.position[2] = -2.5;
  blade.spin[0] = 1;
  blade.spin[2] = 9;
  rod.position[0] = 2.4;
  rod.spin[0] = 6;
  rod.amplitude[1] = 0.5;
  rod.frequency = 3;
  world_add_cloud(w, 4, 1.9, 3);
  world_add_wall(w, &wall);
  world_add_wall(w, &blade);
  world_add_wall(w, &rod);
}

/* y is periodic: an endless drum that turns and moves along itself, and a free rod in it. */
static void endless_drum(world *w) {
  dem_wall wall = wall_drum(DEM_WALL_INSIDE, 2.6, 0), rod = wall_drum(DEM_WALL_OUTSIDE, 0.4, 0);
  wall.motion = DEM_WALL_PRESCRIBED;
  wall.spin[1] = 4;
  wall.velocity[1] = 2;
  rod.motion = DEM_WALL_FREE;
  rod.mass = 20;
  rod.free_axis[0] = rod.free_axis[1] = 1;
  rod.velocity[0] = 1;
  world_add_cloud(w, 4, 1.9, 3);
  world_add_wall(w, &wall);
  world_add_wall(w, &rod);
}

/* In the plane: discs in a ring that turns and swings, stirred by a box, under a free lid. */
static void flat_ring(world *w) {
  dem_wall ring = wall_drum(DEM_WALL_INSIDE, 2.6, 3), blade = wall_box(DEM_WALL_OUTSIDE, 3, 0.4, 7),
           lid = wall_plane(0, 2.2, 0, 0, -1, 0);
  ring.axis[1] = 0;
  ring.axis[2] = 1;
  ring.motion = blade.motion = DEM_WALL_PRESCRIBED;
  ring.spin[2] = -4;
  ring.amplitude[0] = 0.1;
  ring.frequency = 5;
  blade.position[1] = -1.7;
  blade.spin[2] = 5;
  lid.motion = DEM_WALL_FREE;
  lid.mass = 10;
  lid.free_axis[1] = 1;
  rows r;
  assert_int_equal(rows_create(&r, 16), 0);
  for (int i = 0; i < 16; i++) rows_velocity(&r, rows_put(&r, i % 4 - 1.5, i / 4 - 0.9, 0, 0.45), i % 3 - 1, -2, 0);
  world_add_rows(w, &r, NULL);
  world_add_wall(w, &ring);
  world_add_wall(w, &blade);
  world_add_wall(w, &lid);
}

typedef struct scene_row {
  const char *name;
  scene_fn *build;
  int32_t watched; /* the wall to look at */
  int32_t dimension, periodic_y;
  int32_t driven; /* some wall is moved */
  int32_t arms;
} scene_row;
static const scene_row scene_list[] = {
    {"turning drum", turning_drum, 0, 3, 0, 1, DEM_ARMS_CONSERVING},
    {"shaken box", shaken_box, 0, 3, 0, 1, DEM_ARMS_CONSERVING},
    {"free lid", free_lid, 1, 3, 0, 0, DEM_ARMS_CONSERVING},
    {"servo box", servo_box, 1, 3, 0, 1, DEM_ARMS_CONSERVING},
    {"stirred", stirred, 1, 3, 0, 1, DEM_ARMS_CONSERVING},
    {"endless drum", endless_drum, 1, 3, 1, 1, DEM_ARMS_CONSERVING},
    {"flat ring", flat_ring, 2, 2, 0, 1, DEM_ARMS_CONSERVING},
    {"turning drum, arms R", turning_drum, 0, 3, 0, 1, DEM_ARMS_RADIUS},
};
enum { SCENES = sizeof scene_list / sizeof *scene_list };

static world_options options_of(const scene_row *row) {
  world_options o = world_defaults();
  o.system.arms = row->arms;
  o.system.dimension = row->dimension;
  o.system.periodic[1] = row->periodic_y;
  o.system.box_low[1] = -2;
  o.system.box_high[1] = 2;
  o.system.gravity[row->dimension - 1] = -10;
  o.system.gravity[0] = 1;
  return o;
}

static double worst_over(world *w, const char *what, int samples, int steps) {
  double worst = 0;
  for (int k = 0; k < samples; k++) {
    ASSERT_OK(w->system, dem_system_step(w->system, steps));
    worst = fmax(worst, world_assert_closed(w, what));
    ASSERT_OK(w->system, dem_system_check(w->system));
  }
  return worst;
}

static void check_books(const scene_row *row, const char *integrator, const dem_law_options *law, double drag) {
  world_options o = options_of(row);
  char what[96];
  o.system.drag = drag;
  world w;
  o.integrator = integrator;
  o.law = *law;
  world_open(&w, &o);
  row->build(&w);
  snprintf(what, sizeof what, "%s, %s, normal %d", row->name, integrator, law->normal);
  const double worst = worst_over(&w, what, 30, 100);
  const dem_energy e = world_energy(&w);
  assert_true(e.sliding[1] > 0 && e.elastic_normal[1] != 0);
  assert_true((e.walls != 0) == row->driven);
  print_message("# %s: residual at most %.1e\n", what, worst);
  world_close(&w);
}

static void books_close_whatever_moves(void **state) {
  (void)state;
  dem_law_options hooke, hertz;
  scene_hooke(&hooke);
  scene_hertz(&hertz);
  for (int k = 0; k < SCENES; k++) {
    check_books(&scene_list[k], "velocity-verlet", &hooke, 0);
    check_books(&scene_list[k], "euler", &hooke, 0.3);
    hooke.attraction = 0;
    check_books(&scene_list[k], "euler", &hertz, 0);
    check_books(&scene_list[k], "velocity-verlet", &hooke, 0.3);
    hooke.attraction = 1;
  }
}

static void run_scene(const scene_row *row, int32_t threads, int32_t ledger, int32_t instructions, snapshot *s,
                      dem_wall_state *wall) {
  world_options o = options_of(row);
  world w;
  o.system.threads = threads;
  o.system.ledger = ledger;
  o.context.instructions = instructions;
  world_open(&w, &o);
  row->build(&w);
  ASSERT_OK(w.system, dem_system_step(w.system, 2000));
  snapshot_take(s, w.system);
  *wall = world_wall_state(&w, row->watched);
  wall->work = 0;
  world_close(&w);
}

/* Threads, books and instruction sets change no bit of particles and walls. */
static void threads_books_and_instructions_change_no_bit(void **state) {
  (void)state;
  for (int k = 0; k < SCENES; k++) {
    const scene_row *row = &scene_list[k];
    snapshot one, three, off, plain;
    dem_wall_state wall[4];
    run_scene(row, 1, 1, DEM_INSTRUCTIONS_AUTO, &one, &wall[0]);
    run_scene(row, 3, 1, DEM_INSTRUCTIONS_AUTO, &three, &wall[1]);
    run_scene(row, 1, 0, DEM_INSTRUCTIONS_AUTO, &off, &wall[2]);
    run_scene(row, 1, 1, DEM_INSTRUCTIONS_PLAIN, &plain, &wall[3]);
    snapshot_assert_same_bits(&one, &plain);
    ASSERT_BITS(&wall[0], &wall[3], sizeof wall[0]);
    snapshot_free(&plain);
    snapshot_assert_same_bits(&one, &three);
    snapshot_assert_same_bits(&one, &off);
    ASSERT_BITS(&wall[0], &wall[1], sizeof wall[0]);
    ASSERT_BITS(&wall[0], &wall[2], sizeof wall[0]);
    snapshot_free(&one);
    snapshot_free(&three);
    snapshot_free(&off);
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(books_close_whatever_moves),
      cmocka_unit_test(threads_books_and_instructions_change_no_bit),
  };
  return cmocka_run_group_tests_name("wall books", tests, NULL, NULL);
}
