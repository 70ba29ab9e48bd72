#include "pass.h"

#include <string.h>

#include "context.h"
#include "parallel.h"

typedef struct pass_task {
  const demi_pass *pass;
  demi_pass_kernel *kernel;
} pass_task;

static void run_chunk(void *argument, int32_t chunk) {
  const pass_task *t = argument;
  t->kernel(t->pass, chunk);
}

static void evaluate_outgoing(void *argument, int32_t chunk) {
  const demi_pass *p = ((const pass_task *)argument)->pass;
  for (int32_t b = p->chunks->block[chunk]; b < p->chunks->block[chunk + 1]; b++)
    if (demi_pass_reaches_out(p, chunk, b)) demi_contacts_block(p->evaluation, chunk, b);
  for (int32_t b = p->coarse ? p->coarse->block[chunk] : 0; p->coarse && b < p->coarse->block[chunk + 1]; b++)
    demi_contacts_block(p->evaluation, chunk, b);
}

void demi_pass_run(const demi_pass *given) {
  demi_pass p = *given;
  const size_t blocks = (size_t)p.motion->blocks;
  if (blocks == 0) return;
  memset(p.motion->recent, 0, blocks * 8 * sizeof *p.motion->recent);
  if (p.ledger) memset(p.work, 0, blocks * DEMI_WORK_ENTRIES * sizeof *p.work);
  pass_task task = {&p, DEMI_SELECT(p.store->context, demi_pass_chunk)};
  p.reach = p.loads->fine_reach;
  if (p.chunks->count > 1 && p.op[0].kind == DEMI_OP_EVALUATE)
    demi_parallel(p.store->context, p.chunks->count, evaluate_outgoing, &task);
  demi_parallel(p.store->context, p.chunks->count, run_chunk, &task);
  if (!p.coarse) return;
  p.chunks = p.coarse;
  p.reach = p.loads->reach;
  p.evaluated = 1;
  demi_parallel(p.store->context, p.chunks->count, run_chunk, &task);
}
