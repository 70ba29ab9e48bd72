/* The inner loops of a force evaluation, one compilation per instruction set (see variant.h). */
#ifndef DEMI_KERNELS_H
#define DEMI_KERNELS_H

#include "contacts.h"
#include "variant.h"

typedef void demi_block_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, int32_t block);
/* mark: a new interval starts here. */
typedef void demi_power_kernel(const demi_store *store, demi_contacts *contacts, int32_t block, int mark);

DEMI_DECLARE_VARIANTS(demi_block_kernel, evaluate_block);
DEMI_DECLARE_VARIANTS(demi_power_kernel, power_block);

#endif
