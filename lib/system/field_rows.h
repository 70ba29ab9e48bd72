/* Rows of a field, and which of them a bulk call means: those of the ids given, or of all particles in listing order. */
#ifndef DEMI_FIELD_ROWS_H
#define DEMI_FIELD_ROWS_H

#include "state.h"

/* Of the k-th particle in listing order. */
static inline int64_t demi_listed_row(const dem_system *s, int64_t k) { return s->store.ids.row[s->store.listed[k]]; }

static inline int64_t demi_row_of(const dem_system *s, const dem_id *ids, int64_t k) {
  return ids ? demi_idpool_row(&s->store.ids, ids[k]) : demi_listed_row(s, k);
}

/* The member of demi_columns at the field's offset. A view that is a copy stands in the spare columns. */
static inline const void *demi_field_member(const dem_system *s, const demi_field *f) {
  return (const char *)(f->copied ? &s->store.spare : &s->store.columns) + f->column;
}

/* First number of the field in the first row that a view shows; NULL for another type and while no rows are there. */
static inline double *demi_field_reals(const dem_system *s, const demi_field *f) {
  if (f->type != DEMI_FIELD_REAL || f->column == DEMI_NO_COLUMN) return NULL;
  double *rows = *(double *const *)demi_field_member(s, f);
  return rows ? rows + f->first : NULL;
}

static inline int32_t *demi_field_integers(const dem_system *s, const demi_field *f) {
  if (f->type != DEMI_FIELD_INTEGER || f->column == DEMI_NO_COLUMN) return NULL;
  int32_t *rows = *(int32_t *const *)demi_field_member(s, f);
  return rows ? rows + f->first : NULL;
}

/* Refuses a wrong count and unknown ids; `what` begins the message. */
dem_status demi_rows_check(const dem_system *system, const char *what, int64_t count, const dem_id *ids);
/* Refuses a stride that is too short, or with which the rows do not fit into memory; 0 becomes `components`. */
dem_status demi_rows_stride(const dem_system *system, const char *what, int64_t components, int64_t count, size_t size,
                            int64_t *stride);

#endif
