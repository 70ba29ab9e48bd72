/* The pass: queued operations of an integrator run block by block, so that a particle's rows are fetched and written once
 * however many operations are queued. Operations act particle by particle, so the fusion changes no bit.
 *
 *   evaluate  forces of the contacts and bonds of the block (lib/contact), then their sum per
 *             particle, in ascending order of contacts
 *   kick      v += h (f/m + g), w += h t/I with the forces of contacts and host and the background drag together; where
 *             there is a fluid (store.h), its drag too, exactly (pass_kernels.c)
 *   drift     x += h v, and the tile's box of displacements grows by that of h v
 *
 * A contact (i, j) belongs to the block of i, and j > i. So once a block is evaluated no later block reads its particles, and
 * they may be kicked and drifted at once, while still in cache. With several chunks, the blocks that reach into a later chunk are
 * evaluated first, before anything moves.
 *
 * Particles of coarser levels (search/levels.h) come last, from coarse_row on, and meet fine ones everywhere. Their loads have places
 * of their own, outside the window. With several chunks they are a second round: their blocks are evaluated before anything moves,
 * the fine rows run as above and leave the loads of coarse rows alone, then chunks of the coarse rows gather what all fine blocks
 * and coarse blocks of earlier chunks have for them, in the order of contacts, and move. */
#ifndef DEMI_PASS_H
#define DEMI_PASS_H

#include "contacts.h"
#include "loads.h"
#include "motion.h"
#include "chunks.h"
#include "store.h"
#include "variant.h"

enum { DEMI_OP_EVALUATE = 1, DEMI_OP_KICK = 2, DEMI_OP_DRIFT = 3, DEMI_MAX_OPS = 16 };

typedef struct demi_op {
  int32_t kind;
  double duration;
} demi_op;

/* Work of kicks, per block. */
enum {
  DEMI_WORK_GRAVITY = 0,
  DEMI_WORK_HOST = 1,
  DEMI_WORK_HOST_TORQUE = 2,
  DEMI_WORK_DRAG = 3,
  DEMI_WORK_DRAG_TORQUE = 4,
  DEMI_WORK_ENTRIES = 8
};

typedef struct demi_pass {
  demi_store *store;
  demi_motion *motion;
  const demi_loads *loads;
  const demi_chunks *chunks; /* one chunk: of all rows; several: of the fine rows */
  const demi_chunks *coarse; /* several chunks and several levels: of the coarse rows; else NULL */
  int32_t coarse_row;
  const int32_t *reach; /* highest row of these chunks that each block reaches; set by demi_pass_run */
  int32_t evaluated;    /* set by demi_pass_run: all blocks of these chunks are evaluated */
  double gravity[3], drag;
  int32_t dimension, ledger;
  int32_t clear_loads;               /* leave zeros in the load rows for the next sum, so that no sums can be read from them */
  const demi_evaluation *evaluation; /* what an evaluation in the queue computes; NULL: none is queued */
  int32_t count;
  demi_op op[DEMI_MAX_OPS];
  double *work; /* DEMI_WORK_ENTRIES per block, only with a ledger */
} demi_pass;

void demi_pass_run(const demi_pass *pass);

/* 1: the block reaches into a later chunk. */
static inline int demi_pass_reaches_out(const demi_pass *pass, int32_t chunk, int32_t block) {
  return pass->reach[block] >= pass->chunks->row[chunk + 1];
}

/* One chunk of a pass, by instruction set. */
typedef void demi_pass_kernel(const demi_pass *pass, int32_t chunk);
DEMI_DECLARE_VARIANTS(demi_pass_kernel, pass_chunk);

#endif
