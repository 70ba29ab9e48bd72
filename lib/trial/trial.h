/* A trial: see dem/plugin/trial.h. */
#ifndef DEMI_TRIAL_H
#define DEMI_TRIAL_H

#include <dem/plugin/trial.h>

#include "lags.h"
#include "lean.h"
#include "replica.h"
#include "variant.h"

enum { DEMI_TRIAL_ARRAYS = 15 };

struct dem_trial {
  dem_system *system;
  dem_trial *older, *younger; /* trials of the same system */
  dem_trial_options options;
  demi_replica replica;
  int32_t in_step;  /* opened by an integrator, inside its step */
  int32_t copied;   /* the replica holds the state that the trial starts from */
  int32_t astray;   /* the rows of the replica are not at u: an evaluation was refused since */
  int64_t accepted; /* trials that the system had accepted when this one began */
  int32_t dimension, width, wall_width, walls, box_width;
  int32_t
      strain_held; /* 1: the strain is given; its part of gradients and products, which takes a sum over all contacts, is 0 */
  int64_t particles, unknowns;
  double time, rate;               /* time by which histories advance, and the factor from displacements to velocities */
  int32_t evaluated, has_tangents; /* an evaluation has been made; and it has made tangents */
  int32_t lean;                    /* the evaluation under way is lean (contact/lean.h): velocities are not needed */

  demi_carry handed;              /* histories on their way to the system */
  size_t room[DEMI_TRIAL_ARRAYS]; /* bytes of the arrays below (trial_rows.c) */

  /* in the trial's order */
  dem_id *id;
  int32_t *frozen, *wall_id;
  double *inverse_mass, *inverse_inertia;
  double *start;             /* 4 per particle: x, y, z, R at u = 0 */
  int32_t *image;            /* 3 per particle: its images at u = 0 */
  double *velocity;          /* `width` per particle, at u = 0 */
  double *u;                 /* the displacements of the latest evaluation */
  double *tried;             /* those of the one under way */
  demi_wall *wall;           /* as they are at u = 0 */
  double *face_displacement; /* 8 per face: room for the displacements of a product */
  demi_tangents tangent;
  demi_lean lean_sums;
  demi_lags lags;     /* with DEM_TRIAL_FRICTION_LAGGED */
  int32_t revealed;   /* contacts below bonds that break are in the list */
  int32_t lagged;     /* they hold caps of this replica */
  double *total;      /* with strain: displacements of the particles with those of the strain, see demi_trial_total */
  demi_box start_box; /* at u = 0 */
  _Alignas(32) double image_displacement[27][4]; /* room for those of a product */

  /* in the order of the replica's rows */
  int32_t *of_row; /* the trial's index of each row */
  double *base;    /* 4 per row: x, y, z, R at u = 0, in the image in which the row is now */
};

/* Sets the replica's rows of a block to base + alpha u, with velocities rate u unless the evaluation is lean, and notes the box of
 * the displacements since their latest positions in motion.recent. */
typedef void demi_place_kernel(struct dem_trial *trial, const double *u, int32_t block);
DEMI_DECLARE_VARIANTS(demi_place_kernel, place_block);

/* Returns 1 when all numbers are finite and within DEMI_LARGEST. */
typedef int demi_bounded_kernel(const double *numbers, int64_t count);
DEMI_DECLARE_VARIANTS(demi_bounded_kernel, are_bounded);

/* Writes the gradient of the rows of a chunk from the sums of a lean evaluation, gravity and the host's forces included, and clears
 * the sums. */
typedef void demi_write_kernel(struct dem_trial *trial, double *gradient, int32_t chunk);
DEMI_DECLARE_VARIANTS(demi_write_kernel, write_lean);

/* ---- trial_lean.c ---- */
/* Whether an evaluation can be lean. */
int demi_trial_is_lean(const dem_trial *trial, int32_t ask);
/* Room for one, once the list covers its state. */
dem_status demi_trial_reserve_lean(dem_trial *trial);
/* Contacts of a lean evaluation, and with `gradient` not NULL the gradient of the particles. */
void demi_trial_run_lean(dem_trial *trial, const demi_evaluation *evaluation, double *gradient);

/* ---- trial.c ---- */
dem_status demi_trial_options_defaults(dem_trial_options *options, uint32_t struct_size);
dem_status demi_trial_open(dem_system *system, const dem_trial_options *options, dem_trial **trial);
/* The memory of one closed trial stays for the next. */
void demi_trial_close(dem_trial *trial);
void demi_trial_free_spare(dem_system *system);
/* The replica begins anew from the present state of the system, unless it holds it. */
dem_status demi_trial_copy_system(dem_trial *trial);
/* The replica is no longer that of the system: the next evaluation copies it anew. */
void demi_trial_drop_replica(dem_trial *trial);
/* DEM_NO_MEMORY with a message. */
static inline dem_status demi_trial_refuse_memory(const dem_trial *t) {
  return demi_system_refuse(t->system, DEM_NO_MEMORY, "trial of %lld particles: out of memory, or more than 2^31 pairs",
                            (long long)t->particles);
}

/* ---- trial_place.c ---- */
/* Refuses a number that is not finite or too large. */
dem_status demi_trial_check_numbers(const dem_trial *trial, const double *u);
/* Puts the rows, faces and box of the replica to x + alpha u, covered by its list. */
dem_status demi_trial_place(dem_trial *trial, const double *u);

/* ---- trial_gradient.c ---- */
/* Writes minus the sums of loads, which are in the load rows of the replica, in the trial's order; and of the walls. */
void demi_trial_write_loads(const dem_trial *trial, const demi_loads *loads, double *gradient);
void demi_trial_write_walls(const dem_trial *trial, const demi_loads *loads, double *gradient);
/* Subtracts the forces of gravity and the host: all, or those on walls. */
void demi_trial_add_pulls(const dem_trial *trial, double *gradient);
void demi_trial_add_wall_pulls(const dem_trial *trial, double *gradient);
/* Energy of the contacts and bonds of the latest evaluation; of gravity and the host at displacements. */
double demi_trial_stored_energy(const dem_trial *trial);
double demi_trial_linear_energy(const dem_trial *trial, const double *u);
/* Force and moment of gravity and the host on a row of the replica; and whether any row has them. */
static inline void demi_trial_find_pull(const dem_trial *t, int64_t row, double force[3], double moment[3]) {
  const demi_columns *c = &t->replica.store.columns;
  const int hosts = t->replica.store.host_used;
  for (int a = 0; a < 3; a++) {
    force[a] = (hosts ? c->host[8 * row + a] : 0.0) + c->mass[row] * t->system->options.gravity[a];
    moment[a] = hosts ? c->host[8 * row + 4 + a] : 0.0;
  }
}
static inline int demi_trial_is_pulled(const dem_trial *t) {
  const double *g = t->system->options.gravity;
  return t->replica.store.host_used || g[0] != 0 || g[1] != 0 || g[2] != 0;
}

/* ---- trial_evaluate.c ---- */
dem_status demi_trial_evaluate(dem_trial *trial, const double *u, int32_t ask, double *energy, double *gradient);
/* Takes the caps of friction of the latest evaluation. */
dem_status demi_trial_lag(dem_trial *trial);
/* Evaluates the latest state once more and keeps it in the replica. DEM_NO_MEMORY: nothing is kept. */
dem_status demi_trial_keep_evaluation(dem_trial *trial);
/* Loads of all contacts and bonds of the latest evaluation, which a lean one does not leave. */
dem_status demi_trial_find_loads(dem_trial *trial);

/* Displacements of the latest evaluation with those of the strain. */
static inline const double *demi_trial_total(const dem_trial *t) { return t->box_width > 0 ? t->total : t->u; }

/* ---- trial_bonds.c ---- */
/* Evaluates contacts and bonds, with the contacts below bonds that break. */
void demi_trial_evaluate_contacts(dem_trial *trial, const demi_evaluation *evaluation);
/* Before the rows go to another state. */
void demi_trial_hide_contacts(dem_trial *trial);

/* ---- trial_box.c ---- */
/* Of all images of a pair only the nearest can be listed: a periodic axis must be twice as wide as diameter, gap and reach. */
dem_status demi_trial_check_reach(dem_system *system, const demi_box *box, double reach);
/* The largest reach that it allows. */
double demi_trial_most_reach(const dem_system *system, const demi_box *box);

/* (1 + alpha E) H about the middle of the box; it may lean by more than half a length. */
demi_box demi_trial_strained(const demi_box *from, const double strain[DEMI_RATES], double alpha);

/* ---- trial_box.c; nothing without strain ---- */
/* First unknown of the strain. */
int64_t demi_trial_box_first(const dem_trial *trial);
/* Sets the replica's box, before its rows are placed. Refuses one that is too small; nothing has changed then. */
dem_status demi_trial_strain_box(dem_trial *trial, const double *u);
/* E X of a position before the strain. */
void demi_trial_strain_at(const dem_trial *trial, const double *u, const double position[3], double displacement[3]);
/* Adds E X to the displacements of the particles. */
void demi_trial_add_strain(const dem_trial *trial, const double *u, double *total);
/* Sets the velocities of the images, after the list was built. */
void demi_trial_move_images(dem_trial *trial, const double *u);
/* Displacements of the images for the strain in p, 4 per image; NULL without strain. */
const double *demi_trial_image_displacements(dem_trial *trial, const double *p);
/* Writes the strain's part of a gradient whose other parts are there. */
void demi_trial_write_strain(const dem_trial *trial, const demi_loads *loads, double *gradient);

/* ---- trial_lag.c; nothing unless friction is lagged ---- */
int demi_trial_lags(const dem_trial *trial);
/* Half of the reach of a new replica's list becomes the gap across which lagged friction acts. */
void demi_trial_share_reach(dem_trial *trial);
/* After the list was built. DEM_NO_MEMORY: it will be built again. */
dem_status demi_trial_match_lags(dem_trial *trial);

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

/* ---- trial_blocks.c ---- */
dem_status demi_trial_blocks(dem_trial *trial, uint32_t struct_size, dem_trial_block_fn visit, void *user);
dem_status demi_trial_diagonal(dem_trial *trial, double *diagonal);

/* ---- trial_accept.c ---- */
dem_status demi_trial_accept(dem_trial *trial, const double *velocity);
/* The same, and what moves comes to rest: particles that are not frozen (spins, too), free and servo walls. */
dem_status demi_trial_settle(dem_trial *trial);

/* ---- trial_measure.c ---- */
/* The contacts and bonds of the latest evaluation. */
typedef struct demi_trial_network {
  uint64_t pairs;   /* a number for the set of pairs that touch or are bonded, whatever their order; never 0 */
  int64_t contacts; /* touching pairs, those with walls included, and bonds */
  double force;     /* sum of the lengths of their forces [force] */
  double virial;    /* sum of r . f between particles, r from j to i, f on i [energy]; volume * dimension * pressure */
} demi_trial_network;
void demi_trial_measure(dem_trial *trial, demi_trial_network *network);

#endif
