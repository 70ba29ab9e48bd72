/* Exported: minimisers, their objectives and preconditioners. */
#include "minimise_options.h"
#include "minimiser.h"
#include "preconditioners.h"

dem_status dem_minimise_report_init(dem_minimise_report *report, uint32_t struct_size) {
  return report ? demi_minimise_report_defaults(report, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_minimise_options_init(dem_minimise_options *options, uint32_t struct_size) {
  return options ? demi_minimise_options_defaults(options, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_objective_table_init(dem_objective_table *table, uint32_t struct_size) {
  return table ? demi_objective_table_defaults(table, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_preconditioner_table_init(dem_preconditioner_table *table, uint32_t struct_size) {
  return table ? demi_preconditioner_table_defaults(table, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_minimiser_create(dem_context *context, const dem_objective_table *table, void *user, const double *start,
                                const dem_minimise_options *options, dem_minimiser **minimiser) {
  if (minimiser) *minimiser = NULL;
  if (!context) return DEM_BAD_ARGUMENT;
  if (!table || !minimiser)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "dem_minimiser_create: %s is NULL", table ? "minimiser" : "table");
  return demi_minimiser_create(context, table, user, start, options, minimiser);
}

/* Refusals of calls that may run together with others. */
#define REFUSE(m, ...) demi_refuse((demi_message *)(uintptr_t) & (m)->message, (m)->context, DEM_BAD_ARGUMENT, __VA_ARGS__)

dem_status dem_minimiser_iterate(dem_minimiser *minimiser, int64_t count) {
  if (!minimiser) return DEM_BAD_ARGUMENT;
  if (count < 0) return REFUSE(minimiser, "dem_minimiser_iterate: count is %lld, must be >= 0", (long long)count);
  return demi_minimiser_iterate(minimiser, count);
}

dem_status dem_minimiser_run(dem_minimiser *minimiser) { return minimiser ? demi_minimiser_run(minimiser) : DEM_BAD_ARGUMENT; }

dem_status dem_minimiser_get_report(const dem_minimiser *minimiser, dem_minimise_report *report) {
  if (!minimiser) return DEM_BAD_ARGUMENT;
  if (!report) return REFUSE(minimiser, "dem_minimiser_get_report: report is NULL");
  return demi_minimiser_get_report(minimiser, report);
}

dem_status dem_minimiser_get_point(const dem_minimiser *minimiser, int64_t count, double *x) {
  if (!minimiser) return DEM_BAD_ARGUMENT;
  if (!x) return REFUSE(minimiser, "dem_minimiser_get_point: x is NULL");
  return demi_minimiser_get_point(minimiser, count, x);
}

dem_status dem_minimiser_accept(dem_minimiser *minimiser) {
  return minimiser ? demi_minimiser_accept(minimiser) : DEM_BAD_ARGUMENT;
}

const char *dem_minimiser_message(const dem_minimiser *minimiser) {
  return minimiser ? demi_message_text(&minimiser->message) : "";
}

dem_status dem_minimiser_destroy(dem_minimiser *minimiser) { return minimiser ? demi_minimiser_destroy(minimiser) : DEM_OK; }

dem_status dem_preconditioner_create(dem_context *context, const dem_preconditioner_table *table, void *user,
                                     dem_preconditioner **preconditioner) {
  if (preconditioner) *preconditioner = NULL;
  if (!context) return DEM_BAD_ARGUMENT;
  if (!table || !preconditioner)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "dem_preconditioner_create: %s is NULL",
                               table ? "preconditioner" : "table");
  return demi_preconditioner_create(context, table, user, preconditioner);
}

dem_status dem_preconditioner_find(dem_context *context, const char *name, dem_preconditioner **preconditioner) {
  if (preconditioner) *preconditioner = NULL;
  if (!context) return DEM_BAD_ARGUMENT;
  if (!name || !preconditioner)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "dem_preconditioner_find: %s is NULL",
                               name ? "preconditioner" : "name");
  return demi_preconditioner_find(context, name, preconditioner);
}

dem_status dem_preconditioner_release(const dem_preconditioner *preconditioner) {
  return preconditioner ? demi_preconditioner_release(preconditioner) : DEM_OK;
}
