/* Walls and calls that make no sense but need more than a row of wall_rows.h, and the walls that the rows start from. */
#include "assertions.h"

#include <dem/plugin/law.h>

#include "wall_rows.h"

/* What the rows start from is taken, in every room that allows it. */
static void what_the_rows_start_from_is_taken(void **state) {
  (void)state;
  for (int place = OPEN; place <= FLAT; place++)
    for (int from = PLANE; from <= SERVO; from++) {
      room home;
      room_open(&home, (where)place);
      dem_wall wall = base_of((base)from);
      if (place == PERIODIC_X && from == CYLINDER) wall.axis[0] = 1, wall.axis[1] = 0;
      if (place == FLAT && from == CYLINDER) wall.axis[1] = 0, wall.axis[2] = 1;
      if (place == PERIODIC_XY) wall.axis[1] = wall.direction[1] = 0;
      if (place == PERIODIC_XY) wall.axis[2] = 1;
      if (place == PERIODIC_XY && from == SERVO) wall.direction[2] = 1;
      const int round = from == DISC || from == CONE || from == REVOLVED;
      if (from == PLATE && place == PERIODIC_X) wall.size[0] = INFINITY;
      const int fits = from == BOX ? place == OPEN || place == FLAT
                       : round     ? place == OPEN
                                   : (from != CYLINDER && from != PLATE) || place != PERIODIC_XY;
      if (place == PERIODIC_XY && (from == BOX || from == PLATE)) wall.axis[2] = 0;
      if (fits) world_add_wall(&home.world, &wall);
      ASSERT_OK(home.world.system, dem_system_step(home.world.system, 20));
      room_close(&home);
    }
}

/* ---- what is not a row ---- */

static void unknown_walls_and_sizes(void **state) {
  (void)state;
  room r;
  dem_wall wall = base_of(FREE);
  dem_wall_state s;
  room_open(&r, OPEN);
  dem_wall_state_init(&s, sizeof s);
  ASSERT_STATUS(r.world.system, dem_system_set_wall_motion(r.world.system, 99, &wall), DEM_NOT_FOUND);
  assert_true(message_says(r.world.system, (const char *const[4]){"wall", "99"}, "motion of an unknown wall"));
  ASSERT_STATUS(r.world.system, dem_system_wall_state(r.world.system, 99, &s), DEM_NOT_FOUND);
  wall.struct_size = 8;
  ASSERT_STATUS(r.world.system, dem_system_add_wall(r.world.system, &wall, NULL), DEM_BAD_STRUCT);
  assert_true(message_says(r.world.system, (const char *const[4]){"wall", "struct_size", "8"}, "size"));
  ASSERT_STATUS(r.world.system, dem_system_set_wall_motion(r.world.system, r.wall, &wall), DEM_BAD_STRUCT);
  s.struct_size = 8;
  ASSERT_STATUS(r.world.system, dem_system_wall_state(r.world.system, r.wall, &s), DEM_BAD_STRUCT);
  assert_int_equal(dem_wall_init(NULL, sizeof wall), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_wall_init(&wall, 8), DEM_BAD_STRUCT);
  assert_int_equal(dem_wall_state_init(NULL, sizeof s), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(r.world.system, dem_system_add_wall(r.world.system, NULL, NULL), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(r.world.system, dem_system_set_wall_motion(r.world.system, r.wall, NULL), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(r.world.system, dem_system_wall_state(r.world.system, r.wall, NULL), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(NULL, dem_system_add_wall(NULL, &wall, NULL), DEM_BAD_ARGUMENT);
  room_close(&r);
}

/* The tables of walls and faces grow with what is added: all of them act, and the first ones keep their places. */
static void there_may_be_many_walls(void **state) {
  (void)state;
  enum { WALLS = 500 };
  room r;
  const dem_wall one = base_of(PLANE), six = base_of(BOX);
  room_open(&r, OPEN);
  ASSERT_OK(r.world.system, dem_system_step(r.world.system, 5));
  int32_t id[WALLS];
  const int32_t plane = world_add_wall(&r.world, &one);
  const dem_wall_state first = world_wall_state(&r.world, plane);
  for (int k = 0; k < WALLS; k++) id[k] = world_add_wall(&r.world, &six);
  ASSERT_OK(r.world.system, dem_system_step(r.world.system, 5));
  const dem_wall_state again = world_wall_state(&r.world, plane);
  ASSERT_BITS(first.position, again.position, sizeof first.position);
  for (int k = 0; k < WALLS; k += 7) ASSERT_OK(r.world.system, dem_system_remove_wall(r.world.system, id[k]));
  ASSERT_OK(r.world.system, dem_system_step(r.world.system, 5));
  ASSERT_STATUS(r.world.system, dem_system_remove_wall(r.world.system, id[0]), DEM_NOT_FOUND);
  ASSERT_OK(r.world.system, dem_system_check(r.world.system));
  room_close(&r);
}

static void beyond_numbers(const void *parameters, const dem_batch *b) {
  (void)parameters;
  for (int k = 0; k < b->count; k++) b->normal_elastic[k] = 1e308, b->normal_damping[k] = 0;
}

static void set_law_beyond_numbers(room *r) {
  const dem_law_part part = {.struct_size = sizeof part,
                             .contract = DEM_LAW_PART_CONTRACT,
                             .name = "beyond",
                             .kind = DEM_PART_NORMAL,
                             .evaluate = beyond_numbers};
  const dem_law_piece piece = {sizeof(dem_law_piece), 0, &part, NULL};
  dem_law *law = NULL;
  assert_int_equal(dem_law_create_from_parts(r->world.context, 1, &piece, &law), DEM_OK);
  ASSERT_OK(r->world.system, dem_system_set_law(r->world.system, 0, 0, law));
  dem_law_release(law);
}

/* A free wall that is thrown out of all numbers is found, not carried on: a particle that cannot move pushes it. */
static void a_wall_out_of_numbers_poisons(void **state) {
  (void)state;
  room r;
  dem_wall wall = base_of(FREE);
  dem_id id;
  wall.position[1] = 0.2;
  wall.mass = 1e-4;
  room_open(&r, OPEN);
  ASSERT_OK(r.world.system, dem_system_remove_wall(r.world.system, r.wall));
  world_add_wall(&r.world, &wall);
  ASSERT_OK(r.world.system, dem_system_ids(r.world.system, 1, &id));
  ASSERT_OK(r.world.system, dem_system_set_frozen(r.world.system, 1, &id, 1));
  set_law_beyond_numbers(&r);
  ASSERT_STATUS(r.world.system, dem_system_step(r.world.system, 50), DEM_FAILED_NOT_FINITE);
  assert_true(message_says(r.world.system, (const char *const[4]){"wall 1", "velocity[1]", "inf"}, "out of numbers"));
  ASSERT_STATUS(r.world.system, dem_system_step(r.world.system, 1), DEM_POISONED);
  room_close(&r);
}

static int32_t change_walls(void *user, const dem_progress *p) {
  room *r = user;
  const dem_wall wall = base_of(FREE);
  (void)p;
  dem_wall_state s;
  dem_wall_state_init(&s, sizeof s);
  ASSERT_STATUS(r->world.system, dem_system_add_wall(r->world.system, &wall, NULL), DEM_BUSY);
  ASSERT_STATUS(r->world.system, dem_system_set_wall_motion(r->world.system, r->wall, &wall), DEM_BUSY);
  ASSERT_OK(r->world.system, dem_system_wall_state(r->world.system, r->wall, &s));
  return 0;
}

/* From inside a step walls may be read, not changed. */
static void callbacks_may_only_read(void **state) {
  (void)state;
  room r;
  room_open(&r, OPEN);
  ASSERT_OK(r.world.system, dem_system_set_progress(r.world.system, 1, change_walls, &r));
  ASSERT_OK(r.world.system, dem_system_step(r.world.system, 3));
  room_close(&r);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_the_rows_start_from_is_taken), cmocka_unit_test(unknown_walls_and_sizes),
      cmocka_unit_test(there_may_be_many_walls),           cmocka_unit_test(a_wall_out_of_numbers_poisons),
      cmocka_unit_test(callbacks_may_only_read),
  };
  return cmocka_run_group_tests_name("bad walls", tests, NULL, NULL);
}
