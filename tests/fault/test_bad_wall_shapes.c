/* Walls whose shape, place or material makes no sense: how a row is read is said in wall_rows.h. */
#include "assertions.h"

#include "wall_rows.h"

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

/* Two dimensions. */
SPOIL(level, w->axis[1] = 0; w->axis[2] = 1)

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
    {"plane across z", FLAT, PLANE, level, DEM_BAD_ARGUMENT, {"axis[2]", "1", "0", "2 dimensions"}},
    {"cylinder in the plane", FLAT, CYLINDER, nothing, DEM_BAD_ARGUMENT, {"axis[2]", "0", "1", "2 dimensions"}},
};
enum { ROWS = sizeof table / sizeof *table };

static void every_row_is_refused_when_added(void **state) {
  (void)state;
  assert_rows_are_refused(table, ROWS);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_is_refused_when_added),
  };
  return cmocka_run_group_tests_name("bad wall shapes", tests, NULL, NULL);
}
