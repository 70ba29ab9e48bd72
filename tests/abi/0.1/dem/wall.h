/** @file dem/wall.h
 *  Walls as bodies: planes, boxes, cylinders, plates, discs, cones and surfaces of revolution that are fixed, follow a prescribed
 *  motion, move freely or are driven by a servo. Their kinetic energy and the work of whatever moves them are in the energy books
 *  (dem/energy.h).
 *
 *  A floor under the particles is
 *
 *      dem_wall floor;
 *      dem_wall_init(&floor, sizeof floor);
 *      floor.axis[2] = 1;
 *      dem_system_add_wall(system, &floor, NULL);
 *
 *  A wall contact is a contact with a surface that moves with its body; n points from the surface to the particle. The
 *  effective radius of the contact is the particle's, the effective mass that of the particle with what of the wall can move
 *  along n (infinite unless the wall is FREE). */
#ifndef DEM_WALL_H
#define DEM_WALL_H

#include <dem/system.h>

DEM_BEGIN_DECLS

/** Shapes. */
enum {
  DEM_WALL_PLANE = 0,    /**< plane through `position`, particles on the side `axis` points to */
  DEM_WALL_BOX = 1,      /**< box of edges `size` about `position`, edges along x, y, z */
  DEM_WALL_CYLINDER = 2, /**< cylinder of `radius` about the line through `position` along `axis`; `length` 0 = endless,
                             else with flat ends at +-length/2; none when `open` is 1 */
  DEM_WALL_PLATE = 3,    /**< thin rectangle about `position`; of `size` one is 0: across that axis it lies */
  DEM_WALL_DISC = 4,     /**< thin circle of `radius` about `position`, across `axis` */
  DEM_WALL_CONE =
      5, /**< thin cone without ends: `radius` at -length/2 along `axis` from `position`, `end_radius` at +length/2 */
  DEM_WALL_REVOLVED = 6 /**< thin surface of revolution about the line through `position` along `axis`: the line through the
                             points of `profile`, as of a hopper: cylinder, cone and outlet in one */
};

/** Side of a box or cylinder on which the particles are. Thin shapes (plate, disc, cone, revolved, open cylinder) act on both
 *  sides: a particle belongs to the side on which its centre is; rims are met by the closest point. */
enum {
  DEM_WALL_INSIDE = 0, /**< a container: particles inside (a box has six faces, a cylinder of finite length has lids) */
  DEM_WALL_OUTSIDE = 1 /**< an obstacle: particles outside; edges are sharp and met by the closest point */
};

/** What moves a wall. */
enum {
  DEM_WALL_FIXED = 0,      /**< nothing */
  DEM_WALL_PRESCRIBED = 1, /**< position(t) = position + velocity t + amplitude sin(2 pi frequency t + phase) -
                                amplitude sin(phase); turning at the constant angular velocity `spin` about its position;
                                t counts from when it was set */
  DEM_WALL_FREE = 2,       /**< M dv/dt = contact forces + M gravity + force, along the axes marked in `free_axis`; it does not
                                turn */
  DEM_WALL_SERVO = 3       /**< moves along `direction` at gain (target - measured), measured = push of the particles against
                                `direction`; never faster than velocity_limit, never further than travel_limit */
};

/** A wall; fill with dem_wall_init. The default of every member is 0. Members that do not belong to the shape or motion
 *  chosen must be left 0. */
typedef struct dem_wall {
  uint32_t struct_size;  /**< sizeof(dem_wall) */
  int32_t material;      /**< material index; default 0 */
  int32_t shape;         /**< DEM_WALL_PLANE (default), ... */
  int32_t side;          /**< DEM_WALL_INSIDE (default) or DEM_WALL_OUTSIDE; box and cylinder */
  int32_t motion;        /**< DEM_WALL_FIXED (default), ... */
  int32_t free_axis[3];  /**< FREE: 1 = may move along x, y, z; at least one */
  double position[3];    /**< reference point: a point of the plane; centre of box, cylinder, plate, disc, cone; of a revolved
                              surface the point of the axis from which heights count [length] */
  double axis[3];        /**< plane: unit normal towards the particles; cylinder, disc, cone, revolved: unit axis (length 1 to
                              1e-12); box, plate: 0 */
  double size[3];        /**< box: edge lengths > 0; plate: two edge lengths > 0, INFINITY = endless, and one 0 [length] */
  double radius;         /**< cylinder, disc: > 0; cone: >= 0, at -length/2 [length] */
  double length;         /**< cylinder: 0 = endless (default), or > 0; cone: > 0 [length] */
  double velocity[3];    /**< PRESCRIBED: constant velocity; FREE: initial velocity (0 along locked axes) [length/time] */
  double spin[3];        /**< PRESCRIBED: angular velocity about `position` [1/time] */
  double amplitude[3];   /**< PRESCRIBED: of the oscillation [length] */
  double frequency;      /**< PRESCRIBED: cycles per time, > 0 when there is an amplitude [1/time] */
  double phase;          /**< PRESCRIBED: at the start [radian] */
  double mass;           /**< FREE: required > 0; others: 0 (default) or > 0, only for kinetic_walls [mass] */
  double force[3];       /**< FREE: constant force on the wall, booked as host work [force] */
  double direction[3];   /**< SERVO: unit vector along which it may move, towards the particles */
  double target;         /**< SERVO: force with which the wall shall push along `direction` [force]; pressure when `area` > 0 */
  double area;           /**< SERVO: 0 = `target` is a force (default); > 0: target force = target * area; a factor of what
                              `area_wall` gives, when there are any [length^2, of `area_wall` what is missing to that] */
  double gain;           /**< SERVO: > 0 [length/(time force)] */
  double velocity_limit; /**< SERVO: > 0 [length/time] */
  double travel_limit;   /**< SERVO: furthest from where it started, 0 = no limit (default) [length] */
  double rotation[4];    /**< unit quaternion w x y z (length 1 to 1e-12) that turns the shape, as `axis`, `size` and `profile`
                              describe it, about `position`; 0 0 0 0 = not turned (default). Other members are not turned */
  double end_radius;     /**< cone: >= 0, at +length/2; not both radii 0 [length] */
  double profile[16];    /**< revolved: radius >= 0 and height along `axis` of each point, from one end to the other [length] */
  int32_t profile_points; /**< revolved: points in `profile`, 2 to 8; those that follow each other differ */
  int32_t open;           /**< cylinder with a length, inside: 1 = without lids, a thin shell; default 0 */
  int32_t area_walls;     /**< SERVO: walls in `area_wall`: 0 (default), 2 or 4 */
  int32_t area_wall[4];   /**< SERVO: ids of planes that face each other in pairs, [0] and [1], [2] and [3]: the target force is
                               target times the distance of the first pair, times that of the second, as they are at each
                               evaluation (times `area` when > 0). They must exist, and cannot be removed while they are named */
  int32_t reserved_zero;  /**< 0 */
} dem_wall;

/** Writes the defaults, touching only `struct_size` bytes.
 *  @param wall the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_wall_init(dem_wall *wall, uint32_t struct_size);

/** Adds a wall. There may be as many as memory allows; each is one face or several (an inner box has six, an inner cylinder
 *  with lids three, a revolved surface one less than it has points, others one). On periodic axes only surfaces that a shift by
 *  the box leaves as they are: planes along the axis, plates endless along it, endless cylinders whose axis it is; a spin only
 *  about such an axis.
 *  @param system the system  @param wall copied  @param id out, ids are never used again; may be NULL
 *  @return DEM_BAD_ARGUMENT with the member, value and limit: a free wall without mass, motions that contradict, ... */
DEM_API dem_status dem_system_add_wall(dem_system *system, const dem_wall *wall, int32_t *id);

/** Changes what moves a wall from now on: members of motion only (motion, free_axis, velocity ... travel_limit, area_walls,
 *  area_wall) are read; position, rotation and shape stay.
 *  Switching changes the kinetic energy of a wall with mass: booked as work of the host.
 *  @param system the system  @param id the wall  @param motion the new motion, copied
 *  @return as dem_system_add_wall; DEM_NOT_FOUND: no such wall */
DEM_API dem_status dem_system_set_wall_motion(dem_system *system, int32_t id, const dem_wall *motion);

/** Removes a wall and its contacts. @param system the system  @param wall its id
 *  @return DEM_NOT_FOUND: no such wall; DEM_BAD_ARGUMENT: a servo names it in `area_wall` */
DEM_API dem_status dem_system_remove_wall(dem_system *system, int32_t wall);

/** Where a wall is and what acts on it. */
typedef struct dem_wall_state {
  uint32_t struct_size; /**< sizeof(dem_wall_state) */
  int32_t limited;    /**< SERVO: 0 = follows its gain; 1 = at the velocity limit; 2 = at the travel limit: the target is out of
                             reach (also logged, once) */
  double position[3]; /**< of its reference point [length] */
  double velocity[3]; /**< at the same time as the positions [length/time] */
  double rotation[4]; /**< unit quaternion w x y z: how it lies now, the `rotation` it was added with included */
  double force[3];  /**< of the particles on it, at the latest force evaluation; 0 after particles, laws or walls were changed,
                         until the next [force] */
  double torque[3]; /**< torque of the particles on it, about its reference point [force*length] */
  double servo_error; /**< SERVO: target - measured force, at the latest evaluation [force] */
  double
      work; /**< work done by what moves it since it was added, as of the latest booking (dem_system_energy books up to now); 0
                         without ledger [energy] */
  int64_t limited_steps; /**< SERVO: steps spent at a limit since it was added */
  double area;           /**< SERVO: what `target` was multiplied with at the latest evaluation, 1 if by nothing; others 0
                              [length^2] */
} dem_wall_state;

/** Writes zeros and the size, touching only `struct_size` bytes.
 *  @param state the struct  @param struct_size its size in the caller */
DEM_API dem_status dem_wall_state_init(dem_wall_state *state, uint32_t struct_size);

/** Reads a wall's state. @param system the system  @param id the wall  @param state in: struct_size; out */
DEM_API dem_status dem_system_wall_state(const dem_system *system, int32_t id, dem_wall_state *state);

DEM_END_DECLS

#endif
