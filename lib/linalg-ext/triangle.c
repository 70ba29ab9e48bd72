/* Sorting entries into columns: one stable counting sort by rows, then one by columns, O(entries + n). */
#include "triangle.h"

#include <math.h>
#include <string.h>

/* ---- entries ---- */

int demi_la_entries_put(dem_linalg *l, demi_la_entries *e, int64_t a, int64_t b, double value) {
  if (e->count == e->capacity) {
    const int64_t capacity = e->capacity ? 2 * e->capacity : 1024;
    demi_la_entry *entry = demi_la_resize(l, e->entry, capacity, sizeof *entry);
    if (!entry) return 1;
    e->entry = entry;
    e->capacity = capacity;
  }
  e->entry[e->count++] = (demi_la_entry){a > b ? a : b, a > b ? b : a, value};
  return 0;
}

void demi_la_entries_free(dem_linalg *l, demi_la_entries *e) {
  demi_la_free(l, e->entry);
  memset(e, 0, sizeof *e);
}

/* The symmetric part of a diagonal block. */
static int put_diagonal(dem_linalg *l, demi_la_entries *e, const int64_t *place, int32_t width, const double *block) {
  for (int32_t a = 0; a < width; a++)
    for (int32_t b = 0; b <= a; b++) {
      const double one = block[a * width + b], other = block[b * width + a];
      e->asymmetry = fmax(e->asymmetry, fabs(one - other));
      if (place[a] >= 0 && place[b] >= 0 && demi_la_entries_put(l, e, place[a], place[b], 0.5 * (one + other))) return 1;
    }
  return 0;
}

static int put_coupling(dem_linalg *l, demi_la_entries *e, const dem_trial_block *k, const int64_t *place) {
  for (int32_t a = 0; a < k->width_i; a++)
    for (int32_t b = 0; b < k->width_j; b++) {
      const double one = k->ij[a * k->width_j + b], other = k->ji[b * k->width_i + a];
      const int64_t row = place[k->i + a], column = place[k->j + b];
      e->asymmetry = fmax(e->asymmetry, fabs(one - other));
      if (row >= 0 && column >= 0 && demi_la_entries_put(l, e, row, column, 0.5 * (one + other))) return 1;
    }
  return 0;
}

int demi_la_entries_add_blocks(dem_linalg *l, demi_la_entries *e, int64_t count, const dem_trial_block *blocks,
                               const int64_t *place, int64_t unknowns) {
  for (const dem_trial_block *k = blocks; k < blocks + count; k++) {
    if (put_diagonal(l, e, place + k->i, k->width_i, k->ii)) return 1;
    if (k->j >= unknowns) continue;
    if (put_diagonal(l, e, place + k->j, k->width_j, k->jj) || put_coupling(l, e, k, place)) return 1;
  }
  return 0;
}

/* ---- the matrix ---- */

/* Numbers of the entries in the order of their keys (rows, or columns); `order` is the order before, NULL: that of the list. */
static void sort_by(const demi_la_entries *e, int by_column, int64_t n, const int64_t *order, int64_t *start, int64_t *sorted) {
  memset(start, 0, (size_t)(n + 1) * sizeof *start);
  for (int64_t k = 0; k < e->count; k++) start[(by_column ? e->entry[k].column : e->entry[k].row) + 1]++;
  for (int64_t c = 0; c < n; c++) start[c + 1] += start[c];
  for (int64_t k = 0; k < e->count; k++) {
    const int64_t at = order ? order[k] : k;
    sorted[start[by_column ? e->entry[at].column : e->entry[at].row]++] = at;
  }
}

/* Columns from sorted entries; each begins with its diagonal. */
static void fill_columns(const demi_la_entries *e, const int64_t *sorted, demi_la_triangle *t) {
  int64_t k = 0, at = -1;
  for (int64_t c = 0; c < t->n; c++) {
    t->first[c] = ++at;
    t->row[at] = c;
    t->value[at] = 0;
    for (; k < e->count && e->entry[sorted[k]].column == c; k++) {
      const demi_la_entry *entry = &e->entry[sorted[k]];
      if (t->row[at] != entry->row) {
        t->row[++at] = entry->row;
        t->value[at] = 0;
      }
      t->value[at] += entry->value;
    }
  }
  t->entries = t->first[t->n] = at + 1;
}

dem_status demi_la_triangle_make(dem_linalg *l, const demi_la_entries *e, int64_t n, demi_la_triangle *t) {
  int64_t *start = demi_la_allocate(l, n + 1, sizeof *start), *by_row = demi_la_allocate(l, e->count, sizeof *by_row);
  int64_t *sorted = demi_la_allocate(l, e->count, sizeof *sorted);
  t->n = n;
  t->first = demi_la_allocate(l, n + 1, sizeof *t->first);
  t->row = demi_la_allocate(l, e->count + n, sizeof *t->row);
  t->value = demi_la_allocate(l, e->count + n, sizeof *t->value);
  const int done = start && by_row && sorted && t->first && t->row && t->value;
  if (done) {
    sort_by(e, 0, n, NULL, start, by_row);
    sort_by(e, 1, n, by_row, start, sorted);
    fill_columns(e, sorted, t);
  }
  demi_la_free(l, start);
  demi_la_free(l, by_row);
  demi_la_free(l, sorted);
  if (done) return DEM_OK;
  demi_la_triangle_free(l, t);
  return demi_la_no_memory(l, "a sparse matrix");
}

void demi_la_triangle_drop(demi_la_triangle *t, const int64_t *place, int64_t n) {
  int64_t at = 0;
  for (int64_t c = 0; c < t->n; c++) {
    const int64_t from = t->first[c], to = t->first[c + 1];
    if (place[c] < 0) continue;
    t->first[place[c]] = at;
    for (int64_t k = from; k < to; k++)
      if (place[t->row[k]] >= 0) {
        t->row[at] = place[t->row[k]];
        t->value[at++] = t->value[k];
      }
  }
  t->n = n;
  t->first[n] = t->entries = at;
}

void demi_la_triangle_scale(demi_la_triangle *t, const double *s) {
  for (int64_t c = 0; c < t->n; c++)
    for (int64_t k = t->first[c]; k < t->first[c + 1]; k++) t->value[k] *= s[c] * s[t->row[k]];
}

void demi_la_triangle_multiply(const demi_la_triangle *t, const double *x, double *y) {
  memset(y, 0, (size_t)t->n * sizeof *y);
  for (int64_t c = 0; c < t->n; c++) {
    double sum = t->value[t->first[c]] * x[c];
    for (int64_t k = t->first[c] + 1; k < t->first[c + 1]; k++) {
      y[t->row[k]] += t->value[k] * x[c];
      sum += t->value[k] * x[t->row[k]];
    }
    y[c] += sum;
  }
}

double demi_la_triangle_mean(const demi_la_triangle *t) {
  double sum = 0;
  for (int64_t c = 0; c < t->n; c++) sum += fabs(t->value[t->first[c]]);
  return t->n > 0 ? sum / (double)t->n : 0;
}

void demi_la_triangle_free(dem_linalg *l, demi_la_triangle *t) {
  demi_la_free(l, t->first);
  demi_la_free(l, t->row);
  demi_la_free(l, t->value);
  memset(t, 0, sizeof *t);
}
