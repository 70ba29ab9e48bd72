/* Exported: packings. */
#include <string.h>

#include "check.h"
#include "intake.h"
#include "minimise_options.h"
#include "packing.h"
#include "system.h"

dem_status dem_packing_options_init(dem_packing_options *options, uint32_t struct_size) {
  return options ? demi_packing_options_defaults(options, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_jam_options_init(dem_jam_options *options, uint32_t struct_size) {
  return options ? demi_jam_options_defaults(options, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_jam_report_init(dem_jam_report *report, uint32_t struct_size) {
  return report ? demi_jam_report_defaults(report, struct_size) : DEM_BAD_ARGUMENT;
}

/* ---- without a system ---- */

static dem_status refuse_null(dem_context *context, const char *function, const char *name) {
  return demi_refuse_context(context, DEM_BAD_ARGUMENT, "%s: %s is NULL", function, name);
}

dem_status dem_packing_draw(dem_context *context, const dem_packing_options *options, double *position, double *radius,
                            double *edges) {
  if (!context) return DEM_BAD_ARGUMENT;
  if (!options) return refuse_null(context, __func__, "options");
  if (!position) return refuse_null(context, __func__, "position");
  if (!radius) return refuse_null(context, __func__, "radius");
  if (!edges) return refuse_null(context, __func__, "edges");
  return demi_packing_draw(context, options, position, radius, edges);
}

dem_status dem_packing_system(dem_context *context, const dem_packing_options *packing, const dem_system_options *options,
                              const dem_material *material, const dem_law *law, double density, dem_system **system) {
  if (system) *system = NULL;
  if (!context) return DEM_BAD_ARGUMENT;
  if (!packing) return refuse_null(context, __func__, "packing");
  if (!law) return refuse_null(context, __func__, "law");
  if (!system) return refuse_null(context, __func__, "system");
  return demi_packing_system(context, packing, options, material, law, density, system);
}

static dem_status take_source(dem_context *context, const dem_source *theirs, dem_source *ours) {
  const size_t v1 = DEMI_SIZE_TO(dem_source, read);
  const dem_status status = demi_intake(ours, sizeof *ours, theirs, v1);
  if (status)
    return demi_refuse_context(context, status, "dem_radii_read: source: %s",
                               demi_intake_flaw((char[DEMI_FLAW_TEXT]){""}, theirs, sizeof *ours, v1));
  if (!ours->read || ours->reserved_zero)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "dem_radii_read: source has no function, or reserved_zero is not 0");
  return DEM_OK;
}

dem_status dem_radii_read(dem_context *context, const dem_source *source, int64_t capacity, double *radii, int64_t *count) {
  dem_source ours;
  if (!context) return DEM_BAD_ARGUMENT;
  if (!source) return refuse_null(context, __func__, "source");
  if (!count) return refuse_null(context, __func__, "count");
  if (capacity < 0 || (capacity > 0 && !radii))
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "dem_radii_read: capacity is %lld, must be >= 0, or radii is NULL",
                               (long long)capacity);
  memset(&ours, 0, sizeof ours);
  const dem_status status = take_source(context, source, &ours);
  return status ? status : demi_radii_read(context, &ours, capacity, radii, count);
}

/* ---- with a system ---- */

dem_status dem_system_packing_fraction(const dem_system *system, double *packing_fraction) {
  DEMI_MAY_READ();
  DEMI_NEEDS(packing_fraction);
  return demi_system_packing_fraction(system, packing_fraction);
}

static dem_status give_report(dem_system *system, const dem_minimise_report *ours, dem_minimise_report *theirs) {
  const dem_status status = theirs ? demi_minimise_report_give(theirs, ours) : DEM_OK;
  if (!status) return DEM_OK;
  return demi_refuse(demi_system_message_of(system), demi_system_context(system), status,
                     "minimise report: struct_size %u is not usable", theirs->struct_size);
}

dem_status dem_system_compress(dem_system *system, double packing_fraction, const dem_relax_options *relax,
                               const dem_minimise_options *minimise, dem_minimise_report *report) {
  dem_minimise_report all = {.struct_size = (uint32_t)sizeof all};
  DEMI_MAY_CHANGE();
  dem_status status = give_report(system, &all, report);
  if (!status) status = DEMI_INSIDE(demi_system_compress(system, packing_fraction, relax, minimise, &all));
  return status ? status : give_report(system, &all, report);
}

dem_status dem_system_jam(dem_system *system, const dem_jam_options *options, const dem_minimise_options *minimise,
                          dem_jam_report *report) {
  DEMI_MAY_CHANGE();
  DEMI_NEEDS(options);
  return DEMI_INSIDE(demi_system_jam(system, options, minimise, report));
}

dem_status dem_system_remove_rattlers(dem_system *system, int32_t least_contacts, int64_t capacity, dem_id *ids,
                                      int64_t *count) {
  DEMI_MAY_CHANGE();
  return DEMI_INSIDE(demi_system_remove_rattlers(system, least_contacts, capacity, ids, count));
}
