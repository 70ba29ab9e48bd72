/* All measures of a region at once, and those of single particles. */
#ifndef DEMI_REPORT_H
#define DEMI_REPORT_H

#include "source.h"

__typeof__(dem_statics_init) demi_statics_defaults;
/* As dem_system_statics. Options were taken in (statics_options.h). */
dem_status demi_statics_measure(const demi_statics_source *source, const dem_statics_options *options, dem_statics *out);
/* Stress times volume of each row, 9 numbers, contacts and kinetic part; `rows` need not be clear. */
void demi_statics_moments(const demi_statics_source *source, const dem_statics_options *options, double *rows);

#endif
