/* Each built-in preconditioner is a table like any other; what it needs is allocated at the first update, when the number of unknowns
 * is known. */
#include "preconditioners.h"

#include <string.h>

#include "block_diagonal.h"
#include "context.h"
#include "incomplete.h"

typedef struct state {
  dem_context *context;
  int64_t n;       /* 0: nothing is open */
  int64_t network; /* of the latest update */
  union {
    demi_incomplete incomplete;
    demi_block_diagonal blocks;
  } of;
} state;

static demi_block_source source_of(const dem_matrix_source *source) {
  return (demi_block_source){source->blocks, source->blocks_user};
}

/* 1 if the pattern is probably that of before. */
static int holds(state *s, const dem_matrix_source *source) {
  const int same = source->network != 0 && source->network == s->network;
  s->network = source->network;
  return same;
}

/* ---- incomplete-cholesky ---- */

static void incomplete_close(state *s) {
  if (s->n > 0) demi_incomplete_close(&s->of.incomplete);
  s->n = 0;
}

static dem_status incomplete_update(void *user, const dem_matrix_source *source) {
  state *s = user;
  const demi_block_source blocks = source_of(source);
  if (s->n != source->unknowns) {
    incomplete_close(s);
    const dem_status status = demi_incomplete_open(&s->of.incomplete, s->context, source->unknowns);
    if (status) return status;
    s->n = source->unknowns;
  }
  return demi_incomplete_update(&s->of.incomplete, &blocks, holds(s, source));
}

static dem_status incomplete_apply(void *user, const double *right, double *solution) {
  demi_incomplete_solve(&((state *)user)->of.incomplete, right, solution);
  return DEM_OK;
}

/* ---- block-jacobi ---- */

static void jacobi_close(state *s) {
  if (s->n > 0) demi_block_diagonal_close(&s->of.blocks);
  s->n = 0;
}

static dem_status jacobi_update(void *user, const dem_matrix_source *source) {
  state *s = user;
  const demi_block_source blocks = source_of(source);
  if (s->n != source->unknowns) {
    jacobi_close(s);
    const dem_status status = demi_block_diagonal_open(&s->of.blocks, s->context, source->unknowns);
    if (status) return status;
    s->n = source->unknowns;
  }
  return demi_block_diagonal_update(&s->of.blocks, &blocks, holds(s, source));
}

static dem_status jacobi_apply(void *user, const double *right, double *solution) {
  demi_block_diagonal_solve(&((state *)user)->of.blocks, right, solution);
  return DEM_OK;
}

/* ---- the table ---- */

static void free_state(state *s) { demi_free(s->context, s, sizeof *s); }

static void incomplete_destroy(void *user) {
  incomplete_close(user);
  free_state(user);
}

static void jacobi_destroy(void *user) {
  jacobi_close(user);
  free_state(user);
}

#define ROW(name, stem)                                                                                               \
  {                                                                                                                   \
    (uint32_t)sizeof(dem_preconditioner_table), DEM_PRECONDITIONER_CONTRACT, name, 0, 0, stem##_update, stem##_apply, \
        stem##_destroy                                                                                                \
  }

static const dem_preconditioner_table builtin[] = {
    ROW("block-jacobi", jacobi),
    ROW("incomplete-cholesky", incomplete),
};
#undef ROW

static const dem_preconditioner_table *table_of(const char *name) {
  for (size_t k = 0; k < sizeof builtin / sizeof *builtin; k++)
    if (strcmp(builtin[k].name, name) == 0) return &builtin[k];
  return NULL;
}

dem_status demi_preconditioner_find(dem_context *context, const char *name, dem_preconditioner **preconditioner) {
  const dem_preconditioner_table *table = table_of(name);
  if (!table)
    return demi_refuse_context(context, DEM_NOT_FOUND, "preconditioner: no '%.63s'; there are %s, %s", name, builtin[0].name,
                               builtin[1].name);
  state *s = demi_allocate_zero(context, sizeof *s);
  if (!s) return demi_refuse_context(context, DEM_NO_MEMORY, "preconditioner: out of memory (%zu bytes)", sizeof *s);
  s->context = context;
  const dem_status status = demi_preconditioner_create(context, table, s, preconditioner);
  if (status) free_state(s);
  return status;
}
