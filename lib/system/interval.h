/* The interval under one set of forces.
 *
 * An evaluation computes contact forces F from positions and velocities. All kicks until the next evaluation use these F, so the
 * velocities change linearly with the time kicked (see ledger.h), and over a piece of the interval with H [time] of kicks
 *
 *   work = (P + P') / 2 H,     P = sum F.v at the first velocities of the piece, P' at its last velocities.
 *
 * The interval ends with the next evaluation, and a piece ends earlier where the books are completed in between (the host reads
 * them, or changes gravity or its own forces). The next piece then begins with the velocities of that moment.
 *
 *                 open                 pass, sums kept                 host's forces changed
 *     STALE  --------------->  QUEUED -----------------> SUMMED --------------------------> ALTERED
 *     CLEARED -------------->    |                          |                                  |
 *        ^                       | pass, sums cleared       +-------------- open --------------+----> QUEUED
 *        +-----------------------+                          |                                  |
 *                                                           +-------------- drop --------------+----> STALE
 *
 *   STALE    no forces: none were evaluated yet, or rows, laws, velocities or the integrator changed since
 *   CLEARED  no forces: the pass that evaluated them has used them; all load rows are zero, as the next sum needs them
 *   QUEUED   the evaluation is the first operation of the queue, behind it kicks and drifts; all load rows are zero
 *   SUMMED   forces per particle are in the load rows; all kicks since the evaluation used the present forces
 *   ALTERED  as SUMMED, but gravity, the host's forces or the fluid are no longer those of the kicks made so far: the velocity at
 *            the evaluation cannot be computed from the present one
 *
 * Kicks may be queued in QUEUED, SUMMED and ALTERED, drifts in every state. Running the queue adds its kicks to `kicked` and
 * `unbooked` and empties it. */
#ifndef DEMI_INTERVAL_H
#define DEMI_INTERVAL_H

#include "ledger.h"
#include "pass.h"

enum {
  DEMI_FORCES_STALE = 0,
  DEMI_FORCES_CLEARED = 1,
  DEMI_FORCES_QUEUED = 2,
  DEMI_FORCES_SUMMED = 3,
  DEMI_FORCES_ALTERED = 4
};

typedef struct demi_interval {
  int32_t state;    /* DEMI_FORCES_... */
  int32_t marked;   /* 1: the present piece began between two evaluations; contacts keep their first powers in loads.start */
  int32_t op_count; /* the queue: operations that no pass has run yet */
  demi_op op[DEMI_MAX_OPS];
  double kicked;       /* time of the kicks since the evaluation, of passes that have run [time] */
  double unbooked;     /* of that, the kicks of the present piece: their contact work is not in the ledger [time] */
  demi_totals first;   /* P of the present piece (of the entries that are powers); only with a ledger [power] */
  double driven_power; /* power of the contact forces on driven particles at the evaluation (driven.c) [power] */
  int64_t step;        /* number of the step that the latest evaluation belongs to */
  double time;         /* when that step ends [time] */
} demi_interval;

/* An evaluation is queued. The queue must be empty; the load rows must be zero when the pass runs. `history_time`: time over
 * which contact histories advance; `step`, `time`: see demi_interval. */
void demi_interval_open(demi_interval *interval, double history_time, int64_t step, double time);

/* A kick or a drift is queued. There must be room: op_count < DEMI_MAX_OPS. */
void demi_interval_queue(demi_interval *interval, int32_t kind, double duration);

/* A pass has evaluated new forces and the ledger has booked the end of the old ones: a new interval begins, before its kicks
 * are added. `cleared`: the pass left zeros in the load rows. */
void demi_interval_begin(demi_interval *interval, int32_t cleared);

/* The queue has run: its kicks count from now on, and it is empty. */
void demi_interval_advance(demi_interval *interval);

/* The books are completed up to now: the present piece ends, the next one begins with the powers `first`. */
void demi_interval_mark(demi_interval *interval, const demi_totals *first);

/* The host is about to change gravity, its own forces or the fluid, and the velocities at the evaluation are not stored. */
void demi_interval_alter(demi_interval *interval);

/* Rows, laws, velocities or the integrator change: there are no forces any more. The books must be complete up to now. */
void demi_interval_drop(demi_interval *interval);

/* 1: there are forces to kick with, now or when the queue has run. */
static inline int demi_interval_has_forces(const demi_interval *interval) { return interval->state >= DEMI_FORCES_QUEUED; }

/* 1: the first operation of the queue is an evaluation. Only the first one can be: opening needs an empty queue. */
static inline int demi_interval_evaluates(const demi_interval *interval) {
  return interval->op_count > 0 && interval->op[0].kind == DEMI_OP_EVALUATE;
}

/* 1: the queue holds an operation of this kind (DEMI_OP_...). */
int demi_interval_holds(const demi_interval *interval, int32_t kind);

/* Times of the kicks that contacts book in the next pass or booking (contacts.h). */
demi_kicks demi_interval_kicks(const demi_interval *interval);

#endif
