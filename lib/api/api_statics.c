/* Exported: the statics. Only NULL, poison and reentry are checked here; the layers below check values. */
#include <dem/statics.h>

#include "check.h"
#include "histogram.h"
#include "principal.h"
#include "report.h"
#include "statics_options.h"
#include "system.h"

dem_status dem_statics_options_init(dem_statics_options *options, uint32_t struct_size) {
  return options ? demi_statics_options_defaults(options, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_statics_init(dem_statics *statics, uint32_t struct_size) {
  return statics ? demi_statics_defaults(statics, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_force_histogram_init(dem_force_histogram *histogram, uint32_t struct_size) {
  return histogram ? demi_histogram_defaults(histogram, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_principal_init(dem_principal *principal, uint32_t struct_size) {
  return principal ? demi_principal_defaults(principal, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_tensor_principal(const double *tensor, int32_t dimension, dem_principal *principal) {
  return demi_tensor_principal(tensor, dimension, principal);
}

dem_status dem_system_statics(dem_system *system, const dem_statics_options *options, dem_statics *statics) {
  DEMI_MAY_USE();
  DEMI_NEEDS(statics);
  return DEMI_INSIDE(demi_system_statics(system, options, statics));
}

dem_status dem_system_force_histogram(dem_system *system, const dem_statics_options *options, dem_force_histogram *histogram) {
  DEMI_MAY_USE();
  DEMI_NEEDS(histogram);
  return DEMI_INSIDE(demi_system_force_histogram(system, options, histogram));
}

dem_status dem_system_particle_stress(dem_system *system, const dem_statics_options *options, int64_t count, const dem_id *ids,
                                      const double *volumes, double *values, int64_t stride) {
  DEMI_MAY_USE();
  if (count > 0) DEMI_NEEDS(values);
  return DEMI_INSIDE(demi_system_particle_stress(system, options, count, ids, volumes, values, stride));
}

dem_status dem_system_rattlers(dem_system *system, const dem_statics_options *options, int64_t count, const dem_id *ids,
                               int32_t *contacts, int32_t *rattlers) {
  DEMI_MAY_USE();
  return DEMI_INSIDE(demi_system_rattlers(system, options, count, ids, contacts, rattlers));
}
