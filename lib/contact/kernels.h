/* The inner loops of a force evaluation, one compilation per instruction set (see laws/variant.h). */
#ifndef DEMI_KERNELS_H
#define DEMI_KERNELS_H

#include "contacts.h"

typedef void demi_block_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, int32_t block);
/* mark: a new interval starts here. */
typedef void demi_power_kernel(const demi_store *store, demi_contacts *contacts, int32_t block, int mark);

demi_block_kernel demi_evaluate_block_base, demi_evaluate_block_avx2, demi_evaluate_block_avx512;
demi_power_kernel demi_power_block_base, demi_power_block_avx2, demi_power_block_avx512;

#endif
