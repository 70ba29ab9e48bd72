/* What all pairs of a system say about time step and overlap, gathered in one walk over the list. */
#ifndef DEMI_SURVEY_H
#define DEMI_SURVEY_H

#include "state.h"

/* A value and whose it is, as in dem_advice. */
typedef struct demi_extreme {
  double value;
  dem_id i, j;
  int32_t wall;
} demi_extreme;

typedef struct demi_survey {
  demi_extreme time;    /* shortest contact time */
  demi_extreme stable;  /* least stability limit of velocity-Verlet */
  demi_extreme overlap; /* largest, over the smaller radius */
  demi_extreme impact;  /* largest overlap to expect, over the smaller radius */
  demi_extreme behind;  /* farthest beyond the surface of a wall, over the radius; of the centre */
  int64_t contacts, approaching, unknown, behind_count;
} demi_survey;

/* Walks the list as it stands, which must belong to the present rows. */
void demi_survey_pairs(dem_system *system, demi_survey *survey);

/* Two materials whose particles may touch, and what is largest of them. */
typedef struct demi_size_ratio {
  int32_t materials[2]; /* -1: none */
  int32_t unknown;      /* some law does not tell its friction */
  double ratio, critical;
} demi_size_ratio;
demi_size_ratio demi_survey_ratio(const dem_system *system);

double demi_survey_speed(const dem_system *system);

#endif
