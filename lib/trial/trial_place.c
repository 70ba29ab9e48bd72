/* The state at u: the rows, walls and box of the replica are put there, and its list covers it. */
#include <string.h>

#include "limits.h"
#include "parallel.h"
#include "trial.h"

static dem_status refuse_number(const dem_trial *t, const double *u) {
  int64_t k = 0;
  while (demi_bounded(u[k])) k++;
  return demi_system_refuse(t->system, DEM_BAD_ARGUMENT, "trial: u[%lld] is %g, must be finite, -%g to %g", (long long)k, u[k],
                            DEMI_LARGEST, DEMI_LARGEST);
}

dem_status demi_trial_check_numbers(const dem_trial *t, const double *u) {
  return DEMI_SELECT(t->system->context, demi_are_bounded)(u, t->unknowns) ? DEM_OK : refuse_number(t, u);
}

typedef struct place_task {
  dem_trial *trial;
  const double *u;
  demi_place_kernel *kernel;
} place_task;

static void place_chunk(void *argument, int32_t chunk) {
  const place_task *task = argument;
  const demi_chunks *chunks = &task->trial->replica.list.chunks;
  for (int32_t b = chunks->block[chunk]; b < chunks->block[chunk + 1]; b++) task->kernel(task->trial, task->u, b);
}

static void place_walls(dem_trial *t, const double *u) {
  const double *v = u + t->particles * t->width;
  for (int32_t w = 0; w < t->walls; w++, v += t->wall_width) {
    demi_wall wall = t->wall[w];
    const double move[3] = {v[0], v[1], t->dimension == 3 ? v[2] : 0}, two[3] = {0, 0, v[2]};
    const double *turn = t->dimension == 3 ? v + 3 : two;
    double turned[3];
    for (int a = 0; a < 3; a++) {
      wall.position[a] += t->options.alpha * move[a];
      wall.velocity[a] = t->rate * move[a];
      wall.spin[a] = t->rate * turn[a];
      turned[a] = t->options.alpha * turn[a];
    }
    demi_wall_rotate(&wall, turned);
    demi_wall_place(&t->replica.faces, &wall);
  }
}

/* A new replica has no list yet, which is what tells rows apart: it is built at u = 0, so that its pairs do not depend on u. */
static dem_status first_list(dem_trial *t) {
  int32_t sorted = 0;
  int64_t lost = -1;
  if (t->replica.list.valid || t->particles == 0) return DEM_OK;
  const dem_status status = demi_replica_cover(&t->replica, &sorted, &lost);
  if (status) return demi_trial_refuse_memory(t);
  demi_trial_match_rows(t);
  return demi_trial_match_lags(t) ? demi_trial_refuse_memory(t) : DEM_OK;
}

static dem_status refuse_lost(dem_trial *t, int64_t row) {
  const double *x = t->replica.store.columns.position + 4 * row;
  return demi_system_refuse(t->system, DEM_BAD_ARGUMENT, "trial: u moves particle %llu to (%g, %g, %g), allowed up to %g",
                            (unsigned long long)t->replica.store.columns.id[row], x[0], x[1], x[2], t->replica.search.furthest);
}

dem_status demi_trial_place(dem_trial *t, const double *u) {
  int32_t sorted = 0;
  int64_t lost = -1;
  dem_status status = first_list(t);
  if (status) return status;
  if ((status = demi_trial_strain_box(t, u)) != DEM_OK) return status;
  if (t->box_width > 0) memcpy(t->total, u, (size_t)t->unknowns * sizeof *u);
  demi_trial_add_strain(t, u, t->total);
  const place_task task = {t, t->box_width > 0 ? t->total : u, DEMI_SELECT(t->system->context, demi_place_block)};
  place_walls(t, u);
  if (t->particles == 0) return DEM_OK;
  demi_parallel(t->system->context, t->replica.list.chunks.count, place_chunk, (void *)(uintptr_t)&task);
  status = demi_replica_cover(&t->replica, &sorted, &lost);
  if (status) return lost >= 0 ? refuse_lost(t, lost) : demi_trial_refuse_memory(t);
  if (sorted) demi_trial_match_rows(t);
  if (sorted && demi_trial_match_lags(t)) return demi_trial_refuse_memory(t);
  demi_trial_move_images(t, u);
  return DEM_OK;
}
