/* Exported: laws. */
#include "law.h"

#include "context.h"

dem_status dem_law_options_init(dem_law_options *options, uint32_t struct_size) {
  return options ? demi_law_options_defaults(options, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_law_create(dem_context *context, const dem_law_options *options, dem_law **law) {
  if (law) *law = NULL;
  if (!context) return DEM_BAD_ARGUMENT;
  if (!options || !law)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "dem_law_create: %s is NULL", options ? "law" : "options");
  return demi_law_create(context, options, law);
}

void dem_law_release(dem_law *law) { demi_law_release(law); }

dem_status dem_law_piece_init(dem_law_piece *piece, uint32_t struct_size) {
  return piece ? demi_law_piece_defaults(piece, struct_size) : DEM_BAD_ARGUMENT;
}

dem_status dem_law_create_from_parts(dem_context *context, int32_t count, const dem_law_piece *pieces, dem_law **law) {
  if (law) *law = NULL;
  if (!context) return DEM_BAD_ARGUMENT;
  if (!pieces || !law)
    return demi_refuse_context(context, DEM_BAD_ARGUMENT, "dem_law_create_from_parts: %s is NULL", pieces ? "law" : "pieces");
  return demi_law_create_from_parts(context, count, pieces, law);
}

dem_status dem_law_probe(const dem_law *law, const dem_bind *materials, dem_probe *probe) {
  if (!law) return DEM_BAD_ARGUMENT;
  if (!probe) return demi_refuse_context(law->context, DEM_BAD_ARGUMENT, "dem_law_probe: probe is NULL");
  return demi_law_probe(law, materials, probe);
}
