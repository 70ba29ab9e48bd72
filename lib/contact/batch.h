/* Workspace of one thread: the lanes of a batch of contacts, and what the engine keeps beside them. */
#ifndef DEMI_BATCH_H
#define DEMI_BATCH_H

#include "lanes.h"

enum { DEMI_BATCH = DEM_BATCH_CAPACITY };

/* Touching pairs found by the filter, before the geometry. For walls `offset` is the wall normal and `distance2` the distance.
 */
typedef struct demi_candidates {
  _Alignas(64) double offset[4 * DEMI_BATCH]; /* x_i - x_j (image of j), R_i - R_j */
  double distance2[DEMI_BATCH];
  double radii[DEMI_BATCH];             /* R_i + R_j; R_i for walls */
  int32_t i[DEMI_BATCH], j[DEMI_BATCH]; /* rows; see partner.h */
  int32_t pair[DEMI_BATCH];             /* history row */
  int32_t law[DEMI_BATCH];              /* index of the bound law */
  int64_t contact[DEMI_BATCH];          /* where its load goes */
  int32_t count;
} demi_candidates;

/* The frame in which velocities are taken: unit normals, arms and, for walls, lever rows (contact point less reference point
 * of the wall; the fourth entry is not used). */
typedef struct demi_frame {
  _Alignas(64) double lever[4 * DEMI_BATCH];
  demi_lanes normal[3], arm_i, arm_j;
} demi_frame;

typedef struct demi_workspace {
  demi_candidates found, sorted;
  demi_frame now, half,
      before; /* now: at the positions. half: half a step earlier (synchronised only). before: a whole step earlier, only its normals */
  demi_law_lanes lanes;
  demi_lanes velocity[3], spin[3]; /* v_i - v_j; a_i w_i + a_j w_j */
  demi_lanes inverse_mass;         /* sum of both */
  demi_lanes turning[3];           /* w_i - w_j; laws that roll or twist only */
  demi_lanes drag_power;     /* heat of the tangential dashpots: their power at the arms of the velocities, where torques act
                                      at shorter arms */
  int32_t lagged;            /* 1: contacts slide in the frame `half`, with the lags of the evaluation (lags.h) */
  uint8_t apart[DEMI_BATCH]; /* of lagged ones: 1 where the contact has opened */
  int32_t shorter;           /* torques act at arms shorter by half the overlap than those the velocities were taken with */
} demi_workspace;

#endif
