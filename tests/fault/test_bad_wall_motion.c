/* Walls whose motion makes no sense, when they are added and when a wall is given that motion later: how a row is read is said in
 * wall_rows.h. */
#include "assertions.h"

#include "wall_rows.h"

/* Periodic boxes. */
SPOIL(turning_about_z, w->spin[2] = 2)
SPOIL(turning_about_x, w->spin[0] = 2)
SPOIL(level_and_turning, w->axis[1] = 0; w->axis[2] = 1; w->spin[0] = 2)

/* Two dimensions. */
SPOIL(moving_along_z, w->velocity[2] = 3)
SPOIL(swinging_along_z, w->amplitude[2] = 3)
SPOIL(free_along_z, w->free_axis[2] = 1)
SPOIL(servo_along_z, w->direction[1] = 0; w->direction[2] = 1)

/* Fixed. */
SPOIL(motion_unknown, w->motion = 4)
SPOIL(motion_negative, w->motion = -1)
SPOIL(fixed_with_velocity, w->velocity[0] = 2)
SPOIL(fixed_with_spin, w->spin[0] = 2)
SPOIL(fixed_with_target, w->target = 2)
SPOIL(fixed_with_free_axis, w->free_axis[1] = 1)
SPOIL(mass_negative, w->mass = -2)
SPOIL(mass_nan, w->mass = NAN)

/* Prescribed. */
SPOIL(velocity_nan, w->velocity[2] = NAN)
SPOIL(spin_infinite, w->spin[2] = INFINITY)
SPOIL(no_frequency, w->frequency = 0)
SPOIL(frequency_negative, w->frequency = -2)
SPOIL(no_amplitude, w->amplitude[1] = 0)
SPOIL(phase_alone, w->phase = 0.5)
SPOIL(driven_with_force, w->force[0] = 2)
SPOIL(driven_with_gain, w->gain = 2)
SPOIL(driven_with_free_axis, w->free_axis[0] = 1)
SPOIL(driven_with_direction, w->direction[0] = 1)

/* Free. */
SPOIL(free_without_mass, w->mass = 0)
SPOIL(free_without_axis, w->free_axis[1] = 0)
SPOIL(free_axis_two, w->free_axis[1] = 2)
SPOIL(free_axis_negative, w->free_axis[0] = -1)
SPOIL(free_mass_tiny, w->mass = 1e-320)
SPOIL(velocity_of_locked, w->velocity[0] = 2)
SPOIL(force_on_locked, w->force[2] = 2)
SPOIL(free_with_spin, w->spin[1] = 2)
SPOIL(free_with_amplitude, w->amplitude[1] = 2)
SPOIL(free_with_target, w->target = 2)
SPOIL(force_nan, w->force[1] = NAN)

/* Servo. */
SPOIL(area_of_three, w->area_walls = 3)
SPOIL(area_negative, w->area_walls = -2)
SPOIL(area_of_six, w->area_walls = 6)
SPOIL(area_of_unknown, w->area_walls = 2; w->area_wall[1] = 9)
SPOIL(area_unused, w->area_walls = 2; w->area_wall[2] = 1)
SPOIL(area_of_one_plane, w->area_walls = 2)
SPOIL(driven_with_area_walls, w->area_walls = 2)
SPOIL(servo_without_direction, w->direction[1] = 0)
SPOIL(servo_direction_long, w->direction[0] = 1)
SPOIL(servo_without_gain, w->gain = 0)
SPOIL(servo_gain_negative, w->gain = -0.5)
SPOIL(servo_without_limit, w->velocity_limit = 0)
SPOIL(servo_limit_negative, w->velocity_limit = -0.5)
SPOIL(servo_travel_negative, w->travel_limit = -0.5)
SPOIL(servo_area_negative, w->area = -0.5)
SPOIL(servo_target_nan, w->target = NAN)
SPOIL(servo_target_huge, w->target = 1e300; w->area = 1e300)
SPOIL(servo_with_velocity, w->velocity[1] = 2)
SPOIL(servo_with_spin, w->spin[1] = 2)
SPOIL(servo_with_force, w->force[1] = 2)
SPOIL(servo_with_phase, w->phase = 2)

static const row table[] = {
    {"turning across a periodic axis",
     PERIODIC_X,
     DRIVEN,
     turning_about_z,
     DEM_BAD_ARGUMENT,
     {"spin[2]", "2", "0", "periodic"}},
    {"turning, two periodic axes", PERIODIC_XY, DRIVEN, level_and_turning, DEM_BAD_ARGUMENT, {"spin[0]", "2", "0", "periodic"}},
    {"moving along z", FLAT, DRIVEN, moving_along_z, DEM_BAD_ARGUMENT, {"velocity[2]", "3", "0", "2 dimensions"}},
    {"swinging along z", FLAT, SWINGING, swinging_along_z, DEM_BAD_ARGUMENT, {"amplitude[2]", "3", "0", "2 dimensions"}},
    {"turning about x", FLAT, DRIVEN, turning_about_x, DEM_BAD_ARGUMENT, {"spin[0]", "2", "0", "2 dimensions"}},
    {"free along z", FLAT, FREE, free_along_z, DEM_BAD_ARGUMENT, {"free_axis[2]", "1", "0", "2 dimensions"}},
    {"servo along z", FLAT, SERVO, servo_along_z, DEM_BAD_ARGUMENT, {"direction[2]", "1", "0", "2 dimensions"}},
    {"unknown motion", OPEN, PLANE, motion_unknown, DEM_BAD_ARGUMENT, {"motion", "4", "3"}},
    {"motion -1", OPEN, PLANE, motion_negative, DEM_BAD_ARGUMENT, {"motion", "-1", "0"}},
    {"fixed with a velocity", OPEN, PLANE, fixed_with_velocity, DEM_BAD_ARGUMENT, {"velocity[0]", "2", "0", "fixed"}},
    {"fixed with a spin", OPEN, PLANE, fixed_with_spin, DEM_BAD_ARGUMENT, {"spin[0]", "2", "0", "fixed"}},
    {"fixed with a target", OPEN, PLANE, fixed_with_target, DEM_BAD_ARGUMENT, {"target", "2", "0", "fixed"}},
    {"fixed with a free axis", OPEN, PLANE, fixed_with_free_axis, DEM_BAD_ARGUMENT, {"free_axis[1]", "1", "0", "fixed"}},
    {"negative mass", OPEN, PLANE, mass_negative, DEM_BAD_ARGUMENT, {"mass", "-2", ">= 0"}},
    {"mass NaN", OPEN, FREE, mass_nan, DEM_BAD_ARGUMENT, {"mass", "nan", "finite"}},
    {"velocity NaN", OPEN, DRIVEN, velocity_nan, DEM_BAD_ARGUMENT, {"velocity[2]", "nan", "finite"}},
    {"spin infinite", OPEN, DRIVEN, spin_infinite, DEM_BAD_ARGUMENT, {"spin[2]", "inf", "finite"}},
    {"amplitude without frequency", OPEN, SWINGING, no_frequency, DEM_BAD_ARGUMENT, {"frequency", "0", "> 0", "amplitude"}},
    {"negative frequency", OPEN, SWINGING, frequency_negative, DEM_BAD_ARGUMENT, {"frequency", "-2", "> 0"}},
    {"frequency without amplitude", OPEN, SWINGING, no_amplitude, DEM_BAD_ARGUMENT, {"amplitude", "0", "frequency", "1"}},
    {"phase without amplitude", OPEN, DRIVEN, phase_alone, DEM_BAD_ARGUMENT, {"amplitude", "0", "phase", "0.5"}},
    {"prescribed with a force", OPEN, DRIVEN, driven_with_force, DEM_BAD_ARGUMENT, {"force[0]", "2", "0", "prescribed"}},
    {"prescribed with a gain", OPEN, DRIVEN, driven_with_gain, DEM_BAD_ARGUMENT, {"gain", "2", "0", "prescribed"}},
    {"prescribed with a free axis",
     OPEN,
     DRIVEN,
     driven_with_free_axis,
     DEM_BAD_ARGUMENT,
     {"free_axis[0]", "1", "0", "prescribed"}},
    {"prescribed with a direction",
     OPEN,
     DRIVEN,
     driven_with_direction,
     DEM_BAD_ARGUMENT,
     {"direction[0]", "1", "0", "prescribed"}},
    {"free without mass", OPEN, FREE, free_without_mass, DEM_BAD_ARGUMENT, {"mass", "0", "> 0", "free"}},
    {"free without an axis", OPEN, FREE, free_without_axis, DEM_BAD_ARGUMENT, {"free_axis", "0 0 0", "at least 1"}},
    {"free axis 2", OPEN, FREE, free_axis_two, DEM_BAD_ARGUMENT, {"free_axis[1]", "2", "0 to 1"}},
    {"free axis -1", OPEN, FREE, free_axis_negative, DEM_BAD_ARGUMENT, {"free_axis[0]", "-1", "0 to 1"}},
    {"free, 1/mass infinite", OPEN, FREE, free_mass_tiny, DEM_BAD_ARGUMENT, {"mass", "e-321", "> 0", "1/mass"}},
    {"velocity along a locked axis",
     OPEN,
     FREE,
     velocity_of_locked,
     DEM_BAD_ARGUMENT,
     {"velocity[0]", "2", "0", "free_axis[0]"}},
    {"force along a locked axis", OPEN, FREE, force_on_locked, DEM_BAD_ARGUMENT, {"force[2]", "2", "0", "free_axis[2]"}},
    {"free with a spin", OPEN, FREE, free_with_spin, DEM_BAD_ARGUMENT, {"spin[1]", "2", "0", "free"}},
    {"free with an amplitude", OPEN, FREE, free_with_amplitude, DEM_BAD_ARGUMENT, {"amplitude[1]", "2", "0", "free"}},
    {"free with a target", OPEN, FREE, free_with_target, DEM_BAD_ARGUMENT, {"target", "2", "0", "free"}},
    {"force NaN", OPEN, FREE, force_nan, DEM_BAD_ARGUMENT, {"force[1]", "nan", "finite"}},
    {"servo without direction", OPEN, SERVO, servo_without_direction, DEM_BAD_ARGUMENT, {"direction", "0", "1e-12"}},
    {"servo direction too long", OPEN, SERVO, servo_direction_long, DEM_BAD_ARGUMENT, {"direction", "1.41", "1e-12"}},
    {"servo without gain", OPEN, SERVO, servo_without_gain, DEM_BAD_ARGUMENT, {"gain", "0", "> 0"}},
    {"servo of negative gain", OPEN, SERVO, servo_gain_negative, DEM_BAD_ARGUMENT, {"gain", "-0.5", "> 0"}},
    {"servo without velocity limit", OPEN, SERVO, servo_without_limit, DEM_BAD_ARGUMENT, {"velocity_limit", "0", "> 0"}},
    {"servo of negative velocity limit",
     OPEN,
     SERVO,
     servo_limit_negative,
     DEM_BAD_ARGUMENT,
     {"velocity_limit", "-0.5", "> 0"}},
    {"servo of negative travel", OPEN, SERVO, servo_travel_negative, DEM_BAD_ARGUMENT, {"travel_limit", "-0.5", ">= 0"}},
    {"servo of negative area", OPEN, SERVO, servo_area_negative, DEM_BAD_ARGUMENT, {"area", "-0.5", ">= 0"}},
    {"area of three walls", OPEN, SERVO, area_of_three, DEM_BAD_ARGUMENT, {"area_walls", "3", "0, 2 or 4"}},
    {"area of -2 walls", OPEN, SERVO, area_negative, DEM_BAD_ARGUMENT, {"area_walls", "-2", "0, 2 or 4"}},
    {"area of six walls", OPEN, SERVO, area_of_six, DEM_BAD_ARGUMENT, {"area_walls", "6", "0, 2 or 4"}},
    {"area of a wall that is not", OPEN, SERVO, area_of_unknown, DEM_NOT_FOUND, {"area_wall[1]", "9", "no plane"}},
    {"area of a wall too many", OPEN, SERVO, area_unused, DEM_BAD_ARGUMENT, {"area_wall[2]", "1", "0"}},
    {"area of walls that do not face", OPEN, SERVO, area_of_one_plane, DEM_BAD_ARGUMENT, {"area_wall[0]", "[1]", "face"}},
    {"area of a wall that is driven",
     OPEN,
     DRIVEN,
     driven_with_area_walls,
     DEM_BAD_ARGUMENT,
     {"area_walls", "2", "0", "prescribed"}},
    {"servo target NaN", OPEN, SERVO, servo_target_nan, DEM_BAD_ARGUMENT, {"target", "nan", "finite"}},
    {"servo target beyond numbers", OPEN, SERVO, servo_target_huge, DEM_BAD_ARGUMENT, {"target", "1e+300", "1e+60", "finite"}},
    {"servo with a velocity", OPEN, SERVO, servo_with_velocity, DEM_BAD_ARGUMENT, {"velocity[1]", "2", "0", "servo"}},
    {"servo with a spin", OPEN, SERVO, servo_with_spin, DEM_BAD_ARGUMENT, {"spin[1]", "2", "0", "servo"}},
    {"servo with a force", OPEN, SERVO, servo_with_force, DEM_BAD_ARGUMENT, {"force[1]", "2", "0", "servo"}},
    {"servo with a phase", OPEN, SERVO, servo_with_phase, DEM_BAD_ARGUMENT, {"phase", "2", "0", "servo"}},
};
enum { ROWS = sizeof table / sizeof *table };

static void every_row_is_refused_when_added(void **state) {
  (void)state;
  assert_rows_are_refused(table, ROWS);
}

static int is_motion(const row *r) {
  return r->from >= DRIVEN || (r->expected == DEM_BAD_ARGUMENT && strstr(r->name, "fixed"));
}

static void rows_of_motion_are_refused_when_set(void **state) {
  (void)state;
  int bad = 0, tried = 0;
  for (int k = 0; k < ROWS; k++) {
    if (!is_motion(&table[k]) || table[k].place == PERIODIC_XY) continue;
    bad += !row_is_refused(&table[k], 1);
    tried++;
  }
  assert_true(tried > 40);
  assert_int_equal(bad, 0);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_is_refused_when_added),
      cmocka_unit_test(rows_of_motion_are_refused_when_set),
  };
  return cmocka_run_group_tests_name("bad wall motion", tests, NULL, NULL);
}
