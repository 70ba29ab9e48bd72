/* Evaluations that are lean: see contact/lean.h. */
#include "parallel.h"
#include "trial.h"

int demi_trial_is_lean(const dem_trial *t, int32_t ask) {
  return t->options.dt == 0 && !(ask & DEM_TRIAL_TANGENT) && t->particles > 0 && t->replica.bonds.count == 0 &&
         t->box_width == 0 && demi_laws_lean(t->replica.laws);
}

typedef struct lean_task {
  dem_trial *trial;
  const demi_evaluation *evaluation;
  double *gradient;
  demi_lean_kernel *add;
  demi_write_kernel *write;
} lean_task;

static void add_chunk(void *argument, int32_t chunk) {
  const lean_task *task = argument;
  demi_lean_note_pick(&task->trial->lean_sums, &task->trial->replica.list, chunk);
  task->add(task->evaluation, &task->trial->lean_sums, chunk);
}

static void write_chunk(void *argument, int32_t chunk) {
  const lean_task *task = argument;
  const demi_replica *r = &task->trial->replica;
  demi_lean_gather(&task->trial->lean_sums, &r->list, &r->contacts.loads, chunk);
  task->write(task->trial, task->gradient, chunk);
}

dem_status demi_trial_reserve_lean(dem_trial *t) {
  t->lean_sums.context = t->system->context;
  return demi_lean_reserve(&t->lean_sums, &t->replica.list, t->replica.laws, t->particles);
}

void demi_trial_run_lean(dem_trial *t, const demi_evaluation *e, double *gradient) {
  dem_context *context = t->system->context;
  const int32_t chunks = t->replica.list.chunks.count;
  lean_task task = {t, e, gradient, DEMI_SELECT(context, demi_lean_chunk), DEMI_SELECT(context, demi_write_lean)};
  demi_parallel(context, chunks, add_chunk, &task);
  t->lean_sums.picks = t->replica.list.prunes;
  if (gradient) demi_parallel(context, chunks, write_chunk, &task);
}
