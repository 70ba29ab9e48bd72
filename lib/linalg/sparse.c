/* The pattern is built without sorting: entries are counted and filed by columns, then the columns are read from the first to the last and
 * each entry goes to the end of its row. Entries of a pair that comes twice, as a contact and as a bond, then lie side by side. */
#include "sparse.h"

#include <string.h>

#include "memory.h"

dem_status demi_sparse_open(demi_sparse *s, dem_context *context, int64_t n) {
  memset(s, 0, sizeof *s);
  const dem_status status = demi_block_rows_open(&s->rows, context, n);
  if (status) return status;
  s->first = demi_allocate_zero(context, (size_t)(n + 1) * sizeof *s->first);
  s->next = demi_allocate_zero(context, (size_t)n * sizeof *s->next);
  if (s->first && s->next) return DEM_OK;
  demi_sparse_close(s);
  return DEM_NO_MEMORY;
}

static void close_entries(demi_sparse *s) {
  dem_context *context = s->rows.context;
  demi_free(context, s->column, (size_t)s->room * sizeof *s->column);
  demi_free(context, s->work, (size_t)s->room * sizeof *s->work);
  demi_free(context, s->value, (size_t)s->room * sizeof *s->value);
  s->column = s->work = NULL;
  s->value = NULL;
  s->room = 0;
}

void demi_sparse_close(demi_sparse *s) {
  dem_context *context = s->rows.context;
  close_entries(s);
  demi_free(context, s->next, (size_t)s->rows.n * sizeof *s->next);
  demi_free(context, s->first, (size_t)(s->rows.n + 1) * sizeof *s->first);
  demi_block_rows_close(&s->rows);
}

/* Room for `entries`, with a quarter to spare for networks that grow. */
static dem_status make_room(demi_sparse *s, int64_t entries) {
  dem_context *context = s->rows.context;
  if (entries <= s->room) return DEM_OK;
  close_entries(s);
  s->room = entries + entries / 4;
  s->column = demi_allocate(context, (size_t)s->room * sizeof *s->column);
  s->work = demi_allocate(context, (size_t)s->room * sizeof *s->work);
  s->value = demi_allocate(context, (size_t)s->room * sizeof *s->value);
  if (s->column && s->work && s->value) return DEM_OK;
  close_entries(s);
  return DEM_NO_MEMORY;
}

/* ---- pattern ---- */

typedef struct below {
  int64_t row, column;
  int32_t height, width;
} below;

/* The block of a pair below the diagonal. */
static below below_of(const dem_trial_block *b) {
  return b->i > b->j ? (below){b->i, b->j, b->width_i, b->width_j} : (below){b->j, b->i, b->width_j, b->width_i};
}

static int32_t count_entries(void *user, int64_t count, const dem_trial_block *blocks) {
  demi_sparse *s = user;
  for (int64_t k = 0; k < count; k++) {
    const below b = below_of(&blocks[k]);
    if (!demi_block_rows_fit(&s->rows, &blocks[k])) return 1;
    for (int32_t c = 0; c < b.width; c++) s->next[b.column + c] += b.height;
  }
  return 0;
}

static int32_t file_entries(void *user, int64_t count, const dem_trial_block *blocks) {
  demi_sparse *s = user;
  for (int64_t k = 0; k < count; k++) {
    const below b = below_of(&blocks[k]);
    if (!demi_block_rows_fit(&s->rows, &blocks[k])) return 1;
    for (int32_t c = 0; c < b.width; c++)
      for (int32_t r = 0; r < b.height; r++) {
        if (s->next[b.column + c] >= s->room) return 1; /* other blocks than those that were counted */
        s->work[s->next[b.column + c]++] = b.row + r;
      }
  }
  return 0;
}

/* Row of blocks that unknown u lies in. */
static int64_t row_begin(const demi_sparse *s, int64_t u) {
  while (s->rows.width[u] == 0) u--;
  return u;
}

/* next[c]: entries of column c below its diagonal block; answers their number with the diagonal blocks. Then next[c] is where column c
 * begins in `work`. */
static int64_t place_columns(demi_sparse *s) {
  int64_t at = 0, diagonal = 0;
  for (int64_t c = 0; c < s->rows.n; c++) {
    const int64_t entries = s->next[c];
    s->next[c] = at;
    at += entries;
    diagonal += c - row_begin(s, c) + 1;
  }
  return at + diagonal;
}

/* Reads the columns in order. Twice: `write` = 0 counts the entries of row u into first[u + 1], 1 writes columns at first[u] + ... */
static void read_columns(demi_sparse *s, int write) {
  int64_t begin = 0;
  for (int64_t c = 0; c < s->rows.n; c++) {
    for (int64_t k = begin; k < s->next[c]; k++) {
      const int64_t u = s->work[k];
      if (k > begin && s->work[k] == s->work[k - 1]) continue;
      if (write)
        s->column[s->first[u]++] = c;
      else
        s->first[u + 1]++;
    }
    begin = s->next[c];
  }
}

/* A pair that comes twice has filed its rows twice, apart from each other: sorts the rows of each column. They are few, and nearly in
 * order. */
static void sort_columns(demi_sparse *s) {
  int64_t begin = 0;
  for (int64_t c = 0; c < s->rows.n; begin = s->next[c++])
    for (int64_t k = begin + 1; k < s->next[c]; k++) {
      const int64_t u = s->work[k];
      int64_t at = k;
      for (; at > begin && s->work[at - 1] > u; at--) s->work[at] = s->work[at - 1];
      s->work[at] = u;
    }
}

static void write_diagonal(demi_sparse *s) {
  for (int64_t u = 0; u < s->rows.n; u++)
    for (int64_t c = row_begin(s, u); c <= u; c++) s->column[s->first[u]++] = c;
}

static dem_status build(demi_sparse *s, const demi_block_source *source) {
  const int64_t n = s->rows.n;
  s->built = 0;
  dem_status status = demi_block_rows_read(&s->rows, source);
  if (status) return status;
  memset(s->next, 0, (size_t)n * sizeof *s->next);
  status = source->blocks(source->user, count_entries, s);
  if (status) return status == DEM_CANCELLED ? DEM_BAD_ARGUMENT : status;
  status = make_room(s, place_columns(s));
  if (!status) status = source->blocks(source->user, file_entries, s);
  if (status) return status == DEM_CANCELLED ? DEM_BAD_ARGUMENT : status;
  sort_columns(s);
  memset(s->first, 0, (size_t)(n + 1) * sizeof *s->first);
  read_columns(s, 0);
  for (int64_t u = 0; u < n; u++) s->first[u + 1] += s->first[u] + u - row_begin(s, u) + 1;
  read_columns(s, 1);
  write_diagonal(s);
  /* first[u] has become the end of row u: back to its begin */
  memmove(s->first + 1, s->first, (size_t)n * sizeof *s->first);
  s->first[0] = 0;
  s->built = 1;
  return DEM_OK;
}

/* ---- values ---- */

/* Place of (u, c) in row u; -1: not in the pattern. */
static int64_t find(const demi_sparse *s, int64_t u, int64_t c) {
  int64_t low = s->first[u], high = s->first[u + 1];
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (s->column[middle] < c)
      low = middle + 1;
    else
      high = middle;
  }
  return low < s->first[u + 1] && s->column[low] == c ? low : -1;
}

/* Adds the symmetric part of a diagonal block. */
static void add_diagonal(demi_sparse *s, int64_t at, int32_t w, const double *a) {
  for (int32_t r = 0; r < w; r++)
    for (int32_t c = 0; c <= r; c++) s->value[s->first[at + r + 1] - 1 - r + c] += 0.5 * (a[r * w + c] + a[c * w + r]);
}

static int add_block(demi_sparse *s, const dem_trial_block *b) {
  if (!demi_block_rows_fit(&s->rows, b)) return 1;
  add_diagonal(s, b->i, b->width_i, b->ii);
  add_diagonal(s, b->j, b->width_j, b->jj);
  const below at = below_of(b);
  const double *low = b->i > b->j ? b->ij : b->ji, *high = b->i > b->j ? b->ji : b->ij;
  for (int32_t r = 0; r < at.height; r++) {
    const int64_t place = find(s, at.row + r, at.column);
    if (place < 0) return 1;
    for (int32_t c = 0; c < at.width; c++) s->value[place + c] += 0.5 * (low[r * at.width + c] + high[c * at.height + r]);
  }
  return 0;
}

static int32_t add_blocks(void *user, int64_t count, const dem_trial_block *blocks) {
  for (int64_t k = 0; k < count; k++)
    if (add_block(user, &blocks[k])) return 1;
  return 0;
}

static dem_status add_all(demi_sparse *s, const demi_block_source *source) {
  memset(s->value, 0, (size_t)s->first[s->rows.n] * sizeof *s->value);
  return source->blocks(source->user, add_blocks, s);
}

dem_status demi_sparse_fill(demi_sparse *s, const demi_block_source *source, int holds) {
  dem_status status = DEM_CANCELLED;
  if (holds && s->built) status = add_all(s, source);
  if (status != DEM_CANCELLED) return status;
  status = build(s, source);
  if (status) return status;
  status = add_all(s, source);
  return status == DEM_CANCELLED ? DEM_BAD_ARGUMENT : status;
}

void demi_sparse_apply(const demi_sparse *s, const double *x, double *y) {
  memset(y, 0, (size_t)s->rows.n * sizeof *y);
  for (int64_t u = 0; u < s->rows.n; u++) {
    for (int64_t k = s->first[u]; k < s->first[u + 1] - 1; k++) {
      y[u] += s->value[k] * x[s->column[k]];
      y[s->column[k]] += s->value[k] * x[u];
    }
    y[u] += s->value[s->first[u + 1] - 1] * x[u];
  }
}
