/* A sparse symmetric matrix by its lower triangle, column by column: column c has the entries first[c] ... first[c + 1] - 1, their rows
 * ascending, the diagonal first and always there. It is made from a list of entries in any order, of which equal places are added up in the
 * order of the list. */
#ifndef DEMI_LA_TRIANGLE_H
#define DEMI_LA_TRIANGLE_H

#include "handle.h"

typedef struct demi_la_triangle {
  int64_t n, entries;
  int64_t *first; /* n + 1 */
  int64_t *row;
  double *value;
} demi_la_triangle;

/* An entry of the lower triangle: row >= column. */
typedef struct demi_la_entry {
  int64_t row, column;
  double value;
} demi_la_entry;

typedef struct demi_la_entries {
  int64_t count, capacity;
  demi_la_entry *entry;
  double asymmetry; /* largest |K_ab - K_ba| of one block */
} demi_la_entries;

/* Adds an entry; 0 on success. */
int demi_la_entries_put(dem_linalg *l, demi_la_entries *e, int64_t a, int64_t b, double value);
void demi_la_entries_free(dem_linalg *l, demi_la_entries *e);

/* Adds the blocks of one call of a visitor (dem/plugin/trial.h). place[unknown] is its row, -1: it does not take part. Blocks of a row
 * beyond `unknowns` (walls) count by their part `ii` alone. 0 on success. */
int demi_la_entries_add_blocks(dem_linalg *l, demi_la_entries *e, int64_t count, const dem_trial_block *blocks,
                               const int64_t *place, int64_t unknowns);

/* Makes the matrix of n rows; `t` must be empty. */
dem_status demi_la_triangle_make(dem_linalg *l, const demi_la_entries *e, int64_t n, demi_la_triangle *t);
/* Leaves the rows with place[row] >= 0 alone, which become row place[row] of n. */
void demi_la_triangle_drop(demi_la_triangle *t, const int64_t *place, int64_t n);
/* S K S with the diagonal S. */
void demi_la_triangle_scale(demi_la_triangle *t, const double *s);
/* y = K x */
void demi_la_triangle_multiply(const demi_la_triangle *t, const double *x, double *y);
/* Mean of |diagonal|. */
double demi_la_triangle_mean(const demi_la_triangle *t);
void demi_la_triangle_free(dem_linalg *l, demi_la_triangle *t);

#endif
