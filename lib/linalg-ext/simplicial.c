#include "simplicial.h"

#include <string.h>

/* CHOLMOD's long integer is int64_t here. */
_Static_assert(sizeof(SuiteSparse_long) == sizeof(int64_t), "CHOLMOD counts in 64 bits");

static dem_status give_up(dem_linalg *l, const demi_la_simplicial *s, const char *what) {
  if (s->common.status == CHOLMOD_OUT_OF_MEMORY) return demi_la_no_memory(l, "the sparse factor (CHOLMOD)");
  return demi_la_refuse(l, DEM_UNSUPPORTED, "%s: CHOLMOD gave up with its status %d", what, s->common.status);
}

static void start(demi_la_simplicial *s) {
  if (s->started) return;
  cholmod_l_start(&s->common);
  s->common.print = 0; /* nothing on stdout */
  s->common.error_handler = NULL;
  s->common.supernodal = CHOLMOD_SIMPLICIAL;
  s->common.final_ll = 1; /* L L^T, which stops at the first pivot that is not positive */
  s->common.nmethods = 1;
  s->common.method[0].ordering = CHOLMOD_AMD;
  s->common.postorder = 1;
  s->started = 1;
}

/* A view of the matrix. */
static cholmod_sparse view(const demi_la_triangle *a) {
  return (cholmod_sparse){.nrow = (size_t)a->n,
                          .ncol = (size_t)a->n,
                          .nzmax = (size_t)a->entries,
                          .p = a->first,
                          .i = a->row,
                          .x = a->value,
                          .stype = -1,
                          .itype = CHOLMOD_LONG,
                          .xtype = CHOLMOD_REAL,
                          .dtype = CHOLMOD_DOUBLE,
                          .sorted = 1,
                          .packed = 1};
}

static int same_pattern(const demi_la_simplicial *s, const demi_la_triangle *a) {
  return s->factor && s->n == a->n && s->entries == a->entries &&
         memcmp(s->first, a->first, (size_t)(a->n + 1) * sizeof *a->first) == 0 &&
         memcmp(s->row, a->row, (size_t)a->entries * sizeof *a->row) == 0;
}

static dem_status keep_pattern(dem_linalg *l, demi_la_simplicial *s, const demi_la_triangle *a) {
  demi_la_free(l, s->first);
  demi_la_free(l, s->row);
  s->first = demi_la_allocate(l, a->n + 1, sizeof *s->first);
  s->row = demi_la_allocate(l, a->entries, sizeof *s->row);
  if (!s->first || !s->row) return demi_la_no_memory(l, "the pattern of a sparse matrix");
  memcpy(s->first, a->first, (size_t)(a->n + 1) * sizeof *a->first);
  memcpy(s->row, a->row, (size_t)a->entries * sizeof *a->row);
  s->n = a->n;
  s->entries = a->entries;
  return DEM_OK;
}

static void drop_factor(demi_la_simplicial *s) {
  if (!s->started) return;
  cholmod_l_free_factor(&s->factor, &s->common);
  cholmod_l_free_dense(&s->solution, &s->common);
  cholmod_l_free_dense(&s->y, &s->common);
  cholmod_l_free_dense(&s->e, &s->common);
}

static dem_status analyse(dem_linalg *l, demi_la_simplicial *s, const demi_la_triangle *a, const char *what) {
  cholmod_sparse matrix = view(a);
  drop_factor(s);
  const dem_status status = keep_pattern(l, s, a);
  if (status) return status;
  s->factor = cholmod_l_analyze(&matrix, &s->common);
  if (!s->factor) return give_up(l, s, what);
  s->analyses++;
  return DEM_OK;
}

dem_status demi_la_simplicial_factorise(dem_linalg *l, demi_la_simplicial *s, const demi_la_triangle *a, double least,
                                        double most, const char *what) {
  start(s);
  const dem_status status = same_pattern(s, a) ? DEM_OK : analyse(l, s, a, what);
  if (status) return status;
  cholmod_sparse matrix = view(a);
  for (s->shift = least; s->shift <= most * (1 + 1e-9); s->shift *= 10) {
    double beta[2] = {s->shift, 0};
    s->factorisations++;
    cholmod_l_factorize_p(&matrix, beta, NULL, 0, s->factor, &s->common);
    if (s->common.status == CHOLMOD_OK) return DEM_OK;
    if (s->common.status == CHOLMOD_NOT_POSDEF) continue;
    const dem_status gave_up = give_up(l, s, what);
    drop_factor(s);
    return gave_up;
  }
  drop_factor(s);
  return demi_la_refuse(l, DEM_UNSUPPORTED, "%s: not positive definite with the largest shift %g", what, most);
}

dem_status demi_la_simplicial_solve(dem_linalg *l, demi_la_simplicial *s, const double *b, double *x) {
  const size_t n = (size_t)s->n;
  cholmod_dense right = {.nrow = n, .ncol = 1, .nzmax = n, .d = n, .xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE};
  right.x = (double *)(uintptr_t)b;
  if (!s->factor) return demi_la_refuse(l, DEM_INCOMPLETE, "solve: there is no factor");
  if (!cholmod_l_solve2(CHOLMOD_A, s->factor, &right, NULL, &s->solution, NULL, &s->y, &s->e, &s->common))
    return give_up(l, s, "solve");
  memcpy(x, s->solution->x, n * sizeof *x);
  return DEM_OK;
}

int64_t demi_la_simplicial_fill(const demi_la_simplicial *s) {
  const int64_t *count = s->factor ? s->factor->ColCount : NULL;
  int64_t sum = 0;
  for (int64_t c = 0; c < s->n && count; c++) sum += count[c];
  return sum;
}

void demi_la_simplicial_free(dem_linalg *l, demi_la_simplicial *s) {
  drop_factor(s);
  if (s->started) cholmod_l_finish(&s->common);
  demi_la_free(l, s->first);
  demi_la_free(l, s->row);
  memset(s, 0, sizeof *s);
}
