/* The stages of a batch, one compilation per instruction set (see laws/variant.h). */
#ifndef DEMI_BATCH_KERNELS_H
#define DEMI_BATCH_KERNELS_H

#include "contacts.h"

/* Lanes to loop over: whole registers. */
#define DEMI_ROUND_UP(n) (((n) + 7) & ~7)

/* The whole batch; sums: those of the block. */
typedef void demi_batch_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, demi_candidates *candidates,
                               const demi_bound *bound, int32_t section, double *sums);
demi_batch_kernel demi_run_batch_base, demi_run_batch_avx2, demi_run_batch_avx512;

/* Fills the lanes that laws read; the lanes behind the last contact repeat the first. */
typedef void demi_geometry_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, demi_candidates *candidates,
                                  int walls);
demi_geometry_kernel demi_batch_geometry_base, demi_batch_geometry_avx2, demi_batch_geometry_avx512;

/* Stores loads and books; sums: those of the section. */
typedef void demi_load_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, const demi_candidates *candidates,
                              const demi_bound *bound, int32_t section, double *sums);
demi_load_kernel demi_batch_loads_base, demi_batch_loads_avx2, demi_batch_loads_avx512;

#endif
