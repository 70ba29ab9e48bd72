/* The pass: queued operations of an integrator run block by block, so that a particle's rows are read and written once however many
 * operations are queued. Operations act particle by particle, so the fusion changes no bit.
 *
 *   sum    loads of the contacts -> force and torque per particle, in ascending order of contacts; host and drag forces added
 *   kick   v += h (f/m + g), w += h t/I
 *   drift  x += h v, and the tile's box of displacements grows by that of h v */
#ifndef DEMI_PASS_H
#define DEMI_PASS_H

#include "loads.h"
#include "motion.h"
#include "parts.h"
#include "store.h"

enum { DEMI_OP_SUM = 1, DEMI_OP_KICK = 2, DEMI_OP_DRIFT = 3, DEMI_MAX_OPS = 16 };

typedef struct demi_op {
  int32_t kind;
  double duration;
} demi_op;

/* Work of kicks, per block: momentum-like sum m (v + v')/2 h (3), host work, drag work. */
enum { DEMI_WORK_GRAVITY = 0, DEMI_WORK_HOST = 3, DEMI_WORK_DRAG = 4, DEMI_WORK_ENTRIES = 8 };

typedef struct demi_pass {
  demi_store *store;
  demi_motion *motion;
  const demi_loads *loads;
  const demi_parts *parts;
  double gravity[3], drag;
  int32_t dimension, ledger;
  double kicked;       /* time kicked since the forces were evaluated, before this pass */
  int32_t clear_loads; /* leave zeros for the next sum */
  int32_t count;
  demi_op op[DEMI_MAX_OPS];
  double *work;        /* DEMI_WORK_ENTRIES per block, only with a ledger */
} demi_pass;

void demi_pass_run(const demi_pass *pass);

/* One part of a pass, by instruction set. */
typedef void demi_pass_kernel(const demi_pass *pass, int32_t part);
demi_pass_kernel demi_pass_part_base, demi_pass_part_avx2, demi_pass_part_avx512;

#endif
