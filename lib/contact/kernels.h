/* The inner loops of a force evaluation, one compilation per instruction set (see variant.h). */
#ifndef DEMI_KERNELS_H
#define DEMI_KERNELS_H

#include "contacts.h"
#include "variant.h"

typedef void demi_block_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, int32_t block);
/* mark: a new interval starts here. */
typedef void demi_power_kernel(const demi_store *store, demi_contacts *contacts, int32_t block, int mark);

DEMI_DECLARE_VARIANTS(demi_block_kernel, evaluate_block);
/* The touching walls of a block alone: adds to the sums of the block, and places its loads where forces are asked for. */
DEMI_DECLARE_VARIANTS(demi_block_kernel, evaluate_walls);
DEMI_DECLARE_VARIANTS(demi_power_kernel, power_block);

#endif
