/* Walls as bodies: what the host gave, where each is now, what moves it. Their faces, as the search and the contacts see them,
 * are in demi_faces (lib/search/wall.h) in the same order.
 *
 * A kick moves the velocity of a wall, a drift its position, as with particles, and in the same order. A prescribed wall has a
 * clock for each and is where its formulas say; the others integrate. */
#ifndef DEMI_WALLS_H
#define DEMI_WALLS_H

#include <dem/wall.h>

#include "compensated.h"
#include "list.h"
#include "loads.h"

typedef struct demi_wall {
  int32_t id, first, faces;                  /* its faces are first ... first + faces - 1 */
  dem_wall given;                            /* the members of motion, and mass, as set last */
  double start[3], start_rotation[4];        /* where it was when its motion was set */
  demi_sum position_clock, drive_clock;      /* time drifted and time kicked since then */
  double position[3], rotation[4];           /* now; unit quaternion w x y z */
  double velocity[3], spin[3];               /* now */
  double force[3], torque[3];                /* of the particles at the latest evaluation; torque about the position */
  double booked_velocity[3], booked_spin[3]; /* at the start of the interval that is not booked yet */
  demi_sum work;                             /* of what moves it */
  double travel, speed, servo_error, area;   /* servo: way and latest speed along its direction */
  int32_t limited, warned;                   /* servo: state; has been reported */
  int64_t limited_steps, limited_run;
  int64_t swing_run; /* servo: steps one after the other of which each turned its velocity round */
} demi_wall;

/* Force and torque on a wall, being summed. */
typedef struct demi_wall_load {
  demi_sum component[6];
} demi_wall_load;

typedef struct demi_walls {
  int32_t count, capacity, next_id, next_face;
  demi_wall *wall;
  demi_wall_load *load; /* scratch: sums over the contacts of each wall */
} demi_walls;

/* Makes room for `capacity` walls in all; DEM_NO_MEMORY leaves everything as it was. */
dem_status demi_walls_reserve(dem_system *system, int32_t capacity);
void demi_walls_free(dem_system *system);

/* Index of the wall of this id, -1 = there is none. */
int32_t demi_wall_find(const dem_system *system, int32_t id);

/* ---- wall_check.c ---- */
dem_status demi_wall_check_shape(dem_system *system, const dem_wall *wall);
dem_status demi_wall_check_motion(dem_system *system, const dem_wall *wall);

/* ---- wall_motion.c ---- */
/* The rotation that `wall` is added with, none being 1 0 0 0; v turned by the rotation q. */
void demi_wall_turn_of(const dem_wall *wall, double q[4]);
void demi_wall_turn(const double q[4], const double v[3], double out[3]);
/* Brings the faces of a wall to its position and rotation, and gives them its velocity and spin. */
void demi_wall_place(demi_faces *faces, const demi_wall *wall);
/* Rotates the wall by the rotation vector t, |t| in radian, about its position. */
void demi_wall_rotate(demi_wall *wall, const double t[3]);
/* Starts the motion that is in `given` from where the wall is. */
void demi_wall_start(dem_system *system, demi_wall *wall);
/* Runs the kicks and drifts of the queue, or one of them. */
void demi_walls_advance(dem_system *system);
void demi_walls_kick(dem_system *system, double duration);
void demi_walls_drift(dem_system *system, double duration);
/* DEM_FAILED_NOT_FINITE when one is nowhere. */
dem_status demi_walls_finite(dem_system *system);

/* ---- wall_books.c ---- */
/* Adds the forces and torques of all loads on one wall, in the order of the contacts, whatever the number of threads; with index -1 on all
 * walls, `sum` then has one entry for each. */
void demi_walls_add_loads(const demi_loads *loads, const demi_list *list, int32_t index, demi_wall_load *sum);
/* Force and torque on a wall, from the contacts of the latest evaluation. */
void demi_wall_sum_load(const dem_system *system, int32_t index, double out[6]);
/* What the target of a servo is multiplied with, as the walls are now. */
double demi_wall_area(const dem_system *system, const demi_wall *wall);
/* After an evaluation: keeps them, and how far servos are off. */
void demi_walls_measure(dem_system *system);
/* Books the work of what moves the walls over `duration` of kicks under the forces kept, up to now. */
void demi_walls_book(dem_system *system, double duration);
double demi_wall_kinetic(const demi_wall *wall);
double demi_walls_kinetic(const dem_system *system);

#endif
