/* Stress: of contacts and kinetic, of all particles with their weights, and of each. Sums that are not yet divided by a volume. */
#ifndef DEMI_STRESS_H
#define DEMI_STRESS_H

#include "links.h"

/* sum over links of (w_i s_i + w_j s_j) r_a f_b, for each DEM_SECTION_...; s_i and s_j are the parts of the two. */
void demi_stress_of_sections(const demi_statics_source *source, int32_t split, const double *weight,
                             double of_section[DEMI_SECTIONS][9]);
/* Adds to each row, 9 numbers, its part of r_a f_b of the links of `sections`. */
void demi_stress_of_rows(const demi_statics_source *source, int32_t sections, int32_t split, double *rows);

/* The mean flow U + G x that is taken off, and the mean velocity. */
typedef struct demi_flow {
  double mean_velocity[3]; /* sum w m v / sum w m */
  double at_origin[3];     /* U */
  double gradient[9];      /* G */
} demi_flow;

/* weight: NULL = 1 for each. Frozen particles have no part in it. */
demi_flow demi_flow_find(const demi_statics_source *source, const dem_statics_options *options, const double *weight);
/* m c_a c_b of a row; 0 of one that is frozen. */
void demi_stress_kinetic_of(const demi_statics_source *source, const demi_flow *flow, int64_t row, double out[9]);
/* sum w m c_a c_b. */
void demi_stress_kinetic(const demi_statics_source *source, const demi_flow *flow, const double *weight, double out[9]);

#endif
