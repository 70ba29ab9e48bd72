/* Inside of a system.
 *
 * Files of this folder in the order of calls: each calls only functions of the lines above it, or of files before it in its line.
 *
 *   state, material_sizes, lengths, places, kinetic, time_step, blame, bond_check, interval
 *   wall_motion, wall_shapes, wall_books, wall_check, driven_books, shares, bond_breaks, survey
 *   box_stress, box_wrap, box_motion
 *   books            work of the contacts and of the other forces
 *   engine           queue of operations, passes, list, evaluation
 *   warnings, ready  checks before stepping
 *   stored_energy    trial evaluations, changes of stored energies
 *   energy_report, engine_change, box_setting, advise, query
 *   statics_report, statics_fields
 *   material_table, setup, particles, walls, bond_edit, box_change, run, create
 *   field_rows, field_read, field_write, field_table, columns, driven, view */
#ifndef DEMI_STATE_H
#define DEMI_STATE_H

#include <dem/box_motion.h>

#include "box.h"
#include "contacts.h"
#include "context.h"
#include "field_table.h"
#include "integrator.h"
#include "interval.h"
#include "ledger.h"
#include "list.h"
#include "pair_shares.h"
#include "stepper.h"
#include "store.h"
#include "system.h"
#include "walls.h"

/* Kinetic energies of one particle; of all. */
typedef struct demi_kinetic {
  double linear, angular;
} demi_kinetic;

typedef struct demi_kinetic_sums {
  demi_sum linear, angular;
} demi_kinetic_sums;
/* Kinds of warning (warnings.c). */
enum {
  DEMI_WARNING_STABILITY = 0,
  DEMI_WARNING_CONTACT_TIME = 1,
  DEMI_WARNING_OVERLAP = 2,
  DEMI_WARNING_SPEED = 3,
  DEMI_WARNING_WEIGHT = 4,
  DEMI_WARNING_RATIO = 5,
  DEMI_WARNING_BEHIND = 6,
  DEMI_WARNINGS = 7
};

/* Accounts of many contacts, rows DEMI_SHARE_... of accounts.h; [0] particle-particle, [1] particle-wall. */
typedef struct demi_share {
  double of[2][DEMI_SHARE_ROWS][DEMI_SHARE_ENTRIES];
} demi_share;

typedef struct demi_law_share {
  const dem_law *law;
  demi_share share;
} demi_law_share;

typedef struct demi_materials {
  int32_t count, capacity;
  dem_material *material;
  const dem_law **law; /* by demi_material_pair; NULL: none set. The table holds one reference for each pair */
} demi_materials;

typedef struct demi_shares {
  double *heat; /* DEMI_HEAT_CLASSES per slot of the ids, which sorting does not move */
  int64_t heat_capacity;
  demi_share *materials; /* by demi_material_pair; the room is 0 until the first law is set */
  size_t pair_capacity;
  int32_t law_count, law_capacity;
  demi_law_share *law;
  demi_share *wall; /* by place in the list of walls */
  int32_t wall_capacity;
} demi_shares;

/* Who is using the system at this moment. */
typedef struct demi_guards {
  atomic_int calls_inside;         /* calls under way that may call the host back: kernels, binds, sinks, callbacks of a step */
  int32_t callbacks;               /* of them those that wait for a callback of a step, which may use the system again */
  int32_t in_before_step;          /* 1: the callback under way is the one that may set the host's forces */
  int32_t trials;                  /* trials open (lib/trial) */
  struct dem_trial *first_trial;   /* of them the youngest; the others follow from it */
  struct dem_trial *spare_trial;   /* closed; its memory is that of the next */
  int64_t accepted;                /* trials accepted since the system was created */
  int32_t views, velocity_writers; /* views open: all; those that write velocities or spins */
  int32_t readers[DEMI_FIELD_INDICES];      /* views open that read each field; -1: one that writes it */
  demi_kinetic_sums kinetic_before_writers; /* kinetic energy when the first of the velocity writers was let in [J] */
} demi_guards;

/* Warnings given, and the surveys (walks over all pairs, survey.h) that find the reasons for them. */
typedef struct demi_warning_record {
  int64_t given;                  /* number of warnings since the system was created */
  double severity[DEMI_WARNINGS]; /* value over limit when each kind was last given; 0: not since the set-up changed */
  int64_t surveys;                /* number of surveys since the system was created */
  int64_t surveyed_particles;     /* number of particles at the latest survey; 0: no survey since the set-up changed */
  int64_t next_survey;            /* number of steps (as `steps`) after which the next one is due */
  int64_t survey_interval;        /* steps from the latest survey to the next */
} demi_warning_record;

/* Motion of the box (box_motion.c). */
typedef struct demi_box_motion_state {
  dem_box_motion given; /* `rate` as it is now */
  int32_t on;           /* 1: some component is driven */
  double force[27][3];  /* forces of all contacts and bonds, by the image of j that they are with; only with a ledger */
  double power;         /* sum of force . velocity of the image at the start of the interval that is not booked yet [power] */
} demi_box_motion_state;

/* Functions of the host that steps call, and after which steps. */
typedef struct demi_hooks {
  int64_t sample_every, sample_start; /* samples after steps sample_start + k sample_every; sample_start -1: none taken yet */
  dem_energy_fn sample;
  void *sample_user;
  int64_t progress_every;
  dem_progress_fn progress;
  void *progress_user;
  dem_before_step_fn before_step;
  void *before_step_user;
} demi_hooks;

/* Change of the stored energies by the host, which the ledger books when the new energies are known. */
typedef struct demi_host_change {
  int32_t pending;  /* 1: the host has changed something that may store energy */
  double stored[2]; /* energy stored before the first such change [J]: particle-particle (with bonds), particle-wall */
} demi_host_change;

/* The step under way. */
typedef struct demi_step_under_way {
  double length;                      /* its time step [s]; 0: between steps */
  unsigned long long refusals_before; /* refusals counted when it began */
} demi_step_under_way;

/* Wall-clock time spent so far [s]. */
typedef struct demi_seconds_spent {
  double search, pass, ledger;
} demi_seconds_spent;

struct dem_system {
  /* ---- context and messages; a checkpoint does not hold them ---- */
  dem_context *context;
  demi_message message;
  int32_t poisoned; /* a negative status once it has failed; such a system is never written */

  /* ---- set-up: what the host has chosen; a checkpoint holds it (laws and integrator by name and parameters) ---- */
  dem_system_options options; /* the box as it was created: the present one is the next member */
  demi_box box;
  demi_materials materials; /* and the laws between them */
  const dem_integrator *integrator;

  /* ---- durable state: changes with every step; a checkpoint holds it ---- */
  double time; /* [s] */
  int64_t steps;
  demi_store store; /* the order of its rows too: sums run in this order */
  demi_box_motion_state box_motion;
  demi_walls walls; /* motions that the host has set, and where the walls are */
  demi_bonds bonds;
  demi_ledger ledger;
  demi_shares shares;
  demi_host_change host_change;
  int32_t driven; /* 1: some frozen particle has ever been given a motion */

  /* ---- forces: a checkpoint that continues to the bit between two steps holds the interval (its queue is empty then), the load
   * rows of the store and the loads of the contacts; otherwise the forces are evaluated anew ---- */
  demi_interval interval;

  /* ---- contacts: a checkpoint holds their histories by the ids of both sides (carry.c), and the energy shares of single
   * contacts after they are handed on; the rest of the table is a cache ---- */
  demi_contacts contacts;

  /* ---- caches: computed from the above when they are needed; a checkpoint does not hold them. Rows are sorted when the list is
   * built: a run continued without its list equals the one that went on only if that one built its list anew there ---- */
  demi_laws laws;   /* those of the materials, bound */
  demi_faces faces; /* of the walls, where these are now */
  double largest_radius, smallest_radius, radius_sum;
  demi_list list;
  int32_t list_expired;   /* 1: particles have moved too far for the list */
  int64_t epoch;          /* counts changes of the rows or of their order */
  int32_t set_up_checked; /* 1: nothing changed since the last check before stepping */
  dem_stepper stepper;
  double *work; /* DEMI_WORK_ENTRIES per block: work of the kicks of the latest pass */
  int64_t work_capacity;

  /* ---- of this process: a checkpoint does not hold it ---- */
  demi_guards guards;
  demi_hooks hooks;
  demi_warning_record warnings;
  demi_step_under_way step;
  demi_seconds_spent seconds;
};

/* A call with a const system may be refused while another thread is refused on the same system. */
#define demi_system_refuse(system, status, ...) \
  _Generic((system), const dem_system *: demi_refuse, dem_system *: demi_refuse_alone)( \
      &((dem_system *)(uintptr_t)(system))->message, (system)->context, (status), __VA_ARGS__)

/* Logs and counts. */
#define demi_system_warning(s, ...) ((s)->warnings.given++, demi_log((s)->context, DEM_LOG_WARNING, __VA_ARGS__))

/* Wall-clock time [s], from an arbitrary moment. */
double demi_seconds(void);
/* Marks the system as unusable; returns `status`. */
dem_status demi_system_poison(dem_system *system, dem_status status);
/* 1: the integrator evaluates in the frame of the half step. */
int demi_system_synchronised(const dem_system *system);

#endif
