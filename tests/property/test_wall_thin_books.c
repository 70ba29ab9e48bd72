/* Scenes with thin walls that move: the books close under every scheme, and threads, books and instruction sets change no bit. */
#include "assertions.h"

#include "scenes/scenes.h"
#include "scenes/walls.h"
#include "scenes/world.h"
#include "scenes/snapshot.h"

typedef void scene_fn(world *w);

static void turning_hopper(world *w) {
  dem_wall wall = wall_hopper();
  wall_drive(&wall, 0, 0, 3);
  wall.amplitude[2] = 0.1;
  wall.frequency = 6;
  world_add_cloud(w, 4, 1.5, 2);
  world_add_wall(w, &wall);
}

static void tumbling_thin_walls(world *w) {
  dem_wall box = wall_shape(DEM_WALL_BOX), blade = wall_plate(4, 1, 0), lens = wall_disc(1.2), funnel = wall_cone(0.3, 1.5, 1),
           tube = wall_pipe(0.7, 1.5);
  for (int a = 0; a < 3; a++) box.size[a] = 5;
  quaternion_about(0.4, 1, 1, 0, box.rotation);
  quaternion_about(0.3, 1, 0, 0, blade.rotation);
  wall_drive(&blade, 1, 2, 7);
  wall_drive(&lens, 4, 0, 3);
  lens.position[0] = 1.5;
  funnel.motion = DEM_WALL_FREE;
  funnel.mass = 20;
  funnel.free_axis[0] = funnel.free_axis[2] = 1;
  funnel.position[2] = 1.5;
  wall_drive(&tube, 3, 3, 0);
  tube.position[1] = -1.5;
  world_add_cloud(w, 4, 1.9, 3);
  world_add_wall(w, &box);
  world_add_wall(w, &blade);
  world_add_wall(w, &lens);
  world_add_wall(w, &funnel);
  world_add_wall(w, &tube);
}

static void pressed_by_a_disc(world *w) {
  dem_wall cup = wall_pipe(2.6, 5), floor = wall_disc(2.6), press = wall_disc(2.5);
  floor.position[2] = -2;
  press.position[2] = 2.1;
  press.motion = DEM_WALL_SERVO;
  press.direction[2] = -1;
  press.target = 200;
  press.gain = 1e-3;
  press.velocity_limit = 1;
  world_add_cloud(w, 4, 1.4, 2);
  world_add_wall(w, &cup);
  world_add_wall(w, &floor);
  world_add_wall(w, &press);
}

static scene_fn *const scene_list[] = {turning_hopper, tumbling_thin_walls, pressed_by_a_disc};

static void books_close(void **state) {
  (void)state;
  static const char *const schemes[] = {"velocity-verlet", "euler", "improved-velocity-verlet"};
  for (int k = 0; k < 9; k++) {
    world_options o = world_defaults();
    double worst = 0;
    o.system.gravity[2] = -10;
    world w;
    if (k % 2) scene_hertz(&o.law);
    o.integrator = schemes[k % 3];
    world_open(&w, &o);
    scene_list[k / 3](&w);
    for (int n = 0; n < 30; n++) {
      ASSERT_OK(w.system, dem_system_step(w.system, 100));
      ASSERT_OK(w.system, dem_system_check(w.system));
      worst = fmax(worst, world_assert_closed(&w, schemes[k % 3]));
    }
    const dem_energy e = world_energy(&w);
    print_message("# scene %d, %s: residual at most %.1e\n", k / 3, schemes[k % 3], worst);
    assert_true(e.sliding[1] > 0 && e.walls != 0);
    world_close(&w);
  }
}

static void run_scene(int k, int32_t threads, int32_t ledger, int32_t instructions, snapshot *s) {
  world_options o = world_defaults();
  world w;
  o.system.threads = threads;
  o.system.ledger = ledger;
  o.material.young = 0;
  o.context.instructions = instructions;
  world_open(&w, &o);
  scene_list[k](&w);
  ASSERT_OK(w.system, dem_system_step(w.system, 1500));
  snapshot_take(s, w.system);
  world_close(&w);
}

static void threads_books_and_instructions_change_no_bit(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    snapshot one, other;
    run_scene(k, 1, 1, DEM_INSTRUCTIONS_AUTO, &one);
    for (int n = 0; n < 3; n++) {
      run_scene(k, n == 0 ? 3 : 1, n != 1, n == 2 ? DEM_INSTRUCTIONS_PLAIN : DEM_INSTRUCTIONS_AUTO, &other);
      snapshot_assert_same_bits(&one, &other);
      snapshot_free(&other);
    }
    snapshot_free(&one);
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(books_close),
      cmocka_unit_test(threads_books_and_instructions_change_no_bit),
  };
  return cmocka_run_group_tests_name("wall thin books", tests, NULL, NULL);
}
