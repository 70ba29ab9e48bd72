/* One line about how a run goes: redrawn in place on a terminal, else a new line every few seconds. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <dem/dem.h>

typedef struct progress {
  const char *label;  /* what is being done */
  dem_system *system; /* asked for its energy residual when `residual` is 1 */
  int residual;       /* 1: show the residual of the energy books */
  int terminal;       /* stderr is a terminal */
  int at_most;        /* 1: the run may end before `total` */
  int64_t total;      /* steps of the whole run */
  int64_t before;     /* steps done by earlier calls of dem_system_step */
  double start;       /* clock at the beginning [s] */
  double printed;     /* clock at the latest line [s] */
} progress;

/* Installs the callback on `system` and starts the clock. */
dem_status progress_begin(progress *p, const char *label, dem_system *system, int64_t total);

/* Counts the steps of a finished call. */
void progress_advance(progress *p, int64_t steps);

/* Prints the last line and takes the callback away. */
void progress_end(progress *p);

/* From now on Ctrl-C ends the run at the next progress call; a second one kills the program. */
int catch_interrupt(void);
int was_interrupted(void);

#endif
