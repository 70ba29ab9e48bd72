/* A minimisation: the present point, what is known there, and the strategy that moves it. */
#ifndef DEMI_MINIMISER_H
#define DEMI_MINIMISER_H

#include <dem/plugin/objective.h>

#include "context.h"
#include "preconditioner.h"
#include "long_vectors.h"

typedef struct demi_strategy demi_strategy;

struct dem_minimiser {
  dem_context *context;
  demi_message message;
  dem_objective_table table; /* name points to `name` */
  char name[64];
  void *user;
  dem_minimise_options options;
  dem_minimise_report report; /* `gradient_largest` and `seconds` are completed by demi_minimiser_get_report */
  double longest_step;        /* of options, else of the table; INFINITY = none */
  int32_t inside;    /* a call on the minimiser runs, and with it perhaps one of the objective's functions or `progress` */
  int32_t started;   /* the start was evaluated */
  dem_status failed; /* < 0: poisoned */
  double since;      /* clock at the begin of the present call [s] */

  demi_vectors vectors; /* sums over arrays of n numbers; arrays come from demi_vectors_new */
  int64_t n;            /* unknowns */
  double *x;            /* the latest accepted point */
  double *gradient;     /* there */
  double value;         /* there */
  double norm;          /* |gradient| there */

  const double *evaluated; /* point of the objective's latest evaluation, which `measure` tells about; NULL = it was refused */
  const double *measured;  /* x when it was last measured; NULL = not since the latest move */
  int64_t network;         /* as last read by demi_minimiser_network_holds; 0 = unknown */
  int64_t network_seen;    /* as last measured; 0 = unknown */
  double force_mean;       /* as last measured; -1 = never */

  const demi_strategy *strategy; /* in use */
  int64_t products_most;         /* of one step of the trust region; 0 = as it likes */
  int32_t opened;                /* its `open` has succeeded */
  void *room;                    /* of the strategy, made by its `open` */
};

/* A strategy: one file each, listed in strategies.c. */
struct demi_strategy {
  const char *name;
  int32_t needs; /* DEM_OBJECTIVE_... : with TANGENT, table.apply */
  /* Allocates m->room. The point, its value and its gradient are known. On failure nothing is held. */
  dem_status (*open)(dem_minimiser *m);
  /* One step: tries a point and accepts it (demi_minimiser_move) or not (report.rejected). Where nothing can be gained any more it
   * sets report.reason to DEM_MINIMISE_STALLED or UNBOUNDED. A status other than 0 ends the call; one above 0, such as
   * DEM_NO_MEMORY, leaves the room such that the iteration can be tried again. */
  dem_status (*iterate)(dem_minimiser *m);
  void (*close)(dem_minimiser *m);
};

/* ---- minimiser.c; with the meanings of the exported functions, pointers are checked ---- */
__typeof__(dem_minimiser_create) demi_minimiser_create;
__typeof__(dem_minimiser_iterate) demi_minimiser_iterate;
__typeof__(dem_minimiser_run) demi_minimiser_run;
__typeof__(dem_minimiser_get_report) demi_minimiser_get_report;
__typeof__(dem_minimiser_get_point) demi_minimiser_get_point;
__typeof__(dem_minimiser_accept) demi_minimiser_accept;
__typeof__(dem_minimiser_destroy) demi_minimiser_destroy;

/* ---- services.c: what strategies call ---- */
/* Evaluates and counts. 0: done. DEM_BAD_ARGUMENT: the point is refused, by the objective or because the value is not finite; try one
 * nearer. Any other status ends the iteration: DEM_NO_MEMORY and DEM_BUSY, which may be tried again; < 0: poisoned. */
dem_status demi_minimiser_evaluate(dem_minimiser *m, const double *x, int32_t ask, double *value, double *gradient);
/* The same for value and gradient, with the gradient's norm; a norm that is not finite refuses the point. */
dem_status demi_minimiser_try(dem_minimiser *m, const double *x, double *value, double *gradient, double *norm);
/* H p at the latest evaluation with TANGENT; counts. */
dem_status demi_minimiser_apply(dem_minimiser *m, const double *p, double *product);
/* Makes a tried point the present one: exchanges the arrays m->x and *x, m->gradient and *gradient. `step`: its length. */
void demi_minimiser_move(dem_minimiser *m, double **x, double **gradient, double value, double norm, double step);

/* ---- measured.c ---- */
/* Reads the network at the present point; 1 if it is the same as when last read. 0 also where it is unknown: the objective cannot tell,
 * or the latest evaluation was at another point. */
int demi_minimiser_network_holds(dem_minimiser *m);
/* 1 if the tolerance of forces is met at the present point. Measures only where that is possible. */
int demi_minimiser_forces_balance(dem_minimiser *m);

#endif
