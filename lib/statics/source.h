/* What the statics read: particles, the loads of one evaluation, and what tells where its contacts are. A system gives its own
 * (lib/system/statics_report.c); any other state with loads may be measured in the same way. */
#ifndef DEMI_STATICS_SOURCE_H
#define DEMI_STATICS_SOURCE_H

#include <dem/statics.h>

#include "bonds.h"
#include "box.h"
#include "face.h"
#include "law_table.h"
#include "loads.h"
#include "message.h"
#include "store.h"

typedef struct demi_statics_source {
  dem_context *context;
  demi_message *message; /* where refusals leave their text */
  const demi_store *store;
  const demi_loads *loads;
  const demi_box *box;
  demi_box shown;        /* the same lattice by the edges that the host sees: places are wrapped into it */
  const demi_face *face; /* faces of the walls, now */
  const demi_bonds *bonds;
  const demi_laws *laws;
  const double *rate; /* DEMI_RATES of a box that deforms, NULL of one at rest */
  int32_t blocks;     /* of the loads */
  int32_t dimension;
} demi_statics_source;

/* pi to the last bit of a double. */
#define DEMI_PI 3.14159265358979323846

/* Volume of a sphere, area of a disc. */
static inline double demi_volume_of(const demi_statics_source *source, int64_t row) {
  const double r = source->store->columns.position[4 * row + 3];
  return source->dimension == 2 ? DEMI_PI * r * r : 4.0 / 3.0 * DEMI_PI * r * r * r;
}

#define demi_statics_refuse(source, status, ...) demi_refuse((source)->message, (source)->context, (status), __VA_ARGS__)

#endif
