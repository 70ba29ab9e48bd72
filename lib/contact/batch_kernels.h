/* The stages of a batch, one compilation per instruction set (see variant.h). */
#ifndef DEMI_BATCH_KERNELS_H
#define DEMI_BATCH_KERNELS_H

#include "contacts.h"
#include "variant.h"

/* The whole batch; sums: those of the block. */
typedef void demi_batch_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, demi_candidates *candidates,
                               const demi_bound *bound, int32_t section, double *sums);
DEMI_DECLARE_VARIANTS(demi_batch_kernel, run_batch);

/* Fills `now` and all lanes that laws read except velocities; the lanes behind the last contact repeat the first. */
typedef void demi_geometry_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, demi_candidates *candidates,
                                  int walls);
DEMI_DECLARE_VARIANTS(demi_geometry_kernel, batch_geometry);

/* Fills the velocity lanes, as seen in a frame. */
typedef void demi_velocity_kernel(const demi_evaluation *evaluation, demi_workspace *workspace,
                                  const demi_candidates *candidates, int walls, const demi_frame *frame);
DEMI_DECLARE_VARIANTS(demi_velocity_kernel, batch_velocities);

/* From `now` and its velocities: fills `half` and the velocities in it, turned into the planes of `now`. */
typedef void demi_half_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, const demi_candidates *candidates,
                              int walls);
DEMI_DECLARE_VARIANTS(demi_half_kernel, batch_half);

/* After it: fills the normals of `before`. */
DEMI_DECLARE_VARIANTS(demi_half_kernel, batch_before);

/* After overlaps and velocities: writes history_time of the contacts that are new. */
DEMI_DECLARE_VARIANTS(demi_half_kernel, batch_age);

/* Lagged friction (lags.h): keeps forces and frames of the contacts; before the histories: fills `half` and the velocities in it, and
 * the forces that limit friction; after the ages: writes history_time; after the law: releases what opened, and adds heat to energies. */
typedef void demi_lag_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, const demi_candidates *candidates,
                             const demi_bound *bound, int walls);
DEMI_DECLARE_VARIANTS(demi_lag_kernel, batch_lag_take);
DEMI_DECLARE_VARIANTS(demi_lag_kernel, batch_lag_frame);
DEMI_DECLARE_VARIANTS(demi_lag_kernel, batch_lag_times);
DEMI_DECLARE_VARIANTS(demi_lag_kernel, batch_lag_end);

/* Turns vectors across the normals of `before` into the planes across those of `half`, and of `half` into those of `now`. */
typedef void demi_turn_kernel(const demi_workspace *workspace, int32_t count, demi_lanes *vector);
DEMI_DECLARE_VARIANTS(demi_turn_kernel, turn_to_half);
DEMI_DECLARE_VARIANTS(demi_turn_kernel, turn_from_half);

/* Fills the rolling and twisting velocities, as seen in a frame, in the planes of `now`. */
typedef void demi_rolling_velocity_kernel(const demi_evaluation *evaluation, demi_workspace *workspace,
                                          const demi_candidates *candidates, int walls, const demi_frame *frame);
DEMI_DECLARE_VARIANTS(demi_rolling_velocity_kernel, rolling_velocities);

/* Stores the moments of a batch, and books them; nothing but zeros when its law neither rolls nor twists. */
typedef void demi_moment_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, const demi_candidates *candidates,
                                const demi_bound *bound, double *sums);
DEMI_DECLARE_VARIANTS(demi_moment_kernel, batch_moments);

/* Stores loads and books; sums: those of the section. */
typedef void demi_load_kernel(const demi_evaluation *evaluation, demi_workspace *workspace, const demi_candidates *candidates,
                              const demi_bound *bound, int32_t section, double *sums);
DEMI_DECLARE_VARIANTS(demi_load_kernel, batch_loads);

/* Stores the tangents (tangent.h); before the arms are shortened. */
typedef void demi_tangent_kernel(const demi_evaluation *evaluation, const demi_workspace *workspace,
                                 const demi_candidates *candidates, const demi_bound *bound, int32_t section);
DEMI_DECLARE_VARIANTS(demi_tangent_kernel, batch_tangents);

#endif
