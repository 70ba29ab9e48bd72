/* A minimisation: the present point, what is known there, and the strategy that moves it. */
#ifndef DEMI_MINIMISER_H
#define DEMI_MINIMISER_H

#include <dem/plugin/objective.h>

#include "context.h"

typedef struct demi_strategy demi_strategy;

struct dem_minimiser {
  dem_context *context;
  demi_message message;
  dem_objective_table table; /* name points to `name` */
  char name[64];
  void *user;
  dem_minimise_options options;
  dem_minimise_report report;
  double longest_step; /* of options, else of the table; INFINITY = none */
  int32_t inside;      /* one of the objective's functions or `progress` runs */
  dem_status failed;   /* < 0: poisoned */
  double since;        /* clock at the begin of the present call [s] */

  int64_t n;        /* unknowns */
  double *x;        /* the latest accepted point; arrays are aligned to 64 bytes, with room for a multiple of 8 numbers, zero behind n */
  double *gradient; /* there */
  double value;     /* there */
  double norm;      /* |gradient| there */
  int64_t network;  /* as last measured; 0 = unknown */

  const demi_strategy *strategy; /* in use */
  void *room;                    /* of the strategy, made by its `open` */
};

/* A strategy: one file each, listed in strategies.c. */
struct demi_strategy {
  const char *name;
  int32_t needs; /* DEM_OBJECTIVE_... : with TANGENT, table.apply */
  /* Allocates m->room. The point, its value and its gradient are known. */
  dem_status (*open)(dem_minimiser *m);
  /* One step: tries a point and accepts it (demi_minimiser_move) or not. Where nothing can be gained any more it sets
   * report.reason to DEM_MINIMISE_STALLED or UNBOUNDED. */
  dem_status (*iterate)(dem_minimiser *m);
  void (*close)(dem_minimiser *m);
};

/* ---- minimiser.c: what strategies call ---- */
/* Evaluates, counts, and answers the objective's status: 0; > 0 or a value that is not finite (DEM_BAD_ARGUMENT): the point is refused;
 * < 0: poisoned. */
dem_status demi_minimiser_evaluate(dem_minimiser *m, const double *x, int32_t ask, double *value, double *gradient);
/* H p at the latest evaluation with TANGENT; counts. */
dem_status demi_minimiser_apply(dem_minimiser *m, const double *p, double *product);
/* Makes a tried point the present one: exchanges the arrays m->x and *x, m->gradient and *gradient. `step`: its length. */
void demi_minimiser_move(dem_minimiser *m, double **x, double **gradient, double value, double norm, double step);
/* Reads the network at the present point, counts changes; 1 if it is the same as when last read. */
int demi_minimiser_network_holds(dem_minimiser *m);

/* ---- strategies.c ---- */
const demi_strategy *demi_strategy_find(const char *name);

#endif
