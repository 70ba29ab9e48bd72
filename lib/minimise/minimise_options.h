/* Options of a minimisation and the objective's table: defaults, intake, checks. */
#ifndef DEMI_MINIMISE_OPTIONS_H
#define DEMI_MINIMISE_OPTIONS_H

#include <dem/plugin/objective.h>

/* With the meanings of the exported functions; pointers are checked. */
__typeof__(dem_minimise_options_init) demi_minimise_options_defaults;
__typeof__(dem_minimise_report_init) demi_minimise_report_defaults;
__typeof__(dem_objective_table_init) demi_objective_table_defaults;

/* Takes a host's options in; NULL = defaults. Refuses with the member, its value and its limit in the context's message. */
dem_status demi_minimise_take_options(dem_context *context, const dem_minimise_options *theirs, dem_minimise_options *ours);
/* The same with an objective's table. */
dem_status demi_objective_take(dem_context *context, const dem_objective_table *theirs, dem_objective_table *ours);
/* Copies the report to the host's struct. */
dem_status demi_minimise_report_give(dem_minimise_report *theirs, const dem_minimise_report *ours);

#endif
