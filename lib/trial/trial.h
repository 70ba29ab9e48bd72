/* A trial: see dem/plugin/trial.h. */
#ifndef DEMI_TRIAL_H
#define DEMI_TRIAL_H

#include <dem/plugin/trial.h>

#include "replica.h"
#include "variant.h"

struct dem_trial {
  dem_system *system;
  dem_trial_options options;
  demi_replica replica;
  int32_t copied;   /* the replica holds the state that the trial starts from */
  int64_t accepted; /* trials that the system had accepted by then */
  int32_t dimension, width, wall_width, walls;
  int64_t particles, unknowns;
  double time, rate;           /* time by which histories advance, and the factor from displacements to velocities */
  int32_t evaluated, tangents; /* an evaluation has been made; and it has made tangents */

  /* in the trial's order */
  dem_id *id;
  int32_t *frozen, *wall_id;
  double *inverse_mass, *inverse_inertia;
  double *start;             /* 4 per particle: x, y, z, R at u = 0 */
  int32_t *image;            /* 3 per particle: its images at u = 0 */
  double *u;                 /* the displacements of the latest evaluation */
  double *tried;             /* those of the one under way */
  demi_wall *wall;           /* as they are at u = 0 */
  double *face_displacement; /* 8 per face: room for the displacements of a product */
  demi_tangents tangent;

  /* in the order of the replica's rows */
  int32_t *of_row; /* the trial's index of each row */
  double *base;    /* 4 per row: x, y, z, R at u = 0, in the image in which the row is now */
};

/* Sets the replica's rows first ... last - 1 of a block to base + alpha u, with velocities rate u, and notes the box of the
 * displacements since their latest positions in motion.recent. */
typedef void demi_place_kernel(struct dem_trial *trial, const double *u, int32_t block);
DEMI_DECLARE_VARIANTS(demi_place_kernel, place_block);

/* ---- trial.c ---- */
dem_status demi_trial_options_defaults(dem_trial_options *options, uint32_t struct_size);
dem_status demi_trial_open(dem_system *system, const dem_trial_options *options, dem_trial **trial);
dem_status demi_trial_evaluate(dem_trial *trial, const double *u, int32_t ask, double *energy, double *gradient);
void demi_trial_close(dem_trial *trial);
/* Writes minus the sums of loads, which are in the load rows of the replica, in the trial's order; and of the walls. */
void demi_trial_write_loads(const dem_trial *trial, const demi_loads *loads, double *gradient);

/* ---- trial_apply.c ---- */
dem_status demi_trial_apply(dem_trial *trial, const double *p, double *product);

/* ---- trial_rows.c ---- */
dem_status demi_trial_rows_defaults(dem_trial_rows *rows, uint32_t struct_size);
dem_status demi_trial_get_rows(const dem_trial *trial, dem_trial_rows *rows);
/* Allocates and fills what describes the unknowns. */
dem_status demi_trial_lay_rows(dem_trial *trial);
void demi_trial_free_rows(dem_trial *trial);
/* Notes the present state of the system as u = 0. */
void demi_trial_note_start(dem_trial *trial);
/* After the replica's rows were sorted. */
void demi_trial_match_rows(dem_trial *trial);

/* ---- trial_accept.c ---- */
dem_status demi_trial_accept(dem_trial *trial, const double *velocity);

#endif
