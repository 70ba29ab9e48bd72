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

/* Fills `now` and what else laws read but velocities; the lanes behind the last contact repeat the first. */
typedef void demi_geometry_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, demi_candidates *candidates,
                                  int walls);
demi_geometry_kernel demi_batch_geometry_base, demi_batch_geometry_avx2, demi_batch_geometry_avx512;

/* Fills the velocity lanes, as seen in a frame. */
typedef void demi_velocity_kernel(const demi_evaluation *evaluation, demi_workspace *workspace,
                                  const demi_candidates *candidates, int walls, const demi_frame *frame);
demi_velocity_kernel demi_batch_velocities_base, demi_batch_velocities_avx2, demi_batch_velocities_avx512;

/* From `now` and its velocities: fills `half` and the velocities in it, turned into the planes of `now`. */
typedef void demi_half_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, const demi_candidates *candidates,
                              int walls);
demi_half_kernel demi_batch_half_base, demi_batch_half_avx2, demi_batch_half_avx512;

/* After it: fills the normals of `before`. */
demi_half_kernel demi_batch_before_base, demi_batch_before_avx2, demi_batch_before_avx512;

/* After overlaps and velocities: writes history_time of the contacts that are new. */
demi_half_kernel demi_batch_age_base, demi_batch_age_avx2, demi_batch_age_avx512;

/* Turns vectors across the normals of `before` into the planes across those of `half`, and of `half` into those of `now`. */
typedef void demi_turn_kernel(const demi_workspace *workspace, int32_t count, demi_lanes *vector);
demi_turn_kernel demi_turn_to_half_base, demi_turn_to_half_avx2, demi_turn_to_half_avx512;
demi_turn_kernel demi_turn_from_half_base, demi_turn_from_half_avx2, demi_turn_from_half_avx512;

/* Fills the rolling and twisting velocities, as seen in a frame, in the planes of `now`. */
typedef void demi_rolling_velocity_kernel(const demi_evaluation *evaluation, demi_workspace *workspace,
                                          const demi_candidates *candidates, int walls, const demi_frame *frame);
demi_rolling_velocity_kernel demi_rolling_velocities_base, demi_rolling_velocities_avx2, demi_rolling_velocities_avx512;

/* Runs the rolling and twisting parts on a batch whose normal and tangential parts have run. */
typedef void demi_rolling_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, const demi_bound *bound,
                                 dem_batch *batch);
demi_rolling_kernel demi_run_rolling_base, demi_run_rolling_avx2, demi_run_rolling_avx512;

/* Stores the moments of a batch, and books them; nothing but zeros when its law neither rolls nor twists. */
typedef void demi_moment_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, const demi_candidates *candidates,
                                const demi_bound *bound, double *sums);
demi_moment_kernel demi_batch_moments_base, demi_batch_moments_avx2, demi_batch_moments_avx512;

/* Stores loads and books; sums: those of the section. */
typedef void demi_load_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, const demi_candidates *candidates,
                              const demi_bound *bound, int32_t section, double *sums);
demi_load_kernel demi_batch_loads_base, demi_batch_loads_avx2, demi_batch_loads_avx512;

#endif
