#include "pass.h"

#include <string.h>

#include "context.h"
#include "parallel.h"

typedef struct pass_task {
  const demi_pass *pass;
  demi_pass_kernel *kernel;
} pass_task;

static void run_part(void *argument, int32_t part) {
  const pass_task *t = argument;
  t->kernel(t->pass, part);
}

static void evaluate_outgoing(void *argument, int32_t part) {
  const demi_pass *p = ((const pass_task *)argument)->pass;
  for (int32_t b = p->parts->block[part]; b < p->parts->block[part + 1]; b++)
    if (demi_pass_reaches_out(p, part, b)) p->evaluate(p->evaluate_data, part, b);
  for (int32_t b = p->coarse ? p->coarse->block[part] : 0; p->coarse && b < p->coarse->block[part + 1]; b++)
    p->evaluate(p->evaluate_data, part, b);
}

void demi_pass_run(const demi_pass *given) {
  demi_pass p = *given;
  const size_t blocks = (size_t)p.motion->blocks;
  if (blocks == 0) return;
  memset(p.motion->recent, 0, blocks * 8 * sizeof *p.motion->recent);
  if (p.ledger) memset(p.work, 0, blocks * DEMI_WORK_ENTRIES * sizeof *p.work);
  pass_task task = {&p, DEMI_SELECT(p.store->context, demi_pass_part)};
  p.reach = p.loads->fine_reach;
  if (p.parts->count > 1 && p.op[0].kind == DEMI_OP_EVALUATE)
    demi_parallel(p.store->context, p.parts->count, evaluate_outgoing, &task);
  demi_parallel(p.store->context, p.parts->count, run_part, &task);
  if (!p.coarse) return;
  p.parts = p.coarse;
  p.reach = p.loads->reach;
  p.evaluated = 1;
  demi_parallel(p.store->context, p.parts->count, run_part, &task);
}
