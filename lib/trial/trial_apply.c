/* Products of the tangents with displacements. */
#include <string.h>

#include "parallel.h"
#include "trial.h"

/* ---- displacements ---- */

/* Rows of the replica's spare velocities are free between sorts: they hold p in the order of the rows. */
static void spread_rows(dem_trial *t, const double *p) {
  double *rows = t->replica.store.spare.velocity;
  const int flat = t->dimension == 2, turns = t->options.rotations;
  for (int64_t row = 0; row < t->particles; row++) {
    const double *v = p + (int64_t)t->of_row[row] * t->width;
    double *out = rows + 8 * row;
    memset(out, 0, 8 * sizeof *out);
    for (int a = 0; a < t->dimension; a++) out[a] = v[a];
    if (turns && flat) out[6] = v[2];
    for (int a = 0; a < 3 && turns && !flat; a++) out[4 + a] = v[3 + a];
  }
}

/* Each face moves as its wall does. */
static void spread_walls(dem_trial *t, const double *p) {
  const int flat = t->dimension == 2;
  for (int32_t f = 0; f < t->replica.faces.count; f++) {
    const double *v = p + t->particles * t->width + (int64_t)t->replica.faces.face[f].wall * t->wall_width;
    double *out = t->face_displacement + 8 * (int64_t)f;
    memset(out, 0, 8 * sizeof *out);
    for (int a = 0; a < t->dimension; a++) out[a] = v[a];
    if (flat) out[6] = v[2];
    for (int a = 0; a < 3 && !flat; a++) out[4 + a] = v[3 + a];
  }
}

/* ---- product ---- */

typedef struct product_task {
  dem_trial *trial;
  demi_displacements p;
  demi_product_kernel *kernel;
} product_task;

static void multiply_chunk(void *argument, int32_t chunk) {
  const product_task *task = argument;
  const demi_replica *r = &task->trial->replica;
  for (int32_t b = r->list.chunks.block[chunk]; b < r->list.chunks.block[chunk + 1]; b++)
    task->kernel(&task->trial->tangent, &r->contacts.loads, &task->p, b);
}

dem_status demi_trial_apply(dem_trial *t, const double *p, double *product) {
  if (!t->has_tangents)
    return demi_system_refuse(t->system, DEM_INCOMPLETE, "trial: no evaluation with DEM_TRIAL_TANGENT came before the product");
  demi_replica *r = &t->replica;
  if (t->particles == 0) {
    memset(product, 0, (size_t)t->unknowns * sizeof *product);
    return DEM_OK;
  }
  memcpy(t->total, p, (size_t)t->unknowns * sizeof *p);
  demi_trial_add_strain(t, p, t->total);
  spread_rows(t, t->total);
  spread_walls(t, p);
  product_task task = {t,
                       {r->store.spare.velocity, t->face_displacement, demi_trial_image_displacements(t, p)},
                       DEMI_SELECT(r->context, demi_tangent_product)};
  demi_parallel(r->context, r->list.chunks.count, multiply_chunk, &task);
  const demi_loads loads = demi_tangents_loads(&t->tangent, &r->contacts.loads);
  demi_replica_sum(r, &loads);
  demi_trial_write_loads(t, &loads, product);
  demi_trial_write_strain(t, &loads, product);
  return DEM_OK;
}
