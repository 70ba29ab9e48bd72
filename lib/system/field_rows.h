/* Which rows a bulk call means: of the ids given, or of all particles in listing order. */
#ifndef DEMI_FIELD_ROWS_H
#define DEMI_FIELD_ROWS_H

#include "state.h"

/* Of the k-th particle in listing order. */
static inline int64_t demi_listed_row(const dem_system *s, int64_t k) { return s->store.ids.row[s->store.listed[k]]; }

static inline int64_t demi_row_of(const dem_system *s, const dem_id *ids, int64_t k) {
  return ids ? demi_idpool_row(&s->store.ids, ids[k]) : demi_listed_row(s, k);
}

/* Refuses a wrong count and unknown ids; `what` begins the message. */
dem_status demi_rows_check(const dem_system *system, const char *what, int64_t count, const dem_id *ids);
/* Refuses a stride that is too short, or with which the rows do not fit into memory; 0 becomes `components`. */
dem_status demi_rows_stride(const dem_system *system, const char *what, int64_t components, int64_t count, size_t size,
                            int64_t *stride);

#endif
