/* Lagged friction: for each contact of an earlier iterate of an implicit step the normal force F that limits its friction, and the frame
 * in which it slides: normal n, arms a_i and a_j, lever of a wall, and the time t by which its history advances. As long as they are kept,
 *
 *   w = t (v_t in that frame),   |f_t| <= mu F,   f_t = -d/dw of  k s^2/2 + mu F |slip|,   s = spring after the slip
 *
 * for a linear spring of constant stiffness: the friction forces are minus the gradient of the energy that is stored or was turned into
 * heat, a convex Huber function of the displacement. A contact without an entry has F = 0, and so no friction. One that opens keeps its
 * friction up to a gap `hold`, because an energy that ended at the opening would have a step there; laws that hold beyond touching
 * (lib/law) end as they do without lags.
 *
 *   row of a pair: DEMI_LAG_...; the faces' pairs behind those of particles, as in the table of histories. It is in the orientation of
 *   the pair, from the lower row to the higher */
#ifndef DEMI_LAGS_H
#define DEMI_LAGS_H

#include "carry.h"
#include "list.h"

enum {
  DEMI_LAG_LIVE = 0,    /* 1: there is an entry */
  DEMI_LAG_FORCE = 1,   /* F of the tangential part [force] */
  DEMI_LAG_TURNING = 2, /* F of rolling and twisting parts [force] */
  DEMI_LAG_NORMAL = 3,  /* x, y, z */
  DEMI_LAG_ARMS = 6,    /* a_i, a_j [length] */
  DEMI_LAG_LEVER = 8,   /* x, y, z [length]; against walls */
  DEMI_LAG_TIME = 11,   /* [time] */
  DEMI_LAG_ROW = 12
};

typedef struct demi_lags {
  int64_t capacity; /* pairs */
  double *rows;     /* DEMI_LAG_ROW per listed pair */
  demi_carry kept;  /* the entries by ids: they outlast the list */
  double hold;      /* [length] >= 0 */
  double range;     /* of the laws that act in gaps; the list's is longer by `hold` [length] */
  int32_t taking;   /* 1: the evaluation under way has friction as without lags, and writes the rows; 0: it reads them */
} demi_lags;

/* Room for the pairs of a list, whose rows are cleared. */
dem_status demi_lags_reserve(demi_lags *lags, dem_context *context, const demi_list *list);
void demi_lags_free(demi_lags *lags, dem_context *context);

/* After an evaluation that took them: keeps the rows by ids. */
dem_status demi_lags_keep(demi_lags *lags, dem_context *context, const demi_list *list, const demi_store *store);

/* After the list was built: room for its pairs, and the kept entries in their rows. */
dem_status demi_lags_spread(demi_lags *lags, dem_context *context, const demi_list *list, const demi_store *store);

#endif
