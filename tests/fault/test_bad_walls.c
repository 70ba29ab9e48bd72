/* Walls that make no sense: each row spoils one thing of a wall that would be taken, and says which status must come back and
 * which words (member, value, limit) the message must hold. The system must not have changed, and must step on. */
#include "assertions.h"

#include <dem/plugin/law.h>
#include <stdio.h>

#include "scenes/scenes.h"
#include "scenes/snapshot.h"

typedef struct room {
  dem_context *context;
  dem_system *system;
  int32_t wall; /* a plane that oscillates */
} room;

/* What each row starts from. */
typedef enum base { PLANE, BOX, CYLINDER, PLATE, DISC, CONE, REVOLVED, DRIVEN, SWINGING, FREE, SERVO } base;
/* The room it is added to. */
typedef enum where { OPEN, PERIODIC_X, PERIODIC_XY, FLAT } where;

static dem_wall base_of(base b) {
  dem_wall w;
  dem_wall_init(&w, sizeof w);
  w.axis[1] = 1;
  if (b == BOX) {
    w.shape = DEM_WALL_BOX;
    w.axis[1] = 0;
    for (int a = 0; a < 3; a++) w.size[a] = 100;
  }
  if (b == CYLINDER) {
    w.shape = DEM_WALL_CYLINDER;
    w.radius = 100;
  }
  if (b == PLATE) {
    w.shape = DEM_WALL_PLATE;
    w.axis[1] = 0;
    w.size[0] = w.size[2] = 100;
  }
  if (b == DISC || b == CONE) {
    w.shape = b == DISC ? DEM_WALL_DISC : DEM_WALL_CONE;
    w.radius = 100;
    w.length = b == CONE ? 50 : 0;
    w.position[1] = -60;
  }
  if (b == REVOLVED) {
    const double profile[6] = {50, -90, 100, -60, 100, -30};
    w.shape = DEM_WALL_REVOLVED;
    w.profile_points = 3;
    memcpy(w.profile, profile, sizeof profile);
  }
  if (b == DRIVEN || b == SWINGING) w.motion = DEM_WALL_PRESCRIBED;
  if (b == SWINGING) w.amplitude[1] = w.frequency = 1;
  if (b == FREE) {
    w.motion = DEM_WALL_FREE;
    w.free_axis[1] = 1;
    w.mass = 1;
  }
  if (b == SERVO) {
    w.motion = DEM_WALL_SERVO;
    w.direction[1] = w.target = w.gain = w.velocity_limit = 1;
  }
  return w;
}

static void room_open(room *r, where place) {
  dem_system_options o;
  dem_law_options law;
  rows p;
  dem_system_options_init(&o, sizeof o);
  o.dt = 1e-4;
  o.ledger = 1;
  o.dimension = place == FLAT ? 2 : 3;
  o.periodic[0] = place == PERIODIC_X || place == PERIODIC_XY;
  o.periodic[1] = place == PERIODIC_XY;
  for (int a = 0; a < 3; a++) o.box_high[a] = 10;
  assert_int_equal(dem_context_create(NULL, &r->context), DEM_OK);
  assert_int_equal(dem_system_create(r->context, &o, &r->system), DEM_OK);
  ASSERT_OK(r->system, dem_system_add_material(r->system, NULL, NULL));
  scene_hooke(&law);
  ASSERT_OK(r->system, scene_set_law(r->context, r->system, 0, 0, &law));
  assert_int_equal(rows_create(&p, 1), 0);
  rows_velocity(&p, rows_put(&p, 5, 0.501, 0, 0.5), 1, -1, 0);
  ASSERT_OK(r->system, rows_add(&p, r->system, NULL));
  rows_destroy(&p);
  r->wall = -1;
  if (place != PERIODIC_XY) {
    const dem_wall wall = base_of(SWINGING);
    ASSERT_OK(r->system, dem_system_add_wall(r->system, &wall, &r->wall));
  }
  ASSERT_OK(r->system, dem_system_step(r->system, 20));
}

static void room_close(room *r) {
  dem_system_destroy(r->system);
  assert_int_equal(dem_context_destroy(r->context), DEM_OK);
}

typedef void spoil_fn(dem_wall *w);
typedef struct row {
  const char *name;
  where place;
  base from;
  spoil_fn *spoil;
  dem_status expected;
  const char *words[4];
} row;

#define SPOIL(name, change) \
  static void name(dem_wall *w) { change; }

/* Shape. */
SPOIL(shape_unknown, w->shape = 7)
SPOIL(shape_negative, w->shape = -1)
SPOIL(side_of_plane, w->side = 1)
SPOIL(side_unknown, w->side = 2)
SPOIL(material_unknown, w->material = 7)
SPOIL(material_negative, w->material = -1)
SPOIL(axis_long, w->axis[1] = 1.5)
SPOIL(axis_zero, w->axis[1] = 0)
SPOIL(axis_nan, w->axis[2] = NAN)
SPOIL(position_infinite, w->position[0] = INFINITY)
SPOIL(plane_with_radius, w->radius = 0.25)
SPOIL(plane_with_length, w->length = 0.25)
SPOIL(plane_with_size, w->size[2] = 0.25)
SPOIL(box_with_axis, w->axis[2] = 1)
SPOIL(box_with_radius, w->radius = 0.25)
SPOIL(box_without_depth, w->size[1] = 0)
SPOIL(box_negative, w->size[2] = -2)
SPOIL(box_nan, w->size[0] = NAN)
SPOIL(cylinder_without_radius, w->radius = 0)
SPOIL(cylinder_negative, w->radius = -3)
SPOIL(cylinder_infinite, w->radius = INFINITY)
SPOIL(cylinder_shorter_than_nothing, w->length = -0.5)
SPOIL(cylinder_with_size, w->size[0] = 4)

/* Rotation, thin shapes. */
SPOIL(rotation_long, w->rotation[0] = 1; w->rotation[3] = 0.5)
SPOIL(rotation_short, w->rotation[2] = 0.5)
SPOIL(rotation_nan, w->rotation[1] = NAN)
SPOIL(plane_open, w->open = 1)
SPOIL(open_two, w->length = 3; w->open = 2)
SPOIL(open_endless, w->open = 1)
SPOIL(open_outside, w->length = 3; w->side = 1; w->open = 1)
SPOIL(plate_solid, w->size[1] = 3)
SPOIL(plate_of_no_width, w->size[0] = 0)
SPOIL(plate_negative, w->size[2] = -3)
SPOIL(plate_nan, w->size[2] = NAN)
SPOIL(plate_with_side, w->side = 1)
SPOIL(plate_with_axis, w->axis[1] = 1)
SPOIL(disc_without_radius, w->radius = 0)
SPOIL(disc_with_length, w->length = 3)
SPOIL(cone_negative, w->end_radius = -3)
SPOIL(cone_negative_radius, w->radius = -3)
SPOIL(cone_without_length, w->length = 0)
SPOIL(cone_of_no_width, w->radius = 0)
SPOIL(cylinder_with_end_radius, w->end_radius = 3)
SPOIL(cone_with_profile, w->profile[3] = 3)
SPOIL(cone_with_points, w->profile_points = 2)
SPOIL(profile_of_one, w->profile_points = 1)
SPOIL(profile_of_nine, w->profile_points = 9)
SPOIL(profile_negative, w->profile[2] = -3)
SPOIL(profile_behind, w->profile[7] = 3)
SPOIL(profile_repeats, w->profile[2] = 50; w->profile[3] = -90)
SPOIL(profile_on_the_axis, w->profile[0] = w->profile[2] = 0)
SPOIL(profile_nan, w->profile[5] = NAN)
SPOIL(reserved, w->reserved_zero = 3)
SPOIL(turned_about_x, w->rotation[1] = 1)
SPOIL(tilted_by_rotation, w->rotation[0] = 0.8; w->rotation[3] = 0.6)
SPOIL(level_plate, w->size[2] = 0; w->size[1] = 100)

/* Periodic boxes. */
SPOIL(nothing, (void)w)
SPOIL(tilted, w->axis[0] = 0.6; w->axis[1] = 0.8)
SPOIL(along_x, w->axis[0] = 1; w->axis[1] = 0)
SPOIL(along_x_with_ends, along_x(w); w->length = 5)
SPOIL(turning_about_z, w->spin[2] = 2)
SPOIL(turning_about_x, w->spin[0] = 2)
SPOIL(level_and_turning, w->axis[1] = 0; w->axis[2] = 1; w->spin[0] = 2)

/* Two dimensions. */
SPOIL(level, w->axis[1] = 0; w->axis[2] = 1)
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
    {"unknown shape", OPEN, PLANE, shape_unknown, DEM_BAD_ARGUMENT, {"shape", "7", "6"}},
    {"shape -1", OPEN, PLANE, shape_negative, DEM_BAD_ARGUMENT, {"shape", "-1", "0"}},
    {"a plane has no side", OPEN, PLANE, side_of_plane, DEM_BAD_ARGUMENT, {"side", "1", "0 to 0"}},
    {"unknown side", OPEN, BOX, side_unknown, DEM_BAD_ARGUMENT, {"side", "2", "0 to 1"}},
    {"unknown material", OPEN, PLANE, material_unknown, DEM_NOT_FOUND, {"material", "7", "1"}},
    {"material -1", OPEN, BOX, material_negative, DEM_NOT_FOUND, {"material", "-1", "1"}},
    {"axis too long", OPEN, PLANE, axis_long, DEM_BAD_ARGUMENT, {"axis", "1.5", "1e-12"}},
    {"axis of a cylinder too long", OPEN, CYLINDER, axis_long, DEM_BAD_ARGUMENT, {"axis", "1.5", "1e-12"}},
    {"no axis", OPEN, PLANE, axis_zero, DEM_BAD_ARGUMENT, {"axis", "0", "1e-12"}},
    {"axis NaN", OPEN, CYLINDER, axis_nan, DEM_BAD_ARGUMENT, {"axis[2]", "nan", "finite"}},
    {"position infinite", OPEN, BOX, position_infinite, DEM_BAD_ARGUMENT, {"position[0]", "inf", "finite"}},
    {"plane with a radius", OPEN, PLANE, plane_with_radius, DEM_BAD_ARGUMENT, {"radius", "0.25", "0", "plane"}},
    {"plane with a length", OPEN, PLANE, plane_with_length, DEM_BAD_ARGUMENT, {"length", "0.25", "0", "plane"}},
    {"plane with a size", OPEN, PLANE, plane_with_size, DEM_BAD_ARGUMENT, {"size[2]", "0.25", "0", "plane"}},
    {"box with an axis", OPEN, BOX, box_with_axis, DEM_BAD_ARGUMENT, {"axis[2]", "1", "0", "box"}},
    {"box with a radius", OPEN, BOX, box_with_radius, DEM_BAD_ARGUMENT, {"radius", "0.25", "0", "box"}},
    {"box without depth", OPEN, BOX, box_without_depth, DEM_BAD_ARGUMENT, {"size[1]", "0", "> 0"}},
    {"box of negative height", OPEN, BOX, box_negative, DEM_BAD_ARGUMENT, {"size[2]", "-2", "> 0"}},
    {"box NaN", OPEN, BOX, box_nan, DEM_BAD_ARGUMENT, {"size[0]", "nan", "finite"}},
    {"cylinder without a radius", OPEN, CYLINDER, cylinder_without_radius, DEM_BAD_ARGUMENT, {"radius", "0", "> 0"}},
    {"cylinder of negative radius", OPEN, CYLINDER, cylinder_negative, DEM_BAD_ARGUMENT, {"radius", "-3", "> 0"}},
    {"cylinder infinite", OPEN, CYLINDER, cylinder_infinite, DEM_BAD_ARGUMENT, {"radius", "inf", "finite"}},
    {"cylinder of negative length",
     OPEN,
     CYLINDER,
     cylinder_shorter_than_nothing,
     DEM_BAD_ARGUMENT,
     {"length", "-0.5", ">= 0"}},
    {"cylinder with a size", OPEN, CYLINDER, cylinder_with_size, DEM_BAD_ARGUMENT, {"size[0]", "4", "0", "cylinder"}},

    {"rotation too long", OPEN, BOX, rotation_long, DEM_BAD_ARGUMENT, {"rotation", "1.11", "1e-12"}},
    {"rotation too short", OPEN, PLANE, rotation_short, DEM_BAD_ARGUMENT, {"rotation", "0.5", "1e-12"}},
    {"rotation NaN", OPEN, DISC, rotation_nan, DEM_BAD_ARGUMENT, {"rotation[1]", "nan", "finite"}},
    {"open plane", OPEN, PLANE, plane_open, DEM_BAD_ARGUMENT, {"open", "1", "must be 0"}},
    {"open 2", OPEN, CYLINDER, open_two, DEM_BAD_ARGUMENT, {"open", "2", "must be 0 or 1"}},
    {"open without ends", OPEN, CYLINDER, open_endless, DEM_BAD_ARGUMENT, {"open", "1", "must be 0", "length"}},
    {"open outside", OPEN, CYLINDER, open_outside, DEM_BAD_ARGUMENT, {"open", "1", "must be 0", "inside"}},
    {"plate of three edges", OPEN, PLATE, plate_solid, DEM_BAD_ARGUMENT, {"size", "100 3 100", "must be 0"}},
    {"plate of one edge", OPEN, PLATE, plate_of_no_width, DEM_BAD_ARGUMENT, {"size", "0 0 100", "must be 0"}},
    {"plate of a negative edge", OPEN, PLATE, plate_negative, DEM_BAD_ARGUMENT, {"size[2]", "-3", ">= 0"}},
    {"plate NaN", OPEN, PLATE, plate_nan, DEM_BAD_ARGUMENT, {"size[2]", "nan", "finite"}},
    {"plate with a side", OPEN, PLATE, plate_with_side, DEM_BAD_ARGUMENT, {"side", "1", "0 to 0", "plate"}},
    {"plate with an axis", OPEN, PLATE, plate_with_axis, DEM_BAD_ARGUMENT, {"axis[1]", "1", "0", "plate"}},
    {"disc without a radius", OPEN, DISC, disc_without_radius, DEM_BAD_ARGUMENT, {"radius", "0", "> 0"}},
    {"disc with a length", OPEN, DISC, disc_with_length, DEM_BAD_ARGUMENT, {"length", "3", "0", "disc"}},
    {"cone of negative end", OPEN, CONE, cone_negative, DEM_BAD_ARGUMENT, {"end_radius", "-3", ">= 0"}},
    {"cone of negative radius", OPEN, CONE, cone_negative_radius, DEM_BAD_ARGUMENT, {"radius", "-3", ">= 0"}},
    {"cone without length", OPEN, CONE, cone_without_length, DEM_BAD_ARGUMENT, {"length", "0", "> 0"}},
    {"cone of no width", OPEN, CONE, cone_of_no_width, DEM_BAD_ARGUMENT, {"radius", "end_radius", "0", "> 0"}},
    {"cylinder with two radii",
     OPEN,
     CYLINDER,
     cylinder_with_end_radius,
     DEM_BAD_ARGUMENT,
     {"end_radius", "3", "0", "cylinder"}},
    {"cone with a profile", OPEN, CONE, cone_with_profile, DEM_BAD_ARGUMENT, {"profile[3]", "3", "0", "cone"}},
    {"cone with points", OPEN, CONE, cone_with_points, DEM_BAD_ARGUMENT, {"profile_points", "2", "0", "cone"}},
    {"profile of one point", OPEN, REVOLVED, profile_of_one, DEM_BAD_ARGUMENT, {"profile_points", "1", "2 to 8"}},
    {"profile of nine points", OPEN, REVOLVED, profile_of_nine, DEM_BAD_ARGUMENT, {"profile_points", "9", "2 to 8"}},
    {"profile of negative radius", OPEN, REVOLVED, profile_negative, DEM_BAD_ARGUMENT, {"profile[2]", "-3", ">= 0"}},
    {"profile behind its end", OPEN, REVOLVED, profile_behind, DEM_BAD_ARGUMENT, {"profile[7]", "3", "0", "3 points"}},
    {"profile repeats a point", OPEN, REVOLVED, profile_repeats, DEM_BAD_ARGUMENT, {"profile[2]", "repeat"}},
    {"profile along the axis", OPEN, REVOLVED, profile_on_the_axis, DEM_BAD_ARGUMENT, {"profile[0]", "[2]", "0", "axis"}},
    {"profile NaN", OPEN, REVOLVED, profile_nan, DEM_BAD_ARGUMENT, {"profile[5]", "nan", "finite"}},
    {"reserved", OPEN, PLANE, reserved, DEM_BAD_ARGUMENT, {"reserved_zero", "3", "0"}},
    {"plane turned over a periodic axis",
     PERIODIC_X,
     PLANE,
     tilted_by_rotation,
     DEM_BAD_ARGUMENT,
     {"axis[0]", "-0.96", "0", "periodic"}},
    {"plate that ends in a periodic box", PERIODIC_X, PLATE, nothing, DEM_BAD_ARGUMENT, {"size", "infinite", "periodic"}},
    {"disc in a periodic box", PERIODIC_X, DISC, nothing, DEM_BAD_ARGUMENT, {"disc", "ends", "axis 0", "periodic"}},
    {"hopper in a periodic box", PERIODIC_X, REVOLVED, nothing, DEM_BAD_ARGUMENT, {"revolved", "ends", "periodic"}},
    {"turned out of the plane", FLAT, PLANE, turned_about_x, DEM_BAD_ARGUMENT, {"rotation[1]", "1", "0", "2 dimensions"}},
    {"level plate in the plane", FLAT, PLATE, level_plate, DEM_BAD_ARGUMENT, {"size[2]", "0", "> 0", "2 dimensions"}},
    {"disc in the plane", FLAT, DISC, nothing, DEM_BAD_ARGUMENT, {"shape", "4", "disc", "2 dimensions"}},

    {"box over a periodic axis", PERIODIC_X, BOX, nothing, DEM_BAD_ARGUMENT, {"box", "size[0]", "100", "periodic"}},
    {"plane across a periodic axis", PERIODIC_X, PLANE, tilted, DEM_BAD_ARGUMENT, {"axis[0]", "0.6", "0", "periodic"}},
    {"cylinder across a periodic axis", PERIODIC_X, CYLINDER, nothing, DEM_BAD_ARGUMENT, {"axis[0]", "0", "1", "periodic"}},
    {"cylinder ends in a periodic box",
     PERIODIC_X,
     CYLINDER,
     along_x_with_ends,
     DEM_BAD_ARGUMENT,
     {"length", "5", "0", "periodic"}},
    {"cylinder with two periodic axes", PERIODIC_XY, CYLINDER, along_x, DEM_BAD_ARGUMENT, {"axis[1]", "0", "1", "periodic"}},
    {"turning across a periodic axis",
     PERIODIC_X,
     DRIVEN,
     turning_about_z,
     DEM_BAD_ARGUMENT,
     {"spin[2]", "2", "0", "periodic"}},
    {"turning, two periodic axes", PERIODIC_XY, DRIVEN, level_and_turning, DEM_BAD_ARGUMENT, {"spin[0]", "2", "0", "periodic"}},

    {"plane across z", FLAT, PLANE, level, DEM_BAD_ARGUMENT, {"axis[2]", "1", "0", "2 dimensions"}},
    {"cylinder in the plane", FLAT, CYLINDER, nothing, DEM_BAD_ARGUMENT, {"axis[2]", "0", "1", "2 dimensions"}},
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

static int says(const dem_system *s, const char *const words[4], const char *name) {
  int all = 1;
  for (int k = 0; k < 4 && words[k]; k++) all = all && strstr(dem_system_message(s), words[k]);
  if (!all) print_message("# %s: member, value or limit is missing in: %s\n", name, dem_system_message(s));
  return all;
}

static int is_motion(const row *r) {
  return r->from >= DRIVEN || (r->expected == DEM_BAD_ARGUMENT && strstr(r->name, "fixed"));
}

/* 1 when all is as it should be. */
static int check_row(const row *r, int by_motion) {
  room home;
  room_open(&home, r->place);
  dem_wall wall = base_of(r->from);
  int32_t id = -7;
  r->spoil(&wall);
  const uint64_t before = system_hash(home.system);
  const dem_wall_state none = {0};
  dem_wall_state was = none, is = none;
  was.struct_size = is.struct_size = sizeof was;
  if (home.wall >= 0) ASSERT_OK(home.system, dem_system_wall_state(home.system, home.wall, &was));
  const dem_status status =
      by_motion ? dem_system_set_wall_motion(home.system, home.wall, &wall) : dem_system_add_wall(home.system, &wall, &id);
  int good = status == r->expected && says(home.system, r->words, r->name);
  if (status != r->expected) print_message("# %s: %s\n", r->name, dem_status_name(status));
  if (home.wall >= 0) ASSERT_OK(home.system, dem_system_wall_state(home.system, home.wall, &is));
  if (id != -7 || system_hash(home.system) != before || memcmp(&was, &is, sizeof was) != 0) {
    print_message("# %s: the system has changed\n", r->name);
    good = 0;
  }
  ASSERT_OK(home.system, dem_system_step(home.system, 5));
  ASSERT_OK(home.system, dem_system_check(home.system));
  room_close(&home);
  return good;
}

static void every_row_is_refused_when_added(void **state) {
  (void)state;
  int bad = 0;
  for (int k = 0; k < ROWS; k++) bad += !check_row(&table[k], 0);
  print_message("# %d rows\n", ROWS);
  assert_int_equal(bad, 0);
}

static void rows_of_motion_are_refused_when_set(void **state) {
  (void)state;
  int bad = 0, tried = 0;
  for (int k = 0; k < ROWS; k++) {
    if (!is_motion(&table[k]) || table[k].place == PERIODIC_XY) continue;
    bad += !check_row(&table[k], 1);
    tried++;
  }
  assert_true(tried > 40);
  assert_int_equal(bad, 0);
}

/* What the rows start from is taken, in every room that allows it. */
static void what_the_rows_start_from_is_taken(void **state) {
  (void)state;
  for (int place = OPEN; place <= FLAT; place++)
    for (int from = PLANE; from <= SERVO; from++) {
      room home;
      room_open(&home, (where)place);
      dem_wall wall = base_of((base)from);
      if (place == PERIODIC_X && from == CYLINDER) along_x(&wall);
      if (place == FLAT && from == CYLINDER) level(&wall);
      if (place == PERIODIC_XY) wall.axis[1] = wall.direction[1] = 0;
      if (place == PERIODIC_XY) wall.axis[2] = 1;
      if (place == PERIODIC_XY && from == SERVO) wall.direction[2] = 1;
      const int round = from == DISC || from == CONE || from == REVOLVED;
      if (from == PLATE && place == PERIODIC_X) wall.size[0] = INFINITY;
      const int fits = from == BOX ? place == OPEN || place == FLAT
                       : round     ? place == OPEN
                                   : (from != CYLINDER && from != PLATE) || place != PERIODIC_XY;
      if (place == PERIODIC_XY && (from == BOX || from == PLATE)) wall.axis[2] = 0;
      if (fits) ASSERT_OK(home.system, dem_system_add_wall(home.system, &wall, NULL));
      ASSERT_OK(home.system, dem_system_step(home.system, 20));
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
  ASSERT_STATUS(r.system, dem_system_set_wall_motion(r.system, 99, &wall), DEM_NOT_FOUND);
  assert_true(says(r.system, (const char *const[4]){"wall", "99"}, "motion of an unknown wall"));
  ASSERT_STATUS(r.system, dem_system_wall_state(r.system, 99, &s), DEM_NOT_FOUND);
  wall.struct_size = 8;
  ASSERT_STATUS(r.system, dem_system_add_wall(r.system, &wall, NULL), DEM_BAD_STRUCT);
  assert_true(says(r.system, (const char *const[4]){"wall", "struct_size", "8"}, "size"));
  ASSERT_STATUS(r.system, dem_system_set_wall_motion(r.system, r.wall, &wall), DEM_BAD_STRUCT);
  s.struct_size = 8;
  ASSERT_STATUS(r.system, dem_system_wall_state(r.system, r.wall, &s), DEM_BAD_STRUCT);
  assert_int_equal(dem_wall_init(NULL, sizeof wall), DEM_BAD_ARGUMENT);
  assert_int_equal(dem_wall_init(&wall, 8), DEM_BAD_STRUCT);
  assert_int_equal(dem_wall_state_init(NULL, sizeof s), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(r.system, dem_system_add_wall(r.system, NULL, NULL), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(r.system, dem_system_set_wall_motion(r.system, r.wall, NULL), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(r.system, dem_system_wall_state(r.system, r.wall, NULL), DEM_BAD_ARGUMENT);
  ASSERT_STATUS(NULL, dem_system_add_wall(NULL, &wall, NULL), DEM_BAD_ARGUMENT);
  room_close(&r);
}

/* The tables of walls and faces grow with what is added: all of them act, and the first ones keep their places. */
static void there_may_be_many_walls(void **state) {
  (void)state;
  enum { WALLS = 500 };
  room r;
  const dem_wall one = base_of(PLANE), six = base_of(BOX);
  dem_wall_state first, again;
  room_open(&r, OPEN);
  ASSERT_OK(r.system, dem_system_step(r.system, 5));
  assert_int_equal(dem_wall_state_init(&first, sizeof first), DEM_OK);
  assert_int_equal(dem_wall_state_init(&again, sizeof again), DEM_OK);
  int32_t id[WALLS], plane;
  ASSERT_OK(r.system, dem_system_add_wall(r.system, &one, &plane));
  ASSERT_OK(r.system, dem_system_wall_state(r.system, plane, &first));
  for (int k = 0; k < WALLS; k++) ASSERT_OK(r.system, dem_system_add_wall(r.system, &six, &id[k]));
  ASSERT_OK(r.system, dem_system_step(r.system, 5));
  ASSERT_OK(r.system, dem_system_wall_state(r.system, plane, &again));
  ASSERT_BITS(first.position, again.position, sizeof first.position);
  for (int k = 0; k < WALLS; k += 7) ASSERT_OK(r.system, dem_system_remove_wall(r.system, id[k]));
  ASSERT_OK(r.system, dem_system_step(r.system, 5));
  ASSERT_STATUS(r.system, dem_system_remove_wall(r.system, id[0]), DEM_NOT_FOUND);
  ASSERT_OK(r.system, dem_system_check(r.system));
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
  assert_int_equal(dem_law_create_from_parts(r->context, 1, &piece, &law), DEM_OK);
  ASSERT_OK(r->system, dem_system_set_law(r->system, 0, 0, law));
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
  ASSERT_OK(r.system, dem_system_remove_wall(r.system, r.wall));
  ASSERT_OK(r.system, dem_system_add_wall(r.system, &wall, NULL));
  ASSERT_OK(r.system, dem_system_ids(r.system, 1, &id));
  ASSERT_OK(r.system, dem_system_set_frozen(r.system, 1, &id, 1));
  set_law_beyond_numbers(&r);
  ASSERT_STATUS(r.system, dem_system_step(r.system, 50), DEM_FAILED_NOT_FINITE);
  assert_true(says(r.system, (const char *const[4]){"wall 1", "velocity[1]", "inf"}, "out of numbers"));
  ASSERT_STATUS(r.system, dem_system_step(r.system, 1), DEM_POISONED);
  room_close(&r);
}

static int32_t change_walls(void *user, const dem_progress *p) {
  room *r = user;
  const dem_wall wall = base_of(FREE);
  (void)p;
  dem_wall_state s;
  dem_wall_state_init(&s, sizeof s);
  ASSERT_STATUS(r->system, dem_system_add_wall(r->system, &wall, NULL), DEM_BUSY);
  ASSERT_STATUS(r->system, dem_system_set_wall_motion(r->system, r->wall, &wall), DEM_BUSY);
  ASSERT_OK(r->system, dem_system_wall_state(r->system, r->wall, &s));
  return 0;
}

/* From inside a step walls may be read, not changed. */
static void callbacks_may_only_read(void **state) {
  (void)state;
  room r;
  room_open(&r, OPEN);
  ASSERT_OK(r.system, dem_system_set_progress(r.system, 1, change_walls, &r));
  ASSERT_OK(r.system, dem_system_step(r.system, 3));
  room_close(&r);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_is_refused_when_added),   cmocka_unit_test(rows_of_motion_are_refused_when_set),
      cmocka_unit_test(what_the_rows_start_from_is_taken), cmocka_unit_test(unknown_walls_and_sizes),
      cmocka_unit_test(there_may_be_many_walls),           cmocka_unit_test(a_wall_out_of_numbers_poisons),
      cmocka_unit_test(callbacks_may_only_read),
  };
  return cmocka_run_group_tests_name("bad walls", tests, NULL, NULL);
}
