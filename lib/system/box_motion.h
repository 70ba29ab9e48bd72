/* The box that deforms while the system steps: see dem/box_motion.h. */
#ifndef DEMI_BOX_MOTION_H
#define DEMI_BOX_MOTION_H

#include <dem/box_motion.h>

#include "state.h"

dem_status demi_box_motion_defaults(dem_box_motion *motion, uint32_t struct_size);
dem_status demi_system_set_box_motion(dem_system *system, const dem_box_motion *motion);
dem_status demi_system_get_box_motion(const dem_system *system, dem_box_motion *motion);

/* Takes the box to `to`, which may lean by more than half a length, and particles with it (as `affine` of dem_system_set_box). */
dem_status demi_system_strain_box(dem_system *system, const demi_box *to);
dem_status demi_system_get_box_stress(const dem_system *system, double *stress);

/* Sections of the loads between particles. */
enum { DEMI_PAIR_SECTIONS = 3 };
static const int32_t DEMI_PAIR_SECTION[DEMI_PAIR_SECTIONS] = {DEMI_SECTION_PAIR, DEMI_SECTION_GAP, DEMI_SECTION_BOND};

/* Runs the drifts of the queue. */
void demi_box_advance(dem_system *system);
/* Wraps all rows, which take the velocities of their images. */
void demi_box_wrap_rows(dem_system *system);
/* Flips the box where it leans too far. The lists must have been set aside: they know images by the old edges. Positions stay. */
void demi_box_flip(dem_system *system);
/* Before a list is built: flips the box where it leans too far, and where it moves wraps all rows. */
void demi_box_settle(dem_system *system);
/* Refuses a step of this length that would make the box too small. */
dem_status demi_box_check_step(dem_system *system, double dt);
/* After an evaluation: servo; and with a ledger the forces across the faces. */
void demi_box_measure(dem_system *system);
/* Books the work of the box over `duration` of kicks under the forces measured, up to now. */
void demi_box_book(dem_system *system, double duration);
/* Turns of the velocity of row `row` where its position is wrapped on reading: v -= L H n. */
void demi_box_wrapped_velocity(const dem_system *system, int64_t row, double velocity[3]);
/* The opposite, for a velocity that the host gave to a row. */
void demi_box_unwrapped_velocity(dem_system *system, int64_t row);
/* Position and image counts of a row as the host reads them. */
void demi_box_read_place(const dem_system *system, int64_t row, double position[3], int32_t image[3]);
/* Wraps a new row, which takes the velocity of its image. */
void demi_box_take_in(dem_system *system, int64_t row);
/* Velocity of a row relative to the flow of the box; in a box at rest its velocity. */
void demi_box_relative_velocity(const dem_system *system, int64_t row, double velocity[3]);
/* Kinetic energy that the rows would gain if all were wrapped now. */
double demi_box_wrapped_kinetic(const dem_system *system);
/* 1/V sum r (x) f of the loads of the latest evaluation, symmetric; > 0 in compression. */
void demi_box_stress(const dem_system *system, double stress[DEM_BOX_COMPONENTS]);

static inline int demi_box_moves(const dem_system *s) { return s->box_motion.on; }

#endif
