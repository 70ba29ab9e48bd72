/* Packings on checked arguments: what lib/api calls. Meanings as in dem/packing.h.
 *
 * Files, each calls only those before it: packing_options, radii, insertion, packing; radii_read; compress, jam_options, jam_state, jam;
 * rattlers. */
#ifndef DEMI_PACKING_H
#define DEMI_PACKING_H

#include <dem/packing.h>

#include "context.h"

/* ---- packing_options.c ---- */
__typeof__(dem_packing_options_init) demi_packing_options_defaults;
/* Copies and checks what the host gave. */
dem_status demi_packing_take_options(dem_context *context, const dem_packing_options *theirs, dem_packing_options *ours);

/* ---- radii.c; options are checked ---- */
/* Draws the radii, not yet scaled. */
void demi_radii_draw(const dem_packing_options *options, double *radius);
/* Volume of all particles; pi R^2 each in 2 dimensions. */
double demi_radii_volume(int32_t dimension, int64_t count, const double *radius);
/* The square or cube root. */
double demi_packing_root(int32_t dimension, double x);
/* Scales the radii or finds the box, so that phi is met. */
void demi_packing_fit(const dem_packing_options *options, double *radius, double edges[3]);

/* ---- insertion.c ---- */
/* Positions that are independent of each other. */
void demi_insert_anywhere(const dem_packing_options *options, const double edges[3], double *position);
/* Positions without overlaps. */
dem_status demi_insert_apart(dem_context *context, const dem_packing_options *options, const double *radius,
                             const double edges[3], double *position);

/* ---- packing.c ---- */
__typeof__(dem_packing_draw) demi_packing_draw;
__typeof__(dem_packing_system) demi_packing_system;

/* ---- radii_read.c ---- */
__typeof__(dem_radii_read) demi_radii_read;

/* ---- compress.c ---- */
__typeof__(dem_system_packing_fraction) demi_system_packing_fraction;
__typeof__(dem_system_compress) demi_system_compress;

/* ---- jam_options.c ---- */
__typeof__(dem_jam_options_init) demi_jam_options_defaults;
__typeof__(dem_jam_report_init) demi_jam_report_defaults;
dem_status demi_jam_take_options(const dem_system *system, const dem_jam_options *theirs, dem_jam_options *ours);
/* What `progress` is given is whole; the host's report may be shorter. */
dem_status demi_jam_report_give(const dem_system *system, dem_jam_report *theirs, const dem_jam_report *ours);

/* ---- jam.c ---- */
__typeof__(dem_system_jam) demi_system_jam;

/* ---- rattlers.c ---- */
__typeof__(dem_system_remove_rattlers) demi_system_remove_rattlers;

#endif
