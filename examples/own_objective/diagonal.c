#include "diagonal.h"

static int32_t add(void *user, int64_t count, const dem_trial_block *b) {
  double *d = user;
  for (; count > 0; count--, b++) {
    for (int r = 0; r < b->width_i; r++) d[b->i + r] += b->ii[r * b->width_i + r];
    for (int r = 0; r < b->width_j; r++) d[b->j + r] += b->jj[r * b->width_j + r];
  }
  return 0;
}

/* M must be positive definite even where the Hessian is not. */
static dem_status update(void *user, const dem_matrix_source *source) {
  diagonal *m = user;
  if (source->unknowns != m->n) return DEM_UNSUPPORTED;
  for (int64_t i = 0; i < m->n; i++) m->d[i] = 0;
  const dem_status status = source->blocks(source->blocks_user, add, m->d);
  for (int64_t i = 0; i < m->n; i++)
    if (!(m->d[i] > 0)) m->d[i] = 1;
  return status;
}

static dem_status apply(void *user, const double *right, double *solution) {
  const diagonal *m = user;
  for (int64_t i = 0; i < m->n; i++) solution[i] = right[i] / m->d[i];
  return DEM_OK;
}

void diagonal_table(dem_preconditioner_table *table) {
  dem_preconditioner_table_init(table, sizeof *table);
  table->contract = DEM_PRECONDITIONER_CONTRACT;
  table->name = "diagonal";
  table->update = update;
  table->apply = apply;
}
